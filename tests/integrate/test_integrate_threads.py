"""One process from many threads at once: the runs are those made one after the other, bit by bit."""

import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import numpy as np
import pytest
from integrate_processes import ball, plain_ball, walled
from quick_members import members

THREADS, RUNS = 8, 16
STARTS = [(0.5 + 0.1 * k, 0.3 * k) for k in range(RUNS)]


def numbers(process, start, stage, method):
    """Samples, events and dense output of one run."""
    step = 0.02 if method == "RK4" else np.inf
    rtol, end = (1e-4, 1.5) if method == "Radau" else (1e-9, 4.0)
    result = process.simulate((0, end), start, start=stage, method=method, max_step=step, rtol=rtol, atol=1e-3 * rtol)
    dense = result(np.linspace(0, result.t_span[1], 57))
    return result.t.tobytes() + result.x.tobytes() + result.events.t.tobytes() + dense.tobytes()


BUILT = {"ball": (ball, "air"), "plain ball": (plain_ball, "air"), "walled": (lambda e: walled(e, -0.25), "free")}
METHODS = ("DOP853", "RK45", "RK4", "Radau")
ALIKE = [
    ("plain ball", "RK4"),
    ("plain ball", "Radau"),
    ("walled", "RK45"),
    ("walled", "Radau"),
    ("plain ball", "RK45"),
    ("ball", "RK45"),
    ("ball", "RK4"),
]


@pytest.mark.parametrize(("name", "method"), members(product(BUILT, METHODS), slow=ALIKE))
def test_runs_in_eight_threads(name, method):
    build, stage = BUILT[name]
    process = build(0.7)
    serial = [numbers(process, start, stage, method) for start in STARTS]
    together = threading.Barrier(THREADS)

    def work(k):
        if k < THREADS:
            together.wait()
        return numbers(process, STARTS[k], stage, method)

    with ThreadPoolExecutor(THREADS) as pool:
        assert list(pool.map(work, range(RUNS))) == serial


def test_results_are_read_from_many_threads():
    """The polynomials of one run are rebuilt on demand, by whichever thread asks first."""
    times = np.linspace(0, 4, 301)
    expected = ball(0.7).simulate((0, 4), [2.0, 0.0], start="air")(times[times < 3.5])
    for _ in range(10):
        result = ball(0.7).simulate((0, 4), [2.0, 0.0], start="air")
        with ThreadPoolExecutor(THREADS) as pool:
            for states in pool.map(lambda k: result(times[times < 3.5]), range(THREADS)):  # noqa: B023
                assert np.array_equal(states, expected)


def test_a_run_outlives_its_process():
    """A result keeps what its polynomials need, also when the process it came from is gone."""
    times = np.linspace(0, 3, 101)
    kept = ball(0.7).simulate((0, 3.2), [2.0, 0.0], start="air")
    gone = [plain_ball(0.7).simulate((0, 3.2), [2.0, 0.0], start="air") for _ in range(3)]
    assert np.isfinite(kept(times)).all()
    for result in gone:
        np.testing.assert_allclose(result(times), kept(times), rtol=0, atol=1e-7)
