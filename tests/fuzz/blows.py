"""What holds at an event: momentum, the law, the cones, the energy, and that nothing jumps without an impulse."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzz.path import routh
from fuzz.reading import OPEN, STICKS, Findings, Reading
from fuzz.rows import Rows
from fuzz.single import RAISED, factor_rows, jams, solutions
from sympact import Event

ROUNDING = 1e-8
"""Of the terms of an equation between speeds that went through a mass matrix."""

GRAIN = 16 * np.finfo(float).eps
"""Of the velocities of two bodies at a place: the rounding of their difference, told twice by eight operations."""

SLOW = 1e-7
"""Of the speed scale: slip that is taken out where it may end in sticking."""

GAIN = 1e-9
"""Of the kinetic energy and of what impulses do: a gain that is none."""

TOUCH = 3e-9
"""Of a gap (m) that is zero."""

SETTLED = 30
"""How many times the slow speeds settling may take, of all that it takes in the metric of the mass."""

POSED = (1e-10, 1e-8)
"""Of the speed scale: rates with which contacts leave that friction struck; 1e-9 stood for an approach of none."""

LOST = 1e-6
"""Of the kinetic energy: what an event without an impulse may take."""


@dataclass(frozen=True)
class Blow:
    """An event with its two sides, for all contacts of the model.

    `P` (k,) and `F` (k, 3) are the impulses of the law; `taken` and `closed`, `closing` are masks of who took part, who
    was closed before and who is after. `before`, `after` are (gap rates, slips) on both sides of the law's impulses,
    `end` after all. Sizes of motions are those in the metric of the mass.
    """

    event: Event
    t: float
    here: Rows
    M: np.ndarray
    minus: np.ndarray
    plus: np.ndarray
    P: np.ndarray
    F: np.ndarray
    taken: np.ndarray
    closed: np.ndarray
    closing: np.ndarray
    words: np.ndarray
    before: tuple
    after: tuple
    end: tuple
    rest: np.ndarray
    size: float
    speed: float

    @classmethod
    def of(cls, reading: Reading, event: Event) -> Blow:
        q, minus = reading.split(np.asarray(event.x_minus))
        plus = reading.split(np.asarray(event.x_plus))[1]
        here = reading.rows(event.t, q)
        M, _ = reading.motion.terms(event.t, q, minus)
        k = len(reading.names)
        parts = reading.parts(event)
        P, F, taken = np.zeros(k), np.zeros((k, 3)), np.zeros(k, dtype=bool)
        count = len(parts)
        P[parts], F[parts], taken[parts] = event.impulse[:count], event.friction_impulse[:count], True
        middle = minus + np.linalg.solve(M, here.push(P, F))
        sides = [(here.rates(u), here.slips(u)) for u in (minus, middle, plus)]
        source, target = reading.words(event.source), reading.words(event.target)
        C = np.linalg.cholesky(M)
        rest = np.linalg.solve(C, M @ (plus - middle))
        size = sum(np.linalg.norm(C.T @ u) for u in (minus, plus)) + np.linalg.norm(C.T @ (middle - minus))
        speeds = np.abs(minus) + np.abs(middle)
        lines = np.concatenate([here.N, here.T.reshape(3 * k, -1)])
        drift = np.concatenate([here.drift, here.slide.ravel()])
        speed = float(np.max(np.abs(lines) @ speeds + np.abs(drift), initial=0.0))
        return cls(
            event,
            event.t,
            here,
            M,
            minus,
            plus,
            P,
            F,
            taken,
            source != OPEN,
            target != OPEN,
            target,
            *sides,
            rest,
            size,
            speed,
        )

    def about(self) -> str:
        """The event in words."""
        return f"[{self.event.kind} of {', '.join(self.event.contacts)}: {self.event.source} -> {self.event.target}]"

    def kinetic(self, u: np.ndarray) -> float:
        """T (J)."""
        return 0.5 * float(u @ self.M @ u)


def check_events(reading: Reading, found: Findings, gained_with_warning: bool) -> None:
    """All events of a run."""
    for event in reading.result.events:
        if event.kind == "switch":
            continue
        blow = Blow.of(reading, event)
        check_places(reading, found, blow, event)
        if not np.isfinite([*blow.P, *blow.F.ravel(), *blow.plus]).all():
            found.expect(np.inf, 0.0, "impulses are finite", blow.t, blow.about())
            continue
        check_momentum(reading, found, blow)
        check_energy(reading, found, blow, gained_with_warning)
        if event.kind in ("impact", "accumulation"):
            check_law(reading, found, blow)
        else:
            found.expect(np.abs(blow.P), 0.0, "no impulse but in impacts", blow.t, blow.about())


def check_places(reading: Reading, found: Findings, blow: Blow, event: Event) -> None:
    """Who takes part touches; coordinates move by rounding only."""
    q_minus, q_plus = (reading.split(np.asarray(x))[0] for x in (event.x_minus, event.x_plus))
    found.expect(np.abs(blow.here.gap[blow.taken]), TOUCH, "who takes part touches", blow.t, blow.about())
    found.expect(np.abs(q_plus - q_minus), 100 * TOUCH, "coordinates do not jump", blow.t, blow.about())
    approach = blow.before[0][blow.taken & ~blow.closed]
    if event.kind == "impact" and not (reading.recipe.painleve == "ImpactWithoutCollision()" and blow.closed.any()):
        found.expect(approach.min(initial=np.inf), 0.0, "an impact has an approach", blow.t, blow.about())
    alone = blow.taken.sum() == 1 and not blow.closed.any()
    if event.kind == "accumulation" and alone:
        found.expect(_hop(reading, blow), SETTLED * reading.slow, "bounces that end are low", blow.t, blow.about())
    if event.kind == "close":
        rates = np.abs(blow.before[0][blow.closing & ~blow.closed])
        found.expect(rates, 2 * reading.slow + ROUNDING * blow.speed, "what closes has no rate", blow.t, blow.about())


def _hop(reading: Reading, blow: Blow) -> float:
    """The speed of the hop that an end of bounces leaves out: what the law has left, else what e would have made.

    Where slip ends in the impact, friction takes part of the rebound: what leaves is slower than e asks.
    """
    k = int(np.flatnonzero(blow.taken)[0])
    left = float(blow.after[0][k])
    return left if left > ROUNDING * blow.speed else float(reading.e[k] * -blow.before[0][k])


def check_momentum(reading: Reading, found: Findings, blow: Blow) -> None:
    """M du = W Lambda but for settling: along rows that are held, and no more than slow speeds ask for.

    A contact that opens without a rate, or was hit by less than counts, is held while what is slow is taken.
    """
    slips = np.linalg.norm(blow.after[1], axis=1)
    stops = blow.closing & ((blow.words == STICKS) | (slips <= 2 * SLOW * reading.speed))
    opens = (blow.closed | blow.taken) & ~blow.closing & (np.abs(blow.end[0]) <= ROUNDING * blow.speed)
    rows = [blow.here.N[blow.closing | opens], blow.here.T[stops].reshape(-1, len(blow.plus))]
    rows = np.concatenate(rows)
    left = blow.rest
    if len(rows):
        A = factor_rows(blow.M, rows)
        left = blow.rest - A.T @ np.linalg.lstsq(A.T, blow.rest, rcond=1e-10)[0]
    still = blow.event.target.endswith(" (at rest)")
    allowed = ROUNDING * blow.size + (1e-11 * reading.speed * np.sqrt(np.trace(blow.M)) if still else 1e-12)
    found.expect(np.linalg.norm(left), allowed, "momentum", blow.t, blow.about())
    slow = reading.slow + SLOW * reading.speed
    heaviest = max(
        (1.0 / max(np.linalg.norm(a), 1e-12) for a in factor_rows(blow.M, blow.here.N[blow.closing])), default=0.0
    )
    allowed += SETTLED * slow * heaviest + 1e-7 * blow.size
    found.expect(np.linalg.norm(blow.rest), allowed, "no speed changes without an impulse", blow.t, blow.about())


def check_energy(reading: Reading, found: Findings, blow: Blow, warned: bool) -> None:
    """The certificate is what contacts did to the energy; laws that never gain do not; others warn."""
    mean = (blow.plus + blow.minus) / 2
    change = float(mean @ blow.M @ (blow.plus - blow.minus))
    drift = blow.P @ blow.here.drift + (blow.F * blow.here.slide).sum()
    terms = np.abs(blow.P) @ (np.abs(blow.here.drift) + np.abs(blow.before[0])) + np.abs(blow.F * blow.here.slide).sum()
    T = blow.kinetic(blow.minus) + blow.kinetic(blow.plus)
    slow = reading.slow + SLOW * reading.speed
    allowed = ROUNDING * (T + terms) + 1e-14
    settle = blow.size * np.linalg.norm(blow.rest) + np.linalg.norm(blow.rest) ** 2  # settling against walls that move
    moving = np.abs(blow.here.drift).max(initial=0.0) + np.abs(blow.here.slide).max(initial=0.0)
    found.expect(
        abs(blow.event.energy - change - drift),
        allowed + (settle * 10 if moving else 0.0),
        "the certificate of energy",
        blow.t,
        blow.about(),
    )
    gain = blow.event.energy
    law = reading.recipe.law
    if law in ("Energetic()", "Plastic()", "Newton(guard=True)") or blow.event.kind not in ("impact", "accumulation"):
        found.expect(gain, 10 * allowed, "no energy from nothing", blow.t, blow.about())
    elif gain > 100 * allowed + 1e-6 * T:
        found.expect(0.0 if warned else gain, 0.0, "a gain is warned of", blow.t, blow.about())
    if blow.event.kind not in ("impact", "accumulation"):
        found.expect(
            -gain, LOST * T + np.trace(blow.M) * slow**2, "no energy lost without an impulse", blow.t, blow.about()
        )


def check_law(reading: Reading, found: Findings, blow: Blow) -> None:
    """Cones and no approach left under every law; of the law itself what its impulses tell."""
    law, alone = reading.recipe.law, blow.taken.sum() == 1
    push = ROUNDING * (blow.P.max(initial=0.0) + np.abs(blow.F).max(initial=0.0)) + 1e-14
    small = 1e-7 * blow.speed + 1e-12
    if reading.recipe.painleve == "ImpactWithoutCollision()" and not _approached(reading, blow):
        small += POSED[1] * max(reading.speed, blow.speed)  # friction struck: what stood for an approach is left
    found.expect(-blow.P, push, "no impulse pulls", blow.t, blow.about())
    if law != "Plastic()":
        mu = reading.mu * (1 + (RAISED if reading.recipe.painleve == "ImpactWithoutCollision()" else 0.0))
        over = np.linalg.norm(blow.F, axis=1) - mu * blow.P
        found.expect(over, push, "impulses of friction within their cones", blow.t, blow.about())
    found.expect(np.abs(blow.F[reading.mu == 0.0]), push, "no friction without a coefficient", blow.t, blow.about())
    held = blow.taken | blow.closed
    once = "Simultaneous" in reading.recipe.resolution or alone
    if law != "CustomLaw(stop_dead)":
        low = small + 2 * reading.slow + (_hit_again(reading, blow) if law.startswith("Newton") and once else 0.0)
        found.expect(-(blow.end[0] + low)[held], 0.0, "no approach after an impact", blow.t, blow.about())
    if _struck_by_friction(reading, blow):
        return
    if law.startswith("Newton") and once and not ("routh" in law and alone):
        _newton(reading, found, blow, small, push)
    elif law == "Plastic()" and once:
        _plastic(reading, found, blow, small, push)
    elif law == "CustomLaw(stop_dead)" and once:
        _own(reading, found, blow, push)
    elif law == "Poisson()" and alone and not blow.closed.any():
        _poisson(reading, found, blow, small)
    elif (law == "Energetic()" or "routh" in law) and alone and not blow.closed.any() and reading.mu[blow.taken].all():
        _path(reading, found, blow)
    elif alone and not blow.closed.any() and not reading.rubs[blow.taken].any():
        k = int(np.flatnonzero(blow.taken)[0])
        off = min(abs(blow.after[0][k] + e * blow.before[0][k]) for e in _restitutions(reading, blow)[k])
        found.expect(off, small, "without friction every law is Newton's", blow.t, blow.about())


def _hit_again(reading: Reading, blow: Blow) -> np.ndarray:
    """The approach that Newton's law leaves to what separates while others hit: v_N+ >= -e v_N-, hit again at once."""
    return np.array([max(es) for es in _restitutions(reading, blow)]) * blow.before[0].clip(0)


