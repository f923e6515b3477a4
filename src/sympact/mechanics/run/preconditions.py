"""What has to be positive where a run starts: radii, and distances that give a direction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sympact.graph.nodes.node import Node
from sympact.mechanics.derive.derivation import Derivation
from sympact.mechanics.kit.motion import Motion
from sympact.mechanics.shapes.unilateral import Demand

__all__ = ["Demands", "demands_of"]


@dataclass(frozen=True, eq=False)
class Demands:
    """The demands of a model that depend on numbers.

    Parameters
    ----------
    demands : tuple of Demand
    values : callable
        Their nodes as a NumPy function ``f(t, x, p)``.
    """

    demands: tuple[Demand, ...]
    values: Callable[..., np.ndarray]

    def unmet(self, t: float, x: np.ndarray, p: np.ndarray) -> list[str]:
        """A sentence for each that is not met; p as `CompiledModel.all_parameters` gives it."""
        if not self.demands:
            return []
        pairs = zip(self.demands, self.values(t, x, p), strict=True)
        return list(dict.fromkeys(demand.sentence(value) for demand, value in pairs if not value > 0.0))


def demands_of(model) -> Demands:
    """Those of all contacts of a `HybridModel`, less those that every number meets."""
    found: list[Demand] = []

    def nodes(derivation: Derivation) -> list[Node]:
        motion, constant = Motion(derivation.kinematics), derivation.graph.value
        for demand in (demand for contact in model.contacts for demand in contact.demands(motion)):
            value = constant(demand.scalar.node)
            if value is None or not value > 0.0:
                found.append(demand)
        return [demand.scalar.node for demand in found]

    return Demands(values=model.walk(nodes), demands=tuple(found))
