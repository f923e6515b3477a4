"""Jumps of the user's own in mechanical models, discrete states, and the order in which jumps are applied.

Times come from closed forms; see `test_events_of_ones_own` for the tolerance.
"""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sm
from switch_models import E, G, M, Q, U
from sympy.physics.mechanics import (
    Force,
    KanesMethod,
    LagrangesMethod,
    Particle,
    Point,
    PrismaticJoint,
    ReferenceFrame,
    RigidBody,
    SymbolicSystem,
    System,
    dynamicsymbols,
)

import sympact
from sympact import Contact, Crossing, EventKind, HybridModel, Plane, Status, Stop, Transition, When
from sympact.models import bouncing_ball, tumbling_cube

TIGHT = 1e-11
N, MODE = dynamicsymbols("n mode")
FINE = {"rtol": 1e-12, "atol": 1e-14}
FALL = {M: 1.0, G: 9.81}


def line(force, contacts=False, **options) -> HybridModel:
    """A mass on a vertical line, above a floor or not."""
    ground, mass = RigidBody("ground"), Particle("mass", mass=M)
    system = System.from_newtonian(ground)
    system.add_joints(PrismaticJoint("line", ground, mass, Q, U, joint_axis=ground.z))
    system.add_loads(Force(mass.masscenter, force * ground.z))
    floor = Contact(mass.masscenter, Plane(ground.masscenter, ground.z), restitution=E, friction=0, name="floor")
    return HybridModel(system, [floor] if contacts else [], **options)


def bounce_times(height, restitution, count):
    """The first impacts of a ball that falls from rest."""
    fall = np.sqrt(2 * height / 9.81)
    return fall * (1 + 2 * np.cumsum(np.append(0.0, restitution ** np.arange(1, count))))


BOUNCE = Transition(boundary=Q < 0, jump={U: -sm.Rational(4, 5) * U, N: N + 1}, name="bounce")


def test_a_bouncing_ball_of_modelica():
    """The first ball of the Modelica pages: ``when h <= 0 then reinit(v, -e*v)``. It never falls through.

    An event-driven loop with a step of detection falls through once rebounds are lower than its tolerance; here the
    bounces accumulate at t_inf, and the run ends there.
    """
    result = line(-M * G, discrete=[N], transitions=[BOUNCE]).simulate((0, 6), [1.0, 0, 0.0], FALL, **FINE)
    np.testing.assert_allclose(result.events.t[:20], bounce_times(1.0, 0.8, 20), rtol=0, atol=1e-12)
    assert result.status is Status.ACCUMULATION
    assert result.t_inf == pytest.approx(9 * np.sqrt(2 / 9.81), abs=1e-12)
    assert result.x[0].min() > -1e-13
    assert result[N][-1] == len(result.events)


def test_from_accumulation_into_a_stage():
    """Where bounces accumulate, a transition at ``"accumulation"`` lays the ball down: it is at rest from t_inf on."""
    weight = -M * G * sm.Piecewise((1, MODE > 0), (0, True))
    rest = Transition(boundary="accumulation", jump={Q: 0, U: 0, MODE: 0}, name="rest")
    model = line(weight, discrete=[N, MODE], transitions=[BOUNCE, rest])
    result = model.simulate((0, 6), {Q: 1, U: 0, N: 0, MODE: 1}, FALL, **FINE)
    assert result.status is Status.FINISHED
    last = result.events[-1]
    assert (last.kind, last.contacts) == (EventKind.ACCUMULATION, ("rest",))
    assert last.t_inf == pytest.approx(9 * np.sqrt(2 / 9.81), abs=1e-12)
    assert result(6.0).tolist() == [0.0, len(result.events) - 1, 0.0, 0.0]


def test_the_stable_ball_of_modelica_never_falls_through():
    """The variant with a flying condition, ``flying = v > 0 or h > -eps``-like: an exact loop never reaches -eps."""
    below = Transition(boundary=Crossing(Q + 1e-6, -1), jump={MODE: 0, U: 0}, name="below")
    weight = -M * G * sm.Piecewise((1, MODE > 0), (0, True))
    model = line(weight, discrete=[N, MODE], transitions=[BOUNCE, below])
    result = model.simulate((0, 6), {Q: 1, U: 0, N: 0, MODE: 1}, FALL, **FINE)
    assert len(result.events.of("below")) == 0
    assert result.status is Status.ACCUMULATION
    assert np.all(result[MODE] == 1)