def _struck_by_friction(reading: Reading, blow: Blow) -> bool:
    """Whether friction struck after the law did: of two impacts in one event the sum of impulses obeys neither law."""
    least, most = max(reading.speed, blow.speed) * np.array(POSED)
    left = blow.after[0][blow.taken & (blow.P > 0.0)]
    twice = _approached(reading, blow) and ((least < left) & (left < most)).any()
    return bool(reading.recipe.painleve == "ImpactWithoutCollision()" and twice)


def _approached(reading: Reading, blow: Blow) -> bool:
    """Whether a contact came by more than what stands for an approach where friction strikes."""
    return bool((blow.before[0][blow.taken] < -POSED[1] * max(reading.speed, blow.speed)).any())


def _restitutions(reading: Reading, blow: Blow) -> list[tuple[float, ...]]:
    """What e may be for each contact: none of what was closed, and of hops that are taken out either."""
    found, kind = [], blow.event.kind
    for k, e in enumerate(reading.e * (blow.event.factor if np.isfinite(blow.event.factor) else 1.0)):
        hop = abs(reading.e[k] * blow.before[0][k])
        if blow.closed[k]:
            found.append((0.0,))
        elif kind == "accumulation" or hop <= 3 * reading.slow:
            found.append((e, 0.0))
        else:
            found.append((e,))
    return found


