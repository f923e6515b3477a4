"""Functions to be made from a graph: their nodes, in order, and their arguments."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sympact.graph.nodes.node import Node
from sympact.graph.nodes.operations import FUNCTIONS

__all__ = ["SIGNATURES", "Function", "LinearSystem"]

SIGNATURES = (("t", "x", "p"), ("t", "x", "xdot", "p"))
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_TAKEN = {*FUNCTIONS, "ceil", "fabs", "fmod", "ldl_solve", "memset", "sincos"}


@dataclass(frozen=True)
class LinearSystem:
    """A symmetric positive definite system M v = f, solved numerically by a loop over M = L D L^T.

    Attributes
    ----------
    matrix : tuple of tuples of nodes
        The lower triangle of M: row i has i + 1 entries.
    rhs : tuple of nodes
        f, length n.
    offset : int
        The position of v in the function's result: ``out[offset:offset + n]``.

    Raises
    ------
    ValueError
        If the rows do not have that shape.
    """

    matrix: tuple[tuple[Node, ...], ...]
    rhs: tuple[Node, ...]
    offset: int

    def __post_init__(self) -> None:
        found = [len(row) for row in self.matrix]
        expected = list(range(1, len(self.rhs) + 1))
        if found != expected:
            raise ValueError(f"the matrix of a linear system has rows of lengths {found}, expected {expected}")

    def __len__(self) -> int:
        """The number of unknowns."""
        return len(self.rhs)

    @property
    def nodes(self) -> tuple[Node, ...]:
        """Every node of the system: the rows one after the other, then the right-hand side."""
        return tuple(node for row in self.matrix for node in row) + self.rhs


@dataclass(frozen=True)
class Function:
    """A function of the inputs, whose result is a vector.

    Attributes
    ----------
    name : str
        Letters, digits and underscores.
    outputs : tuple of nodes
        The first entries of the result.
    arguments : tuple of str
        ``("t", "x", "p")`` or ``("t", "x", "xdot", "p")``.
    systems : tuple of LinearSystem
        The entries of the result after the outputs.
    groups : tuple of int
        For each output the number of the part of the model that it belongs to, such as a contact; -1 for none. Parts
        with the same operations are compiled once. Empty where parts are not known.

    Raises
    ------
    ValueError
        If the name or the arguments are not of this form, the systems leave a gap in the result or overlap, or the
        groups are not as many as the outputs.

    Examples
    --------
    >>> Function("flow", (0, 1), ("t", "x", "p")).size
    2
    """

    name: str
    outputs: tuple[Node, ...]
    arguments: tuple[str, ...]
    systems: tuple[LinearSystem, ...] = ()
    groups: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        faults = []
        if not _NAME.fullmatch(self.name) or self.name in _TAKEN:
            faults.append(
                f"the name {self.name!r} is not usable; expected letters, digits and underscores after a letter, "
                "and not a function of the C library"
            )
        if tuple(self.arguments) not in SIGNATURES:
            faults.append(f"the arguments are {self.arguments}; expected {' or '.join(map(str, SIGNATURES))}")
        end = len(self.outputs)
        for system in sorted(self.systems, key=lambda system: system.offset):
            if system.offset != end:
                faults.append(f"a linear system writes from entry {system.offset}; expected {end}, the first free one")
            end = system.offset + len(system)
        if self.groups and len(self.groups) != len(self.outputs):
            faults.append(f"there are {len(self.groups)} groups for {len(self.outputs)} outputs; expected one for each")
        if faults:
            raise ValueError(f"function {self.name!r}: " + "; ".join(faults))

    @property
    def size(self) -> int:
        """The length of the result."""
        return len(self.outputs) + sum(map(len, self.systems))

    @property
    def nodes(self) -> tuple[Node, ...]:
        """Every node whose value the function needs."""
        return self.outputs + tuple(node for system in self.systems for node in system.nodes)
