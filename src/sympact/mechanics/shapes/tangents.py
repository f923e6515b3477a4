"""Two directions along a surface, for its normal."""

from __future__ import annotations

from sympact.graph import Graph
from sympact.graph.algebra.linear import cross

__all__ = ["tangents"]

Triple = list[int]


def tangents(graph: Graph, normal: Triple) -> tuple[Triple, Triple]:
    """Two unit vectors at right angles to a unit vector and to each other.

    Where a component is zero whatever the state, as in planar models, its axis is the second one. Else they are those
    of Duff and others, Building an orthonormal basis, revisited (Journal of Computer Graphics Techniques 6, 2017).
    """
    for i in range(3):
        if normal[i] == graph.zero:
            axis = [graph.one if j == i else graph.zero for j in range(3)]
            return cross(graph, axis, normal), axis
    x, y, z = normal
    sign = graph.select(graph.below(z, graph.zero), graph.const(-1.0), graph.one)
    a = graph.neg(graph.div(graph.one, graph.add(sign, z)))
    b = graph.mul(graph.mul(x, y), a)
    first = [
        graph.add(graph.one, graph.mul(graph.mul(sign, a), graph.mul(x, x))),
        graph.mul(sign, b),
        graph.neg(graph.mul(sign, x)),
    ]
    return first, [b, graph.add(sign, graph.mul(a, graph.mul(y, y))), graph.neg(y)]