def _newton(reading: Reading, found: Findings, blow: Blow, small: float, push: float) -> None:
    """0 <= P_N _|_ v_N+ + e v_N- >= 0, friction against the slip after (and e_t of that before)."""
    factor = blow.event.factor if np.isfinite(blow.event.factor) else 1.0
    tangential = 0.4 * factor if "tangential" in reading.recipe.law else 0.0
    for k in np.flatnonzero(blow.taken):
        choices = [blow.after[0][k] + e * blow.before[0][k] for e in _restitutions(reading, blow)[k]]
        found.expect(-max(choices), small, "Newton's law: no slower than e asks", blow.t, blow.about())
        if blow.P[k] > 10 * push:
            found.expect(min(map(abs, choices)), small, "Newton's law: what pushes leaves with e", blow.t, blow.about())
        if not reading.rubs[k] or (tangential and (blow.closed[k] or blow.event.kind == "accumulation")):
            continue
        if tangential and _strikes_again(reading, blow, k, tangential, small, push):
            continue
        slip = blow.after[1][k] + tangential * blow.before[1][k]
        _opposed(found, blow, blow.P[k], blow.F[k], reading.mu[k], slip, small, push)


def _opposed(found: Findings, blow: Blow, normal: float, friction, mu: float, slip, small: float, push: float) -> None:
    size = np.linalg.norm(slip)
    if size > 1e-5 * blow.speed + 10 * small:
        off = np.linalg.norm(friction + mu * normal * slip / size)
        allowed = 10 * push + (1e-6 + 10 * small / size) * mu * normal
        found.expect(off, allowed, "friction impulse is against the slip", blow.t, blow.about())


