"""The times of a run that the frames of an animation show, also in slow motion."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sympact.integrate.problem.real import described

MOST_FRAMES = 3000
"""Longer animations would exceed the memory."""

AROUND = 0.5
"""The duration of slow motion before and after an impact (s, for the viewer)."""


def frame_times(
    t_span: tuple[float, float], fps: float, speed: float = 1.0, slow: float | None = None, events: Sequence[float] = ()
) -> NDArray:
    """Return the times of frames that are shown at equal intervals; ascending, both ends included.

    Parameters
    ----------
    t_span : tuple of two floats
        The first and the last time (s).
    fps : float
        Frames shown in a second.
    speed : float
        Seconds of the run in a second of the animation.
    slow : float, optional
        The factor of the speed around `events`, for half a second of the animation before and after each.
    events : sequence of float
        Ascending (s).

    Raises
    ------
    ValueError
        If a number is not positive, or there would be more than 3000 frames; the message gives an admissible speed.

    Examples
    --------
    >>> frame_times((0, 1), fps=4)
    array([0.  , 0.25, 0.5 , 0.75, 1.  ])
    >>> frame_times((0, 2), fps=4, slow=0.5, events=[1])
    array([0.   , 0.25 , 0.5  , 0.75 , 0.875, 1.   , 1.125, 1.25 , 1.5  ,
           1.75 , 2.   ])
    """
    _check(fps, speed, slow)
    begin, end = map(float, t_span)
    knots, rates = _pieces(begin, end, speed, slow, np.asarray(events, dtype=float))
    clock = np.concatenate([[0.0], np.cumsum(np.diff(knots) / rates)])
    count = clock[-1] * fps
    if count > MOST_FRAMES:
        raise ValueError(
            f"the animation would have {count:.0f} frames, more than {MOST_FRAMES}; choose"
            f" speed={speed * count / MOST_FRAMES:.2g} or more, fewer fps, or less slow motion"
        )
    if end == begin:
        return np.array([begin])
    shown = np.linspace(0.0, clock[-1], max(2, round(count) + 1))
    times = np.interp(shown, clock, knots)
    times[[0, -1]] = begin, end
    return times


def _pieces(begin: float, end: float, speed: float, slow: float | None, events: NDArray) -> tuple[NDArray, NDArray]:
    """The times between which the speed is constant, and the speed in each piece."""
    if slow is None or not events.size:
        return np.array([begin, end]), np.array([speed])
    half = AROUND * speed * slow
    knots = np.unique(np.clip(np.concatenate([[begin, end], events - half, events + half]), begin, end))
    middles = (knots[1:] + knots[:-1]) / 2
    nearest = np.searchsorted(events, middles)
    left, right = events[np.maximum(nearest - 1, 0)], events[np.minimum(nearest, len(events) - 1)]
    near = np.minimum(np.abs(middles - left), np.abs(middles - right)) <= half
    return knots, np.where(near, speed * slow, speed)


def _check(fps: float, speed: float, slow: float | None) -> None:
    faults = [
        f"{name} is {described(value)}, expected a positive number of {what}"
        for name, value, what in [
            ("fps", fps, "frames in a second"),
            ("speed", speed, "seconds of the run in a second of the animation"),
        ]
        if not (isinstance(value, int | float | np.number) and 0 < value < np.inf)
    ]
    if slow is not None and not (isinstance(slow, int | float | np.number) and 0 < slow <= 1):
        faults.append(f"slow is {described(slow)}, expected a number above 0 and up to 1, such as 0.1")
    if faults:
        raise ValueError("; ".join(faults))
