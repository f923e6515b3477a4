"""From nodes to SymPy expressions."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from textwrap import shorten

import sympy as sm

from sympact.graph.algebra.switches import Switch
from sympact.graph.nodes.expression import Graph
from sympact.graph.nodes.held import held
from sympact.graph.nodes.node import Node
from sympact.graph.nodes.operations import ELEMENTARY, LEAVES
from sympact.graph.nodes.size import tree_count

__all__ = ["branch_names", "switch_names", "to_sympy", "to_sympy_cse"]

_LARGEST_MARGIN, _LONGEST_MARGIN = 200, 60  # operations, characters of a condition that is named
_DENOMINATOR = 64  # a double that is a fraction with a denominator up to this is written as the fraction


def to_sympy(graph: Graph, nodes: Sequence[Node], names: Mapping[Node, sm.Expr]) -> list[sm.Expr]:
    """The nodes as SymPy expressions.

    Trees can be exponentially larger than the graph: check `tree_count` first, or use `to_sympy_cse`.

    Parameters
    ----------
    graph : Graph
    nodes : nodes
    names : mapping of node to expression
        The symbols of the inputs. Other nodes may be named, too; they are not written out then.

    Raises
    ------
    ValueError
        If inputs that are used have no name.

    Examples
    --------
    >>> x = sm.Symbol("x")
    >>> graph = Graph()
    >>> node = graph.input("x", 0)
    >>> to_sympy(graph, [graph.div(graph.call("cos", node), graph.const(3))], {node: x})
    [cos(x)/3]
    """
    written = dict(names)
    for node in _to_write(graph, nodes, written):
        written[node] = _write(graph, node, written)
    return [written[node] for node in nodes]


def to_sympy_cse(
    graph: Graph, nodes: Sequence[Node], names: Mapping[Node, sm.Expr], symbols: Iterable[sm.Symbol] | None = None
) -> tuple[list[tuple[sm.Symbol, sm.Expr]], list[sm.Expr]]:
    """The nodes with their common parts named, as `sympy.cse` returns them.

    Parameters
    ----------
    graph, nodes, names
        As for `to_sympy`.
    symbols : iterable of Symbol, optional
        Names of the common parts; default x0, x1, ... without those that occur in `names`.

    Returns
    -------
    replacements : list of (Symbol, Expr)
        Each uses only the ones before it.
    reduced : list of Expr
        The nodes, in their order.

    Examples
    --------
    >>> x = sm.Symbol("x")
    >>> graph = Graph()
    >>> node = graph.input("x", 0)
    >>> sine = graph.call("sin", node)
    >>> to_sympy_cse(graph, [graph.mul(sine, graph.add(sine, graph.one))], {node: x})
    ([(x0, sin(x))], [x0*(x0 + 1)])
    """
    if symbols is None:
        taken = {symbol for name in names.values() for symbol in sm.sympify(name).atoms(sm.Symbol)}
        symbols = sm.numbered_symbols("x", exclude=taken)
    symbols = iter(symbols)
    written = dict(names)
    order = _to_write(graph, nodes, written)
    uses = Counter(child for node in order for child in graph.children(node) if child not in names)
    replacements = []
    for node in order:
        expression = _write(graph, node, written)
        if uses[node] > 1 and graph.ops[node] not in LEAVES:
            symbol = next(symbols)
            replacements.append((symbol, expression))
            expression = symbol
        written[node] = expression
    return replacements, [written[node] for node in nodes]


def branch_names(
    graph: Graph, margin: Node, names: Mapping[Node, sm.Expr], write: Callable[[sm.Expr], str] = str
) -> tuple[str, str]:
    """The relations that are true where a margin is positive and where it is negative; long ones are shortened.

    Examples
    --------
    >>> graph = Graph()
    >>> x = graph.input("x", 0)
    >>> branch_names(graph, graph.sub(x, graph.one), {x: sm.Symbol("x")})
    ('x - 1 > 0', 'x - 1 < 0')
    """
    if tree_count(graph, [margin]) > _LARGEST_MARGIN:
        return "a long condition holds", "a long condition does not hold"
    written = shorten(write(to_sympy(graph, [margin], names)[0]), _LONGEST_MARGIN)
    return f"{written} > 0", f"{written} < 0"


def switch_names(
    graph: Graph, switch: Switch, names: Mapping[Node, sm.Expr], write: Callable[[sm.Expr], str] = str
) -> tuple[str, str]:
    """The relations that are true where a switch is +1 and where it is -1.

    Examples
    --------
    >>> from sympact.graph import Freezer
    >>> graph = Graph()
    >>> x, freeze = graph.input("x", 0), Freezer(graph, 0, lambda margin: True)
    >>> nodes = [freeze(graph.call("abs", x)), freeze(graph.call("floor", x))]
    >>> [switch_names(graph, switch, {x: sm.Symbol("x")}) for switch in freeze.switches]
    [('x > 0', 'x < 0'), ('floor(x) even', 'floor(x) odd')]
    """
    if switch.counted is None:
        return branch_names(graph, switch.written, names, write)
    if tree_count(graph, [switch.counted]) > _LARGEST_MARGIN:
        return "a long integer part is even", "a long integer part is odd"
    written = shorten(write(to_sympy(graph, [switch.counted], names)[0]), _LONGEST_MARGIN)
    return f"floor({written}) even", f"floor({written}) odd"


def _to_write(graph: Graph, nodes: Sequence[Node], names: Mapping[Node, sm.Expr]) -> list[Node]:
    """The nodes below the given ones, down to the named ones, in an order of evaluation."""
    seen: set[Node] = set()
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        if node not in seen and node not in names:
            seen.add(node)
            waiting += graph.children(node)
    nameless = [graph.args[node] for node in sorted(seen) if graph.ops[node] == "input"]
    if nameless:
        listed = ", ".join(f"{array}[{index}]" for array, index in nameless)
        raise ValueError(f"the inputs {listed} have no name; expected one for every input that is used")
    return sorted(seen)


def _write(graph: Graph, node: Node, written: Mapping[Node, sm.Expr]) -> sm.Expr:
    op = graph.ops[node]
    if op == "const":
        return _number(graph.args[node][0])
    return _WRITE[op](*(written[arg] for arg in graph.args[node]))


def _number(value: float) -> sm.Expr:
    """The number in its usual form: a simple fraction or pi if it is exactly the double nearest to one."""
    if not math.isfinite(value):
        return sm.nan if value != value else sm.oo if value > 0 else -sm.oo
    if value == math.pi:
        return sm.pi
    fraction = Fraction(value).limit_denominator(_DENOMINATOR)
    if float(fraction) == value:
        return sm.Rational(fraction.numerator, fraction.denominator)
    return sm.Float(value)


_WRITE: dict[str, Callable[..., sm.Basic]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "neg": lambda a: -a,
    "pow": lambda a, b: a**b,
    "mod": sm.Mod,
    "min": sm.Min,
    "max": sm.Max,
    "abs": sm.Abs,
    "heaviside": sm.Heaviside,
    **{name: getattr(sm, name) for name in (*ELEMENTARY, "atan2", "erf", "sqrt", "sign", "floor", "ceiling")},
    "less": sm.Lt,
    "below": sm.Lt,
    "less_equal": sm.Le,
    "equal": sm.Eq,
    "and": sm.And,
    "or": sm.Or,
    "not": sm.Not,
    "true": lambda: sm.true,
    "false": lambda: sm.false,
    "select": lambda condition, a, b: sm.Piecewise((a, condition), (b, True)),
    "held": held,
}
