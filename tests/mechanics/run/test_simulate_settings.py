"""What `CompiledModel.simulate`, the door for those who bring arrays, answers to arrays and settings that are wrong."""

from __future__ import annotations

from math import inf, nan, sqrt

import numpy as np
import pytest
from trajectory import check_trajectory

from sympact.models import bouncing_ball


@pytest.fixture(scope="module")
def ball():
    """The compiled ball, with its parameters."""
    ready = bouncing_ball()
    compiled = ready.model.compile()
    return compiled, compiled.parameters(ready.parameters)


def test_arrays_give_the_run_of_the_formula(ball):
    compiled, p = ball
    result = compiled.simulate((0.0, 1.0), [1.0, 0.0], p, rtol=1e-12, atol=[1e-14, 1e-13])
    check_trajectory(result, compiled.model, dict(zip(compiled.model.parameters, p, strict=True)), rtol=1e-12)
    assert result.events[0].t == pytest.approx(sqrt(2 / 9.81), abs=1e-12)
    assert result.settings["atol"] == [1e-14, 1e-13]


@pytest.mark.parametrize(
    ("t_span", "x0", "settings", "sentence"),
    [
        ((1, 0), [1, 0], {}, r"t_span is \(1, 0\), expected two times \(t_start, t_end\) with t_start < t_end"),
        ((0, inf), [1, 0], {}, r"t_span is \(0, inf\), expected finite numbers"),
        ((0, 1), [1, 0, 0], {}, r"x0 has the shape \(3,\), expected \(2,\): \[z\(t\), v\(t\)\]"),
        ((0, 1), ["high", 0], {}, r"x0 is \['high', 0\], expected 2 real numbers: \[z\(t\), v\(t\)\]"),
        ((0, 1), [1, 0], {"atol": "small"}, "atol: 'small' is not made of real numbers: 'small' is text"),
        ((0, 1), [1, 0], {"atol": [1e-9, nan]}, r"atol is \[1e-09, nan\], expected finite numbers"),
        ((0, 1), [1, 0], {"atol": [1e-9] * 3}, r"atol is \[.*\], expected a number or 2 numbers, not negative"),
        ((0, 1), [1, 0], {"rtol": 2, "max_step": 0}, "rtol is 2, expected .*; max_step is 0, expected a positive time"),
    ],
)
def test_wrong_arrays_and_settings_are_refused(ball, t_span, x0, settings, sentence):
    compiled, p = ball
    with pytest.raises(ValueError, match=f"^{sentence}"):
        compiled.simulate(t_span, x0, p, **settings)


def test_state_is_read_where_it_is(ball):
    """An array that is not contiguous is copied, not read beyond its numbers."""
    compiled, p = ball
    scattered = np.array([[1.0, 5.0], [0.0, 5.0]])[:, 0]
    result = compiled.simulate((0.0, 0.1), scattered, p)
    assert result.x[:, 0].tolist() == [1.0, 0.0]
