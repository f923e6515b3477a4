"""Published benchmarks of constrained mechanisms: their digits, or what their motion conserves."""

import numpy as np
import pytest
from benchmark_mechanisms import G, andrews, bricard, four_bars, governor, reference, spin
from scipy.integrate import solve_ivp

from sympact import Status


def numbers(texts):
    return np.array([float(text) for text in texts])


def test_andrews_squeezer_meets_the_published_solution():
    """Within the digits of the publication that are right, see the file."""
    known = reference("andrews_squeezer")["reference"]
    model, start, parameters = andrews()
    run = model.simulate((0.0, 0.03), start, parameters, rtol=1e-12, atol=1e-14)
    assert run.status is Status.FINISHED
    for found, texts, tolerance in ((run.x[:7, -1], known["q"], 2e-10), (run.x[7:, -1], known["q'"], 6e-8)):
        exact = numbers(texts)
        assert np.abs((found - exact) / np.maximum(1.0, np.abs(exact))).max() <= tolerance


def test_andrews_squeezer_begins_with_the_published_accelerations():
    """1e-11 of the largest: the state is projected by some 1e-17, of which the spring makes 1e-13 of its force."""
    model, start, parameters = andrews()
    compiled = model.compile()
    found = compiled.flow(0.0, start, compiled.parameters(parameters))[7:]
    exact = numbers(reference("andrews_squeezer")["reference"]["accelerations at 0"])
    assert np.abs(found - exact).max() <= 1e-11 * np.abs(exact).max()


def pendulum_of(windows, t_end):
    """Angle and speed of the cranks: all turn as one, and couplers do not turn."""
    inertia, weight = (windows + 1) / 3 + windows, G * ((windows + 1) / 2 + windows)
    return solve_ivp(
        lambda t, x: [x[1], -weight / inertia * np.cos(x[0])],
        (0.0, t_end),
        [np.pi / 2, -1.0],
        method="DOP853",
        rtol=3e-14,
        atol=1e-15,
    ).y[:, -1]


@pytest.mark.parametrize("windows", [1, 2, 3, 5])
def test_four_bars_pass_their_flat_positions(windows):
    """The motion goes on as that of a pendulum, and couplers stay level.

    Where the mechanism is flat, rounding in the rows changes the speeds at each step: the error after six such
    positions scatters from 1e-8 to 1e-4 rad with the steps that meet there, whatever the tolerance. The bound of the
    library on the energy is 0.1 J.
    """
    model, start = four_bars(windows)
    run = model.simulate((0.0, 10.0), start, {}, rtol=1e-8, atol=1e-10)
    angle, speed = pendulum_of(windows, 10.0)
    assert run.status is Status.FINISHED
    cranks = slice(0, windows + 1)
    assert run.x[cranks, -1] == pytest.approx(angle, abs=1e-4)
    assert run.x[2 * windows + 1 :][cranks, -1] == pytest.approx(speed, abs=1e-4)
    # where all is flat, phi is of the second order in the turn of a coupler: the root of its rounding
    assert np.abs(run.x[windows + 1 : 2 * windows + 1]).max() <= 1e-8
    assert np.ptp(run.energy) <= 1e-4 * windows


def tip(angle, speed):
    """Place and velocity of the end of a crank."""
    return [np.cos(angle), np.sin(angle), -np.sin(angle) * speed, np.cos(angle) * speed]


def test_two_four_bars_end_where_another_program_ends():
    """Its results at the last two steps are extrapolated with the order that they show, two."""
    known = reference("double_four_bar")["reference"]
    values = np.array([numbers(known[name]) for name in ("x", "y", "x'", "y'")])
    ratios = (values[:, -2] - values[:, -3]) / (values[:, -1] - values[:, -2])
    assert ratios == pytest.approx(4.0, abs=0.05)
    exact = values[:, -1] + (values[:, -1] - values[:, -2]) / 3.0
    model, start = four_bars(2)
    run = model.simulate((0.0, 10.0), start, {}, rtol=1e-8, atol=1e-10)
    assert tip(run.x[0, -1], run.x[5, -1]) == pytest.approx(exact, abs=2e-5)
    assert tip(*pendulum_of(2, 10.0)) == pytest.approx(exact, abs=5e-7)


@pytest.mark.parametrize("rtol", [1e-6, 1e-9, 1e-12])
def test_bricards_mechanism_moves_with_its_one_degree_of_freedom(rtol):
    """Five rows of rank four for five angles; the cosines of the angles between links are sines of the coordinates."""
    model, start = bricard()
    run = model.simulate((0.0, 10.0), start, {}, rtol=rtol, atol=rtol / 100)
    assert run.status is Status.FINISHED
    odd, even = np.sin(run.x[0:5:2]), np.sin(run.x[1:5:2])
    assert odd == pytest.approx(np.broadcast_to(odd[0], odd.shape), abs=1e-13)
    assert even == pytest.approx(np.broadcast_to(even[0], even.shape), abs=1e-13)
    assert np.abs(odd[0] + even[0] + odd[0] * even[0]).max() <= 1e-13
    assert np.ptp(run.x[0]) > 3.0
    # of 1e3 tolerances: the steps, of which there are 100 to 300, add up what they allow of an energy of 50 J
    assert np.ptp(run.energy) <= 1e3 * rtol


@pytest.mark.parametrize(("method", "rtol"), [("DOP853", 1e-8), ("Radau", 1e-6)])
def test_the_stiff_governor_conserves_its_angular_momentum(method, rtol):
    """And its rods move on closures as they move on pins; the springs decay within a ten thousandth of a turn."""
    ends = {}
    for constrained in (False, True):
        model, start = governor(constrained)
        run = model.simulate((0.0, 2.0), start, {}, rtol=rtol, atol=rtol / 100, method=method)
        assert run.status is Status.FINISHED
        assert np.ptp(spin(run.x)) <= 200 * rtol * spin(run.x)[0]
        ends[constrained] = run.x[:4, -1]
    assert ends[True] == pytest.approx(ends[False], abs=300 * rtol)
