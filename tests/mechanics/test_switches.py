"""Conditions in flows are boundaries: events and states against closed forms, for processes and for models."""

from math import atan, cos, cosh, gamma, inf, pi, sin, sinh, sqrt, tan, tanh

import numpy as np
import pytest
import sympy as sm
from hypothesis import given
from hypothesis import strategies as st
from switch_models import E, G, M, Q, U, dropped, slider
from trajectory import checked_run

from sympact import HybridSystem, Status, Transition, load

x, v, c, k, t = sm.symbols("x v c k t")
TIGHT = {"rtol": 1e-12, "atol": 1e-14}
NEAR = 1e-10
"""A run at rtol = 1e-12 over a few seconds, with states of size 1 to 10."""


def process(*flow, transitions=(), states=(x, v), parameters=()):
    """One stage, "on"."""
    return HybridSystem.from_sympy({"on": flow}, transitions, states=states, parameters=parameters)


def kinds(result):
    return [str(event.kind) for event in result.events]


def test_spring_that_pulls_the_same_way_on_both_sides():
    """x'' = -|x| from 1 at rest: cos t, and past zero -sinh(t - pi/2)."""
    result = process(v, -sm.Abs(x)).simulate((0, 3), [1, 0], start="on", **TIGHT)
    assert kinds(result) == ["switch"]
    assert result.events[0].t == pytest.approx(pi / 2, abs=NEAR)
    assert result.x[:, -1] == pytest.approx([-sinh(3 - pi / 2), -cosh(3 - pi / 2)], abs=NEAR)
    assert (result.path, result.status) == (("on [x > 0]", "on [x < 0]"), Status.FINISHED)


def test_constant_pull_towards_the_middle():
    """x'' = -sign x from 1/2 at rest: parabolas that meet at t = 1, 3, 5, ..."""
    result = process(v, -sm.sign(x)).simulate((0, 10), [0.5, 0], start="on", **TIGHT)
    assert result.events.t == pytest.approx([1, 3, 5, 7, 9], abs=NEAR)
    assert result.x[:, -1] == pytest.approx([-0.5, 0], abs=NEAR)


@pytest.mark.parametrize("way", ["process", "model"])
def test_bilinear_spring_has_two_half_periods(way):
    """k = 1 for x > 0, k = 9 below: halves of pi and pi/3, amplitudes 1 and 1/3."""
    force = sm.Piecewise((-x, x > 0), (-9 * x, True))
    if way == "process":
        result = process(v, force).simulate((0, 8), [1, 0], start="on", **TIGHT)
    else:
        result = checked_run(slider(force), (0, 8), {Q: 1, U: 0}, {M: 1}, **TIGHT)
    expected = pi / 2 + np.array([0, pi / 3, pi * 4 / 3, pi * 5 / 3])
    assert result.events.t == pytest.approx(expected, abs=NEAR)
    late = 8 - expected[-1]
    assert result.x[:, -1] == pytest.approx([sin(late), cos(late)], abs=NEAR)


@pytest.mark.parametrize("way", ["process", "model"])
def test_quadratic_drag_up_and_down(way):
    """Rise v = w tan(atan(v0/w) - g t/w), fall v = -w tanh(g (t - t1)/w), with w = sqrt(g/c)."""
    gravity, drag, speed = 9.8, 0.3, 7.0
    terminal = sqrt(gravity / drag)
    top = terminal / gravity * atan(speed / terminal)
    force = -gravity - drag * v * sm.Abs(v)
    if way == "process":
        result = process(v, force).simulate((0, 2), [0, speed], start="on", **TIGHT)
    else:
        result = checked_run(slider(force), (0, 2), {Q: 0, U: speed}, {M: 1}, **TIGHT)
    assert result.events.t == pytest.approx([top], abs=NEAR)
    assert result.x[1, -1] == pytest.approx(-terminal * tanh(gravity * (2 - top) / terminal), abs=NEAR)
    before = result.t < top
    rise = [terminal * tan(atan(speed / terminal) - gravity * s / terminal) for s in result.t[before]]
    assert result.x[1, before] == pytest.approx(rise, abs=NEAR)


