"""What every simulated trajectory must satisfy, whatever the model: each test of a simulation runs `check_trajectory`.

Bounds come from the page of guarantees (`promises`). Gaps, their rates, normals and slips come from the user's points
and frames by SymPy, M and f from the user's bodies and loads (`contact_truth`); what the check leaves out, and why,
stands in `left_out_of_the_check`. Gaps are sampled densely between the events and looked at again where they are
lowest: a crossing that was missed shows as a penetration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import promises
import sympy as sm
from contact_truth import EPS, ROUNDING, Rows, States, Truth
from promises import hold
from trajectory_events import STILL, check_event

from sympact import HybridModel
from sympact.integrate.history.event import KINDS, EventKind
from sympact.integrate.result import Result

PLACES = 12
"""Looks between two samples."""

LOOKS = 24
"""Steps whose momentum is looked at, of each kind: in contact, and of all."""

SAMPLES = 200
"""Samples whose rates, slips and forces are looked at."""

STEP = 1e-11
"""Error of the speeds of one step (m/s or rad/s): some times the absolute tolerance of 1e-12."""

FINEST = 1024
"""Parts of a step that is integrated in a quaternion: rates of angles turn faster near a gimbal lock than the step."""

SHORT = 1e-6
"""Half of a step that an event cut short (s): it has the error of the whole one, which outweighs what it brings."""


@dataclass(frozen=True)
class Run:
    """A result with the truth about its model, and the scales that the page measures with.

    `length` is L, `accelerations` (1 + n_events,) the largest acceleration of a gap without contact forces up to each
    event, from the start on; `closed` (n_modes, n_contacts) who is closed in a mode; `before` and `after` the two sides
    of all events.
    """

    result: Result
    truth: Truth
    rtol: float
    length: float
    accelerations: np.ndarray
    doing: list[np.ndarray]
    closed: np.ndarray
    before: States
    after: States

    @classmethod
    def of(cls, result: Result, model: HybridModel, parameters: Mapping[sm.Symbol, float], rtol: float) -> Run:
        truth, record = Truth.of(model, parameters), result._record
        doing = [words(result, k) for k in range(len(result._program.stages))]
        closed = np.array([closed_contacts(result, k) for k in range(len(doing))]).reshape(len(doing), -1)
        before, after = (
            States(truth, record.t[k], record.x[k].T, side)
            for k, side in ((record.event_sample, -1.0), (record.event_sample + 1, 1.0))
        )
        counts = ~np.isin(record.event_kind, [KINDS.index(kind) for kind in STILL])
        found = [truth.at(record.t[0], record.x[0]).accelerations, np.where(counts, before.accelerations, 0.0)]
        largest = np.maximum.accumulate(np.concatenate(found))
        return cls(result, truth, rtol, length_of(result), largest, doing, closed, before, after)

    @cached_property
    def rounding(self) -> np.ndarray:
        """What rounding is in the gaps where the coordinates are largest, shape (n_contacts,)."""
        record = self.result._record
        k = np.abs(record.x).max(axis=1).argmax()
        return self.truth.at(record.t[k], record.x[k]).gap_rounding[0]

    @cached_property
    def band(self) -> float:
        """How deep a gap may be (m): the dead band, or the depth of the start where that is within what is allowed."""
        start = -self.truth.at(self.result._record.t[0], self.result._record.x[0]).gaps.min()
        hold(promises.START, start, promises.START.number * self.length + self.rounding.max(), "depth of the start")
        return max(max(min(self.rtol, promises.DEAD_BAND.number), 64 * EPS) * self.length, start)

    def turning(self, k: int) -> np.ndarray:
        """Whose edge is another one after event k than before: a corner passes a corner."""
        edges, sides = self.truth.formulas.edges, (self.before, self.after)
        turns = np.zeros_like(edges)
        for j in np.flatnonzero(edges):
            one, other = (side.places[j][:, k] for side in sides)
            turns[j] = (one != other).any()
        return turns

    @property
    def together(self) -> float:
        """How far apart contacts are that touch at once (m)."""
        return promises.TOGETHER.number * self.length

    def speed(self, k: int = -1) -> float:
        """sqrt(L a): the length in the time scale of the model, up to event k."""
        return float(np.sqrt(self.length * self.accelerations[k]))


def check_trajectory(
    result: Result,
    model: HybridModel,
    parameters: Mapping[sm.Symbol, float],
    *,
    gains: bool = False,
    rtol: float = promises.DEFAULT_RTOL,
    motion: float = promises.MOTION.number,
) -> None:
    """Assert what holds on every run: order of time, no penetration, forces and gaps, friction, impacts, energy.

    Parameters
    ----------
    result : Result
    model : HybridModel
        What was run. What only Newton's law and one problem for all contacts promise is asked where these were taken.
    parameters : mapping of Symbol to float
        As given to the run.
    gains : bool
        Whether impacts may gain energy: contacts of different restitution that hit together.
    rtol : float
        As given to the run.
    motion : float
        What a step may get wrong of the momentum that forces bring; steppers of low order need more than the default.
    """
    run = Run.of(result, model, parameters, rtol)
    check_times(result)
    check_continuity(run)
    check_gaps(run)
    check_forces(run)
    check_motion(run, motion)
    for k in range(len(result.events)):
        check_event(run, k, gains)


def checked_run(model: HybridModel, t_span: Sequence[float], x0, parameters: Mapping[sm.Symbol, float], **options):
    """The result of `HybridModel.simulate` with these arguments, which has passed `check_trajectory`."""
    result = model.simulate(t_span, x0, parameters, **options)
    check_trajectory(result, model, parameters, rtol=options.get("rtol", promises.DEFAULT_RTOL))
    return result


# What is read of a result.


def word_of(stage, contact: str) -> str:
    """What a contact does in a mode: "open", "closed", "sticks", "slips" or "touches"."""
    for word in stage.name.split(" [")[0].removesuffix(" (at rest)").split(", "):
        if word == contact:
            return "closed"
        if word.rpartition(" ")[0] == contact:
            return word.rpartition(" ")[2]
    return "open"


def words(result: Result, mode: int) -> np.ndarray:
    """The same for all contacts."""
    stage = result._program.stages[mode]
    return np.array([word_of(stage, name) for name in stage.boundary_names[: stage.contacts]], dtype=object)


def kinds(result: Result) -> list[EventKind]:
    """What each event was."""
    return [tuple(EventKind)[kind] for kind in result._record.event_kind]


def accumulations(result: Result) -> list[tuple[float, float, float]]:
    """(t, t_inf, its error) of each accumulation."""
    record = result._record
    found = zip(
        record.event_t, record.event_numbers["t_inf"], record.event_numbers["t_inf_error"], kinds(result), strict=True
    )
    return [(t, t_inf, error) for t, t_inf, error, kind in found if kind == "accumulation"]


def samples(result: Result) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Times, states (one column each) and modes of the accepted steps, also of a run with `t_eval`."""
    record = result._record
    return record.t, record.x.T, record.stage


