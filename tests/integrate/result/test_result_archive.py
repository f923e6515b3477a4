"""A run in a file: the same answers bit for bit, and a sentence for every damaged file."""

import io
import json
import pickle
import tempfile
import tracemalloc
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from dropped_ball import dropped_ball
from hypothesis import given, settings
from hypothesis import strategies as st
from known_model import KnownModel
from quick_members import examples, members

from sympact.integrate.export import archive
from sympact.integrate.export.archive import _checksum
from sympact.integrate.history.event import NUMBERS, EventKind
from sympact.integrate.history.event_numbers import FIRST_VERSION
from sympact.integrate.problem.status import Status
from sympact.integrate.result import load
from sympact.models import bouncing_ball

FORMULAS = KnownModel({}, graph={"nodes": [["const", 1.5]]})


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "ball.npz"
    dropped_ball(FORMULAS, np.array([0.0, 0.3, 1.0]), Status.MAX_EVENTS, EventKind.IMPACT).save(path)
    return path


def rewritten(path, **changes):
    """The file with other arrays in it, the checksum left as it was."""
    with np.load(path) as archive:
        arrays = {name: archive[name] for name in archive.files} | changes
    np.savez(path, **arrays)
    return path


@pytest.mark.parametrize("t_eval", [None, np.array([0.0, 0.3, 1.0])])
def test_a_run_read_back_answers_bit_for_bit(tmp_path, t_eval):
    original = dropped_ball(FORMULAS, t_eval, Status.ACCUMULATION, EventKind.IMPACT)
    original.save(tmp_path / "ball.npz")
    again = load(tmp_path / "ball.npz")
    times = np.linspace(0, 1.5, 1001)
    for side in ("left", "right"):
        assert np.array_equal(original(times, side), again(times, side))
    assert np.array_equal(original.t, again.t)
    assert np.array_equal(original.x, again.x)
    assert (original.path, original.status, original.counts) == (again.path, again.status, again.counts)
    assert original.table() == again.table()
    assert original.state_names == again.state_names


def test_the_file_gets_exactly_the_name_it_was_given(tmp_path):
    dropped_ball().save(tmp_path / "run")
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_the_file_holds_numbers_and_text_only(saved):
    with np.load(saved, allow_pickle=False) as archive:
        assert {archive[name].dtype.kind for name in archive.files} <= set("fibU")
        assert json.loads(str(archive["header"]))["graph"] == {"nodes": [["const", 1.5]]}


def test_a_pickle_inside_is_refused_unread(saved):
    class Trap:
        def __reduce__(self):
            return pytest.fail, ("the file was evaluated",)

    rewritten(saved)
    with zipfile.ZipFile(saved, "a") as members:
        body = io.BytesIO()
        np.lib.format.write_array_header_1_0(body, {"descr": "|O", "fortran_order": False, "shape": (1,)})
        members.writestr("trap.npy", body.getvalue() + pickle.dumps([Trap()]))
    with pytest.raises(ValueError, match="not a readable run of sympact"):
        load(saved)


def test_changed_numbers_are_noticed(saved):
    with np.load(saved) as archive:
        x = archive["x"].copy()
    x[1, 0] = np.nextafter(x[1, 0], 10.0)
    with pytest.raises(ValueError, match="does not match its checksum"):
        load(rewritten(saved, x=x))


def test_another_format_version_is_named(saved):
    with np.load(saved) as arrays:
        header = json.loads(str(arrays["header"])) | {"version": 99}
    with pytest.raises(ValueError, match="version 99; this sympact reads 'sympact result' version 3 or 4 or 5"):
        load(rewritten(saved, header=np.array(json.dumps(header))))


LATER = archive._READABLE[-1] + 1


