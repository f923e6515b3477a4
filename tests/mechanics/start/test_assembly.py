"""Assembly: closest states against closed forms and the conditions of Lagrange, what is kept, what is refused."""

from __future__ import annotations

import math
import warnings
from functools import cache

import numpy as np
import pytest
import sympy as sm
from constrained_models import cartesian_pendulum, driven_crank, four_bar, knife_edge, rolling_disc, slider_crank
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from quick_members import examples, members
from sympy.physics.mechanics import (
    KanesMethod,
    Particle,
    Point,
    ReferenceFrame,
    RigidBody,
    System,
    dynamicsymbols,
    inertia,
)

from sympact import Contact, HybridModel, Limit, Plane, SympactWarning, compare_impacts, solve_impact
from sympact.mechanics.read.constraint import Holonomic, Nonholonomic
from sympact.mechanics.start.closest_place import closest_place
from sympact.mechanics.start.consistency import StartCheck, check_start
from sympact.mechanics.start.constraint_values import ConstraintValues, PlaceFunctions

t = dynamicsymbols._t
FOUR = {"l_r0": 1.0, "l_r1": 2.0, "l_r2": 1.5, "d_x": 2.0, "d_y": 0.0}


@cache
def model_of(make) -> HybridModel:
    return HybridModel(make().source, [])


def numbers_of(model, **given):
    """One for every parameter, or what is given by its name."""
    return {letter: given.get(str(letter), 1.0) for letter in model.parameters}


@cache
def particles(count, **options):
    """Particles in a plane, their coordinates and speeds; with masses of symbols."""
    N, O = ReferenceFrame("N"), Point("O")
    O.set_vel(N, 0)
    names = [f"{axis}{i}" for i in range(count) for axis in "xy"]
    q, u = dynamicsymbols(" ".join(names)), dynamicsymbols(" ".join(f"v_{name}" for name in names))
    system = System(frame=N, fixed_point=O)
    for i in range(count):
        place = O.locatenew(f"P{i}", q[2 * i] * N.x + q[2 * i + 1] * N.y)
        system.add_bodies(Particle(f"p{i}", place, sm.Symbol(f"m{i}")))
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_kdes(*(one.diff(t) - speed for one, speed in zip(q, u, strict=True)))
    return system, q, u


def tried(model, start, numbers, **options):
    """The assembly from a start; None where none is in reach."""
    try:
        return model.assemble(start, numbers, **options)
    except ValueError as error:
        if not str(error).startswith(("no state near", "no speeds satisfy")):
            raise
        return None


def states_of(model, *values):
    return dict(zip(model.x, values, strict=True))


# Closest points in closed form


@examples(17, 50, st.floats(-5, 5), st.floats(-5, 5), st.floats(0.1, 4))
def test_the_closest_place_of_a_pendulum_is_on_its_radius(x, y, length):
    assume(math.hypot(x, y) > 1e-3)
    model = model_of(cartesian_pendulum)
    found = model.assemble(states_of(model, x, y, 0.0, 0.0), numbers_of(model, l=length))
    assert found.x[:2] == pytest.approx(np.array([x, y]) * length / math.hypot(x, y), abs=1e-9 * length)


@given(st.lists(st.floats(-3, 3), min_size=4, max_size=4), st.floats(0.1, 9.0))
@settings(max_examples=40)
def test_two_particles_on_two_circles_move_by_the_inverse_of_their_masses(places, ratio):
    """A rod of length 1 between two free particles: their centre of mass stays, the rod turns along its direction."""
    _, q, _ = particles(2)
    away = np.array(places[2:]) - np.array(places[:2])
    assume(np.linalg.norm(away) > 0.1)
    phi = (q[2] - q[0]) ** 2 + (q[3] - q[1]) ** 2 - 1
    model = _two_particles(phi)
    found = model.assemble(states_of(model, *places, 0, 0, 0, 0), {sm.Symbol("m0"): 1.0, sm.Symbol("m1"): ratio})
    centre = (np.array(places[:2]) + ratio * np.array(places[2:])) / (1.0 + ratio)
    along = away / np.linalg.norm(away)
    truth = np.concatenate([centre - along * ratio / (1 + ratio), centre + along / (1 + ratio)])
    assert found.x[:4] == pytest.approx(truth, abs=1e-9)


@cache
def _two_particles(phi):
    return HybridModel(particles(2)[0], [], constraints=[Holonomic(phi, "rod")])


@cache
def _on_two_circles():
    _, q, _ = particles(1)
    circles = [(q[0] + 1) ** 2 + q[1] ** 2 - 4, (q[0] - 1) ** 2 + q[1] ** 2 - 4]
    return HybridModel(particles(1)[0], [], constraints=[Holonomic(one, f"c{i}") for i, one in enumerate(circles)])


