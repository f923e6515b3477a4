"""Tables of a run hold its samples and events bit for bit, with both sides of every jump told apart."""

from __future__ import annotations

import csv
import math
import struct
import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from dropped_ball import dropped_ball
from hypothesis import given
from hypothesis import strategies as st

from sympact import Result, about, load
from sympact.integrate.export.tables import Samples, column_names, write_csv
from sympact.integrate.history.event import EventKind
from sympact.models import ball_ceiling_spring, bouncing_ball, rod_on_wall

MASS, GRAVITY, HEIGHT, RESTITUTION = 1.0, 9.81, 1.0, 0.8


@pytest.fixture(scope="module")
def ball() -> Result:
    """From 1 m to rest."""
    return bouncing_ball(RESTITUTION).simulate()


def bits(number: float) -> bytes:
    return struct.pack("<d", number)


def renamed(names: tuple[str, ...]) -> Result:
    """The dropped ball with other names of its states."""
    result = dropped_ball()
    return Result(result._record, result._dense, replace(result._program, state_names=names))


def test_samples_are_those_of_the_result_with_both_sides_of_the_jump():
    frame = dropped_ball().to_dataframe()
    assert frame.index.name == "t"
    assert frame.index.tolist() == [0.0, 0.5, 1.0, 1.0, 1.5]
    assert frame.side.tolist() == ["right", "right", "left", "right", "right"]
    assert frame.stage.tolist() == ["air"] * 5
    assert frame[["height", "speed"]].to_numpy().T.tolist() == dropped_ball().x.tolist()


def test_each_sample_is_what_the_result_answers_for_its_time_and_side(ball):
    frame = ball.to_dataframe()
    for side in ("left", "right"):
        rows = frame[frame.side == side]
        assert np.array_equal(ball(rows.index.to_numpy(), side=side), rows[["z", "v"]].to_numpy().T)
    assert frame.index[frame.side == "left"].tolist() == ball.events.t.tolist()
    assert set(frame.stage) == set(ball.path)


def test_wanted_times_are_the_right_side_of_jumps():
    frame = dropped_ball(t_eval=np.array([0.0, 1.0, 1.25])).to_dataframe()
    assert frame.side.tolist() == ["right"] * 3
    assert frame.speed.iloc[1] == 5.0


def test_a_frame_is_a_copy():
    result = dropped_ball()
    frame = result.to_dataframe()
    frame.loc[:, "speed"] = 7.0
    assert result.x[1, 0] == 0.0


def test_a_state_called_like_a_column_keeps_its_name():
    frame = renamed(("side", "t")).to_dataframe()
    assert frame.index.name == "t_"
    assert frame.columns.tolist() == ["side_", "stage", "side", "t"]
    assert frame["t"].tolist() == dropped_ball().x[1].tolist()


@given(st.lists(st.sampled_from(["a", "a_", "a__", "b"]), max_size=6), st.sets(st.sampled_from(["a", "a_", "b"])))
def test_column_names_are_unique_and_not_taken(wanted, taken):
    found = column_names(wanted, taken)
    assert len(set(found)) == len(wanted)
    assert taken.isdisjoint(found)
    assert all(name.startswith(start) for name, start in zip(found, wanted, strict=True))


