"""Events of plain processes that start at zero exactly, and again from where they stopped: times of closed forms."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from again import check_again
from quick_members import members

from sympact import Crossing, HybridSystem, Status, Stop
from sympact.integrate.loop.ending import describe_end
from sympact.integrate.search.isolate_kernel import NO_ROOT

ZEROS = (0.0, -0.0, 1e-300)
METHODS = ("DOP853", "RK45", "RadauIIA", "Radau", "BDF", "LSODA")
LOOSE = 1e-6
"""Error of a time, of the time of a run: the least accurate method loses a thousand times the tolerance of 1e-9."""


def shot(rng, zero, **options):
    """A cannon shot from the ground, y = v s - g s^2 / 2: it lands once, at 2 v / g; then it falls for ever."""
    v, g = rng.uniform(1, 20), rng.uniform(0.3, 15)
    flight, form = 2 * v / g, rng.choice(["down", "both", "stop", "recorded"])
    start = rng.choice([0.0, rng.uniform(-5, 5), -flight])
    process = HybridSystem({"fly": lambda t, y: [y[1], -g]}, [])

    def hit(t, y):
        return y[0]

    hit.terminal, hit.direction = form in ("down", "both"), -1 if form == "down" else 0
    events = {"hit": Stop(lambda t, y: y[0]) if form == "stop" else hit}
    result = process.simulate((start, start + 1.7 * flight), [zero, v], start="fly", events=events, **options)
    assert result.status is (Status.FINISHED if form == "recorded" else Status.STOPPED)
    np.testing.assert_allclose(result.events.t, [start + flight], rtol=0, atol=LOOSE * (flight + abs(start)))

    def on(event):
        return process.simulate((event.t, event.t + flight), event.x_plus, start="fly", events=events, **options)

    check_again(result, on)
    assert on(result.events[0]).status is Status.FINISHED


def swing(rng, zero, **options):
    """An oscillator that starts at a zero of what is watched: zeros every half period, in turns up and down."""
    frequency, size, place = rng.uniform(0.3, 9), rng.uniform(0.1, 20), int(rng.integers(2))
    direction, stop, half = int(rng.choice([0, 1, -1])), int(rng.choice([0, 3])), np.pi / frequency
    start = rng.choice([0.0, rng.uniform(-3, 3), -half])
    process = HybridSystem({"swing": lambda t, y: [y[1], -(frequency**2) * y[0]]}, [])
    x0 = [size, zero] if place == 1 else [zero, size * frequency]
    zeros = np.arange(1, 7)
    rising = (zeros % 2 == 0) == (place == 0)
    zeros = zeros[(direction == 0) | (rising == (direction > 0))]
    zeros = zeros[: stop or len(zeros)]
    events = {"turn": Crossing(lambda t, y: y[place], direction)}
    if stop:
        events = {"turn": Stop(lambda t, y: y[place], direction, occurrences=stop)}
    end, within = start + 6.3 * half, LOOSE * (7 * half + abs(start))
    result = process.simulate((start, end), x0, start="swing", events=events, **options)
    assert result.status is (Status.STOPPED if stop else Status.FINISHED)
    np.testing.assert_allclose(result.events.t, start + zeros * half, rtol=0, atol=within)

    def on(event):
        return process.simulate((event.t, end), event.x_plus, start="swing", events=events, **options)

    check_again(result, on, within)


@pytest.mark.parametrize("zero", ZEROS)
def test_what_starts_at_zero_is_met_again_and_again(zero):
    rng = np.random.default_rng(1)
    for _ in range(10):
        shot(rng, zero)
        swing(rng, zero)


@pytest.mark.parametrize("method", members(METHODS, slow=["RK45", "Radau", "BDF", "LSODA"]))
def test_every_method_starts_at_zero(method):
    rng = np.random.default_rng(2)
    shot(rng, 0.0, method=method)
    swing(rng, 0.0, method=method)


def test_the_interpreted_engine_starts_at_zero():
    rng = np.random.default_rng(3)
    shot(rng, 0.0, engine="interpreted")


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_three_hundred_cannons_and_oscillators_start_at_zero(method):
    rng = np.random.default_rng(4)
    for _ in range(100):
        for zero in ZEROS:
            shot(rng, zero, method=method)
            swing(rng, zero, method=method)


def test_a_loop_of_an_event_names_it():
    """A run that passes over the zero of a function without end, and has no events there, names the function."""
    run = SimpleNamespace(instant=200, stage_index=0, t=0.5, roots=np.array([NO_ROOT, 1.0]))
    workspace = SimpleNamespace(run=run, events=lambda: {"event_t": np.array([0.1])})
    program = SimpleNamespace(stages=[SimpleNamespace(boundary_names=("high", "coin"))])
    told = describe_end(Status.EVENT_LOOP, workspace, program)
    assert "the loop is that of the event 'coin'" in told
    assert "contact" not in told + Status.EVENT_LOOP.value