@pytest.mark.parametrize("side", [-1.0, 1.0])
@pytest.mark.parametrize("start", [(0.3, 0.2), (5.0, 0.1), (-40.0, 3.0), (0.0, 1e-4)])
def test_two_circles_meet_where_the_start_leads(start, side):
    model = _on_two_circles()
    found = model.assemble(states_of(model, start[0], side * start[1], 0, 0), {sm.Symbol("m0"): 1.0})
    assert found.x[:2] == pytest.approx([0.0, side * math.sqrt(3)], abs=1e-12)
    assert found.freedoms == 0


def test_the_centre_of_a_circle_leads_to_a_point_of_it():
    """There the violation is stationary: no direction leads to the circle, and every one is as good."""
    model = model_of(cartesian_pendulum)
    found = model.assemble(dict.fromkeys(model.x, 0.0), numbers_of(model))
    assert math.hypot(*found.x[:2]) == pytest.approx(1.0, abs=1e-14)


def test_the_end_is_a_least_distance_and_no_other_stationary_one():
    """On an ellipse with axes 2 and 1, from inside on the longer axis: the vertex is a place of largest distance
    there, the closest ones lie aside; their first coordinate is a^2 x / (a^2 - b^2)."""

    def ellipse(q):
        return np.array([q[0] ** 2 / 4 + q[1] ** 2 - 1]), np.array([[q[0] / 2, 2 * q[1]]])

    free = np.array([True, True])
    found = closest_place(ellipse, np.array([1.0, 0.0]), np.eye(2), free, np.ones(2), 1.0)
    assert found.place[0] == pytest.approx(4.0 / 3.0, abs=1e-9)
    assert abs(found.place[1]) == pytest.approx(math.sqrt(1 - 4.0 / 9.0), abs=1e-9)


# Conditions of Lagrange of random mechanisms


CASES = [four_bar, slider_crank, cartesian_pendulum]


def assembled(make, seed, spread=0.4):
    """A model, its numbers, a start within `spread` of an assembly, and what is found from it; None beyond reach."""
    model, rng = model_of(make), np.random.default_rng(seed)
    numbers = dict(zip(model.parameters, rng.uniform(0.8, 1.2, len(model.parameters)), strict=True))
    first = tried(model, rng.uniform(-1, 1, len(model.x)), numbers)
    if first is None:
        return None
    start = first.x + spread * rng.uniform(-1, 1, len(model.x))
    return model, numbers, start, model.assemble(start, numbers)


@pytest.mark.parametrize("make", members(CASES, slow=[four_bar]))
@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=15)
def test_the_change_is_a_reaction(make, seed):
    """M (q - q0) and M (u - u0) are in the range of A^T, M of q at the start; the constraints are met to rounding."""
    case = assembled(make, seed)
    assume(case is not None)
    model, numbers, start, found = case
    compiled, n = model.compile(), len(model.q)
    p = compiled.all_parameters(compiled.parameters(numbers))
    before, after = (ConstraintValues.at(compiled, 0.0, x, p) for x in (start, found.x))
    assert np.abs(after.positions).max() <= 1e-13
    assert np.abs(after.rates).max() <= 1e-13
    for force in (before.mass @ (found.x - start)[:n], after.mass @ (found.x - start)[n:]):
        left = force - after.rows.T @ np.linalg.lstsq(after.rows.T, force, rcond=1e-12)[0]
        assert np.linalg.norm(left) <= 1e-7 * np.linalg.norm(force)


@pytest.mark.parametrize(
    "make", members([four_bar, slider_crank, rolling_disc, knife_edge, driven_crank], slow=[slider_crank, rolling_disc])
)
@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=12)
def test_speeds_solve_the_linear_problem(make, seed):
    """Against the equations of Karush, Kuhn and Tucker in NumPy, with drives that depend on time and on an input."""
    model, rng = model_of(make), np.random.default_rng(seed)
    numbers = dict(zip(model.parameters, rng.uniform(0.8, 1.2, len(model.parameters)), strict=True))
    inputs = {letter: sm.cos(3 * t) for letter in model.inputs if not letter.is_Derivative}
    time = float(rng.uniform(0.0, 2.0))
    found = tried(model, rng.uniform(-1, 1, len(model.x)), numbers, t=time, inputs=inputs)
    assume(found is not None)
    n, m = len(model.q), len(model.u)
    compiled = model.compile()
    p = compiled.all_parameters(compiled.parameters(numbers))
    values = {"F": math.cos(3 * time), "dF": -3 * math.sin(3 * time)}
    for letter in model.inputs:
        place = len(model.derivation.symbols.parameters) + model.derivation.symbols.inputs.index(letter)
        p[place] = values["dF"] if letter.is_Derivative else values["F"]
    at = ConstraintValues.at(compiled, time, found.x, p)
    drift = at.rates - at.rows @ found.x[n:]
    k = len(at.rows)
    left = np.block([[at.mass, at.rows.T], [at.rows, np.zeros((k, k))]])
    right = np.concatenate([at.mass @ found.given[n:], -drift])
    truth = np.linalg.lstsq(left, right, rcond=1e-12)[0][:m]
    assert found.x[n:] == pytest.approx(truth, abs=1e-8 * max(1.0, np.abs(truth).max()))
    assert np.abs(at.positions).max() <= 1e-12
    assert np.abs(at.rates).max() <= 1e-12 * max(1.0, np.abs(truth).max())


