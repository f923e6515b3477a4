"""The common parts of all panels over time: the stages and events of a run, and the lines that mark them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from matplotlib.axes import Axes

from sympact.show.kit.palette import KIND_COLOURS
from sympact.show.plots.curves import Stretch

CROWDED, CROWD = 0.03, 4
"""So many events, each less than so many inches after the one before, are one band in place of lines."""

SINGLE_LINES = 300
"""With more lines they are one artist."""

EVENT_LINE = {"color": "0.82", "linewidth": 0.7, "zorder": 0}
EVENT_BAND = {"color": "0.93", "linewidth": 0, "zorder": 0}
ACCUMULATION_LINE = {"color": KIND_COLOURS["accumulation"], "linewidth": 0.9, "linestyle": ":", "zorder": 0}


@dataclass(frozen=True)
class Timing:
    """The stages and events that every panel shows, and their common label.

    Parameters
    ----------
    stretches : sequence of Stretch
        From the first to the last time of the run.
    events : sequence of float
        The times of the events.
    kinds : sequence of str
        The kind of each event, by the values of `EventKind`.
    label : str
        The label of the axis of time.
    first : int
        The number of the first of these events among all of the run, from 1.
    """

    stretches: Sequence[Stretch]
    events: Sequence[float]
    kinds: Sequence[str]
    label: str
    first: int = 1

    @property
    def begin(self) -> float:
        """The first time to show."""
        return self.stretches[0].begin

    @property
    def end(self) -> float:
        """The last time to show."""
        return self.stretches[-1].end

    def crowds(self, width: float) -> list[range]:
        """The events in groups, as `crowds` makes them for an axis that is `width` inches long."""
        return crowds(self.events, CROWDED * (self.end - self.begin) / width)


def crowds(times: Sequence[float], nearest: float) -> list[range]:
    """Put events into groups: `CLUSTER` or more that follow each other within `nearest` are one, any other is by
    itself.

    Examples
    --------
    >>> crowds([1.0, 2.0, 2.1, 3.0, 3.1, 3.2, 3.3], nearest=0.15)
    [range(0, 1), range(1, 2), range(2, 3), range(3, 7)]
    """
    if not len(times):
        return []
    starts = [0, *(np.flatnonzero(np.diff(times) > nearest) + 1), len(times)]
    found = []
    for first, after in pairwise(map(int, starts)):
        alone = after - first < CROWD
        found += [range(k, k + 1) for k in range(first, after)] if alone else [range(first, after)]
    return found


def draw_event_lines(panel: Axes, timing: Timing, width: float) -> None:
    """A line across the panel, `width` inches wide, for every event, a pale band for a cluster, dots for accumulations.

    Hundreds of lines are one artist, which is a hundred times faster.
    """
    times, single = np.asarray(timing.events, dtype=float), []
    for group in timing.crowds(width):
        if len(group) == 1:
            single.append(group[0])
        else:
            panel.axvspan(times[group[0]], times[group[-1]], **EVENT_BAND)
    dying = np.array([k for k, kind in enumerate(timing.kinds) if kind == "accumulation"], dtype=int)
    apart = np.diff(times[dying], prepend=-np.inf) > CROWDED * (timing.end - timing.begin) / width
    for chosen, style in [(sorted({*single} - {*dying}), EVENT_LINE), (dying[apart], ACCUMULATION_LINE)]:
        if len(chosen) > SINGLE_LINES:
            panel.vlines(times[chosen], 0, 1, transform=panel.get_xaxis_transform(), **style)
        else:
            for k in chosen:
                panel.axvline(timing.events[k], **style)


def finish_panel(panel: Axes, timing: Timing, width: float) -> None:
    """The common settings of all panels over time: the lines of the events, the same times, small numbers, no box."""
    draw_event_lines(panel, timing, width)
    panel.set_xlim(timing.begin, timing.end)
    panel.tick_params(labelsize="small")
    panel.spines[["top", "right"]].set_visible(False)
