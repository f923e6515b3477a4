"""Conditions replaced by inputs, so that expressions with branches are smooth while the inputs are constant.

abs, sign, heaviside, max, min, <, <= change their branch where a *margin* passes zero. A `Freezer` replaces them by the
branch of an input of ``p`` whose value is +1.0 or -1.0, the sign of the margin: a *switch*.

floor, ceiling and mod jump where their argument passes a whole number, which is where the margin sin(pi a) passes zero;
where it is positive, floor(a) is even. There floor(a) = 2 floor(a/2 + 1/4), which keeps its value for half
a unit beyond both ends, so that the step that ends at the jump is smooth; where it is odd, 2 floor(a/2 - 1/4) + 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from math import pi

from sympact.graph.nodes.expression import Graph
from sympact.graph.nodes.node import Node
from sympact.graph.nodes.rewrite import Substitution, rewritten
from sympact.graph.nodes.size import reachable

__all__ = ["BRANCHING", "JUMPING", "Freezer", "Switch", "decided_at", "unfollowed"]

_MARGINS: dict[str, Callable[..., Node]] = {
    **dict.fromkeys(("abs", "sign", "heaviside"), lambda graph, a, *at_zero: a),
    **dict.fromkeys(("max", "min"), lambda graph, a, b: graph.sub(a, b)),
    **dict.fromkeys(("less", "less_equal"), lambda graph, a, b: graph.sub(b, a)),
}
# The number whose integer part the operation contains.
_COUNTED: dict[str, Callable[..., Node]] = {
    "floor": lambda graph, a: a,
    "ceiling": lambda graph, a: a,
    "mod": lambda graph, a, b: graph.div(a, b),
}
# Of the integer part, and of the arguments.
_WITH_WHOLE: dict[str, Callable[..., Node]] = {
    "floor": lambda graph, whole, a: whole,
    "ceiling": lambda graph, whole, a: graph.add(whole, graph.one),
    "mod": lambda graph, whole, a, b: graph.sub(a, graph.mul(whole, b)),
}
BRANCHING = frozenset(_MARGINS)
"""The operations that change their branch where a margin passes zero."""
JUMPING = frozenset(_COUNTED)
"""The operations that jump where a number passes a whole one."""
# Of the sign of the margin, +1 or -1, of whether that is +1, and of the arguments.
_BRANCHES: dict[str, Callable[..., Node]] = {
    "abs": lambda graph, side, positive, a: graph.mul(side, a),
    "sign": lambda graph, side, positive, a: side,
    "heaviside": lambda graph, side, positive, a, at_zero: graph.select(positive, graph.one, graph.zero),
    "max": lambda graph, side, positive, a, b: graph.select(positive, a, b),
    "min": lambda graph, side, positive, a, b: graph.select(positive, b, a),
    "less": lambda graph, side, positive, a, b: positive,
    "less_equal": lambda graph, side, positive, a, b: positive,
}
# The replacement of an argument outside of the domain.
_INSTEAD: dict[str, Callable[[Graph, Node], Node]] = {
    **dict.fromkeys(("sqrt", "log", "pow"), lambda graph, a: graph.call("abs", a)),
    **dict.fromkeys(
        ("asin", "acos"), lambda graph, a: graph.call("max", graph.const(-1.0), graph.call("min", a, graph.one))
    ),
    "acosh": lambda graph, a: graph.call("max", a, graph.one),
}
_WHOLE = ("held",)
_NOT_EVERYWHERE = {"div", "pow", "sqrt", "log", "asin", "acos", "acosh", "atanh", "mod"}


@dataclass(frozen=True, slots=True)
class Switch:
    """One condition.

    Attributes
    ----------
    margin : node
        Positive where the condition's first branch is active; conditions in it are replaced by preceding switches.
    written : node
        The margin as it was written, with its conditions.
    value : node
        The input with the value +1.0 or -1.0, the sign of the margin.
    counted : node, optional
        As it was written, the number whose integer part is even where the margin is positive, and odd where it is
        negative.
    """

    margin: Node
    written: Node
    value: Node
    counted: Node | None = None

    def along_the_flow(self, graph: Graph, first: Callable[[Node], Node], second: Callable[[Node], Node]) -> list[Node]:
        """Margin, first and second derivative, each times the value: positive as long as the active branch is valid.

        Parameters
        ----------
        graph : Graph
        first, second : callable
            The derivative of the margin, and that of the first derivative, along the flow.

        Where the margin has no value (a root in an inactive branch), it counts as 1.
        """
        rate = first(self.margin)
        nodes = [self.margin, rate, second(rate)]
        signed = [graph.mul(self.value, node) for node in nodes]
        if _NOT_EVERYWHERE.isdisjoint(graph.ops[node] for node in reachable(graph, nodes)):
            return signed
        instead = (graph.one, graph.zero, graph.zero)
        return [graph.select(graph.equal(n, n), n, other) for n, other in zip(signed, instead, strict=True)]


class Freezer:
    """Any node with its conditions replaced by switches; the replaced ones are collected in `switches`.

    Equal margins, and opposite ones, share a switch. A condition inside a margin comes before it. ``equal`` and
    ``below`` are not replaced, nor is anything in a detached node.

    Parameters
    ----------
    graph : Graph
    place : int
        The entry of p of the first switch; the others follow.
    changes : callable
        ``changes(margin)``: whether a margin changes along the flow; conditions with a constant margin are not
        replaced.

    Attributes
    ----------
    switches : list of Switch

    Examples
    --------
    >>> graph = Graph()
    >>> x = graph.input("x", 0)
    >>> freeze = Freezer(graph, 2, lambda margin: True)
    >>> freeze(graph.call("abs", x)) == graph.mul(graph.input("p", 2), x)
    True
    >>> freeze.switches == [Switch(margin=x, written=x, value=graph.input("p", 2))]
    True
    """

    def __init__(self, graph: Graph, place: int, changes: Callable[[Node], bool]) -> None:
        self.graph = graph
        self.switches: list[Switch] = []
        self._place = place
        self._changes = changes
        self._frozen: dict[Node, Node] = {}
        self._sides: dict[Node, Node] = {}

    @property
    def next_place(self) -> int:
        """The entry of p after those of the switches."""
        return self._place + len(self.switches)

    def __call__(self, node: Node) -> Node:
        """The node with its conditions replaced."""
        return rewritten(self.graph, node, self._frozen, self._decided, whole=_WHOLE)

    def where(self, changes: Callable[[Node], bool]) -> Freezer:
        """The same, which adds to the same switches, with conditions replaced where these margins change."""
        same = Freezer(self.graph, self._place, changes)
        same.switches, same._sides = self.switches, self._sides
        return same

    def finished(self) -> Freezer:
        """The same with the switches found so far and no further ones: other conditions remain as they are."""
        known = dict(self._sides)
        same = Freezer(self.graph, self._place, known.__contains__)
        same.switches, same._sides = list(self.switches), known
        return same

    def extended(self, nodes: Sequence[Node]) -> list[Node]:
        """Frozen nodes, continued past the margins; every condition must have been replaced before.

        A step that ends past a margin evaluates the branch where it may be undefined: the root in max(0, x)**(3/2) once
        x is negative, for instance. Only there, roots, powers and logarithms take the magnitude of their argument,
        inverse sines and similar functions the nearest argument of their domain. Such a step only serves to find the
        zero of the margin.
        """
        if not self.switches:
            return list(nodes)
        graph = self.graph
        past = [graph.less(graph.mul(switch.value, switch.margin), graph.zero) for switch in self.switches]
        beyond = reduce(graph.or_, past)
        known: dict[Node, Node] = {}

        def continued(op: str, written: tuple[Node, ...]) -> Node:
            args = [known[arg] for arg in written]
            if op in _INSTEAD and self._changes(args[0]):
                args[0] = graph.select(beyond, _INSTEAD[op](graph, args[0]), args[0])
            return graph.apply(op, tuple(args))

        return [rewritten(self.graph, node, known, continued, whole=_WHOLE) for node in nodes]

    def _decided(self, op: str, written: tuple[Node, ...]) -> Node:
        """One operation on arguments whose conditions have been replaced."""
        graph, args = self.graph, tuple(self._frozen[arg] for arg in written)
        if op in _COUNTED:
            return self._counted(op, written, args)
        if op not in _MARGINS:
            return graph.apply(op, args)
        margin = _MARGINS[op](graph, *args)
        if graph.value(margin) is not None or not self._changes(margin):
            return graph.apply(op, args)
        side = self._side(margin, _MARGINS[op](graph, *written))
        return _BRANCHES[op](graph, side, graph.less(graph.zero, side), *args)

    def _counted(self, op: str, written: tuple[Node, ...], args: tuple[Node, ...]) -> Node:
        """A function with jumps at whole numbers, with the integer part that the switch of its parity gives."""
        graph, number = self.graph, _COUNTED[op](self.graph, *args)
        margin = _parity(graph, number)
        if graph.value(margin) is not None or not self._changes(margin):
            return graph.apply(op, args)
        asked = _COUNTED[op](graph, *written)
        side = self._side(margin, _parity(graph, asked), asked)
        half, quarter = graph.mul(graph.const(0.5), number), graph.const(0.25)
        lower = [graph.call("floor", part) for part in (graph.add(half, quarter), graph.sub(half, quarter))]
        self._frozen |= {node: node for node in lower}
        even, odd = (graph.mul(graph.const(2.0), node) for node in lower)
        whole = graph.select(graph.less(graph.zero, side), even, graph.add(odd, graph.one))
        return _WITH_WHOLE[op](graph, whole, *args)

    def _side(self, margin: Node, written: Node, counted: Node | None = None) -> Node:
        """The node that is +1 where the margin is positive and -1 where it is negative."""
        graph = self.graph
        if graph.ops[margin] == "neg":
            opposite = None if counted is None else graph.neg(counted)
            return graph.neg(self._side(graph.args[margin][0], graph.neg(written), opposite))
        if margin not in self._sides:
            value = graph.input("p", self._place + len(self.switches))
            self.switches.append(Switch(margin, written, value, counted))
            self._sides[margin] = value
            self._sides[graph.neg(margin)] = graph.neg(value)
        return self._sides[margin]


def _parity(graph: Graph, number: Node) -> Node:
    """Positive where the integer part of a number is even, negative where it is odd."""
    return graph.call("sin", graph.mul(graph.const(pi), number))


def decided_at(graph: Graph, node: Node, place: Node, there: Node) -> Node:
    """A node whose conditions on a point take the branches that they have at another point.

    Parameters
    ----------
    graph : Graph
    node : node
    place, there : node
        Conditions that contain `place` are evaluated with `there` in its stead.

    Examples
    --------
    >>> graph = Graph()
    >>> x, y = graph.input("x", 0), graph.input("x", 1)
    >>> left = decided_at(graph, graph.call("abs", x), x, y)
    >>> left == graph.mul(graph.select(graph.less(graph.zero, y), graph.one, graph.const(-1.0)), x)
    True
    """
    put = Substitution(graph, {place: there})
    return _decided_by(graph, node, place, lambda written, _: graph.less(graph.zero, put(written)))


def unfollowed(graph: Graph, node: Node, place: int) -> Node:
    """A node whose conditions on a point are no switches: each selects its branch in every evaluation."""
    return _decided_by(graph, node, place, lambda _, decided: graph.below(graph.zero, decided))


def _decided_by(graph: Graph, node: Node, place: int, positive: Callable[[Node, Node], Node]) -> Node:
    """A node whose conditions on a point take their first branch where `positive` of their margins is true.

    Its arguments are the margin as it is written, and the margin with its conditions evaluated.
    """
    known: dict[Node, Node] = {}

    def write(op: str, written: tuple[Node, ...]) -> Node:
        args = tuple(known[arg] for arg in written)
        if op in _MARGINS:
            margin = _MARGINS[op](graph, *written)
            if place in reachable(graph, [margin]):
                holds = positive(margin, _MARGINS[op](graph, *args))
                side = graph.select(holds, graph.one, graph.const(-1.0))
                return _BRANCHES[op](graph, side, holds, *args)
        return graph.apply(op, args)

    return rewritten(graph, node, known, write, whole=_WHOLE)
