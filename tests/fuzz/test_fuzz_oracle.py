"""The mechanics that judges: its own laws hold, and what it is told wrong it notices."""

from __future__ import annotations

import warnings
from collections import Counter
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from fuzz.blows import Blow, check_events, check_places
from fuzz.check import build, judge, simulate
from fuzz.contacts import random_recipe, random_run, ranks
from fuzz.flight import check_flight
from fuzz.geometry import distance, nearest, phi
from fuzz.motion import Motion, rotation
from fuzz.path import routh
from fuzz.reading import Findings, Reading
from fuzz.recipe import FREEDOMS, Body, Push, Recipe, Run, Shape, Touch
from fuzz.rows import gaps, rows
from fuzz.script import run_script
from fuzz.shrink import shrink
from fuzz.single import certificate, solutions
from fuzz.trees import turns_of
from sympact import Energetic, Newton, Poisson, solve_impact

SEEDS = range(48)

TILT = (0.4, -0.3, 0.7)


@cache
def recipes():
    return [random_recipe(seed) for seed in SEEDS]


@pytest.fixture(scope="module")
def drawn():
    """Recipes with a random motion of each."""
    rng = np.random.default_rng(0)
    return [
        (recipe, Motion(recipe), np.array(recipe.start), rng.normal(size=len(recipe.start))) for recipe in recipes()
    ]


def test_models_are_of_all_kinds_and_half_have_a_contact_of_low_rank():
    found, low = Counter(), 0
    for recipe in recipes():
        found.update(body.joint for body in recipe.bodies)
        found.update(type(load).__name__ for load in recipe.loads)
        found.update(recipe.law.split("(")[0] for _ in (0,))
        found.update([recipe.resolution.split("(")[0]])
        for contact in recipe.contacts:
            found.update(
                [contact.body.kind, contact.surface.kind, contact.surface.on[0], f"inside {contact.surface.inside}"]
                if isinstance(contact, Touch)
                else [type(contact).__name__]
            )
        low += any(rank < 3 for rank in ranks(recipe, recipe.start))
    assert set(FREEDOMS) <= set(found)
    assert {"Spring", "Coil", "Push", "Drag", "Stop", "Tie", "m", "g", "b", "inside True"} <= set(found)
    assert {"point", "ball", "disc", "capsule", "plane", "sphere", "cylinder", "implicit", "polygon"} <= set(found)
    assert {"Newton", "Poisson", "Energetic", "Plastic", "CustomLaw", "Sequential", "ImpulseRatio"} <= set(found)
    assert low >= len(recipes()) / 2


def test_the_work_of_loads_is_what_the_kinetic_energy_gains(drawn):
    # d/dt (u M u / 2) = u . (forces of the loads), along u' = M^-1 f: bias, gyroscopic terms and forces in one identity
    for recipe, motion, q, u in drawn:
        M, f = motion.terms(0.3, q, u)
        rates, speeding, h = motion.rates(q, u), np.linalg.solve(M, f), 1e-6

        def kinetic(s, motion=motion, q=q, u=u, rates=rates, speeding=speeding):
            state = q + s * rates, u + s * speeding
            return 0.5 * state[1] @ motion.terms(0.3 + s, *state)[0] @ state[1]

        power = u @ motion.applied(0.3, q, motion.states(0.3, q, u), motion.jacobians(0.3, q))
        gained = (kinetic(h) - kinetic(-h)) / (2 * h)
        assert abs(gained - power) <= 1e-7 * (1 + abs(power) + kinetic(0) * np.abs(u).max() * 100), recipe.seed


