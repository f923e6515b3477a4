"""The solvers of contact problems on their own, called from NumPy: their memory is allocated, and they are called."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sympact.contact.contact_workspace import CONE, HARD_CONE
from sympact.contact.memory.calls import LeastSquaresCall, RankCall
from sympact.contact.memory.contact_codes import FORCES, IMPACT, SOLVED
from sympact.contact.memory.contacts import FRICTION, Contacts, SolverCounts
from sympact.native.kernel import Unit

__all__ = ["ConeAnswer", "ConeCall", "Rank", "find_rank", "least_squares", "solve_cone_problem"]

_LEAST_SQUARES = Unit("sympact.contact.solver_calls_kernel", "least_squares")
_RANK = Unit("sympact.contact.solver_calls_kernel", "rank")
SOLVER_UNITS = (_LEAST_SQUARES, _RANK)
"""The units of the solvers that are called on their own."""


@dataclass(frozen=True, eq=False)
class ConeAnswer:
    """The result of the solver of frictional contact: its code, P, U, the relative residual, the solver's number.

    `counts` says by name how often each solver and each of their fallbacks was called, see `SolverCounts`.
    """

    code: int
    impulse: np.ndarray
    after: np.ndarray
    residual: float
    solver: int
    counts: dict[str, int]


class ConeCall:
    """A problem for `sympact.contact.cone.cone_kernel.solve_cone` with memory of its own; arrays as in `ConeProblem`.

    With `continues` each call starts from the answer of the call before, as the problems of closed contacts within a
    step do; `move` gives the matrix and the rates of the next one.

    Examples
    --------
    >>> import numpy as np
    >>> problem = ConeCall(np.eye(3), [-3.0, 4.0, 0.0], [0.5])
    >>> problem(), problem.answer().solver
    (0, 1)
    """

    def __init__(
        self,
        delassus,
        rate,
        friction,
        sliding=None,
        direction=None,
        *,
        least=0.0,
        floor: float = 0.0,
        continues: bool = False,
    ) -> None:
        n = len(friction)
        sizes = dict.fromkeys(("n_q", "n_u", "n_boundaries", "n_rows", "n_branch_entries", "basis_size"), 0)
        sizes |= {"n_contacts": n, "n_places": n, "n_coefficients": 2}
        self._memory = Contacts.allocate(sizes, [FRICTION])
        self._memory.model.hard_cone_solver = HARD_CONE.address()
        problem = self._problem = self._memory.problem
        problem.count, problem.continues, problem.kind = n, int(continues), FORCES if continues else IMPACT
        problem.coefficient[:], problem.uncertain[:] = friction, floor
        self.move(delassus, rate)
        problem.least_impulse[:] = least
        if sliding is not None:
            problem.slides[:] = sliding
        if direction is not None:
            problem.direction[:] = direction
        self._unit, self._code = CONE.callable(), 0

    def move(self, delassus, rate) -> None:
        """The matrix and the rates of the same contacts a little later."""
        problem = self._problem
        size = 3 * problem.count
        problem.delassus[:], problem.cone_rate[:] = np.asarray(delassus, float)[:size, :size], rate

    def __call__(self) -> int:
        """Solve it; the code."""
        self._code = self._unit(self._memory.address)
        problem = self._problem
        problem.last_impulse[:], problem.last_count = problem.cone_impulse, problem.count * (self._code == SOLVED)
        return self._code

    def answer(self) -> ConeAnswer:
        """The result of the last call."""
        problem = self._problem
        residual, solver = problem.cone_report
        impulse, after = problem.cone_impulse.copy(), problem.cone_after.copy()
        counts = {name: getattr(self._memory.solvers, name) for name in SolverCounts.fields}
        return ConeAnswer(self._code, impulse, after, float(residual), int(solver), counts)


def solve_cone_problem(
    delassus, rate, friction, sliding=None, direction=None, *, least=0.0, floor: float = 0.0
) -> ConeAnswer:
    """Solve a problem of frictional contact; arrays as in `sympact.contact.cone.cone_kernel.ConeProblem`.

    Examples
    --------
    A particle of 1 kg hits a floor with (-3, 4, 0) m/s, mu = 0.5: the floor stops its fall, and friction reduces its
    slip of 4 m/s by 1.5 m/s.

    >>> import numpy as np
    >>> solve_cone_problem(np.eye(3), [-3.0, 4.0, 0.0], [0.5]).after.tolist()
    [0.0, 2.5, 0.0]

    The floor gives 2 N s of that back: the particle leaves with 2 m/s, and friction takes another 1 m/s.

    >>> solve_cone_problem(np.eye(3), [0.0, 2.5, 0.0], [0.5], least=[2.0]).after.tolist()
    [2.0, 1.5, 0.0]
    """
    problem = ConeCall(delassus, rate, friction, sliding, direction, least=least, floor=floor)
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
    a = np.asarray(a, float)
    memory = LeastSquaresCall.allocate({"rows": a.shape[0], "columns": a.shape[1]})
    memory.a[:], memory.b[:], memory.weights[:] = a, b, 1.0 if weights is None else weights
    rank = _LEAST_SQUARES.callable()(memory.address)
    return memory.x.copy(), rank


@dataclass(frozen=True, eq=False)
class Rank:
    """The result of `sympact.contact.linalg.rank_kernel` for K rows A of m numbers with velocities v.

    Attributes
    ----------
    rank : int
        r.
    factor : array, shape (K,)
        The factors that make the rows comparable.
    null : array, shape (K - r, K)
        Orthonormal null directions nu of the comparable rows: (nu * factor) A = 0.
    outside : array, shape (K,)
        The part of v outside the range of A.
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
    """Decide the rank of rows, and decompose velocities along them; rows with the same `group` share a factor.

    Examples
    --------
    A rod on a pin: the tip's normal and tangent depend on each other.

    >>> found = find_rank([[3.0], [4.0], [0.0]], [3.0, 4.0, 0.0], [0, 0, 0])
    >>> found.rank, found.motion.round(12).tolist(), found.impulse.round(12).tolist()
    (1, [1.0], [0.12, 0.16, 0.0])
    """
    a = np.asarray(rows, float)
    size, m = a.shape
    memory = RankCall.allocate({"rank_rows": size, "n_u": m})
    found = memory.rank
    found.rows[:], found.group[:] = a, np.arange(size) if group is None else group
    memory.velocity[:], memory.weights[:] = velocity, 1.0 if weights is None else weights
    r = _RANK.callable()(memory.address)
    told = (memory.outside, memory.motion, memory.impulse, memory.left)
    return Rank(r, found.factor.copy(), found.null[: size - r].copy(), *(array.copy() for array in told))
