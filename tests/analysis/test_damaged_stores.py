"""Stores that are lost in part or changed: that is named, or the runs are made again; nothing is silently wrong.

The truth is the same ensemble in memory, whose bits do not depend on a store.
"""

from __future__ import annotations

import json
import shutil
import warnings
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from counted_balls import assert_same, balls

from sympact import Ensemble, Status, SympactWarning
from sympact.analysis.store import store_layout, store_mending
from sympact.analysis.store.run_checks import event_checks, event_sums, row_checks
from sympact.models import bouncing_ball

pytestmark = pytest.mark.skipif(find_spec("zarr") is None, reason="stores need zarr, the extra `store`")

COLUMNS = ("x", "t", "x0", "n_events", "steps", "rejected", "at_rest")


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch):
    """A store has many chunks."""
    monkeypatch.setattr(store_layout, "_RUNS", 16)
    monkeypatch.setattr(store_layout, "_ALL_READ", {"status": 32, "warnings": 32})
    monkeypatch.setattr(store_layout, "_EVENTS", 200)
    monkeypatch.setattr(store_mending, "_ROWS", 150)


@pytest.fixture(scope="module")
def whole():
    return balls()


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    path = tmp_path_factory.mktemp("stores") / "made.zarr"
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(store_layout, "_RUNS", 16)
        changed.setattr(store_layout, "_ALL_READ", {"status": 32, "warnings": 32})
        changed.setattr(store_layout, "_EVENTS", 200)
        balls(store=path)
    return path


def chunk_lost(path: Path, rng: np.random.Generator) -> None:
    """A chunk is not there."""
    rng.choice(chunks(path)).unlink()


def bits_flipped(path: Path, rng: np.random.Generator) -> None:
    """A bit of some file is another one."""
    file = rng.choice(files(path))
    content = bytearray(file.read_bytes())
    content[rng.integers(len(content))] ^= 1 << rng.integers(8)
    file.write_bytes(content)


def file_cut(path: Path, rng: np.random.Generator) -> None:
    """A file ends early."""
    file = rng.choice(files(path))
    content = file.read_bytes()
    file.write_bytes(content[: rng.integers(len(content))])


def description_lost(path: Path, rng: np.random.Generator) -> None:
    """A file that describes arrays is not there, or is another one's."""
    found = [file for file in files(path) if file.name.startswith(".z")]
    file, other = rng.choice(found, 2)
    file.unlink() if rng.integers(2) else file.write_bytes(other.read_bytes())


def chunk_exchanged(path: Path, rng: np.random.Generator) -> None:
    """A chunk has the contents of another one of its array, as an older copy might."""
    file = rng.choice([one for one in chunks(path) if len(list(one.parent.iterdir())) > 3])
    other = rng.choice([one for one in file.parent.iterdir() if not one.name.startswith(".z") and one != file])
    file.write_bytes(other.read_bytes())


DAMAGES = [chunk_lost, bits_flipped, file_cut, description_lost, chunk_exchanged]


def files(path: Path) -> list[Path]:
    return sorted(file for file in path.rglob("*") if file.is_file())


def chunks(path: Path) -> list[Path]:
    return [file for file in files(path) if not file.name.startswith(".z")]


def named(path: Path, error: ValueError) -> str:
    """The sentence names the store."""
    assert str(path) in str(error)
    return "named"


def looked_at(path: Path, whole: Ensemble) -> str:
    """What a reader meets: a sentence, or right numbers, or runs that are told as not there."""
    try:
        found = Ensemble.open(path, bouncing_ball())
        there = found.status != Status.INTERRUPTED
        columns = {name: getattr(found, name) for name in COLUMNS}
        events, kinds = found.events, list(found.warnings)
    except ValueError as error:
        return named(path, error)
    for name, own in columns.items():
        right = getattr(whole, name)
        assert np.array_equal(own[there], right[there], equal_nan=right.dtype.kind == "f"), name
    of_these = whole.events[there[whole.events.run]]
    for name in ("run", "t", "codes", "contacts", "impulse"):
        assert np.array_equal(getattr(events, name), getattr(of_these, name)), name
    assert kinds == list(whole.warnings)
    return "right" if there.all() else "told"


