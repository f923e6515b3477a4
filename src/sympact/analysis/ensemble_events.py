"""The events of all runs of an ensemble, as columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sympact.integrate.batch.batch_worker import KEPT, KEPT_STATES, Columns
from sympact.integrate.history.event import KINDS, EventKind
from sympact.on_request import on_request

if TYPE_CHECKING:
    import pandas

__all__ = ["EnsembleEvents", "joined_events"]

_NAMES = np.array(KINDS, dtype=object)
_COLUMNS = ("run", "t", "codes", "contacts", "impulse")
"""The attributes of `EnsembleEvents` that are columns, in the order of `KEPT`."""
_STATES = ("x_minus", "x_plus")
"""Those of the states, in the order of `KEPT_STATES`."""


@dataclass(frozen=True, eq=False)
class EnsembleEvents:
    """Events as columns with a row for each, in the order of the runs and, within a run, of time.

    Attributes
    ----------
    run : array of int, shape (n_events,)
        The number of the run.
    t : array, shape (n_events,)
        The time (s).
    codes : array of uint8, shape (n_events,)
        The place of the kind in `EventKind`.
    contacts : array of bool, shape (n_events, n_contacts)
        Which contacts took part; of a process which transitions were taken.
    impulse : array, shape (n_events, n_contacts)
        Their impulses (N s); NaN in a process, which has none.
    contact_names : tuple of str
        The names of the columns of the last two.
    n_runs : int
        The number of runs of the ensemble.
    x_minus, x_plus : array, shape (n_events, n_states), or None
        The states just before and just after each event, of an ensemble with ``keep="states"``.
    """

    run: np.ndarray
    t: np.ndarray
    codes: np.ndarray
    contacts: np.ndarray
    impulse: np.ndarray
    contact_names: tuple[str, ...]
    n_runs: int
    x_minus: np.ndarray | None = None
    x_plus: np.ndarray | None = None

    @property
    def kind(self) -> np.ndarray:
        """The `EventKind` of each event, shape (n_events,); each compares equal to its own string."""
        return _NAMES[self.codes]

    def __len__(self) -> int:
        return len(self.t)

    def __getitem__(self, chosen: np.ndarray | slice) -> EnsembleEvents:
        """The events of a mask, of indices or of a slice."""
        present = _COLUMNS if self.x_plus is None else (*_COLUMNS, *_STATES)
        columns = {name: getattr(self, name)[chosen] for name in present}
        return EnsembleEvents(**columns, contact_names=self.contact_names, n_runs=self.n_runs)

    def of_kind(self, kind: str) -> EnsembleEvents:
        """The events of one kind.

        Raises
        ------
        ValueError
            If there is no such kind.
        """
        return self[self.codes == KINDS.index(EventKind(kind))]

    @property
    def impacts(self) -> EnsembleEvents:
        """The impacts."""
        return self.of_kind("impact")

    def of(self, contact: str) -> EnsembleEvents:
        """The events in which a contact, by its name, took part.

        Raises
        ------
        ValueError
            If there is no such contact.
        """
        if contact not in self.contact_names:
            raise ValueError(f"there is no contact {contact!r}; the contacts are {list(self.contact_names)}")
        return self[self.contacts[:, self.contact_names.index(contact)]]

    @property
    def counts(self) -> np.ndarray:
        """The number of these events in each run, shape (runs,)."""
        return np.bincount(self.run, minlength=self.n_runs)

    def first(self, n: int) -> np.ndarray:
        """The times of the first n of these events in each run, shape (runs, n); NaN where a run has fewer (s)."""
        found = np.full((self.n_runs, n), np.nan)
        counts = self.counts
        place = np.arange(len(self.t)) - np.repeat(np.cumsum(counts) - counts, counts)
        early = place < n
        found[self.run[early], place[early]] = self.t[early]
        return found

    def to_dataframe(self) -> pandas.DataFrame:
        """A table with the columns run, t, kind, and for each contact its impulse (N s), NaN where it took no part.

        Raises
        ------
        ImportError
            Without pandas: ``python -m pip install 'sympact[tables]'``.
        """
        return on_request("events_table")(self)

    def __repr__(self) -> str:
        kinds, counts = np.unique(self.codes, return_counts=True)
        told = ", ".join(f"{count:,} {_NAMES[kind]}" for kind, count in zip(kinds, counts, strict=True))
        return f"<{len(self):,} events of {self.n_runs:,} runs{': ' if told else ''}{told}>"


def joined_events(
    columns: Sequence[Columns], names: tuple[str, ...], runs: int, states: int | None = None
) -> EnsembleEvents:
    """The events of some chunks, in the order of the runs; with `states` numbers on both sides of each."""
    kinds = KEPT if states is None else KEPT | KEPT_STATES
    widths = {"kept_fired": len(names), "kept_impulse": len(names), **dict.fromkeys(KEPT_STATES, states or 0)}
    empty = {name: np.zeros((0, widths[name]) if name in widths else 0, kinds[name]) for name in kinds}
    parts = [np.concatenate([one[name] for one in (*columns, empty)]) for name in kinds]
    if (np.diff(parts[0]) < 0).any():
        order = np.argsort(parts[0], kind="stable")
        parts = [part.take(order, axis=0) for part in parts]
    present = _COLUMNS if states is None else (*_COLUMNS, *_STATES)
    return EnsembleEvents(**dict(zip(present, parts, strict=True)), contact_names=names, n_runs=runs)
