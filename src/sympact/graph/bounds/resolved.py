"""The functions of the state of which a step that resolves the state misses no feature, determined from the graph."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from sympact.graph.nodes.expression import Graph
from sympact.graph.nodes.node import Node
from sympact.graph.nodes.operations import CONDITIONS
from sympact.graph.nodes.size import reachable

__all__ = ["unresolved"]

_SUMS, _WAVES = ("add", "sub", "neg"), ("sin", "cos")
_BRANCHES, _ROOTS = ("abs", "min", "max", "select"), ("div", "sqrt")
_LARGEST_DEGREE = 8


def unresolved(
    graph: Graph, nodes: Iterable[Node], *, fed: Collection[Node] = (), roots: bool = False
) -> tuple[str, ...]:
    """The operations by which a function may have a feature that is short beside those of its states, sorted.

    None are sums and products, up to a degree of eight, of states and their rates, of sines of affine combinations of
    states, and branches of these, whose conditions are boundaries. The time is one: along a motion that does not change
    it is the only feature.

    Parameters
    ----------
    graph : Graph
    nodes : iterable of node
    fed : collection of node
        Inputs of ``p`` that change within a step.
    roots : bool
        True: quotients and square roots are none, either, as in directions and lengths of vectors.

    Examples
    --------
    >>> graph = Graph()
    >>> x, y = graph.input("x", 0), graph.input("x", 1)
    >>> unresolved(graph, [graph.sub(y, graph.call("sin", x))])
    ()
    >>> unresolved(graph, [graph.div(y, graph.add(x, y)), graph.call("exp", x)])
    ('div', 'exp')
    >>> unresolved(graph, [graph.div(y, x), graph.mul(y, graph.input("t", 0))], roots=True)
    ('time',)
    """
    degrees: dict[Node, int | None] = {}  # None: constant in a step
    affine: set[Node] = set()
    reasons = set()
    for node in reachable(graph, list(nodes)):
        op, arguments = graph.ops[node], graph.children(node)
        if op == "input":
            letter = graph.args[node][0]
            if letter == "t" or node in fed:
                reasons.add("time" if letter == "t" else "input")
            degrees[node] = None if letter == "p" else 1
            affine.add(node)
            continue
        known = [degrees[argument] for argument in arguments]
        varying = [degree for degree in known if degree is not None]
        degrees[node] = max(varying, default=None)
        if not varying:
            affine.add(node)
        elif op in _SUMS or (op == "mul" and len(varying) == 1) or (op == "div" and known[1] is None):
            if affine.issuperset(arguments):
                affine.add(node)
        elif op == "mul":
            degrees[node] = sum(varying)
            if sum(varying) > _LARGEST_DEGREE and not roots:
                reasons.add(f"degree {sum(varying)}")
        elif op in _WAVES:
            degrees[node] = 1
            if not affine.issuperset(arguments):
                reasons.add(op)
        elif not (op in CONDITIONS or op in _BRANCHES or (roots and op in _ROOTS)):
            reasons.add(op)
    return tuple(sorted(reasons))
