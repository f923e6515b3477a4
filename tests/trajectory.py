"""What every simulated trajectory must satisfy, whatever the model: each test of a simulation runs `check_trajectory`.

The gaps are SymPy's own (positions of points along normals) and so are their rates; from the model come the mass
matrix, the forcing and q', which have tests of their own. Gaps are sampled densely between the events and looked at
again where they are lowest: a crossing that was missed shows as a penetration.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
import sympy as sm
from gap_formulas import gap_of
from rubbing_truth import FAST, SLOW, Rubbing, check_blow, check_friction, words
from sympy.physics.mechanics import dynamicsymbols

from sympact import HybridModel, Newton, Simultaneous
from sympact.integrate.history.event import EventKind
from sympact.integrate.result import Result

PENETRATION = 1e-9
"""Of the model's length: what is promised of every gap at every time."""

ROUNDING = 1e-9
"""Of the terms of an equation: its residual, in speeds and impulses that went through a mass matrix."""

EPS = 64 * np.finfo(float).eps
"""Of a speed: what its rounding, and that of the mass matrix, may do to a small change of it."""

BETWEEN = 1
"""Of the length and rtol: how far from zero closed gaps may be between samples, where a polynomial stands for them."""

STEP = 1e-11
"""Error of the speeds of one step (m/s or rad/s): some times the absolute tolerance of 1e-12."""

HOP = 1e-10
"""Of the length: rebounds that would be lower are taken out."""

PART = 0.01
"""Of the largest acceleration of the run: what counts at least as one where all others vanish."""

NEAR = 1e-12
"""Of the length: how far apart contacts are that touch at once, and so how far closing them moves the model."""

START = 1e-10
"""Of the length: how far below a surface a start is still one on it."""

REST = 2e-12
"""Of the speed that the free acceleration makes in the time scale: speeds that count as none at rest."""

SHORT = 1e-6
"""Half of a step that an event cut short (s): it has the error of the whole one, which outweighs what it brings."""

PLACES = 12
"""Looks between two samples."""

LOOKS = 24
"""Steps whose momentum is looked at, of each kind: in contact, and of all."""

MOTION = 1e-5
"""Of the momentum that the forces, each by itself, bring in a step: states within it are good to 1e-6 at rtol 1e-6."""


