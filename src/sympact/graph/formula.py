"""Formulas written with operators: each operation adds the node that the corresponding method of `Graph` gives.

`Scalar` and `Vector3` wrap nodes of one graph. ``z - x**2 / (2 * r)`` builds the nodes of
``graph.sub(z, graph.div(graph.ipow(x, 2), graph.mul(graph.const(2), r)))``, associated as Python associates it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from numbers import Integral, Real
from typing import ClassVar, overload

from sympact.graph.algebra.derivative import Tangent
from sympact.graph.algebra.linear import cross, dot, minus, plus, scale
from sympact.graph.nodes.expression import Graph
from sympact.graph.nodes.node import Node
from sympact.graph.nodes.rewrite import Substitution

__all__ = [
    "Condition",
    "Scalar",
    "Vector3",
    "acos",
    "asin",
    "atan",
    "atan2",
    "below",
    "cos",
    "derivative",
    "exp",
    "log",
    "maximum",
    "minimum",
    "number",
    "operand",
    "sin",
    "sqrt",
    "substitution",
    "tan",
    "tanh",
    "unknown",
    "where",
]

Number = float
"""The operands of a formula besides formulas: any real number of Python, NumPy or SymPy."""


@dataclass(frozen=True, slots=True)
class Scalar:
    """A scalar expression: ``+``, ``-``, ``*``, ``/``, ``**``, ``abs`` and comparisons, with formulas and numbers.

    Two scalars are equal (``==``) where they are the same node: the same expression, not the same value. ``<``, ``<=``,
    ``>`` and ``>=`` give a `Condition`.

    Parameters
    ----------
    graph : Graph
    node : Node

    Raises
    ------
    TypeError
        If an operand is neither a formula nor a real number.
    ValueError
        If two operands belong to different graphs.

    Examples
    --------
    >>> graph = Graph()
    >>> x, z, r = (Scalar(graph, graph.input("x", i)) for i in range(3))
    >>> height = z - x**2 / (2 * r)
    >>> height.node == graph.sub(z.node, graph.div(graph.mul(x.node, x.node), graph.mul(graph.const(2), r.node)))
    True
    >>> x + "m"
    Traceback (most recent call last):
        ...
    TypeError: a formula is computed with formulas and real numbers; found 'm'
    """

    graph: Graph
    node: Node
    __array_ufunc__: ClassVar[None] = None

    def call(self, name: str, *others: Scalar | Number) -> Scalar:
        """An elementary function of it, by the name that `Graph.call` has for it."""
        return Scalar(self.graph, self.graph.call(name, self.node, *map(self._operand, others)))

    @property
    def held(self) -> Scalar:
        """Its value detached: derivatives treat it as a constant, such as the result of an iteration."""
        return Scalar(self.graph, self.graph.held(self.node))

    def equals(self, other: Scalar | Number) -> Condition:
        """The condition that the values are equal."""
        return Condition(self.graph, self.graph.equal(self.node, self._operand(other)))

    def __add__(self, other: Scalar | Number) -> Scalar:
        return Scalar(self.graph, self.graph.add(self.node, self._operand(other)))

    def __radd__(self, other: Number) -> Scalar:
        return Scalar(self.graph, self.graph.add(self._operand(other), self.node))

    def __sub__(self, other: Scalar | Number) -> Scalar:
        return Scalar(self.graph, self.graph.sub(self.node, self._operand(other)))

    def __rsub__(self, other: Number) -> Scalar:
        return Scalar(self.graph, self.graph.sub(self._operand(other), self.node))

    @overload
    def __mul__(self, other: Scalar | Number) -> Scalar: ...
    @overload
    def __mul__(self, other: Vector3) -> Vector3: ...
    def __mul__(self, other):
        if isinstance(other, Vector3):
            return NotImplemented
        return Scalar(self.graph, self.graph.mul(self.node, self._operand(other)))

    def __rmul__(self, other: Number) -> Scalar:
        return Scalar(self.graph, self.graph.mul(self._operand(other), self.node))

    def __truediv__(self, other: Scalar | Number) -> Scalar:
        return Scalar(self.graph, self.graph.div(self.node, self._operand(other)))

    def __rtruediv__(self, other: Number) -> Scalar:
        return Scalar(self.graph, self.graph.div(self._operand(other), self.node))

    def __pow__(self, exponent: Scalar | Number) -> Scalar:
        """By products and square roots where the exponent is a small multiple of 1/2."""
        if isinstance(exponent, Integral):
            return Scalar(self.graph, self.graph.ipow(self.node, int(exponent)))
        return Scalar(self.graph, self.graph.pow(self.node, self._operand(exponent)))

    def __rpow__(self, base: Number) -> Scalar:
        return Scalar(self.graph, self.graph.pow(self._operand(base), self.node))

    def __neg__(self) -> Scalar:
        return Scalar(self.graph, self.graph.neg(self.node))

    def __abs__(self) -> Scalar:
        return self.call("abs")

    def __lt__(self, other: Scalar | Number) -> Condition:
        return Condition(self.graph, self.graph.less(self.node, self._operand(other)))

    def __gt__(self, other: Scalar | Number) -> Condition:
        return Condition(self.graph, self.graph.less(self._operand(other), self.node))

    def __le__(self, other: Scalar | Number) -> Condition:
        return Condition(self.graph, self.graph.less_equal(self.node, self._operand(other)))

    def __ge__(self, other: Scalar | Number) -> Condition:
        return Condition(self.graph, self.graph.less_equal(self._operand(other), self.node))

    def _operand(self, other: Scalar | Number) -> Node:
        return operand(self.graph, other)


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition: combined by ``&``, ``|`` and ``~``, and evaluated by `where`.

    It has no truth value of its own: `if` and `max` cannot use it.

    Examples
    --------
    >>> graph = Graph()
    >>> x = Scalar(graph, graph.input("x", 0))
    >>> where((x > 0) & (x < 1), x, 0).node == graph.zero
    False
    >>> max(x, -x)
    Traceback (most recent call last):
        ...
    TypeError: whether a condition holds is known only when it is evaluated; choose with where(condition, a, b)
    """

    graph: Graph
    node: Node

    def __and__(self, other: Condition) -> Condition:
        return Condition(self.graph, self.graph.and_(self.node, other.node))

    def __or__(self, other: Condition) -> Condition:
        return Condition(self.graph, self.graph.or_(self.node, other.node))

    def __invert__(self) -> Condition:
        return Condition(self.graph, self.graph.not_(self.node))

    def __bool__(self) -> bool:
        raise TypeError(
            "whether a condition holds is known only when it is evaluated; choose with where(condition, a, b)"
        )


