"""A model whose runs watch events of the user's own."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sympy import Expr

from sympact.integrate.problem.travel import check_travels
from sympact.mechanics.derive.derivation import watching
from sympact.mechanics.inputs.stored_events import read_stored_events
from sympact.mechanics.read.conditions import Condition, read_events
from sympact.mechanics.run.bound import with_derivation

if TYPE_CHECKING:
    from sympact.mechanics.model import HybridModel

__all__ = ["again_watching", "watching_model", "with_conditions", "with_stored_events"]

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


def with_stored_events(model: HybridModel, stored: Mapping[str, Any]) -> HybridModel:
    """The model with the events of a run in a file; the model itself where it is none of those that they belong to.

    Raises
    ------
    ValueError
        If they are unreadable, or some are Python functions.
    """
    digest, watched = model.compile().digest, stored.get("watched")
    if not watched or stored.get("digest") == digest:
        return model
    if not isinstance(watched, list) or not all(isinstance(one, Mapping) for one in watched):
        raise ValueError("the events in the file are unreadable: expected a list; give model=model.watching(events)")
    place = next((k for k, one in enumerate(watched) if one.get("of") == digest), len(watched))
    for one in watched[place:]:
        events = read_stored_events(model, one)
        try:
            model = with_conditions(model, events)
        except Exception as error:  # the file may be anybody's
            raise ValueError(
                f"the events in the file are unreadable: {error}; give model=model.watching(events)"
            ) from error
    return model


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
