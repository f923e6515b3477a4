"""Derivatives along a direction, by forward mode."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from sympact.graph.nodes.expression import Graph
from sympact.graph.nodes.node import Node
from sympact.graph.nodes.operations import CONDITIONS, LEAVES

__all__ = ["Tangent", "jacobian"]


class Tangent:
    """The derivative of any node along one direction.

    A detached node is a constant. Where a function has a corner or a jump (abs, sign, floor, max, select, ...) it is
    the derivative of the active branch: the derivative of a jump is 0, that of abs at 0 is 0.

    Parameters
    ----------
    graph : Graph
    seed : mapping of node to node
        The direction: the derivative of each input (or of any other node) in it; other inputs have 0.
    rules : mapping of node to callable, optional
        Nodes with a known derivative; called without arguments when it is needed (R' = omega x R for a rotation).

    Examples
    --------
    >>> graph = Graph()
    >>> x = graph.input("x", 0)
    >>> along_x = Tangent(graph, {x: graph.one})
    >>> along_x(graph.call("sin", x)) == graph.call("cos", x)
    True
    """

    def __init__(
        self, graph: Graph, seed: Mapping[Node, Node], rules: Mapping[Node, Callable[[], Node]] | None = None
    ) -> None:
        self.graph = graph
        self._rules = {} if rules is None else rules
        self._known = dict(seed)

    def __call__(self, node: Node) -> Node:
        """The derivative of `node`, a node of the same graph."""
        known = self._known
        if node in known:
            return known[node]
        graph, rules = self.graph, self._rules
        ops, args = graph.ops, graph.args
        waiting = [node]
        while waiting:
            top = waiting[-1]
            op = ops[top]
            if top in known:
                waiting.pop()
            elif top in rules:
                known[top] = rules[top]()
            elif op in LEAVES or op in CONDITIONS or op == "held":
                known[top] = graph.zero
            else:
                missing = [arg for arg in args[top] if arg not in known]
                if missing:
                    waiting += missing
                else:
                    known[top] = _derivative(graph, top, op, args[top], [known[arg] for arg in args[top]])
        return known[node]


def jacobian(graph: Graph, outputs: Sequence[Node], inputs: Sequence[Node]) -> list[list[Node]]:
    """The matrix d outputs[i] / d inputs[j] of nodes, a list of rows."""
    columns = [Tangent(graph, {node: graph.one}) for node in inputs]
    return [[column(output) for column in columns] for output in outputs]


def _derivative(graph: Graph, node: Node, op: str, args: tuple, rates: list[Node]) -> Node:
    """The derivative of one operation from those of its arguments."""
    if all(rate == graph.zero for rate in rates):
        return graph.zero
    if op in _STEPS:
        return graph.zero
    return _RULES[op](graph, node, *args, *rates)


def _quotient(g: Graph, node: Node, a: Node, b: Node, da: Node, db: Node) -> Node:
    return g.div(g.sub(da, g.mul(node, db)), b)


def _power(g: Graph, node: Node, a: Node, b: Node, da: Node, db: Node) -> Node:
    of_base = g.zero if da == g.zero else g.mul(g.mul(b, g.pow(a, g.sub(b, g.one))), da)
    of_exponent = g.zero if db == g.zero else g.mul(g.mul(node, g.call("log", a)), db)
    return g.add(of_base, of_exponent)


def _angle(g: Graph, node: Node, y: Node, x: Node, dy: Node, dx: Node) -> Node:
    return g.div(g.sub(g.mul(x, dy), g.mul(y, dx)), g.add(g.mul(x, x), g.mul(y, y)))


def _remainder(g: Graph, node: Node, a: Node, b: Node, da: Node, db: Node) -> Node:
    return g.sub(da, g.mul(g.call("floor", g.div(a, b)), db))


def _one_minus_square(g: Graph, a: Node) -> Node:
    return g.sub(g.one, g.mul(a, a))


def _one_plus_square(g: Graph, a: Node) -> Node:
    return g.add(g.one, g.mul(a, a))


_STEPS = {"sign", "heaviside", "floor", "ceiling"}
# Of an operation n = op(a, b, ...) with the derivatives da, db, ... of its arguments.
_RULES: dict[str, Callable[..., Node]] = {
    "neg": lambda g, n, a, da: g.neg(da),
    "sqrt": lambda g, n, a, da: g.div(da, g.mul(g.const(2.0), n)),
    "abs": lambda g, n, a, da: g.mul(g.call("sign", a), da),
    "sin": lambda g, n, a, da: g.mul(g.call("cos", a), da),
    "cos": lambda g, n, a, da: g.neg(g.mul(g.call("sin", a), da)),
    "tan": lambda g, n, a, da: g.mul(_one_plus_square(g, n), da),
    "asin": lambda g, n, a, da: g.div(da, g.call("sqrt", _one_minus_square(g, a))),
    "acos": lambda g, n, a, da: g.neg(g.div(da, g.call("sqrt", _one_minus_square(g, a)))),
    "atan": lambda g, n, a, da: g.div(da, _one_plus_square(g, a)),
    "sinh": lambda g, n, a, da: g.mul(g.call("cosh", a), da),
    "cosh": lambda g, n, a, da: g.mul(g.call("sinh", a), da),
    "tanh": lambda g, n, a, da: g.mul(_one_minus_square(g, n), da),
    "asinh": lambda g, n, a, da: g.div(da, g.call("sqrt", _one_plus_square(g, a))),
    "acosh": lambda g, n, a, da: g.div(da, g.mul(g.call("sqrt", g.sub(a, g.one)), g.call("sqrt", g.add(a, g.one)))),
    "atanh": lambda g, n, a, da: g.div(da, _one_minus_square(g, a)),
    "exp": lambda g, n, a, da: g.mul(n, da),
    "log": lambda g, n, a, da: g.div(da, a),
    "erf": lambda g, n, a, da: g.mul(g.mul(g.const(2.0 / math.sqrt(math.pi)), g.call("exp", g.neg(g.mul(a, a)))), da),
    "add": lambda g, n, a, b, da, db: g.add(da, db),
    "sub": lambda g, n, a, b, da, db: g.sub(da, db),
    "mul": lambda g, n, a, b, da, db: g.add(g.mul(da, b), g.mul(a, db)),
    "div": _quotient,
    "pow": _power,
    "atan2": _angle,
    "mod": _remainder,
    "max": lambda g, n, a, b, da, db: g.select(g.less(a, b), db, da),
    "min": lambda g, n, a, b, da, db: g.select(g.less(b, a), db, da),
    "select": lambda g, n, c, a, b, dc, da, db: g.select(c, da, db),
}