def test_gap_rates_are_the_slopes_of_the_gaps(drawn):
    # of surfaces whose gap is the distance; elsewhere the rate is that at the surface
    h = 1e-6
    for recipe, motion, q, u in drawn:
        rates = motion.rates(q, u)
        slope = (gaps(motion, 0.3 + h, q + h * rates) - gaps(motion, 0.3 - h, q - h * rates)) / (2 * h)
        told = rows(motion, 0.3, q).rates(u)
        for contact, a, b in zip(recipe.contacts, slope, told, strict=True):
            by_level = isinstance(contact, Touch) and contact.surface.form and contact.body.kind in ("point", "disc")
            if not by_level:
                assert abs(a - b) <= 1e-7 * (1 + np.abs(u).max() + abs(a)), (recipe.seed, contact)


@pytest.mark.parametrize(
    ("form", "sizes"), [("ellipsoid", (0.4, 0.6, 0.9)), ("bowl", (0.5, -0.3)), ("waves", (0.1, 3.0))]
)
def test_nearest_places_of_implicit_surfaces_are_nearer_than_all_others(form, sizes):
    shape, rng = Shape("implicit", "ground", (0, 0, 0), sizes=sizes, form=form), np.random.default_rng(1)
    c = rng.uniform(-1, 1, (20, 3)) * [1, 1, 0] + [0, 0, 1.2]
    gap, normal = nearest(shape, c)
    assert np.abs(phi(shape, c - gap[:, np.newaxis] * normal)[0]).max() <= 1e-12
    others = c[:, np.newaxis] + rng.normal(size=(20, 4000, 3)) * 0.6
    beyond = phi(shape, others)[0] <= 0.0
    away = np.where(beyond, np.linalg.norm(others - c[:, np.newaxis], axis=-1), np.inf)
    assert (away.min(axis=1) >= gap - 1e-12).all()


def test_a_polygon_is_the_farthest_of_its_edges():
    square = Shape("polygon", "ground", (0, 0, 0), sizes=(1, -1, 1, 1, -1, 1, -1, -1))
    still = Motion(recipes()[0]).states(0.0, np.zeros(len(recipes()[0].start)), np.zeros(len(recipes()[0].start)))[
        "ground"
    ]
    gap, normal = distance(square, still, np.array([[3.0, 0.5, 7.0], [0.1, -0.9, 0.0]]))
    assert gap.tolist() == [2.0, pytest.approx(-0.1)]
    assert normal.tolist() == [[1, 0, 0], [0, -1, 0]]


def test_one_contact_has_the_solutions_that_are_known():
    # a particle: it sticks where |v_T| <= mu |v_N|, else it slips on by |v_T| - mu |v_N|
    (stuck,) = solutions(np.eye(3), np.array([-1.0, 0.3, 0.0]), 0.5)
    assert stuck == pytest.approx([1.0, -0.3, 0.0])
    (slips,) = solutions(np.eye(3), np.array([-1.0, 0.6, 0.8]), 0.5)
    assert slips == pytest.approx([1.0, -0.3, -0.4])
    # a lever, v = g zeta: with mu |g_T| > |g_N| it stops (e = 0), and no push gives a rebound
    lever = np.array([[0.5], [1.0], [0.0]])
    assert solutions(lever, lever[:, 0] * -2.0, 1.0)
    assert not solutions(lever, lever[:, 0] * -2.0, 1.0, shift=-0.5)
    nu, drive = certificate(lever[np.newaxis], (lever[:, 0] * -2.0 * [1.5, 1, 1])[np.newaxis], np.array([1.0]))
    assert drive < 0
    assert np.abs(lever.T @ nu[0]).max() <= 1e-9
    assert certificate(np.eye(3)[np.newaxis], -np.ones((1, 3)), np.array([1.0])) is None


@pytest.mark.parametrize("angle", np.linspace(0.0, 0.3, 7))
def test_a_self_stress_on_the_surface_of_a_cone_is_found_in_every_direction(angle):
    # the only pushes that move nothing are along nu, |nu_T| = mu nu_N; just outside the cone there is none
    for mu, found in ((0.4, True), (0.398, False)):
        nu = np.array([1.0, 0.4 * np.cos(angle), 0.4 * np.sin(angle)])
        A = np.linalg.svd(nu[np.newaxis])[2][1:].T
        assert (certificate(A[np.newaxis], -nu[np.newaxis], np.array([mu])) is not None) == found


