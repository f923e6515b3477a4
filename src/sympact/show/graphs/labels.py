"""The texts of a drawn graph: names and formulas, measured before they are drawn."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from matplotlib.axes import Axes
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextPath
from numpy.typing import NDArray

from sympact.integrate.trajectory.about import Formula
from sympact.show.kit.typeset import for_mathtext

__all__ = ["Label", "Line", "formula_lines", "named"]

SIZE, MATH_SIZE = 8.5, 10.0
"""Font sizes of text and of formulas (points): Computer Modern is smaller than the text font."""

PITCH, BETWEEN = 0.17, 0.045
"""Least height of a line, and the least distance between two (inches, as all lengths here)."""

LONGEST_LATEX = 900
"""Characters of LaTeX that are typeset; longer formulas are shortened as plain text."""

MATH = "cm"
"""The font of formulas: Computer Modern."""


@dataclass(frozen=True)
class Line:
    """A line of text or a formula, with its extents to the right, above and below its start.

    Parameters
    ----------
    text : str
        As matplotlib takes it.
    width, height, depth : float
    bold : bool
    """

    text: str
    width: float
    height: float
    depth: float
    bold: bool = False

    @property
    def size(self) -> float:
        """The font size (points)."""
        return MATH_SIZE if self.text.startswith("$") else SIZE


@dataclass(frozen=True)
class Label:
    """Lines one below the other."""

    lines: tuple[Line, ...]

    @property
    def size(self) -> NDArray:
        """Width and height; zero without lines."""
        if not self.lines:
            return np.zeros(2)
        height = sum(self._steps()) + self.lines[-1].depth
        return np.array([max(line.width for line in self.lines), height])

    def draw(self, axes: Axes, middle: NDArray, *, left: bool = False, **style) -> None:
        """Write the lines, centred around a place, or beginning at the same distance left of it."""
        width, height = self.size
        y = middle[1] + height / 2
        for line, step in zip(self.lines, self._steps(), strict=True):
            y -= step
            x, align = (middle[0] - width / 2, "left") if left else (middle[0], "center")
            weight = "bold" if line.bold else "normal"
            letters = {"fontsize": line.size, "fontweight": weight, "math_fontfamily": MATH, "zorder": 5}
            axes.text(x, y, line.text, ha=align, va="baseline", **letters, **style)

    def _steps(self) -> list[float]:
        """From the top to the first baseline, and from each baseline to the next."""
        heights = [self.lines[0].height]
        for above, line in zip(self.lines, self.lines[1:], strict=False):
            heights.append(max(PITCH, above.depth + line.height + BETWEEN))
        return heights


def named(name: str, bold: bool = False) -> Line:
    """A name as it is written; a dollar sign in it does not start a formula."""
    return _measured(name.replace("$", r"\$"), bold)


def formula_lines(formula: Formula, widest: float) -> tuple[Line, ...]:
    """The equations of a formula; one that is wider than `widest`, or cannot be typeset, as text, cut if necessary.

    Examples
    --------
    >>> [line.text for line in formula_lines(Formula("", (r"\\frac{y}{2} = 0",), ("y/2 = 0",)), 2.0)]
    ['$\\\\dfrac{y}{2} = 0$']
    >>> [line.text for line in formula_lines(Formula("", (), ("x+ = a_jump_with_a_long_name(t, x)",)), 1.5)]
    ['x+ = a_jump_with_a...']
    """
    pairs = zip(formula.latex or [""] * len(formula.text), formula.text, strict=True)
    lines = [_line(latex, text, widest) for latex, text in pairs if latex or text]
    return tuple(line for line in lines if line is not None)


def fits(formula: Formula, widest: float, most: int) -> bool:
    """Whether a formula is short enough for its place: at most this many lines, none of them cut."""
    if max(len(formula.latex), len(formula.text)) > most:
        return False
    return all(not line.text.endswith("...") for line in formula_lines(formula, widest))


def _line(latex: str, text: str, widest: float) -> Line:
    if latex and len(latex) <= LONGEST_LATEX:
        try:
            line = _measured(f"${for_mathtext(latex)}$")
        except ValueError:  # mathtext names the command it does not know
            line = None
        if line is not None and line.width <= widest:
            return line
    line = named(text)
    while line.width > widest:
        text = text[: max(1, int(0.97 * len(text) * widest / line.width) - 3)]
        line = named(f"{text}...")
    return line


@cache
def _measured(text: str, bold: bool = False) -> Line:
    font = FontProperties(math_fontfamily=MATH, weight="bold" if bold else "normal")
    if not text.strip():
        return Line(text, 0.0, 0.1, 0.0, bold)
    size = Line(text, 0.0, 0.0, 0.0).size
    box = TextPath((0, 0), text, size=size, prop=font).get_extents()
    return Line(text, 1.04 * box.x1 / 72, max(box.y1 / 72, 0.09), max(-box.y0 / 72, 0.03), bold)
