"""Runs of a model with angles, integrated with quaternions: states, parameters and inputs go in, a result comes out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from sympact.graph import Unreadable
from sympact.integrate.history.hooks import ContactForces, Hooks
from sympact.integrate.history.mode_names import Modes
from sympact.integrate.history.record import Record
from sympact.integrate.history.turned import Chart, TurnedRecord, TurnedRun
from sympact.integrate.problem.settings import Settings
from sympact.integrate.result import Result
from sympact.integrate.steppers.interpolation import StoredInterpolant
from sympact.mechanics.derive.quaternion_chart import in_quaternions
from sympact.mechanics.derive.rotations import Rotation, joined, rotations_by_angles
from sympact.mechanics.run.bound import bound_model, with_derivation
from sympact.mechanics.run.compiled import CompiledModel, compile_model
from sympact.mechanics.run.quantities import hooks_of
from sympact.mechanics.run.signals import Signals
from sympact.mechanics.start.preconditions import preconditions_of

if TYPE_CHECKING:
    from sympact.mechanics.model import HybridModel

__all__ = ["TurnedModel", "Turning", "turning_of"]


@dataclass(frozen=True, eq=False)
class Turning:
    """The rotations by angles of a model, and how its runs integrate them.

    Attributes
    ----------
    told : dict of str to str
        For each frame that three angles turn, "quaternion", or "angles" with the reason.
    model : TurnedModel or None
        The model with the quaternions; None where there are none.
    """

    told: dict[str, str]
    model: TurnedModel | None


@dataclass(frozen=True, eq=False)
class TurnedModel:
    """A model with quaternions in place of angles.

    Attributes
    ----------
    outer, compiled : CompiledModel
        The user's model, and the one that is integrated.
    chart : Chart
    """

    outer: CompiledModel
    compiled: CompiledModel
    chart: Chart

    def simulate(
        self,
        asked: Settings,
        p: np.ndarray,
        signals: Signals | None,
        hooks: Hooks,
        t_eval: np.ndarray | None,
        progress: bool,
    ) -> Result | None:
        """As ``CompiledModel.simulate``, from its checked settings and the hooks of the user's model.

        None where an input depends on the motion by a Python function, or on an angle.
        """
        own = self._signals(signals)
        if own is None and signals is not None:
            return None
        running = self.outer if signals is None else signals.compiled
        given = self.compiled if own is None else own.compiled
        numbers = dict(zip(running.model.parameters, p, strict=True))
        p = np.array([numbers[symbol] for symbol in given.model.parameters])
        everything = self.compiled.all_parameters(p) if own is None else own.numbers(p)
        inner = replace(asked, x0=self.chart.inward(asked.x0[np.newaxis])[0], atol=self._tolerances(asked.atol))
        energy = hooks_of(self.compiled, everything, own).kinetic_energy
        return self.compiled.run(inner, everything, own, energy, progress, partial(self._result, asked, hooks, t_eval))

    def _tolerances(self, atol: np.ndarray) -> np.ndarray:
        """The tolerances of the states that are integrated: for a rotation the least of its angles and speeds."""
        tolerances = np.empty(self.chart.size)
        tolerances[self.chart.kept[1]] = atol[self.chart.kept[0]]
        for attitude in self.chart.attitudes:
            tolerances[attitude.quaternion] = atol[attitude.angles].min()
            tolerances[attitude.spin] = atol[attitude.speeds].min()
        return tolerances

    def _result(
        self,
        asked: Settings,
        hooks: Hooks,
        t_eval: np.ndarray | None,
        record: Record,
        dense: StoredInterpolant,
        modes: Modes,
    ) -> Result:
        """The result in the states of the user's model."""
        record.settings["atol"] = asked.asked()["atol"]
        program, forces = modes.named(), self.compiled.forces(record, modes)
        inward: dict[str, Any] = {name: partial(self._inward, force) for name, force in forces.items()}
        hooks = replace(hooks, **inward)
        run = TurnedRun(self.chart, asked.x0, record, dense)
        return Result(TurnedRecord(run), run, replace(program, state_names=self.outer.state_names), hooks, t_eval)

    def _inward(self, force: ContactForces, t: np.ndarray, x: np.ndarray, stage: np.ndarray) -> np.ndarray:
        """Forces along a run in the states of the user's model."""
        return force(t, self.chart.inward(x.T).T, stage)

    def _signals(self, signals: Signals | None) -> Signals | None:
        """The inputs of a run as those of the model with quaternions; None where they cannot be."""
        if signals is None or any(given.sees_the_state for given in signals.given.values()):
            return None
        kinds = {letter: given.kind for letter, given in signals.given.items()}
        key = tuple(kinds.items())
        if key not in self._bound:
            try:
                self._bound[key] = bound_model(self.compiled.model, kinds, kinds)
            except ValueError:  # an input contains an angle
                self._bound[key] = None
        bound = self._bound[key]
        if bound is not None and not set(bound.compiled.model.parameters) <= set(signals.compiled.model.parameters):
            return None
        return None if bound is None else replace(signals, bound=bound, n_states=self.chart.size)

    @cached_property
    def _bound(self) -> dict:
        """The models with inputs of these kinds; None where they contain angles."""
        return {}


