"""Pictures of sweeps: return maps, phase portraits, bifurcation diagrams, basins of attraction, periodic orbits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import BoundaryNorm, ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from sympact.show.kit.picture import Picture

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sympact.analysis.sweeps import Basins, BifurcationDiagram, PeriodicOrbit, ReturnMap

__all__ = ["plot_basins", "plot_bifurcations", "plot_orbit", "plot_returns"]

WIDTH, HEIGHT = 6.4, 4.4
"""In inches."""

COLOUR, NONE = "#1f3b5c", "0.85"
COLOURS = ("#1f77b4", "#ff7f0e", "#2ca02c", "#9467bd", "#8c564b", "#17becf", "#bcbd22", "#e377c2")
"""Of the attractors, in their order."""


def plot_returns(
    returns: ReturnMap,
    quantity: Any,
    other: Any = None,
    *,
    before: bool = False,
    label: str = "",
    other_label: str = "",
) -> Figure:
    """Draw the return map of a quantity, from one return to the next, or the phase portrait of two quantities.

    Parameters
    ----------
    returns : ReturnMap
    quantity : str or Expr
        As for `ReturnMap.value`.
    other : str or Expr, optional
        The quantity of the vertical axis; without it the axis is `quantity` at the next return, with the diagonal of
        fixed points.
    before : bool
        Just before the events instead of just after them.
    label, other_label : str
        Of the quantities.
    """
    figure, axes = _sheet(f"{len(returns):,} returns of {returns.states.n_runs:,} runs")
    name = label or str(quantity)
    if other is not None:
        x, y = returns.value(quantity, before=before), returns.value(other, before=before)
        axes.set(xlabel=name, ylabel=other_label or str(other))
    else:
        x, y = returns.pairs(quantity, before=before)
        axes.set(xlabel=f"{name}, at a return", ylabel=f"{name}, at the next return")
        if x.size:
            ends = [min(x.min(), y.min()), max(x.max(), y.max())]
            axes.plot(ends, ends, color="0.7", linewidth=0.8, zorder=0)
    axes.plot(x, y, ",", color=COLOUR) if len(x) > 2000 else axes.plot(x, y, ".", color=COLOUR, markersize=3)
    return figure


def plot_bifurcations(
    diagram: BifurcationDiagram, quantity: Any, *, before: bool = False, label: str = "", parameter_label: str = ""
) -> Figure:
    """Draw a quantity of the returns against the parameter.

    Parameters
    ----------
    diagram : BifurcationDiagram
    quantity : str, Expr or array, shape (n_returns,)
        As for `BifurcationDiagram.value`; or numbers, such as ``diagram.phase(period)``.
    before : bool
        Just before the events instead of just after them.
    label, parameter_label : str
        Of the quantity and of the parameter.
    """
    given = isinstance(quantity, np.ndarray)
    values = quantity if given else diagram.value(quantity, before=before)
    figure, axes = _sheet(f"{len(values):,} returns for {len(diagram.values):,} values")
    size = 1.5 if len(values) > 5000 else 3.0
    axes.plot(diagram.along, values, "o", color=COLOUR, markersize=size, markeredgewidth=0.0, alpha=0.6)
    axes.set(xlabel=parameter_label or diagram.parameter, ylabel=label or ("" if given else str(quantity)))
    return figure


def plot_basins(basins: Basins, *, labels: Sequence[str] = (), colours: Sequence[str] = COLOURS) -> Figure:
    """Draw which attractor each run of the grid reaches, one colour for each; grey where it is none.

    Parameters
    ----------
    basins : Basins
    labels : sequence of two str
        Of the axes; by default the names of the quantities.
    colours : sequence of str
        Of the attractors; they repeat where there are more attractors.
    """
    (horizontal, x), (vertical, y) = basins.axes.items()
    figure, axes = _sheet(f"{basins.labels.size:,} runs")
    chosen = [NONE, *(colours[k % len(colours)] for k in range(len(basins.names)))]
    norm = BoundaryNorm(np.arange(-1.5, len(basins.names)), len(chosen))
    axes.pcolormesh(x, y, basins.labels, cmap=ListedColormap(chosen), norm=norm, shading="nearest", rasterized=True)
    names = labels or (horizontal, vertical)
    axes.set(xlabel=names[0], ylabel=names[1])
    patches = [Patch(color=chosen[k + 1], label=name) for k, name in enumerate(basins.names)]
    if (basins.labels < 0).any():
        patches.append(Patch(color=NONE, label="none"))
    axes.legend(handles=patches, loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False, fontsize="small")
    return figure


def plot_orbit(orbit: PeriodicOrbit, horizontal: Any, vertical: Any, *, labels: Sequence[str] = ()) -> Figure:
    """Draw an orbit in the plane of two quantities, its jumps dashed, and its multipliers beside the unit circle.

    Parameters
    ----------
    orbit : PeriodicOrbit
    horizontal, vertical : str or Expr
        As for `Result`, ``result[quantity]``.
    labels : sequence of two str
        Of the quantities.
    """
    figure = Picture(figsize=(WIDTH + 2.0, HEIGHT), layout="constrained")
    plane, circle = figure.subplots(1, 2, width_ratios=[1.6, 1.0])
    result = orbit.result
    x, y = result[horizontal], result[vertical]
    jumps = np.flatnonzero(np.diff(result.t) == 0.0)
    for first, last in zip([0, *(jumps + 1)], [*(jumps + 1), len(x)], strict=True):
        plane.plot(x[first:last], y[first:last], color=COLOUR, linewidth=1.4)
    for k in jumps:
        plane.plot(x[k : k + 2], y[k : k + 2], "--", color="#d62728", linewidth=1.0)
    names = labels or (str(horizontal), str(vertical))
    plane.set(xlabel=names[0], ylabel=names[1])
    plane.set_title(f"{orbit.duration:.6g} s", fontsize="medium", loc="left")
    angle = np.linspace(0.0, 2.0 * np.pi, 200)
    circle.plot(np.cos(angle), np.sin(angle), color="0.6", linewidth=0.8)
    circle.plot(orbit.multipliers.real, orbit.multipliers.imag, "o", color="#d62728", markersize=5)
    circle.set(xlabel="real part", ylabel="imaginary part", aspect="equal")
    circle.set_title("multipliers, " + ("stable" if orbit.stable else "unstable"), fontsize="medium", loc="left")
    for axes in (plane, circle):
        axes.spines[["top", "right"]].set_visible(False)
    return figure


def _sheet(title: str) -> tuple[Figure, Axes]:
    figure = Picture(figsize=(WIDTH, HEIGHT), layout="constrained")
    axes = figure.subplots()
    axes.set_title(title, fontsize="medium", loc="left")
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes
