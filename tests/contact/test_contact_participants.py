"""Who takes part in an impact: what fired, what touches, and what is about to."""

import numpy as np
import pytest
from contact_problems import Model

from sympact.integrate.memory.run_codes import HEAD, NEAREST, WINDOW

EPS = np.finfo(float).eps


def two_balls(gap, rate=-1.0, *, first=-1.0, t=1.0, length=1.0):
    """Two balls above floors of their own: the first hits, the second has this gap and rate."""
    model = Model(np.eye(2), np.eye(2), 0.5, length=length)
    _, after, took_part, record = model.impact([first, rate], gaps=[0.0, gap], rates=[first, rate], fired=[0], t=t)
    assert took_part[0]
    assert (after[1] != rate) == (took_part[1] and rate < 0)
    return took_part[1], record


def test_contact_that_touches_joins():
    joined, record = two_balls(0.0)
    assert joined
    assert record[HEAD + 1] == pytest.approx(1.5)


def test_contact_that_touches_and_leaves_joins_without_a_push():
    joined, record = two_balls(0.0, rate=2.0)
    assert joined
    assert record[HEAD + 1] == 0.0


@pytest.mark.parametrize(("windows", "joins"), [(0.1, True), (0.99, True), (1.01, False), (10.0, False)])
@pytest.mark.parametrize("t", [0.0, 1.0, 3000.0])
@pytest.mark.parametrize("speed", [1e-3, 1.0, 50.0])
def test_window_is_an_instant_or_a_trillionth_of_the_time_scale(windows, joins, t, speed):
    """dt_s = max(64 eps t, 1e-12 length/v); gaps of a rounding of the length count as none."""
    length = 2.0
    window = max(64 * EPS * t, 1e-12 * length / speed)
    gap = windows * window * speed
    joined, record = two_balls(gap, -speed, first=-speed, t=t, length=length)
    assert joined == joins
    assert record[WINDOW] == pytest.approx(window)
    if not joins:
        assert record[NEAREST] == pytest.approx(gap / speed)


def test_nothing_else_approaches():
    _, record = two_balls(0.3, rate=1.0)
    assert record[NEAREST] == np.inf
    assert record[WINDOW] == pytest.approx(1e-12)


def test_slow_contact_does_not_wait_for_a_fast_one():
    """A contact at a billionth of the speed has a window of 1 ms; a fast one 1 mm away is not part of its impact."""
    joined, record = two_balls(1e-3, rate=-1.0, first=-1e-9)
    assert not joined
    assert record[WINDOW] == pytest.approx(1e-12)
    assert record[NEAREST] == pytest.approx(1e-3)


def test_hit_just_outside_the_window_is_known_by_its_time():
    """Within 1e3 windows the outcome hangs on the order; the record has what a warning needs."""
    joined, record = two_balls(500e-12)
    assert not joined
    assert record[NEAREST] <= 1e3 * record[WINDOW]


def test_window_scales_with_the_length():
    assert two_balls(1e-10)[0] is np.False_
    assert two_balls(1e-10, length=1e3)[0] is np.True_
