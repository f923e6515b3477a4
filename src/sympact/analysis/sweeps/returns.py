"""Return maps: the states of runs at their returns to a section."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sympact.analysis.ensemble_result import Ensemble
from sympact.analysis.sweeps.left_out import left_out, warn_of_left_out
from sympact.analysis.sweeps.section_states import SectionStates, met, read_section
from sympact.analysis.sweeps.sweep_tables import returns_dataset
from sympact.on_request import on_request

if TYPE_CHECKING:
    from collections.abc import Sequence

    import xarray
    from matplotlib.figure import Figure

__all__ = ["ReturnMap", "return_map"]


@dataclass(frozen=True, eq=False)
class ReturnMap:
    """The returns of runs to a section, as `return_map` gives them.

    Attributes
    ----------
    states : SectionStates
        The returns.
    section : str
        The name of the section.
    ensemble : Ensemble
        The runs; ``ensemble[k]`` repeats run k alone.
    """

    states: SectionStates
    section: str
    ensemble: Ensemble

    @property
    def run(self) -> np.ndarray:
        """The number of the run of each return, shape (n_returns,)."""
        return self.states.run

    @property
    def t(self) -> np.ndarray:
        """The time of each return, shape (n_returns,) (s)."""
        return self.states.t

    @property
    def x(self) -> np.ndarray:
        """The state just after each return, shape (n_returns, n_states)."""
        return self.states.x

    @property
    def state_names(self) -> tuple[str, ...]:
        """The names of the states, in the order of the columns of `x`."""
        return self.states.subject.state_names

    def __len__(self) -> int:
        return len(self.states.t)

    def value(self, quantity: Any, *, before: bool = False) -> np.ndarray:
        """A state, an output, an expression, or the time "t", at each return, shape (n_returns,).

        Parameters
        ----------
        quantity : str or Expr
        before : bool
            Just before the event instead of just after it.
        """
        return self.states.value(quantity, before=before)

    def pairs(self, quantity: Any, *, before: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """A quantity at returns, and at the return after each: the graph of the return map, two arrays of one shape."""
        values, same = self.value(quantity, before=before), np.diff(self.run) == 0
        return values[:-1][same], values[1:][same]

    def to_xarray(self) -> xarray.Dataset:
        """The returns, with the dimensions return and state.

        Raises
        ------
        ImportError
            Without xarray: ``python -m pip install 'sympact[tables]'``.
        """
        return returns_dataset(self.states, {"section": self.section})

    def plot(self, quantity: Any, other: Any = None, **options) -> Figure:
        """Draw the return map of a quantity, or with another one the phase portrait of both; see `plot_returns`."""
        return on_request("plot_returns")(self, quantity, other, **options)

    def __repr__(self) -> str:
        told = left_out(self.ensemble.made)
        return f"<{len(self):,} returns of {self.states.n_runs:,} runs to the section {self.section!r}{told}>"


def return_map(
    model: Any,
    section: Any,
    t_span: Sequence[float] | None = None,
    x0: Any = None,
    parameters: Any = None,
    *,
    transient: float = 0.0,
    **options,
) -> ReturnMap:
    """The states of many runs at their returns to a section.

    Parameters
    ----------
    model : HybridModel, HybridSystem, or a ready model of `sympact.models`
    section : str, Contact, Expr, condition, Crossing or Strobe
        A contact, at whose impacts runs are looked at, by its name or the object; the name of a condition that the
        model watches, or of a transition; an expression or a condition of the model's symbols, see `Crossing`; or
        equidistant times, see `Strobe`.
    t_span, x0, parameters
        As for `ensemble`: numbers, arrays, distributions, functions. Where all are numbers there is one run.
    transient : float
        Returns within this time from the start are left out (s).
    **options
        Those of `ensemble`, such as ``runs``, ``seed``, ``points``, ``workers`` and ``rtol``. Runs follow each other
        in machine code where those of an ensemble do, for sections that are contacts.

    Returns
    -------
    ReturnMap
        Where Ctrl-C has left out runs, a warning counts them; their returns are not there.

    Raises
    ------
    ValueError, TypeError
        If there is no such section; and as `ensemble` does.

    Examples
    --------
    From bounce to bounce a ball keeps the part e of its speed:

    >>> from sympact.models import bouncing_ball
    >>> bounces = return_map(bouncing_ball(), "ball", (0, 2))
    >>> now, later = bounces.pairs("v")
    >>> (later / now).round(9)
    array([0.8, 0.8])
    """
    found = read_section(model, section)
    states, runs = met(found, t_span, x0, parameters, one_run(x0, parameters, options))
    warn_of_left_out("return_map", runs.made)
    return ReturnMap(states.late(runs.t_span[0] + transient), found.name, runs)


def one_run(x0: Any, parameters: Any, options: dict[str, Any]) -> dict[str, Any]:
    """The options of an ensemble, with one run where all is given by numbers."""
    if "runs" in options or not (_of_one(x0) and _of_one(parameters)):
        return options
    return {**options, "runs": 1}


def _of_one(given: Any) -> bool:
    """Whether no number of runs follows from what is given, and nothing is drawn."""
    if hasattr(given, "values"):
        return all(np.ndim(one) == 0 and not hasattr(one, "ppf") for one in given.values())
    return given is None or (not callable(given) and np.ndim(given) < 2)
