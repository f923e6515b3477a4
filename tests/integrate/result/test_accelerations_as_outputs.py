"""Accelerations among the outputs of a model: recorded, drawn, stored in files, with the forces of contacts."""

import numpy as np
import pytest
from sympy.physics.mechanics import dynamicsymbols

from sympact import HybridModel, ensemble, load
from sympact.models import bouncing_ball


def measured():
    """A ball that bounces and comes to rest, with its acceleration and twice its height as outputs."""
    ball = bouncing_ball()
    (z,), (v,) = ball.model.q, ball.model.u
    model = HybridModel(ball.model.source, ball.model.contacts, outputs={"a": v.diff(), "twice": 2 * z})
    return model, model.simulate((0, 5), ball.start, ball.parameters), ball


def test_an_acceleration_is_minus_g_in_flight_and_zero_at_rest(tmp_path):
    model, result, _ = measured()
    (v,) = model.u
    np.testing.assert_array_equal(result["a"], result[v.diff()])
    np.testing.assert_allclose(result["a"][[0, -1]], [-9.81, 0], rtol=0, atol=1e-12)
    assert "a" in result.to_dataframe().columns
    result.save(tmp_path / "run")
    plain, whole = load(tmp_path / "run"), load(tmp_path / "run", model=model)
    for one in (plain, whole):
        np.testing.assert_array_equal(one["a"], result["a"])
    assert whole.sample(1.0)[0].shape == (6,)


def test_it_is_drawn_on_both_sides_of_an_event():
    _, result, _ = measured()
    figure = result.plot("outputs")
    heights = np.concatenate([line.get_ydata() for axes in figure.axes for line in axes.get_lines() if line.axes])
    lowest = np.nanmin(np.asarray(heights, dtype=float))
    assert lowest == pytest.approx(-9.81, abs=1e-9)


def test_what_has_no_acceleration_says_so():
    model, _, ball = measured()
    with pytest.raises(ValueError, match="the output 'a' contains an acceleration, and a linearization has outputs"):
        model.linearize({**ball.start}, ball.parameters)
    y = dynamicsymbols("y")
    with pytest.raises(ValueError, match=r"cannot read Derivative\(y\(t\), t\)"):
        HybridModel(model.source, model.contacts, outputs={"b": y.diff()})
    runs = ensemble(model, (0, 1), ball.start, ball.parameters, runs=2, keep="outputs")
    np.testing.assert_array_equal(runs.value("twice"), 2 * runs.x[:, 0])
    with pytest.raises(ValueError, match="'a' contains an acceleration, which depends on contact forces"):
        runs.value("a")
