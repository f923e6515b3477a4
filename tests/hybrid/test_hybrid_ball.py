"""The ball between ceiling and spring against its closed form, for every way of giving the functions.

The reference file allows 1e-10 in the event times at rtol 1e-12. A speed error follows from it through the rate of the
speed, at most |v'| = g + c |v| + k |y| < 300, so that 3e-8 is allowed there; the path must be exact.
"""

import numpy as np
import pytest
from ball_and_spring import PATH, REFERENCE, plain, symbolic
from quick_members import members

from sympact.integrate.problem.status import Status

TIMES = np.array([float(event["t"]) for event in REFERENCE["reference"]["events"]])
TIGHT = {"start": "free", "rtol": 1e-12, "atol": 1e-14}


@pytest.fixture(scope="module", params=["plain", "symbolic"])
def result(request):
    if request.param == "plain":
        return plain().simulate((0, 20), [0.0, 100.0], **TIGHT)
    process, parameters = symbolic()
    return process.simulate((0, 20), [0.0, 100.0], parameters=parameters, **TIGHT)


def test_path_is_exact(result):
    assert result.path == PATH
    assert len(result.path) == 16
    assert result.status is Status.FINISHED


def test_event_times(result):
    np.testing.assert_allclose(result.events.t, TIMES, rtol=0, atol=1e-10)


def test_speeds_on_both_sides(result):
    for event, expected in zip(result.events, REFERENCE["reference"]["events"], strict=True):
        assert event.x_minus[1] == pytest.approx(float(expected["v_minus"]), abs=3e-8)
        assert event.x_plus[1] == pytest.approx(float(expected["v_plus"]), abs=3e-8)
        assert (event.contacts == ("top",)) == (expected["event"] == "ceiling")


def test_final_state(result):
    final = REFERENCE["reference"]["final"]
    np.testing.assert_allclose(result(20.0), [float(final["y"]), float(final["v"])], rtol=0, atol=1e-9)


def test_the_ball_stays_where_its_stages_are(result):
    """No missed crossing: above the ceiling the ball never is, nor above the ground in the spring's stage."""
    ends = np.concatenate([[0.0], result.events.t, [20.0]])
    for stage, begin, end in zip(result.path, ends[:-1], ends[1:], strict=True):
        height = result(np.linspace(begin, end, 50)[1:-1])[0]
        assert ((height > -1e-9) & (height < 5 + 1e-9)).all() if stage == "free" else (height < 1e-9).all()


@pytest.mark.parametrize("method", members(["RK45", "Radau"], slow=["Radau"]))
def test_other_steppers_find_the_same_path(method):
    result = plain().simulate((0, 20), [0.0, 100.0], start="free", method=method, rtol=1e-8, atol=1e-10)
    assert result.path == PATH
    np.testing.assert_allclose(result.events.t, TIMES, rtol=0, atol=1e-5)


def test_a_saved_run_answers_as_before(result, tmp_path):
    from sympact import load

    result.save(tmp_path / "ball.npz")
    again = load(tmp_path / "ball.npz")
    times = np.linspace(0.0, 20.0, 1001)
    assert np.array_equal(result(times), again(times))
    assert np.array_equal(result(TIMES, side="left"), again(TIMES, side="left"))
    assert again.path == PATH
    assert again["v"].tolist() == result["v"].tolist()


def test_symbolic_boundaries_cost_no_dense_output_between_events():
    """Exact rates at the ends of a step rule out a crossing, so that few steps need their polynomial."""
    process, parameters = symbolic()
    counts = process.simulate((0, 20), [0.0, 100.0], parameters=parameters, **TIGHT).counts
    assert counts["dense"] < counts["steps"] / 4
