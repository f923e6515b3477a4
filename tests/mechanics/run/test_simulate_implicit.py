"""The promise: a ball touches any smooth surface phi = 0, at rest or moving, as it touches what has a closed form."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
import pytest
import sympy as sm
from implicit_models import GRAVITY, RADIUS, ball_on, energy, free_body, throw, toss
from lambdified import lambdified
from left_out_of_the_check import RUNS
from quick_members import members
from sympy.physics.mechanics import dynamicsymbols

from sympact import Cylinder, Disc, Implicit, Plane, Sphere, Status
from sympact.graph import Graph, numpy_function
from sympact.mechanics.derive import searched as searched_module

t = dynamicsymbols._t
TILT = 0.3


def tilted(N):
    return N.orientnew("A", "Axis", [TILT, (N.x + N.y).normalize()])


def turning(N):
    return N.orientnew("T", "Axis", [2 * t, N.z])


def moved(N, O):
    return O.locatenew("M", 0.2 * N.x + sm.sin(9 * t) / 50 * N.z)


PAIRS = {
    "outside of a sphere": (
        lambda N, O: Sphere(O, 1, frame=N),
        lambda N, O: Implicit(O, N, lambda x, y, z: x**2 + y**2 + z**2 - 1),
        ((0.1, 0.05, 1.3), (0.5, -0.2, 0), (1, 20, 3)),
    ),
    "in a sphere": (
        lambda N, O: Sphere(O, 1, inside=True, frame=N),
        lambda N, O: Implicit(O, N, lambda x, y, z: 1 - x**2 - y**2 - z**2),
        ((0.3, 0.1, -0.5), (0.5, 0.8, 0), (1, 20, 3)),
    ),
    "in a sphere that shakes and turns": (
        lambda N, O: Sphere(moved(N, O), 1, inside=True, frame=turning(N)),
        lambda N, O: Implicit(moved(N, O), turning(N), lambda x, y, z: 1 - x**2 - y**2 - z**2),
        ((0.3, 0.1, -0.5), (0.5, 0.8, 0), (1, 20, 3)),
    ),
    "on a tilted cylinder": (
        lambda N, O: Cylinder(O, tilted(N).x, 0.5),
        lambda N, O: Implicit(O, tilted(N), lambda x, y, z: sm.sqrt(y**2 + z**2) - sm.Rational(1, 2)),
        ((0.0, 0.05, 1.0), (0.5, -0.2, 0), (1, 20, 3)),
    ),
    "in a growing pipe": (
        lambda N, O: Cylinder(O, tilted(N).x, 1 + t / 9, inside=True),
        lambda N, O: Implicit(O, tilted(N), lambda x, y, z: (1 + t / 9) ** 2 - y**2 - z**2),
        ((0.0, 0.05, -0.5), (0.5, -0.2, 0), (1, 20, 3)),
    ),
    "on a tilted plane": (
        lambda N, O: Plane(O, tilted(N).z),
        lambda N, O: Implicit(O, tilted(N), lambda x, y, z: sm.sinh(z)),
        ((0.0, 0.05, 0.6), (0.5, -0.2, 0), (1, 20, 3)),
    ),
}


SURFACES_ALIKE = ("in a sphere", "outside of a sphere", "on a tilted cylinder", "on a tilted plane")


@pytest.mark.parametrize("name", members(PAIRS, slow=SURFACES_ALIKE))
def test_an_implicit_surface_is_the_surface_with_a_closed_form(name):
    """Impacts with friction, sticking, slipping and rolling: the same events at the same times and the same path.

    The state is compared before rounding has grown: each impact on a bent surface multiplies it by up to about 10.
    """
    closed, implicit, (place, velocity, spin) = PAIRS[name]
    one, other = (throw(ball_on(surface), 1.0, place, velocity, spin) for surface in (closed, implicit))
    assert one.status is other.status is Status.FINISHED
    assert [event.kind for event in other.events] == [event.kind for event in one.events]
    assert len([event for event in one.events if event.kind == "impact"]) >= 2
    first, same = one.events[0], other.events[0]
    assert same.t == pytest.approx(first.t, rel=1e-13)
    assert same.impulse[0] == pytest.approx(first.impulse[0], rel=1e-11)
    np.testing.assert_allclose(same.x_plus, first.x_plus, atol=1e-11)
    times = np.linspace(0, 1.0, 50)
    np.testing.assert_allclose(other(times), one(times), atol=1e-8)


@cache
def ellipsoid_bowl():
    a, b, c = 1.2, 0.9, 0.8
    return ball_on(lambda N, O: Implicit(O, N, lambda x, y, z: 1 - x**2 / a**2 - y**2 / b**2 - z**2 / c**2))


def test_a_ball_that_rolls_in_an_ellipsoid_keeps_its_energy():
    """It starts at the bottom, where its centre is at c - R, rolling in two directions; friction does no work."""
    speed = np.array([0.8, 0.5])
    result = throw(
        ellipsoid_bowl(),
        5.0,
        (0, 0, -0.8 + RADIUS),
        (*speed, 0),
        (-speed[1] / RADIUS, speed[0] / RADIUS, 0.0),
        e=0,
        mu=2.0,
    )
    assert result.status is Status.FINISHED
    assert set(result.path) == {"touch sticks"} or result.path[-1] == "touch sticks"
    level = energy(result.x)
    assert np.abs(level - level[0]).max() < 1e-10 * (level[0] + 0.7 * GRAVITY)
    assert np.ptp(result.x[0]) > 0.3
    assert np.ptp(result.x[1]) > 0.1
    assert np.abs(result.gaps[0]).max() < 1e-11


def test_an_elastic_ball_on_a_wavy_floor_keeps_its_energy():
    """Without friction and with e = 1, through many impacts with slopes in both directions."""
    floor = lambda N, O: Implicit(O, N, lambda x, y, z: z - sm.sin(2 * x) * sm.cos(y) / 10)  # noqa: E731
    result = throw(ball_on(floor), 4.0, (0.2, 0.1, 0.7), (0.3, 0.2, 0), e=1, mu=0)
    hits = [event for event in result.events if event.kind == "impact"]
    assert len(hits) > 5
    level = energy(result.x)
    assert np.abs(level - level[0]).max() < 1e-10 * level[0]
    assert result.gaps[0].min() > -1e-9


def test_a_wave_that_passes_below_does_the_work_of_its_forces():
    """At an elastic impact the energy changes by the impulse times the velocity of the surface along its normal."""
    wave = lambda N, O: Implicit(O, N, lambda x, y, z: z - sm.sin(3 * x - 8 * t) / 20)  # noqa: E731
    result = throw(ball_on(wave), 2.0, (0.2, 0.0, 0.4), (0.3, 0, 0), e=1, mu=0)
    hits = [event for event in result.events if event.kind == "impact"]
    assert len(hits) >= 3
    for hit in hits:
        x = hit.x_minus
        normal = (hit.x_plus - hit.x_minus)[6:9] / hit.impulse[0]
        foot = x[:3] - RADIUS * normal
        phase = 3 * foot[0] - 8 * hit.t
        assert foot[2] == pytest.approx(np.sin(phase) / 20, abs=1e-9)
        slope, climb = 3 * np.cos(phase) / 20, -8 * np.cos(phase) / 20
        np.testing.assert_allclose(normal, np.array([-slope, 0, 1]) / np.hypot(slope, 1), atol=1e-9)
        wall = climb / np.hypot(slope, 1)
        before, after = energy(hit.x_minus), energy(hit.x_plus)
        assert after - before == pytest.approx(hit.impulse[0] * wall, rel=1e-9)
    assert np.ptp(energy(result.x)) > 0.1


def test_where_no_place_is_found_the_run_stops():
    """In the middle of a hollow ellipsoid the gradient vanishes: no start there, and no way through."""
    with pytest.raises(ValueError, match="contact 'touch' starts where its gap is not a number; expected a gap >= 0"):
        throw(ellipsoid_bowl(), 1.0, (0, 0, 0), (0, 0, 0))


GROOVES = [*product((1e-6, 0.01, 0.05), (0.5, 0.9, 0.97))]


@pytest.mark.parametrize(("aside", "ratio"), members(GROOVES, slow={*GROOVES} - {(1e-6, 0.5), (0.01, 0.97)}))
def test_a_ball_falls_past_the_centre_of_curvature_of_a_groove(ratio, aside):
    """z = x^2/(2 rho), with the ball's radius R = ratio rho: where it touches, 1 - R/rho is what the equations rest on.

    The truth is the distance from many places of the groove; between them it is off by half the bend, 1e-8 m.
    """
    rho = RADIUS / ratio
    groove = ball_on(lambda N, O: Implicit(O, N, lambda x, y, z: z - x**2 / (2 * rho)))
    result = throw(groove, 0.6, (aside, 0, 0.5), (0, 0.1, 0))
    assert result.status is Status.FINISHED
    places = np.linspace(-1, 1, 40001)
    away = [np.hypot(places - x, places**2 / (2 * rho) - z).min() - RADIUS for x, _, z in result.x[:3].T]
    np.testing.assert_allclose(result.gaps[0], away, atol=3e-8)
    assert min(away) > -1e-9


TOUCHES_TWO = "where the ball of contact 'touch' touches two places of one surface"


@cache
def narrow_groove():
    """Of z = 8 x^2 the radius of curvature at the bottom is 1/16, less than the ball's 0.1."""
    return ball_on(lambda N, O: Implicit(O, N, lambda x, y, z: z - 8 * x**2))


