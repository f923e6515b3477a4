"""The runs of an ensemble: their ends, events and samples, and what follows from them."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from sympact.analysis.draws import Table
from sympact.analysis.ensemble_events import EnsembleEvents, joined_events
from sympact.analysis.ensemble_quantities import evaluated
from sympact.analysis.ensemble_sheet import ensemble_sheet
from sympact.analysis.faces import SIDES, Shares, sides_up
from sympact.analysis.intervals import Estimate, bootstrapped, mean_of, share_of
from sympact.analysis.run_rows import Keep, Rows
from sympact.analysis.store.stored_rows import StoredRows
from sympact.analysis.subjects import Subject
from sympact.integrate.problem.status import Status
from sympact.integrate.problem.stepper import Stepper
from sympact.integrate.result import Result
from sympact.native.cached import cached_property
from sympact.on_request import on_request

if TYPE_CHECKING:
    import pandas
    import xarray
    from matplotlib.figure import Figure

__all__ = ["Ensemble"]

_STATUS = np.array([Status.from_code(code) for code in range(len(Status))], dtype=object)


class Ensemble:
    """Many runs of one model, as `ensemble` returns them.

    ``ensemble[k]`` repeats run k alone, with everything that `Result` has, and the same bits.

    Attributes
    ----------
    t_span : (t_start, t_end)
        The times of the runs (s).
    seed : int or None
        From which runs have drawn numbers; None where they have drawn none.
    keep : Keep
        What is kept of each run.
    why_alone : str
        Why runs were made one by one, in one thread; empty where they followed each other in machine code.
    """

    __iter__ = None

    def __init__(
        self,
        subject: Subject,
        table: Table | StoredRows,
        others: Mapping,
        rows: Rows | StoredRows,
        keep: Keep,
        seed: int | None,
        why_alone: str,
    ) -> None:
        self._subject, self._table, self._others = subject, table, others
        self._rows, self.keep, self.seed, self.why_alone = rows, keep, seed, why_alone
        self.t_span = subject.span

    @classmethod
    def open(
        cls,
        path: str | PathLike,
        model: Any,
        *,
        parameters: Any = None,
        inputs: Mapping | None = None,
        controllers: Sequence | None = None,
        method: Stepper | None = None,
    ) -> Ensemble:
        """An ensemble from its store, whose columns are read on request.

        Parameters
        ----------
        path : path
            As it was given to `ensemble` as ``store``.
        model : HybridModel, HybridSystem, or a ready model of `sympact.models`
            Of which the runs are.
        parameters : mapping or array, optional
            Of a process those that were given, which name them; their numbers do not count.
        inputs, controllers : optional
            Those that were given.
        method : Stepper, optional
            The one that was given, if it was no name.

        Raises
        ------
        ValueError
            If there is no store, or it is one of another model or of other inputs.
        ImportError
            Without zarr: ``python -m pip install 'sympact[store]'``.
        """
        return on_request("opened")(Path(path), model, parameters, inputs or {}, tuple(controllers or ()), method)

    def __len__(self) -> int:
        return len(self._rows.status)

    def __getitem__(self, run: int) -> Result:
        """Run k again, alone, with everything.

        Raises
        ------
        IndexError
            If there is no such run.
        ValueError
            If its start was refused.
        """
        k = operator.index(run)
        if not -len(self) <= k < len(self):
            raise IndexError(f"there is no run {k}; the ensemble has {len(self)} runs, numbered from 0")
        k %= len(self)
        if k in self._rows.runs:
            return self._rows.runs[k]
        return self._subject.alone(*self._table.row(k), others=self._others)

    @property
    def x0(self) -> np.ndarray:
        """The initial states, shape (runs, n_states)."""
        starts = self._table.starts
        return np.broadcast_to(starts, (len(self), starts.shape[1]))

    @property
    def parameters(self) -> dict[Any, float | np.ndarray]:
        """The parameters by their symbols: a number that all runs share, or an array of one for each, shape (runs,)."""
        columns = self._table.parameters.T
        return {
            letter: float(column[0]) if len(column) == 1 or (column == column[0]).all() else column
            for letter, column in zip(self._subject.parameters, columns, strict=True)
        }

    @property
    def refused(self) -> Mapping[int, str]:
        """Why a run did not begin, for those with `Status.REFUSED`."""
        return self._rows.refused

    @cached_property
    def warnings(self) -> dict[str, np.ndarray]:
        """The runs that have given warnings, by the kind of the warning; ``ensemble[k].warnings`` has the figures."""
        return {kind: np.unique(np.concatenate(runs)) for kind, runs in self._rows.warnings.items()}

    @property
    def alone(self) -> int:
        """The number of runs that were made one by one."""
        return self._rows.alone

    @property
    def state_names(self) -> tuple[str, ...]:
        """The names of the states, in the order of the columns of `x`."""
        return self._subject.state_names

    @property
    def x(self) -> np.ndarray:
        """The last state of each run, shape (runs, n_states); NaN for a run that has none."""
        return self._rows.x

    @property
    def t(self) -> np.ndarray:
        """The last time of each run, shape (runs,) (s); NaN for a run that has none."""
        return self._rows.t

    @property
    def status(self) -> np.ndarray:
        """The `Status` of each run, shape (runs,); `Status.INTERRUPTED` for those that Ctrl-C has left out."""
        return _STATUS[self._rows.status]

    @property
    def made(self) -> np.ndarray:
        """Whether each run was made, shape (runs,): all but those that Ctrl-C has left out."""
        return self._rows.status != Status.INTERRUPTED.code

    @property
    def success(self) -> np.ndarray:
        """Whether each run has reached the end of its span, shape (runs,)."""
        return self._rows.status == Status.FINISHED.code

    @property
    def n_events(self) -> np.ndarray:
        """The number of events of each run, shape (runs,)."""
        return self._rows.counts[:, 0]

    @property
    def steps(self) -> np.ndarray:
        """The accepted steps of each run, shape (runs,)."""
        return self._rows.counts[:, 1]

    @property
    def rejected(self) -> np.ndarray:
        """The rejected steps of each run, shape (runs,)."""
        return self._rows.counts[:, 2]

    @cached_property
    def events(self) -> EnsembleEvents:
        """The events of all runs, as columns.

        Raises
        ------
        AttributeError
            If they were not kept.
        """
        if not self.keep.events:
            raise AttributeError('the events were not kept; ask for them with keep="events"')
        columns, states = self._rows.events, self.x.shape[1] if self.keep.states else None
        joined = joined_events(columns, self._subject.contact_names, len(self), states)
        columns.clear()
        return joined

    @property
    def samples(self) -> np.ndarray:
        """The states at ``ensemble.keep.times``, shape (runs, n_states, n_times); NaN after the end of a run.

        Raises
        ------
        AttributeError
            If they were not kept.
        """
        if self._rows.samples is None:
            raise AttributeError("states at given times were not kept; ask for them with keep=times")
        return self._rows.samples

    @property
    def at_rest(self) -> np.ndarray:
        """Whether everything is at rest at the end of each run, shape (runs,)."""
        return self._rows.rests

    @cached_property
    def rest_time(self) -> np.ndarray:
        """When each run has come to rest, shape (runs,): its last event; NaN where it is not at rest (s)."""
        events, found = self.events, np.full(len(self), np.nan)
        found[events.run] = events.t  # of several numbers for one place the last one stays
        return np.where(self.at_rest & (self.n_events > 0), found, np.nan)

    def value(self, quantity: Any) -> np.ndarray:
        """A quantity at the end of each run, shape (runs,).

        Parameters
        ----------
        quantity : str or Expr
            The name of a state or of an output of the model, or an expression of its coordinates, speeds, parameters,
            inputs and the time.

        Raises
        ------
        ValueError
            If there is no such name, or the expression contains another symbol.
        """
        return evaluated(self._subject, quantity, self.t, self.x, self._table.parameters)

    def sampled(self, quantity: Any) -> np.ndarray:
        """A quantity at ``ensemble.keep.times``, shape (runs, n_times); as `value`."""
        runs, n, m = self.samples.shape
        x = self.samples.transpose(0, 2, 1).reshape(runs * m, n)
        own = self._table.parameters
        numbers = own if len(own) == 1 else np.repeat(own, m, axis=0)
        assert self.keep.times is not None, "there are samples"
        return evaluated(self._subject, quantity, np.tile(self.keep.times, runs), x, numbers).reshape(runs, m)

    def share(self, condition: ArrayLike, level: float = 0.95) -> Estimate:
        """The probability of a condition, with Wilson's interval; `condition` has the shape (runs,), see `share_of`."""
        return share_of(condition, level)

    def mean(self, quantity: Any, level: float = 0.95, *, bootstrap: bool = False) -> Estimate:
        """The mean of a quantity at the end, or of an array of shape (runs,), with its interval.

        By Student's t distribution, see `mean_of`, or by the `bootstrap`, see `bootstrapped`.
        """
        values = quantity if isinstance(quantity, np.ndarray) else self.value(quantity)
        return bootstrapped(values, np.mean, level) if bootstrap else mean_of(values, level)

    def bands(self, quantity: Any, quantiles: Sequence[float] = (0.05, 0.25, 0.5, 0.75, 0.95)) -> np.ndarray:
        """Quantiles of a quantity over time, shape (n_quantiles, n_times), of the runs that reach each time."""
        return np.nanquantile(self.sampled(quantity), quantiles, axis=0)

    def sides(self, frame: Any, up: Any, level: float = 0.95) -> Shares:
        """How often each side of a body is up at the end, of the runs that have a last state.

        Parameters
        ----------
        frame : ReferenceFrame
            Of the body: its sides are named by its axes, "+x" to "-z".
        up : Vector
            The vertical, a unit vector.
        level : float
            Of the confidence intervals.
        """
        heights = [self.value(up.dot(axis)) for axis in (frame.x, frame.y, frame.z)]
        known = np.isfinite(self.t)
        return Shares(SIDES, sides_up(np.array(heights)[:, known]), level)

    def to_dataframe(self) -> pandas.DataFrame:
        """A row for each run: parameters that differ, last time, status, number of events, last state.

        Raises
        ------
        ImportError
            Without pandas: ``python -m pip install 'sympact[tables]'``.
        """
        return on_request("runs_table")(self)

    def to_xarray(self) -> xarray.Dataset:
        """The ends, and the events or samples that are kept, with the dimensions run, state, event, contact and time.

        Raises
        ------
        ImportError
            Without xarray: ``python -m pip install 'sympact[tables]'``.
        """
        return on_request("ensemble_dataset")(self)

    def plot(self, quantity: Any, **options) -> Figure:
        """Draw a quantity: its bands over time where states at given times are kept, else its histogram at the end."""
        draw = on_request("plot_histogram" if self.keep.times is None else "plot_bands")
        return draw(self, quantity, **options)

    def __repr__(self) -> str:
        ends = Counter(self._rows.status.tolist())
        told = ", ".join(f"{count:,} {_STATUS[code].name}" for code, count in ends.items())
        first, last = self.t_span
        events = f"{int(self.n_events.sum()):,} events"
        seed = "" if self.seed is None else f"; seed {self.seed}"
        return f"<Ensemble of {len(self):,} runs from t = {first:.6g} to {last:.6g}: {events}, {told}{seed}>"

    def _repr_html_(self) -> str:
        return ensemble_sheet(self).html
