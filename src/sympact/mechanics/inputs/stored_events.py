"""The events of the user's own that the runs of a model watch, for files; see `watching`."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any

from sympy import Basic

from sympact.graph.notation.expression_rows import ExpressionRows, Unwritable, expressions_of
from sympact.mechanics.derived.compiled import compile_model
from sympact.mechanics.derived.derived_model import DerivedModel
from sympact.mechanics.inputs.stored_inputs import known_letters
from sympact.mechanics.kit.forces import NormalForce, Reaction, forces_in
from sympact.mechanics.read.conditions import Condition

__all__ = ["read_stored_events", "stored_events"]

_NUMBERS = ("sense", "ends", "at_zero")


def stored_events(model: DerivedModel) -> list[dict[str, Any]]:
    """What the runs of a model watch beside those of the models that it was made of, the first one of these first.

    Each entry has the hash of the model without these events; an event that contains a Python function has no row.
    """
    watched = model.watched
    if watched is None:
        return []
    base, events = watched
    forces = {force for event in events if isinstance(event.margin, Basic) for force in forces_in(event.margin)}
    listed = sorted(forces, key=str)
    rows = ExpressionRows(known_letters(base) | {force: str(force) for force in listed})
    found = [[event.name, _row(rows, event), *(getattr(event, name) for name in _NUMBERS)] for event in events]
    digest = base.made(compile_model).digest
    own = {
        "of": digest,
        "events": found,
        "rows": rows.rows,
        "forces": list(map(_force, listed)),
    }
    return [*stored_events(base), own]


def read_stored_events(model: DerivedModel, stored: Mapping[str, Any]) -> tuple[Condition, ...]:
    """The events of one entry, of which `model` has been without them.

    Raises
    ------
    ValueError
        With the call that gives events that the file does not contain; or if it does not contain what `stored_events`
        returns.
    """
    try:
        missing = [str(name) for name, row, *_ in stored["events"] if row is None]
        found = () if missing else _conditions(model, stored)
    except Exception as error:  # the file may be anybody's
        raise ValueError(
            f"the events in the file are unreadable: {error}; give model=model.watching(events)"
        ) from error
    if missing:
        raise ValueError(
            f"the event {', '.join(map(repr, missing))} of the run contains a Python function, or another thing "
            "that no file does; give it again: load(path, model=model.watching(events)), with the events of the run"
        )
    return found


def _row(rows: ExpressionRows, event: Condition) -> int | None:
    try:
        return None if event.function is not None else rows(event.margin)
    except Unwritable:
        return None


def _force(force: NormalForce | Reaction) -> list[str]:
    return [force.contact] if isinstance(force, NormalForce) else [force.constraint, force.part]


def _conditions(model: DerivedModel, stored: Mapping[str, Any]) -> tuple[Condition, ...]:
    """The events of one entry."""
    forces = [NormalForce(*names) if len(names) == 1 else Reaction(*names) for names in stored["forces"]]
    known: dict[str, Basic] = {name: letter for letter, name in known_letters(model).items()}
    rows = expressions_of(stored["rows"], known | {str(force): force for force in forces})
    found = []
    for name, row, *numbers in stored["events"]:
        sense, ends, at_zero = map(operator.index, numbers)
        if abs(sense) > 1 or abs(at_zero) > 1 or not 0 <= ends < 2**31:
            raise ValueError(f"the event {name!r} has the numbers {numbers}")
        margin = rows[range(len(rows))[row]]
        found.append(Condition(str(name), margin, sense, ends, at_zero=at_zero))
    return tuple(found)