def _strikes_again(reading: Reading, blow: Blow, k: int, tangential: float, small: float, push: float) -> bool:
    """Whether the event of one contact is an impact, and one that friction makes of the slip which the first leaves.

    No force holds a contact whose friction presses it the more. The second impact has no approach, and obeys the law
    with the slip that the first has left.
    """
    if reading.recipe.painleve != "ImpactWithoutCollision()" or blow.taken.sum() > 1 or blow.closed.any():
        return False
    (A, v), mu = contact_rows(blow, k, blow.minus), reading.mu[k]
    G, share = A @ A.T, np.array([1.0, 1.0 + tangential, 1.0 + tangential])
    both, end = np.append(blow.P[k], tangents_of(blow.here.normal[k]) @ blow.F[k]), _local(blow, k, blow.after)
    for e in _restitutions(reading, blow)[k]:
        for first in solutions(A, v * share, mu, e * v[0]):
            middle, second, alone = v + G @ first, both - first, Findings()
            size = np.linalg.norm(middle[1:])
            if abs(middle[0]) > small or size <= small or G[0] @ [1.0, *(-mu * middle[1:] / size)] >= 0.0:
                continue
            alone.expect(np.linalg.norm(second[1:]), (1 + RAISED) * mu * second[0] + push, "within its cone", blow.t)
            _opposed(alone, blow, second[0], second[1:], mu, end[1:] + tangential * middle[1:], small, push)
            if not alone.list:
                return True
    return False


