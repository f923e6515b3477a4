"""The state equations of muscles: coordinates without speeds."""

from __future__ import annotations

from collections.abc import Iterable

from sympy import Expr
from sympy.physics.biomechanics.musculotendon import MusculotendonBase
from sympy.physics.mechanics.actuator import ActuatorBase
from sympy.physics.vector import dynamicsymbols

__all__ = ["states_of"]


def states_of(actuators: Iterable[ActuatorBase], coordinates: Iterable[Expr]) -> dict[Expr, Expr]:
    """The states of the muscles among actuators, each with its equation, which is zero.

    Activations, and the fiber lengths or tendon forces of elastic tendons, are coordinates z with kinematic
    differential equations z' - g(z, q, u, t) = 0. Those that are `coordinates` already are left out.

    Parameters
    ----------
    actuators : iterable
    coordinates : iterable of Expr
        The coordinates of the source.
    """
    known = set(coordinates)
    equations: dict[Expr, Expr] = {}
    for actuator in actuators:
        if isinstance(actuator, MusculotendonBase):
            for state, rate in zip(actuator.x, actuator.rhs(), strict=True):
                if state not in known:
                    equations.setdefault(state, state.diff(dynamicsymbols._t) - rate)
    return equations
