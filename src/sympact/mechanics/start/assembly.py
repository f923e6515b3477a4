"""Assembly: the state closest to a given one that satisfies the bilateral constraints."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from sympy import Expr
from sympy.physics.vector import vsstrrepr

from sympact.contact.memory.contact_tolerances import RANK
from sympact.integrate.memory.run_tolerances import DEAD_BAND
from sympact.integrate.present.table import Sheet
from sympact.mechanics.derived.compiled import CompiledModel
from sympact.mechanics.derived.derived_model import DerivedModel
from sympact.mechanics.derived.impact_terms import ImpactTerms
from sympact.mechanics.start.admissible_place import admissible_place
from sympact.mechanics.start.closest_place import ClosestPlace, Equations, are_met
from sympact.mechanics.start.constraint_values import (
    ConstraintValues,
    PlaceFunctions,
    constrained_mass,
    dependent_rows,
    regular_metric,
)
from sympact.native.rounding import SAME, WRITTEN

__all__ = [
    "Assembler",
    "Assembly",
    "Wanted",
    "numbers_at",
    "place_functions",
]

GUESSED = 1e-6
"""The weight of a guessed coordinate, relative to that of a given one, where both have to change: an inertia a million
times smaller."""

_CARRIES = 0.1  # of the largest violation, or of the largest derivative: what a message names


@dataclass(frozen=True, eq=False)
class Assembly(Mapping[Expr, float]):
    """A state that satisfies the constraints, as a mapping of the model's states to numbers.

    `HybridModel.simulate` takes it as ``x0``.

    Attributes
    ----------
    t : float
        The time at which it satisfies them (s).
    model_states : tuple of Expr
    x : array, shape (n_states,)
        The state.
    given : array, shape (n_states,)
        The state from which it was assembled, with the guesses of missing states.
    constraints : tuple of str
        The names of the rows phi = 0 and A u + a = 0, in the order of the model.
    residual : array, shape (n_rows,)
        phi in this state, in the units of each; 0 for conditions on speeds.
    rate_residual : array, shape (n_rows,)
        A u + a.
    rank : int
        The number of independent rows of A in this state.
    freedoms : int
        The speeds that the constraints leave free: n_speeds - rank.
    redundant : tuple of str
        The constraints with rows that depend on those before them in this state.
    steps : int
        Steps of the search for the coordinates; 0 where they satisfied the constraints.
    """

    t: float
    model_states: tuple[Expr, ...]
    x: np.ndarray
    given: np.ndarray
    constraints: tuple[str, ...]
    residual: np.ndarray
    rate_residual: np.ndarray
    rank: int
    freedoms: int
    redundant: tuple[str, ...]
    steps: int

    @property
    def change(self) -> dict[Expr, float]:
        """By how much the states that were changed differ from the given ones."""
        changes = zip(self.model_states, (self.x - self.given).tolist(), strict=True)
        return {letter: change for letter, change in changes if change != 0.0}

    def __getitem__(self, letter: Expr) -> float:
        try:
            return float(self.x[self.model_states.index(letter)])
        except ValueError:
            raise KeyError(letter) from None

    def __iter__(self) -> Iterator[Expr]:
        return iter(self.model_states)

    def __len__(self) -> int:
        return len(self.model_states)

    def __repr__(self) -> str:
        return self._sheet().text

    def _repr_html_(self) -> str:
        return self._sheet().html

    def _sheet(self) -> Sheet:
        states = ", ".join(f"{vsstrrepr(letter)} = {value:.9g}" for letter, value in self.items())
        changes = ", ".join(f"{vsstrrepr(letter)} {value:+.3g}" for letter, value in self.change.items())
        left = max(np.abs(self.residual).max(initial=0.0), np.abs(self.rate_residual).max(initial=0.0))
        freedoms = f"{self.freedoms} of {len(self.x) - self._n_q} speeds, {self.rank} independent constraints"
        facts = {
            "state": states,
            "changed": changes or "nothing",
            "freedoms": freedoms,
            "redundant": ", ".join(self.redundant) or "none",
            "residual": f"{left:.2g}",
        }
        return Sheet(f"Assembly at t = {self.t:.6g}", facts)

    @property
    def _n_q(self) -> int:
        return len(self.x) - self.rank - self.freedoms


@dataclass(frozen=True, eq=False)
class Wanted:
    """What an assembly may change, and at which weight.

    Attributes
    ----------
    weights : array, shape (n_states,)
        Positive; infinite for states that are kept.
    guessed : array of bool, shape (n_states,)
        The states that were not given.
    """

    weights: np.ndarray
    guessed: np.ndarray

    @property
    def plain(self) -> bool:
        """Whether all states are given, with equal weights."""
        return not self.guessed.any() and bool((self.weights == 1.0).all())

    @classmethod
    def of(cls, n: int) -> Wanted:
        """All states given, with equal weights."""
        return cls(np.ones(n), np.zeros(n, dtype=bool))


class Assembler:
    """The search for states of a model that satisfy its constraints.

    Parameters
    ----------
    compiled : CompiledModel
        With the inputs in its equations.
    t : float
    numbers : callable
        p of its machine code at a state.
    """

    def __init__(self, compiled: CompiledModel, t: float, numbers: Callable[[np.ndarray], np.ndarray]) -> None:
        self._compiled, self._t, self._numbers = compiled, t, numbers
        self._model, self._places = compiled.model, place_functions(compiled.model)
        self._n = len(self._model.q)
        self._names = tuple(row.name for row in self._model.derivation.constraints)
        self._touching: tuple[int, ...] = ()
        self._last: tuple[bytes, ConstraintValues] | None = None
        self._judged: tuple[ConstraintValues, tuple[np.ndarray, np.ndarray]] | None = None

    def assembled(self, given: np.ndarray, wanted: Wanted) -> Assembly:
        """The closest state.

        Raises
        ------
        ValueError
            If none is found; the message has what is violated and the coordinates that could change it.
        """
        x, steps = self.closest(given, wanted, placed_is_enough=False)
        values = self.values(x)
        redundant = dependent_rows(values.scaled_rows[0])
        rank = len(self._names) - len(redundant)
        return Assembly(
            t=self._t,
            model_states=self._model.x,
            x=x,
            given=given,
            constraints=self._names,
            residual=values.positions,
            rate_residual=values.rates,
            rank=rank,
            freedoms=len(self._model.u) - rank,
            redundant=tuple(dict.fromkeys(self._names[k] for k in redundant)),
            steps=steps,
        )

    def closest(self, given: np.ndarray, wanted: Wanted, *, placed_is_enough: bool = True) -> tuple[np.ndarray, int]:
        """The closest state alone, and the steps of the search; raises as `assembled` does.

        `placed_is_enough`: coordinates that meet the constraints stay as they are, even below a surface.
        """
        x = given.copy()
        placed = self.values(x).finite and self._is_placed(x) and (placed_is_enough or not self._is_below(x))
        if not placed:
            self._refuse_without_value(x)
        steps = 0 if placed else self._place(x, wanted)
        self._set_speeds(x, wanted)
        return x, steps

    def values(self, x: np.ndarray) -> ConstraintValues:
        """The constraints at a state."""
        key = x.tobytes()
        if self._last is None or self._last[0] != key:
            self._last = key, ConstraintValues.at(self._compiled, self._t, x.copy(), self._numbers(x))
        return self._last[1]

    def violated(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Which rows are not met in their positions, and in their speeds."""
        values = self.values(x)
        if self._judged is None or self._judged[0] is not values:
            self._judged = values, values.violated(self.size(x))
        return self._judged[1]

    def size(self, x: np.ndarray) -> float:
        """What violations of positions are compared with: the length, or the largest coordinate."""
        length = self._compiled.length_of(self._numbers(x))
        return max(length, float(np.abs(x[: self._n]).max(initial=0.0)))

    def sizes(self, x: np.ndarray) -> np.ndarray:
        """A change of each coordinate that moves the model by its length, or turns it by a radian."""
        p = self._numbers(x)
        reach = self._places.reach(self._t, x, p, self._compiled.length_of(p) or 1.0)
        return 1.0 / np.where(reach > 0.0, reach, 1.0)

    def _is_placed(self, x: np.ndarray) -> bool:
        """Whether the coordinates meet the constraints, and quaternions have the norm 1, so that nothing moves them."""
        groups = [x[list(group)] for group in self._model.derivation.quaternions]
        units = all(abs(group @ group - 1.0) <= WRITTEN for group in groups)
        return units and not self.violated(x)[0].any()

    def _is_below(self, x: np.ndarray) -> bool:
        """Whether a contact is below its surface."""
        return bool((self._gaps(x)(x[: self._n])[0] < -self._depth(x)).any())

    def _depth(self, x: np.ndarray) -> float:
        """Below which depth a gap is below zero: that from which on a run does not start."""
        return DEAD_BAND * (self._compiled.length_of(self._numbers(x)) or self.size(x))

    def _gaps(self, x: np.ndarray) -> Equations:
        """g and g_q of the contacts as functions of the coordinates, by g' = W^T u + w and q' = S u + b."""
        m, contacts = len(self._model.u), len(self._model.contacts)

        def gaps(q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            if not contacts:
                return np.zeros(0), np.zeros((0, len(q)))
            moved = np.concatenate([q, x[self._n :]])
            p = self._numbers(moved)
            values = self._compiled.boundary(self._t, moved, p).reshape(3, contacts)[0]
            rows = ImpactTerms.of(self._compiled.terms(self._t, moved, p), m, contacts).jacobian
            return values, rows @ np.linalg.pinv(self._slopes(moved))

        return gaps

    def _refuse_without_value(self, x: np.ndarray) -> None:
        if not self.values(x).finite or not np.isfinite(self._places(self._t, x, self._numbers(x))[1]).all():
            raise ValueError(
                f"the state cannot be assembled at t = {self._t:.12g}: the constraints, or the mass matrix, are not "
                "finite there; check for a division by zero, or a gimbal lock, in the coordinates given"
            )

    def _locked(self, x: np.ndarray) -> bool:
        """Whether the constraints permit no motion, and drive none."""
        if len(self._names) < len(self._model.u):
            return False
        still = x.copy()
        still[self._n :] = 0.0
        values = self.values(still)
        rank = len(self._names) - len(dependent_rows(values.scaled_rows[0]))
        return rank == len(self._model.u) and not values.rates.any()

    def _place(self, x: np.ndarray, wanted: Wanted) -> int:
        """Move the coordinates of x onto the constraints; returns the steps of the search."""
        n, discrete = self._n, self._model.discrete
        kept = np.isinf(wanted.weights[:n]) | np.array([letter in discrete for letter in self._model.q])
        sizes, metric = self.sizes(x), self._metric(x)
        guessed, weights = wanted.guessed[:n], np.where(kept, 1.0, wanted.weights[:n])
        steps = 0
        if guessed.any() and not guessed.all():  # the guessed ones alone, if they can
            found = self._closest(x, metric, guessed & ~kept, sizes)
            steps += found.steps
            if found.found:
                x[:n] = found.place
                return steps
        roots = np.sqrt(weights * np.where(guessed, GUESSED, 1.0))
        found = self._closest(x, metric * np.outer(roots, roots), ~kept, sizes)
        if not found.found:
            raise ValueError(self._unreachable(x, found, kept, sizes))
        x[:n] = found.place
        return steps + found.steps

    def _closest(self, x: np.ndarray, metric: np.ndarray, free: np.ndarray, sizes: np.ndarray) -> ClosestPlace:
        length, n = self._compiled.length_of(self._numbers(x)), self._n
        given = x[:n].copy()
        found, self._touching = admissible_place(
            self._equations(x), self._gaps(x), self._depth(x), given, metric, free, sizes, length
        )
        return found

    def _equations(self, x: np.ndarray) -> Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]:
        """phi and phi_q as functions of the coordinates."""

        def equations(q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            moved = np.concatenate([q, x[self._n :]])
            return self._places(self._t, moved, self._numbers(moved))

        return equations

    def _metric(self, x: np.ndarray) -> np.ndarray:
        """The metric of coordinates in which motions u have the length u^T M u, q' = S u + b.

        The coordinates of a quaternion are compared as they turn; along it, where it is not a motion, it has their mean
        inertia.
        """
        slopes, mass = self._slopes(x), self.values(x).mass
        inverse = np.linalg.pinv(slopes)
        metric = inverse.T @ mass @ inverse
        for group in map(list, self._model.derivation.quaternions):
            along = x[group] / np.linalg.norm(x[group])
            metric[np.ix_(group, group)] += np.trace(metric[np.ix_(group, group)]) / 3.0 * np.outer(along, along)
        return regular_metric(0.5 * (metric + metric.T), self.sizes(x))

    def _slopes(self, x: np.ndarray) -> np.ndarray:
        """S in q' = S u + b."""
        p, m = self._numbers(x), len(self._model.u)
        motions = np.tile(x, (m + 1, 1))
        motions[:, self._n :] = np.eye(m + 1, m)
        rates = np.stack([self._compiled.raw("kinematics", self._t, one, p) for one in motions], axis=1)
        return rates[:, :-1] - rates[:, -1:]

    def _set_speeds(self, x: np.ndarray, wanted: Wanted) -> None:
        """Change the speeds of x by the least that satisfies A u + a = 0."""
        n, kept = self._n, np.isinf(wanted.weights[self._n :])
        guessed, weights = wanted.guessed[n:], np.where(kept, 1.0, wanted.weights[n:])
        if not self.violated(x)[1].any():
            return
        if not kept.any() and self._locked(x):
            x[n:] = 0.0
            return
        if wanted.plain and self._meet_speeds(x):
            return
        start, values = x[n:].copy(), self.values(x)
        if guessed.any() and not guessed.all() and self._change_speeds(x, values.mass, guessed & ~kept):
            return
        x[n:] = start
        roots = np.sqrt(weights * np.where(guessed, GUESSED, 1.0))
        if not self._change_speeds(x, values.mass * np.outer(roots, roots), ~kept):
            raise ValueError(self._unmoving(x, kept))

    def _meet_speeds(self, x: np.ndarray) -> bool:
        """The least change of all speeds where no constraint depends on others, by the unit that runs have for this.

        Whether it is found; else the speeds are as they were.
        """
        with self._compiled.lent_constraints(self._numbers(x)) as constraints:
            met = constraints.with_met_speeds(self._t, x)
        if met is None or self.violated(met)[1].any():
            return False
        x[:] = met
        return True

    def _change_speeds(self, x: np.ndarray, mass: np.ndarray, free: np.ndarray) -> bool:
        """The least change of free speeds in the metric of a mass matrix; whether the constraints are then satisfied.

        On motions with A u + a = 0 the metrics of M and of M + A^T D A differ by a constant.
        """
        for _ in range(2):  # the second time removes the rounding errors of the first
            values = self.values(x)
            metric = regular_metric(constrained_mass(mass, values.rows), np.ones(len(mass)))[np.ix_(free, free)]
            factor = np.linalg.cholesky(metric)
            rows = np.linalg.solve(factor, values.rows[:, free].T).T
            lengths = np.linalg.norm(rows, axis=1)
            lengths = np.where(lengths > RANK * lengths.max(initial=0.0), lengths, np.inf)
            motion = np.linalg.lstsq(rows / lengths[:, np.newaxis], -values.rates / lengths, rcond=RANK)[0]
            x[self._n :][free] += np.linalg.solve(factor.T, motion)
        return not self.violated(x)[1].any()

    def _unreachable(self, x: np.ndarray, found: ClosestPlace, kept: np.ndarray, sizes: np.ndarray) -> str:
        """A sentence with the residuals, and the coordinates and constraints that carry them."""
        touching = list(self._touching)
        at_start = np.vstack([self._equations(x)(x[: self._n])[1], self._gaps(x)(x[: self._n])[1][touching]])
        slopes = np.maximum(np.abs(found.slopes), np.abs(at_start)) * sizes
        size = max(self._compiled.length_of(self._numbers(x)), float(np.abs(found.place).max(initial=0.0)))
        comparable = np.abs(found.values) / np.maximum(slopes.max(axis=1, initial=0.0), SAME)
        wrong = np.flatnonzero(
            ~are_met(found.values, found.slopes, size) & ~(comparable < _CARRIES * comparable.max(initial=0.0))
        )
        involved = np.vstack([self._places.involved, np.ones((len(touching), self._n), dtype=bool)])
        names = [*self._places.names, *(f"the gap of {self._model.contacts[k].title}" for k in touching)]
        carried = np.where(kept, 0.0, slopes[wrong].max(axis=0, initial=0.0))
        carried = carried if carried.any() else involved[wrong].any(axis=0) & ~kept
        moved = [str(self._model.q[i]) for i in np.flatnonzero(carried > _CARRIES * carried.max(initial=0.0))]
        left = ", ".join(f"{names[k]} by {abs(found.values[k]):.6g}" for k in wrong)
        held = [str(self._model.q[i]) for i in np.flatnonzero(kept)]
        cure = f"keep fewer than [{', '.join(held)}], " if held else ""
        return (
            f"no state near the given one satisfies the constraints at t = {self._t:.12g}: after {found.steps} steps "
            f"they are violated, {left}, which {', '.join(moved) or 'nothing else'} should change; {cure}start closer "
            "to an assembly, or check the lengths"
        )

    def _unmoving(self, x: np.ndarray, kept: np.ndarray) -> str:
        """The same for the speeds."""
        values = self.values(x)
        wrong = np.flatnonzero(self.violated(x)[1])
        left = ", ".join(f"'{self._names[k]}' by {abs(values.rates[k]):.6g}" for k in wrong)
        carried = values.rows[wrong].any(axis=0)
        moved = ", ".join(str(self._model.u[i]) for i in np.flatnonzero(carried)) or "no speed"
        held = [str(self._model.u[i]) for i in np.flatnonzero(kept)]
        cure = f"keep fewer than [{', '.join(held)}]" if held else "start away from this dead point, or drive it slower"
        return (
            f"no speeds satisfy the constraints A u + a = 0 at t = {self._t:.12g}: they are violated, {left}, which "
            f"{moved} should change; {cure}"
        )


def numbers_at(
    compiled: CompiledModel, t: float, numbers: np.ndarray, signals: Any
) -> Callable[[np.ndarray], np.ndarray]:
    """p of the machine code at any state, with its switches, and with inputs that are Python functions called.

    Parameters
    ----------
    compiled : CompiledModel
    t : float
    numbers : array
        p, as ``compiled.all_parameters`` or ``signals.numbers`` gives it.
    signals : Signals, optional
        The inputs.
    """
    switches = bool(compiled.model.derivation.switches)

    def at(x: np.ndarray) -> np.ndarray:
        p = numbers if signals is None else signals.called(numbers, t, x)
        if switches:
            p = p.copy()
            compiled.settle(t, x, p)
        return p

    return at


def place_functions(model: DerivedModel) -> PlaceFunctions:
    """Those of a `HybridModel`, the same at each call."""
    return model.made(_place_functions)


def _place_functions(model: DerivedModel) -> PlaceFunctions:
    return PlaceFunctions(model.derivation)