def _plastic(reading: Reading, found: Findings, blow: Blow, small: float, push: float) -> None:
    for k in np.flatnonzero(blow.taken & (10 * push < blow.P)):
        found.expect(abs(blow.after[0][k]), small, "plastic: what pushes stops", blow.t, blow.about())
        slip, grips = np.linalg.norm(blow.after[1][k]), np.linalg.norm(blow.F[k]) >= 0.99 * reading.mu[k] * blow.P[k]
        if reading.rubs[k] and reading.mu[k] > 0 and not (grips and np.abs(blow.here.slide).any()):
            gripped = np.linalg.norm(blow.F[k]) >= 999 * blow.P[k]
            found.expect(0.0 if gripped else slip, small, "plastic: what pushes does not slip", blow.t, blow.about())


def _own(reading: Reading, found: Findings, blow: Blow, push: float) -> None:
    A = factor_rows(blow.M, blow.here.N)
    for k in np.flatnonzero(blow.taken):
        wanted = [max(0.0, -(1 + e) * blow.before[0][k]) / (A[k] @ A[k]) for e in (reading.e[k], 0.0)]
        found.expect(
            min(abs(blow.P[k] - w) for w in wanted), 10 * push, "impulses are the own law's", blow.t, blow.about()
        )


def _poisson(reading: Reading, found: Findings, blow: Blow, small: float) -> None:
    """One contact: some solution of compression and expansion leaves with the speeds found."""
    k = int(np.flatnonzero(blow.taken)[0])
    A, v = contact_rows(blow, k, blow.minus)
    if jams(A, reading.mu[k]) or (reading.e[k] > 0 and np.linalg.matrix_rank(A, tol=1e-8 * np.linalg.norm(A)) < 3):
        return  # the impulse of compression is not unique, nor what comes back of it
    wanted = _local(blow, k, blow.after)
    best = np.inf
    for e in _restitutions(reading, blow)[k]:
        for P in solutions(A, v, reading.mu[k]):
            middle = v + A @ (A.T @ P)
            least = e * P[0]
            for more in expansions(A, middle, reading.mu[k], least):
                best = min(best, np.abs(middle + A @ (A.T @ more) - wanted).max())
    if np.isfinite(best):
        found.expect(best, 10 * small, "Poisson's phases of one contact", blow.t, blow.about())


