"""Any node over a part of a step, enclosed with its first two derivatives: as nodes of the same graph.

Along a step every state is a known function of the fraction s of the step. Each node then has a *jet*: three intervals
that contain its value, its first and its second derivative by s, for all s of a part of the step. Six numbers for each
state, and six for the time, are the inputs; the jets of all other nodes follow by the chain rule in interval arithmetic
(Moore, Kearfott and Cloud, *Introduction to Interval Analysis*, 2009). They are compiled like any function.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sympact.graph.bounds.interval import Interval, Intervals
from sympact.graph.nodes.expression import Graph
from sympact.graph.nodes.node import Node
from sympact.graph.nodes.operations import CONDITIONS
from sympact.graph.nodes.size import reachable
from sympact.native.rounding import EPS, ROUNDINGS

__all__ = ["Bound", "Enclosure"]

Jet = tuple[Interval, ...]
"""Value, first and second derivative."""
Known = dict[Node, Any]
"""The jets of nodes; for a condition whether it may be true, and whether it may be false."""

_INTEGER = 1e9  # largest integer exponent that is written as products
_DOUBT = 2.0  # far away another point than the closest may be found: the number is then below this times the distance
_SMALLER = 0.999  # of the radius: a ball that is deeper than the dead band may be closer by this


@dataclass(frozen=True, slots=True)
class Bound:
    """A bound of a node that an iteration computes: the least value of a function of some symbols.

    The node is either the least distance of a moving point from a fixed set, less a radius, or the least value of an
    expression.

    Attributes
    ----------
    place : tuple of node
        The position of the point relative to the set; or one expression, with `radius` None.
    radius : node or None
        Positive.
    letters : mapping of node to (float, float)
        The symbols over which the least value is taken, and their ranges.
    parts : int
        The number of parts of the range of each symbol.
    """

    place: tuple[Node, ...]
    radius: Node | None
    letters: Mapping[Node, tuple[float, float]]
    parts: int = 1


class Enclosure:
    """The jets of nodes.

    Parameters
    ----------
    graph : Graph
    states : sequence of int
        The states that occur, in the order of their jets among the inputs.
    bounds : mapping of node to Bound, optional

    Examples
    --------
    >>> graph = Graph()
    >>> square = graph.ipow(graph.input("x", 2), 2)
    >>> ends = Enclosure(graph, [2])([square])  # of x[0] ... x[5], the ends of the state's jet
    >>> len(ends)
    6
    """

    def __init__(self, graph: Graph, states: Sequence[int], bounds: Mapping[Node, Bound] | None = None) -> None:
        self.graph, self.over = graph, Intervals(graph)
        self._states = list(states)
        self._bounds = dict(bounds or {})
        self._known: Known = {}
        self._waves: dict[Interval, tuple[Interval, Interval]] = {}
        self._nothing = (self.over.everything,) * 3

    def __call__(self, nodes: Sequence[Node]) -> list[Node]:
        """The ends of value, first and second derivative of each of some nodes, six numbers each."""
        return [end for node in nodes for interval in self.jet(node) for end in interval]

    def jet(self, node: Node) -> Jet:
        """The three intervals of a node."""
        self._enclose(node, self._known)
        return self._known[node]

    def _enclose(self, node: Node, known: Known) -> None:
        graph = self.graph
        for n in reachable(graph, [node], {**known, **self._bounds}):
            if n in known:
                continue
            op, args = graph.ops[n], graph.args[n]
            if n in self._bounds:
                known[n] = self._least(self._bounds[n], known)
            elif op == "input" and args[0] != "p":
                known[n] = self._input(*args)
            elif op in CONDITIONS:
                known[n] = self._condition(n, op, args, [known[arg] for arg in args])
            elif op in ("const", "input") or all(self._fixed(arg, known) for arg in args):
                known[n] = (n, n), self.over.zero, self.over.zero
            else:
                known[n] = self._operation(op, args, [known[arg] for arg in args], known)

    def _fixed(self, node: Node, known: Mapping) -> bool:
        """Whether a node depends on parameters alone."""
        return node == known[node][0] if self.graph.ops[node] in CONDITIONS else known[node][0] == (node, node)

    def _input(self, array: str, index: int) -> Jet:
        if array != "t" and index not in self._states:
            return self._nothing
        place = self._states.index(index) if array == "x" else len(self._states)
        ends = [self.graph.input("x", 6 * place + i) for i in range(6)]
        return tuple(self.over.input(*ends[i : i + 2]) for i in (0, 2, 4)) if array in "tx" else self._nothing

    def _least(self, bound: Bound, known: dict) -> Jet:
        """The jet of the least value over symbols; only its lower bounds are meaningful."""
        over = self.over
        cells: list[dict[Node, tuple[float, float]]] = [{}]
        for letter, (low, high) in bound.letters.items():
            width = (high - low) / bound.parts
            ends = [(low + i * width, low + (i + 1) * width) for i in range(bound.parts)]
            cells = [{**cell, letter: end} for cell in cells for end in ends]
        jets = []
        for cell in cells:
            inner = dict(known) if bound.letters else known
            for letter, sides in cell.items():
                inner[letter] = tuple(map(self.graph.const, sides)), over.zero, over.zero
            for node in bound.place:
                self._enclose(node, inner)
            jets.append(self._at_least(bound, [inner[node] for node in bound.place], inner))
        result = jets[0]
        for jet in jets[1:]:
            result = tuple(over.hull(a, b) for a, b in zip(result, jet, strict=True))
        return result

    def _at_least(self, bound: Bound, place: list[Jet], known: dict) -> Jet:
        """For fixed symbols and a fixed point of the set: the second derivative of the distance is at most |a| +
        v^2/distance."""
        over, graph = self.over, self.graph
        if bound.radius is None:
            return place[0]
        self._enclose(bound.radius, known)
        radius = known[bound.radius]
        speed, bend = (self._length([jet[order] for jet in place]) for order in (1, 2))
        least = graph.mul(graph.const(_SMALLER), radius[0][0])
        most = over.plus((bend, bend), over.times(over.square((speed, speed)), over.inverse((least, least))))
        most = over.scaled(_DOUBT, most)
        slope = over.hull((graph.neg(speed), graph.neg(speed)), (speed, speed))
        second = over.upto(graph.mul(graph.const(1.0 + ROUNDINGS * EPS), most[1]))
        return (
            over.everything,
            over.minus(slope, radius[1]),
            over.minus(second, radius[2]),
        )

    def _length(self, parts: Sequence[Interval]) -> Node:
        """The largest length of a vector whose components are in some intervals."""
        graph, total = self.graph, self.graph.zero
        for part in parts:
            size = self.over.size(part)
            total = graph.add(total, graph.mul(size, size))
        return graph.mul(graph.const(1.0 + ROUNDINGS * EPS), graph.call("sqrt", total))

    def _condition(self, node: Node, op: str, args: tuple, a: Sequence) -> tuple[Node, Node]:
        """Whether a condition may be true somewhere in the box, and whether it may be false."""
        graph = self.graph
        if op in ("true", "false") or all(self._fixed(arg, dict(zip(args, a, strict=True))) for arg in args):
            return node, graph.not_(node)
        if op in ("and", "or"):
            may, fail = (graph.and_, graph.or_) if op == "and" else (graph.or_, graph.and_)
            return may(a[0][0], a[1][0]), fail(a[0][1], a[1][1])
        if op == "not":
            return a[0][1], a[0][0]
        (low, high), (least, most) = a[0][0], a[1][0]
        if op == "equal":
            apart = graph.or_(graph.below(high, least), graph.below(most, low))
            return graph.not_(apart), graph.true
        return graph.not_(graph.below(most, low)), graph.not_(graph.below(high, least))

    def _operation(self, op: str, args: tuple, a: Sequence, known: Mapping) -> Jet:
        over = self.over
        if op == "select":
            condition, first, second = a
            return self._choose(args[0], condition, first, second, self._fixed(args[0], known))
        if op in ("add", "sub"):
            return tuple((over.plus if op == "add" else over.minus)(p, q) for p, q in zip(*a, strict=True))
        if op == "neg":
            return tuple(over.negative(p) for p in a[0])
        if op == "mul":
            return self._squared(a[0]) if args[0] == args[1] else self._product(*a)
        if op == "div":
            return self._product(a[0], self._reciprocal(a[1]))
        if op == "held":
            return self._nothing  # the result of an iteration is unknown, but for a `Bound`
        rule = _RULES.get(op)
        return self._nothing if rule is None else rule(self, *a)

    def _chain(self, a: Jet, f: Interval, f1: Interval, f2: Interval) -> Jet:
        """f(a) from the ranges of f, f' and f''."""
        over = self.over
        return f, over.times(f1, a[1]), over.plus(over.times(f1, a[2]), over.times(f2, over.square(a[1])))

    def _product(self, a: Jet, b: Jet) -> Jet:
        over = self.over
        first = over.plus(over.times(a[0], b[1]), over.times(a[1], b[0]))
        second = over.plus(over.times(a[0], b[2]), over.times(a[2], b[0]))
        return over.times(a[0], b[0]), first, over.plus(second, over.scaled(2.0, over.times(a[1], b[1])))

    def _squared(self, a: Jet) -> Jet:
        over = self.over
        return self._chain(a, over.square(a[0]), over.scaled(2.0, a[0]), over.number(2.0))

    def _reciprocal(self, a: Jet) -> Jet:
        over = self.over
        q = over.inverse(a[0])
        square = over.square(q)
        return self._chain(a, q, over.negative(square), over.scaled(2.0, over.times(square, q)))

    def _both_waves(self, a: Jet) -> tuple[Interval, Interval]:
        if a[0] not in self._waves:
            self._waves[a[0]] = self.over.waves(a[0])
        return self._waves[a[0]]

    def _sine(self, a: Jet) -> Jet:
        s, c = self._both_waves(a)
        return self._chain(a, s, c, self.over.negative(s))

    def _cosine(self, a: Jet) -> Jet:
        s, c = self._both_waves(a)
        return self._chain(a, c, self.over.negative(s), self.over.negative(c))

    def _exponential(self, a: Jet) -> Jet:
        e = self.over.rising("exp", a[0], positive=True, wild=True)
        return self._chain(a, e, e, e)

    def _logarithm(self, a: Jet) -> Jet:
        over = self.over
        q = over.inverse(a[0])
        return self._chain(a, over.rising("log", a[0], wild=True), q, over.negative(over.square(q)))

    def _power(self, a: Jet, b: Jet) -> Jet:
        """a**b = exp(b log a) for a > 0; for whole constant b by products."""
        exponent = self.graph.value(b[0][0]) if b[0][0] == b[0][1] else None
        if exponent is not None and float(exponent).is_integer() and abs(exponent) < _INTEGER:
            whole = self._whole_power(a, int(abs(exponent)))
            return whole if exponent >= 0 else self._reciprocal(whole)
        return self._exponential(self._product(b, self._logarithm(a)))

    def _whole_power(self, a: Jet, n: int) -> Jet:
        power: Jet | None = None
        square = a
        while n:
            if n & 1:
                power = square if power is None else self._product(power, square)
            n >>= 1
            square = self._squared(square) if n else square
        return (self.over.one, self.over.zero, self.over.zero) if power is None else power

    def _root(self, a: Jet) -> Jet:
        over = self.over
        value = over.root(a[0])
        inverse = over.inverse(value)
        q = over.scaled(0.5, inverse)
        return self._chain(a, value, q, over.scaled(-0.5, over.times(q, over.square(inverse))))

    def _tangent(self, a: Jet) -> Jet:
        return self._product(self._sine(a), self._reciprocal(self._cosine(a)))

    def _hyperbolic_tangent(self, a: Jet) -> Jet:
        over = self.over
        value = over.rising("tanh", a[0])
        steep = over.minus(over.one, over.square(value))
        return self._chain(a, value, steep, over.scaled(-2.0, over.times(value, steep)))

    def _hyperbolic(self, a: Jet) -> tuple[Interval, Interval]:
        over = self.over
        grows, falls = (over.rising("exp", e, positive=True, wild=True) for e in (a[0], over.negative(a[0])))
        return over.rising("sinh", a[0], wild=True), over.scaled(0.5, over.plus(grows, falls))

    def _sinh(self, a: Jet) -> Jet:
        s, c = self._hyperbolic(a)
        return self._chain(a, s, c, s)

    def _cosh(self, a: Jet) -> Jet:
        s, c = self._hyperbolic(a)
        return self._chain(a, c, s, c)

    def _arctangent(self, a: Jet) -> Jet:
        over = self.over
        q = over.inverse(over.plus(over.one, over.square(a[0])))
        return self._chain(a, over.rising("atan", a[0]), q, over.scaled(-2.0, over.times(a[0], over.square(q))))

    def _arc(self, a: Jet, value: Interval, offset: float, sign: float) -> Jet:
        """f' = 1/sqrt(m), f'' = -m'/(2 m sqrt(m)), with m = offset + sign a^2."""
        over = self.over
        m = over.plus(over.number(offset), over.scaled(sign, over.square(a[0])))
        q = over.inverse(over.root(m))
        slope = over.times(over.scaled(-sign, a[0]), over.times(q, over.square(q)))
        return self._chain(a, value, q, slope)

    def _arcsine(self, a: Jet) -> Jet:
        return self._arc(a, self.over.rising("asin", a[0], wild=True), 1.0, -1.0)

    def _arccosine(self, a: Jet) -> Jet:
        _, slope, bend = self._arcsine(a)
        return self.over.falling("acos", a[0]), self.over.negative(slope), self.over.negative(bend)

    def _asinh(self, a: Jet) -> Jet:
        return self._arc(a, self.over.rising("asinh", a[0]), 1.0, 1.0)

    def _acosh(self, a: Jet) -> Jet:
        return self._arc(a, self.over.rising("acosh", a[0], wild=True), -1.0, 1.0)

    def _atanh(self, a: Jet) -> Jet:
        over = self.over
        q = over.inverse(over.minus(over.one, over.square(a[0])))
        return self._chain(
            a, over.rising("atanh", a[0], wild=True), q, over.scaled(2.0, over.times(a[0], over.square(q)))
        )

    def _error_function(self, a: Jet) -> Jet:
        over = self.over
        bell = over.rising("exp", over.negative(over.square(a[0])), positive=True)
        slope = over.scaled(2.0 / math.sqrt(math.pi), bell)
        return self._chain(a, over.rising("erf", a[0]), slope, over.scaled(-2.0, over.times(a[0], slope)))

    def _angle(self, y: Jet, x: Jet) -> Jet:
        """atan2(y, x), without a bound where the box contains the origin or points of the cut along the negative x
        axis."""
        over, graph = self.over, self.graph
        corners = [graph.call("atan2", b, a) for b in y[0] for a in x[0]]
        low = over.least(over.least(*corners[:2]), over.least(*corners[2:]))
        high = over.most(over.most(*corners[:2]), over.most(*corners[2:]))
        whole = over.hull((low, low), (high, high))
        rounding = over.hull(over.number(-4.0 * EPS), over.number(4.0 * EPS))
        whole = over.plus(whole, over.times(whole, rounding))
        cut = graph.not_(
            graph.or_(
                graph.below(graph.zero, x[0][0]),
                graph.or_(graph.below(graph.zero, y[0][0]), graph.below(y[0][1], graph.zero)),
            )
        )
        q = over.inverse(over.plus(over.square(x[0]), over.square(y[0])))

        def turn(order: int) -> Interval:
            return over.times(over.minus(over.times(x[0], y[order]), over.times(y[0], x[order])), q)

        first, along = turn(1), over.times(over.plus(over.times(x[0], x[1]), over.times(y[0], y[1])), q)
        second = over.minus(turn(2), over.scaled(2.0, over.times(first, along)))
        circle = over.number(-4.0)[0], over.number(4.0)[0]
        return (
            over.select(cut, circle, whole),
            over.select(cut, over.everything, first),
            over.select(cut, over.everything, second),
        )

    def _choose(self, node: Node, condition: tuple[Node, Node], a: Jet, b: Jet, fixed: bool) -> Jet:
        """One branch, or both where either may be active: then they may differ where they meet."""
        over, (may, fail) = self.over, condition
        if fixed:
            return tuple(over.select(node, p, q) for p, q in zip(a, b, strict=True))
        whole = [over.hull(p, q) for p, q in zip(a, b, strict=True)]
        if not self._two_ways(node):
            whole[1:] = over.everything, over.everything
        indeterminate = self.graph.and_(may, fail)
        return tuple(
            over.select(indeterminate, both, over.select(may, p, q)) for both, p, q in zip(whole, a, b, strict=True)
        )

    def _two_ways(self, condition: Node) -> bool:
        """Whether a condition chooses between two ways of writing one smooth function."""
        graph, waiting = self.graph, [condition]
        while waiting:
            node = waiting.pop()
            if graph.ops[node] in ("and", "or", "not"):
                waiting += graph.args[node]
            elif graph.ops[node] not in ("below", "true", "false"):
                return False
        return True

    def _smaller(self, a: Jet, b: Jet) -> Jet:
        """min(a, b): at an intersection the slope decreases, which violates no upper bound of the second derivative."""
        return self._extreme(a, b, self.over.least, 0)

    def _larger(self, a: Jet, b: Jet) -> Jet:
        return self._extreme(a, b, self.over.most, 1)

    def _extreme(self, a: Jet, b: Jet, choose: Callable[[Node, Node], Node], larger: int) -> Jet:
        over, graph = self.over, self.graph
        first = graph.below(a[0][1], b[0][0]) if not larger else graph.below(b[0][1], a[0][0])
        second = graph.below(b[0][1], a[0][0]) if not larger else graph.below(a[0][1], b[0][0])
        value = over.hull(*(((choose(a[0][i], b[0][i]),) * 2) for i in (0, 1)))
        slope, bend = over.hull(a[1], b[1]), over.hull(a[2], b[2])
        bend = (bend[0], over.everything[1]) if larger else (over.everything[0], bend[1])
        return tuple(
            over.select(first, p, over.select(second, q, whole))
            for p, q, whole in zip(a, b, (value, slope, bend), strict=True)
        )

    def _magnitude(self, a: Jet) -> Jet:
        return self._larger(a, tuple(self.over.negative(part) for part in a))

    def _step(self, name: str, a: Jet) -> Jet:
        """An increasing step function."""
        over, graph = self.over, self.graph
        low, high = (graph.call(name, end) for end in a[0])
        moves = graph.below(low, high)
        rest = over.select(moves, over.everything, over.zero)
        return (low, high), rest, rest

    def _heaviside(self, a: Jet, at_zero: Jet) -> Jet:
        over, graph = self.over, self.graph
        value = over.hull(over.hull(over.zero, over.one), at_zero[0])
        above, under = graph.below(graph.zero, a[0][0]), graph.below(a[0][1], graph.zero)
        decided = graph.or_(above, under)
        rest = over.select(decided, over.zero, over.everything)
        return over.select(above, over.one, over.select(under, over.zero, value)), rest, rest

    def _remainder(self, a: Jet, b: Jet) -> Jet:
        """a - b floor(a/b)."""
        whole = self._step("floor", self._product(a, self._reciprocal(b)))
        return tuple(self.over.minus(p, q) for p, q in zip(a, self._product(b, whole), strict=True))


_RULES: dict[str, Callable[..., Jet]] = {
    "sin": Enclosure._sine,
    "cos": Enclosure._cosine,
    "tan": Enclosure._tangent,
    "asin": Enclosure._arcsine,
    "acos": Enclosure._arccosine,
    "atan": Enclosure._arctangent,
    "atan2": Enclosure._angle,
    "sinh": Enclosure._sinh,
    "cosh": Enclosure._cosh,
    "tanh": Enclosure._hyperbolic_tangent,
    "asinh": Enclosure._asinh,
    "acosh": Enclosure._acosh,
    "atanh": Enclosure._atanh,
    "exp": Enclosure._exponential,
    "log": Enclosure._logarithm,
    "pow": Enclosure._power,
    "sqrt": Enclosure._root,
    "erf": Enclosure._error_function,
    "min": Enclosure._smaller,
    "max": Enclosure._larger,
    "abs": Enclosure._magnitude,
    "floor": lambda self, a: self._step("floor", a),
    "ceiling": lambda self, a: self._step("ceiling", a),
    "sign": lambda self, a: self._step("sign", a),
    "heaviside": Enclosure._heaviside,
    "mod": Enclosure._remainder,
}
