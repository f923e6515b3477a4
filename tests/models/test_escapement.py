"""The watch of `examples/escapement.py`: its limit cycle; the ratchet of `examples/ratchet.py`."""

from __future__ import annotations

import numpy as np
import pytest
from example_scripts import load

from sympact import Status


@pytest.mark.parametrize("speed", [10.0, 60.0])
def test_a_watch_reaches_its_limit_cycle(speed):
    """The speeds after the impulses are a geometric sequence towards the limit cycle's, at equal periods."""
    watch = load("escapement")
    result = watch.run(t_end=6.0, speed=speed)
    period, limit = watch.limit_cycle()
    ticks = result.events["tick"]
    np.testing.assert_allclose(np.diff(ticks.t), period, rtol=0, atol=1e-10)
    after = np.array([event.x_plus[2] for event in ticks])
    ratio = 1 - watch.IMPULSE / watch.INERTIA / limit
    np.testing.assert_allclose(after, limit + (after[0] - limit) * ratio ** np.arange(len(after)), rtol=1e-10)
    assert result[watch.teeth][-1] == len(ticks)


def test_a_ratchet_turns_forwards_and_rests_on_its_pawl():
    """Teeth and releases of four periods are those of the closed form; the pawl bears what the torque does."""
    ratchet = load("ratchet")
    result = ratchet.run()
    assert result.status is Status.FINISHED
    pawl, truth = result.events.of("pawl"), ratchet.closed_form(4)
    released = [event.t for event in pawl if event.kind == "open"]
    np.testing.assert_allclose(released[:3], [release for release, _ in truth[1:]], rtol=0, atol=1e-8)
    caught = [event for event in pawl if event.kind == "impact"]
    assert [event.x_plus[1] for event in caught] == [passed for _, passed in truth]
    np.testing.assert_allclose([event.x_plus[0] for event in caught], [0.3 * n for _, n in truth], atol=1e-9)
    first = result.events["tooth"].t[:6]
    angles = 2 * (1 - np.cos(first)) - first**2 / 4
    np.testing.assert_allclose(angles, 0.3 * np.arange(1, 7), rtol=0, atol=1e-10)
    held = 3.5
    np.testing.assert_allclose(result(held), [1.8, 6, 0], atol=1e-9)
    torque = 2 * np.cos(held) - 0.5
    assert result.normal_force_at([held])[0, 0] == pytest.approx(-torque, rel=1e-10)
    passing = [event.t for event in result.events["2 N m"] if event.kind == "crossing"]
    np.testing.assert_allclose(np.cos(passing), -0.75, atol=1e-10)
