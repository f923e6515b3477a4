"""From SymPy's trees to shared nodes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from numbers import Number
from textwrap import shorten

import sympy as sm
from sympy.core.function import AppliedUndef
from sympy.logic.boolalg import Boolean

from sympact.graph.algebra.magnitude import magnitude, root, shared_sign
from sympact.graph.nodes.expression import Graph
from sympact.graph.nodes.held import held
from sympact.graph.nodes.node import Node
from sympact.graph.nodes.operations import ELEMENTARY
from sympact.native.sentences.near_names import suggestion
from sympact.native.sentences.stripped_units import has_unit

__all__ = ["FromSympy", "Unreadable", "check_scalar", "kinds_with_parts"]

_DIGITS = 40  # enough to round pi, E, ... to the nearest double
_LARGEST_ROOT = 32  # exponents beyond this are left to the C library, as in `Graph.pow`
_MANY = 5
_MOST = 40  # names of inputs in a message
_LONG = 80


class Unreadable(ValueError):
    """An expression that cannot be read.

    Parameters
    ----------
    parts : sequence of SymPy expressions
        The parts of it that are neither inputs nor of a supported kind.
    known : sequence of str
        The names of the inputs.
    """

    def __init__(self, parts: Sequence[sm.Basic], known: Sequence[str] = ()):
        self.parts, self.known = tuple(parts), tuple(known)
        names = [shorten(str(part), _LONG) for part in parts]
        named = ", ".join(names[:_MANY]) + (f" and {len(names) - _MANY} more" if len(names) > _MANY else "")
        functions = ", ".join(sorted(kind.__name__ for kind in _READERS if issubclass(kind, sm.Function)))
        expected = (
            f"expected an input of the model, a number, +, *, **, a relation, logic between relations, or one of the "
            f"functions {functions}. Write the expression with these (doit() or rewrite() may do it), or declare the "
            "part as an input"
        )
        if known and all(isinstance(part, sm.Symbol | AppliedUndef) for part in parts):
            expected = _known_symbols(parts, known)
        if any(map(has_unit, parts)):
            expected = "expected no units: equations and numbers are in SI units, without units"
        super().__init__(f"cannot read {named}: {expected}")

    def __reduce__(self) -> tuple:
        return Unreadable, (self.parts, self.known)


def _known_symbols(parts: Sequence[sm.Basic], known: Sequence[str]) -> str:
    """The inputs, as what was expected of symbols; those of an equal name differ by their assumptions."""
    alike = [str(part) for part in parts if str(part) in known]
    if alike:
        return (
            f"there is another {alike[0]}, with other assumptions such as positive=True; expected the symbol that the "
            "equations contain"
        )
    listed = ", ".join(known[:_MOST]) + (f" and {len(known) - _MOST} more" if len(known) > _MOST else "")
    moving = [f"{part}(t)" for part in parts if f"{part}(t)" in known]
    near = f"; did you mean {moving[0]}?" if moving else suggestion(str(parts[0]), known)
    return f"expected an expression of the symbols {listed}; a further one has to be declared first{near}"


def check_scalar(thing: object) -> None:
    """Raise unless `thing` is one number at a time: an expression, a condition or a number.

    Raises
    ------
    TypeError
        If it is a vector, a matrix or another object; the message states the alternative.

    Examples
    --------
    >>> check_scalar(sm.Symbol("a") ** 2)
    >>> from sympy.physics.mechanics import ReferenceFrame
    >>> check_scalar(ReferenceFrame("N").x)
    Traceback (most recent call last):
    TypeError: cannot evaluate N.x, a Vector: expected one scalar expression; ask for a component of a vector, such as
    vector.dot(N.x), and for the entries of a matrix or a list one by one
    """
    if not isinstance(thing, sm.Expr | Boolean | Number) or getattr(thing, "is_Matrix", False):
        raise TypeError(
            f"cannot evaluate {shorten(str(thing), _LONG)}, a {type(thing).__name__}: expected one scalar expression; "
            "ask for a component of a vector, such as vector.dot(N.x), and for the entries of a matrix or a list one "
            "by one"
        )


def kinds_with_parts() -> dict[str, type]:
    """The kinds of expressions that can be read and have parts, by their names."""
    kinds = (*_FUNCTIONS, *_LOGIC, sm.Add, sm.Mul, sm.Pow, sm.Piecewise, sm.UnevaluatedExpr, held)
    return {kind.__name__: kind for kind in kinds if not issubclass(kind, sm.logic.boolalg.BooleanAtom)}


class FromSympy:
    """Reads SymPy expressions into a graph; every different subexpression is read once.

    Inputs are real. A `Piecewise` without a true condition is NaN. A function that is not known is read by the
    expression that its ``doit(deep=False)`` gives.

    Parameters
    ----------
    graph : Graph
    symbols : mapping of expression to node
        The inputs: symbols, functions of time, their derivatives, or any other expression.

    Examples
    --------
    >>> import sympy as sm
    >>> q = sm.Function("q")(sm.Symbol("t"))
    >>> graph = Graph()
    >>> x = graph.input("x", 0)
    >>> read = FromSympy(graph, {q: x})
    >>> read(sm.sin(q) / 2) == graph.mul(graph.const(0.5), graph.call("sin", x))
    True
    """

    def __init__(self, graph: Graph, symbols: Mapping[sm.Basic, Node]) -> None:
        self.graph = graph
        self._known: dict[sm.Basic, Node] = dict(symbols)
        self._inputs = tuple(symbols)

    def know(self, expression: sm.Expr, node: Node) -> None:
        """Read an expression as a node from now on."""
        self._known[expression] = node

    def __call__(self, expression: sm.Expr | float) -> Node:
        """The node of an expression.

        Raises
        ------
        Unreadable
            If a part of it is neither an input nor of a supported kind; the message names all such parts.
        """
        expression = sm.sympify(expression)
        known = self._known
        if expression in known:
            return known[expression]
        waiting = [expression]
        while waiting:
            top = waiting[-1]
            if top in known:
                waiting.pop()
                continue
            reader = _reader(top)
            if reader is None:
                names = tuple(str(one) for one in self._inputs if isinstance(one, sm.Symbol | AppliedUndef))
                raise Unreadable(self._unread(expression), names)
            parts = _parts(top)
            missing = [part for part in parts if part not in known]
            if missing:
                waiting += reversed(missing)
            else:
                known[top] = reader(self.graph, top, [known[part] for part in parts])
        return known[expression]

    def _unread(self, expression: sm.Basic) -> list[sm.Basic]:
        """Every part of the expression that cannot be read."""
        found: dict[sm.Basic, None] = {}
        seen, waiting = set(), [expression]
        while waiting:
            part = waiting.pop()
            if part in seen or part in self._known:
                continue
            seen.add(part)
            if _reader(part) is None:
                found[part] = None
            else:
                waiting += reversed(_parts(part))
        return list(found)


def _parts(expression: sm.Basic) -> Sequence[sm.Basic]:
    """The subexpressions that must be read first."""
    if isinstance(expression, sm.Piecewise):
        return [part for pair in expression.args for part in pair.args]
    if _known_kind(expression) is None:
        return [_definition(expression)]
    return expression.args


def _reader(expression: sm.Basic) -> Callable | None:
    """The function that makes a node of an expression, or None."""
    kind = _known_kind(expression)
    if kind is not None:
        return _READERS[kind]
    return None if _definition(expression) is None else _as_defined


def _known_kind(expression: sm.Basic) -> type | None:
    """The first kind of an expression that has a reader."""
    return next((kind for kind in type(expression).__mro__ if kind in _READERS), None)


def _definition(expression: sm.Basic) -> sm.Basic | None:
    """The expression that defines a function whose `doit` writes it out, such as a curve of a muscle; else None.

    ``evaluate=False`` keeps the order of operations in which SymPy writes the curves of `sympy.physics.biomechanics`.
    """
    if not isinstance(expression, sm.Function):
        return None
    written = expression.doit(deep=False, evaluate=False)
    return None if written == expression or written.has(type(expression)) else written


def _as_defined(graph: Graph, expression: sm.Basic, nodes: Sequence[Node]) -> Node:
    return nodes[0]


def _nearest(number: sm.Rational | sm.Float) -> float:
    """The double nearest to a number of any precision."""
    exact = sm.Rational(number)
    try:
        return exact.p / exact.q
    except OverflowError:
        digits = f"{sm.Float(exact, 3)}"
        raise ValueError(f"the number {digits} is beyond 1.8e308, the largest of double precision") from None


def _product(graph: Graph, expression: sm.Mul, nodes: list[Node]) -> Node:
    """A product with its negative powers collected in one division; |a| / a in it is sign(a)."""
    above, below = [], []
    for factor, node in zip(expression.args, nodes, strict=True):
        if factor.is_Pow and graph.ops[node] == "div" and graph.args[node][0] == graph.one:
            below.append(graph.args[node][1])
        else:
            above.append(node)
    if any(graph.ops[node] == "abs" for node in (*above, *below)):
        _take_signs(graph, above, below)
    return graph.div(reduce(graph.mul, above, graph.one), reduce(graph.mul, below, graph.one))


def _take_signs(graph: Graph, above: list[Node], below: list[Node]) -> None:
    """Replace |a| over a, and a over |a|, by sign(a)."""
    for j, divisor in enumerate(below):
        for i, factor in enumerate(above):
            sign = shared_sign(graph, factor, divisor)
            if sign is not None:
                above[i], below[j] = sign, graph.one
                break


def _power(graph: Graph, base: Node, exponent: Node) -> Node:
    """a**b; roots of even powers are powers of magnitudes, as |q| is sqrt(q**2)."""
    number = graph.value(exponent)
    if number is None or number.is_integer() or not math.isfinite(number):
        return graph.pow(base, exponent)
    while not number.is_integer() and graph.ops[base] == "mul" and len(set(graph.args[base])) == 1:
        base, number = magnitude(graph, graph.args[base][0]), 2.0 * number
    if (2.0 * number).is_integer() and not number.is_integer() and abs(number) <= _LARGEST_ROOT:
        power = graph.mul(graph.ipow(base, math.floor(abs(number))), root(graph, base))
        return power if number > 0.0 else graph.div(graph.one, power)
    return graph.pow(base, graph.const(number))


def _piecewise(graph: Graph, expression: sm.Piecewise, nodes: list[Node]) -> Node:
    value = graph.const(float("nan"))
    for branch, condition in reversed(list(zip(nodes[::2], nodes[1::2], strict=True))):
        value = graph.select(condition, branch, value)
    return value


def _sinc(graph: Graph, x: Node) -> Node:
    """sin(x)/x; below 1 its series, which keeps derivatives of all orders exact at 0."""
    square = graph.mul(x, x)
    series = graph.one
    for k in range(26, 0, -2):
        series = graph.sub(graph.one, graph.mul(graph.const(1.0 / (k * (k + 1))), graph.mul(square, series)))
    return graph.select(graph.below(square, graph.one), series, graph.div(graph.call("sin", x), x))


def _function(name: str) -> Callable:
    return lambda graph, expression, nodes: graph.call(name, *nodes)


def _inverse_of(name: str) -> Callable:
    return lambda graph, expression, nodes: graph.div(graph.one, graph.call(name, *nodes))


def _of_inverse(name: str) -> Callable:
    return lambda graph, expression, nodes: graph.call(name, graph.div(graph.one, *nodes))


def _repeated(name: str) -> Callable:
    return lambda graph, expression, nodes: reduce(lambda a, b: graph.call(name, a, b), nodes)


def _xor(graph: Graph, nodes: Sequence[Node]) -> Node:
    return reduce(lambda a, b: graph.or_(graph.and_(a, graph.not_(b)), graph.and_(graph.not_(a), b)), nodes)


def _if_then_else(graph: Graph, condition: Node, a: Node, b: Node) -> Node:
    return graph.or_(graph.and_(condition, a), graph.and_(graph.not_(condition), b))


_NUMBERS: dict[type, Callable] = {
    sm.Rational: lambda g, e, nodes: g.const(_nearest(e)),
    sm.Float: lambda g, e, nodes: g.const(_nearest(e)),
    sm.NumberSymbol: lambda g, e, nodes: g.const(_nearest(e.evalf(_DIGITS))),
    type(sm.oo): lambda g, e, nodes: g.const(float("inf")),
    type(-sm.oo): lambda g, e, nodes: g.const(float("-inf")),
    type(sm.nan): lambda g, e, nodes: g.const(float("nan")),
}
_FUNCTIONS: dict[type, Callable] = {
    **{getattr(sm, name): _function(name) for name in (*ELEMENTARY, "erf", "atan2", "sign")},
    sm.Abs: _function("abs"),
    sm.floor: _function("floor"),
    sm.ceiling: _function("ceiling"),
    sm.Heaviside: _function("heaviside"),
    sm.Mod: _function("mod"),
    sm.Max: _repeated("max"),
    sm.Min: _repeated("min"),
    sm.cot: _inverse_of("tan"),
    sm.sec: _inverse_of("cos"),
    sm.csc: _inverse_of("sin"),
    sm.coth: _inverse_of("tanh"),
    sm.sech: _inverse_of("cosh"),
    sm.csch: _inverse_of("sinh"),
    sm.acot: _of_inverse("atan"),
    sm.asec: _of_inverse("acos"),
    sm.acsc: _of_inverse("asin"),
    sm.acoth: _of_inverse("atanh"),
    sm.asech: _of_inverse("acosh"),
    sm.acsch: _of_inverse("asinh"),
    sm.sinc: lambda g, e, nodes: _sinc(g, *nodes),
    sm.frac: lambda g, e, nodes: g.sub(*nodes, g.call("floor", *nodes)),
    sm.re: lambda g, e, nodes: nodes[0],
    sm.im: lambda g, e, nodes: g.zero,
    sm.conjugate: lambda g, e, nodes: nodes[0],
}
_LOGIC: dict[type, Callable] = {
    sm.StrictLessThan: lambda g, e, nodes: g.less(*nodes),
    sm.LessThan: lambda g, e, nodes: g.less_equal(*nodes),
    sm.StrictGreaterThan: lambda g, e, nodes: g.less(*reversed(nodes)),
    sm.GreaterThan: lambda g, e, nodes: g.less_equal(*reversed(nodes)),
    sm.Equality: lambda g, e, nodes: g.equal(*nodes),
    sm.Unequality: lambda g, e, nodes: g.not_(g.equal(*nodes)),
    sm.And: lambda g, e, nodes: reduce(g.and_, nodes),
    sm.Or: lambda g, e, nodes: reduce(g.or_, nodes),
    sm.Not: lambda g, e, nodes: g.not_(*nodes),
    sm.Xor: lambda g, e, nodes: _xor(g, nodes),
    sm.ITE: lambda g, e, nodes: _if_then_else(g, *nodes),
    type(sm.true): lambda g, e, nodes: g.true,
    type(sm.false): lambda g, e, nodes: g.false,
}
_READERS: dict[type, Callable] = {
    **_NUMBERS,
    **_FUNCTIONS,
    **_LOGIC,
    sm.Add: lambda g, e, nodes: g.sum(nodes),
    sm.Mul: _product,
    sm.Pow: lambda g, e, nodes: _power(g, *nodes),
    sm.Piecewise: _piecewise,
    sm.UnevaluatedExpr: lambda g, e, nodes: nodes[0],
    held: lambda g, e, nodes: g.held(nodes[0]),
}
