"""The same motion told in another way: continued from an event, turned, moved, or in other units of measurement.

A rule compares the next events from each event of a run. What may differ is the integration's error, a hundred times
the tolerance, or five times for each step where there are many, times the growth of a small error of the start, which
a start with other speeds measures. Models are those of `sympact.models` by its registry, and what the examples run.
"""

from __future__ import annotations

import runpy
import sys
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache, cached_property
from inspect import signature
from pathlib import Path

import numpy as np
import pytest
from example_scripts import ROOT
from scipy.linalg import qr
from sympy import Symbol
from sympy.physics.vector import Point, ReferenceFrame

from sympact import HybridModel, ImpactWarning, models
from sympact.graph import Function, numpy_function, reachable
from sympact.integrate.result import Result
from sympact.mechanics.kit.symbols import state_name
from sympact.mechanics.read.source import Description, describe
from sympact.mechanics.shapes.contact import Contact
from sympact.mechanics.shapes.limits import String

RTOL, ATOL = 1e-9, 1e-12
FACTOR = 100.0
NEXT = 2
"""Events that are compared from each event."""

EXAMPLES = sorted(path.stem for path in (ROOT / "examples").glob("*.py"))
UNITS = {"": (0, 0, 0), "1": (0, 0, 0), "rad": (0, 0, 0), "m": (1, 0, 0)}
UNITS |= {f"{unit}/s": (length, -1, 0) for unit, (length, *_) in UNITS.items()} | {"1/s": (0, -1, 0)}
"""Powers of length, time and mass."""

FAR = 1e5
"""Lengths of the model."""

READY = sorted(set(models.__all__) - {"ReadyModel", "ReadyProcess"})
MODELS = [name for name in READY if signature(getattr(models, name)).return_annotation == "ReadyModel"]
"""The ready-made models, and those of them that are mechanical: a new one is among them by itself."""

THIRDS = [MODELS[i::3] for i in range(3)]
"""Of the changes of units, the turns and the shifts of a model a quick run has one; each of them has a third of all."""

ANGLES, SHIFTS = (tuple(Symbol(f"{name}_{axis}") for axis in "xyz") for name in ("turn", "shift"))


@describe.register
def _(source: Description, bodies=None, loads=None) -> Description:
    """A description that was changed is a source itself."""
    return source


@dataclass(frozen=True, eq=False)
class Case:
    """A run of a model: where it starts, and with which numbers."""

    model: HybridModel
    t_span: tuple[float, float]
    x: np.ndarray
    parameters: Mapping
    atol: np.ndarray
    options: Mapping
    rtol: float = RTOL
    units: Mapping[str, str] = field(default_factory=dict)

    def run(self, t_span=None, x=None, **options) -> Result:
        """The run, or one of the same model from another state."""
        span, start = t_span or self.t_span, self.x if x is None else x
        given = {"rtol": self.rtol, "atol": self.atol, **self.options, **options}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ImpactWarning)  # some examples show laws that gain energy
            return self.model.simulate(span, start, self.parameters, **given)

    @cached_property
    def result(self) -> Result:
        """The run itself."""
        return self.run()

    @property
    def parameters_in_order(self) -> list[Symbol]:
        """The parameters that have numbers, in the order of the model."""
        return [letter for letter in self.model.derivation.symbols.parameters if letter in self.parameters]

    @cached_property
    def sizes(self) -> np.ndarray:
        """How large each state becomes, shape (n_states,); the largest of its kind for one that stays zero."""
        n, largest = len(self.model.q), np.abs(self.result.x).max(axis=1)
        kinds = np.concatenate([np.full(n, largest[:n].max()), np.full(len(largest) - n, largest[n:].max())])
        return np.maximum(largest, 1e-3 * kinds) + np.where(kinds > 0.0, 0.0, 1.0)


def ready_case(name: str) -> Case | None:
    """A ready-made model as it comes; None for a process of plain functions."""
    ready = getattr(models, name)()
    if not isinstance(ready, models.ReadyModel):
        return None
    start = np.array([float(ready.start[state]) for state in ready.model.x])
    atol = np.full(len(start), ATOL)
    return Case(ready.model, ready.t_span, start, dict(ready.parameters), atol, {}, units=ready.units)


@cache
def case_of(name: str) -> Case | None:
    return ready_case(name)