def test_when_of_several_conditions_differs_from_when_of_their_disjunction():
    """Modelica 3.6, section 8.3.5: ``when {a, b}`` fires at each rising edge, ``when a or b`` at that of the whole.

    q = sin t rises through 1/2 at pi/6, where both fire, and through 9/10, where the first is true already: only the
    list fires again.
    """
    force, conditions = -M * Q, [sm.Rational(1, 2) < Q, sm.Rational(9, 10) < Q]
    times = [np.pi / 6, np.arcsin(0.9)]
    several = line(force, discrete=[N], transitions=[When(conditions, reinit={N: N + 1})])
    whole = line(force, discrete=[N], transitions=[Transition(boundary=sm.Or(*conditions), jump={N: N + 1})])
    both, once = (model.simulate((0, 3), [0.0, 0, 1.0], {M: 1.0}, **FINE) for model in (several, whole))
    np.testing.assert_allclose(both.events.t, times, rtol=0, atol=TIGHT)
    np.testing.assert_allclose(once.events.t, times[:1], rtol=0, atol=TIGHT)
    assert (both[N][-1], once[N][-1]) == (2, 1)


def test_when_fires_once_where_several_of_its_conditions_become_true_together():
    """``when {h < 0, v < 0}``-like conditions at one instant are one activation of the equations."""
    model = line(0 * M, discrete=[N], transitions=[When([Q > 1, 2 * Q > 2, Q**2 > 1], reinit={N: N + 1})])
    assert model.simulate((0, 3), [0.0, 0, 1.0], {M: 1.0})[N][-1] == 1


def test_a_jump_reads_the_states_before_it():
    """Two carts of equal mass exchange their speeds."""
    ground, (q1, q2), (u1, u2) = RigidBody("ground"), dynamicsymbols("q1 q2"), dynamicsymbols("u1 u2")
    system = System.from_newtonian(ground)
    for name, q, u in (("a", q1, u1), ("b", q2, u2)):
        system.add_joints(PrismaticJoint(name, ground, Particle(f"cart {name}", mass=1), q, u, joint_axis=ground.x))
    model = HybridModel(system, [], transitions=[Transition(boundary=q1 - q2, jump={u1: u2, u2: u1}, name="swap")])
    result = model.simulate((0, 3), {q1: 0, q2: 1, u1: 2, u2: -1}, {})
    assert result.events.t == pytest.approx([1 / 3], abs=1e-14)
    assert result.x[2:, -1].tolist() == [-1.0, 2.0]
    assert result.events[0].kind == EventKind.TRANSITION
    assert result.events["swap"][0].contacts == ("swap",)


def test_simultaneous_jumps_are_applied_in_their_order():
    """Each reads what those before have written: 0 + 1 doubled is 2, 0 doubled + 1 is 1."""
    add, double = Transition(boundary=Q > 1, jump={N: N + 1}), Transition(boundary=2 * Q > 2, jump={N: 2 * N})
    for order, value in (([add, double], 2), ([double, add], 1)):
        model = line(0 * M, discrete=[N], transitions=order)
        result = model.simulate((0, 3), [0.0, 0, 1.0], {M: 1.0})
        assert len(result.events) == 1
        assert result[N][-1] == value


def test_a_jump_that_makes_a_condition_true_causes_the_next_one_at_the_same_instant():
    """A chain of counters: the last jump is that of the first event."""
    k = dynamicsymbols("k")
    chain = [
        Transition(boundary=k >= 3, jump={MODE: 7}, name="third"),
        Transition(boundary=N >= 2, jump={k: k + 3}, name="second"),
        Transition(boundary=Q > 1, jump={N: N + 2}, name="first"),
    ]
    model = line(0 * M, discrete=[N, k, MODE], transitions=chain)
    result = model.simulate((0, 3), {Q: 0, U: 1, N: 0, k: 0, MODE: 0}, {M: 1.0})
    assert len(result.events) == 1
    assert set(result.events[0].contacts) == {"first", "second", "third"}
    assert result.events[0].x_plus[1:4].tolist() == [2.0, 3.0, 7.0]


