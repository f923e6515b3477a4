"""Tables in two forms: aligned text for terminals, HTML for notebooks.

Whatever a notebook shows of the package, but for pictures, is made of the objects of this file. The HTML has no colours
of its own, so that it is readable in light and in dark themes; text is escaped.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import SupportsFloat, TypeVar

__all__ = ["Html", "Listing", "Sheet", "Table", "folded", "middle_out", "number"]

_T = TypeVar("_T")


class Html(str):
    """Text that is HTML already; all other text is escaped."""

    __slots__ = ()


@dataclass(frozen=True)
class Table:
    """Rows of cells under headings; columns without any entry are omitted.

    Parameters
    ----------
    headings : sequence of str
        One for each column; none at all makes the first column that of headings.
    rows : sequence of sequences of str
        The cells; `Html` is written as it is.
    omitted : int
        The number of rows that are left out in the middle, behind the first half of those given, see `middle_out`.
    what : str
        The rows, for the line that counts those left out.
    align : "<" or ">"
        The side at which text is aligned. In HTML numbers are aligned at the right.

    Examples
    --------
    >>> table = Table(["name", "mass (kg)"], [["ball", "1"], ["anvil", "20.5"]], omitted=3, what="bodies")
    >>> print(table.text)
    name   mass (kg)
    ball   1
    ... 3 more bodies ...
    anvil  20.5
    >>> Table([], [["a", "b < c"]]).html
    '<table><tbody><tr><th style="text-align:left">a</th><td style="text-align:left">b &lt; c</td></tr></tbody></table>'
    """

    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    omitted: int = 0
    what: str = "rows"
    align: str = "<"

    @property
    def text(self) -> str:
        """The table as aligned text, without a line break at its end."""
        columns = self._columns
        widths = [max(map(len, column)) for column in columns]
        lines = [
            "  ".join(f"{cell:{self.align}{width}}" for cell, width in zip(line, widths, strict=True)).rstrip()
            for line in zip(*columns, strict=True)
        ]
        if self.omitted:
            lines.insert(bool(self.headings) + self._gap, self._left_out)
        return "\n".join(lines)

    @property
    def html(self) -> Html:
        """The table as HTML."""
        columns = self._columns
        sides = [_side(column[bool(self.headings) :]) for column in columns]
        tags = ["td" if self.headings or k else "th" for k in range(len(columns))]
        lines = [_row(line, tags, sides) for line in zip(*columns, strict=True)]
        head = ""
        if self.headings:
            titles = next(zip(*columns, strict=True), ())
            head, lines = f"<thead>{_row(titles, ['th'] * len(columns), sides)}</thead>", lines[1:]
        if self.omitted:
            cell = f'<td colspan="{len(columns)}" style="text-align:center">{escape(self._left_out)}</td>'
            lines.insert(self._gap, f"<tr>{cell}</tr>")
        return Html(f"<table>{head}<tbody>{''.join(lines)}</tbody></table>")

    @property
    def _columns(self) -> list[tuple[str, ...]]:
        """The columns with an entry, below their headings."""
        rows = [self.headings, *self.rows] if self.headings else self.rows
        below = 1 if self.headings else 0
        return [column for column in zip(*rows, strict=True) if any(column[below:])]

    @property
    def _gap(self) -> int:
        """The row before which others are left out."""
        return (len(self.rows) + 1) // 2

    @property
    def _left_out(self) -> str:
        return f"... {self.omitted:,} more {self.what} ..."


class Listing(str):
    """A table as a string, which Python's prompt shows in lines and a notebook as HTML.

    Examples
    --------
    >>> Listing(Table(["t", "kind"], [["0.5", "impact"]]))
    t    kind
    0.5  impact
    """

    _table: Table

    def __new__(cls, table: Table, nothing: str = "") -> Listing:
        """The text of a table, or `nothing` where it has no rows."""
        listing = super().__new__(cls, table.text if table.rows else nothing)
        listing._table = table
        return listing

    def __getnewargs__(self) -> tuple:
        return self._table, str(self)

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return self._table.html if self._table.rows else f"<p>{escape(self)}</p>"


@dataclass(frozen=True)
class Sheet:
    """A value as a title, facts by their names, and tables.

    Parameters
    ----------
    title : str
    facts : mapping of str to str
        Those without an entry are omitted.
    tables : sequence of Table
    more : sequence of Html
        Parts that HTML has in addition, such as `folded` ones.

    Examples
    --------
    >>> print(Sheet("Ball", {"mass": "1 kg", "colour": ""}).text)
    Ball
      mass  1 kg
    """

    title: str
    facts: Mapping[str, str]
    tables: Sequence[Table] = ()
    more: Sequence[Html] = ()

    @property
    def text(self) -> str:
        """The title, and the facts below it."""
        facts = self._facts.text.splitlines()
        return "\n".join([self.title, *(f"  {line}" for line in facts)])

    @property
    def whole_text(self) -> str:
        """The title, the facts and the tables."""
        return "\n\n".join([self.text, *(table.text for table in self.tables if table.rows)])

    @property
    def html(self) -> Html:
        """The value as HTML; tables that fit stand side by side."""
        name, _, rest = self.title.partition(" ")
        parts = [table.html for table in (self._facts, *self.tables) if table.rows]
        style = "display:flex;flex-wrap:wrap;gap:0 2em;align-items:flex-start;overflow-x:auto"
        side_by_side = f'<div style="{style}">{"".join(parts)}</div>' if parts else ""
        return Html(f"<div><b>{escape(name)}</b> {escape(rest)}{side_by_side}{''.join(self.more)}</div>")

    @property
    def _facts(self) -> Table:
        return Table((), [(name, text) for name, text in self.facts.items() if text])


def folded(summary: str, *parts: str) -> Html:
    """A part of a page that is shown when its summary is clicked.

    >>> folded("x < 1", "<p>so</p>")
    '<details><summary>x &lt; 1</summary><p>so</p></details>'
    """
    return Html(f"<details><summary>{escape(summary)}</summary>{''.join(parts)}</details>")


def middle_out(items: Sequence[_T], most: int) -> tuple[list[_T], int]:
    """The first and the last of some items, `most` together, and the number of those between them.

    >>> middle_out("abcdefg", 3), middle_out("abc", 3)
    ((['a', 'b', 'g'], 4), (['a', 'b', 'c'], 0))
    """
    n = len(items)
    if n <= most:
        return list(items), 0
    return [*items[: (most + 1) // 2], *items[n - most // 2 :]], n - most


def number(value: SupportsFloat, digits: int = 6) -> str:
    """A number with significant digits; NaN as an empty text.

    >>> number(0.1 + 0.2), number(float("nan"))
    ('0.3', '')
    """
    real = float(value)
    return "" if real != real else f"{real:.{digits}g}"


def _row(cells: Iterable[str], tags: Sequence[str], sides: Sequence[str]) -> str:
    written = (
        f'<{tag} style="text-align:{side}">{cell if isinstance(cell, Html) else escape(cell)}</{tag}>'
        for cell, tag, side in zip(cells, tags, sides, strict=True)
    )
    return f"<tr>{''.join(written)}</tr>"


def _side(cells: Sequence[str]) -> str:
    """The side at which a column is aligned: the right one if all its entries are numbers."""
    return "right" if all(map(_is_number, filter(None, cells))) else "left"


def _is_number(text: str) -> bool:
    try:
        float(text.replace(",", ""))
    except ValueError:
        return False
    return True
