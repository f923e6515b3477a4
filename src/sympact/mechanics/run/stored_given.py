"""What a run was given besides numbers, for its file: inputs, controllers, and events of the user's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sympact.mechanics.derived.derived_model import DerivedModel
from sympact.mechanics.inputs.stored_events import stored_events
from sympact.mechanics.inputs.stored_inputs import stored_inputs

if TYPE_CHECKING:
    from sympact.mechanics.run.signals import Signals

__all__ = ["stored_given"]


def stored_given(model: DerivedModel, signals: Signals | None) -> dict[str, Any]:
    """The entries of a file for the inputs and controllers of a run, and for the events that it has watched."""
    given = None if signals is None else stored_inputs(model, signals.asked, signals.controllers)
    return {"given": given, "watched": stored_events(model)}
