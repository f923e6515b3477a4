"""No missed crossing: an oscillator of amplitude 1 + d that passes a wall at 1 fourteen times, and comes back.

Both stages have the same flow, so that crossings change nothing and their times are those of a cosine:
x = -(1 + d) cos(t) is at 1 for t = (2k + 1) pi -+ arccos(1/(1 + d)).
"""

from itertools import product

import numpy as np
import pytest
from integrate_processes import ADAPTIVE, both_gates, check_run, crossings, q
from quick_members import members

PERIODS = 14
END = 2 * np.pi * PERIODS
DEPTHS = (1e-2, 1e-4, 1e-6, 1e-8)
GATES = both_gates(q - 1)


def passages(depth):
    """The exact times of all crossings: out, in, out, ..."""
    half = np.arccos(1 / (1 + depth))
    tops = np.pi * (2 * np.arange(PERIODS) + 1)
    return np.column_stack([tops - half, tops + half]).ravel()


def run(kind, depth, **options):
    result = GATES[kind].simulate((0, END), [-1 - depth, 0.0], start="in", **options)
    check_run(result)
    return result


def counts(result):
    """How often the wall was passed outwards and inwards; they take turns."""
    sources = [event.source for event in result.events]
    assert sources == ["in", "out"] * (len(sources) // 2) + ["in"] * (len(sources) % 2)
    return sources.count("in"), sources.count("out")


@pytest.mark.parametrize(
    ("kind", "method", "depth"),
    members(product(GATES, ADAPTIVE, DEPTHS), slow=[*product(["plain"], ADAPTIVE, DEPTHS[1:])]),
)
def test_fourteen_of_fourteen_at_tight_tolerance(kind, method, depth):
    """At rtol 1e-12 the amplitude is off by less than 14 x 1e-12 (1 + d), far less than any of the depths.

    Near the top, 1 + d - x = s^2/2, so that an error of 1e-11 of the motion shifts a crossing by 1e-11/sqrt(2 d).
    """
    result = run(kind, depth, method=method, rtol=1e-12, atol=1e-15)
    assert counts(result) == (14, 14)
    np.testing.assert_allclose(result.events.t, passages(depth), rtol=0, atol=2e-11 / np.sqrt(2 * depth))


@pytest.mark.parametrize(("depth", "rtol"), [(d, r) for r in (1e-6, 1e-9) for d in DEPTHS if d > 1e3 * r])
@pytest.mark.parametrize("method", ADAPTIVE)
@pytest.mark.parametrize("kind", GATES)
def test_fourteen_of_fourteen_where_the_tolerance_decides_them(kind, method, depth, rtol):
    """An amplitude error of some 14 rtol leaves a dip of depth 1e3 rtol what it is."""
    assert counts(run(kind, depth, method=method, rtol=rtol, atol=1e-3 * rtol)) == (14, 14)


EVERY = [*product([*ADAPTIVE, "RadauIIA", "Radau", "BDF", "LSODA"], [1e-4, 1e-8])]
SCIPYS = [("Radau", 1e-4), ("BDF", 1e-4), ("BDF", 1e-8), ("LSODA", 1e-8)]
"""Methods of SciPy, whose dense output is searched as that of the others: two of them are in a quick run."""


@pytest.mark.parametrize(("method", "depth"), members(EVERY, slow=SCIPYS))
def test_no_crossing_of_the_computed_motion_is_missed(method, depth):
    """At rtol 1e-6 the amplitude drifts by more than the depth; what the run's own dense output crosses is found."""
    result = run("symbolic", depth, method=method, rtol=1e-6, atol=1e-9)
    assert sum(counts(result)) == crossings(result, lambda t, x: x[0] - 1)


STEPS = [("Euler", 1e-2), ("improved Euler", 1e-2), ("improved Euler", 0.1), ("RK4", 0.01), ("RK4", 0.1), ("RK4", 0.7)]
FIXED = [(kind, depth, *one) for kind in GATES for depth in (1e-2, 1e-6) for one in STEPS]
LONG = [("plain", 1e-2, *one) for one in STEPS if one[1] == 1e-2]
LONG += [("plain", 1e-6, *one) for one in STEPS if one[1] == 1e-2]
"""Many steps that call Python functions: in a quick run expressions have these steps, and functions longer ones."""


@pytest.mark.parametrize(("kind", "depth", "method", "step"), members(FIXED, slow=LONG))
def test_fixed_steps_find_all_crossings_of_their_own_dense_output(kind, depth, method, step):
    """Amplitudes grow (Euler) or fade (RK4), also through the wall: the dense output tells, looked at finely."""
    result = run(kind, depth, method=method, max_step=step)
    assert sum(counts(result)) == crossings(result, lambda t, x: x[0] - 1)


@pytest.mark.parametrize(("kind", "method"), members(product(GATES, ADAPTIVE), slow=[("plain", "RK45")]))
def test_depth_below_the_dead_band_is_no_crossing(kind, method):
    """Within 1e-10 of the largest gap met a dip is not decided: a motion that ends 1e-12 beyond the wall never leaves.

    The band is min(rtol, 1e-10) of the gap's scale, here 2, and the amplitude is kept to 14 tolerances of 1e-13.
    """
    result = run(kind, 1e-12, method=method, rtol=1e-10, atol=1e-13, max_step=0.02)
    assert counts(result) == (0, 0)
