"""A run of a model that goes on a step at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf, isfinite
from typing import Any

import numpy as np
from sympy import Derivative, Expr, Symbol, sympify

from sympact.integrate.export.letters import by_letters
from sympact.integrate.export.portable import Origin
from sympact.integrate.problem.real import described
from sympact.integrate.problem.series import Series
from sympact.integrate.problem.settings import Settings
from sympact.integrate.result import Result
from sympact.integrate.session.session import Session
from sympact.integrate.stepped_run import SteppedRun
from sympact.mechanics.derived.compiled import CompiledModel, compile_model
from sympact.mechanics.derived.compiled_functions import acceleration_function
from sympact.mechanics.derived.derived_model import DerivedModel
from sympact.mechanics.kit.symbols import state_name
from sympact.mechanics.run.model_memory import Changes, ModelMemory, give_back
from sympact.mechanics.run.model_run import ModelRun
from sympact.mechanics.run.preparation import engine_of, memory_of, numbers_of, settings_of
from sympact.mechanics.run.signals import Signals, read_signals
from sympact.mechanics.simulate.simulate_compiled import turned_for
from sympact.mechanics.simulate.turned_model import TurnedModel, TurnedModelRun
from sympact.mechanics.start.consistency import check_start
from sympact.mechanics.start.projected_start import PROJECT
from sympact.mechanics.start.scale import Scale
from sympact.native.sentences.near_names import suggestion

__all__ = ["ModelStepper", "step_model"]

_NOTHING: Mapping[Any, Any] = {}


@dataclass(frozen=True, eq=False)
class _Running:
    """A run in memory.

    Attributes
    ----------
    session : Session
    memory : ModelMemory
    outer, inner : Signals or None
        The inputs of the user's model, and of the one that is integrated.
    asked : Settings
        Of the user's model.
    numbers, integrated : array
        All numbers of the user's model at the present time, and those of the one that is integrated at the start.
    turned : TurnedModel or None
    compiled : CompiledModel
        The one that is integrated, without its inputs.
    scale : Scale
    start_change : array
        The change of the initial state to one on the constraints.
    """

    session: Session
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


@dataclass(frozen=True, slots=True)
class _Letter:
    """An input or a parameter that a step may give.

    Attributes
    ----------
    letter : Expr
    place : int
        Its entry in p.
    parameter : bool
        Whether it is a parameter.
    rate : bool
        Whether the equations contain its rate, so that it may not jump.
    """

    letter: Expr
    place: int
    parameter: bool
    rate: bool


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
        super().__init__(t, t_end, record=record)
        self._model, self._compiled = model, model.made(compile_model)
        self._x0 = self._compiled.state(x0)
        self._parameters = dict(parameters)
        self._inputs: dict[Any, object] = dict(by_letters(inputs, model.derivation.symbols.inputs))
        self._controllers, self._settings = controllers, settings
        self._consistent = settings.pop("consistent", PROJECT)
        self._first = dict(self._parameters), dict(self._inputs)
        if t_end == inf and (controllers or any(not _is_number(one) for one in self._inputs.values())):
            raise ValueError(
                "t_end is infinite, and controllers or inputs that change by themselves are there, whose times must be "
                "known: give the stepper the end of the run, t_end=10.0"
            )
        self._read()
        settings_of(self._compiled, self._span, self._x0, settings)
        self._compiled.parameters(self._parameters)

    @property
    def _span(self) -> tuple[float, float]:
        """The span, for what must know one."""
        return self._t0, self._end if self._end < inf else self._t0 + 1.0

    def _read(self) -> Signals | None:
        """The inputs with their present numbers."""
        model = self._model
        if not (self._inputs or model.inputs or self._controllers):
            return None
        return read_signals(model, self._inputs, self._span, self._controllers or None, runs=True)

    def _forget(self) -> None:
        super()._forget()
        self._run: _Running | None = None
        self._series: dict[int, tuple[list[float], list[float]]] = {}
        self._followed: tuple[int, np.ndarray] = (0, np.zeros(0))
        self._signals_now: tuple[int, Signals | None] = (-1, None)
        if hasattr(self, "_first"):
            self._parameters, self._inputs = dict(self._first[0]), dict(self._first[1])

    def _start_at(self, x0: Any) -> None:
        self._x0 = self._compiled.state(x0)

    def _begin(self) -> Session:
        compiled, x = self._compiled, self._x0.copy()
        asked = settings_of(compiled, self._span, x, self._settings)
        if self._end == inf:
            asked = asked.at((self._t0, inf), x)
        outer = self._read()
        p = (compiled if outer is None else outer.compiled).parameters(self._parameters)
        unused = compiled.unused(self._parameters)
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
            session, memory, outer, own, asked, numbers.copy(), numbers, given.copy(), turned, integrated, scale, change
        )
        self._followed = 0, self._x0
        return session

    @cached_property
    def _places(self) -> dict[Any, _Letter]:
        """The symbols that a step may give, by themselves and by their names."""
        model, symbols, found = self._model, self._model.derivation.symbols, {}
        places = {letter: k for k, letter in enumerate((*symbols.parameters, *symbols.inputs))}
        numbers = {letter for letter, value in self._inputs.items() if _is_number(value)}
        kinds = [*((one, True) for one in model.parameters), *((one, False) for one in model.inputs if one in numbers)]
        for letter, parameter in kinds:
            rate = any(_is_rate(one, letter) for one in model.inputs)
            found[letter] = found[_name(letter)] = _Letter(letter, places[letter], parameter, rate)
        return found

    def _give(self, given: Mapping[Any, float]) -> None:
        if not isinstance(given, Mapping):
            raise TypeError(f"given is {given!r}, expected a mapping of inputs and parameters to numbers, {{F: 3.0}}")
        taken, places = [], self._places
        for key, value in given.items():
            found = places.get(key)
            if found is None:
                raise ValueError(self._unknown(key))
            if (type(value) is not float and not _is_number(value)) or not isfinite(value):
                raise ValueError(f"{key} is {described(value)}, expected a finite number")
            taken.append((found, float(value)))
        if self._session is not None:
            self._change(taken)
            return
        for found, value in taken:
            (self._parameters if found.parameter else self._inputs)[found.letter] = value

    def _change(self, taken: Sequence[tuple[_Letter, float]]) -> None:
        """Take numbers within the run."""
        run, t = self._run, self.t
        assert run is not None, "a run that has begun is in memory"
        if any(found.rate for found, _ in taken):
            moved = ", ".join(str(found.letter) for found, _ in taken if found.rate)
            raise ValueError(
                f"{moved} cannot jump: the equations contain its rate; give it as an expression or as data in inputs="
            )
        if any(found.parameter for found, _ in taken):
            self._check({found.place: value for found, value in taken})
        for found, value in taken:
            place = found.place
            starts, rows = self._series.setdefault(place, ([self._t0], [float(run.begun[place])]))
            if starts[-1] == t:
                rows[-1] = value
            else:
                if not self._record:
                    del starts[:-1], rows[:-1]
                starts.append(t)
                rows.append(value)
            run.numbers[place] = run.memory.p[place] = value

    def _check(self, new: Mapping[int, float]) -> None:
        """Refuse parameters with which the present state is no start of a run."""
        run = self._run
        assert run is not None, "a run that has begun is in memory"
        running = self._compiled if run.outer is None else run.outer.compiled
        p, x = run.numbers.copy(), self.x
        p[list(new)] = list(new.values())
        running.settle(self.t, x, p)
        check_start(running, self.t, x, p, run.outer, rtol=run.asked.rtol, atol=run.asked.atol)

    def _unknown(self, key: object) -> str:
        """Why a key cannot be given."""
        letter = key if isinstance(key, str) else sympify(key)
        own = {name: one for one in self._inputs for name in (str(one), _name(one))}
        if str(letter) in own:
            return (
                f"the input {letter} was given as {self._inputs[own[str(letter)]]!r}, which determines it; give the "
                "stepper a number for it, inputs={...: 0.0}, so that steps can change it"
            )
        names = sorted(one for one in self._places if isinstance(one, str))
        return f"{key!r} is no input or parameter of the model; expected some of {names}{suggestion(str(key), names)}"

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
        first = min(first, session.samples - 1)
        rows = session.rows(first)
        x = run.turned.chart.outward(
            known, rows["sample_t"], rows["sample_x"], lambda t: session.present().interpolant(t)
        )
        return session.samples - 1, x[-1]

    def _numbers_now(self) -> np.ndarray:
        """All numbers of the user's model at the present time and state."""
        run = self._run
        assert run is not None, "a run that has begun is in memory"
        signals = run.outer
        if signals is None or not (signals.functions or signals.series or signals.bound.places):
            return run.numbers
        given = tuple(
            Series(np.array(starts[-1:]), np.array([rows[-1:]]), place)
            for place, (starts, rows) in self._series.items()
        )
        return replace(signals, stepped=given).at(run.numbers, self.t, self.x)

    def _with_series(self, signals: Signals | None) -> Signals | None:
        if not self._series:
            return signals
        if signals is None:
            signals = read_signals(self._model, _NOTHING, self._span, runs=True)
        given = tuple(
            Series(np.array(starts), np.array(rows)[:, np.newaxis], place)
            for place, (starts, rows) in self._series.items()
        )
        return replace(signals, stepped=given)

    def _result(self, session: Session) -> Result:
        run = self._run
        assert run is not None, "a run that has begun is in memory"
        part, memory = session.present(), run.memory
        length = run.scale.length if memory.data is None else memory.data.length
        inner = run.inner if not self._series else self._inner_series(run)
        lent = memory if memory.lasting and not self._series else memory.twin(length, run.scale.grains, inner)
        made = ModelRun(run.compiled, part, lent, run.integrated, run.scale, inner, run.start_change)
        if self.status is not None:
            made.finish(memory, run.compiled if run.inner is None else run.inner.compiled)
        if run.turned is None:
            found = Result.of_run(made)
        else:
            found = Result.of_run(TurnedModelRun(run.turned, made, run.asked, run.begun, self._with_series(run.outer)))
        if self._record:
            Origin(again, (*self._again, tuple(self._steps))).note(found._run)
        return found

    def _inner_series(self, run: _Running) -> Signals | None:
        """The inputs of the model that is integrated, with what steps have given: the symbols have the same places."""
        if run.turned is None:
            return self._with_series(run.outer)
        signals = run.inner or read_signals(run.turned.compiled.model, _NOTHING, self._span, runs=True)
        outer = self._with_series(run.outer)
        return signals if outer is None else replace(signals, stepped=outer.stepped)

    @property
    def _again(self) -> tuple:
        """How the run is made again."""
        options = {"controllers": self._controllers, "t": self._t0, "t_end": self._end, "record": True}
        options |= {**self._settings, "consistent": self._consistent}
        return self._model, self._x0, self._first[0], {**options, "inputs": self._first[1]}

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
        kinds = sorted((str(one), "" if _is_number(value) else repr(value)) for one, value in self._inputs.items())
        return repr((self._compiled.digest, sorted(given.items(), key=str), laws, kinds, self._t0, self._end))

    @property
    def _beginning(self) -> tuple:
        parameters = {str(letter): value for letter, value in self._parameters.items()}
        inputs = {str(letter): value for letter, value in self._inputs.items() if _is_number(value)}
        return self._x0.copy(), parameters, inputs

    def _begin_as(self, begin: tuple) -> None:
        x0, parameters, inputs = begin
        self._x0 = x0.copy()
        by_name = {str(letter): letter for letter in (*self._parameters, *self._inputs)}
        self._parameters |= {by_name[name]: value for name, value in parameters.items()}
        self._inputs |= {by_name[name]: value for name, value in inputs.items()}

    def _further(self) -> tuple:
        run = self._run
        assert run is not None, "a run that has begun is in memory"
        commanded = None if run.inner is None else run.inner.commanded()
        series = {place: (list(starts), list(rows)) for place, (starts, rows) in self._series.items()}
        return run.memory.changes(), commanded, series, run.numbers.copy(), self._followed

    def _restore_further(self, further: tuple) -> None:
        run = self._run
        assert run is not None, "a run that has begun is in memory"
        changes, commanded, series, numbers, followed = further
        assert isinstance(changes, Changes), "what a model saves"
        if run.inner is not None and commanded is not None:
            run.inner.recall(commanded)
        run.memory.restore_changes(changes)
        run.numbers[:] = numbers
        self._series = {place: (list(starts), list(rows)) for place, (starts, rows) in series.items()}
        self._followed = followed

    def __del__(self) -> None:
        run = self.__dict__.get("_run")
        if run is not None:
            give_back(run.memory)


def step_model(model: DerivedModel, x0: Any, parameters: Mapping[Expr, float], **options: Any) -> ModelStepper:
    """See `HybridModel.stepper`."""
    return ModelStepper(model, x0, parameters, **options)


def again(model: DerivedModel, x0: np.ndarray, parameters: Mapping, options: dict, steps: Sequence, **more) -> Result:
    """The result of the same steps once more."""
    stepper = ModelStepper(model, x0, parameters, **options)
    for dt, given in steps:
        stepper.step(dt, given)
    return stepper.result


def _name(letter: Expr) -> str:
    """The name of a parameter or an input, without the time."""
    return letter.name if isinstance(letter, Symbol) else state_name(letter)


def _is_number(value: object) -> bool:
    """Whether an input is one number."""
    if isinstance(value, bool | str) or callable(value):
        return False
    try:
        return isfinite(float(value))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return False


def _is_rate(one: Expr, letter: Expr) -> bool:
    """Whether an input is a derivative of another one."""
    return isinstance(one, Derivative) and one.expr == letter
