"""What must hold of every run with friction: order, no penetration, forces in Coulomb's cones, nothing gains energy."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from rest_runs import TIGHT, gaps_along
from trajectory import PENETRATION, length_of

from sympact import Result, Status
from sympact.models import Ready

CONE = 1e-9
"""Of the normal force: how far friction may be outside its cone, in forces that went through a mass matrix."""


def coefficients(ready: Ready) -> np.ndarray:
    """mu of each contact where it sticks, the larger of both, for coefficients that are parameters."""
    return np.array([float(contact.static_friction.subs(ready.parameters)) for contact in ready.model.contacts])


def rubs(ready: Ready) -> bool:
    """Whether there is any friction in the numbers of a ready-made model."""
    return bool(coefficients(ready).any())


def check_rubbing(result: Result, ready: Ready) -> None:
    """Assert what Coulomb's law and impacts promise of a run, whatever the model."""
    assert result.status is Status.FINISHED
    assert all(one.t <= other.t for one, other in pairwise(result.events))
    times = np.linspace(*result.t_span, 5000)
    for gaps in (result.gaps, gaps_along(result, ready, times)):
        assert gaps.min() >= -PENETRATION * length_of(result)
    normal, friction = result.force, np.linalg.norm(result.friction_force, axis=1)
    assert normal.min() >= -CONE * normal.max()
    assert (friction <= coefficients(ready)[:, np.newaxis] * normal + CONE * normal.max()).all()
    indices = {contact.name: i for i, contact in enumerate(ready.model.contacts)}
    for event in (event for event in result.events if event.kind != "switch"):  # which touches nothing
        places = [(row, indices[name]) for row, name in enumerate(event.contacts) if name in indices]
        rows, who = np.array(places, int).reshape(-1, 2).T
        pushed, rubbed = event.impulse[rows], np.linalg.norm(event.friction_impulse[rows], axis=1)
        mu = coefficients(ready)[who]
        assert (rubbed <= mu * pushed + CONE * np.abs(pushed).max(initial=0)).all()
        assert event.energy <= 1e-12 * max(result.kinetic_energy.max(), 1e-12)


def rubbing(ready: Ready, **options) -> Result:
    """A run with friction that has been looked at."""
    result = ready.simulate(**{**TIGHT, **options})
    check_rubbing(result, ready)
    return result
