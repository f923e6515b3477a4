"""The values of the free functions of time of a model in one run."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from sympy import Expr, sympify

from sympact.graph import Function
from sympact.integrate.export.letters import by_letters
from sympact.integrate.problem.callback import Callback, Faults
from sympact.integrate.problem.real import described
from sympact.integrate.problem.sampled_laws import SampledLaw
from sympact.integrate.problem.schedule import Schedule
from sympact.integrate.problem.series import Series
from sympact.mechanics.inputs.continued import Held
from sympact.mechanics.inputs.controller import Controller, Sampled
from sympact.mechanics.inputs.given import Given
from sympact.mechanics.inputs.input_faults import acting_on, found_inputs, unfit_inputs, unmatched
from sympact.mechanics.inputs.kinds import NUMBER, LawKind
from sympact.mechanics.inputs.law_calls import LawCall, Rates
from sympact.mechanics.inputs.sampler import Sampler, samplers_of
from sympact.mechanics.run.bound import Bound, bound_model
from sympact.native.cached import cached_property

__all__ = ["Signals", "read_signals"]

_REAL = ctypes.c_double
_STATE = ctypes.CFUNCTYPE(None, _REAL, *[ctypes.c_int64] * 3)
_ALONG = ctypes.CFUNCTYPE(None, _REAL, *[ctypes.c_int64] * 4)


@dataclass(frozen=True, eq=False)
class Signals:
    """The inputs of a run.

    Attributes
    ----------
    bound : Bound
        The model with these inputs, and the indices of their numbers in p.
    given : mapping of Expr to Given
        The value of each input.
    letters : mapping of Expr to int
        All inputs with their entries in p.
    needed : frozenset of Expr
        The inputs on which the equations depend.
    n_states : int
    span : (float, float)
        The times between which they are evaluated.
    samplers : tuple of Sampler
        The controllers, in the order in which they act at one instant.
    asked : mapping of Expr to object
        The inputs as they were given.
    controllers : tuple of Controller
        Those that were given, without those of sampled inputs.
    stepped : tuple of Series
        What the steps of a run that is stepped have given: inputs and parameters.
    """

    bound: Bound
    given: Mapping[Expr, Given]
    letters: Mapping[Expr, int]
    needed: frozenset[Expr]
    n_states: int
    span: tuple[float, float]
    samplers: tuple[Sampler, ...] = ()
    asked: Mapping[Expr, object] = field(default_factory=dict)
    controllers: tuple[Controller, ...] = ()
    stepped: tuple[Series, ...] = ()

    @property
    def laws(self) -> tuple[LawKind, ...]:
        """The laws of the controllers."""
        return tuple(one.kind for one in self.samplers)

    @property
    def takes_state(self) -> bool:
        """Whether a Python function takes the state of the user's model."""
        return any(one.takes_state for one in self.given.values()) or any(one.takes_state for one in self.samplers)

    @property
    def calls_python(self) -> bool:
        """Whether a run calls Python functions of the user."""
        return bool(self.functions) or any(one.kind.python for one in self.samplers) or self.accelerated

    @property
    def accelerated(self) -> bool:
        """Whether a law contains accelerations, which are computed in the mode of the run."""
        return any(map(_accelerated, self.bound.laws))

    @property
    def scheduled(self) -> bool:
        """Whether steps of a run end at given times."""
        return bool(self.series) or bool(self.samplers)

    @property
    def compiled(self):
        """The compiled model with these inputs."""
        return self.bound.compiled

    @cached_property
    def functions(self) -> dict[int, Callable]:
        """``f(t, x)`` for each entry of p that a Python function gives."""
        return {self.letters[k]: what.function for k, what in self.given.items() if what.function is not None}

    @cached_property
    def fixed(self) -> dict[int, float]:
        """The entries of p that are numbers."""
        found: dict[int, float] = {}
        for letter, what in self.given.items():
            first = self.letters[letter] if what.kind == NUMBER else self.bound.blocks.get(letter, 0)
            found |= {first + i: number for i, number in enumerate(what.numbers)}
        for sampler, first in zip(self.samplers, self.bound.law_blocks, strict=True):
            found |= {first + i: number for i, number in enumerate(sampler.numbers)}
            found |= {self.bound.kept[letter]: number for letter, number in sampler.controller.memory.items()}
        return found

    @cached_property
    def series(self) -> tuple[Series, ...]:
        """What changes at given times, and its indices in p: the pieces of data, then what samplers and steps write."""
        return (*self._pieces, *(one for series in self._sampled for one in series), *self.stepped)

    @cached_property
    def _pieces(self) -> tuple[Series, ...]:
        """The pieces of data in use."""
        return tuple(
            Series(*what.data.table(*self.span), self.bound.blocks[letter])
            for letter, what in self.given.items()
            if what.data is not None
        )

    @cached_property
    def _sampled(self) -> tuple[tuple[Series, ...], ...]:
        """What each sampler writes."""
        return tuple(
            tuple(Series(one.starts[letter], one.rows[letter], self._place(letter)) for letter in one.kind.letters)
            for one in self.samplers
        )

    def commanded(self) -> list[list[list[float]]] | None:
        """What the controllers have written, for a file: for each of its symbols the numbers from the start on."""
        if not self.samplers:
            return None
        return [[series.rows[:, 0].tolist() for series in written] for written in self._sampled]

    def stored_steps(self) -> dict[str, list]:
        """What steps have given, for a file; nothing where they have given nothing."""
        rows = [[one.place, one.starts.tolist(), one.rows[:, 0].tolist()] for one in self.stepped]
        return {"stepped": rows} if rows else {}

    def with_steps(self, stored: Sequence[Sequence]) -> Signals:
        """The inputs with what steps have given, from a file."""
        given = tuple(
            Series(np.array(starts, dtype=float), np.array(rows, dtype=float)[:, np.newaxis], int(place))
            for place, starts, rows in stored
        )
        if any(
            one.starts.shape != one.rows.shape[:1] or not 0 <= one.place < len(self.compiled.blank) for one in given
        ):
            raise ValueError("what the steps of the run in the file have given is unreadable; save it again")
        return replace(self, stepped=given)

    def held_at(self, t: float) -> dict[Expr, Held]:
        """What the controllers have in force at a time up to which the run has come, and what waits."""
        return {letter: one for sampler in self.samplers for letter, one in sampler.held_at(t).items()}

    @property
    def held(self) -> dict[Expr, Held]:
        """What the run goes on with; empty for one that begins."""
        return {letter: one for sampler in self.samplers for letter, one in sampler.held.items()}

    def recall(self, commanded: Sequence[Sequence[Sequence[float]]]) -> None:
        """Take what the controllers of an earlier run have written, as `commanded` gave it.

        Raises
        ------
        ValueError
            If it is that of other controllers.
        """
        own = [[len(series.rows) for series in written] for written in self._sampled]
        if own != [[len(rows) for rows in of_one] for of_one in commanded]:
            raise ValueError(
                "the controllers are not those of the run in the file; give inputs= and controllers= as they were given"
            )
        for written, of_one in zip(self._sampled, commanded, strict=True):
            for series, rows in zip(written, of_one, strict=True):
                series.rows[:, 0] = rows

    def _place(self, letter: Expr) -> int:
        """The entry in p of a command or of a symbol that is kept."""
        return self.letters[letter] if letter in self.letters else self.bound.kept[letter]

    def numbers(self, parameters: np.ndarray) -> np.ndarray:
        """p for the machine code of the model with these inputs, at the start of the run."""
        p = self.compiled.all_parameters(parameters)
        for place, number in self.fixed.items():
            p[place] = number
        for series in self.series:
            series.put(p, self.span[0])
        return p

    @cached_property
    def _calls(self) -> tuple[LawCall, ...]:
        """The law of each sampler."""
        return tuple(
            LawCall(
                one,
                self.bound.law_code.address(law.name) if law.outputs else 0,
                np.array([self.bound.kept[letter] for letter in one.controller.memory], dtype=int),
                self.n_states,
                self.called if self.functions else None,
                _accelerated(law),
            )
            for one, law in zip(self.samplers, self.bound.laws, strict=True)
        )

    def recalled(self, p: np.ndarray) -> Schedule | None:
        """The schedule of a run that has ended, with what its controllers have written, in the memory p."""
        return Schedule.of(self.series, p, self.n_states, 0, self.span) if self.series else None

    def schedule(
        self, p: np.ndarray, switches: int, faults: Faults | None, rates: Rates, lands: bool = False
    ) -> Schedule | None:
        """The times at which data change to their next piece and controllers act, in the memory p; None without such.

        Exceptions of Python functions go into `faults`; `rates` are those of the run. A run that goes on takes the
        sample at its start, if the run before has not, as those after it; `lands` says that its start is a time of the
        schedule in any case.
        """
        lands = lands or any(one.goes_on and self.span[0] in one.times[one.waits :] for one in self.samplers)
        if not (self.scheduled or lands):
            return None
        laws = tuple(
            SampledLaw(one.sampler.times, series, *one.address(p, faults or Faults(), rates))
            for one, series in zip(self._calls, self._sampled, strict=True)
            if series
        )
        events = [one.events for one in self.samplers if one.controller.record]
        return Schedule.of(self._pieces, p, self.n_states, switches, self.span, laws, events, lands)

    def begin(self, p: np.ndarray, t: float, x: np.ndarray, rates: Rates) -> None:
        """Let the controllers act whose time the start of a run is; p, as `numbers` gives it, receives their values.

        `rates` are called by laws that contain accelerations.

        Raises
        ------
        ValueError
            If a value is not finite.
        Exception
            Any exception of a user's function, with a note of the controller and the state.
        """
        for sampler, written in zip(self.samplers, self._sampled, strict=True):
            first = sampler.waits
            for series in written:
                series.rows[first + 1 : first + 3] = series.rows[first]
                series.put(p, t)
        for one, written in zip(self._calls, self._sampled, strict=True):
            first = one.sampler.waits
            if written and t in one.sampler.times[first : first + 1] and not one.sampler.goes_on:
                for series, value in zip(written, one.values(t, x, p, rates), strict=True):
                    series.rows[first + 1 : first + 3] = value
                    series.put(p, t)

    def called(self, p: np.ndarray, t: float, x: np.ndarray) -> np.ndarray:
        """p, as `numbers` gives it, with the values of Python functions at one time and state.

        Raises
        ------
        Exception
            Any exception of a user's function, with a note of the input and the state.
        """
        return self._thrown(*self._called(p.copy(), t, x), t, x) if self.functions else p

    def at(self, p: np.ndarray, t: float, x: np.ndarray) -> np.ndarray:
        """p, of the model with or without its inputs given, with the inputs' values at one time and state.

        Raises
        ------
        Exception
            As `called` does.
        """
        found = self._thrown(*self._asked(p, t, x), t, x)
        out, count = p.copy(), self._count
        out[:count] = self._worked_out(found[:, np.newaxis], np.array([t]), x[:, np.newaxis])[:count, 0]
        return out

    @staticmethod
    def _thrown(p: np.ndarray, fault: tuple[BaseException, str] | None, t: float, x: np.ndarray) -> np.ndarray:
        """p, unless a function has raised."""
        if fault is not None:
            error, label = fault
            error.add_note(f"raised by {label} at t = {t!r}, x = {x.tolist()!r}")
            raise error
        return p

    def along(self, p: np.ndarray, t: np.ndarray, x: np.ndarray) -> np.ndarray:
        """p with the inputs' values along a run: shape (len(p), len(t))."""
        out, count = np.repeat(p[:, np.newaxis], len(t), axis=1), self._count
        all_p = np.repeat(self._own(p)[:, np.newaxis], len(t), axis=1)
        for place, function in self.functions.items():
            label = self._labels[place]
            for k, (time, state) in enumerate(zip(t.tolist(), x.T, strict=True)):
                all_p[place, k] = _told(label, function, time, state)
        for series in self.series:
            series.put_along(all_p, t)
        out[:count] = self._worked_out(all_p, t, x)[:count]
        return out

    def kept_along(self, t: np.ndarray) -> np.ndarray:
        """The symbols that controllers keep, along a run, in the order of ``bound.kept``: shape (n, len(t))."""
        p = np.repeat(self._own(np.zeros(self._count))[:, np.newaxis], len(t), axis=1)
        for series in self.series:
            series.put_along(p, t)
        return p[list(self.bound.kept.values())]

    def fed(self, address: int, p: np.ndarray, size: int, faults: Faults) -> Callback:
        """``void(t, x, p, out)`` at an address, called with a copy of p that contains the inputs."""
        machine = _STATE(address)

        def call(t: float, x: int, data: int, out: int) -> None:
            numbers = self._numbers(p, t, x, out, size, faults)
            if numbers is not None:
                machine(t, x, numbers.ctypes.data, out)

        return Callback(_STATE(call))

    def fed_along(self, address: int, p: np.ndarray, size: int, faults: Faults) -> Callback:
        """``void(t, x, xdot, p, out)`` at an address, called with a copy of p that contains the inputs."""
        machine = _ALONG(address)

        def call(t: float, x: int, xdot: int, data: int, out: int) -> None:
            numbers = self._numbers(p, t, x, out, size, faults)
            if numbers is not None:
                machine(t, x, xdot, numbers.ctypes.data, out)

        return Callback(_ALONG(call))

    def without_values(self, p: np.ndarray) -> list[str]:
        """A sentence for each input that the equations need and that is not finite in p, as `at` gives it."""
        wrong = [letter for letter in self.needed if not np.isfinite(p[self.letters[letter]])]
        wrong.sort(key=self.letters.__getitem__)
        return [f"the input {letter} is {p[self.letters[letter]]}, expected a finite number" for letter in wrong]

    def lost(self, t: float) -> str:
        """A sentence if a controller has given what is no finite number at a time; else empty."""
        for sampler, written in zip(self.samplers, self._sampled, strict=True):
            for letter, series in zip(sampler.kind.letters, written, strict=True):
                value = series.at(t)
                if not np.isfinite(value):
                    return f"the law of {sampler.controller!r} gave {letter} = {value} at or before t = {t:.12g}"
        return ""

    @property
    def time_events(self) -> dict[str, dict[str, object]]:
        """The times that are events, by name, as the settings of a result have them."""
        found: dict[str, dict[str, object]] = {}
        for controller in (one.controller for one in self.samplers if one.controller.record):
            when: dict[str, object] = {"every": controller.every, "phase": controller.phase}
            found[controller.name] = when if controller.at is None else {"at": controller.at.tolist()}
        return found

    @property
    def _count(self) -> int:
        """Entries of p for parameters and inputs: the same for all models derived from one model."""
        return max(self.letters.values(), default=-1) + 1

    @cached_property
    def _labels(self) -> dict[int, str]:
        """What messages call the Python functions, by their entries in p; written once, for many calls."""
        return {place: f"the input {letter}" for letter, place in self.letters.items() if place in self.functions}

    def _own(self, p: np.ndarray) -> np.ndarray:
        """p for the machine code of the model with these inputs, with the symbols of any p."""
        out, count = self.compiled.blank.copy(), self._count
        out[:count] = p[:count]
        for place, number in self.fixed.items():
            out[place] = number
        return out

    def _worked_out(self, p: np.ndarray, t: np.ndarray, x: np.ndarray) -> np.ndarray:
        """p, shape (n, k), with the entries that are computed from others."""
        if self.bound.places:
            found = np.asarray(self.bound.values(t, x, p), dtype=float)
            p[list(self.bound.places)] = found.reshape(len(found), -1)
        return p

    def _numbers(self, p: np.ndarray, t: float, x: int, out: int, size: int, faults: Faults) -> np.ndarray | None:
        """p for a call from C, or None when an input raised: then the results are NaN and the exception is stored."""
        state = np.frombuffer((_REAL * self.n_states).from_address(x))
        numbers, fault = self._called(p.copy(), t, state)
        if fault is None:
            return numbers
        np.frombuffer((_REAL * size).from_address(out))[:] = np.nan
        faults.catch(*fault, t, state)
        return None

    def _asked(self, p: np.ndarray, t: float, x: np.ndarray) -> tuple[np.ndarray, tuple[BaseException, str] | None]:
        """All numbers of the model with these inputs, and the exception of the first failing function with its name."""
        out = self._own(p)
        for series in self.series:
            series.put(out, t)
        return self._called(out, t, x)

    def _called(self, p: np.ndarray, t: float, x: np.ndarray) -> tuple[np.ndarray, tuple[BaseException, str] | None]:
        for place, function in self.functions.items():
            try:
                p[place] = _real(self._labels[place], t, function(t, x.copy()))
            except BaseException as error:
                return p, (error, self._labels[place])
        return p, None


