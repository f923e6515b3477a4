"""Numbers that sum up a run: the extremes and the integral of an expression, and the count of events."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sympact.integrate.history.event import EventKind
from sympact.integrate.history.physics import expression_along
from sympact.integrate.history.run_view import RunView
from sympact.integrate.measure.quadrature import Accumulated
from sympact.integrate.trajectory.evaluator import Evaluator
from sympact.integrate.trajectory.observation import Merge, Observation
from sympact.native.sentences.refused_calls import explain_public

__all__ = ["Count", "Integral", "Maximum", "Minimum", "Observer", "checked_observers"]

_FRACTIONS = np.arange(1, 8) / 8
"""Of the interval between two samples, at which an expression is evaluated first."""

_ROUNDS = 14
"""Refinements of a bracket, each to a quarter: the last is narrower than the roundings of time allow."""


class Observer(ABC):
    """What is observed along a run, see the argument ``observe`` of `HybridModel.simulate`."""

    @abstractmethod
    def of(self, result: RunView) -> Observation:
        """The observation of a whole run."""

    @abstractmethod
    def check(self, model: Evaluator, state_names: Sequence[str], participants: Sequence[str]) -> None:
        """Raise an error before a run whose model cannot give it; `participants` are those of its events."""


@dataclass(frozen=True, eq=False)
class _OfExpression(Observer):
    """An observer of an expression.

    Parameters
    ----------
    expression : Expr or str
        As for ``result[expression]``.
    """

    expression: object

    def check(self, model: Evaluator, state_names: Sequence[str], participants: Sequence[str]) -> None:
        """The expression is one of the model's symbols."""
        if isinstance(self.expression, str) and self.expression in state_names:
            return
        if not model.knows("expression"):
            raise KeyError(
                f"{type(self).__name__}({self.expression!r}): a process of plain functions has its states alone, "
                f"{list(state_names)}; write a process of expressions with HybridSystem.from_sympy"
            )
        model.quantity("expression", self.expression)


@dataclass(frozen=True, eq=False)
class Maximum(_OfExpression):
    """The largest value of an expression, on the dense output between the samples, too.

    Parameters
    ----------
    expression : Expr or str
        As for ``result[expression]``.

    Examples
    --------
    The height of a ball between its first and second impact on the floor, e^2 h:

    >>> from sympact import Maximum
    >>> from sympact.models import bouncing_ball
    >>> ball = bouncing_ball()
    >>> result = ball.model.simulate((0.6, 1.1), {"z": 0.5, "v": 1.0}, ball.parameters)
    >>> highest = Maximum("z").of(result)
    >>> round(highest.value, 12) == round(0.5 + 1 / (2 * 9.81), 12), round(highest.t - 0.6, 6) == round(1 / 9.81, 6)
    (True, True)
    """

    def of(self, result: RunView) -> Observation:
        """The first of the largest values."""
        return _largest(result, expression_along(result, self.expression), 1.0, Merge.LARGER)


@dataclass(frozen=True, eq=False)
class Minimum(_OfExpression):
    """The least value of an expression, as `Maximum`."""

    def of(self, result: RunView) -> Observation:
        """The first of the least values."""
        return _largest(result, expression_along(result, self.expression), -1.0, Merge.SMALLER)


@dataclass(frozen=True, eq=False)
class Integral(_OfExpression):
    """The integral of an expression over time, by quadrature on the dense output.

    Parameters
    ----------
    expression : Expr or str
        As for ``result[expression]``.

    Examples
    --------
    >>> from sympact import Integral
    >>> from sympact.models import bouncing_ball
    >>> result = bouncing_ball().simulate()
    >>> round(Integral("v").of(result).value, 9) == round(float(result["z"][-1] - result["z"][0]), 9)
    True
    """

    def of(self, result: RunView) -> Observation:
        """The integral from the start to the end."""
        rate = expression_along(result, self.expression)
        sums = Accumulated(result._record, result._dense, lambda t, x, stage: rate(t, x, stage)[np.newaxis])
        return Observation(float(sums.samples[0, -1]), result.t_span[1], Merge.SUM)


