"""Plain Python functions as C functions, and the handling of their exceptions."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sympact.integrate.memory.run_memory import RunMemory
from sympact.integrate.problem.real import returned

__all__ = ["Callback", "Faults", "python_boundaries", "python_flow", "python_jump"]

_REAL, _WHOLE = ctypes.c_double, ctypes.c_int64
_FLOW = ctypes.CFUNCTYPE(None, _REAL, _WHOLE, _WHOLE, _WHOLE)
_BOUNDARY = ctypes.CFUNCTYPE(None, _REAL, _WHOLE, _WHOLE, _WHOLE, _WHOLE)


@dataclass(frozen=True)
class Callback:
    """A C function that calls Python; its address is valid as long as this object lives."""

    function: Any

    @property
    def address(self) -> int:
        """The address of the C function."""
        return ctypes.cast(self.function, ctypes.c_void_p).value or 0


def carry(error: BaseException, result: object) -> None:
    """Give an exception that ended a run its attribute ``result``: the run up to there."""
    error.result = result  # type: ignore[attr-defined]  # the user's own exception, with the attribute of the manual


class Faults:
    """The first exception of a callback in a run. C code cannot propagate it, so that it is stored here.

    One object serves one run at a time; the loop sees `RunMemory.fault` and stops.
    """

    def __init__(self) -> None:
        self.raised: BaseException | None = None
        self.run: Any = None  # the part of the run that it ended, as `simulate` returns it
        self._memory: RunMemory | None = None

    def forget(self) -> None:
        """Begin another run, of which nothing has been raised."""
        self.raised = self.run = None

    def watch(self, run: RunMemory | None) -> None:
        """Attach the memory of the running loop; None when it has ended."""
        self._memory = run

    def catch(self, error: BaseException, label: str, t: float | None = None, x: np.ndarray | None = None) -> None:
        """Store the exception, with a note of the function that raised it and, where it is known, of the state."""
        if self.raised is None:
            error.add_note(f"raised by {label}" + ("" if x is None else f" at t = {t!r}, x = {x.tolist()!r}"))
            self.raised = error
        if self._memory is not None:
            self._memory.fault = 1


def _view(address: int, n: int) -> np.ndarray:
    return np.frombuffer((_REAL * n).from_address(address))


def python_flow(function: Callable, n: int, faults: Faults, label: str) -> Callback:
    """``function(t, x) -> x'`` as a flow; a wrong shape is an error that names `label`."""

    def call(t, x, data, out):
        state, rates = _view(x, n).copy(), _view(out, n)
        try:
            rates[:] = _vector(function(t, state), n, label)
        except BaseException as error:
            rates[:] = np.nan
            faults.catch(error, label, t, state)

    return Callback(_FLOW(call))


def python_jump(function: Callable, n: int, faults: Faults, label: str) -> Callback:
    """``function(t, x_minus) -> x_plus`` with the signature of a flow."""
    return python_flow(function, n, faults, label)


def python_boundaries(
    functions: Sequence[Callable], n: int, faults: Faults, labels: Sequence[str], signs: np.ndarray | None = None
) -> Callback:
    """``function(t, x) -> float`` of each boundary, negated: the gaps of a stage.

    Those of the last functions are times their `signs`, which a run changes, and not negated.
    """
    factors = np.empty(0) if signs is None else signs
    negated = len(functions) - len(factors)

    def call(t, x, xdot, data, out):
        state, gaps = _view(x, n).copy(), _view(out, len(functions))
        for k, function in enumerate(functions):
            try:
                value = _number(function(t, state), labels[k])
                gaps[k] = -value if k < negated else factors[k - negated] * value
            except BaseException as error:
                gaps[k:] = np.nan
                faults.catch(error, labels[k], t, state)
                return

    return Callback(_BOUNDARY(call))


def _read(value: object, label: str) -> np.ndarray:
    try:
        return returned(value)
    except ValueError as error:
        raise ValueError(f"{label} returned no number: {error}") from None


def _vector(value, n: int, label: str) -> np.ndarray:
    array = _read(value, label)
    if array.shape != (n,):
        raise ValueError(
            f"{label} returned an array of shape {array.shape}, expected ({n},), one number for each state"
        )
    return array


def _number(value, label: str) -> float:
    array = _read(value, label)
    if array.size != 1:
        raise ValueError(f"{label} returned an array of shape {array.shape}, expected one real number")
    return float(array.reshape(()))
