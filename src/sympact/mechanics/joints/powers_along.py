"""The powers of loads, of friction and of prescribed motions along a run."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sympact.mechanics.derive.derivation import Derivation
from sympact.mechanics.joints.joint_functions import Powers
from sympact.mechanics.joints.motion_along import MotionAlong, pieces, wide
from sympact.native.cached import cached_property

__all__ = ["PowersAlong"]

TRANSITIONS = "transitions"


@dataclass(frozen=True, eq=False)
class PowersAlong:
    """What does work in one run, see `sympact.integrate.trajectory.evaluator.Powers`.

    Attributes
    ----------
    motion : MotionAlong
    derivation : Derivation
        Of the model as the user wrote it, whose inputs are not given.
    """

    motion: MotionAlong
    derivation: Derivation

    @cached_property
    def _powers(self) -> Powers:
        return self.motion.functions.powers(self.derivation)

    @property
    def names(self) -> tuple[str, ...]:
        """Of what does work."""
        return (*self._of_jumps, *self._powers.terms.names)

    @property
    def sources(self) -> tuple[object, ...]:
        """The user's load, actuator or contact of each."""
        return (*self._of_jumps, *self._powers.terms.sources)

    @property
    def jumps(self) -> tuple[str, ...]:
        """The names of the transitions."""
        return tuple(jump.name for jump in self.derivation.jumps)

    @property
    def _of_jumps(self) -> tuple[str, ...]:
        """The jumps of all transitions, which have no power."""
        return (TRANSITIONS,) if self.derivation.jumps else ()

    @property
    def changes_potential(self) -> bool:
        """Whether the change of the potential energy is part of the last one's work."""
        return self._powers.terms.changes_potential

    @property
    def unknown(self) -> str:
        """Why the work is unknown; empty where it is known."""
        return self._powers.terms.unknown

    def along(self, t: np.ndarray, x: np.ndarray, stage: np.ndarray) -> np.ndarray:
        """The powers at times (k,), states (n_states, k) and stages (k,), shape (n, k) (W)."""
        found, first = np.zeros((len(self.names), len(t))), len(self._of_jumps)
        for piece in pieces(t) if len(found) > first else ():
            found[first:, piece] = self._at(t[piece], x[:, piece], stage[piece])
        return found

    def _at(self, t: np.ndarray, x: np.ndarray, stage: np.ndarray) -> np.ndarray:
        motion, powers, k = self.motion, self._powers, len(t)
        if powers.uses_motion:
            instants = motion.at(t, x, stage)
            p, slopes, contacts, reactions = instants.p, instants.slopes, instants.contacts, instants.reactions
        else:
            p, slopes, contacts = motion.numbers(t, x, stage), np.zeros(x.shape), motion.contact_forces(t, x, stage)
            reactions = np.zeros((len(self.derivation.constraints), k))
        unused = np.zeros((motion.functions.before_reactions - len(slopes) - len(contacts), k))
        return wide(powers.values(t, x, np.concatenate([slopes, contacts, unused, reactions]), p), k)
