"""The entries of the factor of the mass matrix of a tree of bodies, see `branch_kernel`."""

from __future__ import annotations

from collections.abc import Sequence
from graphlib import TopologicalSorter
from typing import NamedTuple

from sympact.native.memory import Memory, Size, Whole, Wholes

__all__ = ["BranchPattern", "Branches"]


class BranchPattern(NamedTuple):
    """The numbers of `Branches`, by the names of its fields.

    Examples
    --------
    >>> BranchPattern.of([[], [0], [0]])
    BranchPattern(order=(1, 2, 0), starts=(0, 0, 1, 2), entries=(0, 0))
    """

    order: tuple[int, ...]
    starts: tuple[int, ...]
    entries: tuple[int, ...]

    @classmethod
    def of(cls, rows: Sequence[Sequence[int]]) -> BranchPattern:
        """The pattern of the rows of R, each with the columns of its entries beside the diagonal.

        Raises
        ------
        graphlib.CycleError
            If no order of the speeds makes R triangular.
        """
        sorter = TopologicalSorter[int](dict.fromkeys(range(len(rows)), ()))
        for j, row in enumerate(rows):
            for i in row:
                sorter.add(i, j)
        starts = [0]
        for row in rows:
            starts.append(starts[-1] + len(row))
        return cls(tuple(sorter.static_order()), tuple(starts), tuple(i for row in rows for i in row))


class Branches(Memory):
    """Where R has entries, M = R^T R; it depends on the joints alone."""

    n_u = Size("speeds, m")
    n_entries = Size("entries beside the diagonal")
    present = Whole("1: the model's function gives R in the place of M; 0: it gives M")
    order = Wholes(n_u, meaning="the speeds in the order of elimination, tips first")
    starts = Wholes(n_u + 1, meaning="the place in `entries` at which each row begins; then the end of the last one")
    entries = Wholes(n_entries, meaning="the columns of the entries of each row beside its diagonal")
