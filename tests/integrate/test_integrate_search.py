"""The search within a step against the roots of a formula, along a clock: x' = 1, which every stepper follows exactly.

Boundary functions are sums of sines of at most one wave in a step, the range for which the search by rates is meant.
The truth is the formula, sampled 200 times in a step with a root between any two samples of different sign.
"""

from itertools import product

import numpy as np
import pytest
import sympy as sm
from hypothesis import example
from hypothesis import strategies as st
from integrate_processes import ADAPTIVE, FIXED, both_gates, check_run, crossings, gate, plain_gate, q, u
from quick_members import examples, members
from scipy.optimize import brentq

from sympact import HybridSystem, Transition, models

WAVES = 4
END = 12.0
A = sm.symbols(f"a0:{WAVES}")
W = sm.symbols(f"w0:{WAVES}")
F = sm.symbols(f"f0:{WAVES}")
C, X = sm.symbols("c x")
SUM = C + sum(a * sm.sin(w * X + f) for a, w, f in zip(A, W, F, strict=True))
CLOCK = gate(SUM, flow=[1], states=[X], parameters=[*A, *W, *F, C])
FASTEST = 2 * np.pi
"""One wave in a step of 1 s."""


def roots(boundary, t_end):
    """All zeros of a function of time."""
    t = np.linspace(0, t_end, int(200 * t_end) + 1)
    sign = np.sign(boundary(t))
    return np.array([brentq(boundary, t[i], t[i + 1], xtol=1e-15) for i in np.flatnonzero(sign[1:] != sign[:-1])])


def waves(rng):
    """Numbers of a random sum of sines."""
    return np.concatenate([rng.normal(size=WAVES), rng.uniform(0.2, FASTEST, WAVES), rng.uniform(0, 7, WAVES)])


def clear_of_tangents(boundary, t_end):
    """True when no extremum between two samples is so close to zero that the sampled truth could be wrong."""
    t = np.linspace(0, t_end, int(200 * t_end) + 1)
    g = boundary(t)
    turns = np.flatnonzero((g[1:-1] - g[:-2]) * (g[2:] - g[1:-1]) <= 0) + 1
    curvature = (2 * FASTEST) ** 2 * 10
    return (np.abs(g[turns]) > 0.5 * curvature / 200**2).all() and abs(g[0]) > 1e-3


def check_roots(result, boundary, expected):
    check_run(result)
    assert len(result.events) == len(expected)
    h = 1e-6
    rate = np.abs(boundary(expected + h) - boundary(expected - h)) / (2 * h)
    # rounding of a sum of sines of size 10 at angles of size 100
    np.testing.assert_array_less(np.abs(result.events.t - expected) * rate, 1e-12)


@examples(13, 40, seed=st.integers(0, 10**6), level=st.floats(-2, 2))
@example(seed=27610, level=0.7689693851835178)  # enters a stage, whose scale is not known yet, 1e-16 above zero
def test_sums_of_sines(seed, level):
    numbers = np.append(waves(np.random.default_rng(seed)), level)
    a, w, f = numbers[:-1].reshape(3, WAVES)

    def boundary(t):
        return level + np.sin(np.multiply.outer(t, w) + f) @ a

    if not clear_of_tangents(boundary, END):
        return
    expected, start = roots(boundary, END), "in" if boundary(0.0) < 0 else "out"
    for method in (*ADAPTIVE, *FIXED):
        result = CLOCK.simulate((0, END), [0.0], start=start, parameters=numbers, method=method, max_step=1.0)
        check_roots(result, boundary, expected)
    plain = plain_gate(lambda t, x: boundary(x[0]), flow=lambda t, x: [1.0])
    check_roots(plain.simulate((0, END), [0.0], start=start, max_step=1.0), boundary, expected)


@pytest.mark.parametrize("kind", ["symbolic", "plain"])
@pytest.mark.parametrize("method", [*ADAPTIVE, *FIXED])
@pytest.mark.parametrize("depth", [1e-2, 1e-5, 1e-8])
def test_both_ends_of_a_narrow_dip(kind, method, depth):
    """cos(x) - 1 + d is positive for 2 arccos(1 - d) around each turn; steps of 0.4 see it between their samples."""
    if kind == "plain":
        process = plain_gate(lambda t, x: np.cos(x[0]) - 1 + depth, flow=lambda t, x: [1.0])
    else:
        process = gate(sm.cos(X) - 1 + depth, flow=[1], states=[X])
    result = process.simulate((1, 20), [1.0], start="in", method=method, max_step=0.4)
    turns, half = 2 * np.pi * np.arange(1, 4), np.arccos(1 - depth)
    expected = np.column_stack([turns - half, turns + half]).ravel()
    np.testing.assert_allclose(result.events.t, expected, rtol=0, atol=1e-14 / half)


A_POINT = 0.3
TANGENT = {"square": -((q - A_POINT) ** 2), "fourth power": -((q - A_POINT) ** 4), "corner": -sm.Abs(q - A_POINT)}
CROSSED = {
    "cube": ((q - A_POINT) ** 3, 14),
    "fifth power": ((q - A_POINT) ** 5, 14),
    "two close roots": (1e-8 - (q - A_POINT) ** 2, 28),
    "smaller of two": (sm.Min(q - A_POINT, sm.Rational(1, 2) - q + u / 10), 28),
    "larger of two": (sm.Max(q - A_POINT, u - sm.Rational(1, 5)), 14),
    "two kinks": (sm.Rational(1, 100) - sm.Abs(q - A_POINT), 28),
}


