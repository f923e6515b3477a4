"""The numbers of an event: declared once, and the same in events, tables, data sets, files and the manual."""

import math

import numpy as np
import pytest
from dropped_ball import dropped_ball

from sympact import Event
from sympact.integrate.history.event import KINDS, NUMBERS, EventKind
from sympact.integrate.history.event_numbers import EventNumber, Known, reported_numbers
from sympact.integrate.memory import run_codes
from sympact.models import bouncing_ball


def test_an_event_has_the_numbers_of_the_table_the_data_set_and_the_file(tmp_path):
    result = bouncing_ball().simulate()
    columns, variables = result.events.columns(), result.to_xarray()
    result.save(tmp_path / "ball.npz")
    with np.load(tmp_path / "ball.npz") as members:
        assert {one.member for one in NUMBERS} <= set(members.files)
    for one in NUMBERS:
        of_events = [getattr(event, one.name) for event in result.events]
        assert np.array_equal(columns[one.name], of_events, equal_nan=True), one.name
        assert variables[one.member].attrs.get("units") == one.unit, one.name
        assert f"{one.name} : float" in Event.__doc__


def test_a_number_is_nan_at_events_that_do_not_have_it():
    """A transition has no energy, an impact no time at which its hops end; what the loop wrote there says nothing."""
    events = dropped_ball().events[0], dropped_ball(kind=EventKind.IMPACT).events[0]
    assert [math.isnan(event.energy) for event in events] == [True, False]
    assert [math.isnan(event.window) for event in events] == [False, False]
    assert all(math.isnan(event.t_inf) for event in events)


@pytest.mark.parametrize("kind", ["switch", "crossing", "time", "stop", "slide"])
def test_an_event_without_a_jump_takes_no_energy(kind):
    result = dropped_ball(kind=EventKind(kind))
    assert [event.energy for event in result.events] == [0.0]
    assert result.events.columns()["energy"].tolist() == [0.0]
    assert " 0 " not in str(result.events).splitlines()[-1], "the table leaves it out"


def test_every_number_has_a_slot_of_its_own_in_the_report():
    slots = [one.slot for one in NUMBERS]
    assert len(set(slots)) == len(slots)
    assert set(slots) <= set(range(run_codes.HEAD))
    assert all(set(one.known.kinds) <= set(range(len(KINDS))) for one in NUMBERS)


def test_a_time_counted_from_the_event_becomes_a_time_of_the_run():
    remainder = EventNumber("end", 1, "The end", "s", "", Known((0,)), after_event=True, since=3, absent=math.nan)
    report = np.array([[9.0, 0.25], [9.0, 0.5]])
    assert reported_numbers([remainder], report, np.array([1.0, 2.0]))["end"].tolist() == [1.25, 2.5]
    assert remainder.text == "The end (s)."
