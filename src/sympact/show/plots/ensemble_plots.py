"""Pictures of ensembles: histograms, bands of quantiles over time, probabilities with their intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from sympact.show.kit.picture import Picture

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sympact.analysis.ensemble_result import Ensemble
    from sympact.analysis.faces import Shares

__all__ = ["plot_bands", "plot_histogram", "plot_shares"]

WIDTH, HEIGHT = 6.4, 3.6
"""In inches."""

COLOUR, MIDDLE = "#1f77b4", "0.15"


def plot_histogram(
    ensemble: Ensemble, quantity: Any, *, bins: int | str | Sequence[float] = "auto", label: str = ""
) -> Figure:
    """Draw the density of a quantity at the ends of the runs, with one standard error of each bar.

    Parameters
    ----------
    ensemble : Ensemble
    quantity : str, Expr or array, shape (runs,)
        As for `Ensemble.value`; or numbers, such as ``ensemble.rest_time``. Runs without a finite one are left out, and
        counted in the title.
    bins : int, str or sequence of float
        As for ``numpy.histogram``.
    label : str
        Of the quantity.

    Raises
    ------
    ValueError
        If no run has a finite value.
    """
    values = quantity if isinstance(quantity, np.ndarray) else ensemble.value(quantity)
    found = values[np.isfinite(values)]
    if not found.size:
        raise ValueError(f"none of the {len(values)} runs has a finite value of {label or quantity}")
    counts, edges = np.histogram(found, bins)
    widths = np.diff(edges)
    scale = 1.0 / (found.size * widths)
    figure, axes = _sheet(_told(len(values), found.size))
    errors = np.sqrt(counts * (1.0 - counts / found.size)) * scale  # binomial
    axes.bar(edges[:-1], counts * scale, widths, align="edge", color=COLOUR, alpha=0.5, yerr=errors, ecolor=MIDDLE)
    axes.set_xlabel(label or _name(quantity))
    axes.set_ylabel("density")
    return figure


def plot_bands(
    ensemble: Ensemble,
    quantity: Any,
    *,
    quantiles: Sequence[float] = (0.05, 0.25, 0.5, 0.75, 0.95),
    label: str = "",
) -> Figure:
    """Draw quantiles of a quantity over time: the median as a line, pairs of others as bands.

    Parameters
    ----------
    ensemble : Ensemble
        With states at given times, ``keep=times``.
    quantity : str or Expr
        As for `Ensemble.value`.
    quantiles : sequence of float
        Increasing and symmetric about 0.5.
    label : str
        Of the quantity.

    Raises
    ------
    ValueError
        If the quantiles are not increasing and symmetric.
    """
    asked = np.asarray(quantiles, dtype=float)
    if not (np.diff(asked) > 0.0).all() or not np.allclose(asked, 1.0 - asked[::-1]):
        raise ValueError(f"quantiles are {list(quantiles)}, expected increasing ones that are symmetric about 0.5")
    bands, t = ensemble.bands(quantity, asked), ensemble.keep.times
    assert t is not None, "there are samples"
    figure, axes = _sheet(_told(len(ensemble), len(ensemble)))
    pairs = len(asked) // 2
    for i in range(pairs):
        between = f"{100 * asked[i]:g} to {100 * asked[-1 - i]:g} %"
        axes.fill_between(
            t, bands[i], bands[-1 - i], color=COLOUR, alpha=0.3 + 0.3 * i / pairs, linewidth=0, label=between
        )
    if len(asked) % 2:
        axes.plot(t, bands[pairs], color=MIDDLE, linewidth=1.2, label="median")
    axes.set_xlabel("t (s)")
    axes.set_ylabel(label or _name(quantity))
    axes.legend(frameon=False, fontsize="small")
    return figure


def plot_shares(shares: Shares) -> Figure:
    """Draw the probability of each outcome with its confidence interval, and the line of equal ones."""
    figure, axes = _sheet(f"{len(shares.outcome):,} runs, {100 * shares.level:g} % intervals")
    estimates = [shares[name] for name in shares]
    middle = np.array([one.value for one in estimates])
    reach = np.array([[one.value - one.low, one.high - one.value] for one in estimates]).T
    axes.axhline(1.0 / len(estimates), color="0.7", linewidth=1.0, zorder=0)
    axes.errorbar(range(len(estimates)), middle, reach, fmt="o", color=COLOUR, ecolor=MIDDLE, capsize=4)
    axes.set_xticks(range(len(estimates)), list(shares))
    axes.set_ylim(bottom=0.0)
    axes.set_ylabel("probability")
    return figure


def _sheet(title: str) -> tuple[Figure, Axes]:
    figure = Picture(figsize=(WIDTH, HEIGHT), layout="constrained")
    axes = figure.subplots()
    axes.set_title(title, fontsize="medium", loc="left")
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _told(runs: int, shown: int) -> str:
    return f"{runs:,} runs" if shown == runs else f"{shown:,} of {runs:,} runs"


def _name(quantity: str | NDArray | object) -> str:
    return "" if isinstance(quantity, np.ndarray) else str(quantity)
