"""What every simulated trajectory must satisfy, whatever the model: each test of a simulation runs `check_trajectory`.

The gaps are SymPy's own (positions of points along normals) and so are their rates; from the model come the mass matrix
and q', which have tests of their own. Gaps are sampled densely between the events and looked at again where they are
lowest: a crossing that was missed shows as a penetration.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
import sympy as sm
from sympy.physics.mechanics import Point, dynamicsymbols

from sympact import HybridModel, Plane, Sphere
from sympact.integrate.event import Event
from sympact.integrate.result import Result

PENETRATION = 1e-9
"""Of the model's length: what is promised of every gap at every time."""

ROUNDING = 1e-9
"""Of the terms of an equation: its residual, in speeds and impulses that went through a mass matrix."""

EPS = 64 * np.finfo(float).eps
"""Of a speed: what its rounding, and that of the mass matrix, may do to a small change of it."""

PLACES = 12
"""Looks between two samples."""


def check_trajectory(
    result: Result, model: HybridModel, parameters: Mapping[sm.Symbol, float], *, gains: bool = False
) -> None:
    """Assert what holds on every run: order of time, no penetration, the impact law, momentum and energy.

    Parameters
    ----------
    result : Result
    model : HybridModel
        What was run, with Newton's law.
    parameters : mapping of Symbol to float
        As given to the run.
    gains : bool
        Whether impacts may gain energy: contacts of different restitution that hit together.
    """
    truth = Truth.of(model, parameters)
    length = truth.length(result)
    check_times(result)
    check_gaps(result, truth, length)
    for event in result.events:
        impact = Impact.of(event, truth)
        check_places(impact, truth, length)
        check_law(impact)
        check_energy(impact, gains)


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

    def rates(self, t: float, x: np.ndarray) -> np.ndarray:
        """The gap rates, shape (n_contacts,)."""
        n = len(self.model.q)
        return self.slopes(t, x) @ [1.0, *self.model.compile().flow(t, x, self.p)[:n]]

    def length(self, result: Result) -> float:
        """What lengths are compared with (m); for particles the largest gap, or a metre where there is none."""
        largest = np.abs(self.heights(result.t, result.x)).max(initial=0.0)
        return self.model.compile().length(self.p) or (largest if largest > 1e-10 else 1.0)


@dataclass(frozen=True)
class Impact:
    """One event with its two sides, for the contacts that took part.

    `normal` is W^T, found from the rates themselves: they are linear in the speeds.
    """

    event: Event
    taken: np.ndarray
    restitution: np.ndarray
    normal: np.ndarray
    drift: np.ndarray
    rate_minus: np.ndarray
    rate_plus: np.ndarray
    mass: np.ndarray
    change: np.ndarray
    total: np.ndarray

    @classmethod
    def of(cls, event: Event, truth: Truth) -> Impact:
        model, n = truth.model, len(truth.model.q)
        taken = np.array([model.contact(name) for name in event.contacts])
        minus, plus = event.x_minus, event.x_plus
        at_rest = np.concatenate([minus[:n], np.zeros(len(minus) - n)])
        drift = truth.rates(event.t, at_rest)[taken]
        units = [at_rest + unit for unit in np.eye(len(minus))[n:]]
        normal = np.stack([truth.rates(event.t, x)[taken] - drift for x in units], axis=1)
        restitution = model.quantities([contact.restitution for contact in model.contacts])
        everything = model.compile().all_parameters(truth.p)
        return cls(
            event=event,
            taken=taken,
            restitution=np.array(restitution(event.t, minus, everything))[taken],
            normal=normal,
            drift=drift,
            rate_minus=normal @ minus[n:] + drift,
            rate_plus=normal @ plus[n:] + drift,
            mass=model.compile().mass_forcing(event.t, minus, truth.p)[0],
            change=plus[n:] - minus[n:],
            total=plus[n:] + minus[n:],
        )

    def speeds(self) -> np.ndarray:
        """The sizes of the terms that make the gap rates, shape (n_contacts,)."""
        return np.abs(self.normal) @ (np.abs(self.total) + np.abs(self.change)) + np.abs(self.drift)

    def noise(self) -> np.ndarray:
        """What rounding of the speeds does to the momenta, shape (n_speeds,)."""
        return EPS * np.abs(self.mass) @ (np.abs(self.total) + np.abs(self.change))