@pytest.mark.parametrize("aside", members([0, 0.001, 0.01, 0.03], slow=[0.001, 0.01]))
def test_a_ball_in_a_groove_that_is_too_narrow_stops(aside):
    """It slides down one side, or falls right in the middle, to where both sides are at the distance R.

    There R^2 = x^2 + 1/16^2 at the places that touch, and the centre is 1/16 above them. A place that is 1e-6 R farther
    off is not yet told from one that touches; that is 1e-7/cos of the angle of the side on the way down. A contact of
    one place needs 200,000 steps to tell that it does not get on there.
    """
    result = throw(narrow_groove(), 1.0, (aside, 0, 0.6), (0, 0, 0), e=0, mu=0)
    assert result.status is Status.NOT_FINITE
    assert TOUCHES_TWO in result.message
    assert result.steps + result.rejected < 1000
    lowest = 8 * (RADIUS**2 - 1 / 16**2) + 1 / 16
    assert result.x[0, -1] == pytest.approx(0, abs=1e-6)
    assert result.x[2, -1] == pytest.approx(lowest, rel=1e-5)
    places = np.linspace(-1, 1, 40001)
    assert min(np.hypot(places - x, 8 * places**2 - z).min() for x, _, z in result.x[:3].T) > RADIUS - 1e-9


