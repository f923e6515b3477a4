"""SymPy expressions as rows of names and numbers, for files; what is read is built from a list of known kinds.

A row is the name of a kind and its parts: the numbers of earlier rows, or text. Nothing is evaluated as code: a name
that is not in the list is refused, and so are numbers beyond double precision, whose exact evaluation might not end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sympy as sm
from sympy.core.function import AppliedUndef, UndefinedFunction

from sympact.graph.notation.from_sympy import kinds_with_parts

__all__ = ["ExpressionRows", "Unwritable", "expressions_of"]

_CONSTANTS = {
    "pi": sm.pi, "E": sm.E, "oo": sm.oo, "-oo": -sm.oo, "GoldenRatio": sm.GoldenRatio, "EulerGamma": sm.EulerGamma,
    "Catalan": sm.Catalan, "true": sm.true, "false": sm.false,
}  # fmt: skip
_NAMES = {constant: name for name, constant in _CONSTANTS.items()}
_ASSUMPTIONS = {
    "algebraic", "antihermitian", "commutative", "complex", "composite", "even", "extended_negative",
    "extended_nonnegative", "extended_nonpositive", "extended_nonzero", "extended_positive", "extended_real",
    "finite", "hermitian", "imaginary", "infinite", "integer", "irrational", "negative", "noninteger", "nonnegative",
    "nonpositive", "nonzero", "odd", "polar", "positive", "prime", "rational", "real", "transcendental", "zero",
}  # fmt: skip
_DIGITS, _BITS, _ORDER = 400, 4096, 16
"""Of whole numbers in text; of exact powers and of floating-point numbers; of derivatives."""
_LARGEST = sm.Float("1.8e308")


class Unwritable(ValueError):
    """An expression that has no rows: it contains something of another kind, or was written without evaluation."""


class ExpressionRows:
    """Writes expressions as rows; every different subexpression is written once.

    Parameters
    ----------
    known : mapping of expression to str
        Symbols that the reader has by these names.

    Attributes
    ----------
    rows : list
        Lists of text, numbers and lists of these, as JSON has them.

    Examples
    --------
    >>> x = sm.Symbol("x")
    >>> rows = ExpressionRows({x: "x"})
    >>> rows(2 * sm.sin(x)), rows.rows
    (3, [['integer', '2'], ['known', 'x'], ['sin', 1], ['Mul', 0, 2]])
    >>> expressions_of(rows.rows, {"x": x})[3]
    2*sin(x)
    """

    def __init__(self, known: Mapping[sm.Basic, str]) -> None:
        self._known, self._letters = known, {name: letter for letter, name in known.items()}
        self.rows: list[list[Any]] = []
        self._built: list[sm.Basic] = []
        self._places: dict[sm.Basic, int] = {}

    def __call__(self, expression: object) -> int:
        """The number of the row of an expression.

        Raises
        ------
        Unwritable
            If it has none.
        """
        asked = sm.sympify(expression)
        waiting = [asked]
        while waiting:
            top = waiting[-1]
            if top in self._places:
                waiting.pop()
                continue
            parts = () if top in self._known else _parts(top)
            missing = [part for part in parts if part not in self._places]
            if missing:
                waiting += reversed(missing)
            else:
                self._write(top, [self._places[part] for part in parts])
        return self._places[asked]

    def _write(self, expression: sm.Basic, parts: list[int]) -> None:
        row = ["known", self._known[expression]] if expression in self._known else _row(expression, parts)
        built = _built(row, self._built, self._letters)
        if built != expression or type(built) is not type(expression):
            raise Unwritable(f"{expression} is not what its parts evaluate to")
        self._places[expression] = len(self.rows)
        self.rows.append(row)
        self._built.append(built)


def expressions_of(rows: object, known: Mapping[str, sm.Basic]) -> list[sm.Basic]:
    """The expression of each row.

    Raises
    ------
    ValueError
        If a row is none that `ExpressionRows` writes.
    """
    found: list[sm.Basic] = []
    for row in _listed(rows):
        found.append(_built(row, found, known))
        if found[-1].is_number and not _moderate(found[-1]):
            raise ValueError(f"row {len(found) - 1} is a number beyond double precision")
    return found


def _parts(expression: sm.Basic) -> Sequence[sm.Basic]:
    """The expressions that a row refers to."""
    if isinstance(expression, sm.Piecewise):
        return [part for pair in expression.args for part in pair.args]
    if isinstance(expression, sm.Derivative):
        return [expression.expr, *(variable for variable, _ in expression.variable_count)]
    if type(expression).__name__ in _KINDS or isinstance(expression, AppliedUndef):
        return expression.args
    return ()


def _row(expression: sm.Basic, parts: list[int]) -> list[Any]:
    """The row of an expression with the rows of its parts."""
    kind: type = type(expression)
    if expression in _NAMES:
        return ["constant", _NAMES[expression]]
    if isinstance(expression, sm.Integer):
        return ["integer", str(expression.p)]
    if isinstance(expression, sm.Rational):
        return ["rational", str(expression.p), str(expression.q)]
    if isinstance(expression, sm.Float):
        sign, digits, exponent, _ = expression._mpf_
        return ["float", int(sign), hex(digits), int(exponent), int(expression._prec)]
    if kind is sm.Symbol:
        return ["symbol", expression.name, _assumed(expression._assumptions_orig)]
    if isinstance(expression, AppliedUndef) and isinstance(expression.func, UndefinedFunction):
        return ["function", str(expression.func), _assumed(getattr(expression.func, "_kwargs", {})), *parts]
    if isinstance(expression, sm.Derivative):
        return ["Derivative", [int(count) for _, count in expression.variable_count], *parts]
    if _KINDS.get(kind.__name__) is kind:
        return [kind.__name__, *parts]
    raise Unwritable(f"{expression} is a {kind.__name__}")


def _assumed(given: Mapping[str, object]) -> dict[str, bool]:
    return {str(name): bool(value) for name, value in given.items() if value is not None}


def _built(row: object, earlier: Sequence[sm.Basic], known: Mapping[str, sm.Basic]) -> sm.Basic:
    """The expression of a row."""
    kind, *given = _listed(row)
    if kind in _LEAVES:
        return _LEAVES[kind](*given)
    if kind == "known":
        (name,) = given
        if name not in known:
            raise ValueError(f"{name!r} is no symbol of the model")
        return known[name]
    about = [] if kind in _KINDS else [given.pop(0) for _ in range(_ABOUT.get(kind, 0))]
    parts = [_earlier(earlier, number) for number in given]
    if kind == "function":
        return _function(*about)(*parts)
    if kind == "Derivative":
        counts = [_whole(count, 1, _ORDER) for count in _listed(about[0])]
        return sm.Derivative(parts[0], *zip(parts[1:], counts, strict=True))
    if kind not in _KINDS:
        raise ValueError(f"{kind!r} is no kind of expression that a file may contain")
    if kind == "Pow":
        _check_power(*parts)
    if kind == "Piecewise":
        return sm.Piecewise(*zip(parts[::2], parts[1::2], strict=True))
    return _KINDS[kind](*parts)


def _check_power(base: sm.Basic, exponent: sm.Basic) -> None:
    """Refuse powers of whole numbers that SymPy would evaluate for ever."""
    if isinstance(base, sm.Rational) and isinstance(exponent, sm.Rational):
        size = max(abs(base.p).bit_length(), base.q.bit_length()) * max(abs(exponent.p), exponent.q)
        if size > _BITS:
            raise ValueError("a power of numbers is beyond double precision")


def _moderate(number: sm.Basic) -> bool:
    """Whether a number is one of double precision, or infinite; its parts are."""
    if isinstance(number, sm.Rational):
        return max(abs(number.p).bit_length(), number.q.bit_length()) <= _BITS
    if number in _NAMES:
        return True
    value = sm.N(number, 5)
    return isinstance(value, sm.Expr) and bool(abs(value) <= _LARGEST)


def _earlier(earlier: Sequence[sm.Basic], number: object) -> sm.Basic:
    return earlier[_whole(number, 0, len(earlier) - 1)]


def _whole(number: object, least: int, most: int) -> int:
    if type(number) is not int or not least <= number <= most:
        raise ValueError(f"found {number!r}, expected a whole number from {least} to {most}")
    return number


def _listed(value: object) -> list[Any]:
    if not isinstance(value, list) or (value and not isinstance(value[0], str | list | int)):
        raise ValueError(f"found {type(value).__name__}, expected a list")
    return value


def _text(value: object, most: int = 1000) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= most:
        raise ValueError(f"found {type(value).__name__}, expected a text of up to {most} characters")
    return value


def _digits(text: object) -> int:
    return int(_text(text, _DIGITS))


def _rational(numerator: object, denominator: object) -> sm.Basic:
    return sm.Rational(_digits(numerator), _whole(_digits(denominator), 1, 10**_DIGITS))


def _float(sign: object, digits: object, exponent: object, precision: object) -> sm.Basic:
    mantissa = int(_text(digits, _DIGITS), 16)
    place = _whole(exponent, -2 * _BITS, 2 * _BITS)
    bits = _whole(precision, 2, _BITS)
    if not mantissa:
        return sm.Float(0, precision=bits)  # SymPy makes a whole number of the other form
    return sm.Float((_whole(sign, 0, 1), mantissa, place), precision=bits)


def _facts(assumptions: object) -> dict[str, bool]:
    """Assumptions of a symbol."""
    if not isinstance(assumptions, dict):
        raise ValueError(f"found {type(assumptions).__name__}, expected assumptions")
    wrong = [name for name, value in assumptions.items() if name not in _ASSUMPTIONS or type(value) is not bool]
    if wrong:
        raise ValueError(f"{wrong[0]!r} is no assumption that a symbol may have")
    return assumptions


def _symbol(name: object, assumptions: object) -> sm.Basic:
    return sm.Symbol(_text(name), **_facts(assumptions))


def _function(name: object, assumptions: object) -> Callable[..., sm.Basic]:
    return UndefinedFunction(_text(name), **_facts(assumptions))


def _constant(name: object) -> sm.Basic:
    if _text(name) not in _CONSTANTS:
        raise ValueError(f"{name!r} is no constant")
    return _CONSTANTS[str(name)]


_KINDS: Mapping[str, Callable[..., sm.Basic]] = kinds_with_parts()
_LEAVES: Mapping[str, Callable[..., sm.Basic]] = {
    "constant": _constant,
    "integer": lambda text: sm.Integer(_digits(text)),
    "rational": _rational,
    "float": _float,
    "symbol": _symbol,
}
_ABOUT = {"function": 2, "Derivative": 1}
"""How many parts of a row are no numbers of rows."""
