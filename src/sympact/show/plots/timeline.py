"""A run as a picture: panels chosen by name, one below the other."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from sympact.integrate.export.quantity_units import MECHANICAL, checked_units, name_of
from sympact.integrate.history.physics import expression_at
from sympact.integrate.problem.real import described
from sympact.integrate.trajectory.evaluator import Along, Facts
from sympact.native.sentences.near_names import suggestion
from sympact.show.plots.curves import broken_curves
from sympact.show.plots.drawn import Drawn
from sympact.show.plots.energy import energy_parts
from sympact.show.plots.force_panels import force_parts, gap_parts, impulse_parts
from sympact.show.plots.panels import Curves, state_parts
from sympact.show.plots.phase import phase_parts
from sympact.show.plots.sheet import Block, Strip, draw_into, draw_page
from sympact.show.plots.stages import stage_parts

if TYPE_CHECKING:
    from sympact.integrate.result import Result

NOTHING: Mapping = MappingProxyType({})


def plot_result(
    result: Result,
    *panels: str,
    states: Sequence[Hashable] | None = None,
    gaps: Mapping[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] | None = None,
    phase: Sequence[tuple[Hashable, Hashable]] | None = None,
    units: Mapping[Any, str] = NOTHING,
    title: str | None = None,
    width: float = 9.0,
    t_span: tuple[float, float] | None = None,
    ax: Axes | Sequence[Axes] | None = None,
) -> Figure:
    """Draw a run: the named panels, from the top to the bottom, with its events and its stages.

    The panels are

    - ``"states"``: every state over time, coordinates left of their speeds;
    - ``"outputs"``: every output that the model was made with, over time;
    - ``"gaps"``: the gaps of the contacts over zero, where they close;
    - ``"energy"``: kinetic, potential and total energy, with a bar from the total before an impact to that after it;
      below, the change in each impact, on a logarithmic axis, losses as dots, gains as triangles. It is the
      contacts' own measure, without the work of moving surfaces, which may make the total rise. Where loads, friction
      or prescribed motions do work, it is drawn, too, and the total less the work, which only impacts change;
    - ``"forces"``: the normal forces of the contacts, while they are closed, and friction where there is any, with a
      sign where each keeps to a line of its own, which points where its largest component in the inertial frame is
      positive, else by its size;
    - ``"impulses"``: the impulse of every contact at every event, as stems;
    - ``"phase"``: phase portraits, each coordinate against its speed; a square where the run begins, and a dashed arrow
      from one side of each jump to the other, in the colour of its kind;
    - ``"stages"``: the stages, a line each, with bars for the times they lasted.

    Without any name they are gaps and outputs, where there are any, and states.

    In panels over time a jump is a break in the curve, with a hollow dot before and a full dot after it. Above them is
    a ribbon of the stages; its events are numbered as in the table of ``print(result.table())``, from 1; where there
    are several kinds, each has its colour, and the accumulations a triangle and dotted lines. Events that are too close
    to each other are a band. Many stages, or long names, are numbered in the order of their first visits, as in
    `draw_modes`; the legend names those of the longest total times. Nothing is shown, and pyplot keeps nothing: save
    the figure with ``figure.savefig``, or make it the value of a notebook's cell.

    Parameters
    ----------
    result : Result
    *panels : str
    states : sequence of str or symbol, optional
        The states that the panel ``"states"`` draws, in this order; all of them by default.
    gaps : mapping of str to callable, optional
        Functions ``gap(t, x)``, shape (k,), of times and states of shapes (k,) and (n_states, k), for the panel
        ``"gaps"``; by default those of the model's contacts.
    phase : sequence of pairs of str or symbol, optional
        The states that the panel ``"phase"`` draws against each other, such as ``[("z", "v")]``; by default every
        coordinate whose rate is a speed itself. For plain functions this is unknown, unless there are two states.
    units : mapping of str or symbol to str
        Units for the labels of the axes, by a state or an output, or by ``"t"``, ``"gaps"``, ``"energy"``,
        ``"forces"`` and ``"impulses"``: ``{"y": "m", "t": "s"}``. Those of a mechanical run are SI units if not given
        otherwise.
    title : str, optional
    width : float
        Width of the figure in inches; its height follows from the number of panels.
    t_span : (float, float), optional
        Draw these times alone; they must be times of the run.
    ax : matplotlib Axes, or sequence of them, optional
        Draw into these axes, one for each panel over time, in place of a figure; without the ribbon of stages.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    ValueError
        If there is no such panel, `states`, `phase` or `units` contains a name that the result does not have, `t_span`
        is not within the run, or `ax` has another number of axes than there are panels.
    TypeError
        If the run lacks the data of a panel: one of plain functions has no energy.

    Examples
    --------
    >>> from sympact.models import bouncing_ball
    >>> ball = bouncing_ball()
    >>> result = ball.simulate()
    >>> figure = result.plot("gaps", "energy", "impulses", units=ball.units)
    >>> [axes.get_ylabel() for axes in figure.axes]
    ['', 'gaps (m)', 'energy (J)', 'change (J)', 'impulse (N s)']
    >>> [(axes.get_xlabel(), axes.get_ylabel()) for axes in result.plot("phase", units=ball.units).axes]
    [('z (m)', 'v (m/s)')]
    """
    names, facts = result.state_names, result._facts
    known = _gaps_of(result) if gaps is None else _checked_gaps(gaps)
    drawn = Drawn(
        result=result,
        rows=_rows(names, states),
        gaps=known,
        pairs=_pairs(names, phase),
        units=_units(units, facts, names, mechanical=result._model.knows("kinetic_energy")),
        t_span=_checked_span(t_span, result.t_span),
    )
    outputs = ("outputs",) if facts.outputs and facts.between else ()
    chosen = _checked_panels(panels) or (*(("gaps",) if known else ()), "states", *outputs)
    parts = [part for panel in chosen for part in PANELS[panel](drawn)]
    if ax is not None:
        return draw_into(np.ravel(np.asarray(ax, dtype=object)), drawn.timing, parts, title)
    figure = draw_page(drawn.timing, parts, _checked_width(width))
    if title is not None:
        figure.suptitle(title)
    return figure


def plot_energy(result: Result, **options) -> Figure:
    """Draw the panel ``"energy"`` of `plot_result`, which describes it and the options.

    Examples
    --------
    >>> from sympact.models import bouncing_ball
    >>> figure = bouncing_ball().simulate().plot_energy()
    >>> [axes.get_ylabel() for axes in figure.axes]
    ['', 'energy (J)', 'change (J)']
    """
    return plot_result(result, "energy", **options)


def _units(units: Mapping[Any, str], facts: Facts, names: Sequence[str], *, mechanical: bool) -> dict[str, str]:
    """The given units, and SI units of a mechanical run."""
    return {**(MECHANICAL if mechanical else NOTHING), **checked_units(units, (*names, *facts.outputs))}


def _checked_span(t_span: object, whole: tuple[float, float]) -> tuple[float, float] | None:
    if t_span is None:
        return None
    try:
        begin, end = map(float, t_span)  # type: ignore[call-overload]  # anything else raises
    except (TypeError, ValueError):
        begin, end = math.nan, math.nan
    if not whole[0] <= begin < end <= whole[1]:
        raise ValueError(
            f"t_span is {described(t_span)}, expected two times of this run, from {whole[0]:.12g} to {whole[1]:.12g}"
        )
    return begin, end


def _state_parts(drawn: Drawn) -> Sequence[Strip | Block]:
    (t, x, _), (before, after), rows = drawn.curves, drawn.sides, drawn.rows
    names = [drawn.result.state_names[row] for row in rows]
    units = [drawn.units.get(name, "") for name in names]
    return state_parts(Curves(names, units, t, x[rows], before[rows], after[rows]))


def _output_parts(drawn: Drawn) -> Sequence[Strip | Block]:
    result, times, names = drawn.result, drawn.events.t, [*drawn.facts.outputs]
    if not (drawn.model.knows("expression") and names):
        raise drawn.lacks("outputs", "outputs", "make the HybridModel with outputs={name: expression}")
    if not drawn.facts.between:
        what = "outputs between its samples, because the file does not contain the inputs of its run, or the forces"
        what += " that accelerations depend on"
        raise drawn.lacks("outputs", what, "load(path, model=model, inputs=inputs)")

    def along(t: np.ndarray, side: Literal["left", "right"]) -> np.ndarray:
        return np.array([expression_at(result, name, t, side) for name in names])

    t, values = broken_curves(along, drawn.times, times)
    outputs = [drawn.model.quantity("expression", name) for name in names]
    before, after = (
        np.array([output(times, x, stage) for output in outputs]).reshape(len(names), -1)
        for x, stage in zip(drawn.sides, drawn.stages, strict=True)
    )
    return state_parts(Curves(names, [drawn.units.get(name, "") for name in names], t, values, before, after))


PANELS: Mapping[str, Callable[[Drawn], Sequence[Strip | Block]]] = {
    "states": _state_parts,
    "outputs": _output_parts,
    "gaps": gap_parts,
    "energy": energy_parts,
    "forces": force_parts,
    "impulses": impulse_parts,
    "phase": phase_parts,
    "stages": stage_parts,
}
"""The data of each panel, by its name."""


def _checked_panels(panels: Sequence[object]) -> tuple[str, ...]:
    unknown = [panel for panel in panels if not (isinstance(panel, str) and panel in PANELS)]
    if unknown:
        raise ValueError(
            f"panels: unknown {unknown}; name some of {[*PANELS]} one by one, such as plot('states', 'energy'); "
            f"states are chosen by states=[...]{suggestion(unknown[0], PANELS)}"
        )
    if len(set(panels)) < len(panels):
        raise ValueError(f"panels: {[*panels]} names one of them twice; name each once")
    return tuple(panel for panel in panels if isinstance(panel, str))


def _rows(names: Sequence[str], wanted: Sequence[Hashable] | None) -> list[int]:
    """Rows of the requested states, in the requested order."""
    if wanted is None:
        return list(range(len(names)))
    listed = [wanted] if isinstance(wanted, str) or not isinstance(wanted, Sequence) else wanted
    asked = [name_of(name, names) for name in listed]
    unknown = [name for name in asked if name not in names]
    if unknown or not asked:
        near = suggestion(unknown[0], names) if unknown else ""
        raise ValueError(f"states to draw: unknown {unknown}; name at least one of {list(names)}{near}")
    return [names.index(name) for name in asked]


def _pairs(names: Sequence[str], wanted: Sequence[tuple[Hashable, Hashable]] | None) -> list[tuple[str, str]] | None:
    """The pairs of states to draw against each other, by their names."""
    if wanted is None:
        return None
    if isinstance(wanted, str) or not isinstance(wanted, Sequence) or not all(map(_is_pair, wanted)) or not wanted:
        raise ValueError(f"phase is {wanted!r}, expected pairs of states, such as [({names[0]!r}, {names[-1]!r})]")
    pairs = [(name_of(first, names), name_of(second, names)) for first, second in wanted]
    unknown = [name for pair in pairs for name in pair if name not in names]
    if unknown:
        raise ValueError(f"phase: unknown {unknown}; name pairs of the states {list(names)}")
    return pairs


def _is_pair(pair: object) -> bool:
    return isinstance(pair, Sequence) and not isinstance(pair, str) and len(pair) == 2


def _gaps_of(result: Result) -> dict[str, Along]:
    """Those of the model's contacts."""
    return {name: result._model.quantity("gap", name) for name in result._facts.contact_names}


def _checked_gaps(gaps: object) -> dict[str, Along]:
    """Functions of time and states."""
    if not isinstance(gaps, Mapping) or not all(callable(gaps[name]) for name in gaps):
        raise TypeError(f"gaps is {gaps!r}, expected functions by their names: {{'ground': lambda t, x: x[0]}}")
    return {name: lambda t, x, stage, gap=gap: gap(t, x) for name, gap in gaps.items()}


def _checked_width(width: object) -> float:
    if not isinstance(width, int | float) or not 3 <= width <= 100:
        raise ValueError(f"width is {described(width)}, expected the width of the figure in inches, from 3 to 100")
    return float(width)