@pytest.mark.parametrize("way", ["process", "model"])
@pytest.mark.parametrize("start", [0.0, 1000.0])
def test_force_that_is_switched_on(way, start):
    on = start + 1.25
    force = 3 * sm.Heaviside(t - on)
    if way == "process":
        result = process(v, force).simulate((start, start + 2), [1, 0], start="on", **TIGHT)
    else:
        result = checked_run(slider(force), (start, start + 2), {Q: 1, U: 0}, {M: 1}, **TIGHT)
    assert result.events.t == pytest.approx([on], rel=4e-16)
    assert result.x[:, -1] == pytest.approx([1 + 1.5 * 0.75**2, 3 * 0.75], abs=NEAR)


@pytest.mark.parametrize("way", ["process", "model"])
def test_spring_that_only_pushes(way):
    """A mass meets a spring at t = 1, stays half a period, pi/4, and leaves as fast as it came."""
    force = 16 * sm.Max(0, -x)
    if way == "process":
        result = process(v, force).simulate((0, 4), [1, -1], start="on", **TIGHT)
    else:
        result = checked_run(slider(force), (0, 4), {Q: 1, U: -1}, {M: 1}, **TIGHT)
    assert result.events.t == pytest.approx([1, 1 + pi / 4], abs=NEAR)
    assert result.x[:, -1] == pytest.approx([3 - pi / 4, 1], abs=NEAR)


@pytest.mark.parametrize("force", [sm.Max(0, -x) ** 1.5, sm.Piecewise(((-x) ** sm.Rational(3, 2), x < 0), (0, True))])
def test_contact_by_hertz_lasts_as_long_as_it_must(force):
    """m x'' = k d^(3/2): d_max = (5 m v^2/(4 k))^(2/5), duration 2 d_max/v sqrt(pi) Gamma(7/5)/Gamma(9/10).

    The branch with the power has no value beside it: a step that ends there must not fail.
    """
    result = process(v, 100 * force).simulate((0, 3), [1, -1], start="on", **TIGHT)
    deepest = (5 / (4 * 100)) ** 0.4
    duration = 2 * deepest * sqrt(pi) * gamma(1.4) / gamma(0.9)
    assert result.events.t == pytest.approx([1, 1 + duration], abs=1e-8)  # x^(3/2) costs order where it begins
    assert result.x[1, -1] == pytest.approx(1, abs=1e-8)


def test_outflow_through_a_hole_empties_and_refills():
    """x' = -sign(x) sqrt|x| + 2 t - 2 has both: only that it goes through zero and on, and keeps its own derivative."""
    result = process(v, -sm.sign(v) * sm.sqrt(sm.Abs(v)) + 2 * t - 2).simulate((0, 4), [0, 1], start="on", rtol=1e-10)
    assert (kinds(result), result.status) == (["switch", "switch"], Status.FINISHED)


def test_start_at_zero_goes_where_the_flow_leads():
    """First by the rate, then by the acceleration: no event at the start, the right branch at once."""
    pull = -sm.Piecewise((1, x > 0), (4, True))
    down = process(v, pull).simulate((0, 1), [0, -1], start="on", **TIGHT)
    assert (len(down.events), down.x[1, -1]) == (0, pytest.approx(-5, abs=NEAR))
    up = process(v, -pull).simulate((0, 1), [0, 0], start="on", **TIGHT)
    assert (len(up.events), up.x[1, -1]) == (0, pytest.approx(1, abs=NEAR))


def test_condition_within_a_condition():
    """A dead zone: x'' = -sign(x) max(0, |x| - 1) moves freely for |x| < 1."""
    force = -sm.sign(x) * sm.Max(0, sm.Abs(x) - 1)
    result = process(v, force).simulate((0, 10), [0, 1], start="on", **TIGHT)
    turns = np.array([1, 1 + pi, 2 + pi, 3 + pi, 3 + 2 * pi])
    assert result.events.t == pytest.approx(turns, abs=NEAR)
    assert result.x[:, -1] == pytest.approx([10 - turns[-1] - 1, 1], abs=NEAR)


