"""Conditions in models of several bodies: derivatives of their margins, runs against plain functions, inputs."""

import numpy as np
import pytest
import sympy as sm
from mechanics_oracle import chain
from switch_models import E, M, Q, U, dropped, slider
from sympy.physics.mechanics import Torque, dynamicsymbols

from sympact import HybridModel, HybridSystem, Status

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
    result = model.simulate((0, 4), [0.2, -0.1, 1.0, 2.0], parameters, **TIGHT)
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


def test_condition_on_a_prescribed_motion_is_a_boundary():
    """Its derivatives are inputs too where a contact's surface needs them; else the condition stays in the flow."""
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
    plain = dropped(-g * M).simulate((0, 5), {Q: 1, U: 0}, {M: 1, E: 0.5})
    forced = dropped(-g * M + 1e-9 * sm.sign(1e6 * sm.Symbol("v"))).simulate((0, 5), {Q: 1, U: 0}, {M: 1, E: 0.5})
    assert forced.status is plain.status
    assert forced.t_inf == pytest.approx(plain.t_inf, abs=1e-7)


def test_start_is_checked_in_the_branch_in_force():
    """The other branch has no value there."""
    x = sm.Symbol("x")
    force = sm.Piecewise((sm.sqrt(x - 1), x > 1), (0, True))
    result = slider(force).simulate((0, 1), {Q: 0, U: 0.5}, {M: 1})
    assert (result.status, len(result.events)) == (Status.FINISHED, 0)


def test_names_are_those_of_the_model():
    names = [switch.names for switch in slider(sm.Abs(sm.Symbol("x") - 2)).derivation.switches]
    assert names == [("q - 2 > 0", "q - 2 < 0")]
