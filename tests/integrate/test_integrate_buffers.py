"""Buffers that grow, slices of the loop and memory that is used again leave no mark on the numbers of a run."""

import sys
from functools import cache, partial
from itertools import product

import numpy as np
import pytest
from integrate_processes import ADAPTIVE, FIXED, STIFF, ball, check_run, plain_ball, plain_walled, walled
from quick_members import members

from sympact import Status
from sympact.integrate.loop import workspace
from sympact.integrate.memory.run_memory import RunMemory

simulating = sys.modules["sympact.integrate.loop.prepared_run"]
"""The module: the package's attribute of this name may be the function."""


def bits(result):
    """All numbers of a run, its dense output included."""
    record, segments = result._record, result._dense.segments()
    arrays = [record.t, record.x, record.h, record.stage, record.event_t, record.event_sample, record.event_fired]
    arrays += [segments.t0, segments.h, segments.x0, segments.coefficients, np.array(record.t_inf)]
    return [array.tobytes() for array in arrays], record.status, record.counts


def many_samples(process=None, method="DOP853", **options):
    """An oscillator that bounces off a wall, in more samples than the first buffers hold."""
    process = process or walled(0.999, -0.5)
    options = {"method": method, "max_step": 0.01, "rtol": 1e-6, **options}
    result = process.simulate((0, 20), [1.0, 0.0], start="free", **options)
    check_run(result)
    assert len(result.t) > 1500
    return result


def many_events(process=None, **options):
    """A ball with more than 400 bounces."""
    result = (process or ball(0.999)).simulate((0, 500), [1.0, 0.0], start="air", **options)
    check_run(result)
    assert len(result.events) > 400
    return result


@pytest.fixture
def large_buffers(monkeypatch):
    """Buffers from the start that need not grow."""
    monkeypatch.setattr(workspace, "_SAMPLES", 100_000)
    monkeypatch.setattr(workspace, "_EVENTS", 10_000)
    monkeypatch.setattr(workspace, "_idle", {})


@pytest.fixture
def tiny_buffers(monkeypatch):
    """Buffers that grow a dozen times."""
    monkeypatch.setattr(workspace, "_SAMPLES", 4)
    monkeypatch.setattr(workspace, "_EVENTS", 1)
    monkeypatch.setattr(workspace, "_idle", {})


@pytest.fixture
def small_pieces(monkeypatch):
    """Buffers that grow by a kilobyte, and are handed over as those of very long runs are."""
    monkeypatch.setattr(workspace, "_LARGEST_GROWTH", 1024)
    monkeypatch.setattr(workspace, "_LARGEST_KEPT", 0)
    monkeypatch.setattr(workspace, "_idle", {})


@pytest.fixture
def short_slices(monkeypatch):
    """The loop comes back to Python after every seven steps at first, and after every few later on."""
    monkeypatch.setattr(simulating, "_FIRST_BUDGET", 7)
    monkeypatch.setattr(simulating, "SLICE", 1e-9)


RUNS = {
    "events": many_events,
    "plain events": lambda: many_events(plain_ball(0.999)),
    "plain samples": lambda: many_samples(plain_walled(0.999, -0.5)),
    **{method: partial(many_samples, method=method) for method in (*ADAPTIVE, *FIXED, *STIFF)},
}


@pytest.fixture(scope="module")
def expected():
    """The bits of a run as it is done by default, by its name."""
    return cache(lambda name: bits(RUNS[name]()))


KINDS = ("events", "plain events", "DOP853", "RK4", "RadauIIA", "BDF")
"""A method of each kind: steps of an adaptive method, of a fixed one, of one in machine code and of one of SciPy's."""


CHANGES = ("large_buffers", "tiny_buffers", "small_pieces", "short_slices", "nothing")
LONG = {
    "plain events": ("tiny_buffers", "small_pieces", "short_slices", "nothing"),
    "BDF": ("short_slices",),
}
"""Runs that take seconds, for Python functions are called in them, and the changes that the quick ones of them meet."""


def quick(change: str, name: str) -> bool:
    """Whether it is a kind of run that is quick, or one of those that are shared out among the changes."""
    return name in KINDS and change in LONG.get(name, CHANGES)


PAIRS = [*product(CHANGES, RUNS)]


@pytest.mark.parametrize(("change", "name"), members(PAIRS, slow=[pair for pair in PAIRS if not quick(*pair)]))
def test_same_bits(expected, request, name, change):
    """What is expected is worked out before anything is changed."""
    by_default = expected(name)
    if change != "nothing":
        request.getfixturevalue(change)
    assert bits(RUNS[name]()) == by_default


@pytest.mark.parametrize("build", [ball, plain_ball])
def test_memory_of_another_run_leaves_no_trace(build):
    """Frames of equal sizes are used again, by symbolic and plain runs in turn."""
    first = bits(build(0.8).simulate((0, 5), [5.0, 0.0], start="air"))
    for e in (0.3, 0.9):
        ball(e).simulate((0, 4), [1.0, 2.0], start="air", rtol=1e-4)
        plain_ball(e).simulate((0, 4), [1.0, 2.0], start="air", max_events=2)
    assert bits(build(0.8).simulate((0, 5), [5.0, 0.0], start="air")) == first


def test_results_keep_their_numbers_when_memory_is_used_again():
    kept = ball(0.8).simulate((0, 5), [5.0, 0.0], start="air")
    before = [kept.t.copy(), kept.x.copy(), kept.events.t.copy()]
    for height in (1.0, 2.0, 3.0, 4.0):
        ball(0.8).simulate((0, 5), [height, 0.0], start="air")
    assert np.array_equal(kept.t, before[0])
    assert np.array_equal(kept.x, before[1])
    assert np.array_equal(kept.events.t, before[2])


def test_a_long_run():
    """Two hundred thousand samples: more than a frame that is kept for another run has room for."""
    result = walled(1.0, -2.0).simulate((0, 2000), [1.0, 0.0], start="free", max_step=0.01)
    check_run(result)
    assert result.status is Status.FINISHED
    assert len(result.t) > 200_000
    np.testing.assert_allclose(result.x[0], np.cos(result.t), rtol=0, atol=1e-9)
    again = walled(1.0, -2.0).simulate((0, 2000), [1.0, 0.0], start="free", max_step=0.01)
    assert np.array_equal(result.x, again.x)


def test_no_growth_makes_an_interrupt_wait():
    """Beyond the first megabytes a piece of memory has 4 MB, or 1/64 of what is there; all of it is kept."""
    names = ("n_states", "stage_rows", "degree", "width", "record_width", "n_boundaries", "n_stops")
    names += ("mode_capacity", "mode_width", "sample_capacity", "event_capacity")
    run = RunMemory.allocate(dict.fromkeys(names, 1))
    columns = workspace._Columns(run, "sample_capacity", {"sample_t": (), "sample_x": (13,), "sample_stage": ()}, 1024)
    columns.columns["sample_x"][:] = 7.0
    sizes = [columns.size]
    while columns.size < 4e8:
        columns.grow()
        sizes.append(columns.size)
    pieces = np.diff(sizes)
    assert (pieces <= np.maximum(2**22, np.array(sizes[:-1]) / 64)).all()
    assert (pieces <= sizes[:-1]).all()
    assert len(sizes) < 120
    assert (columns.columns["sample_x"][:1024] == 7.0).all()
