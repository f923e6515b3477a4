"""Kinetic energy, summed over the bodies, so that prescribed motions are included."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sympact.graph.algebra.linear import dot, matvec
from sympact.graph.nodes.node import Node
from sympact.mechanics.kit.body_terms import Body
from sympact.mechanics.kit.kinematics import Kinematics

__all__ = ["Kinetic", "kinetic_energy"]


@dataclass(frozen=True, slots=True)
class Kinetic:
    """The kinetic energy of a model.

    Attributes
    ----------
    energy : node
        T (J); where it is unknown, u M u / 2.
    unknown : str
        Why it is unknown, with the cure; empty where it is known.
    """

    energy: Node
    unknown: str = ""


def kinetic_energy(kinematics: Kinematics, bodies: Iterable[Body]) -> Node:
    """T = sum of m v.v / 2 + omega . I omega / 2 over the moving bodies (J)."""
    graph = kinematics.graph
    twice = graph.zero
    for body in bodies:
        velocity = kinematics.velocity(body.centre)
        twice = graph.add(twice, graph.mul(body.mass, dot(graph, velocity, velocity)))
        if body.frame is not None:
            spin = kinematics.spin_in_body(body.frame)
            twice = graph.add(twice, dot(graph, spin, matvec(graph, body.inertia, spin)))
    return graph.mul(graph.const(0.5), twice)
