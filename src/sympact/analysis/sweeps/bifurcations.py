"""Bifurcation diagrams: the states on a section against a parameter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, isclose
from typing import TYPE_CHECKING, Any

import numpy as np

from sympact.analysis.ensemble_result import Ensemble
from sympact.analysis.sweeps.left_out import left_out, warn_of_left_out
from sympact.analysis.sweeps.section_states import Section, SectionStates, met, read_section
from sympact.analysis.sweeps.sweep_tables import returns_dataset
from sympact.integrate.problem.real import described, real_array
from sympact.integrate.problem.status import Status
from sympact.integrate.problem.times import time_span
from sympact.models.ready import ReadyModel, ReadyProcess
from sympact.on_request import on_request

if TYPE_CHECKING:
    import xarray
    from matplotlib.figure import Figure

__all__ = ["BifurcationDiagram", "bifurcation_diagram"]

_FOLLOW = (None, "up", "down")


@dataclass(frozen=True, eq=False)
class BifurcationDiagram:
    """The returns of runs to a section for each value of a parameter, as `bifurcation_diagram` gives them.

    Attributes
    ----------
    parameter : str
        Its name.
    values : array, shape (n_values,)
        Its values, as they were given.
    states : SectionStates
        The returns after the transient.
    value_of_run : array of int, shape (runs,)
        The place in `values` of each run.
    final : array, shape (runs, n_states)
        The last state of each run; NaN for a run that was not made.
    section : str
        The name of the section.
    made : array of bool, shape (runs,)
        Whether each run was made: all but those that Ctrl-C has left out.
    """

    parameter: str
    values: np.ndarray
    states: SectionStates
    value_of_run: np.ndarray
    final: np.ndarray
    section: str
    made: np.ndarray

    @property
    def t(self) -> np.ndarray:
        """The time of each return, shape (n_returns,) (s)."""
        return self.states.t

    @property
    def x(self) -> np.ndarray:
        """The state just after each return, shape (n_returns, n_states)."""
        return self.states.x

    @property
    def place(self) -> np.ndarray:
        """The place in `values` of each return, shape (n_returns,)."""
        return self.value_of_run[self.states.run]

    @property
    def along(self) -> np.ndarray:
        """The value of the parameter at each return, shape (n_returns,)."""
        return self.values[self.place]

    @property
    def counts(self) -> np.ndarray:
        """The number of returns for each value, shape (n_values,)."""
        return np.bincount(self.place, minlength=len(self.values))

    def value(self, quantity: Any, *, before: bool = False) -> np.ndarray:
        """A state, an output, an expression, or the time "t", at each return, shape (n_returns,).

        Parameters
        ----------
        quantity : str or Expr
        before : bool
            Just before the event instead of just after it.
        """
        return self.states.value(quantity, before=before)

    def phase(self, period: float) -> np.ndarray:
        """The time of each return since the last multiple of a period, shape (n_returns,) (s)."""
        return np.mod(self.t, period)

    def to_xarray(self) -> xarray.Dataset:
        """The returns with the value of the parameter of each, with the dimensions return and state.

        Raises
        ------
        ImportError
            Without xarray: ``python -m pip install 'sympact[tables]'``.
        """
        return returns_dataset(
            self.states,
            {"section": self.section, "parameter": self.parameter},
            {f"parameter_{self.parameter}": self.along},
        )

    def plot(self, quantity: Any, **options) -> Figure:
        """Draw a quantity of the returns against the parameter; see `plot_bifurcations`."""
        return on_request("plot_bifurcations")(self, quantity, **options)

    def __repr__(self) -> str:
        first, last = self.values[0], self.values[-1]
        return (
            f"<{len(self.t):,} returns to the section {self.section!r} for {len(self.values):,} values of "
            f"{self.parameter} from {first:.6g} to {last:.6g}{left_out(self.made)}>"
        )


def bifurcation_diagram(
    model: Any,
    section: Any,
    sweep: Mapping[Any, Sequence[float]],
    t_span: Sequence[float] | None = None,
    x0: Any = None,
    parameters: Any = None,
    *,
    transient: float,
    follow: str | None = None,
    period: float | None = None,
    **options,
) -> BifurcationDiagram:
    """The states of runs on a section, for each value of a parameter.

    Without `follow` all values are runs of one ensemble from the same start. With it the runs for a value begin where
    those for the value before have ended, so that branches are followed beyond the place where they lose their
    attraction from a fixed start: a sweep up and one down differ where two attractors exist.

    Parameters
    ----------
    model : HybridModel, HybridSystem, or a ready model of `sympact.models`
    section
        As for `return_map`.
    sweep : mapping of one parameter to its values
        By its symbol; of a ready model by its name as well.
    t_span : (t_start, t_end)
        The times of each run (s).
    x0 : mapping or array
        Numbers for the start; an array of shape (k, n_states) for k starts, each with all values.
    parameters : mapping
        The other parameters, numbers.
    transient : float
        Returns within this time from the start of each run are left out (s).
    follow : {None, "up", "down"}
        Whether the values are continued, in the order of increasing or of decreasing values.
    period : float, optional
        Of a forcing that depends on time (s): with `follow` the runs are lengthened to a whole number of periods, so
        that the next ones begin at the phase at which they have ended.
    **options
        Those of `ensemble`, such as ``workers`` and ``rtol``.

    Returns
    -------
    BifurcationDiagram
        With `follow`, a run that ends before its time is followed by one from the given start; so is a last state that
        is no start for the next value, because a surface that moves with the parameter has passed it. Where Ctrl-C has
        left out runs, a warning counts them, and `made` has those that were made.

    Raises
    ------
    ValueError, TypeError
        If the sweep is not that of one parameter, or a setting is wrong; and as `return_map` does.

    Examples
    --------
    The speed after the third bounce of a ball, against its restitution:

    >>> from sympact.models import bouncing_ball
    >>> e = np.array([0.5, 0.6, 0.7])
    >>> diagram = bifurcation_diagram(bouncing_ball(), "ball", {"e": e}, (0, 1.7), transient=0)
    >>> third = diagram.value("v")[np.cumsum(diagram.counts) - diagram.counts + 2]
    >>> bool(abs(third - e**3 * np.sqrt(2 * 9.81)).max() < 1e-8)
    True
    """
    if follow not in _FOLLOW:
        raise ValueError(f"follow is {follow!r}, expected one of {', '.join(map(repr, _FOLLOW))}")
    letter, values = _swept(sweep)
    found, span = read_section(model, section), _span(model, t_span, transient, period if follow else None)
    rows, starts = _starts(model, x0)
    given = _parameters(parameters, letter)
    if follow is None:
        numbers = {**given, letter: np.repeat(values, rows)}
        x = starts if rows == 1 else np.tile(starts, (len(values), 1))
        states, runs = met(found, span, x, numbers, options)
        places, final, made = np.repeat(np.arange(len(values)), rows), runs.x, runs.made
    else:
        order = np.argsort(values, kind="stable")
        order = order if follow == "up" else order[::-1]
        states, final, made = _followed(found, span, (rows, starts), given, letter, values[order], options)
        places = np.repeat(order, rows)
    warn_of_left_out("bifurcation_diagram", made)
    return BifurcationDiagram(str(letter), values, states.late(span[0] + transient), places, final, found.name, made)


def _followed(
    section: Section,
    span: tuple[float, float],
    given_starts: tuple[int, Any],
    given: dict[Any, Any],
    letter: Any,
    values: np.ndarray,
    options: dict[str, Any],
) -> tuple[SectionStates, np.ndarray, np.ndarray]:
    """The returns for one value after the other, each from where the one before has ended; the ends, and the runs made.

    Ctrl-C leaves out the values after that of its run.
    """
    rows, starts = given_starts
    found: SectionStates | None = None
    ends: list[np.ndarray] = []
    made: list[np.ndarray] = []
    present: Any = starts
    first: np.ndarray | None = None
    for value in values.tolist():
        states, runs = _from(section, span, present, first, {**given, letter: np.full(rows, value)}, options)
        found = states if found is None else found.followed_by(states)
        whole = runs.t == span[1]
        ends.append(runs.x)
        made.append(runs.made)
        if not runs.made.all():
            break
        first = runs.x0 if first is None else first
        present = np.where(whole[:, np.newaxis], runs.x, first)
    assert found is not None, "there is a value"
    left = rows * (len(values) - len(ends))
    nothing = np.full((left, ends[0].shape[1]), np.nan)
    return found, np.concatenate([*ends, nothing]), np.concatenate([*made, np.zeros(left, dtype=bool)])


def _from(
    section: Section, span: tuple[float, float], present: Any, first: np.ndarray | None, numbers: dict, options: dict
) -> tuple[SectionStates, Ensemble]:
    """The returns of runs from the present states; from the first ones where these are refused.

    A state may be refused because a surface that depends on the parameter has moved over it.
    """
    try:
        states, runs = met(section, span, present, numbers, options)
    except ValueError:
        if first is None:
            raise
        return met(section, span, first, numbers, options)  # raises again where that was not the reason
    refused = runs.status == Status.REFUSED
    if first is None or not refused.any():
        return states, runs
    return met(section, span, np.where(refused[:, np.newaxis], first, present), numbers, options)


def _swept(sweep: Any) -> tuple[Any, np.ndarray]:
    """The parameter and its values."""
    if not isinstance(sweep, Mapping) or len(sweep) != 1:
        raise ValueError(f"sweep is {sweep!r}, expected a mapping of one parameter to its values")
    letter, given = next(iter(sweep.items()))
    values = real_array(given)
    if values.ndim != 1 or not values.size or not np.isfinite(values).all():
        raise ValueError(f"the values of {letter} have the shape {values.shape}, expected finite numbers in one row")
    return letter, values


def _span(model: Any, t_span: Any, transient: float, period: float | None) -> tuple[float, float]:
    """The times of the runs, a whole number of periods."""
    own = getattr(model, "t_span", None) if t_span is None else t_span
    if own is None:
        raise ValueError("t_span is missing; only a ready model of sympact.models has its own")
    first, last = time_span(own)
    if not 0.0 <= transient < last - first:
        raise ValueError(
            f"the transient is {transient!r} s, expected a time from 0 to that of the runs, {last - first:.6g} s"
        )
    if period is None:
        return first, last
    if not period > 0.0:
        raise ValueError(f"the period is {described(period)}, expected a positive number of seconds")
    periods = (last - first) / period
    whole = round(periods) if isclose(periods, round(periods), rel_tol=1e-9) else ceil(periods)
    return first, first + whole * period


def _starts(model: Any, x0: Any) -> tuple[int, Any]:
    """The number of starts for each value, and the starts."""
    if isinstance(x0, Mapping):
        wrong = [str(name) for name, one in x0.items() if np.ndim(one) or hasattr(one, "ppf")]
        if wrong:
            raise ValueError(
                f"x0 has no single number for {', '.join(wrong)}; expected numbers, or an array of shape (k, n_states)"
            )
        return 1, x0
    if x0 is None and isinstance(model, (ReadyModel, ReadyProcess)):
        return 1, None
    if callable(x0):
        raise ValueError("x0 is a function, expected numbers, or an array of shape (k, n_states)")
    array = real_array(x0)
    return (len(array), array) if array.ndim == 2 else (1, array)


def _parameters(parameters: Any, letter: Any) -> dict[Any, Any]:
    """The other parameters."""
    given = {} if parameters is None else parameters
    if not isinstance(given, Mapping):
        raise ValueError(f"parameters is {parameters!r}, expected a mapping: the sweep names one of them")
    if any(str(name) == str(letter) for name in given):
        raise ValueError(f"{letter} is in parameters and in the sweep, expected in one of them")
    wrong = [str(name) for name, one in given.items() if np.ndim(one) or hasattr(one, "ppf")]
    if wrong:
        raise ValueError(f"parameters has no single number for {', '.join(wrong)}; expected numbers beside the sweep")
    return dict(given)