def example_cases(name: str, folder: Path) -> list[Case]:
    """The runs of mechanical models that an example makes, event by event; two with the same numbers are one.

    Left out are runs with controllers, whose memory is no part of the state.
    """
    found, simulate = {}, HybridModel.simulate

    def recorded(model, t_span, x0, parameters, **given):
        kept = {key: given[key] for key in ("inputs", "method", "max_step") if key in given}
        x = model.compile().state(x0)
        atol = np.broadcast_to(given.get("atol", ATOL), x.shape).astype(float)
        case = Case(model, tuple(map(float, t_span)), x, dict(parameters), atol, kept, given.get("rtol", RTOL))
        if kept.get("method") != "moreau" and not given.get("controllers"):
            found.setdefault((id(model), case.t_span, x.tobytes(), str(sorted(map(str, parameters.items())))), case)
        return simulate(model, t_span, x0, parameters, **given)

    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what examples warn of, their own tests say
        patch.setattr(HybridModel, "simulate", recorded)
        patch.setattr(sys, "argv", [name])
        patch.syspath_prepend(ROOT / "examples")
        patch.chdir(folder)
        runpy.run_path(str(ROOT / "examples" / f"{name}.py"), run_name="__main__")
    return list(found.values())


# what is compared


@dataclass(frozen=True)
class Difference:
    """By how much two runs differ, in units of what is allowed; infinite where other events happen."""

    worst: float
    words: str = ""


def following(result: Result, t: float, count: int = NEXT, slack: float = 0.0) -> list:
    """The next events of a run after a time, of which an instant with several counts as one: its last event."""
    found = []
    for event in result.events:
        if event.t <= t + max(slack, 4.0 * np.spacing(abs(t))):
            continue
        if found and event.t <= found[-1].t + 4.0 * np.spacing(abs(event.t)):
            found[-1] = event
        elif len(found) == count:
            break
        else:
            found.append(event)
    return found


def approach(case: Case, event) -> float:
    """The slowest rate at which contacts of an event come down to their surfaces (m/s); infinite where none does."""
    compiled = case.model.compile()
    p, x = compiled.all_parameters(compiled.parameters(case.parameters)), np.array(event.x_minus)
    compiled.settle(event.t, x, p)
    nc, names = len(case.model.contacts), compiled.contact_names
    rates = compiled.boundary(event.t, x, p)[nc : 2 * nc]
    fast = [-rates[names.index(name)] for name in event.contacts if name in names]
    return min((rate for rate in fast if rate > 0.0), default=np.inf)


def compare(
    whole: list, again: list, case: Case, growth: float, span: float, rounding: float = 0.0, held: float = 0.0
) -> Difference:
    """Events of a run against those of the same motion told anew, by their kinds, times and states before.

    A rounding of the places shifts the time of an impact by as long as the contact takes for it. Some parts in 1e16
    they are always rounded, and a start at the limit of friction sticks for `held`.
    """
    worst, words, n = 0.0, "", len(case.model.q)
    times = case.result.t
    steps = np.searchsorted(times, whole[-1].t) - np.searchsorted(times, whole[-1].t - span)
    errors = max(FACTOR, 5.0 * steps)
    grain = (FACTOR * rounding + 16.0 * np.finfo(float).eps) * case.sizes[:n].max()
    for k, event in enumerate(whole):
        if k >= len(again):
            return Difference(np.inf, f"no event like {event.kind} of {event.contacts} at {event.t:.12g}")
        other = again[k]
        if (event.kind, event.target) != (other.kind, other.target):
            found = f"{other.kind} of {other.contacts} at {other.t:.12g} -> {other.target}"
            return Difference(np.inf, f"{event.kind} of {event.contacts} at {event.t:.12g} -> {event.target}; {found}")
        accurate = errors * (case.rtol + case.atol / case.sizes) + FACTOR * (rounding + held / span)
        allowed = accurate * max(1.0, growth)
        state = np.abs(event.x_minus - other.x_minus) / case.sizes / allowed
        late = grain / approach(case, event)
        clock = abs(event.t - other.t) / (span * allowed.max() + late + 16.0 * np.spacing(abs(event.t)))
        here = max(state.max(), clock)
        if not here <= worst:
            worst, words = here, f"{event.kind} of {event.contacts} at {event.t:.12g}, {other.t - event.t:.1e} s later"
    return Difference(worst, words)


