"""Runs of a model with angles, integrated with quaternions: states, parameters and inputs go in, a result comes out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from sympact.graph import Function, Graph, Unreadable, formula
from sympact.integrate.charts.turned import Chart, TurnedRecord, TurnedRun
from sympact.integrate.export.portable import portable, same_run
from sympact.integrate.history.hooks import ContactForces, Hooks
from sympact.integrate.history.record import Record
from sympact.integrate.loop.recorder import Recording
from sympact.integrate.problem.program import Program
from sympact.integrate.problem.settings import Settings
from sympact.integrate.result import Result
from sympact.mechanics.derive.quaternion_chart import in_quaternions
from sympact.mechanics.derive.rotations import Rotation, joined, rotations_by_angles
from sympact.mechanics.derived.compiled import CompiledModel, compile_model
from sympact.mechanics.derived.derived_model import DerivedModel
from sympact.mechanics.joints.motion_along import MotionAlong
from sympact.mechanics.joints.powers_along import PowersAlong
from sympact.mechanics.run.bound import bound_model
from sympact.mechanics.run.model_run import ModelRun, RestoredRun
from sympact.mechanics.run.quantities import hooks_of, settled_numbers
from sympact.mechanics.run.signals import Signals
from sympact.mechanics.run.stored_given import stored_given
from sympact.mechanics.simulate.run_compiled import run_compiled

__all__ = ["TurnedModel", "TurnedModelRun", "Turning", "turning_of"]


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

    def takes(self, signals: Signals | None) -> bool:
        """Whether it runs with these inputs: none that depends on the motion by a Python function, or on an angle."""
        return signals is None or self._signals(signals) is not None

    def simulate(
        self,
        asked: Settings,
        p: np.ndarray,
        numbers: np.ndarray,
        signals: Signals | None,
        recording: Recording,
        progress: bool,
    ) -> Result:
        """As ``CompiledModel.simulate``, from its checked settings and parameters, and its inputs, which it `takes`."""
        x0 = self.compiled.raw("inward", 0.0, asked.x0, numbers)
        inner, given, own = self.inner(asked, x0, p, numbers, signals)

        def view(run: ModelRun, x0: np.ndarray | None = None) -> TurnedModelRun:
            start = asked if x0 is None else asked.at(asked.t_span, x0)
            return TurnedModelRun(self, run, start, numbers, signals)

        return run_compiled(self.compiled, inner, given, own, recording, progress, view)

    def restored(self, stored: Mapping, record: Record, signals: Signals | None) -> Hooks:
        """The functions of a run in a file; `record` as it was integrated."""
        own = None if signals is None else self._signals(signals)
        run = RestoredRun(self.compiled, stored["turned"], record, own)
        p = np.array([float.fromhex(number) for number in stored["p"]])
        return TurnedModelRun(self, run, None, p, signals).hooks

    def inner(
        self, asked: Settings, x0: np.ndarray, p: np.ndarray, numbers: np.ndarray, signals: Signals | None
    ) -> tuple[Settings, np.ndarray, Signals | None]:
        """The settings, all numbers of p and the inputs of the run that is integrated, from the state x0."""
        own = None if signals is None else self._signals(signals)
        chosen = np.asarray(p, float)[self.taken(signals)]
        given = self.compiled.all_parameters(chosen) if own is None else own.numbers(chosen)
        without = np.flatnonzero(np.isnan(given[: len(self.compiled.model.derivation.symbols.parameters)]))
        given[without] = numbers[without]  # unused parameters have the same places
        return self._inner(asked, x0).at(asked.t_span, x0).going_on(asked.sides), given, own

    def taken(self, signals: Signals | None) -> np.ndarray:
        """The places of its parameters in those of the user's model."""
        return self._taken(signals, None if signals is None else self._signals(signals))

    def _taken(self, signals: Signals | None, own: Signals | None) -> np.ndarray:
        """The places of its parameters in those of the user's model."""
        if signals is None or own is None:
            return self._places
        places = {symbol: place for place, symbol in enumerate(signals.compiled.model.parameters)}
        return np.array([places[symbol] for symbol in own.compiled.model.parameters], dtype=int)

    @cached_property
    def _places(self) -> np.ndarray:
        places = {symbol: place for place, symbol in enumerate(self.outer.model.parameters)}
        return np.array([places[symbol] for symbol in self.compiled.model.parameters], dtype=int)

    def _inner(self, asked: Settings, x0: np.ndarray) -> Settings:
        """The settings for the states that are integrated; the same object for those of one user's settings."""
        known, inner = self._last_settings[0]
        if inner is None or known is not asked.same:
            inner = replace(asked, x0=x0, atol=self._tolerances(asked.atol))
            self._last_settings[0] = asked.same, inner
        return inner

    @cached_property
    def _last_settings(self) -> list[tuple[object, Settings | None]]:
        """The last settings of a user, and those that belong to them."""
        return [(None, None)]

    def _tolerances(self, atol: np.ndarray) -> np.ndarray:
        """The tolerances of the states that are integrated: for a rotation the least of its angles and speeds."""
        tolerances = np.empty(self.chart.size)
        tolerances[self.chart.kept[1]] = atol[self.chart.kept[0]]
        for attitude in self.chart.attitudes:
            tolerances[attitude.quaternion] = atol[attitude.angles].min()
            tolerances[attitude.spin] = atol[attitude.speeds].min()
        return tolerances

    def _signals(self, signals: Signals | None) -> Signals | None:
        """The inputs of a run as those of the model with quaternions; None where they cannot be."""
        if signals is None or signals.takes_state:
            return None
        kinds, laws = {letter: given.kind for letter, given in signals.given.items()}, [*signals.laws]
        key = (tuple(kinds.items()), tuple(laws))
        if key not in self._bound:
            try:
                self._bound[key] = bound_model(self.compiled.model, kinds, kinds, laws)
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