@pytest.mark.parametrize(("mu", "ends"), [(0.3, True), (1.0, False)])
def test_friction_on_a_moving_wall_jams_for_good_where_pushing_presses(mu, ends):
    # a lever, v = w + g zeta: G f = g (g . f), f = (1, -mu, 0), presses where mu g_T > g_N; slip ends with v_N < 0
    lever, v = np.array([[0.5], [1.0], [0.0]]), np.array([-1e-6, 0.7, 0.0])
    assert bool(solutions(lever, v, mu)) == ends
    assert (routh(lever @ lever.T, v, mu, 0.0, reach=1.0) is not None) == ends


@pytest.mark.parametrize("law", [Energetic(), Poisson(path="routh"), Newton(path="routh")])
def test_laws_of_one_contact_are_rouths_path(law):
    # an independent integration of the path, of random contacts in space
    rng, agreed = np.random.default_rng(0), 0
    for _ in range(12):
        rows, v = rng.normal(size=(3, 6)), rng.normal(size=3)
        G, v[0] = rows @ rows.T, -abs(v[0])
        mu, e = rng.choice([0.1, 0.3, 0.6, 1.0]), rng.choice([0.0, 0.5, 0.9])
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            end = routh(G, v, mu, e, repr(law))
        if end is not None:
            inverse, unit = np.linalg.inv(G), np.eye(3)
            tangents = {"tangent_jacobian": unit[np.newaxis, 1:], "slip_minus": v[np.newaxis, 1:], "friction": [mu]}
            hit = solve_impact(inverse, unit[:1], v[:1], e, law=law, **tangents)
            assert np.abs(v + hit.speed_change - end).max() <= 1e-6
            agreed += 1
    assert agreed >= 6


def test_what_is_pressed_a_second_time_gives_back_its_part_too():
    # slip that turns presses anew in expansion (v_N = -0.14 m/s where it ends); Stronge's e^2 is the work that comes
    # back through that of all compression. To the end of the slip by Runge and Kutta in polar form, with d sigma =
    # dp/|s|; then it sticks, v_N dv_N = c dp v_N, in closed form
    G = [[1.4263332, 0.7228564, -0.4145926], [0.7228564, 0.6370827, -0.0543373], [-0.4145926, -0.0543373, 0.3888920]]
    G = np.array(G)
    v, mu, e = np.array([-1.0480049, 1.8439500, 2.3282824]), 3.0, 0.818

    def slope(z):
        d = np.array([np.cos(z[0]), np.sin(z[0])])
        a, w = G[1:, 0] - mu * G[1:, 1:] @ d, np.exp(z[1])
        turn, along, push = d[0] * a[1] - d[1] * a[0], d @ a, G[0, 0] - mu * G[0, 1:] @ d
        return np.array([turn, along, w * push, -w * min(z[2], 0.0), w * max(z[2], 0.0)])

    z, h = np.array([np.arctan2(v[2], v[1]), np.log(np.hypot(*v[1:])), v[0], 0.0, 0.0]), 2e-3
    while z[1] > np.log(1e-8):
        k = slope(z)
        middle = slope(z + h / 2 * k)
        third = slope(z + h / 2 * middle)
        z = z + h / 6 * (k + 2 * middle + 2 * third + slope(z + h * third))
    pressed, returned = z[3:]
    assert z[2] < -0.1
    assert returned < e * e * pressed
    hold = -np.linalg.solve(G[1:, 1:], G[1:, 0])
    assert np.linalg.norm(hold) < mu
    c = G[0] @ np.array([1.0, *hold])
    leaves = np.sqrt(2 * c * (e * e * (pressed + z[2] ** 2 / (2 * c)) - returned))
    # the oracle ends slip at 1e-7 of the speeds, the method here is of order 4 with h = 2e-3
    np.testing.assert_allclose(routh(G, v, mu, e), [leaves, 0.0, 0.0], atol=1e-5)
    tangents = {"tangent_jacobian": np.eye(3)[np.newaxis, 1:], "slip_minus": v[np.newaxis, 1:], "friction": [mu]}
    hit = solve_impact(np.linalg.inv(G), np.eye(3)[:1], v[:1], e, law=Energetic(), **tangents)
    np.testing.assert_allclose(v + hit.speed_change, [leaves, 0.0, 0.0], atol=1e-5)


