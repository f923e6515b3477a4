"""The runs of a store as rows, each column read on request."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from sympact.analysis.store.run_checks import event_checks, event_sums, kinds_check, row_checks
from sympact.analysis.store.store_arrays import open_store
from sympact.analysis.store.store_header import digest_of
from sympact.analysis.store.store_layout import EVENT_COLUMNS
from sympact.analysis.subjects import Subject
from sympact.integrate.batch.batch_worker import Columns
from sympact.integrate.problem.status import Status
from sympact.integrate.result import Result
from sympact.native.cached import cached_property

__all__ = ["StoredRows"]

_OF_ALL_EVENTS = ("event_run", "event_t", "event_kind")
"""Arrays that all stores with events have."""


@dataclass(frozen=True, eq=False)
class StoredRows:
    """What `Rows` and `Table` have, from a store.

    Parameters
    ----------
    path : Path
    subject : Subject
    others : mapping
        Numbers on which the motion does not depend.
    first : array, shape (n_parameters,)
        The parameters of the first run; those that do not vary are the same in all.
    varying : list of int
        The places of those that vary.
    names : list of str
        The arrays that have them.
    checked : list of str
        The columns of ``check``.
    shared : mapping of str to str
        Checksums of the arrays that all runs share, by their names.
    """

    path: Path
    subject: Subject
    others: Mapping
    first: np.ndarray
    varying: list[int]
    names: list[str]
    checked: list[str]
    shared: Mapping[str, str]

    def __getstate__(self) -> dict[str, Any]:
        """Its fields alone: columns are read again."""
        return {one.name: getattr(self, one.name) for one in fields(self)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    @cached_property
    def _arrays(self) -> dict[str, Any]:
        try:
            found = dict(open_store(self.path, "r").arrays())
        except ImportError:
            raise
        except Exception as error:  # whatever Zarr says of a damaged file
            raise self._damaged("what describes its arrays cannot be read") from error
        lost = [name for name in ("check", *self.checked) if name not in found and name != "events"]
        if lost or found["check"].ndim != 2 or found["check"].shape[1] != len(self.checked):
            raise self._damaged(f"its array {(lost or ['check'])[0]!r} is lost or changed")
        return found

    def _read(self, name: str, place: slice | int = slice(None)) -> np.ndarray:
        """Some rows of an array.

        Raises
        ------
        ValueError
            Naming the array, if they cannot be read.
        """
        arrays = self._arrays
        if name not in arrays:
            raise self._damaged(f"its array {name!r} is lost")
        try:
            return arrays[name][place]
        except Exception as error:  # whatever a codec says of damaged bytes
            raise self._damaged(f"its array {name!r} cannot be read ({error})") from error

    def _damaged(self, what: str) -> ValueError:
        return ValueError(
            f"the store {self.path} is damaged: {what}; call ensemble(..., store={str(self.path)!r}) with the "
            "arguments that it was made with, which makes the runs concerned again"
        )

    @cached_property
    def _checks(self) -> np.ndarray:
        return self._read("check")

    def _check(self, name: str, found: np.ndarray, runs: np.ndarray) -> None:
        """Refuse numbers of runs that are not those that were written.

        Raises
        ------
        ValueError
            Naming the array and the runs.
        """
        same = found == self._checks[runs, self.checked.index(name)]
        if not same.all():
            wrong, what = runs[~same], "one of its arrays of events" if name == "events" else f"its array {name!r}"
            raise self._damaged(
                f"{what} does not have what was written of {len(wrong):,} runs, the first one run {wrong[0]}"
            )

    @cached_property
    def status(self) -> np.ndarray:
        """`Status.code` of each run, shape (runs,)."""
        found = self._read("status")
        ended = np.flatnonzero(found != Status.INTERRUPTED.code)
        if len(found) != len(self._checks):
            raise self._damaged("its array 'status' is changed")
        self._check("status", row_checks(found[ended], ended), ended)
        return found

    @property
    def ended(self) -> np.ndarray:
        """Whether each run is there, shape (runs,)."""
        return self.status != Status.INTERRUPTED.code

    def _column(self, name: str) -> np.ndarray:
        """A column, without what a killed process has left of runs that are not there."""
        values, ended = self._read(name), np.flatnonzero(self.ended)
        if len(values) != len(self.status):
            raise self._damaged(f"its array {name!r} is changed")
        self._check(name, row_checks(values[ended], ended), ended)
        values[~self.ended] = np.nan if values.dtype.kind == "f" else 0
        return values

    @cached_property
    def t(self) -> np.ndarray:
        """The last times, shape (runs,) (s)."""
        return self._column("t")

    @cached_property
    def x(self) -> np.ndarray:
        """The last states, shape (runs, n_states)."""
        return self._column("x")

    @cached_property
    def counts(self) -> np.ndarray:
        """Events, accepted steps, rejected steps, shape (runs, 3)."""
        return np.column_stack([self._column(name) for name in ("n_events", "steps", "rejected")])

    @cached_property
    def rests(self) -> np.ndarray:
        """Whether all is at rest at the end, shape (runs,)."""
        return self._column("at_rest")

    @cached_property
    def alone(self) -> int:
        """The number of runs that were made one by one."""
        return int(self._column("made_alone").sum())

    @cached_property
    def starts(self) -> np.ndarray:
        """What runs begin with, shape (runs, n_states), or (1, n_states) where all have the same."""
        return self._column("x0") if "x0" in self.checked else self._shared("x0")[np.newaxis]

    def _shared(self, name: str) -> np.ndarray:
        """An array that all runs share."""
        found = self._read(name)
        if digest_of(found) != self.shared[name]:
            raise self._damaged(f"its array {name!r} is changed")
        return found

    @cached_property
    def parameters(self) -> np.ndarray:
        """The parameters, shape (runs, n_parameters), or (1, n_parameters) where all have the same."""
        if not self.varying:
            return self.first[np.newaxis]
        found = np.repeat(self.first[np.newaxis], len(self.status), axis=0)
        for place, name in zip(self.varying, self.names, strict=True):
            found[:, place] = self._column(name)
        return found

    def row(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        """The start and the parameters of one run, without reading those of others.

        Raises
        ------
        ValueError
            If the run is not there.
        """
        if not self.ended[k]:
            raise ValueError(f"run {k} has not ended; call ensemble(..., store={str(self.path)!r}) again to go on")
        numbers, run = self.first.copy(), slice(k, k + 1)

        def of_run(name: str) -> np.ndarray:
            values = self._read(name, run)
            self._check(name, row_checks(values, np.array([k])), np.array([k]))
            return values[0]

        for place, name in zip(self.varying, self.names, strict=True):
            numbers[place] = of_run(name)
        return of_run("x0") if "x0" in self.checked else self._shared("x0"), numbers

    @property
    def events(self) -> list[Columns]:
        """The events of the runs that are there."""
        n, width = int(self.counts[:, 0].sum()), len(self.subject.contact_names)
        if not n:
            return []
        empty = {"event_contacts": np.zeros((n, width), bool), "event_impulse": np.zeros((n, width))}
        names = [name for name in EVENT_COLUMNS if name in self._arrays or name in _OF_ALL_EVENTS]
        read = {name: self._read(name, slice(n)) for name in names}
        if any(len(column) != n for column in read.values()):
            raise self._damaged("its arrays of events are shorter than the runs have events")
        ended = np.flatnonzero(self.ended)
        self._check("events", event_checks(event_sums(read, len(self.status))[ended], ended), ended)
        return [{EVENT_COLUMNS[name]: column for name, column in (empty | read).items()}]

    @cached_property
    def samples(self) -> np.ndarray | None:
        """The states at the requested times, shape (runs, n_states, n_times)."""
        return self._column("samples") if "samples" in self._arrays else None

    @cached_property
    def warnings(self) -> dict[str, list[np.ndarray]]:
        """The runs that have given warnings, by their kind."""
        about = self._arrays["warnings"].attrs
        kinds = about.get("kinds", ())
        if about.get("check") != kinds_check(kinds):
            raise self._damaged("the kinds of its array 'warnings' are changed")
        flags = self._column("warnings") if kinds else np.zeros(0, np.uint32)
        return {kind: [np.flatnonzero(flags & np.uint32(1 << bit))] for bit, kind in enumerate(kinds)}

    @property
    def runs(self) -> dict[int, Result]:
        """No run is kept as a whole."""
        return {}

    @property
    def refused(self) -> Refusals:
        """Why runs did not begin."""
        return Refusals(self)


class Refusals(Mapping[int, str]):
    """Why runs did not begin, by their numbers; a start is refused again for its reason."""

    def __init__(self, rows: StoredRows) -> None:
        self._rows = rows

    def __iter__(self) -> Iterator[int]:
        return iter(np.flatnonzero(self._rows.status == Status.REFUSED.code).tolist())

    def __len__(self) -> int:
        return int((self._rows.status == Status.REFUSED.code).sum())

    def __getitem__(self, k: int) -> str:
        if self._rows.status[k] != Status.REFUSED.code:
            raise KeyError(k)
        try:
            self._rows.subject.alone(*self._rows.row(k), others=self._rows.others)
        except ValueError as error:
            return str(error)
        raise RuntimeError(
            f"the start of run {k}, which was refused, is accepted now: another version of sympact or another model"
        )
