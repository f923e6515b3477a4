"""The ribbon above a panel: the stages of a run as coloured bars, its events as numbered lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from sympact.integrate.history.listing import shortened
from sympact.show.kit.names import grouped, wants_numbers
from sympact.show.kit.palette import KIND_COLOURS, stage_colour
from sympact.show.plots.curves import Stretch
from sympact.show.plots.timing import Timing

HEIGHT = 0.26
"""Height of a ribbon in inches."""

DIGIT_WIDTH, LETTER_WIDTH = 0.062, 0.085
"""Inches of a character, in the number of an event and in the name of a stage."""

LISTED_STAGES, ENTRY_WIDTH = 12, 40
"""Most numbered stages in a legend, those of the longest times, and the characters of an entry."""

LINE_COLOUR = "0.35"
"""Of events that are all of one kind."""

CROWD_OPACITY = 0.45
"""Of the band of a cluster of events, so that the stage below it is visible."""

ACCUMULATION = {
    "marker": "^",
    "markersize": 5.5,
    "markeredgecolor": "white",
    "markeredgewidth": 0.5,
    "linestyle": "none",
}


def draw_ribbon(axes: Axes, timing: Timing, width: float) -> None:
    """Fill `axes`, which is `width` inches wide, with the stages and events of a run.

    A stage's name, or its number, is written in its bars where it fits. Events are numbered from 1; those too close to
    each other share a label such as ``3-5``. Their lines have the colours of their kinds, a cluster of them is a band
    in the most frequent colour, and an accumulation has a triangle.
    """
    stretches, per_inch = timing.stretches, (timing.end - timing.begin) / width
    colours, names = stage_colours(stretches), stage_labels(stretches)
    for stretch in stretches:
        axes.axvspan(stretch.begin, stretch.end, color=colours[stretch.stage], linewidth=0)
        if _fits(stretch, names, per_inch):
            middle = (stretch.begin + stretch.end) / 2
            patch = {"facecolor": colours[stretch.stage], "edgecolor": "none", "pad": 1.0}
            axes.text(middle, 0.44, names[stretch.stage], ha="center", va="center", fontsize="small", bbox=patch)
    _draw_events(axes, timing, width)
    ends = [time for time, kind in zip(timing.events, timing.kinds, strict=True) if kind == "accumulation"]
    if ends:  # an empty line that is not clipped would count as a point in the corner of the page
        axes.plot(ends, [0.1] * len(ends), color=KIND_COLOURS["accumulation"], clip_on=False, zorder=6, **ACCUMULATION)
    for label, time in event_labels(timing.events, DIGIT_WIDTH * per_inch, timing.first):
        axes.text(time, 1.08, label, ha="center", va="bottom", fontsize="x-small")
    axes.set(xlim=(timing.begin, timing.end), ylim=(0, 1), yticks=[])
    axes.spines[:].set_visible(False)
    axes.tick_params(bottom=False, labelbottom=False)


def _draw_events(axes: Axes, timing: Timing, width: float) -> None:
    """A line for each event, a band for a cluster."""
    colours, single = kind_colours(timing.kinds), []
    for group in timing.crowds(width):
        kind = Counter(timing.kinds[k] for k in group).most_common(1)[0][0]
        if len(group) == 1:
            single.append((timing.events[group[0]], colours[kind]))
        else:
            band = {"color": colours[kind], "alpha": CROWD_OPACITY, "linewidth": 0}
            axes.axvspan(timing.events[group[0]], timing.events[group[-1]], **band)
    axes.vlines([time for time, _ in single], 0, 1, color=[colour for _, colour in single], linewidth=0.7)


def stages_key(stretches: Sequence[Stretch], width: float) -> list[Artist]:
    """Entries for a legend: the stages that no bar of a ribbon of this width names.

    Of numbered stages it lists those of the longest total times.
    """
    per_inch = (stretches[-1].end - stretches[0].begin) / width
    colours, names = stage_colours(stretches), stage_labels(stretches)
    if any(names[stage] != stage for stage in names):
        return _numbered_key(stretches, colours, names)
    named = {stretch.stage for stretch in stretches if _fits(stretch, names, per_inch)}
    return [Patch(color=colour, label=stage) for stage, colour in colours.items() if stage not in named]


def _numbered_key(
    stretches: Sequence[Stretch], colours: dict[str, tuple[float, ...]], names: dict[str, str]
) -> list[Artist]:
    """The stages of the longest times with their numbers, and how many are left out."""
    longest = longest_stages(stretches)
    entries: list[Artist] = [
        Patch(color=colours[stage], label=f"{names[stage]}  {shortened(grouped(stage), ENTRY_WIDTH)}")
        for stage in longest
    ]
    if len(colours) > len(longest):
        entries.append(Patch(color="none", label=f"and {len(colours) - len(longest)} more, of shorter times"))
    return entries


def longest_stages(stretches: Sequence[Stretch]) -> list[str]:
    """The stages of the longest total times, in the order of their first visits.

    >>> longest_stages([Stretch("free", 0.0, 1.0), Stretch("closed", 1.0, 5.0), Stretch("free", 5.0, 5.5)])
    ['free', 'closed']
    """
    times = dict.fromkeys((stretch.stage for stretch in stretches), 0.0)
    for stretch in stretches:
        times[stretch.stage] += stretch.end - stretch.begin
    longest = set(sorted(times, key=lambda stage: times[stage], reverse=True)[:LISTED_STAGES])
    return [stage for stage in times if stage in longest]


def kinds_key(kinds: Sequence[str], ribbons: int) -> list[Artist]:
    """Entries for a legend: a line for each kind, where there are several or an accumulation among them.

    Without ribbons above the panels there are no triangles.
    """
    found = set(kinds)
    if len(found) < 2 and "accumulation" not in found:
        return []
    marks = {"accumulation": ACCUMULATION} if ribbons else {}
    return [
        Line2D([], [], color=colour, label=str(kind), **marks.get(kind, {}))
        for kind, colour in KIND_COLOURS.items()
        if kind in found
    ]


def kind_colours(kinds: Sequence[str]) -> dict[str, str]:
    """The colour of the line of each kind of event; grey if there is only one."""
    found = set(kinds)
    return {kind: LINE_COLOUR if len(found) == 1 and kind != "accumulation" else KIND_COLOURS[kind] for kind in found}


def stage_colours(stretches: Sequence[Stretch]) -> dict[str, tuple[float, ...]]:
    """A colour for each stage, in the order of their first visits."""
    return {stage: stage_colour(order) for order, stage in enumerate(dict.fromkeys(one.stage for one in stretches))}


def stage_labels(stretches: Sequence[Stretch]) -> dict[str, str]:
    """The label of each stage in its bars: its name, or its number where names are many or long."""
    stages = dict.fromkeys(stretch.stage for stretch in stretches)
    numbered = wants_numbers(stages)
    return {stage: str(number) if numbered else stage for number, stage in enumerate(stages, 1)}


def _fits(stretch: Stretch, names: dict[str, str], per_inch: float) -> bool:
    return stretch.end - stretch.begin > LETTER_WIDTH * len(names[stretch.stage]) * per_inch


def event_labels(times: Sequence[float], letter: float, number: int = 1) -> list[tuple[str, float]]:
    """Number events from `number`; those whose labels would overlap share one.

    Parameters
    ----------
    times : sequence of float
        Ascending.
    letter : float
        The time that a character of a label covers.
    number : int
        Of the first event.

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
        while len(groups) > 1 and _overlap(groups[-2], groups[-1], times, letter):
            (first, _), (_, last) = groups[-2:]
            groups[-2:] = [(first, last)]
    return [
        (_numbers((first + number - 1, last + number - 1)), _middle((first, last), times)) for first, last in groups
    ]


def _overlap(left: tuple[int, int], right: tuple[int, int], times: Sequence[float], letter: float) -> bool:
    """True if the labels of two groups of events are less than one character apart."""
    widths = letter * (len(_numbers(left)) + len(_numbers(right)) + 2)
    return _middle(right, times) - _middle(left, times) < widths / 2


def _middle(group: tuple[int, int], times: Sequence[float]) -> float:
    return (times[group[0]] + times[group[1]]) / 2


def _numbers(group: tuple[int, int]) -> str:
    first, last = group[0] + 1, group[1] + 1
    return str(first) if first == last else f"{first}-{last}"
