"""Bad input to a process: one sentence for each fault, all of them at once, before any long computation."""

import re

import numpy as np
import pytest

from sympact import HybridSystem, Transition


def fall(t, x):
    return [x[1], -10.0]


def ground(t, x):
    return -x[0]


def bounce(t, x):
    return [0.0, -0.5 * x[1]]


def ball(flow=fall, boundary=ground, jump=bounce, states=("height", "speed")):
    return HybridSystem({"air": flow}, [Transition("air", "air", boundary=boundary, jump=jump)], states=states)


def test_all_faults_are_named_at_once():
    with pytest.raises(ValueError, match="for 5 reasons") as caught:
        HybridSystem(
            {"air": 3},
            [
                Transition("air", "sea", boundary=ground, name="splash"),
                Transition("air", "air", boundary=None, name="splash"),
            ],
        )
    assert str(caught.value).splitlines()[1:] == [
        "- the flow of stage 'air' is a int, expected a function of (t, x) that returns one number for each state",
        "- the target of transition 'splash' is the unknown stage 'sea'; the stages are ['air']",
        (
            "- transition 'splash (2)' leads from 'air' to itself without a jump, so that it would fire for ever; give"
            " it a jump that moves the state off the boundary, or another target"
        ),
        (
            "- the boundary of transition 'splash (2)' is a NoneType, expected a function of (t, x) that returns a real"
            " number"
        ),
        "- the name 'splash' is given to several transitions; give each its own",
    ]


@pytest.mark.parametrize(
    ("flows", "transitions", "states", "sentence"),
    [
        ({}, [], None, "flows is empty; a process needs at least one stage"),
        ([fall], [], None, "flows is a list, expected a mapping from the name of each stage to its flow"),
        ({1: fall}, [], None, "the stage name 1 is no string"),
        ({"air": fall}, ["bounce"], None, r"transitions\[0\] is a str, expected a Transition"),
        ({"air": fall}, [], ["x", "x"], "the name 'x' is given to several states"),
        (
            {"air": fall},
            [Transition("air", "air", boundary=ground, jump=0.5)],
            None,
            "the jump of transition 'air -> air' is a float, expected a function",
        ),
    ],
)
def test_a_process_that_is_no_graph_of_functions(flows, transitions, states, sentence):
    with pytest.raises(ValueError, match=sentence):
        HybridSystem(flows, transitions, states=states)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"start": "sea"}, "there is no stage 'sea' to start in; the stages are ['air']"),
        ({"x0": [1.0]}, "x0 has 1 numbers, expected 2, one for each of ['height', 'speed']"),
        ({"x0": [[1.0, 2.0]]}, "x0 has the shape (1, 2), expected (n_states,)"),
        ({"x0": [1.0, np.nan]}, "x0 is not finite in ['speed']"),
        ({"x0": ["high", 0]}, "x0: ['high', 0] is not made of real numbers: 'high' is text"),
        ({"x0": {"height": 1.0, "spin": 2.0}}, "missing ['speed'], unknown ['spin']"),
        ({"t_span": (1, 0)}, "t_span is (1, 0), expected two finite times"),
        ({"t_span": 5}, "t_span is 5, expected two finite times"),
        ({"t_eval": [0.0, 2.0]}, "t_eval must increase within the span from 0 to 1"),
        ({"t_eval": [0.5, 0.5]}, "t_eval must increase within the span"),
        ({"t_eval": 0.5}, "t_eval is 0.5, expected a one-dimensional array"),
        ({"parameters": [1.0]}, "parameters were given, but Python functions take none"),
        ({"method": "Heun"}, "method is 'Heun', expected one of"),
    ],
)
def test_a_run_that_cannot_start(options, sentence):
    arguments = {"t_span": (0, 1), "x0": [5.0, 0.0], "start": "air"} | options
    with pytest.raises(ValueError, match=re.escape(sentence)):
        ball().simulate(arguments.pop("t_span"), arguments.pop("x0"), **arguments)


@pytest.mark.parametrize(
    ("functions", "sentence"),
    [
        ({"flow": lambda t, x: [1.0]}, "the flow of stage 'air' returned an array of shape (1,), expected (2,)"),
        ({"flow": lambda t, x: None}, "the flow of stage 'air' returned None, expected one number for each state"),
        ({"flow": lambda t, x: "up"}, "the flow of stage 'air' returned 'up', expected one number for each state"),
        ({"flow": lambda t, x: [np.inf, 0.0]}, "the flow of stage 'air' returned [inf, 0.0] there, expected finite"),
        ({"boundary": lambda t, x: x}, "the boundary of transition 'air -> air' returned an array of shape (2,)"),
        ({"boundary": lambda t, x: 1j}, "the boundary of transition 'air -> air' returned 1j, expected one real"),
    ],
)
def test_a_function_that_returns_the_wrong_thing(functions, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        ball(**functions).simulate((0, 1), [5.0, 0.0], start="air")


def test_the_wrong_shapes_of_all_stages_are_named():
    process = HybridSystem(
        {"air": lambda t, x: [1.0], "sea": lambda t, x: [x]},
        [Transition("air", "sea", boundary=lambda t, x: [1.0, 2.0])],
    )
    with pytest.raises(ValueError, match="for 3 reasons"):
        process.simulate((0, 1), [5.0, 0.0], start="air")


def test_a_wrong_shape_in_a_later_stage_is_found_before_the_run():
    calls = []

    def counted(t, x):
        calls.append(t)
        return fall(t, x)

    process = HybridSystem(
        {"air": counted, "sea": lambda t, x: [1.0]}, [Transition("air", "sea", boundary=ground)], states=["y", "v"]
    )
    with pytest.raises(ValueError, match="the flow of stage 'sea' returned an array of shape"):
        process.simulate((0, 1), [5.0, 0.0], start="air")
    assert calls == [0.0]


def test_a_later_stage_need_not_be_defined_at_the_start():
    """The flow below the ground takes the root of the depth, which has no real value above it."""
    process = HybridSystem(
        {"air": fall, "sea": lambda t, x: [x[1], -((-x[0]) ** 0.5) / np.sqrt(-x[0])]},
        [Transition("air", "sea", boundary=ground, jump=lambda t, x: [-1e-3, x[1]])],
    )
    with np.errstate(invalid="ignore"):
        result = process.simulate((0, 1.1), [5.0, 0.0], start="air")
    assert result.path == ("air", "sea")


def test_a_start_by_name():
    result = ball().simulate((0, 0.5), {"speed": 0.0, "height": 5.0}, start="air")
    assert result.x[:, 0].tolist() == [5.0, 0.0]


def test_a_mapping_needs_named_states():
    with pytest.raises(ValueError, match="built without names of its states; give an array"):
        ball(states=None).simulate((0, 1), {"height": 5.0}, start="air")