def modes_at(result: Result, t: np.ndarray) -> np.ndarray:
    """The mode at any time, after the jump where there is one."""
    record = result._record
    return record.stage[np.minimum(np.searchsorted(record.t, t, side="right"), len(record.t) - 1)]


def forces_at(result: Result, t: np.ndarray, x: np.ndarray, mode: np.ndarray) -> np.ndarray:
    """The contact forces at states of given modes, shape (n_contacts, k)."""
    return result._model.quantity("force")(t, x, mode)


def frictions_at(result: Result, t: np.ndarray, x: np.ndarray, mode: np.ndarray) -> np.ndarray:
    """The forces of friction at states of given modes, shape (n_contacts, 3, k)."""
    return result._model.quantity("friction_force")(t, x, mode)


def forces(result: Result) -> np.ndarray:
    """The contact forces at the accepted steps, shape (n_contacts, n_samples)."""
    return forces_at(result, *samples(result))


def length_of(result: Result) -> float:
    """What the run compared lengths with (m)."""
    return result.settings.get("length", 1.0)


def closed_contacts(result: Result, mode: int) -> np.ndarray:
    """Which contacts are closed in a mode, by its name."""
    return np.array([word != "open" for word in words(result, mode)], dtype=bool)


def at_rest(result: Result, mode: int) -> bool:
    """Whether nothing moves in a mode."""
    return result._program.stages[mode].name.split(" [")[0].endswith(" (at rest)")