def _path(reading: Reading, found: Findings, blow: Blow) -> None:
    """One contact: Routh's path, integrated anew."""
    k = int(np.flatnonzero(blow.taken)[0])
    A, v = contact_rows(blow, k, blow.minus)
    wanted, off = _local(blow, k, blow.after), []
    for e in {*_restitutions(reading, blow)[k], reading.e[k]}:  # a path that jams ends before its restitution does
        end = routh(A @ A.T, v, reading.mu[k], e, reading.recipe.law) if v[0] < 0 else None
        off.append(np.inf if end is None else np.abs(end - wanted).max())
    if np.isfinite(off).all():
        speeds = np.abs(blow.minus) + np.abs(blow.plus)  # may be fast where the bodies do not move at each other
        allowed = 3e-5 * np.abs(v).max() + GRAIN * float(blow.here.arms[k] @ speeds + blow.here.carried[k])
        found.expect(min(off), allowed, "Routh's path of one contact", blow.t, blow.about())


def expansions(A: np.ndarray, v: np.ndarray, mu: float, least: float) -> list[np.ndarray]:
    """Impulses of expansion: P_N >= least _|_ v_N+ >= 0, friction up to mu P_N against the slip after."""
    found = []
    G = A @ A.T
    small = 1e-9 * (np.abs(v).max() + np.abs(G[:, 0]).max() * least + 1e-300)
    for P in _pushed(A, v, mu, least):
        if (v + G @ P)[0] >= -small:
            found.append(P)
    if not found:
        found = [P for P in solutions(A, v, mu) if P[0] >= least * (1 - 1e-9)]
    return found


def _pushed(A: np.ndarray, v: np.ndarray, mu: float, normal: float) -> list[np.ndarray]:
    """A given normal impulse with friction |P_T| <= mu P_N against the slip after: the least of a convex function."""
    G, radius = A @ A.T, mu * normal
    b, H = v[1:] + G[1:, 0] * normal, G[1:, 1:]
    sizes, V = np.linalg.eigh(H)
    r = V.T @ b
    keep = sizes > 1e-14 * max(G.max(), 1e-300)
    inner = np.zeros(2)
    inner[keep] = -r[keep] / sizes[keep]
    if np.linalg.norm(inner) <= radius and (np.abs(r[~keep]) <= 1e-12 * np.abs(v).max()).all():
        return [np.array([normal, *(V @ inner)])]
    low, high = 0.0, (np.linalg.norm(r) / radius if radius > 0 else 0.0) + 1e-300
    for _ in range(200):
        middle = (low + high) / 2
        outside = np.linalg.norm(r / (sizes.clip(0) + middle)) > radius
        low, high = (middle, high) if outside else (low, middle)
    part = -r / (sizes.clip(0) + high) if radius > 0 else np.zeros(2)
    return [np.array([normal, *(V @ part)])]


def contact_rows(blow_or_rows, k: int, u: np.ndarray, M: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """A (3, n) and the velocities (3,) of one contact along its normal and two tangents."""
    here = blow_or_rows.here if M is None else blow_or_rows
    M = blow_or_rows.M if M is None else M
    tangents = tangents_of(here.normal[k])
    rows = np.vstack([here.N[k], tangents @ here.T[k]])
    drift = np.append(here.drift[k], tangents @ here.slide[k])
    return factor_rows(M, rows), rows @ u + drift


def tangents_of(normal: np.ndarray) -> np.ndarray:
    """Two unit vectors at right angles to a normal; of none (a limit) any two."""
    if not normal.any():
        return np.eye(3)[:2]
    first = np.cross(normal, np.eye(3)[np.argmin(np.abs(normal))])
    first /= np.linalg.norm(first)
    return np.stack([first, np.cross(normal, first)])


def _local(blow: Blow, k: int, side) -> np.ndarray:
    return np.append(side[0][k], tangents_of(blow.here.normal[k]) @ side[1][k])
