"""The shared check can fail: it notices results that were tampered with, and its bounds are those of the page."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import left_out_of_the_check as left_out
import numpy as np
import promises
import pytest
import sympy as sm
from contact_truth import States, Truth, formulas_of
from known_model import KnownModel
from nearest_place import Level, seeker
from promises import Promise
from quick_members import members
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, System, dynamicsymbols
from trajectory import check_trajectory

from sympact import Capsule, Contact, ConvexPolygon, HybridModel, Implicit, Result, models
from sympact.models import ReadyModel

TESTS = Path(__file__).parent.parent
RUNNERS = (
    "check_trajectory",
    "checked_run",
    "rest_runs",
    "friction_runs",
    "worlds",
    "contact_models",
    "implicit_models",
)

pytestmark = pytest.mark.filterwarnings("ignore::sympact.ImpactWarning")


@cache
def run(name: str) -> tuple[ReadyModel, Result]:
    """A ready-made system and its run, which passes."""
    ready = getattr(models, name)()
    result = ready.simulate()
    check(ready, result)
    return ready, result


def check(ready: ReadyModel, result: Result) -> None:
    """What every test of a simulation asks."""
    check_trajectory(result, ready.model, ready.parameters)


def tampered(result: Result, model=None, **parts) -> Result:
    """The result with other parts of its record or another model."""
    copies = {name: np.array(part) for name, part in parts.items()}
    dense = result._dense
    return Result(replace(result._record, **copies), dense, result._program, model or result._model)


def first(result: Result, kind: str) -> int:
    """The number of the first event of a kind."""
    return next(k for k, event in enumerate(result.events) if event.kind == kind)


def notices(ready: ReadyModel, result: Result, promise: Promise | None = None) -> None:
    """Assert that the check fails, and that it says which promise is broken."""
    with pytest.raises(AssertionError, match=None if promise is None else re.escape(repr(promise.sentence))):
        check(ready, result)


class Moved:
    """A run whose dense output has a coordinate moved at all times."""

    def __init__(self, dense, by: Callable[[np.ndarray], np.ndarray]) -> None:
        self.dense, self.by = dense, by

    def __call__(self, t, side="right"):
        return self.dense(t, side) + self.by(np.asarray(t))


@pytest.mark.parametrize("deep", [1e-6, 3e-10])
def test_a_penetration_is_noticed(deep):
    """Just before the first impact of a bouncing ball, in the dense output alone, as a missed dip would be."""
    ready, result = run("bouncing_ball")
    t = result.events[0].t
    near = t - 0.3 * result._record.h[result._record.event_sample[0]]

    def dip(times):
        out = np.zeros((*np.shape(times), len(result.x)))
        height = result(np.minimum(times, t))[0]
        out[..., 0] = np.where((times > near) & (times < t), -height - deep * result.settings["length"], 0.0)
        return out

    fake = Result(result._record, Moved(result._dense, dip), result._program, result._model)
    notices(ready, fake, promises.DEAD_BAND)


@pytest.mark.parametrize("part", [1e-6, 1e-12])
def test_a_force_that_pulls_is_noticed(part):
    ready, result = run("sliding_block")
    force = result._model.quantity("force")
    model = KnownModel({"force": lambda t, x, stage: -part * force(t, x, stage)}, other=result._model)
    notices(ready, tampered(result, model), promises.NEVER_PULLS)


@pytest.mark.parametrize("part", [1e-3, 1e-5])
def test_a_force_that_does_not_fit_the_motion_is_noticed(part):
    ready, result = run("sliding_block")
    force = result._model.quantity("force")
    model = KnownModel({"force": lambda t, x, stage: (1 + part) * force(t, x, stage)}, other=result._model)
    notices(ready, tampered(result, model))


def turned(vectors: np.ndarray, axis: np.ndarray, degrees: float) -> np.ndarray:
    """Vectors (..., 3) turned about an axis."""
    a = math.radians(degrees)
    return math.cos(a) * vectors + math.sin(a) * np.cross(axis, vectors)


@pytest.mark.parametrize("degrees", [1.0, 1e-7])
def test_friction_that_is_turned_is_noticed(degrees):
    """While a superball on a table rolls or slides, about the normal N.z."""
    ready, result = run("rolling_ball")
    friction = result._model.quantity("friction_force")
    axis = np.array([0.0, 0.0, 1.0])

    def off(t, x, stage):
        return np.moveaxis(turned(np.moveaxis(friction(t, x, stage), 1, -1), axis, degrees), -1, 1)

    notices(ready, tampered(result, KnownModel({"friction_force": off}, other=result._model)), promises.CONE)


@pytest.mark.parametrize("part", [1e-6, 3e-10])
def test_energy_made_is_noticed(part):
    """An event that tells of more energy than its speeds have."""
    ready, result = run("falling_rod")
    numbers = result._record.event_numbers.copy()
    k = first(result, "impact")
    numbers["energy"][k] += part * result.kinetic_energy[result._record.event_sample[k]]
    notices(ready, tampered(result, event_numbers=numbers), promises.NO_ENERGY)


@pytest.mark.parametrize("part", [1e-6, 1e-9])
def test_speed_without_an_impulse_is_noticed(part):
    """The speeds after the first impact, all a little too fast."""
    ready, result = run("falling_rod")
    record, k = result._record, first(result, "impact")
    x, n = record.x.copy(), len(ready.model.q)
    x[record.event_sample[k] + 1, n:] *= 1 + part
    notices(ready, tampered(result, x=x), promises.NO_IMPULSE)


def test_a_missing_impact_is_noticed():
    """The jump of the state stays, its event is gone."""
    ready, result = run("falling_rod")
    record, k = result._record, first(result, "impact")
    events = [name for name in vars(record) if name.startswith("event_")]
    notices(ready, tampered(result, **{name: np.delete(getattr(record, name), k, axis=0) for name in events}))


@pytest.mark.parametrize("part", [1e-6, 1e-9])
def test_another_restitution_is_noticed(part):
    ready, _ = run("falling_rod")
    e = next(symbol for symbol in ready.parameters if symbol.name.startswith("e"))
    other = replace(ready, parameters={**ready.parameters, e: ready.parameters[e] * (1 + part)})
    notices(ready, other.simulate(), promises.LAW)


@pytest.mark.parametrize("part", [1e-6, 1e-9])
def test_another_friction_is_noticed(part):
    ready, _ = run("sliding_block")
    mu = next(symbol for symbol in ready.parameters if symbol.name == "mu")
    other = replace(ready, parameters={**ready.parameters, mu: ready.parameters[mu] * (1 + part)})
    notices(ready, other.simulate())


def test_contacts_that_do_not_close_are_noticed():
    """An accumulation whose contact stays a micrometre above the floor."""
    ready, result = run("bouncing_ball")
    record = result._record
    k = first(result, "accumulation")
    x = record.x.copy()
    x[record.event_sample[k] + 1 :, 0] += 1e-6
    notices(ready, tampered(result, x=x))


@pytest.mark.parametrize("part", [1e-3, 3e-5])
@pytest.mark.parametrize(
    ("name", "letter", "promise"),
    [
        ("double_pendulum", "g", promises.MOTION),
        ("cart_pole", "M", promises.MOTION),
        ("rocking_block", "g", promises.REST_ACCELERATION),
    ],
)
def test_a_run_with_another_load_or_mass_is_noticed(name, letter, promise, part):
    """As equations of motion that have f or M a little wrong would give it."""
    ready, _ = run(name)
    symbol = next(symbol for symbol in ready.parameters if symbol.name == letter)
    other = replace(ready, parameters={**ready.parameters, symbol: ready.parameters[symbol] * (1 + part)})
    notices(ready, other.simulate(), promise)


def test_nothing_is_asked_of_the_equations_of_the_model(monkeypatch):
    """M, f, gaps and slips are SymPy's: the check has no use for the compiled model but the forces that a run tells."""
    ready, result = run("sliding_block")
    formulas_of.cache_clear()
    monkeypatch.setattr(HybridModel, "compile", None)
    monkeypatch.setattr(HybridModel, "quantities", None)
    check(ready, result)