def test_events_are_rows_with_the_numbers_of_the_formulas(ball):
    """A ball from the height h: v_k = e^k sqrt(2 g h), impulse m (1 + e) v_k, loss (1 - e^2) m v_k^2/2."""
    frame = ball.events_dataframe()
    assert len(frame) == len(ball.events)
    assert frame.index.tolist() == list(range(1, len(frame) + 1))
    impacts = frame[frame.kind == "impact"]
    k = np.arange(len(impacts))
    v = RESTITUTION**k * math.sqrt(2 * GRAVITY * HEIGHT)
    hops = 2 * RESTITUTION ** k[1:] * math.sqrt(2 * HEIGHT / GRAVITY)
    t = math.sqrt(2 * HEIGHT / GRAVITY) + np.concatenate([[0.0], np.cumsum(hops)])
    # the integration's rtol is 1e-9, errors of speed and time add up over the impacts
    np.testing.assert_allclose(impacts.t, t, rtol=1e-7)
    np.testing.assert_allclose(impacts.impulse, MASS * (1 + RESTITUTION) * v, rtol=1e-6)
    np.testing.assert_allclose(impacts["impulse ball"], impacts.impulse, rtol=0)
    np.testing.assert_allclose(impacts.energy, -(1 - RESTITUTION**2) * MASS * v**2 / 2, rtol=1e-6)
    assert (impacts.contacts == "ball").all()
    (dying,) = frame[frame.kind == "accumulation"].itertuples()
    assert abs(dying.t_inf - math.sqrt(2 * HEIGHT / GRAVITY) * (1 + RESTITUTION) / (1 - RESTITUTION)) < 1e-6
    assert math.isnan(impacts.t_inf.iloc[0])
    assert (frame.source.iloc[0], frame.target.iloc[-1]) == (ball.path[0], ball.path[-1])


def test_columns_agree_with_the_events_one_by_one():
    result = rod_on_wall().simulate()
    columns, contacts = result.events.columns(), result.contact_names
    assert [name.removeprefix("impulse ") for name in columns if name.startswith("impulse ")] == list(contacts)
    for k, event in enumerate(result.events):
        row = {name: values[k] for name, values in columns.items()}
        assert (row["kind"], row["contacts"]) == (event.kind, ", ".join(event.contacts))
        assert (row["source"], row["target"], row["t"]) == (event.source, event.target, event.t)
        for name in ("energy", "window", "nearest", "t_inf", "t_inf_error"):
            assert bits(row[name]) == bits(getattr(event, name)), name
        impulses = dict.fromkeys(contacts, math.nan) | dict(zip(event.contacts, event.impulse.tolist(), strict=True))
        assert {name: bits(row[f"impulse {name}"]) for name in contacts} == {
            name: bits(impulses[name]) for name in contacts
        }
        assert row["impulse"] == pytest.approx(float(np.sum(event.impulse)), rel=1e-15)


def test_a_plain_process_has_no_columns_of_contacts():
    frame = ball_ceiling_spring().simulate().events_dataframe()
    assert not [name for name in frame.columns if name.startswith("impulse ")]
    assert frame.impulse.isna().all()
    assert frame.energy.isna().all()
    assert set(frame.kind) == {"transition"}


def test_a_run_without_events_has_an_empty_table():
    ready = bouncing_ball()
    quiet = ready.model.simulate((0, 0.1), ready.start, ready.parameters)
    assert len(quiet.events_dataframe()) == 0
    assert "energy" in quiet.events_dataframe().columns
    assert quiet.to_xarray().sizes["event"] == 0


def test_a_dataset_knows_units_forces_gaps_and_status(ball):
    found = ball.to_xarray(bouncing_ball().units)
    assert found.z.units == "m"
    assert (found.t.units, found.gap.units, found.force.units, found.energy.units) == ("s", "m", "N", "J")
    assert found.attrs["status"] == "FINISHED"
    assert found.attrs["message"] == ball.message
    assert found.attrs["version"]
    assert found.contact.values.tolist() == ["ball"]
    assert np.array_equal(found.force.values, ball.normal_force)
    assert np.array_equal(found.gap.sel(contact="ball").values, ball["z"])
    assert np.array_equal(found.z.values, ball["z"])
    at_rest = found.force.values[0, -1]
    assert at_rest == pytest.approx(MASS * GRAVITY, rel=1e-12)
    assert found.event_t.values.tolist() == ball.events.t.tolist()
    assert (found.event_t.units, found.event_energy.units, found.event_impulse_ball.units) == ("s", "J", "N s")