def test_a_ball_that_bounces_off_the_sides_of_that_groove_goes_on():
    """It touches one place at a time: on the way up nothing is refused, nor between the bounces."""
    result = throw(narrow_groove(), 1.0, (0.03, 0, 0.6), (0, 0, 0), e=0.9, mu=0)
    assert result.status is Status.FINISHED
    assert len([event for event in result.events if event.kind == "impact"]) > 3
    assert np.ptp(np.sign(result.x[0])) == 2
    places = np.linspace(-1, 1, 40001)
    near = result.x[2] < 0.2
    away = [np.hypot(places - x, 8 * places**2 - z).min() - RADIUS for x, _, z in result.x[:3, near].T]
    np.testing.assert_allclose(result.gaps[0][near], away, atol=3e-8)


NARROW = {
    "a valley of nearly flat sides": (lambda x, y: 0.02 * sm.sqrt(x**2 + 1e-6), (0.01, 0, 0.13)),
    "a steep valley, turned": (
        lambda x, y: 1.5 * sm.sqrt((x * sm.cos(0.3) - y * sm.sin(0.3)) ** 2 + 4e-4),
        (0.05, 0.02, 0.6),
    ),
    "a sloping groove": (lambda x, y: 8 * x**2 + 0.3 * y, (0.03, -0.1, 0.5)),
    "a groove with a ridge at the bottom": (lambda x, y: 12 * x**2 + sm.exp(-5000 * x**2) / 50, (0.03, 0, 0.5)),
    "a deep slot": (lambda x, y: 50 * x**2, (0.01, 0, 1.2)),
    "a bowl": (lambda x, y: 8 * x**2 + 6 * y**2, (0.02, 0.01, 0.5)),
    "a groove that moves": (lambda x, y: 8 * (x - sm.sin(5 * t) / 20) ** 2, (0.02, 0.1, 0.5)),
}


