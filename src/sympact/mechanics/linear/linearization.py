"""A linearized model: its matrices, their eigenvalues, and the natural modes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from sympy import Expr
from sympy.physics.vector import vsstrrepr

from sympact.integrate.present.table import Sheet, Table, number
from sympact.native.cached import cached_property
from sympact.native.rounding import EPS, ROUNDINGS, SAME

if TYPE_CHECKING:
    from scipy.signal import StateSpace

__all__ = ["Linearization", "NaturalMode"]


@dataclass(frozen=True, eq=False)
class NaturalMode:
    """One motion exp(s t) of a linearized model.

    Attributes
    ----------
    eigenvalue : complex
        s (1/s); of a conjugate pair that with a positive imaginary part.
    frequency : float
        The undamped natural frequency ``abs(s)`` (rad/s).
    damping_ratio : float
        ``-Re(s) / abs(s)``: 0 without damping, from 1 on without oscillation, negative where the motion grows. NaN for
        s = 0.
    shape : array of complex, shape (n_states,)
        The change of the model's states x, the largest coordinate scaled to 1: a(t) = Re(shape exp(s t)).
    """

    eigenvalue: complex
    frequency: float
    damping_ratio: float
    shape: np.ndarray


@dataclass(frozen=True, eq=False)
class Linearization:
    """A model linearized about one state: z' = A z + B w, y = C z + D w.

    z are the changes of `states`, some of the model's own coordinates and speeds: all of them where none depend on
    others. Unit quaternions, bilateral constraints and closed contacts make some depend on the rest. w are the changes
    of `inputs`, y those of `outputs`. Units are those of the model's symbols.

    Attributes
    ----------
    states : tuple of Expr, length n
        The independent coordinates, then the independent speeds; nonholonomic constraints leave fewer speeds.
    inputs : tuple of Expr
    outputs : tuple of str
    A, B, C, D : array, shapes (n, n), (n, n_inputs), (n_outputs, n), (n_outputs, n_inputs)
    t : float
        The time (s).
    model_states : tuple of Expr
        All states of the model.
    x, rate : array, shape (n_states,)
        The state, and x' there: zero in an equilibrium.
    basis : array, shape (n_states, n)
        The changes of all states of the model with z.
    closed : mapping of str to str
        The closed contacts, each with its motion: ``"sticks"``, ``"slips"`` or ``"without friction"``.
    constraints : tuple of str
        The bilateral constraints.
    n_q : int
        The number of the model's coordinates, the first of its states.

    Examples
    --------
    The double pendulum of the textbooks about the position in which it hangs:

    >>> from sympact.models import double_pendulum
    >>> made = double_pendulum()
    >>> linear = made.model.linearize(dict.fromkeys(made.model.x, 0.0), made.parameters)
    >>> linear
    Linearization at t = 0
      states   theta_1, theta_2, omega_1, omega_2
      inputs   none
      outputs  none
      stable   not decided by the eigenvalues
    >>> linear.A[2:, :2]
    array([[-19.62,   9.81],
           [ 19.62, -19.62]])
    >>> [round(mode.frequency**2 / 9.81, 6) for mode in linear.modes()]  # 2 -+ sqrt(2)
    [0.585786, 3.414214]
    """

    states: tuple[Expr, ...]
    inputs: tuple[Expr, ...]
    outputs: tuple[str, ...]
    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray
    t: float
    model_states: tuple[Expr, ...]
    x: np.ndarray
    rate: np.ndarray
    basis: np.ndarray
    closed: dict[str, str]
    constraints: tuple[str, ...]
    n_q: int

    def eigenvalues(self) -> np.ndarray:
        """The eigenvalues of A (1/s), shape (n,), by their real parts, the largest first."""
        values = self._eigen[0]
        return values[np.lexsort((-values.imag, -values.real))]

    def modes(self) -> tuple[NaturalMode, ...]:
        """The natural modes, one for each real eigenvalue and each conjugate pair, by their frequencies."""
        values, vectors = self._eigen
        found = [self._mode(s, vector) for s, vector in zip(values, vectors.T, strict=True) if s.imag >= 0.0]
        return tuple(sorted(found, key=lambda mode: (mode.frequency, mode.damping_ratio)))

    @property
    def stable(self) -> bool | None:
        """Whether small changes decay: True or False where the eigenvalues decide it, else None.

        True where all real parts are negative; False where one is positive. A real part that rounding errors of A
        could make counts as zero [1]_: that of an undamped oscillation, or of a coordinate on which nothing depends.
        There the nonlinear terms decide.

        References
        ----------
        .. [1] G. H. Golub and C. F. Van Loan, Matrix Computations, section 7.2.2: an error E of A moves a simple
           eigenvalue by ``norm(E) / abs(y^H x)``, with its right and left unit eigenvectors x and y.
        """
        values, errors = self._eigen[0].real, self._rounding
        if (values > errors).any():
            return False
        return True if (values < -errors).all() else None

    def to_state_space(self) -> StateSpace:
        """The same as `scipy.signal.StateSpace`; without outputs of the model, y are the states z.

        Raises
        ------
        ValueError
            If no state is left, or the model has no inputs.
        """
        from scipy.signal import StateSpace

        if not self.states:
            raise ValueError("no state is independent: the constraints and closed contacts allow no motion")
        if not self.inputs:
            raise ValueError(
                "the model has no inputs, which scipy.signal.StateSpace needs; leave a force free as a function of time"
            )
        n = len(self.states)
        c, d = (self.C, self.D) if self.outputs else (np.eye(n), np.zeros((n, len(self.inputs))))
        return StateSpace(self.A, self.B, c, d)

    @cached_property
    def _scales(self) -> np.ndarray:
        """Factors of the states, powers of 2, with which rows and columns of A have one size."""
        return balancing(self.A)

    @cached_property
    def _eigen(self) -> tuple[np.ndarray, np.ndarray]:
        """The eigenvalues of A and their vectors in the columns."""
        if not self.states:
            return np.zeros(0), np.zeros((0, 0))
        values, vectors = np.linalg.eig(self.A * self._scales / self._scales[:, np.newaxis])
        return values, vectors * self._scales[:, np.newaxis]

    @property
    def _rounding(self) -> np.ndarray:
        """The changes of the eigenvalues by rounding errors of A."""
        if not self.states:
            return np.zeros(0)
        vectors = self._eigen[1] / self._scales[:, np.newaxis]
        try:
            left = np.linalg.inv(vectors)
        except np.linalg.LinAlgError:
            left = np.linalg.pinv(vectors)
        with np.errstate(over="ignore"):  # two eigenvectors that are nearly one have no bound
            condition = np.linalg.norm(left, axis=1) * np.linalg.norm(vectors, axis=0)
        balanced = self.A * self._scales / self._scales[:, np.newaxis]
        return ROUNDINGS * EPS * np.linalg.norm(balanced) * condition

    def _mode(self, s: complex, vector: np.ndarray) -> NaturalMode:
        shape = self.basis @ vector.astype(complex)
        coordinates = shape[: self.n_q] if shape[: self.n_q].any() else shape
        shape = shape / coordinates[np.argmax(np.abs(coordinates))]
        shape.flags.writeable = False
        size = float(abs(s))
        return NaturalMode(complex(s), size, float(0.0 - s.real / size) if size else np.nan, shape)

    def __repr__(self) -> str:
        return self._sheet().text

    def __str__(self) -> str:
        return self._sheet().whole_text

    def _repr_html_(self) -> str:
        return self._sheet().html

    def _sheet(self) -> Sheet:
        names, inputs = [_name(state) for state in self.states], [_name(letter) for letter in self.inputs]
        facts = {
            "states": _listed(names),
            "inputs": _listed(inputs),
            "outputs": _listed(self.outputs),
            "closed": ", ".join(f"{name} ({how})" for name, how in self.closed.items()),
            "constrained by": ", ".join(self.constraints),
            "stable": _WORDS[self.stable],
        }
        state = np.stack([self.x, self.rate], axis=1)
        tables = (
            _table("state", state, [_name(letter) for letter in self.model_states], ["x", "x'"]),
            _table("A", self.A, names, names),
            _table("B", self.B, names, inputs),
            _table("C", self.C, list(self.outputs), names),
            _table("D", self.D, list(self.outputs), inputs),
            self._mode_table(),
        )
        return Sheet(f"Linearization at t = {self.t:.6g}", facts, tables)

    def _mode_table(self) -> Table:
        rows = []
        least = SAME * max((mode.frequency for mode in self.modes()), default=0.0)
        for mode in self.modes():
            ratio = 0.0 if abs(mode.damping_ratio) < SAME else mode.damping_ratio
            rows.append((_number(mode.eigenvalue, least), number(mode.frequency), f"{ratio:.6g}"))
        return Table(("eigenvalue (1/s)", "frequency (rad/s)", "damping ratio"), rows, align=">")


def balancing(matrix: np.ndarray) -> np.ndarray:
    """The diagonal of D, powers of 2, with which the rows and columns of D^-1 A D have norms that differ by at most 2.

    E. E. Osborne, "On pre-conditioning of matrices", Journal of the ACM 7 (1960), 338-345.

    >>> balancing(np.array([[0.0, 1.0], [-(4.0**6), 0.0]]))
    array([0.015625, 1.      ])
    """
    scales, rest = np.ones(len(matrix)), np.abs(matrix) * ~np.eye(len(matrix), dtype=bool)
    for _ in range(_SWEEPS):
        before = scales.copy()
        for i in range(len(scales)):
            column, row = np.linalg.norm(rest[:, i]), np.linalg.norm(rest[i])
            if column > 0.0 and row > 0.0:
                factor = 2.0 ** np.round(0.5 * np.log2(row / column))
                scales[i], rest[:, i], rest[i] = scales[i] * factor, rest[:, i] * factor, rest[i] / factor
        if (scales == before).all():
            break
    return scales


_SWEEPS = 20  # of the balancing; a few suffice
_WORDS = {True: "yes", False: "no", None: "not decided by the eigenvalues"}


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"


def _name(letter: Expr) -> str:
    """A symbol as SymPy's mechanics writes it: q1, or q1' for its rate."""
    return vsstrrepr(letter)


def _number(value: complex, least: float) -> str:
    """An eigenvalue, or a pair of them; parts below the least one are shown as 0."""
    real, imaginary = (part if abs(part) >= least else 0.0 for part in (value.real, value.imag))
    return f"{real:.6g}" if imaginary == 0.0 else f"{real:.6g} +- {imaginary:.6g}i"


def _table(title: str, matrix: np.ndarray, rows: Sequence[str], columns: Sequence[str]) -> Table:
    """A matrix with the names of its rows and columns."""
    body = [(name, *(f"{entry:.6g}" for entry in row)) for name, row in zip(rows, matrix, strict=True)]
    return Table((title, *columns), body if matrix.size else (), align=">")