def growth_from(case: Case, event, whole: list, end: float, span: float) -> float:
    """How much a small error of the speeds at an event has grown at the next ones; infinite where others happen."""
    x, rng = np.array(event.x_plus), np.random.default_rng(1)
    free = free_speeds(case, event)
    if not free.shape[1]:
        return 1.0
    n, small, worst = len(case.model.q), 1e-7, 1.0
    for _ in range(2):
        push = free @ rng.standard_normal(free.shape[1])
        largest = np.abs(push / case.sizes[n:]).max()
        start = x.copy()
        start[n:] += small * push / largest
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=".*projected onto the constraints")  # so is what was pushed
            moved = following(case.run((event.t, end), start), event.t)
        if [e.kind for e in moved[: len(whole)]] != [e.kind for e in whole]:
            return np.inf
        for one, other in zip(whole, moved, strict=False):
            apart = np.abs(one.x_minus - other.x_minus) / case.sizes
            worst = max(worst, apart.max() / small, abs(one.t - other.t) / span / small)
    return worst


def free_speeds(case: Case, event) -> np.ndarray:
    """Directions of the speeds that move no touching contact, as columns of unit size in units of `Case.sizes`."""
    compiled, n = case.model.compile(), len(case.model.q)
    p = compiled.all_parameters(compiled.parameters(case.parameters))
    x, nc, m = np.array(event.x_plus), len(case.model.contacts), len(case.model.u)
    compiled.settle(event.t, x, p)
    gaps, rates = compiled.boundary(event.t, x, p)[: 2 * nc].reshape(2, nc)
    length = case.result.settings["length"]
    fast = np.abs(case.sizes[n:]).max()
    rows = compiled.terms(event.t, x, p)[m * m : m * m + nc * m].reshape(nc, m)
    held = (np.abs(gaps) <= 1e-7 * length) & (np.abs(rates) <= 1e-6 * fast * np.abs(rows).max(initial=1e-300))
    lines = [rows[held]]
    if compiled.has_friction:
        slips = compiled.slips(event.t, x, p)[held]
        lines.append(slips[:, 9 : 9 + 3 * m].reshape(-1, m))
    scaled = np.concatenate(lines) * case.sizes[n:]
    if not len(scaled):
        return np.diag(case.sizes[n:])
    _, values, right = np.linalg.svd(scaled)
    rank = int((values > 1e-9 * values.max(initial=1e-300)).sum())
    return case.sizes[n:, np.newaxis] * right[rank:].T


def held_for(whole: list, event, span: float) -> float:
    """How long rounding may hold a contact on its limit: a start that slips on the limit has no memory that it did."""
    return min(1e-6 * span, 0.5 * (whole[0].t - event.t))


def restart(case: Case, k: int) -> Difference | None:
    """Continue a run from its event k; None where a small error of the start leads to other events."""
    event = case.result.events[k]
    whole = following(case.result, event.t)
    if not whole:
        return Difference(0.0)
    span = whole[-1].t - event.t
    end = whole[-1].t + 0.5 * span
    run, slack = case.run((event.t, end), event.x_plus), held_for(whole, event, span)
    again = following(run, event.t, slack=slack)
    slips = [found.t - event.t for found in run.events if found.kind == "slip" and found.t <= event.t + slack]
    held = max(slips, default=0.0)
    difference = compare(whole, again, case, 1.0, span, held=held)
    if difference.worst <= 1.0:
        return difference
    growth = growth_from(case, event, whole, end, span)
    return compare(whole, again, case, growth, span, held=held) if np.isfinite(growth) else None


def last_of_instants(result: Result) -> list[int]:
    """The events after which time goes on to another one, by their places."""
    times = result.events.t
    return [k for k in range(len(times) - 1) if times[k + 1] > times[k]]


def chosen(places: list[int], count: int | None) -> list[int]:
    """Some of the places, spread over all from the first one on; all without a count."""
    if count is None or len(places) <= count:
        return places
    return [places[i] for i in np.unique(np.linspace(0, len(places), count, endpoint=False).astype(int))]