def test_opposite_conditions_are_one():
    force = sm.Piecewise((1, x > v), (2, True)) + sm.Max(x, v) - sm.Min(x, v) + sm.Abs(v - x)
    stage = process(v, force)._parts.waiting.take(2, 0).program.stages[0]
    assert len(stage.switch_names) == 1
    assert stage.switches[1] == 1


def test_conditions_of_parameters_and_smooth_choices_are_no_boundaries():
    """What does not change along the flow, sinc beside its series and equalities stay as they are."""
    force = sm.Max(c, 1) + sm.sinc(x) + sm.Piecewise((1, sm.Eq(x, 0)), (2, True))
    stage = process(v, force, parameters=[c])._parts.waiting.take(2, 1).program.stages[0]
    assert stage.boundary_names == stage.switch_names == ()
    result = process(v, -sm.sinc(x)).simulate((0, 20), [2, 0], start="on", **TIGHT)
    assert len(result.events) == 0


def test_steps_of_floor_are_events():
    """x'' = -floor(x) from 2.5 at rest, down and back: -2 until x = 2, -1 until 1, free, 1 below 0, 2 below -1."""
    result = process(v, -sm.floor(x)).simulate((0, 6), [2.5, 0], start="on", **TIGHT)
    slow, free, fast = 2 - sqrt(2), 0.5, sqrt(2)
    assert result.events.t == pytest.approx(
        sqrt(0.5) + np.cumsum([0, slow, free, slow, fast, slow, free, slow]), abs=NEAR
    )
    assert result.events[0].contacts == ("floor(x) even",)
    assert result.path[:2] == ("on [floor(x) even]", "on [floor(x) odd]")


@pytest.mark.parametrize(
    ("force", "times", "speed"),
    [
        (sm.Mod(7 * t, 1), np.arange(1, 21) / 7, 20 / 14 + 0.65**2 / 14),
        (sm.frac(7 * t), np.arange(1, 21) / 7, 20 / 14 + 0.65**2 / 14),
        (sm.ceiling(2 * t), np.array([0.5, 1.0, 1.5, 2.0, 2.5]), 0.5 * 15 + 0.45 * 6),
        (sm.floor(-2 * t), np.array([0.5, 1.0, 1.5, 2.0, 2.5]), -0.5 * 15 - 0.45 * 6),
        (sm.Mod(t, sm.Rational(3, 10)), np.arange(1, 10) * 0.3, 9 * 0.045 + 0.25**2 / 2),
    ],
)
def test_saw_teeth_and_stairs_of_time_are_integrated_without_error(force, times, speed):
    result = process(v, force).simulate((0, 2.95), [0, 0], start="on", **TIGHT)
    assert result.events.t == pytest.approx(times, abs=NEAR)
    assert result.x[1, -1] == pytest.approx(speed, abs=NEAR)


def test_a_fast_stair_misses_no_step():
    """ceiling(90 t) over a second, and a quantised spring with damping, against the same written as a Piecewise."""
    stair = process(v, sm.ceiling(90 * t)).simulate((0, 0.999), [0, 0], start="on")
    assert len(stair.events) == 89
    assert stair.x[1, -1] == pytest.approx(45.5 - 90 * 0.001, abs=1e-8)
    levels = [(-k, x < k + 1) for k in range(-4, 4)]
    spring = [force - v / 10 for force in (-sm.floor(x), sm.Piecewise(*levels, (-4, True)))]
    first, second = (process(v, force).simulate((0, 20), [3.4, 0], start="on", **TIGHT) for force in spring)
    assert len(first.events) == len(second.events) > 10
    assert first.events.t == pytest.approx(second.events.t, abs=NEAR)


@pytest.mark.parametrize("flow", [(-sm.sign(x), 0), (v, -2 * sm.sign(v) + 1)])
def test_motion_that_would_slide_ends_with_its_status(flow):
    """Both branches lead back to zero: x' = -sign x, and a block whose friction is more than the force on it."""
    result = process(*flow).simulate((0, 5), [0.5, 0.5], start="on")
    assert result.status is Status.SLIDING
    assert result.t[-1] == pytest.approx(0.5, abs=1e-9)
    assert "slide" in result.message


