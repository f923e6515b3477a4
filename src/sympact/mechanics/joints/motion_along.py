"""Derivatives of the state along a run, with the forces of contacts that it reports and the multipliers of
constraints."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from sympact.contact.memory.bilateral import Bilateral
from sympact.graph import Substitution
from sympact.integrate.problem.series import before_jump
from sympact.integrate.trajectory.evaluator import Along
from sympact.integrate.trajectory.mode_names import Modes
from sympact.mechanics.derived.derived_model import DerivedModel
from sympact.mechanics.joints.force_balance import Balance
from sympact.mechanics.joints.joint_functions import JointFunctions, joint_functions_of

__all__ = ["Impact", "Instants", "MotionAlong", "NumbersAlong", "impact_of", "numbers_along", "pieces", "wide"]

NumbersAlong = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
"""All numbers of p, shape (n, k), at times (k,), states (n_states, k) and stages (k,)."""

Settle = Callable[[float, np.ndarray, np.ndarray], None]


class InputsAlong(Protocol):
    """The inputs of a run; `Signals` are such."""

    def called(self, p: np.ndarray, t: float, x: np.ndarray) -> np.ndarray:
        """All numbers of p at a time and state."""

    def along(self, p: np.ndarray, t: np.ndarray, x: np.ndarray) -> np.ndarray:
        """All numbers of p along a run."""

    def kept_along(self, t: np.ndarray) -> np.ndarray:
        """The symbols that controllers keep, along a run."""


_PIECE = 1024  # samples that are evaluated together


@dataclass(frozen=True, eq=False)
class Instants:
    """The motion at k instants of a run.

    Attributes
    ----------
    p : array, shape (n, k)
        All numbers.
    slopes : array, shape (n_states, k)
        x'.
    contacts : array, shape (4 n_contacts, k)
        Normal forces, then the components in N of the forces of friction (N); empty without contacts.
    reactions : array, shape (n_rows, k)
        kappa.
    balance : Balance
    """

    p: np.ndarray
    slopes: np.ndarray
    contacts: np.ndarray
    reactions: np.ndarray
    balance: Balance


@dataclass(frozen=True, eq=False)
class Impact:
    """The change of the motion at an event.

    Attributes
    ----------
    t : float
    before, after : array, shape (n_states,)
        The states, with the same coordinates.
    stage : int
        Before.
    impulses : array, shape (4 n_contacts,)
        The normal impulses, then three components in N of those of friction for each contact (N s).
    """

    t: float
    before: np.ndarray
    after: np.ndarray
    stage: int
    impulses: np.ndarray


@dataclass(frozen=True, eq=False)
class MotionAlong:
    """The motion of a model in one run.

    Attributes
    ----------
    model : DerivedModel
        With the inputs of the run.
    numbers : callable
        See `NumbersAlong`.
    forces : tuple of Along
        The normal forces and the forces of friction along the run; empty without contacts.
    inputs : Substitution, optional
        Replaces the inputs by what they are given as.
    lengths : array, shape (n_rows,)
        Those of the constraints in this run, by which their rows are divided.
    """

    model: DerivedModel
    numbers: NumbersAlong
    forces: tuple[Along, ...] = ()
    inputs: Substitution | None = None
    lengths: np.ndarray = field(default_factory=lambda: np.zeros(0))

    @property
    def functions(self) -> JointFunctions:
        """The functions of the model, which its runs share."""
        return joint_functions_of(self.model, self.inputs)

    def at(self, t: np.ndarray, x: np.ndarray, stage: np.ndarray) -> Instants:
        """The motion at times (k,), states (n_states, k) and stages (k,)."""
        p = self.numbers(t, x, stage)
        forces = self.contact_forces(t, x, stage)
        rates, load, columns, balance, wanted = self._terms(t, x, p)
        accelerations, reactions = balance.motion(load + _pull(columns, forces), wanted)
        return Instants(p, np.concatenate([rates, accelerations.T]), forces, reactions.T, balance)

    def contact_forces(self, t: np.ndarray, x: np.ndarray, stage: np.ndarray) -> np.ndarray:
        """The normal forces, then those of friction, as `Instants` has them."""
        contacts = [np.asarray(force(t, x, stage)).reshape(-1, len(t)) for force in self.forces]
        return np.concatenate([*contacts, np.empty((0, len(t)))])

    def slopes(self, t: np.ndarray, x: np.ndarray, stage: np.ndarray) -> np.ndarray:
        """x' at any number of times, shape (n_states, k)."""
        found = np.empty(x.shape)
        for piece in pieces(t):
            found[:, piece] = self.at(t[piece], x[:, piece], stage[piece]).slopes
        return found

    def struck(self, impact: Impact) -> tuple[np.ndarray, np.ndarray, Balance]:
        """All numbers of p, shape (n, 1), and the impulses of the constraints, shape (n_rows, 1), at an event."""
        t, x = np.array([impact.t]), impact.before[:, np.newaxis]
        p, n_q = self.numbers(t, x, np.array([impact.stage])), len(self.model.q)
        _, _, columns, balance, _ = self._terms(t, x, p)
        change = (impact.after - impact.before)[np.newaxis, n_q:]
        impulses = impact.impulses[: len(columns), np.newaxis]
        return p, balance.impulses(change, _pull(columns, impulses)).T, balance

    def _terms(
        self, t: np.ndarray, x: np.ndarray, p: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, Balance, np.ndarray]:
        """q' (n_q, k), f (k, n_u), W_N and W_T (4 n_contacts, n_u, k), the balance of M and A, and v (k, n_rows)."""
        n_q, n_u, n_c, k = len(self.model.q), len(self.model.u), len(self.model.contacts), len(t)
        n_rows = len(self.model.derivation.constraints)
        sizes = n_q, n_u * n_u, n_u, 4 * n_c * n_u, n_rows * n_u
        parts = np.split(wide(self.functions.motion(t, x, p), k), np.cumsum(sizes))
        rates, mass, forcing, columns, rows, wanted = parts
        balance = Balance.of(
            mass.reshape(n_u, n_u, k).transpose(2, 0, 1), rows.reshape(n_rows, n_u, k).transpose(2, 0, 1), self.lengths
        )
        return rates, forcing.T, columns.reshape(4 * n_c, n_u, k), balance, wanted.T


