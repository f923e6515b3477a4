"""Random shots over random smooth grounds in a plane, and a dense search of their own flight that knows no integrator.

A shot is a particle in free flight, whose place is a parabola in time. The grounds have features from a thousandth of
the flight's length to all of it; their numbers are parameters, so that each kind is one model.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import sympy as sm
from scipy.optimize import brentq, minimize_scalar
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, System, dynamicsymbols

from sympact import Contact, HybridModel, Implicit

LENGTH = 10.0  # of a flight (m)
HUMPS = 4
GRAVITY = sm.Symbol("gravity")
NARROW = np.array([1e-3, 1.0]) * LENGTH / 4.0  # widths of features: four of them are the length of the feature
SEEN = 1e-8  # dips that are less deep, and passes that are lower, are not asked for (m)

_H, _A, _W = (sm.symbols(f"{letter}0:{HUMPS}") for letter in "haw")
_HUMPS = (_H, _A, _W)
_X = sm.Symbol("X")
_UP, _K, _STEP, _PLACE, _SHARP = sm.symbols("up k step place sharp")
_WIDE, _HIGH = sm.symbols("wide high")
_LETTERS = {
    "Gaussians": (*_H, *_A, *_W),
    "sine and step": (_UP, _K, _STEP, _PLACE, _SHARP),
    "ellipse": (_WIDE, _HIGH),
}
_PHI = {
    "Gaussians": lambda x, y: y - sum(h * sm.exp(-(((x - a) / w) ** 2) / 2) for h, a, w in zip(*_HUMPS, strict=True)),
    "sine and step": lambda x, y: y - _UP * sm.sin(_K * x) - _STEP * sm.tanh((x - _PLACE) / _SHARP),
    "ellipse": lambda x, y: ((x - LENGTH / 2) / _WIDE) ** 2 + (y / _HIGH) ** 2 - 1,
}


@dataclass(frozen=True)
class Ground:
    """One kind of ground: a model of a particle above it, and its formula."""

    name: str
    model: HybridModel
    height: Callable

    def draw(self, rng: np.random.Generator) -> tuple[dict, np.ndarray]:
        """Random numbers for the ground, and a start [x, y, v_x, v_y] that crosses it."""
        width = np.exp(rng.uniform(*np.log(NARROW), HUMPS))
        if self.name == "Gaussians":
            numbers = [*rng.uniform(0.2, 1.0, HUMPS), *rng.uniform(0.1, 0.9, HUMPS) * LENGTH, *width]
        elif self.name == "sine and step":
            numbers = [rng.uniform(0.01, 0.3), 1.0 / width[0], rng.uniform(-0.5, 0.5), rng.uniform(2, 8), width[1]]
        else:
            numbers = [*width[:2]]
        speed = rng.uniform(3.0, 30.0)
        start = np.array([0.0, rng.uniform(0.1, 1.5), speed, rng.uniform(-0.1, 0.4) * speed])
        gravity = rng.choice([0.0, 9.81])
        return dict(zip((*_LETTERS[self.name], GRAVITY), (*numbers, gravity), strict=True)), start

    def along(self, numbers: dict, start: np.ndarray) -> tuple[Callable, float]:
        """phi along the exact flight, and the time that this takes."""
        values = [numbers[letter] for letter in _LETTERS[self.name]]
        end = LENGTH / start[2]

        def phi(t):
            return self.height(start[0] + start[2] * t, start[1] + (start[3] - numbers[GRAVITY] * t / 2) * t, *values)

        return phi, end


def grounds() -> list[Ground]:
    """All kinds."""
    return [_ground(name) for name in _PHI]


def _ground(name: str) -> Ground:
    x, y, u, v = dynamicsymbols("x y u v")
    frame, origin = ReferenceFrame("N"), Point("O")
    point = origin.locatenew("P", x * frame.x + y * frame.y)
    point.set_vel(frame, u * frame.x + v * frame.y)
    system = System(frame, origin)
    system.add_bodies(Particle("p", point, 1))
    system.add_coordinates(x, y)
    system.add_speeds(u, v)
    system.add_kdes(x.diff() - u, y.diff() - v)
    system.add_loads((point, -GRAVITY * frame.y))
    surface = Implicit(origin, frame, lambda X, Y, Z: _PHI[name](X, Y))
    model = HybridModel(system, [Contact(point, surface, restitution=0, friction=0)], length=1)
    Y = sm.Symbol("Y")
    return Ground(name, model, sm.lambdify((_X, Y, *_LETTERS[name]), _PHI[name](_X, Y)))


def first_contact(phi: Callable, end: float, places: int = 40_001) -> tuple[float | None, float]:
    """When phi first comes down to zero, None where it does not; and the depth that decides between the two.

    Dense samples, and between them every sampled minimum followed by Brent's method.
    """
    t = np.linspace(0.0, end, places)
    g = np.broadcast_to(phi(t), t.shape)
    below = np.flatnonzero(g < 0.0)
    last = below[0] if len(below) else places
    lows = np.flatnonzero((g[1:-1] <= g[:-2]) & (g[1:-1] <= g[2:])) + 1
    least = np.inf
    for k in lows[lows < last]:
        low = minimize_scalar(phi, bounds=(t[k - 1], t[k + 1]), method="bounded", options={"xatol": 1e-14 * end})
        least = min(least, abs(low.fun))
        if low.fun < 0.0:
            return brentq(phi, t[k - 1], low.x, xtol=1e-15), least
    if last == places:
        return None, min(least, abs(g[-1]))
    return brentq(phi, t[last - 1], t[last], xtol=1e-15), least


def shoot(ground: Ground, rng: np.random.Generator, method: str) -> str:
    """One shot: "hit" and "pass" where the run and the dense search agree, "unclear", else what is wrong."""
    numbers, start = ground.draw(rng)
    phi, end = ground.along(numbers, start)
    if not phi(0.0) > 1e-3:
        return "unclear"
    truth, margin = first_contact(phi, end)
    if margin < SEEN:
        return "unclear"
    result = ground.model.simulate((0, end), start, numbers, method=method, max_events=1)
    if result.unproven:
        return "unproven"
    if truth is None or not len(result.events):
        return "pass" if truth is None and not len(result.events) else f"missed or made up {truth} {numbers} {start}"
    late = result.events[0].t - truth
    h = 1e-7 * end
    rate = abs(phi(truth + h) - phi(truth - h)) / (2 * h) * end
    near = abs(late) <= 1e-9 * end * max(1.0, 1.0 / max(rate, 1e-12))
    return "hit" if near else f"off by {late} at {truth} {numbers} {start}"