def test_a_loop_of_jumps_ends_the_run_and_is_named():
    loop = [
        Transition(boundary=N > 0, jump={N: -1}, name="down"),
        Transition(boundary=N < 0, jump={N: 1}, name="up"),
        Transition(boundary=Q > 1, jump={N: 1}, name="begin"),
    ]
    model = line(0 * M, discrete=[N], transitions=loop)
    result = model.simulate((0, 3), [0.0, 0, 1.0], {M: 1.0})
    assert result.status is Status.EVENT_LOOP
    assert "down, up" in result.message
    assert result.t[-1] == pytest.approx(1.0, abs=1e-14)


@pytest.mark.parametrize(
    ("impact", "speed", "kinds"),
    [
        ("before", 0.5 * 2 * 10.0, ["impact"]),
        ("after", 2 * 0.5 * 10.0, ["impact"]),
        ("instead", -2 * 10.0, ["transition", "impact"]),
    ],
)
def test_an_impact_at_the_same_event_is_taken_before_after_or_not_at_all(impact, speed, kinds):
    """A mass with the speed -10 hits the floor with e = 1/2, and a transition there doubles its speed."""
    double = Transition(boundary=Q < 0, jump={U: 2 * U}, impact=impact, name="double")
    result = line(0 * M, contacts=True, transitions=[double]).simulate((0, 1), [1.0, -10.0], {M: 1.0, E: 0.5})
    assert [str(kind) for kind in result.events.kinds()] == kinds
    assert result.events[0].x_plus[1] == pytest.approx(speed, rel=1e-14)
    assert result.warnings == ()
    assert result.x[1, -1] == pytest.approx(10.0, rel=1e-14)
    assert result.status is Status.FINISHED


def test_the_energy_of_an_impact_is_its_own_beside_a_jump():
    double = Transition(boundary=Q < 0, jump={U: 2 * U}, name="double")
    event = line(0 * M, contacts=True, transitions=[double]).simulate((0, 1), [1.0, -10.0], {M: 1.0, E: 0.5}).events[0]
    assert event.energy == pytest.approx((10.0**2 - 20.0**2) / 2, rel=1e-14)
    assert event.impulse[0] == pytest.approx(30.0, rel=1e-14)


def test_a_jump_that_gains_energy_is_no_fault():
    """A ball that is kicked up at rest on the floor: it lifts off, falls and bounces."""
    kick = Transition(boundary=dynamicsymbols._t - 2, jump={U: 3}, name="kick")
    result = line(-M * G, contacts=True, transitions=[kick]).simulate((0, 2.5), [0.0, 0.0], FALL | {E: 0.0}, **FINE)
    assert [str(kind) for kind in result.events.kinds()] == ["close", "open"]
    opened = result.events[1]
    assert set(opened.contacts) == {"floor", "kick"}
    assert result(2.3)[0] == pytest.approx(3 * 0.3 - 9.81 * 0.09 / 2, abs=1e-11)
    assert result.warnings == ()


def test_a_jump_into_the_floor_is_an_impact_of_its_own():
    """A ball at rest on the floor gets the speed -3 and bounces with e = 1/2."""
    push = Transition(boundary=dynamicsymbols._t - 1, jump={U: -3}, name="push")
    result = line(-M * G, contacts=True, transitions=[push]).simulate((0, 1.2), [0.0, 0.0], FALL | {E: 0.5})
    event = result.events[1]
    assert event.kind == EventKind.IMPACT
    assert event.x_plus[1] == pytest.approx(1.5, rel=1e-14)
    assert event.impulse[0] == pytest.approx(4.5, rel=1e-14)


