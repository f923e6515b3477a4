"""The linked nodes of the multi-stage framework's document run as the process they amount to."""

import numpy as np
import pytest
from ball_and_spring import NUMBERS, PATH, REFERENCE, plain

from sympact import ConditionalDynamic, MultiConditionalDynamic

TIGHT = {"rtol": 1e-12, "atol": 1e-14}


def nodes():
    """The ball between ceiling and spring as two nodes that lead to each other."""
    m, c, g, k, h, eta = (NUMBERS[name] for name in ("m", "c", "g", "k", "h", "eta"))
    spring = ConditionalDynamic(lambda t, x: [x[1], -g - c / m * x[1] - k / m * x[0]], lambda t, x: x[0], None)
    free = MultiConditionalDynamic(
        lambda t, x: [x[1], -g - c / m * x[1]],
        [lambda t, x: x[0] - h, lambda t, x: -x[0]],
        [lambda t, x: [x[0], -eta * x[1]], None],
        [None, spring],
    )
    spring.nxt = free
    return free, spring


def test_nodes_and_process_give_the_same_bits():
    free, _ = nodes()
    t, x = free.run([0.0, 100.0], (0, 20), t_density=10, **TIGHT)
    result = plain().simulate((0, 20), [0.0, 100.0], start="free", **TIGHT)
    assert len(t) == 201 + 2 * len(result.events)
    assert np.array_equal(x[:, ::-1][:, :5], result(t[::-1][:5]))
    left = np.isin(t, result.events.t) & (np.diff(t, append=21.0) == 0.0)
    assert np.array_equal(x[:, left], result(t[left], side="left"))
    assert np.array_equal(x[:, ~left], result(t[~left]))


def test_nodes_are_found_by_walking_the_cycle():
    free, spring = nodes()
    assert free.system().stages == spring.system().stages == ("0", "1")
    result = free.system().simulate((0, 20), [0.0, 100.0], start="0", **TIGHT)
    assert tuple({"0": "free", "1": "spring"}[stage] for stage in result.path) == PATH


def test_a_run_may_start_in_any_node():
    _, spring = nodes()
    _, x = spring.run([-1.0, 0.0], (0, 1), t_density=50, **TIGHT)
    assert x[0, -1] > -1.0


def test_density_is_samples_per_unit_of_time():
    ball = ConditionalDynamic(lambda t, x: [x[1], -10.0], lambda t, x: -x[0], lambda t, x: [0.0, -0.5 * x[1]])
    t, x = ball.run([5.0, 0.0], (0, 1.7), t_density=2.5)
    assert t.round(9).tolist() == [0.0, 0.4, 0.8, 1.0, 1.0, 1.2, 1.6, 1.7]
    assert x.shape == (2, 8)
    assert x[:, 3:5].T.tolist() == [pytest.approx([0.0, -10.0], abs=1e-8), pytest.approx([0.0, 5.0], abs=1e-8)]


def test_without_a_next_node_a_node_leads_to_itself():
    ball = ConditionalDynamic(lambda t, x: [x[1], -10.0], lambda t, x: -x[0], lambda t, x: [0.0, -0.5 * x[1]])
    explicit = ConditionalDynamic(ball.dynamic, ball.events[0], ball.transes[0])
    explicit.nxt = explicit
    for one, other in zip(ball.run([5.0, 0.0], (0, 2), 7), explicit.run([5.0, 0.0], (0, 2), 7), strict=True):
        assert np.array_equal(one, other)


def test_a_run_that_ends_early_warns():
    stuck = ConditionalDynamic(lambda t, x: [1.0], lambda t, x: x[0] - 1.0, lambda t, x: x)
    with pytest.warns(RuntimeWarning, match="the jump of a self-transition changed nothing"):
        t, _ = stuck.run([0.0], (0, 3), t_density=10)
    assert t[-1] == pytest.approx(1.0, abs=1e-9)


def test_lists_of_different_length_are_refused():
    node = MultiConditionalDynamic(lambda t, x: [1.0], [lambda t, x: x[0]], [], [None])
    with pytest.raises(ValueError, match="a node has 1 events, 0 transitions and 1 next nodes"):
        node.run([0.0], (0, 1), t_density=10)


@pytest.mark.parametrize("density", [0, -1.0, float("nan"), float("inf")])
def test_a_density_without_meaning_is_refused(density):
    node = ConditionalDynamic(lambda t, x: [1.0], lambda t, x: -1.0, None, None)
    with pytest.raises(ValueError, match="give the number of samples per unit of time, above 0"):
        node.run([0.0], (0, 1), t_density=density)


def test_event_times_are_those_of_the_closed_form():
    free, _ = nodes()
    t, _ = free.run([0.0, 100.0], (0, 20), t_density=1, **TIGHT)
    doubled = t[:-1][np.diff(t) == 0.0]
    expected = [float(event["t"]) for event in REFERENCE["reference"]["events"]]
    np.testing.assert_allclose(doubled, expected, rtol=0, atol=1e-10)


def test_nodes_made_empty_are_filled_later():
    """As the document writes them: all links set when every node is there; the same bits as those built at once."""
    built, _ = nodes()
    free, spring = MultiConditionalDynamic(), ConditionalDynamic()
    spring.dynamic, spring.event, spring.trans = built.nxts[1].dynamic, built.nxts[1].event, None
    free.dynamic, free.events, free.transes = built.dynamic, built.events, built.transes
    free.nxts, spring.nxt = [free, spring], free
    for one, other in zip(built.run([0.0, 100.0], (0, 5)), free.run([0.0, 100.0], (0, 5)), strict=True):
        assert np.array_equal(one, other)


def test_links_left_out_lead_back():
    """Without nxts every event leads to the node itself; from 4 m it hits after sqrt(0.8) s, and again after that."""
    ball = MultiConditionalDynamic(lambda t, x: [x[1], -10.0], [lambda t, x: -x[0]], [lambda t, x: [0.0, -0.5 * x[1]]])
    t, _ = ball.run([4.0, 0.0], (0, 2.2))
    assert t[:-1][np.diff(t) == 0.0].tolist() == pytest.approx([0.8**0.5, 2 * 0.8**0.5], abs=1e-12)
    assert len(t) == 2201 + 4, "1000 samples per unit of time, and two sides of each event"


def test_a_node_without_events_goes_on():
    t, x = ConditionalDynamic(lambda t, x: -x).run([1.0], (0, 1), 10)
    np.testing.assert_allclose(x[0], np.exp(-t), rtol=1e-9)


def test_transitions_left_out_keep_the_state():
    on, off = MultiConditionalDynamic(), MultiConditionalDynamic()
    on.dynamic, on.events, on.nxts = lambda t, x: [2.0], [lambda t, x: x[0] - 22.0], [off]
    off.dynamic, off.events, off.nxts = lambda t, x: [-1.0], [lambda t, x: 20.0 - x[0]], [on]
    t, _ = on.run([21.0], (0, 5), 2)
    assert t[:-1][np.diff(t) == 0.0].tolist() == pytest.approx([0.5, 2.5, 3.5])


def test_a_node_without_a_flow_is_named():
    first = ConditionalDynamic(lambda t, x: [1.0], lambda t, x: x[0] - 1.0, nxt=MultiConditionalDynamic())
    with pytest.raises(ValueError, match=r"the node 1 has no flow .* set its attribute dynamic"):
        first.run([0.0], (0, 2))