def test_order_of_simultaneous_conditions_does_not_matter():
    """Both flip at t = pi/2, x = 0, and the motion goes on as x'' = -4 x."""
    force = -sm.Piecewise((1, x > 0), (4, True)) * x + 3 * sm.Heaviside(sm.cos(t)) * sm.Max(0, -x)
    result = process(v, force).simulate((0, 3), [1, 0], start="on", **TIGHT)
    late = 3 - pi / 2
    assert set(np.round(result.events.t, 9)) == {round(pi / 2, 9)}
    assert result.x[:, -1] == pytest.approx([-0.5 * sin(2 * late), -cos(2 * late)], abs=NEAR)


def test_transition_and_condition_at_one_instant():
    """A ball falls on the ground at t = 1, when a wind begins; it goes up at 5 m/s under g = 10 - 4."""
    bounce = Transition("on", "on", boundary=-x, jump={v: -v / 2}, name="ground")
    flow = process(v, -10 + 4 * sm.Heaviside(t - 1), transitions=[bounce])
    result = flow.simulate((0, 2), [5, 0], start="on", **TIGHT)
    assert result.path == ("on [t - 1 < 0]", "on [t - 1 > 0]")
    assert sum(event.kind == "transition" for event in result.events) == 1
    assert result.events.t == pytest.approx(1, abs=NEAR)
    assert result.x[:, -1] == pytest.approx([5 - 3, 5 - 6], abs=NEAR)


def test_jump_carries_a_condition_past_zero():
    """The speed turns at the bounce without passing zero: the drag turns with it."""
    bounce = Transition("on", "on", boundary=-x, jump={v: -v}, name="ground")
    flow = process(v, -sm.sign(v), transitions=[bounce])  # slows down by 1 m/s^2 whichever way it goes
    result = flow.simulate((0, 2.5), [2, -3], start="on", **TIGHT)
    hit, speed = 3 - sqrt(5), sqrt(5)
    late = 2.5 - hit
    assert result.events[0].contacts == ("ground", "v > 0")
    assert result.x[:, -1] == pytest.approx([speed * late - late**2 / 2, speed - late], abs=NEAR)


def test_every_stage_has_its_own_conditions():
    """Entered by a transition, a stage begins with the branch of the state there."""
    flows = {"fall": [v, -10], "brake": [v, -2 * sm.sign(v)]}
    enter = Transition("fall", "brake", boundary=-x)
    result = HybridSystem.from_sympy(flows, [enter], states=[x, v]).simulate((0, 2), [5, 0], start="fall", **TIGHT)
    assert result.path == ("fall", "brake [v < 0]")
    assert result.x[:, -1] == pytest.approx([-10 + 1, -8], abs=NEAR)


def test_a_switch_is_an_event_without_impulse():
    result = process(v, -sm.sign(x)).simulate((0, 2), [0.5, 0], start="on")
    event = result.events[0]
    assert (event.kind, event.contacts) == ("switch", ("x > 0",))
    assert (event.source, event.target) == ("on [x > 0]", "on [x < 0]")
    assert np.isnan(event.impulse).all()
    assert event.energy == 0.0
    assert (event.x_minus == event.x_plus).all()


def test_path_tells_the_branches():
    """Those of each stage: what a step must be repeated with."""
    flows = {"fall": [v, -10], "brake": [v, -2 * sm.sign(v) + sm.sign(t - 1.5)]}
    enter = Transition("fall", "brake", boundary=-x)
    result = HybridSystem.from_sympy(flows, [enter], states=[x, v]).simulate((0, 2), [5, 0], start="fall", **TIGHT)
    assert kinds(result) == ["transition", "switch"]
    assert [name.split(" [")[0] for name in result.path] == ["fall", "brake", "brake"]
    assert [("v < 0" in name, "> 0" in name) for name in result.path[1:]] == [(True, False), (True, True)]


def test_runs_do_not_share_their_branches():
    flow = process(v, -sm.sign(x))
    first = flow.simulate((0, 4), [0.5, 0], start="on")
    again = flow.simulate((0, 4), [0.5, 0], start="on")
    assert first.x.tolist() == again.x.tolist()


