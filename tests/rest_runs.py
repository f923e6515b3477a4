"""Runs of the ready-made systems that come to rest, and what must hold of contacts that last."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from trajectory import check_trajectory

from sympact.integrate.history.event import Event
from sympact.integrate.result import Result
from sympact.models import ReadyModel

GRAVITY = 9.81
"""m/s^2."""

TIGHT = {"rtol": 1e-12, "atol": 1e-14}


def numbers(ready: ReadyModel) -> dict[str, float]:
    """The parameters by name."""
    return {symbol.name: float(value) for symbol, value in ready.parameters.items()}


def changed(
    ready: ReadyModel, *, t_end: float | None = None, start: dict[str, float] | None = None, **parameters: float
) -> ReadyModel:
    """The same model with other numbers: parameters, entries of the start by name, end of the time."""
    names = {str(letter.func) if letter.args else letter.name: letter for letter in ready.model.x}
    known = {symbol.name: symbol for symbol in ready.model.parameters}
    return replace(
        ready,
        parameters={**ready.parameters, **{known[name]: value for name, value in parameters.items()}},
        start={**ready.start, **{names[name]: value for name, value in (start or {}).items()}},
        t_span=(0.0, ready.t_span[1] if t_end is None else t_end),
    )


def of_kind(result: Result, *kinds: str) -> list[Event]:
    """The events of these kinds."""
    return [event for event in result.events if event.kind in kinds]


def names_and_kinds(result: Result, *kinds: str) -> list[tuple[str, tuple[str, ...]]]:
    """(kind, contacts) of the events of these kinds; of all without any."""
    return [(str(event.kind), event.contacts) for event in result.events if not kinds or event.kind in kinds]


def gaps_along(result: Result, ready: ReadyModel, times: np.ndarray) -> np.ndarray:
    """The gaps at some times, shape (n_contacts, k) (m)."""
    model = ready.model
    p = model.compile().all_parameters(model.compile().parameters(ready.parameters))
    return np.array(model.quantities(model.gaps)(times, result(times), p))


def simulate(ready: ReadyModel, **options) -> Result:
    """A run whose trajectory has been looked at."""
    options = {**TIGHT, **options}
    result = ready.simulate(**options)
    check_trajectory(result, ready.model, ready.parameters, rtol=options["rtol"])
    return result