# What holds along the run.


def check_times(result: Result) -> None:
    """Samples and events are in the order of time, and a jump is two samples at one time."""
    events = result.events.t
    assert np.isfinite(result.x).all()
    assert (np.diff(result.t) >= 0).all()
    assert (np.diff(events) >= 0).all()
    if len(events):
        assert result.t_span[0] <= events[0]
        assert events[-1] <= result.t_span[1]


def check_continuity(run: Run) -> None:
    """The state changes at events only, and what events tell of it is what the samples and the dense output have."""
    result, record = run.result, run.result._record
    jumps = np.flatnonzero(record.h[1:] == 0.0)
    expected = np.unique(record.event_sample)
    assert set(expected) == set(jumps), "promised: every jump of the state is an event"
    for event, k in zip(result.events, record.event_sample, strict=True):
        assert (np.asarray(event.x_minus) == record.x[k]).all()
        assert (np.asarray(event.x_plus) == record.x[k + 1]).all()
        assert record.t[k] == event.t == record.t[k + 1]
    inside = np.flatnonzero(record.h)
    scale = np.abs(record.x).max(axis=0)[:, np.newaxis]
    off = np.abs(result(record.t[inside], side="left") - record.x[inside].T) - ROUNDING * scale
    hold(promises.BOTH_SIDES, off, 10 * run.rtol * scale + STEP, "dense output at the samples")


def check_gaps(run: Run) -> None:
    """No penetration, between the samples and where a gap is lowest between two looks."""
    result, truth, rtol = run.result, run.truth, run.rtol
    if not truth.model.contacts:
        return
    between = (promises.CLOSED_BETWEEN.number if rtol <= promises.DEFAULT_RTOL else rtol) * run.length
    rounding = run.rounding[:, np.newaxis]

    def look(times, which=slice(None)):
        x, more = result(times), rounding[which]
        gaps, held = truth.gaps(times, x)[which], run.closed[modes_at(result, times)].T[which]
        open_there = ~held & truth.active(times, x)[which]
        hold(promises.DEAD_BAND, np.where(open_there, -gaps, 0.0), run.band + more, "depth of an open contact")
        hold(promises.CLOSED_BETWEEN, np.where(held, np.abs(gaps), 0.0), between + more, "gap of a closed contact")
        return gaps

    ends = np.unique(np.concatenate([result.t_span, result.t]))
    steps = np.diff(ends)[:, np.newaxis] * np.arange(PLACES) / PLACES
    times = np.append((ends[:-1, np.newaxis] + steps).ravel(), ends[-1])
    for j, gap in enumerate(look(times)):
        lowest = _vertices(times, gap)
        if len(lowest):
            look(lowest, [j])


def _vertices(t: np.ndarray, gap: np.ndarray) -> np.ndarray:
    """Where the parabolas through three looks are lowest, for the looks that are lower than their neighbours."""
    k = np.flatnonzero((gap[1:-1] < gap[:-2]) & (gap[1:-1] < gap[2:])) + 1
    before, after = t[k] - t[k - 1], t[k + 1] - t[k]
    fall, rise = (gap[k] - gap[k - 1]) / before, (gap[k + 1] - gap[k]) / after
    vertex = t[k] - (fall * after + rise * before) / (2 * (rise - fall))
    return np.clip(vertex, t[k - 1], t[k + 1])


