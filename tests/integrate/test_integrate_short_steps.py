"""Short steps, by a method of low order: as right as the others, and rebuilt as they were taken."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import sympy as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from quick_members import examples
from scipy.interpolate import BPoly

from sympact import HybridSystem, Transition
from sympact.integrate.search.bernstein_kernel import on_bernstein, zero_of_falling
from sympact.integrate.search.stage_margin_kernel import short_bound
from sympact.integrate.steppers.order_conditions import order_of
from sympact.integrate.steppers.runge_kutta_kernel import SHORT_ROWS
from sympact.integrate.steppers.tableau import rk43

y, v, e = sm.symbols("y v e")
PULLED = HybridSystem.from_sympy(
    {"free": [v, -y - 1]},
    [Transition("free", "free", boundary=-y, jump={v: -e * v}, name="wall")],
    states=[y, v],
    parameters=[e],
)
"""A mass of 1 kg at a spring of 1 N/m that pulls it towards a wall: y = cos s - 1 + v sin s after an impact with v."""

E, SPEED, COUNT = 0.6, 0.5, 28


def impact_times(count: int) -> np.ndarray:
    """Each rebound takes 2 arctan(v), with the speed e^k v after k impacts."""
    return np.cumsum(2.0 * np.arctan(SPEED * E ** np.arange(count)))


def rebounds(rtol: float):
    """The run from the wall with SPEED, over COUNT rebounds; and which samples end short steps."""
    result = PULLED.simulate(
        (0, impact_times(COUNT)[-1] + 1e-6), [0.0, SPEED], start="free", parameters=[E], rtol=rtol, atol=1e-3 * rtol
    )
    return result, result._run.piece.samples["sample_low"]


@pytest.mark.parametrize("rtol", [1e-4, 1e-7, 1e-10])
def test_rebounds_take_short_steps_and_end_when_they_should(rtol):
    """The error of a short step is far below the tolerance."""
    result, low = rebounds(rtol)
    times = [event.t for event in result.events]
    assert low.sum() > 10
    np.testing.assert_allclose(times, impact_times(COUNT), atol=0.05 * rtol)


@pytest.mark.parametrize("rtol", [1e-4, 1e-9])
def test_between_the_ends_of_short_steps_is_the_motion(rtol):
    result, low = rebounds(rtol)
    ends = np.flatnonzero(low)
    times = impact_times(COUNT)
    for k in ends:
        t = np.linspace(result.t[k - 1], result.t[k], 12)[1:-1]
        last = np.searchsorted(times, t[0])
        begin = times[last - 1] if last else 0.0
        speed, s = SPEED * E**last, t - begin
        np.testing.assert_allclose(result(t)[0], np.cos(s) - 1 + speed * np.sin(s), atol=rtol)


def test_short_steps_are_rebuilt_with_their_own_ends():
    result, low = rebounds(1e-8)
    segments, ends = result._dense.segments(), np.flatnonzero(low)
    assert ends.size > 10
    before = np.nextafter(result.t[ends], result.t[ends - 1])
    np.testing.assert_allclose(segments.evaluate(before), result.x.T[ends], rtol=0, atol=1e-15)
    assert not segments.coefficients[np.searchsorted(np.flatnonzero(result._record.h), ends), 3:].any()


def test_the_method_of_short_steps_has_order_four_and_an_error_of_order_three():
    """The rates at the end of the step are one more stage, of which the weights of order three make use."""
    table = rk43()
    a = np.zeros((5, 5))
    for i, row in enumerate((*table.a, table.b)):
        a[i, : len(row)] = row
    weights = np.array([*table.b, 0.0])
    assert order_of(a, weights) == 4
    assert order_of(a, weights - table.error[0]) == 3


@examples(17, 50, st.lists(st.fractions(-3, 3, max_denominator=64), min_size=2, max_size=9), st.floats(0, 1))
def test_polynomials_in_bernsteins_form_are_those_of_scipy(coefficients: list[Fraction], s: float):
    b = np.array([float(c) for c in coefficients])
    truth = BPoly(b[:, None], [0, 1])
    value, slope = on_bernstein(b, b.size - 1, s)
    assert value == pytest.approx(float(truth(s)), abs=1e-12)
    assert slope == pytest.approx(float(truth.derivative()(s)), abs=1e-11)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(0.05, 2.0), min_size=2, max_size=8), st.floats(0.02, 0.98), st.floats(0, 1))
def test_the_zero_of_a_falling_polynomial_is_found_from_anywhere(drops: list[float], share: float, begin: float):
    b = -np.cumsum([0.0, *drops])
    b += share * -b[-1]
    place, slope = zero_of_falling(b, len(drops), begin)
    assert slope < 0
    assert float(BPoly(b[:, None], [0, 1])(place)) == pytest.approx(0.0, abs=1e-8 * -b[-1] + 1e-8 * b[0])


@pytest.mark.parametrize("turn", [0.05, 0.2, 0.5, 1.0, 1.5])
def test_no_wave_is_below_its_bound_in_a_short_step(turn):
    """Steps of DOP853 have up to some 6 rad, short ones a small part of it. A wave above zero needs no sample."""
    recorded, along = np.zeros((13, 1)), np.linspace(0, 1, 501)
    for phase in np.linspace(0, 2 * np.pi, 121):
        recorded[list(SHORT_ROWS), 0] = np.cos(turn * np.array([0, 0.5, 0.5, 1, 1]) + phase)
        assert short_bound(recorded, 0) <= np.cos(turn * along + phase).min() + 1e-12
        if turn <= 0.5:
            recorded[list(SHORT_ROWS), 0] += 1.4
            assert short_bound(recorded, 0) > 0
