"""Starts that a run projects onto the constraints: what they cost in Python, and that a kept one is the right one."""

from __future__ import annotations

import cProfile
import pstats
from collections.abc import Callable

import numpy as np
import pytest
from constrained_models import slider_crank

from sympact import HybridModel, SympactWarning

SHORT = (0.0, 1e-4)


@pytest.fixture(scope="module")
def crank() -> tuple:
    """A compiled slider-crank, a start on its constraints, and its parameters."""
    model = HybridModel(slider_crank().source, [])
    numbers = dict.fromkeys(model.parameters, 1.0)
    start = {letter: 0.4 + 0.1 * i for i, letter in enumerate(model.x)}
    compiled = model.compile()
    on, p = model.assemble(start, numbers).x, compiled.parameters(numbers)
    compiled.simulate(SHORT, on, p)
    return compiled, on, p


def calls(run: Callable[[], object]) -> int:
    """The Python and built-in calls of a run, after one that is not counted."""
    run()
    profile = cProfile.Profile()
    profile.runcall(run)
    return pstats.Stats(profile).total_calls


@pytest.mark.filterwarnings("ignore::sympact.SympactWarning")
def test_projected_speeds_cost_no_more_calls_than_a_run(crank):
    compiled, on, p = crank
    off = on.copy()
    off[-1] += 1e-4
    alone = calls(lambda: compiled.simulate(SHORT, on, p))
    assert calls(lambda: compiled.simulate(SHORT, off, p)) <= 1.5 * alone, "the same start is kept"

    def changing() -> object:
        off[-1] += 1e-6
        return compiled.simulate(SHORT, off, p)

    assert calls(changing) <= 3 * alone, "each start is projected by compiled functions"


def test_a_kept_start_is_that_of_its_numbers(crank):
    """From the same numbers the same bits and the same warning; from others, and other parameters, other starts."""
    compiled, on, p = crank
    off = on.copy()
    off[-1] += 0.01

    def start(x: np.ndarray, p: np.ndarray) -> np.ndarray:
        with pytest.warns(SympactWarning, match="projected onto the constraints"):
            return compiled.simulate(SHORT, x, p).x[:, 0]

    first = start(off, p)
    assert np.array_equal(start(off, p), first)
    heavy = p * np.linspace(1.0, 1.5, len(p))
    other = start(off, heavy)
    assert not np.array_equal(other, first)
    further = start(off + 1e-3, p)
    assert not np.array_equal(further, first)
    assert np.array_equal(start(off, p), first)
    assert np.array_equal(start(off, heavy), other)
    with pytest.raises(ValueError, match="violates the constraints"):
        compiled.simulate(SHORT, off, p, consistent="refuse")
