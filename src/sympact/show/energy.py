"""Energy along a run as a picture: kinetic, potential and total, and what each impact took."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from sympact.integrate.hooks import Hooks
from sympact.show import ribbon
from sympact.show.curves import broken_curves
from sympact.show.palette import KIND_COLOURS
from sympact.show.sheet import LEGEND, Timing, draw_event_lines
from sympact.show.timeline import timing_of

if TYPE_CHECKING:
    from sympact.integrate.result import Result

__all__ = ["plot_energy"]

KINETIC, POTENTIAL, TOTAL = "#1f77b4", "#ff7f0e", "0.15"
LOSS, GAIN = KIND_COLOURS["impact"], "#0b6623"
ROUNDING = 1e-10
"""Of the kinetic energy before an impact: a change no larger is rounding, and is not marked."""

CURVES_HEIGHT, CHANGES_HEIGHT, MARGIN = 2.5, 1.5, 0.7
"""Heights in inches."""


def plot_energy(
    result: Result, hooks: Hooks, *, title: str | None = None, unit: str = "s", width: float = 9.0
) -> Figure:
    """Draw the kinetic, potential and total energy of a run over time, with what each impact took.

    Where an impact, or the closing of a contact, changes the energy, a bar goes from the total before it to that after
    it; below, the change of each stands by itself on a logarithmic axis, losses as dots, gains as triangles. It is the
    contacts' own measure, without the work of moving surfaces, which may make the total rise. Where a load has no
    potential that is known, the kinetic energy is drawn alone, and the picture names the load.

    Parameters
    ----------
    result : Result
    hooks : Hooks
        What the model behind the run answers, its kinetic energy at least; `Result.plot_energy` hands them over.
    title : str, optional
    unit : str
        The unit of time.
    width : float
        Width of the figure in inches.

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> from sympact.models import bouncing_ball
    >>> figure = bouncing_ball().simulate().plot_energy()
    >>> [axes.get_ylabel() for axes in figure.axes]
    ['', 'energy (J)', 'change (J)']
    """
    timing = timing_of(result, {"t": unit})
    times, changes = _changes(result, hooks)
    marked = bool(changes.size)
    heights = [ribbon.HEIGHT, CURVES_HEIGHT, *([CHANGES_HEIGHT] if marked else [])]
    figure = Figure(figsize=(width, sum(heights) + MARGIN), layout="constrained")
    axes = figure.subplots(len(heights), 1, height_ratios=heights, squeeze=False)[:, 0]
    ribbon.draw_ribbon(axes[0], timing.stretches, timing.events, timing.kinds, width)
    _draw_curves(axes[1], result, hooks, timing)
    if marked:
        axes[1].tick_params(labelbottom=False)
        _draw_changes(axes[2], times, changes, timing)
    axes[-1].set_xlabel(timing.label)
    if title is not None:
        figure.suptitle(title)
    return figure


def _changes(result: Result, hooks: Hooks) -> tuple[NDArray, NDArray]:
    """The times of the events that changed the energy, and by how much (J)."""
    columns = result.events.columns()
    times, changes = columns["t"], columns["energy"]
    if not len(times):
        return times, changes
    kinetic = hooks.kinetic_energy(times, np.array([event.x_minus for event in result.events]).T)
    marked = np.isfinite(changes) & (np.abs(changes) > ROUNDING * kinetic)
    return times[marked], changes[marked]


def _draw_curves(panel: Axes, result: Result, hooks: Hooks, timing: Timing) -> None:
    """Kinetic, potential and total energy, broken at events, with a bar for each step of the total."""
    events = np.unique(timing.events)
    t, x = broken_curves(result, result.t_span, events)
    kinetic = hooks.kinetic_energy(t, x)
    total, name = kinetic, "kinetic"
    panel.plot(t, kinetic, color=KINETIC, linewidth=1.1, label="kinetic")
    if hooks.potential_energy is not None:
        potential = hooks.potential_energy(t, x)
        total, name = kinetic + potential, "total"
        panel.plot(t, potential, color=POTENTIAL, linewidth=1.1, label="potential")
        panel.plot(t, total, color=TOTAL, linewidth=1.6, label="total")
    elif hooks.without_potential:
        note = f"no potential is known for {', '.join(hooks.without_potential)}"
        panel.text(0.99, 0.97, note, transform=panel.transAxes, ha="right", va="top", fontsize="x-small", color="0.35")
    gaps = np.flatnonzero(np.isnan(total))
    before, after = total[gaps - 1], total[gaps + 1]
    for colour, label, chosen in [(LOSS, "falls", after < before), (GAIN, "rises", after > before)]:
        seen = chosen & (np.abs(after - before) > ROUNDING * np.nanmax(np.abs(total), initial=0.0))
        if seen.any():
            bars = {"color": colour, "linewidth": 2.4, "alpha": 0.75, "zorder": 3}
            panel.vlines(t[gaps][seen], before[seen], after[seen], label=f"{name} {label}", **bars)
    panel.set_ylabel("energy (J)")
    panel.legend(loc="center left", bbox_to_anchor=(1, 0.5), **LEGEND)
    _finish(panel, timing)


def _draw_changes(panel: Axes, times: NDArray, changes: NDArray, timing: Timing) -> None:
    """The size of each change on a logarithmic axis."""
    style = {"linestyle": "none", "markersize": 4, "zorder": 3}
    lost, gained = changes < 0, changes > 0
    floor = np.abs(changes).min() / 3
    panel.vlines(times, floor, np.abs(changes), color=np.where(lost, LOSS, GAIN), linewidth=0.8)
    if lost.any():
        label = f"lost: {-changes[lost].sum():.4g} J in all"
        panel.plot(times[lost], -changes[lost], marker="o", color=LOSS, label=label, **style)
    if gained.any():
        label = f"gained: {changes[gained].sum():.4g} J in all"
        panel.plot(times[gained], changes[gained], marker="^", color=GAIN, label=label, **style)
    panel.set(yscale="log", ylabel="change (J)", ylim=(floor, np.abs(changes).max() * 3))
    panel.legend(loc="center left", bbox_to_anchor=(1, 0.5), **LEGEND)
    _finish(panel, timing)


def _finish(panel: Axes, timing: Timing) -> None:
    draw_event_lines(panel, timing)
    panel.set_xlim(timing.stretches[0].begin, timing.stretches[-1].end)
    panel.tick_params(labelsize="small")
    panel.spines[["top", "right"]].set_visible(False)
