"""Numbers that Newton's method computes, as functions of SymPy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from sympy import Expr, S
from sympy import Function as SympyFunction

from sympact.graph import Function, Graph, numpy_function, reachable
from sympact.graph.nodes.node import Node

__all__ = ["searched"]

Inputs = tuple[tuple[str, int], ...]


def searched(graph: Graph, names: Mapping[Node, str], letters: Mapping[Node, Expr]) -> dict[Node, Expr]:
    """Detached nodes, each as a function of the symbols that it depends on.

    Their derivatives are zero, as of all detached nodes. `sympy.lambdify` evaluates them through the graph. Those of
    the same symbols are computed together, once for the same numbers: they result from one search, and a formula
    contains each of them many times.

    Parameters
    ----------
    graph : Graph
    names : mapping of node to str
        The nodes, of t, x and p, with the names of their functions.
    letters : mapping of node to expression
        The symbols of the inputs.
    """
    inputs = {node: tuple(found for found in reachable(graph, [node]) if graph.ops[found] == "input") for node in names}
    together: dict[tuple[Node, ...], list[Node]] = {}
    for node, found in inputs.items():
        together.setdefault(found, []).append(node)
    written: dict[int, Expr] = {}
    for found, nodes in together.items():
        values = _Values(graph, nodes, tuple(graph.args[place] for place in found))
        given = [letters[place] for place in found]
        written |= {node: _function(names[node], values, k, len(given))(*given) for k, node in enumerate(nodes)}
    return {node: written[node] for node in names}


def _function(name: str, values: _Values, row: int, arguments: int) -> type[SympyFunction]:
    """A function of SymPy whose value is a row of a joint evaluation."""

    def numbers(*given: np.ndarray) -> np.ndarray:
        """The value for numbers or arrays in place of the symbols."""
        return values(*given)[row].copy()

    body = {"_imp_": staticmethod(numbers), "fdiff": lambda self, argindex=1: S.Zero, "nargs": arguments}
    return type(name, (SympyFunction,), body)


class _Values:
    """Several nodes of the same inputs; their last values are kept."""

    def __init__(self, graph: Graph, nodes: Sequence[Node], places: Inputs) -> None:
        self._places = places
        self._sizes = {array: 1 + max((i for kind, i in places if kind == array), default=0) for array in "txp"}
        self._value = numpy_function(graph, Function("searched", tuple(nodes), ("t", "x", "p")))
        self._last: tuple[tuple, np.ndarray] | None = None

    def __call__(self, *given: np.ndarray) -> np.ndarray:
        """The values of the nodes, the node first, for numbers or arrays in place of the inputs."""
        given = np.broadcast_arrays(*(np.asarray(entry, dtype=float) for entry in given))
        key = (np.shape(given[0]) if given else (), *(entry.tobytes() for entry in given))
        last = self._last
        if last is None or last[0] != key:
            last = self._last = key, self._worked_out(given)
        return last[1]

    def _worked_out(self, given: Sequence[np.ndarray]) -> np.ndarray:
        shape = given[0].shape if given else ()
        arrays = {array: np.zeros((size, *shape)) for array, size in self._sizes.items()}
        for (array, index), entry in zip(self._places, given, strict=True):
            arrays[array][index] = entry
        return self._value(arrays["t"][0], arrays["x"], arrays["p"])
