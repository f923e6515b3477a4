"""A model whose runs watch events of the user's own."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING

from sympy import Expr

from sympact.integrate.problem.travel import check_travels
from sympact.mechanics.derive.derivation import watching
from sympact.mechanics.read.conditions import Condition, read_events
from sympact.mechanics.run.bound import with_derivation

if TYPE_CHECKING:
    from sympact.mechanics.model import HybridModel

__all__ = ["again_watching", "watching_model", "with_conditions"]

_KEPT = 16  # models with events that a model stores


def watching_model(model: HybridModel, events: object) -> HybridModel:
    """The model with some events in its runs; the last ones are kept.

    Raises
    ------
    ValueError, TypeError
        With a sentence for each event that cannot be read.
    """
    taken = {contact.name for contact in model.contacts} | {latch.name for latch in model.latches}
    taken |= {one.name for one in model.description.conditions}
    return with_conditions(model, read_events(events, model.discrete, taken))


def with_conditions(model: HybridModel, conditions: tuple[Condition[Expr], ...]) -> HybridModel:
    """The model with events that have been read; the last ones are kept."""
    with model._lock:
        known: OrderedDict = model.__dict__.setdefault("_watching", OrderedDict())
        if conditions in known:
            known.move_to_end(conditions)
        else:
            known[conditions] = _made(model, conditions)
            if len(known) > _KEPT:
                known.popitem(last=False)
        return known[conditions]


def again_watching(model: HybridModel, events: tuple[Condition[Expr], ...]) -> tuple:
    """How a model with events is made again where it arrives, as ``__reduce__`` returns it.

    Raises
    ------
    TypeError
        Naming an event whose function cannot travel.
    """
    for event in events:
        check_travels(f"the event {event.name!r}", event.function)
    return with_conditions, (model, events)


def _made(model: HybridModel, events: tuple[Condition[Expr], ...]) -> HybridModel:
    description = model.description
    watched = replace(description, conditions=(*description.conditions, *events))
    made = with_derivation(model, watching(model.derivation, watched))
    made.description = watched
    made.__dict__.pop("_watching", None)
    made.__dict__["_watches"] = model, events
    return made
