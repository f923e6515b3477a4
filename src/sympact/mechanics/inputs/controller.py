"""Sampled control: commands that are computed at given times and constant between them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from math import inf, isfinite
from numbers import Number

import numpy as np
from sympy import Expr, Symbol, sympify
from sympy.core.function import AppliedUndef

from sympact.integrate.problem.real import described, real_array
from sympact.integrate.problem.travel import check_travels
from sympact.native.sentences.stripped_units import has_unit

__all__ = ["Controller", "Sampled"]

_NO_LAW = "expected a mapping of commands and memory to expressions, or a function law(t, measured, memory)"


class Sampled:
    """A sampled input: ``inputs={F: Sampled(0.01, law)}`` computes F every 0.01 s and keeps it until the next sample.

    The samples are taken at t = k T + phase for all whole numbers k, at the start of the run where that is one of these
    times. A step of the run ends exactly there; a sample is an event only of contacts that close, open, stick or slip
    by it.

    Parameters
    ----------
    period : float
        T (s).
    law : Expr or callable
        An expression of time, states, parameters and inputs, which machine code evaluates; or a Python function
        ``f(t)`` or ``f(t, x)``.
    phase : float, default 0
        From 0 to less than T (s).
    delay : float, default 0
        The time from a sample until its value takes effect, at most T (s).
    start : float, default 0
        The value until the first sample takes effect.
    quantum : float or Expr, optional
        The value is rounded to the nearest multiple of this.
    limits : (float or Expr, float or Expr), optional
        The least and the largest value, applied after rounding.

    Raises
    ------
    ValueError
        If the period, the phase, the delay, the quantum or the limits are not as described.
    TypeError
        If a number is none.

    See Also
    --------
    Controller : several commands, and memory between samples.

    Examples
    --------
    >>> from sympy.physics.mechanics import dynamicsymbols
    >>> q, u = dynamicsymbols("q u")
    >>> Sampled(0.01, -8.0 * q - 2.0 * u, limits=(-1.0, 1.0))
    Sampled(every 0.01 s)
    """

    def __init__(
        self,
        period: float,
        law: object,
        *,
        phase: float = 0.0,
        delay: float = 0.0,
        start: float = 0.0,
        quantum: object = None,
        limits: object = None,
    ) -> None:
        self.law, self.start = law, _number("start", start)
        self.quantum, self.limits = _quantum(quantum), _limits(limits)
        self.every = _period(period, "the period of Sampled")
        self.phase, self.delay = _phase(phase, self.every), _delay(delay, self.every)

    def __getstate__(self) -> dict[str, object]:
        """Its attributes; a TypeError names a law that cannot travel to another process."""
        check_travels("the law of Sampled", self.law)
        return vars(self)

    def __deepcopy__(self, memo: dict) -> Sampled:
        return self  # nothing changes it

    def __repr__(self) -> str:
        return f"Sampled(every {self.every:g} s)"


class Controller:
    """A controller that acts at given times: ``simulate(..., controllers=[Controller(every=0.01, ...)])``.

    At each of its times it reads the motion, computes its commands, which are inputs of the model, and updates its
    memory; both are constant until the next time. A step of the run ends exactly there. All expressions of one law use
    the values before the sample; of several controllers that act at one instant each sees what those before it in the
    list have written.

    Parameters
    ----------
    every : float, optional
        The period T (s): the controller acts at t = k T + phase for all whole numbers k, at the start of the run where
        that is one of these times.
    at : array_like, shape (n,), optional
        In its place the times themselves (s), increasing.
    law : mapping or callable, optional
        A mapping ``{F: expression, z: z + e * T}`` gives each command, and each symbol of the memory that changes, an
        expression of time, states, parameters, inputs and memory, which machine code evaluates. A Python function
        ``law(t, measured, memory)`` returns the commands in their order; with memory it returns the pair
        ``(commands, memory)``. Without a law nothing changes: the times alone matter, see `record`.
    commands : sequence of Expr, optional
        The inputs that the controller sets; a mapping names them itself.
    measure : sequence of Expr, optional
        For a Python function, what ``measured`` contains: the values of these expressions, which machine code
        evaluates, shape (n,). By default the state x of the model.
    memory : mapping of Expr to float, optional
        The symbols that the controller keeps between samples, symbols or functions of time that the model does not
        have, with their values at the start. Inputs of the model and other laws may contain them, and ``result[z]`` is
        their history.
    phase : float, default 0
        From 0 to less than T (s).
    delay : float, default 0
        The time from a sample until the commands take effect (s): at most the time to the next sample. The memory has
        no delay.
    start : mapping of Expr to float, optional
        The commands until the first ones take effect; 0 for those that are left out.
    quantum : mapping of Expr to float or Expr, optional
        A command is rounded to the nearest multiple of this.
    limits : mapping of Expr to (float or Expr, float or Expr), optional
        The least and the largest value of a command, applied after rounding.
    name : str, optional
        For messages and events; by default made of the commands.
    record : bool, default False
        Whether each time is an event of the kind ``"time"``.

    Raises
    ------
    ValueError
        If times, delays, symbols, limits or quanta are not as described.
    TypeError
        If an argument is of another type than described.

    Examples
    --------
    A PI controller, with the error and its sum:

    >>> from sympy import symbols
    >>> from sympy.physics.mechanics import dynamicsymbols
    >>> v, F, z, T = *dynamicsymbols("v F"), symbols("z"), 0.02
    >>> error = 1.5 - v
    >>> Controller(every=T, law={F: 4.0 * error + 2.0 * z, z: z + error * T}, memory={z: 0.0}, delay=T)
    Controller(F(t), z, every 0.02 s)
    """

    def __init__(
        self,
        *,
        every: float | None = None,
        at: object = None,
        law: Mapping[Expr, object] | Callable | None = None,
        commands: Iterable[Expr] = (),
        measure: Iterable[Expr] | None = None,
        memory: Mapping[Expr, float] | None = None,
        phase: float = 0.0,
        delay: float = 0.0,
        start: Mapping[Expr, float] | None = None,
        quantum: Mapping[Expr, object] | None = None,
        limits: Mapping[Expr, object] | None = None,
        name: str = "",
        record: bool = False,
    ) -> None:
        if (every is None) == (at is None):
            raise ValueError(
                "a Controller has either a period, every=0.01, or times, at=[0.5, 1.0]; expected one of them"
            )
        self.every = inf if every is None else _period(every, "the period of a Controller")
        self.at = None if at is None else _times(at)
        self.phase = _phase(phase, self.every)
        self.delay = _delay(delay, self.every if self.at is None else float(np.diff(self.at).min(initial=inf)))
        self.memory = {_letter("memory", key): _number(f"memory[{key}]", one) for key, one in _map("memory", memory)}
        self.commands, self.law = self._read(law, tuple(map(sympify, _listed("commands", commands))))
        self.measure = None if measure is None else tuple(map(_expression, _listed("measure", measure)))
        if self.measure is not None and not callable(self.law):
            raise ValueError("measure= is for a law that is a Python function; expressions contain what they measure")
        self.start = {key: _number(f"start[{key}]", one) for key, one in self._of_commands("start", start)}
        self.quantum = {key: _quantum(one) for key, one in self._of_commands("quantum", quantum)}
        self.limits = {key: _limits(one) for key, one in self._of_commands("limits", limits)}
        if callable(self.law):
            _check_plain(self.quantum, self.limits)
        self.name, self.record = str(name) or self._default_name(), bool(record)

    def __getstate__(self) -> dict[str, object]:
        """Its attributes; a TypeError names a law that cannot travel to another process."""
        check_travels(f"the law of the controller {self.name!r}", self.law)
        return vars(self)

    def __deepcopy__(self, memo: dict) -> Controller:
        return self  # nothing changes it

    def _default_name(self) -> str:
        return ", ".join(map(str, (*self.commands, *self.memory))) or "time"

    def _read(
        self, law: object, commands: tuple[Expr, ...]
    ) -> tuple[tuple[Expr, ...], Mapping[Expr, Expr] | Callable | None]:
        """The commands and the law."""
        twice = [str(one) for one in dict.fromkeys(commands) if commands.count(one) > 1]
        if twice:
            raise ValueError(f"commands lists {', '.join(twice)} more than once; expected each input once")
        both = [str(one) for one in commands if one in self.memory]
        if both:
            raise ValueError(f"{', '.join(both)} is a command and in the memory; expected it in one of them")
        if law is None:
            if commands:
                raise ValueError(f"a Controller with the commands {[*map(str, commands)]} has no law; {_NO_LAW}")
            return (), None
        if isinstance(law, Mapping):
            read = {sympify(key): _expression(value) for key, value in law.items()}
            own = tuple(key for key in read if key not in self.memory)
            if commands and set(commands) != set(own):
                raise ValueError(
                    f"the law has the commands {[*map(str, own)]}, and commands= lists {[*map(str, commands)]}; "
                    "expected the same symbols, or no commands= beside a mapping; symbols that are kept belong into "
                    "memory={symbol: value at the start}"
                )
            return commands or own, read
        if not callable(law) or isinstance(law, Expr):
            raise TypeError(f"law is {law!r}; {_NO_LAW}")
        if not commands and not self.memory:
            raise ValueError("a law that is a Python function needs commands=[F, ...]: the inputs that it returns")
        _check_signature(law)
        return commands, law

    def _of_commands(self, name: str, given: object) -> list[tuple[Expr, object]]:
        """The items of a mapping of commands."""
        items = [(sympify(key), value) for key, value in _map(name, given)]
        unknown = [str(key) for key, _ in items if key not in self.commands]
        if unknown:
            raise ValueError(
                f"{name} contains {', '.join(unknown)}; expected the commands of the controller, "
                f"{[*map(str, self.commands)]}"
            )
        return items

    def __repr__(self) -> str:
        when = f"every {self.every:g} s" if self.at is None else f"at {len(self.at)} times"
        return f"Controller({self.name}, {when})"


def _check_signature(law: Callable) -> None:
    try:
        signature = inspect.signature(law)
    except (TypeError, ValueError):
        return  # a function of another language has none
    try:
        signature.bind(0.0, None, None)
    except TypeError:
        raise ValueError(
            f"the law {getattr(law, '__name__', law)!r} is called as law{signature}; expected law(t, measured, memory)"
        ) from None


def _check_plain(quantum: Mapping[Expr, Expr | None], limits: Mapping[Expr, tuple[Expr, Expr] | None]) -> None:
    """Refuse expressions where a Python function computes the commands."""
    parts = [*quantum.values(), *(part for pair in limits.values() for part in pair or ())]
    written = [str(part) for part in parts if part is not None and not part.is_number]
    if written:
        raise ValueError(
            f"quantum or limits contain {', '.join(written)}, and the law is a Python function; expected numbers"
        )


def _number(name: str, value: object) -> float:
    if isinstance(value, bool) or has_unit(value) or not isinstance(value, Number | np.generic | Expr):
        raise TypeError(f"{name} is {described(value)}, expected a number")
    try:
        number = float(value)  # type: ignore[arg-type]  # what is no real number raises
    except (TypeError, ValueError):
        raise TypeError(f"{name} is {described(value)}, expected a real number") from None
    if not isfinite(number):
        raise ValueError(f"{name} is {number}, expected a finite number")
    return number


def _period(value: object, name: str) -> float:
    period = _number(name, value)
    if period <= 0.0:
        raise ValueError(f"{name} is {period:g} s, expected a positive time")
    return period


def _phase(value: object, period: float) -> float:
    phase = _number("phase", value)
    if not 0.0 <= phase < period:
        raise ValueError(f"phase is {phase:g} s, expected a time from 0 to less than the period, {period:g} s")
    return phase


def _delay(value: object, period: float) -> float:
    delay = _number("delay", value)
    if not 0.0 <= delay <= period:
        raise ValueError(
            f"delay is {delay:g} s, expected a time from 0 to that between two samples, {period:g} s; a longer one is a"
            " symbol of the memory for each period"
        )
    return delay


def _quantum(value: object) -> Expr | None:
    if value is None:
        return None
    quantum = _expression(value)
    if quantum.is_number and not (quantum.is_real and 0 < float(quantum) < inf):
        raise ValueError(f"quantum is {value}, expected a positive number")
    return quantum


def _limits(value: object) -> tuple[Expr, Expr] | None:
    if value is None:
        return None
    pair = tuple(value) if isinstance(value, tuple | list | np.ndarray) else ()
    if len(pair) != 2:
        raise TypeError(f"limits is {described(value)}, expected a pair (least, largest)")
    low, high = map(_expression, pair)
    if low.is_number and high.is_number and not (low.is_real and high.is_real and float(low) < float(high)):
        raise ValueError(f"limits is ({low}, {high}), expected the least value before a larger one")
    return low, high


def _expression(value: object) -> Expr:
    expression = sympify(value.item() if isinstance(value, np.generic) else value)
    if not isinstance(expression, Expr):
        raise TypeError(f"found {described(value)}, expected an expression of the symbols of the model")
    return expression


def _letter(name: str, key: object) -> Expr:
    letter = sympify(key)
    if not isinstance(letter, Symbol | AppliedUndef):
        raise TypeError(f"{name} contains {key!r}, expected symbols or functions of time")
    return letter


def _listed(name: str, given: object) -> tuple:
    if isinstance(given, str | Expr) or not isinstance(given, Iterable):
        raise TypeError(f"{name} is {given!r}, expected a list of symbols or expressions")
    return tuple(given)


def _map(name: str, given: object) -> list[tuple[object, object]]:
    if given is None:
        return []
    if not isinstance(given, Mapping):
        raise TypeError(f"{name} is {given!r}, expected a mapping {{symbol: value}}")
    return list(given.items())


def _times(given: object) -> np.ndarray:
    try:
        times = real_array(given)
    except ValueError as error:
        raise TypeError(f"at: {error}") from None
    if times.ndim != 1 or not times.size or not np.isfinite(times).all() or (np.diff(times) <= 0.0).any():
        raise ValueError(f"at is {given!r}, expected at least one time (s), each finite and later than the one before")
    times.flags.writeable = False
    return times