def gone_on(path: Path, whole: Ensemble) -> str:
    """What the call meets that goes on: a sentence, or the same bits, with a warning or where nothing was changed."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            found = balls(store=path)
        except ValueError as error:
            return named(path, error)
    assert_same(found, whole)
    assert_same(Ensemble.open(path, bouncing_ball()), whole)
    assert all(isinstance(one.message, SympactWarning) and str(path) in str(one.message) for one in told)
    return "made again" if told else "harmless"


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_store_is_named_or_mended(tmp_path, made, whole, damage):
    path = shutil.copytree(made, tmp_path / "runs.zarr")
    damage(path, np.random.default_rng(DAMAGES.index(damage)))
    assert looked_at(path, whole) in ("named", "right", "told")
    assert gone_on(path, whole) in ("named", "made again", "harmless")


@pytest.mark.slow
def test_two_hundred_damaged_stores(tmp_path, made, whole):
    met: dict[tuple[str, str, str], int] = {}
    for shot in range(200):
        rng, damage = np.random.default_rng([7, shot]), DAMAGES[shot % len(DAMAGES)]
        path = shutil.copytree(made, tmp_path / f"{shot}.zarr")
        for _ in range(1 + shot // 100):
            damage(path, rng)
        key = damage.__name__, looked_at(path, whole), gone_on(path, whole)
        met[key] = met.get(key, 0) + 1
        shutil.rmtree(path)
    print("\n", *(f"{count:4d} {key}\n" for key, count in sorted(met.items())))
    assert sum(met.values()) == 200


@pytest.mark.parametrize(
    "name", ["x", "t", "x0", "n_events", "event_t", "event_run", "parameter_e", "at_rest", "check"]
)
def test_a_lost_chunk_is_named_with_its_runs(tmp_path, made, name):
    path = shutil.copytree(made, tmp_path / "runs.zarr")
    for file in chunks(path / name)[:1]:
        file.unlink()
    found = Ensemble.open(path, bouncing_ball())
    said = (
        r"runs\.zarr is damaged: (its array '\w+'|one of its arrays of events) does not have what was written of "
        r"\d+ runs, the first one run \d+; call ensemble\(\.\.\., store="
    )
    with pytest.raises(ValueError, match=said):
        [getattr(found, column) for column in (*COLUMNS, "events", "parameters")]
    if name == "x":
        with pytest.warns(
            SympactWarning, match=r"something in 'x' is lost or changed; 16 runs, the first one run 0, are"
        ):
            balls(store=path)


def test_a_run_alone_is_checked(tmp_path, made, whole):
    path = shutil.copytree(made, tmp_path / "runs.zarr")
    chunks(path / "x0")[1].unlink()
    found = Ensemble.open(path, bouncing_ball())
    assert np.array_equal(found[3].x[:, -1], whole.x[3])
    with pytest.raises(
        ValueError, match="its array 'x0' does not have what was written of 1 runs, the first one run 20"
    ):
        found[20]


def test_a_store_without_its_description_is_named(tmp_path, made, whole):
    path = shutil.copytree(made, tmp_path / "runs.zarr")
    (path / ".zattrs").unlink()
    assert_same(balls(store=path), whole)  # from the copy
    text = json.loads((path / ".zattrs").read_text())
    text["sympact"] = text["sympact"].replace('"seed": "5"', '"seed": "6"')
    for file in (".zattrs", ".zmetadata"):
        (path / file).write_text(json.dumps(text))
    for call in (lambda: balls(store=path), lambda: Ensemble.open(path, bouncing_ball())):
        with pytest.raises(
            ValueError, match=r"runs\.zarr is damaged: its description, \.zattrs, is not as it was written"
        ):
            call()


def test_numbers_of_rows_differ_where_any_bit_does():
    rng = np.random.default_rng(3)
    values, runs = rng.normal(size=(50, 4)), np.arange(50)
    numbers = row_checks(values, runs)
    for bit in range(64):
        changed = values.copy()
        changed.view(np.uint64)[:, bit % 4] ^= np.uint64(1) << np.uint64(bit)
        assert (row_checks(changed, runs) != numbers).all()
    assert (row_checks(-values, runs) != numbers).all()
    assert (row_checks(values, runs + 1) != numbers).all()
    assert (row_checks(np.zeros((50, 4)), runs) != 0).all()


def test_events_are_summed_in_any_pieces():
    rng = np.random.default_rng(4)
    columns = {
        "event_run": np.repeat(np.arange(10), 7),
        "event_t": rng.normal(size=70),
        "event_contacts": rng.random((70, 3)) < 0.5,
    }
    sums = event_sums(columns, 10)
    pieces = [event_sums({name: values[k : k + 9] for name, values in columns.items()}, 10) for k in range(0, 70, 9)]
    assert np.array_equal(sum(pieces[1:], pieces[0]), sums)
    lost = {name: np.delete(values, 33, axis=0) for name, values in columns.items()}
    other = event_checks(event_sums(lost, 10), np.arange(10)) != event_checks(sums, np.arange(10))
    assert np.flatnonzero(other).tolist() == [4]