def test_a_jump_lifts_a_ball_off_its_floor():
    lift = Transition(boundary=dynamicsymbols._t - 1, jump={Q: 1, U: 0}, name="lift")
    result = line(-M * G, contacts=True, transitions=[lift]).simulate((0, 1.9), [0.0, 0.0], FALL | {E: 0.5}, **FINE)
    assert result.events[-1].t == pytest.approx(1 + np.sqrt(2 / 9.81), abs=TIGHT)
    assert result.normal_force[0, result.t > 1.0].max() == 0.0


def test_a_jump_below_a_floor_ends_the_run():
    sink = Transition(boundary=dynamicsymbols._t - 1, jump={Q: -1}, name="sink")
    result = line(0 * M, contacts=True, transitions=[sink]).simulate((0, 2), [1.0, 0.0], {M: 1.0, E: 0.5})
    assert result.status is Status.BELOW_SURFACE
    assert "floor, sink" in result.message
    assert result.x[0, -1] == 1.0


def test_constraints_are_met_after_a_jump():
    """A pendulum in Cartesian coordinates whose bob is struck along x: its speed along the rod is taken away."""
    x, y, m, g = *dynamicsymbols("x y"), *sm.symbols("m g")
    lagrangian = m * (x.diff() ** 2 + y.diff() ** 2) / 2 - m * g * y
    method = LagrangesMethod(lagrangian, [x, y], hol_coneqs=[x**2 + y**2 - 1])
    strike = Transition(boundary=Crossing(x - 0.6, -1), jump={x.diff(): x.diff() - 2}, name="strike")
    model = HybridModel(method, [], transitions=[strike])
    result = model.simulate((0, 2), [0.8, -0.6, 0.0, 0.0], {m: 1.0, g: 9.81}, **FINE)
    struck = result.events["strike"][0]
    x_plus, y_plus, u_plus, v_plus = struck.x_plus
    assert abs(x_plus * u_plus + y_plus * v_plus) < 1e-13
    along = np.array([-struck.x_minus[1], struck.x_minus[0]])  # the direction in which the bob can move
    assert along @ struck.x_plus[2:] == pytest.approx(along @ (struck.x_minus[2:] - [2, 0]), rel=1e-12)
    assert np.abs(result.x[0] ** 2 + result.x[1] ** 2 - 1).max() < 1e-9


def test_a_free_body_keeps_its_quaternion_where_a_jump_leaves_its_rotation():
    cube = tumbling_cube()
    height, rise = cube.model.x[2], cube.model.u[2]
    up = Transition(boundary=height < 9.5, jump={rise: -rise}, name="up")
    model = HybridModel(cube.model.source, cube.model.contacts, transitions=[up])
    assert model.attitudes == {"B": "quaternion"}
    result = model.simulate((0, 0.5), cube.start, cube.parameters)
    event = result.events["up"][0]
    assert event.x_minus[2] == pytest.approx(9.5, abs=1e-10)
    change = event.x_plus - event.x_minus
    assert event.x_plus[8] == pytest.approx(-event.x_minus[8], rel=1e-13)
    assert np.abs(np.delete(change, 8)).max() < 1e-12
    angle = cube.model.q[3]
    turn = HybridModel(
        cube.model.source, cube.model.contacts, transitions=[Transition(boundary=height < 9.5, jump={angle: 0})]
    )
    assert turn.attitudes["B"].startswith("angles")


def test_a_thermostat_like_mode_selects_a_load():
    """A hovering mass whose thrust is switched on below 0 and off above 1: a closed form piece by piece."""
    thrust = sm.Piecewise((2, MODE > 0), (-1, True))
    low = Transition(boundary=Crossing(Q, -1), jump={MODE: 1}, name="low")
    high = Transition(boundary=Crossing(Q - 1, 1), jump={MODE: 0}, name="high")
    result = line(M * thrust, discrete=[MODE], transitions=[low, high]).simulate(
        (0, 9), {Q: 0.5, U: 0, MODE: 0}, {M: 1.0}, **FINE
    )
    assert [event.contacts[0] for event in result.events[:3]] == ["low", "high", "low"]
    first = 1.0  # 1/2 - t^2/2 = 0 with the speed -1, then up with 2: q = -t + t^2 = 1
    second = first + (1 + np.sqrt(5)) / 2
    third = second + np.sqrt(5) + np.sqrt(5 + 2)  # -1 from the height 1 with the speed sqrt 5
    np.testing.assert_allclose(result.events.t[:3], [first, second, third], rtol=0, atol=TIGHT)


