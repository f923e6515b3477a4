"""A model whose quantities along a run are given as functions, for tests of what results make of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sympact.integrate.trajectory.evaluator import PLAIN, Along, Evaluator, Facts


class KnownModel(Evaluator):
    """An evaluator of given quantities, ``f(t, x, stage)``; the rest is that of another one.

    Parameters
    ----------
    quantities : mapping of str to callable
        By their names; that of expressions takes the expression, and returns such a function.
    facts : Facts, optional
    graph : dict, optional
    other : Evaluator
    """

    def __init__(
        self,
        quantities: Mapping[str, Callable],
        facts: Facts | None = None,
        graph: dict | None = None,
        other: Evaluator = PLAIN,
    ) -> None:
        self._quantities, self._facts, self._graph, self._other = quantities, facts, graph, other

    @property
    def facts(self) -> Facts:
        return self._facts or self._other.facts

    def knows(self, name: str) -> bool:
        return name in self._quantities or self._other.knows(name)

    def quantity(self, name: str, *key: Any) -> Along:
        if name not in self._quantities:
            return self._other.quantity(name, *key)
        return self._quantities[name](*key) if key else self._quantities[name]

    def graph(self) -> dict | None:
        return self._graph or self._other.graph()
