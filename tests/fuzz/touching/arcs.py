"""What holds on every smooth arc: Newton and Euler, Coulomb, gaps, and the balance of power."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzz.reading import Findings
from fuzz.touching.admissible import closed, needed
from fuzz.touching.sight import Sight
from fuzz.touching.touching_rows import Place, Poses, Twists, gaps, touching

NODES, WEIGHTS = np.polynomial.legendre.leggauss(8)

RESIDUAL = 1e-9
"""Of the forces: what a body's momentum may miss on an arc, beside what the tolerance of the run gives to its speed."""

CONE = 1e-9
"""Of the forces: by which one may pull, or be outside its cone."""

PENETRATION = 1e-9
"""Of the size of the heap, at least of 1 m."""

GAIN = 1e-10
"""Of the energy of the heap lifted by its own size."""

LONG = 1e-6
"""An arc (s) whose accelerations are looked at: in a shorter one the dense output does not tell them."""

ADMITTED = 1e-5
"""Of the weight: how far the forces of a motion may be from all that Coulomb's law admits; told by differences."""


@dataclass(frozen=True)
class Arc:
    """An arc with all that the judge sees of it at Gauss's nodes of its steps.

    `half` (s,) are half the lengths of its steps, `times` (k,) the nodes, `pushed` and `sizes` (k, n) the generalised
    forces of contacts and the sum of all sizes, `power` (k,) the work that contacts do in a second.
    """

    sight: Sight
    doing: dict[int, str]
    first: int
    last: int
    kept: np.ndarray
    half: np.ndarray
    times: np.ndarray
    pushed: np.ndarray
    sizes: np.ndarray
    power: np.ndarray

    def integral(self, values: np.ndarray) -> np.ndarray:
        """The integrals over each step of what is given at the nodes (k, ...)."""
        shaped = values.reshape(len(self.half), len(NODES), *values.shape[1:])
        return np.einsum("sk...,k,s->s...", shaped, WEIGHTS, self.half)


def check_arcs(sight: Sight, found: Findings) -> None:
    """All arcs of a run."""
    if not np.isfinite(sight.result.x).all():
        found.expect(np.inf, 0.0, "states are finite", sight.t[-1])
        return
    check_gaps(sight, found)
    for first, last in sight.arcs():
        arc = _seen(sight, found, first, last)
        _check_momentum(arc, found)
        _check_power(arc, found)
        if arc.doing and not sight.heap.space:
            check_motion(sight, found, first, last)


def check_gaps(sight: Sight, found: Findings) -> None:
    """No penetration, at samples and between them."""
    ends = np.unique(sight.t)
    times = np.append((ends[:-1, np.newaxis] + np.diff(ends)[:, np.newaxis] * np.arange(4) / 4).ravel(), ends[-1])
    gap = gaps(sight.heap, sight.at(times)[0])
    k, i = np.unravel_index(np.argmin(gap), gap.shape)
    found.expect(-gap[k, i], PENETRATION * max(1.0, sight.length), "no penetration", times[i], sight.names[k])


def _seen(sight: Sight, found: Findings, first: int, last: int) -> Arc:
    """An arc, with its contacts looked at one by one."""
    t, heap, doing = sight.t[first : last + 1], sight.heap, sight.doing(sight.stages[first])
    kept = np.diff(t) > 0.0
    half, middle = (np.diff(t) / 2)[kept], ((t[:-1] + t[1:]) / 2)[kept]
    inside = t[0], np.nextafter(t[-1], t[0])  # at its end are the forces of the next arc
    times = np.clip((middle[:, np.newaxis] + half[:, np.newaxis] * NODES).ravel(), *inside)
    q, u = sight.at(times)
    poses, twists = Poses.of(heap, q), Twists.of(heap, u)
    sizes = np.broadcast_to(np.abs(sight.load), u.shape).copy()
    arc = Arc(sight, doing, first, last, kept, half, times, np.zeros_like(u), sizes, np.zeros(len(times)))
    normal = np.asarray(sight.result.normal_force_at(times)) if len(sight.names) else np.zeros((0, len(times)))
    friction = np.asarray(sight.result.friction_force_at(times)) if doing else np.zeros((len(normal), 3, len(times)))
    extent = sight.lightest + np.abs(normal).max(axis=0, initial=0.0)
    for k in doing:
        place = touching(heap, sight.touches[k], poses)
        force = normal[k][:, np.newaxis] * place.normal + friction[k].T
        velocity, push = place.velocity(poses, twists), place.push(heap, poses, force)
        arc.pushed[:] += push
        arc.sizes[:] += np.abs(push)
        arc.power[:] += (force * velocity).sum(axis=1)
        _check_contact(arc, found, k, place, normal[k], friction[k].T, velocity, extent)
    away = [k for k in range(len(sight.names)) if k not in doing]
    found.expect(np.abs(normal[away]), 0.0, "no force where open", t[0])
    return arc