def test_discrete_states_leave_the_steps_of_a_model_as_they_are():
    """The same motion, bit by bit, with and without a discrete state that nothing needs."""
    force = -4 * Q - U**3
    for method in ("DOP853", "RK45", "RadauIIA", "Radau", "LSODA"):
        without = line(M * force).simulate((0, 9), [1.0, 0.5], {M: 1.0}, method=method)
        beside = line(M * force, discrete=[N]).simulate((0, 9), [1.0, 1e9, 0.5], {M: 1.0}, method=method)
        assert np.array_equal(without.t, beside.t)
        assert np.array_equal(without.x, beside.x[[0, 2]])


def test_a_run_continues_from_an_event_with_its_discrete_states():
    model = line(-M * G, discrete=[N], transitions=[BOUNCE])
    whole = model.simulate((0, 3), [1.0, 0, 0.0], FALL, **FINE)
    middle = whole.events[2]
    assert middle.x_plus[1] == 3
    rest = model.simulate((middle.t, 3), middle.x_plus, FALL, **FINE)
    np.testing.assert_allclose(rest.events.t, whole.events.t[3:], rtol=0, atol=TIGHT)
    assert rest[N][-1] == whole[N][-1]


def test_discrete_states_survive_a_file_and_tables(tmp_path):
    result = line(-M * G, discrete=[N], transitions=[BOUNCE]).simulate((0, 3), [1.0, 0, 0.0], FALL)
    result.save(tmp_path / "run.npz")
    loaded = sympact.load(tmp_path / "run.npz")
    assert np.array_equal(loaded.x, result.x)
    assert loaded.events.columns()["contacts"] == result.events.columns()["contacts"]
    assert "n" in result.to_dataframe().columns
    result.plot()
    result.draw_modes()


def test_events_of_a_run_beside_transitions():
    model = line(-M * G, discrete=[N], transitions=[BOUNCE])
    result = model.simulate(
        (0, 6), [1.0, 0, 0.0], FALL, events={"apex": Crossing(U, -1), "third": Stop(N >= 3)}, **FINE
    )
    assert result.status is Status.STOPPED
    np.testing.assert_allclose(result.t[-1], bounce_times(1.0, 0.8, 3)[-1], rtol=0, atol=TIGHT)
    assert len(result.events["apex"]) == 2
    assert set(result.events[-1].contacts) == {"bounce", "third"}


def test_a_restart_beyond_a_condition_does_not_fire():
    """A condition that is true at the start becomes true only after it was false."""
    result = line(0 * M, discrete=[N], transitions=[Transition(boundary=Q > 1, jump={N: N + 1})]).simulate(
        (0, 1), [2.0, 0, 1.0], {M: 1.0}
    )
    assert len(result.events) == 0


def test_parameters_of_transitions_are_those_of_the_model():
    height, loss = sm.symbols("height loss")
    model = line(-M * G, transitions=[Transition(boundary=height > Q, jump={U: -loss * U}, name="net")])
    assert {height, loss} <= set(model.parameters)
    result = model.simulate((0, 1), [1.0, 0.0], FALL | {height: 0.5, loss: 0.1}, **FINE)
    assert result.events[0].t == pytest.approx(np.sqrt(1 / 9.81), abs=TIGHT)


def test_discrete_states_are_given_in_equilibria_and_linearisations():
    """A spring of stiffness k or 2 k, by a mode: the mode is neither searched nor linearized."""
    k = sm.Symbol("k")
    stiffness = k * sm.Piecewise((2, MODE > 0), (1, True))
    model = line(-stiffness * (Q - MODE), discrete=[MODE], transitions=[Transition(boundary=Q > 5, jump={MODE: 1})])
    for mode, square in ((0, 4.0), (1, 8.0)):
        linear = model.linearize({Q: mode, MODE: mode, U: 0}, {M: 1.0, k: 4.0})
        assert linear.states == (Q, U)
        np.testing.assert_allclose(linear.A, [[0, 1], [-square, 0]], atol=1e-14)
        rest = model.equilibrium({Q: 0.3, MODE: mode}, {M: 1.0, k: 4.0})
        np.testing.assert_allclose(rest.x, [mode, mode, 0], atol=1e-9)