@dataclass(frozen=True, eq=False)
class Count(Observer):
    """The number of events.

    Parameters
    ----------
    participant : str, Contact, Limit or String, optional
        Only those of a contact, a transition or a condition, as for `Events.of`.
    kind : str or EventKind, optional
        Only those of this kind.

    Examples
    --------
    >>> from sympact import Count
    >>> from sympact.models import rod_on_wall
    >>> result = rod_on_wall().simulate()
    >>> Count("A on wall").of(result).value, Count("A on wall", kind="open").of(result).value
    (2.0, 1.0)
    """

    participant: object = None
    kind: str | None = None

    def __post_init__(self) -> None:
        if self.kind is not None and self.kind not in list(EventKind):
            raise ValueError(f"kind is {self.kind!r}, expected one of {', '.join(EventKind)}")

    def check(self, model: Evaluator, state_names: Sequence[str], participants: Sequence[str]) -> None:
        """The participant is one of the model's."""
        name = getattr(self.participant, "name", self.participant)
        if name is not None and name not in participants:
            raise ValueError(f"Count({name!r}): events may have the participants {list(participants)}")

    def of(self, result: RunView) -> Observation:
        """The number over the whole run."""
        events = result.events if self.participant is None else result.events.of(self.participant)
        kinds = events.kinds()
        number = len(kinds) if self.kind is None else sum(kind == self.kind for kind in kinds)
        return Observation(float(number), result.t_span[1], Merge.SUM)


def checked_observers(observe: object) -> dict[str, Observer]:
    """The observers by name.

    Raises
    ------
    TypeError
        If it is no mapping of names to observers.
    """
    if isinstance(observe, Mapping):
        found = dict(observe)
        if all(isinstance(name, str) and isinstance(one, Observer) for name, one in found.items()):
            return found
    raise TypeError(
        f"observe is {observe!r}, expected a mapping of names to Maximum, Minimum, Integral and Count, such as"
        " {'highest': Maximum(z)}"
    )


def _largest(result: RunView, along: Callable[..., np.ndarray], sign: float, merge: Merge) -> Observation:
    """The first maximum of an expression times a sign."""
    record = result._record
    ends = np.flatnonzero(np.diff(record.t) > 0.0) + 1
    samples = sign * along(record.t, record.x.T, record.stage)
    first = int(np.nanargmax(samples)) if np.isfinite(samples).any() else 0
    best, at = samples[first], record.t[first]
    if ends.size:
        start, length, stage = record.t[ends - 1], np.diff(record.t)[ends - 1], record.stage[ends]

        def values(chosen: np.ndarray, places: np.ndarray) -> np.ndarray:
            """In some intervals, at fractions of them, shape (k, m)."""
            times = (start[chosen, np.newaxis] + length[chosen, np.newaxis] * places).ravel()
            order = np.argsort(times, kind="stable")
            states = result._dense(times[order]).T
            found = np.empty(len(times))
            found[order] = sign * along(times[order], states, np.repeat(stage[chosen], places.shape[1])[order])
            return found.reshape(places.shape)

        every = np.arange(len(ends))
        inner = values(every, np.broadcast_to(_FRACTIONS, (len(ends), len(_FRACTIONS))))
        grid = np.column_stack([samples[ends - 1], inner, samples[ends]])
        top = grid.argmax(axis=1)
        peaks = grid[every, top]
        k = int(np.argmax(peaks))
        if peaks[k] > best:
            best, at = peaks[k], start[k] + length[k] * top[k] / (len(_FRACTIONS) + 1)
        bows = np.abs(np.diff(grid, 2, axis=1)).max(axis=1) / 2
        chosen = np.flatnonzero(peaks + bows > best + 4.0 * np.spacing(np.abs(best)))
        if chosen.size:
            peak, place = _refined(values, chosen, top[chosen] / (len(_FRACTIONS) + 1))
            k = int(np.argmax(peak))
            if peak[k] > best:
                best, at = peak[k], start[chosen[k]] + length[chosen[k]] * place[k]
    return Observation(float(sign * best), float(at), merge)


def _refined(
    values: Callable[[np.ndarray, np.ndarray], np.ndarray], chosen: np.ndarray, middle: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The maxima near the middles of some intervals, and their fractions: brackets that shrink to a quarter each."""
    half = 1.0 / (len(_FRACTIONS) + 1)
    best, rows = np.full(len(chosen), -np.inf), np.arange(len(chosen))
    for _ in range(_ROUNDS):
        places = np.clip(middle[:, np.newaxis] + half * np.linspace(-1.0, 1.0, 9), 0.0, 1.0)
        inside = np.clip(places, np.spacing(1.0), 1.0 - np.spacing(1.0))
        found = values(chosen, inside)
        top = found.argmax(axis=1)
        better = found[rows, top] > best
        best = np.where(better, found[rows, top], best)
        middle, half = np.where(better, inside[rows, top], middle), half / 4.0
    return best, middle


explain_public(globals(), internal=("checked_observers",))
