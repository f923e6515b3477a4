"""The page of a run: panels over time below a ribbon of stages and events, and blocks of other panels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure

from sympact.show.kit.picture import Picture
from sympact.show.plots import ribbon
from sympact.show.plots.timing import Timing

MARGIN = 0.6
"""Height in inches around the panels of a block: numbers, the label of the time."""

ENTRY_LETTER, ENTRY_HEIGHT = 0.055, 0.16
"""Inches of a character and of a line of a legend."""

LEGEND = {"fontsize": "x-small", "frameon": False, "handlelength": 1.3, "columnspacing": 1.0}


@dataclass(frozen=True)
class Strip:
    """A panel over time, as wide as the page.

    Parameters
    ----------
    height : float
        In inches.
    draw : callable
        ``draw(axes, timing, width)`` fills its axes, `width` inches wide.
    """

    height: float
    draw: Callable[[Axes, Timing, float], None]


class Block(Protocol):
    """A part of a page with a layout of its own."""

    @property
    def height(self) -> float:
        """In inches."""

    @property
    def ribbons(self) -> int:
        """How many ribbons it has side by side; 0 for none."""

    @property
    def strips(self) -> Sequence[Strip]:
        """The panels over time in it; none where time is not an axis."""

    def draw(self, page: SubFigure, timing: Timing, width: float) -> None:
        """Fill its part of the page, `width` inches wide."""


@dataclass(frozen=True)
class Stack:
    """Strips below one ribbon, with one axis of time."""

    strips: Sequence[Strip]

    @property
    def height(self) -> float:
        """In inches."""
        return ribbon.HEIGHT + sum(strip.height for strip in self.strips) + MARGIN

    @property
    def ribbons(self) -> int:
        """One, as wide as the page."""
        return 1

    def draw(self, page: SubFigure, timing: Timing, width: float) -> None:
        """Draw the ribbon and the strips below it."""
        draw_columns(page, timing, [self.strips], width)


def draw_columns(page: SubFigure, timing: Timing, columns: Sequence[Sequence[Strip]], width: float) -> None:
    """Draw columns of strips side by side, each below its own ribbon; the longest column gives the heights."""
    longest = max(columns, key=len)
    rows = [ribbon.HEIGHT, *(strip.height for strip in longest)]
    grid = page.add_gridspec(len(rows), len(columns), height_ratios=rows)
    for place, strips in enumerate(columns):
        ribbon.draw_ribbon(page.add_subplot(grid[0, place]), timing, width / len(columns))
        panels = [page.add_subplot(grid[row, place]) for row in range(1, len(strips) + 1)]
        for panel, strip in zip(panels, strips, strict=True):
            strip.draw(panel, timing, width / len(columns))
            panel.tick_params(labelbottom=panel is panels[-1])
        panels[-1].set_xlabel(timing.label)
        page.align_ylabels(panels)


def draw_page(timing: Timing, parts: Sequence[Strip | Block], width: float) -> Figure:
    """Draw strips and blocks one below the other; strips that follow each other share a ribbon."""
    blocks = _stacked(parts)
    entries, across = _legend(timing, width, max(block.ribbons for block in blocks))
    heights = [block.height for block in blocks]
    heights[-1] += ENTRY_HEIGHT * -(-len(entries) // across)
    figure = Picture(figsize=(width, sum(heights)), layout="constrained")
    pages = figure.subfigures(len(heights), 1, height_ratios=heights, squeeze=False)[:, 0]
    for page, block in zip(pages, blocks, strict=True):
        block.draw(page, timing, width)
    if entries:
        pages[-1].legend(handles=entries, loc="outside lower center", ncols=across, **LEGEND)
    return figure


def draw_into(panels: Sequence[Axes], timing: Timing, parts: Sequence[Strip | Block], title: str | None) -> Figure:
    """Draw strips into given axes, one in each; returns their figure.

    Raises
    ------
    ValueError
        If there are other blocks than columns of strips, or not as many axes as strips.
    """
    strips: list[Strip] = []
    for part in parts:
        found = [part] if isinstance(part, Strip) else part.strips
        if not found:
            raise ValueError("ax: phase portraits have axes of their own; draw them without ax=")
        strips += found
    if len(panels) != len(strips) or not all(isinstance(panel, Axes) for panel in panels):
        raise ValueError(
            f"ax: found {len(panels)}, expected {len(strips)} matplotlib Axes, one for each panel over time"
        )
    for panel, strip in zip(panels, strips, strict=True):
        figure = panel.get_figure(root=True)
        strip.draw(panel, timing, panel.get_position().width * figure.get_figwidth())
    panels[-1].set_xlabel(timing.label)
    if title is not None:
        panels[0].set_title(title)
    return panels[0].get_figure(root=True)


def _stacked(parts: Sequence[Strip | Block]) -> list[Block]:
    blocks, strips = [], []
    for part in parts:
        if isinstance(part, Strip):
            strips.append(part)
            continue
        blocks += [Stack(tuple(strips)), part] if strips else [part]
        strips = []
    return [*blocks, Stack(tuple(strips))] if strips else blocks


def _legend(timing: Timing, width: float, ribbons: int) -> tuple[list[Artist], int]:
    """The entries of the legend below all panels, and the number of columns."""
    stages = ribbon.stages_key(timing.stretches, width / ribbons) if ribbons else []
    entries = [*stages, *ribbon.kinds_key(timing.kinds, ribbons)]
    longest = max((len(entry.get_label()) for entry in entries), default=0)
    return entries, max(1, min(4, int(width / (0.5 + ENTRY_LETTER * longest))))
