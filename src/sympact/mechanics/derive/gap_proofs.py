"""Enclosures of the boundaries of a model: gaps and margins as a run evaluates them. Whether forces need samples."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sympact.graph import Bound, Proving, unresolved
from sympact.graph.nodes.node import Node
from sympact.hybrid.guard_proofs import Proofs

if TYPE_CHECKING:
    from sympact.mechanics.derive.derivation import Derivation

__all__ = ["hidden_in_forces", "proofs_of"]


def proofs_of(derivation: Derivation) -> Proofs:
    """The enclosures of a model's gaps and of the margins of its conditions."""
    rows = [derivation.running([gap.along_the_flow()[0]])[0] for gap in derivation.gaps]
    rows += [derivation.freeze.extended([switch.margin])[0] for switch in derivation.switches]
    return Proofs(Proving.of(derivation.graph, rows, fed=derivation.opened, bounds=_bounds(derivation)))


def hidden_in_forces(derivation: Derivation) -> tuple[str, ...]:
    """The operations for which a step that resolves the motion may miss a feature of a force of a closed contact.

    None: loads and masses are of the kind of `unresolved`, of the place of the model alone, and so are its surfaces,
    which may have quotients and roots. The load that a contact takes up does not show in the motion; that of such a
    model changes no faster than the state does.
    """
    loads = derivation.running(derivation.equations.nodes())
    surfaces = [node for gap in derivation.gaps for node in (*gap.jacobian, gap.drift, gap.acceleration)]
    surfaces += [node for gap in derivation.gaps if gap.slip for node in gap.slip.nodes()]
    graph, fed = derivation.graph, derivation.opened
    reasons = unresolved(graph, loads, fed=fed) + unresolved(graph, derivation.running(surfaces), fed=fed, roots=True)
    return tuple(sorted({*reasons, *(["constraint"] if derivation.constraints else [])}))


def _bounds(derivation: Derivation) -> dict[Node, Bound]:
    """Bounds of the gaps that an iteration computes, by the nodes that a run evaluates.

    Conditions on a placeholder symbol, which a run never evaluates, are left unchanged: they are no switches of the
    run.
    """
    running, bounds = derivation.running, {}
    for node, bound in derivation.bounds.items():
        radius = None if bound.radius is None else running([bound.radius])[0]
        place = tuple(bound.place if bound.letters else running(list(bound.place)))
        bounds[running([node])[0]] = Bound(place, radius, bound.letters, bound.parts)
    return bounds
