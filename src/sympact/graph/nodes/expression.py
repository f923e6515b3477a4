"""Scalar expressions that share every common part.

A node is a number, a `Node`. The same operation on the same nodes always gives the same node, so that a model's
expressions, trees of millions of terms in SymPy, have only as many nodes as different terms.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from sympact.graph.nodes.node import Node
from sympact.graph.nodes.operations import CONDITIONS, EVEN, FUNCTIONS, LEAVES, ODD, OPERATIONS

__all__ = ["ARRAYS", "Graph"]

ARRAYS = ("t", "x", "xdot", "p")
_LARGEST_PRODUCT = 32  # x**n by squaring loses about n/2 ulp; beyond this the C library's pow is more exact


class Graph:
    """Scalar expressions of the inputs t, x, xdot and p.

    A node's arguments always have smaller numbers than the node, so increasing numbers are an order of evaluation.
    Constants are folded, and so are operations whose result does not depend on a value: x + 0, 1 x, x - x, 0 x and 0/x
    give x, x, 0, 0, 0, even where x could be infinite or NaN. Operations on constants that have no finite value (1/0)
    are kept as nodes. The sign of a zero is not kept.

    Attributes
    ----------
    ops : list of str
        The operation of each node: a name in `OPERATIONS`, or ``const``, ``input``, ``true``, ``false``.
    args : list of tuple
        Its arguments: nodes; for ``const`` the float, for ``input`` the array's name and the index.
    zero, one : Node
        The nodes of 0.0 and 1.0.
    true, false : Node
        The nodes of the two constant conditions.

    Examples
    --------
    >>> graph = Graph()
    >>> x, y = graph.input("x", 0), graph.input("x", 1)
    >>> graph.add(x, y) == graph.add(y, x)
    True
    >>> graph.mul(graph.sub(x, x), y) == graph.zero
    True
    """

    def __init__(self) -> None:
        self.ops: list[str] = []
        self.args: list[tuple] = []
        self._known: dict[tuple, Node] = {}
        self.zero = self.const(0.0)
        self.one = self.const(1.0)
        self.true = self._node("true", ())
        self.false = self._node("false", ())

    def __len__(self) -> int:
        return len(self.ops)

    def __repr__(self) -> str:
        return f"Graph({len(self.ops)} nodes)"

    def _node(self, op: str, args: tuple) -> Node:
        key = (op, args)
        node = self._known.get(key)
        if node is None:
            node = self._known[key] = Node(len(self.ops))
            self.ops.append(op)
            self.args.append(args)
        return node

    def const(self, value: float) -> Node:
        """The node of a number."""
        value = float(value)
        if value != value:
            value = math.nan  # this one object, so that the dictionary finds it
        return self._node("const", (value + 0.0,) if value == value else (value,))

    def input(self, array: str, index: int) -> Node:
        """The node of entry `index` of ``"x"``, ``"xdot"`` or ``"p"``, or of the time ``"t"`` (index 0)."""
        if array not in ARRAYS or index < 0 or (array == "t" and index != 0):
            raise ValueError(f"no input {array}[{index}]: expected t[0], or an entry of x, xdot or p from 0 upwards")
        return self._node("input", (array, int(index)))

    def value(self, node: Node) -> float | None:
        """The number of a constant node; None for every other node."""
        return self.args[node][0] if self.ops[node] == "const" else None

    def children(self, node: Node) -> tuple[Node, ...]:
        """The nodes that `node` is computed from."""
        return () if self.ops[node] in LEAVES else self.args[node]

    def add(self, a: Node, b: Node) -> Node:
        """a + b."""
        if a == self.zero:
            return b
        if b == self.zero:
            return a
        if a == b:
            return self.mul(self.const(2.0), a)
        a_minus, b_minus = self._negated(a), self._negated(b)
        if b_minus is not None:
            return self.sub(a, b_minus)
        if a_minus is not None:
            return self.sub(b, a_minus)
        return self._folded("add", (a, b) if a < b else (b, a))

    def sub(self, a: Node, b: Node) -> Node:
        """a - b."""
        if b == self.zero:
            return a
        if a == self.zero:
            return self.neg(b)
        if a == b:
            return self.zero
        if self.ops[a] == self.ops[b] == "const":
            return self._folded("sub", (a, b))
        b_minus = self._negated(b)
        if b_minus is not None:
            return self.add(a, b_minus)
        if self.ops[a] == "neg":
            return self.neg(self.add(self.args[a][0], b))
        return self._folded("sub", (a, b))

    def neg(self, a: Node) -> Node:
        """-a."""
        op = self.ops[a]
        if op == "neg":
            return self.args[a][0]
        if op == "const":
            return self.const(-self.args[a][0])
        if op == "sub":
            return self.sub(*self.args[a][::-1])
        return self._node("neg", (a,))

    def mul(self, a: Node, b: Node) -> Node:
        """a b."""
        if a == self.zero or b == self.zero:
            return self.zero
        if a == self.one:
            return b
        if b == self.one:
            return a
        a_minus, b_minus = self._negated(a), self._negated(b)
        if a_minus is not None or b_minus is not None:
            product = self.mul(a if a_minus is None else a_minus, b if b_minus is None else b_minus)
            return product if a_minus is not None and b_minus is not None else self.neg(product)
        if a == b and self.ops[a] == "abs":
            return self.mul(self.args[a][0], self.args[a][0])
        return self._folded("mul", (a, b) if a < b else (b, a))

    def div(self, a: Node, b: Node) -> Node:
        """a / b."""
        if a == self.zero and b != self.zero:
            return a
        if b == self.one:
            return a
        a_minus, b_minus = self._negated(a), self._negated(b)
        if a_minus is not None or b_minus is not None:
            quotient = self.div(a if a_minus is None else a_minus, b if b_minus is None else b_minus)
            return quotient if a_minus is not None and b_minus is not None else self.neg(quotient)
        divisor = self.value(b)
        if divisor is not None and math.frexp(divisor)[0] == 0.5 and math.isfinite(1.0 / divisor):
            return self.mul(a, self.const(1.0 / divisor))  # exact for a power of two
        return self._folded("div", (a, b))

    def pow(self, a: Node, b: Node) -> Node:
        """a to the power b; products and square roots where b is a small multiple of 1/2."""
        exponent = self.value(b)
        if exponent is not None and abs(exponent) <= _LARGEST_PRODUCT and (2 * exponent).is_integer():
            whole = self.ipow(a, math.floor(abs(exponent)))
            power = whole if exponent.is_integer() else self.mul(whole, self.call("sqrt", a))
            return power if exponent >= 0 else self.div(self.one, power)
        return self._folded("pow", (a, b))

    def ipow(self, a: Node, n: int) -> Node:
        """a to the whole power n, by repeated squaring; a**0 is 1."""
        if abs(n) > _LARGEST_PRODUCT:
            return self._folded("pow", (a, self.const(n)))
        power, square, left = self.one, a, abs(n)
        while left:
            if left & 1:
                power = self.mul(power, square)
            left >>= 1
            if left:
                square = self.mul(square, square)
        return power if n >= 0 else self.div(self.one, power)

    def call(self, name: str, *args: Node) -> Node:
        """An elementary function by name: sin, sqrt, atan2, max, heaviside, ...

        ``mod`` has the sign of the divisor; ``heaviside`` takes its value at zero as second argument; ``min`` and
        ``max`` of a NaN are NaN.

        Raises
        ------
        ValueError
            If there is no such function, or it takes another number of arguments.
        """
        function = FUNCTIONS.get(name)
        if function is None or len(args) != len(function.arguments):
            known = ", ".join(f"{f.name}/{len(f.arguments)}" for f in FUNCTIONS.values())
            raise ValueError(f"no function {name}/{len(args)} (name/number of arguments); known are {known}")
        if name == "pow":
            return self.pow(*args)
        if self.ops[args[0]] == "neg":
            if name in EVEN:
                return self.call(name, self.args[args[0]][0])
            if name in ODD:
                return self.neg(self.call(name, self.args[args[0]][0]))
        return self._folded(name, tuple(sorted(args)) if function.commutative else args)

    def less(self, a: Node, b: Node) -> Node:
        """The condition a < b; false where one is NaN."""
        return self._folded("less", (a, b))

    def below(self, a: Node, b: Node) -> Node:
        """The condition a < b between two forms of one smooth function, such as a series and its sum.

        It selects the form with less rounding; no branch changes there, so that it is never made a boundary.
        """
        return self._folded("below", (a, b))

    def less_equal(self, a: Node, b: Node) -> Node:
        """The condition a <= b; false where one is NaN."""
        return self._folded("less_equal", (a, b))

    def equal(self, a: Node, b: Node) -> Node:
        """The condition a == b; false where one is NaN."""
        return self._folded("equal", (a, b) if a < b else (b, a))

    def and_(self, a: Node, b: Node) -> Node:
        """Both conditions."""
        self._expect_conditions(a, b)
        if self.false in (a, b):
            return self.false
        if a in (self.true, b):
            return b
        return a if b == self.true else self._node("and", (a, b) if a < b else (b, a))

    def or_(self, a: Node, b: Node) -> Node:
        """At least one of two conditions."""
        self._expect_conditions(a, b)
        if self.true in (a, b):
            return self.true
        if a in (self.false, b):
            return b
        return a if b == self.false else self._node("or", (a, b) if a < b else (b, a))

    def not_(self, a: Node) -> Node:
        """The negation of a condition; true for a comparison with NaN."""
        self._expect_conditions(a)
        if a in (self.true, self.false):
            return self.false if a == self.true else self.true
        return self.args[a][0] if self.ops[a] == "not" else self._node("not", (a,))

    def select(self, condition: Node, a: Node, b: Node) -> Node:
        """The value a where the condition is true, else b."""
        self._expect_conditions(condition)
        if a == b or condition == self.true:
            return a
        if condition == self.false:
            return b
        return self._node("select", (condition, a, b))

    def held(self, a: Node) -> Node:
        """The value a detached: derivatives treat it as a constant, such as the result of an iteration.

        Its arguments are no part of the formula: conditions in them are never made boundaries.
        """
        return a if self.ops[a] in ("const", "held") else self._node("held", (a,))

    def unknown(self, index: int) -> Node:
        """A placeholder symbol for equations; it has to be replaced (`Substitution`) before evaluation."""
        return self._node("input", ("unknown", index))

    def sum(self, nodes: Iterable[Node]) -> Node:
        """The sum from left to right; 0 for no nodes."""
        total = self.zero
        for node in nodes:
            total = self.add(total, node)
        return total

    def apply(self, op: str, args: tuple) -> Node:
        """The node of any operation by its name in `ops`, folded like the methods above."""
        method = _METHODS.get(op)
        return self.call(op, *args) if method is None else method(self, *args)

    def _negated(self, node: Node) -> Node | None:
        """The node of -node where `node` is written with a minus sign, else None."""
        if self.ops[node] == "neg":
            return self.args[node][0]
        value = self.value(node)
        return self.const(-value) if value is not None and value < 0 else None

    def _folded(self, op: str, args: tuple) -> Node:
        """The node, or its constant value when all its arguments are constants and the result is finite."""
        ops = self.ops
        if all(ops[arg] == "const" for arg in args):
            try:
                result = OPERATIONS[op].evaluate(*(self.args[arg][0] for arg in args))
            except (ValueError, OverflowError, ZeroDivisionError):
                return self._node(op, args)
            if isinstance(result, bool):
                return self.true if result else self.false
            if math.isfinite(result):
                return self.const(result)
        return self._node(op, args)

    def _expect_conditions(self, *nodes: Node) -> None:
        for node in nodes:
            if self.ops[node] not in CONDITIONS:
                raise ValueError(f"node {node} is a value ({self.ops[node]}), expected a condition such as less(a, b)")


_METHODS: dict[str, Callable[..., Node]] = {
    **{name: getattr(Graph, name) for name in ("const", "input", "add", "sub", "mul", "div", "neg", "pow")},
    **{name: getattr(Graph, name) for name in ("select", "held")},
    **{name: getattr(Graph, name) for name in ("less", "below", "less_equal", "equal")},
    **{name: getattr(Graph, name + "_") for name in ("and", "or", "not")},
    "true": lambda graph: graph.true,
    "false": lambda graph: graph.false,
}
