"""The ribbon above a panel: the stages of a run as coloured bars, its events as numbered lines."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.patches import Patch

from sympact.show.curves import Stretch

HEIGHT = 0.26
"""Height of a ribbon in inches."""

DIGIT_WIDTH, LETTER_WIDTH = 0.062, 0.085
"""Inches that a letter needs, in the number of an event and in the name of a stage."""

STAGE_COLOURS = colormaps["Set3"].colors


def draw_ribbon(axes: Axes, stretches: Sequence[Stretch], event_times: Sequence[float], width: float) -> None:
    """Fill `axes`, which is `width` inches wide, with the stages and events of a run.

    A stage's name stands in its bars where it fits. Events are numbered from 1; those too close to each other to be
    told apart share a label such as ``3-5``.
    """
    begin, end = stretches[0].begin, stretches[-1].end
    per_inch = (end - begin) / width
    colours = stage_colours(stretches)
    for stretch in stretches:
        axes.axvspan(stretch.begin, stretch.end, color=colours[stretch.stage], linewidth=0)
        if _fits(stretch, per_inch):
            middle = (stretch.begin + stretch.end) / 2
            patch = {"facecolor": colours[stretch.stage], "edgecolor": "none", "pad": 1.0}
            axes.text(middle, 0.44, stretch.stage, ha="center", va="center", fontsize="small", bbox=patch)
    axes.vlines(event_times, 0, 1, color="0.35", linewidth=0.7)
    for label, time in event_labels(event_times, DIGIT_WIDTH * per_inch):
        axes.text(time, 1.08, label, ha="center", va="bottom", fontsize="x-small")
    axes.set(xlim=(begin, end), ylim=(0, 1), yticks=[])
    axes.spines[:].set_visible(False)
    axes.tick_params(bottom=False, labelbottom=False)


def key(stretches: Sequence[Stretch], width: float) -> list[Patch]:
    """Entries for a legend: the stages whose names fit nowhere in a ribbon of this width."""
    per_inch = (stretches[-1].end - stretches[0].begin) / width
    named = {stretch.stage for stretch in stretches if _fits(stretch, per_inch)}
    return [Patch(color=c, label=stage) for stage, c in stage_colours(stretches).items() if stage not in named]


def stage_colours(stretches: Sequence[Stretch]) -> dict[str, tuple[float, ...]]:
    """A colour for each stage, in the order in which they are met."""
    stages = dict.fromkeys(stretch.stage for stretch in stretches)
    return {stage: STAGE_COLOURS[index % len(STAGE_COLOURS)] for index, stage in enumerate(stages)}


def _fits(stretch: Stretch, per_inch: float) -> bool:
    return stretch.end - stretch.begin > LETTER_WIDTH * len(stretch.stage) * per_inch


def event_labels(times: Sequence[float], letter: float) -> list[tuple[str, float]]:
    """Number events from 1; those whose labels would overlap share one.

    Parameters
    ----------
    times : sequence of float
        Ascending.
    letter : float
        The time that a letter of a label covers.

    Returns
    -------
    list of (label, time of its middle)

    Examples
    --------
    >>> event_labels([0.1, 0.3, 0.9, 2.0], 0.125)
    [('1-2', 0.2), ('3', 0.9), ('4', 2.0)]
    """
    groups: list[tuple[int, int]] = []
    for index in range(len(times)):
        groups.append((index, index))
        while len(groups) > 1 and _overlap(*groups[-2:], times, letter):
            (first, _), (_, last) = groups[-2:]
            groups[-2:] = [(first, last)]
    return [(_numbers(group), _middle(group, times)) for group in groups]


def _overlap(left: tuple[int, int], right: tuple[int, int], times: Sequence[float], letter: float) -> bool:
    """True if the labels of two groups of events are less than one letter apart."""
    widths = letter * (len(_numbers(left)) + len(_numbers(right)) + 2)
    return _middle(right, times) - _middle(left, times) < widths / 2


def _middle(group: tuple[int, int], times: Sequence[float]) -> float:
    return (times[group[0]] + times[group[1]]) / 2


def _numbers(group: tuple[int, int]) -> str:
    first, last = group[0] + 1, group[1] + 1
    return str(first) if first == last else f"{first}-{last}"