@pytest.mark.parametrize("make", CASES)
@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=15)
def test_an_assembled_state_is_assembled(make, seed):
    case = assembled(make, seed)
    assume(case is not None)
    model, numbers, _, found = case
    again = model.assemble(found, numbers)
    assert again.x == pytest.approx(found.x, abs=1e-13 * max(1.0, np.abs(found.x).max()))


@pytest.mark.parametrize("make", members(CASES, slow=[slider_crank]))
@given(seed=st.integers(0, 2**32 - 1), kept=st.integers(0, 3))
@settings(max_examples=15)
def test_what_is_kept_is_kept_bit_by_bit(make, seed, kept):
    case = assembled(make, seed)
    assume(case is not None)
    model, numbers, start, _ = case
    letters = [letter for k, letter in enumerate((model.q[0], model.u[-1])) if kept & (1 << k)]
    found = tried(model, start, numbers, keep=letters)
    assume(found is not None)
    for letter in letters:
        place = model.x.index(letter)
        assert found.x[place] == start[place]
    assert np.abs(found.residual).max() <= 1e-12


def test_a_kept_crank_is_met_by_the_law_of_cosines():
    model = model_of(four_bar)
    start = {model.q[0]: 1.0, model.q[1]: -0.5, model.q[2]: -2.0, **dict.fromkeys(model.u, 0.0)}
    found = model.assemble(start, numbers_of(model, **FOUR), keep=[model.q[0]])
    joint, ground = np.array([math.cos(1.0), math.sin(1.0)]), np.array([2.0, 0.0])
    far = float(np.linalg.norm(ground - joint))
    between = math.acos((4 + 2.25 - far**2) / (2 * 2 * 1.5))
    assert found.x[0] == 1.0
    assert abs(math.remainder(found.x[2], 2 * math.pi)) == pytest.approx(math.pi - between, abs=1e-10)


def test_a_weight_is_how_many_times_the_inertia():
    """On the line x = y of a particle, a start at (1, 0) with weight w of x ends at w/(w + 1)."""
    system, q, _ = particles(1)
    model = HybridModel(system, [], constraints=[Holonomic(q[0] - q[1], "line")])
    for weight in (0.25, 1.0, 9.0, 1e6):
        found = model.assemble(states_of(model, 1.0, 0.0, 2.0, 0.0), {sm.Symbol("m0"): 3.0}, keep={q[0]: weight})
        assert found.x[:2] == pytest.approx(np.full(2, weight / (weight + 1)), rel=1e-12)
        assert found.x[2:] == pytest.approx([1.0, 1.0], rel=1e-12)


def test_what_is_left_out_is_guessed_and_changes_first():
    model = model_of(four_bar)
    found = model.assemble({model.q[0]: 1.0, model.u[0]: 2.0}, numbers_of(model, **FOUR))
    assert found[model.q[0]] == 1.0
    assert found[model.u[0]] == 2.0
    assert np.abs(found.residual).max() <= 1e-14
    assert np.abs(found.rate_residual).max() <= 1e-14
    with pytest.raises(ValueError, match=r"missing \[q_r1\(t\), q_r2\(t\), u_r1"):
        model.simulate((0, 1), {model.q[0]: 1.0, model.u[0]: 2.0}, numbers_of(model, **FOUR))


# Several assemblies, singular ones, redundant constraints


def test_a_four_bar_has_two_assemblies():
    """From two guesses the two of one crank angle, mirrored at the line from its end to the ground."""
    model, numbers = model_of(four_bar), numbers_of(model_of(four_bar), **FOUR)
    joint, ground = np.array([math.cos(1.0), math.sin(1.0)]), np.array([2.0, 0.0])
    line = (ground - joint) / np.linalg.norm(ground - joint)
    ends = []
    for rod, last in ((-0.3, -2.3), (-2.9, 2.3)):
        found = model.assemble({model.q[0]: 1.0, model.q[1]: rod, model.q[2]: last}, numbers, keep=[model.q[0]])
        angle = 1.0 + found[model.q[1]]
        ends.append(np.array([math.cos(1.0), math.sin(1.0)]) + 2.0 * np.array([math.cos(angle), math.sin(angle)]))
    mirrored = joint + 2 * line * (line @ (ends[0] - joint)) - (ends[0] - joint)
    assert np.linalg.norm(ends[0] - ends[1]) > 0.1
    assert ends[1] == pytest.approx(mirrored, abs=1e-9)


