"""Conditions of which values alone are known, functions of the user's own and of forces: called beside the machine code
of the boundaries."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from sympact.graph import Function, numpy_function
from sympact.graph.nodes.node import Node
from sympact.integrate.problem.callback import Callback, Faults
from sympact.integrate.problem.real import returned
from sympact.mechanics.derive.branch_conditions import StateJump, Switch
from sympact.mechanics.derived.compiled import CompiledModel
from sympact.mechanics.joints.motion_along import MotionAlong
from sympact.mechanics.read.conditions import Condition
from sympact.mechanics.run.signals import Signals
from sympact.native.cached import cached_property
from sympact.native.rounding import HALF_DIGITS

__all__ = ["EventValues", "by_values"]

_REAL = ctypes.c_double
_ALONG = ctypes.CFUNCTYPE(None, _REAL, *[ctypes.c_int64] * 4)
_NO_STAGE = np.zeros(1, np.int64)


def by_values(switches: Sequence[Switch]) -> list[tuple[int, Condition[Node]]]:
    """The places among the switches of the conditions of which values alone are known."""
    found = ((i, switch.watch) for i, switch in enumerate(switches))
    return [(i, watch) for i, watch in found if watch is not None and watch.by_values]


class _Instant:
    """A time and a state of the run, with the forces there, computed on request."""

    def __init__(self, values: EventValues, t: float, x: np.ndarray) -> None:
        self._values, self.t, self.x = values, t, x

    @cached_property
    def p(self) -> np.ndarray:
        """All numbers, with the inputs."""
        return self._values.numbers(self.t, self.x)

    @cached_property
    def rates(self) -> np.ndarray:
        """x', with the forces of closed contacts."""
        return self._values.rates(self.t, self.x)

    @cached_property
    def contacts(self) -> np.ndarray:
        """The normal forces of the contacts, then the components in N of the forces of friction (N)."""
        return self._values.contact_forces(self.t, self.x)

    @cached_property
    def reactions(self) -> np.ndarray:
        """The multipliers of the constraints."""
        return self._values.multipliers(self)


class Shadow(Protocol):
    """Memory in the mode of the run in which no event is under way; `ModelMemory` is such."""

    @property
    def closed(self) -> bool:
        """Whether a contact is closed."""

    @property
    def data(self) -> Any:
        """The memory of the contacts; None without contacts."""

    def rates(self, t: float, x: np.ndarray) -> np.ndarray:
        """x' at a time and state."""

    def row_lengths(self) -> np.ndarray | None:
        """The scales of the rows of the constraints; None without constraints."""


@dataclass(frozen=True)
class _Value:
    """One condition.

    Attributes
    ----------
    boundary, place, watch : int
        Its boundary, the place of its sign in p, its number among the conditions of the user's own.
    of_forces : bool
    at_zero : int
        See `Condition`.
    value : callable
        Its value at an instant.
    idle : (int, float) or None
        The state of the latch that it would open or close, and the value with which the latch is so already.
    label : str
        Of functions, for messages.
    """

    boundary: int
    place: int
    watch: int
    of_forces: bool
    at_zero: int
    value: Callable[[_Instant], float]
    idle: tuple[int, float] | None
    label: str