def told_anew(
    case: Case,
    other: Case,
    count: int,
    states: np.ndarray | float = 1.0,
    offset: np.ndarray | float = 0.0,
    unit: float = 1.0,
    rounding: float = 0.0,
) -> Iterator[tuple[int, Difference | None]]:
    """From some events of a run the next ones, in the run and in another telling; None for ill-conditioned ones.

    Parameters
    ----------
    case, other : Case
        A state x at t is states * x + offset at unit * t in the other one.
    rounding : float
        What the other telling rounds of a state, relative to its size.
    """
    for k in chosen(last_of_instants(case.result), count):
        event = case.result.events[k]
        whole = following(case.result, event.t)
        if not whole:
            continue
        span = whole[-1].t - event.t
        end, start = whole[-1].t + 0.5 * span, states * event.x_plus + offset
        slack = held_for(whole, event, span)
        run = other.run((unit * event.t, unit * end), start)
        again = [
            replace(found, t=found.t / unit, x_minus=(found.x_minus - offset) / states)
            for found in following(run, unit * event.t, slack=unit * slack)
        ]
        difference = compare(whole, again, case, 1.0, span, rounding)
        if difference.worst > 1.0:
            growth = growth_from(case, event, whole, end, span)
            difference = compare(whole, again, case, growth, span, rounding) if np.isfinite(growth) else None
        if rounding and difference is not None and difference.worst > 1.0:
            height = min(approach(case, one) for one in whole) * span
            if height < FACTOR * rounding * case.sizes[: len(case.model.q)].max():
                difference = None  # hops as low as what is rounded
        yield k, difference


# the same model elsewhere


@cache
def elsewhere(name: str) -> Case:
    """A ready-made model whose inertial frame is turned by three angles, and its surfaces moved, by parameters."""
    return moved_case(ready_case(name))


def moved_case(case: Case) -> Case:
    """The case with six further parameters, all zero: what stands in N is seen from another frame, and moved in N."""
    model, known = case.model, describe(case.model.source)
    inertial = known.frame
    outside = inertial.orientnew("outside", "Body", tuple(-angle for angle in ANGLES[::-1]), "zyx")
    for point, above in model.derivation.kinematics.kinematic_tree.position.items():
        if above is None and point._vel_dict.get(inertial) == 0:
            point.set_vel(outside, 0)
    contacts = [_moved(model, contact, inertial) for contact in model.contacts]
    turned = HybridModel(
        replace(known, frame=outside),
        contacts,
        impact=model.law,
        resolution=model.resolution,
        length=model.length,
        painleve=model.painleve,
    )
    further = dict.fromkeys((letter for letter in (*ANGLES, *SHIFTS) if letter in turned.parameters), 0.0)
    return replace(case, model=turned, parameters={**case.parameters, **further})


def _moved(model: HybridModel, contact, frame: ReferenceFrame):
    """A contact whose surface stands beside its place, if it is none of a body that moves."""
    if isinstance(contact, Contact):
        surface = contact.surface
        changes = {part.name: _shifted(model, getattr(surface, part.name), frame) for part in fields(surface)}
        changes = {key: value for key, value in changes.items() if value is not None}
        return replace(contact, surface=replace(surface, **changes)) if changes else contact
    if isinstance(contact, String):
        changes = {end: _shifted(model, getattr(contact, end), frame) for end in ("start", "end")}
        return replace(contact, **{key: value for key, value in changes.items() if value is not None})
    return contact


def _shifted(model: HybridModel, value: object, frame: ReferenceFrame):
    """A point, or a tuple of points, beside its place; None for what no shift concerns."""
    if isinstance(value, tuple) and value and all(isinstance(part, Point) for part in value):
        points = [_shifted(model, part, frame) for part in value]
        return None if None in points else tuple(points)
    if not isinstance(value, Point) or _rides(model, value):
        return None
    root = model.derivation.kinematics.kinematic_tree.root(value)
    place = root.locatenew(
        "shifted", sum((shift * axis for shift, axis in zip(SHIFTS, frame, strict=True)), 0 * frame.x)
    )
    return place.locatenew(value.name, value.pos_from(root))


def _rides(model: HybridModel, point: Point) -> bool:
    """Whether a point's place depends on the state."""
    graph, place = model.derivation.graph, model.derivation.kinematics.position(point)
    inputs = (graph.args[node] for node in reachable(graph, place) if graph.ops[node] == "input")
    return any(array == "x" for array, _ in inputs)


def turned(case: Case, angles) -> Case:
    """A `moved_case` turned by three angles."""
    given = {letter: float(angle) for letter, angle in zip(ANGLES, angles, strict=True) if letter in case.parameters}
    return replace(case, parameters={**case.parameters, **given})


