"""What holds along a run: order of time, no penetration, forces and gaps, Newton and Euler, continuity, energy."""

from __future__ import annotations

import numpy as np

from fuzz.reading import CLOSED, OPEN, SLIPS, STICKS, TOUCHES, Findings, Reading
from fuzz.rows import Rows, rows

PENETRATION = 3e-9
"""Of a gap (m): what is promised of every gap is 1e-9 of the length."""

PLACES = 10
"""Looks between two samples."""

STEPS = 40
"""Steps and samples that are looked at closely, of those in contact and of all."""

FORCE = 1e-8
"""Of the largest force: rounding of a force that went through a mass matrix."""

BALANCE = 1e-5
"""Of what the forces bring in a step: states within a step are good to 1e-6 at rtol 1e-9, forces to less."""

BALANCED = 1e-8
"""Of the largest acceleration of the run by loads or contacts: where these vanish, a contact opens a little late.

What sticks does so up to 1e-9 of the accelerations, however light it is beside what moves fast elsewhere: at the event
that ends it its friction may be beyond the cone by what gives as much slip acceleration."""

ROOT = 4
"""Units of the last place of a time, by which an event may miss its root: forces may change by 1e8 N/s there."""

LIMIT = 256
"""Units of the last place of a time, by which the force that ends a mode is one of an earlier time: see `normal_force`.

Near a singular position the accelerations by forces of 1e10 N balance but for their rounding, and rows that turn by
1e-13 rad until the end disturb that balance by 0.01 m/s^2."""

WITHIN = 2e-8
"""Of the largest speed: what speeds within a step are off by, twenty times the relative tolerance of the runs, as the
tests of dense output allow; friction turns by as much over the slip."""

FAST = 1e-4
"""Of the speed scale: such a slip has a direction of its own."""


def check_flight(reading: Reading, found: Findings) -> None:
    """All of it."""
    if not check_times(reading, found):
        return
    check_penetration(reading, found)
    check_continuity(reading, found)
    if check_forces(reading, found):
        check_motion(reading, found)


def check_times(reading: Reading, found: Findings) -> bool:
    """Samples in the order of time, all finite."""
    finite = np.isfinite(reading.q).all() and np.isfinite(reading.u).all()
    fine = found.expect(0.0 if finite else np.inf, 0.0, "states are finite", reading.t[-1])
    return found.expect(-np.diff(reading.t), 0.0, "samples in the order of time", reading.t[-1]) and fine


def looks(reading: Reading, places: int) -> np.ndarray:
    """Times all along the run, the same number in each step."""
    ends = np.unique(reading.t)
    return np.append(
        (ends[:-1, np.newaxis] + np.diff(ends)[:, np.newaxis] * np.arange(places) / places).ravel(), ends[-1]
    )