ALIKE = ("a steep valley, turned", "a sloping groove", "a groove with a ridge at the bottom", "a bowl")


@pytest.mark.parametrize("name", members(NARROW, slow=ALIKE))
def test_a_ball_stops_where_it_touches_two_places(name):
    """From 0.04 R apart, in the valley of nearly flat sides, to 2 R, in the slot; the truth is that of many places."""
    height, place = NARROW[name]
    model = ball_on(lambda N, O: Implicit(O, N, lambda x, y, z: z - height(x, y)))
    result = throw(model, 1.0, place, (0, 0, 0), e=0, mu=0, checks=name not in RUNS)
    assert result.status is Status.NOT_FINITE
    assert TOUCHES_TWO in result.message
    assert result.steps + result.rejected < 1000
    x, y = sm.symbols("x y")
    surface = sm.lambdify((x, y, t), height(x, y))
    for time, centre, gap in zip(result.t, result.x[:3].T, result.gaps[0], strict=True):
        if gap < RADIUS / 2:
            assert gap == pytest.approx(lowest_above(surface, time, centre) - RADIUS, abs=1e-9)
            assert gap > -1e-9


def lowest_above(surface, time, centre):
    """The least distance of a place z = f(x, y) within 1.6 R aside, on finer and finer grids around the best one."""
    u, v, reach, least = centre[0], centre[1], 0.16, np.inf
    grid = np.linspace(-1, 1, 161)
    for _ in range(8):
        x, y = np.meshgrid(u + reach * grid, v + reach * grid)
        away = np.sqrt((x - centre[0]) ** 2 + (y - centre[1]) ** 2 + (surface(x, y, time) - centre[2]) ** 2)
        k = np.unravel_index(away.argmin(), away.shape)
        u, v, reach, least = x[k], y[k], 0.1 * reach, min(least, away[k])
    return least


@pytest.mark.slow
def test_formulas_name_what_newtons_method_finds():
    """The gap is a formula of functions of the state that `lambdify` evaluates, and so are its rate and Jacobian."""
    model = ellipsoid_bowl()
    result = throw(model, 0.3, (0.1, -0.05, -0.5), (0.4, 0.2, 0))
    formula = model.gaps[0]
    found = {function.func.__name__ for function in formula.atoms(sm.Function) if "_C_O" in function.func.__name__}
    assert {"x_C_O", "y_C_O", "z_C_O"} < found
    letters = [*model.x, *model.parameters]
    numbers = [*result.x[:, 0], *([0.0] * len(model.parameters))]
    gap, row = lambdified(letters, formula), lambdified(letters, list(model.normal_jacobian))
    assert gap(*numbers) == pytest.approx(result.gaps[0][0], rel=1e-13)
    later = [*result.x[:, -1], *numbers[len(result.x) :]]
    assert gap(*later) == pytest.approx(result.gaps[0][-1], rel=1e-13)
    np.testing.assert_allclose(result[formula], result.gaps[0], atol=1e-14)
    slopes = lambdified(letters, [formula.diff(letter) for letter in model.q[:3]])
    np.testing.assert_allclose(slopes(*numbers), row(*numbers)[:3], atol=1e-12)


def test_what_one_search_finds_is_worked_out_once_for_the_same_numbers(monkeypatch):
    """A formula contains each of these functions hundreds of times, and each is the outcome of thousands of operations.

    The memory is of the last numbers only: others, arrays of them and the first ones again are right, too.
    """
    worked_out = []

    def counted(graph, function):
        evaluate = numpy_function(graph, function)
        return lambda *arrays: worked_out.append(arrays) or evaluate(*arrays)

    monkeypatch.setattr(searched_module, "numpy_function", counted)
    graph = Graph()
    a, b = graph.input("x", 1), graph.input("p", 0)
    nodes = [graph.held(graph.add(a, b)), graph.held(graph.mul(a, b))]
    letters = sm.symbols("a b")
    functions = searched_module.searched(
        graph, dict(zip(nodes, ("f", "g"), strict=True)), {a: letters[0], b: letters[1]}
    )
    f, g = (functions[node] for node in nodes)
    formula = sm.lambdify(letters, f * g + sm.sin(f) + g**2)
    expected = lambda a, b: (a + b) * a * b + np.sin(a + b) + (a * b) ** 2  # noqa: E731
    for count, numbers in enumerate([(2.0, 3.0), (2.0, 4.0), (2.0, 3.0), (np.array([1.0, 2.0]), 3.0)], start=1):
        np.testing.assert_allclose(formula(*numbers), expected(*numbers), rtol=1e-15)
        assert len(worked_out) == count


