"""Sections of a report: headings, tables and pictures in one self-contained HTML file."""

from __future__ import annotations

import io
from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape

from matplotlib.figure import Figure

__all__ = ["folded", "page", "paragraph", "picture", "section", "table"]

_DOTS_PER_INCH = 110
_LONG_TABLE, _WIDE_TABLE = 25, 9
"""Rows and columns beyond which a table scrolls; on paper all of it is printed."""

_WARNED = ' class="warned"'

_STYLE = """
body { font: 16px/1.5 Georgia, "Times New Roman", serif; color: #222 }
body { max-width: 62em; margin: 2em auto; padding: 0 1em }
h1 { font-size: 1.7em } h2 { font-size: 1.25em; border-bottom: 1px solid #bbb; margin-top: 2em }
table { border-collapse: collapse; font: 13px/1.5 "DejaVu Sans", Verdana, sans-serif; margin: 0.7em 0 }
th, td { padding: 0.1em 0.8em 0.1em 0; text-align: left; vertical-align: top }
thead th { border-bottom: 1px solid #888 } td.number { text-align: right; font-variant-numeric: tabular-nums }
tr.warned td { background: #fbe3e0; font-weight: bold } p.warned { background: #fbe3e0; padding: 0.4em 0.8em }
.scroll { max-height: 34em; overflow: auto }
.equation { overflow-x: auto; overflow-y: hidden; margin: 0.25em 0 1px 1em }
img { max-width: 100%; height: auto } pre { white-space: pre-wrap; font-size: 12px }
summary { cursor: pointer } figure { margin: 1em 0 } figcaption { font-size: 0.85em; color: #555 }
@media print { .scroll { max-height: none; overflow: visible } body { max-width: none } }
"""


def page(title: str, sections: Iterable[str]) -> str:
    """A whole page: one file, no scripts, nothing fetched."""
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{_STYLE}</style></head>\n<body><h1>{escape(title)}</h1>\n{''.join(sections)}</body></html>\n"
    )


def section(heading: str, *parts: str) -> str:
    """A heading and its contents."""
    return f"<section><h2>{escape(heading)}</h2>\n{''.join(parts)}</section>\n"


def paragraph(text: str, warned: bool = False) -> str:
    """A paragraph of one or several sentences; as a warning in colour."""
    return f"<p{_WARNED * warned}>{escape(text)}</p>\n"


def table(headings: Sequence[str], rows: Sequence[Sequence[object]], warned: Iterable[int] = ()) -> str:
    """A table; numbers are written with twelve digits, columns without an entry are omitted, rows `warned` are
    coloured.

    >>> table(["t"], [[0.1]])
    '<table><thead><tr><th>t</th></tr></thead><tbody><tr><td class="number">0.1</td></tr></tbody></table>\\n'
    """
    marked = set(warned)
    if headings:
        kept = [k for k in range(len(headings)) if not rows or any(_text(row[k]) for row in rows)]
        headings, rows = [headings[k] for k in kept], [[row[k] for k in kept] for row in rows]
    head = "".join(f"<th>{escape(heading)}</th>" for heading in headings)
    body = "".join(f"<tr{_WARNED * (k in marked)}>{''.join(map(_cell, row))}</tr>" for k, row in enumerate(rows))
    top = f"<thead><tr>{head}</tr></thead>" if head else ""
    whole = f"<table>{top}<tbody>{body}</tbody></table>\n"
    return f'<div class="scroll">{whole}</div>\n' if len(rows) > _LONG_TABLE or len(headings) > _WIDE_TABLE else whole


def _text(value: object) -> str:
    return value if isinstance(value, str) else _number(value)


def _cell(value: object) -> str:
    if isinstance(value, str):
        return f"<td>{escape(value)}</td>"
    return f'<td class="number">{escape(_number(value))}</td>'


def _number(value: object) -> str:
    if isinstance(value, float):
        return "" if value != value else f"{value:.12g}"
    return str(value)


def picture(figure: Figure, caption: str) -> str:
    """A figure as a PNG within the page."""
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=_DOTS_PER_INCH, metadata={"Software": None})
    data = b64encode(file.getvalue()).decode("ascii")
    text = escape(caption)
    return f'<figure><img alt="{text}" src="data:image/png;base64,{data}"><figcaption>{text}</figcaption></figure>\n'


def folded(summary: str, body: str, unfolded: bool = False) -> str:
    """A part that is shown when its summary is clicked."""
    return f"<details{' open' if unfolded else ''}><summary>{escape(summary)}</summary>\n{body}</details>\n"