def check_penetration(reading: Reading, found: Findings) -> None:
    """Gaps at dense times, and where parabolas through three looks are lowest."""
    if not reading.names:
        return
    places = max(3, min(PLACES, 2500 // max(1, len(reading.t))))
    times = looks(reading, places)
    gaps = reading.gaps(times, reading.at(times)[0])
    for k, gap in enumerate(gaps):
        lowest = _vertices(times, gap)
        if len(lowest):
            gap = np.append(gap, reading.gaps(lowest, reading.at(lowest)[0])[k])
        at = np.append(times, lowest)
        found.expect(-gap, PENETRATION, "no penetration", at[np.argmin(gap)], reading.names[k])
    if not np.isfinite(gaps).all():
        found.expect(np.inf, 0.0, "gaps are numbers", times[0])


def _vertices(t: np.ndarray, gap: np.ndarray) -> np.ndarray:
    k = np.flatnonzero((gap[1:-1] < gap[:-2]) & (gap[1:-1] < gap[2:]) & (gap[1:-1] < 0.05)) + 1
    before, after = t[k] - t[k - 1], t[k + 1] - t[k]
    fall, rise = (gap[k] - gap[k - 1]) / before, (gap[k + 1] - gap[k]) / after
    vertex = t[k] - (fall * after + rise * before) / (2 * (rise - fall))
    return np.clip(vertex, t[k - 1], t[k + 1])


def check_continuity(reading: Reading, found: Findings) -> None:
    """The dense output meets the samples on both sides, and samples at one time are those of an event."""
    times = np.array([event.t for event in reading.result.events])
    for side, keep in (("left", _first), ("right", _last)):
        places = keep(reading.t)
        q, u = reading.at(reading.t[places], side)
        off = np.abs(np.hstack([q - reading.q[places], u - reading.u[places]]))
        size = 1.0 + np.abs(np.hstack([q, u])).max(initial=0.0)
        found.expect(off, 1e-9 * size, f"dense output meets the samples ({side})", reading.t[-1])
    twins = reading.t[1:][np.diff(reading.t) == 0.0]
    found.expect(0.0 if np.isin(twins, times).all() else 1.0, 0.0, "jumps are events", reading.t[-1])


def _first(t: np.ndarray) -> np.ndarray:
    return np.flatnonzero(np.append(True, np.diff(t) > 0))


def _last(t: np.ndarray) -> np.ndarray:
    return np.flatnonzero(np.append(np.diff(t) > 0, True))


def _chosen(reading: Reading, count: int, closed: np.ndarray) -> list[int]:
    """Some of `count` places, half of them where contacts are closed."""
    places = np.arange(count)
    picks = set()
    for part in (places, places[closed[:count]]):
        picks |= set(part[:: len(part) // STEPS + 1].tolist())
    return sorted(picks)


def check_forces(reading: Reading, found: Findings) -> bool:
    """0 <= lambda _|_ g >= 0; friction in its cone and against the slip; what sticks does not slip or begin to."""
    force, friction = np.asarray(reading.result.normal_force), np.asarray(reading.result.friction_force)
    if not reading.names:
        return True
    t, doing, last = reading.t, reading.doing, reading.t[-1]
    good = np.isfinite(force).all() and np.isfinite(friction).all()
    if not found.expect(
        0.0 if good else np.inf, 0.0, "forces are finite", t[np.argmax(~np.isfinite(force).all(axis=0))]
    ):
        return False
    pressed = doing.T != OPEN
    pull, ends = -force, np.append(t[:-1] == t[1:], True)
    for i, k in np.argwhere((pull > 0.0) & ends):
        pull[i, k] = -np.asarray(reading.result.normal_force_at(t[k] - ROOT * np.spacing(t[k]))).ravel()[i]
    found.expect(pull, 0.0, "no contact pulls", last)
    found.expect(np.abs(force[~pressed]), 0.0, "no force where open", last)
    size = np.linalg.norm(friction, axis=1)
    cone = reading.static[:, np.newaxis] * force
    allowed = FORCE * (1.0 + force.max(axis=0))
    beyond = size - cone - allowed
    at_events = np.isin(t, [event.t for event in reading.result.events])
    for i, k in np.argwhere((beyond > 0.0) & (doing.T == STICKS) & at_events):
        beyond[i, k] -= BALANCED * reading.scale / _yields(reading, i, k, friction[i, :, k])
    worst = np.argmax(beyond.max(axis=0))
    found.expect(beyond[:, worst], 0.0, "friction within its cone", t[worst])
    chosen = np.array([k for k in _chosen(reading, len(t), pressed.any(axis=0)) if pressed[:, k].any()], dtype=int)
    if len(chosen):
        _check_closed(reading, found, chosen, force[:, chosen].T, np.moveaxis(friction[:, :, chosen], -1, 0))
    return True


def _yields(reading: Reading, i: int, k: int, friction: np.ndarray) -> float:
    """The slip acceleration of contact i at sample k by a unit of force along its friction (1/kg)."""
    M, _ = reading.motion.terms(reading.t[k], reading.q[k], reading.u[k])
    row = friction / np.linalg.norm(friction) @ reading.rows(reading.t[k], reading.q[k]).T[i]
    return float(row @ np.linalg.solve(M, row))


def _check_closed(reading: Reading, found: Findings, chosen, force: np.ndarray, friction: np.ndarray) -> None:
    """At some samples: gaps and rates of what is closed, slips, friction, accelerations."""
    t, q, u, doing = reading.t[chosen], reading.q[chosen], reading.u[chosen], reading.doing[chosen]
    here, closed = rows(reading.motion, t, q), doing != OPEN
    terms = np.einsum("skn,sn->sk", np.abs(here.N), np.abs(u)) + np.abs(here.drift)
    speed = (1e-9 * (reading.speed + terms.max(axis=1)))[:, np.newaxis]
    slips = here.slips(u)
    slip = np.linalg.norm(slips, axis=2)
    sticks, slides = doing == STICKS, doing == SLIPS
    fast = slides & (slip > FAST * reading.speed)
    weight = reading.mu * force
    off = np.linalg.norm(friction * slip[..., np.newaxis] + weight[..., np.newaxis] * slips, axis=2)
    allowed = 1e-6 * weight.max(axis=1) + FORCE * (1.0 + force.max(axis=1))

    def expect(sizes, most, name):
        _expect_worst(found, sizes, most, name, t, doing)

    normal, along = reading.bias(t, q, u)
    switches = [event.t for event in reading.result.events if not set(event.contacts) <= set(reading.names)]
    smooth = closed & np.isfinite(normal) & ~np.isin(t, switches)[:, np.newaxis]  # at a corner two sides count
    normal, along = np.nan_to_num(normal), np.nan_to_num(along)
    expect(np.where(closed, np.abs(here.gap), 0.0), PENETRATION, "closed gaps are zero")
    expect(np.where(smooth & (doing != TOUCHES), np.abs(here.rates(u)), 0.0), speed, "closed gap rates are zero")
    expect(np.where(smooth & sticks, slip, 0.0), speed, "what sticks does not slip")
    expect(
        np.where(smooth & fast, off / np.where(fast, slip, 1.0), 0.0),
        allowed[:, np.newaxis],
        "friction is against the slip",
    )
    expect(np.where(doing == CLOSED, np.linalg.norm(friction, axis=2), 0.0), 0.0, "no friction without a coefficient")

    M, f = reading.motion.terms(t, q, u)
    pushed = here.push(force, friction)
    speeding = np.linalg.solve(M, (f + pushed)[..., np.newaxis])[..., 0]
    parts = np.abs(np.linalg.solve(M, np.stack([f, pushed], axis=-1))).sum(axis=-1)
    still = np.array([reading.stages[k].endswith(" (at rest)") for k in chosen])
    expect(
        np.where(still[:, np.newaxis], np.abs(speeding), 0.0),
        BALANCED * parts.max() + 1e-12 * reading.scale,
        "forces balance at rest",
    )
    expect(np.where(still[:, np.newaxis], np.abs(u), 0.0), 0.0, "no speed at rest")
    ends = (slides & ~fast).any(axis=1)  # what slips hardly does so: the forces are those of the mode to come
    held = smooth & (doing != TOUCHES) & ~(still | ends)[:, np.newaxis]
    turned = _turned_at_ends(reading, chosen, here, M, force, friction)
    size = 1e-6 * ((np.einsum("skn,sn->sk", np.abs(here.N), parts) + np.abs(normal)).max(axis=1) + reading.scale)
    size += np.einsum("skn,sn->sk", np.abs(here.N), turned).max(axis=1)
    beyond = np.abs(np.einsum("skn,sn->sk", here.N, speeding) + normal)
    expect(np.where(held, beyond, 0.0), size[:, np.newaxis], "closed gaps have no acceleration")
    size = 1e-6 * ((np.einsum("skin,sn->ski", np.abs(here.T), parts) + np.abs(along)).max(axis=(1, 2)) + reading.scale)
    size += np.einsum("skin,sn->ski", np.abs(here.T), turned).max(axis=(1, 2))
    beyond = np.linalg.norm(np.einsum("skin,sn->ski", here.T, speeding) + along, axis=2)
    expect(np.where(held & sticks, beyond, 0.0), size[:, np.newaxis], "what sticks has no slip acceleration")


def _turned_at_ends(reading: Reading, chosen, here: Rows, M: np.ndarray, force, friction) -> np.ndarray:
    """What forces at the ends of modes give to speeds by the turn of their rows since the time of these forces."""
    t, q, u = reading.t[chosen], reading.q[chosen], reading.u[chosen]
    since = LIMIT * np.spacing(np.abs(t)) * np.append(reading.t[:-1] == reading.t[1:], True)[chosen]
    before = rows(reading.motion, t - since, q - since[:, np.newaxis] * reading.motion.rates(q, u))
    turned = np.einsum("skn,sk->sn", np.abs(here.N - before.N), np.abs(force))
    turned += np.einsum("skin,ski->sn", np.abs(here.T - before.T), np.abs(friction))
    return np.einsum("smn,sn->sm", np.abs(np.linalg.inv(M)), turned)


def _expect_worst(found: Findings, sizes, allowed, name: str, t: np.ndarray, doing) -> None:
    """One finding for many states: that of the worst."""
    over = np.where(np.isnan(sizes), np.inf, sizes) / np.maximum(allowed, 1e-300)
    at = np.unravel_index(np.argmax(over), over.shape)
    most = np.broadcast_to(allowed, sizes.shape)[at]
    found.expect(sizes[at], most, name, t[at[0]], str(doing[at[0]]))


NODES, WEIGHTS = np.polynomial.legendre.leggauss(8)
PARTS = 64
"""Of a step integrated in a quaternion, near a gimbal lock: rates of angles turn faster there than the step."""
TURNED = ("free", "spherical")
"""Joints whose angles are integrated as a quaternion."""


def check_motion(reading: Reading, found: Findings) -> None:
    """What q and u gain over a step is what rates and forces bring, by Gauss's rule; and the work of all of them."""
    closed = (reading.doing != OPEN).any(axis=1)
    length = np.diff(reading.t)
    long = length > 2e-9 * np.maximum(1.0, np.abs(reading.t[1:]))  # else times are rounded by more than the rule allows
    still = np.array([stage.endswith(" (at rest)") for stage in reading.stages])
    steps = np.array([i for i in _chosen(reading, len(reading.t) - 1, closed) if long[i] and not still[i]], dtype=int)
    steps = steps[~_slows(reading, steps)]
    if not len(steps):
        return
    off, allowed = _balance(reading, steps, 1)
    coarse = (off > allowed[:, np.newaxis]).any(axis=1)
    if coarse.any() and any(body.joint in TURNED for body in reading.motion.recipe.bodies):
        off[coarse], allowed[coarse] = _balance(reading, steps[coarse], PARTS)
    half, middle = length[steps] / 2, (reading.t[steps] + reading.t[steps + 1]) / 2
    about = np.array([f"{doing} h = {2 * h:.2g}" for doing, h in zip(reading.doing[steps], half, strict=True)])
    _expect_worst(found, off, allowed[:, np.newaxis], "Newton and Euler over a step", middle, about)


def _balance(reading: Reading, steps: np.ndarray, parts: int) -> tuple[np.ndarray, np.ndarray]:
    """How far q and u are off after steps, (k, 2 n), and by how much they may be, (k,); by the rule in equal parts."""
    half, middle = np.diff(reading.t)[steps] / 2, (reading.t[steps] + reading.t[steps + 1]) / 2
    centres = (2 * np.arange(parts) + 1) / parts - 1
    nodes, weights = (centres[:, np.newaxis] + NODES / parts).ravel(), np.tile(WEIGHTS / parts, parts)
    times = middle[:, np.newaxis] + half[:, np.newaxis] * nodes
    q, u = reading.at(times.ravel())
    M, f = reading.motion.terms(times.ravel(), q, u)
    pushed, turned = np.zeros_like(f), np.zeros(len(steps))
    if (reading.doing[steps] != OPEN).any():
        force, friction = (
            np.moveaxis(ask(times.ravel()), -1, 0)
            for ask in (reading.result.normal_force_at, reading.result.friction_force_at)
        )
        here = rows(reading.motion, times.ravel(), q)
        pushed = here.push(force, friction)
        slip = np.linalg.norm(here.slips(u), axis=2).reshape(*times.shape, -1).min(axis=1)
        slip = np.where(reading.doing[steps] == SLIPS, slip, np.inf).min(axis=1)
        turned = WITHIN * np.abs(reading.u).max() / np.maximum(slip, FAST * reading.speed)
    forces = np.linalg.solve(M, np.stack([f, pushed], axis=-1))
    rates, shape = reading.motion.rates(q, u), (len(steps), len(nodes), -1)
    gained = np.hstack([getattr(reading, x)[steps + 1] - getattr(reading, x)[steps] for x in "qu"])
    along = np.concatenate([rates, forces.sum(axis=-1)], axis=1).reshape(shape)
    sizes = np.concatenate([np.abs(rates), np.abs(forces).sum(axis=-1)], axis=1).reshape(shape)
    brought, sizes = (half[:, np.newaxis] * np.einsum("n,snm->sm", weights, part) for part in (along, sizes))
    return np.abs(gained - brought), (BALANCE + turned) * sizes.max(axis=1) + 1e-10 + WITHIN * np.abs(reading.u).max()


def _slows(reading: Reading, steps: np.ndarray) -> np.ndarray:
    """Whether what slips hardly does so at an end of a step: the direction of friction is the step's own there."""
    slides = reading.doing[steps] == SLIPS
    out = np.zeros(len(steps), dtype=bool)
    for k in (steps, steps + 1) if slides.any() else ():
        slip = np.linalg.norm(rows(reading.motion, reading.t[k], reading.q[k]).slips(reading.u[k]), axis=2)
        out |= (slides & (slip <= FAST * reading.speed)).any(axis=1)
    return out
