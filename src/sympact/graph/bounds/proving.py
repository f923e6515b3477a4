"""The boundaries that are searched by their enclosures, and the functions of the search."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sympact.graph.algebra.derivative import Tangent
from sympact.graph.bounds.enclosure import Bound, Enclosure
from sympact.graph.bounds.plain import bending
from sympact.graph.nodes.expression import Graph
from sympact.graph.nodes.function import Function
from sympact.graph.nodes.node import Node
from sympact.graph.nodes.size import reachable

__all__ = ["Proving"]


@dataclass(frozen=True, slots=True, eq=False)
class Proving:
    """Boundaries of one stage, classified by the possible proofs.

    Attributes
    ----------
    graph : Graph
    nodes : tuple of node
    plain : tuple of bool or None
        For each: True where the ends of a step determine the boundary, as long as its angles change little; False where
        only its enclosure does; None where it has none.
    states : tuple of int
        Those that occur in enclosed expressions.
    phases : Node or None
        The largest sum of |rates| of the angles of a plain boundary, along the input ``xdot`` (rad/s).
    bounds : mapping of node to Bound
    """

    graph: Graph
    nodes: tuple[Node, ...]
    plain: tuple[bool | None, ...]
    states: tuple[int, ...]
    phases: Node | None
    bounds: Mapping[Node, Bound]

    @classmethod
    def of(
        cls,
        graph: Graph,
        nodes: Sequence[Node],
        *,
        fed: Collection[Node] = (),
        bounds: Mapping[Node, Bound] | None = None,
    ) -> Proving:
        """Classify the boundaries.

        Parameters
        ----------
        graph : Graph
        nodes : sequence of node
        fed : collection of node
            Inputs of ``p`` that change within a step in a way that the graph does not contain.
        bounds : mapping of node to Bound, optional
            Known bounds of nodes that an iteration computes.
        """
        plain: list[bool | None] = []
        bounds, phases, states = dict(bounds or {}), [], set()
        for node in nodes:
            parts, unknown = _parts(graph, node, bounds)
            bent = bending(graph, node)
            if unknown or not set(fed).isdisjoint(parts):
                plain.append(None)
                continue
            plain.append(bent.plain and node not in bounds)
            states |= {graph.args[n][1] for n in parts if graph.ops[n] == "input" and graph.args[n][0] == "x"}
            if plain[-1] and bent.phases:
                phases.append(_turning(graph, bent.phases))
        largest = None
        for sum_of_rates in phases:
            largest = sum_of_rates if largest is None else graph.call("max", largest, sum_of_rates)
        return cls(graph, tuple(nodes), tuple(plain), tuple(sorted(states)), largest, bounds)

    @property
    def wanted(self) -> bool:
        """Whether any boundary may need a proof."""
        return self.phases is not None or False in self.plain

    def phases_function(self, name: str) -> Function:
        """The function of `phases`."""
        return Function(name, () if self.phases is None else (self.phases,), ("t", "x", "xdot", "p"))

    def enclosed_function(self, name: str) -> Function:
        """The enclosures of all boundaries, six ends each; zeros for those that have none."""
        enclose, ends = Enclosure(self.graph, self.states, self.bounds), []
        for node, plain in zip(self.nodes, self.plain, strict=True):
            ends += [self.graph.zero] * 6 if plain is None else enclose([node])
        groups = tuple(k for k in range(len(self.nodes)) for _ in range(6))
        return Function(name, tuple(ends), ("t", "x", "p"), groups=groups)


def _parts(graph: Graph, node: Node, bounds: Mapping[Node, Bound]) -> tuple[list[Node], bool]:
    """The nodes of which a node consists, down to those with a bound; and whether any of them is unknown."""
    parts = reachable(graph, [node], bounds)
    within = [n for part in parts if part in bounds for n in _ends(bounds[part])]
    letters = {letter for part in parts if part in bounds for letter in bounds[part].letters}
    parts = sorted({*reachable(graph, [*parts, *within], bounds)})
    strange = [n for n in parts if graph.ops[n] == "input" and graph.args[n][0] not in ("x", "p", "t")]
    return parts, any(graph.ops[n] == "held" and n not in bounds for n in parts) or not letters.issuperset(strange)


def _ends(bound: Bound) -> tuple[Node, ...]:
    return bound.place if bound.radius is None else (*bound.place, bound.radius)


def _turning(graph: Graph, angles: Sequence[Node]) -> Node:
    """The sum of |rates| of some angles along the input ``xdot``."""
    inputs = [n for n in reachable(graph, angles) if graph.ops[n] == "input" and graph.args[n][0] in "tx"]
    seed = {n: graph.one if graph.args[n][0] == "t" else graph.input("xdot", graph.args[n][1]) for n in inputs}
    rate = Tangent(graph, seed)
    return graph.sum(graph.call("abs", rate(angle)) for angle in angles)
