"""Expansion of nodes into polynomials, within a budget."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from sympact.graph.algebra.polynomial import Monomial, Polynomial, accumulate, common_factor, product, write
from sympact.graph.nodes.expression import Graph
from sympact.graph.nodes.node import Node

__all__ = ["Expansion"]

_LARGEST_EXACT = 4096.0
_PARTNERS = {"sin": "cos", "cos": "sin"}


class Expansion:
    """Nodes as polynomials, with like terms collected and sin(a)^2 + cos(a)^2 = 1 applied.

    Atoms are inputs, functions, divisors of several terms, and sums that depend on the parameters alone, which are left
    as the user wrote them. Coefficients are integer multiples of 1/4096 up to 4096, so that their sums and products are
    exact; any other number is an atom.

    Parameters
    ----------
    graph : Graph
    terms : int
        No polynomial has more terms, and none is formed from twice as many products. The expansion of a node that would
        have more is abandoned, and so is that of all that contains it but for quotients, which are then atoms.
    work : int
        The total number of products of terms; beyond it all further expansions are abandoned.

    Examples
    --------
    >>> graph = Graph()
    >>> angle, x = graph.input("x", 0), graph.input("x", 1)
    >>> sine, cosine = graph.call("sin", angle), graph.call("cos", angle)
    >>> squares = graph.add(graph.mul(sine, graph.mul(sine, x)), graph.mul(graph.mul(x, cosine), cosine))
    >>> Expansion(graph)(squares) == {(x,): 1.0}
    True
    """

    def __init__(self, graph: Graph, *, terms: int = 64, work: int = 2000) -> None:
        self.graph = graph
        self._terms = terms
        self._work = work
        self._known: dict[Node, Polynomial | None] = {}
        self._fixed: dict[Node, bool] = {}
        self._partners: dict[int, int | None] = {}

    def __call__(self, node: Node) -> Polynomial | None:
        """The polynomial of a node, not to be changed; None where its expansion is abandoned."""
        known = self._known
        waiting = [node]
        while waiting:
            top = waiting[-1]
            if top in known:
                waiting.pop()
                continue
            parts = self._parts(top)
            given_up = any(part in known and known[part] is None for part in parts)
            missing = [part for part in parts if part not in known]
            if missing and not given_up:
                waiting.append(missing[0])
            else:
                known[top] = self._combined(top, [known.get(part) for part in parts])
        return known[node]

    def fixed(self, node: Node) -> bool:
        """Whether a node depends on the parameters alone."""
        fixed, graph = self._fixed, self.graph
        waiting = [node]
        while waiting:
            top = waiting[-1]
            if top in fixed:
                waiting.pop()
            elif graph.ops[top] == "input":
                fixed[top] = graph.args[top][0] == "p"
            else:
                children = graph.children(top)
                missing = [child for child in children if child not in fixed]
                if missing:
                    waiting += missing
                else:
                    fixed[top] = all(fixed[child] for child in children)
        return fixed[node]

    def _parts(self, node: Node) -> tuple[Node, ...]:
        """The nodes whose polynomials form that of `node`; none for an atom or a number."""
        op = self.graph.ops[node]
        if op in ("mul", "div", "neg") or (op in ("add", "sub") and not self.fixed(node)):
            return self.graph.args[node]
        return ()

    def _combined(self, node: Node, found: Sequence[Polynomial | None]) -> Polynomial | None:
        op = self.graph.ops[node]
        if not found:
            return self._atom(node)
        parts = [part for part in found if part is not None]
        if len(parts) < len(found):
            return {(node,): 1.0} if op == "div" else None
        if op == "neg":
            return {monomial: -factor for monomial, factor in parts[0].items()}
        if op == "div":
            return self._quotient(node, parts[0], parts[1])
        if op == "mul":
            return self._finished(self._product(parts[0], parts[1]))
        result = self._sum(parts[0], parts[1], 1.0 if op == "add" else -1.0)
        return self._finished(result)

    def _atom(self, node: Node) -> Polynomial:
        value = self.graph.value(node)
        if value is None or not math.isfinite(value):
            return {(node,): 1.0}
        if not _exact(value):
            return {(self.graph.const(abs(value)),): math.copysign(1.0, value)}
        return {(): value} if value else {}

    def _finished(self, result: Polynomial | None) -> Polynomial | None:
        if result is None or not all(map(_exact, result.values())):
            return None
        if len(result) > 1:
            self._apply_squares(result)
        return result if len(result) <= self._terms else None

    def _sum(self, a: Polynomial, b: Polynomial, sign: float) -> Polynomial | None:
        if not self._spend(len(b)):
            return None
        result = dict(a)
        for monomial, factor in b.items():
            accumulate(result, monomial, sign * factor)
        return result

    def _product(self, a: Polynomial, b: Polynomial) -> Polynomial | None:
        size = len(a) * len(b)
        if size > 2 * self._terms or not self._spend(size):
            return None
        result: Polynomial = {}
        for left, factor in a.items():
            for right, other in b.items():
                accumulate(result, product(left, right), factor * other)
        return result

    def _quotient(self, node: Node, a: Polynomial, b: Polynomial) -> Polynomial:
        """a / b: divided by the common factors of the terms of b, and by the rest of b as one atom."""
        if not b:
            return {(node,): 1.0}
        common, size, rest = common_factor(b)
        sign = math.copysign(1.0, min(rest.items())[1])
        divisors = list(common)
        if len(rest) > 1:
            positive = {monomial: sign * factor for monomial, factor in rest.items()}
            divisors.append(write(self.graph, positive, self.fixed))
        if not _exact(1.0 / size):
            divisors.append(self.graph.const(size))
            size = 1.0
        inverse = tuple(sorted(-atom for atom in divisors))
        result = self._finished(self._product(a, {inverse: sign / size}))
        return {(node,): 1.0} if result is None else result

    def _spend(self, work: int) -> bool:
        self._work -= work
        return self._work >= 0

    def _apply_squares(self, polynomial: Polynomial) -> None:
        """Apply sin^2 + cos^2 = 1 in place wherever that shortens the polynomial, until it does so nowhere."""
        waiting = [monomial for monomial in polynomial if len(monomial) > 1]
        while waiting:
            monomial = waiting.pop()
            for atom in _repeated(monomial):
                partner = self._partner(atom)
                if partner is not None and monomial in polynomial:
                    waiting += _without_square(polynomial, monomial, atom, partner)

    def _partner(self, atom: int) -> int | None:
        """The cosine of a sine's angle, and conversely; None for any other atom."""
        if atom not in self._partners:
            other = _PARTNERS.get(self.graph.ops[atom])
            self._partners[atom] = None if other is None else self.graph.call(other, *self.graph.args[atom])
        return self._partners[atom]


def _exact(value: float) -> bool:
    return abs(value) <= _LARGEST_EXACT and (value * _LARGEST_EXACT).is_integer()


def _repeated(monomial: Monomial) -> list[int]:
    """The squared atoms in a monomial, repeated for higher powers."""
    return [a for a, b in pairwise(monomial) if a == b and a > 0]


def _without_square(polynomial: Polynomial, monomial: Monomial, atom: int, partner: int) -> list[Monomial]:
    """Replace a a R, b b R and R, with a^2 + b^2 = 1, by fewer terms; returns the new terms, none if it is
    impossible."""
    at = monomial.index(atom)
    own, lone = monomial, monomial[:at] + monomial[at + 2 :]
    other = product(lone, (partner, partner))
    a, b, c = polynomial[own], polynomial.get(other, 0.0), polynomial.get(lone, 0.0)
    if b and (c or a == b):
        made = {own: a - b, lone: c + b} if c + b == 0 or a == b else {other: b - a, lone: c + a}
    elif a + c == 0:
        made = {other: c, lone: 0.0}
    else:
        return []
    for key in (own, other, lone):
        polynomial.pop(key, None)
    kept = {key: factor for key, factor in made.items() if factor}
    polynomial.update(kept)
    return list(kept)
