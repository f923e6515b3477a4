"""Symbolic processes: the same runs as plain functions, and a sentence for what cannot be read."""

import re

import numpy as np
import pytest
import sympy as sm
from ball_and_spring import PATH, plain, symbolic
from sympy.physics.mechanics import dynamicsymbols

from sympact import HybridSystem, Transition

y, v, g, e = sm.symbols("y v g e")


def ball(flow=(v, -g), boundary=-y, jump=None, states=(y, v)):
    transition = Transition("air", "air", boundary=boundary, jump={v: -e * v} if jump is None else jump, name="ground")
    return HybridSystem.from_sympy({"air": flow}, [transition], states=states, parameters=[g, e])


def test_symbolic_and_plain_agree():
    """The same stepper takes other steps only where the roots differ by rounding; 1e-10 as in the reference file."""
    process, parameters = symbolic()
    options = {"start": "free", "rtol": 1e-12, "atol": 1e-14}
    one = process.simulate((0, 20), [0.0, 100.0], parameters=parameters, **options)
    other = plain().simulate((0, 20), [0.0, 100.0], **options)
    assert one.path == other.path == PATH
    np.testing.assert_allclose(one.events.t, other.events.t, rtol=0, atol=1e-10)
    times = np.linspace(0, 20, 2001)
    # the dense output is good to some 20 tolerances of the largest speed, and worst beside a jump of 180 m/s
    np.testing.assert_allclose(one(times), other(times), rtol=0, atol=1e-8)


def test_expressions_of_states_parameters_and_time():
    result = ball().simulate((0, 1.5), {y: 5, v: 0}, start="air", parameters={g: 10, e: 0.5})
    assert result[e * g * y].tolist() == (0.5 * 10 * result["y"]).tolist()
    assert result[sm.Symbol("t")].tolist() == result.t.tolist()
    assert result[sm.Integer(3)].tolist() == [3.0] * len(result.t)
    assert result[v].tolist() == result["v"].tolist() == result[1].tolist()


def test_what_a_run_cannot_evaluate_is_a_sentence():
    height, speed = dynamicsymbols("height speed")
    rate = height.diff()
    process = HybridSystem.from_sympy({"air": [speed, -g]}, [], states=[height, speed], parameters=[g])
    result = process.simulate((0, 1), [5.0, 0.0], start="air", parameters=[10.0])
    with pytest.raises(ValueError, match=r"but the request contains Derivative\(height.*expression that"):
        result[2 * rate]
    with pytest.raises(TypeError, match="cannot evaluate None, a NoneType: expected one scalar expression"):
        result[None]
    with pytest.raises(KeyError, match=r"no state 'depth'; the states are \['height', 'speed'\]"):
        result["depth"]
    with pytest.raises(ValueError, match="cannot read k"):
        result[sm.Symbol("k")]


def test_energy_of_the_flight_is_kept():
    result = ball().simulate((0, 1.5), {y: 5, v: 0}, start="air", parameters={g: 10, e: 0.5})
    energy = result[v**2 / 2 + g * y]
    before = result.t < 1.0 - 1e-6
    assert energy[before] == pytest.approx(50.0, abs=1e-7)
    assert energy[-1] == pytest.approx(12.5, abs=1e-7)


def test_functions_of_time_are_states_too():
    q, u = dynamicsymbols("q u")
    process = HybridSystem.from_sympy(
        {"air": [u, -10]}, [Transition("air", "air", boundary=-q, jump=[q, -u / 2])], states=[q, u]
    )
    result = process.simulate((0, 1.5), {q: 5, u: 0}, start="air")
    assert result.state_names == ("q", "u")
    assert result["q"].tolist() == result[q].tolist()
    assert result.events.t.tolist() == pytest.approx([1.0], abs=1e-9)


def test_time_may_have_another_name():
    s = sm.Symbol("s")
    process = HybridSystem.from_sympy({"only": [sm.cos(s)]}, [], states=[y], time=s)
    assert process.simulate((0, 1), [0.0], start="only")(1.0) == pytest.approx([np.sin(1.0)], abs=1e-8)


def test_moving_boundary_has_its_rate_in_time():
    """A point at rest is met by a boundary that moves down: x - (2 - t^2) reaches zero at t = sqrt(2)."""
    t = sm.Symbol("t")
    process = HybridSystem.from_sympy(
        {"rest": [sm.Integer(0)]}, [Transition("rest", "rest", boundary=y - (2 - t**2), jump=[y - 10])], states=[y]
    )
    result = process.simulate((0, 2), [0.0], start="rest")
    assert result.events.t.tolist() == pytest.approx([np.sqrt(2.0)], abs=4 * np.spacing(2.0))


def test_matrices_show_the_expressions():
    process = ball()
    assert process.F[0] == (v, -g)
    assert process.G[0, 0] == (-y,)
    assert process.H[0, 0] == ((y, -e * v),)


def test_the_file_holds_the_graph(tmp_path):
    import json

    result = ball().simulate((0, 1.5), {y: 5, v: 0}, start="air", parameters={g: 10, e: 0.5})
    result.save(tmp_path / "ball.npz")
    with np.load(tmp_path / "ball.npz") as archive:
        assert json.loads(str(archive["header"]))["graph"] is not None


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"flow": [v]}, "the flow of stage 'air' has 1 expressions, expected 2, one for each of the states ['y', 'v']"),
        ({"flow": "v, -g"}, "the flow of stage 'air' is 'v, -g', expected a list of SymPy expressions"),
        ({"boundary": "-y"}, "the boundary of transition 'ground' is '-y', expected one SymPy expression"),
        ({"boundary": sm.Eq(y, 0)}, "'ground' is Eq(y, 0), which no motion meets for longer than an instant"),
        ({"jump": {g: 1}}, "the jump of transition 'ground' gives values to ['g'], which are no states"),
        ({"jump": [y]}, "the jump of transition 'ground' has 1 expressions"),
        ({"flow": [v, -sm.Symbol("k")]}, "the flow of stage 'air': cannot read k"),
        ({"boundary": sm.gamma(y)}, "the boundary of transition 'ground': cannot read gamma(y)"),
        ({"states": (y, y)}, "the name 'y' is given to several states"),
    ],
)
def test_what_cannot_be_read_is_named(change, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        ball(**change)


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({g: 10}, "parameters does not match the process: missing ['e'], unknown []"),
        ({g: 10, e: 1, y: 2}, "missing [], unknown ['y']"),
        ([10.0], "parameters has the shape (1,), expected (2,): a number for each of ['g', 'e']"),
        (None, "parameters has the shape (0,), expected (2,)"),
        ({g: 10, e: np.inf}, "the parameters ['e'] are not finite"),
    ],
)
def test_parameters_that_do_not_fit(parameters, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        ball().simulate((0, 1), {y: 5, v: 0}, start="air", parameters=parameters)
