"""The solvers of contact problems on their own, called from NumPy: memory is found for them, and they are called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sympact.contact.contact_workspace import CONE, HARD_CONE
from sympact.contact.memory import contact_layout as at
from sympact.contact.memory.cone_layout import least_norm_scratch, places_size, scratch_size
from sympact.native.addresses import address_of
from sympact.native.kernel import Unit

__all__ = ["ConeAnswer", "ConeCall", "Rank", "call", "find_rank", "least_squares", "solve_cone_problem"]

_SLOTS = (
    at.DELASSUS,
    at.CONE_RATE,
    at.COEFFICIENT,
    at.SLIDING,
    at.DIRECTION,
    at.CONE_IMPULSE,
    at.CONE_AFTER,
    at.CONE_SCRATCH,
    at.CONE_PLACES,
    at.CONE_REPORT,
    at.UNCERTAIN,
)
_LEAST_SQUARES = Unit("sympact.contact.solver_calls_kernel", "least_squares")
_RANK = Unit("sympact.contact.solver_calls_kernel", "rank")


@dataclass(frozen=True, eq=False)
class ConeAnswer:
    """What the solver of frictional contact answers: its code, P, U, the relative residual, the solver's number."""

    code: int
    impulse: np.ndarray
    after: np.ndarray
    residual: float
    solver: int


class ConeCall:
    """A problem for `sympact.contact.cone.cone_kernel.solve_cone` with memory of its own; arrays as in `ConeProblem`.

    Examples
    --------
    >>> import numpy as np
    >>> problem = ConeCall(np.eye(3), [-3.0, 4.0, 0.0], [0.5])
    >>> problem(), problem.answer().solver
    (0, 1)
    """

    def __init__(self, delassus, rate, friction, sliding=None, direction=None, *, floor: float = 0.0) -> None:
        n = len(friction)
        self._arrays = [
            np.ascontiguousarray(np.asarray(delassus, float)[: 3 * n, : 3 * n]),
            np.ascontiguousarray(rate, float),
            np.ascontiguousarray(friction, float),
            np.zeros(n, np.int64) if sliding is None else np.ascontiguousarray(sliding, np.int64),
            np.zeros((n, 2)) if direction is None else np.ascontiguousarray(direction, float),
            np.zeros(3 * n),
            np.zeros(3 * n),
            np.empty(scratch_size(n)),
            np.empty(places_size(n), np.int64),
            np.zeros(2),
            np.full(n, floor),
        ]
        self._table = np.zeros(at.SIZE, np.int64)
        self._table[list(_SLOTS)] = [address_of(array, "ConeCall") for array in self._arrays]
        self._table[[at.N_C, at.COUNT]] = n
        self._table[[at.CONE_SCRATCH_SIZE, at.CONE_PLACES_SIZE]] = scratch_size(n), places_size(n)
        self._table[at.HARD_CONE] = HARD_CONE.address()
        self._address, self._unit = self._table.ctypes.data, CONE.callable()
        self._code = 0

    def __call__(self) -> int:
        """Solve it; the code."""
        self._code = self._unit(self._address)
        return self._code

    def answer(self) -> ConeAnswer:
        """What was found by the last call."""
        residual, solver = self._arrays[9]
        return ConeAnswer(self._code, self._arrays[5].copy(), self._arrays[6].copy(), float(residual), int(solver))


def solve_cone_problem(delassus, rate, friction, sliding=None, direction=None, *, floor: float = 0.0) -> ConeAnswer:
    """Solve a problem of frictional contact; arrays as in `sympact.contact.cone.cone_kernel.ConeProblem`.

    Examples
    --------
    A particle of 1 kg hits a floor with (-3, 4, 0) m/s, mu = 0.5: the floor stops its fall, and friction takes 1.5 m/s
    of the 4 m/s.

    >>> import numpy as np
    >>> solve_cone_problem(np.eye(3), [-3.0, 4.0, 0.0], [0.5]).after.tolist()
    [0.0, 2.5, 0.0]
    """
    problem = ConeCall(delassus, rate, friction, sliding, direction, floor=floor)
    problem()
    return problem.answer()


def least_squares(a, b, weights=None) -> tuple[np.ndarray, int]:
    """The x of least |D x| among those of least |A x - b|, D the diagonal of the weights; and the rank of A.

    Examples
    --------
    >>> x, rank = least_squares([[1.0, 1.0]], [2.0])
    >>> x.round(12).tolist(), rank
    ([1.0, 1.0], 1)
    """
    a = np.array(a, float)
    rows, columns = a.shape
    arrays = [
        a,
        np.ascontiguousarray(b, float),
        np.ones(columns) if weights is None else np.ascontiguousarray(weights, float),
        np.zeros(columns),
        np.empty(least_norm_scratch(rows, columns)),
        np.empty(columns, np.int64),
    ]
    rank = call(_LEAST_SQUARES, (rows, columns), arrays)
    return arrays[3], rank


@dataclass(frozen=True, eq=False)
class Rank:
    """What `sympact.contact.linalg.rank_kernel` finds of K rows A of m numbers with velocities v.

    Attributes
    ----------
    rank : int
        r.
    factor : array, shape (K,)
        Comparable rows are those given times these.
    null : array, shape (K - r, K)
        Orthonormal null directions nu of the comparable rows: (nu * factor) A = 0.
    outside : array, shape (K,)
        The part of v that no motion has.
    motion : array, shape (m,)
        The shortest y for which A y is nearest to v.
    impulse : array, shape (K,)
        The P of least norm, weighted, with A^T P = y.
    left : array, shape (2,)
        |A y - v| by comparable rows, and |A^T P - y|.
    """

    rank: int
    factor: np.ndarray
    null: np.ndarray
    outside: np.ndarray
    motion: np.ndarray
    impulse: np.ndarray
    left: np.ndarray


def find_rank(rows, velocity, group=None, weights=None) -> Rank:
    """Decide the rank of rows, and take velocities along them apart; rows with the same `group` share a factor.

    Examples
    --------
    A rod on a pin: the tip's normal and tangent depend on each other.

    >>> found = find_rank([[3.0], [4.0], [0.0]], [3.0, 4.0, 0.0], [0, 0, 0])
    >>> found.rank, found.motion.round(12).tolist(), found.impulse.round(12).tolist()
    (1, [1.0], [0.12, 0.16, 0.0])
    """
    a = np.array(rows, float)
    size, m = a.shape
    memory, places = np.zeros(at.rank_size(m, size)), np.zeros(at.rank_places(size), np.int64)
    memory[: size * m], places[:size] = a.ravel(), np.arange(size) if group is None else group
    weight = np.ones(size) if weights is None else np.ascontiguousarray(weights, float)
    found = [np.zeros(size), np.zeros(m), np.zeros(size), np.zeros(2)]
    r = call(_RANK, (size, m), [memory, places, np.ascontiguousarray(velocity, float), weight, *found])
    null = memory[2 * size * m + m * m :][: size * size].reshape(size, size)[: size - r]
    factor = memory[2 * size * m + m * m + 2 * size * size :][:size]
    return Rank(r, factor.copy(), null.copy(), *found)


def call(unit: Unit, sizes: Sequence[int], arrays: Sequence[np.ndarray]) -> int:
    """Call a unit with a table of sizes and of the addresses of arrays, which it reads and fills."""
    table = np.array([*sizes, *(address_of(array, unit.function) for array in arrays)], np.int64)
    return unit.callable()(address_of(table, f"the table of {unit.function}"))