# The truth itself.


BY_KANE = ("compass_walker", "dice", "kane_pendulum", "shaking_table", "superball", "woodpecker")


@pytest.mark.parametrize("name", members(BY_KANE, slow=("dice", "superball")))
def test_masses_and_forcing_are_those_of_sympys_kanes_method(name):
    """Newton's and Euler's equations of the bodies in numbers, at random states."""
    model, rng = getattr(models, name)().model, np.random.default_rng(0)
    x, p, t = rng.uniform(-1, 1, (len(model.x), 5)), rng.uniform(0.5, 1.5, len(model.parameters)), rng.uniform(0, 1, 5)
    source = model.source
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # SymPy finds several ways to a velocity and says so
        if isinstance(source, System):
            source.form_eoms()
    arguments = (dynamicsymbols._t, model.x, model.parameters)
    truth = sm.lambdify(arguments, [source.mass_matrix, source.forcing], cse=True, docstring_limit=0)
    states = States(Truth(model, p, formulas_of(model)), t, x)
    for k in range(5):
        mass, forcing = truth(t[k], x[:, k], p)
        sizes = np.abs(mass).max(), np.abs(forcing).max()
        assert np.abs(states.terms[0][k] - mass).max() <= 1e-13 * sizes[0]
        assert np.abs(states.terms[1][k] - forcing[:, 0]).max() <= 1e-13 * max(sizes)


