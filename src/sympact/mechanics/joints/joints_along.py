"""Forces and torques in joints along a run, and their impulses, by Newton's and Euler's equations of the bodies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from sympy.physics.mechanics.joint import Joint
from sympy.physics.vector import ReferenceFrame

from sympact.contact.memory.contact_tolerances import WEAK
from sympact.integrate.problem.warning import SympactWarning, tell
from sympact.mechanics.derived.derived_model import DerivedModel
from sympact.mechanics.joints.force_balance import Balance
from sympact.mechanics.joints.joint_functions import JointFunctions, Reaction
from sympact.mechanics.joints.motion_along import MotionAlong, impact_of, pieces, wide
from sympact.native.rounding import SAME

__all__ = ["JointsAlong"]

_TRIES = 8  # random states at which the force of a potential is determined


@dataclass(frozen=True, eq=False)
class JointsAlong:
    """The reactions of the joints of a model in one run.

    Attributes
    ----------
    motion : MotionAlong
    """

    motion: MotionAlong

    @property
    def functions(self) -> JointFunctions:
        """The functions of the model, which its runs share."""
        return self.motion.functions

    @property
    def model(self) -> DerivedModel:
        """The model."""
        return self.motion.model

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

        A warning says where it is not determined, because constraints are redundant.

        Raises
        ------
        ValueError
            If the force of a load, a contact or a constraint on the bodies is not known; the message says how to give
            it.
        """
        joint = self.functions.joint(wanted)
        reaction, found, sure = self.functions.reaction(joint, frame), np.empty((3, len(t))), True
        rows = slice(3, 6) if turns else slice(0, 3)
        for piece in pieces(t):
            at, along = (t[piece], x[:, piece]), self.motion.at(t[piece], x[:, piece], stage[piece])
            self._check_numbers(joint, reaction.needed[turns], along.p)
            self._check_contacts(joint, reaction, along.contacts)
            self._check_constraints(joint, reaction, along.reactions)
            potentials = self._potential_forces(joint, reaction, t[piece], along.p)
            known = np.concatenate([along.slopes, along.contacts, potentials])

            def pull(reactions: np.ndarray, at=at, along=along, known=known) -> np.ndarray:
                slopes = np.concatenate([known, reactions])
                return wide(reaction.wrench(*at, slopes, along.p), len(at[0]))[rows]

            found[:, piece] = pull(along.reactions)
            sure = sure and _determined(along.balance, pull, along.reactions, found[:, piece])
        if not sure:
            _warn(joint)
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
        impact = impact_of(self.model, t, x, stage, impulses)
        joint = self.functions.joint(wanted)
        reaction, rows = self.functions.reaction(joint, frame), slice(3, 6) if turns else slice(0, 3)
        before, after = impact.before[:, np.newaxis], impact.after[:, np.newaxis]
        times, pushed = np.array([t]), impulses[:, np.newaxis]
        p, reactions, balance = self.motion.struck(impact)
        self._check_numbers(joint, reaction.needed[turns], p)
        self._check_contacts(joint, reaction, pushed)
        self._check_constraints(joint, reaction, reactions)
        known = np.concatenate([np.zeros((len(before), 1)), pushed, np.zeros((3 * self._n_potentials, 1))])
        change = wide(reaction.momentum(times, after, p), 1) - wide(reaction.momentum(times, before, p), 1)

        def pull(reactions: np.ndarray) -> np.ndarray:
            slopes = np.concatenate([known, reactions])
            return (change + wide(reaction.impulse(times, before, slopes, p), 1))[rows]

        found = pull(reactions)
        if not _determined(balance, pull, reactions, found):
            _warn(joint)
        return found[:, 0]

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
        values = wide(self.functions.potentials(np.full(_TRIES, t), x, np.repeat(p, _TRIES, axis=1)), _TRIES)
        for k in reaction.uses_potentials:
            own = values[4 * n_u * k : 4 * n_u * (k + 1)]
            along = own[:n_u].T.ravel()
            columns = own[n_u:].reshape(3, n_u, _TRIES).transpose(2, 1, 0).reshape(-1, 3)
            force = np.linalg.lstsq(columns, along, rcond=SAME)[0] if np.isfinite(own).all() else np.zeros(3)
            if not np.linalg.norm(columns @ force - along) <= SAME * np.linalg.norm(along):
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

    def _check_constraints(self, joint: Joint, reaction: Reaction, reactions: np.ndarray) -> None:
        """Refuse forces of constraints that cannot be attributed to bodies."""
        for k in reaction.unplaced:
            if np.any(reactions[k] != 0.0):
                name = self.model.derivation.constraints[k].name
                raise ValueError(
                    f"the constraint '{name}' is an expression that does not say at which points its force acts, so "
                    f"that the force in the joint '{joint.name}' is not known; write it as a closure between points, "
                    "such as BallClosure(P, Q) or RodClosure(P, Q, l), or with the coordinates of one joint"
                )


def _determined(
    balance: Balance, pull: Callable[[np.ndarray], np.ndarray], reactions: np.ndarray, found: np.ndarray
) -> bool:
    """Whether a sum of forces is the same for other multipliers that give the same motion: some at random.

    Sums of rows below `WEAK` count as none in the balance, and so here.
    """
    if not len(reactions):
        return True
    random = np.random.default_rng(0).standard_normal(reactions.T.shape)
    size = np.abs(reactions).max(axis=0, initial=0.0) + np.abs(found).max(axis=0)
    changed = pull(reactions + size * balance.undetermined(random).T)
    return bool((np.abs(changed - found) <= WEAK * size).all())


def _warn(joint: Joint) -> None:
    sentence = (
        f"the reaction of the joint '{joint.name}' is not determined by the motion, because constraints are redundant: "
        "the one given belongs to the multipliers of the smallest norm; result.reaction.determined states which "
        "constraints share a load"
    )
    tell(SympactWarning(sentence, "redundant constraints"))
