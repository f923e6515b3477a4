"""What holds on every smooth arc: Newton and Euler, Coulomb, gaps, and the balance of power."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzz.reading import Findings
from fuzz.touching.heap import Drop, Heap
from fuzz.touching.touching_rows import Poses, Twists, gaps, touching

NODES, WEIGHTS = np.polynomial.legendre.leggauss(8)

RESIDUAL = 1e-9
"""Of the forces: what a body's momentum may miss on an arc, beside what the tolerance of the run gives to its speed."""

CONE = 1e-9
"""Of the forces: by which one may pull, or be outside its cone."""

PENETRATION = 1e-9
"""Of the size of the heap (m)."""

GAIN = 1e-10
"""Of the energy of the heap lifted by its own size."""

ERROR = 5.0
"""Relative tolerances of a run, of the speed scale: what a speed may miss in a step."""


@dataclass
class Sight:
    """A run beside its own mechanics.

    `force` is the weight of the lightest body, `length` the size of the largest one, `speed` that of a fall by it.
    """

    heap: Heap
    drop: Drop
    result: object

    def __post_init__(self):
        names = list(self.result.state_names)
        self._q = [names.index(name) for name in self.heap.coordinates]
        self._u = [names.index(name) for name in self.heap.speeds]
        self.t = np.asarray(self.result.t)
        self.q, self.u = self.split(np.asarray(self.result.x).T)
        self.touches = self.heap.touches
        self.names = [touch.name for touch in self.touches]
        pairs = [touch.other >= 0 for touch in self.touches]
        self.mu = np.where(pairs, self.drop.friction, self.drop.floor_friction)
        self.e = np.where(pairs, self.drop.restitution, self.drop.floor_restitution)
        self.mass = self.heap.masses
        self.load = np.zeros(len(self.heap.speeds))
        width = len(self.heap.speeds) // len(self.heap.parts)
        for k, part in enumerate(self.heap.parts):
            self.load[k * width + 1] = -part.mass * self.drop.gravity
            self.load[k * width] = self.drop.pushes[k] if self.drop.pushes else 0.0
        self.weights = np.repeat([part.mass * self.drop.gravity for part in self.heap.parts], width)
        self.length = max(_reach(part) for part in self.heap.parts)
        arms = np.tile(
            [1.0] * (width - (3 if self.heap.space else 1)) + [self.length] * (3 if self.heap.space else 1),
            len(self.heap.parts),
        )
        self.arms = arms
        self.scale = self.weights * arms
        self.speed = float(np.sqrt(self.drop.gravity * self.length))
        self.energy_scale = self.weights[::width].sum() * self.length

    @property
    def missed(self) -> float:
        """What a speed may miss in a step (m/s)."""
        return ERROR * self.drop.rtol * self.speed

    def split(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """q and u of states (..., n_states)."""
        return x[..., self._q], x[..., self._u]

    def at(self, t, side: str = "right") -> tuple[np.ndarray, np.ndarray]:
        """q and u at any times, from the dense output."""
        return self.split(np.asarray(self.result(t, side)).T)

    def doing(self, stage: str) -> dict[int, str]:
        """What each closed contact does in a stage, by its number."""
        parts = stage.removesuffix(" (at rest)").split(" [")[0].split(", ")
        words = {part.split(" ")[0]: part.split(" ")[-1] for part in parts}
        return {k: words[name] for k, name in enumerate(self.names) if name in words}

    def energy(self, q: np.ndarray, u: np.ndarray) -> np.ndarray:
        """Kinetic and potential energy, with that of the pushes (k,)."""
        width = q.shape[-1] // len(self.heap.parts)
        lift = sum(
            -q[..., k * width + j] * self.load[k * (u.shape[-1] // len(self.heap.parts)) + j]
            for k in range(len(self.heap.parts))
            for j in (0, 1)
        )
        return (self.mass * u * u).sum(axis=-1) / 2 + lift


def _reach(part) -> float:
    if hasattr(part, "corners"):
        return float(np.max(np.linalg.norm(part.corners, axis=1)))
    return part.radius + getattr(part, "half", 0.0)


def arcs(sight: Sight):
    """Runs of samples in one stage between events: (first, last) sample numbers, inclusive."""
    t, stages = sight.t, sight.result.stages
    first = 0
    for k in range(1, len(t)):
        if t[k] == t[k - 1] or stages[k] != stages[k - 1]:
            if k - 1 > first:
                yield first, k - 1
            first = k
    if len(t) - 1 > first:
        yield first, len(t) - 1


def check_arcs(sight: Sight, found: Findings) -> None:
    """All arcs of a run."""
    if not np.isfinite(sight.result.x).all():
        found.expect(np.inf, 0.0, "states are finite", sight.t[-1])
        return
    check_gaps(sight, found)
    for first, last in arcs(sight):
        check_arc(sight, found, first, last)


def check_gaps(sight: Sight, found: Findings) -> None:
    """No penetration, at samples and between them."""
    ends = np.unique(sight.t)
    times = np.append((ends[:-1, np.newaxis] + np.diff(ends)[:, np.newaxis] * np.arange(4) / 4).ravel(), ends[-1])
    gap = gaps(sight.heap, sight.at(times)[0])
    k, i = np.unravel_index(np.argmin(gap), gap.shape)
    found.expect(-gap[k, i], PENETRATION * max(1.0, sight.length), "no penetration", times[i], sight.names[k])


def check_arc(sight: Sight, found: Findings, first: int, last: int) -> None:
    """One arc: forces at its ends and inside, momentum of each body, power."""
    t, heap = sight.t, sight.heap
    stage = sight.result.stages[first]
    doing = sight.doing(stage)
    half, middle = np.diff(t[first : last + 1]) / 2, (t[first:last] + t[first + 1 : last + 1]) / 2
    keep = half > 0.0
    half, middle = half[keep], middle[keep]
    if not len(half):
        return
    times = (middle[:, np.newaxis] + half[:, np.newaxis] * NODES).ravel()
    times = np.clip(times, t[first], t[last])
    q, u = sight.at(times)
    poses, twists = Poses.of(heap, q), Twists.of(heap, u)
    pushed, power = np.zeros_like(u), np.zeros(len(times))
    size = np.broadcast_to(np.abs(sight.load), u.shape).copy()
    if doing:
        normal = np.asarray(sight.result.normal_force_at(times))
        friction = np.asarray(sight.result.friction_force_at(times))
        extent = sight.weights.min() + np.abs(normal).max(axis=0)
        for k, word in doing.items():
            place = touching(heap, sight.touches[k], poses)
            force = normal[k][:, np.newaxis] * place.normal + friction[k].T
            velocity = place.velocity(poses, twists)
            push = place.push(heap, poses, force)
            pushed += push
            size += np.abs(push)
            power += (force * velocity).sum(axis=1)
            _check_contact(sight, found, k, word, times, half, place, normal[k], friction[k].T, velocity, extent)
        open_ = np.array([k for k in range(len(sight.names)) if k not in doing], dtype=int)
        if len(open_):
            found.expect(np.abs(normal[open_]), 0.0, "no force where open", times[0])
    _check_momentum(sight, found, first, last, keep, half, pushed, size, doing)
    _check_power(sight, found, first, last, keep, half, power, doing)


def _check_contact(sight, found, k, word, times, half, place, normal, friction, velocity, extent) -> None:
    name, mu = sight.names[k], sight.mu[k]
    about = f"{name} {word}"

    def expect(sizes, allowed, what):
        i = int(np.argmax(sizes / allowed))
        allowed = np.broadcast_to(allowed, np.shape(sizes))
        found.expect(sizes[i], allowed[i], what, times[i], f"{about} N = {normal[i]:.3g}")

    size = np.linalg.norm(friction, axis=1)
    along = (velocity * place.normal).sum(axis=1)
    slip = velocity - along[:, np.newaxis] * place.normal
    speed = np.linalg.norm(slip, axis=1)
    still = np.full(len(times), sight.missed)
    expect(np.abs(place.gap), np.full(len(times), PENETRATION * max(1.0, sight.length)), "closed gaps are zero")
    expect(np.abs(along), still, "closed gap rates are zero")
    expect(-normal, CONE * extent, "no contact pulls")
    expect(size - mu * normal, CONE * extent, "friction within its cone")
    if word == "sticks":
        expect(speed, still, "what sticks does not slip")
    if word == "slips":
        way = slip / np.maximum(speed, 1e-300)[:, np.newaxis]
        off = np.linalg.norm(friction + mu * normal[:, np.newaxis] * way, axis=1) - CONE * extent
        wrong = _steps(np.maximum(off, 0.0), half).sum()
        allowed = sight.missed * min(part.mass for part in sight.heap.parts)
        found.expect(
            wrong,
            allowed,
            "friction is against the slip",
            times[np.argmax(off)],
            f"{about} N = {normal[np.argmax(off)]:.3g}",
        )


def _steps(nodes: np.ndarray, half: np.ndarray) -> np.ndarray:
    """Integrals over each step of what is given at its nodes (steps * nodes, ...)."""
    shaped = nodes.reshape(len(half), len(NODES), *nodes.shape[1:])
    return np.einsum("sk...,k,s->s...", shaped, WEIGHTS, half)


def _check_momentum(sight, found, first, last, keep, half, pushed, size, doing) -> None:
    brought = _steps(pushed + sight.load, half)
    sizes = _steps(size, half) / (2 * half[:, np.newaxis])
    gained = sight.mass * np.diff(sight.u[first : last + 1], axis=0)[keep]
    missed = np.abs(gained - brought)
    rounding = 8 * np.spacing(np.abs(sight.u[first : last + 1]).max(axis=0)) * sight.mass
    rounding = rounding + np.spacing(sight.t[last]) * sizes.max(axis=0)
    error = sight.missed * sight.mass / sight.arms
    allowed = RESIDUAL * (sight.scale + sizes) * 2 * half[:, np.newaxis] + rounding + error
    i, k = np.unravel_index(np.argmax(missed / allowed), missed.shape)
    force = missed[i, k] / (2 * half[i]) / sight.scale[k]
    name = sight.heap.speeds[k]
    found.expect(
        missed[i, k],
        allowed[i, k],
        "Newton and Euler over a step",
        sight.t[first:last][keep][i],
        f"{name}: {force:.3g} of the weight, h = {2 * half[i]:.2g}, {len(doing)} closed",
    )


def _check_power(sight, found, first, last, keep, half, power, doing) -> None:
    energy = sight.energy(sight.q[[first, last]], sight.u[[first, last]])
    work = _steps(power, half).sum()
    rise = energy[1] - energy[0]
    momentum = (sight.mass / sight.arms * np.abs(sight.u[first : last + 1]).max(axis=0)).sum()
    allowed = GAIN * sight.energy_scale + sight.missed * momentum
    found.expect(rise, allowed, "no energy comes up on an arc", sight.t[first], f"to {sight.t[last]:.6g}")
    found.expect(
        abs(rise - work),
        allowed,
        "the work of friction is what the energy loses",
        sight.t[first],
        f"to {sight.t[last]:.6g}",
    )
