"""Conditions in models of several bodies: derivatives of their margins, runs against plain functions, inputs."""

import numpy as np
import pytest
import sympy as sm
from mechanics_oracle import chain, cube
from switch_models import E, M, Q, U, dropped, slider
from sympy.physics.mechanics import Force, Particle, Point, ReferenceFrame, System, Torque, dynamicsymbols
from trajectory import checked_run

from sympact import Contact, HybridModel, HybridSystem, Plane, Status

t = dynamicsymbols._t
TIGHT = {"rtol": 1e-12, "atol": 1e-14}


def rubbing_chain(n=3):
    """A chain of pins with stops (springs beyond an angle), dry and quadratic friction, and a motor that starts."""
    system, _ = chain(n, "planar")
    q, u = list(system.q), list(system.u)
    frame = next(iter(system.joints)).child.frame
    torque = -sm.Abs(u[0]) * u[0] - 3 * sm.Max(0, q[0] - sm.Rational(1, 2), -q[0] - sm.Rational(1, 2))
    torque += sm.Piecewise((sm.sin(3 * t), q[1] * u[1] > sm.Rational(1, 10)), (-u[-1] / 2, True))
    system.add_loads(Torque(frame, torque * frame.z))
    return HybridModel(system, [])


def test_margins_have_their_derivatives_along_the_flow():
    """Against central differences of the values along x(t + h) = x + h x' + h^2 x''/2 with x'' by differences too."""
    model = rubbing_chain()
    compiled = model.compile()
    p = compiled.all_parameters(np.ones(len(model.parameters)))
    x = np.random.default_rng(3).uniform(-1, 1, len(model.x))
    compiled.settle(0.4, x, p)
    nb = len(model.derivation.switches)
    assert nb == 4

    def flow(s, y):
        return compiled.raw("flow", s, y, p)

    def margins(s, y):
        out = np.empty(3 * nb)
        rates = flow(s, y)
        compiled._along(s, y.ctypes.data, rates.ctypes.data, p.ctypes.data, out.ctypes.data)
        return out.reshape(3, nb)

    def advanced(h):
        y, steps = x.copy(), 8
        for i in range(steps):
            s, d = 0.4 + h * i / steps, h / steps
            k1 = flow(s, y)
            k2 = flow(s + d / 2, y + d / 2 * k1)
            k3 = flow(s + d / 2, y + d / 2 * k2)
            y = y + d / 6 * (k1 + 2 * k2 + 2 * k3 + flow(s + d, y + d * k3))
        return margins(0.4 + h, y)

    h = 1e-4
    here, before, after = margins(0.4, x), advanced(-h), advanced(h)
    assert (here[0] > 0).all()
    np.testing.assert_allclose(here[1:], (after[:2] - before[:2]) / (2 * h), rtol=1e-5, atol=1e-6)