@pytest.mark.parametrize(("fast", "light"), [(1e-12, 1.0), (1.0, 1e12), (1e6, 1e-9)])
def test_rouths_path_keeps_its_shape_in_all_units(fast, light):
    # v and p scale together: of hops that die away, of light bodies
    G, v = np.array([[2.1, -0.6, 1.9], [-0.6, 0.5, -0.8], [1.9, -0.8, 2.0]]), np.array([-1.5, 1.2, -2.1])
    end = routh(G, v, 0.4, 0.9)
    assert end is not None
    np.testing.assert_allclose(routh(light * G, fast * v, 0.4, 0.9) / fast, end, atol=1e-9)


@cache
def slider():
    """A ball on a joint that keeps it in a tilted plane: it falls, rebounds, slides, rolls. With what made it."""
    axes = rotation(TILT)
    along, up = (tuple(map(float, way)) for way in (axes[:, 1], 0.8 * axes[:, 1] + 0.6 * axes[:, 2]))
    upright = np.stack([axes[:, 0], np.cross(up, axes[:, 0]), up], axis=1)
    surface = Shape("plane", "ground", (0.0, 0.0, 0.0), turns_of(upright))
    body = Body(
        "b0",
        "ground",
        "planar",
        1.3,
        (0.04, 0.05, 0.06, 0.003, -0.002, 0.001),
        parent_turn=TILT,
        child_turn=(0.1, 0.2, 0.3),
    )
    touch = Touch("c0", Shape("ball", "b0", (0.0, 0.0, 0.0), sizes=(0.2,)), surface, True)
    push = Push("b0", (0.0, 0.0, 0.0), along, 0.5, "sine", 2.0)
    recipe = Recipe(0, (body,), tuple(-part for part in up), loads=(push,), contacts=(touch,))
    run = Run((0.1, 0.24, 0.18), (0.5, 1.2, -1.6), 0.9, {"g": 9.81, "e_c0": 0.5, "mu_c0": 0.12})
    return recipe, run, simulate(recipe, run)[0]


def test_the_slider_does_all_that_it_is_taken_for():
    recipe, run, result = slider()
    assert {"open", "slips", "sticks"} <= set(Reading(recipe, run, result).doing.ravel())
    assert _breaks(recipe, run, result) == []


def _breaks(recipe, run, result):
    found = Findings()
    reading = Reading(recipe, run, result)
    check_flight(reading, found)
    check_events(reading, found, True)
    return list(dict.fromkeys(violation.name for violation in found.list))


def _end_of_bounces(came: float, left: float) -> list[str]:
    """What is wrong with the end of the slider's bounces, by what it came and left with, in speeds of slow hops."""
    recipe, run, result = slider()
    reading, found = Reading(recipe, run, result), Findings()
    event = next(event for event in result.events if event.kind == "accumulation")
    blow = Blow.of(reading, event)
    sides = [(np.array([speed * reading.slow]), np.zeros((1, 3))) for speed in (-came, left)]
    check_places(reading, found, replace(blow, before=sides[0], after=sides[1]), event)
    return [violation.name for violation in found.list]


def test_bounces_end_where_what_the_law_leaves_is_low_or_would_be():
    assert _end_of_bounces(1.0, 0.0) == []
    assert _end_of_bounces(1000.0, 1.0) == []  # friction has taken the rest of e = 0.5
    assert _end_of_bounces(1000.0, 0.0) == ["bounces that end are low"]
    assert _end_of_bounces(1000.0, 500.0) == ["bounces that end are low"]


