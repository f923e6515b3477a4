"""Why a run may end early: each status but FINISHED needs a reason that mechanics gives, found without sympact."""

from __future__ import annotations

import itertools

import numpy as np

from fuzz.blows import GRAIN, ROUNDING, SLOW, contact_rows, expansions, tangents_of
from fuzz.geometry import hollows
from fuzz.path import routh
from fuzz.reading import OPEN, SLIPS, STICKS, Findings, Reading
from fuzz.recipe import Touch
from fuzz.single import RAISED, RANK, certificate, solutions

TWICE = 1e-4
"""Of a gap (m): a second place that looks 1e-3 radii apart show so near touches, too."""

NEAR = 1e-8
"""Of a gap (m) of those that may take part in an impact."""

FAINT = 1e-6
"""Of the slip: an approach that stands for none, where friction makes an impact."""

NO_MINOR = 1e-5
"""A principal minor, of that without friction, that is none: forces are 100,000 times what they are without."""

PLACES = 64
"""Last places of the time: an event is no better known."""


def explain(reading: Reading, found: Findings) -> str:
    """A word for why the run ended; what nothing explains is a violation."""
    status = reading.result.status.name
    if status == "FINISHED":
        return "finished"
    if status == "UNSOLVED_IMPACT":
        told = reading.result.infeasibility is not None
        found.expect(
            0.0 if told else 1.0, 0.0, "UNSOLVED_IMPACT tells its proof", reading.t[-1], reading.result.message[:200]
        )
    reason = _REASONS.get(status, lambda reading: "")(reading)
    if not reason:
        found.expect(np.inf, 0.0, f"{status} has a reason", reading.t[-1], reading.result.message[:300])
    return reason


def touching_state(reading: Reading, sample: int = -1):
    """What touches at the end: rows, mass matrix, speeds, and the numbers of those closed or approaching."""
    t, q, u = reading.t[sample], reading.q[sample], reading.u[sample]
    here = reading.rows(t, q)
    M, _ = reading.motion.terms(t, q, u)
    closed = reading.doing[sample] != OPEN
    near = (np.abs(here.gap) <= NEAR) | closed
    return here, M, u, np.flatnonzero(near)


def unsolved(reading: Reading) -> str:
    """A certificate: of one contact that no way to push obeys the law, of several that some self-stress forbids it."""
    here, M, u, near = touching_state(reading)
    if len(near) == 0:
        return ""
    law, closed = reading.recipe.law, reading.doing[-1] != OPEN
    parts = [contact_rows(here, k, u, M) for k in near]
    rounding = GRAIN * (here.arms[near] @ np.abs(u) + here.carried[near])
    if all(np.abs(v).max() <= none for (_, v), none in zip(parts, rounding, strict=True)):
        return ""  # nothing moves: no impulse at all obeys every law
    e = np.array([0.0 if closed[k] or law == "Plastic()" else reading.e[k] for k in near])
    mu = reading.mu[near]
    without_approach = min(v[0] for _, v in parts) >= -ROUNDING * reading.speed
    if reading.recipe.painleve == "ImpactWithoutCollision()" and without_approach:
        return _jammed(reading, parts, mu)
    if "guard" in law or not law.startswith("Newton"):
        e = 0 * e  # these have a solution wherever there is one without restitution
    if "Sequential" in reading.recipe.resolution and law.startswith("Newton") and "guard" not in law and len(near) > 1:
        jams = [
            not solutions(A, np.array([-1.0, *v[1:]]), m, -reading.e[k])
            for k, (A, v), m in zip(near, parts, mu, strict=True)
        ]
        if any(jams):
            return "no solution: a contact of a sequence"
    if len(near) == 1:
        (A, v), shift = parts[0], float(e[0] * parts[0][1][0])
        if not solutions(A, v, mu[0], shift):
            return "no solution: one contact"
        if law == "Poisson()" and not _expands(A, v, mu[0], reading.e[near[0]]):
            return "no expansion: one contact"
        return ""
    b = np.array([v * [1 + (ek if v[0] < 0 else 0), 1, 1] for (_, v), ek in zip(parts, e, strict=True)])
    nu = certificate(np.array([A for A, _ in parts]), b, mu)
    size = max(np.abs(v).max() for _, v in parts)
    return "no solution: self-stress" if nu is not None and nu[1] <= 1e-9 * size else ""


