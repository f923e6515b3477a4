"""The search within a step evaluates only the gaps that may be zero in it: the events are those of a search of all."""

import ctypes
from itertools import combinations

import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me
from hypothesis import given, settings
from hypothesis import strategies as st
from quick_members import members

from sympact import Contact, HybridModel, Plane, Sphere

RADIUS, WIDTH = 0.1, 5.0
BALLS = 10  # 85 contacts: fewer are computed by one straight line, which has no choice
PARTS = sm.symbols("m R e mu", positive=True)
NUMBERS = dict(zip(PARTS, (1.0, RADIUS, 1.0, 0.0), strict=True))


@pytest.fixture(scope="module", params=["smooth", "rough"])
def table(request) -> HybridModel:
    """Balls on a table with four cushions: every pair is a contact, so that the gaps are many."""
    m, r, e, mu = PARTS
    frame, origin = me.ReferenceFrame("N"), me.Point("O")
    system, balls = me.System(frame, origin), []
    q, u = me.dynamicsymbols(f"x:{BALLS} y:{BALLS} a:{BALLS}"), me.dynamicsymbols(f"vx:{BALLS} vy:{BALLS} w:{BALLS}")
    for i in range(BALLS):
        turned, centre = frame.orientnew(f"B{i}", "Axis", [q[2 * BALLS + i], frame.z]), me.Point(f"P{i}")
        centre.set_pos(origin, q[i] * frame.x + q[BALLS + i] * frame.y)
        moment = me.inertia(turned, 0, 0, 2 * m * r**2 / 5)
        system.add_bodies(me.RigidBody(f"ball{i}", centre, turned, m, (moment, centre)))
        balls.append(Sphere(centre, r, frame=turned))
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_kdes(*(speed - place.diff() for place, speed in zip(q, u, strict=True)))
    cushions = [
        Plane(origin.locatenew(f"C{k}", place), inward)
        for k, (place, inward) in enumerate(
            [(0, frame.x), (WIDTH * frame.x, -frame.x), (0, frame.y), (WIDTH * frame.y, -frame.y)]
        )
    ]
    pairs = [*combinations(balls, 2), *((ball, cushion) for ball in balls for cushion in cushions)]
    rough = mu if request.param == "rough" else 0
    model = HybridModel(system, [Contact(*pair, restitution=e, friction=rough) for pair in pairs])
    assert model.compile().chosen_boundary
    return model


def of_all(model: HybridModel, *arguments, **settings):
    """The run of a search that evaluates all gaps."""
    compiled = model.compile()
    chosen = compiled.chosen_boundary
    compiled.waiting.clear()  # memory of runs with the address
    try:
        compiled.__dict__["chosen_boundary"] = 0
        return model.simulate(*arguments, **settings)
    finally:
        compiled.__dict__["chosen_boundary"] = chosen
        compiled.waiting.clear()


def start(places, speeds) -> np.ndarray:
    """The state of balls near the points of a grid of 4 x 3."""
    grid = np.array([(0.7 + 1.2 * (k % 4), 0.8 + 1.5 * (k // 4)) for k in range(BALLS)])
    at = grid + 0.3 * np.array(places).reshape(BALLS, 2)
    of = np.array(speeds).reshape(BALLS, 3)
    return np.concatenate([at[:, 0], at[:, 1], np.zeros(BALLS), of[:, 0], of[:, 1], of[:, 2]])


def the_same(first, second) -> None:
    """Events and states, bit for bit."""
    assert first.status is second.status
    assert first.events.t.tobytes() == second.events.t.tobytes()
    assert [event.contacts for event in first.events] == [event.contacts for event in second.events]
    assert first.x.tobytes() == second.x.tobytes()
    assert first.counts["steps"] == second.counts["steps"]


unit = st.floats(-1.0, 1.0)


@pytest.mark.parametrize("number", members([8, 25], slow=[25]))
def test_random_balls_meet_the_same_events(table, number):
    @settings(max_examples=number, deadline=None)
    @given(
        places=st.lists(unit, min_size=2 * BALLS, max_size=2 * BALLS),
        speeds=st.lists(st.floats(-3.0, 3.0), min_size=3 * BALLS, max_size=3 * BALLS),
        mu=st.sampled_from([0.05, 0.4]),
        e=st.sampled_from([1.0, 0.8]),
    )
    def meet_the_same(places, speeds, mu, e):
        numbers = {**NUMBERS, PARTS[2]: e, PARTS[3]: mu}
        numbers = {symbol: number for symbol, number in numbers.items() if symbol in table.parameters}
        arguments = (0.0, 1.5), start(places, speeds), numbers
        the_same(table.simulate(*arguments), of_all(table, *arguments))

    meet_the_same()


@settings(max_examples=25, deadline=None)
@given(
    depth=st.integers(2, 9).map(lambda k: 10.0**-k),
    touches=st.booleans(),
    speed=st.floats(0.5, 20.0),
    angle=st.floats(0.2, 1.3),
)
def test_a_ball_that_grazes_another_touches_it_where_its_path_is_deep_enough(table, depth, touches, speed, angle):
    """The least distance of a straight path is known; the search omits what is shallower than its dead band, 1e-10."""
    numbers = {symbol: number for symbol, number in NUMBERS.items() if symbol in table.parameters}
    way, aside = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
    target = np.array([2.5, 2.5])
    passes = 2 * RADIUS * (1.0 - depth if touches else 1.0 + depth)
    at = target + passes * aside - 0.8 * way
    x0 = np.zeros(6 * BALLS)
    others = [(0.3 + 0.5 * k, 0.3) for k in range(BALLS - 2)]
    for k, place in enumerate([at, target, *others]):
        x0[[k, BALLS + k]] = place
    x0[3 * BALLS], x0[4 * BALLS] = speed * way
    arguments = (0.0, 1.3 / speed), x0, numbers
    result = table.simulate(*arguments, rtol=1e-10, atol=1e-12)
    the_same(result, of_all(table, *arguments, rtol=1e-10, atol=1e-12))
    assert len(result.events) == (1 if touches else 0)
    if touches:
        reach = np.sqrt((2 * RADIUS) ** 2 - passes**2)
        error = 1e-13 * 2 * RADIUS / reach  # of the gap, over its rate
        assert abs(result.events.t[0] * speed - (0.8 - reach)) < 100 * error


def test_the_gaps_within_a_step_are_those_near(table):
    """Of 85 gaps the machine code computes the chosen ones, whose bits are those of all."""
    compiled = table.compile()
    x = start([0.1] * 2 * BALLS, [0.5] * 3 * BALLS)
    numbers = {symbol: number for symbol, number in NUMBERS.items() if symbol in table.parameters}
    p = np.array([numbers[symbol] for symbol in table.parameters], float)
    p = np.concatenate([p, np.zeros(64)])
    n = len(table.contacts)
    whole = compiled.boundary(0.0, x, p[: len(table.parameters)])
    rates = compiled.flow(0.0, x, p[: len(table.parameters)])
    out, chosen = np.full(3 * n, np.nan), np.zeros(n, dtype=np.int64)
    chosen[[2, 17]] = 1
    call = ctypes.CFUNCTYPE(None, ctypes.c_double, *[ctypes.c_void_p] * 5)(compiled.chosen_boundary)
    call(0.0, *(array.ctypes.data for array in (x, rates, p, out, chosen)))
    assert out[[2, 17]].tobytes() == whole[[2, 17]].tobytes()
    assert np.isnan(out[:n]).sum() == n - 2
