"""The numbers of an event, declared once: meaning, unit, slot in the loop's record, first version of files.

`Event` declares them as its attributes. The fields of a record, the columns of tables, the members of files, units and
the page of the manual all follow from the declarations.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from textwrap import fill
from typing import TypeVar

import numpy as np

__all__ = [
    "FIRST_VERSION",
    "EventNumber",
    "Known",
    "declared",
    "described",
    "number",
    "numbers_table",
    "reported_numbers",
]

FIRST_VERSION = 3
"""The oldest supported version of files; it contains all numbers that declare no other."""

_C = TypeVar("_C", bound=type)


@dataclass(frozen=True, slots=True)
class Known:
    """The events at which a number is known.

    Attributes
    ----------
    kinds : tuple of int
        Their kinds, as numbered in the loop.
    elsewhere : str
        The value at others, for the manual.
    none : tuple of int
        The kinds of events at which it is 0, whatever the loop wrote.
    """

    kinds: tuple[int, ...]
    elsewhere: str = ""
    none: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class EventNumber:
    """One number of each event; see `number`."""

    name: str
    slot: int
    meaning: str
    unit: str | None
    more: str
    known: Known
    after_event: bool
    since: int
    absent: float

    @property
    def member(self) -> str:
        """Its name in files."""
        return f"event_{self.name}"

    @property
    def text(self) -> str:
        """Its description, for the manual."""
        unit = f" ({self.unit})" if self.unit else ""
        return f"{'; '.join(filter(None, [self.meaning + unit, self.more, self.known.elsewhere]))}."

    def of(self, kind: int, value: float) -> float:
        """What it is at an event of this kind, for which the loop wrote a value."""
        if kind in self.known.kinds:
            return float(value)
        return 0.0 if kind in self.known.none else math.nan

    def shown(self, values: np.ndarray, kinds: np.ndarray) -> np.ndarray:
        """The numbers of events of the given kinds, NaN where it is not known, shape (k,)."""
        others = np.where(np.isin(kinds, self.known.none), 0.0, math.nan)
        return np.where(np.isin(kinds, self.known.kinds), values, others)


def number(
    meaning: str,
    *,
    slot: int,
    known: Known,
    unit: str | None = None,
    more: str = "",
    after_event: bool = False,
    since: int = FIRST_VERSION,
    absent: float = math.nan,
) -> float:
    """Declare an attribute of `Event` as a number that the loop reports.

    Parameters
    ----------
    meaning : str
        A phrase that begins with a capital.
    slot : int
        Its index in the report of a transition, in `run_codes`.
    known : Known
        The events at which it is known, and those at which it is 0; it is NaN at others.
    unit : str, optional
        Such as "J"; None where it has none.
    more : str
        A further remark for the manual.
    after_event : bool
        Whether the loop reports a time counted from the event, to be converted to a time of the run.
    since : int
        The first version of files with it: one more than the last for a new number.
    absent : float
        Its value in runs read from older files.
    """
    options = {"slot": slot, "meaning": meaning, "unit": unit, "more": more, "known": known}
    options |= {"after_event": after_event, "since": since, "absent": absent}
    return field(default=math.nan, metadata={"number": options})


def declared(event: type) -> tuple[EventNumber, ...]:
    """The numbers that a class of events declares, in its order."""
    return tuple(EventNumber(one.name, **one.metadata["number"]) for one in fields(event) if "number" in one.metadata)


def described(event: _C) -> _C:
    """Write the numbers that a class of events declares into its docstring, in place of ``{numbers}``."""
    if event.__doc__:
        entries = (f"{one.name} : float\n{_indented(one.text)}" for one in declared(event))
        event.__doc__ = event.__doc__.replace("{numbers}", "\n".join(entries).replace("\n", "\n    "))
    return event


def _indented(text: str) -> str:
    """The text as lines of a docstring's entry."""
    return fill(text, 110, initial_indent="    ", subsequent_indent="    ")


def numbers_table(
    numbers: Sequence[EventNumber], k: int, column: Callable[[EventNumber], np.ndarray | Sequence[float] | float]
) -> np.ndarray:
    """The numbers of k events as a structured array with a field for each, shape (k,)."""
    table = np.empty(k, dtype=_table_type(tuple(one.name for one in numbers)))
    for one in numbers:
        table[one.name] = column(one)
    return table


def reported_numbers(numbers: Sequence[EventNumber], report: np.ndarray, event_t: np.ndarray) -> np.ndarray:
    """The same from what the loop reported of the events, shape (k, m), and their times."""
    kind, slots, after = _reported(tuple(numbers))
    table = report.take(slots, axis=1).view(kind).reshape(len(report))
    for name in after:
        table[name] += event_t
    return table


@cache
def _reported(numbers: tuple[EventNumber, ...]) -> tuple[np.dtype, list[int], list[str]]:
    """The type of the table of some numbers, their places in a report, and those that are times after the event."""
    return (
        _table_type(tuple(one.name for one in numbers)),
        [one.slot for one in numbers],
        [one.name for one in numbers if one.after_event],
    )


@cache
def _table_type(names: tuple[str, ...]) -> np.dtype:
    return np.dtype([(name, np.float64) for name in names])