def test_a_stretched_four_bar_is_assembled_and_told_to_be_singular():
    """Rods that just reach: one place, at which the row along the line is zero and a freedom is gained."""
    model = model_of(four_bar)
    found = model.assemble(
        states_of(model, 0.3, -0.2, 0.1, 0, 0, 0), numbers_of(model, l_r0=1.0, l_r1=2.0, l_r2=1.5, d_x=4.5, d_y=0.0)
    )
    assert np.abs(found.residual).max() <= 1e-11
    assert np.abs(np.sin(found.x[:3])).max() <= 1e-5


def test_a_flat_position_has_one_rank_less():
    model = model_of(four_bar)
    numbers = numbers_of(model, l_r0=1.0, l_r1=2.0, l_r2=1.0, d_x=2.0, d_y=0.0)
    found = model.assemble(states_of(model, 0.0, 0.0, math.pi, 1.0, -1.0, 1.0), numbers)
    assert (found.rank, found.freedoms, found.steps) == (1, 2, 0)
    assert found.change == {}
    assert model.assemble(states_of(model, 0.5, -0.4, 3.0, 0, 0, 0), numbers).rank == 2


def test_what_is_said_twice_is_told_by_its_name():
    _, q, _ = particles(1)
    twice = [Holonomic(q[0] ** 2 + q[1] ** 2 - 1, "rod"), Holonomic(2 * q[0] ** 2 + 2 * q[1] ** 2 - 2, "again")]
    model = HybridModel(particles(1)[0], [], constraints=twice)
    found = model.assemble(states_of(model, 0.6, 0.9, 1.0, 0.0), {sm.Symbol("m0"): 1.0})
    assert (found.redundant, found.rank, found.freedoms) == (("again",), 1, 1)
    assert "redundant  again" in repr(found)
    assert found.x[:2] == pytest.approx(np.array([0.6, 0.9]) / math.hypot(0.6, 0.9), abs=1e-12)


def test_quaternions_stay_unit():
    """A body on a ball joint written as three equations, from an attitude and a place that do not fit."""
    model = _hung_body()
    given_x = np.array([0.9, 0.1, -0.2, 0.9, 0.4, 0.1, -0.3, *np.linspace(-1, 1, 6)])
    found = model.assemble(given_x, numbers_of(model))
    assert np.linalg.norm(found.x[3:7]) == pytest.approx(1.0, abs=4e-16)
    assert np.abs(found.residual).max() <= 1e-14
    assert np.abs(found.rate_residual).max() <= 1e-14
    assert found.freedoms == 3
    alone = model.assemble(dict(zip(model.q[:3], [0.0, 1.0, 0.0], strict=True)), numbers_of(model))
    assert alone.x[:3] == pytest.approx([0.0, 1.0, 0.0], abs=1e-14)
    assert np.linalg.norm(alone.x[3:7]) == pytest.approx(1.0, abs=4e-16)


@cache
def _hung_body():
    N, B, O = ReferenceFrame("N"), ReferenceFrame("B"), Point("O")
    O.set_vel(N, 0)
    x, y, z, e0, e1, e2, e3 = q = dynamicsymbols("x y z e0 e1 e2 e3")
    vx, vy, vz, w1, w2, w3 = u = dynamicsymbols("v_x v_y v_z w1 w2 w3")
    B.orient(N, "Quaternion", [e0, e1, e2, e3])
    kdes = [a.diff(t) - b for a, b in zip((x, y, z), (vx, vy, vz), strict=True)]
    rates = sm.Matrix([0, w1, w2, w3])
    turn = sm.Matrix([[e0, -e1, -e2, -e3], [e1, e0, -e3, e2], [e2, e3, e0, -e1], [e3, -e2, e1, e0]])
    kdes += list(sm.Matrix([e0, e1, e2, e3]).diff(t) - turn * rates / 2)
    B.set_ang_vel(N, w1 * B.x + w2 * B.y + w3 * B.z)
    centre = O.locatenew("C", x * N.x + y * N.y + z * N.z)
    centre.set_vel(N, vx * N.x + vy * N.y + vz * N.z)
    body = RigidBody("b", centre, B, 2, (inertia(B, 1, 2, 3), centre))
    kane = KanesMethod(N, q, u, kd_eqs=kdes)
    kane.kanes_equations([body], [])
    hook = (centre.pos_from(O) - B.x).express(N)
    rows = [Holonomic(hook.dot(axis), f"hook {name}") for name, axis in zip("xyz", N, strict=True)]
    return HybridModel(kane, [], constraints=rows)


