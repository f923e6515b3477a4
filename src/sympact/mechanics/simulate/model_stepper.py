"""A run of a model that goes on a step at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import inf
from typing import Any

import numpy as np
from sympy import Expr

from sympact.integrate.problem.real import is_number
from sympact.integrate.problem.settings import Settings
from sympact.integrate.result import Result
from sympact.integrate.session.session import Session
from sympact.integrate.stepped_run import SteppedRun
from sympact.integrate.trajectory.trajectory import Origin, Trajectory
from sympact.mechanics.derived.compiled import CompiledModel, compile_model
from sympact.mechanics.derived.compiled_functions import acceleration_function
from sympact.mechanics.derived.derived_model import DerivedModel
from sympact.mechanics.run.ended_model import EndedModel
from sympact.mechanics.run.model_memory import Changes, ModelMemory, give_back
from sympact.mechanics.run.preparation import engine_of, memory_of, numbers_of, settings_of
from sympact.mechanics.run.signals import Signals, read_signals
from sympact.mechanics.simulate.simulate_compiled import turned_for
from sympact.mechanics.simulate.step_numbers import StepNumbers, moved
from sympact.mechanics.simulate.turned_model import TurnedModel
from sympact.mechanics.start.consistency import check_start
from sympact.mechanics.start.projected_start import PROJECT
from sympact.mechanics.start.scale import Scale
from sympact.native.cached import cached_property
from sympact.native.sentences.near_names import suggestion

__all__ = ["ModelStepper", "again"]

_NOTHING: Mapping[Any, Any] = {}


@dataclass(frozen=True, eq=False)
class _Running:
    """A run in memory.

    Attributes
    ----------
    memory : ModelMemory
    outer, inner : Signals or None
        The inputs of the user's model, and of the one that is integrated.
    asked : Settings
        Of the user's model.
    numbers, begun, integrated : array
        All numbers of the user's model at the present time and at the start, and those of the one that is integrated at
        the start.
    turned : TurnedModel or None
    compiled : CompiledModel
        The one that is integrated, without its inputs.
    scale : Scale
    start_change : array
        The change of the initial state to one on the constraints.
    """

    memory: ModelMemory
    outer: Signals | None
    inner: Signals | None
    asked: Settings
    numbers: np.ndarray
    begun: np.ndarray
    integrated: np.ndarray
    turned: TurnedModel | None
    compiled: CompiledModel
    scale: Scale
    start_change: np.ndarray


class ModelStepper(SteppedRun):
    """A run of a `HybridModel` that goes on a step at a time; see its method `stepper`."""

    def __init__(
        self,
        model: DerivedModel,
        x0: Mapping[Expr, float] | Sequence[float],
        parameters: Mapping[Expr, float],
        *,
        inputs: Mapping[Expr, object],
        controllers: object,
        t: float,
        t_end: float,
        record: bool,
        **settings,
    ) -> None:
        self._model, self._compiled = model, model.made(compile_model)
        self._x0 = self._compiled.state(x0)
        self._run: _Running | None = None
        self._numbers = StepNumbers(model, parameters, inputs)
        self._controllers, self._settings = controllers, settings
        self._consistent = settings.pop("consistent", PROJECT)
        if t_end == inf and (controllers or not all(map(is_number, self._numbers.inputs.values()))):
            raise ValueError(
                "t_end is infinite, and controllers or inputs that change by themselves are there, whose times must be "
                "known: give the stepper the end of the run, t_end=10.0"
            )
        super().__init__(t, t_end, record=record)
        self._read()
        settings_of(self._compiled, self._span, self._x0, settings)
        self._compiled.parameters(parameters)

    @property
    def _span(self) -> tuple[float, float]:
        """The span, for what must know one."""
        return self._t0, self._end if self._end < inf else self._t0 + 1.0

    def _read(self) -> Signals | None:
        """The inputs with their present numbers."""
        model = self._model
        if not (self._numbers.inputs or model.inputs or self._controllers):
            return None
        return read_signals(model, self._numbers.inputs, self._span, self._controllers or None, runs=True)

    def _forget(self) -> None:
        run, session = self._run, self.__dict__.get("_session")
        if run is not None and session is not None:
            session.release()
            give_back(run.memory)
        super()._forget()
        self._run = None
        self._followed: tuple[int, np.ndarray] = (0, self._x0)
        self._first_kept = self._x0
        self._numbers.reset()

    def _drop(self, session: Session) -> None:
        self._first_kept = self._state(session)
        session.drop()
        self._numbers.drop()
        self._followed = 0, self._first_kept

    def _start_at(self, x0: Any) -> None:
        self._x0 = self._compiled.state(x0)

    def _begin(self) -> Session:
        compiled, x = self._compiled, self._x0.copy()
        asked = settings_of(compiled, self._span, x, self._settings)
        if self._end == inf:
            asked = asked.at((self._t0, inf), x)
        outer = self._read()
        p = (compiled if outer is None else outer.compiled).parameters(self._numbers.parameters)
        unused = compiled.unused(self._numbers.parameters)
        numbers = numbers_of(compiled, p, outer, unused)
        turned, inner, given, own, integrated = turned_for(compiled, asked, outer), asked, numbers, outer, compiled
        if turned is not None:
            x = turned.compiled.raw("inward", 0.0, asked.x0, numbers)
            inner, given, own = turned.inner(asked, x, p, numbers, outer)
            integrated = turned.compiled
        running = integrated if own is None else own.compiled
        with engine_of(running, inner, own).in_force():
            memory, begun, scale, slopes = memory_of(running, inner, given, own, self._consistent)
            session = memory.stepping(begun, scale, slopes, own)
        change = begun.x0 - inner.x0
        self._run = _Running(
            memory, outer, own, asked, numbers.copy(), numbers, given.copy(), turned, integrated, scale, change
        )
        self._followed, self._first_kept = (0, self._x0), self._x0
        return session

    def _give(self, given: Mapping[Any, float]) -> None:
        taken, run = self._numbers.read(given), self._run
        if self._session is None or run is None:
            self._numbers.begin_with(taken)
            return
        jumps = moved(taken)
        if jumps:
            raise ValueError(
                f"{jumps} cannot jump: the equations contain its rate; give it as an expression or as data in inputs="
            )
        if any(found.parameter for found, _ in taken):
            self._check({found.place: value for found, value in taken})
        self._numbers.add(taken, self.t, self._t0, run.begun)
        for found, value in taken:
            run.numbers[found.place] = run.memory.p[found.place] = value

    def _check(self, new: Mapping[int, float]) -> None:
        """Refuse parameters with which the present state is no start of a run."""
        run = self._run
        assert run is not None, "a run that has begun is in memory"
        running = self._compiled if run.outer is None else run.outer.compiled
        p, x = run.numbers.copy(), self.x
        p[list(new)] = list(new.values())
        running.settle(self.t, x, p)
        check_start(running, self.t, x, p, run.outer, rtol=run.asked.rtol, atol=run.asked.atol)

    def _state(self, session: Session | None) -> np.ndarray:
        run = self._run
        if session is None or run is None:
            return self._x0.copy()
        if run.turned is None:
            return session.x
        first, last = self._followed
        if session.samples - 1 != first:
            self._followed = first, last = self._follow(session, run)
        return last.copy()

    def _follow(self, session: Session, run: _Running) -> tuple[int, np.ndarray]:
        """The state with the angles as they follow from those of the sample that was followed last."""
        assert run.turned is not None, "angles follow from quaternions"
        first, known = self._followed
        rows, present = session.rows(first), cache(session.present)
        x = run.turned.chart.outward(known, rows["sample_t"], rows["sample_x"], lambda t: present().interpolant(t))
        return session.samples - 1, x[-1]

    def _numbers_now(self) -> np.ndarray:
        """All numbers of the user's model at the present time and state."""
        run = self._run
        assert run is not None, "a run that has begun is in memory"
        signals = run.outer
        if signals is None or not (signals.functions or signals.series or signals.bound.places):
            return run.numbers
        return self._numbers.latest(signals).at(run.numbers, self.t, self.x)

    def _with_steps(self, model: DerivedModel, signals: Signals | None) -> Signals | None:
        """The inputs of a model with what steps have given: the symbols of both models have the same places."""
        if not self._numbers.rows:
            return signals
        found = signals or read_signals(model, _NOTHING, self._span, runs=True)
        return replace(found, stepped=self._numbers.series())

    def _result(self, session: Session) -> Result:
        run = self._run
        assert run is not None, "a run that has begun is in memory"
        part, memory = session.present(), run.memory
        length = run.scale.length if memory.data is None else memory.data.length
        inner = self._with_steps(run.compiled.model, run.inner)
        lent = memory if memory.lasting and inner is run.inner else memory.twin(length, run.scale.grains, inner)
        ended = EndedModel(run.compiled, part, lent, run.integrated, run.scale, inner, run.start_change)
        if self.status is not None:
            ended.finish(memory, run.compiled if run.inner is None else run.inner.compiled)
        if run.turned is None:
            found = Result.of_run(Trajectory(part, ended))
        else:
            outer = self._with_steps(self._model, run.outer)
            found = Result.of_run(run.turned.trajectory(run.asked, run.begun, outer, ended, self._first_kept))
        if self._record:
            found._run.origin = Origin(again, (*self._again, tuple(self._steps)))
        return found

    @property
    def _again(self) -> tuple:
        """How the run is made again."""
        options = {"controllers": self._controllers, "t": self._t0, "t_end": self._end, "record": True}
        options |= {**self._settings, "consistent": self._consistent}
        return self._model, self._x0, self._numbers.first[0], {**options, "inputs": self._numbers.first[1]}

    def _value(self, key: object) -> float:
        names = self._compiled.state_names
        if isinstance(key, str) and key in names:
            return float(self.x[names.index(key)])
        if isinstance(key, int | np.integer):
            return float(self.x[key])
        expression = self._model.outputs.get(key, key) if isinstance(key, str) else key
        if isinstance(expression, str):
            raise KeyError(f"there is no state or output {key!r}; the states are {list(names)}{suggestion(key, names)}")
        if expression not in self._functions:
            accelerated = acceleration_function(self._model.derivation, expression) is not None
            self._functions[expression] = None if accelerated else self._model.quantities([expression])
        function = self._functions[expression]
        if function is None or self._run is None:
            return float(self._so_far()[key][-1])
        return float(function(self.t, self.x, self._numbers_now())[0])

    @cached_property
    def _functions(self) -> dict[object, Callable[..., np.ndarray] | None]:
        return {}

    @property
    def _identity(self) -> str:
        given = {name: value for name, value in self._settings.items() if name != "engine"}
        laws = [] if not self._controllers else [repr(one) for one in np.atleast_1d(self._controllers)]
        kinds = sorted((str(k), "" if is_number(one) else repr(one)) for k, one in self._numbers.inputs.items())
        return repr((self._compiled.digest, sorted(given.items(), key=str), laws, kinds, self._t0, self._end))

    @property
    def _beginning(self) -> tuple:
        return self._x0.copy(), *self._numbers.named()

    def _begin_as(self, begin: tuple) -> None:
        self._x0 = begin[0].copy()
        self._numbers.begin_as(*begin[1:])

    def _further(self) -> tuple:
        run = self._run
        assert run is not None, "a run that has begun is in memory"
        commanded = None if run.inner is None else run.inner.commanded()
        kept = self._followed, self._first_kept
        return run.memory.changes(), commanded, self._numbers.copied(), run.numbers.copy(), kept

    def _restore_further(self, further: tuple) -> None:
        run = self._run
        assert run is not None, "a run that has begun is in memory"
        changes, commanded, rows, numbers, kept = further
        assert isinstance(changes, Changes), "what a model saves"
        if run.inner is not None and commanded is not None:
            run.inner.recall(commanded)
        run.memory.restore_changes(changes)
        run.numbers[:] = numbers
        self._numbers.rows = rows
        self._numbers.rows = self._numbers.copied()
        self._followed, self._first_kept = kept


def again(model: DerivedModel, x0: np.ndarray, parameters: Mapping, options: dict, steps: Sequence, **more) -> Result:
    """The result of the same steps once more."""
    stepper = ModelStepper(model, x0, parameters, **options)
    for dt, given in steps:
        stepper.step(dt, given)
    return stepper.result