def hoop(B, C):
    return Disc(C, B.z, RADIUS)


RIMS = {
    "on a tilted cylinder": (
        lambda N, O: Cylinder(O, tilted(N).x, 0.5),
        lambda N, O: Implicit(O, tilted(N), lambda x, y, z: y**2 + z**2 - sm.Rational(1, 4)),
        [0.0, 0.05, 0.9],
    ),
    "in a pipe that turns": (
        lambda N, O: Cylinder(O, N.x, 1, inside=True, frame=N.orientnew("T", "Axis", [2 * t, N.x])),
        lambda N, O: Implicit(O, N.orientnew("T", "Axis", [2 * t, N.x]), lambda x, y, z: 1 - y**2 - z**2),
        [0.0, 0.05, -0.5],
    ),
    "on a sphere": (
        lambda N, O: Sphere(O, 1, frame=N),
        lambda N, O: Implicit(O, N, lambda x, y, z: x**2 + y**2 + z**2 - 1),
        [0.1, 0.05, 1.3],
    ),
    "in a sphere": (
        lambda N, O: Sphere(O, 1, inside=True, frame=N),
        lambda N, O: Implicit(O, N, lambda x, y, z: 1 - x**2 - y**2 - z**2),
        [0.3, 0.1, -0.5],
    ),
    "on a plane": (lambda N, O: Plane(O, N.z), lambda N, O: Implicit(O, N, lambda x, y, z: sm.sinh(z)), [0, 0, 0.4]),
}


@pytest.mark.parametrize("name", members(RIMS, slow={*RIMS} - {"in a pipe that turns"}))
def test_a_rim_on_an_implicit_surface_is_a_rim_on_that_surface(name):
    """Closed forms on planes and spheres, the search for the lowest place elsewhere: the same impacts."""
    closed, implicit, place = RIMS[name]
    one, other = (
        toss(free_body(hoop, surface), 0.8, [*place, 0.3, 1.2, 0.4], [0.3, 0.2, 0, 1.0, 0.5, 8.0])
        for surface in (closed, implicit)
    )
    assert one.status is other.status is Status.FINISHED
    assert [event.kind for event in other.events] == [event.kind for event in one.events]
    assert len([event for event in one.events if event.kind == "impact"]) >= 1
    first, same = one.events[0], other.events[0]
    assert same.t == pytest.approx(first.t, rel=1e-12)
    assert same.impulse[0] == pytest.approx(first.impulse[0], rel=1e-10)
    np.testing.assert_allclose(same.x_plus, first.x_plus, atol=1e-9)
    times = np.linspace(0, 0.8, 40)
    np.testing.assert_allclose(other(times), one(times), atol=1e-6)


def test_a_hoop_that_rolls_in_a_pipe_keeps_its_energy():
    """Leaning, to and fro across the pipe and along it: friction that sticks does no work."""
    pipe = lambda N, O: Cylinder(O, N.x, 1, inside=True)  # noqa: E731
    speed, turn = 0.8, np.pi / 2 - 0.1
    start = [0, 0, -1 + RADIUS + 1e-3, turn, 0.05, 0]
    result = toss(free_body(hoop, pipe), 2.0, start, [0, speed, 0, 0, 0, -speed / RADIUS], e=0, mu=5.0)
    assert result.status is Status.FINISHED
    assert result.path[-1] == "touch sticks"
    sticks = result.t > result.events[-1].t
    level = (result.kinetic_energy + GRAVITY * result.x[2])[sticks]
    assert np.ptp(level) < 1e-9
    assert np.ptp(result.x[1][sticks]) > 0.2
    assert np.abs(result.gaps[0][sticks]).max() < 1e-11