def test_formulas_and_quantities_keep_their_conditions():
    model = slider(-sm.Abs(x) - c * v)
    assert model.forcing[0].has(sm.Abs)
    assert set(model.parameters) == {M, c}
    result = checked_run(model, (0, 3), {Q: 1, U: 0}, {M: 1, c: 0.1}, **TIGHT)
    assert result[sm.Abs(Q)].tolist() == np.abs(result[Q]).tolist()
    assert len(result.events) == 1


def test_compiled_flow_finds_its_branch():
    compiled = slider(-sm.Abs(x)).compile()
    p = compiled.parameters({M: 1})
    assert compiled.flow(0.0, np.array([2.0, 0.0]), p).tolist() == [0.0, -2.0]
    assert compiled.flow(0.0, np.array([-2.0, 0.0]), p).tolist() == [0.0, -2.0]


def test_condition_on_an_input_stays_in_the_flow():
    force = sm.Function("F")(t)
    result = slider(sm.Max(0, force)).simulate(
        (0, 2), {Q: 0, U: 0}, {M: 1}, inputs={force: lambda s, state: 1.0 - s}, max_step=0.01
    )
    assert len(result.events) == 0
    assert result.x[1, -1] == pytest.approx(0.5, abs=1e-6)


def test_drag_on_a_ball_that_bounces():
    """Impacts turn the drag; between them the closed forms of fall and rise hold."""
    gravity, drag, e = 9.8, 0.1, 0.8
    result = checked_run(
        dropped(-G * M - drag * v * sm.Abs(v)), (0, 2.2), {Q: 5, U: 0}, {M: 1, G: gravity, E: e}, **TIGHT
    )
    w = sqrt(gravity / drag)
    hit = w / gravity * np.arccosh(np.exp(5 * gravity / w**2))
    up = e * w * tanh(gravity * hit / w)
    top = hit + w / gravity * atan(up / w)
    impact, turn = result.events[:2]
    assert (impact.kind, impact.t) == ("impact", pytest.approx(hit, abs=NEAR))
    assert impact.contacts == ("floor", "u > 0")
    assert impact.impulse == pytest.approx([up + up / e, np.nan], abs=NEAR, nan_ok=True)
    assert impact.x_plus[1] == pytest.approx(up, abs=NEAR)
    assert (turn.kind, turn.t) == ("switch", pytest.approx(top, abs=NEAR))
    assert result.x[1, -1] == pytest.approx(-w * tanh(gravity * (2.2 - top) / w), abs=NEAR)
    for place in (0.3, 0.7, 0.9):  # between the samples: fall, rise, fall
        fall, rise, second = place * hit, hit + place * (top - hit), top + place * (2.2 - top)
        assert result(fall)[1] == pytest.approx(-w * tanh(gravity * fall / w), abs=NEAR)
        assert result(rise)[1] == pytest.approx(w * tan(gravity * (top - rise) / w), abs=NEAR)
        assert result(second)[1] == pytest.approx(-w * tanh(gravity * (second - top) / w), abs=NEAR)


def test_impact_and_condition_at_one_instant():
    """The ball hits at t = 1, when gravity is halved, and where the spring below the floor would begin."""
    force = -10 * M + 5 * M * sm.Heaviside(t - 1) + 100 * sm.Max(0, -x)
    result = checked_run(dropped(force), (0, 2), {Q: 5, U: 0}, {M: 1, E: 0.5}, **TIGHT)
    assert sum(event.kind == "impact" for event in result.events) == 1
    assert result.events.t == pytest.approx(1, abs=NEAR)
    assert result.x[:, -1] == pytest.approx([5 - 2.5, 0], abs=NEAR)


stiffness = st.floats(0.1, 50)


