"""Plain functions of the states of one stage as functions of the states of the run."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from sympact.integrate.problem.real import returned

__all__ = ["checked", "joined", "placed", "seeing"]

Values = Callable[[float, np.ndarray], np.ndarray]


def seeing(function: Callable, places: Sequence[int]) -> Callable:
    """The function of some of the states."""
    return lambda t, x: function(t, x[places])


def placed(
    function: Callable, places: Sequence[int], label: str, after: Sequence[int] | None = None
) -> tuple[Sequence[int], Values]:
    """The function of some of the states with the places of its results, which are the same unless given."""
    written = places if after is None else after
    return written, lambda t, x: checked(function(t, x[places]), len(written), label)


def joined(n: int, written: Values | None, parts: Sequence[tuple[Sequence[int], Values]]) -> Values:
    """The results of all parts at their places among n numbers; the others are those of `written`, or 0."""

    def values(t: float, x: np.ndarray) -> np.ndarray:
        out = np.zeros(n) if written is None else written(t, x)
        for places, part in parts:
            out[places] = part(t, x)
        return out

    return values


def checked(value: object, n: int, label: str) -> np.ndarray:
    """The numbers that a function returned, one for each of its states."""
    try:
        array = returned(value)
    except ValueError as error:
        raise ValueError(f"{label} returned no number: {error}") from None
    if array.shape != (n,):
        raise ValueError(
            f"{label} returned an array of shape {array.shape}, expected ({n},), one number for each state"
        )
    return array
