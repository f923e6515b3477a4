"""The bilateral constraints of a model in numbers, at any state: for starts and their messages."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sympact.contact.memory.contact_tolerances import DEPENDENT, PIVOT, RANK
from sympact.graph import jacobian
from sympact.graph.algebra.linear import dot
from sympact.mechanics.derive.derivation import Derivation
from sympact.mechanics.start.reach import Reach
from sympact.mechanics.start.state_function import StateFunction
from sympact.native.cached import cached_property
from sympact.native.rounding import EPS, ROUNDINGS, SAME, WRITTEN

__all__ = ["ConstraintValues", "PlaceFunctions", "constrained_mass", "dependent_rows", "regular_metric"]


class PlaceFunctions:
    """phi and phi_q of a model, with the conditions that quaternions have the norm 1, and the sizes of coordinates.

    Parameters
    ----------
    derivation : Derivation
        Nodes are added to its graph.

    Attributes
    ----------
    rows : list of int
        The rows of ``derivation.constraints`` that are conditions on positions.
    names : tuple of str
        Of these, then of the quaternions.
    involved : array of bool, shape (k, n_coordinates)
        Which coordinates they contain.
    """

    def __init__(self, derivation: Derivation) -> None:
        graph, symbols = derivation.graph, derivation.symbols
        states = [graph.input("x", i) for i in range(len(symbols.q))]
        self.rows = [k for k, row in enumerate(derivation.constraints) if row.position is not None]
        nodes = [row.position for row in derivation.constraints if row.position is not None]
        names = [f"'{derivation.constraints[k].name}'" for k in self.rows]
        for group in derivation.quaternions:
            numbers = [states[i] for i in group]
            nodes.append(graph.sub(dot(graph, numbers, numbers), graph.one))
            names.append(f"the quaternion {', '.join(str(symbols.q[i]) for i in group)}")
        self.names = tuple(names)
        slopes = [entry for row in jacobian(graph, nodes, states) for entry in row]
        self.involved = np.array([entry != graph.zero for entry in slopes]).reshape(len(nodes), len(states))
        self._values = StateFunction(graph, "places", (*nodes, *slopes))
        self.reach = Reach(derivation)

    def __call__(self, t: float, x: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """phi and phi_q, shapes (k,) and (k, n_coordinates)."""
        k = len(self.names)
        values = self._values(t, x, p)
        return values[:k], values[k:].reshape(self.involved.shape)


@dataclass(frozen=True, eq=False)
class ConstraintValues:
    """The terms of a constrained model at a state: M u' = f + A^T kappa, A u' + (A' u + a') = 0.

    Attributes
    ----------
    mass : array, shape (n_u, n_u)
        M.
    forcing : array, shape (n_u,)
        f.
    positions, rates, biases : array, shape (n_rows,)
        phi (zero for conditions on speeds), A u + a, A' u + a'.
    rows : array, shape (n_rows, n_u)
        A.
    u : array, shape (n_u,)
    """

    mass: np.ndarray
    forcing: np.ndarray
    positions: np.ndarray
    rates: np.ndarray
    biases: np.ndarray
    rows: np.ndarray
    u: np.ndarray

    @classmethod
    def at(cls, compiled, t: float, x: np.ndarray, p: np.ndarray) -> ConstraintValues:
        """Of a `CompiledModel`, with p as ``compiled.all_parameters`` gives it."""
        n, m, k = len(compiled.model.q), len(compiled.model.u), len(compiled.model.derivation.constraints)
        terms = compiled.raw("equations", t, x, p)
        mass, forcing, left = terms[n:][: m * m].reshape(m, m), terms[n + m * m :][:m], terms[n + m * m + m :]
        return cls(mass, forcing, left[:k], left[k:][:k], left[2 * k :][:k], left[3 * k :].reshape(k, m), x[n:])

    @cached_property
    def finite(self) -> bool:
        """Whether all numbers are."""
        parts = (self.mass, self.positions, self.rates, self.biases, self.rows)
        return all(np.isfinite(part).all() for part in parts)

    def violated(self, size: float, digits: float = WRITTEN) -> tuple[np.ndarray, np.ndarray]:
        """Which rows are not met in their positions, and in their speeds, each of shape (n_rows,).

        Parameters
        ----------
        size : float
            Of the coordinates.
        digits : float
            The violation that is permitted, relative to the size and to the speeds.
        """
        largest, fastest = np.abs(self.rows).max(axis=1, initial=0.0), np.abs(self.u).max(initial=0.0)
        drift, rounding = np.abs(self.rates - self.rows @ self.u), ROUNDINGS * EPS * largest.max(initial=0.0)
        places, speeds = digits * size * largest, digits * (largest * fastest + drift)
        return (
            ~(np.abs(self.positions) <= places + rounding * size),
            ~(np.abs(self.rates) <= speeds + rounding * fastest),
        )

    @cached_property
    def scaled_rows(self) -> tuple[np.ndarray, np.ndarray]:
        """C^-1 A^T as rows of length 1, with M + A^T D A = C C^T, and their lengths before; rounding is 0."""
        metric = regular_metric(constrained_mass(self.mass, self.rows), np.ones(len(self.mass)))
        rows = np.linalg.solve(np.linalg.cholesky(metric), self.rows.T).T
        lengths = np.linalg.norm(rows, axis=1)
        counts = lengths > DEPENDENT * lengths.max(initial=0.0)
        scale = np.where(counts, lengths, 1.0)
        return np.where(counts[:, np.newaxis], rows / scale[:, np.newaxis], 0.0), scale

    def contradiction(self) -> tuple[np.ndarray, np.ndarray]:
        """The accelerations by which dependent rows contradict each other, and whether they do, shapes (n_rows,)."""
        rows, lengths = self.scaled_rows
        metric = regular_metric(constrained_mass(self.mass, self.rows), np.ones(len(self.mass)))
        load = np.linalg.solve(np.linalg.cholesky(metric), self.forcing)
        wanted = -self.biases / lengths
        motion = np.linalg.lstsq(rows, wanted - rows @ load, rcond=RANK)[0]
        left = rows @ (motion + load) - wanted
        scale = np.abs(wanted).max(initial=0.0) + float(np.linalg.norm(load))
        return left * lengths, ~(np.abs(left) <= SAME * scale)


def constrained_mass(mass: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """M + A^T D A: positive definite where M is for the motions with A u = 0, see `constrained_kernel`."""
    for row in rows[rows.any(axis=1)]:
        square = row @ row
        inertia = row**2 @ np.diagonal(mass) / square
        mass = mass + (inertia or np.diagonal(mass).max()) / square * np.outer(row, row)
    return mass


def regular_metric(metric: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """A metric that is positive definite: directions without inertia count as that with the largest.

    Parameters
    ----------
    metric : array, shape (n, n)
        Positive semidefinite.
    sizes : array, shape (n,)
        Changes of the coordinates that are comparable.
    """
    scaled = metric * np.outer(sizes, sizes)
    values, vectors = np.linalg.eigh(scaled)
    largest = float(values[-1]) if values.size and values[-1] > 0.0 else 1.0
    if (values > PIVOT * largest).all():
        return metric
    kept = np.where(values > PIVOT * largest, values, largest)
    return (vectors * kept) @ vectors.T / np.outer(sizes, sizes)


def dependent_rows(rows: np.ndarray) -> list[int]:
    """The rows that are sums of those before them, of rows of length 1 or 0."""
    basis: list[np.ndarray] = []
    found = []
    for k, row in enumerate(rows):
        rest = row.copy()
        for _ in range(2):
            for one in basis:
                rest -= (one @ rest) * one
        length = float(np.linalg.norm(rest))
        if length > RANK:
            basis.append(rest / length)
        else:
            found.append(k)
    return found