@pytest.mark.parametrize("impact", ["before", "after"])
def test_a_jump_takes_a_ball_off_its_floor_whether_before_or_after_impacts(impact):
    kick = Transition(boundary=dynamicsymbols._t - 2, jump={U: 3}, name="kick", impact=impact)
    result = line(-M * G, contacts=True, transitions=[kick]).simulate((0, 2.3), [0.0, 0.0], FALL | {E: 0.0})
    opened = result.events[1]
    assert (opened.kind, set(opened.contacts)) == (EventKind.OPEN, {"floor", "kick"})
    assert opened.x_plus.tolist() == [0.0, 3.0]


def test_all_sources_of_models_have_transitions():
    """The same oscillator q = cos 2 t, kicked at each rise through 1/2: the first is at 2 t = 5 pi / 3."""
    q, u = dynamicsymbols("q_1 u_1")
    frame, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(frame, 0)
    place = origin.locatenew("P", q * frame.x)
    place.set_vel(frame, u * frame.x)
    kane = KanesMethod(frame, [q], [u], kd_eqs=[q.diff() - u])
    written = SymbolicSystem([q, u], sm.Matrix([u, -4 * q]), mass_matrix=sm.eye(2), coord_idxs=[0], speed_idxs=[1])
    lagrange = LagrangesMethod(q.diff() ** 2 / 2 - 2 * q**2, [q])
    parts = {"bodies": [Particle("p", place, 1)], "loads": [(place, -4 * q * frame.x)]}
    for source, speed, more in ((kane, u, parts), (written, u, {}), (lagrange, q.diff(), {})):
        kick = Transition(boundary=Crossing(q - 0.5, 1), jump={speed: speed + 1, N: N + 1})
        result = HybridModel(source, [], discrete=[N], transitions=[kick], **more).simulate(
            (0, 3), {q: 1, N: 0, speed: 0}, {}, **FINE
        )
        np.testing.assert_allclose(result.events.t, [5 * np.pi / 6], rtol=0, atol=TIGHT)
        assert result.x[1:, -1][0] == 1


def test_friction_acts_on_a_block_between_its_kicks():
    """A block with mu g = 2 slows down from 2 to 1/2, is kicked to 3/2, and so on: at 0.75 s and each 0.5 s."""
    x, v = dynamicsymbols("x_1 v_1")
    ground, block = RigidBody("ground"), Particle("block", mass=M)
    block.masscenter = ground.masscenter.locatenew("block", x * ground.x + Q * ground.z)
    system = System(ground.frame, ground.masscenter)
    system.add_bodies(block)
    system.add_coordinates(x, Q)
    system.add_speeds(v, U)
    system.add_kdes(v - x.diff(), U - Q.diff())
    system.apply_uniform_gravity(-10 * ground.z)
    plane = Plane(ground.masscenter, ground.z)
    floor = Contact(block.masscenter, plane, restitution=0, friction=sm.Rational(1, 5), name="floor")
    for lift, times in ((0, [0.75, 1.25, 1.75]), (1, [0.75, 1.35, 1.95])):  # a hop of 0.2 s ends with the loss 0.2
        kick = Transition(boundary=v < sm.Rational(1, 2), jump={v: v + 1, U: lift}, name="kick")
        model = HybridModel(system, [floor], transitions=[kick], length=1)
        result = model.simulate((0, 2), {x: 0, Q: 0, v: 2, U: 0}, {M: 1.0}, **FINE)
        np.testing.assert_allclose(result.events["kick"].t, times, rtol=0, atol=1e-10)
        kinds = {str(event.kind) for event in result.events["kick"]}
        assert kinds == ({"open"} if lift else {"transition"})
        assert result.warnings == ()


