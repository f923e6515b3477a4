"""Events as an aligned table of text, and the names of stages at a readable length."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from numbers import Integral
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sympact.integrate.history.event import Event

__all__ = ["event_table", "parted", "shortened"]

_STAGE_WIDTH, _CONTACTS_WIDTH = 32, 48
"""Most characters of the name of a stage and of the names of the contacts of an event."""

_HEADINGS = ("t", "kind", "contacts", "stages", "impulse (N s)", "energy (J)", "t_inf")


def event_table(events: Sequence[Event], stages: Sequence[str], max_rows: int) -> str:
    """The events as an aligned table of text; beyond `max_rows` rows the middle is omitted, with the number of rows.

    Parameters
    ----------
    events : sequence of Event
    stages : sequence of str
        The names of the stages in the order of their first visits; one too long for the table is shortened and preceded
        by its number in this order, from 1.
    max_rows : int
    """
    if not isinstance(max_rows, Integral) or max_rows < 1:
        raise ValueError(f"max_rows is {max_rows!r}, expected a positive whole number")
    n = len(events)
    labels = {name: _stage_label(number, name) for number, name in enumerate(stages, 1)}
    if n <= max_rows:
        return _aligned([_cells(event, labels) for event in events], "")
    head, tail = (max_rows + 1) // 2, max_rows // 2
    shown = [*events[:head], *events[n - tail :]]
    return _aligned([_cells(event, labels) for event in shown], f"... {n - max_rows} more events ...", head)


def shortened(name: str, width: int) -> str:
    """A name of at most `width` characters: of a list as many members as fit and the number of the others.

    Text in brackets at the end is kept if it fits.

    Examples
    --------
    >>> shortened("P1 on O, P2 on O, P3 on O, P4 on O (at rest)", 32)
    'P1 on O, P2 on O, +2 (at rest)'
    >>> shortened("P1 on O, P2 on O, P3 on O, P4 on O (at rest) [x > 0, y < 0]", 40)
    'P1 on O, +3 (at rest) [x > 0, y < 0]'
    >>> shortened("free", 32), shortened("the stage with a long name", 12)
    ('free', 'the stage...')
    """
    if len(name) <= width:
        return name
    names, state = parted(name)
    members = names.split(", ")
    for count in range(len(members) - 1, 0, -1):
        short = f"{', '.join(members[:count])}, +{len(members) - count}{state}"
        if len(short) <= width:
            return short
    return f"{name[: max(width - 3, 1)]}..."


def parted(name: str) -> tuple[str, str]:
    """The contacts in the name of a stage, and the brackets after them.

    >>> parted("P1 on O, P2 on O (at rest) [x > 0, y < 0]")
    ('P1 on O, P2 on O', ' (at rest) [x > 0, y < 0]')
    """
    ending = re.search(r"(?: \([^()]*\))?(?: \[.*\])?\Z", name, re.DOTALL)
    return (name, "") if ending is None else (name[: ending.start()], ending.group())


def _stage_label(number: int, name: str) -> str:
    return name if len(name) <= _STAGE_WIDTH else f"#{number} {shortened(name, _STAGE_WIDTH)}"


def _cells(event: Event, labels: dict[str, str]) -> tuple[str, ...]:
    source, target = labels[event.source], labels[event.target]
    stages = source if source == target else f"{source} -> {target}"
    contacts, shown = _listed(event.contacts)
    impulses = [f"{value:.6g}" for value in event.impulse if not math.isnan(value)]
    rest = [f"+{len(impulses) - shown}"] if len(impulses) > shown else []
    return (
        f"{event.t:.12g}",
        str(event.kind),
        "" if contacts == stages else contacts,
        stages,
        ", ".join([*impulses[:shown], *rest]),
        "" if math.isnan(event.energy) else f"{event.energy:.6g}",
        "" if math.isnan(event.t_inf) else f"{event.t_inf:.12g}",
    )


def _listed(names: Sequence[str]) -> tuple[str, int]:
    """As many names as fit, at least one, and the number of the others; and the number of names shown."""
    for shown in range(len(names), 0, -1):
        text = ", ".join([*names[:shown], *([f"+{len(names) - shown}"] if shown < len(names) else [])])
        if shown == 1 or len(text) <= _CONTACTS_WIDTH:
            return text, shown
    return "", 0


def _aligned(rows: list[tuple[str, ...]], gap: str, gap_at: int = 0) -> str:
    """Rows under their headings; columns without any entry are omitted, the line `gap` precedes row `gap_at`."""
    if not rows:
        return "no events"
    columns = [(heading, *column) for heading, column in zip(_HEADINGS, zip(*rows, strict=True), strict=True)]
    columns = [column for column in columns if any(column[1:])]
    widths = [max(map(len, column)) for column in columns]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in zip(*columns, strict=True)
    ]
    if gap:
        lines.insert(1 + gap_at, gap)
    return "\n".join(lines)
