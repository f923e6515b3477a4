"""The Zarr store of an ensemble: made, continued, and written chunk by chunk."""

from __future__ import annotations

import json
import shutil
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from sympact.analysis.run_rows import Rows
from sympact.analysis.scheduling.chunk_job import Chunk, joined
from sympact.analysis.store.store_layout import EVENT_COLUMNS, Layout
from sympact.integrate.problem.status import Status
from sympact.native.system.platform_calls import lock_folder

__all__ = ["RunStore", "header_of", "open_store"]

_CURE = "python -m pip install 'sympact[store]'"

_SENTENCES = {"model": "it is of another model", "x0": "its x0 is another", "parameters": "its parameters are others"}
"""How ensembles differ in what is compared by a digest."""


class RunStore:
    """A store that is being written, by one process.

    A run is there when its status is: that is written after everything else of its chunk. Each file is replaced as a
    whole. Events follow each other in the order in which chunks arrive; the rows that count are as many as the runs
    that are there have events, and what a killed process has written beyond them is overwritten.

    Parameters
    ----------
    path : Path
    varying : sequence of int
        The places of the parameters that have an array each, in the order of `parameters`.
    parameters : sequence of str
        Their names.
    """

    def __init__(self, path: Path, varying: list[int], parameters: list[str]) -> None:
        self._path, self._varying, self._parameters = path, varying, parameters
        self._group = open_store(path, "r+")
        self._arrays = dict(self._group.arrays())
        self._ended = self._arrays["status"][:] != Status.INTERRUPTED.code
        self._events = int(self._arrays["n_events"][:][self._ended].sum())
        if "event_run" in self._arrays:
            self._resize(self._events)
            self._publish()

    @property
    def ended(self) -> int:
        """How many runs are there."""
        return int(self._ended.sum())

    def gaps(self) -> list[tuple[int, int]]:
        """The runs that are not there: from the first to the one before the last of each gap.

        No gap passes the end of a chunk of `status`, so that the status of all its runs is written in one file.
        """
        edges = np.flatnonzero(np.diff(np.concatenate([[True], self._ended, [True]]).astype(np.int8))).reshape(-1, 2)
        size = self._arrays["status"].chunks[0]
        return [
            (max(first, start), min(last, start + size))
            for first, last in edges.tolist()
            for start in range(first - first % size, last, size)
        ]

    def write(self, chunks: list[Chunk]) -> None:
        """Store chunks, in the order of their runs; what has not ended is left for later."""
        size = self._arrays["status"].chunks[0]
        for _, group in groupby(chunks, lambda chunk: chunk.first // size):
            for whole in joined(list(group)):
                self._write(whole)

    def _write(self, chunk: Chunk) -> None:
        """Store runs that follow each other."""
        if not chunk.ended.any():
            return
        place = slice(chunk.first, chunk.first + chunk.runs)
        if "event_run" in self._arrays:
            self._append(chunk.rows)
        self._note_warnings(chunk)
        for name, values in self._columns(chunk).items():
            if values.dtype.kind == "f" or values.any():  # others are zero where nothing is written
                self._arrays[name][place] = values
        if "event_run" in self._arrays:
            self._publish()
        self._arrays["status"][place] = chunk.rows.status
        self._ended[place] = chunk.ended

    def _columns(self, chunk: Chunk) -> dict[str, np.ndarray]:
        """What is stored of each run but its status."""
        rows, table = chunk.rows, chunk.table
        starts = {"x0": table.starts} if self._arrays["x0"].ndim == 2 else {}
        numbers = zip(self._parameters, table.parameters[:, self._varying].T, strict=True)
        samples = {} if rows.samples is None else {"samples": rows.samples}
        counts = zip(("n_events", "steps", "rejected"), rows.counts.T, strict=True)
        own = {"t": rows.t, "x": rows.x, "at_rest": rows.rests, "made_alone": rows.made_alone}
        return {**starts, **dict(numbers), **own, **dict(counts), **samples, "warnings": self._flags(chunk)}

    def _flags(self, chunk: Chunk) -> np.ndarray:
        """The warnings of each run, a bit for each kind."""
        kinds = self._arrays["warnings"].attrs["kinds"]
        found = np.zeros(chunk.runs, np.uint32)
        for kind, runs in chunk.rows.warnings.items():
            found[np.concatenate(runs) - chunk.first] |= np.uint32(1 << kinds.index(kind))
        return found

    def _note_warnings(self, chunk: Chunk) -> None:
        """Know the kinds of the warnings."""
        attributes = self._arrays["warnings"].attrs
        known = attributes["kinds"]
        new = [kind for kind in chunk.rows.warnings if kind not in known]
        if new:
            attributes["kinds"] = [*known, *new]
            self._publish()

    def _append(self, rows: Rows) -> None:
        """Write the events of a chunk after those that are there."""
        first = self._events
        self._events += sum(len(columns["kept_t"]) for columns in rows.events)
        if self._events == first:
            return
        self._resize(self._events)
        for name, column in EVENT_COLUMNS.items():
            if name in self._arrays:
                self._arrays[name][first : self._events] = np.concatenate([one[column] for one in rows.events])

    def _resize(self, events: int) -> None:
        """Let there be so many rows of events."""
        for name in EVENT_COLUMNS:
            if name in self._arrays and self._arrays[name].shape[0] != events:
                array = self._arrays[name]
                array.resize((events, *array.shape[1:]))

    def _publish(self) -> None:
        """Let readers know the number of events, in one file."""
        _zarr().consolidate_metadata(str(self._path))

    @classmethod
    @contextmanager
    def of(
        cls,
        path: Path,
        layout: Layout,
        header: Mapping[str, Any],
        constants: Mapping[str, np.ndarray],
        varying: list[int],
    ) -> Iterator[RunStore]:
        """The store of an ensemble, which is made where there is none; no other process writes it meanwhile.

        Raises
        ------
        ValueError
            If there is something else, another ensemble, or another process that writes it.
        """
        _zarr()
        if not path.exists():
            _make(path, layout, header, constants)
        different = _differences(header_of(path), header)
        if different:
            raise ValueError(
                f"the store {path} holds another ensemble: {'; '.join(different)}; give the arguments it was made "
                "with, or the path of a new store"
            )
        with _locked(path):
            yield cls(path, varying, list(layout.parameters))


def _make(path: Path, layout: Layout, header: Mapping[str, Any], constants: Mapping[str, np.ndarray]) -> None:
    """A store without runs; it is there whole or not at all."""
    new = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        group = _zarr().open_group(str(new), mode="w", zarr_format=2)
        for one in layout.variables():
            shape = tuple(layout.sizes[axis] for axis in one.axes)
            array = group.create_array(
                one.name,
                shape=shape,
                chunks=one.chunks(shape),
                dtype=one.kind,
                fill_value=one.fill,
                attributes=one.attributes,
            )
            if one.name in constants:
                array[...] = constants[one.name]
        group["status"][:] = Status.INTERRUPTED.code
        group.attrs.update({**header["about"], "sympact": json.dumps(header)})
        _zarr().consolidate_metadata(str(new))
        new.rename(path)
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        raise


def open_store(path: Path, mode: str) -> Any:
    """The group of a store."""
    return _zarr().open_group(str(path), mode=mode, zarr_format=2, use_consolidated=False)


def header_of(path: Path) -> dict[str, Any]:
    """What a store says of the ensemble that it holds.

    Raises
    ------
    ValueError
        If there is no store, or it holds something else.
    """
    zarr = _zarr()
    if not path.exists():
        raise ValueError(f"there is no store {path}; ensemble(..., store={str(path)!r}) makes one")
    try:
        found = open_store(path, "r").attrs.get("sympact")
    except (FileNotFoundError, zarr.errors.BaseZarrError) as error:
        raise ValueError(f"{path} is no store of an ensemble: {error}; give another path") from None
    if found is None:
        raise ValueError(f"{path} is a Zarr group, but no store of an ensemble; give another path")
    return json.loads(found)


def _differences(there: Mapping[str, Any], here: Mapping[str, Any]) -> list[str]:
    """In which respects two ensembles differ, each as a part of a sentence."""
    told = []
    for name, value in json.loads(json.dumps(here["identity"])).items():
        other = there["identity"].get(name)
        if other == value:
            continue
        if isinstance(value, dict) and isinstance(other, dict):
            differing = [key for key in value if other.get(key) != value[key]]
            told += [f"{key} is {other.get(key)!r} there and {value[key]!r} here" for key in differing]
        elif name in _SENTENCES:
            told.append(_SENTENCES[name])
        else:
            told.append(f"{name} is {other!r} there and {value!r} here")
    return told


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """No other process writes a store in this block; the system ends the lock of one that was killed."""
    release = lock_folder(path)
    if release is None:
        raise ValueError(f"another process writes the store {path}; wait for its end, or give another path")
    try:
        yield
    finally:
        release()


def _zarr() -> Any:
    try:
        import zarr
    except ImportError as error:
        raise ImportError(f"a store needs zarr, which is not installed; install it with: {_CURE}") from error
    return zarr