def test_islands_have_their_own_transitions():
    """Two balls that bounce by transitions, each with a counter, and a third state that nothing needs."""
    ground, (n1, n2) = RigidBody("ground"), dynamicsymbols("n_1 n_2")
    (q1, q2), (u1, u2) = dynamicsymbols("q_1 q_2"), dynamicsymbols("u_1 u_2")
    system = System.from_newtonian(ground)
    for name, q, u in (("a", q1, u1), ("b", q2, u2)):
        system.add_joints(PrismaticJoint(name, ground, Particle(f"ball {name}", mass=1), q, u, joint_axis=ground.z))
    system.apply_uniform_gravity(-G * ground.z)
    bounces = [
        Transition(boundary=q1 < 0, jump={u1: -sm.Rational(4, 5) * u1, n1: n1 + 1}, name="first"),
        When([q2 < 0], reinit={u2: -sm.Rational(1, 2) * u2, n2: n2 + 1}, name="second"),
    ]
    model = HybridModel(system, [], discrete=[n1, n2, N], transitions=bounces)
    start = {q1: 1, q2: 2, n1: 0, n2: 0, N: 5, u1: 0, u2: 0}
    result = model.simulate((0, 1.9), start, {G: 9.81}, events={"apex": Crossing(u2, -1)}, **FINE)
    assert result.settings["islands"] == 2
    for name, height, loss in (("first", 1.0, 0.8), ("second", 2.0, 0.5)):
        times = bounce_times(height, loss, 9)
        np.testing.assert_allclose(result.events[name].t, times[times < 1.9], rtol=0, atol=TIGHT)
    assert (result[n1][-1], result[n2][-1], result[N][-1]) == (3, 7, 5)
    linked = [*bounces, Transition(boundary=n1 >= 2, jump={u2: 0}, name="both")]
    joined = HybridModel(system, [], discrete=[n1, n2], transitions=linked)
    assert joined.islands is None
    both = joined.simulate((0, 1.9), {letter: start[letter] for letter in joined.x}, {G: 9.81}, **FINE)
    assert both.events["both"].t == pytest.approx([bounce_times(1.0, 0.8, 2)[1]], abs=TIGHT)
    assert {"first", "both"} <= set(both.events["both"][0].contacts)


@pytest.mark.parametrize("given", [lambda t: 3 * t, 3 * dynamicsymbols._t, 1.5])
def test_a_jump_may_contain_an_input(given):
    """The speed after a passage at t = 1/2 is that of the input there."""
    wanted = dynamicsymbols("w")
    model = line(0 * M, discrete=[N], transitions=[Transition(boundary=Q > 1, jump={U: wanted, N: N + 1})])
    result = model.simulate((0, 1), {Q: 0, N: 0, U: 2}, {M: 1.0}, inputs={wanted: given})
    assert result.events[0].t == pytest.approx(0.5, abs=1e-14)
    assert result.x[:, -1].tolist() == pytest.approx([1.75, 1.0, 1.5], abs=1e-12)


def test_a_time_that_an_event_computes_is_met_to_the_last_bits():
    """Each apex sets the time of a push a seventh of a second later; the boundary t - T vanishes there."""
    ball = bouncing_ball()
    (z,), (v,), T, t = ball.model.q, ball.model.u, dynamicsymbols("T"), dynamicsymbols._t
    timers = [
        Transition(boundary=Crossing(v, -1), jump={T: t + sm.Rational(1, 7)}, name="apex"),
        Transition(boundary=t - T, jump={v: v - 1}, name="push"),
    ]
    model = HybridModel(ball.model.source, ball.model.contacts, discrete=[T], transitions=timers)
    result = model.simulate((0, 3), {z: 1, v: 1, T: 100}, ball.parameters)
    apexes, pushes = result.events["apex"], result.events["push"]
    assert len(pushes) == len(apexes) == 5
    for apex, push in zip(apexes, pushes, strict=True):
        due = apex.x_plus[1]
        assert due == apex.t + 1 / 7
        assert abs(push.t - due) <= np.spacing(due)
        assert push.x_plus[2] == push.x_minus[2] - 1