def shifted(case: Case, axis: int, distance: float) -> Case | None:
    """A `moved_case` with its surfaces, and its start, moved along an axis of N; None where bodies cannot follow."""
    if SHIFTS[axis] not in case.parameters:
        return None
    far = {**case.parameters, SHIFTS[axis]: distance}
    model, n = case.model, len(case.model.q)

    def nodes(derivation):
        kinematics = derivation.kinematics
        return [node for body in derivation.survey.bodies for node in kinematics.position(body.masscenter)]

    places, compiled = model.walk(nodes), model.compile()
    near, p = (compiled.all_parameters(compiled.parameters(given)) for given in (case.parameters, far))
    t, rng = case.t_span[0], np.random.default_rng(0)
    base = np.asarray(places(t, case.x, near), float).reshape(-1, 3)
    columns = np.zeros((base.size, n))
    for i in range(n):
        beside = case.x.copy()
        beside[i] += 1.0
        columns[:, i] = (np.asarray(places(t, beside, near), float).reshape(-1, 3) - base).ravel()
    moving = np.abs(columns).sum(axis=1).reshape(-1, 3).any(axis=1)
    wanted = np.zeros((len(base), 3))
    wanted[moving, axis] = 1.0
    rows = np.repeat(moving, 3)
    shift, *_ = np.linalg.lstsq(columns[rows], wanted.ravel()[rows], rcond=None)
    shift = np.where(np.abs(shift) > 1e-9, shift, 0.0)
    for _ in range(3):
        x = case.x * (1.0 + 0.1 * rng.standard_normal(len(case.x)))
        there = x.copy()
        there[:n] += distance * shift
        for name in ("boundary", "flow"):
            before, after = (_values(compiled, name, t, *at) for at in ((x, near), (there, p)))
            if not np.allclose(before, after, rtol=1e-6, atol=1e-9 * max(1.0, abs(distance))):
                return None
    start = case.x.copy()
    start[:n] += distance * shift
    return replace(case, x=start, parameters=far)


def _values(compiled, name: str, t: float, x: np.ndarray, p: np.ndarray) -> np.ndarray:
    compiled.settle(t, x, p)
    return compiled.boundary(t, x, p) if name == "boundary" else compiled.raw(name, t, x, p)


def turn_differences(name: str, angles, count: int) -> Iterator[tuple[int, Difference | None]]:
    """A ready-made model and the same turned, with gravity and all it stands on."""
    return told_anew(case_of(name), turned(elsewhere(name), angles), count)


def place_differences(name: str, axis: int, count: int) -> Iterator[tuple[int, Difference | None]]:
    """A ready-made model and the same far away along an axis; nothing where it cannot be there."""
    case = case_of(name)
    distance = FAR * case.result.settings["length"]
    moved = shifted(elsewhere(name), axis, distance)
    if moved is None:
        return iter(())
    grain = 16.0 * np.spacing(distance) / np.abs(case.sizes[: len(case.model.q)]).max()
    return told_anew(case, moved, count, offset=moved.x - case.x, rounding=grain)


# other units of measurement


