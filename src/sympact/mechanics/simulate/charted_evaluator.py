"""The user's model of a run that was integrated in other coordinates: its quantities there, the forces from here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from sympact.integrate.problem.settings import Settings
from sympact.integrate.trajectory.chart import Chart
from sympact.integrate.trajectory.hooks import ContactForces, Hooks
from sympact.integrate.trajectory.record import Record
from sympact.mechanics.derived.compiled import CompiledModel
from sympact.mechanics.joints.motion_along import MotionAlong
from sympact.mechanics.joints.powers_along import PowersAlong
from sympact.mechanics.run.model_evaluator import ModelEvaluator
from sympact.mechanics.run.quantities import hooks_of, settled_numbers
from sympact.mechanics.run.signals import Signals
from sympact.mechanics.run.stored_given import stored_given

__all__ = ["ChartedEvaluator"]


class ChartedEvaluator:
    """The user's model of a run that was integrated in other coordinates, see `Evaluator`.

    Parameters
    ----------
    outer : CompiledModel
        The user's model.
    chart : Chart
    inner : ModelEvaluator
        The model that was integrated.
    p : array
        All numbers of the user's model.
    signals : Signals, optional
        The user's inputs.
    asked : Settings, optional
        The user's, of a run that was simulated here.
    """

    def __init__(
        self,
        outer: CompiledModel,
        chart: Chart,
        inner: ModelEvaluator,
        p: np.ndarray,
        signals: Signals | None,
        asked: Settings | None = None,
    ) -> None:
        self._outer, self._chart, self._inner, self._p, self._signals = outer, chart, inner, p, signals
        self._asked = asked

    def completed(self, record: Record) -> Record:
        """The record with the details of its end, and the user's settings."""
        found = self._inner.completed(record)
        if self._asked is None:
            return found
        return replace(found, settings={**found.settings, "atol": self._asked.asked()["atol"]})

    @cached_property
    def hooks(self) -> Hooks:
        """The quantities of the user's model, and the forces of that which was integrated."""
        own = self._inner.hooks
        assert own.joint_wrench is not None, "a run of a model has it"
        assert own.joint_impulse is not None, "a run of a model has it"
        hooks = replace(
            hooks_of(self._outer, self._p, self._signals),
            joint_wrench=partial(self._joints_inward, own.joint_wrench),
            joint_impulse=partial(self._impulses_inward, own.joint_impulse),
            reactions=own.reactions,  # of none: a model with constraints is not turned
        )
        forces: dict[str, Any] = {}
        if own.force is not None and own.friction_force is not None:
            forces = {name: partial(self._inward, getattr(own, name)) for name in ("force", "friction_force")}
        numbers = settled_numbers(self._outer, self._p, self._signals)
        motion = MotionAlong(self._outer.model, numbers, tuple(forces.values()))
        powers = PowersAlong(motion, self._outer.model.derivation)
        hooks = replace(hooks, **forces, slopes=motion.slopes, powers=powers, stored=self._stored)
        return replace(hooks, sides=own.sides)

    def _stored(self) -> dict[str, Any]:
        """What a file stores, see `restored_hooks`."""
        numbers = [float(number).hex() for number in self._p]
        inner, outer = self._inner.stored(), self._outer
        own = {"digest": outer.digest, "states": list(outer.state_names), "span": inner["span"], "p": numbers}
        own |= {name: inner[name] for name in ("sampled", "commands", "held", "stepped") if name in inner}
        within = {name: value for name, value in inner.items() if name not in ("given", "watched")}
        return {**own, **stored_given(outer.model, self._signals), "turned": within}

    def _inward(self, force: ContactForces, t: np.ndarray, x: np.ndarray, stage: np.ndarray) -> np.ndarray:
        """Forces along a run in the states of the user's model."""
        return force(t, self._chart.inward(x.T).T, stage)

    def _joints_inward(
        self,
        wrench: Callable[..., np.ndarray],
        joint: object,
        turns: bool,
        frame: object,
        t: np.ndarray,
        x: np.ndarray,
        stage: np.ndarray,
    ) -> np.ndarray:
        """Forces in joints along a run in the states of the user's model."""
        return wrench(joint, turns, frame, t, self._chart.inward(x.T).T, stage)

    def _impulses_inward(
        self,
        impulse: Callable[..., np.ndarray],
        joint: object,
        turns: bool,
        frame: object,
        t: float,
        x: tuple[np.ndarray, np.ndarray],
        stage: int,
        impulses: np.ndarray,
    ) -> np.ndarray:
        """Impulses in joints at an event between states of the user's model."""
        before, after = self._chart.inward(np.array(x))
        return impulse(joint, turns, frame, t, (before, after), stage, impulses)