def turning_of(model: HybridModel) -> Turning:
    """Find the rotations by angles of a model, and derive it in quaternions where that is possible."""
    rotations = list(rotations_by_angles(model.derivation))
    refused = {rotation: _reason(model) or joined(model.derivation, rotation) for rotation in rotations}
    taken = [rotation for rotation, reason in refused.items() if not reason]
    turned = None
    while taken and turned is None:
        try:
            turned = _turned(model, taken)
        except ValueError as error:
            alone = {rotation: "" if len(taken) == 1 else _fault(model, rotation) for rotation in taken}
            if not any(alone.values()):
                alone = dict.fromkeys(taken, _told(error))
            refused |= alone
            taken = [rotation for rotation in taken if not alone[rotation]]
    told: dict[str, str] = {}
    for rotation, reason in refused.items():
        same = sum(other.frame.name == rotation.frame.name for other in rotations[: rotations.index(rotation)])
        name = f"{rotation.frame.name} ({same + 1})" if same else rotation.frame.name
        told[name] = f"angles: {reason}" if reason else "quaternion"
    return Turning(told, turned)


def _reason(model: HybridModel) -> str:
    """Why a model keeps all of its angles; empty where it need not."""
    if model.attitude == "angles":
        return "as given by attitude="
    return "the impact law is a Python function, which sees the speeds" if model.calls_python else ""


def _fault(model: HybridModel, rotation: Rotation) -> str:
    """Why one rotation keeps its angles; empty where it need not."""
    try:
        in_quaternions(model.derivation, model.description, [rotation])
    except ValueError as error:
        return _told(error)
    return ""


def _told(error: ValueError) -> str:
    """Why a model cannot be derived without some angles."""
    if isinstance(error, Unreadable):
        return f"{', '.join(map(str, error.parts))} outside of the rotation"
    return str(error)


def _turned(model: HybridModel, rotations: list[Rotation]) -> TurnedModel:
    """The model with the quaternions of some rotations.

    Raises
    ------
    ValueError
        If it cannot be derived without their angles.
    """
    derivation, chart = in_quaternions(model.derivation, model.description, rotations)
    turned = with_derivation(model, derivation)
    turned.attitude, turned.outputs = "angles", {}
    turned.__dict__["preconditions"] = preconditions_of(turned)
    surplus = set(turned.parameters) - set(model.parameters)
    if surplus:
        raise ValueError(f"the equations in quaternions need {surplus}, those in angles do not")
    return TurnedModel(model.compile(), compile_model(turned), chart)