@pytest.mark.parametrize(("side", "normal", "rate"), [(-1.0, (0, 1, 0), 0.0), (1.0, (1, 0, 0), 3.0)])
def test_on_a_corner_the_edge_before_or_after_that_instant_counts(side, normal, rate):
    """A particle slides off a table with 3 m/s, and is at its corner: on the top until then, beside it from then on."""
    q, u = dynamicsymbols("x y"), dynamicsymbols("v_x v_y")
    N, O = ReferenceFrame("N"), Point("O")
    corners = [O.locatenew(f"T{x}{y}", x * N.x + y * N.y) for x, y in ((2, 0), (-2, 0), (-2, -1), (2, -1))]
    P, system = O.locatenew("P", q[0] * N.x + q[1] * N.y), System(N, O)
    system.add_bodies(Particle("particle", P, 1))
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_kdes(*(a.diff() - b for a, b in zip(q, u, strict=True)))
    model = HybridModel(system, [Contact(P, ConvexPolygon(corners, N.z, N), restitution=0, friction=0.1)])
    state = States(Truth.of(model, {}), np.zeros(1), np.array([[2.0], [0.0], [3.0], [0.0]]), side)
    assert state.rates == pytest.approx(rate, abs=1e-15)
    assert state.rows[0].normal[0] == pytest.approx(normal, abs=1e-15)


# Bounds, and what is left out.


@pytest.mark.parametrize("name", [name for name, part in vars(promises).items() if isinstance(part, Promise)])
def test_the_page_has_the_sentence(name):
    page = " ".join((TESTS.parent / promises.PAGE).read_text(encoding="utf-8").split())
    assert " ".join(getattr(promises, name).sentence.split()) in page


def test_the_numbers_of_sentences_are_read():
    assert promises.CLOSED.number == 1e-15
    assert promises.REST_SPEED.number == 1e-12


def is_checked(text: str) -> bool:
    """Whether a file of tests runs models, and looks at what they do."""
    return ".simulate(" not in text or any(word in text for word in RUNNERS)


def test_files_left_out_are_those_that_run_models_without_the_check():
    files = [path for room in ("contact", "mechanics", "models") for path in (TESTS / room).rglob("test_*.py")]
    found = {path.relative_to(TESTS).as_posix() for path in files if not is_checked(path.read_text(encoding="utf-8"))}
    assert found == set(left_out.FILES)


def test_files_that_are_partly_left_out_are_checked_for_the_rest():
    for name in left_out.PARTLY:
        text = (TESTS / name).read_text(encoding="utf-8")
        assert ".simulate(" in text
        assert is_checked(text)


def test_runs_left_out_would_fail():
    """The oracle's gap of the one run is not that of the nearest place, which is among many."""
    x = sm.Symbol("x")
    assert left_out.RUNS.keys() == {"a valley of nearly flat sides"}
    level = Level.of(Implicit(Point("O"), ReferenceFrame("N"), lambda x, y, z: z - valley(x)), sm.Symbol("t"), ())
    center, places = np.array([[0.0], [0.0], [0.1002]]), np.linspace(-0.1, 0.1, 200_001)
    truth = np.hypot(places, sm.lambdify(x, valley(x))(places) - center[2]).min()
    found = level.nearest(center, np.zeros(1), np.zeros(0), 0.1)[1][0]
    assert found > truth + 1e-7, "the search finds it now: take the run off the list"


def valley(x):
    return 0.02 * sm.sqrt(x**2 + 1e-6)


def test_shapes_left_out_have_no_search():
    N, O, A, B = ReferenceFrame("N"), Point("O"), Point("A"), Point("B")
    for point, height in ((A, 1), (B, 2)):
        point.set_pos(O, height * N.z)
    bars = {("Capsule", "Implicit"): (Capsule(A, B, 0.1), Implicit(O, N, lambda x, y, z: z - x**2))}
    assert bars.keys() == left_out.SHAPES.keys()
    for body, surface in bars.values():
        contact = Contact(body, surface, restitution=0, friction=0, name="bar")
        with pytest.raises(NotImplementedError, match="left_out_of_the_check"):
            seeker(contact, {}, sm.Symbol("t"), ())
