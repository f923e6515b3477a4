"""The Zarr store of an ensemble: made, continued, and written chunk by chunk."""

from __future__ import annotations

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
from sympact.analysis.store.run_checks import event_checks, event_sums, kinds_check, row_checks
from sympact.analysis.store.store_arrays import create, zarr_package
from sympact.analysis.store.store_header import attributes_of, differences, header_of
from sympact.analysis.store.store_layout import EVENT_COLUMNS, Layout
from sympact.analysis.store.store_mending import mend_store
from sympact.integrate.problem.status import Status
from sympact.native.system.platform_calls import lock_folder

__all__ = ["RunStore"]


class RunStore:
    """A store that is being written, by one process.

    A run is there when its status is: that is written after everything else of its chunk, with a number for each of its
    columns, by which it is checked. Each file is replaced as a whole. Events follow each other in the order in which
    chunks arrive; the rows that count are as many as the runs that are there have events, and what a killed process has
    written beyond them is overwritten.

    Parameters
    ----------
    path : Path
    arrays : dict of str to Array
    ended : array of bool, shape (runs,)
        Which runs are there.
    new : bool
        Whether nothing was written for the others.
    checked : sequence of str
        The columns of ``check``.
    varying : sequence of int
        The places of the parameters that have an array each, in the order of `parameters`.
    parameters : sequence of str
        Their names.
    """

    def __init__(
        self,
        path: Path,
        arrays: dict[str, Any],
        ended: np.ndarray,
        new: bool,
        checked: list[str],
        varying: list[int],
        parameters: list[str],
    ) -> None:
        self._path, self._varying, self._parameters = path, varying, parameters
        self._arrays, self._ended, self._new, self._checked = arrays, ended, new, checked
        self._events = int(self._arrays["n_events"][:][self._ended].sum())
        for name in EVENT_COLUMNS:
            if name in self._arrays:
                self._resize(name, self._events)
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
                try:
                    self._write(whole)
                except OSError as error:
                    error.add_note(
                        f"raised while the store {self._path} was written; the same call goes on with its runs"
                    )
                    raise

    def _write(self, chunk: Chunk) -> None:
        """Store runs that follow each other."""
        if not chunk.ended.any():
            return
        place = slice(chunk.first, chunk.first + chunk.runs)
        if "event_run" in self._arrays:
            self._append(chunk.rows)
        self._note_warnings(chunk)
        columns = self._columns(chunk)
        for name, values in columns.items():
            if values.dtype.kind == "f" or values.any() or not self._new:  # others are zero where nothing is written
                self._arrays[name][place] = values
        self._arrays["check"][place] = self._checks(chunk, columns)
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

    def _checks(self, chunk: Chunk, columns: Mapping[str, np.ndarray]) -> np.ndarray:
        """The numbers by which runs are checked, shape (runs, columns)."""
        numbers, known = chunk.first + np.arange(chunk.runs), {**columns, "status": chunk.rows.status}
        found = np.zeros((chunk.runs, len(self._checked)), dtype=np.uint32)
        for column, name in enumerate(self._checked):
            if name == "events":
                sums = event_sums(self._event_columns(chunk.rows), chunk.runs, chunk.first)
                found[:, column] = event_checks(sums, numbers)
            else:
                found[:, column] = row_checks(known[name], numbers)
        return found

    def _event_columns(self, rows: Rows) -> dict[str, np.ndarray]:
        """The events of a chunk by the names of their arrays."""
        empty = {name: self._arrays[name][:0] for name in EVENT_COLUMNS if name in self._arrays}
        return {
            name: np.concatenate([none, *(one[EVENT_COLUMNS[name]] for one in rows.events)]).astype(none.dtype)
            for name, none in empty.items()
        }

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
            attributes.update({"kinds": [*known, *new], "check": kinds_check([*known, *new])})
            self._publish()

    def _append(self, rows: Rows) -> None:
        """Write the events of a chunk after those that are there.

        The runs of the events come first, before other arrays have their rows: a row counts when all arrays have it,
        and a row that is not written yet names run 0.
        """
        first = self._events
        self._events += sum(len(columns["kept_t"]) for columns in rows.events)
        if self._events == first:
            return
        for name, values in self._event_columns(rows).items():
            self._resize(name, self._events)
            self._arrays[name][first : self._events] = values

    def _resize(self, name: str, events: int) -> None:
        """Let an array have so many rows of events."""
        array = self._arrays[name]
        if array.shape[0] != events:
            array.resize((events, *array.shape[1:]))

    def _publish(self) -> None:
        """Let readers know the number of events, in one file."""
        zarr_package().consolidate_metadata(str(self._path))

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
        zarr_package()
        if not path.exists():
            _make(path, layout, header, constants)
        different = differences(header_of(path), header)
        if different:
            raise ValueError(
                f"the store {path} holds another ensemble: {'; '.join(different)}; give the arguments it was made "
                "with, or the path of a new store"
            )
        with _locked(path):
            arrays, ended, whole = mend_store(path, layout, header, constants)
            yield cls(path, arrays, ended, whole, layout.checked, varying, list(layout.parameters))


def _make(path: Path, layout: Layout, header: Mapping[str, Any], constants: Mapping[str, np.ndarray]) -> None:
    """A store without runs; it is there whole or not at all."""
    new = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        group = zarr_package().open_group(str(new), mode="w", zarr_format=2)
        for one in layout.variables():
            array = create(group, one, layout)
            if one.name in constants:
                array[...] = constants[one.name]
        group["status"][:] = Status.INTERRUPTED.code
        group.attrs.update(attributes_of(header))
        zarr_package().consolidate_metadata(str(new))
        new.rename(path)
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        raise


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
