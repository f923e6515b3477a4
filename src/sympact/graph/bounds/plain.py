"""The functions of the state with no more features along a step than the state itself, determined from the graph."""

from __future__ import annotations

from dataclasses import dataclass

from sympact.graph.nodes.expression import Graph
from sympact.graph.nodes.node import Node
from sympact.graph.nodes.operations import CONDITIONS
from sympact.graph.nodes.size import reachable

__all__ = ["Bending", "bending"]

_FIXED, _AFFINE, _PLAIN, _OTHER = range(4)
_LARGEST_DEGREE = 2


@dataclass(frozen=True, slots=True)
class Bending:
    """The class of a node with respect to a motion.

    Attributes
    ----------
    plain : bool
        True for sums and products, to degree two, of states, sines of affine combinations of states and time, lengths
        of such vectors, and their magnitudes, minima and branches. Between the ends of a step such a function has no
        feature that its first two derivatives there do not show, as long as the angles of its sines change little.
    phases : tuple of node
        The angles of the sines.
    reasons : tuple of str
        The operations for which it is not plain.
    """

    plain: bool
    phases: tuple[Node, ...]
    reasons: tuple[str, ...]


def bending(graph: Graph, node: Node) -> Bending:
    """The class of a node.

    Examples
    --------
    >>> graph = Graph()
    >>> x, y = graph.input("x", 0), graph.input("x", 1)
    >>> bending(graph, graph.sub(y, graph.call("sin", x))).plain
    True
    >>> bending(graph, graph.sub(y, graph.call("exp", x))).reasons
    ('exp',)
    """
    kind: dict[Node, int] = {}
    degree: dict[Node, int] = {}
    phases, reasons = set(), set()
    for n in reachable(graph, [node]):
        op, args = graph.ops[n], graph.children(n)
        kinds, degrees = [kind[a] for a in args], [degree[a] for a in args]
        kind[n], degree[n] = _kind(graph, n, kinds, degrees)
        if kind[n] == _OTHER and max(kinds, default=0) < _OTHER:
            reasons.add(op)
        elif op in ("sin", "cos") and kind[n] == _PLAIN:
            phases.add(args[0])
    if kind[node] < _OTHER and degree[node] > _LARGEST_DEGREE:
        return Bending(False, tuple(sorted(phases)), (f"degree {degree[node]}",))
    return Bending(kind[node] < _OTHER, tuple(sorted(phases)), tuple(sorted(reasons)))


def _kind(graph: Graph, node: Node, kinds: list[int], degrees: list[int]) -> tuple[int, int]:
    """The class of one operation and its degree, from those of its arguments."""
    op, top = graph.ops[node], max(kinds, default=0)
    if op == "input" and graph.args[node][0] != "p":
        return (_AFFINE, 1) if graph.args[node][0] in "tx" else (_OTHER, 0)
    if top == _FIXED:
        return _FIXED, 0
    if top == _OTHER:
        return _OTHER, 0
    if op in CONDITIONS:
        return _PLAIN, 0
    if op in ("add", "sub", "neg"):
        return top, max(degrees)
    if op == "mul":
        return (top if _FIXED in kinds else _PLAIN), sum(degrees)
    if op == "div" and kinds[1] == _FIXED:
        return top, degrees[0]
    if op in ("sin", "cos") and top == _AFFINE:
        return _PLAIN, 0
    if op == "sqrt" and degrees[0] <= _LARGEST_DEGREE:
        return _PLAIN, 1
    if op in ("abs", "min", "max", "select"):
        return _PLAIN, max(degrees)
    return _OTHER, 0
