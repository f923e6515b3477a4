"""A run in a file: the same answers bit for bit, and a sentence for every damaged file."""

import io
import json
import pickle
import zipfile

import numpy as np
import pytest
from dropped_ball import dropped_ball
from hypothesis import given, settings
from hypothesis import strategies as st

from sympact.integrate.event import EventKind
from sympact.integrate.result import Hooks, load
from sympact.integrate.status import Status

FORMULAS = Hooks(graph=lambda: {"nodes": [["const", 1.5]]})


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
    with zipfile.ZipFile(saved, "a") as archive:
        body = io.BytesIO()
        np.lib.format.write_array_header_1_0(body, {"descr": "|O", "fortran_order": False, "shape": (1,)})
        archive.writestr("trap.npy", body.getvalue() + pickle.dumps([Trap()]))
    with pytest.raises(ValueError, match="not a readable run of sympact"):
        load(saved)


def test_changed_numbers_are_noticed(saved):
    with np.load(saved) as archive:
        x = archive["x"].copy()
    x[1, 0] = np.nextafter(x[1, 0], 10.0)
    with pytest.raises(ValueError, match="does not match its checksum"):
        load(rewritten(saved, x=x))


def test_another_format_version_is_named(saved):
    with np.load(saved) as archive:
        header = json.loads(str(archive["header"])) | {"version": 99}
    with pytest.raises(ValueError, match="version 99; this sympact reads 'sympact result' version 3"):
        load(rewritten(saved, header=np.array(json.dumps(header))))


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


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_damaged_files_are_refused_or_harmless(tmp_path_factory, data):
    """Any cut or any changed byte gives the sentence, unless the byte says nothing (a time stamp of the archive)."""
    path = tmp_path_factory.mktemp("damaged") / "ball.npz"
    original = dropped_ball(FORMULAS, kind=EventKind.IMPACT)
    original.save(path)
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