@pytest.mark.as_machine_code
@given(left=stiffness, right=stiffness, place=st.floats(-0.9, 0.9), speed=st.floats(-2, 2))
def test_energy_of_a_spring_with_a_kink_is_kept(left, right, place, speed):
    """V = k_right/2 (x - a)^2 above a, k_left/2 (x - a)^2 below; a few tens of tolerances over twenty crossings."""
    above, below, where = sm.symbols("above below where")
    flow = kinked()
    numbers = {above: right, below: left, where: place}
    result = flow.simulate((0, 10), [1, speed], start="on", parameters=numbers, rtol=1e-10, atol=1e-13)
    s = result["x"] - place
    energy = result["v"] ** 2 / 2 + np.where(s > 0, right, left) * s**2 / 2
    assert energy == pytest.approx(energy[0], rel=1e-8)
    assert result.status is Status.FINISHED
    half = pi / sqrt(right), pi / sqrt(left)
    between = np.diff(result.events.t)
    assert between == pytest.approx(np.resize(half[::-1] if s[0] > 0 else half, len(between)), rel=1e-7)


def kinked(known=[]):  # noqa: B006
    """The process of the test above, compiled once."""
    if not known:
        above, below, where = sm.symbols("above below where")
        force = -sm.Piecewise((above, x > where), (below, True)) * (x - where)
        known.append(process(v, force, parameters=[above, below, where]))
    return known[0]


ORDERS = {"RK4": (4, np.geomspace(1e-2, 1e-1, 5)), "RK45": (5, np.geomspace(3e-2, 2e-1, 5))}
ORDERS["DOP853"] = (8, np.geomspace(0.1, 0.5, 5))
ANY_ERROR = {"rtol": 0.5, "atol": 1e6}


@pytest.mark.parametrize("method", ORDERS)
def test_order_of_a_stepper_is_kept_across_a_condition(method):
    """The bilinear spring from 1 at rest to t = 2.2, past its crossing at pi/2; left in, the condition costs the order.

    Fitted slopes wander by a few tenths where an error changes sign; a kink inside of a step leaves an error of h^2.
    """
    order, steps = ORDERS[method]
    force = sm.Piecewise((-x, x > 0), (-9 * x, True))
    late = 2.2 - pi / 2
    exact = np.array([-sin(3 * late) / 3, -cos(3 * late)])
    left_in = HybridSystem({"on": lambda s, y: [y[1], -y[0] if y[0] > 0 else -9 * y[0]]}, [])

    def slope(system):
        errors = []
        for step in steps:
            result = system.simulate((0, 2.2), [1, 0], start="on", method=method, max_step=step, **ANY_ERROR)
            errors.append(np.linalg.norm(result.x[:, -1] - exact))
        return np.polyfit(np.log(steps), np.log(errors), 1)[0]

    assert slope(process(v, force)) == pytest.approx(order, abs=0.1 * order)
    assert slope(left_in) < 3.0


@pytest.mark.as_machine_code
@pytest.mark.parametrize("method", ["Euler", "improved Euler", "RK4", "RK45", "DOP853", "Radau", "BDF", "LSODA"])
def test_every_stepper_takes_its_events(method):
    size = {"max_step": 1e-3} if method in ("Euler", "improved Euler", "RK4") else {"max_step": inf}
    result = process(v, -sm.sign(x)).simulate((0, 4), [0.5, 0], start="on", method=method, rtol=1e-8, **size)
    assert kinds(result) == ["switch", "switch"]
    assert result.events.t == pytest.approx([1, 3], abs=1e-2 if method == "Euler" else 1e-5)


def test_margin_of_rounding_size_is_left_alone():
    """What stays below the tolerances of the states, as the rounding of a motion that is zero by symmetry, is noise.

    Of its five hundred crossings at most the first turns the switch.
    """
    y, w = sm.symbols("y w")
    shaken = process(v, -x, w, 1e-15 * sm.cos(50 * t) - sm.Abs(w), states=(x, v, y, w))
    result = shaken.simulate((0, 30), [1, 0, 0, 0], start="on")
    assert len(result.events) <= 1
    assert result.status is Status.FINISHED


