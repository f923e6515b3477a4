"""Formulations of constrained motion: against minimal coordinates, with drift, orders, events and faults."""

import warnings
from functools import cache
from itertools import product

import numpy as np
import pytest
import sympy as sm
from formulation_models import (
    G,
    add_rod,
    empty,
    four_bar,
    join,
    slider_crank,
    spatial_slider_crank,
    spinning_pendulum,
    two_points,
)
from quick_members import members
from sympy.physics.mechanics import Particle, RigidBody, System, dynamicsymbols, inertia

from sympact import Contact, Direct, HybridModel, NullSpace, Partitioning, Plane, Projection, Status, TangentSpace
from sympact.integrate.problem.warning import SympactWarning

REDUCED = (Partitioning(), TangentSpace(), NullSpace("qr"), NullSpace("svd"), NullSpace("gram-schmidt"))
KEEPING = (Projection(), *REDUCED)
BASES = (NullSpace("svd"), NullSpace("gram-schmidt"))
"""Other bases of the null space: a closed loop each has them in a quick run, and a mechanism with all formulations."""
FEW = members(KEEPING, slow=BASES)
FEW_REDUCED = members(REDUCED, slow=BASES)
MECHANISMS = {
    make.__name__: make for make in (spinning_pendulum, two_points, four_bar, slider_crank, spatial_slider_crank)
}
TOLERANCE, END = 1e-9, 3.0


@cache
def truth(name):
    """The mechanism, its first coordinate at the end, and the growth of a small change of its speed at the start."""
    mechanism = MECHANISMS[name]()
    places = [mechanism.minimal(END, faster) for faster in (0.0, 1e-6)]
    return mechanism, places[0], max(1.0, abs(places[1] - places[0]) / 1e-6)


def run(mechanism, formulation, end=END, **settings):
    """The result of a run, which is told nothing, and the largest |phi| and |A u + a| of its samples."""
    model = mechanism.model(formulation)
    with warnings.catch_warnings():
        warnings.simplefilter("error", SympactWarning)
        result = model.simulate((0.0, end), mechanism.start, {}, **settings)
    return result, violations(model, result)


def violations(model, result):
    compiled, k = model.compile(), len(model.derivation.constraints)
    p = compiled.all_parameters(np.zeros(0))
    values = [compiled.raw("constraints", t, x, p)[: 2 * k] for t, x in zip(result.t, result.x.T, strict=True)]
    return np.abs(np.array(values)).reshape(-1, 2, k).max(axis=(0, 2))


@pytest.mark.parametrize("method", ["Radau", "BDF", "LSODA", "RadauIIA"])
def test_dependent_coordinates_suit_every_implicit_method(method):
    """The flow does not notice them, so that SciPy's increments for its Jacobian of them grew without end."""
    mechanism, place, growth = truth("two_points")
    result, (phi, rates) = run(mechanism, Partitioning(), method=method, rtol=1e-6, atol=1e-9)
    assert result.status is Status.FINISHED
    assert abs(result.x[0, -1] - place) <= len(result.t) * 1e-6 * growth
    assert max(phi, rates) < 1e-9


LOOPS = enumerate(("four_bar", "slider_crank", "spatial_slider_crank", "two_points"))
ALIKE = [(name, one) for (i, name), (k, one) in product(LOOPS, enumerate(KEEPING)) if (k - i) % 3]
"""In a quick run closed loops have two formulations each, so that each formulation has one of them; the open pendulum
has all of them, and redundant constraints have all in tests below."""


@pytest.mark.parametrize(("name", "formulation"), members(product(MECHANISMS, KEEPING), slow=ALIKE), ids=str)
def test_formulations_agree_with_minimal_coordinates(name, formulation):
    """Each step has an error of at most the tolerance, which grows as a change of the start does: n tol growth."""
    mechanism, place, growth = truth(name)
    result, (phi, rate) = run(mechanism, formulation, rtol=TOLERANCE, atol=TOLERANCE)
    assert result.status is Status.FINISHED
    assert abs(result.x[0, -1] - place) <= result.steps * TOLERANCE * growth
    assert phi <= 1e-13
    assert rate <= 1e-12


