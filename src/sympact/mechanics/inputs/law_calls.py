"""Laws of controllers as the loop calls them, and as Python does at the start of a run."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sympact.integrate.problem.callback import Callback, Faults
from sympact.mechanics.inputs.sampler import Sampler

__all__ = ["LawCall", "Rates"]

_REAL = ctypes.c_double
_LAW = ctypes.CFUNCTYPE(None, _REAL, *[ctypes.c_int64] * 3)
_ALONG = ctypes.CFUNCTYPE(None, _REAL, *[ctypes.c_int64] * 4)

Rates = Callable[[float, np.ndarray], np.ndarray]
"""x' at a time and state, in the mode of the run."""


@dataclass(frozen=True, eq=False)
class LawCall:
    """The law of a controller in one run.

    Attributes
    ----------
    sampler : Sampler
    machine : int
        The address of the compiled law, ``void(t, x, p, out)``; of a Python function that of what it measures, 0 where
        that is the state.
    kept : array of int
        The entries of p that are its memory.
    n_states : int
    called : callable, optional
        ``called(p, t, x)``: p with the values of inputs that are Python functions; None where there are none.
    accelerated : bool
        Whether it contains accelerations: the compiled law is then ``void(t, x, xdot, p, out)``.
    """

    sampler: Sampler
    machine: int
    kept: np.ndarray
    n_states: int
    called: Callable[[np.ndarray, float, np.ndarray], np.ndarray] | None = None
    accelerated: bool = False

    def values(self, t: float, x: np.ndarray, p: np.ndarray, rates: Rates) -> np.ndarray:
        """What it returns at one time and state.

        Raises
        ------
        ValueError
            If a value is not finite.
        Exception
            Any exception of a user's function, with a note of the controller and the state.
        """
        kind = self.sampler.kind
        try:
            found = self._returned(t, x, p, rates)
            wrong = np.flatnonzero(~np.isfinite(found))
            if wrong.size:
                letter, value = kind.letters[wrong[0]], found[wrong[0]]
                raise ValueError(f"{self._label} gives {letter} = {value} at t = {t:.12g}, expected a finite number")
        except BaseException as error:
            error.add_note(f"raised by {self._label} at t = {t!r}, x = {x.tolist()!r}")
            raise
        return found

    def address(self, p: np.ndarray, faults: Faults, rates: Rates) -> tuple[int, object]:
        """The address that the loop calls, and the object that keeps it."""
        if not self.sampler.kind.python and self.called is None and not self.accelerated:
            return self.machine, None

        def call(t: float, x: int, data: int, out: int) -> None:
            state = np.frombuffer((_REAL * self.n_states).from_address(x)).copy()
            try:
                found = self._returned(t, state, p, rates)
                np.frombuffer((_REAL * len(found)).from_address(out))[:] = found
            except BaseException as error:
                faults.catch(error, self._label, t, state)

        callback = Callback(_LAW(call))
        return callback.address, callback

    @property
    def _label(self) -> str:
        return f"the law of {self.sampler.controller!r}"

    def _returned(self, t: float, x: np.ndarray, p: np.ndarray, rates: Rates) -> np.ndarray:
        """What the law returns."""
        kind, numbers = self.sampler.kind, p if self.called is None else self.called(p, t, x)
        if not kind.python:
            return self._evaluated(t, x, numbers, len(kind.letters), rates)
        measured = self._evaluated(t, x, numbers, len(kind.formulas), rates) if self.machine else x
        return self.sampler.function(t, measured, numbers[self.kept])

    def _evaluated(self, t: float, x: np.ndarray, p: np.ndarray, size: int, rates: Rates) -> np.ndarray:
        """What the compiled function returns."""
        out = np.empty(size)
        if self.accelerated:
            slopes = rates(t, x)
            _ALONG(self.machine)(t, x.ctypes.data, slopes.ctypes.data, p.ctypes.data, out.ctypes.data)
            return out
        _LAW(self.machine)(t, x.ctypes.data, p.ctypes.data, out.ctypes.data)
        return out