def _gap(point: Point, surface: Plane | Sphere) -> sm.Expr:
    """The distance of a point from a surface, by SymPy."""
    if isinstance(surface, Plane):
        return point.pos_from(surface.point).dot(surface.normal)
    away = point.pos_from(surface.center)
    distance = sm.sqrt(away.dot(away)) - surface.radius
    return -distance if surface.inside else distance


@cache
def _heights(model: HybridModel) -> tuple[Callable, Callable]:
    """The gaps by SymPy, and their derivatives by t and q, as functions of (t, x, p)."""
    gaps = [_gap(contact.point, contact.surface) for contact in model.contacts]
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


def check_times(result: Result) -> None:
    """Samples and events are in the order of time, and a jump is two samples at one time."""
    events = result.events.t
    assert np.isfinite(result.x).all()
    assert (np.diff(result.t) >= 0).all()
    assert (np.diff(events) >= 0).all()
    if len(events):
        assert result.t_span[0] <= events[0]
        assert events[-1] <= result.t_span[1]


def check_gaps(result: Result, truth: Truth, length: float) -> None:
    """No penetration, between the samples and where a gap is lowest between two looks."""
    ends = np.unique(np.concatenate([result.t_span, result.t]))
    steps = np.diff(ends)[:, np.newaxis] * np.arange(PLACES) / PLACES
    times = np.append((ends[:-1, np.newaxis] + steps).ravel(), ends[-1])
    gaps = truth.heights(times, result(times))
    assert gaps.min(initial=0.0) >= -PENETRATION * length
    for gap in gaps:
        lowest = _vertices(times, gap)
        again = truth.heights(lowest, result(lowest))
        assert again.min(initial=0.0) >= -PENETRATION * length


def _vertices(t: np.ndarray, gap: np.ndarray) -> np.ndarray:
    """Where the parabolas through three looks are lowest, for the looks that are lower than their neighbours."""
    k = np.flatnonzero((gap[1:-1] < gap[:-2]) & (gap[1:-1] < gap[2:])) + 1
    before, after = t[k] - t[k - 1], t[k + 1] - t[k]
    fall, rise = (gap[k] - gap[k - 1]) / before, (gap[k + 1] - gap[k]) / after
    vertex = t[k] - (fall * after + rise * before) / (2 * (rise - fall))
    return np.clip(vertex, t[k - 1], t[k + 1])


def check_places(impact: Impact, truth: Truth, length: float) -> None:
    """The impact happens where its contacts touch, all others are open, and no coordinate jumps."""
    event, n = impact.event, len(truth.model.q)
    assert event.kind == "impact"
    assert np.array_equal(event.x_minus[:n], event.x_plus[:n])
    gaps = truth.heights(event.t, event.x_minus)
    assert np.abs(gaps[impact.taken]).max() <= PENETRATION * length
    assert gaps.min() >= -PENETRATION * length
    assert impact.rate_minus.min() < -EPS * impact.speeds().max(), "an approach, and no rounding of one"


def check_law(impact: Impact) -> None:
    """M (u+ - u-) = W Lambda and 0 <= Lambda _|_ gamma+ + e gamma- >= 0."""
    event = impact.event
    momentum, pushed = impact.mass @ impact.change, impact.normal.T @ event.impulse
    terms = np.abs(impact.mass) @ np.abs(impact.change) + np.abs(impact.normal.T) @ event.impulse
    assert (np.abs(momentum - pushed) <= ROUNDING * terms.max() + impact.noise().max()).all()
    speeds = impact.speeds()
    excess = impact.rate_plus + impact.restitution * impact.rate_minus
    assert (event.impulse >= 0).all()
    assert (excess >= -ROUNDING * speeds.max()).all()
    pushing = event.impulse > ROUNDING * event.impulse.max()
    assert (np.abs(excess[pushing]) <= ROUNDING * speeds.max()).all()


def check_energy(impact: Impact, gains: bool) -> None:
    """The certificate is the change of kinetic energy less the work of moving walls, and no gain."""
    event = impact.event
    change = 0.5 * impact.total @ impact.mass @ impact.change + event.impulse @ impact.drift
    terms = 0.5 * np.abs(impact.total) @ np.abs(impact.mass) @ np.abs(impact.change)
    scale = terms + event.impulse @ (np.abs(impact.drift) + np.abs(impact.rate_minus))
    allowed = ROUNDING * scale + impact.noise() @ np.abs(impact.total)
    assert abs(event.energy - change) <= allowed
    assert gains or event.energy <= allowed
