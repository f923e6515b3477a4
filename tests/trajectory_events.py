"""What must hold at an event of a run: its kind, its place, momentum, the law of impact, friction and energy."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import promises
from contact_truth import ROUNDING, Rows
from promises import hold

from sympact import EndOfRun, Event, HybridModel, Newton, Plastic, Simultaneous

if TYPE_CHECKING:
    from trajectory import Run


STILL = ("switch", "crossing", "stop")
"""Kinds of events that change no state."""


@dataclass(frozen=True)
class Jump:
    """One event with its two sides, for all contacts of the model.

    `P` (n,) are the impulses of the law (N s), `F` (n, 3) those of friction. `minus`, `middle` and `plus` are the
    speeds before, after the impulses of the law, and after everything: what the law leaves of the rates of
    closing contacts, and of slip that ends in sticking, is taken along the same rows (`settled`). `hop` is the
    speed of the highest hop that may be left out, `creep` the slip that may end in sticking, `rest` the speeds
    that count as none at rest.
    """

    event: Event
    rows: Rows
    M: np.ndarray
    minus: np.ndarray
    middle: np.ndarray
    plus: np.ndarray
    P: np.ndarray
    F: np.ndarray
    taken: np.ndarray
    switched: bool
    before: np.ndarray
    after: np.ndarray
    sticks: np.ndarray
    e: np.ndarray
    mu: np.ndarray
    hop: float
    creep: float
    rest: float
    speed: float

    @classmethod
    def of(cls, run: Run, k: int) -> Jump:
        event, record, truth = run.result.events[k], run.result._record, run.truth
        names = [contact.name for contact in truth.model.contacts]
        minus_x, plus_x = np.array(event.x_minus), np.array(event.x_plus)
        minus, plus = truth.split(minus_x)[1], truth.split(plus_x)[1]
        target, M = record.event_target[k], run.before.terms[0][k]
        rows = run.before.rows[k].turned(run.turning(k) & run.closed[target], run.after.rows[k])
        count = len(names)
        P, F, taken = np.zeros(count), np.zeros((count, 3)), np.zeros(count, dtype=bool)
        for name, normal, friction in zip(event.contacts, event.impulse, event.friction_impulse, strict=True):
            if name in names:
                j = names.index(name)
                P[j], F[j], taken[j] = normal, friction, True
        middle = minus + np.linalg.solve(M, rows.push(P, F))
        speed = run.speed(k + 1)
        return cls(
            event=event,
            rows=rows,
            M=M,
            minus=minus,
            middle=middle,
            plus=plus,
            P=P,
            F=F,
            taken=taken,
            switched=any(name not in names for name in event.contacts),
            before=run.closed[record.event_source[k]],
            after=run.closed[target],
            sticks=run.doing[target] == "sticks",
            e=truth.restitutions(event.t, minus_x, rows.rates(minus)),
            mu=truth.frictions(event.t, minus_x, rows.slips(minus))[:, 0],
            hop=np.sqrt(2 * promises.SKIPPED.number * run.length * run.accelerations[k + 1]),
            creep=promises.SLOW_SLIP.number * speed,
            rest=promises.REST_SPEED.number * speed if event.target.split(" [")[0].endswith(" (at rest)") else 0.0,
            speed=speed,
        )

    @cached_property
    def size(self) -> float:
        """The size of the gap rates and slips of the event, from which its rounding is counted (m/s)."""
        most = np.abs(self.minus) + np.abs(self.middle) + np.abs(self.plus)
        lines = np.concatenate([self.rows.N, self.rows.T.reshape(-1, len(most))])
        drift = np.concatenate([self.rows.drift, self.rows.slide.ravel()])
        return float(np.max(np.abs(lines) @ most + np.abs(drift), initial=0.0))

    @cached_property
    def slack(self) -> float:
        """What the law's equations may leave of the speeds (m/s)."""
        return promises.LAW.number * self.size + ROUNDING * self.speed

    @cached_property
    def resting(self) -> np.ndarray:
        """Who is closed after the event, or took part in it, has no gap rate and opens by its acceleration."""
        return self.after | self.taken & (np.abs(self.rows.rates(self.plus)) <= self.slack)

    def creeps(self, u: np.ndarray) -> np.ndarray:
        """Whose slip is slow enough to end in sticking."""
        return self.resting & (np.linalg.norm(self.rows.slips(u), axis=1) <= self.creep)

    @cached_property
    def settled(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Impulses (n,) and (n, 3) that come nearest to what the law leaves, and what is left by them.

        They act along the normals of resting contacts, and against slip that is slow, be it after others have ended.
        """
        count, stops = len(self.P), self.sticks | self.creeps(self.middle)
        while True:
            found, left = self.along(stops)
            more = stops | self.creeps(self.plus - np.linalg.solve(self.factor.T, left))
            if (more == stops).all():
                return found[:count], found[count:].reshape(-1, 3), left
            stops = more

    @cached_property
    def factor(self) -> np.ndarray:
        """That of M, by Cholesky."""
        return np.linalg.cholesky(self.M)

    def along(self, stops: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The impulses for given ends of slip, (4 n,), and M^1/2 times the speeds that they leave."""
        rubbing = self.rows.T * stops[:, np.newaxis, np.newaxis]
        lines = np.concatenate([self.rows.N * self.resting[:, np.newaxis], *rubbing])
        columns, change = np.linalg.solve(self.factor, lines.T), self.factor.T @ (self.plus - self.middle)
        found = np.linalg.lstsq(columns, change, rcond=1e-9)[0] if columns.any() else np.zeros(len(lines))
        return found, change - columns @ found


def check_event(run: Run, k: int, gains: bool) -> None:
    """All that holds at event k of a run."""
    event = run.result.events[k]
    check_places(run, k)
    if event.kind in STILL:
        q_minus, u_minus = run.truth.split(np.array(event.x_minus))
        q_plus, u_plus = run.truth.split(np.array(event.x_plus))
        hold(promises.NO_IMPULSE, np.abs(u_plus - u_minus), ROUNDING * np.abs(u_minus).max(), "a switch moves nothing")
        hold(promises.BOTH_SIDES, np.abs(q_plus - q_minus), ROUNDING * np.abs(q_minus).max(), "a switch moves nothing")
        return
    jump = Jump.of(run, k)
    check_kind(run, k, jump)
    check_coordinates(run, k, jump)
    check_momentum(jump)
    check_end(run, k, jump)
    if event.kind in ("impact", "accumulation"):
        check_cones(jump, run.truth.model)
        if run.truth.model.law == Newton() and run.truth.model.resolution == Simultaneous():
            check_newton(jump)
    check_energy(jump, gains)


def check_kind(run: Run, k: int, jump: Jump) -> None:
    """An impact has an approach, what closes was open, what opens was closed and does not push any more.

    What sticks, slips or opens does so without an impulse of the law.
    """
    kind, rates = jump.event.kind, jump.rows.rates(jump.minus)
    closing, opening = jump.after & ~jump.before, jump.before & ~jump.after
    if kind == "impact":
        if run.truth.model.painleve == EndOfRun():
            assert rates[jump.taken & ~jump.before].min() < 0.0, "an impact has an approach"
    elif kind == "accumulation":
        assert closing.any()
        assert jump.event.t_inf >= jump.event.t
    elif kind == "close":
        assert closing.any()
        hold(promises.SKIPPED, np.abs(rates[closing]), jump.hop + jump.slack, "rate of a contact that closes")
    else:
        assert kind in ("open", "stick", "slip")
        assert not closing.any()
        hold(promises.NO_IMPULSE, np.abs(jump.P).max(initial=0.0), 0.0, f"impulse of an event {kind}")
        stops = (run.doing[run.result._record.event_source[k]] == "slips") & jump.sticks
        if not (jump.switched or stops.any()):  # as where a surface, or friction by which another contact pushes, ends
            force, weight = _forces_before(run, k, jump)
            hold(promises.EVENT_TIME, force[opening], 1e-6 * weight[opening], "force of a contact that opens")


def _forces_before(run: Run, k: int, jump: Jump) -> tuple[np.ndarray, np.ndarray]:
    """The contact forces just before an event, and what to compare them with.

    That is the force that alone would stop what the load accelerates, or the force a step before: the load may vanish.
    """
    result, record = run.result, run.result._record
    at = np.array([record.event_sample[k]])
    force, places = result._model.quantity("force"), (at, np.maximum(at - 1, 0))
    now, then = (force(record.t[i], record.x[i].T, record.stage[i])[:, 0] for i in places)
    f = run.before.terms[1][k]
    alone = np.einsum("ij,ij->i", jump.rows.N, np.linalg.solve(jump.M, jump.rows.N.T).T)
    weight = np.abs(jump.rows.N) @ np.abs(np.linalg.solve(jump.M, f)) / np.where(alone > 0.0, alone, np.inf)
    return now, np.maximum(weight, then)


def check_places(run: Run, k: int) -> None:
    """An event happens where its contacts touch, and no contact is within a surface."""
    if not run.truth.model.contacts:
        return
    event, names = run.result.events[k], [contact.name for contact in run.truth.model.contacts]
    taken = np.array([name in event.contacts for name in names])
    near = run.band if event.t == run.result.t_span[0] or run.rtol > promises.DEFAULT_RTOL else run.together
    for side in (run.before, run.after):
        gaps, rounding = side.gaps[k], side.gap_rounding[k]
        hold(promises.DEAD_BAND, -gaps, run.band + rounding, "depth of a contact at an event")
        if event.kind not in STILL:
            hold(promises.TOGETHER, np.abs(gaps)[taken], near + rounding[taken], "gap of who takes part")


def check_coordinates(run: Run, k: int, jump: Jump) -> None:
    """Coordinates move only as far as closing contacts asks for: no more than the gaps that this closes."""
    event, truth = jump.event, run.truth
    minus, plus = np.array(event.x_minus), np.array(event.x_plus)
    moved = np.abs(plus - minus)[: truth.n]
    if not jump.after.any():
        hold(promises.BOTH_SIDES, moved, 0.0, "coordinates")
        return
    gaps, rounding = run.after.gaps[k], run.after.gap_rounding[k]
    hold(
        promises.CLOSED,
        np.abs(gaps[jump.after]),
        (promises.ABOUT * promises.CLOSED.number * run.length + rounding)[jump.after],
        "gap of a contact after it closed",
    )
    closed = (run.before.gaps[k] - gaps)[jump.after]
    slopes = run.before.slopes[k, :, 1:][jump.after]
    least = np.abs(np.linalg.lstsq(slopes, closed, rcond=1e-9)[0]).max()
    hold(
        promises.BOTH_SIDES,
        moved,
        4 * least + ROUNDING * np.abs(minus[: truth.n]).max(),
        "coordinates beyond what closing asks for",
    )


def check_momentum(jump: Jump) -> None:
    """M (u+ - u-) = W Lambda, but for slow rates of closed contacts and slow slip, which are taken along their rows."""
    size = sum(np.sqrt(u @ jump.M @ u) for u in (jump.minus, jump.middle, jump.plus))
    allowed = promises.LAW.number * size + jump.rest * np.sqrt(np.trace(jump.M))
    hold(promises.NO_IMPULSE, np.linalg.norm(jump.settled[2]), allowed, "momentum that no contact gave")
    hold(
        promises.SKIPPED,
        np.abs(jump.rows.rates(jump.middle))[jump.resting],
        jump.hop + jump.slack,
        "rate left by the law",
    )
    if jump.event.kind in ("open", "stick", "slip", "close"):
        slips = np.linalg.norm(jump.rows.slips(jump.middle), axis=1)[jump.sticks]
        hold(promises.SLOW_SLIP, slips, jump.creep + jump.slack, "slip of a contact that begins to stick")


def check_end(run: Run, k: int, jump: Jump) -> None:
    """After an event closed contacts have no rate, and nothing that touches approaches after the last of an instant."""
    rates = run.after.rates[k]
    hold(promises.CLOSED, np.abs(rates[jump.after]), jump.slack, "rate of a contact after it closed")
    if jump.before.any():
        hold(promises.NEVER_PULLS, -rates[jump.before], jump.slack, "approach of a contact that was closed")
    events = run.result.events
    if k + 1 < len(events) and events[k + 1].t == jump.event.t:
        return
    if k + 1 == len(events) and jump.event.t == run.result._record.t[-1]:
        return  # a run that ended here may have an impact left to do
    hold(promises.NEVER_PULLS, -rates[jump.taken], jump.slack, "approach that an event leaves")


def check_cones(jump: Jump, model: HybridModel) -> None:
    """Impulses push, and those of friction are within their cones."""
    scale = promises.LAW.number * jump.P.max(initial=0.0)
    hold(promises.NEVER_PULLS, -jump.P, 0.0, "impulse")
    if not np.isfinite(jump.mu).all():
        return
    beyond = np.linalg.norm(jump.F, axis=1) - jump.mu * jump.P
    if model.law != Plastic():
        hold(promises.CONE, beyond, scale, "impulse of friction beyond its cone")
    along = np.abs(np.einsum("nc,nc->n", jump.F, jump.rows.normal))
    hold(promises.CONE, along, scale, "impulse of friction along the normal")


def check_newton(jump: Jump) -> None:
    """0 <= Lambda _|_ gamma+ + e gamma- >= 0 with the user's e, and friction against the slip after the impact.

    A hop no faster than v_c may be left out: then gamma+ is anything from 0 to that; with e = 1 nothing is left out.
    What was closed has gamma- = 0.
    """
    before, after = jump.rows.rates(jump.minus), jump.rows.rates(jump.middle)
    low = (before <= 0.0) & (-jump.e * before <= jump.hop) & (jump.e < 1.0)
    e = np.where(jump.before, 0.0, jump.e)
    excess = after + e * before
    hops = np.where(low, jump.hop, 0.0)
    taken = jump.taken
    hold(promises.LAW, -excess[taken], jump.slack + hops[taken], "approach below that of the law")
    pushing = taken & (promises.LAW.number * jump.P.max(initial=0.0) < jump.P)
    hold(promises.LAW, np.abs(excess)[pushing], jump.slack + hops[pushing], "gamma+ + e gamma- of who pushes")
    slips = jump.rows.slips(jump.middle)
    slip, grip = np.linalg.norm(slips, axis=1), jump.mu * jump.P
    turned = np.linalg.norm(jump.F + (grip / np.where(slip > 0, slip, 1.0))[:, np.newaxis] * slips, axis=1)
    loose = slip > jump.slack
    allowed = promises.LAW.number * grip.max(initial=0.0) + 2 * jump.slack / np.where(slip > 0, slip, 1.0) * grip
    hold(promises.CONE, turned[loose], allowed[loose], "impulse of friction that is not against the slip")


def check_energy(jump: Jump, gains: bool) -> None:
    """The certificate is the change of kinetic energy less the work of moving walls, and no gain."""
    mean, change = (jump.plus + jump.minus) / 2, jump.plus - jump.minus
    normal, friction, _ = jump.settled
    normal, friction = normal + jump.P, friction + jump.F
    moving = normal @ jump.rows.drift + (friction * jump.rows.slide).sum()
    kinetic = 0.5 * (jump.minus @ jump.M @ jump.minus + jump.plus @ jump.M @ jump.plus)
    terms = np.abs(normal) @ (np.abs(jump.rows.drift) + np.abs(jump.rows.rates(jump.minus)))
    terms += (np.abs(friction) * (np.abs(jump.rows.slide) + np.abs(jump.rows.slips(jump.minus)))).sum()
    allowed = promises.GAIN.number * (kinetic + terms) + np.trace(jump.M) * (ROUNDING * jump.speed) ** 2
    told = jump.event.energy
    hold(promises.NO_ENERGY, abs(told - mean @ jump.M @ change - moving), allowed, "certificate of an event")
    if not gains:
        hold(promises.GAIN, told, allowed, "energy that an event gained")
