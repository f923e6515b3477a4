"""Pictures tell the truth and can be read: curves break at jumps, nothing overlaps, nothing is left in pyplot."""

from __future__ import annotations

import io
import math
import subprocess
import sys
from itertools import pairwise

import networkx
import numpy as np
import pytest
from dropped_ball import GRAVITY, dropped_ball, flight
from figures import overlapping_texts, panels
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.text import Text
from quick_members import examples, members

from sympact import HybridSystem, Transition
from sympact.integrate.export.quantity_units import QUANTITIES
from sympact.show import draw_graph, plot_result
from sympact.show.plots.curves import broken_curves, stretches
from sympact.show.plots.panels import ROWS, divide
from sympact.show.plots.ribbon import event_labels
from sympact.show.plots.timing import CROWD, crowds
from sympact.show.plots.timing import CROWDED as TOO_CLOSE


def many_states(n: int):
    """A run of n states that are all thrown back at once, six times."""
    flows = {"a rather long name": lambda t, x: 0 * x + 1, "b": lambda t, x: 0 * x + 3}
    transitions = [
        Transition(source, target, boundary=lambda t, x: x[0] - 1, jump=lambda t, x: -x)
        for source, target in [("a rather long name", "b"), ("b", "a rather long name")]
    ]
    process = HybridSystem(flows, transitions, states=[f"state_{index}" for index in range(n)])
    return process.simulate((0, 9), np.linspace(0, 0.5, n), start="a rather long name")


def test_curves_are_the_motion_and_break_at_the_impact():
    figure = plot_result(dropped_ball())
    for row, name in enumerate(["height", "speed"]):
        line = panels(figure)[name].get_lines()[1]
        t, values = line.get_data()
        inside = np.isfinite(values) & (t != 1)
        # the flight is a parabola and its dense output has order 7, so only rounding is left
        np.testing.assert_allclose(values[inside], flight(t[inside])[row], rtol=0, atol=1e-12)
        assert np.isnan(values[t == 1]).sum() == 1


def test_no_line_is_drawn_across_a_jump():
    t, speed = panels(plot_result(dropped_ball()))["speed"].get_lines()[1].get_data()
    joined = np.isfinite(speed[1:]) & np.isfinite(speed[:-1])
    # the speed changes by gravity alone wherever two points are joined
    np.testing.assert_allclose(np.diff(speed)[joined], -GRAVITY * np.diff(t)[joined], rtol=0, atol=1e-12)


def test_both_sides_of_a_jump_carry_dots_and_a_steady_state_carries_none():
    dots = {
        name: [line.get_data() for line in axes.get_lines() if line.get_marker() == "o"]
        for name, axes in panels(plot_result(dropped_ball())).items()
    }
    assert [(t.tolist(), y.tolist()) for t, y in dots["speed"]] == [([1.0], [-10.0]), ([1.0], [5.0])]
    assert all(t.size == 0 for t, _ in dots["height"])


def test_gaps_have_a_panel_over_the_zero_at_which_they_close():
    gaps = {"ground": lambda t, x: x[0], "wire at 6 m": lambda t, x: 6 - x[0]}
    figure = plot_result(dropped_ball(), gaps=gaps, units={"gaps": "m"}, title="A ball")
    panel = panels(figure)["gaps (m)"]
    assert any(line.get_ydata() == [0, 0] for line in panel.get_lines())
    curves = [line for line in panel.get_lines() if line.get_label() in gaps]
    assert [line.get_label() for line in curves] == list(gaps)
    t, height = curves[0].get_data()
    inside = np.isfinite(height)
    np.testing.assert_allclose(height[inside & (t != 1)], flight(t[inside & (t != 1)])[0], rtol=0, atol=1e-12)
    assert height[inside].min() == 0
    assert overlapping_texts(figure) == []


def test_states_can_be_chosen_and_labelled():
    figure = plot_result(dropped_ball(), states=["speed"], units={"speed": "m/s", "t": "s"}, title="A ball")
    assert list(panels(figure)) == ["speed (m/s)"]
    assert figure.axes[-1].get_xlabel() == "t (s)"
    assert figure.get_suptitle() == "A ball"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            {"states": ["hight"]},
            "states to draw: unknown ['hight']; name at least one of ['height', 'speed']; did you mean 'height'?",
        ),
        ({"states": []}, "states to draw: unknown []; name at least one of ['height', 'speed']"),
        ({"units": {"h": "m"}}, f"units: unknown ['h']; a unit belongs to one of {['height', 'speed', *QUANTITIES]}"),
    ],
)
def test_unknown_names_are_refused_with_the_known_ones(options, sentence):
    with pytest.raises(ValueError, match="unknown") as error:
        plot_result(dropped_ball(), **options)
    assert str(error.value) == sentence


