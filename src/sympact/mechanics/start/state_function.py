"""A function of the state of a model in machine code, which is compiled when it is called first."""

from __future__ import annotations

import ctypes

import numpy as np

from sympact.graph import Function, Graph, compile_functions
from sympact.graph.nodes.node import Node
from sympact.native.cached import cached_property

__all__ = ["StateFunction"]

_STATE = ctypes.CFUNCTYPE(None, ctypes.c_double, *[ctypes.c_void_p] * 3)


class StateFunction:
    """Nodes as a function of t, x and p.

    Parameters
    ----------
    graph : Graph
    name : str
    nodes : tuple of node

    Examples
    --------
    >>> graph = Graph()
    >>> square = graph.ipow(graph.input("x", 0), 2)
    >>> StateFunction(graph, "square", (square,))(0.0, np.array([3.0]), np.zeros(1))
    array([9.])
    """

    def __init__(self, graph: Graph, name: str, nodes: tuple[Node, ...]) -> None:
        self._graph, self._function = graph, Function(name, nodes, ("t", "x", "p"))

    @cached_property
    def _code(self):
        return compile_functions(self._graph, [self._function])

    @cached_property
    def _call(self):
        return _STATE(self._code.address(self._function.name))

    def __call__(self, t: float, x: np.ndarray, p: np.ndarray) -> np.ndarray:
        """The values, shape (n,)."""
        state, numbers = (np.ascontiguousarray(part, dtype=float) for part in (x, p))
        out = np.empty(self._function.size)
        self._call(t, state.ctypes.data, numbers.ctypes.data, out.ctypes.data)
        return out
