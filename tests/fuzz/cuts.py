"""Runs cut in two: what of the whole is in neither piece, or in both, and how far the states are from it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from sympact import Result

__all__ = ["Difference", "after_cut", "cuts_of", "different", "in_pieces"]

Run = Callable[..., Result]
COMPARED = 5  # events after a cut up to which the pieces are compared with the whole
ROUNDINGS = 100.0  # tolerances by which the states of both may differ there
TOGETHER = 1e-7  # events closer than this (of the time) may come in another order


@dataclass(frozen=True)
class Difference:
    """How the pieces of a run differ from the whole.

    Attributes
    ----------
    lost, doubled : list of (float, str)
        Events of the whole that no piece has, and events of the pieces that the whole does not have, each with its
        time.
    error : float
        The largest difference of states, in tolerances.
    """

    lost: list[tuple[float, str]]
    doubled: list[tuple[float, str]]
    error: float

    def __bool__(self) -> bool:
        return bool(self.lost or self.doubled or not self.error <= ROUNDINGS)


def cuts_of(whole: Result, samples: np.ndarray) -> Iterator[float]:
    """The times of the events and of some samples, and one rounding before and after each."""
    start, end = whole.t_span
    for t in sorted({*whole.events.t.tolist(), *samples.tolist()}):
        for cut in (math.nextafter(t, -math.inf), t, math.nextafter(t, math.inf)):
            if start < cut < end:
                yield cut


def after_cut(run: Run, whole: Result, cut: float) -> Difference:
    """The difference of a run cut at a time and continued."""
    start, end = whole.t_span
    first = run((start, cut))
    return different(whole, first, run((cut, end), first), cut)


def in_pieces(run: Run, whole: Result, cuts: np.ndarray) -> Result:
    """The run in pieces, each continued from the one before."""
    times = [whole.t_span[0], *cuts.tolist(), whole.t_span[1]]
    joined = last = run((times[0], times[1]))
    for span in pairwise(times[1:]):
        last = run(span, last)
        joined = joined + last
    return joined


def _listed(result: Result) -> list[tuple[float, str]]:
    return [(float(event.t), name) for event in result.events for name in event.contacts]


def different(whole: Result, first: Result, second: Result, cut: float) -> Difference:
    """The difference of two pieces from the whole, up to the fifth event of the whole after the cut."""
    joined, near = first + second, TOGETHER * (1.0 + cut)
    own, other = _listed(whole), _listed(joined)
    times = np.unique([t for t, _ in own if t > cut + near])
    until = times[COMPARED - 1] + near if len(times) >= COMPARED else whole.t_span[1]
    lost, left = [], [one for one in other if one[0] <= until + near]
    for t, name in own:
        if t > until:
            continue
        found = next((one for one in left if one[1] == name and abs(one[0] - t) <= 1e-5 * (1.0 + t)), None)
        if found is None:
            lost.append((t, name))
        else:
            left.remove(found)
    doubled = [one for one in left if one[0] <= until - near]
    settings = whole.settings
    moments = [t for t in np.linspace(cut, until, 9)[1:-1] if not np.any(np.abs(times - t) < 1e-6)]
    a, b = whole(np.array(moments)), joined(np.array(moments))
    apart = np.abs(a - b) / (settings["atol"] + settings["rtol"] * np.abs(a))
    apart[np.isnan(a) & np.isnan(b)] = 0.0  # states that a stage of a process does not have
    error = float(np.max(apart, initial=0.0))
    return Difference(lost, doubled, error)
