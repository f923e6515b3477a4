"""A run of a heap as the judge sees it: only what `Result` makes public, in the order of the heap's letters."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fuzz.touching.heap import Block, Drop, Heap, Part
from sympact import Result

ERROR = 5.0
"""Relative tolerances of a run, of the speed scale: what a speed may miss in a step."""


class Sight:
    """A run beside its own mechanics.

    Attributes
    ----------
    t, q, u : arrays, shapes (k,), (k, n_q), (k, n_u)
        The accepted samples; a jump is two of them.
    touches, names, mu, e
        The contacts, with their names and coefficients.
    mass, load : arrays, shape (n_u,)
        The diagonal of the mass matrix, and the generalised forces of gravity and pushes.
    arms, scale : arrays, shape (n_u,)
        1 of a speed and the size of the heap's largest body of an angular velocity; the weight of each body times it.
    length, speed, energy_scale : float
        That size (m), the speed of a fall by it, the energy of the heap lifted by it.
    missed : float
        What a speed may miss in a step (m/s).
    """

    def __init__(self, heap: Heap, drop: Drop, result: Result):
        self.heap, self.drop, self.result = heap, drop, result
        names = list(result.state_names)
        self._q = [names.index(name) for name in heap.coordinates]
        self._u = [names.index(name) for name in heap.speeds]
        self.t, self.stages = np.asarray(result.t), result.stages
        self.q, self.u = self.split(np.asarray(result.x).T)
        self.touches = heap.touches
        self.names = [touch.name for touch in self.touches]
        pairs = np.array([touch.other >= 0 for touch in self.touches], dtype=bool)
        self.mu = np.where(pairs, drop.friction, drop.floor_friction)
        self.e = np.where(pairs, drop.restitution, drop.floor_restitution)
        self.length = max(map(_reach, heap.parts))
        self.speed = float(np.sqrt(drop.gravity * self.length))
        self.missed = ERROR * drop.rtol * self.speed
        self._measure()

    def _measure(self) -> None:
        """The mass matrix, the loads and their sizes."""
        heap, drop = self.heap, self.drop
        turning = 3 if heap.space else 1
        self.mass = heap.masses
        self.width = len(self.mass) // len(heap.parts)
        self.load = np.zeros(len(self.mass))
        self.load[0 :: self.width] = drop.pushes or 0.0
        self.load[1 :: self.width] = [-part.mass * drop.gravity for part in heap.parts]
        self.arms = np.tile([1.0] * (self.width - turning) + [self.length] * turning, len(heap.parts))
        weights = np.array([part.mass * drop.gravity for part in heap.parts])
        self.lightest, self.energy_scale = float(weights.min()), float(weights.sum() * self.length)
        self.scale = np.repeat(weights, self.width) * self.arms

    def friction(self, contacts, slips: np.ndarray) -> np.ndarray:
        """mu of contacts at slip speeds."""
        return self.mu[contacts] * (1 + self.heap.weakening * np.exp(-np.abs(slips) / 0.1))

    def split(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """q and u of states (..., n_states)."""
        return x[..., self._q], x[..., self._u]

    def at(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """q and u at any times, from the dense output."""
        return self.split(np.asarray(self.result(t)).T)

    def doing(self, stage: str) -> dict[int, str]:
        """What each closed contact does in a stage, by its number."""
        parts = stage.removesuffix(" (at rest)").split(" [")[0].split(", ")
        words = {part.split(" ")[0]: part.split(" ")[-1] for part in parts}
        return {k: words[name] for k, name in enumerate(self.names) if name in words}

    def energy(self, q: np.ndarray, u: np.ndarray) -> np.ndarray:
        """Kinetic and potential energy, with that of the pushes (k,)."""
        width = q.shape[-1] // len(self.heap.parts)
        lifted = sum(q[..., k::width] @ self.load[k :: self.width] for k in (0, 1))
        return (self.mass * u * u).sum(axis=-1) / 2 - lifted

    def arcs(self) -> Iterator[tuple[int, int]]:
        """Runs of samples in one stage between events: the numbers of the first and the last."""
        ends = np.flatnonzero((np.diff(self.t) == 0.0) | (self.stages[1:] != self.stages[:-1]))
        for first, last in zip([0, *(ends + 1)], [*ends, len(self.t) - 1], strict=True):
            if self.t[last] > self.t[first]:
                yield int(first), int(last)


def _reach(part: Part) -> float:
    """The farthest place of a body from its mass centre."""
    if isinstance(part, Block):
        return float(np.max(np.linalg.norm(part.corners, axis=1)))
    return part.radius + getattr(part, "half", 0.0)
