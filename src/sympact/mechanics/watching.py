"""A model whose runs watch events of the user's own."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

from sympy import Expr

from sympact.integrate.problem.travel import check_travels
from sympact.mechanics.derive.derivation import watching
from sympact.mechanics.derived.compiled import compile_model
from sympact.mechanics.derived.derived_model import DerivedModel
from sympact.mechanics.inputs.stored_events import read_stored_events
from sympact.mechanics.read.conditions import Condition, read_events

__all__ = ["again_watching", "watching_model", "with_conditions", "with_stored_events"]

M = TypeVar("M", bound=DerivedModel)
_KEPT = 16  # models with events that a model stores


def watching_model(model: M, events: object) -> M:
    """The model with some events in its runs; the last ones are kept.

    Raises
    ------
    ValueError, TypeError
        With a sentence for each event that cannot be read.
    """
    taken = {contact.name for contact in model.contacts} | {latch.name for latch in model.latches}
    taken |= {one.name for one in model.description.conditions}
    return with_conditions(model, read_events(events, model.discrete, taken))


def with_conditions(model: M, conditions: tuple[Condition[Expr], ...]) -> M:
    """The model with events that have been read; the last ones are kept."""
    with model._lock:
        known = model.made(_watching)
        if conditions in known:
            known.move_to_end(conditions)
        else:
            known[conditions] = _made(model, conditions)
            if len(known) > _KEPT:
                known.popitem(last=False)
        return known[conditions]


def with_stored_events(model: M, stored: Mapping[str, Any]) -> M:
    """The model with the events of a run in a file; the model itself where it is none of those that they belong to.

    Raises
    ------
    ValueError
        If they are unreadable, or some are Python functions.
    """
    digest, watched = model.made(compile_model).digest, stored.get("watched")
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


def again_watching(model: M, events: tuple[Condition[Expr], ...]) -> tuple:
    """How a model with events is made again where it arrives, as ``__reduce__`` returns it.

    Raises
    ------
    TypeError
        Naming an event whose function cannot travel.
    """
    for event in events:
        check_travels(f"the event {event.name!r}", event.function)
    return with_conditions, (model, events)


def _made(model: M, events: tuple[Condition[Expr], ...]) -> M:
    description = model.description
    watched = replace(description, conditions=(*description.conditions, *events))
    derivation = watching(model.derivation, watched)
    made = model.with_derivation(derivation, preconditions=model.preconditions, description=watched)
    return model.like(made, (model, events))


def _watching(model: DerivedModel) -> OrderedDict:
    """The models with events that are made of a model."""
    return OrderedDict()