@pytest.mark.parametrize(
    "name", members(["two_points", "four_bar", "slider_crank", "spatial_slider_crank"], slow=["slider_crank"])
)
def test_all_but_partitioning_stay_within_ten_tolerances(name):
    """The errors of steps partly cancel where they are measured normal to the constraints."""
    mechanism, place, growth = truth(name)
    for formulation in (Projection(), TangentSpace(), NullSpace()):
        result, _ = run(mechanism, formulation, rtol=TOLERANCE, atol=TOLERANCE)
        assert abs(result.x[0, -1] - place) <= 10.0 * TOLERANCE * growth


def test_redundant_constraints_do_not_cost_steps():
    """Twenty constraints on eighteen coordinates with one freedom, off their manifold within steps; the plane has 6."""
    steps = [run(truth(name)[0], Projection(), rtol=1e-9, atol=1e-9)[0].steps for name in MECHANISMS][-2:]
    assert steps[1] <= 1.2 * steps[0]


@pytest.mark.parametrize("formulation", [Direct(), *KEEPING], ids=str)
def test_accelerations_change_by_no_more_than_a_violation_of_redundant_constraints(formulation):
    """A place off the constraints by d, where dependent rows have remainders of d, changes u' in proportion to d."""
    mechanism, _, _ = truth("spatial_slider_crank")
    compiled, rng = mechanism.model(formulation).compile(), np.random.default_rng(5)
    constraints = compiled.constraints(compiled.all_parameters(np.zeros(0)))
    exact, n = constraints.rates(0.0, mechanism.start), 18
    for distance in (1e-9, 1e-7, 1e-5, 1e-4):
        state = mechanism.start.copy()
        state[:n] += distance * rng.uniform(-1.0, 1.0, n)
        rates = constraints.rates(0.0, state)
        assert np.abs(rates - exact)[n:].max() <= 100.0 * distance * np.abs(exact[n:]).max()


@pytest.mark.parametrize("formulation", FEW, ids=str)
@pytest.mark.parametrize(("method", "order", "steps"), [("RK4", 4, (3e-3, 2e-2)), ("DOP853", 8, (2e-2, 8e-2))])
def test_methods_keep_their_order(formulation, method, order, steps):
    """A pendulum in Cartesian coordinates turns over four times: dependent coordinates change along the way.

    A choice that disturbed a step would cost an order; on a circle errors cancel, which may add one.
    """
    mechanism, place, _ = truth("spinning_pendulum")
    sizes, errors = np.geomspace(*steps, 6), []
    for size in sizes:
        result, _ = run(mechanism, formulation, method=method, max_step=size, rtol=0.5, atol=1e6)
        errors.append(abs(result.x[0, -1] - place))
        if isinstance(formulation, Partitioning):
            assert result.counts["choices"] >= 12
    assert np.polyfit(np.log(sizes), np.log(errors), 1)[0] >= 0.95 * order


@pytest.mark.parametrize("growth", [1.1, 1.5, 3.0])
def test_dependent_coordinates_are_chosen_anew_four_times_a_turn(growth):
    """x^2 + y^2 = 1: y depends on x until |x/y| has grown, and then x on y."""
    mechanism, _, _ = truth("spinning_pendulum")
    result, _ = run(mechanism, Partitioning(growth), end=10.0, rtol=1e-9, atol=1e-9)
    turns = np.ptp(np.unwrap(np.arctan2(result.x[0], result.x[1]))) / (2.0 * np.pi)
    assert turns > 10.0
    assert abs(result.counts["choices"] - 4.0 * turns) <= 2.0


def test_a_tangent_space_is_chosen_at_each_step():
    result, _ = run(truth("spinning_pendulum")[0], TangentSpace(), rtol=1e-6)
    assert result.counts["choices"] == result.counts["steps"]


def test_direct_drifts_and_the_others_do_not():
    mechanism, _, _ = truth("two_points")
    drift = {str(one): run(mechanism, one, end=20.0, rtol=1e-7, atol=1e-7)[1] for one in (Direct(), *KEEPING)}
    direct = drift.pop("Direct()")
    assert direct[0] > 1e-6
    assert direct[1] > 1e-8
    assert max(phi for phi, _ in drift.values()) <= 2e-15
    assert max(rate for _, rate in drift.values()) <= 1e-14


