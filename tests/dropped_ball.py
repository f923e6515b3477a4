"""The run of a ball dropped on the ground, written down from the parabola of its flight."""

from __future__ import annotations

import numpy as np

from sympact.integrate.history.event import KINDS, NUMBERS, EventKind
from sympact.integrate.history.event_numbers import numbers_table
from sympact.integrate.problem.program import Program
from sympact.integrate.problem.stage import Stage
from sympact.integrate.problem.status import Status
from sympact.integrate.result import PLAIN, Evaluator, Result
from sympact.integrate.steppers.interpolation import Segments, StoredInterpolant
from sympact.integrate.trajectory.record import Record

GRAVITY = 10.0


def flight(t: np.ndarray) -> np.ndarray:
    """Height and speed, shape (2, k), of a ball at rest 5 m above the ground, which halves its speed at t = 1 s."""
    since = np.where(t < 1.0, t, t - 1.0)
    speed = np.where(t < 1.0, 0.0, 0.5 * GRAVITY)
    height = np.where(t < 1.0, 5.0, 0.0) + speed * since - 0.5 * GRAVITY * since**2
    return np.array([height, speed - GRAVITY * since])


def event_numbers(k: int, **columns: object) -> np.ndarray:
    """The numbers of k events as a record holds them; those that are not given are NaN."""
    return numbers_table(NUMBERS, k, lambda one: columns.get(one.name, np.nan))


def dropped_ball(
    model: Evaluator = PLAIN,
    t_eval: np.ndarray | None = None,
    status: Status = Status.FINISHED,
    kind: EventKind = EventKind.TRANSITION,
) -> Result:
    """The ball from 0 to 1.5 s in steps of 0.5 s, its one event at 1 s."""
    x = np.array([[5.0, 0.0], [3.75, -5.0], [0.0, -10.0], [0.0, 5.0], [1.25, 0.0]])
    record = Record(
        t=np.array([0.0, 0.5, 1.0, 1.0, 1.5]),
        x=x,
        h=np.array([0.0, 0.5, 0.5, 0.0, 0.5]),
        stage=np.zeros(5, dtype=np.int64),
        event_t=np.array([1.0]),
        event_sample=np.array([2]),
        event_source=np.array([0]),
        event_target=np.array([0]),
        event_fired=np.array([[True]]),
        event_kind=np.array([KINDS.index(kind)]),
        event_friction=np.empty((1, 0, 3)),
        event_impulse=np.array([[15.0]]),
        event_numbers=event_numbers(1, energy=-37.5, window=1e-15, nearest=np.inf, factor=1.0),
        status=status,
        t_inf=float("nan"),
        t_inf_error=float("nan"),
        counts={"steps": 3},
    )
    program = Program(stages=(Stage(name="air", flow=0, boundary_names=("ground",)),), state_names=("height", "speed"))
    return Result(record, StoredInterpolant(record.t, record.x, lambda: parabolas(x)), program, model, t_eval)


def parabolas(x: np.ndarray) -> Segments:
    """The exact polynomials of the three steps of 0.5 s: a second power, the rest zeros."""
    h, x0 = 0.5, x[[0, 1, 3]]
    drop = 0.5 * GRAVITY * h**2
    height = [[v * h - drop, drop, 0.0] for v in x0[:, 1]]
    speed = [[-GRAVITY * h, 0.0, 0.0]] * 3
    return Segments(np.array([0.0, 0.5, 1.0]), np.full(3, h), x0, np.stack([height, speed], axis=2))