def _jammed(reading: Reading, parts: list, mu: np.ndarray) -> str:
    """What slips has neither forces to slip on with nor impulses that end its slip, or turn it until it parts."""
    if not painleve(reading):
        return ""
    law, raised = reading.recipe.law, mu * (1 + RAISED)
    parts = _driven(reading, parts)
    if len(parts) > 1:
        b = np.array([v for _, v in parts])
        nu = certificate(np.array([A for A, _ in parts]), b, raised)
        return "no impulse of friction: self-stress" if nu is not None and nu[1] < -1e-9 * np.abs(b).max() else ""
    A, v = parts[0]
    pressed = np.array([-FAINT * np.linalg.norm(v[1:]), *v[1:]])
    if law == "Energetic()" or "routh" in law:
        G = A @ A.T
        ends = routh(G, pressed, raised[0], 0.0, law, np.linalg.norm(v) / np.trace(G)) is not None
    else:
        ends = bool(solutions(A, pressed, raised[0]))
    return "" if ends else "no impulse of friction: one contact"


def _driven(reading: Reading, parts: list) -> list:
    """What drives contacts whose slip is about to end: of their accelerations, the part that no force takes from them.

    The velocity that a surface gives to a contact against all motions of the bodies is zero where the slip turns; from
    there on it is this acceleration by the time. The gaps stay closed meanwhile, and the bodies leave the least slip.
    """
    here, M, u, near = touching_state(reading)
    t, q = reading.t[-1], reading.q[-1]
    if max(np.linalg.norm(v[1:]) for _, v in parts) > SLOW * reading.speed:
        return parts
    _, f = reading.motion.terms(t, q, u)
    rates, (normal, slip) = np.linalg.solve(M, f), reading.bias(t, q, u)
    b = []
    for k in near:
        tangents = tangents_of(here.normal[k])
        b += [here.N[k] @ rates + normal[k], *(tangents @ (here.T[k] @ rates + slip[k]))]
    rows, b = np.vstack([A for A, _ in parts]), np.array(b)
    left, sizes, _ = np.linalg.svd(rows, full_matrices=False)
    held = left[:, sizes > RANK * sizes[0]]
    drive = b - held @ (held.T @ b)
    if np.abs(drive).max() <= FAINT * np.abs(b).max():
        return parts
    normals, slips = rows[::3], np.delete(rows, np.s_[::3], axis=0)
    y = -np.linalg.pinv(normals, RANK) @ drive[::3]
    free = np.eye(rows.shape[1]) - np.linalg.pinv(normals, RANK) @ normals
    y -= free @ np.linalg.pinv(slips @ free, RANK) @ (np.delete(drive, np.s_[::3]) + slips @ y)
    return [(A, v) for (A, _), v in zip(parts, (drive + rows @ y).reshape(-1, 3), strict=True)]


def _expands(A, v, mu, e) -> bool:
    return any(expansions(A, v + A @ (A.T @ P), mu, e * P[0]) for P in solutions(A, v, mu))


def painleve(reading: Reading) -> str:
    """A principal minor of the slipping contacts' matrix that is not positive, with all directions of slip tried.

    Or one that becomes so within the last places of time: it falls as the root of the time left.
    """
    least, found = _least_minor(reading, -1)
    if least <= NO_MINOR:
        return found
    for sample in range(-2, -min(len(reading.t), 10), -1):
        passed = reading.t[-1] - reading.t[sample]
        if passed > 0.0:
            before, _ = _least_minor(reading, sample)
            left = passed * least**2 / (before**2 - least**2) if before > least else np.inf
            return found if left <= PLACES * np.spacing(reading.t[-1]) else ""
    return ""


def _least_minor(reading: Reading, sample: int) -> tuple[float, str]:
    """The least principal minor, relative to that without friction, and what it is of.

    Of those that stick each set may stick on: the others move beside it.
    """
    here, M, u, near = touching_state(reading, sample)
    if len(near) == 0:
        return np.inf, ""
    doing = reading.doing[sample]
    hits = (here.rates(u)[near] < -1e-6 * reading.speed).any()  # slips after an impact that no event tells
    frames, cones = [], []
    for k in near:
        A, v = contact_rows(here, k, u, M)
        slip = v[1:]
        still = hits or np.linalg.norm(slip) <= 1e-6 * reading.speed
        angles = np.linspace(0, 2 * np.pi, 48, endpoint=False)
        ways = [np.array([np.cos(a), np.sin(a)]) for a in angles] if still else [slip / np.linalg.norm(slip)]
        mus = {float(reading.mu[k]), float(reading.static[k])} if still or doing[k] != SLIPS else {float(reading.mu[k])}
        frames.append(A)
        cones.append([np.array([1.0, *(-mu * way)]) for mu in mus for way in ways] + [np.array([1.0, 0.0, 0.0])])
    sticks, least, text = [i for i, k in enumerate(near) if doing[k] == STICKS], np.inf, ""
    for count in range(len(sticks) + 1):
        for held in itertools.combinations(sticks, count):
            rest = [i for i in range(len(near)) if i not in held]
            beside = [_beside(frames[i], [frames[k] for k in held]) for i in rest]
            minor, found = _pushes_back(beside, [cones[i] for i in rest])
            if minor < least:
                least, text = minor, found + (f" beside {count} that stick" if count else "")
            if least <= NO_MINOR:
                return least, text
    return least, text


