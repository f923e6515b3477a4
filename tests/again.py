"""Every run of a test again from each of its own events: what follows is the same.

A start at an event is a start where functions and gaps are zero, which numbers made by hand seldom are.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sympact import Event, EventKind, Result

MOST = 6
"""Events of a run from which it is run again: the first and the last ones."""


def check_again(result: Result, run: Callable[[Event], Result], within: float = 1e-9) -> None:
    """Run from the state after each event, and compare the events that follow: their times, kinds and participants.

    A `Stop` counts anew in each run: what ends one run may be a crossing in another.

    Parameters
    ----------
    run : callable
        Makes a run from the state after an event to the end of the first one, with the same events.
    within : float
        How far times may differ (s): by the tolerance of the runs.
    """
    events = list(result.events)
    chosen = events if len(events) <= MOST else [*events[: MOST // 2], *events[-MOST // 2 :]]
    for event in chosen:
        follow = [one for one in events if one.t > event.t]
        again = list(run(event).events)[: len(follow)]
        told = f"from t = {event.t!r}: {[(one.t, one.contacts) for one in again]} for {[one.t for one in follow]}"
        assert [_kind(one) for one in again] == [_kind(one) for one in follow], told
        assert [set(one.contacts) for one in again] == [set(one.contacts) for one in follow], told
        np.testing.assert_allclose([one.t for one in again], [one.t for one in follow], rtol=0, atol=within)


def _kind(event: Event) -> EventKind:
    return EventKind.CROSSING if event.kind is EventKind.STOP else event.kind
