"""A user's function that raises stops the run; the exception is the user's own and carries what was computed."""

import numpy as np
import pytest

from sympact import HybridSystem, Transition
from sympact.integrate.problem.status import Status


class Mine(Exception):
    """An exception of the user."""


def fall(t, x):
    return [x[1], -10.0]


def ground(t, x):
    return -x[0]


def bounce(t, x):
    return [0.0, -0.5 * x[1]]


def after(time, function, error):
    """The function, which raises from `time` on."""

    def failing(t, x):
        if t >= time:
            raise error
        return function(t, x)

    return failing


def run(flow=fall, boundary=ground, jump=bounce, **options):
    """The ball dropped from 5 m: it meets the ground at 1 s and 2 s, and at 2.5 s again."""
    process = HybridSystem({"air": flow}, [Transition("air", "air", boundary=boundary, jump=jump, name="ground")])
    return process.simulate((0, 2.2), [5.0, 0.0], start="air", **options)


@pytest.mark.parametrize(
    ("role", "function", "label"),
    [
        ("flow", fall, "the flow of stage 'air'"),
        ("boundary", ground, "the boundary of transition 'ground' of stage 'air'"),
        ("jump", bounce, "the jump of transition 'ground' of stage 'air'"),
    ],
)
def test_the_exception_is_the_users_own_with_the_run_so_far(role, function, label):
    error = Mine("no more")
    with pytest.raises(Mine) as caught:
        run(**{role: after(1.5, function, error)}, max_step=0.1)
    assert caught.value is error
    assert any(note.startswith(f"raised by {label} at t = ") for note in error.__notes__)
    result = error.result
    assert result.status is Status.FAULT
    assert result.path == ("air", "air")
    assert result.events.t.tolist() == pytest.approx([1.0], abs=1e-9)
    assert 1.3 < result.t_span[1] <= 2.0 + 1e-9
    assert result(1.25).tolist() == pytest.approx([5 * 0.25 - 5 * 0.25**2, 2.5], abs=1e-8)


def test_an_exception_at_the_start_carries_the_start():
    with pytest.raises(Mine) as caught:
        run(flow=after(0.0, fall, Mine()))
    assert caught.value.result.x.tolist() == [[5.0], [0.0]]


@pytest.mark.parametrize("method", ["RK45", "Radau", "BDF", "LSODA"])
def test_every_stepper_lets_the_exception_through(method):
    with pytest.raises(Mine) as caught:
        run(flow=after(0.5, fall, Mine()), method=method, max_step=0.1)
    assert caught.value.result.t_span[1] <= 0.5


def test_a_wrong_shape_in_the_middle_of_a_run():
    with pytest.raises(ValueError, match=r"returned an array of shape \(1,\), expected \(2,\)") as caught:
        run(jump=lambda t, x: [1.0])
    assert caught.value.result.t_span[1] == pytest.approx(1.0, abs=1e-9)


def test_a_number_that_is_not_finite_ends_the_run_with_its_status():
    result = run(jump=lambda t, x: [np.nan, 1.0])
    assert result.status is Status.NOT_FINITE
    assert result.t_span[1] == pytest.approx(1.0, abs=1e-9)
    assert np.isfinite(result.x).all()


def test_a_jump_without_effect_ends_the_run_with_its_status():
    result = run(jump=lambda t, x: x)
    assert result.status is Status.JUMP_WITHOUT_EFFECT
    assert len(result.events) == 0
    assert result.x[:, -1].tolist() == pytest.approx([0.0, -10.0], abs=1e-8)


def test_too_many_events_end_the_run_with_its_status():
    result = run(max_events=1)
    assert result.status is Status.MAX_EVENTS
    assert len(result.events) == 1


def test_ctrl_c_in_a_function_ends_the_run_with_its_status():
    result = run(flow=after(1.5, fall, KeyboardInterrupt()), max_step=0.1)
    assert result.status is Status.INTERRUPTED
    assert result.path == ("air", "air")


def test_the_state_given_to_a_function_is_its_own():
    def spoil(t, x):
        rates = [x[1], -10.0]
        x[:] = np.nan
        return rates

    assert np.array_equal(run(flow=spoil).x, run().x)
