"""Inputs of carts as polynomials between their knots, and what controllers compute."""

from __future__ import annotations

import numpy as np
from scipy.interpolate import CubicSpline

from fuzz.combined.scene import Act, Drive


def knots(drive: Drive) -> tuple[float, ...]:
    """The times at which its polynomial changes."""
    return drive.times if drive.kind in ("hold", "linear", "cubic") else ()


def polynomial(drive: Drive, t: float, count: float) -> np.ndarray:
    """The polynomial of time since t that holds just after t; count is the discrete state."""
    numbers = np.array(drive.numbers)
    if drive.kind == "number":
        return numbers[:1]
    if drive.kind == "state":
        return np.array([numbers[0] + numbers[1] * count])
    if drive.kind == "time":
        return np.polynomial.Polynomial(numbers)(np.polynomial.Polynomial([t, 1.0])).coef
    times = np.array(drive.times)
    k = int(np.clip(np.searchsorted(times, t + 1e-12, side="right") - 1, 0, len(times) - 1))
    if drive.kind == "hold":
        return numbers[k : k + 1]
    k = min(k, len(times) - 2)
    if drive.kind == "linear":
        slope = (numbers[k + 1] - numbers[k]) / (times[k + 1] - times[k])
        return np.array([numbers[k] + slope * (t - times[k]), slope])
    local = CubicSpline(times, numbers).c[::-1, k]
    return np.polynomial.Polynomial(local)(np.polynomial.Polynomial([t - times[k], 1.0])).coef


def samples(act: Act, end: float) -> list[float]:
    """The times at which a controller acts, from zero until before an end."""
    times, k = [], 0
    while (t := k * act.every + act.phase) < end:
        times.append(t)
        k += 1
    return times


def shaped(act: Act, value: float) -> tuple[float, bool]:
    """A command, rounded and limited, and whether its rounding is sure."""
    sure = True
    if act.quantum:
        part = value / act.quantum
        sure = abs(part - np.floor(part) - 0.5) > 1e-6
        value = round(part) * act.quantum
    return (float(np.clip(value, *act.limits)) if act.limits else value), sure