@pytest.mark.parametrize("n", members([1, 3, 4, 5, 12, 30], slow=(4, 5, 30)))
def test_no_text_overlaps_another(n):
    assert overlapping_texts(plot_result(many_states(n), title="A title")) == []


@pytest.mark.parametrize("n", [3, 12])
def test_every_stage_is_named(n):
    named = {text.get_text() for text in plot_result(many_states(n)).findobj(Text)}
    assert {"a rather long name", "b"} <= named


def test_a_run_without_events_is_drawn():
    process = HybridSystem({"still": lambda t, x: [0.0]}, [])
    figure = plot_result(process.simulate((0, 1), [2.0], start="still"))
    assert list(panels(figure)) == ["x0"]


def test_a_run_that_ends_where_it_begins_is_a_point():
    faulty = HybridSystem({"on": lambda t, x: [math.nan if t > 1 else 0.0]}, [])
    result = faulty.simulate((1, 2), [3.0], start="on")
    assert result.t_span == (1, 1)
    t, values = panels(plot_result(result))["x0"].get_lines()[0].get_data()
    assert (t.tolist(), values.tolist()) == ([1.0], [3.0])


def test_many_events_stay_readable():
    bounce = Transition("up", "up", boundary=lambda t, x: -x[0], jump=lambda t, x: [0.0, -0.97 * x[1]])
    ball = HybridSystem({"up": lambda t, x: [x[1], -10.0]}, [bounce])
    result = ball.simulate((0, 60), [5.0, 0.0], start="up")
    assert len(result.events) > 50
    assert overlapping_texts(plot_result(result)) == []


def elastic_ball(t_end: float):
    """A ball that hits the ground at t = 1, 3, 5, ... for ever."""
    ball = HybridSystem(
        {"up": lambda t, x: [x[1], -10.0]},
        [Transition("up", "up", boundary=lambda t, x: -x[0], jump=lambda t, x: [0.0, -x[1]])],
    )
    return ball.simulate((0, t_end), [5.0, 0.0], start="up")


def test_thousands_of_events_are_few_artists():
    """They are too close to be told apart on nine inches: one band in each panel, from the first to the last."""
    result = elastic_ball(800)
    figure = plot_result(result)
    assert len(result.events) == 400
    (band,) = panels(figure)["x0"].patches
    assert [band.get_x(), band.get_x() + band.get_width()] == pytest.approx([1.0, 799.0], rel=1e-9)
    assert len(panels(figure)["x0"].get_children()) < 20
    assert len(figure.axes[0].get_children()) < 40


def test_hundreds_of_lines_that_can_be_told_apart_are_one_artist():
    """A page of a hundred inches has room for 400 lines; they stand at the times of the events."""
    result = elastic_ball(800)
    (lines,) = panels(plot_result(result, width=100.0))["x0"].collections
    assert [path.vertices.tolist() for path in lines.get_paths()] == [[[t, 0], [t, 1]] for t in result.events.t]


@examples(33, 100, st.lists(st.floats(0, 10), max_size=60).map(sorted), st.floats(0.01, 1))
def test_a_crowd_is_close_together_and_everything_else_stands_alone(times, nearest):
    groups = crowds(times, nearest)
    assert [k for group in groups for k in group] == list(range(len(times)))
    for group in groups:
        assert len(group) == 1 or len(group) >= CROWD
        assert all(times[k + 1] - times[k] <= nearest for k in group[:-1])


def test_no_two_lines_of_many_events_touch():
    """However many events there are: lines stand apart, or come by twos and threes between bands."""
    bounce = Transition("up", "up", boundary=lambda t, x: -x[0], jump=lambda t, x: [0.0, -0.99 * x[1]])
    ball = HybridSystem({"up": lambda t, x: [x[1], -10.0]}, [bounce])
    result = ball.simulate((0, 180), [5.0, 0.0], start="up")
    assert len(result.events) > 200
    panel = panels(plot_result(result))["x0"]
    lines = [line.get_xdata()[0] for line in panel.get_lines() if line.get_xdata()[0] == line.get_xdata()[-1]]
    near = np.diff(lines) < TOO_CLOSE * 180 / 9
    assert not (near[:-2] & near[1:-1] & near[2:]).any()


@given(st.lists(st.sampled_from(["m", "m/s", "rad", ""]), min_size=1, max_size=80))
def test_every_state_has_one_panel_and_few_rows(units):
    columns = divide(units)
    assert [index for column in columns for panel in column for index in panel] == list(range(len(units)))
    assert max(map(len, columns)) <= ROWS


