"""The linear complementarity problem on its own, from a matrix and a vector to the solution."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.calls import LcpCall
from sympact.integrate.problem.real import real_array
from sympact.native.engine import default_engine, engine_for
from sympact.native.kernel import Unit

__all__ = ["ComplementaritySolution", "UnsolvedComplementarity", "solve_lcp"]

_LCP = Unit("sympact.contact.solver_calls_kernel", "lcp")
LCP_UNITS = (_LCP,)
"""The unit of `solve_lcp`."""
_SOLVERS = ("Lemke", "projected Gauss-Seidel")


@dataclass(frozen=True, eq=False)
class ComplementaritySolution:
    """A solution of w = M z + q, z >= 0, w >= 0, z . w = 0.

    Attributes
    ----------
    z, w : array, shape (n,)
        The solution; each entry of one of them is zero but for rounding.
    residual : float
        The largest |min(z, w)|, rows and columns of M scaled to a common size, relative to q.
    solver : str
        The solver that found it: "Lemke" or "projected Gauss-Seidel".
    iterations : int
        Its pivots, or its sweeps.
    """

    z: np.ndarray
    w: np.ndarray
    residual: float
    solver: str
    iterations: int


class UnsolvedComplementarity(ValueError):
    """No solver found a solution; the problem and the attempts are attached.

    Attributes
    ----------
    problem : tuple of arrays
        The unsolved problem: (M, q) for a linear problem, (G, b, mu) for a frictional one.
    residuals : dict of str to float
        For each solver tried its residual; infinite where it had no solution at all.
    """

    def __init__(self, message: str, problem: tuple[np.ndarray, ...], residuals: dict[str, float]) -> None:
        super().__init__(message)
        self.problem, self.residuals = problem, residuals


def solve_lcp(matrix: ArrayLike, constant: ArrayLike) -> ComplementaritySolution:
    """Find z >= 0 with w = M z + q >= 0 and z . w = 0.

    Lemke's method with the lexicographic rule [1]_ comes first: it finds a solution, if there is one, whenever M is
    positive semidefinite (and for other classes, such as copositive-plus ones). Where it does not, and the diagonal of
    M is positive, projected Gauss-Seidel sweeps follow. Only solutions with a residual below 1e-10 are returned. A
    solution need not be unique.

    Parameters
    ----------
    matrix : array_like, shape (n, n)
        M, any square matrix.
    constant : array_like, shape (n,)
        q.

    Returns
    -------
    ComplementaritySolution

    Raises
    ------
    UnsolvedComplementarity
        If no solver finds a solution. It is a ValueError.
    ValueError
        If shapes do not match, or a number is not finite.

    References
    ----------
    .. [1] R. W. Cottle, J.-S. Pang, R. E. Stone, "The Linear Complementarity Problem", Academic Press, 1992.

    Examples
    --------
    >>> solution = solve_lcp([[2.0, 1.0], [1.0, 2.0]], [-5.0, -6.0])
    >>> solution.z.round(12).tolist(), solution.solver
    ([1.333333333333, 2.333333333333], 'Lemke')
    """
    try:
        m, q = real_array(matrix), real_array(constant)
    except ValueError as error:
        raise ValueError(f"the complementarity problem is invalid: {error}") from None
    _validate(m, q)
    n = len(q)
    memory = LcpCall.allocate({"n": n})
    memory.matrix[:], memory.constant[:] = m, q
    with engine_for(default_engine(), LCP_UNITS).in_force():
        code, report = _LCP.callable()(memory.address), memory.report.copy()
    residuals, iterations, solver = report[:2], report[2:4], int(report[4]) - 1
    if code != codes.SOLVED:
        reached = dict(zip(_SOLVERS, residuals.tolist(), strict=True))
        raise UnsolvedComplementarity(_refusal(n, reached, iterations), (m, q), reached)
    return ComplementaritySolution(
        memory.z.copy(), memory.w.copy(), float(residuals[solver]), _SOLVERS[solver], int(iterations[solver])
    )


def _validate(m: np.ndarray, q: np.ndarray) -> None:
    """Raise one error that names every fault of the arguments."""
    faults = []
    if m.ndim != 2 or m.shape[0] != m.shape[1] or m.shape[0] == 0:
        faults.append(f"the matrix has the shape {m.shape}, expected a square one, (n, n)")
    elif q.shape != m.shape[:1]:
        faults.append(f"the constants have the shape {q.shape}, expected {m.shape[:1]}")
    faults += [
        f"the {name}: not every number is finite"
        for name, array in {"matrix": m, "constants": q}.items()
        if not np.isfinite(array).all()
    ]
    if faults:
        raise ValueError("the complementarity problem is invalid: " + "; ".join(faults))


def _refusal(n: int, residuals: dict[str, float], iterations: np.ndarray) -> str:
    tried = [f"Lemke's method ended on a ray or ran out of pivots, residual {residuals['Lemke']:.1e}"]
    if iterations[1]:
        sweeps = residuals["projected Gauss-Seidel"]
        tried.append(f"{int(iterations[1])} sweeps of projected Gauss-Seidel left a residual of {sweeps:.1e}")
    else:
        tried.append("projected Gauss-Seidel needs a positive diagonal")
    return (
        f"no solution of the complementarity problem with {n} unknowns was found: {'; '.join(tried)}; "
        "it may have none; the problem is attached as `problem`"
    )
