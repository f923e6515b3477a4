"""The inputs of the interactive page: a dial for each number of a ready-made model, and its range."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from sympact.mechanics.kit.symbols import state_name
from sympact.models import ReadyModel, ReadyProcess

__all__ = ["Dial", "dials_of", "set_numbers"]

_LOW, _HIGH, _PART = 0.1, 3.0, 0.05
"""The range of a number and the step within it, as parts of the number; the number itself is one of the steps."""

_DIGITS = 10
"""Digits of a number from a slider: the rounding of the slider is removed."""

_UNIT_NORM = 1e-9
"""Deviation of a quaternion's norm from 1 that is accepted, as in `mechanics.numbers`."""


@dataclass(frozen=True)
class Dial:
    """A number that the user can set.

    Attributes
    ----------
    group : str
        ``"parameters"``, ``"start"`` or ``"time"``.
    name : str
        Of the parameter or the state; ``"end"`` for the last time.
    value : float
        The number of the ready-made model.
    low, high, step : float
        The range, and the distance of the numbers in it.
    unit : str
        Empty where it is not known.
    """

    group: str
    name: str
    value: float
    low: float
    high: float
    step: float
    unit: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """The identifier of this dial among those of a model."""
        return self.group, self.name

    def read(self, shown: float) -> float:
        """The number that corresponds to the position of a slider.

        The first number is returned exactly, others are rounded to ten digits.

        >>> dial = Dial("start", "angle", math.pi / 2, 0.157, 4.712, 0.0785)
        >>> dial.read(1.5707963267) == math.pi / 2, dial.read(0.157 + 3 * 0.0785)
        (True, 0.3925)
        """
        if abs(shown - self.value) < 1e-3 * self.step:
            return self.value
        return float(f"{shown:.{_DIGITS}g}")


def dials_of(ready: ReadyModel | ReadyProcess) -> tuple[Dial, ...]:
    """A dial for each parameter, for each state at the start and for the last time, in this order.

    A number keeps its sign: its range is from a tenth of it to three times it. Zero may become anything from -1 to 1,
    as may the four components of a unit quaternion; a coefficient of restitution is between 0 and 1.

    Examples
    --------
    >>> from sympact.models import bouncing_ball
    >>> for dial in dials_of(bouncing_ball()):
    ...     print(dial.group, dial.name, dial.value, round(dial.low, 3), round(dial.high, 3), dial.unit)
    parameters m 1.0 0.1 3.0
    parameters g 9.81 0.981 29.43
    parameters e 0.8 0.0 1.0
    start z 1.0 0.1 3.0 m
    start v 0.0 -1.0 1.0 m/s
    time end 5.0 0.5 15.0 s
    """
    restitutions, units = _restitutions(ready), ready.units
    turning = {name for group in _quaternions(ready) for name in group}
    dials = [
        Dial("parameters", name, value, 0.0, 1.0, 0.01) if name in restitutions else _around("parameters", name, value)
        for name, value in ready.named_parameters().items()
    ]
    for name, value in ready.named_start().items():
        unit = units.get(name, "")
        around = Dial("start", name, value, -1.0, 1.0, 0.01, unit) if name in turning else None
        dials.append(around or _around("start", name, value, unit))
    begin, end = map(float, ready.t_span)
    span = _around("time", "end", end - begin, units.get("t", ""))
    return (*dials, Dial("time", "end", end, begin + span.low, begin + span.high, span.step, span.unit))


def _around(group: str, name: str, value: float, unit: str = "") -> Dial:
    """A dial around a number, with its sign kept."""
    if value == 0.0:
        return Dial(group, name, value, -1.0, 1.0, 0.05, unit)
    low, high = sorted((_LOW * value, _HIGH * value))
    return Dial(group, name, value, low, high, _PART * abs(value), unit)


def set_numbers(ready: ReadyModel | ReadyProcess, values: Mapping[tuple[str, str], float]) -> ReadyModel | ReadyProcess:
    """The model with the numbers of its dials; unit quaternions are divided by their norm.

    Parameters
    ----------
    ready : ReadyModel or ReadyProcess
    values : mapping of (group, name) to float
        By the keys of `dials_of(ready)`; numbers without an entry are unchanged.

    Returns
    -------
    ReadyModel or ReadyProcess

    Raises
    ------
    ValueError
        If a name is unknown.

    Examples
    --------
    >>> from sympact.models import bouncing_ball
    >>> set_numbers(bouncing_ball(), {("start", "z"): 2.0, ("time", "end"): 8.0}).t_span
    (0.0, 8.0)
    """
    chosen: dict[str, dict[str, float]] = {group: {} for group in ("parameters", "start", "time")}
    for (group, name), value in values.items():
        chosen[group][name] = float(value)
    begin, end = ready.t_span
    span = float(begin), chosen["time"].get("end", float(end))
    start = _with_unit_quaternions(ready, {**ready.named_start(), **chosen["start"]})
    return ready.with_numbers(chosen["parameters"], start, span)


def _with_unit_quaternions(ready: ReadyModel | ReadyProcess, start: dict[str, float]) -> dict[str, float]:
    """The start with every quaternion divided by its norm; the model refuses one that vanishes."""
    for group in _quaternions(ready):
        norm = math.hypot(*(start[name] for name in group))
        if norm > 0.0 and abs(norm - 1.0) > _UNIT_NORM:
            start.update({name: start[name] / norm for name in group})
    return start


def _restitutions(ready: ReadyModel | ReadyProcess) -> set[str]:
    """The names of the parameters that are coefficients of restitution."""
    return {str(contact.restitution) for contact in ready.model.contacts} if isinstance(ready, ReadyModel) else set()


def _quaternions(ready: ReadyModel | ReadyProcess) -> list[tuple[str, ...]]:
    """The names of the states that are the four components of a unit quaternion, by fours."""
    if not isinstance(ready, ReadyModel):
        return []
    names = [*map(state_name, ready.model.x)]
    return [tuple(names[index] for index in group) for group in ready.model.derivation.quaternions]
