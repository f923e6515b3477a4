"""The runs of a store as rows, each column read on request."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from sympact.analysis.store.run_store import open_store
from sympact.analysis.store.store_layout import EVENT_COLUMNS
from sympact.analysis.subjects import Subject
from sympact.integrate.batch.batch_worker import Columns
from sympact.integrate.problem.status import Status
from sympact.integrate.result import Result

__all__ = ["StoredRows"]


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
    """

    path: Path
    subject: Subject
    others: Mapping
    first: np.ndarray
    varying: list[int]
    names: list[str]

    def __getstate__(self) -> dict[str, Any]:
        """Its fields alone: columns are read again."""
        return {one.name: getattr(self, one.name) for one in fields(self)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    @cached_property
    def _arrays(self) -> dict[str, Any]:
        return dict(open_store(self.path, "r").arrays())

    @cached_property
    def status(self) -> np.ndarray:
        """`Status.code` of each run, shape (runs,)."""
        return self._arrays["status"][:]

    @property
    def ended(self) -> np.ndarray:
        """Whether each run is there, shape (runs,)."""
        return self.status != Status.INTERRUPTED.code

    def _column(self, name: str) -> np.ndarray:
        """A column, without what a killed process has left of runs that are not there."""
        values = self._arrays[name][:]
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
        return self._column("x0") if self._arrays["x0"].ndim == 2 else self._arrays["x0"][:][np.newaxis]

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
        start, numbers = self._arrays["x0"], self.first.copy()
        for place, name in zip(self.varying, self.names, strict=True):
            numbers[place] = self._arrays[name][k]
        return start[k] if start.ndim == 2 else start[:], numbers

    @property
    def events(self) -> list[Columns]:
        """The events of the runs that are there."""
        n, width = int(self.counts[:, 0].sum()), len(self.subject.contact_names)
        if not n:
            return []
        empty = {"event_contacts": np.zeros((n, width), bool), "event_impulse": np.zeros((n, width))}
        read = {name: self._arrays[name][:n] for name in EVENT_COLUMNS if name in self._arrays}
        return [{EVENT_COLUMNS[name]: column for name, column in (empty | read).items()}]

    @cached_property
    def samples(self) -> np.ndarray | None:
        """The states at the requested times, shape (runs, n_states, n_times)."""
        return self._column("samples") if "samples" in self._arrays else None

    @cached_property
    def warnings(self) -> dict[str, list[np.ndarray]]:
        """The runs that have given warnings, by their kind."""
        kinds = self._arrays["warnings"].attrs["kinds"]
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
