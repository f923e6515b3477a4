"""The stages of a run, each on a line of its own, with bars for the times spent in it."""

from __future__ import annotations

from matplotlib.axes import Axes

from sympact.integrate.history.listing import shortened
from sympact.show.kit.names import grouped
from sympact.show.plots.drawn import Drawn
from sympact.show.plots.ribbon import longest_stages, stage_colours
from sympact.show.plots.sheet import Strip
from sympact.show.plots.timing import Timing, finish_panel

__all__ = ["stage_parts"]

ROW, NAME_WIDTH = 0.24, 28
"""Height of a line (inches), and the characters of a name."""


def stage_parts(drawn: Drawn) -> list[Strip]:
    """A line for each stage; of many, for those of the longest times."""
    return [Strip(0.2 + ROW * len(longest_stages(drawn.timing.stretches)), _draw_stages)]


def _draw_stages(panel: Axes, timing: Timing, width: float) -> None:
    finish_panel(panel, timing, width)
    colours, shown = stage_colours(timing.stretches), longest_stages(timing.stretches)
    for row, stage in enumerate(shown):
        bars = [(one.begin, one.end - one.begin) for one in timing.stretches if one.stage == stage]
        panel.broken_barh(bars, (row - 0.36, 0.72), facecolor=colours[stage], edgecolor="0.4", linewidth=0.4, zorder=2)
    panel.set_yticks(range(len(shown)), [shortened(grouped(stage), NAME_WIDTH) for stage in shown])
    panel.set_ylim(len(shown) - 0.4, -0.6)
    if len(colours) > len(shown):
        panel.set_ylabel(f"stages\n(+{len(colours) - len(shown)})")
    else:
        panel.set_ylabel("stages")