def impact_of(
    model: DerivedModel, t: float, x: tuple[np.ndarray, np.ndarray], stage: int, impulses: np.ndarray
) -> Impact:
    """An event as an impact, which changes the speeds alone; latches are closed that are closed after it."""
    before = x[0].copy()
    held = [model.q.index(letter) for one in model.description.latches for letter in one.letters]
    before[held] = x[1][held]
    after = np.concatenate([before[: len(model.q)], x[1][len(model.q) :]])
    return Impact(t, before, after, stage, impulses)


def numbers_along(
    modes: Modes, size: int, signals: InputsAlong | None, settle: Settle | None = None, *, constrained: bool = False
) -> NumbersAlong:
    """The numbers of p in the modes of a run: with its switches, and the values of its inputs.

    Parameters
    ----------
    modes : Modes
        Of the run.
    size : int
        The number of entries of p.
    signals : InputsAlong, optional
        The inputs.
    settle : callable, optional
        ``settle(t, x, p)`` sets the switches to the branches at a state, for runs that do not follow them.
    constrained : bool
        Whether the data of the flow are those of bilateral constraints, which know where p is.
    """

    def along(t: np.ndarray, x: np.ndarray, stage: np.ndarray) -> np.ndarray:
        found = np.empty((size, len(t)))
        with modes.memory() as memory:
            data = memory.program.stages[0].flow_data
            place = Bilateral(data).parameters if constrained else data
            p = np.frombuffer((ctypes.c_double * size).from_address(place))
            before = before_jump(t)
            for k in range(len(t)):
                memory.restore(int(stage[k]))
                memory.go_to(float(t[k]), bool(before[k]))
                numbers = p.copy() if signals is None else signals.called(p.copy(), float(t[k]), x[:, k])
                if settle is not None:
                    settle(float(t[k]), np.ascontiguousarray(x[:, k]), numbers)
                found[:, k] = numbers
        return found

    return along


def pieces(t: np.ndarray) -> Iterator[slice]:
    """Parts of the samples at some times; all sides of a jump are in one part."""
    first = 0
    while first < len(t):
        last = min(first + _PIECE, len(t))
        while last < len(t) and t[last] == t[last - 1]:
            last += 1
        yield slice(first, last)
        first = last


def wide(values: np.ndarray, k: int) -> np.ndarray:
    """The outputs of a NumPy function at k samples, shape (size, k)."""
    return np.broadcast_to(values.reshape(len(values), -1), (len(values), k))


def _pull(columns: np.ndarray, forces: np.ndarray) -> np.ndarray:
    """W lambda, shape (k, n_u), of the columns of contacts, shape (4 n_contacts, n_u, k)."""
    return np.einsum("cuk,ck->ku", columns[: len(forces)], forces)
