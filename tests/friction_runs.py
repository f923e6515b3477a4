"""Runs with friction, each looked at by `check_trajectory`."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import sympy as sm
from rest_runs import TIGHT
from trajectory import check_trajectory

from sympact import HybridModel, Result, Status
from sympact.models import ReadyModel


def coefficients(model: HybridModel, parameters: Mapping[sm.Symbol, float]) -> np.ndarray:
    """mu of each contact where it sticks, the larger of both, for coefficients that are parameters."""
    return np.array([float(contact.static_friction.subs(parameters)) for contact in model.contacts])


def has_friction(ready: ReadyModel) -> bool:
    """Whether there is any friction in the numbers of a ready-made model."""
    return bool(coefficients(ready.model, ready.parameters).any())


def check_rubbing(result: Result, ready: ReadyModel, **options: float) -> None:
    """Assert that a run with friction came to its end, and what `check_trajectory` promises of any run."""
    assert result.status is Status.FINISHED
    check_trajectory(result, ready.model, ready.parameters, **options)


def rubbing(ready: ReadyModel, **options) -> Result:
    """A run with friction that has been looked at."""
    result = ready.simulate(**{**TIGHT, **options})
    check_rubbing(result, ready)
    return result
