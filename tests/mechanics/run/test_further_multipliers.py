"""Formulations with further multipliers follow motions in minimal coordinates, on the constraints, through impacts."""

import numpy as np
import pytest
import sympy as sm
from closed_loops import GRAVITY, drift, four_bar, slider_crank, two_angles, two_points
from quick_members import members
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, System, dynamicsymbols

from sympact import Contact, GearGuptaLeimkuhler, HybridModel, Overdetermined, Plane, Status

FORMULATIONS = (GearGuptaLeimkuhler(), Overdetermined())
WAYS = [*((one, "DOP853", 1e-9) for one in FORMULATIONS), *((one, "RadauIIA", 1e-7) for one in FORMULATIONS)]
ROUNDING = 2e-14
"""Of phi and A u + a, sums of some ten terms up to 10: their last digits."""
ORDERS = {"Euler": 1, "improved Euler": 2, "RK4": 4, "RK45": 5, "DOP853": 8}
STEPS = {
    "Euler": (0.002, 0.001),
    "improved Euler": (0.01, 0.005),
    "RK4": (0.04, 0.01),
    "RK45": (0.06, 0.015),
    "DOP853": (0.1, 0.05),
}


@pytest.mark.parametrize(("formulation", "method", "rtol"), WAYS)
def test_two_points_move_as_their_angles_say(formulation, method, rtol):
    system, start = two_points()
    model = HybridModel(system, [], formulation=formulation)
    result = model.simulate((0, 1.5), start, {}, method=method, rtol=rtol)
    # a small error of the start grows by less than 10 in this time, and errors of steps add up
    np.testing.assert_allclose(result.x[:4, -1], two_angles(1.5), rtol=0, atol=100 * rtol)
    assert drift(model, result).max() < ROUNDING


LOOPS = {"slider-crank": slider_crank, "four-bar": four_bar, "redundant": lambda: four_bar(repeated=True)}
TURNS = [(name, *way) for name in LOOPS for way in WAYS]
OTHERS = [turn for i, turn in enumerate(TURNS) if (i // len(WAYS) + i) % 3]
"""A loop has one formulation in a quick run with both methods, the redundant one that of the slider-crank."""


@pytest.mark.parametrize(("name", "formulation", "method", "rtol"), members(TURNS, slow=OTHERS))
def test_a_closed_loop_turns_as_lagrange_says(name, formulation, method, rtol):
    """Also where a constraint follows from others: the rank decides which have multipliers."""
    loop = LOOPS[name]()
    model = HybridModel(loop.system, [], formulation=formulation)
    result = model.simulate((0, 0.8), loop.start, {}, method=method, rtol=rtol)
    assert abs(result[loop.tracked][-1] - loop.truth(0.8)) < 100 * rtol
    assert drift(model, result).max() < ROUNDING


@pytest.mark.parametrize("method", ORDERS)
def test_explicit_methods_keep_their_order(method):
    """Steps of one size: the tolerances accept every step, and max_step bounds it."""
    system, start = two_points()
    model = HybridModel(system, [], formulation=GearGuptaLeimkuhler())
    loose = {} if method in ("Euler", "improved Euler", "RK4") else {"rtol": 0.5, "atol": 0.5}
    found = []
    for step in STEPS[method]:
        result = model.simulate((0, 1.5), start, {}, method=method, max_step=step, **loose)
        found.append((result.counts["steps"], np.linalg.norm(result.x[:4, -1] - two_angles(1.5))))
    (few, rough), (many, fine) = found
    assert np.log(rough / fine) / np.log(many / few) > ORDERS[method] - 0.3


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_radau_iia_has_order_five(formulation):
    """With steps that a tolerance determines: the error at the end over the number of steps."""
    system, start = two_points()
    model = HybridModel(system, [], formulation=formulation)
    found = []
    for tolerance in (1e-5, 1e-7, 1e-9):
        result = model.simulate((0, 1.5), start, {}, method="RadauIIA", rtol=tolerance, atol=tolerance)
        found.append((result.counts["steps"], np.linalg.norm(result.x[:4, -1] - two_angles(1.5))))
    steps, errors = np.log(np.array(found)).T
    assert np.polyfit(steps, errors, 1)[0] < -4.5


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_stiff_damper_takes_few_steps(formulation):
    """A block of 1 kg in a damper of 10 kN s/m: speeds decay at 6e3/s, and the crank creeps for 50 s.

    Explicit steps are at most 6/6e3 s long: fifty thousand of them.
    """
    loop = slider_crank(damping=1e4)
    model = HybridModel(loop.system, [], formulation=formulation)
    result = model.simulate((0, 50), loop.start, {}, method="RadauIIA", rtol=1e-6, atol=1e-6)
    assert abs(result[loop.tracked][-1] - loop.truth(50, "Radau", 1e-10, 1e-12)) < 1e-6
    assert result.counts["steps"] < 60
    assert drift(model, result).max() < ROUNDING


def pendulum(formulation, friction):
    """A point on a rod of length 1 beside a wall, in Cartesian coordinates, or by its angle for None."""
    N, O = ReferenceFrame("N"), Point("O")
    O.set_vel(N, 0)
    system = System(frame=N, fixed_point=O)
    if formulation is None:
        q, u = [dynamicsymbols("th")], [dynamicsymbols("w")]
        bob = O.locatenew("bob", sm.sin(q[0]) * N.x - sm.cos(q[0]) * N.y)
        start = {q[0]: 1.0, u[0]: 0.0}
    else:
        q, u = dynamicsymbols("x y"), dynamicsymbols("vx vy")
        bob = O.locatenew("bob", q[0] * N.x + q[1] * N.y)
        start = dict(zip((*q, *u), (np.sin(1.0), -np.cos(1.0), 0.0, 0.0), strict=True))
    system.add_bodies(Particle("mass", bob, 1))
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_kdes(*(one.diff(dynamicsymbols._t) - rate for one, rate in zip(q, u, strict=True)))
    system.apply_uniform_gravity(-GRAVITY * N.y)
    if formulation is not None:
        system.add_holonomic_constraints(q[0] ** 2 + q[1] ** 2 - 1)
    wall = Plane(O.locatenew("wall", -0.2 * N.x), N.x)
    contact = Contact(bob, wall, restitution=0.6, friction=friction)
    return HybridModel(system, [contact], formulation=formulation), start


@pytest.mark.parametrize("friction", [0, 0.4])
@pytest.mark.parametrize(("formulation", "method", "rtol"), WAYS)
def test_a_pendulum_hits_a_wall_when_its_angle_says(formulation, method, rtol, friction):
    """Impacts end an arc; the next one begins on the constraints with new multipliers."""
    free, start = pendulum(None, friction)
    truth = free.simulate((0, 6), start, {}, rtol=1e-11)
    model, start = pendulum(formulation, friction)
    result = model.simulate((0, 6), start, {}, method=method, rtol=rtol)
    assert result.status is Status.FINISHED
    assert len(truth.events) == len(result.events) == 4
    for event, expected in zip(result.events, truth.events, strict=True):
        assert abs(event.t - expected.t) < 100 * rtol
        np.testing.assert_allclose(event.impulse, expected.impulse, rtol=0, atol=1000 * rtol)
    assert drift(model, result).max() < ROUNDING
    # between samples the state is on the polynomial of the step, whose order is lower: 3 for RadauIIA
    between = result(np.linspace(0.01, 5.99, 200))
    assert np.abs(between[0] ** 2 + between[1] ** 2 - 1).max() < 1e-4