def test_a_dataset_of_plain_functions_claims_no_units():
    found = dropped_ball().to_xarray({"height": "m"})
    assert set(found.data_vars) >= {"height", "speed", "event_t"}
    assert "force" not in found
    assert found.height.attrs == {"units": "m"}
    assert found.speed.attrs == found.t.attrs == {}
    assert found.side.values.tolist() == ["right", "right", "left", "right", "right"]


def test_unknown_units_are_refused():
    with pytest.raises(ValueError, match=r"units: unknown \['hight'\]; a unit belongs to one of"):
        dropped_ball().to_xarray({"hight": "m"})


@pytest.mark.parametrize(
    ("package", "call"), [("pandas", "to_dataframe"), ("pandas", "events_dataframe"), ("xarray", "to_xarray")]
)
def test_a_missing_package_is_a_sentence_with_its_cure(monkeypatch, package, call):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ImportError, match=rf"{call} needs {package}, .*: python -m pip install 'sympact\[tables\]'"):
        getattr(dropped_ball(), call)()


def test_csv_needs_no_pandas(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "pandas", None)
    dropped_ball(kind=EventKind.IMPACT).to_csv(tmp_path / "ball.csv")
    assert (tmp_path / "ball.csv").read_text(encoding="utf-8").splitlines()[:4] == [
        "t,side,stage,height,speed",
        "0.0,right,air,5.0,0.0",
        "0.5,right,air,3.75,-5.0",
        "1.0,left,air,0.0,-10.0",
    ]


numbers = st.floats(allow_nan=True, allow_infinity=True)
words = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1)


@given(rows=st.lists(st.tuples(numbers, numbers, words), min_size=1, max_size=20), names=st.tuples(words, words))
def test_a_csv_file_gives_the_same_bits_and_words_again(tmp_path_factory, rows, names):
    names = tuple(column_names(names))
    t, x, stage = (list(column) for column in zip(*rows, strict=True))
    samples = Samples(np.array(t), np.array(["right"] * len(t)), np.array(stage, object), names, np.array([x, x[::-1]]))
    path = tmp_path_factory.getbasetemp() / "samples.csv"
    write_csv(path, samples)
    with open(path, encoding="utf-8", newline="") as file:
        read = list(csv.DictReader(file))
    times, _, stages = column_names(["t", "side", "stage"], names)
    assert [row[stages] for row in read] == stage
    for column, truth in [(times, t), (names[0], x), (names[1], x[::-1])]:
        found = [float(row[column]) for row in read]
        # a NaN is a NaN: its payload is not written
        assert [bits(value) for value in found] == [bits(math.nan if math.isnan(v) else v) for v in truth]


def test_pandas_reads_a_file_with_the_same_bits(ball, tmp_path):
    ball.to_csv(tmp_path / "ball.csv")
    read = pd.read_csv(tmp_path / "ball.csv", engine="python")
    assert read[["z", "v"]].to_numpy().T.tobytes() == np.ascontiguousarray(ball.x).tobytes()
    assert read.t.to_numpy().tobytes() == ball.t.tobytes()


def test_settings_are_kept_and_read_back(tmp_path):
    ready = bouncing_ball()
    result = ready.simulate(rtol=1e-7, max_events=3)
    assert result.settings == {
        "t_span": [0.0, 5.0],
        "method": "DOP853",
        "rtol": 1e-7,
        "atol": 1e-12,
        "max_step": math.inf,
        "max_events": 3,
        "max_steps": None,
        "engine": about().engine,
        "length": pytest.approx(1.0),
        "dead_band": pytest.approx(1e-10),
        "rebound_height": pytest.approx(1e-10),
        "equation_residual": 0.0,
        "cone_violation": 0.0,
        "solvers": result.settings["solvers"],
    }
    result.save(tmp_path / "ball.npz")
    assert load(tmp_path / "ball.npz").settings == result.settings
