"""The modes of a run as a graph: nothing is counted twice or lost, and what a few runs written down must give."""

import math
import tempfile
from pathlib import Path

import numpy as np
import pytest
from dropped_ball import dropped_ball
from hypothesis import strategies as st
from journeys import NAMES, Happening, journey, journeys, rocking
from known_model import KnownModel
from quick_members import examples

from sympact import HybridSystem, Transition, load
from sympact.integrate.history.event import EventKind
from sympact.integrate.problem.status import Status

WORDS = [
    "transition",
    "impact",
    "close",
    "open",
    "stick",
    "slip",
    "accumulation",
    "time",
    "stop",
    "switch",
    "crossing",
    "slide",
]


def test_kinds_have_the_places_that_the_loop_counts_by():
    assert [kind.value for kind in EventKind] == WORDS


@examples(33, 100, journeys)
def test_nothing_is_counted_twice_or_lost(result):
    modes = result.modes
    assert sum(visits for _, visits in modes.nodes(data="visits")) == len(result.path)
    assert sum(time for _, time in modes.nodes(data="time")) == result.t_span[1] - result.t_span[0]
    assert sum(count for *_, count in modes.edges(data="count")) == len(result.events)
    assert sorted(order for _, order in modes.nodes(data="order")) == list(range(len(modes)))
    assert list(modes) == list(dict.fromkeys([result.path[0], *(event.target for event in result.events)]))


@examples(33, 100, journeys)
def test_an_edge_is_all_events_of_its_kind_between_its_ends(result):
    for source, target, edge in result.modes.edges(data=True):
        same = [e for e in result.events if (e.source, e.target, e.kind) == (source, target, edge["kind"])]
        assert edge["count"] == len(same)
        assert edge["contacts"] == tuple(sorted({name for event in same for name in event.contacts}))
        moved = any(not np.array_equal(event.x_minus, event.x_plus) for event in same)
        assert edge["jump"] is (True if moved else None)
    ends = [(source, target, kind) for source, target, kind in result.modes.edges(data="kind")]
    assert len(set(ends)) == len(ends)


@examples(33, 100, journeys)
def test_visits_are_those_of_the_path(result):
    assert {name: visits for name, visits in result.modes.nodes(data="visits") if visits} == {
        name: result.path.count(name) for name in result.path
    }


def test_a_block_that_comes_to_rest():
    result = rocking()
    assert result.path == NAMES
    assert {name: (of["visits"], of["time"]) for name, of in result.modes.nodes(data=True)} == {
        "free": (1, 1.75),
        "left": (1, 1.25),
        "left, right": (1, 0.0),
        "left, right (at rest)": (1, 1.0),
    }
    assert [(a, b, of["name"], of["contacts"], of["jump"]) for a, b, of in result.modes.edges(data=True)] == [
        ("free", "free", "impact x 2", ("left",), True),
        ("free", "left", "accumulation", ("left",), True),
        ("left", "left, right", "close", ("right",), True),
        ("left, right", "left, right (at rest)", "stop", (), None),
    ]


def test_the_transitions_of_a_process_keep_their_names():
    ceiling = Transition("up", "up", boundary=lambda t, x: x[0] - 6, jump=lambda t, x: [x[0], -x[1]], name="ceiling")
    floor = Transition("up", "up", boundary=lambda t, x: -x[0], jump=lambda t, x: [0.0, -x[1]], name="floor")
    ball = HybridSystem({"up": lambda t, x: [x[1], 0.0]}, [ceiling, floor])
    modes = ball.simulate((0, 10), [3.0, 3.0], start="up").modes
    assert [(of["name"], of["count"]) for *_, of in modes.edges(data=True)] == [("ceiling, floor x 5", 5)]
    assert modes.nodes["up"]["visits"] == 6
    assert modes.nodes["up"]["time"] == pytest.approx(10, rel=1e-15)


def test_only_transitions_and_changes_of_stage_enter_a_stage():
    events = [
        Happening(1.0, EventKind.TRANSITION, 0),
        Happening(1.0, EventKind.IMPACT, 0),
        Happening(1.0, EventKind.CLOSE, 1),
        Happening(1.0, EventKind.SWITCH, 1),
        Happening(1.0, EventKind.OPEN, 0),
    ]
    assert journey(["free", "on"], events, 1.0).path == ("free", "free", "on", "free")


def test_stages_of_one_name_are_one_mode():
    """Two modes of a model may differ in what their names do not say."""
    kinds = [EventKind.CLOSE, EventKind.SWITCH, EventKind.OPEN]
    events = [Happening(2.0**k, kind, (k + 1) % 3) for k, kind in enumerate(kinds)]
    modes = journey(["free", "on", "on"], events, 8.0).modes
    assert {name: (of["visits"], of["time"]) for name, of in modes.nodes(data=True)} == {
        "free": (2, 9.0),
        "on": (2, 6.0),
    }
    assert [(a, b, of["name"]) for a, b, of in modes.edges(data=True)] == [
        ("free", "on", "close"),
        ("on", "on", "switch"),
        ("on", "free", "open"),
    ]