@pytest.mark.parametrize("formulation", FEW, ids=str)
def test_dense_output_repeats_the_steps(formulation):
    """The polynomial of each step ends in the sample after it: the step is repeated with the same directions."""
    mechanism, _, _ = truth("slider_crank")
    result, _ = run(mechanism, formulation, end=1.5, rtol=1e-7, atol=1e-7)
    between = 0.5 * (result.t[1:] + result.t[:-1])
    again, _ = run(mechanism, formulation, end=1.5, rtol=1e-7, atol=1e-7, t_eval=between)
    assert np.array_equal(again.x, result(between))
    ends = np.array([result(t, side="left") for t in result.t[1:]]).T
    assert np.abs(ends - result.x[:, 1:]).max() <= 4e-15 * np.abs(result.x).max()


def chain(constrained, formulation, mu):
    """Two rods on a pin whose tip falls on a floor: joints in the coordinates, or constraints, one redundant."""
    system, q, u = empty("a b x1 y1 x2 y2" if constrained else "a b")
    N, O = system.frame, system.fixed_point
    x = np.reshape(q[2:], (2, 2)) if constrained else None
    if constrained:
        first, second = (add_rod(system, f"B{k}", 1, 1, q[k], u[k], *x[k]) for k in range(2))
        join(system, first[0], O)
        join(system, second[0], first[1])
        system.add_holonomic_constraints(sum(system.holonomic_constraints[:4:2]))
        tip = second[1]
    else:
        a, b = q
        first = sm.cos(a) / 2, sm.sin(a) / 2
        add_rod(system, "B0", 1, 1, a, u[0], *first)
        _, tip = add_rod(system, "B1", 1, 1, b, u[1], 2 * first[0] + sm.cos(b) / 2, 2 * first[1] + sm.sin(b) / 2)
    system.apply_uniform_gravity(-G * N.y)
    floor = Plane(O.locatenew("F", -1.2 * N.y), N.y)
    contacts = [Contact(tip, floor, restitution=0.5, friction=mu, name="tip")]
    start = np.array([0.0, 0.0, 0.5, 0.0, 1.5, 0.0][: len(q)] + [0.0] * len(q))
    return HybridModel(system, contacts, formulation=formulation), start


@cache
def joints(mu, end):
    model, start = chain(False, None, mu)
    return model.simulate((0.0, end), start, {}, rtol=1e-10)


@pytest.mark.parametrize("formulation", FEW_REDUCED, ids=str)
@pytest.mark.parametrize(("mu", "end"), [(0.0, 1.5), (0.3, 3.0)])
def test_contacts_and_friction_are_those_of_joints(formulation, mu, end):
    """Impacts, slip, accumulation and rest of a chain: the same events as with the joints in the coordinates."""
    model, start = chain(True, formulation, mu)
    result, wanted = model.simulate((0.0, end), start, {}, rtol=1e-10), joints(mu, end)
    assert [event.kind for event in result.events] == [event.kind for event in wanted.events]
    for one, other in zip(result.events, wanted.events, strict=True):
        assert one.t == pytest.approx(other.t, abs=1e-9)
        assert one.impulse == pytest.approx(other.impulse, abs=3e-9)
    assert result.x[:2, -1] == pytest.approx(wanted.x[:2, -1], abs=1e-8)
    assert violations(model, result)[0] <= 1e-14
    again = model.simulate((0.0, end), start, {}, rtol=1e-10)
    assert np.array_equal(again.x, result.x)
    times = np.linspace(0.0, end, 50)
    assert np.array_equal(again(times), result(times))


@pytest.mark.parametrize("formulation", FEW_REDUCED, ids=str)
def test_a_run_continued_from_an_event_has_the_same_events(formulation):
    model, start = chain(True, formulation, 0.3)
    whole = model.simulate((0.0, 2.0), start, {}, rtol=1e-10)
    after = whole.events[2]
    part = model.simulate((after.t, 2.0), after.x_plus, {}, rtol=1e-10)
    later = list(whole.events)[3:]
    assert [event.kind for event in part.events][:4] == [event.kind for event in later][:4]
    for one, other in zip(list(part.events)[:4], later[:4], strict=True):
        assert one.t == pytest.approx(other.t, abs=1e-9)


