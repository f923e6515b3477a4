"""Runs of the ready-made systems that come to rest, and what must hold of contacts that last."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt

import numpy as np
from trajectory import Impact, Truth, check_energy, check_gaps, check_law, check_places, check_times

from sympact.integrate.event import Event
from sympact.integrate.result import Result
from sympact.models import Ready

GRAVITY, LOWEST_HOP = 9.81, 1e-10
"""m/s^2; of the length."""

TIGHT = {"rtol": 1e-12, "atol": 1e-14}


def numbers(ready: Ready) -> dict[str, float]:
    """The parameters by name."""
    return {symbol.name: float(value) for symbol, value in ready.parameters.items()}


def changed(
    ready: Ready, *, t_end: float | None = None, start: dict[str, float] | None = None, **parameters: float
) -> Ready:
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


def gaps_along(result: Result, ready: Ready, times: np.ndarray) -> np.ndarray:
    """The gaps at some times, shape (n_contacts, k) (m)."""
    model = ready.model
    p = model.compile().all_parameters(model.compile().parameters(ready.parameters))
    return np.array(model.quantities(model.gaps)(times, result(times), p))


def check_complementary(result: Result, ready: Ready) -> None:
    """Forces push, and only where the gap is closed: 0 <= g _|_ lambda >= 0 at every sample."""
    gaps = gaps_along(result, ready, np.asarray(result.t))
    force = result.force
    assert force.shape == (len(ready.model.contacts), len(result.t))
    scale = max(1.0, np.nanmax(np.abs(force), initial=0.0))
    assert force.min(initial=0.0) >= -1e-9 * scale
    assert gaps.min(initial=0.0) >= -1e-9
    assert np.abs(gaps[force > 1e-9 * scale]).max(initial=0.0) <= 1e-9


def simulate(ready: Ready, **options) -> Result:
    """A run whose trajectory has been looked at: no penetration, the law of every impact, forces that only push.

    A contact stays closed when an impact lifts it by less than a hop of 1e-10 of the length needs. Impacts whose
    neighbours are lifted faster than that, by a twentieth of the approach or more, must keep to Newton's law.
    """
    result = ready.simulate(**{**TIGHT, **options})
    truth = Truth.of(ready.model, ready.parameters)
    length = truth.length(result)
    slow = sqrt(2 * LOWEST_HOP * GRAVITY * length)
    check_times(result)
    check_gaps(result, truth, length)
    for event in of_kind(result, "impact"):
        impact = Impact.of(event, truth)
        check_places(impact, truth, length)
        if -impact.rate_minus.min() > 20 * slow:
            check_law(impact)
        check_energy(impact, False)
    check_complementary(result, ready)
    return result
