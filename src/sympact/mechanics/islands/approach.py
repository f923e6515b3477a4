"""Contacts between islands: until when two islands certainly do not meet."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sympact import native
from sympact.graph import Function, Graph, Proving, compile_functions
from sympact.mechanics.derive.derivation import Derivation
from sympact.mechanics.islands.island import Island
from sympact.mechanics.islands.restriction import Members, gap_of
from sympact.mechanics.islands.window import Window
from sympact.native.cached import cached_property
from sympact.native.rounding import EPS

__all__ = ["Approach", "PairFunctions", "approach_of"]

_STATE = ctypes.CFUNCTYPE(None, ctypes.c_double, *[ctypes.c_void_p] * 3)
_FINEST = 10
"""Halvings of the time of a check: what is not clear then is a meeting, which the run of both islands finds or not."""


@dataclass(frozen=True, eq=False)
class PairFunctions:
    """The gap of a contact between two islands and its enclosure, as functions of the states of the two alone."""

    graph: Graph
    gap: Function
    proving: Proving

    @cached_property
    def code(self) -> native.Code:
        """Their machine code."""
        return compile_functions(self.graph, [self.gap, self.proving.enclosed_function("enclosed")])


@dataclass(frozen=True, eq=False)
class Approach:
    """A contact between components that are not connected otherwise.

    Attributes
    ----------
    contact : int
        Its index in the model.
    components : tuple of int
    states : array of int
        The indices in the model of the states of these components.
    functions : PairFunctions
    """

    contact: int
    components: tuple[int, ...]
    states: np.ndarray
    functions: PairFunctions

    @cached_property
    def occurring(self) -> np.ndarray:
        """The states that occur in the gap."""
        return self.states[list(self.functions.proving.states)]

    @cached_property
    def _gap(self):
        return _STATE(self.functions.code.address("gap"))

    @cached_property
    def _enclosed(self):
        return _STATE(self.functions.code.address("enclosed"))

    def rate_at(self, t: float, x: np.ndarray, p: np.ndarray) -> tuple[float, float]:
        """The gap and its rate at a state of the whole model."""
        own, out = np.ascontiguousarray(x[self.states]), np.empty(2)
        self._gap(t, own.ctypes.data, p.ctypes.data, out.ctypes.data)
        return float(out[0]), float(out[1])

    def far(self, both: Sequence[Window], a: float, b: float, p: np.ndarray) -> bool:
        """Whether the gap is positive between a and b by the reach of both islands alone."""
        jets, ends = np.zeros((len(self.occurring) + 1, 6)), np.empty(6)
        for one in both:
            reach = one.reach
            rows, columns = _places(self.occurring, one.island)
            if reach is None or (len(columns) and columns[-1] >= len(reach)):
                return False
            jets[rows, :4] = reach[columns]
        spread = 4.0 * EPS * (abs(a) + abs(b))
        jets[-1, :4] = a - spread, b + spread, 1.0, 1.0
        self._enclosed(a, jets.ctypes.data, p.ctypes.data, ends.ctypes.data)
        return bool(ends[0] > 0.0)

    def clear_until(self, windows: Mapping[int, Window], a: float, b: float, p: np.ndarray) -> float:
        """The time up to which the gap is certainly positive, from a on; b where it is throughout.

        Parameters
        ----------
        windows : mapping of int to Window
            That of each component between a and b.
        a, b : float
        p : array
        """
        both = list(dict.fromkeys(windows[one] for one in self.components))
        if self.far(both, a, b, p):
            return b
        occurring = [(run, *_places(self.occurring, run.island)) for run in both]
        places, values = [(run, *_places(self.states, run.island)) for run in both], np.empty(2)
        x, jets, ends = np.empty(len(self.states)), np.zeros((len(self.occurring) + 1, 6)), np.empty(6)
        at, gap_at = (jets.ctypes.data, p.ctypes.data, ends.ctypes.data), (x.ctypes.data, p.ctypes.data)

        def value(t: float) -> float:
            for run, rows, columns in places:
                x[rows] = run.bounds.at(t, columns)
            self._gap(t, *gap_at, values.ctypes.data)
            return float(values[0])

        waiting = [(a, b, value(a), value(b), 0)]
        while waiting:
            a, b, ga, gb, level = waiting.pop()
            if not ga > 0.0:
                return a
            if gb > 0.0:
                for run, rows, columns in occurring:
                    jets[rows, 0], jets[rows, 1], jets[rows, 2], jets[rows, 3] = run.bounds.over(a, b, columns)
                spread = 4.0 * EPS * (abs(a) + abs(b))
                jets[-1, :4] = a - spread, b + spread, 1.0, 1.0
                self._enclosed(a, *at)
                if ends[0] > 0.0 or _cone(ga, gb, ends[2] * (b - a), ends[3] * (b - a)) > 0.0:
                    continue
            if level == _FINEST:
                return a
            middle = 0.5 * (a + b)
            g = value(middle)
            waiting.append((middle, b, g, gb, level + 1))
            waiting.append((a, middle, ga, g, level + 1))
        return b


def approach_of(
    derivation: Derivation,
    contact: int,
    components: tuple[int, ...],
    states: Sequence[int],
    alike: dict[tuple, PairFunctions],
) -> Approach | None:
    """The approach of a contact; None where its gap has no enclosure. Those in `alike` lend their machine code."""
    graph = derivation.graph
    gap, rate, bounds = gap_of(derivation, contact, Members(tuple(states), (contact,), (), ()))
    proving = Proving.of(graph, [gap], fed=derivation.opened, bounds=bounds)
    if proving.plain[0] is None:
        return None
    functions = PairFunctions(graph, Function("gap", (gap, rate), ("t", "x", "p")), proving)
    return Approach(contact, components, np.array(states, dtype=int), alike.setdefault((gap, rate), functions))


def _places(states: np.ndarray, island: Island) -> tuple[np.ndarray, np.ndarray]:
    """Which of some states belong to an island, and their columns there."""
    own = island.states
    columns = np.minimum(np.searchsorted(own, states), len(own) - 1)
    rows = np.flatnonzero(own[columns] == states)
    return rows, columns[rows]


def _cone(ga: float, gb: float, least: float, most: float) -> float:
    """A lower bound of a function by its values at the ends and the bounds of its change, which contain both slopes."""
    if least >= 0.0 or most <= 0.0:
        return min(ga, gb)
    if not most - least < np.inf:
        return -np.inf
    s = min(max((ga - gb + most) / (most - least), 0.0), 1.0)
    return min(ga, gb, max(ga + least * s, gb - most * (1.0 - s)))
