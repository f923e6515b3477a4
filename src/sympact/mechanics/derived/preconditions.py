"""Quantities that must be positive at the start of a run: radii, and distances that define a direction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sympact.graph.nodes.node import Node
from sympact.mechanics.derive.derivation import Derivation
from sympact.mechanics.kit.motion import Motion
from sympact.mechanics.shapes.compliant import PAIR
from sympact.mechanics.shapes.unilateral import Precondition

__all__ = ["Preconditions", "preconditions_of"]


@dataclass(frozen=True, eq=False)
class Preconditions:
    """The preconditions of a model that depend on numbers.

    Parameters
    ----------
    preconditions : tuple of Precondition
    values : callable
        Their quantities as a NumPy function ``f(t, x, p)``.
    """

    preconditions: tuple[Precondition, ...]
    values: Callable[..., np.ndarray]

    def unmet(self, t: float, x: np.ndarray, p: np.ndarray) -> list[str]:
        """A message for each that is violated; p as `CompiledModel.all_parameters` returns it."""
        if not self.preconditions:
            return []
        pairs = zip(self.preconditions, self.values(t, x, p), strict=True)
        return list(dict.fromkeys(demand.sentence(value) for demand, value in pairs if not value > 0.0))


def preconditions_of(model) -> Preconditions:
    """Those of all contacts of a `HybridModel`, except those that are true for all numbers."""
    found: list[Precondition] = []

    def nodes(derivation: Derivation) -> list[Node]:
        motion, constant = Motion(derivation.kinematics), derivation.graph.value
        contacts = (*model.contacts, *map(PAIR, derivation.survey.loads.compliant))
        for demand in (demand for contact in contacts for demand in contact.preconditions(motion)):
            value = constant(demand.scalar.node)
            if value is None or not value > 0.0:
                found.append(demand)
        return [demand.scalar.node for demand in found]

    return Preconditions(values=model.walk(nodes), preconditions=tuple(found))
