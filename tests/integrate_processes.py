"""Small processes whose motion is a formula, each as SymPy expressions (exact rates) and as plain functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
import sympy as sm

from sympact import HybridSystem, Transition
from sympact.integrate.result import Result

q, u = sm.symbols("q u")
t = sm.Symbol("t")

OSCILLATOR = (u, -q)
"""q'' = -q: from q = a at rest it is at a cos(t)."""

FIXED = {"Euler": 1, "improved Euler": 2, "RK4": 4}
"""Steppers of fixed step and their orders."""

ADAPTIVE = {"RK45": 5, "DOP853": 8}
"""Steppers that choose their step, and their orders."""

STIFF = ("RadauIIA", "Radau", "BDF", "LSODA")


def gate(
    boundary: sm.Expr,
    flow: Sequence[sm.Expr] = OSCILLATOR,
    states: Sequence[sm.Symbol] = (q, u),
    parameters: Sequence[sm.Symbol] = (),
) -> HybridSystem:
    """Two stages with one flow: "in" where the boundary function is negative, "out" where it is positive."""
    return HybridSystem.from_sympy(
        {"in": flow, "out": flow},
        [Transition("in", "out", boundary=boundary), Transition("out", "in", boundary=-boundary)],
        states=states,
        parameters=parameters,
    )


def plain_gate(boundary: Callable, flow: Callable = lambda t, x: [x[1], -x[0]]) -> HybridSystem:
    """`gate` of plain functions of (t, x)."""
    return HybridSystem(
        {"in": flow, "out": flow},
        [
            Transition("in", "out", boundary=boundary),
            Transition("out", "in", boundary=lambda t, x: -boundary(t, x)),
        ],
    )


def both_gates(boundary: sm.Expr) -> dict[str, HybridSystem]:
    """The oscillator's gate at a boundary of q, u and t in both ways of writing."""
    number = sm.lambdify((t, q, u), boundary, "math")
    return {"symbolic": gate(boundary), "plain": plain_gate(lambda t, x: number(t, x[0], x[1]))}


def ball(restitution: float, gravity: float = 10.0) -> HybridSystem:
    """A ball above the ground, its height q and speed u."""
    bounce = Transition("air", "air", boundary=-q, jump={u: -restitution * u})
    return HybridSystem.from_sympy({"air": [u, -gravity]}, [bounce], states=[q, u])


def plain_ball(restitution: float, gravity: float = 10.0) -> HybridSystem:
    """The ball as plain functions."""
    return HybridSystem(
        {"air": lambda t, x: [x[1], -gravity]},
        [Transition("air", "air", boundary=lambda t, x: -x[0], jump=lambda t, x: [x[0], -restitution * x[1]])],
    )


def walled(restitution: float, wall: float) -> HybridSystem:
    """The oscillator above a wall, as expressions."""
    bounce = Transition("free", "free", boundary=wall - q, jump={u: -restitution * u})
    return HybridSystem.from_sympy({"free": OSCILLATOR}, [bounce], states=[q, u])


def plain_walled(restitution: float, wall: float) -> HybridSystem:
    """The oscillator above a wall, as plain functions."""
    bounce = Transition(
        "free", "free", boundary=lambda t, x: wall - x[0], jump=lambda t, x: [x[0], -restitution * x[1]]
    )
    return HybridSystem({"free": lambda t, x: [x[1], -x[0]]}, [bounce])


def crossings(result: Result, boundary: Callable, places: int = 64) -> int:
    """Changes of sign of ``boundary(t, x)`` along the run's own dense output, at `places` places in every step."""
    ends = np.unique(result.t)
    t = np.unique(np.concatenate([np.linspace(a, b, places, endpoint=False) for a, b in pairwise(ends)]))
    sign = np.sign(boundary(t, result(t)))
    sign = sign[sign != 0]
    return int(np.count_nonzero(sign[1:] != sign[:-1]))


def check_run(result: Result) -> None:
    """What holds on every run: finite samples in the order of time, events whose two sides are the samples there."""
    assert np.isfinite(result.x).all()
    assert (np.diff(result.t) >= 0).all()
    assert (np.diff(result.events.t) >= 0).all()
    for event in result.events:
        here = np.flatnonzero(result.t == event.t)
        sides = result.x[:, here].T.tolist()
        assert event.x_minus.tolist() in sides
        assert event.x_plus.tolist() in sides