TOUCHES = [*product(TANGENT, ADAPTIVE, [1e-3, 1e-6, 1e-12])]
TOUCHING = [case for k, case in enumerate(TOUCHES) if k % 2]
"""Each boundary is quick with each method and each tolerance, not with all pairs of them."""


@pytest.mark.parametrize(("name", "method", "rtol"), members(TOUCHES, slow=TOUCHING))
def test_a_touch_without_crossing_is_no_event(name, method, rtol):
    for process in both_gates(TANGENT[name]).values():
        result = process.simulate((0, 14 * np.pi), [1.0, 0.0], start="in", method=method, rtol=rtol, atol=1e-3 * rtol)
        assert len(result.events) == 0


ROOTS = [*product(CROSSED, (1e-3, 1e-6, 1e-12))]
FEW = {("cube", 1e-6), ("two close roots", 1e-3), ("larger of two", 1e-12)}
"""Roots of each kind, and each tolerance."""


@pytest.mark.parametrize(("name", "rtol"), members(ROOTS, slow={*ROOTS} - FEW))
def test_special_roots(name, rtol):
    """Seven periods of the oscillator; the count is that of the cosine, and of the run's own dense output."""
    boundary, count = CROSSED[name]
    number = sm.lambdify((q, u), boundary, "numpy")
    for process in both_gates(boundary).values():
        for method in ADAPTIVE:
            start = "in" if number(1.0, 0.0) < 0 else "out"
            options = {"start": start, "method": method, "rtol": rtol, "atol": 1e-3 * rtol}
            result = process.simulate((0, 14 * np.pi), [1.0, 0.0], **options)
            check_run(result)
            assert len(result.events) == count
            if name != "two close roots":  # closer together than a look is apart
                assert crossings(result, lambda t, x: number(x[0], x[1])) == count


@examples(20, 60, place=st.floats(1.0, 9.0), share=st.floats(1.01, 8.0), rise=st.sampled_from(["tent", "box", "cap"]))
def test_plain_dips_longer_than_a_sixteenth_of_a_step(place, share, rise):
    """Steps of 1 s, 17 samples in each: a dip of 1/16 s holds one of them, wherever it is and however it is shaped."""
    half = share / 32

    def boundary(t, x):
        inside = 1 - abs(x[0] - place) / half
        return {"tent": inside, "box": 1.0 if inside >= 0 else -1.0, "cap": inside * (2 - inside)}[rise]

    process = plain_gate(lambda t, x: max(-1e-3, boundary(t, x)), flow=lambda t, x: [1.0])
    for method in ("DOP853", "RK4"):
        result = process.simulate((0, 10), [0.0], start="in", method=method, max_step=1.0)
        check_run(result)
        assert result.events.t.tolist() == pytest.approx([place - half, place + half], abs=1e-13)


@pytest.mark.parametrize("method", ADAPTIVE)
@pytest.mark.parametrize("apart", [10.0**-k for k in range(1, 11)])
def test_of_two_crossings_in_one_step_the_first_fires(method, apart):
    """Two gaps of other shapes, at 1 and at 1 + d in a step of 0.5, down to the dead band of 1e-10.

    Zeros of their quintics say which comes first, and where these are too close to each other, the polynomial.
    """
    shapes = {"first": sm.sin(X - 1), "second": sm.sin(2 * (X - 1 - sm.Float(apart, 30)))}
    for names in (["first", "second"], ["second", "first"]):
        transitions = [Transition("before", name, boundary=shapes[name], name=name) for name in names]
        stages = {"before": [1], "first": [1], "second": [1]}
        process = HybridSystem.from_sympy(stages, transitions, states=[X])
        result = process.simulate((0.75, 1.25), [0.75], start="before", method=method, max_step=0.5)
        event = result.events[0]
        assert event.target == "first"
        assert event.t == pytest.approx(1.0, abs=8e-16)
        assert result.counts["dense"] == 0 or apart < 1e-4
        assert result.counts["dense"] > 0 or apart > 1e-7


@pytest.mark.parametrize("method", ADAPTIVE)
@pytest.mark.parametrize("place", [0.31, 0.32, 0.33, 0.34])
def test_an_estimate_that_another_gap_overtakes_is_searched_again(method, place):
    """A gap with two kinks falls by two thirds of its height within a tenth of the step, around its zero at 0.3.

    The quintic through the ends of the step, which show nothing of this, has its zero behind that of a line at `place`.
    """
    x = X - sm.Rational(3, 10)
    kinks = [sm.sqrt((x + d) ** 2 + sm.Rational(1, 10000)) for d in (sm.Rational(1, 20), -sm.Rational(1, 20))]
    transitions = [
        Transition("before", "line", boundary=X - place),
        Transition("before", "step", boundary=10 * (kinks[0] - kinks[1]) + x),
    ]
    process = HybridSystem.from_sympy({"before": [1], "line": [1], "step": [1]}, transitions, states=[X])
    result = process.simulate((0, 1), [0.0], start="before", method=method, max_step=1.0)
    (event,) = result.events
    assert event.target == "step"
    assert event.t == pytest.approx(0.3, abs=1e-15)
    assert result.counts["dense"] == 1


def test_an_impact_evaluates_gaps_at_ends_of_steps_alone():
    """At the end of the step that crosses, of that step repeated, after its correction, at the start of the next arc.

    The root is that of the quintic through both ends of the step, so that it costs no evaluation and no polynomial.
    """
    counts, events = (result := models.two_links().simulate()).counts, len(result.events)
    assert events == 19
    assert counts["boundary"] <= counts["steps"] + 3 * events + 1
    assert counts["flow"] <= 12 * (counts["steps"] + counts["rejected"] + events) + 4 * events
    assert counts["dense"] == 0
