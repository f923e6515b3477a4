"""The side of a body that is up: of a die that has come to rest, or of any box."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sympact.analysis.intervals import Estimate, share_of
from sympact.integrate.present.table import Table
from sympact.on_request import on_request

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Shares", "sides_up"]

SIDES = ("+x", "-x", "+y", "-y", "+z", "-z")
"""The sides of a body by the axes of its frame."""


@dataclass(frozen=True, eq=False)
class Shares:
    """How often each of some outcomes occurs.

    Attributes
    ----------
    names : tuple of str
    outcome : array of int, shape (n,)
        The place in `names` of what each run has given.
    level : float
        Of the confidence intervals.
    """

    names: tuple[str, ...]
    outcome: np.ndarray
    level: float = 0.95

    @property
    def counts(self) -> dict[str, int]:
        """The number of runs with each outcome."""
        return dict(zip(self.names, np.bincount(self.outcome, minlength=len(self.names)).tolist(), strict=True))

    def __getitem__(self, name: str) -> Estimate:
        """The probability of an outcome, with Wilson's interval, see `share_of`."""
        if name not in self.names:
            raise KeyError(f"there is no outcome {name!r}; the outcomes are {list(self.names)}")
        return share_of(self.outcome == self.names.index(name), self.level)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def chi_square(self) -> tuple[float, float]:
        """Pearson's chi-square of equal probabilities, and the probability of one at least as large if they are equal.

        See K. Pearson, On the criterion that a given system of deviations from the probable ..., Philosophical Magazine
        50 (1900), 157-175.
        """
        from scipy.special import chdtrc

        counts = np.array(list(self.counts.values()), dtype=float)
        expected = counts.mean()
        value = float(((counts - expected) ** 2).sum() / expected)
        return value, float(chdtrc(len(counts) - 1, value))

    def plot(self) -> Figure:
        """Draw the probabilities with their intervals."""
        return on_request("plot_shares")(self)

    def __repr__(self) -> str:
        return "\n".join(f"{name}: {self[name]}" for name in self.names)

    def _repr_html_(self) -> str:
        rows = [(name, f"{count:,}", *self[name].cells) for name, count in self.counts.items()]
        return Table(("outcome", "runs", "probability", f"{100 * self.level:g} % interval"), rows).html


def sides_up(heights: np.ndarray) -> np.ndarray:
    """The place in `SIDES` of the axis that points up most, from the components of the axes along the vertical.

    Parameters
    ----------
    heights : array, shape (3, n)

    Examples
    --------
    >>> [SIDES[k] for k in sides_up(np.array([[0.0, -0.9], [0.1, 0.3], [1.0, 0.1]]))]
    ['+z', '-x']
    """
    axis = np.abs(heights).argmax(axis=0)
    down = np.take_along_axis(heights, axis[np.newaxis], axis=0)[0] < 0.0
    return 2 * axis + down