def test_a_body_without_inertia_is_assembled():
    """The angle of a massless rod, which only says where its end is."""
    system, q, _ = particles(1)
    angle, rate = dynamicsymbols("angle rate")
    N, O = system.frame, system.fixed_point
    whole = System(frame=N, fixed_point=O)
    whole.add_bodies(*system.bodies)
    whole.add_coordinates(*q, angle)
    whole.add_speeds(*particles(1)[2], rate)
    whole.add_kdes(*system.kdes, angle.diff(t) - rate)
    rows = [Holonomic(q[0] - sm.cos(angle), "along"), Holonomic(q[1] - sm.sin(angle), "across")]
    model = HybridModel(whole, [], constraints=rows)
    found = model.assemble(states_of(model, 0.6, 0.9, 0.5, 1.0, 0.0, 0.0), {sm.Symbol("m0"): 1.0})
    assert math.hypot(*found.x[:2]) == pytest.approx(1.0, abs=1e-14)
    assert found.x[2] == pytest.approx(math.atan2(found.x[1], found.x[0]), abs=1e-14)
    run = model.simulate((0, 0.1), found, {sm.Symbol("m0"): 1.0}, consistent="refuse")
    assert run.x[:, 0] == pytest.approx(found.x, abs=0.0)


# What is refused


def test_what_is_out_of_reach_is_told_with_its_residual():
    model = model_of(four_bar)
    numbers = numbers_of(model, **{**FOUR, "d_x": 9.0})
    for start in ([0.3, 0.2, 0.1, 0, 0, 0], [0.0] * 6):
        with pytest.raises(ValueError, match=r"no state.*'holonomic 1' by 4\.5, which q_r0\(t\).*check the lengths"):
            model.assemble(start, numbers)
    with pytest.raises(ValueError, match=r"cannot start at t = 0: no state near.*'holonomic 1' by 4\.5"):
        model.simulate((0, 1), start, numbers)


def test_kept_coordinates_that_hinder_are_named():
    model = model_of(cartesian_pendulum)
    with pytest.raises(ValueError, match=r"violated.*by 1\.25, which y\(t\).*keep fewer than \[x\(t\)\]"):
        model.assemble(states_of(model, 1.5, 0.1, 0, 0), numbers_of(model), keep=[model.q[0]])
    with pytest.raises(ValueError, match=r"no speeds satisfy.*keep fewer than"):
        model.assemble(states_of(model, 1.0, 0.0, 1.0, 0.0), numbers_of(model), keep=list(model.u)[:1])


def test_a_dead_point_that_is_driven_has_no_speeds():
    """The crank of a stretched slider-crank cannot follow a slider that is driven outwards."""
    _, q, _ = particles(1)
    rows = [Holonomic(q[0] ** 2 + q[1] ** 2 - 1, "rod"), Holonomic(q[0] - 1 - t, "drive")]
    model = HybridModel(particles(1)[0], [], constraints=rows)
    with pytest.raises(ValueError, match=r"no speeds satisfy.*'rod' by.*'drive' by.*v_x0"):
        model.assemble(states_of(model, 1.0, 0.0, 0.0, 0.0), {sm.Symbol("m0"): 1.0})


def test_constraints_that_demand_different_accelerations_are_named():
    """Two drives of one coordinate that agree at the start in position and speed, and no longer after."""
    _, q, _ = particles(1)
    rows = [Holonomic(q[0] - t**2, "quick"), Holonomic(q[0] - t**2 / 2, "slow")]
    model = HybridModel(particles(1)[0], [], constraints=rows)
    numbers = {sm.Symbol("m0"): 1.0}
    start = states_of(model, 0.0, 0.0, 0.0, 0.0)
    assert model.assemble(start, numbers).redundant == ("slow",)
    for _ in range(2):  # the second time the start is checked in machine code
        with pytest.raises(ValueError, match=r"contradict each other in their accelerations.*'quick' by 0\.5, 'slow'"):
            model.simulate((0, 1), start, numbers)


