"""Events of which values alone are known, functions of the user's own and of contact forces: called beside the machine
code of the boundaries."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sympact.graph import Function, numpy_function
from sympact.graph.nodes.node import Node
from sympact.integrate.problem.callback import Callback, Faults
from sympact.integrate.problem.real import returned
from sympact.mechanics.derive.branch_conditions import Switch
from sympact.mechanics.read.conditions import Condition
from sympact.native.rounding import HALF_DIGITS

if TYPE_CHECKING:
    from sympact.mechanics.run.compiled import CompiledModel
    from sympact.mechanics.run.model_memory import ModelMemory
    from sympact.mechanics.run.signals import Signals

__all__ = ["EventValues", "by_values"]

_REAL = ctypes.c_double
_ALONG = ctypes.CFUNCTYPE(None, _REAL, *[ctypes.c_int64] * 4)


def by_values(switches: Sequence[Switch]) -> list[tuple[int, Condition[Node]]]:
    """The places among the switches of the conditions of which values alone are known."""
    found = ((i, switch.watch) for i, switch in enumerate(switches))
    return [(i, watch) for i, watch in found if watch is not None and watch.by_values]


@dataclass(frozen=True)
class _Value:
    """One event: its boundary, the place of its sign in p, its value at a time and state."""

    boundary: int
    place: int
    of_forces: bool
    value: Callable[[float, np.ndarray], float]
    label: str


class EventValues:
    """The values of such events in one run.

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
        shadow: Callable[[], ModelMemory],
    ) -> None:
        model = compiled.model
        self._p, self._n, self._signals, self._faults, self._shadow = p, len(model.x), signals, faults, shadow
        self._contacts, switches = len(model.contacts), model.derivation.switches
        self.memory: Any = None  # the switches of the run
        self._values = [
            _Value(
                self._contacts + i,
                switches[i].place,
                watch.of_forces,
                self._of_forces(compiled, watch) if watch.of_forces else self._of_function(watch),
                f"the event {watch.name!r}",
            )
            for i, watch in by_values(switches)
        ]

    @property
    def boundaries(self) -> list[int]:
        """The indices of their boundaries."""
        return [one.boundary for one in self._values]

    @property
    def forces(self) -> int:
        """How many of them are functions of contact forces."""
        return sum(one.of_forces for one in self._values)

    def beside(self, address: int) -> Callback:
        """The boundaries at an address, ``void(t, x, xdot, p, out)``, with these events."""
        machine, last = _ALONG(address), max(self.boundaries) + 1

        def call(t: float, x: int, xdot: int, data: int, out: int) -> None:
            machine(t, x, xdot, data, out)
            state = np.frombuffer((_REAL * self._n).from_address(x)).copy()
            gaps = np.frombuffer((_REAL * last).from_address(out))
            for one in self._values:
                if one.of_forces and self.memory.forces_held == 1:
                    gaps[one.boundary] = 1.0
                    continue
                try:
                    gaps[one.boundary] = self._p[one.place] * one.value(t, state)
                except BaseException as error:
                    gaps[one.boundary] = np.nan
                    self._faults.catch(error, one.label, t, state)
                    return

        return Callback(_ALONG(call))

    def begin(self, t: float, x: np.ndarray, rates: Callable[[float, np.ndarray], np.ndarray]) -> None:
        """Write the signs at the start of a run; one at zero has that of a little later along the flow."""
        for one in self._values:
            if one.of_forces:
                value = one.value(t, x)
            else:
                value = one.value(t, x.copy())
                if value == 0.0:
                    ahead = HALF_DIGITS * (1.0 + abs(t))
                    value = one.value(t + ahead, x + ahead * rates(t, x))
            self._p[one.place] = -1.0 if value < 0.0 else 1.0

    def _of_function(self, watch: Condition[Node]) -> Callable[[float, np.ndarray], float]:
        function, label = watch.function, f"the event {watch.name!r}"
        assert function is not None, "a condition by values that is none of forces is a function"

        def value(t: float, x: np.ndarray) -> float:
            try:
                number = returned(function(t, x))
            except ValueError as error:
                raise ValueError(f"{label} returned no number: {error}") from None
            if number.size != 1:
                raise ValueError(f"{label} returned an array of shape {number.shape}, expected one real number")
            return float(number.reshape(()))

        return value

    def _of_forces(self, compiled: CompiledModel, watch: Condition[Node]) -> Callable[[float, np.ndarray], float]:
        evaluate = numpy_function(
            compiled.model.derivation.graph, Function("event", (watch.margin,), ("t", "x", "xdot", "p"))
        )

        def value(t: float, x: np.ndarray) -> float:
            p = self._p if self._signals is None else self._signals.called(self._p, t, x)
            return float(np.asarray(evaluate(t, x, self._rates_and_forces(t, x), p))[0])

        return value

    def _rates_and_forces(self, t: float, x: np.ndarray) -> np.ndarray:
        """x' and the normal forces of the contacts (N), in memory in which no event is under way."""
        found, memory = np.zeros(4 * self._contacts), self._shadow()
        if memory.closed:
            data = memory.data
            assert data is not None, "closed contacts have data"
            data.closed.forces.callable()(t, x.ctypes.data, data.address, found.ctypes.data)
        return np.concatenate([memory.rates(t, x), found[: self._contacts]])
