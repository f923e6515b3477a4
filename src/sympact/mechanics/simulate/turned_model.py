"""Runs of a model with angles, integrated with quaternions: states, parameters and inputs go in, a result comes out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from sympact.graph import Function, Graph, Unreadable, formula
from sympact.integrate.loop.recorder import Recording
from sympact.integrate.problem.settings import Settings
from sympact.integrate.result import Result
from sympact.integrate.trajectory.chart import Chart
from sympact.integrate.trajectory.record import Record
from sympact.integrate.trajectory.trajectory import Coordinates, Trajectory
from sympact.mechanics.derive.quaternion_chart import in_quaternions
from sympact.mechanics.derive.rotations import Rotation, joined, rotations_by_angles
from sympact.mechanics.derived.compiled import CompiledModel, compile_model
from sympact.mechanics.derived.derived_model import DerivedModel
from sympact.mechanics.run.bound import bound_model
from sympact.mechanics.run.model_evaluator import ModelEvaluator, stored_evaluator
from sympact.mechanics.run.signals import Signals
from sympact.mechanics.simulate.charted_evaluator import ChartedEvaluator
from sympact.mechanics.simulate.run_compiled import run_compiled
from sympact.native.cached import cached_property

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
        view = partial(self.trajectory, asked, numbers, signals)
        return run_compiled(self.compiled, inner, given, own, recording, progress, view)

    def restored(self, stored: Mapping, record: Record, signals: Signals | None) -> ChartedEvaluator:
        """The user's model with the numbers of a run in a file; `record` as it was integrated."""
        own = None if signals is None else self._signals(signals)
        inner = stored_evaluator(self.compiled, stored["turned"], record, own)
        p = np.array([float.fromhex(number) for number in stored["p"]])
        return ChartedEvaluator(self.outer, self.chart, inner, p, signals)

    def trajectory(
        self,
        asked: Settings,
        p: np.ndarray,
        signals: Signals | None,
        inner: ModelEvaluator,
        x0: np.ndarray | None = None,
    ) -> Trajectory:
        """A run in the coordinates of the user's model.

        Parameters
        ----------
        asked : Settings
            The user's.
        p : array
            All numbers of the user's model.
        signals : Signals, optional
            The user's inputs.
        inner : ModelEvaluator
            The model that was integrated, with its run.
        x0 : array, optional
            The start in the user's model, by default that of the settings.
        """
        model = ChartedEvaluator(self.outer, self.chart, inner, p, signals, asked)
        start = asked.x0 if x0 is None else x0
        return Trajectory(inner.piece, model, Coordinates(self.chart, start, self.outer.state_names))

    def inner(
        self, asked: Settings, x0: np.ndarray, p: np.ndarray, numbers: np.ndarray, signals: Signals | None
    ) -> tuple[Settings, np.ndarray, Signals | None]:
        """The settings, all numbers of p and the inputs of the run that is integrated, from the state x0."""
        own, count = None, len(self.compiled.model.derivation.symbols.parameters)
        if signals is None:
            given = self.compiled.blank.copy()
            given[:count] = numbers[:count]  # the parameters of both models have the same places
        else:
            own = self._signals(signals)
            assert own is not None, "it takes these inputs"
            given = own.numbers(np.asarray(p, float)[self.taken(signals)])
            without = np.flatnonzero(np.isnan(given[:count]))
            given[without] = numbers[without]
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