def read_signals(
    model,
    inputs: Mapping[Expr, object],
    span: tuple[float, float],
    controllers: object = None,
    *,
    runs: bool = False,
    held: Mapping[Expr, Held] | None = None,
) -> Signals:
    """The signals of a run.

    Where the equations need the derivatives of an input (a prescribed motion), they are derived for a number, an
    expression or data; for a Python function they must be given: ``{r: f, r.diff(t): fdot, ...}``. Inputs that only
    expressions of a result need may be left out; they are then NaN.

    Parameters
    ----------
    model : HybridModel
    inputs : mapping
    span : (float, float)
        The times of the run.
    controllers : sequence of Controller, optional
    runs : bool
        Whether the signals are those of a run, in which inputs can be sampled.
    held : mapping of Expr to Held, optional
        What the controllers of an earlier run have in force, where this run goes on with it.

    Raises
    ------
    ValueError
        With a sentence for each input that is missing, unknown or invalid.
    TypeError
        If `inputs` is no mapping.
    """
    if not isinstance(inputs, Mapping):
        raise TypeError(f"inputs is {inputs!r}, expected a mapping of the model's inputs to what they are, {{F: 2.0}}")
    symbols, needed = model.derivation.symbols, frozenset(model.inputs)
    inputs = by_letters(inputs, symbols.inputs)
    keyed = {key if isinstance(key, str) else sympify(key): value for key, value in inputs.items()}
    asked = {letter: keyed[letter] for letter in symbols.inputs if keyed.get(letter) is not None}
    acting, faults = acting_on(model, asked, controllers, span[0], runs=runs)
    commanded = [letter for one in acting for letter in one.commands]
    found, wrong = found_inputs(asked, symbols.time, span[0], commanded)
    faults += unmatched(model, keyed, asked, found, commanded) + wrong
    faults = faults or unfit_inputs(found, needed, span, commanded)
    if not faults:
        try:
            samplers = samplers_of(acting, span, held)
            kinds = {letter: what.kind for letter, what in found.items()}
            bound = bound_model(model, kinds, asked, [one.kind for one in samplers])
        except ValueError as error:
            faults = [str(error)]
    if faults:
        known = [str(letter) for letter in model.inputs]
        raise ValueError(f"inputs do not match the model: {'; '.join(faults)}; the model has {known}")
    letters = {letter: i for i, letter in enumerate(symbols.inputs, start=len(symbols.parameters))}
    others = tuple(acting[sum(isinstance(value, Sampled) for value in asked.values()) :])
    return Signals(bound, found, letters, needed, len(model.x), span, samplers, asked, others)


def _accelerated(law: Function) -> bool:
    """Whether a law contains accelerations."""
    return "xdot" in law.arguments


def _told(label: str, function: Callable, t: float, x: np.ndarray) -> float:
    try:
        return _real(label, t, function(t, x.copy()))
    except BaseException as error:
        error.add_note(f"raised by {label} at t = {t!r}, x = {x.tolist()!r}")
        raise


def _real(label: str, t: float, value: object) -> float:
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        array = None
    if value is None or array is None:
        raise TypeError(f"{label} returned {described(value)} at t = {t:.12g}, expected one real number")
    if array.size != 1:
        raise ValueError(f"{label} returned an array of shape {array.shape} at t = {t:.12g}, expected one real number")
    return float(array.reshape(()))