def test_bad_input_is_a_sentence():
    model = model_of(cartesian_pendulum)
    numbers, start = numbers_of(model), states_of(model, 1.0, 0.0, 0.0, 0.0)
    z = sm.Symbol("z")
    for keep, kind, sentence in [
        ([z], ValueError, r"keep has unknown states \[z\]; the model has \[x\(t\)"),
        (["X"], ValueError, r"'X' is the name of none of them"),
        (list(model.x), ValueError, r"keep names all states"),
        ({model.q[0]: -1.0}, ValueError, r"the weight of x\(t\) in keep is -1\.0, expected a positive number"),
        ({model.q[0]: "much"}, ValueError, r"weight of x\(t\) in keep is 'much'"),
        (model.q[0], TypeError, r"keep is x\(t\), expected states"),
    ]:
        with pytest.raises(kind, match=sentence):
            model.assemble(start, numbers, keep=keep)
    with pytest.raises(ValueError, match=r"keep names \[y\(t\)\], for which x0 has no value"):
        model.assemble({model.q[0]: 1.0}, numbers, keep=[model.q[1]])
    with pytest.raises(ValueError, match=r"x0 do not match the model: unknown \[z\]"):
        model.assemble({z: 1.0}, numbers)
    with pytest.raises(ValueError, match=r"t is 'now', expected a time"):
        model.assemble(start, numbers, t="now")
    with pytest.raises(ValueError, match=r"consistent is 'ignore', expected one of 'project', 'refuse'"):
        model.simulate((0, 1), start, numbers, consistent="ignore")
    free = HybridModel(particles(1)[0], [])
    with pytest.raises(ValueError, match=r"no bilateral constraints"):
        free.assemble(states_of(free, 0, 0, 0, 0), {sm.Symbol("m0"): 1.0})


# Starts of runs


def test_a_start_is_projected_and_told():
    model, numbers = model_of(cartesian_pendulum), numbers_of(model_of(cartesian_pendulum))
    with pytest.warns(SympactWarning, match=r"projected onto the constraints.*x\(t\) from 1\.2 to 0\.96"):
        run = model.simulate((0, 0.1), states_of(model, 1.2, 0.35, 0.0, 0.0), numbers)
    assert run.x[:2, 0] == pytest.approx([0.96, 0.28], abs=1e-12)
    assert run.settings["start_change"] == pytest.approx([-0.24, -0.07, 0.0, 0.0], abs=1e-12)


@pytest.mark.parametrize(("off", "warned", "refused"), [(1e-14, 0, 0), (1e-10, 0, 0), (1e-7, 0, 1), (1e-5, 1, 1)])
def test_a_start_is_warned_of_beyond_a_millionth_and_refused_beyond_a_billionth(off, warned, refused):
    model, numbers = model_of(cartesian_pendulum), numbers_of(model_of(cartesian_pendulum))
    start = states_of(model, 1.0 + off, 0.0, 0.0, 0.5)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", SympactWarning)
        run = model.simulate((0, 0.1), start, numbers)
    assert len(told) == warned
    assert abs(run.x[0, 0] - 1.0) <= 2e-14
    if refused:
        with pytest.raises(ValueError, match=r"violates the constraints.*'holonomic 1' is .*model\.assemble"):
            model.simulate((0, 0.1), start, numbers, consistent="refuse")
    else:
        model.simulate((0, 0.1), start, numbers, consistent="refuse")


def test_refused_speeds_are_named():
    model, numbers = model_of(cartesian_pendulum), numbers_of(model_of(cartesian_pendulum))
    with pytest.raises(ValueError, match=r"the rate of 'holonomic 1' is 2"):
        model.simulate((0, 0.1), states_of(model, 1.0, 0.0, 1.0, 0.0), numbers, consistent="refuse")


def taken(model, x, p):
    """Whether the machine code takes a start, and whether `check_start` does."""
    compiled = model.compile()
    free = compiled.free_motion(p, compiled.running)
    check = StartCheck(compiled, p, (free.flow, free.data))
    atol = np.full(len(x), 1e-12)
    scale = check.scale(0.0, x, rtol=1e-9, atol=atol)
    try:
        check_start(compiled, 0.0, x, p, None, rtol=1e-9, atol=atol)
    except ValueError as error:
        return scale is not None, str(error)
    return scale is not None, ""


@pytest.mark.parametrize("make", [four_bar, slider_crank, cartesian_pendulum, rolling_disc, knife_edge])
@given(seed=st.integers(0, 2**32 - 1), off=st.sampled_from([0.0, 1e-9, 1e-3]))
@settings(max_examples=15)
def test_the_machine_takes_assembled_starts_and_no_others(make, seed, off):
    model, rng = model_of(make), np.random.default_rng(seed)
    numbers = dict(zip(model.parameters, rng.uniform(0.8, 1.2, len(model.parameters)), strict=True))
    found = tried(model, rng.uniform(0.2, 0.8, len(model.x)), numbers)
    assume(found is not None)
    compiled = model.compile()
    p = compiled.all_parameters(compiled.parameters(numbers))
    assume(np.linalg.svd(ConstraintValues.at(compiled, 0.0, found.x, p).scaled_rows[0])[1].min() > 1e-2)
    x = found.x.copy()
    x[-1] += off
    assert taken(model, x, p)[0] == (off == 0.0 or abs(ConstraintValues.at(compiled, 0.0, x, p).rows[:, -1]).max() == 0)


