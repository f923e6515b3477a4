"""Independent rows and coordinates, by the QR decomposition with column pivoting.

Businger and Golub, "Linear least squares solutions by Householder transformations", Numerische Mathematik 7 (1965),
269-276: at each step the longest remainder is the next pivot. The rank counts pivots above `RANK` of the first.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from sympact.contact.memory.contact_tolerances import DEPENDENT, RANK
from sympact.native.rounding import SAME

__all__ = ["Dependence", "depend", "pivots"]


def pivots(rows: np.ndarray, passed: Collection[int] = ()) -> list[int]:
    """The rows that are picked as pivots, in that order: they are independent, and the others depend on them.

    Of rows of equal length, to `SAME`, the first one is picked. Rows that are passed over are none of them.

    Examples
    --------
    >>> pivots(np.array([[1.0, 0.0], [2.0, 0.0], [0.0, 0.5]]))
    [1, 2]
    """
    rest, basis = rows.copy(), np.zeros((0, rows.shape[1]))
    picked: list[int] = []
    first = float(np.linalg.norm(rest, axis=1).max(initial=0.0))
    rest[list(passed)] = 0.0
    while len(picked) < min(rows.shape):
        lengths = np.linalg.norm(rest, axis=1)
        if not lengths.max() > RANK * first:
            break
        picked.append(int(np.flatnonzero(lengths >= (1.0 - SAME) * lengths.max())[0]))
        basis = np.vstack([basis, rest[picked[-1]] / lengths[picked[-1]]])
        for _ in range(2):  # the second time removes the rounding errors of the first
            rest -= rest @ basis.T @ basis
    return picked


@dataclass(frozen=True)
class Dependence:
    """Coordinates of which some are independent: rows y = 0 determine the changes of the others.

    Attributes
    ----------
    independent, dependent : list of int
        In ascending order; those that are named as independent come first, as they are named. There are fewer dependent
        ones than rows if those named are not independent.
    rows : list of int
        The independent rows.
    redundant : bool
        Whether other rows depend on these.
    """

    independent: list[int]
    dependent: list[int]
    rows: list[int]
    redundant: bool


def depend(rows: np.ndarray, sizes: np.ndarray, groups: np.ndarray, named: Collection[int] = ()) -> Dependence:
    """Independent rows, and the coordinates for which they are best solved.

    Parameters
    ----------
    rows : array, shape (k, n)
        The derivatives of k equations with respect to n coordinates.
    sizes : array, shape (n,)
        The size of a change of each coordinate, in which they compare: that of a motion of unit kinetic energy.
    groups : array of int, shape (k,)
        Rows with the same number share a factor, such as the components of one vector: the longest gets the length 1.
    named : collection of int
        Coordinates that are to be independent.

    Examples
    --------
    A corner keeps to its place, x - theta/2 and y + theta: with a small moment of inertia theta is independent.

    >>> found = depend(np.array([[1.0, 0.0, -0.5], [0.0, 1.0, 1.0]]), np.array([1.0, 1.0, 0.1]), np.array([0, 0]))
    >>> found.independent, found.dependent
    ([2], [0, 1])
    """
    scaled = rows * sizes
    lengths = np.linalg.norm(scaled, axis=1)
    scaled[lengths <= DEPENDENT * lengths.max(initial=0.0)] = 0.0
    for group in np.unique(groups):
        members = groups == group
        scaled[members] /= np.linalg.norm(scaled[members], axis=1).max() or 1.0
    kept = pivots(scaled)
    dependent = sorted(pivots(scaled[kept].T, named))
    independent = [*named, *(i for i in range(len(sizes)) if i not in dependent and i not in named)]
    moving = int((np.linalg.norm(scaled, axis=1) > RANK).sum())
    return Dependence(independent, dependent, kept, moving > len(kept))