@dataclass(frozen=True, slots=True)
class Vector3:
    """Three components along the axes of one frame: ``+``, ``-``, products with scalars, `dot`, `cross`, `norm`.

    Parameters
    ----------
    graph : Graph
    nodes : tuple of three Node

    Examples
    --------
    >>> graph = Graph()
    >>> x, y = (Scalar(graph, graph.input("x", i)) for i in range(2))
    >>> arm = Vector3.of(x, y, 0)
    >>> arm.norm == sqrt(x * x + y * y)
    True
    >>> arm.cross(arm) == Vector3.of(x - x, 0, 0)
    True
    """

    graph: Graph
    nodes: tuple[Node, ...]
    __array_ufunc__: ClassVar[None] = None

    @classmethod
    def of(cls, *components: Scalar | Number) -> Vector3:
        """The vector of three components, of which one at least is a `Scalar`."""
        graph = _graph_of(*components)
        return cls(graph, tuple(operand(graph, part) for part in components))

    def __iter__(self) -> Iterator[Scalar]:
        return (Scalar(self.graph, node) for node in self.nodes)

    def __getitem__(self, axis: int) -> Scalar:
        return Scalar(self.graph, self.nodes[axis])

    def __add__(self, other: Vector3) -> Vector3:
        return self._made(plus(self.graph, self.nodes, other.nodes))

    def __sub__(self, other: Vector3) -> Vector3:
        return self._made(minus(self.graph, self.nodes, other.nodes))

    def __neg__(self) -> Vector3:
        return self._made([self.graph.neg(node) for node in self.nodes])

    def __mul__(self, factor: Scalar | Number) -> Vector3:
        return self._made(scale(self.graph, operand(self.graph, factor), self.nodes))

    __rmul__ = __mul__

    def __truediv__(self, divisor: Scalar | Number) -> Vector3:
        node = operand(self.graph, divisor)
        return self._made([self.graph.div(part, node) for part in self.nodes])

    def dot(self, other: Vector3) -> Scalar:
        """The scalar product, summed from left to right."""
        return Scalar(self.graph, dot(self.graph, self.nodes, other.nodes))

    def cross(self, other: Vector3) -> Vector3:
        """The vector product."""
        return self._made(cross(self.graph, self.nodes, other.nodes))

    @property
    def norm(self) -> Scalar:
        """The length."""
        return sqrt(self.dot(self))

    @property
    def unit(self) -> Vector3:
        """The vector divided by its length."""
        return self / self.norm

    @property
    def held(self) -> Vector3:
        """Each component detached, see `Scalar.held`."""
        return self._made([self.graph.held(node) for node in self.nodes])

    def across(self, axis: Vector3) -> Vector3:
        """The part at right angles to a unit vector."""
        return self - self.dot(axis) * axis

    def _made(self, nodes: list[Node]) -> Vector3:
        return Vector3(self.graph, tuple(nodes))


