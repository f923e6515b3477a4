"""Random scenes in which everything that happens at an instant meets: carts with walls, latches, transitions, events of
the user's own, controllers, sampled inputs and inputs of time.

A scene is a kind, from which its model is built, with numbers, of which a kind has as many as are asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from sympy import cos, sin, symbols
from sympy.physics.mechanics import Force, Particle, PrismaticJoint, RigidBody, System, dynamicsymbols

from sympact import Controller, Crossing, HybridModel, Latch, Limit, Reaction, Result, Sampled, Transition

__all__ = ["END", "Scene", "scenes"]

END = 4.0
"""The end of a scene (s)."""

_T = dynamicsymbols._t
_KINDS = ("walls", "latch", "hook", "gate", "free")


@dataclass(frozen=True, eq=False)
class Scene:
    """One model with the numbers of one run.

    Attributes
    ----------
    kind, seed : int
        From which it was made.
    model : HybridModel
    start, parameters : dict
    inputs : dict
    controllers : list of Controller
    events : dict
    """

    kind: int
    seed: int
    model: HybridModel
    start: dict
    parameters: dict
    inputs: dict
    controllers: list
    events: dict

    def run(self, span: tuple[float, float], x0: dict | Result | None = None, **settings) -> Result:
        """A run over a span, from the start of the scene or from an earlier run."""
        return self.model.simulate(
            span,
            self.start if x0 is None else x0,
            self.parameters,
            inputs=self.inputs,
            controllers=self.controllers,
            events=self.events,
            **settings,
        )


def scenes(kinds: range, per_kind: int):
    """The scenes of some kinds, so many of each."""
    for kind in kinds:
        for seed in range(per_kind):
            yield _scene(kind, seed)


@cache
def _model(kind: int) -> tuple[HybridModel, dict]:
    """The model of a kind, and its symbols by name."""
    rng = np.random.default_rng(kind)
    ground, (a, b) = RigidBody("ground"), (Particle(name, mass=mass) for name, mass in (("a", 1.0), ("b", 1.5)))
    x, u, y, v, F, G, n = dynamicsymbols("x u y v F G n")
    k, d, c, e, c1, c2 = symbols("k d c e c1 c2")
    system = System.from_newtonian(ground)
    system.add_joints(PrismaticJoint("J", ground, a, x, u), PrismaticJoint("K", ground, b, y, v))
    pull = k * (y - x - 1) if rng.random() < 0.7 else 0
    system.add_loads(
        Force(a.masscenter, (F - k * x - d * u + pull) * ground.x),
        Force(b.masscenter, (G - k * (y - 1) - d * v - pull) * ground.x),
    )
    sort = _KINDS[kind % len(_KINDS)]
    contacts, latches, transitions, discrete = [], [], [], []
    if sort in ("walls", "gate") or rng.random() < 0.4:
        contacts.append(Limit(x + c, restitution=e, name="left"))
    if sort == "walls":
        contacts.append(Limit(y - x - c / 2, restitution=e, name="bump"))
    if sort == "latch":
        opens = _T > 2.3 if rng.random() < 0.5 else v - u > 50
        latches.append(Latch(y - x - c1, closes=y - x < c1, opens=opens, name="grip"))
    if sort == "hook":
        latches.append(Latch(y - x - 1, closed=True, opens=-Reaction("hook") > c2, name="hook"))
    if sort == "gate" or rng.random() < 0.3:
        discrete.append(n)
        transitions.append(Transition(boundary=x - c1 / 3, jump={n: n + 1, u: 0.9 * u}, name="gate"))
    if rng.random() < 0.5:
        if n not in discrete:
            discrete.append(n)
        transitions.append(Transition(boundary=c2 / 4 < G, jump={n: n + 10}, name="push"))
    model = HybridModel(system, contacts, latches=latches, transitions=transitions, discrete=discrete, length=1.0)
    return model, {
        "x": x,
        "u": u,
        "y": y,
        "v": v,
        "F": F,
        "G": G,
        "n": n,
        **dict(zip("kdc", (k, d, c), strict=True)),
        "e": e,
        "c1": c1,
        "c2": c2,
    }


def _scene(kind: int, seed: int) -> Scene:
    """The scene of a kind with the numbers of a seed."""
    model, of = _model(kind)
    rng = np.random.default_rng((kind, seed, 7))
    x, u, y, v, F, G, n = (of[name] for name in ("x", "u", "y", "v", "F", "G", "n"))
    numbers = {
        "k": rng.uniform(4, 25),
        "d": rng.uniform(0, 0.3),
        "c": rng.uniform(0.2, 0.8),
        "e": rng.uniform(0.5, 1),
        "c1": rng.uniform(0.6, 0.9),
        "c2": rng.uniform(2, 8),
    }
    period = float(rng.choice([0.1, 0.25, 0.3, 0.5, round(rng.uniform(0.05, 0.6), 3)]))
    inputs, controllers = {}, []
    law = -2 * x + (1 + 6 * rng.random()) * cos(3 * _T) + (n / 10 if n in model.x else 0)
    choice = rng.integers(3)
    if choice == 0:
        inputs[F] = Sampled(period, law)
    elif choice == 1:
        inputs[F] = 2 * sin(rng.uniform(1, 5) * _T)
    else:
        record = bool(rng.random() < 0.5)
        delay = period / 2 if rng.random() < 0.3 else 0.0
        controllers.append(Controller(every=period, law={F: law}, record=record, name="clock", delay=delay))
    other = 2 * period if rng.random() < 0.5 else 0.4
    controllers.append(Controller(every=other, law={G: rng.uniform(3, 9) * sin(rng.uniform(1, 5) * _T)}, name="drive"))
    when = period * rng.integers(1, 8) if rng.random() < 0.6 else rng.uniform(0.3, 3)
    events = {
        "late": float(when) < _T,
        "past": x - rng.uniform(0.0, 0.4),
        "turn": Crossing(v, -1),
        "strong": rng.uniform(0, 4) < G,
    }
    start = dict(zip((x, u, y, v), (rng.uniform(0, 0.3), rng.normal(), 0.0, rng.normal()), strict=True))
    start[y] = start[x] + 1
    if any(latch.name == "hook" for latch in model.latches):
        start[v] = start[u]
    start |= {state: 0 for state in model.x if state not in start}
    used = {symbol: numbers[str(symbol)] for symbol in model.parameters}
    return Scene(kind, seed, model, start, used, inputs, controllers, events)