def test_the_machine_takes_a_mass_matrix_that_constraints_make_regular():
    _, q, u = particles(1)
    system = System(frame=particles(1)[0].frame, fixed_point=particles(1)[0].fixed_point)
    angle, rate = dynamicsymbols("angle rate")
    system.add_bodies(*particles(1)[0].bodies)
    system.add_coordinates(*q, angle)
    system.add_speeds(*u, rate)
    system.add_kdes(*particles(1)[0].kdes, angle.diff(t) - rate)
    rows = [Holonomic(q[0] - sm.cos(angle), "along"), Holonomic(q[1] - sm.sin(angle), "across")]
    model = HybridModel(system, [], constraints=rows)
    compiled = model.compile()
    p = compiled.all_parameters(compiled.parameters({sm.Symbol("m0"): 2.0}))
    assert taken(model, np.array([1.0, 0.0, 0.0, 0.0, 1.0, 1.0]), p) == (True, "")
    lone = HybridModel(system, [], constraints=rows[:1])
    compiled = lone.compile()
    p = compiled.all_parameters(compiled.parameters({sm.Symbol("m0"): 2.0}))
    machine, sentence = taken(lone, np.array([1.0, 0.0, 0.0, 0.0, 1.0, 1.0]), p)
    assert not machine
    assert "mass matrix is singular" in sentence or "no positive inertia" in sentence


def test_restitutions_of_constrained_models_are_checked_in_machine_code():
    _, q, _ = particles(1)
    e = sm.Symbol("e")
    rod = Holonomic(q[0] ** 2 + q[1] ** 2 - 1, "rod")
    model = HybridModel(particles(1)[0], [Limit(q[0], restitution=e, name="stop")], constraints=[rod])
    compiled = model.compile()
    for value, lawful in ((0.5, True), (1.5, False)):
        p = compiled.all_parameters(compiled.parameters({sm.Symbol("m0"): 1.0, e: value}))
        machine, sentence = taken(model, np.array([0.6, 0.8, 0.0, 0.0]), p)
        assert machine == lawful
        assert ("restitution" in sentence) == (not lawful)


# Inputs


@pytest.mark.parametrize("given_as", ["expression", "number", "function"])
def test_inputs_drive_constraints(given_as):
    """x = F(t) on the unit circle: F as an expression, a number, and a Python function with its rates."""
    _, q, _ = particles(1)
    F = sm.Function("F")(t)
    rows = [Holonomic(q[0] ** 2 + q[1] ** 2 - 1, "rod"), Holonomic(q[0] - F, "drive")]
    model = HybridModel(particles(1)[0], [], constraints=rows)
    inputs, rate = {
        "expression": ({F: 0.6 + sm.sin(t - 1)}, 1.0),
        "number": ({F: 0.6}, 0.0),
        "function": (
            {
                F: lambda s: 0.6 + math.sin(s - 1),
                F.diff(t): lambda s: math.cos(s - 1),
                F.diff(t, 2): lambda s: -math.sin(s - 1),
            },
            1.0,
        ),
    }[given_as]
    found = model.assemble(states_of(model, 0.5, 0.9, 0, 0), {sm.Symbol("m0"): 1.0}, t=1.0, inputs=inputs)
    assert found.x == pytest.approx([0.6, 0.8, rate, -0.75 * rate], abs=1e-12)
    assert found.freedoms == 0
    run = model.simulate((1.0, 1.2), found, {sm.Symbol("m0"): 1.0}, inputs=inputs, consistent="refuse")
    end = 0.6 + (math.sin(0.2) if rate else 0.0)
    assert run.x[:2, -1] == pytest.approx([end, math.sqrt(1 - end**2)], abs=1e-9)


# Impacts of constrained models without a run


def constrained_impact(mass, row, rate, e, constraints):
    """Newton's law by the multiplier equations in NumPy: M du = W L + A^T K, A du = 0, gamma+ = -e gamma-."""
    n, k = len(mass), len(constraints)
    left = np.block(
        [
            [mass, -row[:, None], -constraints.T],
            [row[None], np.zeros((1, 1 + k))],
            [constraints, np.zeros((k, 1 + k))],
        ]
    )
    right = np.concatenate([np.zeros(n), [-(1 + e) * rate], np.zeros(k)])
    found = np.linalg.lstsq(left, right, rcond=1e-13)[0]
    return found[:n], found[n]


