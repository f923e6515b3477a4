"""Energy along a run: kinetic, potential and total, the work done, and the change in each impact."""

from __future__ import annotations

from functools import partial

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from sympact.integrate.measure.energy_balance import known_work
from sympact.show.kit.palette import KIND_COLOURS
from sympact.show.plots.drawn import Drawn
from sympact.show.plots.panels import EVENTS_WITH_DOTS, line_width
from sympact.show.plots.sheet import LEGEND, Strip
from sympact.show.plots.timing import Timing, finish_panel

__all__ = ["energy_parts"]

KINETIC, POTENTIAL, TOTAL, WORK = "#1f77b4", "#ff7f0e", "0.15", "#2ca02c"
LOSS, GAIN = KIND_COLOURS["impact"], "#0b6623"
ROUNDING = 1e-10
"""Of the kinetic energy before an impact: smaller changes are rounding, and are not marked."""

SMALLEST_SHOWN = 1e-8
"""Of the largest change: smaller ones would stretch the axis over many decades."""

CURVES_HEIGHT, CHANGES_HEIGHT = 2.5, 1.5
"""Heights in inches."""


def energy_parts(drawn: Drawn) -> list[Strip]:
    """The energies over time; and, where there are any, their changes in impacts."""
    if drawn.facts.without_kinetic:
        raise ValueError(f"the panel 'energy' cannot be drawn: {drawn.facts.without_kinetic}")
    if not drawn.model.knows("kinetic_energy"):
        raise drawn.lacks("energy", "kinetic energy", "run a HybridModel, which has masses")
    unit = drawn.units.get("energy")
    ending = f" ({unit})" if unit else ""
    parts = [Strip(CURVES_HEIGHT, partial(_draw_curves, drawn, f"energy{ending}"))]
    times, changes = _changes(drawn)
    if changes.size:
        parts.append(Strip(CHANGES_HEIGHT, partial(_draw_changes, times, changes, f"change{ending}", unit or "")))
    return parts


def _changes(drawn: Drawn) -> tuple[NDArray, NDArray]:
    """The times of the events that changed the energy, and the changes."""
    columns = drawn.events.columns()
    times, changes = columns["t"], columns["energy"]
    if not len(times):
        return times, changes
    kinetic = drawn.model.quantity("kinetic_energy")(times, drawn.sides[0], drawn.stages[0])
    marked = np.isfinite(changes) & (np.abs(changes) > ROUNDING * kinetic)
    return times[marked], changes[marked]


def _draw_curves(drawn: Drawn, label: str, panel: Axes, timing: Timing, width: float) -> None:
    """Kinetic, potential and total energy, broken at events, with a bar for each step of the total."""
    finish_panel(panel, timing, width)
    t, thin = drawn.curves[0], line_width(timing)
    kinetic = drawn.model.quantity("kinetic_energy")(*drawn.curves)
    total, name = kinetic, "kinetic"
    panel.plot(t, kinetic, color=KINETIC, linewidth=thin, label="kinetic")
    if drawn.model.knows("potential_energy"):
        potential = drawn.model.quantity("potential_energy")(*drawn.curves)
        total, name = kinetic + potential, "total"
        panel.plot(t, potential, color=POTENTIAL, linewidth=thin, label="potential")
        panel.plot(t, total, color=TOTAL, linewidth=1.5 * thin, label="total")
        _draw_work(drawn, panel, total, thin)
    elif drawn.facts.without_potential:
        note = f"no potential is known for {', '.join(drawn.facts.without_potential)}"
        panel.text(0.99, 0.97, note, transform=panel.transAxes, ha="right", va="top", fontsize="x-small", color="0.35")
    _draw_steps(panel, t, total, name)
    panel.set_ylabel(label)
    panel.legend(loc="center left", bbox_to_anchor=(1, 0.5), **LEGEND)


def _draw_work(drawn: Drawn, panel: Axes, total: NDArray, thin: float) -> None:
    """The work since the start, and what the total energy would be without it: constant but for impacts."""
    work, t = known_work(drawn.result), drawn.curves[0]
    if not work:
        return
    done = np.sum([*work.at(t).values()], axis=0)
    breaks = np.flatnonzero(np.isnan(total))
    done[breaks - 1] = np.sum([*work.at(t[breaks - 1], side="left").values()], axis=0)
    done[breaks] = np.nan
    panel.plot(t, done, color=WORK, linewidth=thin, label="work")
    panel.plot(t, total - done, color=TOTAL, linewidth=thin, linestyle=":", label="total - work")


def _draw_steps(panel: Axes, t: NDArray, total: NDArray, name: str) -> None:
    """A bar from the energy before each event that changed it to that after it."""
    gaps = np.flatnonzero(np.isnan(total))
    before, after = total[gaps - 1], total[gaps + 1]
    for colour, label, chosen in [(LOSS, "falls", after < before), (GAIN, "rises", after > before)]:
        seen = chosen & (np.abs(after - before) > ROUNDING * np.nanmax(np.abs(total), initial=0.0))
        if seen.any():
            bars = {"color": colour, "linewidth": 2.4, "alpha": 0.75, "zorder": 3}
            panel.vlines(t[gaps][seen], before[seen], after[seen], label=f"{name} {label}", **bars)


def _draw_changes(
    times: NDArray, changes: NDArray, label: str, unit: str, panel: Axes, timing: Timing, width: float
) -> None:
    """The size of each change on a logarithmic axis."""
    finish_panel(panel, timing, width)
    few = len(changes) <= EVENTS_WITH_DOTS
    style = {"linestyle": "none", "markersize": 4 if few else 2, "zorder": 3}
    lost, gained = changes < 0, changes > 0
    floor = max(np.abs(changes).min() / 3, np.abs(changes).max() * SMALLEST_SHOWN)
    if few:
        panel.vlines(times, floor, np.abs(changes), color=np.where(lost, LOSS, GAIN), linewidth=0.8)
    for chosen, marker, colour, name in [(lost, "o", LOSS, "lost"), (gained, "^", GAIN, "gained")]:
        if chosen.any():
            total = f"{name}: {np.abs(changes[chosen]).sum():.4g} {unit} in all".replace("  ", " ")
            panel.plot(times[chosen], np.abs(changes[chosen]), marker=marker, color=colour, label=total, **style)
    panel.set(yscale="log", ylabel=label, ylim=(floor, np.abs(changes).max() * 3))
    panel.legend(loc="center left", bbox_to_anchor=(1, 0.5), **LEGEND)
