"""The promise: constraints are read from every source, each equation once, and what cannot be met is a sentence."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sm
from constrained_models import accelerations, cartesian_pendulum, consistent, four_bar, linkage, rows_of, slider_crank
from mechanics_oracle import assert_same_equations, chain, cube, states, sympy_numbers
from sympy.physics.mechanics import (
    Force,
    KanesMethod,
    LagrangesMethod,
    Particle,
    Point,
    ReferenceFrame,
    SymbolicSystem,
    System,
    dynamicsymbols,
)

from sympact import (
    BallClosure,
    Holonomic,
    LineClosure,
    Nonholonomic,
    PinClosure,
    RodClosure,
    WeldClosure,
)
from sympact.mechanics import Description, constrained, derive, describe

t = dynamicsymbols._t


def names(derivation):
    return [row.name for row in derivation.constraints]


def refused(source, *constraints):
    """The message of a model that cannot be built."""
    with pytest.raises(ValueError, match="the model cannot be") as caught:
        derive(constrained(source if isinstance(source, Description) else describe(source), constraints))
    return str(caught.value)


def kane(case, **more):
    """The `KanesMethod` of a case, with configuration and velocity constraints."""
    system = case.source
    speeds = [phi.diff(t) for phi in case.positions]
    loads = list(system.loads)
    method = KanesMethod(
        system.frame,
        list(system.q_ind),
        list(system.u_ind),
        kd_eqs=list(system.kdes),
        q_dependent=list(system.q_dep),
        configuration_constraints=list(case.positions),
        u_dependent=list(system.u_dep),
        **({"velocity_constraints": speeds} | more),
    )
    method.kanes_equations(list(system.bodies), loads)
    return method


def in_accelerations(case):
    """The second derivatives of positions, of the derivatives of the speeds."""
    rates = {letter.diff(t): u for letter, u in zip(case.source.q, case.source.u, strict=True)}
    return [phi.diff(t).subs(rates).diff(t) for phi in case.positions]


@pytest.mark.parametrize("of_acceleration", [False, True])
def test_velocity_constraints_of_kane_are_the_rows_of_its_positions(of_acceleration):
    """Stored velocity and acceleration constraints are derivatives of the configuration: the same rows, not more."""
    case = slider_crank()
    late = {"acceleration_constraints": in_accelerations(case)} if of_acceleration else {}
    method = kane(case, **late)
    derivation = derive(describe(method))
    assert names(derivation) == ["configuration 1", "configuration 2"]
    theirs = sympy_numbers(derivation, [*method.mass_matrix, *method.forcing])
    for x, p, time in states(derivation, 3):
        x = consistent(derivation, case, x, p, time)
        numbers = theirs(x, p, time)
        truth = np.linalg.solve(numbers[:9].reshape(3, 3), numbers[9:])
        ours, _ = accelerations(derivation, x, p, time)
        assert np.abs(ours - truth).max() <= 1e-10 * max(1.0, np.abs(truth).max())


def test_acceleration_constraints_of_their_own_are_refused():
    case = slider_crank()
    late = in_accelerations(case)
    method = kane(case, acceleration_constraints=[late[0], late[1] + case.source.u[0]])
    assert "the acceleration constraint 'acceleration 2' is not the derivative of the velocity constraints" in refused(
        method
    )


def test_velocity_constraints_set_by_the_user_replace_the_derived_ones():
    """In a System: combinations of the derivatives are no further rows; others are, and the replaced ones are gone."""
    system, _ = chain(3, "planar")
    q, u = list(system.q), list(system.u)
    phi = [sm.sin(q[0]) - q[1], q[2] ** 2 - q[0] * sm.cos(t)]
    system.add_holonomic_constraints(*phi)
    system.add_nonholonomic_constraints(u[0] * q[1] - u[2])
    assert names(derive(describe(system))) == ["holonomic 1", "holonomic 2", "nonholonomic 1"]
    first, second = (one.diff(t).subs(dict(zip([a.diff(t) for a in q], u, strict=True))) for one in phi)
    system.velocity_constraints = [sm.cos(q[0]) * first - 3 * second, second, u[1] - q[2] * u[2]]
    assert names(derive(describe(system))) == ["holonomic 1", "holonomic 2", "velocity 3"]


def test_a_system_without_hints_has_the_same_rows():
    """q_dep and u_dep order the states and say nothing else."""
    case = four_bar()
    told = derive(describe(case.source))
    q, u = list(case.source.q), list(case.source.u)
    case.source.q_dep, case.source.u_dep = [], []
    case.source.q_ind, case.source.u_ind = q, u
    plain = derive(describe(case.source))
    assert names(told) == names(plain) == ["holonomic 1", "holonomic 2"]
    for x, p, time in states(plain, 2):
        np.testing.assert_array_equal(rows_of(told, x, p, time)[1], rows_of(plain, x, p, time)[1])


def written(form, more=()):
    """The Cartesian pendulum as a `SymbolicSystem` with its multiplier, or without it."""
    x, y, v, w, kappa = dynamicsymbols("x y v w kappa")
    m, l, g = sm.symbols("m l g")
    phi = x**2 + y**2 - l**2
    force = sm.Matrix([2 * x * kappa, -m * g + 2 * y * kappa])
    rates = sm.Matrix([v, w])
    states = {"coord_idxs": (0, 1), "speed_idxs": (2, 3)}
    free = sm.Matrix([0, -m * g])
    if form == "combined":
        matrix = sm.diag(1, 1, m, m, 0)
        return SymbolicSystem(
            [x, y, v, w, kappa], sm.Matrix([*rates, *force, phi]), mass_matrix=matrix, alg_con=[4], **states
        )
    if form == "columns":
        matrix = sm.Matrix([[m, 0, -2 * x], [0, m, -2 * y], [0, 0, 0]])
        return SymbolicSystem(
            [x, y, v, w, kappa],
            sm.Matrix([*free, phi]),
            mass_matrix=matrix,
            coordinate_derivatives=rates,
            alg_con=[2],
            **states,
        )
    if form == "separate":
        matrix = sm.Matrix([[m, 0], [0, m], [0, 0]])
        return SymbolicSystem(
            [x, y], sm.Matrix([*free, phi]), [v, w], mass_matrix=matrix, coordinate_derivatives=rates, alg_con=[2]
        )
    assert form == "explicit"
    return SymbolicSystem([x, y, v, w, kappa], sm.Matrix([*rates, *(force / m), phi]), alg_con=[4], **states)


@pytest.mark.parametrize("form", ["combined", "columns", "separate"])
def test_algebraic_rows_are_the_pendulum_of_lagrange(form):
    case = cartesian_pendulum()
    truth, derivation = derive(describe(case.source)), derive(describe(written(form)))
    assert names(derivation) == [f"algebraic {4}"]
    assert [str(p) for p in derivation.symbols.parameters] == [str(p) for p in truth.symbols.parameters]
    assert derivation.symbols.inputs == ()
    for x, p, time in states(truth, 3):
        x = consistent(truth, case, x, p, time)
        (ours, force), (theirs, other) = (accelerations(one, x, p, time) for one in (derivation, truth))
        assert np.abs(ours - theirs).max() <= 1e-12 * max(1.0, np.abs(theirs).max())
        assert force == pytest.approx(other, rel=1e-12)


def test_algebraic_rows_that_are_no_constraints():
    assert "equations of motion are explicit, u' = F, for 2 speeds: the reactions of the constraints 'algebraic 4'" in (
        refused(written("explicit"))
    )
    x, y, u, v, lam = dynamicsymbols("x y u v lambda")
    g = sm.Symbol("g")
    sliding = SymbolicSystem(
        [x, y, u, v, lam],
        sm.Matrix([u, v, lam, -g, lam]),
        mass_matrix=sm.eye(4).col_join(sm.Matrix([[0, 0, 1, 0]])).col_insert(4, sm.zeros(5, 1)),
        alg_con=[4],
        coord_idxs=(0, 1),
        speed_idxs=(2, 3),
    )
    with pytest.raises(ValueError, match=r"row 4 of .* is algebraic \(alg_con\), but determines u"):
        describe(sliding)
    wrong = SymbolicSystem(
        [x, y, u, v, lam],
        sm.Matrix([u, v, lam, -g, x - y]),
        mass_matrix=sm.diag(1, 1, 1, 1, 0),
        alg_con=[4],
        coord_idxs=(0, 1),
        speed_idxs=(2, 3),
    )
    assert r"a multiplier of the SymbolicSystem acts along [1, 0], which is not along the constraints" in refused(wrong)
    square = SymbolicSystem(
        [x, y, u, v, lam],
        sm.Matrix([u, v, lam**2, lam**2, x - y]),
        mass_matrix=sm.diag(1, 1, 1, 1, 0),
        alg_con=[4],
        coord_idxs=(0, 1),
        speed_idxs=(2, 3),
    )
    with pytest.raises(ValueError, match="are not linear in the multipliers"):
        describe(square)
    far = SymbolicSystem([x], sm.Matrix([u, 1, x]), [u], mass_matrix=sm.Matrix([[1, 0], [0, 1], [0, 0]]), alg_con=[7])
    with pytest.raises(ValueError, match=r"alg_con=\[7\] names rows of 3, counted from 0"):
        describe(far)


def test_auxiliary_speeds_are_zero():
    """The motion of a pendulum with auxiliary speeds at its pivot, by SymPy and here."""
    N, O = ReferenceFrame("N"), Point("O")
    q, u, a, b = dynamicsymbols("q u a b")
    m, l, g = sm.symbols("m l g")
    A = N.orientnew("A", "Axis", [q, N.z])
    A.set_ang_vel(N, u * N.z)
    O.set_vel(N, 0)
    pivot = O.locatenew("pivot", 0)
    pivot.set_vel(N, a * N.x + b * N.y)
    P = pivot.locatenew("P", -l * A.y)
    P.v2pt_theory(pivot, N, A)
    R, S = dynamicsymbols("R S")
    loads = [(P, -m * g * N.y), (pivot, R * N.x + S * N.y)]
    method = KanesMethod(N, [q], [u], kd_eqs=[q.diff(t) - u], u_auxiliary=[a, b])
    method.kanes_equations([Particle("bob", P, m)], loads)
    derivation = derive(describe(method))
    assert derivation.symbols.inputs == ()
    assert_same_equations(derivation, method.mass_matrix, method.forcing)
    assert derivation.x == (q, u)


def test_auxiliary_speeds_of_a_system_are_zero():
    system, _ = chain(2, "planar")
    truth = derive(describe(system))
    aux = dynamicsymbols("ua")
    system.add_auxiliary_speeds(aux)
    system.add_loads(Force(system.bodies[1].masscenter, aux * system.frame.x + aux.diff(t) * system.frame.y))
    derivation = derive(describe(system))
    assert derivation.symbols.inputs == ()
    for x, p, time in states(truth, 2):
        ours, theirs = (accelerations(one, x, p, time)[0] for one in (derivation, truth))
        assert ours == pytest.approx(theirs, rel=1e-14)


def test_constraints_may_be_expressions_with_names():
    system, _ = chain(3, "planar")
    q, u = system.q, system.u
    given = [sm.sin(q[0]) - q[1], u[0] - u[2] * q[1], Holonomic(q[0] - q[2] ** 3, "cam"), q[1].diff(t) - q[0] * u[2]]
    derivation = derive(constrained(describe(system), given[:2]))
    assert [row.position is None for row in derivation.constraints] == [False, True]
    assert names(derivation)[0] == "-q_J1 + sin(q_J0)"
    derivation = derive(constrained(describe(system), [given[2]]))
    assert names(derivation) == ["cam"]
    assert derive(constrained(describe(system), [given[3]])).constraints[0].position is None
    for wrong in ("q", given[0], 3):
        with pytest.raises(TypeError, match="constraints: expected a list of constraints or expressions that are zero"):
            constrained(describe(system), wrong)
    with pytest.raises(TypeError, match="a constraint that is no Holonomic, Nonholonomic or closure is a number or a"):
        constrained(describe(system), ["q"])


def test_unknown_letters_are_parameters_and_inputs():
    """An input in a holonomic constraint is differentiated twice, in a nonholonomic one once."""
    system, _ = chain(3, "planar")
    q, u = system.q, system.u
    F, G = dynamicsymbols("F G")
    k = sm.Symbol("k")
    found = derive(constrained(describe(system), [q[0] - k * F, u[1] - G * u[2]])).symbols
    assert k in found.parameters
    assert found.inputs == (F, F.diff(t), F.diff(t, 2), G, G.diff(t))


FAULTS = {
    "speed": (
        lambda q, u: Holonomic(q[0] + u[1], "mixed"),
        "the holonomic constraint 'mixed' contains u_J1(t), but positions alone are expected in it; give a",
    ),
    "rate": (lambda q, u: Holonomic(q[0].diff(t) - q[1], "mixed"), "contains Derivative(q_J0(t), t), but positions"),
    "constant": (lambda q, u: sm.Symbol("k") - 3, "contains no coordinate (found k - 3 = 0), so that no motion can"),
    "no speed": (lambda q, u: Nonholonomic(q[0] - 1, "slow"), "'slow' contains no speed (found q_J0 - 1 = 0); give a"),
    "acceleration": (
        lambda q, u: Nonholonomic(u[0].diff(t) - u[1], "late"),
        "'late' contains the acceleration Derivative(u_J0(t), t), but speeds alone are expected in it",
    ),
    "second derivative": (
        lambda q, u: Holonomic(q[0].diff(t, 2) - q[1], "late"),
        "the holonomic constraint 'late' contains Derivative(q_J0(t), (t, 2)), but positions alone",
    ),
    "square": (
        lambda q, u: Nonholonomic(u[0] ** 2 - u[1], "fast"),
        "the nonholonomic constraint 'fast' is not linear in the speeds; expected A u + a = 0",
    ),
    "unmet": (
        lambda q, u: Holonomic(sm.sin(q[0]) ** 2 + sm.cos(q[0]) ** 2 - 2, "circle"),
        "the holonomic constraint 'circle' cannot be met by any motion: no speed changes it, and it is not zero",
    ),
    "unmet speed": (
        lambda q, u: Nonholonomic(u[0] - q[0].diff(t) + 1, "drift"),
        "the nonholonomic constraint 'drift' cannot be met by any motion",
    ),
}


@pytest.mark.parametrize("what", FAULTS)
def test_a_constraint_that_cannot_be_is_a_sentence(what):
    system, _ = chain(3, "planar")
    make, sentence = FAULTS[what]
    assert sentence in refused(system, make(system.q, system.u))


def test_a_constraint_that_always_holds_is_no_row():
    system, _ = chain(2, "planar")
    q, u = system.q, system.u
    always = [sm.sin(q[0]) ** 2 + sm.cos(q[0]) ** 2 - 1, Nonholonomic(u[0] - q[0].diff(t), "kinematics")]
    assert derive(constrained(describe(system), always)).constraints == ()


def test_a_branch_that_is_not_taken_is_no_fault():
    """Whether a row with conditions has a direction depends on the state."""
    system, _ = chain(2, "planar")
    q = system.q
    late = Holonomic(sm.Max(q[0] - 50, 0) + sm.Piecewise((0, q[1] < 40), (q[1], True)), "late")
    assert names(derive(constrained(describe(system), [late]))) == ["late"]


def test_no_freedom_left():
    system, _ = chain(2, "planar")
    q, u = system.q, system.u
    message = refused(system, Holonomic(q[0] - 2 * q[1], "gear"), Nonholonomic(u[0] + u[1], "belt"))
    assert "the constraints 'gear', 'belt' leave no freedom: 2 equations determine all 2 speeds" in message
    driven = [Holonomic(q[0] - 2 * q[1], "gear"), Holonomic(q[0] - sm.sin(t), "motor")]
    assert names(derive(constrained(describe(system), driven))) == ["gear", "motor"]


def depend(system, letter, dependent):
    """Call some coordinates or speeds of a system dependent, and no others."""
    every = list(getattr(system, letter))
    setattr(system, f"{letter}_dep", [])
    setattr(system, f"{letter}_ind", [one for one in every if one not in dependent])
    setattr(system, f"{letter}_dep", dependent)


def test_dependent_lists_that_do_not_fit():
    system, _ = chain(3, "planar")
    q = list(system.q)
    depend(system, "q", q[1:])
    system.add_holonomic_constraints(sm.sin(q[0]) - q[1])
    assert "2 coordinates are called dependent, q_J1(t), q_J2(t), but there are 1 equations of constraints for c" in (
        refused(system)
    )
    depend(system, "q", q[2:])
    assert "q_J2(t) is called dependent, but occurs in no constraint; make it independent" in refused(system)
    depend(system, "q", [])
    depend(system, "u", [system.u[0]])
    assert names(derive(describe(system))) == ["holonomic 1"]


def test_the_unit_norm_of_a_quaternion_is_no_row():
    """The kinematic equations keep it, so that a body whose source calls it a constraint is the free body."""
    system, _ = cube("quaternion")
    first = system.q[3]
    system.add_holonomic_constraints(sum(e**2 for e in system.q[3:]) - 1)
    depend(system, "q", [first])
    derivation = derive(describe(system))
    assert (derivation.constraints, len(derivation.quaternions)) == ((), 1)


def test_equal_names_are_refused():
    system, _ = chain(3, "planar")
    q = system.q
    message = refused(system, Holonomic(q[0] - q[1], "cam"), Holonomic(q[0] - q[2], "cam"))
    assert "2 constraints are called 'cam'; give each its own name=" in message


def test_closures_that_cannot_be():
    system, ends = linkage(2)
    N, O = system.frame, system.fixed_point
    P, Q = ends
    high = O.locatenew("high", 3 * N.z)
    assert "the ball closure 'high to r1_far' (along z) cannot be met by any motion" in refused(
        system, BallClosure(high, Q)
    )
    lost = refused(system, BallClosure(Point("lost"), Q))
    assert "uses the point 'lost', which no position connects" in lost or "no position connects the point" in lost
    with pytest.raises(ValueError, match="a ball closure joins two points; found 'r0_far' twice"):
        BallClosure(P, P)
    with pytest.raises(TypeError, match="a ball closure joins two sympy Points; found 3"):
        BallClosure(P, 3)
    with pytest.raises(TypeError, match=r"the axis of the line closure 'O to P' is a .*Vector such as A.z; found 3"):
        LineClosure(O, Q, 3, name="O to P")
    with pytest.raises(ValueError, match="has the length 2, expected 1"):
        LineClosure(O, Q, 2 * N.z)
    with pytest.raises(ValueError, match="is written in several frames or zero; use one"):
        PinClosure(O, Q, N.z, N.x + system.bodies[-1].frame.x)
    with pytest.raises(ValueError, match=r"the length of the rod closure '.*' is -1, expected a positive length"):
        RodClosure(O, Q, -1)
    with pytest.raises(TypeError, match=r"a frame of the ball closure .* is 3, expected a sympy ReferenceFrame"):
        BallClosure(O, Q, frame=3)
    with pytest.raises(TypeError, match=r"a frame of the weld closure .* is None, expected a sympy ReferenceFrame"):
        WeldClosure(O, Q, None, N)


def test_velocities_that_contradict_the_positions():
    system, ends = linkage(2)
    wrong = ends[-1].locatenew("wrong", system.frame.x * sm.Symbol("k"))
    wrong.set_vel(system.frame, system.u[0] * system.frame.x)
    message = refused(system, BallClosure(system.fixed_point, wrong))
    assert "does not change at the rate that the velocities give (compared at a random state)" in message
    assert "the velocity of 'wrong' was set to something that does not follow" in message


def test_points_need_a_frame():
    q = dynamicsymbols("q")
    method = LagrangesMethod(q.diff(t) ** 2, [q])
    message = refused(method, BallClosure(Point("P"), Point("Q")))
    assert "the ball closure 'P to Q' is given by points and vectors, but a LagrangesMethod without frame=" in message


def test_a_speed_without_inertia_that_no_constraint_determines_is_refused():
    N, O = ReferenceFrame("N"), Point("O")
    O.set_vel(N, 0)
    (x, y), (v, w) = dynamicsymbols("x y"), dynamicsymbols("v w")
    P = O.locatenew("P", x * N.x)
    P.set_vel(N, v * N.x)
    system = System(frame=N, fixed_point=O)
    system.add_bodies(Particle("P", P, sm.Symbol("m")))
    system.add_coordinates(x, y)
    system.add_speeds(v, w)
    system.add_kdes(x.diff(t) - v, y.diff(t) - w)
    assert "the speed w(t) moves no mass and no inertia" in refused(system, Holonomic(x - sm.sin(t), "drive"))
    assert names(derive(constrained(describe(system), [Holonomic(x - y**3, "cam")]))) == ["cam"]
    L = sm.Symbol("m") * x.diff(t) ** 2 / 2
    assert "no kinetic energy of Derivative(y(t), t)" in refused(LagrangesMethod(L, [x, y], hol_coneqs=[x - t]))
    assert names(derive(describe(LagrangesMethod(L, [x, y], hol_coneqs=[x - y**3])))) == ["holonomic 1"]
