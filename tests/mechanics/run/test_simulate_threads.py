"""One model in many threads and processes, and results that outlive their model."""

from __future__ import annotations

import gc
import multiprocessing
import subprocess
import sys
import weakref
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np
import pytest
from contact_models import Case, ball
from sympy.physics.mechanics import dynamicsymbols

from sympact import models

THREADS = 8
HEIGHTS = [3.0 + 0.25 * k for k in range(THREADS)]


def thrown(ready: models.ReadyModel, height: float) -> np.ndarray:
    """The start of the tumbling cube from another height."""
    start = ready.model.compile().state(ready.start)
    start[2] = height
    return start


def run(ready: models.ReadyModel, height: float, t_end: float = 3.0, **options):
    return ready.model.simulate((0, t_end), thrown(ready, height), ready.parameters, **options)


def same(one, other) -> bool:
    """Equal to the last bit: samples, states between them, events."""
    times = np.linspace(*one.t_span, 200)
    return (
        np.array_equal(one.t, other.t)
        and np.array_equal(one.x, other.x)
        and np.array_equal(one(times), other(times))
        and one.table() == other.table()
    )


@cache
def dice() -> models.ReadyModel:
    return models.tumbling_cube()


@pytest.mark.parametrize("options", [{}, {"method": "Radau", "rtol": 1e-5, "t_end": 0.8}], ids=["DOP853", "Radau"])
def test_eight_threads_on_one_model_give_the_serial_bits(options):
    ready = dice()
    serial = [run(ready, height, **options) for height in HEIGHTS]
    with ThreadPoolExecutor(THREADS) as pool:
        parallel = list(pool.map(lambda height: run(ready, height, **options), HEIGHTS))
    assert all(same(one, other) for one, other in zip(serial, parallel, strict=True))


def test_a_model_may_be_compiled_and_asked_by_many_threads_at_once():
    """The first use of a new model, and expressions that add to its graph while others run."""
    ready = models.tumbling_cube()
    z, v = ready.model.q[2], ready.model.u[2]

    def use(k: int):
        result = run(ready, HEIGHTS[k])
        return result, result[z**k + v], result.kinetic_energy

    with ThreadPoolExecutor(THREADS) as pool:
        answers = list(pool.map(use, range(THREADS)))
    for k, (result, quantity, energy) in enumerate(answers):
        alone = run(dice(), HEIGHTS[k])
        assert same(alone, result)
        np.testing.assert_allclose(quantity, alone.x[2] ** k + alone.x[8], rtol=1e-14, atol=1e-13)
        assert np.array_equal(energy, alone.kinetic_energy)


def test_threads_with_other_parameters_do_not_meet():
    """Parameters and what is derived from them belong to a run."""
    case = ball()

    def fall(gravity: float) -> float:
        return case.simulate((0, 5), [1.0, 0.0], {"g": gravity}, max_events=5).events[0].t

    gravities = [1.0 + k % 7 for k in range(64)]
    with ThreadPoolExecutor(THREADS) as pool:
        found = list(pool.map(fall, gravities))
    assert found == pytest.approx([(2 / gravity) ** 0.5 for gravity in gravities], rel=1e-13)


def test_a_fault_in_one_thread_is_not_the_others():
    push = dynamicsymbols("F")
    case: Case = ball(load=push)

    def fly(k: int):
        def force(time, x):
            if k % 2 and time > 0.2:
                raise ZeroDivisionError(k)
            return 0.0

        try:
            return case.model.simulate((0, 1), [1.0, 0.0], case.parameters(), inputs={push: force})
        except ZeroDivisionError as error:
            return error

    with ThreadPoolExecutor(THREADS) as pool:
        results = list(pool.map(fly, range(32)))
    assert [isinstance(result, ZeroDivisionError) for result in results] == [bool(k % 2) for k in range(32)]
    assert [error.args for error in results[1::2]] == [(k,) for k in range(1, 32, 2)]


def _last_state(height: float) -> list[float]:
    """Run in another process."""
    return run(models.tumbling_cube(), height).x[:, -1].tolist()


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_forked_process_gives_the_same_bits():
    """Python 3.12 warns of forks in a process with threads, which other tests have left."""
    expected = [run(dice(), height).x[:, -1].tolist() for height in HEIGHTS[:2]]
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(_last_state, HEIGHTS[:2]) == expected


@pytest.mark.slow
def test_a_new_process_gives_the_same_bits():
    """In a quick run `test_stepper` goes on in a new process, with the same bits."""
    program = (
        "from sympact import models\n"
        "ready = models.tumbling_cube()\n"
        "start = ready.model.compile().state(ready.start)\n"
        f"start[2] = {HEIGHTS[0]!r}\n"
        "x = ready.model.simulate((0, 3), start, ready.parameters).x[:, -1]\n"
        "print(*(float(value).hex() for value in x))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert [float.fromhex(word) for word in done.stdout.split()] == run(dice(), HEIGHTS[0]).x[:, -1].tolist()


def test_a_result_outlives_its_model():
    gc.freeze()  # what other tests have left is not searched
    ready = models.tumbling_cube()
    alive, z = weakref.ref(ready.model), ready.model.q[2]
    result, again = run(ready, 4.0), run(ready, 4.0)
    before = again(2.5), again[z**2], again.kinetic_energy
    del ready, again
    gc.collect()
    after = result(2.5), result[z**2], result.kinetic_energy
    for one, other in zip(before, after, strict=True):
        assert np.array_equal(one, other)
    del result
    gc.collect()
    assert alive() is None, "nothing but its results keeps a model"