@examples(13, 40, st.integers(0, 2**32 - 1))
def test_an_impact_keeps_rows_of_constraints(seed):
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(2, 7)), int(rng.integers(1, 4))
    root = rng.normal(size=(n, n))
    mass, row = root @ root.T + 0.1 * np.eye(n), rng.normal(size=n)
    rows = rng.normal(size=(min(k, n - 1), n))
    rows = np.vstack([rows, rows[0] * 2.0])  # one is said twice
    rate, e = -float(rng.uniform(0.5, 2.0)), float(rng.uniform(0, 1))
    found = solve_impact(mass, row[None], [rate], e, constraint_jacobian=rows)
    change, impulse = constrained_impact(mass, row, rate, e, rows)
    assert found.speed_change == pytest.approx(change, abs=1e-9 * np.abs(change).max())
    assert found.impulses[0] == pytest.approx(impulse, rel=1e-9)
    assert compare_impacts(mass, row[None], [rate], e, constraint_jacobian=rows).agree


def test_model_impact_is_that_of_a_run():
    """A pendulum of three equations in a plane that hits a wall: the event of a run, and the impact alone."""
    _, q, _ = particles(1)
    rod = Holonomic(q[0] ** 2 + q[1] ** 2 - 1, "rod")
    system = particles(1)[0]
    wall = Limit(q[0] - sm.Rational(3, 5), restitution=0.5, name="wall")
    model = HybridModel(system, [wall], constraints=[rod])
    numbers = {sm.Symbol("m0"): 2.0}
    run = model.simulate((0, 2), [0.8, -0.6, -0.6, -0.8], numbers)
    hit = run.events[0]
    again = model.impact(hit.t, hit.x_minus, numbers)
    assert again.x_plus == pytest.approx(hit.x_plus, abs=1e-12)
    assert again.impulse == pytest.approx(hit.impulse, abs=1e-12)
    x, y, vx, vy = hit.x_plus
    assert x * vx + y * vy == pytest.approx(0.0, abs=1e-13)
    assert model.compare_impacts(hit.t, hit.x_minus, numbers).agree
    with pytest.raises(NotImplementedError, match="jump maps of models with bilateral constraints"):
        model.jump_map("wall")


def test_friction_of_a_constrained_impact_is_that_of_a_run():
    N, O = ReferenceFrame("N"), Point("O")
    O.set_vel(N, 0)
    x, y, a, vx, vy, w = dynamicsymbols("x y a v_x v_y w")
    B = N.orientnew("B", "Axis", [a, N.z])
    B.set_ang_vel(N, w * N.z)
    centre = O.locatenew("C", x * N.x + y * N.y)
    system = System(frame=N, fixed_point=O)
    system.add_bodies(RigidBody("rod", centre, B, 1, (inertia(B, 0, 0, sm.Rational(1, 12)), centre)))
    system.add_coordinates(x, y, a)
    system.add_speeds(vx, vy, w)
    system.add_kdes(x.diff(t) - vx, y.diff(t) - vy, a.diff(t) - w)
    system.apply_uniform_gravity(-10 * N.y)
    guide = Holonomic(x - sm.cos(a) / 2, "guide")
    tip = centre.locatenew("tip", B.x / 2)
    floor = Contact(tip, Plane(O, N.y), restitution=0.5, friction=0.2, name="tip")
    model = HybridModel(system, [floor], constraints=[guide])
    start = model.assemble([0.4, 1.0, -0.6, 0.0, 0.0, 1.0], {}, keep=[a, y])
    hit = model.simulate((0, 2), start, {}, max_events=1).events[0]
    again = model.impact(hit.t, hit.x_minus, {})
    assert again.x_plus == pytest.approx(hit.x_plus, abs=1e-11)
    assert again.friction_impulse == pytest.approx(hit.friction_impulse, abs=1e-11)


def test_rows_of_another_shape_are_refused():
    with pytest.raises(ValueError, match=r"constraint Jacobian: shape \(1, 3\), expected \(n_constraints, 2\)"):
        solve_impact(np.eye(2), [[1.0, 0.0]], [-1.0], 0.5, constraint_jacobian=[[1.0, 0.0, 0.0]])


def test_coordinates_that_no_constraint_contains_are_named_by_none():
    """The coordinates of each condition are read off its expression."""
    system, q, _ = particles(2)
    model = HybridModel(system, [], constraints=[Holonomic(q[0] * q[1] - 1, "near"), Nonholonomic(q[2].diff(t), "far")])
    assert PlaceFunctions(model.derivation).involved.tolist() == [[True, True, False, False]]
