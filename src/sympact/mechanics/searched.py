"""Numbers that are found by Newton's method, as functions of SymPy."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from sympy import Expr, S
from sympy import Function as SympyFunction

from sympact.graph import Function, Graph, numpy_function, reachable

__all__ = ["searched"]


def searched(graph: Graph, node: int, name: str, letters: Mapping[int, Expr]) -> Expr:
    """A node that is held, as a function by itself of the letters that it depends on.

    Its derivatives are zero, as those of all that is held. `sympy.lambdify` turns it into numbers: it has them from
    the graph.

    Parameters
    ----------
    graph : Graph
    node : node
        Of t, x and p.
    name : str
        That of the function.
    letters : mapping of node to expression
        What the inputs are called.
    """
    inputs = [found for found in reachable(graph, [node]) if graph.ops[found] == "input"]
    places = [graph.args[found] for found in inputs]
    value = numpy_function(graph, Function("searched", (node,), ("t", "x", "p")))

    def numbers(*given: np.ndarray) -> np.ndarray:
        """The value for numbers or arrays in place of the letters."""
        given = np.broadcast_arrays(*given)
        sizes = {array: 1 + max((i for kind, i in places if kind == array), default=0) for array in ("t", "x", "p")}
        arrays = {array: np.zeros((size, *given[0].shape)) for array, size in sizes.items()}
        for (array, index), entry in zip(places, given, strict=True):
            arrays[array][index] = entry
        return value(arrays["t"][0], arrays["x"], arrays["p"])[0]

    body = {"_imp_": staticmethod(numbers), "fdiff": lambda self, argindex=1: S.Zero, "nargs": len(inputs)}
    return type(name, (SympyFunction,), body)(*(letters[found] for found in inputs))