def test_a_file_older_than_a_number_of_its_events_is_read(saved, monkeypatch):
    """A number that a later version adds: its file has the later version, an older one has what was said of it."""
    older = load(saved)
    later = replace(NUMBERS[0], name="later", since=LATER, absent=2.5)
    monkeypatch.setattr(archive, "NUMBERS", (*NUMBERS, later))
    monkeypatch.setattr(archive, "_VERSION", LATER)
    monkeypatch.setattr(archive, "_READABLE", range(FIRST_VERSION, LATER + 1))
    again = load(saved)
    assert again._record.event_numbers["later"].tolist() == [2.5]
    assert again.table() == older.table()
    again.save(saved)
    with np.load(saved) as arrays:
        assert json.loads(str(arrays["header"]))["version"] == LATER
        assert arrays["event_later"].tolist() == [2.5]
    assert load(saved)._record.event_numbers["later"].tolist() == [2.5]
    monkeypatch.undo()
    with pytest.raises(
        ValueError, match=f"version {LATER}; this sympact reads 'sympact result' version 3 or 4 or 5 or 6 or 7 or 8;"
    ):
        load(saved)


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x03\x04", b"\x93NUMPY\x01\x00"])
def test_another_kind_of_file_is_a_sentence(tmp_path, content):
    path = tmp_path / "other.npz"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="not a readable run of sympact"):
        load(path)


def test_a_single_array_is_a_sentence(tmp_path):
    path = tmp_path / "array.npz"
    with open(path, "wb") as file:
        np.save(file, np.arange(3.0))
    with pytest.raises(ValueError, match="not a readable run of sympact"):
        load(path)


def test_a_missing_file_is_its_own_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "nothing.npz")


@examples(100, 300, data=st.data())
def test_damaged_files_are_refused_or_harmless(data):
    """Any cut or any changed byte gives the sentence, unless the byte says nothing (a time stamp of the archive)."""
    original = dropped_ball(FORMULAS, kind=EventKind.IMPACT)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "ball.npz")
        original.save(path)
        refused_or_harmless(path, original, data)


def refused_or_harmless(path, original, data):
    """A file that is damaged as drawn is refused with its name, or has the same run."""
    content = bytearray(path.read_bytes())
    place = data.draw(st.integers(0, len(content) - 1))
    if data.draw(st.booleans()):
        path.write_bytes(content[:place])
    else:
        content[place] ^= data.draw(st.integers(1, 255))
        path.write_bytes(content)
    try:
        again = load(path)
    except ValueError as error:
        again, sentence = None, str(error)
    if again is None:
        assert str(path) in sentence
    else:
        assert np.array_equal(original.x, again.x)
        assert original.table() == again.table()


# --- files whose checksum is right and whose contents are not


@pytest.fixture(scope="module")
def of_a_model(tmp_path_factory):
    """The file of a bouncing ball, with the formulas of its energies and gaps."""
    path = tmp_path_factory.mktemp("model") / "model.npz"
    bouncing_ball().simulate(max_events=3).save(path)
    with np.load(path) as archive:
        return {name: archive[name] for name in archive.files}


def signed(path, arrays):
    """Arrays in a file with the checksum that belongs to them."""
    arrays = {name: array for name, array in arrays.items() if name != "checksum"}
    np.savez(path, checksum=np.array(_checksum(arrays)), **arrays)
    return path


def used(result):
    """What a user may ask of a result, as numbers and texts."""
    first, last = result.t_span
    answers = [repr(result), result.table(), result.path, result.counts, result.state_names, result.t, result.x]
    answers += [result(np.linspace(first, last, 7)), result.events.t, result.events.kinds(), result.settings]
    answers += [[(event.kind, event.t, event.contacts) for event in result.events], result.warnings]
    if result.gaps is not None:
        answers += [result.gaps]
    answers += [result.kinetic_energy]
    return answers


def same(one, other):
    if isinstance(one, np.ndarray):
        return np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
    return one == other


ODD = st.sampled_from([np.nan, np.inf, -np.inf, -1.0, 0.0, 1e300, 2.0**62, -(2.0**62)])


def changed(data, name, array):
    """The array with other numbers, another length, another dtype, or another number of dimensions."""
    how = data.draw(st.sampled_from(["numbers", "length", "dtype", "dimensions", "order"]))
    if how == "numbers" and array.size and array.dtype.kind in "fi":
        array = array.copy()
        with np.errstate(invalid="ignore"):
            array.flat[data.draw(st.integers(0, array.size - 1))] = np.array(data.draw(ODD)).astype(array.dtype)
        return array
    if how == "length" and array.ndim:
        return np.repeat(array, data.draw(st.sampled_from([0, 2, 3])), axis=data.draw(st.integers(0, array.ndim - 1)))
    if how == "order" and array.ndim:
        return array[::-1]
    if how == "dtype" and array.dtype.kind != "U":
        with np.errstate(invalid="ignore"):
            return array.astype(data.draw(st.sampled_from(["f4", ">f8", "i4", "i8", "?", "U8"])))
    return array[np.newaxis] if data.draw(st.booleans()) else array.reshape(-1)


