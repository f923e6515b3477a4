"""What follows from the motion of a model: accelerations, the forces in its joints and of its constraints."""

from __future__ import annotations

from functools import partial
from typing import Any

from sympact.integrate.trajectory.evaluator import Along, AtEvent, Evaluator, Facts
from sympact.mechanics.joints.joints_along import JointsAlong
from sympact.mechanics.joints.motion_along import MotionAlong
from sympact.mechanics.joints.reactions_along import ReactionsAlong

__all__ = ["MotionEvaluator"]

_NAMES = ("slopes", "joint_wrench", "reactions", "exerted")


class MotionEvaluator(Evaluator):
    """The quantities that follow from a motion, see `Evaluator`.

    Parameters
    ----------
    motion : MotionAlong
    """

    def __init__(self, motion: MotionAlong) -> None:
        self._motion, self._joints, self._constraints = motion, JointsAlong(motion), ReactionsAlong(motion)

    @property
    def facts(self) -> Facts:
        """The constraints of the model."""
        return Facts(constraints=self._constraints)

    def knows(self, name: str) -> bool:
        """Whether a quantity follows from the motion."""
        return name in _NAMES

    def quantity(self, name: str, *key: Any) -> Along:
        """A quantity along the motion."""
        if name == "slopes":
            return self._motion.slopes
        if name == "reactions":
            return self._constraints.along
        if name == "exerted":
            wanted, turns, frame = key
            return lambda t, x, stage, values: self._constraints.exerted(wanted, turns, frame, (t, x, stage), values)
        return partial(self._joints.wrench, *key)

    def at_event(self, name: str, *key: Any) -> AtEvent:
        """A quantity at an event."""
        if name == "joint_impulse":
            return partial(self._joints.impulse, *key)
        return self._constraints.struck if name == "reactions" else self._constraints.struck_at
