"""A custom stepper as a tableau: an explicit Runge-Kutta method, compiled like those of sympact."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sympact.integrate.problem.callback import Faults
from sympact.integrate.problem.real import described, real_array
from sympact.integrate.problem.stepper import CompiledStepper, Running, StepLayout
from sympact.integrate.steppers import own_tableau_kernel
from sympact.integrate.steppers.order_conditions import order_of
from sympact.native.cached import cached_property
from sympact.native.kernel import Unit
from sympact.native.rounding import WRITTEN
from sympact.native.sentences.refused_calls import explain_public

__all__ = ["RungeKutta"]

_CUBIC_ORDER = 4
"""Up to this order the cubic of a step has the accuracy of the method at events; above, the step is repeated."""


@dataclass(frozen=True, eq=False)
class RungeKutta:
    """An explicit Runge-Kutta method by its tableau: for ``method=``.

    The stages are k_i = f(t + c_i h, x + h sum_j a_ij k_j), the end of the step is x + h sum_i b_i k_i [1]_. With the
    weights of an embedded method the step is chosen so that the difference of the two stays below the tolerances; else
    it is ``max_step``. The method is compiled on first use.

    Parameters
    ----------
    a : sequence of rows
        A row for each stage, with or without zeros on and above the diagonal; the first may be empty.
    b : sequence of float, length s
        The weights.
    c : sequence of float, length s, optional
        The times of the stages, to be checked: they are the sums of the rows of `a`.
    embedded : sequence of float, length s or s + 1, optional
        The weights of a second method, whose order is lower or higher; entry s + 1 is the weight of the rate at the end
        of the step.
    name : str
        Its name in results.

    Attributes
    ----------
    order : int
        The order of the method, from the order conditions; 8 at most.

    Raises
    ------
    ValueError
        With a sentence for each fault of the tableau.

    References
    ----------
    .. [1] E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I, sec. II.1 and II.4.

    Examples
    --------
    Ralston's method of order 2, for a ball that loses half of its speed on a floor:

    >>> from sympact import HybridSystem, RungeKutta, Transition
    >>> ralston = RungeKutta(a=[[], [2 / 3]], b=[1 / 4, 3 / 4], name="Ralston")
    >>> ralston.order
    2
    >>> bounce = Transition("up", "up", boundary=lambda t, x: -x[0], jump=lambda t, x: [0.0, -0.5 * x[1]])
    >>> ball = HybridSystem({"up": lambda t, x: [x[1], -10.0]}, [bounce])
    >>> result = ball.simulate((0, 1.2), [5.0, 0.0], start="up", method=ralston, max_step=0.3)
    >>> abs(result.events[0].t - 1.0) < 1e-12, result.settings["method"]
    (True, 'Ralston')
    """

    a: Sequence[Sequence[float]]
    b: Sequence[float]
    c: Sequence[float] | None = None
    embedded: Sequence[float] | None = None
    name: str = "Runge-Kutta"

    def __post_init__(self) -> None:
        faults: list[str] = []
        b = _numbers(self.b, "b", faults)
        a = None if b is None else _stages(self.a, len(b), faults)
        if a is not None and b is not None:
            faults += _inconsistent(a, b, self.c, self.embedded)
        if not isinstance(self.name, str) or not self.name:
            faults.append(f"name is {described(self.name)}, expected a text")
        if faults or a is None or b is None:
            raise ValueError("; ".join(faults))
        own: dict[str, tuple | None] = {"a": tuple(map(tuple, a.tolist())), "b": tuple(b.tolist())}
        own["c"] = tuple(a.sum(axis=1).tolist())
        own["embedded"] = None if self.embedded is None else tuple(real_array(self.embedded).tolist())
        for name, value in own.items():
            object.__setattr__(self, name, value)

    @cached_property
    def order(self) -> int:
        """The order of the method."""
        return order_of(np.array(self.a), np.array(self.b))

    @cached_property
    def layout(self) -> StepLayout:
        """As `Stepper` says."""
        stages, estimated, error, exponent = len(self.b), 0, [], 0.0
        if self.embedded is not None:
            embedded = (*self.embedded, 0.0)[: stages + 1]
            estimated = min(self.order, self._embedded_order(embedded))
            error, exponent = [self._error(embedded)], -1.0 / (estimated + 1)
        lower = [list(row[:i]) for i, row in enumerate(self.a)]
        times = np.array(self.a).sum(axis=1).tolist()
        return StepLayout(
            own_tableau_kernel.prefix_of(lower, list(self.b), times, error, exponent),
            rows=stages + 1,
            last=stages,
            degree=3,
            order=estimated,
            adaptive=self.embedded is not None,
            polished=self.order > _CUBIC_ORDER,
            module=own_tableau_kernel.__name__,
        )

    def units(self) -> Mapping[str, Unit]:
        """As `Stepper` says."""
        return self._compiled().units()

    def begin(self, faults: Faults) -> Running:
        """As `Stepper` says."""
        return self._compiled().begin(faults)

    def _compiled(self) -> CompiledStepper:
        return CompiledStepper(self.name, self.layout)

    def _error(self, embedded: Sequence[float]) -> list[float]:
        """The weights of the difference of the two methods; the last is that of the rate at the end of the step."""
        return [b - other for b, other in zip((*self.b, 0.0), embedded, strict=True)]

    def _embedded_order(self, embedded: Sequence[float]) -> int:
        """The order of the second method, whose last stage is the end of the step."""
        stages = len(self.b)
        a = np.zeros((stages + 1, stages + 1))
        a[:stages, :stages], a[stages, :stages] = self.a, self.b
        return order_of(a, np.array(embedded))


def _numbers(values: object, name: str, faults: list[str]) -> np.ndarray | None:
    """A row of finite numbers, or None and a sentence."""
    try:
        row = real_array(values)
    except ValueError as error:
        faults.append(f"{name}: {error}")
        return None
    if row.ndim != 1 or not row.size or not np.isfinite(row).all():
        faults.append(f"{name} is {described(values)}, expected a row of finite numbers")
        return None
    return row


def _stages(rows: object, stages: int, faults: list[str]) -> np.ndarray | None:
    """The rows of `a` as a square array, or None and a sentence for each that is wrong."""
    if isinstance(rows, str) or not isinstance(rows, Sequence | np.ndarray):
        faults.append(f"a is {described(rows)}, expected a row for each stage")
        return None
    if len(rows) != stages:
        faults.append(f"a has {len(rows)} rows and b {stages} weights, expected one row for each weight")
        return None
    a = np.zeros((stages, stages))
    found: list[str] = []
    for i, given in enumerate(rows):
        empty = isinstance(given, Sequence | np.ndarray) and len(given) == 0
        row = np.empty(0) if empty else _numbers(given, f"row {i + 1} of a", found)
        if row is None:
            continue
        if not i <= len(row) <= stages:
            found.append(
                f"row {i + 1} of a has {len(row)} entries, expected {i}, those before the diagonal, to {stages}"
            )

        elif row[i:].any():
            found.append(
                f"row {i + 1} of a has an entry on or above the diagonal ({described(row.tolist())}): the method is not"
                " explicit; for implicit steps use 'Radau', or write them as a OneStep"
            )
        else:
            a[i, : len(row)] = row
    faults += found
    return None if found else a


def _inconsistent(a: np.ndarray, b: np.ndarray, c: object, embedded: object) -> list[str]:
    """A sentence for each sum that is wrong."""
    faults: list[str] = []
    if abs(b.sum() - 1.0) > WRITTEN:
        faults.append(f"the weights b sum to {b.sum():.15g}, expected 1: a constant rate would be integrated wrongly")
    times = None if c is None else _numbers(c, "c", faults)
    if times is not None and len(times) != len(b):
        faults.append(f"c has {len(times)} entries and b {len(b)}, expected one time for each stage")
    elif times is not None:
        sums = a.sum(axis=1)
        faults += [
            f"c of stage {i + 1} is {times[i]:.15g}, expected {sums[i]:.15g}, the sum of its row of a"
            for i in np.flatnonzero(np.abs(times - sums) > WRITTEN)
        ]
    second = None if embedded is None else _numbers(embedded, "embedded", faults)
    if second is None:
        return faults
    if len(second) not in (len(b), len(b) + 1):
        faults.append(
            f"embedded has {len(second)} weights, expected {len(b)}, or {len(b) + 1} with that of the rate at the end"
        )
    elif abs(second.sum() - 1.0) > WRITTEN:
        faults.append(f"the weights of embedded sum to {second.sum():.15g}, expected 1")
    elif np.abs(second[: len(b)] - b).max() <= WRITTEN:
        faults.append("embedded has the weights of b, which estimates no error; leave it out for steps of one size")
    return faults


explain_public(globals())
