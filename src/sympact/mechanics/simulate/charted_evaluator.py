"""The user's model of a run that was integrated in other coordinates: its quantities there, the forces from here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sympact.integrate.problem.settings import Settings
from sympact.integrate.trajectory.chart import Chart
from sympact.integrate.trajectory.evaluator import Along, AtEvent
from sympact.integrate.trajectory.record import Record
from sympact.mechanics.derived.compiled import CompiledModel
from sympact.mechanics.joints.motion_along import MotionAlong
from sympact.mechanics.run.model_evaluator import ModelEvaluator
from sympact.mechanics.run.quantities import ModelQuantities
from sympact.mechanics.run.signals import Signals
from sympact.mechanics.run.stored_given import stored_given
from sympact.native.cached import cached_property

__all__ = ["ChartedEvaluator"]


class ChartedEvaluator(ModelQuantities):
    """The user's model of a run that was integrated in other coordinates; it has no constraints.

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
        super().__init__(outer, p, signals)
        self._chart, self._inner, self._asked = chart, inner, asked

    def completed(self, record: Record) -> Record:
        """The record with the details of its end, and the user's settings."""
        found = self._inner.completed(record)
        if self._asked is not None:
            found.settings["atol"] = self._asked.asked()["atol"]
        return found

    def quantity(self, name: str, *key: Any) -> Along:
        """A quantity along the run; the forces in joints are those of the model that was integrated."""
        return (
            self._inward(self._inner.quantity(name, *key)) if name == "joint_wrench" else super().quantity(name, *key)
        )

    def at_event(self, name: str, *key: Any) -> AtEvent:
        """A quantity at an event, of the model that was integrated."""
        own = self._inner.at_event(name, *key)

        def at(t: float, x: tuple[np.ndarray, np.ndarray], stage: int, impulses: np.ndarray) -> np.ndarray:
            before, after = self._chart.inward(np.array(x))
            return own(t, (before, after), stage, impulses)

        return at

    @cached_property
    def contact_forces(self) -> Mapping[str, Along]:
        """The quantities ``force`` and ``friction_force``, by these names; none without contacts."""
        return {name: self._inward(force) for name, force in self._inner.contact_forces.items()}

    @cached_property
    def motion(self) -> MotionAlong:
        """The motion along the run, with the forces of contacts."""
        return MotionAlong(self._compiled.model, self._settled, tuple(self.contact_forces.values()))

    def sides(self, t: float) -> Mapping[str, Sequence[float]]:
        """The sides of its boundaries at its end."""
        return self._inner.sides(t)

    def stored(self) -> dict[str, Any]:
        """What a file stores, see `TurnedModel.restored`."""
        numbers = [float(number).hex() for number in self._p]
        inner, outer = self._inner.stored(), self._compiled
        own = {"digest": outer.digest, "states": list(outer.state_names), "span": inner["span"], "p": numbers}
        own |= {name: inner[name] for name in ("sampled", "commands", "held", "stepped") if name in inner}
        within = {name: value for name, value in inner.items() if name not in ("given", "watched")}
        return {**own, **stored_given(outer.model, self._signals), "turned": within}

    def _inward(self, own: Along) -> Along:
        """A quantity of the model that was integrated, in the states of the user's model."""
        return lambda t, x, stage: own(t, self._chart.inward(x.T).T, stage)
