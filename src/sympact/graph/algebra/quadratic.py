"""Sparse quadratic forms z^T K z / 2 - b^T z in named unknowns: substitution and elimination, term by term.

Each term is a node, and terms that are the node `zero` are left out, so that a form has only as many terms as unknowns
that meet in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sympact.graph.nodes.expression import Graph
from sympact.graph.nodes.node import Node

__all__ = ["Eliminated", "QuadraticForm"]


@dataclass(frozen=True, slots=True)
class Eliminated:
    """An unknown at the stationary point of a form: z = value - sum of factor z_k over the others.

    Attributes
    ----------
    unknown : int
    value : node
    factors : mapping of int to node
    pivot, inverse : node
        K_zz when it was eliminated, and 1 / K_zz.
    """

    unknown: int
    value: Node
    factors: Mapping[int, Node]
    pivot: Node
    inverse: Node


class QuadraticForm:
    """z^T K z / 2 - b^T z with symmetric K; unknowns are whole numbers.

    Parameters
    ----------
    graph : Graph

    Examples
    --------
    >>> graph = Graph()
    >>> form = QuadraticForm(graph)
    >>> form.add(0, 0, graph.const(2)), form.add(0, 1, graph.const(1)), form.add(1, 1, graph.const(2))
    (None, None, None)
    >>> form.load(0, graph.const(4)), form.load(1, graph.const(5))
    (None, None)
    >>> second, first = form.eliminate(1), form.eliminate(0)
    >>> graph.value(first.value), second.factors == {0: graph.const(0.5)}
    (1.0, True)
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._rows: dict[int, dict[int, Node]] = {}
        self._loads: dict[int, Node] = {}

    def add(self, i: int, j: int, term: Node) -> None:
        """K_ij and K_ji += term."""
        if term != self._graph.zero:
            entry = self._graph.add(self._rows.setdefault(i, {}).get(j, self._graph.zero), term)
            self._rows[i][j] = self._rows.setdefault(j, {})[i] = entry

    def load(self, i: int, term: Node) -> None:
        """b_i += term."""
        self._loads[i] = self._graph.add(self._loads.get(i, self._graph.zero), term)

    def absorb(self, other: QuadraticForm) -> None:
        """Add another form."""
        for i, row in other._rows.items():
            for j, term in row.items():
                if j <= i:
                    self.add(i, j, term)
        for i, term in other._loads.items():
            self.load(i, term)

    def substitute(self, column: Mapping[int, Node], unknown: int) -> None:
        """Replace each z_i of a column by z_i + column_i z_unknown."""
        graph, growth = self._graph, dict[int, Node]()
        for i, factor in column.items():
            for j, entry in self._rows.get(i, {}).items():
                growth[j] = graph.add(growth.get(j, graph.zero), graph.mul(entry, factor))
        square = graph.sum(graph.mul(growth[i], factor) for i, factor in column.items() if i in growth)
        own = growth.pop(unknown, graph.zero)
        for j, term in growth.items():
            self.add(unknown, j, term)
        self.add(unknown, unknown, graph.add(graph.add(own, own), square))
        for i, factor in column.items():
            if i in self._loads:
                self.load(unknown, graph.mul(self._loads[i], factor))

    def drop(self, unknowns: Iterable[int]) -> None:
        """Set unknowns to zero."""
        for i in unknowns:
            for j in self._rows.pop(i, {}):
                if j != i:
                    del self._rows[j][i]
            self._loads.pop(i, None)

    def eliminate(self, unknown: int) -> Eliminated:
        """Make the form stationary in an unknown; what remains is a form in the others."""
        graph, row = self._graph, self._rows.get(unknown, {})
        pivot, load = row.get(unknown, graph.zero), self._loads.get(unknown, graph.zero)
        inverse = graph.div(graph.one, pivot)
        others = {i: entry for i, entry in row.items() if i != unknown}
        factors = {i: graph.one if entry == pivot else graph.mul(entry, inverse) for i, entry in others.items()}
        self.drop([unknown])
        for i, factor in factors.items():
            for j in others:
                if j <= i:
                    whole = factors[j] == graph.one  # K_ij itself, so that the difference vanishes
                    self._reduce(i, j, others[i] if whole else graph.mul(factor, others[j]))
            self.load(i, graph.neg(graph.mul(factor, load)))
        return Eliminated(unknown, graph.mul(load, inverse), factors, pivot, inverse)

    def _reduce(self, i: int, j: int, term: Node) -> None:
        """K_ij and K_ji -= term; a term that vanishes is left out."""
        graph = self._graph
        entry = graph.sub(self._rows[i].get(j, graph.zero), term)
        if entry == graph.zero:
            self._rows[i].pop(j, None)
            self._rows[j].pop(i, None)
        else:
            self._rows[i][j] = self._rows[j][i] = entry