class TurnedModelRun:
    """A run with quaternions in the states of the user's model; its parts are made on first access.

    Parameters
    ----------
    model : TurnedModel
    run : ModelRun
        As it was integrated.
    asked : Settings or None
        The user's; None of a run in a file, whose record is there.
    p : array
        All numbers of the user's model.
    signals : Signals, optional
        The user's inputs.
    """

    origin: Any = None

    def __init__(
        self, model: TurnedModel, run: ModelRun, asked: Settings | None, p: np.ndarray, signals: Signals | None
    ) -> None:
        self._model, self._run, self._asked, self._p, self._signals = model, run, asked, p, signals

    def __reduce__(self) -> tuple:
        """Its numbers travel, and how it was made."""
        return same_run, (portable(self),)

    @property
    def t(self) -> np.ndarray:
        """The times of the samples, shape (m,)."""
        return self._run.t

    @property
    def x(self) -> np.ndarray:
        """The states there, shape (m, n_states)."""
        return self.interpolant.x

    @property
    def event_t(self) -> np.ndarray:
        """The times of the events, shape (k,)."""
        return self._run.event_t

    @cached_property
    def record(self) -> Record:
        """The samples and events, the end and the settings."""
        record = TurnedRecord(self.interpolant)
        assert self._asked is not None, "a run that was simulated has settings"
        record.settings["atol"] = self._asked.asked()["atol"]
        return record

    @cached_property
    def interpolant(self) -> TurnedRun:
        """The state between the samples."""
        assert self._asked is not None, "a run that was simulated has settings"
        return TurnedRun(self._model.chart, self._asked.x0, self._run.record, self._run.interpolant)

    @cached_property
    def program(self) -> Program:
        """The names of states, stages and boundaries."""
        return replace(self._run.program, state_names=self._model.outer.state_names)

    @cached_property
    def hooks(self) -> Hooks:
        """The quantities of the user's model, and the forces of that which was integrated."""
        own = self._run.hooks
        assert own.joint_wrench is not None, "a run of a model has it"
        assert own.joint_impulse is not None, "a run of a model has it"
        hooks = replace(
            hooks_of(self._model.outer, self._p, self._signals),
            joint_wrench=partial(self._joints_inward, own.joint_wrench),
            joint_impulse=partial(self._impulses_inward, own.joint_impulse),
            reactions=own.reactions,  # of none: a model with constraints is not turned
        )
        forces: dict[str, Any] = {}
        if own.force is not None and own.friction_force is not None:
            forces = {name: partial(self._inward, getattr(own, name)) for name in ("force", "friction_force")}
        numbers = settled_numbers(self._model.outer, self._p, self._signals)
        motion = MotionAlong(self._model.outer.model, numbers, tuple(forces.values()))
        powers = PowersAlong(motion, self._model.outer.model.derivation)
        hooks = replace(hooks, **forces, slopes=motion.slopes, powers=powers, stored=self._stored)
        return replace(hooks, sides=own.sides)

    def _stored(self) -> dict[str, Any]:
        """What a file stores, see `restored_hooks`."""
        numbers = [float(number).hex() for number in self._p]
        inner, outer = self._run.stored(), self._model.outer
        own = {"digest": outer.digest, "states": list(outer.state_names), "span": inner["span"], "p": numbers}
        own |= {name: inner[name] for name in ("sampled", "commands", "held", "stepped") if name in inner}
        within = {name: value for name, value in inner.items() if name not in ("given", "watched")}
        return {**own, **stored_given(outer.model, self._signals), "turned": within}

    def _inward(self, force: ContactForces, t: np.ndarray, x: np.ndarray, stage: np.ndarray) -> np.ndarray:
        """Forces along a run in the states of the user's model."""
        return force(t, self._model.chart.inward(x.T).T, stage)

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
        return wrench(joint, turns, frame, t, self._model.chart.inward(x.T).T, stage)

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
        before, after = self._model.chart.inward(np.array(x))
        return impulse(joint, turns, frame, t, (before, after), stage, impulses)


def turning_of(model: DerivedModel) -> Turning:
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


def _reason(model: DerivedModel) -> str:
    """Why a model keeps all of its angles; empty where it need not."""
    if model.attitude == "angles":
        return "as given by attitude="
    if model.derivation.constraints:
        return "the model has bilateral constraints"
    if model.calls_functions:
        return "an event or a jump is a function of the state, or of forces"
    return "the impact law is a Python function, which sees the speeds" if model.calls_python else ""


def _fault(model: DerivedModel, rotation: Rotation) -> str:
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


def _turned(model: DerivedModel, rotations: list[Rotation]) -> TurnedModel:
    """The model with the quaternions of some rotations.

    Raises
    ------
    ValueError
        If it cannot be derived without their angles.
    """
    derivation, chart = in_quaternions(model.derivation, model.description, rotations)
    turned = model.with_derivation(derivation, attitude="angles", outputs={})
    surplus = set(turned.parameters) - set(model.parameters)
    if surplus:
        raise ValueError(f"the equations in quaternions need {surplus}, those in angles do not")
    inward = _inward(derivation.graph, chart, len(model.x))
    return TurnedModel(model.made(compile_model), compile_model(turned, inward), chart)


def _inward(graph: Graph, chart: Chart, n: int) -> Function:
    """``inward``: the state that is integrated, from that of the user's model."""
    x = np.array([formula.Scalar(graph, graph.input("x", i)) for i in range(n)], dtype=object)
    return Function("inward", tuple(one.node for one in chart.inward(x, formula)), ("t", "x", "p"))
