"""Conditions that a run watches for its user: where they are crossed it records an event, or ends."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Any

from sympact.native.sentences.refused_calls import explain_public

__all__ = ["Crossing", "Stop"]

_DIRECTIONS = (None, -1, 0, 1)


@dataclass(frozen=True, slots=True)
class Crossing:
    """An event where an expression passes zero, or where a condition becomes true.

    Parameters
    ----------
    condition : Expr or Boolean
        An expression of the model's symbols, which is an event where it passes zero; or a condition such as ``q > 0``,
        which is one where it becomes true.
    direction : {None, 0, 1, -1}, optional
        1: the expression increases through zero, -1: it decreases, 0: both. By default both for an expression, and 1
        for a condition, which becomes true then.

    Raises
    ------
    ValueError
        If the direction is none of these.

    Examples
    --------
    A ball that bounces passes its apex where its speed decreases through zero:

    >>> from sympact.models import bouncing_ball
    >>> ball = bouncing_ball()
    >>> (z,), (v,) = ball.model.q, ball.model.u
    >>> result = ball.model.simulate((0, 2), ball.start, ball.parameters, events={"apex": Crossing(v, -1)})
    >>> [round(float(event.x_minus[0]), 6) for event in result.events["apex"]]
    [0.64, 0.4096, 0.262144]
    """

    condition: Any
    direction: int | None = None

    def __post_init__(self) -> None:
        _check(self)


@dataclass(frozen=True, slots=True)
class Stop:
    """The same at which the run ends, with the status `Status.STOPPED`.

    Parameters
    ----------
    condition, direction
        As of `Crossing`; the condition may be a `Crossing` itself.
    occurrences : int, default 1
        The run ends at this one of the events, counted from its start; those before are recorded.

    Raises
    ------
    ValueError
        If the direction or the number of occurrences is none.

    Examples
    --------
    >>> from sympact.models import bouncing_ball
    >>> ball = bouncing_ball()
    >>> (z,), (v,) = ball.model.q, ball.model.u
    >>> result = ball.model.simulate((0, 9), ball.start, ball.parameters, events={"half way down": Stop(z - 0.5)})
    >>> result.status.name, result.success, result.t[-1].round(6), result.x[:, -1].round(6)
    ('STOPPED', True, np.float64(0.319275), array([ 0.5     , -3.132092]))
    >>> third = Stop(v, -1, occurrences=3)
    >>> result = ball.model.simulate((0, 9), ball.start, ball.parameters, events={"apex": third})
    >>> result.status.name, [round(float(event.x_minus[0]), 6) for event in result.events["apex"]]
    ('STOPPED', [0.64, 0.4096, 0.262144])
    """

    condition: Any
    direction: int | None = None
    occurrences: int = 1

    def __post_init__(self) -> None:
        if isinstance(self.condition, Crossing):  # the same condition: a Stop is a Crossing at which the run ends
            given = self.condition
            object.__setattr__(self, "condition", given.condition)
            object.__setattr__(self, "direction", given.direction if self.direction is None else self.direction)
        _check(self)
        count = self.occurrences
        if isinstance(count, bool) or not isinstance(count, Integral) or count < 1:
            raise ValueError(
                f"Stop(..., occurrences={count!r}): expected 1 to end the run at the first event, 2 at the second, ..."
            )


def _check(given: Crossing | Stop) -> None:
    if isinstance(given.condition, Crossing | Stop):
        raise TypeError(f"the condition of a {type(given).__name__} is {given.condition!r}; give that alone")
    if given.direction not in _DIRECTIONS:
        raise ValueError(
            f"{type(given).__name__}(..., direction={given.direction!r}): expected 1 where the expression increases "
            "through zero, -1 where it decreases, 0 for both"
        )


explain_public(globals())
