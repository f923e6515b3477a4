"""What a stage may have for a flow besides expressions and a function: updates in discrete time, flows side by side."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np

from sympact.integrate.problem.real import described

__all__ = ["DiscreteTime", "Part", "PartJump", "SideBySide"]


@dataclass(frozen=True, eq=False)
class DiscreteTime:
    """The flow of a stage in discrete time: its states are constant between instants, and x+ = F(x, k) at each.

    Parameters
    ----------
    update : mapping, sequence of expressions, or callable
        F: ``{state: expression}``, where other states of the stage keep their values; one expression for each state; or
        a function ``update(x, k)`` that returns one number for each state.
    every : float or Expr
        The period T (s), above zero; an expression of parameters in `HybridSystem.from_sympy`.
    index : Symbol, optional
        The symbol of k in expressions: the number of instants before this one.
    phase : float, optional
        Without it the instants are counted from the entry of the stage: t_0 + T, t_0 + 2 T, ... With it they are the
        same in the whole run: phase, phase + T, ..., of which the stage takes those after its entry.

    Raises
    ------
    ValueError
        If the period is no number above zero, or the phase is not finite.

    Notes
    -----
    Each instant is one product and one sum, exact to a rounding, however many there have been. An update is no event:
    the record has both of its sides as samples. Between instants the boundaries of the stage are followed as in every
    stage; one that an update carries to zero or beyond fires at that instant, after the update.

    Stages that share one object share its clock, which goes on in a transition between them.

    Examples
    --------
    >>> import sympy as sm
    >>> from sympact import HybridSystem
    >>> n, k = sm.symbols("n k")
    >>> process = HybridSystem.from_sympy({"sum": DiscreteTime({n: n + k}, every=0.5, index=k)}, [], states=[n])
    >>> result = process.simulate((0, 2.2), [0.0], start="sum")
    >>> result([0.4, 0.6, 1.1, 1.6, 2.1]).tolist()
    [[0.0, 0.0, 1.0, 3.0, 6.0]]
    """

    update: Any
    _: KW_ONLY
    every: Any
    index: Any = None
    phase: float | None = None

    def __post_init__(self) -> None:
        if _is_number(self.every) and not (math.isfinite(self.every) and self.every > 0):
            raise ValueError(f"every is {described(self.every)}, expected a period above 0 (s), such as every=0.01")
        if isinstance(self.every, str) or self.every is None:
            raise ValueError(f"every is {described(self.every)}, expected a period above 0 (s), such as every=0.01")
        if self.phase is not None and not (_is_number(self.phase) and math.isfinite(self.phase)):
            raise ValueError(f"phase is {described(self.phase)}, expected a time (s), or None: counted from the entry")


def _is_number(value: object) -> bool:
    return isinstance(value, float | int | np.floating | np.integer) and not isinstance(value, bool)


@dataclass(frozen=True, eq=False)
class SideBySide:
    """The flow of a stage of a product: each part has states of its own.

    Parameters
    ----------
    parts : tuple of (states, flow)
    """

    parts: tuple[tuple[tuple[Hashable, ...], Any], ...]


class Part:
    """A function of (t, x) of some entries of the state."""

    def __init__(self, function: Any, places: list[int]) -> None:
        self.function, self.places = function, places
        self.__name__ = getattr(function, "__name__", "<lambda>")

    def __call__(self, t: float, x: np.ndarray) -> Any:
        """The function at these entries."""
        return self.function(t, x[self.places])


class PartJump:
    """A jump of some entries of the state; the others are unchanged.

    Parameters
    ----------
    function : callable or None
        ``jump(t, x)`` of the entries `before`, which returns the entries `after`.
    kept : list of (int, int)
        Where the other entries are before and after.
    """

    def __init__(self, function: Any, before: list[int], after: list[int], kept: list[tuple[int, int]]) -> None:
        self.function, self.before, self.after, self.kept = function, before, after, kept
        self.__name__ = getattr(function, "__name__", "<lambda>")

    def __call__(self, t: float, x: np.ndarray) -> np.ndarray:
        """The whole state after the jump."""
        out = np.empty(len(self.after) + len(self.kept))
        for source, target in self.kept:
            out[target] = x[source]
        value = np.asarray(self.function(t, x[self.before]), dtype=float)
        if value.shape != (len(self.after),):
            raise ValueError(
                f"the jump {self.__name__} returned an array of shape {value.shape}, expected ({len(self.after)},)"
            )
        out[self.after] = value
        return out
