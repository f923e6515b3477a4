"""Expressions with some of their nodes replaced."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from sympact.graph.nodes.expression import Graph
from sympact.graph.nodes.node import Node
from sympact.graph.nodes.operations import LEAVES

__all__ = ["Substitution", "rewritten"]


class Substitution:
    """Any node with given nodes replaced by others; common parts are computed once.

    Parameters
    ----------
    graph : Graph
    replacements : mapping of node to node

    Examples
    --------
    >>> graph = Graph()
    >>> x = graph.input("x", 0)
    >>> at_rest = Substitution(graph, {x: graph.zero})
    >>> graph.value(at_rest(graph.call("cos", x)))
    1.0
    """

    def __init__(self, graph: Graph, replacements: Mapping[Node, Node]) -> None:
        self.graph = graph
        self._known = dict(replacements)

    def __call__(self, node: Node) -> Node:
        """The replacement of `node`."""
        known = self._known
        return rewritten(
            self.graph, node, known, lambda op, args: self.graph.apply(op, tuple(known[arg] for arg in args))
        )


def rewritten(
    graph: Graph,
    node: Node,
    known: dict[Node, Node],
    write: Callable[[str, tuple[Node, ...]], Node],
    *,
    whole: Collection[str] = (),
) -> Node:
    """The node after `write` has been applied to every operation below it, arguments first.

    The replacement of each node is stored in `known`; the arguments of `write` are the original ones. Operations named
    in `whole` stay unchanged, with all nodes below them.
    """
    ops, args = graph.ops, graph.args
    waiting = [node]
    while waiting:
        top = waiting[-1]
        if top in known:
            waiting.pop()
        elif ops[top] in LEAVES or ops[top] in whole:
            known[top] = top
        else:
            missing = [arg for arg in args[top] if arg not in known]
            if missing:
                waiting += reversed(missing)
            else:
                known[top] = write(ops[top], args[top])
    return known[node]
