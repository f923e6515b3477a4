"""The arrays of a store: their dimensions, types, units and chunks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sympact.analysis.store.run_checks import kinds_check
from sympact.integrate.export.tables import column_names
from sympact.integrate.history.event import KINDS
from sympact.integrate.problem.status import Status
from sympact.native.cached import cached_property

__all__ = ["EVENT_COLUMNS", "Layout", "Variable", "parameter_variables"]

_RUNS = 8192  # of one chunk on disk
_ALL_READ = {"status": 2**20, "warnings": 2**18}
"""Of one chunk of what is read of all runs when an ensemble ends; the statuses of a chunk of runs are in one file."""
_EVENTS = 65536
_BYTES = 2**22  # of a chunk on disk, before it is compressed

EVENT_COLUMNS = {
    "event_run": "kept_row",
    "event_t": "kept_t",
    "event_kind": "kept_kind",
    "event_contacts": "kept_fired",
    "event_impulse": "kept_impulse",
    "event_before": "kept_before",
    "event_after": "kept_after",
}
"""The arrays of events, and their names in `KEPT`."""


@dataclass(frozen=True)
class Variable:
    """One array.

    Attributes
    ----------
    name : str
    axes : tuple of str
    kind : dtype
    unit : str, optional
    about : dict
        Its other attributes.
    """

    name: str
    axes: tuple[str, ...]
    kind: Any
    unit: str | None = None
    about: Mapping[str, Any] = field(default_factory=dict)

    @property
    def attributes(self) -> dict[str, Any]:
        """Those on disk; xarray finds the axes in them."""
        unit = {} if self.unit is None else {"units": self.unit}
        return {"_ARRAY_DIMENSIONS": list(self.axes), **unit, **self.about}

    @property
    def fill(self) -> float | None:
        """What a place has that was not written; None, which is zero, leaves whole numbers whole in xarray."""
        return np.nan if np.dtype(self.kind).kind == "f" else None

    def chunks(self, shape: Sequence[int]) -> tuple[int, ...]:
        """The shape of a chunk: a piece of the first axis."""
        rest = tuple(max(size, 1) for size in shape[1:])
        fitting = _BYTES // (int(np.prod(rest)) * np.dtype(self.kind).itemsize)
        most = {"run": _ALL_READ.get(self.name, _RUNS), "event": _EVENTS}.get(self.axes[0], max(shape[0], 1))
        return max(min(most, fitting), 1), *rest


@dataclass(frozen=True)
class Layout:
    """The arrays of one ensemble.

    Attributes
    ----------
    runs : int
    states, contacts : sequence of str
        The names of states and contacts.
    times : array or None
        At which states are kept (s).
    events : bool
        Whether they are kept.
    sides : bool
        Whether the states on both sides of each event are, too.
    starts_vary : bool
        Whether runs begin with different states.
    parameters : sequence of str
        The names of the arrays of the parameters that vary.
    """

    runs: int
    states: Sequence[str]
    contacts: Sequence[str]
    times: np.ndarray | None
    events: bool
    sides: bool
    starts_vary: bool
    parameters: Sequence[str]

    def variables(self) -> Iterator[Variable]:
        """All arrays, with those of the names and times."""
        yield Variable("state", ("state",), f"U{max(map(len, self.states))}")
        yield Variable("x0", ("run", "state") if self.starts_vary else ("state",), float)
        yield from (Variable(name, ("run",), float) for name in self.parameters)
        yield Variable("t", ("run",), float, "s")
        yield Variable("x", ("run", "state"), float)
        ragged = {"sample_dimension": "event"} if self.events else {}
        yield Variable("n_events", ("run",), np.int64, about=ragged)
        yield from (Variable(name, ("run",), np.int64) for name in ("steps", "rejected"))
        yield from (Variable(name, ("run",), bool) for name in ("at_rest", "made_alone"))
        yield Variable("warnings", ("run",), np.uint32, about={"kinds": [], "check": kinds_check([])})
        if self.times is not None:
            yield Variable("time", ("time",), float, "s")
            yield Variable("samples", ("run", "state", "time"), float)
        if self.events:
            yield from self._events()
        yield Variable("status", ("run",), np.uint8, about=_flags([status.name for status in _STATUSES]))
        yield Variable("check", ("run", "column"), np.uint32, about={"columns": self.checked})

    @cached_property
    def checked(self) -> list[str]:
        """What each run has a number of in ``check``, in the order of its columns."""
        found = ["status", *(["x0"] if self.starts_vary else []), *self.parameters, "t", "x", "n_events", "steps"]
        found += ["rejected", "at_rest", "made_alone", "warnings"]
        return found + ([] if self.times is None else ["samples"]) + (["events"] if self.events else [])

    def _events(self) -> Iterator[Variable]:
        yield Variable("event_run", ("event",), np.int64)
        yield Variable("event_t", ("event",), float, "s")
        yield Variable("event_kind", ("event",), np.uint8, about=_flags([str(kind) for kind in KINDS]))
        if self.contacts:
            yield Variable("contact", ("contact",), f"U{max(map(len, self.contacts))}")
            yield Variable("event_contacts", ("event", "contact"), bool)
            yield Variable("event_impulse", ("event", "contact"), float, "N s")
        if self.sides:
            yield from (Variable(name, ("event", "state"), float) for name in ("event_before", "event_after"))

    @property
    def sizes(self) -> dict[str, int]:
        """Those of the axes, before there are events."""
        times = 0 if self.times is None else len(self.times)
        return {
            "run": self.runs,
            "state": len(self.states),
            "contact": len(self.contacts),
            "time": times,
            "event": 0,
            "column": len(self.checked),
        }


_STATUSES = [Status.from_code(code) for code in range(len(Status))]


def _flags(names: Sequence[str]) -> dict[str, Any]:
    """What numbers mean, as the CF conventions have it."""
    return {"flag_values": list(range(len(names))), "flag_meanings": " ".join(names)}


def parameter_variables(letters: Sequence[object], places: Sequence[int]) -> list[str]:
    """The names of the arrays of some parameters."""
    return column_names([f"parameter_{letters[place]}" for place in places])
