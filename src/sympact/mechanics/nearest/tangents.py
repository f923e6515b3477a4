"""Two tangent directions of a surface, from its normal."""

from __future__ import annotations

from sympact.graph.formula import Vector3, below, where

__all__ = ["tangents"]


def tangents(normal: Vector3) -> tuple[Vector3, Vector3]:
    """Two unit vectors at right angles to a unit vector and to each other.

    Where a component is identically zero, as in planar models, its axis is the second one. Else they are those
    of Duff and others, Building an orthonormal basis, revisited (Journal of Computer Graphics Techniques 6, 2017).
    """
    graph = normal.graph
    for i in range(3):
        if normal.nodes[i] == graph.zero:
            axis = Vector3(graph, tuple(graph.one if j == i else graph.zero for j in range(3)))
            return axis.cross(normal), axis
    x, y, z = normal
    sign = where(below(z, 0), -1, 1)
    a = -(1 / (sign + z))
    b = x * y * a
    return Vector3.of(1 + sign * a * x**2, sign * b, -(sign * x)), Vector3.of(b, sign + a * y**2, -y)
