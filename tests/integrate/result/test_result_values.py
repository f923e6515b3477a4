"""What a result answers about the states; the truth is the parabola of a dropped ball."""

import numpy as np
import pytest
from dropped_ball import dropped_ball, flight
from hypothesis import given
from hypothesis import strategies as st
from known_model import KnownModel

from sympact.integrate.problem.status import Status

between_samples = st.floats(0.0, 1.5, allow_nan=False)


@given(t=between_samples)
def test_state_at_any_time_is_the_parabola(t):
    np.testing.assert_allclose(dropped_ball()(t), flight(np.array(t)), rtol=0, atol=8 * np.spacing(10.0))


def test_sample_times_give_the_samples_bit_for_bit():
    result = dropped_ball()
    right = np.array([0, 1, 3, 4])
    assert np.array_equal(result(result.t[right]), result.x[:, right])


def test_side_decides_at_an_event():
    result = dropped_ball()
    assert result(1.0, side="left").tolist() == [0.0, -10.0]
    assert result(1.0, side="right").tolist() == result(1.0).tolist() == [0.0, 5.0]


def test_one_time_gives_a_vector_and_many_give_columns():
    result = dropped_ball()
    assert result(0.25).shape == (2,)
    assert result([0.25]).shape == (2, 1)
    assert result(np.linspace(0, 1.5, 7)).shape == (2, 7)
    assert result([]).shape == (2, 0)


def test_scipys_names_for_the_states_and_the_end_of_a_run():
    result = dropped_ball()
    times = np.linspace(0, 1.5, 7)
    assert np.array_equal(result.sol(times), result(times))
    assert result.sol(1.0, side="left").tolist() == [0.0, -10.0]
    assert result.success == (result.status is Status.FINISHED)


@pytest.mark.parametrize(("dt", "intervals"), [(0.1, 15), (0.3, 5), (0.4, 4), (1.5, 1), (7.0, 1), (1e-3, 1500)])
def test_samples_at_equal_distances_have_both_ends(dt, intervals):
    t, x = dropped_ball().sample(dt)
    assert len(t) == intervals + 1
    assert (t[0], t[-1]) == (0.0, 1.5)
    np.testing.assert_allclose(np.diff(t), 1.5 / intervals, rtol=0, atol=8 * np.spacing(1.5))
    np.testing.assert_allclose(x, flight(t), rtol=0, atol=8 * np.spacing(10.0))


@pytest.mark.parametrize("t", [-1e-9, 1.5 + 1e-9, float("nan"), [0.1, 2.0]])
def test_time_outside_the_run_is_refused(t):
    with pytest.raises(ValueError, match=r"is outside this run, which goes from 0 to 1\.5"):
        dropped_ball()(t)


def test_unknown_side_and_shape_are_refused():
    with pytest.raises(ValueError, match='"left" means just before'):
        dropped_ball()(1.0, side="before")
    with pytest.raises(ValueError, match=r"t has the shape \(1, 2\)"):
        dropped_ball()([[0.0, 1.0]])


def test_t_eval_decides_the_samples_but_not_the_events():
    times = np.array([0.0, 0.75, 1.0, 1.25, 7.0])
    result = dropped_ball(t_eval=times)
    assert result.t.tolist() == times[:-1].tolist(), "times beyond the end of the run are left out"
    np.testing.assert_allclose(result.x, flight(times[:-1]), rtol=0, atol=8 * np.spacing(10.0))
    assert result.events[0].x_minus.tolist() == [0.0, -10.0]
    assert result.events[0].x_plus.tolist() == [0.0, 5.0]


def test_states_by_name_and_index():
    result = dropped_ball()
    assert result["speed"].tolist() == result[1].tolist() == result[-1].tolist() == result.x[1].tolist()


def test_unknown_states_are_refused():
    with pytest.raises(KeyError, match=r"no state 'spin'; the states are \['height', 'speed'\]"):
        dropped_ball()["spin"]
    with pytest.raises(IndexError, match="no state 2; the run has 2 states"):
        dropped_ball()[2]
    with pytest.raises(TypeError, match="cannot evaluate"):
        dropped_ball()[1.5]


def test_expressions_and_kinetic_energy_are_those_of_the_evaluator():
    model = KnownModel(
        {
            "expression": lambda power: lambda t, x, stage: x[0] ** power,
            "kinetic_energy": lambda t, x, stage: 0.5 * 3.0 * x[1] ** 2,
        }
    )
    result = dropped_ball(model)
    assert result[2.0].tolist() == (result["height"] ** 2).tolist()
    assert result.kinetic_energy.tolist() == [0.0, 37.5, 150.0, 37.5, 0.0]


def test_kinetic_energy_of_plain_functions_is_a_sentence():
    with pytest.raises(TypeError, match="no kinetic energy: it was made from plain functions"):
        _ = dropped_ball().kinetic_energy


def test_samples_cannot_be_overwritten():
    result = dropped_ball()
    for array in (result.t, result.x, result.events[0].x_plus, result.events.t):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0.0


def test_result_is_no_sequence():
    with pytest.raises(TypeError, match="not iterable"):
        list(dropped_ball())


def test_repr_and_message_are_short_summaries():
    assert repr(dropped_ball()) == (
        "<Result from t = 0 to 1.5: 5 samples of 2 states, 1 events (1 transition), FINISHED>"
    )
    assert dropped_ball(status=Status.NOT_FINITE).message == f"t = 1.5: {Status.NOT_FINITE.value}"


def test_every_status_has_its_own_code():
    assert {Status.from_code(status.code) for status in Status} == set(Status)
    with pytest.raises(ValueError, match="no status has the code 99"):
        Status.from_code(99)
