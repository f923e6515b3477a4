"""An ensemble as notebooks show it: how the runs ended, what differed at the start, and where they are at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from sympact.integrate.present.table import Sheet, Table, middle_out, number

__all__ = ["ensemble_sheet"]

_MOST_ROWS = 12
"""Parameters and states that are shown; further ones are counted."""

_MOST_NUMBERS = 10_000_000
"""Last states of which extremes are computed: those of a larger store are not read merely to be shown."""


class Runs(Protocol):
    """What the table shows of an ensemble."""

    @property
    def t_span(self) -> tuple[float, float]:
        """The span of the runs (s)."""

    @property
    def n_events(self) -> np.ndarray:
        """The number of events of each run."""

    @property
    def seed(self) -> object:
        """The seed of the draws."""

    @property
    def warnings(self) -> Mapping[str, Sequence[int] | np.ndarray]:
        """The runs that have given warnings, by their kind."""

    @property
    def status(self) -> Any:
        """How each run ended."""

    @property
    def parameters(self) -> Mapping[Any, Any]:
        """The parameters, one number or one of each run."""

    @property
    def state_names(self) -> Sequence[str]:
        """The names of the states."""

    @property
    def x(self) -> np.ndarray:
        """The last states."""

    def __len__(self) -> int: ...


def ensemble_sheet(ensemble: Runs) -> Sheet:
    """The ends of the runs as a table; the ranges of parameters that differ and of the last states as others."""
    first, last = ensemble.t_span
    facts = {
        "runs": f"{len(ensemble):,}",
        "time": f"{first:.6g} to {last:.6g} s",
        "events": f"{int(ensemble.n_events.sum()):,}",
        "seed": "" if ensemble.seed is None else str(ensemble.seed),
        "warnings": ", ".join(f"{len(runs):,} runs {kind}" for kind, runs in ensemble.warnings.items()),
    }
    counts = Counter(one.name for one in ensemble.status)
    ends = [(name, f"{count:,}", f"{100 * count / len(ensemble):.3g} %") for name, count in counts.items()]
    given = {str(letter): values for letter, values in ensemble.parameters.items() if np.ndim(values)}
    tables = [Table(("end", "runs", "share"), ends), _ranges("parameter", given)]
    if len(ensemble) * len(ensemble.state_names) <= _MOST_NUMBERS:
        tables.append(_ranges("last state", dict(zip(ensemble.state_names, ensemble.x.T, strict=True))))
    return Sheet("Ensemble", facts, tables)


def _ranges(what: str, columns: dict[str, np.ndarray]) -> Table:
    """The least value, the mean and the largest of some columns, of the runs that have one."""
    rows = []
    for name, column in columns.items():
        known = column[np.isfinite(column)]
        rows.append((name, *(map(number, (known.min(), known.mean(), known.max())) if known.size else ("", "", ""))))
    shown, omitted = middle_out(rows, _MOST_ROWS)
    return Table((what, "least", "mean", "largest"), shown, omitted)
