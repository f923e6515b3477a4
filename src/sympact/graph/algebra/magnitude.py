"""Roots of squares as magnitudes: sqrt(q**2) is |q|, whose corner at zero a root would hide."""

from __future__ import annotations

from sympact.graph.nodes.expression import Graph
from sympact.graph.nodes.node import Node

__all__ = ["magnitude", "root", "shared_sign"]

_DEEP = 40  # factors of a product that are examined
_POSITIVE = ("abs", "sqrt", "exp", "cosh")


def magnitude(graph: Graph, node: Node) -> Node:
    """|a|; a itself where it is a sum, product or quotient of squares, magnitudes and positive numbers.

    Examples
    --------
    >>> graph = Graph()
    >>> x = graph.input("x", 0)
    >>> magnitude(graph, graph.mul(x, x)) == graph.mul(x, x)
    True
    """
    return node if _not_negative(graph, node, _DEEP) else graph.call("abs", node)


def root(graph: Graph, node: Node) -> Node:
    """The square root, with squares extracted from a product: |a| sqrt(b) for a^2 b.

    Examples
    --------
    >>> graph = Graph()
    >>> x, y = graph.input("x", 0), graph.input("x", 1)
    >>> root(graph, graph.mul(x, x)) == graph.call("abs", x)
    True
    >>> root(graph, graph.add(x, y)) == graph.call("sqrt", graph.add(x, y))
    True
    """
    outside, inside = _parted(graph, node, _DEEP)
    return graph.mul(outside, graph.one if inside == graph.one else graph.call("sqrt", inside))


def shared_sign(graph: Graph, a: Node, b: Node) -> Node | None:
    """The node of sign(a) where a / b is a / |a| or |b| / b, which has a value at zero, too; else None."""
    for whole, part in ((a, b), (b, a)):
        if graph.ops[part] == "abs":
            inner = graph.args[part][0]
            if whole in (inner, graph.neg(inner)):
                return graph.call("sign", whole)
    return None


def _parted(graph: Graph, node: Node, depth: int) -> tuple[Node, Node]:
    """(a, b) with sqrt(node) = a sqrt(b)."""
    op, args = graph.ops[node], graph.args[node]
    if op == "mul" and args[0] == args[1]:
        return magnitude(graph, args[0]), graph.one
    if op not in ("mul", "div") or depth == 0:
        return graph.one, node
    first, second = (_parted(graph, arg, depth - 1) for arg in args)
    if first[0] == second[0] == graph.one:
        return graph.one, node
    join = graph.mul if op == "mul" else graph.div
    return join(first[0], second[0]), join(first[1], second[1])


def _not_negative(graph: Graph, node: Node, depth: int) -> bool:
    op, args = graph.ops[node], graph.args[node]
    if op == "const":
        return args[0] >= 0.0
    if op in _POSITIVE:
        return True
    if op == "mul" and args[0] == args[1]:
        return True
    return op in ("add", "mul", "div") and depth > 0 and all(_not_negative(graph, arg, depth // 2) for arg in args)
