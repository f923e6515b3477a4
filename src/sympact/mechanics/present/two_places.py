"""The message of a run that ended where a body touches two places of one surface."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sympact.graph import Function, numpy_function
from sympact.mechanics.kit.mechanics_tolerances import TWO_PLACES

if TYPE_CHECKING:
    from sympact.mechanics.derive.derivation import Derivation

__all__ = ["describe_leap", "describe_two_places"]

_AT_HAND = 10.0 * TWO_PLACES
"""Radii: the last state has a gap that is a number, above `TWO_PLACES` by its motion in the shortest step."""


def describe_two_places(derivation: Derivation, names: Sequence[str], t: float, x: np.ndarray, p: np.ndarray) -> str:
    """The contacts that are about to touch a second place of their surface at a state; empty if there are none.

    Parameters
    ----------
    derivation : Derivation
        As the run evaluates it.
    names : sequence of str
        Of its contacts.
    t, x, p : float, array, array
        The last state with its parameters.
    """
    seconds = derivation.kinematics.seconds
    known = [(name, gap.gap) for name, gap in zip(names, derivation.gaps, strict=True) if gap.gap in seconds]
    if not known:
        return ""
    nodes = tuple(seconds[gap] for _, gap in known)
    values = numpy_function(derivation.graph, Function("seconds", nodes, ("t", "x", "p")))(t, x, p)
    both = [f"'{name}'" for (name, _), value in zip(known, values, strict=True) if value < _AT_HAND]
    if not both:
        return ""
    return (
        f"where the ball of contact {' and that of '.join(both)} touches two places of one surface, of which a contact "
        "can hold one alone; take a ball that fits into the hollow, or a surface and a contact for each of its sides"
    )


def describe_leap(contact: int, contacts: Sequence[str]) -> str:
    """The closed contact whose closest point jumped where a run ended; empty for -1, which is none."""
    if contact < 0:
        return ""
    return (
        f"closed contact '{contacts[contact]}' comes to touch at two places at once, of which one contact has one; "
        "make a contact for each of the places, or end the span before"
    )
