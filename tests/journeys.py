"""Runs written down from what happened in them: a list of events, with steps of one second's fraction between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from dropped_ball import event_numbers
from hypothesis import strategies as st

from sympact.integrate.history.event import KINDS, EventKind
from sympact.integrate.problem.program import Program
from sympact.integrate.problem.stage import Stage
from sympact.integrate.problem.status import Status
from sympact.integrate.result import PLAIN, Evaluator, Result
from sympact.integrate.steppers.interpolation import Segments, StoredInterpolant
from sympact.integrate.trajectory.record import Record

CONTACTS = ("left", "right", "top")


@dataclass(frozen=True)
class Happening:
    """An event: how long after the one before, what, the stage it leads to, who took part, whether the state jumps."""

    after: float
    kind: EventKind
    target: int
    fired: tuple[int, ...] = (0,)
    jump: bool = True
    t_inf: float = float("nan")


def journey(
    stages: Sequence[str],
    happenings: Sequence[Happening],
    last: float,
    *,
    contacts: Sequence[str] = CONTACTS,
    model: Evaluator = PLAIN,
    t_eval: np.ndarray | None = None,
    status: Status = Status.FINISHED,
    t_inf: float = float("nan"),
) -> Result:
    """A run from t = 0 in the first stage, one step between two events, `last` seconds after the last of them.

    The one state counts the jumps.
    """
    t, x, h, stage, sample, source = [0.0], [0.0], [0.0], [0], [], []
    for happening in happenings:
        if happening.after > 0:
            _append(t, x, h, stage, happening.after, 0.0)
        sample.append(len(t) - 1)
        source.append(stage[-1])
        _append(t, x, h, stage, 0.0, float(happening.jump))
        stage[-1] = happening.target
    if last > 0:
        _append(t, x, h, stage, last, 0.0)
    fired = np.array([[c in one.fired for c in range(len(contacts))] for one in happenings], dtype=bool)
    fired = fired.reshape(len(happenings), len(contacts))
    end = np.array(t)[sample] if sample else np.empty(0)
    record = Record(
        t=np.array(t),
        x=np.array(x)[:, np.newaxis],
        h=np.array(h),
        stage=np.array(stage, dtype=np.int64),
        event_t=end,
        event_sample=np.array(sample, dtype=np.int64),
        event_source=np.array(source, dtype=np.int64),
        event_target=np.array([one.target for one in happenings], dtype=np.int64),
        event_fired=fired,
        event_kind=np.array([KINDS.index(one.kind) for one in happenings], dtype=np.int64),
        event_friction=np.empty((len(happenings), 0, 3)),
        event_impulse=np.where(fired, 1.25, 0.0),
        event_numbers=event_numbers(
            len(happenings),
            energy=-0.5,
            window=1e-12,
            nearest=np.inf,
            factor=1.0,
            t_inf=[one.t_inf for one in happenings],
            t_inf_error=[one.t_inf / 1024 for one in happenings],
        ),
        status=status,
        t_inf=t_inf,
        t_inf_error=t_inf / 1024,
        counts={"steps": len(t) - 1 - len(happenings)},
    )
    parts = tuple(Stage(name=name, flow=0, boundary_names=tuple(contacts)) for name in stages)
    steps = np.flatnonzero(record.h) - 1
    segments = Segments(record.t[steps], record.h[steps + 1], record.x[steps], np.zeros((len(steps), 1, 1)))
    return Result(
        record, StoredInterpolant(record.t, record.x, lambda: segments), Program(parts, ("jumps",)), model, t_eval
    )


def _append(t: list, x: list, h: list, stage: list, step: float, jump: float) -> None:
    t.append(t[-1] + step)
    x.append(x[-1] + jump)
    h.append(step)
    stage.append(stage[-1])


NAMES = ("free", "left", "left, right", "left, right (at rest)")

happenings = st.builds(
    Happening,
    after=st.sampled_from([0.0, 0.125, 0.5, 2.0]),
    kind=st.sampled_from([kind for kind in EventKind if kind is not EventKind.ACCUMULATION]),
    target=st.integers(0, len(NAMES) - 1),
    fired=st.sets(st.integers(0, len(CONTACTS) - 1)).map(sorted).map(tuple),
    jump=st.booleans(),
)

journeys = st.builds(
    lambda found, last: journey(NAMES, found, last),
    st.lists(happenings, max_size=12),
    st.sampled_from([0.0, 0.25, 3.0]),
)
"""Runs of up to four stages with any events in any order; their times are exact in binary."""


def rocking(model: Evaluator = PLAIN, t_eval: np.ndarray | None = None) -> Result:
    """A block that falls on its left corner, hops until it stays there, and comes to rest on both."""
    return journey(
        NAMES,
        [
            Happening(1.0, EventKind.IMPACT, 0),
            Happening(0.5, EventKind.IMPACT, 0),
            Happening(0.25, EventKind.ACCUMULATION, 1, t_inf=1.8),
            Happening(1.25, EventKind.CLOSE, 2, (1,)),
            Happening(0.0, EventKind.STOP, 3, (), jump=False),
        ],
        1.0,
        model=model,
        t_eval=t_eval,
    )
