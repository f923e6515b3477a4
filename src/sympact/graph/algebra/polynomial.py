"""Polynomials as numbers and tuples, and their conversion to nodes.

A polynomial maps monomials to coefficients. A monomial is a sorted tuple of atoms, each written as often as it is a
factor; -a is the division by the atom a. Atoms are nodes of a graph.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from sympact.graph.nodes.expression import Graph
from sympact.graph.nodes.node import Node

__all__ = ["Monomial", "Polynomial", "accumulate", "common_factor", "product", "write"]

Monomial = tuple[int, ...]
Polynomial = dict[Monomial, float]


def accumulate(polynomial: Polynomial, monomial: Monomial, factor: float) -> None:
    """Add a term in place; a term that vanishes is removed."""
    total = polynomial.get(monomial, 0.0) + factor
    if total:
        polynomial[monomial] = total
    else:
        polynomial.pop(monomial, None)


def product(a: Monomial, b: Monomial) -> Monomial:
    """The product of two monomials; common factors and divisors cancel.

    Examples
    --------
    >>> product((-9, 5), (5, 9))
    (5, 5)
    """
    merged = sorted(a + b)
    if not merged or merged[0] > 0:
        return tuple(merged)
    left = Counter(merged)
    for atom in [-inverse for inverse in dict.fromkeys(merged) if inverse < 0 and -inverse in left]:
        cancelled = min(left[atom], left[-atom])
        left[atom] -= cancelled
        left[-atom] -= cancelled
    return tuple(sorted(left.elements()))


def common_factor(polynomial: Polynomial) -> tuple[Monomial, float, Polynomial]:
    """The factors of all terms, the magnitude of their coefficients where it is common to all, and the remainder.

    Examples
    --------
    >>> common_factor({(5, 7): 2.0, (5, 8): -2.0})
    ((5,), 2.0, {(7,): 1.0, (8,): -1.0})
    """
    shared = Counter(next(iter(polynomial)))
    for monomial in polynomial:
        shared &= Counter(monomial)
    sizes = {abs(factor) for factor in polynomial.values()}
    factor = sizes.pop() if len(sizes) == 1 else 1.0
    common = tuple(sorted(shared.elements()))
    return common, factor, {_without(monomial, common): value / factor for monomial, value in polynomial.items()}


def write(graph: Graph, polynomial: Polynomial, fixed: Callable[[Node], bool]) -> Node:
    """The node of a polynomial: common factors in front, then the most frequent factor of the remainder, and so on.

    Parameters
    ----------
    graph : Graph
    polynomial : Polynomial
    fixed : callable
        Whether an atom depends on the parameters alone. In products such atoms are adjacent, so that terms share them
        and the processor computes them early.

    Examples
    --------
    >>> graph = Graph()
    >>> x, y, z = (graph.input("x", i) for i in range(3))
    >>> node = write(graph, {(x, y): 1.0, (x, z): 1.0}, lambda atom: False)
    >>> node == graph.mul(x, graph.add(y, z))
    True
    """
    if not polynomial:
        return graph.zero
    common, factor, rest = common_factor(polynomial)
    inner = _sum(graph, rest, fixed)
    return graph.mul(graph.const(factor), _multiplied(graph, inner, common, fixed))


def _sum(graph: Graph, polynomial: Polynomial, fixed: Callable[[Node], bool]) -> Node:
    """A sum without a common factor, split at the most frequent factor of its terms."""
    if len(polynomial) == 1:
        return graph.const(next(iter(polynomial.values())))
    appearances = Counter(atom for monomial in polynomial for atom in dict.fromkeys(monomial))
    atom = min(appearances, key=lambda atom: (-appearances[atom], atom))
    if appearances[atom] == 1:
        return graph.sum(write(graph, {monomial: factor}, fixed) for monomial, factor in sorted(polynomial.items()))
    having = {monomial: factor for monomial, factor in polynomial.items() if atom in monomial}
    others = {monomial: factor for monomial, factor in polynomial.items() if atom not in monomial}
    return graph.add(write(graph, having, fixed), write(graph, others, fixed))


def _multiplied(graph: Graph, inner: Node, monomial: Monomial, fixed: Callable[[Node], bool]) -> Node:
    """A node times a monomial: (fixed factors) (moving factors) / (moving divisors)."""
    moving = [atom for atom in monomial if not fixed(Node(abs(atom)))]
    still = [atom for atom in monomial if fixed(Node(abs(atom)))]
    above = graph.mul(_times(graph, (atom for atom in moving if atom > 0)), inner)
    above = graph.mul(_quotient(graph, still), above)
    return graph.div(above, _times(graph, (-atom for atom in moving if atom < 0)))


def _quotient(graph: Graph, atoms: Sequence[int]) -> Node:
    above = _times(graph, (atom for atom in atoms if atom > 0))
    return graph.div(above, _times(graph, (-atom for atom in atoms if atom < 0)))


def _times(graph: Graph, atoms: Iterable[int]) -> Node:
    result = graph.one
    for atom in sorted(atoms):
        result = graph.mul(result, Node(atom))
    return result


def _without(monomial: Monomial, factors: Monomial) -> Monomial:
    rest = list(monomial)
    for atom in factors:
        rest.remove(atom)
    return tuple(rest)
