"""The state between the samples: the steppers' own polynomials against closed forms, across events."""

import numpy as np
import pytest
from integrate_processes import ADAPTIVE, FIXED, STIFF, check_run, plain_walled, walled
from oracles.closed_forms import WalledOscillator

E = 0.8
MOTION = WalledOscillator(E)
PROCESSES = {"symbolic": walled(E, MOTION.wall), "plain": plain_walled(E, MOTION.wall)}
END = 4.0
STEP = 0.02
ERROR_OF_FIXED_STEP = {"Euler": 3 * STEP, "improved Euler": STEP**2, "RK4": 1e-7}
"""A few steps of the error of order 1 and 2; RK4's cubic between samples has the error h^4/384."""
ERROR_IN_TOLERANCES = {"DOP853": 20, "RK45": 20, "RadauIIA": 20, "Radau": 20, "LSODA": 50, "BDF": 300}
"""Interpolants are rougher than steps: DOP853's is of order 7 in a step of order 8, SciPy's of 3 to 5."""


def run(kind, method, rtol=1e-8, **options):
    options.setdefault("max_step", STEP if method in FIXED else np.inf)
    options = {"method": method, "rtol": rtol, "atol": 1e-3 * rtol, **options}
    return PROCESSES[kind].simulate((0, END), [1.0, 0.0], start="free", **options)


def away_from(time, t, margin):
    """The times `t` that are not within `margin` of `time`, where the error of the time itself shows as a jump."""
    return t[np.abs(t - time) > margin]


@pytest.mark.parametrize("kind", PROCESSES)
@pytest.mark.parametrize("method", [*FIXED, *ADAPTIVE, *STIFF])
def test_dense_output_is_the_motion(method, kind):
    for rtol in (1e-4, 1e-8) if method not in FIXED else (1e-8,):
        result = run(kind, method, rtol)
        check_run(result)
        allowed = ERROR_OF_FIXED_STEP.get(method, ERROR_IN_TOLERANCES.get(method, 0) * rtol)
        t = away_from(MOTION.impact, np.linspace(0, END, 3001), 10 * allowed)
        exact = np.transpose([MOTION.state(time) for time in t])
        np.testing.assert_allclose(result(t), exact, rtol=0, atol=allowed)


@pytest.mark.parametrize("method", [*FIXED, *ADAPTIVE, *STIFF])
def test_polynomials_meet_the_samples_they_lie_between(method):
    """At both ends of every step the polynomial is the sample, to the rounding of a time near 4 and rates near 1."""
    result = run("symbolic", method)
    segments, starts = result._dense.segments(), np.flatnonzero(np.diff(result.t) > 0)
    for side in (0, 1):
        near = np.nextafter(result.t[starts + side], result.t[starts + 1 - side])
        np.testing.assert_allclose(segments.evaluate(near), result.x.T[starts + side], rtol=0, atol=1e-14)


@pytest.mark.parametrize("method", [*FIXED, *ADAPTIVE])
@pytest.mark.parametrize("kind", PROCESSES)
def test_polynomials_are_rebuilt_bit_by_bit(kind, method):
    """Two rebuilds of one run, and a rebuild of a second run in between, give the same numbers."""
    one, other = run(kind, method), run(kind, method)
    first, again = one._dense._build(), one._dense._build()
    for name in ("t0", "h", "x0", "coefficients"):
        assert np.array_equal(getattr(first, name), getattr(again, name))
        assert np.array_equal(getattr(first, name), getattr(other._dense.segments(), name))


@pytest.mark.parametrize("method", [*FIXED, *ADAPTIVE, *STIFF])
def test_wanted_times(method):
    """`t_eval` chooses what is looked at, not what is computed: states, events and work are those of the same run."""
    free, t = run("symbolic", method), np.linspace(0.5, END, 41)
    result = run("symbolic", method, t_eval=t)
    assert result.t.tolist() == t.tolist()
    assert np.array_equal(result.x, free(t))
    assert result.events.t.tolist() == free.events.t.tolist()
    assert result.counts == free.counts
    assert np.array_equal(result(free.t[:-1]), free(free.t[:-1]))


def test_wanted_times_at_the_event_are_after_it():
    free = run("symbolic", "DOP853")
    event = free.events[0]
    result = run("symbolic", "DOP853", t_eval=[1.0, event.t, 3.0])
    assert result.x[:, 1].tolist() == event.x_plus.tolist()
    assert result(event.t, side="left").tolist() == event.x_minus.tolist()


def test_looking_between_samples_does_not_call_the_flow_before_it_is_asked():
    """Polynomials are rebuilt on demand: a run that is never looked into pays nothing for them."""
    calls = 0
    process = PROCESSES["plain"]

    def counting(t, x):
        nonlocal calls
        calls += 1
        return process.F[0](t, x)

    counted = type(process)({"free": counting}, process.transitions)
    result = counted.simulate((0, END), [1.0, 0.0], start="free")
    during = calls
    assert result(result.t).shape == result.x.shape
    assert calls == during
    result(0.123)
    assert calls > during
    after = calls
    result(np.linspace(0, END, 1000))
    assert calls == after
