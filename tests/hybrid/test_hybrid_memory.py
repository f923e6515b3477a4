"""A process keeps its memory from run to run: no run depends on those before, beside or within it."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import sympy as sm
from integrate_processes import plain_ball

from sympact import Crossing, DiscreteTime, HybridSystem, Maximum, Status, Stop, Transition
from sympact.hybrid.edges.stage_memories import StageMemories

x, y, v, n, m, k, T, g, e = sm.symbols("x y v n m k T g e")
BOTH = 2  # rounds of the same runs


def ball():
    """A ball that falls and bounces, with two parameters."""
    bounce = Transition("air", "air", boundary=-y, jump={v: -e * v}, name="ground")
    return HybridSystem.from_sympy({"air": [v, -g]}, [bounce], states=[y, v], parameters=[g, e])


def belt():
    """A mass that slides along a condition, and a stage that it goes to and comes back from."""
    return HybridSystem.from_sympy(
        {"belt": [v, -x - g * sm.sign(v - 1)], "free": [v, -2 * x]},
        [Transition("belt", "free", boundary=x - sm.Rational(3, 2)), Transition("free", "belt", boundary=-x)],
        states=[x, v],
        parameters=[g],
        sliding="filippov",
    )


def counter():
    """Counts every T while it is in one stage; the clock begins anew with each entry."""
    return HybridSystem.from_sympy(
        {"count": DiscreteTime({n: n + 1, m: k}, every=T, index=k), "wait": {x: 1}},
        [
            Transition("count", "wait", boundary=n - 3, jump={x: 0}),
            Transition("wait", "count", boundary=x - 0.45, jump={n: 0, m: 0}),
        ],
        states=[n, m, x],
        parameters=[T],
    )


APEX = {"apex": Crossing(lambda t, x: x[1], -1), "third": Stop(lambda t, x: x[1], occurrences=3)}
RUNS = {
    "ball": (ball, [((0, 3), [5, 0], [9.8, 0.8], "air", {}), ((1, 2), [0.1, -3], [1.6, 0.5], "air", {})]),
    "ball, events": (
        ball,
        [
            ((0, 3), [5, 0], [9.8, 0.8], "air", {"low": y - 1, "end": Stop(v, occurrences=2)}),
            ((0, 3), [0.5, 4], [9.8, 0.8], "air", {"low": y - 1, "end": Stop(v, occurrences=2)}),
        ],
    ),
    "belt": (
        belt,
        [
            ((0, 9), [1.0, 0.0], [0.3], "belt", {}),
            ((0, 2), [0.0, 2.0], [0.1], "free", {}),
            ((0, 3), [-1.0, 1.0], [0.9], "belt", {"x": x}),
        ],
    ),
    "counter": (
        counter,
        [
            ((0, 2.2), {n: 0, m: 0}, [0.3], "count", {}),
            ((0.1, 3), {x: 0.1}, [0.2], "wait", {}),
            ((0, 0.7), {n: 1, m: 5}, [0.5], "count", {}),
        ],
    ),
    "plain ball": (
        lambda: plain_ball(0.8),
        [((0, 2), [1.0, 0.0], None, "air", {}), ((0, 3), [0.2, 1.0], None, "air", APEX)],
    ),
}
"""Processes, and runs of each: span, start, parameters, stage, events."""


def simulated(process, run):
    span, x0, parameters, stage, events = run
    return process.simulate(span, x0, parameters, start=stage, events=events)


def bits(result):
    """All numbers of a run: samples, states between them, events, work, and what a run that goes on takes over."""
    numbers = [result.t, result.x, result(np.linspace(*result.t_span, 97))]
    numbers += [np.array([event.t, *event.x_minus, *event.x_plus]) for event in result.events]
    words = [(event.kind, event.contacts, event.source, event.target) for event in result.events]
    return [one.tobytes() for one in numbers], words, result.path, result.counts, result._record.continuation


@pytest.mark.parametrize("name", RUNS)
def test_no_run_depends_on_the_runs_before(name):
    """Each run on a process of its own, and all on one, twice; results are read after the last run."""
    make, runs = RUNS[name]
    alone = [bits(simulated(make(), run)) for run in runs]
    process = make()
    results = [simulated(process, run) for _ in range(BOTH) for run in runs]
    assert [bits(result) for result in reversed(results)] == (BOTH * alone)[::-1]


def test_a_program_is_made_once(monkeypatch):
    made = []
    original = StageMemories.__init__
    monkeypatch.setattr(StageMemories, "__init__", lambda *a, **b: (made.append(1), original(*a, **b))[1])
    for make, (first, *_) in (RUNS["ball"], RUNS["belt"], RUNS["plain ball"]):
        process, before = make(), len(made)
        for tolerance in (1e-6, 1e-8, 1e-6, 1e-8):
            process.simulate(first[0], first[1], first[2], start=first[3], rtol=tolerance, engine="compiled")
        assert len(made) == before + 1


def test_parameters_of_a_result_stay():
    """The array that a run was given may change, and the memory of the run has the parameters of another one."""
    process, numbers = ball(), np.array([10.0, 0.5])
    first = process.simulate((0, 0.5), [5, 0], numbers, start="air")
    numbers[0] = 1.0
    process.simulate((0, 0.5), [5, 0], numbers, start="air")
    assert first(0.25) == pytest.approx([5 - 5 * 0.25**2, -2.5], abs=1e-12)
    assert first[g * y][0] == 50.0


def test_threads_share_a_process():
    """Each has memory of its own: the ball falls with the gravity of its own run, in closed form."""
    process, ready = ball(), threading.Barrier(4)

    def falls(gravity):
        ready.wait()
        return [process.simulate((0, 1), [100, 0], [gravity, 0.5], start="air") for _ in range(10)]

    gravities = [1.0, 2.0, 3.0, 4.0]
    with ThreadPoolExecutor(4) as pool:
        for gravity, results in zip(gravities, pool.map(falls, gravities), strict=True):
            for result in results:
                assert result(0.7)[0] == pytest.approx(100 - gravity * 0.49 / 2, abs=1e-10)


def test_a_function_may_run_its_own_process():
    """The flow of the outer run asks for the end of a run of the same process."""
    inner = []

    def flow(t, x):
        if not inner:
            inner.append(None)
            inner[0] = process.simulate((0, 1), [3.0], start="a")
        return [-x[0]]

    process = HybridSystem({"a": flow}, [])
    result = process.simulate((0, 1), [2.0], start="a")
    assert result.x[0, -1] == pytest.approx(2 / np.e, rel=1e-8)
    assert inner[0].x[0, -1] == pytest.approx(3 / np.e, rel=1e-8)


def test_an_exception_is_that_of_its_run_alone():
    """The next run has none; the run so far has its states between samples after the next one."""
    fails = []

    def flow(t, x):
        if fails and t > 0.5:
            raise LookupError("no more")
        return [-x[0]]

    process = HybridSystem({"a": flow}, [])
    clean = process.simulate((0, 1), [1.0], start="a", max_step=0.1)
    fails.append(True)
    with pytest.raises(LookupError) as caught:
        process.simulate((0, 1), [1.0], start="a", max_step=0.1)
    with pytest.raises(LookupError):
        process.simulate((0, 1), [1.0], start="a", max_step=0.1)
    fails.clear()
    again = process.simulate((0, 1), [1.0], start="a", max_step=0.1)
    assert again.status is Status.FINISHED
    assert bits(again) == bits(clean)
    assert caught.value.result(0.37)[0] == pytest.approx(np.exp(-0.37), rel=1e-9)


def test_what_does_not_fit_is_refused_in_every_run():
    """The same sentence, whatever ran before."""
    process = HybridSystem({"a": lambda t, x: [np.sqrt(x[0]) if x[0] >= 0 else np.nan]}, [])
    said = []
    for x0 in (-1.0, 1.0, -1.0):
        try:
            process.simulate((0, 1), [x0], start="a")
        except ValueError as error:
            said.append(str(error))
    assert len(said) == 2
    assert said[0] == said[1]
    assert "returned [nan] there, expected finite numbers" in said[0]
    clock = counter()
    clock.simulate((0, 1), {n: 0, m: 0}, [0.3], start="count")
    with pytest.raises(ValueError, match=r"a period is -1\.0, expected a number above 0"):
        clock.simulate((0, 1), {n: 0, m: 0}, [-1.0], start="count")
    assert len(clock.simulate((0, 1), {n: 0, m: 0}, [0.3], start="count").events) == 1


def test_settings_that_look_alike_are_checked_each():
    process = ball()
    for _ in range(BOTH):
        process.simulate((0, 0.1), [5, 0], [9.8, 0.5], start="air", max_events=1)
        with pytest.raises(ValueError, match="max_events is True"):
            process.simulate((0, 0.1), [5, 0], [9.8, 0.5], start="air", max_events=True)


def test_a_run_that_keeps_events_alone_leaves_the_memory_as_it_was():
    process, options = ball(), {"keep": "events", "t_eval": [0.3, 1.2], "observe": {"top": Maximum(y)}}
    given = (0, 3), [5, 0], [9.8, 0.8]
    first = process.simulate(*given, start="air", **options)
    process.simulate((0, 1), [1, 0], [3.0, 0.2], start="air", keep="events")
    again = process.simulate(*given, start="air", **options)
    assert first.x.tolist() == again.x.tolist()
    assert first.observed["top"].value == again.observed["top"].value == 5.0
