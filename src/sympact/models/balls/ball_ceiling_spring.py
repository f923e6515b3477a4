"""A ball between a ceiling and a spring."""

from __future__ import annotations

from sympact.hybrid import HybridSystem, Transition
from sympact.models.ready import ReadyProcess

MASS, DAMPING, GRAVITY, STIFFNESS, CEILING, RESTITUTION = 1.0, 0.5, 9.8, 10.0, 5.0, 0.8
"""kg, N s/m, m/s^2, N/m, m, none."""


def ball_ceiling_spring() -> ReadyProcess:
    """A ball is shot up against a ceiling and falls on a spring, from which it may separate again.

    The numbers are those of the first example of the multi-stage framework; the damping acts in both stages.

    Returns
    -------
    ReadyProcess

    Examples
    --------
    >>> ball = ball_ceiling_spring()
    >>> sorted(ball.model.graph.edges())
    [('free', 'free'), ('free', 'spring'), ('spring', 'free')]
    """
    process = HybridSystem(
        flows={"free": _free, "spring": _spring},
        transitions=[
            Transition("free", "free", boundary=_above_ceiling, jump=_bounce, name="ceiling"),
            Transition("free", "spring", boundary=_below_spring, name="touch"),
            Transition("spring", "free", boundary=_above_spring, name="leave"),
        ],
        states=["y", "v"],
    )
    return ReadyProcess(process, [0.0, 100.0], "free", (0, 20), {"t": "s", "y": "m", "v": "m/s"})


def _free(t, x):
    return [x[1], -GRAVITY - DAMPING / MASS * x[1]]


def _spring(t, x):
    return [x[1], -GRAVITY - DAMPING / MASS * x[1] - STIFFNESS / MASS * x[0]]


def _above_ceiling(t, x):
    return x[0] - CEILING


def _below_spring(t, x):
    return -x[0]


def _above_spring(t, x):
    return x[0]


def _bounce(t, x):
    return [x[0], -RESTITUTION * x[1]]
