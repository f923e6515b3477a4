"""The data of a run's picture: curves that break at jumps, and the time spent in each stage; no matplotlib."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Side = Literal["left", "right"]

POINTS = 1500
"""Points along a whole curve: more than the width of a printed page resolves."""

POINTS_OF_AN_ARC = 24
"""Points between two events at least, so that a short arc is still round."""


@dataclass(frozen=True)
class Stretch:
    """The time from `begin` to `end` that a run spent in one stage."""

    stage: str
    begin: float
    end: float


def broken_curves(
    state: Callable[[NDArray, Side], NDArray],
    t_span: tuple[float, float],
    event_times: Sequence[float],
    points: int = POINTS,
) -> tuple[NDArray, NDArray]:
    """Return times and states along a run, interrupted by NaN at every event, where both sides are kept.

    Parameters
    ----------
    state : callable
        ``state(t, side)``: the states, shape (n, k), at the times t, shape (k,); side is "left" or "right".
    t_span : tuple of two floats
        The first and the last time.
    event_times : sequence of float
        The times at which a state may jump, ascending; repeated ones count once.
    points : int
        The approximate number of points.

    Returns
    -------
    t : ndarray, shape (k,)
    x : ndarray, shape (n, k)

    Examples
    --------
    A fall from 1 to 0 that starts again at t = 1:

    >>> def state(t, side):
    ...     return 1 - np.where((t == 1) & (side == "left"), 1, t % 1)[None, :]
    >>> t, x = broken_curves(state, (0, 1.5), [1.0], points=3)
    >>> t[-3:], x[0, -3:]
    (array([1.45833333, 1.47916667, 1.5       ]), array([0.54166667, 0.52083333, 0.5       ]))
    >>> at_the_event = np.flatnonzero(np.isnan(x[0]))[0] + np.array([-1, 0, 1])
    >>> t[at_the_event], x[0, at_the_event]
    (array([1., 1., 1.]), array([ 0., nan,  1.]))
    """
    edges = np.unique([t_span[0], *event_times, t_span[1]])
    if edges.size == 1:
        return edges, state(edges, "right")
    pieces = []
    for begin, end in pairwise(edges):
        count = max(POINTS_OF_AN_ARC, round(points * (end - begin) / (edges[-1] - edges[0])))
        t = np.linspace(begin, end, count + 1)
        left = state(t[-1:], "left")
        pieces += [
            np.vstack([t, np.hstack([state(t[:-1], "right"), left])]),
            np.vstack([t[-1:], np.full_like(left, np.nan)]),
        ]
    joined = np.hstack(pieces[:-1])
    return joined[0], joined[1:]


def stretches(stages: Sequence[str], entered: Sequence[float], t_span: tuple[float, float]) -> tuple[Stretch, ...]:
    """Return how long a run stayed in each stage; a stage that is entered again from itself continues.

    Parameters
    ----------
    stages : sequence of str
        The first stage and the one after each event.
    entered : sequence of float
        The times of the events, one fewer.
    t_span : tuple of two floats
        The first and the last time of the run.

    Examples
    --------
    >>> for stretch in stretches(["free", "free", "spring"], [1.0, 1.5], (0.0, 3.0)):
    ...     print(stretch.stage, stretch.begin, stretch.end)
    free 0.0 1.5
    spring 1.5 3.0
    """
    begins = [t_span[0], *entered]
    changes = [k for k in range(len(stages)) if k == 0 or stages[k] != stages[k - 1]]
    ends = [*(begins[k] for k in changes[1:]), t_span[1]]
    return tuple(Stretch(stages[k], begins[k], end) for k, end in zip(changes, ends, strict=True))
