"""Interval arithmetic as nodes: an interval is the pair of the nodes of its two ends.

Ends are moved outwards by 4 units of the last place after every operation, while a rounded operation has an error of
half of one and a function of the C library of about one; so no rounding mode has to be set. An end may be infinite;
none is NaN: where an operation has no value the interval is the whole line.
"""

from __future__ import annotations

import math

from sympact.graph.nodes.expression import Graph
from sympact.graph.nodes.node import Node
from sympact.native.rounding import EPS, HALF_DIGITS

__all__ = ["Interval", "Intervals"]

Interval = tuple[Node, Node]

_WIDER = 4.0 * EPS  # of an end: four units of the last place
_HIGHEST = 9  # a product of so many inputs below 1e30 does not overflow
_LARGEST_ANGLE = HALF_DIGITS / _WIDER  # beyond it the phase of the end of an interval is unknown


class Intervals:
    """Operations on intervals of nodes of one graph.

    An interval whose two ends are the same node is a single number; it is not widened, because expressions of
    parameters alone are rounded equally in every evaluation.

    Parameters
    ----------
    graph : Graph

    Attributes
    ----------
    zero, one, everything : Interval

    Examples
    --------
    >>> graph = Graph()
    >>> over = Intervals(graph)
    >>> low, high = over.square((graph.const(-1.0), graph.const(2.0)))
    >>> graph.value(low), graph.value(high) >= 4.0
    (0.0, True)
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.zero, self.one = (graph.zero,) * 2, (graph.one,) * 2
        self.everything = graph.const(-math.inf), graph.const(math.inf)
        self._wild: set[Node] = set(self.everything)  # ends that may be infinite
        self._positive: set[Node] = set()  # lower ends that are not negative
        self._degree: dict[int, int] = {}

    def number(self, value: float) -> Interval:
        """A single number."""
        return (self.graph.const(value),) * 2

    def input(self, low: Node, high: Node) -> Interval:
        """An interval whose ends are given from outside: finite numbers."""
        self._degree[low] = self._degree[high] = 1
        return low, high

    def least(self, a: Node, b: Node) -> Node:
        """The smaller of two ends."""
        return a if a == b else self.graph.select(self.graph.below(a, b), a, b)

    def most(self, a: Node, b: Node) -> Node:
        """The larger of two ends."""
        return a if a == b else self.graph.select(self.graph.below(a, b), b, a)

    def plus(self, a: Interval, b: Interval) -> Interval:
        """The sum."""
        if self.zero in (a, b):
            return b if a == self.zero else a
        add = self.graph.add
        return self._out(add(a[0], b[0]), add(a[1], b[1]), (a, b), max(self._power(a), self._power(b)))

    def minus(self, a: Interval, b: Interval) -> Interval:
        """The difference."""
        return self.plus(a, self.negative(b))

    def negative(self, a: Interval) -> Interval:
        """-a."""
        return self._like(a, self.graph.neg(a[1]), self.graph.neg(a[0]))

    def times(self, a: Interval, b: Interval) -> Interval:
        """The product; zero times infinity is zero."""
        if self.zero in (a, b):
            return self.zero
        if self.one in (a, b):
            return b if a == self.one else a
        if b[0] == b[1]:
            a, b = b, a
        power = self._power(a) + self._power(b)
        if a[0] == a[1]:
            p, q, sign = self._product(a[0], b[0]), self._product(a[0], b[1]), self.graph.value(a[0])
            if sign is not None:
                return self._out(*((p, q) if sign >= 0 else (q, p)), (b,), power, sign > 0 and b[0] in self._positive)
            return self._out(self.least(p, q), self.most(p, q), (a, b), power)
        return self._out(*self._corners(a, b), (a, b), power, a[0] in self._positive and b[0] in self._positive)

    def _corners(self, a: Interval, b: Interval) -> tuple[Node, Node]:
        """The least and the largest of the possible products of ends."""
        if b[0] in self._positive:
            a, b = b, a
        product = self._product
        if a[0] in self._positive and b[0] in self._positive:
            return product(a[0], b[0]), product(a[1], b[1])
        p, q, r, s = product(a[0], b[0]), product(a[0], b[1]), product(a[1], b[0]), product(a[1], b[1])
        if a[0] in self._positive:
            return self.least(p, r), self.most(q, s)
        return self.least(self.least(p, q), self.least(r, s)), self.most(self.most(p, q), self.most(r, s))

    def scaled(self, factor: float, a: Interval) -> Interval:
        """A number times an interval."""
        return self.times(self.number(factor), a)

    def square(self, a: Interval) -> Interval:
        """a squared."""
        graph = self.graph
        p, q = self._product(a[0], a[0]), self._product(a[1], a[1])
        if a[0] == a[1]:
            return p, p
        spans = graph.and_(graph.below(a[0], graph.zero), graph.below(graph.zero, a[1]))
        low = self.least(p, q) if a[0] in self._positive else graph.select(spans, graph.zero, self.least(p, q))
        return self._out(low, self.most(p, q), (a,), 2 * self._power(a), True)

    def inverse(self, a: Interval) -> Interval:
        """1/a; everything where zero is inside."""
        graph = self.graph
        if a[0] == a[1]:
            return (graph.div(graph.one, a[0]),) * 2
        above, under = graph.below(graph.zero, a[0]), graph.below(a[1], graph.zero)
        apart = graph.or_(above, under)
        ends = graph.div(graph.one, a[1]), graph.div(graph.one, a[0])
        low, high = (graph.select(apart, end, far) for end, far in zip(ends, self.everything, strict=True))
        if a[0] in self._positive:
            low = graph.select(apart, ends[0], graph.zero)  # 1/0 is on one side only
        return self._wide(low, high, a[0] in self._positive)

    def rising(self, name: str, a: Interval, *, positive: bool = False, wild: bool = False) -> Interval:
        """An increasing function; with `wild` it may have no value, or an infinite one, at an end."""
        low, high = (self.graph.call(name, end) for end in a)
        if a[0] == a[1]:
            return low, high
        if wild:
            return self._wide(low, high, positive)
        return self._out(low, high, (), 1, positive)

    def falling(self, name: str, a: Interval) -> Interval:
        """A decreasing function that may have no value at an end."""
        low, high = (self.graph.call(name, end) for end in (a[1], a[0]))
        return self._wide(low, high)

    def root(self, a: Interval) -> Interval:
        """The square root of the nonnegative part of the interval."""
        graph = self.graph
        low = a[0] if a[0] in self._positive else graph.select(graph.below(a[0], graph.zero), graph.zero, a[0])
        high = a[1] if a[0] in self._positive else graph.select(graph.below(a[1], graph.zero), graph.zero, a[1])
        low, high = graph.call("sqrt", low), graph.call("sqrt", high)
        return self._out(low, high, (a,), self._power(a), True)

    def waves(self, a: Interval) -> tuple[Interval, Interval]:
        """The ranges of sine and cosine: their ends, or 1 and -1 where an extremum is inside."""
        graph = self.graph
        turns = [graph.mul(end, graph.const(0.5 / math.pi)) for end in a]
        size = graph.add(graph.call("abs", a[0]), graph.call("abs", a[1]))
        known = graph.below(size, graph.const(_LARGEST_ANGLE))

        def inside(shift: float) -> Node:
            low = graph.sub(turns[0], graph.const(shift + HALF_DIGITS))
            high = graph.sub(turns[1], graph.const(shift - HALF_DIGITS))
            apart = graph.below(graph.call("floor", high), graph.call("ceiling", low))
            return graph.not_(graph.and_(apart, known))

        ranges = []
        for name, crest in (("sin", 0.25), ("cos", 0.0)):
            p, q = (graph.call(name, end) for end in a)
            low = graph.select(inside(crest + 0.5), graph.const(-1.0), self.least(p, q))
            ranges.append(self._out(low, graph.select(inside(crest), graph.one, self.most(p, q)), (), 1))
        return ranges[0], ranges[1]

    def size(self, a: Interval) -> Node:
        """The largest magnitude, a node."""
        if a[0] == a[1] or a[0] in self._positive:
            return a[1] if a[0] in self._positive else self.graph.call("abs", a[0])
        return self.most(self.graph.neg(a[0]), a[1])

    def hull(self, a: Interval, b: Interval) -> Interval:
        """The smallest interval that contains both."""
        return self._chosen(self.least(a[0], b[0]), self.most(a[1], b[1]), a, b)

    def select(self, condition: Node, a: Interval, b: Interval) -> Interval:
        """One of two by a condition with the same truth value over the whole interval."""
        select = self.graph.select
        return self._chosen(select(condition, a[0], b[0]), select(condition, a[1], b[1]), a, b)

    def upto(self, a: Node) -> Interval:
        """All numbers up to an end."""
        self._wild.add(a)
        return self.everything[0], a

    def _chosen(self, low: Node, high: Node, a: Interval, b: Interval) -> Interval:
        if a[0] in self._positive and b[0] in self._positive:
            self._positive.add(low)
        return self._like((a[0], b[0], a[1], b[1]), low, high)

    def _like(self, sources: tuple[Node, ...], low: Node, high: Node) -> Interval:
        """Ends as large as some others."""
        power = max(self._degree.get(end, 0) for end in sources)
        for end in (low, high):
            if not self._wild.isdisjoint(sources):
                self._wild.add(end)
            self._degree[end] = max(power, self._degree.get(end, 0))
        return low, high

    def _power(self, a: Interval) -> int:
        return max(self._degree.get(end, 0) for end in a)

    def _product(self, a: Node, b: Node) -> Node:
        """The product of two ends; zero where one is zero and the other infinite."""
        product = self.graph.mul(a, b)
        if self._wild.isdisjoint((a, b)) or self.graph.ops[product] == "const":
            return product
        return self.graph.select(self.graph.equal(product, product), product, self.graph.zero)

    def _wide(self, low: Node, high: Node, positive: bool = False) -> Interval:
        """Rounded outwards, of ends that may be infinite or have no value."""
        return self._out(low, high, (self.everything,), 1, positive)

    def _out(
        self, low: Node, high: Node, sources: tuple[Interval, ...], power: int, positive: bool = False
    ) -> Interval:
        """Ends moved outwards; constants are exact."""
        graph, ends = self.graph, []
        wild = power > _HIGHEST or any(end in self._wild for source in sources for end in source)
        if low == high:
            ends = [low, high]  # a single number, evaluated equally elsewhere
        else:
            for end, move in ((low, graph.sub), (high, graph.add)):
                value = graph.value(end)
                more = graph.mul(graph.const(_WIDER), graph.call("abs", end))
                ends.append(end if value is not None and math.isfinite(value) else move(end, more))
        if wild:
            instead = (graph.zero if positive else self.everything[0], self.everything[1])
            ends = [
                end if graph.value(end) is not None else graph.select(graph.equal(end, end), end, other)
                for end, other in zip(ends, instead, strict=True)
            ]
            self._wild.update(ends)
        for end in ends:
            self._degree[end] = max(power, self._degree.get(end, 0))
        if positive:
            self._positive.add(ends[0])
        return ends[0], ends[1]
