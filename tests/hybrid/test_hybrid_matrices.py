"""The directed graph of a process, as matrices F, G, H and as a networkx graph."""

import networkx
import pytest

from sympact import HybridSystem, Transition
from sympact.hybrid import identity


def flow(t, x):
    return [1.0]


def other_flow(t, x):
    return [-1.0]


def near(t, x):
    return x[0] - 1.0


def far(t, x):
    return x[0] - 2.0


def reset(t, x):
    return [0.0]


@pytest.fixture
def process():
    return HybridSystem(
        {"a": flow, "b": other_flow},
        [
            Transition("a", "b", boundary=near),
            Transition("a", "b", boundary=far, jump=reset, name="far"),
            Transition("a", "b", boundary=far),
            Transition("b", "b", boundary=near, jump=reset),
        ],
        states=["x"],
    )


def test_matrices_hold_the_functions_in_order(process):
    assert process.F.tolist() == [flow, other_flow]
    assert process.G.shape == process.H.shape == (2, 2)
    assert [process.G[i, j] for i in (0, 1) for j in (0, 1)] == [(), (near, far, far), (), (near,)]
    assert [process.H[i, j] for i in (0, 1) for j in (0, 1)] == [(), (identity, reset, identity), (), (reset,)]


def test_graph_has_every_transition(process):
    graph = process.graph
    assert isinstance(graph, networkx.MultiDiGraph)
    assert dict(graph.nodes(data="flow")) == {"a": flow, "b": other_flow}
    assert list(graph.edges(data="name")) == [
        ("a", "b", "a -> b"),
        ("a", "b", "far"),
        ("a", "b", "a -> b (2)"),
        ("b", "b", "b -> b"),
    ]
    assert [jump for _, _, jump in graph.edges(data="jump")] == [None, reset, None, reset]


def test_of_several_transitions_at_one_time_the_first_is_taken():
    twice = [Transition("a", "b", boundary=near, name="first"), Transition("a", "a", boundary=near, jump=reset)]
    for transitions, entered in ((twice, "b"), (twice[::-1], "a")):
        result = HybridSystem({"a": flow, "b": other_flow}, transitions).simulate((0, 1.5), [0.0], start="a")
        assert result.path == ("a", entered)
        assert len(result.events[0].contacts) == 1


def test_a_stage_without_exit_runs_to_the_end(process):
    result = HybridSystem({"a": flow}, []).simulate((0, 3), [0.0], start="a")
    assert result(3.0).tolist() == pytest.approx([3.0], abs=1e-12)
    assert result.path == ("a",)


def test_repr_names_the_stages(process):
    assert repr(process) == "<HybridSystem of the stages 'a', 'b' and 4 transitions>"


def test_drawing_has_an_arrow_for_every_transition(process):
    """The stages and the transitions by name; dashed where the state stays as it is."""
    (axes,) = process.draw().axes
    texts = [text.get_text() for text in axes.texts]
    assert {"a", "b", "far"} <= set(texts)
    styles = [line.get_linestyle() for line in axes.get_lines()]
    assert sorted(styles) == ["-", "-", "--", "--"]