def check_forces(run: Run) -> None:
    """0 <= lambda _|_ g >= 0: open contacts have no force, closed ones neither pull nor have a gap or a gap rate.

    Friction is within its cone and against the slip, and what sticks does not slip.
    """
    result, truth = run.result, run.truth
    if not truth.model.contacts:
        return
    t, x, mode = samples(result)
    force, friction = forces(result), frictions_at(result, t, x, mode)
    closed = run.closed[mode].T
    hold(promises.NEVER_PULLS, -force, 0.0, "force of a contact")
    assert not force[~closed].any()
    held = np.flatnonzero(closed.any(axis=0))
    held = held[:: len(held) // SAMPLES + 1]
    here, speed = closed[:, held].T, run.speed()
    at = States(truth, t[held], x[:, held], np.where(result._record.h[held] == 0.0, 1.0, -1.0))
    allowed = promises.ABOUT * promises.CLOSED.number * run.length + at.gap_rounding
    hold(promises.CLOSED, np.abs(at.gaps)[here], allowed[here], "gap of a closed contact at a sample")
    for k, i in enumerate(held):
        rows, u = at.rows[k], x[truth.n :, i]
        hold(promises.CLOSED, np.abs(rows.rates(u))[here[k]], ROUNDING * (rows.sizes + speed)[here[k]], "its rate")
        if truth.formulas.rubbing.size:
            check_friction(run, rows, i, force[:, i], friction[:, :, i])
        if at_rest(result, mode[i]):
            check_balance(u, at.terms[0][k], at.terms[1][k], rows.push(force[:, i], friction[:, :, i]))


def check_friction(run: Run, rows: Rows, k: int, force: np.ndarray, friction: np.ndarray) -> None:
    """Forces of friction in their cones; what slips is opposed, what sticks does not slip."""
    record, speed = run.result._record, run.speed()
    x, doing = record.x[k], run.doing[record.stage[k]]
    slips, scale = rows.slips(x[run.truth.n :]), promises.FORCES.number * force.max(initial=0.0)
    mu, static = run.truth.frictions(record.t[k], x, slips).T
    size, slip = np.linalg.norm(friction, axis=1), np.linalg.norm(slips, axis=1)
    fast = (doing == "slips") & (slip > promises.ABOUT * promises.OWN_DIRECTION.number * speed)
    coefficient = np.where(fast, mu, np.where(doing == "slips", np.maximum(mu, static), static))
    hold(promises.FORCES, size - coefficient * force, scale, "friction beyond its cone")
    hold(promises.CONE, np.abs(np.einsum("nc,nc->n", friction, rows.normal)), scale, "friction along the normal")
    hold(promises.CONE, size[(doing == "open") | (doing == "closed")], 0.0, "friction of a contact that does not rub")
    stuck = doing == "sticks"
    hold(promises.STICKS, slip[stuck], ROUNDING * (rows.velocities + speed)[stuck], "slip of a contact that sticks")
    opposed = -(mu * force / np.where(slip > 0, slip, 1.0))[:, np.newaxis] * slips
    turned = np.linalg.norm(friction - opposed, axis=1)
    allowed = promises.LAW.number * (
        1 + rows.velocities / np.where(slip > 0, slip, 1.0)
    ) * mu * force + promises.LAW.number * force.max(initial=0.0)
    hold(promises.CONE, turned[fast], allowed[fast], "friction that is not against the slip")


def check_balance(u: np.ndarray, mass: np.ndarray, forcing: np.ndarray, pushed: np.ndarray) -> None:
    """At rest u = 0, and the forces of contact balance the others: |M^-1/2 (f + W lambda)| <= 1e-9 |M^-1/2 f|."""
    factor = np.linalg.cholesky(mass)
    free, held = (np.linalg.norm(np.linalg.solve(factor, part)) for part in (forcing, forcing + pushed))
    hold(promises.FROZEN, np.abs(u), 0.0, "speeds at rest")
    hold(promises.REST_ACCELERATION, held, promises.REST_ACCELERATION.number * free, "acceleration at rest")


def check_motion(run: Run, motion: float) -> None:
    """M u' = f + W lambda over single steps: what u gains is what the forces bring, by Gauss's rule of eight points."""
    record, n = run.result._record, run.truth.n
    steps = np.flatnonzero(record.h)
    in_contact = run.closed[record.stage[steps]].any(axis=1)
    chosen = [part[:: len(part) // LOOKS + 1] for part in (steps, steps[in_contact])]
    chosen = np.unique(np.concatenate(chosen))
    middle, half = (record.t[chosen] + record.t[chosen - 1]) / 2, (record.t[chosen] - record.t[chosen - 1]) / 2
    long = half > 1e-9 * np.maximum(1.0, np.abs(middle))  # others have times rounded by more than the rule allows
    chosen, middle, half = chosen[long], middle[long], half[long]
    slow = creeps(run, chosen - 1, chosen) | creeps(run, chosen, chosen)
    chosen, middle, half = chosen[~slow], middle[~slow], half[~slow]
    if not chosen.size:
        return
    fastest = np.abs(record.x[:, n:]).max()
    rounding = ROUNDING * fastest + STEP + np.where(half <= SHORT, 10 * run.result.settings["rtol"] * fastest, 0.0)
    panels = 1
    while True:
        gained, brought = momentum(run, middle, half, record.stage[chosen], panels)
        difference = np.abs(record.x[chosen, n:] - record.x[chosen - 1, n:] - gained).max(axis=1)
        short = difference <= motion * brought + rounding
        if short.all() or panels >= (FINEST if run.truth.model.turning.model else 1):
            break
        chosen, middle, half, rounding = chosen[~short], middle[~short], half[~short], rounding[~short]
        panels *= 4
    hold(promises.MOTION, difference, motion * brought + rounding, "momentum of a step")


def momentum(
    run: Run, middle: np.ndarray, half: np.ndarray, mode: np.ndarray, panels: int
) -> tuple[np.ndarray, np.ndarray]:
    """What forces bring to the speeds over steps, each in equal parts, and the largest sum of its sizes."""
    nodes, weights = np.polynomial.legendre.leggauss(8)
    ends = np.linspace(-1.0, 1.0, panels + 1)
    places = ((ends[1:] + ends[:-1])[:, np.newaxis] / 2 + nodes / panels).ravel()
    weights = np.tile(weights / panels, panels)
    times = middle[:, np.newaxis] + half[:, np.newaxis] * places
    parts = accelerations(run, times.ravel(), mode.repeat(len(places))).reshape(2, *times.shape, -1)
    gained = half[:, np.newaxis] * np.einsum("w,kwu->ku", weights, parts.sum(axis=0))
    return gained, half * np.einsum("w,kwu->ku", weights, np.abs(parts).sum(axis=0)).max(axis=1)


def creeps(run: Run, samples: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """Whether at samples contacts that slip in steps have slips too slow to have a direction of their own."""
    record = run.result._record
    slipping = np.array([run.doing[mode] == "slips" for mode in record.stage[steps]], dtype=bool)
    slow, some = np.zeros(len(steps), dtype=bool), np.flatnonzero(slipping.any(axis=1)) if slipping.size else []
    if not len(some):
        return slow
    states = States(run.truth, record.t[samples[some]], record.x[samples[some]].T)
    for k, rows, u in zip(some, states.rows, states.x[run.truth.n :].T, strict=True):
        slip = np.linalg.norm(rows.slips(u), axis=1)[slipping[k]]
        slow[k] = (slip <= promises.ABOUT * promises.OWN_DIRECTION.number * run.speed()).any()
    return slow  # the direction of friction is the step's own there


def accelerations(run: Run, t: np.ndarray, mode: np.ndarray) -> np.ndarray:
    """M^-1 f and M^-1 W lambda in modes, shape (2, k, n_speeds); none at rest, where they balance."""
    states = States(run.truth, t, run.result(t))
    mass, forcing = states.terms
    pushed = np.zeros_like(forcing)
    held = np.flatnonzero(run.closed[mode].any(axis=1))
    if held.size:
        here = States(run.truth, t[held], states.x[:, held])
        force, friction = (of(run.result, here.t, here.x, mode[held]) for of in (forces_at, frictions_at))
        pushed[held] = [rows.push(force[:, k], friction[:, :, k]) for k, rows in enumerate(here.rows)]
    found = np.linalg.solve(mass, np.stack([forcing, pushed], axis=-1))
    found[[at_rest(run.result, k) for k in mode]] = 0.0
    return np.moveaxis(found, -1, 0)