def test_all_conditions_that_meet_at_one_time_are_one_event():
    """Signs of sin(n t) for n = 1 ... 7 change at the fractions k pi/n: each time is one event, whoever meets there."""
    force = sum(sm.sign(sm.sin(n * t)) for n in range(1, 8))
    result = process(v, force).simulate((0, 6), [0, 0], start="on", **TIGHT)
    meetings = sorted({sm.Rational(step, n) for n in range(1, 8) for step in range(1, 2 * n) if step * pi < 6 * n})
    assert result.events.t == pytest.approx([pi * float(place) for place in meetings], abs=1e-13)
    for event, place in zip(result.events, meetings, strict=True):
        assert len(event.contacts) == sum((n * place).is_integer for n in range(1, 8))
    exact = [2 * abs((6 / pi * n + 1) % 2 - 1) for n in range(1, 8)]  # integral of a square wave: a triangle
    triangle = sum(pi / n * height / 2 for n, height in zip(range(1, 8), exact, strict=True))
    assert result.x[1, -1] == pytest.approx(triangle, abs=NEAR)


def test_file_keeps_events_gaps_and_energies(tmp_path):
    result = checked_run(dropped(-G * M - v * sm.Abs(v) / 10), (0, 2), {Q: 5, U: 1}, {M: 2, G: 9.8, E: 0.8})
    result.save(tmp_path / "run.npz")
    read = load(tmp_path / "run.npz")
    assert read.events.table() == result.events.table()
    assert kinds(read) == kinds(result)
    assert (read.kinetic_energy == result.kinetic_energy).all()
    assert read.plot() is not None


@pytest.mark.parametrize("method", ["RK45", "DOP853", "Radau"])
def test_state_between_the_samples_is_that_of_its_branch(method):
    """The bilinear spring at any time: each step is repeated in the branch that it was taken in."""
    force = sm.Piecewise((-x, x > 0), (-9 * x, True))
    result = process(v, force).simulate((0, 8), [1, 0], start="on", method=method, rtol=1e-10, atol=1e-12)
    period = pi * 4 / 3
    times = np.linspace(0, 8, 501)
    since = (times + pi / 2) % period
    exact = np.where(since < pi, np.sin(since), -np.sin(3 * (since - pi)) / 3)
    assert result(times)[0] == pytest.approx(exact, abs=1e-6 if method == "Radau" else 1e-7)


def test_state_between_the_samples_after_jumps_and_in_every_stage():
    """Drag that turns with a bounce (no crossing), and one that begins in another stage."""
    bounce = Transition("on", "on", boundary=-x, jump={v: -v})
    flow = process(v, -sm.sign(v), transitions=[bounce])
    times = np.linspace(0, 2.5, 101)
    result = flow.simulate((0, 2.5), [2, -3], start="on", t_eval=times, **TIGHT)
    hit = 3 - sqrt(5)
    late = times - hit
    exact = np.where(late < 0, 2 - 3 * times + times**2 / 2, sqrt(5) * late - late**2 / 2)
    assert result.x[0] == pytest.approx(exact, abs=NEAR)
    flows = {"fall": [v, -10], "brake": [v, -2 * sm.sign(v)]}
    enter = Transition("fall", "brake", boundary=-x)
    result = HybridSystem.from_sympy(flows, [enter], states=[x, v]).simulate((0, 2), [5, 0], start="fall", **TIGHT)
    assert result(1.5) == pytest.approx([-5 + 0.25, -9], abs=NEAR)


@pytest.mark.parametrize("way", ["process", "model"])
def test_oscillator_with_dry_friction_loses_the_same_at_each_turn_and_sticks(way):
    """x'' = -x - sign(v)/2 from 3.2 at rest: turns at -2.2, 1.2 and -0.2, where friction holds it from 3 pi on."""
    force = -x - sm.sign(v) / 2
    if way == "process":
        result = process(v, force).simulate((0, 20), [3.2, 0], start="on", **TIGHT)
    else:
        result = checked_run(slider(force), (0, 20), {Q: 3.2, U: 0}, {M: 1}, **TIGHT)
    assert result.status is Status.SLIDING
    assert sorted(set(np.round(result.events.t, 8))) == pytest.approx([pi, 2 * pi, 3 * pi], abs=1e-8)
    assert [event.x_plus[0] for event in result.events[:3]] == pytest.approx([-2.2, 1.2, -0.2], abs=NEAR)
    assert result.x[:, -1] == pytest.approx([-0.2, 0], abs=NEAR)
