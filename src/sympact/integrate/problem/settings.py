"""The settings of a run, checked before anything is compiled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from numbers import Real
from typing import Any

import numpy as np

from sympact.integrate.memory.run_tolerances import DEAD_BAND, DEFAULT_ATOL, DEFAULT_RTOL, LEAST_RTOL
from sympact.integrate.problem.real import described, real_array, whole
from sympact.integrate.problem.stepper import Stepper
from sympact.integrate.problem.times import plain_span
from sympact.native.engine import ENGINES, default_engine
from sympact.native.sentences.near_names import suggestion

__all__ = ["Checked", "Settings", "checked_settings"]


@dataclass(frozen=True)
class Settings:
    """Checked settings in the form of the loop; `method` is the name of the stepper `by`.

    Settings that differ only in their span and initial state, see `at`, have the same object `same`. `sides` are the
    signs of the boundaries at the end of the run that one goes on with, by their names: part of its initial state.
    """

    t_span: tuple[float, float]
    x0: np.ndarray
    method: str
    by: Stepper
    rtol: float
    atol: np.ndarray
    max_step: float
    max_events: int
    max_steps: int | None = None
    engine: str = "auto"
    sides: Mapping[str, Sequence[float]] | None = None
    same: object = field(init=False, repr=False, compare=False, default_factory=object)

    @classmethod
    def check(
        cls,
        state_names: Sequence[str],
        t_span: Sequence[float],
        x0: Sequence[float],
        *,
        methods: Mapping[str, Stepper],
        method: str | Stepper = "DOP853",
        rtol: float = DEFAULT_RTOL,
        atol: float | Sequence[float] = DEFAULT_ATOL,
        max_step: float = np.inf,
        max_events: int = 1_000_000,
        max_steps: int | None = None,
        engine: str | None = None,
    ) -> Settings:
        """The settings, or one error with a sentence for each fault.

        Parameters
        ----------
        state_names : sequence of str, length n
        t_span : (t_start, t_end)
            In seconds, t_start < t_end.
        x0 : array_like, shape (n,)
        methods : mapping of str to Stepper
            The methods with a name.
        method : str or Stepper
            One of their names, or another method.
        rtol, atol : float; atol also array_like, shape (n,)
            The error of a step stays below atol + rtol |x|.
        max_step : float
            Largest step (s); the step itself for methods of fixed step.
        max_events : int
            The run ends after so many events.
        max_steps : int, optional
            The run ends after this many attempted steps, accepted or rejected; without it, where it makes no progress.
        engine : str, optional
            One of `ENGINES`.

        Raises
        ------
        ValueError
            With a sentence for each wrong argument.
        """
        faults: list[str] = []
        span = _numbers(t_span, "t_span", faults)
        state, tolerance = _numbers(x0, "x0", faults), _numbers(atol, "atol", faults)
        n = len(state_names)
        if span is not None and (span.shape != (2,) or not span[0] < span[1]):
            faults.append(f"t_span is {described(t_span)}, expected two times (t_start, t_end) with t_start < t_end")
        if state is not None and state.shape != (n,):
            faults.append(f"x0 has the shape {state.shape}, expected ({n},): {', '.join(state_names)}")
        if tolerance is not None and (tolerance.shape not in ((), (n,)) or not (tolerance > 0.0).all()):
            faults.append(
                f"atol is {described(atol)}, expected a number or {n} numbers, not negative and not zero: it is the "
                "only tolerance of a state at rest at zero; give one far below its size"
            )
        by = _method(method, methods, faults)
        if by is not None and not by.layout.adaptive and _real(max_step) == np.inf:
            faults.append(f"the method {by.name!r} takes steps of one size: give it as max_step, such as max_step=0.01")
        if not LEAST_RTOL <= _real(rtol) < 1.0:
            faults.append(
                f"rtol is {described(rtol)}, expected at least {LEAST_RTOL:.1e} (a hundred roundings) and less than 1"
            )
        if not _real(max_step) > 0.0:
            faults.append(f"max_step is {described(max_step)}, expected a positive time")
        if whole(max_events) is None:
            faults.append(f"max_events is {described(max_events)}, expected a positive whole number below 2**63")
        if max_steps is not None and whole(max_steps) is None:
            faults.append(
                f"max_steps is {described(max_steps)}, expected a positive whole number below 2**63, or None for no"
                " limit"
            )
        engine = default_engine() if engine is None else engine
        if engine not in list(ENGINES):
            faults.append(
                f"engine is {described(engine)}, expected one of {', '.join(map(repr, ENGINES))}"
                f"{suggestion(engine, ENGINES)}"
            )
        if faults or span is None or state is None or tolerance is None or by is None:
            raise ValueError("; ".join(faults))
        atol_array = np.broadcast_to(tolerance, (n,))
        return cls(
            (float(span[0]), float(span[1])),
            state,
            by.name,
            by,
            float(rtol),
            atol_array,
            float(max_step),
            int(max_events),
            None if max_steps is None else int(max_steps),
            engine,
        )

    def at(self, t_span: tuple[float, float], x0: np.ndarray) -> Settings:
        """The same for another run, whose span and initial state are checked."""
        other = object.__new__(Settings)
        other.__dict__.update(self.__dict__, t_span=t_span, x0=x0)
        return other

    def going_on(self, sides: Mapping[str, Sequence[float]] | None) -> Settings:
        """The same for a run that goes on with these `sides`; None or none: for one that begins."""
        if (sides or None) is self.sides:
            return self
        other = object.__new__(Settings)
        other.__dict__.update(self.__dict__, sides=sides or None)
        return other

    def compared_with(self, length: float) -> dict[str, float]:
        """A model length (m), and the dead band of gaps for it."""
        return {"length": length, "dead_band": min(self.rtol, DEAD_BAND) * length}

    def asked(self) -> dict[str, object]:
        """The settings as plain numbers and strings; tolerances that are all equal as one."""
        atol = self.atol.tolist()
        return {
            "t_span": list(self.t_span),
            "method": self.method,
            "rtol": self.rtol,
            "atol": atol[0] if len(set(atol)) == 1 else atol,
            "max_step": self.max_step,
            "max_events": self.max_events,
            "max_steps": self.max_steps,
        }


def _method(method: object, methods: Mapping[str, Stepper], faults: list[str]) -> Stepper | None:
    """The method of a name, or the given one itself; None and a sentence where there is none."""
    if isinstance(method, str) and method in methods:
        return methods[method]
    if not isinstance(method, Stepper) or isinstance(method, type):
        faults.append(
            f"method is {method!r}, expected one of {', '.join(methods)}, or a custom one: a RungeKutta or a OneStep"
            f"{suggestion(method, methods)}"
        )
        return None
    if methods.get(method.name, method) is not method:
        faults.append(f"method is a custom one called {method.name!r}, a name in use; give it another")
    return method


def _real(value: object) -> float:
    """The value as a float, NaN if it is no real number."""
    try:
        return float(value) if isinstance(value, Real) and not isinstance(value, bool) else np.nan
    except OverflowError:
        return np.nan


def _numbers(value, name: str, faults: list[str]) -> np.ndarray | None:
    """The value as an array of finite floats, or None and a sentence."""
    try:
        array = real_array(value)
    except ValueError as error:
        faults.append(f"{name}: {error}")
        return None
    if not np.isfinite(array).all():
        faults.append(f"{name} is {described(value)}, expected finite numbers")
        return None
    return array


Checked = dict[tuple, Settings]
"""Settings of earlier runs, by what was given."""

_KEPT = 4  # settings of a model


def checked_settings(
    known: Checked,
    state_names: Sequence[str],
    t_span: Sequence[float],
    x0: np.ndarray,
    given: Mapping[str, Any],
    methods: Mapping[str, Stepper],
) -> Settings:
    """The settings of a run; those that an earlier run had are checked already.

    Parameters
    ----------
    known : dict
        The settings of earlier runs, to which these are added.
    state_names, t_span, x0, methods
        Those of `Settings.check`; `x0` is an array of doubles with a number for each state.
    given : mapping
        The other arguments of `Settings.check`, by name.

    Raises
    ------
    ValueError
        As `Settings.check` does.
    """
    key = (len(state_names), *given.items(), *map(type, given.values()))  # 1, 1.0 and True are equal
    try:
        found = known.get(key)
    except TypeError:  # an array has no hash
        return Settings.check(state_names, t_span, x0, methods=methods, **given)
    span = plain_span(t_span)
    with np.errstate(over="ignore"):
        finite = isfinite(x0.dot(x0))  # false for some numbers that are finite, too, which are then checked again
    if found is not None and span is not None and finite:
        return found.at(span, x0)
    asked = Settings.check(state_names, t_span, x0, methods=methods, **given)
    if len(known) >= _KEPT:
        known.clear()
    known[key] = asked
    return asked