def _check_contact(arc: Arc, found: Findings, k: int, place: Place, normal, friction, velocity, extent) -> None:
    """One closed contact at all nodes: its gap, its forces by the slip."""
    sight, word = arc.sight, arc.doing[k]

    def expect(sizes, allowed, what):
        i = int(np.argmax(sizes / allowed))
        about = f"{sight.names[k]} {word} N = {normal[i]:.3g} h = {2 * arc.half.sum():.2g}"
        found.expect(sizes[i], np.broadcast_to(allowed, sizes.shape)[i], what, arc.times[i], about)

    rate = (velocity * place.normal).sum(axis=1)
    slip = velocity - rate[:, np.newaxis] * place.normal
    speed = np.linalg.norm(slip, axis=1)
    mu = sight.friction(k, speed)
    expect(np.abs(place.gap), PENETRATION * max(1.0, sight.length), "closed gaps are zero")
    expect(np.abs(rate), sight.missed, "closed gap rates are zero")
    expect(-normal, CONE * extent, "no contact pulls")
    expect(np.linalg.norm(friction, axis=1) - mu * normal, CONE * extent, "friction within its cone")
    if word == "sticks":
        expect(speed, sight.missed, "what sticks does not slip")
    if word == "slips":
        way = slip / np.maximum(speed, 1e-300)[:, np.newaxis]
        off = np.linalg.norm(friction + (mu * normal)[:, np.newaxis] * way, axis=1) - CONE * extent
        off[speed <= sight.missed] = 0.0  # the error of a step may turn such a slip
        lightest = min(part.mass for part in sight.heap.parts)
        wrong = np.array([arc.integral(np.maximum(off, 0.0)).sum()])
        found.expect(
            wrong,
            sight.missed * lightest,
            "friction is against the slip",
            arc.times[np.argmax(off)],
            f"{sight.names[k]} slip {speed[np.argmax(off)]:.2g} h = {2 * arc.half.sum():.2g}",
        )


def _check_momentum(arc: Arc, found: Findings) -> None:
    """What each body gains over a step is what the forces bring."""
    sight, h = arc.sight, 2 * arc.half[:, np.newaxis]
    speeds = sight.u[arc.first : arc.last + 1]
    sizes = arc.integral(arc.sizes) / h
    missed = np.abs(sight.mass * np.diff(speeds, axis=0)[arc.kept] - arc.integral(arc.pushed + sight.load))
    rounding = 8 * np.spacing(np.abs(speeds).max(axis=0)) * sight.mass + np.spacing(arc.times[-1]) * sizes.max(axis=0)
    allowed = RESIDUAL * (sight.scale + sizes) * h + rounding + sight.missed * sight.mass / sight.arms
    i, k = np.unravel_index(np.argmax(missed / allowed), missed.shape)
    force = missed[i, k] / h[i, 0] / sight.scale[k]
    about = f"{sight.heap.speeds[k]}: {force:.3g} of the weight, h = {h[i, 0]:.2g}, {len(arc.doing)} closed"
    found.expect(missed[i, k], allowed[i, k], "Newton and Euler over a step", arc.times[8 * i], about)


def _check_power(arc: Arc, found: Findings) -> None:
    """The energy falls by the work of friction, and by no less."""
    sight, ends = arc.sight, [arc.first, arc.last]
    energy = sight.energy(sight.q[ends], sight.u[ends])
    rise, work = energy[1] - energy[0], arc.integral(arc.power).sum()
    momentum = (sight.mass / sight.arms * np.abs(sight.u[arc.first : arc.last + 1]).max(axis=0)).sum()
    allowed = GAIN * sight.energy_scale + sight.missed * momentum
    about = f"to {sight.t[arc.last]:.6g}"
    found.expect(rise, allowed, "no energy comes up on an arc", arc.times[0], about)
    found.expect(abs(rise - work), allowed, "the work of friction is what the energy loses", arc.times[0], about)


def check_motion(sight: Sight, found: Findings, first: int, last: int) -> None:
    """Forces that Coulomb's law admits give the motion in the middle of the longest step, whatever is told of them."""
    t = sight.t[first : last + 1]
    k = int(np.argmax(np.diff(t)))
    h, middle = t[k + 1] - t[k], (t[k] + t[k + 1]) / 2
    if h < LONG:
        return
    doing = sight.doing(sight.stages[first])
    (q, *_), u = sight.at(middle + np.array([0.0, -2.0, -1.0, 1.0, 2.0]) * h / 40)
    a = (u[1] - 8 * u[2] + 8 * u[3] - u[4]) / (12 * h / 40)
    here = closed(sight, q, u[0], list(doing))
    held = [k for k, word in doing.items() if word == "sticks"]
    off, _ = needed(here, a, sight.lightest * sight.arms, sight.missed / 10, held)
    allowed = ADMITTED + 100 * sight.missed / (h * sight.drop.gravity)
    found.expect(off, allowed, "a motion by forces that Coulomb admits", middle, f"h = {h:.2g}, {len(doing)} closed")
