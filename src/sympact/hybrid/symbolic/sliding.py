"""Filippov's convex combination along conditions of a flow.

Where the flows f+ and f- on both sides of the boundary m(t, x) = 0 of a condition lead back to it, the motion continues
on it with x' = alpha f+ + (1 - alpha) f-, alpha = m'- / (m'- - m'+), where m'+ and m'- are the rates of m along f+ and
f- (Filippov 1988, section 4). It ends where alpha leaves [0, 1]: at the zero of -m'+ m'-.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import sympy as sm

from sympact.graph import Graph, Substitution, Switch, jacobian, reachable
from sympact.graph.nodes.node import Node
from sympact.hybrid.symbolic.reading import Reading

__all__ = ["Sliding", "SlidingStage", "choose", "sliding_stages"]

_MOST = 4  # conditions of one stage along which it may slide: it has 2^4 - 1 stages that slide


@dataclass(frozen=True)
class SlidingStage:
    """A stage that slides along some of its conditions.

    Parameters
    ----------
    switches : tuple of int
        These conditions.
    rates : list of node
        Of all states.
    ends : list of node
        For each of these conditions -m'+ m'-.
    projected : list of node
        The state on the boundaries nearest to a state.
    """

    switches: tuple[int, ...]
    rates: list[Node]
    ends: list[Node]
    projected: list[Node]


@dataclass
class Sliding:
    """The conditions that may slide: all, or those of some margins, none of which may be left unused."""

    all: bool = False
    margins: dict[Node, sm.Expr] = field(default_factory=dict)
    used: set[Node] = field(default_factory=set)

    def may(self, negative: Node, margin: Node) -> bool:
        """Whether the condition of a margin, given with its negative, may slide."""
        found = {negative, margin} & set(self.margins)
        self.used |= found
        return self.all or bool(found)

    def unused(self) -> list[str]:
        """A sentence for each margin that is not one of a condition."""
        return [
            f"sliding names {expression}, which is the margin of no condition in a flow; a condition such as"
            f" sign(x - 1) or x > 1 has the margin x - 1"
            for node, expression in self.margins.items()
            if node not in self.used
        ]


def choose(reading: Reading, sliding: object) -> Sliding:
    """The choice as it was given: None, "filippov", or ``{margin: "filippov"}``."""
    if sliding is None:
        return Sliding()
    if sliding == "filippov":
        return Sliding(all=True)
    if isinstance(sliding, Mapping) and all(value == "filippov" for value in sliding.values()):
        return Sliding(margins={reading.node(margin, "sliding"): margin for margin in sliding})
    raise ValueError(f"sliding is {sliding!r}, expected None, 'filippov', or {{margin: 'filippov'}}")


def sliding_stages(
    reading: Reading, name: str, rates: Sequence[Node], switches: Sequence[Switch], chosen: Sliding
) -> Iterator[SlidingStage]:
    """The stages that slide along one or several conditions of a stage."""
    graph = reading.graph
    flow = _Combined(reading, rates, switches)
    may = [
        i
        for i, switch in enumerate(switches)
        if switch.counted is None and chosen.may(graph.neg(switch.written), switch.written) and flow.can_slide(i)
    ]
    if len(may) > _MOST:
        reading.faults.append(
            f"the flow of stage {name!r} has {len(may)} conditions that may slide, expected at most {_MOST};"
            " name those that shall, sliding={margin: 'filippov', ...}"
        )
        return
    for size in range(1, len(may) + 1):
        for some in combinations(may, size):
            ends = [graph.neg(graph.mul(*flow.both_rates(some, i))) for i in some]
            yield SlidingStage(some, flow.rates(some), ends, _projected(reading, [switches[i].margin for i in some]))


class _Combined:
    """The flow of a stage in which some conditions slide, one combination within the other."""

    def __init__(self, reading: Reading, rates: Sequence[Node], switches: Sequence[Switch]) -> None:
        self._reading, self._switches = reading, switches
        self._rates: dict[tuple[int, ...], list[Node]] = {(): list(rates)}

    def can_slide(self, i: int) -> bool:
        """Whether the rate of a margin depends on its condition, and no other condition is made of it."""
        graph, value = self._reading.graph, self._switches[i].value
        others = [switch.margin for switch in self._switches if switch.value != value]
        above, below = self.both_rates((i,), i)
        return above != below and value not in reachable(graph, others)

    def rates(self, some: tuple[int, ...]) -> list[Node]:
        """The rates where some conditions slide."""
        if some not in self._rates:
            graph, last, before = self._reading.graph, some[-1], some[:-1]
            above, below = self._sides(before, last)
            up, down = self._along(above, last), self._along(below, last)
            alpha = graph.div(down, graph.sub(down, up))
            self._rates[some] = [
                low if low == high else graph.add(low, graph.mul(alpha, graph.sub(high, low)))
                for high, low in zip(above, below, strict=True)
            ]
        return self._rates[some]

    def both_rates(self, some: tuple[int, ...], i: int) -> tuple[Node, Node]:
        """The rates of the margin of a condition on its two sides, where the others of some slide."""
        above, below = self._sides(tuple(j for j in some if j != i), i)
        return self._along(above, i), self._along(below, i)

    def _sides(self, some: tuple[int, ...], i: int) -> tuple[list[Node], list[Node]]:
        graph, value, rates = self._reading.graph, self._switches[i].value, self.rates(some)
        above, below = Substitution(graph, {value: graph.one}), Substitution(graph, {value: graph.const(-1.0)})
        return [above(rate) for rate in rates], [below(rate) for rate in rates]

    def _along(self, rates: Sequence[Node], i: int) -> Node:
        return self._reading.along(rates)(self._switches[i].margin)


def _projected(reading: Reading, margins: Sequence[Node]) -> list[Node]:
    """The state after one Newton step onto m = 0: x - J^T (J J^T)^-1 m, the shortest one.

    The flow keeps m at zero, so that only the error of a step is corrected, whose square is far below rounding.
    """
    graph, states, gradients = reading.graph, reading.states, jacobian(reading.graph, margins, reading.states)
    products = [[graph.sum(map(graph.mul, one, other)) for other in gradients] for one in gradients]
    moved = list(states)
    for gradient, step in zip(gradients, _solved(graph, products, margins), strict=True):
        moved = [
            x if slope == graph.zero else graph.sub(x, graph.mul(slope, step))
            for x, slope in zip(moved, gradient, strict=True)
        ]
    return moved


def _solved(graph: Graph, matrix: Sequence[Sequence[Node]], right: Sequence[Node]) -> list[Node]:
    """The solution of a positive definite system, by elimination without a search for pivots."""
    rows = [[*row, b] for row, b in zip(matrix, right, strict=True)]
    n = len(rows)
    for i in range(n):
        for j in range(i + 1, n):
            factor = graph.div(rows[j][i], rows[i][i])
            rows[j] = [graph.sub(b, graph.mul(factor, a)) for a, b in zip(rows[i], rows[j], strict=True)]
    solution: list[Node] = []
    for i in reversed(range(n)):
        known = graph.sum(map(graph.mul, rows[i][i + 1 : n], reversed(solution)))
        solution.append(graph.div(graph.sub(rows[i][n], known), rows[i][i]))
    return solution[::-1]