class EventValues:
    """The values of such conditions in one run.

    A value within `HALF_DIGITS` of zero is zero at the instant of the event at which it was met: only values are known,
    so that its root is. Forces at the start of a run are those after contacts have closed there: until then their
    conditions have no sign.

    Parameters
    ----------
    compiled : CompiledModel
        With the inputs of the run.
    p : array
        The parameters of the run.
    signals : Signals, optional
    faults : Faults
    shadow : callable
        Gives memory in the mode of the run, in which forces are computed.
    """

    def __init__(
        self,
        compiled: CompiledModel,
        p: np.ndarray,
        signals: Signals | None,
        faults: Faults,
        shadow: Callable[[], Shadow],
    ) -> None:
        model = compiled.model
        self._p, self._n, self._signals, self._faults, self._shadow = p, len(model.x), signals, faults, shadow
        self._contacts, self._frictional = len(model.contacts), compiled.has_friction
        switches, jumps = model.derivation.switches, model.derivation.jumps
        first = next((i for i, switch in enumerate(switches) if switch.watch is not None), 0)
        self.memory: Any = None  # the switches of the run
        self._values = [
            _Value(
                self._contacts + i,
                switches[i].place,
                i - first,
                watch.of_forces,
                watch.at_zero if watch.of_forces else 0,
                self._of_forces(compiled, watch) if watch.of_forces else self._of_function(watch),
                _idle(jumps[watch.jump]) if watch.jump >= 0 else None,
                _label(watch),
            )
            for i, watch in by_values(switches)
        ]
        self._largest = np.zeros(len(self._values))
        self._start = self._event = np.nan  # the times of the start and of the last event
        self._motion = MotionAlong(
            model,
            lambda t, x, stage: self.numbers(float(t[0]), x[:, 0])[:, np.newaxis],
            (self._forces_given,),
            None if signals is None else signals.bound.inputs,
        )

    @property
    def boundaries(self) -> list[int]:
        """The indices of their boundaries."""
        return [one.boundary for one in self._values]

    def beside(self, address: int) -> Callback:
        """The boundaries at an address, ``void(t, x, xdot, p, out)``, with these conditions."""
        machine, last = _ALONG(address), max(self.boundaries) + 1

        def call(t: float, x: int, xdot: int, data: int, out: int) -> None:
            machine(t, x, xdot, data, out)
            state = np.frombuffer((_REAL * self._n).from_address(x)).copy()
            gaps = np.frombuffer((_REAL * last).from_address(out))
            now, held = _Instant(self, t, state), self.memory.forces_held == 1
            if held:
                self._event = t
            for k, one in enumerate(self._values):
                if one.of_forces and held:
                    gaps[one.boundary] = 1.0
                    continue
                try:
                    if one.of_forces and t == self._start:
                        self.memory.noticed[one.watch] = self._p[one.place] = self._sign(one, now)
                    gaps[one.boundary] = self._p[one.place] * self._met(k, one, now)
                except BaseException as error:
                    gaps[one.boundary] = np.nan
                    self._faults.catch(error, one.label, t, state)
                    return

        return Callback(_ALONG(call))

    def begin(self, t: float, x: np.ndarray) -> None:
        """Write the signs at the start of a run."""
        self._largest[:], self._start, self._event = 0.0, t, np.nan
        for one in self._values:
            try:
                self._p[one.place] = self._sign(one, _Instant(self, t, x.copy()))
            except BaseException as error:
                error.add_note(f"raised by {one.label} at t = {t!r}, x = {x.tolist()!r}")
                raise

    def go_on(self) -> bool:
        """The signs at the start are those of an earlier run; whether forces, which are not known yet, decide some."""
        self._start = np.nan
        return any(one.of_forces for one in self._values)

    def _sign(self, one: _Value, now: _Instant) -> float:
        """The sign of a condition at the start; of one that passes zero there, that of a little later."""
        if _is_idle(one, now):
            return -1.0
        ahead = HALF_DIGITS * (1.0 + abs(now.t))
        later = _Instant(self, now.t + ahead, now.x + ahead * now.rates)
        value, after = one.value(now), one.value(later)
        if value == after == 0.0:
            return -1.0 if one.at_zero < 0 else 1.0
        return -1.0 if (after if value * after <= 0.0 and after != 0.0 else value) < 0.0 else 1.0

    def numbers(self, t: float, x: np.ndarray) -> np.ndarray:
        """All numbers at a time and state."""
        return self._p if self._signals is None else self._signals.called(self._p, t, x)

    def rates(self, t: float, x: np.ndarray) -> np.ndarray:
        """x' at a time and state, in memory in which no event is under way."""
        return self._shadow().rates(t, x)

    def contact_forces(self, t: float, x: np.ndarray) -> np.ndarray:
        """The forces of the contacts, see `_Instant`, in memory in which no event is under way."""
        found, memory = np.zeros(4 * self._contacts), self._shadow()
        if memory.closed:
            data = memory.data
            assert data is not None, "closed contacts have data"
            data.closed.forces.callable()(t, x.ctypes.data, data.address, found.ctypes.data)
        return found if self._frictional else found[: self._contacts]

    @property
    def kept(self) -> tuple[np.ndarray, float, float]:
        """The largest values so far, and the times of the start and of the last event, to be set again."""
        return self._largest.copy(), self._start, self._event

    @kept.setter
    def kept(self, found: tuple[np.ndarray, float, float]) -> None:
        self._largest[:], self._start, self._event = found

    def multipliers(self, now: _Instant) -> np.ndarray:
        """The multipliers of the constraints at an instant."""
        self._given = now
        lengths = self._shadow().row_lengths()
        motion = replace(self._motion, lengths=np.zeros(0) if lengths is None else lengths)
        return motion.at(np.array([now.t]), now.x[:, np.newaxis], _NO_STAGE).reactions[:, 0]

    def _forces_given(self, t: np.ndarray, x: np.ndarray, stage: np.ndarray) -> np.ndarray:
        return self._given.contacts[:, np.newaxis]

    def _met(self, k: int, one: _Value, now: _Instant) -> float:
        """The value of a condition; zero where an event has just met it."""
        if _is_idle(one, now):
            return -1.0
        value = one.value(now)
        if abs(value) > self._largest[k]:
            self._largest[k] = min(abs(value), np.finfo(float).max)
        met = self.memory.crossed[one.watch] == 1 or self.memory.noticed[one.watch] != self._p[one.place]
        if now.t == self._event and met and abs(value) <= HALF_DIGITS * self._largest[k]:
            return 0.0
        return one.at_zero * (float(self._largest[k]) or 1.0) if value == 0.0 else value

    def _of_function(self, watch: Condition[Node]) -> Callable[[_Instant], float]:
        function, label = watch.function, _label(watch)
        assert function is not None, "a condition by values that is none of forces is a function"

        def value(now: _Instant) -> float:
            try:
                number = returned(function(now.t, now.x.copy()))
            except ValueError as error:
                raise ValueError(f"{label} returned no number: {error}") from None
            if number.size != 1:
                raise ValueError(f"{label} returned an array of shape {number.shape}, expected one real number")
            return float(number.reshape(()))

        return value

    def _of_forces(self, compiled: CompiledModel, watch: Condition[Node]) -> Callable[[_Instant], float]:
        evaluate = numpy_function(
            compiled.model.derivation.graph, Function("event", (watch.margin,), ("t", "x", "xdot", "p"))
        )

        def value(now: _Instant) -> float:
            held = now.reactions if watch.of_reactions else np.zeros(0)
            known = np.concatenate([now.rates, now.contacts[: self._contacts], held])
            return float(np.asarray(evaluate(now.t, now.x, known, now.p))[0])

        return value


def _label(watch: Condition[Node]) -> str:
    return f"the {'event' if watch.jump < 0 else 'condition of'} {watch.name!r}"


def _is_idle(one: _Value, now: _Instant) -> bool:
    return one.idle is not None and bool(now.x[one.idle[0]] == one.idle[1])


def _idle(jump: StateJump) -> tuple[int, float] | None:
    return None if jump.latch < 0 else (jump.latch, float(jump.closes))
