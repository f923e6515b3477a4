"""Scalar expressions with shared subexpressions: build, differentiate, count, convert, compile.

Names that need SymPy (`FromSympy`, `to_sympy`, ...) are imported on first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from sympact.graph.algebra.compact import compact
from sympact.graph.algebra.depth import depth_is_known
from sympact.graph.algebra.derivative import Tangent, jacobian
from sympact.graph.algebra.half_angle import root_of_square
from sympact.graph.algebra.magnitude import magnitude, root, shared_sign
from sympact.graph.algebra.switches import Freezer, Switch, decided_at, unfollowed
from sympact.graph.bounds.enclosure import Bound, Enclosure
from sympact.graph.bounds.plain import Bending, bending
from sympact.graph.bounds.proving import Proving
from sympact.graph.bounds.resolved import unresolved
from sympact.graph.code.function_table import graph_from_table, graph_hash, graph_table
from sympact.graph.code.llvm import compile_functions, compile_in_lanes
from sympact.graph.code.loops import CHOSEN
from sympact.graph.code.numpy_code import numpy_function, numpy_source
from sympact.graph.nodes.expression import Graph
from sympact.graph.nodes.function import Function, LinearSystem
from sympact.graph.nodes.node import Node
from sympact.graph.nodes.rewrite import Substitution
from sympact.graph.nodes.size import count, reachable, tree_count

__all__ = [
    "CHOSEN",
    "Bending",
    "Bound",
    "Enclosure",
    "Freezer",
    "FromSympy",
    "Function",
    "Graph",
    "LinearSystem",
    "Node",
    "Proving",
    "Substitution",
    "Switch",
    "Tangent",
    "Unreadable",
    "bending",
    "branch_names",
    "check_scalar",
    "compact",
    "compile_functions",
    "compile_in_lanes",
    "count",
    "decided_at",
    "depth_is_known",
    "graph_from_table",
    "graph_hash",
    "graph_table",
    "jacobian",
    "magnitude",
    "numpy_function",
    "numpy_source",
    "reachable",
    "root",
    "root_of_square",
    "shared_sign",
    "switch_names",
    "to_sympy",
    "to_sympy_cse",
    "tree_count",
    "unfollowed",
    "unresolved",
]

if TYPE_CHECKING:
    from sympact.graph.notation.formulas import branch_names, switch_names, to_sympy, to_sympy_cse
    from sympact.graph.notation.from_sympy import FromSympy, Unreadable, check_scalar

_WITH_SYMPY = {
    "FromSympy": "notation.from_sympy",
    "Unreadable": "notation.from_sympy",
    "check_scalar": "notation.from_sympy",
    "branch_names": "notation.formulas",
    "switch_names": "notation.formulas",
    "to_sympy": "notation.formulas",
    "to_sympy_cse": "notation.formulas",
}


def __getattr__(name: str) -> object:
    """Import a name that needs SymPy (PEP 562), and keep it for the next use."""
    if name not in _WITH_SYMPY:
        raise AttributeError(
            f"module {__name__!r} has no attribute {name!r}; its public names are {', '.join(__all__)}"
        )
    globals()[name] = found = getattr(import_module(f"{__name__}.{_WITH_SYMPY[name]}"), name)
    return found
