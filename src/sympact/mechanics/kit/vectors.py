"""Vectors of nodes, components in N, that contacts are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sympy.physics.vector import Point, ReferenceFrame

from sympact.graph import Graph
from sympact.graph.algebra.linear import cross, dot, minus, plus, scale

if TYPE_CHECKING:
    from sympact.mechanics.kit.kinematics import Kinematics

__all__ = ["across", "carried", "length", "unit"]

Triple = list[int]


def carried(kinematics: Kinematics, point: Point, frame: ReferenceFrame, arm: Triple) -> Triple:
    """The velocity of what moves with a frame, at a vector `arm` (in N) from a point that does so too."""
    graph = kinematics.graph
    return plus(graph, kinematics.velocity(point), cross(graph, kinematics.spin(frame), arm))


def unit(graph: Graph, vector: Triple) -> Triple:
    """A vector divided by its length."""
    size = length(graph, vector)
    return [graph.div(part, size) for part in vector]


def length(graph: Graph, vector: Triple) -> int:
    """The length of a vector."""
    return graph.call("sqrt", dot(graph, vector, vector))


def across(graph: Graph, vector: Triple, axis: Triple) -> Triple:
    """The part of a vector at right angles to a unit vector."""
    return minus(graph, vector, scale(graph, dot(graph, vector, axis), axis))
