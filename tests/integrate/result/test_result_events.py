"""The events of a result: who took part, both sides of the jump, and the table that shows them."""

import math
from dataclasses import replace

import numpy as np
import pytest
from dropped_ball import dropped_ball

from sympact import HybridSystem, Transition
from sympact.integrate.history.event import EventKind, Events
from sympact.integrate.result import Result


def many_events(n):
    """The dropped ball's event, n times over."""
    result = dropped_ball(kind=EventKind.IMPACT)
    record = result._record
    repeated = {
        name: np.repeat(getattr(record, name), n, axis=0)
        for name in record.__dataclass_fields__
        if name.startswith("event_")
    }
    run = Result(replace(record, **repeated), result._dense, result._program)._run
    return Events(run)


def test_an_impact_keeps_impulse_and_energy():
    (event,) = dropped_ball(kind=EventKind.IMPACT).events
    assert (event.t, event.kind, event.contacts) == (1.0, "impact", ("ground",))
    assert event.impulse.tolist() == [15.0]
    assert (event.energy, event.window) == (-37.5, 1e-15)
    assert (event.source, event.target) == ("air", "air")


def test_a_transition_knows_of_no_impulse():
    (event,) = dropped_ball().events
    assert event.kind is EventKind.TRANSITION
    assert math.isnan(event.energy)
    assert np.isnan(event.impulse).all()
    assert event.contacts == ("ground",)


def test_only_transitions_and_changes_of_stage_lengthen_the_path():
    assert dropped_ball().path == ("air", "air")
    assert dropped_ball(kind=EventKind.IMPACT).path == ("air",)


def test_events_are_a_sequence():
    events = many_events(5)
    assert len(events) == 5
    assert events[-1].t == events[4].t
    assert [event.t for event in events[1:4:2]] == [1.0, 1.0]
    with pytest.raises(IndexError, match="no event 5; there are 5 events"):
        events[5]


def test_the_events_of_one_participant_and_the_impacts():
    floor = Transition("free", "free", boundary=lambda t, x: -x[0], jump=lambda t, x: [0.0, -x[1]], name="floor")
    ceiling = Transition("free", "free", boundary=lambda t, x: x[0] - 1, jump=lambda t, x: [1.0, -x[1]], name="ceiling")
    shuttle = HybridSystem({"free": lambda t, x: [x[1], 0.0]}, [floor, ceiling])
    events = shuttle.simulate((0, 6), [0.5, 1.0], start="free").events
    np.testing.assert_allclose(events.of("ceiling").t, [0.5, 2.5, 4.5], rtol=0, atol=1e-12)
    np.testing.assert_allclose(events.of(floor).columns()["t"], [1.5, 3.5, 5.5], rtol=0, atol=1e-12)
    assert events.of("floor").columns()["contacts"] == ["floor"] * 3
    assert [len(part) for part in (events.of(floor), events.of(floor).of(ceiling), events.impacts)] == [3, 0, 0]
    assert events.of("floor")[-1].t == events.of("floor")[1:][1].t == events.t[-1]
    assert "ceiling" not in events.of("floor").table()
    with pytest.raises(IndexError, match="no event 3; there are 3 events"):
        events.of("floor")[3]
    with pytest.raises(KeyError, match=r"name 'wall'; events may have the participants \['floor', 'ceiling'\]"):
        events.of("wall")


def test_impacts_are_those_with_impulses():
    assert dropped_ball().events.impacts.kinds() == []
    assert many_events(3).impacts.columns()["impulse"].tolist() == [15.0] * 3


def test_table_is_aligned_and_leaves_out_empty_columns():
    assert dropped_ball().table().splitlines() == [
        "t  kind        contacts  stages",
        "1  transition  ground    air",
    ]
    assert str(dropped_ball(kind=EventKind.IMPACT).events).splitlines() == [
        "t  kind    contacts  stages  impulse (N s)  energy (J)",
        "1  impact  ground    air     15             -37.5",
    ]


def test_long_table_counts_what_it_leaves_out():
    lines = many_events(1000).table(max_rows=7).splitlines()
    assert len(lines) == 1 + 7 + 1
    assert lines[5] == "... 993 more events ..."


def test_table_without_events():
    result = dropped_ball()
    none = Events(Result(many_none(result), result._dense, result._program)._run)
    assert none.table() == "no events"
    assert none.kinds() == []


def many_none(result):
    names = [name for name in result._record.__dataclass_fields__ if name.startswith("event_")]
    return replace(result._record, **{name: getattr(result._record, name)[:0] for name in names})
