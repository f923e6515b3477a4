"""The forces of compliant contacts as nodes: F = law(d, d') with d = -g_N while d > 0 and F > 0, else none.

F acts along the gap: its generalized force is F dg_N'/du, its power on the bodies F g_N'. With the elastic energy V(d)
the rest of F, F - dV/dd, dissipates (dV/dd - F) g_N'.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sympact.graph.nodes.node import Node
from sympact.mechanics.kit.kinematics import Kinematics
from sympact.mechanics.kit.motion import Motion
from sympact.mechanics.shapes.compliant import CompliantContact
from sympact.mechanics.shapes.contact_laws import compression

__all__ = ["CompliantForce", "compliant_force", "phases"]


@dataclass(frozen=True, slots=True, eq=False)
class CompliantForce:
    """The force of a compliant contact.

    Attributes
    ----------
    gap, rate : node
        g_N (m) and g_N' (m/s).
    margin : node
        Positive while the contact pushes, 1 where the two are apart.
    force : node
        F (N).
    elastic : node
        dV/dd (N), zero without an elastic energy.
    energy : node or None
        V (J).
    """

    gap: Node
    rate: Node
    margin: Node
    force: Node
    elastic: Node
    energy: Node | None


def compliant_force(kinematics: Kinematics, contact: CompliantContact) -> CompliantForce:
    """The force of one, derived once."""
    return kinematics.once(contact, lambda: _derived(kinematics, contact))


def _derived(kinematics: Kinematics, contact: CompliantContact) -> CompliantForce:
    graph, law = kinematics.graph, contact.law
    gap = contact.contact.gap(Motion(kinematics)).node
    rate, depth = kinematics.drift(gap), graph.neg(gap)
    touches, d = graph.less(graph.zero, depth), graph.call("max", depth, graph.zero)
    read = kinematics.reader(dict(zip(compression, (d, graph.neg(rate)), strict=True)))
    margin = graph.select(touches, read(law.pushes(*compression)), graph.one)
    pushes = graph.and_(touches, graph.less(graph.zero, margin))
    stored = law.energy(compression[0])
    elastic = graph.zero if stored is None else read(stored.diff(compression[0]))
    return CompliantForce(
        gap=gap,
        rate=rate,
        margin=margin,
        force=graph.select(pushes, read(law.force(*compression)), graph.zero),
        elastic=elastic,
        energy=None if stored is None else graph.select(touches, read(stored), graph.zero),
    )


def phases(kinematics: Kinematics, contacts: Sequence[CompliantContact]) -> Iterator[tuple[Node, tuple[str, str]]]:
    """The margins of their conditions, each with the relations where it is positive and where it is negative."""
    for contact in contacts:
        found = compliant_force(kinematics, contact)
        for margin, name in zip((found.gap, found.margin), contact.conditions, strict=True):
            yield margin, (f"{name} > 0", f"{name} < 0")
