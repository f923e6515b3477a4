"""Events as tables, and the names of stages at a readable length."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from numbers import Integral
from typing import Any

from sympact.integrate.history.event_numbers import EventNumber
from sympact.integrate.present.table import Listing, Sheet, Table, middle_out, number

__all__ = ["event_sheet", "event_table", "parted", "shortened"]

_STAGE_WIDTH, _CONTACTS_WIDTH = 32, 48
"""Most characters of the name of a stage and of the names of the contacts of an event."""

_MOST_STATES = 20
"""States of an event that a notebook shows."""

_HEADINGS = ("t", "kind", "contacts", "stages", "impulse (N s)", "energy (J)", "t_inf")


def event_table(events: Sequence[Any], stages: Sequence[str], max_rows: int) -> Listing:
    """The events as a table; beyond `max_rows` rows the middle is omitted, with the number of rows.

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
    labels = {name: _stage_label(place, name) for place, name in enumerate(stages, 1)}
    shown, omitted = middle_out(events, int(max_rows))
    return Listing(Table(_HEADINGS, [_cells(event, labels) for event in shown], omitted, "events"), "no events")


def event_sheet(event: Any, states: Sequence[str], numbers: Sequence[EventNumber]) -> Sheet:
    """One event with its numbers, its contacts, and both sides of the jump.

    Parameters
    ----------
    event : Event
    states : sequence of str
        The names of the states.
    numbers : sequence of EventNumber
        Those that events declare.
    """
    source, target = (shortened(name, _STAGE_WIDTH) for name in (event.source, event.target))
    facts = {"stage": source if event.source == event.target else f"{source} -> {target}"}
    for one in numbers:
        value = getattr(event, one.name)
        written = number(value, 12 if one.after_event else 6) if math.isfinite(value) else ""
        facts[one.name.replace("_", " ")] = f"{written} {one.unit or ''}" if written else ""
    rows = list(zip(event.contacts, event.impulse.tolist(), event.friction_impulse.tolist(), strict=False))
    if not any(map(math.isfinite, event.impulse)):
        rows = [(name, math.nan, ()) for name in event.contacts]
    contacts = Table(
        ("participant", "impulse (N s)", "friction impulse (N s)"),
        [(name, number(normal), ", ".join(map(number, force)) if any(force) else "") for name, normal, force in rows],
    )
    sides = zip(states, event.x_minus.tolist(), event.x_plus.tolist(), strict=True)
    shown, omitted = middle_out([(name, number(x), number(y)) for name, x, y in sides], _MOST_STATES)
    jump = Table(("state", "before", "after"), shown, omitted, "states")
    return Sheet(f"Event at t = {event.t:.12g}: {event.kind}", facts, (contacts, jump))


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


def _cells(event: Any, labels: dict[str, str]) -> tuple[str, ...]:
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
        "" if math.isnan(event.energy) or not (event.energy or impulses) else f"{event.energy:.6g}",
        "" if math.isnan(event.t_inf) else f"{event.t_inf:.12g}",
    )


def _listed(names: Sequence[str]) -> tuple[str, int]:
    """As many names as fit, at least one, and the number of the others; and the number of names shown."""
    for shown in range(len(names), 0, -1):
        text = ", ".join([*names[:shown], *([f"+{len(names) - shown}"] if shown < len(names) else [])])
        if shown == 1 or len(text) <= _CONTACTS_WIDTH:
            return text, shown
    return "", 0
