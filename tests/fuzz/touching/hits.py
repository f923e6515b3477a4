"""What holds at the events of a heap: momentum, the law, the cones, the energy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzz.reading import Findings
from fuzz.touching.sight import Sight
from fuzz.touching.touching_rows import Poses, rows, tangents, touching

ROUNDING = 1e-8
"""Of the speeds of an impact, or of its impulses: what went through the solution of a problem."""

TOUCH = 3e-9
"""Of the size of the heap (m): a gap that is zero."""

HOP = 1e-9
"""Of the size of the heap: the height of hops that an event may leave out, ten times what is promised."""

GAIN = 1e-10
"""Of the energy of the heap lifted by its own size, and 1e-9 of the kinetic energy: a gain that is none."""


@dataclass(frozen=True)
class Hit:
    """An event with its contacts: those that took part, and those closed before or after.

    `numbers` (k,) are the contacts; `P` (k,) and `F` (k, d) impulses; `taken`, `was`, `closed` masks; gap rates and
    slips before, after the impulses of the law, and at the end.
    """

    t: float
    kind: str
    numbers: list[int]
    gap: np.ndarray
    P: np.ndarray
    F: np.ndarray
    taken: np.ndarray
    was: np.ndarray
    closed: np.ndarray
    sticks: np.ndarray
    before: tuple[np.ndarray, np.ndarray]
    after: tuple[np.ndarray, np.ndarray]
    end: tuple[np.ndarray, np.ndarray]
    rest: np.ndarray
    rows: tuple[np.ndarray, np.ndarray]
    speed: float

    @property
    def about(self) -> str:
        """The event in words."""
        return f"{self.kind} of {[f'c{k}' for k in np.array(self.numbers)[self.taken]]}"


def hit_of(sight: Sight, event) -> Hit:
    """One event beside its own mechanics."""
    q, minus = sight.split(np.asarray(event.x_minus))
    plus = sight.split(np.asarray(event.x_plus))[1]
    was, now = sight.doing(event.source), sight.doing(event.target)
    parts = [sight.names.index(name) for name in event.contacts if name in sight.names]
    numbers = sorted({*parts, *was, *now})
    gap, N, T = rows(sight.heap, [sight.touches[k] for k in numbers], q)
    P, F = np.zeros(len(numbers)), np.zeros((len(numbers), T.shape[1]))
    poses = Poses.of(sight.heap, q[np.newaxis])
    for k, push, rub in zip(parts, event.impulse, event.friction_impulse, strict=False):
        i = numbers.index(k)
        normal = touching(sight.heap, sight.touches[k], poses).normal
        P[i], F[i] = push, [side[0] @ rub for side in tangents(normal, sight.heap.space)]
    pushed = P @ N + np.einsum("kd,kdn->n", F, T)
    middle = minus + pushed / sight.mass
    sides = [(N @ u, T @ u) for u in (minus, middle, plus)]
    mask = [np.array([k in those for k in numbers], dtype=bool) for those in (parts, was, now)]
    sticks = np.array([now.get(k) == "sticks" for k in numbers], dtype=bool)
    speed = float(np.max([np.abs(u * sight.arms).max() for u in (minus, middle, plus)]))
    rest = sight.mass * (plus - middle)
    return Hit(event.t, str(event.kind), numbers, gap, P, F, *mask, sticks, *sides, rest, (N, T), speed)


def check_hits(sight: Sight, found: Findings, warned: bool) -> None:
    """All events of a run."""
    for event in sight.result.events:
        if str(event.kind) in ("switch", "stop", "time"):
            continue
        hit = hit_of(sight, event)
        if not np.isfinite([*hit.P, *hit.F.ravel(), *hit.rest]).all():
            found.expect(np.inf, 0.0, "impulses are finite", hit.t, hit.about)
            continue
        found.expect(
            np.abs(hit.gap[hit.taken]), TOUCH * max(1.0, sight.length), "who takes part touches", hit.t, hit.about
        )
        _check_momentum(sight, found, hit)
        _check_energy(sight, found, hit, event, warned)
        _check_law(sight, found, hit)


def slow(sight: Sight) -> float:
    """The speed of hops that events may leave out (m/s)."""
    return float(np.sqrt(2.0 * HOP * sight.length * sight.drop.gravity))


def _check_momentum(sight: Sight, found: Findings, hit: Hit) -> None:
    """M du = W Lambda but for what is taken of hops and slow slips, along rows that are held."""
    N, T = hit.rows
    root = np.sqrt(sight.mass)
    held = (
        np.concatenate(
            [N[hit.closed | hit.was | hit.taken], T[hit.closed | hit.was | hit.taken].reshape(-1, len(root))]
        )
        / root
    )
    left = hit.rest / root
    size = np.linalg.norm(left)
    if len(held):
        left = left - held.T @ np.linalg.lstsq(held.T, left, rcond=1e-10)[0]
    heaviest = root.max()
    allowed = heaviest * (ROUNDING * hit.speed + 1e-12 * sight.speed)
    found.expect(np.linalg.norm(left), allowed, "momentum", hit.t, hit.about)
    found.expect(size, allowed + 10 * heaviest * slow(sight), "no speed changes without an impulse", hit.t, hit.about)


def _check_energy(sight: Sight, found: Findings, hit: Hit, event, warned: bool) -> None:
    """The certificate is the change of kinetic energy; laws that never gain do not, others warn."""
    minus, plus = (sight.split(np.asarray(x))[1] for x in (event.x_minus, event.x_plus))
    change = float(((plus + minus) / 2 * sight.mass) @ (plus - minus))
    kinetic = float((sight.mass * (minus**2 + plus**2)).sum() / 2)
    allowed = GAIN * sight.energy_scale + 1e-9 * kinetic
    found.expect(abs(event.energy - change), allowed, "the certificate of energy", hit.t, hit.about)
    never = sight.heap.law in ("Energetic()", "Plastic()", "Newton(guard=True)") or not sight.e.any()
    if never or hit.kind not in ("impact", "accumulation"):
        found.expect(change, allowed, "no energy from nothing", hit.t, hit.about)
    elif change > 100 * allowed + 1e-6 * kinetic:
        found.expect(0.0 if warned else change, 0.0, "a gain is warned of", hit.t, hit.about)
    if hit.kind not in ("impact", "accumulation"):
        least = sum(sorted(sight.mass / sight.arms**2)[-3:]) * slow(sight) ** 2
        found.expect(-change, allowed + least, "no energy lost without an impulse", hit.t, hit.about)


def _check_law(sight: Sight, found: Findings, hit: Hit) -> None:
    """Cones, no approach that is left, and what Newton's law says of each contact."""
    push = (
        ROUNDING * max(hit.P.max(initial=0.0), np.abs(hit.F).max(initial=0.0)) + 1e-12 * sight.mass.max() * sight.speed
    )
    small = ROUNDING * (hit.speed + sight.speed)
    mu = sight.friction(hit.numbers, np.linalg.norm(hit.before[1], axis=1))
    e = np.where(hit.was, 0.0, sight.e[hit.numbers])
    found.expect(-hit.P, push, "no impulse pulls", hit.t, hit.about)
    if hit.kind not in ("impact", "accumulation"):
        found.expect(np.abs(hit.P), 0.0, "no impulse but in impacts", hit.t, hit.about)
        return
    if sight.heap.law != "Plastic()":
        over = np.linalg.norm(hit.F, axis=1) - mu * (1 + 1e-3 * ("Collision" in sight.heap.painleve)) * hit.P
        found.expect(over, push, "impulses of friction within their cones", hit.t, hit.about)
    again = e * hit.before[0].clip(0.0) if sight.heap.law.startswith("Newton") else 0.0
    held = hit.taken | hit.was
    found.expect(-(hit.end[0] + again)[held], small + slow(sight), "no approach after an impact", hit.t, hit.about)
    if (
        sight.heap.law != "Newton()"
        or "Simultaneous" not in sight.heap.resolution
        or "Collision" in sight.heap.painleve
    ):
        return
    for i in np.flatnonzero(hit.taken):
        off = [hit.after[0][i] + part * hit.before[0][i] for part in (e[i], 0.0)]
        hop = abs(e[i] * hit.before[0][i]) <= 10 * slow(sight) or hit.kind == "accumulation"
        choices = off if hop else off[:1]
        found.expect(-max(choices), small, "Newton's law: no slower than e asks", hit.t, hit.about)
        if hit.P[i] > 100 * push:
            found.expect(min(map(abs, choices)), small, "Newton's law: what pushes leaves with e", hit.t, hit.about)
        slip, size = hit.after[1][i], np.linalg.norm(hit.after[1][i])
        if size > 1e3 * small:
            off = np.linalg.norm(hit.F[i] + mu[i] * hit.P[i] * slip / size)
            found.expect(
                off, 100 * push + 1e-6 * mu[i] * hit.P[i], "friction impulse is against the slip", hit.t, hit.about
            )
