"""A run over time: states and gaps as curves that break at jumps, events as lines, stages as a ribbon."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from sympact.show.curves import broken_curves, stretches
from sympact.show.sheet import Curves, Timing, draw_sheet

if TYPE_CHECKING:
    from sympact.integrate.result import Quantity, Result

NOTHING: Mapping = MappingProxyType({})


def plot_result(
    result: Result,
    *,
    states: Sequence[str] | None = None,
    gaps: Mapping[str, Quantity] = NOTHING,
    units: Mapping[str, str] = NOTHING,
    title: str | None = None,
    width: float = 9.0,
) -> Figure:
    """Draw the states and gaps of a run over time, with its events and the stages it went through.

    A jump is a break in the curve, with a hollow dot before and a full dot after it. The events are numbered as in
    the table of ``print(result.table())``, from 1; where there are several kinds, each has its colour, and the
    accumulations a triangle and dotted lines. Many stages, or long names, are numbered in the order in which they
    were met, as in `draw_modes`; the legend names those that took most of the time. Nothing is shown, and pyplot
    keeps nothing: save the figure with ``figure.savefig``, or make it the value of a notebook's cell.

    Parameters
    ----------
    result : Result
    states : sequence of str, optional
        Names of the states to draw, in this order; all of them by default.
    gaps : mapping of str to callable
        Functions ``gap(t, x)``, shape (k,), of times and states of shapes (k,) and (n_states, k), to be drawn in a
        panel of their own over the zero at which they close. The runs of a `HybridModel` bring those of its contacts.
    units : mapping of str to str
        Units for the labels of the axes, by the name of a state, ``"t"`` or ``"gaps"``: ``{"y": "m", "t": "s"}``.
    title : str, optional
    width : float
        Width of the figure in inches; its height follows from the number of panels.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    ValueError
        If `states` or `units` names what the result does not have.

    Examples
    --------
    >>> from sympact import HybridSystem, Transition
    >>> bounce = Transition("up", "up", boundary=lambda t, x: -x[0], jump=lambda t, x: [0.0, -0.5 * x[1]])
    >>> ball = HybridSystem({"up": lambda t, x: [x[1], -10.0]}, [bounce], states=["height", "speed"])
    >>> figure = plot_result(ball.simulate((0, 1.2), [5.0, 0.0], start="up"), units={"height": "m"})
    >>> [axes.get_ylabel() for axes in figure.axes]
    ['', 'height (m)', 'speed']
    """
    rows = _rows(result.state_names, states)
    _check_units([*result.state_names, "t", "gaps"], units)
    events = [event.t for event in result.events]
    t, x = broken_curves(result, result.t_span, events)
    labels = [_labelled(result.state_names[row], units) for row in rows]
    before, after = _sides(result)
    figure = draw_sheet(
        timing_of(result, units),
        Curves(labels, t, x[rows], before[rows], after[rows]),
        _gap_curves(gaps, t, x, len(events)) if gaps else None,
        width,
    )
    if title is not None:
        figure.suptitle(title)
    return figure


def timing_of(result: Result, units: Mapping[str, str]) -> Timing:
    """The stages and events of a run, and the labels of time and gaps."""
    events = result.events.t.tolist()
    stages = stretches(_stages(result), events, _window(result.t_span))
    return Timing(stages, events, result.events.kinds(), _labelled("t", units), _labelled("gaps", units))


def _window(t_span: tuple[float, float]) -> tuple[float, float]:
    """The times to show: those of the run, or half a second around a run that ended where it began."""
    begin, end = t_span
    return (begin, end) if end > begin else (begin - 0.5, end + 0.5)


def _rows(names: Sequence[str], wanted: Sequence[str] | None) -> list[int]:
    """Rows of the wanted states, in the wanted order."""
    if wanted is None:
        return list(range(len(names)))
    unknown = [name for name in wanted if name not in names]
    if unknown or not wanted:
        raise ValueError(f"states to draw: unknown {unknown}; name at least one of {list(names)}")
    return [names.index(name) for name in wanted]


def _check_units(names: Sequence[str], units: Mapping[str, str]) -> None:
    unknown = [name for name in units if name not in names]
    if unknown:
        raise ValueError(f"units: unknown {unknown}; a unit belongs to one of {list(names)}")


def _labelled(name: str, units: Mapping[str, str]) -> str:
    return f"{name} ({units[name]})" if name in units else name


def _stages(result: Result) -> list[str]:
    """The first stage of a run and the stage after each of its events."""
    return [result.path[0], *(event.target for event in result.events)]


def _gap_curves(gaps: Mapping[str, Quantity], t: NDArray, x: NDArray, n_events: int) -> Curves:
    """The gaps along a run; they depend on the position, which no impact changes, so that none of them jumps."""
    none = np.zeros((len(gaps), n_events))
    return Curves(list(gaps), t, np.array([gap(t, x) for gap in gaps.values()]), none, none)


def _sides(result: Result) -> tuple[NDArray, NDArray]:
    """The states before and after every event, each of shape (n_states, n_events)."""
    none = np.empty((0, len(result.state_names)))
    before = np.array([event.x_minus for event in result.events]) if result.events else none
    after = np.array([event.x_plus for event in result.events]) if result.events else none
    return before.T, after.T