def other_header(data, text):
    """The header with another value somewhere in it."""
    header = json.loads(text)
    place, key = header, data.draw(st.sampled_from(sorted(header)))
    for _ in range(data.draw(st.integers(0, 4))):
        inner = place[key]
        if isinstance(inner, dict) and inner:
            place, key = inner, data.draw(st.sampled_from(sorted(inner)))
        elif isinstance(inner, list) and inner:
            place, key = inner, data.draw(st.integers(0, len(inner) - 1))
    value = data.draw(st.sampled_from([None, -1, 0, 10**9, 1.5, "", "x", "nan", [], [1], ["x"], {}, {"x": 1}, True]))
    if data.draw(st.booleans()):
        place[key] = value
    else:
        del place[key]
    return json.dumps(header)


@pytest.mark.parametrize("number", members([40, 120], slow=[120]))
def test_a_file_with_a_right_checksum_is_a_run_or_a_sentence(of_a_model, tmp_path, number):
    """Whoever changes a file may write its checksum, too: what loads can be used."""

    def of_draws(data):
        run_or_sentence(tmp_path / "ball.npz", dict(of_a_model), data)

    settings(max_examples=number, deadline=None)(given(data=st.data())(of_draws))()


def run_or_sentence(path, arrays, data):
    """Arrays that are changed as drawn are loaded as a run that can be used, or refused with the name of the file."""
    if data.draw(st.booleans()):
        arrays["header"] = np.array(other_header(data, str(arrays["header"])))
    else:
        name = data.draw(st.sampled_from(sorted(set(arrays) - {"checksum"})))
        arrays[name] = changed(data, name, arrays[name])
    result, sentence = None, ""
    try:
        result = load(signed(path, arrays))
    except ValueError as error:
        sentence = str(error)
    if result is None:
        assert str(path) in sentence
        return
    try:
        used(result)
    except TypeError as error:
        sentence = str(error)
    assert not sentence or "loaded from a file" in sentence


def test_the_same_arrays_signed_anew_are_the_same_run(of_a_model, tmp_path):
    original = bouncing_ball().simulate(max_events=3)
    again = load(signed(tmp_path / "again.npz", of_a_model))
    assert all(same(*pair) for pair in zip(used(original)[1:11], used(again)[1:11], strict=True))


@pytest.mark.parametrize(
    ("name", "change", "sentence"),
    [
        ("x", lambda x: x[:, :1], r"x has the shape \(\d+, 1\), expected \(\d+, 2\)"),
        ("stage", lambda stage: stage + 7, "stage has numbers outside of their range"),
        ("event_sample", lambda sample: sample + 10**6, "event_sample has numbers outside of their range"),
        ("event_kind", lambda kind: kind.astype(float), "event_kind has 1 dimensions of float64, expected 1 of int64"),
        ("t", lambda t: t[::-1], "t has numbers outside of their range"),
        ("segment_h", lambda h: 0 * h, "segment_h has numbers outside of their range"),
        ("surplus", lambda _: np.zeros(3), "surplus is unknown"),
    ],
)
def test_what_contradicts_itself_is_named(of_a_model, tmp_path, name, change, sentence):
    arrays = of_a_model | {name: change(of_a_model.get(name))}
    with pytest.raises(ValueError, match=sentence):
        load(signed(tmp_path / "ball.npz", arrays))


def test_a_small_file_that_would_unpack_to_gigabytes_is_refused_at_once(tmp_path):
    """2 MB of zeros deflated: neither memory nor time is spent on them."""
    path = tmp_path / "bomb.npz"
    archive = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
    with archive, archive.open("x.npy", "w", force_zip64=True) as member:
        np.lib.format.write_array_header_1_0(member, {"descr": "<f8", "fortran_order": False, "shape": (2**22, 2)})
        for _ in range(2**3):
            member.write(bytes(2**23))
    tracemalloc.start()
    with pytest.raises(ValueError, match="claim to be larger than the file"):
        load(path)
    assert tracemalloc.get_traced_memory()[1] < 2**22
    tracemalloc.stop()
    assert path.stat().st_size < 2**20