def hung_body():
    """A body with a quaternion that hangs on a fixed point by one of its own."""
    q = dynamicsymbols("e0:4 x y z")
    u = dynamicsymbols("w1 w2 w3 vx vy vz")
    system = System()
    N, O = system.frame, system.fixed_point
    frame = N.orientnew("B", "Quaternion", q[:4])
    spin = frame.ang_vel_in(N)
    kdes = [spin.dot(axis) - w for axis, w in zip(frame, u[:3], strict=True)]
    kdes.append(sum(e * e.diff() for e in q[:4]))
    kdes += [place.diff() - speed for place, speed in zip(q[4:], u[3:], strict=True)]
    frame.set_ang_vel(N, u[0] * frame.x + u[1] * frame.y + u[2] * frame.z)
    centre = O.locatenew("C", sum((place * axis for place, axis in zip(q[4:], N, strict=True)), start=0 * N.x))
    system.add_bodies(RigidBody("body", centre, frame, 1, (inertia(frame, 0.1, 0.2, 0.25), centre)))
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_kdes(*kdes)
    away = centre.locatenew("pin", 0.3 * frame.x + 0.4 * frame.z).pos_from(O)
    system.add_holonomic_constraints(*(away.dot(axis) for axis in N))
    system.apply_uniform_gravity(-G * N.z)
    start = np.array([1.0, 0.0, 0.0, 0.0, -0.3, 0.0, -0.4, 1.0, 2.0, 3.0, 0.0, 0.0, 0.0])
    start[10:] = -np.cross(start[7:10], [0.3, 0.0, 0.4])
    return system, start


def knife_edge():
    """A blade on a slope, which moves along its edge alone: one constraint of speeds."""
    system, (x, y, a), (vx, vy, w) = empty("x y a")
    add_rod(system, "blade", 2, 1, a, w, x, y)
    system.add_nonholonomic_constraints(vx * sm.sin(a) - vy * sm.cos(a))
    system.apply_uniform_gravity(G / 2 * system.frame.x)
    return system, np.array([0.0, 0.0, 0.3, 0.0, 0.0, 2.0])


@pytest.mark.parametrize("formulation", FEW_REDUCED, ids=str)
@pytest.mark.parametrize("made", [hung_body, knife_edge])
def test_quaternions_and_constraints_of_speeds(made, formulation):
    """The same motion as by projection, with speeds that are not q'; the blade's place is known in closed form."""
    system, start = made()
    runs = [HybridModel(system, [], formulation=one) for one in (Projection(), formulation)]
    first, second = (model.simulate((0.0, 3.0), start, {}, rtol=1e-11, atol=1e-11) for model in runs)
    assert second.x[:, -1] == pytest.approx(first.x[:, -1], abs=2e-8)
    assert violations(runs[1], second).max() <= 1e-13
    if made is knife_edge:
        angle = 0.3 + 2.0 * second.t
        along = G / 4 * (np.sin(angle) - np.sin(0.3))
        speed = np.hypot(second.x[3], second.x[4])
        assert speed == pytest.approx(np.abs(along), abs=1e-8)


def test_faults_are_named():
    with pytest.raises(ValueError, match=r"growth of Partitioning is 1\.0, expected a finite number above 1"):
        Partitioning(1.0)
    with pytest.raises(ValueError, match="growth of Partitioning is 'x'"):
        Partitioning("x")
    with pytest.raises(ValueError, match="basis of NullSpace is 'lu', expected one of 'qr', 'svd', 'gram-schmidt'"):
        NullSpace("lu")
    same = {
        "zero-eigenvalues": "svd",
        "c-d": "gram-schmidt",
        "gauss-gram-schmidt": "gram-schmidt",
        "recursive-householder": "qr",
        "householder": "qr",
    }
    for word, basis in same.items():
        with pytest.raises(ValueError, match=f"basis '{word}' of NullSpace is basis '{basis}': "):
            NullSpace(word)
    system, _, _ = empty("x")
    system.add_bodies(Particle("p", system.fixed_point.locatenew("P", system.q[0] * system.frame.x), 1))
    with pytest.raises(ValueError, match="for models with bilateral constraints"):
        HybridModel(system, [], formulation=TangentSpace())
