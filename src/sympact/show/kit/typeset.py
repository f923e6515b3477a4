"""Equations as self-contained pictures: LaTeX to SVG by matplotlib, without a network or TeX."""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape

from matplotlib.font_manager import FontProperties
from matplotlib.path import Path
from matplotlib.textpath import TextPath

__all__ = ["equation_html", "for_mathtext"]

_SIZE, _FONT = 10.0, FontProperties(math_fontfamily="cm")
_EM = 0.115
"""The width of a unit of a path, in em: 10 units are a little more than the text around it."""

_KEPT = 256
"""Equations that are kept: typesetting is half of the time of a report, and runs of one model have the same ones."""

_AFTER_FACTOR = re.compile(r"(?<=[\w}]) (?=\\(?:a?(?:sin|cos|tan)h?|log|exp|operatorname)\b)")
"""Where a function follows a factor: mathtext leaves no space there within fractions."""

_SMALL_BRACKETS = re.compile(r"\\left\(((?:(?!\\left|\\right|\\frac).)*)\\right\)")
"""Brackets around low contents: mathtext makes fitted ones smaller than the characters."""

_COMMANDS = {Path.MOVETO: "M", Path.LINETO: "L", Path.CURVE3: "Q", Path.CURVE4: "C", Path.CLOSEPOLY: "Z"}


@lru_cache(maxsize=_KEPT)
def equation_html(latex: str, text: str) -> str:
    """An equation as an inline SVG, with its LaTeX as its title; as preformatted text where it cannot be typeset.

    Parameters
    ----------
    latex : str
        Without dollars.
    text : str
        The same as plain text, which is used where matplotlib's mathtext does not know a command.

    Examples
    --------
    >>> equation_html(r"M \\dot{u} = f", "M u' = f").startswith('<svg role="img"')
    True
    >>> equation_html(r"\\begin{cases} 1 \\end{cases}", "Piecewise((1, x < 0))")
    '<pre>Piecewise((1, x &lt; 0))</pre>'
    """
    try:
        path = TextPath((0, 0), f"${for_mathtext(latex)}$", size=_SIZE, prop=_FONT)
    except ValueError:  # mathtext names the command it does not know
        return f"<pre>{escape(text or latex)}</pre>"
    if not len(path.vertices):
        return ""
    points = path.vertices[path.codes != Path.CLOSEPOLY]
    low, high = min(points[:, 1].min(), -0.25 * _SIZE), max(points[:, 1].max(), 0.75 * _SIZE)
    width, height = points[:, 0].max() + 1.0, high - low
    style = f"width:{width * _EM:.2f}em;height:{height * _EM:.2f}em;vertical-align:{low * _EM:.2f}em"
    return (
        f'<svg role="img" viewBox="0 {-high:.2f} {width:.2f} {height:.2f}" style="{style}">'
        f'<title>{escape(latex)}</title><path fill="currentColor" d="{_commands(path)}"/></svg>'
    )


def for_mathtext(latex: str) -> str:
    """LaTeX in the form that mathtext draws best.

    >>> print(for_mathtext(r"\\frac{a \\cos{\\left(q \\right)}}{2}"))
    \\dfrac{a \\, \\cos{(q )}}{2}
    """
    plain, found = _SMALL_BRACKETS.subn(r"(\1)", latex)
    while found:
        plain, found = _SMALL_BRACKETS.subn(r"(\1)", plain)
    return _AFTER_FACTOR.sub(r" \\, ", plain.replace(r"\frac", r"\dfrac"))


def _commands(path: Path) -> str:
    """The path in the commands of SVG, y downwards."""
    written = []
    for points, code in path.iter_segments(curves=True, simplify=False):
        places = " ".join(f"{x:.2f} {-y:.2f}" for x, y in points.reshape(-1, 2)) if code != Path.CLOSEPOLY else ""
        written.append(_COMMANDS[code] + places)
    return "".join(written)
