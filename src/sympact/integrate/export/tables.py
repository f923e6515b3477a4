"""Runs as tables for other programs: pandas, xarray, and files of comma-separated values.

pandas and xarray are imported on use; a file of comma-separated values needs neither.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from sympact.integrate.export.whole_file import whole_file
from sympact.integrate.history.run_view import RunView

if TYPE_CHECKING:
    import pandas
    import xarray


__all__ = [
    "Column",
    "Samples",
    "column_names",
    "dataset",
    "events_frame",
    "frame",
    "samples_frame",
    "samples_of",
    "sides",
    "write_csv",
]

_CURE = "python -m pip install 'sympact[tables]'"
_SIDES = np.array(["left", "right"], dtype=object)


@dataclass(frozen=True, eq=False)
class Samples:
    """The samples of a run, one row for each.

    Attributes
    ----------
    t : array, shape (n_samples,)
    side : array of str, shape (n_samples,)
        "left" just before an event, else "right", as in `Result.__call__`.
    stage : array of str, shape (n_samples,)
    names : tuple of str
        Of the states, then of the outputs of the model.
    x : array, shape (n_states + n_outputs, n_samples)
    """

    t: np.ndarray
    side: np.ndarray
    stage: np.ndarray
    names: tuple[str, ...]
    x: np.ndarray


@dataclass(frozen=True, eq=False)
class Column:
    """A variable of a dataset: its axes, its values, and its unit where that is known."""

    axes: tuple[str, ...]
    values: np.ndarray
    unit: str | None = None


def samples_of(result: RunView) -> Samples:
    """The samples of a result; with `t_eval` none of them is just before an event."""
    before = result._record.event_sample if result._t_eval is None else np.empty(0, dtype=int)
    further = column_names(result.output_names, result.state_names)
    values = np.vstack([result.x, *(result[name] for name in result.output_names)])
    return Samples(result.t, sides(len(result.t), before), result.stages, (*result.state_names, *further), values)


def sides(n_samples: int, before_events: np.ndarray) -> np.ndarray:
    """The side of each sample, given the indices of those just before events.

    >>> sides(4, np.array([1])).tolist()
    ['right', 'left', 'right', 'right']
    """
    right = np.ones(n_samples, dtype=int)
    right[before_events] = 0
    return _SIDES[right]


def column_names(wanted: Sequence[str], taken: Iterable[str] = ()) -> list[str]:
    """The names with an underscore after those that others already have.

    >>> column_names(["t", "side", "stage"], taken=["height", "stage"])
    ['t', 'side', 'stage_']
    """
    used, found = set(taken), []
    for name in wanted:
        while name in used:
            name += "_"
        used.add(name)
        found.append(name)
    return found


def samples_frame(samples: Samples) -> pandas.DataFrame:
    """The samples as `Result.to_dataframe` gives them."""
    pandas = _pandas("to_dataframe")
    t, side, stage = column_names(["t", "side", "stage"], samples.names)
    columns = {
        side: pandas.Categorical(samples.side, categories=list(_SIDES)),
        stage: pandas.Categorical(samples.stage),
        **dict(zip(samples.names, np.array(samples.x), strict=True)),
    }
    return pandas.DataFrame(columns, index=pandas.Index(np.array(samples.t), name=t))


def events_frame(columns: Mapping[str, Sequence]) -> pandas.DataFrame:
    """Events as `Result.events_dataframe` gives them, from the columns of `Events.columns`."""
    pandas = _pandas("events_dataframe")
    return pandas.DataFrame(dict(columns), index=pandas.RangeIndex(1, len(columns["t"]) + 1, name="event"))


def dataset(
    columns: Mapping[str, Column], coordinates: Mapping[str, Column], attributes: Mapping[str, str | float]
) -> xarray.Dataset:
    """Variables over shared axes as an xarray Dataset."""
    try:
        import xarray
    except ImportError as error:
        raise ImportError(f"to_xarray needs xarray, which is not installed; install it with: {_CURE}") from error

    def variables(found: Mapping[str, Column]) -> dict[str, xarray.Variable]:
        return {
            name: xarray.Variable(one.axes, np.array(one.values), {} if one.unit is None else {"units": one.unit})
            for name, one in found.items()
        }

    return xarray.Dataset(variables(columns), variables(coordinates), dict(attributes))


def frame(asked: str, columns: Mapping[str, np.ndarray], index: str) -> pandas.DataFrame:
    """Columns as a table whose rows are numbered from 0; `asked` is the method that needs pandas."""
    pandas = _pandas(asked)
    rows = len(next(iter(columns.values())))
    return pandas.DataFrame(dict(columns), index=pandas.RangeIndex(rows, name=index))


def write_csv(path: str | PathLike, samples: Samples) -> None:
    """Write the samples as `Result.to_csv` describes."""
    with whole_file(path, text=True) as file:
        table = csv.writer(file)
        table.writerow([*column_names(["t", "side", "stage"], samples.names), *samples.names])
        table.writerows(zip(samples.t.tolist(), samples.side, samples.stage, *samples.x.tolist(), strict=True))


def _pandas(asked: str):
    try:
        import pandas
    except ImportError as error:
        raise ImportError(f"{asked} needs pandas, which is not installed; install it with: {_CURE}") from error
    return pandas
