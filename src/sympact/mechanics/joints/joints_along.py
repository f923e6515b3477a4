"""Forces and torques in joints along a run, and their impulses, by Newton's and Euler's equations of the bodies."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from sympy.physics.mechanics.joint import Joint
from sympy.physics.vector import ReferenceFrame

from sympact.graph import Substitution
from sympact.integrate.history.hooks import ContactForces
from sympact.integrate.history.mode_names import Modes
from sympact.mechanics.joints.joint_functions import JointFunctions, Reaction, joint_functions_of

if TYPE_CHECKING:
    from sympact.mechanics.model import HybridModel
    from sympact.mechanics.run.signals import Signals

__all__ = ["JointsAlong", "numbers_along"]

NumbersAlong = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
"""All numbers of p, shape (n, k), at times (k,), states (n_states, k) and stages (k,)."""

Settle = Callable[[float, np.ndarray, np.ndarray], None]

_PIECE = 1024  # samples that are evaluated together
_TRIES = 8  # random states at which the force of a potential is determined
_CONSTANT = 1e-9  # of the generalized forces: the residual of a force that is constant in N is rounding


@dataclass(frozen=True, eq=False)
class JointsAlong:
    """The reactions of the joints of a model in one run.

    Attributes
    ----------
    model : HybridModel
        With the inputs of the run.
    numbers : callable
        See `NumbersAlong`.
    forces : tuple of ContactForces
        The normal forces and the forces of friction along the run; empty without contacts.
    inputs : Substitution, optional
        Replaces the inputs by what they are given as.
    """

    model: HybridModel
    numbers: NumbersAlong
    forces: tuple[ContactForces, ...] = ()
    inputs: Substitution | None = None

    @property
    def functions(self) -> JointFunctions:
        """The functions of the model, which its runs share."""
        return joint_functions_of(self.model, self.inputs)

    def wrench(
        self,
        wanted: object,
        turns: bool,
        frame: ReferenceFrame | None,
        t: np.ndarray,
        x: np.ndarray,
        stage: np.ndarray,
    ) -> np.ndarray:
        """The force on the child of a joint, or the torque where it `turns`, shape (3, k); components in the frame.

        Raises
        ------
        ValueError
            If the force of a load or of a contact on the bodies is not known; the message says how to give it.
        """
        joint = self.functions.joint(wanted)
        reaction, found = self.functions.reaction(joint, frame), np.empty((3, len(t)))
        for piece in _pieces(len(t)):
            p = self.numbers(t[piece], x[:, piece], stage[piece])
            self._check_numbers(joint, reaction.needed[turns], p)
            both = self._wrench(joint, reaction, t[piece], x[:, piece], p, stage[piece])
            found[:, piece] = both[3:] if turns else both[:3]
        return found

    def impulse(
        self,
        wanted: object,
        turns: bool,
        frame: ReferenceFrame | None,
        t: float,
        x: tuple[np.ndarray, np.ndarray],
        stage: int,
        impulses: np.ndarray,
    ) -> np.ndarray:
        """The impulse on the child of a joint, or its moment where it `turns`, shape (3,); components in the frame.

        Parameters
        ----------
        x : tuple of two arrays, shape (n_states,)
            Just before and just after.
        impulses : array, shape (4 n_contacts,)
            The normal impulses, then three components in N of those of friction for each contact (N s).
        """
        joint = self.functions.joint(wanted)
        reaction, n_q = self.functions.reaction(joint, frame), len(self.model.q)
        before, times = x[0][:, np.newaxis], np.array([t])
        after = np.concatenate([x[0][:n_q], x[1][n_q:]])[:, np.newaxis]  # an impact changes the speeds alone
        p = self.numbers(times, before, np.array([stage]))
        self._check_numbers(joint, reaction.needed[turns], p)
        self._check_contacts(joint, reaction, impulses[:, np.newaxis])
        slopes = np.concatenate([np.zeros(len(before)), impulses, np.zeros(3 * self._n_potentials)])[:, np.newaxis]
        change = _wide(reaction.momentum(times, after, p), 1) - _wide(reaction.momentum(times, before, p), 1)
        both = (change + _wide(reaction.impulse(times, before, slopes, p), 1))[:, 0]
        return both[3:] if turns else both[:3]

    def _wrench(
        self, joint: Joint, reaction: Reaction, t: np.ndarray, x: np.ndarray, p: np.ndarray, stage: np.ndarray
    ) -> np.ndarray:
        contacts = [np.asarray(force(t, x, stage)).reshape(-1, len(t)) for force in self.forces]
        forces = np.concatenate([*contacts, np.empty((0, len(t)))])
        self._check_contacts(joint, reaction, forces)
        potentials = self._potential_forces(joint, reaction, t, p)
        slopes = np.concatenate([self._slopes(t, x, p, forces), forces, potentials])
        return _wide(reaction.wrench(t, x, slopes, p), len(t))

    def _slopes(self, t: np.ndarray, x: np.ndarray, p: np.ndarray, forces: np.ndarray) -> np.ndarray:
        """x' = [q', u'] with M u' = f + W_N lambda_N + W_T lambda_T of the forces that the run reports."""
        n_q, n_u, n_c, k = len(self.model.q), len(self.model.u), len(self.model.contacts), len(t)
        found = _wide(self.functions.motion(t, x, p), k)
        rates, mass, forcing, columns = np.split(found, np.cumsum([n_q, n_u * n_u, n_u]))
        if n_c:
            forcing = forcing + np.einsum("cuk,ck->uk", columns.reshape(4 * n_c, n_u, k), forces)
        speeds_up = np.linalg.solve(mass.reshape(n_u, n_u, k).transpose(2, 0, 1), forcing.T[..., np.newaxis])
        return np.concatenate([rates, speeds_up[..., 0].T])

    def _potential_forces(self, joint: Joint, reaction: Reaction, t: np.ndarray, p: np.ndarray) -> np.ndarray:
        """The forces of the bodies' potential energies at their mass centres, shape (3 n_potentials, k).

        Those of potentials of a force that is constant in N; along directions in which the mass centre never moves it
        is taken as zero.
        """
        found = np.zeros((3 * self._n_potentials, len(t)))
        if not reaction.uses_potentials:
            return found
        kinds, where = np.unique(p, axis=1, return_inverse=True)
        for k in range(kinds.shape[1]):
            found[:, where.reshape(-1) == k] = self._constant_forces(joint, reaction, float(t[0]), kinds[:, [k]])
        return found

    def _constant_forces(self, joint: Joint, reaction: Reaction, t: float, p: np.ndarray) -> np.ndarray:
        """The same for one column of p, shape (3 n_potentials, 1)."""
        n_u, rows = len(self.model.u), np.zeros((3 * self._n_potentials, 1))
        x = np.random.default_rng(0).uniform(-1.0, 1.0, (len(self.model.x), _TRIES))
        for group in self.model.derivation.quaternions:
            x[list(group)] /= np.linalg.norm(x[list(group)], axis=0)
        values = _wide(self.functions.potentials(np.full(_TRIES, t), x, np.repeat(p, _TRIES, axis=1)), _TRIES)
        for k in reaction.uses_potentials:
            own = values[4 * n_u * k : 4 * n_u * (k + 1)]
            along = own[:n_u].T.ravel()
            columns = own[n_u:].reshape(3, n_u, _TRIES).transpose(2, 1, 0).reshape(-1, 3)
            force = np.linalg.lstsq(columns, along, rcond=_CONSTANT)[0] if np.isfinite(own).all() else np.zeros(3)
            if not np.linalg.norm(columns @ force - along) <= _CONSTANT * np.linalg.norm(along):
                body = self.model.derivation.survey.potentials[k]
                raise ValueError(
                    f"the potential energy of the body '{body.name}' is not that of a force that is constant in the "
                    f"inertial frame, so that it does not say which force acts where, and the joint '{joint.name}' "
                    "bears it; give the load itself: a Force, a Torque, or an actuator such as LinearSpring"
                )
            rows[3 * k : 3 * k + 3, 0] = force
        return rows

    @property
    def _n_potentials(self) -> int:
        return len(self.model.derivation.survey.potentials)

    def _check_numbers(self, joint: Joint, needed: frozenset[int], p: np.ndarray) -> None:
        """Refuse symbols without a number: those on which nothing in the equations of motion depends."""
        symbols = self.model.derivation.symbols
        letters = (*symbols.parameters, *symbols.inputs)
        without = [letters[i] for i in sorted(needed) if i < len(letters) and np.isnan(p[i]).any()]
        if without:
            names = ", ".join(map(str, without))
            raise ValueError(
                f"what the joint '{joint.name}' bears depends on {names}, which has no value in this run, because "
                "the motion does not depend on it; give it a number among the parameters or inputs of the run"
            )

    def _check_contacts(self, joint: Joint, reaction: Reaction, forces: np.ndarray) -> None:
        """Refuse forces of contacts that cannot be attributed to bodies."""
        for k in reaction.unknown:
            if np.any(forces[k] != 0.0):
                contact = self.model.contacts[k]
                raise ValueError(
                    f"{contact.title} bears a load, and its expression does not say on which bodies it acts, so that "
                    f"the force in the joint '{joint.name}' is not known; write it with the coordinates of one joint, "
                    "or as a Contact or String between points"
                )


def numbers_along(modes: Modes, size: int, signals: Signals | None, settle: Settle | None = None) -> NumbersAlong:
    """The numbers of p in the modes of a run: with its switches, and the values of its inputs.

    Parameters
    ----------
    modes : Modes
        Of the run.
    size : int
        The number of entries of p.
    signals : Signals, optional
        The inputs.
    settle : callable, optional
        ``settle(t, x, p)`` sets the switches to the branches at a state, for runs that do not follow them.
    """

    def along(t: np.ndarray, x: np.ndarray, stage: np.ndarray) -> np.ndarray:
        found = np.empty((size, len(t)))
        with modes.memory() as memory:
            p = np.frombuffer((ctypes.c_double * size).from_address(memory.program.stages[0].flow_data))
            for k in range(len(t)):
                memory.restore(int(stage[k]))
                memory.go_to(float(t[k]))
                numbers = p.copy() if signals is None else signals.called(p.copy(), float(t[k]), x[:, k])
                if settle is not None:
                    settle(float(t[k]), np.ascontiguousarray(x[:, k]), numbers)
                found[:, k] = numbers
        return found

    return along


def _pieces(k: int) -> Iterator[slice]:
    """Parts of k samples."""
    return (slice(first, first + _PIECE) for first in range(0, k, _PIECE))


def _wide(values: np.ndarray, k: int) -> np.ndarray:
    """The outputs of a NumPy function at k samples, shape (size, k)."""
    return np.broadcast_to(values.reshape(len(values), -1), (len(values), k))