def _beside(A: np.ndarray, held: list[np.ndarray]) -> np.ndarray:
    """The rows of a contact while others stick: less what these hold."""
    if not held:
        return A
    _, sizes, right = np.linalg.svd(np.vstack(held))
    still = right[: (sizes > 1e-9 * sizes[0]).sum()]
    return A - A @ still.T @ still


def _pushes_back(frames: list[np.ndarray], cones: list[list[np.ndarray]]) -> tuple[float, str]:
    """The least principal minor, relative to that without friction; the first that is none, where there is one."""
    least, text = np.inf, ""
    for size in range(1, len(frames) + 1):
        for chosen in itertools.combinations(range(len(frames)), size):
            for forces in itertools.islice(itertools.product(*(cones[k] for k in chosen)), 4000):
                push = np.array([frames[k].T @ f for k, f in zip(chosen, forces, strict=True)])
                G = np.array([frames[k][0] for k in chosen])
                minor, whole = np.linalg.det(G @ push.T) - 1e-14, np.linalg.det(G @ G.T)
                if minor <= NO_MINOR * whole:
                    return min(minor / whole, NO_MINOR) if whole > 0.0 else 0.0, f"not a P-matrix: {size} contacts"
                if minor < least * whole:
                    least, text = minor / whole, f"not a P-matrix: {size} contacts"
    return least, text


def stiff(reading: Reading) -> str:
    """Gimbal lock, a mass matrix or rates of angles that are singular; or a dead point."""
    t, q, u = reading.t[-1], reading.q[-1], reading.u[-1]
    M, _ = reading.motion.terms(t, q, u)
    rates = reading.motion.rates(q, u)
    if np.linalg.cond(M) > 1e10 or np.abs(rates).max() > 1e6 * (1 + np.abs(u).max()):
        return "gimbal lock"
    return dead_point(reading)


def dead_point(reading: Reading) -> str:
    """A mechanism that comes to a dead point: what closed contacts hold of it, in one direction, is all but nothing."""
    doing, force = reading.doing, np.asarray(reading.result.normal_force)
    same = np.flatnonzero((doing != doing[-1]).any(axis=1))
    chosen = np.arange(same[-1] + 1 if same.size else 0, len(doing))
    closed = np.flatnonzero(doing[-1] != OPEN)
    if not len(closed):
        return ""
    held = np.array([_held(reading, i, closed) for i in [*chosen[:: len(chosen) // 40 + 1], len(doing) - 1]])
    sizes = held[-1] / held.max()
    largest = force[closed][:, chosen].max(axis=0)
    grown = largest[-1] > 1e3 * np.median(largest[largest > 0.0])
    return "dead point" if grown and ((sizes > 1e-14) & (sizes < 1e-5)).any() else ""


def _held(reading: Reading, i: int, closed: np.ndarray) -> np.ndarray:
    """The singular values of what closed contacts hold at a sample."""
    t, q, u = reading.t[i], reading.q[i], reading.u[i]
    here, (M, _) = reading.rows(t, q), reading.motion.terms(t, q, u)
    parts = [contact_rows(here, k, u, M)[0][: 3 if reading.doing[i][k] == STICKS else 1] for k in closed]
    return np.linalg.svd(np.vstack(parts))[1]


def undefined(reading: Reading) -> str:
    """Gimbal lock, or a contact that touches at two places."""
    states = reading.motion.states(reading.t[-1], reading.q[-1], reading.u[-1])
    for contact in reading.recipe.contacts:
        if isinstance(contact, Touch):
            found = hollows(contact.body, states[contact.body.on], contact.surface, states[contact.surface.on])
            if len(found) > 1 and found[1] <= TWICE:
                return "two places of one contact"
    return stiff(reading)


def elastic(reading: Reading) -> str:
    """Hops of contacts that lose nothing do not end by themselves."""
    last = {name for event in reading.result.events[-100:] for name in event.contacts}
    return "elastic hops" if any(reading.e[reading.names.index(name)] >= 0.99 for name in last) else ""


def unended(reading: Reading) -> str:
    """Impacts one by one need not end."""
    several = len(touching_state(reading)[-1]) > 1
    return "one by one" if several and "Sequential" in reading.recipe.resolution else ""


_REASONS = {
    "UNENDED_IMPACT": unended,
    "UNSOLVED_IMPACT": unsolved,
    "PAINLEVE": painleve,
    "STEP_TOO_SMALL": stiff,
    "MAX_EVENTS": elastic,
    "NOT_FINITE": undefined,
}
