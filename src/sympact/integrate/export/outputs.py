"""A run as tables and files: the members of `Result` that export it to other programs."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from sympact.integrate.export.archive import write
from sympact.integrate.export.paths import checked_path
from sympact.integrate.export.tables import dataset, events_frame, samples_frame, samples_of, write_csv
from sympact.integrate.export.variables import variables
from sympact.integrate.history.run_view import RunView
from sympact.integrate.problem.times import even_times

if TYPE_CHECKING:
    import pandas
    import xarray


__all__ = ["events_dataframe", "save", "to_csv", "to_dataframe", "to_xarray"]


def to_dataframe(result: RunView, dt: float | None = None) -> pandas.DataFrame:
    """The samples as a pandas DataFrame, a column for each state and each output of the model.

    The index is `t`; the column ``side`` is "left" just before an event, else "right", as in ``result(t, side)``;
    the column ``stage`` names the stage. A name that a state has already gets an underscore after it.

    Parameters
    ----------
    dt : float, optional
        The distance of the rows (s), as for `Result.sample`; by default the rows are the samples.

    Raises
    ------
    ValueError
        If `dt` is no positive number.
    ImportError
        If pandas is not installed.

    Examples
    --------
    >>> from sympact.models import bouncing_ball
    >>> samples = bouncing_ball().simulate(max_events=1).to_dataframe()
    >>> jump = samples.loc[samples.index[samples.side == "left"]]
    >>> jump.side.tolist(), jump.v.round(3).tolist()
    (['left', 'right'], [-4.429, 3.544])
    """
    return samples_frame(samples_of(_dense(result, dt)))


def events_dataframe(result: RunView) -> pandas.DataFrame:
    """The events as a pandas DataFrame, a row for each, numbered from 1 as in pictures; see `Events.columns`.

    Raises
    ------
    ImportError
        If pandas is not installed.

    Examples
    --------
    >>> from sympact.models import bouncing_ball
    >>> bouncing_ball().simulate().events_dataframe()[["t", "kind", "energy"]].head(2).round(3)
               t    kind  energy
    event
    1      0.452  impact  -3.532
    2      1.174  impact  -2.260
    """
    return events_frame(result.events.columns())


def to_xarray(result: RunView, units: Mapping[str, str] | None = None, dt: float | None = None) -> xarray.Dataset:
    """The run as an xarray Dataset: states and outputs, and of a mechanical run gaps, forces and energies, over time.

    The coordinate ``t`` has two samples at a jump, distinguished by the coordinate ``side``; ``stage`` names the stage.
    The events are the variables ``event_t``, ``event_kind``, ... over the axis ``event``. The attributes are
    ``status``, ``message`` and the ``version`` of sympact.

    Parameters
    ----------
    units : mapping of str to str, optional
        Units of states and outputs, of ``"t"``, ``"gaps"``, ``"energy"``, ``"forces"`` and ``"impulses"``, as for
        `plot`; by default those of the `ReadyModel` that made the run. All but those of the states and outputs of a
        mechanical run are SI units if not given otherwise.
    dt : float, optional
        The distance of the samples (s), as for `Result.sample`; by default those of the result.

    Raises
    ------
    ImportError
        If xarray is not installed.
    TypeError, ValueError
        If `units` is no mapping, or contains a name that the result does not have.

    Examples
    --------
    >>> from sympact.models import bouncing_ball
    >>> ball = bouncing_ball()
    >>> run = ball.simulate().to_xarray()
    >>> run.force.dims, run.force.units, run.z.units, run.attrs["status"]
    (('contact', 't'), 'N', 'm', 'FINISHED')
    """
    appearance = result._facts.appearance
    known = appearance.units if units is None and appearance is not None else units or {}
    return dataset(*variables(_dense(result, dt), known))


def to_csv(result: RunView, path: str | PathLike, dt: float | None = None) -> None:
    """Write the samples as comma-separated values: ``t``, ``side``, ``stage``, states and outputs, as `to_dataframe`.

    Every number is written with as many digits as reproduce the same bits when they are read again.

    Parameters
    ----------
    path : path-like
        The file to write.
    dt : float, optional
        The distance of the rows (s), as for `Result.sample`; by default the rows are the samples.

    Raises
    ------
    ValueError
        If `dt` is no positive number.

    Examples
    --------
    >>> import csv, tempfile
    >>> from sympact.models import bouncing_ball
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     bouncing_ball().simulate().to_csv(f"{folder}/ball.csv")
    ...     with open(f"{folder}/ball.csv", newline="") as file:
    ...         first = next(csv.DictReader(file))
    >>> first
    {'t': '0.0', 'side': 'right', 'stage': 'free', 'z': '1.0', 'v': '0.0'}
    """
    write_csv(checked_path(path, "a table of text", (".csv", ".txt", ".dat")), samples_of(_dense(result, dt)))


def save(result: RunView, path: str | PathLike) -> None:
    """Write the run to an ``.npz`` file that contains numbers and text only; see `integrate.export.archive`."""
    outputs = np.array([result[name] for name in result.output_names]).reshape(-1, len(result.t))
    times = None if result._t_eval is None else result.t
    parts = result._record, result._dense.segments(), result._program, result._run
    write(checked_path(path, "a NumPy archive", (".npz",)), *parts, times, outputs)


def _dense(result: RunView, dt: float | None) -> RunView:
    """The result at times of equal distances, or itself."""
    return result if dt is None else result.at_times(even_times(dt, result.t_span))