def exponents(case: Case) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """By which powers of the units of length, time and mass the states and the parameters scale, shape (n, 3) each.

    By Euler's theorem a formula F of letters v with units 10^(e_v) keeps its meaning if and only if
    sum e_v v dF/dv = e_F F. This is asked of the rates of the coordinates, of M and f, of gaps, slips and coefficients,
    at random states; the third array has what is left of each equation where no powers meet them all: a number with a
    unit stands in the formulas.
    """
    model = case.model
    derivation, n, m = model.derivation, len(model.q), len(model.u)
    letters = derivation.symbols.parameters
    p0 = np.array([float(case.parameters.get(letter, 0.0)) for letter in (*letters, *derivation.symbols.inputs)])
    used = [i for i, letter in enumerate(letters) if letter in case.parameters]
    nodes = [*derivation.rates, *derivation.equations.nodes(), *(gap.gap for gap in derivation.gaps)]
    nodes += [gap.restitution for gap in derivation.gaps]
    slips = [gap.slip.nodes() for gap in derivation.gaps if gap.slip]
    nodes += [node for slip in slips for node in slip[-2:]]
    nodes += [node for slip in slips for node in slip[3:6]]
    function = numpy_function(derivation.graph, Function("units", tuple(nodes), ("t", "x", "p")))
    unknown = n + m + len(used)

    def of(values: np.ndarray) -> np.ndarray:
        x, p = values[1 : 1 + n + m], p0.copy()
        p[used] = values[1 + n + m :]
        return np.asarray(function(values[0], x, p), float).ravel()

    # what each output's own exponents are: coefficients on the unknown ones, and constants for length, time, mass
    own, fixed = np.zeros((len(nodes), unknown)), np.zeros((len(nodes), 3))
    place = 0
    for i in range(n):
        own[place, i], fixed[place] = 1.0, (0, -1, 0)
        place += 1
    for i in range(m):
        for j in range(i + 1):
            own[place, n + i] -= 1.0
            own[place, n + j] -= 1.0
            fixed[place] = (2, -2, 1)
            place += 1
    for i in range(m):
        own[place, n + i], fixed[place] = -1.0, (2, -3, 1)
        place += 1
    fixed[place : place + len(derivation.gaps)] = (1, 0, 0)
    fixed[len(nodes) - 3 * len(slips) :] = (1, -1, 0)
    rng, rows, right = np.random.default_rng(2), [], []
    for _ in range(12):
        values = np.concatenate([[rng.uniform(0.1, 1.0)], case.x, p0[used]])
        values[1 : 1 + n + m] += rng.uniform(-1.5, 1.5, n + m)
        values[1 + n + m :] *= 1.0 + 0.1 * rng.uniform(-1, 1, len(used))
        here, (slopes, rougher) = of(values), (_slopes(of, values, relative) for relative in (1e-6, 3e-6))
        left = slopes[:, 1:] - here[:, np.newaxis] * own
        constant = here[:, np.newaxis] * fixed - slopes[:, :1] * np.array([[0.0, 1.0, 0.0]])
        size = np.maximum(np.abs(here), np.abs(slopes).max(axis=1))
        apart = np.abs(slopes - rougher).max(axis=1)
        good = (size > 1e-13 * size.max()) & (apart < 1e-5 * size)  # not where all is rounding, nor at a kink
        rows.append(left[good] / size[good, np.newaxis])
        right.append(constant[good] / size[good, np.newaxis])
    for i, letter in enumerate(model.x):
        unit = case.units.get(state_name(letter))
        if unit is not None:
            rows.append(np.eye(unknown)[i : i + 1])
            right.append(np.array([UNITS[unit]], float))
    matrix, wanted = np.concatenate(rows), np.concatenate(right)
    _, triangle, order = qr(matrix, mode="economic", pivoting=True)
    kept = order[np.abs(np.diag(triangle)) > 1e-5 * abs(triangle[0, 0])]  # what is left may have any power
    powers = np.zeros((unknown, 3))
    powers[kept], *_ = np.linalg.lstsq(matrix[:, kept], wanted, rcond=None)
    rounded = np.round(12.0 * powers) / 12.0
    left = np.abs(matrix @ rounded - wanted).max(axis=1)
    return rounded[: n + m], rounded[n + m :], left


def _slopes(function, values: np.ndarray, relative: float) -> np.ndarray:
    """v dF/dv by differences, a column for each letter v."""
    columns = []
    for k, value in enumerate(values):
        ends = values.copy(), values.copy()
        ends[0][k] -= relative * value
        ends[1][k] += relative * value
        columns.append((function(ends[1]) - function(ends[0])) / (2.0 * relative))
    return np.array(columns).T


def scaled(case: Case, factors) -> Case:
    """The case in units of length, time and mass that are smaller by these factors, the tolerance with them."""
    of_states, of_parameters, left = _exponents_of(case)
    assert left.max() < 1e-5, f"no units fit the formulas, off by {left.max():.1e}: a number in them has a unit"
    letters = case.parameters_in_order
    changes = np.prod(np.asarray(factors, float) ** of_parameters, axis=1)
    parameters = {letter: case.parameters[letter] * change for letter, change in zip(letters, changes, strict=True)}
    states = np.prod(np.asarray(factors, float) ** of_states, axis=1)
    span = tuple(factors[1] * t for t in case.t_span)
    return replace(case, x=case.x * states, atol=case.atol * states, t_span=span, parameters=parameters)


@cache
def _exponents_of(case: Case) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return exponents(case)


def unit_differences(name: str, factors, count: int) -> Iterator[tuple[int, Difference | None]]:
    """A ready-made model and the same in other units."""
    case = case_of(name)
    other = scaled(case, factors)
    return told_anew(case, other, count, states=other.atol / case.atol, unit=float(factors[1]))
