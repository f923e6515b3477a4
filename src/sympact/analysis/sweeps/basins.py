"""Basins of attraction: where runs end, over a grid of starts or parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sympact.analysis.ensemble_result import Ensemble
from sympact.analysis.ensembles import ensemble
from sympact.analysis.run_subject import subject_of
from sympact.analysis.sweeps.left_out import left_out, warn_of_left_out
from sympact.analysis.sweeps.sweep_tables import grid_dataset
from sympact.integrate.present.table import Sheet, Table
from sympact.integrate.problem.real import real_array
from sympact.on_request import on_request

if TYPE_CHECKING:
    import xarray
    from matplotlib.figure import Figure

__all__ = ["Basins", "basins"]


@dataclass(frozen=True, eq=False)
class Basins:
    """Where the runs of a grid end, as `basins` gives it.

    Attributes
    ----------
    axes : dict of str to array
        The two quantities of the grid, with their values: the horizontal one first.
    labels : array of int, shape (n_second, n_first)
        The place in `names` of the attractor of each run, -1 for none, and for runs that Ctrl-C has left out.
    names : tuple of str
        The attractors.
    ensemble : Ensemble
        The runs, those of a row of the grid after each other; ``ensemble[basins.run(i, j)]`` repeats one alone.
    """

    axes: dict[str, np.ndarray]
    labels: np.ndarray
    names: tuple[str, ...]
    ensemble: Ensemble

    def run(self, first: int, second: int) -> int:
        """The number of the run with the value `first` of the horizontal axis and `second` of the vertical one."""
        return int(np.ravel_multi_index((second, first), self.labels.shape))

    @property
    def shares(self) -> dict[str, float]:
        """The part of the grid that each attractor has; their sum is 1 where each run reaches one."""
        return {name: float((self.labels == k).mean()) for k, name in enumerate(self.names)}

    def to_xarray(self) -> xarray.Dataset:
        """The labels over both axes; the names of the attractors are an attribute.

        Raises
        ------
        ImportError
            Without xarray: ``python -m pip install 'sympact[tables]'``.
        """
        columns = {"label": self.labels, "t": self.ensemble.t.reshape(self.labels.shape)}
        return grid_dataset(self.axes, columns, {"names": ", ".join(self.names)})

    def plot(self, **options) -> Figure:
        """Draw the basins; see `plot_basins`."""
        return on_request("plot_basins")(self, **options)

    def __repr__(self) -> str:
        told = ", ".join(f"{name} {100 * share:.3g} %" for name, share in self.shares.items())
        sizes = " x ".join(f"{len(values)} {name}" for name, values in self.axes.items())
        return f"<Basins of {sizes}: {told}{left_out(self.ensemble.made)}>"

    def _repr_html_(self) -> str:
        axes = {name: f"{len(values)} from {values[0]:.6g} to {values[-1]:.6g}" for name, values in self.axes.items()}
        rows = [(name, f"{100 * share:.3g} %") for name, share in self.shares.items()]
        left = int((~self.ensemble.made).sum())
        rows += [("(not made)", f"{100 * left / self.labels.size:.3g} %")] if left else []
        return Sheet("Basins", axes, (Table(("attractor", "share"), rows),)).html


def basins(
    model: Any,
    grid: Mapping[Any, Sequence[float]],
    attractors: Mapping[str, Any] | Callable[[Ensemble], Any],
    t_span: Sequence[float] | None = None,
    x0: Any = None,
    parameters: Any = None,
    **options,
) -> Basins:
    """Where the runs of a grid of starts or parameters end.

    Parameters
    ----------
    model : HybridModel, HybridSystem, or a ready model of `sympact.models`
    grid : mapping of two states or parameters to their values
        By their symbols; of a ready model, and of states, by their names as well. The first one is the horizontal axis.
    attractors : mapping of str to a condition, or callable
        A condition of the model's symbols for each attractor, an inequality such as ``q > 0``, at the end of a run; the
        first one that holds counts. Or a function of the `Ensemble`, which returns the name of the attractor of each
        run, shape (runs,), "" for none. Runs that Ctrl-C has left out have none, whatever it returns; a warning counts
        them.
    t_span, x0, parameters
        As for `ensemble`: the numbers that are not in the grid.
    **options
        Those of `ensemble`.

    Returns
    -------
    Basins

    Raises
    ------
    ValueError, TypeError
        If the grid has not two axes, a condition is no inequality, or the function does not return a name for each run;
        and as `ensemble` does.

    Examples
    --------
    Balls thrown up and down from some height, and whether they are above 0.5 m after 0.2 s:

    >>> from sympact.models import bouncing_ball
    >>> ball = bouncing_ball()
    >>> (z,), (v,) = ball.model.q, ball.model.u
    >>> found = basins(ball, {v: [-1, 0, 1], z: [0.5, 0.7]}, {"high": z > 0.5, "low": z < 0.5}, (0, 0.2))
    >>> found.names, found.labels.tolist()
    (('high', 'low'), [[1, 1, 0], [1, 0, 0]])
    """
    names, values = _axes(grid)
    table = dict(zip(names, (part.ravel() for part in np.meshgrid(*values)), strict=True))
    subject, start, numbers = subject_of(
        model, t_span, x0 if x0 is not None or hasattr(model, "start") else {}, parameters, options.get("start"),
        options.get("inputs") or {}, tuple(options.get("controllers") or ()), {"consistent": "project"},
    )  # fmt: skip
    known = {str(letter): letter for letter in subject.parameters}
    states = dict(zip(subject.state_names, subject.states, strict=True))
    starts, rest = {}, {}
    for name, column in table.items():
        if name in subject.states or str(name) in states:
            starts[states.get(str(name), name)] = column
        elif name in subject.parameters or str(name) in known:
            rest[known.get(str(name), name)] = column
        else:
            raise ValueError(f"the grid has {name}, expected a state, {list(states)}, or a parameter, {list(known)}")
    x0 = _with(start, starts, "x0", subject.states)
    parameters = _with(numbers, rest, "parameters", subject.parameters) if rest else parameters
    runs = ensemble(model, t_span, x0, parameters, **options)
    warn_of_left_out("basins", runs.made)
    labels, called = _labels(runs, attractors)
    shape = tuple(len(one) for one in reversed(values))
    axes = {_told(name, states): one for name, one in zip(names, values, strict=True)}
    return Basins(axes, labels.reshape(shape), called, runs)


def _axes(grid: Any) -> tuple[list[Any], list[np.ndarray]]:
    """The names of the axes and their values."""
    if not isinstance(grid, Mapping) or len(grid) != 2:
        raise ValueError(f"grid is {grid!r}, expected a mapping of two states or parameters to their values")
    values = [real_array(one) for one in grid.values()]
    for name, one in zip(grid, values, strict=True):
        if one.ndim != 1 or not one.size or not np.isfinite(one).all():
            raise ValueError(f"the values of {name} have the shape {one.shape}, expected finite numbers in one row")
    return list(grid), values


def _with(given: Any, columns: dict[Any, np.ndarray], what: str, letters: Sequence[Any]) -> Any:
    """What is given for all runs, with the columns of the grid."""
    if not columns:
        return given
    if isinstance(given, Mapping):
        return {**given, **columns}
    array = real_array(given)
    if array.shape == (len(letters),):
        return {**dict(zip(letters, array.tolist(), strict=True)), **columns}
    if not array.size:
        return columns
    raise ValueError(f"{what} is {given!r}, expected a mapping or numbers in the order of {list(map(str, letters))}")


def _told(name: Any, states: Mapping[str, Any]) -> str:
    return next((text for text, letter in states.items() if name in (text, letter)), str(name))


def _labels(runs: Ensemble, attractors: Any) -> tuple[np.ndarray, tuple[str, ...]]:
    """The attractor of each run, and the names of all."""
    labels, made = np.full(len(runs), -1), runs.made
    if isinstance(attractors, Mapping):
        for k, (name, condition) in enumerate(attractors.items()):
            if not hasattr(condition, "gts"):
                raise TypeError(f"the attractor {name!r} is {condition!r}, expected an inequality such as q > 0")
            labels[made & (labels < 0) & (runs.value(condition.gts - condition.lts) > 0.0)] = k
        return labels, tuple(map(str, attractors))
    found = np.asarray(attractors(runs))
    if found.shape != (len(runs),):
        raise ValueError(
            f"the function of attractors returned the shape {found.shape}, expected ({len(runs)},): a name a run"
        )
    names = tuple(str(name) for name in np.unique(found[made]) if str(name))
    for k, name in enumerate(names):
        labels[made & (found.astype(str) == name)] = k
    return labels, names