@overload
def where(condition: Condition, a: Vector3, b: Vector3) -> Vector3: ...
@overload
def where(condition: Condition, a: Scalar | Number, b: Scalar | Number) -> Scalar: ...
def where(condition, a, b):
    """The value a where a condition is true, else b; of two vectors component by component."""
    graph = condition.graph
    if isinstance(a, Vector3):
        return Vector3(graph, tuple(graph.select(condition.node, *pair) for pair in zip(a.nodes, b.nodes, strict=True)))
    return Scalar(graph, graph.select(condition.node, operand(graph, a), operand(graph, b)))


def below(a: Scalar | Number, b: Scalar | Number) -> Condition:
    """The condition a < b between two forms of one smooth function; it is no boundary."""
    graph = _graph_of(a, b)
    return Condition(graph, graph.below(operand(graph, a), operand(graph, b)))


def minimum(a: Scalar | Number, b: Scalar | Number) -> Scalar:
    """The smaller of two values, one of which at least is a `Scalar`; NaN where one is NaN."""
    return _called("min", a, b)


def maximum(a: Scalar | Number, b: Scalar | Number) -> Scalar:
    """The larger of two values, one of which at least is a `Scalar`; NaN where one is NaN."""
    return _called("max", a, b)


def atan2(y: Scalar | Number, x: Scalar | Number) -> Scalar:
    """The angle (rad) from the x-axis to the direction (x, y)."""
    return _called("atan2", y, x)


def sqrt(a: Scalar) -> Scalar:
    """The square root."""
    return a.call("sqrt")


def sin(a: Scalar) -> Scalar:
    """The sine of an angle (rad)."""
    return a.call("sin")


def cos(a: Scalar) -> Scalar:
    """The cosine of an angle (rad)."""
    return a.call("cos")


def tan(a: Scalar) -> Scalar:
    """The tangent of an angle (rad)."""
    return a.call("tan")


def asin(a: Scalar) -> Scalar:
    """The angle (rad) from -pi/2 to pi/2 with a sine."""
    return a.call("asin")


def acos(a: Scalar) -> Scalar:
    """The angle (rad) from 0 to pi with a cosine."""
    return a.call("acos")


def atan(a: Scalar) -> Scalar:
    """The angle (rad) from -pi/2 to pi/2 with a tangent."""
    return a.call("atan")


def exp(a: Scalar) -> Scalar:
    """The exponential."""
    return a.call("exp")


def log(a: Scalar) -> Scalar:
    """The natural logarithm."""
    return a.call("log")


def tanh(a: Scalar) -> Scalar:
    """The hyperbolic tangent."""
    return a.call("tanh")


def derivative(seed: Mapping[Scalar, Scalar | Number]) -> Callable[[Scalar], Scalar]:
    """The derivative of any scalar where some symbols have the derivatives in `seed`, and all others none.

    Examples
    --------
    >>> graph = Graph()
    >>> x = Scalar(graph, graph.input("x", 0))
    >>> derivative({x: 1})(x**2) == x + x
    True
    """
    graph = _graph_of(*seed)
    tangent = Tangent(graph, {letter.node: operand(graph, slope) for letter, slope in seed.items()})
    return lambda scalar: Scalar(graph, tangent(scalar.node))


def substitution(replacements: Mapping[Scalar, Scalar | Number]) -> Callable[[Scalar], Scalar]:
    """Any scalar with given ones replaced by others.

    Examples
    --------
    >>> graph = Graph()
    >>> x, y = (Scalar(graph, graph.input("x", i)) for i in range(2))
    >>> substitution({x: y})(sin(x) + x) == sin(y) + y
    True
    """
    graph = _graph_of(*replacements)
    put = Substitution(graph, {old.node: operand(graph, new) for old, new in replacements.items()})
    return lambda scalar: Scalar(graph, put(scalar.node))


def number(graph: Graph, value: Number) -> Scalar:
    """A number as a scalar."""
    return Scalar(graph, graph.const(value))


def unknown(graph: Graph, index: int) -> Scalar:
    """A placeholder symbol for equations; it has to be replaced before evaluation."""
    return Scalar(graph, graph.unknown(index))


def operand(graph: Graph, value: Scalar | Number) -> Node:
    """The node of a formula of this graph, or of a number."""
    if isinstance(value, Scalar):
        if value.graph is not graph:
            raise ValueError("two formulas of different models cannot be combined")
        return value.node
    if not isinstance(value, Real):
        raise TypeError(f"a formula is computed with formulas and real numbers; found {value!r}")
    return graph.const(float(value))


def _called(name: str, *arguments: Scalar | Number) -> Scalar:
    graph = _graph_of(*arguments)
    return Scalar(graph, graph.call(name, *(operand(graph, argument) for argument in arguments)))


def _graph_of(*arguments: Scalar | Number) -> Graph:
    for argument in arguments:
        if isinstance(argument, Scalar):
            return argument.graph
    raise TypeError(
        f"none of {', '.join(map(repr, arguments)) or 'no arguments'} is a formula; make one of a number with "
        "motion.number"
    )