times = st.integers(0, 40).map(lambda eighths: eighths / 8)


@examples(33, 100, journeys, times)
def test_the_stage_of_a_time_is_the_one_before_or_after_all_its_events(result, t):
    record = result._record
    t = min(t, float(record.t[-1]))
    targets = [int(record.stage[0]), *record.event_target.tolist()]
    for side, past in (("left", record.event_t < t), ("right", record.event_t <= t)):
        assert record.stage_at(np.array([t]), side).tolist() == [targets[int(past.sum())]]


def force(t, x, stage):
    """The stage itself, its double, and the time, so that each can be told."""
    return np.array([stage, 2 * stage, t], dtype=float)


def test_forces_are_asked_for_with_the_stage_of_each_sample():
    result = rocking(KnownModel({"force": force}))
    assert result.normal_force.shape == (3, len(result.t))
    # 0, 1-, 1+, 1.5-, 1.5+, 1.75-, 1.75+, 3-, 3 between the two events, 3+, 4
    assert result.normal_force[0].tolist() == [0, 0, 0, 0, 0, 0, 1, 1, 2, 3, 3]
    assert result.normal_force[2].tolist() == result.t.tolist()


def test_forces_at_wanted_times_are_right_limits():
    result = rocking(KnownModel({"force": force}), t_eval=np.array([0.0, 1.7, 1.75, 2.9, 3.0, 4.0]))
    assert result.normal_force[0].tolist() == [0, 0, 1, 1, 3, 3]


def test_forces_of_plain_functions_are_a_sentence():
    with pytest.raises(TypeError, match="no contact forces: it was made from plain functions or loaded from a file"):
        _ = rocking().normal_force


def test_accumulations_know_when_they_end():
    result = rocking()
    assert [event.t_inf for event in result.events if event.kind == "accumulation"] == [1.8]
    assert all(math.isnan(event.t_inf) and math.isnan(event.t_inf_error) for event in result.events[:2])
    assert (result.t_inf, result.t_inf_error) == (1.8, 1.8 / 1024)
    assert result.message == f"t = 4: {Status.FINISHED.value}"


def test_an_accumulation_that_ends_the_run_is_its_own():
    result = journey(["up"], [Happening(1.0, EventKind.TRANSITION, 0)], 1.0, status=Status.ACCUMULATION, t_inf=2.5)
    assert (result.t_inf, result.t_inf_error) == (2.5, 2.5 / 1024)
    assert result.message.startswith("t = 2, t_inf = 2.5 with an error of about 0.002: ")
    assert math.isnan(dropped_ball().t_inf)


def test_of_several_accumulations_the_last_counts():
    dying = [Happening(1.0, EventKind.ACCUMULATION, k % 2, t_inf=1.5 + k) for k in range(3)]
    assert journey(["free", "on"], [*dying, Happening(0.5, EventKind.OPEN, 1)], 1.0).t_inf == 3.5


def test_the_table_shows_accumulations_in_their_own_column():
    lines = rocking().table().splitlines()
    assert lines[0].split()[-1] == "t_inf"
    assert [line.split()[-1] for line in lines[1:4]] == ["-0.5", "-0.5", "1.8"]
    assert "t_inf" not in dropped_ball(kind=EventKind.IMPACT).table()


def test_sixteen_contacts_fit_in_a_table():
    contacts = [f"P{k} on the floor" for k in range(1, 17)]
    stages = ["free", ", ".join(contacts), f"{', '.join(contacts)} (at rest)"]
    events = [Happening(1.0, EventKind.CLOSE, k, tuple(range(16))) for k in (1, 2)]
    table = journey(stages, events, 1.0, contacts=contacts).table()
    assert max(map(len, table.splitlines())) <= 170
    for part in (
        "P1 on the floor, P2 on the floor, +14 ",
        " free -> #2 P1 on the floor, +15 ",
        " -> #3 P1 on the floor, +15 (at rest) ",
        " 1.25, 1.25, +14 ",
    ):
        assert part in table


@examples(33, 100, journeys)
def test_a_run_read_back_has_the_same_modes(result):
    with tempfile.TemporaryDirectory() as folder:
        result.save(Path(folder, "run.npz"))
        again = load(Path(folder, "run.npz"))
    assert list(again.modes.nodes(data=True)) == list(result.modes.nodes(data=True))
    assert list(again.modes.edges(data=True)) == list(result.modes.edges(data=True))
    assert (again.path, again.table(), repr(again)) == (result.path, result.table(), repr(result))


def test_accumulations_are_kept_in_files(tmp_path):
    rocking().save(tmp_path / "run.npz")
    again = load(tmp_path / "run.npz")
    assert (again.t_inf, again.t_inf_error, again.events[2].t_inf) == (1.8, 1.8 / 1024, 1.8)
    assert again.table() == rocking().table()