def test_run_agrees_with_the_conditions_left_in():
    """The true equations, evaluated by NumPy, in small steps that feel each kink in one step only."""
    model = rubbing_chain(2)
    parameters = dict.fromkeys(model.parameters, 1.0)
    result = checked_run(model, (0, 4), [0.2, -0.1, 1.0, 2.0], parameters, **TIGHT)
    assert len(result.events) >= 4
    compiled = model.compile()
    p = np.array([parameters[symbol] for symbol in model.parameters])

    def truth(s, y):
        mass, force = compiled.mass_forcing(s, y, p)
        return np.concatenate([y[2:], np.linalg.solve(mass, force)])

    plain = HybridSystem({"on": truth}, []).simulate((0, 4), result.x[:, 0], start="on", rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(result.x[:, -1], plain.x[:, -1], rtol=0, atol=1e-7)


def test_large_models_solve_by_a_loop():
    model = rubbing_chain(16)
    parameters = dict.fromkeys(model.parameters, 1.0)
    result = model.simulate((0, 0.3), [0.1] * 16 + [0.5] * 16, parameters, rtol=1e-7)
    assert result.status is Status.FINISHED


def test_condition_on_a_state_and_an_input_without_rates_stays_in_the_flow():
    """Nothing needs r' and r'', so that they are no inputs, and the rate of the margin is not known."""
    r = sm.Function("r")(t)
    force = slider(sm.Abs(sm.Symbol("x") - r))
    assert force.derivation.switches == ()
    result = force.simulate((0, 1), {Q: 1, U: 0}, {M: 1}, inputs={r: sm.Integer(0)})
    assert len(result.events) == 0


def test_inputs_and_conditions_together():
    """A push that Python decides, against quadratic drag: u' = F - u|u| from rest goes to sqrt(F)."""
    force = sm.Function("F")(t)
    v = sm.Symbol("v")
    model = slider(force - v * sm.Abs(v))
    result = model.simulate((0, 3), {Q: 0, U: -1}, {M: 1}, inputs={force: lambda s, x: 4.0}, **TIGHT)
    turn = np.arctan(0.5) / 2
    assert result.events.t == pytest.approx([turn], abs=1e-10)
    assert result.x[1, -1] == pytest.approx(2 * np.tanh(2 * (3 - turn)), abs=1e-10)


def test_contact_in_the_dead_band_and_hops_are_judged_by_contacts_alone():
    """A ball whose hops die away comes to rest as without the condition, which has margins of another unit and size."""
    g = 10
    plain = checked_run(dropped(-g * M), (0, 5), {Q: 1, U: 0}, {M: 1, E: 0.5})
    forced = dropped(-g * M + 1e-9 * sm.sign(1e6 * sm.Symbol("v"))).simulate((0, 5), {Q: 1, U: 0}, {M: 1, E: 0.5})
    assert forced.status is plain.status
    assert forced.t_inf == pytest.approx(plain.t_inf, abs=1e-7)


def test_start_is_checked_in_the_branch_in_force():
    """The other branch has no value there."""
    x = sm.Symbol("x")
    force = sm.Piecewise((sm.sqrt(x - 1), x > 1), (0, True))
    result = checked_run(slider(force), (0, 1), {Q: 0, U: 0.5}, {M: 1})
    assert (result.status, len(result.events)) == (Status.FINISHED, 0)


def test_names_are_those_of_the_model():
    names = [switch.names for switch in slider(sm.Abs(sm.Symbol("x") - 2)).derivation.switches]
    assert names == [("q - 2 > 0", "q - 2 < 0")]


def valley(both: bool):
    """A particle [x, z, vx, vz] above z = |x|/2: one surface with a kink, or two planes."""
    (x, z), (vx, vz) = dynamicsymbols("x z"), dynamicsymbols("vx vz")
    N, O, P = ReferenceFrame("N"), Point("O"), Point("P")
    P.set_pos(O, x * N.x + z * N.z)
    system = System(N, O)
    system.add_bodies(Particle("ball", P, M))
    system.add_coordinates(x, z)
    system.add_speeds(vx, vz)
    system.add_kdes(vx - x.diff(t), vz - z.diff(t))
    system.apply_uniform_gravity(-10 * N.z)
    if both:
        surfaces = {side: Plane(O, (-side * N.x / 2 + N.z).normalize()) for side in (1, -1)}
    else:
        surfaces = {0: Plane(O.locatenew("bottom", sm.Abs(x) / 2 * N.z), N.z)}
    return HybridModel(
        system, [Contact(P, plane, restitution=E, friction=0, name=f"{side}") for side, plane in surfaces.items()]
    )


def test_surface_with_a_kink_is_two_planes():
    """The gap z - |x|/2 and its Jacobian belong to the plane on whose side the particle is."""
    start, numbers = [1.0, 2.0, 0.3, 0.0], {M: 1, E: 1}
    one = valley(False).simulate((0, 6), start, numbers, **TIGHT)
    two = checked_run(valley(True), (0, 6), start, numbers, **TIGHT)
    impacts = [event for event in one.events if event.kind == "impact"]
    assert len(impacts) == len(two.events) > 4
    assert any(event.kind == "switch" for event in one.events)
    assert [event.t for event in impacts] == pytest.approx(two.events.t, abs=1e-8)
    assert one.x[:, -1] == pytest.approx(two.x[:, -1], abs=1e-6)  # each bounce magnifies what the one before left


def test_tumbling_cube_in_a_gust():
    """Eight contacts beside a condition: the run with Heaviside(t - s) is a run without wind, then one with it."""
    w, onset = sm.Symbol("w"), 0.9

    def thrown(force):
        system, corners = cube("quaternion")
        system.add_loads(Force(corners[0], force * system.frame.x))
        floor = Plane(system.fixed_point, system.frame.z)
        return HybridModel(system, [Contact(P, floor, restitution=E, friction=0) for P in corners])

    numbers = {"m": 1, "h": 0.5, "g": 9.8, "e": 0.8, "i1": 1 / 6, "i2": 1 / 5, "i3": 1 / 4, "w": 6.0}
    start = [0, 0, 2, 1, 0, 0, 0, 0.5, 0, 0, 1.0, 2.0, 0.3]
    gust = thrown(w * sm.Heaviside(t - onset))
    wind = thrown(w)

    def parameters(model, **changes):
        return {symbol: {**numbers, **changes}[symbol.name] for symbol in model.parameters}

    result = checked_run(gust, (0, 1.5), start, parameters(gust), **TIGHT)
    before = wind.simulate((0, onset), start, parameters(wind, w=0.0), **TIGHT)
    after = wind.simulate((onset, 1.5), before.x[:, -1], parameters(wind), **TIGHT)
    impacts = [event for event in result.events if event.kind == "impact"]
    assert len(impacts) == len(before.events) + len(after.events) > 2
    assert [event.contacts for event in impacts] == [event.contacts for event in (*before.events, *after.events)]
    assert [event.t for event in result.events if event.kind == "switch"] == [onset]
    assert result.x[:, -1] == pytest.approx(after.x[:, -1], abs=1e-8)


def table_that_shakes(height):
    """A particle [y, v] above a table, on a cushion that begins one metre above the table."""
    y, v = dynamicsymbols("y v")
    N, O, P = ReferenceFrame("N"), Point("O"), Point("P")
    P.set_pos(O, y * N.y)
    system = System(N, O)
    system.add_bodies(Particle("ball", P, M))
    system.add_coordinates(y)
    system.add_speeds(v)
    system.add_kdes(v - y.diff(t))
    system.add_loads(Force(P, (20 * sm.Max(0, 1 - (y - height)) - 10) * N.y))
    table = Plane(O.locatenew("T", height * N.y), N.y)
    return HybridModel(system, [Contact(P, table, restitution=E, friction=0)])


def test_condition_on_an_input_whose_derivatives_are_known_is_a_boundary():
    """The motion of the table by an input, whose rates its contact needs, and the same written out."""
    r = dynamicsymbols("r")
    fed = table_that_shakes(r)
    assert len(fed.derivation.switches) == 1
    shaking = sm.sin(3 * t) / 4
    options = {"rtol": 1e-11, "atol": 1e-13}
    one = fed.simulate((0, 4), [2, 0], {M: 1, E: 0.5}, inputs={r: shaking}, **options)
    two = table_that_shakes(shaking).simulate((0, 4), [2, 0], {M: 1, E: 0.5}, **options)
    assert [event.kind for event in one.events] == [event.kind for event in two.events]
    assert {"switch"} <= {str(event.kind) for event in one.events}
    assert one.events.t == pytest.approx(two.events.t, abs=1e-9)
    assert one.x[:, -1] == pytest.approx(two.x[:, -1], abs=1e-9)
