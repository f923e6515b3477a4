"""Runs with friction, each looked at by `check_trajectory`, or by what the result itself tells."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import sympy as sm
from gap_formulas import has_formulas
from rest_runs import TIGHT
from trajectory import PENETRATION, check_trajectory, length_of

from sympact import HybridModel, Result, Status
from sympact.models import ReadyModel


def coefficients(model: HybridModel, parameters: Mapping[sm.Symbol, float]) -> np.ndarray:
    """mu of each contact where it sticks, the larger of both, for coefficients that are parameters."""
    return np.array([float(contact.static_friction.subs(parameters)) for contact in model.contacts])


def has_friction(ready: ReadyModel) -> bool:
    """Whether there is any friction in the numbers of a ready-made model."""
    return bool(coefficients(ready.model, ready.parameters).any())


def check_what_is_told(result: Result, model: HybridModel, parameters: Mapping[sm.Symbol, float]) -> None:
    """It came to its end, nothing sank in, no force pulls or leaves its cone, and no energy came from anywhere.

    Whoever takes part in an event touches. Gaps are the model's own.
    """
    assert result.status is Status.FINISHED
    compiled, length = model.compile(), length_of(result)
    p = compiled.parameters({letter: parameters[letter] for letter in model.parameters})
    assert result.gaps.min() >= -PENETRATION * length
    normal, tangential = result.normal_force, np.linalg.norm(result.friction_force, axis=1)
    assert normal.min() >= 0.0
    assert (tangential <= coefficients(model, parameters)[:, np.newaxis] * normal + 1e-9 * normal.max()).all()
    assert np.diff(result.energy).max() <= 1e-9 * result.kinetic_energy.max()
    for event in (event for event in result.events if event.kind != "switch"):  # which moves nothing
        assert event.energy <= 1e-12 * result.kinetic_energy.max()
        gaps, _ = compiled.gaps(event.t, np.array(event.x_minus), p)
        taken = [result.contact_names.index(name) for name in event.contacts if name in result.contact_names]
        assert np.abs(gaps[taken]).max(initial=0.0) <= PENETRATION * length


def check_rubbing(result: Result, ready: ReadyModel, **options: float) -> None:
    """Assert that a run with friction came to its end, and what `check_trajectory` promises of any run."""
    assert result.status is Status.FINISHED
    if not has_formulas(ready.model):
        check_what_is_told(result, ready.model, ready.parameters)
        return
    check_trajectory(result, ready.model, ready.parameters, **options)


def rubbing(ready: ReadyModel, **options) -> Result:
    """A run with friction that has been looked at."""
    result = ready.simulate(**{**TIGHT, **options})
    check_rubbing(result, ready)
    return result