@examples(33, 100, st.integers(2, 30), st.integers(2, 30))
def test_a_panel_has_states_of_one_unit(positions, angles):
    units = ["m"] * positions + ["rad"] * angles
    for column in divide([*units, *(f"{unit}/s" for unit in units)]):
        for panel in column:
            assert len({units[k % len(units)] for k in panel}) == 1


@given(st.lists(st.floats(0, 100), max_size=40).map(sorted), st.floats(0.1, 5))
def test_event_labels_count_every_event_once_and_do_not_overlap(times, letter):
    labels = event_labels(times, letter)
    numbers = [int(number) for label, _ in labels for number in (label.split("-")[0], label.split("-")[-1])]
    assert numbers == sorted(numbers)
    assert [first - last for first, last in zip(numbers[2::2], numbers[1::2], strict=False)] == [1] * (len(labels) - 1)
    assert not times or (numbers[0], numbers[-1]) == (1, len(times))
    assert all(b - a >= letter * (len(one) + len(next_)) / 2 for (one, a), (next_, b) in pairwise(labels))


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=8), st.data())
def test_stretches_fill_the_run(stages, data):
    times = sorted(data.draw(st.lists(st.floats(0, 10), min_size=len(stages) - 1, max_size=len(stages) - 1)))
    found = stretches(stages, times, (0.0, 10.0))
    assert (found[0].begin, found[-1].end) == (0.0, 10.0)
    assert all(left.end == right.begin and left.stage != right.stage for left, right in pairwise(found))
    assert (found[0].stage, found[-1].stage) == (stages[0], stages[-1])


@given(st.lists(st.integers(0, 50).map(lambda tenths: tenths / 10), max_size=6).map(sorted))
def test_curves_keep_both_sides_of_every_event(times):
    def state(t, side):
        return np.searchsorted(times, t, side=side)[None, :].astype(float)

    t, x = broken_curves(state, (0.0, 5.0), times)
    assert (t[0], t[-1]) == (0.0, 5.0)
    assert (np.diff(t) >= 0).all()
    for time in set(times) - {0.0, 5.0}:
        at_the_event = x[0, t == time]
        assert at_the_event[[0, -1]].tolist() == [state(np.array([time]), side)[0, 0] for side in ("left", "right")]
        assert np.isnan(at_the_event[1:-1]).all()


def graph_of(edges: list[tuple[str, str]]) -> networkx.MultiDiGraph:
    graph = networkx.MultiDiGraph()
    for number, (source, target) in enumerate(edges):
        graph.add_edge(source, target, name=f"edge {number}", jump=None if number % 2 else abs)
    return graph


CROWDED = [
    *[("stick", "slip")] * 3,
    *[("slip", "stick")] * 2,
    *[("slip", "slip")] * 3,
    ("slip", "flight"),
    ("flight", "stick"),
    *[("flight", "flight")] * 2,
    ("flight", "rest"),
]


@pytest.mark.parametrize("edges", [[("a", "a")], [("a", "a")] * 4, [("a", "b")] * 3 + [("b", "a")] * 3, CROWDED])
def test_every_transition_is_an_arrow_of_its_own_with_its_name(edges):
    figure = draw_graph(graph_of(edges))
    names = [text.get_text() for text in figure.axes[0].texts]
    assert [name for name in names if name.startswith("edge")] == [f"edge {number}" for number in graph_order(edges)]
    assert len(figure.axes[0].get_lines()) == len(edges)
    assert overlapping_texts(figure) == []


def graph_order(edges: list[tuple[str, str]]) -> list[int]:
    """The numbers of edges in the order in which a networkx graph lists them: by source, then by target."""
    return [int(data["name"].split()[1]) for *_, data in graph_of(edges).edges(data=True)]


def test_an_arrow_is_dashed_where_the_state_stays():
    figure = draw_graph(graph_of([("a", "b"), ("b", "a")]))
    assert [line.get_linestyle() for line in figure.axes[0].get_lines()] == ["-", "--"]


def test_the_same_graph_gives_the_same_picture():
    def picture() -> bytes:
        buffer = io.BytesIO()
        draw_graph(graph_of(CROWDED)).savefig(buffer, metadata={"Software": None})
        return buffer.getvalue()

    assert picture() == picture()


def test_pyplot_is_never_loaded():
    program = """
import sys
from sympact import HybridSystem, Transition
bounce = Transition("up", "up", boundary=lambda t, x: -x[0], jump=lambda t, x: [0.0, -0.5 * x[1]])
ball = HybridSystem({"up": lambda t, x: [x[1], -10.0]}, [bounce])
ball.simulate((0, 1.2), [5.0, 0.0], start="up").plot().savefig(sys.stdout.buffer)
ball.draw().savefig(sys.stdout.buffer)
assert "matplotlib.pyplot" not in sys.modules
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.startswith(b"\x89PNG")
