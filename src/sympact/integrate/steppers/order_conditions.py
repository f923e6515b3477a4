"""The order of a Runge-Kutta method from its tableau, by rooted trees."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from sympact.native.rounding import WRITTEN

__all__ = ["order_of"]

_HIGHEST = 8
"""The highest order that is checked: 200 trees."""

Tree = tuple["Tree", ...]
"""A rooted tree: the subtrees of its root, in a fixed order."""


def order_of(a: np.ndarray, b: np.ndarray) -> int:
    """The order of the method with the stages `a`, shape (s, s), and the weights `b`, shape (s,); 8 at most.

    For each rooted tree of p nodes, a method of order p satisfies sum_i b_i Phi_i(tree) = 1/gamma(tree), where Phi_i of
    a tree is the product of sum_j a_ij Phi_j over the subtrees of its root, and gamma is the product of the sizes of
    all its subtrees [1]_.

    References
    ----------
    .. [1] E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I, theorem II.2.13.

    Examples
    --------
    >>> order_of(np.array([[0.0, 0.0], [0.5, 0.0]]), np.array([0.0, 1.0]))  # the midpoint rule
    2
    """
    for p in range(1, _HIGHEST + 1):
        if any(abs(b @ _weights(a, tree) - 1.0 / _density(tree)) > WRITTEN for tree in _trees(p)):
            return p - 1
    return _HIGHEST


def _weights(a: np.ndarray, tree: Tree) -> np.ndarray:
    """Phi, shape (s,)."""
    found = np.ones(len(a))
    for branch in tree:
        found = found * (a @ _weights(a, branch))
    return found


def _density(tree: Tree) -> int:
    """gamma."""
    found = _size(tree)
    for branch in tree:
        found *= _density(branch)
    return found


def _size(tree: Tree) -> int:
    return 1 + sum(map(_size, tree))


@cache
def _trees(p: int) -> tuple[Tree, ...]:
    """All rooted trees of p nodes."""
    return tuple(_forests(p - 1, p - 1, 0))


def _forests(nodes: int, largest: int, first: int) -> Iterator[Tree]:
    """All forests of so many nodes, of trees that come no sooner than number `first` of those of `largest` nodes."""
    if nodes == 0:
        yield ()
        return
    for size in range(min(largest, nodes), 0, -1):
        trees = _trees(size)
        for k in range(first if size == largest else 0, len(trees)):
            for rest in _forests(nodes - size, size, k):
                yield (trees[k], *rest)