def _with_number(name, change):
    def altered(recipe, run):
        numbers = {key: change(value) if key.startswith(name) else value for key, value in run.numbers.items()}
        return recipe, replace(run, numbers=numbers)

    return altered


def _with_body(**changes):
    def altered(recipe, run):
        first = recipe.bodies[0]
        return replace(
            recipe, bodies=(replace(first, **{k: f(getattr(first, k)) for k, f in changes.items()}), *recipe.bodies[1:])
        ), run

    return altered


def _with_surface(change):
    def altered(recipe, run):
        contacts = tuple(
            replace(c, surface=replace(c.surface, place=tuple(change(np.array(c.surface.place)))))
            if isinstance(c, Touch)
            else c
            for c in recipe.contacts
        )
        return replace(recipe, contacts=contacts), run

    return altered


@pytest.mark.parametrize(
    ("told", "broken"),
    [
        (_with_number("g", lambda g: g * 1.001), {"Newton and Euler over a step"}),
        (_with_number("e_", lambda e: e * 1.001), {"Newton's law: what pushes leaves with e"}),
        (
            _with_number("mu", lambda mu: mu * 1.001),
            {"friction is against the slip", "friction impulse is against the slip"},
        ),
        (_with_surface(lambda place: place + 1e-6), {"who takes part touches", "no penetration"}),
        (
            _with_body(hold=lambda hold: (hold[0], hold[1] + 1e-4, hold[2])),
            {"who takes part touches", "no penetration"},
        ),
        (
            _with_body(inertia=lambda j: (j[0] * 1.01, *j[1:]), mass=lambda m: m * 1.01),
            {"Newton and Euler over a step", "momentum"},
        ),
    ],
)
def test_what_is_told_wrong_is_noticed(told, broken):
    recipe, run, result = slider()
    assert broken & set(_breaks(*told(recipe, run), result))


def test_impulses_and_states_that_are_wrong_are_noticed():
    recipe, run, result = slider()
    record = result._record
    for numbers in (record.event_impulse, record.event_numbers["energy"]):
        kept = numbers.copy()
        numbers *= 1.0001
        try:
            assert {"momentum", "the certificate of energy"} & set(_breaks(recipe, run, result))
        finally:
            numbers[:] = kept


def test_a_failure_shrinks_to_what_it_hangs_on():
    recipe = next(recipe for recipe in recipes() if len(recipe.bodies) > 2 and len(recipe.contacts) > 1)
    run = random_run(np.random.default_rng(0), recipe)
    last = recipe.contacts[-1]
    smaller, shorter = shrink(recipe, run, lambda recipe, run: last in recipe.contacts)
    assert smaller.contacts == (last,)
    assert len(smaller.bodies) < len(recipe.bodies)
    assert not smaller.loads
    assert not any(shorter.u)
    assert shorter.span <= 0.05
    assert len(shorter.q) == len(smaller.coordinates)


def test_a_script_stands_alone():
    recipe, run, result = slider()
    names = {"__name__": "script"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(run_script(recipe, run), "script", "exec"), names)
    assert np.array_equal(names["result"].x, result.x)
    assert "fuzz" not in run_script(recipe, run)


def test_rotations_are_those_of_sympy():
    from sympy.physics.vector import ReferenceFrame

    N, B = ReferenceFrame("N"), ReferenceFrame("B")
    B.orient_body_fixed(N, (0.3, -0.7, 1.1), "XYZ")
    assert np.abs(rotation((0.3, -0.7, 1.1)) - np.array(N.dcm(B), dtype=float)).max() <= 1e-15


def test_an_exception_is_a_finding():
    recipe = recipes()[0]
    run = random_run(np.random.default_rng(0), recipe)
    build(recipe)
    verdict = judge(recipe, replace(run, numbers={**run.numbers, "e_c0": 2.0}))
    assert verdict.kinds[0].startswith("raises ValueError")
