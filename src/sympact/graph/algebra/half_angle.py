"""Squares that are written in one angle: A + B cos(a) + C sin(a) with A^2 = B^2 + C^2 is 2 A cos((a - phi)/2)^2.

The squared distance of two points at equal radii around one pin is such a square. Its root passes zero at a corner,
which a root of the sum would hide as that of a square does.
"""

from __future__ import annotations

from collections.abc import Callable

from sympact.graph.nodes.expression import Graph
from sympact.graph.nodes.node import Node
from sympact.graph.nodes.rewrite import Substitution
from sympact.graph.nodes.size import reachable

__all__ = ["root_of_square"]


def root_of_square(graph: Graph, node: Node, same: Callable[[list[Node], list[Node]], bool]) -> Node | None:
    """A smooth node whose square is the given one, sqrt(2 A) cos((a - phi)/2); None where none is known.

    Parameters
    ----------
    graph : Graph
    node : node
        Of the sines and cosines of one angle and of parameters, the entries of ``p``.
    same : callable
        ``same(left, right)``: whether nodes are equal for all values.

    Examples
    --------
    >>> graph = Graph()
    >>> q = graph.input("x", 0)
    >>> square = graph.add(graph.const(2.0), graph.mul(graph.const(-2.0), graph.call("sin", q)))
    >>> found = root_of_square(graph, square, lambda left, right: True)
    >>> graph.ops[found], graph.ops[graph.args[found][1]]
    ('mul', 'cos')
    """
    angle = _angle(graph, node)
    if angle is None:
        return None
    cosine, sine = graph.call("cos", angle), graph.call("sin", angle)
    half = graph.const(0.5)

    def at(c: float, s: float) -> Node:
        return Substitution(graph, {cosine: graph.const(c), sine: graph.const(s)})(node)

    ahead, behind, above, below = at(1.0, 0.0), at(-1.0, 0.0), at(0.0, 1.0), at(0.0, -1.0)
    a = graph.mul(half, graph.add(ahead, behind))
    b = graph.mul(half, graph.sub(ahead, behind))
    c = graph.mul(half, graph.sub(above, below))
    if not all(_of_parameters(graph, part) for part in (a, b, c)):
        return None
    linear = graph.sum([a, graph.mul(b, cosine), graph.mul(c, sine)])
    squares = graph.add(graph.mul(b, b), graph.mul(c, c))
    if not same([linear, graph.mul(a, a)], [node, squares]):
        return None
    turned = graph.mul(half, graph.sub(angle, graph.call("atan2", c, b)))
    return graph.mul(graph.call("sqrt", graph.mul(graph.const(2.0), a)), graph.call("cos", turned))


def _angle(graph: Graph, node: Node) -> Node | None:
    """The only angle that moves of whose sine and cosine a node is made; None where it is made of anything else."""
    parts = reachable(graph, [node])
    angles = {graph.args[part][0] for part in parts if graph.ops[part] in ("sin", "cos")}
    angles = {angle for angle in angles if not _of_parameters(graph, angle)}
    if len(angles) != 1:
        return None
    (angle,) = angles
    ends = {graph.call("cos", angle): graph.zero, graph.call("sin", angle): graph.zero}
    return angle if _of_parameters(graph, Substitution(graph, ends)(node)) else None


def _of_parameters(graph: Graph, node: Node) -> bool:
    inputs = (graph.args[part] for part in reachable(graph, [node]) if graph.ops[part] == "input")
    return all(array == "p" for array, _ in inputs)