def check_trajectory(
    result: Result,
    model: HybridModel,
    parameters: Mapping[sm.Symbol, float],
    *,
    gains: bool = False,
    rtol: float = 1e-9,
    motion: float = MOTION,
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
    truth = Truth.of(model, parameters)
    length, speed = length_of(result), speed_of(result, truth)
    check_times(result)
    check_gaps(result, truth, length, rtol)
    check_forces(result, truth, length, speed)
    check_motion(result, truth, motion, speed)
    largest = truth.largest_accelerations(result)
    for k in range(len(result.events)):
        jump = Jump.of(result, k, truth, speed, largest[k])
        if jump.kind == "switch":
            assert np.abs(jump.change).max() <= EPS * np.abs(jump.total).max()
            assert np.abs(jump.q_change).max() <= EPS * jump.reach
            continue
        check_kind(jump)
        check_places(jump, length)
        check_law(jump, model)
        check_energy(jump, gains)


# What is read of a result.


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
    return result._hooks.force(t, x, mode)


def frictions_at(result: Result, t: np.ndarray, x: np.ndarray, mode: np.ndarray) -> np.ndarray:
    """The forces of friction at states of given modes, shape (n_contacts, 3, k)."""
    return result._hooks.friction_force(t, x, mode)


def forces(result: Result) -> np.ndarray:
    """The contact forces at the accepted steps, shape (n_contacts, n_samples)."""
    return forces_at(result, *samples(result))


def length_of(result: Result) -> float:
    """What the run compared lengths with (m)."""
    return result.settings.get("length", 1.0)


def speed_of(result: Result, truth: Truth) -> float:
    """The length in the time in which the largest acceleration of a gap, at the start or at an event, covers it.

    Zero without contacts.
    """
    if not truth.model.contacts:
        return 0.0
    record = result._record
    places = [0, *record.event_sample[:20]]
    largest = max(truth.acceleration(record.t[k], record.x[k]) for k in places)
    return np.sqrt(length_of(result) * largest)


def closed_contacts(result: Result, mode: int) -> np.ndarray:
    """Which contacts are closed in a mode, by its name."""
    return np.array([word != "open" for word in words(result, mode)], dtype=bool)


def at_rest(result: Result, mode: int) -> bool:
    """Whether nothing moves in a mode."""
    return result._program.stages[mode].name.endswith(" (at rest)")


@dataclass(frozen=True)
class Truth:
    """A model's gaps and what its impacts are made of, in numbers.

    `heights` and `slopes` are functions of (t, x): the gaps, shape (n_contacts, ...), and their derivatives by t and
    each coordinate, shape (n_contacts, 1 + n_coordinates).
    """

    model: HybridModel
    p: np.ndarray
    heights: Callable
    slopes: Callable

    @classmethod
    def of(cls, model: HybridModel, parameters: Mapping[sm.Symbol, float]) -> Truth:
        known = {letter: parameters[letter] for letter in model.parameters}
        p = model.compile().parameters(known)
        heights, slopes = _heights(model)
        return cls(model, p, lambda t, x: heights(t, x, p), lambda t, x: slopes(t, x, p))

    def rounding(self, t: float, x: np.ndarray) -> np.ndarray:
        """What rounding may do to the gap rates, whose parts may be larger than they are, shape (n_contacts,)."""
        n = len(self.model.q)
        return EPS * np.abs(self.slopes(t, x)) @ np.abs([1.0, *self.model.compile().flow(t, x, self.p)[:n]])

    def normals(self, t: float, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """W^T and w, found from the rates themselves: they are linear in the speeds."""
        n = len(self.model.q)
        units, slopes = np.concatenate([np.zeros((1, len(x) - n)), np.eye(len(x) - n)]), self.slopes(t, x)
        turns = [self.model.compile().flow(t, np.append(x[:n], unit), self.p)[:n] for unit in units]
        rates = slopes @ np.insert(turns, 0, 1.0, axis=1).T
        return rates[:, 1:] - rates[:, :1], rates[:, 0]

    def terms(self, t: float, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """M and f."""
        return self.model.compile().mass_forcing(t, x, self.p)

    def rubbing(self, t: float, x: np.ndarray) -> Rubbing:
        """The slips."""
        return Rubbing.of(self.model, self.p, t, x)

    def acceleration(self, t: float, x: np.ndarray) -> float:
        """The largest acceleration of a gap in free motion or part of one, which tells how high a hop is."""
        compiled = self.model.compile()
        everything, flow = compiled.all_parameters(self.p), compiled.flow(t, x, self.p)
        along = compiled.boundary(t, np.ascontiguousarray(x), everything, flow)
        parts = np.abs(self.normals(t, x)[0]) @ np.abs(flow[len(self.model.q) :])
        return max(np.abs(along.reshape(3, -1)[2]).max(), parts.max())

    def largest_accelerations(self, result: Result) -> np.ndarray:
        """The largest such acceleration from the start of the run to each event."""
        record = result._record
        places = [0, *record.event_sample]
        return np.maximum.accumulate([self.acceleration(record.t[k], record.x[k]) for k in places])[1:]

    def restitutions(self, t: float, x: np.ndarray) -> np.ndarray:
        """e of each contact."""
        restitution = self.model.quantities([contact.restitution for contact in self.model.contacts])
        return np.array(restitution(t, x, self.model.compile().all_parameters(self.p)), dtype=float)


@dataclass(frozen=True)
class Jump:
    """One event with its two sides, for all contacts of the model.

    `impulse` is that of the law (N s), `rubbed` (n, 3) that of friction; `rows` are W_N^T and the lines of the slips,
    one after the other, and `drift` what they have at u = 0. `settling`, a number for each row, is what brings the
    rates of closed contacts, and the slips of sticking ones, from what the law leaves to zero; `stopped` are speeds
    that count as none where all comes to rest: 1e-12 of what the free acceleration makes in the time in which it covers
    the length.
    `speed` is the length in the time scale. `weight` is what a force is compared with: the largest that the load could
    make, or what it was a step before, for the load itself may vanish.
    """

    kind: EventKind
    taken: np.ndarray
    switched: bool
    closed_before: np.ndarray
    closed_after: np.ndarray
    slow: float
    reported: float
    t_inf: float
    depth: float
    restitution: np.ndarray
    normal: np.ndarray
    rows: np.ndarray
    drift: np.ndarray
    rub: Rubbing
    gap_minus: np.ndarray
    gap_plus: np.ndarray
    reach: float
    q_change: np.ndarray
    force_minus: np.ndarray
    weight: np.ndarray
    rounding: np.ndarray
    rate_minus: np.ndarray
    rate_plus: np.ndarray
    mass: np.ndarray
    impulse: np.ndarray
    rubbed: np.ndarray
    speed: float
    settling: np.ndarray
    stopped: np.ndarray
    change: np.ndarray
    total: np.ndarray

    @classmethod
    def of(cls, result: Result, k: int, truth: Truth, speed: float, largest: float) -> Jump:
        event, record, model = result.events[k], result._record, truth.model
        t, minus, plus, n = event.t, np.array(event.x_minus), np.array(event.x_plus), len(model.q)
        normal, drift = truth.normals(t, minus)
        rub = truth.rubbing(t, minus)
        rows = np.concatenate([normal, rub.lines.reshape(3 * len(normal), -1)])
        mass, forcing = truth.terms(t, minus)
        source, target = record.event_source[k], record.event_target[k]
        closed_after = closed_contacts(result, target)
        change, impulse = plus[n:] - minus[n:], np.array(record.event_impulse[k][: len(normal)])
        rubbed = np.array(record.event_friction[k]) if record.event_friction.size else np.zeros((len(normal), 3))
        stopped_slip = closed_after & (np.linalg.norm(rub.slip, axis=1) <= 2 * SLOW * speed)
        held = np.concatenate([closed_after, np.repeat(stopped_slip | (words(result, target) == "sticks"), 3)])
        lost = mass @ change - rows.T @ np.concatenate([impulse, rubbed.ravel()])
        acceleration, stopped = max(truth.acceleration(t, minus), PART * largest), np.zeros(len(change))
        if at_rest(result, target):
            fall = np.sqrt(length_of(result) / (acceleration or 1.0))
            stopped[:] = REST * fall * np.linalg.norm(np.linalg.solve(np.linalg.cholesky(mass), forcing))
            stopped /= np.sqrt(np.linalg.eigvalsh(mass)[0])
        left = np.array([record.event_sample[k]])
        forces_before = forces_at(result, *(part[..., np.maximum(left - 1, 0)] for part in samples(result)))
        return cls(
            kind=tuple(EventKind)[record.event_kind[k]],
            taken=record.event_fired[k][: len(normal)],
            switched=record.event_fired[k][len(normal) :].any(),
            closed_before=closed_contacts(result, source),
            closed_after=closed_after,
            slow=np.sqrt(2 * HOP * length_of(result) * acceleration),
            reported=event.energy,
            t_inf=record.event_numbers["t_inf"][k] - t,
            depth=START if t == result.t_span[0] else NEAR,
            restitution=truth.restitutions(t, minus),
            normal=normal,
            rows=rows,
            drift=np.concatenate([drift, rub.drift.ravel()]),
            rub=rub,
            gap_minus=truth.heights(t, minus),
            gap_plus=truth.heights(t, plus),
            reach=np.abs(plus[:n]).max(),
            q_change=plus[:n] - minus[:n],
            force_minus=forces_at(result, *(part[..., left] for part in samples(result)))[:, 0],
            weight=np.maximum(_weights(mass, normal, forcing), forces_before[:, 0]),
            rounding=truth.rounding(t, plus),
            rate_minus=normal @ minus[n:] + drift,
            rate_plus=normal @ plus[n:] + drift,
            mass=mass,
            impulse=impulse,
            stopped=stopped,
            rubbed=rubbed,
            speed=speed,
            settling=_settling(mass, rows, held, lost),
            change=change,
            total=plus[n:] + minus[n:],
        )

    @property
    def push(self) -> np.ndarray:
        """All impulses by row, those that settle closed contacts included (N s)."""
        return np.concatenate([self.impulse, self.rubbed.ravel()]) + self.settling

    @property
    def by_law(self) -> np.ndarray:
        """What the impulses of the law do to the speeds, without the settling."""
        return np.linalg.solve(self.mass, self.rows.T @ np.concatenate([self.impulse, self.rubbed.ravel()]))

    @property
    def rate_middle(self) -> np.ndarray:
        """The gap rates after the law and before the settling."""
        return self.rate_minus + self.normal @ self.by_law

    def speeds(self) -> np.ndarray:
        """The sizes of the terms that make the gap rates, shape (n_contacts,)."""
        return np.abs(self.normal) @ (np.abs(self.total) + np.abs(self.change)) + np.abs(self.drift[: len(self.normal)])

    def noise(self) -> np.ndarray:
        """What rounding of the speeds does to the momenta, shape (n_speeds,)."""
        return EPS * np.abs(self.mass) @ (np.abs(self.total) + np.abs(self.change))


def _weights(mass: np.ndarray, normal: np.ndarray, forcing: np.ndarray) -> np.ndarray:
    """The force of each contact alone that would stop what the load accelerates, all its parts one way."""
    alone = np.einsum("ij,ij->i", normal, np.linalg.solve(mass, normal.T).T)
    return np.abs(normal) @ np.abs(np.linalg.solve(mass, forcing)) / np.where(alone > 0.0, alone, np.inf)


def _settling(mass: np.ndarray, rows: np.ndarray, held: np.ndarray, momentum: np.ndarray) -> np.ndarray:
    """The impulses along held rows that come nearest to giving a momentum, in the metric of the mass matrix."""
    found = np.zeros(len(rows))
    if held.any():
        factor = np.linalg.cholesky(mass)
        columns = np.linalg.solve(factor, rows[held].T)
        found[held] = np.linalg.lstsq(columns, np.linalg.solve(factor, momentum), rcond=1e-9)[0]
    return found


@cache
def _heights(model: HybridModel) -> tuple[Callable, Callable]:
    """The gaps by SymPy, and their derivatives by t and q, as functions of (t, x, p)."""
    gaps = [gap_of(contact) for contact in model.contacts]
    t = dynamicsymbols._t
    dummies = sm.symbols(f"x:{len(model.x)}")
    letters = dict(zip(model.x, dummies, strict=True))
    written = [sm.sympify(gap).xreplace(letters) for gap in gaps]
    slopes = [[gap.diff(letter) for letter in (t, *dummies[: len(model.q)])] for gap in written]
    arguments = (t, dummies, model.parameters)
    height, slope = (sm.lambdify(arguments, part, cse=True) for part in (written, slopes))

    def heights(t, x, p):
        return np.stack(np.broadcast_arrays(*height(t, x, p), np.asarray(t, dtype=float))[:-1])

    return heights, lambda t, x, p: np.array(slope(t, x, p), dtype=float)


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


def check_gaps(result: Result, truth: Truth, length: float, rtol: float) -> None:
    """No penetration, between the samples and where a gap is lowest between two looks.

    Closed gaps are kept at zero at the samples (`check_forces`); between them they are as good as the states are there.
    """
    closed = np.array([closed_contacts(result, k) for k in range(len(result._program.stages))])

    def lowest_allowed(times):
        held = closed[modes_at(result, times)].T
        return -length * np.where(held, max(PENETRATION, BETWEEN * rtol), PENETRATION)

    ends = np.unique(np.concatenate([result.t_span, result.t]))
    steps = np.diff(ends)[:, np.newaxis] * np.arange(PLACES) / PLACES
    times = np.append((ends[:-1, np.newaxis] + steps).ravel(), ends[-1])
    gaps = truth.heights(times, result(times))
    assert (gaps >= lowest_allowed(times)).all()
    for gap in gaps:
        lowest = _vertices(times, gap)
        assert (truth.heights(lowest, result(lowest)) >= lowest_allowed(lowest)).all()


def _vertices(t: np.ndarray, gap: np.ndarray) -> np.ndarray:
    """Where the parabolas through three looks are lowest, for the looks that are lower than their neighbours."""
    k = np.flatnonzero((gap[1:-1] < gap[:-2]) & (gap[1:-1] < gap[2:])) + 1
    before, after = t[k] - t[k - 1], t[k + 1] - t[k]
    fall, rise = (gap[k] - gap[k - 1]) / before, (gap[k + 1] - gap[k]) / after
    vertex = t[k] - (fall * after + rise * before) / (2 * (rise - fall))
    return np.clip(vertex, t[k - 1], t[k + 1])


def check_forces(result: Result, truth: Truth, length: float, speed: float) -> None:
    """0 <= lambda _|_ g >= 0: open contacts have no force, closed ones neither pull nor have a gap or a gap rate.

    Friction is within its cone and against the slip, and what sticks does not slip.
    """
    if not truth.model.contacts:
        return
    t, x, mode = samples(result)
    force, friction = forces(result), frictions_at(result, t, x, mode)
    doing = [words(result, k) for k in range(mode.max() + 1)]
    closed = np.array([closed_contacts(result, k) for k in range(mode.max() + 1)])[mode].T
    fastest = np.abs(x[len(truth.model.q) :]).max()
    assert (force >= 0.0).all()
    assert not force[~closed].any()
    assert np.abs(truth.heights(t, x)[closed]).max(initial=0.0) <= PENETRATION * length
    for k in np.flatnonzero(closed.any(axis=0)):
        normal, drift = truth.normals(t[k], x[:, k])
        u = x[len(truth.model.q) :, k]
        sizes = np.abs(normal) @ np.abs(u) + np.abs(drift)
        rounding = EPS * np.linalg.norm(normal, axis=1) * fastest
        assert (np.abs(normal @ u + drift) <= ROUNDING * sizes + rounding)[closed[:, k]].all()
        rub = truth.rubbing(t[k], x[:, k])
        if rub.static.any():
            check_friction(force[:, k], friction[:, :, k], rub, doing[mode[k]], speed)
        if at_rest(result, mode[k]):
            pushed = normal.T @ force[:, k] + np.einsum("ncm,nc->m", rub.lines, friction[:, :, k])
            check_balance(truth, t[k], x[:, k], pushed)


def check_balance(truth: Truth, t: float, x: np.ndarray, pushed: np.ndarray) -> None:
    """At rest u = 0, and the forces of contact balance the others: |M^-1/2 (f + W lambda)| <= 1e-9 |M^-1/2 f|."""
    mass, forcing = truth.terms(t, x)
    factor = np.linalg.cholesky(mass)
    free, held = (np.linalg.norm(np.linalg.solve(factor, part)) for part in (forcing, forcing + pushed))
    assert not x[len(truth.model.q) :].any()
    assert held <= 2e-9 * free


def check_motion(result: Result, truth: Truth, motion: float, speed: float) -> None:
    """M u' = f + W lambda over single steps: what u gains is what the forces bring, by Gauss's rule of five points."""
    record = result._record
    steps = np.flatnonzero(record.h)
    in_contact = np.array([closed_contacts(result, record.stage[i]).any() for i in steps], dtype=bool)
    chosen = {int(i) for part in (steps, steps[in_contact]) for i in part[:: len(part) // LOOKS + 1]}
    nodes, weights = np.polynomial.legendre.leggauss(5)
    n = len(truth.model.q)
    for i in sorted(chosen):
        middle, half = (record.t[i] + record.t[i - 1]) / 2, (record.t[i] - record.t[i - 1]) / 2
        if half <= 1e-9 * max(1.0, abs(middle)):
            continue  # times are rounded by more than the rule allows
        if any(_slows(result, truth, k, i, speed) for k in (i - 1, i)):
            continue  # the direction of friction is the step's own there
        parts = np.array([_accelerations(result, truth, t, record.stage[i]) for t in middle + half * nodes])
        gained = half * weights @ parts.sum(axis=1)
        brought = half * weights @ np.abs(parts).sum(axis=1)
        difference = record.x[i, n:] - record.x[i - 1, n:] - gained
        rounding = EPS * np.abs(record.x[:, n:]).max() + STEP
        if half <= SHORT:
            rounding += 10 * result.settings["rtol"] * np.abs(record.x[:, n:]).max()
        assert np.abs(difference).max() <= motion * brought.max() + rounding


def _slows(result: Result, truth: Truth, k: int, i: int, speed: float) -> bool:
    """Whether at sample k a contact that slips in step i has hardly any slip."""
    record = result._record
    doing = words(result, record.stage[i])
    if not (doing == "slips").any():
        return False
    slip = np.linalg.norm(truth.rubbing(record.t[k], record.x[k]).slip, axis=1)
    return bool((slip[doing == "slips"] <= FAST * speed).any())


def _accelerations(result: Result, truth: Truth, t: float, mode: int) -> np.ndarray:
    """M^-1 f and M^-1 W lambda in a mode, shape (2, n_speeds); none at rest, where they balance."""
    x = result(t)
    n = len(x) - len(truth.model.q)
    if at_rest(result, mode):
        return np.zeros((2, n))
    mass, forcing = truth.terms(t, x)
    pushed = np.zeros(n)
    if closed_contacts(result, mode).any():
        here = np.array([t]), x[:, np.newaxis], np.array([mode])
        pushed = truth.normals(t, x)[0].T @ forces_at(result, *here)[:, 0]
        pushed += np.einsum("ncm,nc->m", truth.rubbing(t, x).lines, frictions_at(result, *here)[:, :, 0])
    return np.linalg.solve(mass, np.stack([forcing, pushed], axis=1)).T


# What holds at an event.


def check_kind(jump: Jump) -> None:
    """An impact has an approach, what closes was open, what opens was closed and does not push any more.

    What sticks, slips or opens does so without an impulse of the law.
    """
    closing, opening = jump.closed_after & ~jump.closed_before, jump.closed_before & ~jump.closed_after
    if jump.kind == "impact":
        open_ones = jump.rate_minus[jump.taken & ~jump.closed_before]
        assert open_ones.min() < -EPS * jump.speeds().max(), "an approach, and no rounding of one"
    elif jump.kind == "accumulation":
        assert closing.any()
        assert jump.t_inf >= 0.0
    elif jump.kind == "close":
        assert closing.any()
        assert np.abs(jump.rate_minus[closing]).max() <= jump.slow + EPS * jump.speeds().max()
    else:
        assert jump.kind in ("open", "stick", "slip")
        assert not closing.any()
        assert not jump.impulse.any()
        if not jump.switched:  # as where a surface ends, under a contact that pushes
            assert (jump.force_minus[opening] <= 1e-6 * jump.weight[opening]).all()


def check_places(jump: Jump, length: float) -> None:
    """An event happens where its contacts touch; coordinates move only as far as closing contacts asks for."""
    assert np.abs(jump.gap_minus[jump.taken]).max(initial=0.0) <= PENETRATION * length
    assert jump.gap_minus.min() >= -PENETRATION * length
    assert jump.gap_plus.min() >= -PENETRATION * length
    if jump.closed_after.any():
        assert np.abs(jump.gap_plus[jump.closed_after]).max() <= EPS * max(length, jump.reach)
        depth = max(jump.depth, np.abs(jump.gap_minus[jump.closed_after]).max() / length)
        assert np.abs(jump.q_change).max() <= 4 * depth * max(length, 1.0)
    else:
        assert not jump.q_change.any()
    if jump.kind in ("open", "stick", "slip"):
        taken = jump.settling[len(jump.impulse) :].reshape(-1, 3).any(axis=1)
        assert np.linalg.norm(jump.rub.slip, axis=1)[taken].max(initial=0.0) <= 2 * SLOW * jump.speed
        settled = np.abs(np.linalg.solve(jump.mass, jump.rows.T @ jump.settling)).max()
        allowed = EPS * np.abs(jump.total).max() + (1.0 + EPS) * settled  # 1e-19 m/s may be all there is
        assert np.abs(jump.change).max() <= allowed


def check_law(jump: Jump, model: HybridModel) -> None:
    """M (u+ - u-) = W Lambda and 0 <= Lambda _|_ gamma + e gamma- >= 0, then closed contacts come to rest.

    Closed contacts have no restitution, nor have those whose hop would be lower than 1e-10 of the length. What brings
    closed contacts to rest is an impulse along their normals, against rates that belong to such hops. Where all comes
    to rest, speeds of rounding are set to zero. Friction is within its cone, and against the slip after the law.
    """
    momentum, pushed = jump.mass @ jump.change, jump.rows.T @ jump.push
    sizes = np.abs(jump.mass) @ np.abs(jump.change) + np.abs(jump.rows.T) @ np.abs(jump.push)
    stopped = np.abs(jump.mass) @ np.abs(jump.stopped)
    assert (np.abs(momentum - pushed) <= ROUNDING * sizes.max() + jump.noise().max() + stopped).all()
    if jump.kind in ("impact", "accumulation"):
        after = jump.rub.slip + jump.rub.lines @ jump.by_law
        check_blow(jump.impulse, jump.rubbed, jump.rub, after, jump.speeds().max(), model)
    if model.law != Newton() or model.resolution != Simultaneous():
        return
    speeds = jump.speeds()
    rebound = -jump.restitution * jump.rate_minus
    low = (jump.rate_minus <= 0.0) & (rebound <= jump.slow) & (jump.restitution < 1.0 - 1e-9)
    restitution = np.where(jump.closed_before | low, 0.0, jump.restitution)
    middle = jump.rate_middle
    excess = (middle + restitution * jump.rate_minus)[jump.taken]
    slack = ROUNDING * speeds.max() + EPS * np.linalg.norm(jump.normal, axis=1).max() * np.abs(jump.total).max()
    slack += jump.rounding.max() + EPS * jump.speed
    if jump.kind in ("impact", "accumulation"):
        assert (jump.impulse >= 0).all()
        assert (excess >= -slack).all()
        pushing = jump.impulse[jump.taken] > ROUNDING * jump.impulse.max()
        assert (np.abs(excess[pushing]) <= slack).all()
    assert (jump.rate_plus[jump.closed_before] >= -slack).all()
    assert np.abs(jump.rate_plus[jump.closed_after]).max(initial=0.0) <= slack
    assert np.abs(middle[jump.closed_after]).max(initial=0.0) <= jump.slow + slack


def check_energy(jump: Jump, gains: bool) -> None:
    """The certificate is the change of kinetic energy less the work of moving walls, and no gain."""
    change = 0.5 * jump.total @ jump.mass @ jump.change + jump.push @ jump.drift
    terms = 0.5 * np.abs(jump.total) @ np.abs(jump.mass) @ np.abs(jump.change)
    before = np.concatenate([jump.rate_minus, jump.rub.slip.ravel()])
    scale = terms + np.abs(jump.push) @ (np.abs(jump.drift) + np.abs(before))
    allowed = ROUNDING * scale + jump.noise() @ np.abs(jump.total) + np.linalg.norm(jump.mass) * (EPS * jump.speed) ** 2
    assert abs(jump.reported - change) <= allowed
    assert gains or jump.reported <= allowed
