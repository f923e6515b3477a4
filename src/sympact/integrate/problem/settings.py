"""How a run is integrated: what was asked for, checked before anything is compiled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real

import numpy as np

from sympact.integrate.memory.run_tolerances import DEAD_BAND, DEFAULT_ATOL, DEFAULT_RTOL, LEAST_RTOL
from sympact.integrate.problem.real import described, real_array, whole
from sympact.integrate.problem.stepper import Method

__all__ = ["Settings"]


@dataclass(frozen=True)
class Settings:
    """How to integrate: checked, and in the form the loop needs; `method` is the name of what steps `by`."""

    t_span: tuple[float, float]
    x0: np.ndarray
    method: str
    by: Method
    rtol: float
    atol: np.ndarray
    max_step: float
    max_events: int
    max_steps: int | None = None

    @classmethod
    def check(
        cls,
        state_names: Sequence[str],
        t_span: Sequence[float],
        x0: Sequence[float],
        *,
        methods: Mapping[str, Method],
        method: str | Method = "DOP853",
        rtol: float = DEFAULT_RTOL,
        atol: float | Sequence[float] = DEFAULT_ATOL,
        max_step: float = np.inf,
        max_events: int = 1_000_000,
        max_steps: int | None = None,
    ) -> Settings:
        """The settings, or one error with a sentence for each fault.

        Parameters
        ----------
        state_names : sequence of str, length n
        t_span : (t_start, t_end)
            In seconds, t_start < t_end.
        x0 : array_like, shape (n,)
        methods : mapping of str to Method
            The methods that are known by name.
        method : str or Method
            One of their names, or another method.
        rtol, atol : float; atol also array_like, shape (n,)
            The error of a step is kept below atol + rtol |x|.
        max_step : float
            Largest step (s); the step itself for methods of fixed step.
        max_events : int
            The run ends after so many events.
        max_steps : int, optional
            The run ends after so many steps tried, accepted or not; without it, where it does not get on.

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
            faults.append(f"t_span is {t_span!r}, expected two times (t_start, t_end) with t_start < t_end")
        if state is not None and state.shape != (n,):
            faults.append(f"x0 has the shape {state.shape}, expected ({n},): {', '.join(state_names)}")
        if tolerance is not None and (tolerance.shape not in ((), (n,)) or not (tolerance > 0.0).all()):
            faults.append(
                f"atol is {described(atol)}, expected a number or {n} numbers, not negative and not zero: it is all "
                "the tolerance of a state at rest at zero; take one far below its size"
            )
        by = _method(method, methods, faults)
        if by is not None and not by.stepper.adaptive and _real(max_step) == np.inf:
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
        )

    def compared_with(self, length: float) -> dict[str, float]:
        """A length (m), and how deep a dip may be passed over where gaps are compared with it."""
        return {"length": length, "dead_band": min(self.rtol, DEAD_BAND) * length}

    def asked(self) -> dict[str, object]:
        """What was asked for, as plain numbers and words; tolerances that are all equal as one."""
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


def _method(method: object, methods: Mapping[str, Method], faults: list[str]) -> Method | None:
    """The method of a name, or the one that is given itself; None and a sentence where there is none."""
    by = methods.get(method) if isinstance(method, str) else method
    if not isinstance(by, Method) or isinstance(by, type):
        faults.append(
            f"method is {method!r}, expected one of {', '.join(methods)}, or one of your own: a RungeKutta or a OneStep"
        )
        return None
    if methods.get(by.name, by) is not by:
        faults.append(f"method is one of your own called {by.name!r}, a name that is taken; give it another")
    return by


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
        faults.append(f"{name} is {value!r}, expected finite numbers")
        return None
    return array
