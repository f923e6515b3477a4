"""The value of an input: a number, an expression, data or a Python function, distinguished."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from numbers import Number
from textwrap import shorten

import numpy as np
from sympy import Add, Basic, Dummy, Expr, Float, Lambda, Mul, Pow, Symbol, sympify

from sympact.mechanics.inputs.kinds import NUMBER, PYTHON, Data, Formula, Kind
from sympact.mechanics.read.input_data import Interpolated, Polynomials, is_spline, polynomials_of
from sympact.native.sentences.stripped_units import unit_fault

__all__ = ["HELD", "Given", "formula_of", "function_of_state", "given"]

FORMS = (
    "a number, a SymPy expression of time, states, parameters and other inputs, Interpolated(times, values), a spline "
    "of SciPy's, or a Python function f(t) or f(t, x)"
)
_LONG = 80
_SMOOTH = ("sin", "cos", "tan", "exp", "log", "sinh", "cosh", "tanh", "asin", "acos", "atan", "erf")


@dataclass(frozen=True, eq=False)
class Given:
    """The value of an input.

    Attributes
    ----------
    kind : Kind
        The part that the equations depend on.
    numbers : tuple of float
        The number, or the numbers in an expression.
    data : Polynomials, optional
    function : callable, optional
        ``f(t, x)``.
    """

    kind: Kind
    numbers: tuple[float, ...] = ()
    data: Polynomials | None = None
    function: Callable | None = None

    @property
    def takes_state(self) -> bool:
        """Whether it is a Python function of the state, whose derivatives are unknown."""
        function = self.function
        return function is not None and not (isinstance(function, partial) and function.func is _of_time)


HELD = Given(NUMBER)
"""A number that changes at given times alone: the command of a controller."""


def given(letter: Expr, value: object, time: Symbol, t: float) -> Given:
    """Classify the value of a symbol.

    Parameters
    ----------
    letter : Expr
    value : object
    time : Symbol
    t : float
        A time at which a function without a signature may be called.

    Raises
    ------
    ValueError
        With a sentence, if it is no valid input.
    """
    try:
        if isinstance(value, Interpolated | Polynomials) or is_spline(value):
            pieces = polynomials_of(value)
            return Given(Data(pieces.degree), data=pieces)
        if isinstance(value, Lambda) and len(value.signature) == 1:
            value = value(time)
        if isinstance(value, Expr | Number | np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
            return _written(letter, value)
        if callable(value):
            return Given(PYTHON, function=function_of_state(value, t))
    except ValueError as error:
        raise ValueError(f"the input {letter} is given as {_told(value)}, but {error}") from None
    fault = unit_fault(value)
    if fault:
        raise ValueError(f"the input {letter} is given as {_told(value)}, which {fault}")
    raise ValueError(f"the input {letter} is given as {_told(value)}, {_cure(value)}expected {FORMS}")


def formula_of(value: Expr) -> tuple[Formula, tuple[float, ...]]:
    """An expression as a formula and its numbers; a number is a formula of itself.

    Raises
    ------
    ValueError
        The end of a sentence, if it is a number that is not real.
    """
    if not value.is_number:
        read = _formula(value)
    elif value.is_real:
        read = _formula(Float(value, 17))
    else:
        raise ValueError("is no real number that fits into 64 bits; expected a finite real number")
    assert isinstance(read.kind, Formula), "what is no number is a formula"
    return read.kind, read.numbers


def _told(value: object) -> str:
    if callable(value) and not isinstance(value, Basic | type):
        return f"the function {getattr(value, '__name__', type(value).__name__)}"
    return shorten(str(value) if isinstance(value, Basic) else repr(value), _LONG)


def _cure(value: object) -> str:
    """A suggestion for a value that is no input."""
    if isinstance(value, tuple | list) and len(value) == 2 and all(np.ndim(part) == 1 for part in value):
        return "times and values: write Interpolated(times, values); "
    if isinstance(value, np.ndarray | list | tuple):
        return "without times: write Interpolated(times, values); "
    return ""


def _written(letter: Expr, value: object) -> Given:
    """A number or an expression."""
    expression = sympify(value.item() if isinstance(value, np.ndarray | np.generic) else value)
    if not isinstance(expression, Expr):
        raise ValueError(f"that is no number; expected {FORMS}")
    if expression.is_number:
        try:
            return Given(NUMBER, (float(expression),))
        except (TypeError, ValueError, OverflowError):
            raise ValueError("that is no real number that fits into 64 bits; expected a finite real number") from None
    return _formula(expression)


@lru_cache(maxsize=256)
def _formula(expression: Expr) -> Given:
    """An expression that is no number."""
    fault = unit_fault(expression)
    if fault:
        raise ValueError(f"it {fault}")
    constants: list[Dummy] = []
    numbers: list[float] = []
    return Given(Formula(_lifted(expression, constants, numbers), tuple(constants)), tuple(numbers))


def _lifted(expression: Expr, constants: list[Dummy], numbers: list[float]) -> Expr:
    """The expression with a symbol for each floating-point number that is a term or a factor.

    In exponents and in the conditions of branches they stay numbers: there they determine what is evaluated.
    """
    if isinstance(expression, Float) and np.isfinite(float(expression)):
        constants.append(Dummy("c", dummy_index=10**12 + len(constants), real=True))
        numbers.append(float(expression))
        return constants[-1]
    if isinstance(expression, Pow) and expression.exp.is_number:
        return Pow(_lifted(expression.base, constants, numbers), expression.exp)
    if not isinstance(expression, Add | Mul | Pow) and type(expression).__name__ not in _SMOOTH:
        return expression
    lifted = [_lifted(part, constants, numbers) for part in expression.args]
    return expression.func(*lifted) if constants else expression


def function_of_state(function: Callable, t: float) -> Callable:
    """The function as ``f(t, x)``.

    Raises
    ------
    ValueError
        If it takes neither one nor two arguments, or might take both.
    """
    universal, bound = (function.func, len(function.args)) if isinstance(function, partial) else (function, 0)
    if isinstance(universal, np.ufunc):  # its signature includes its output array
        return partial(_of_time, function) if universal.nin - bound == 1 else function
    try:
        signature = inspect.signature(getattr(function, "pyfunc", function))  # the function inside np.vectorize
    except (TypeError, ValueError):
        return _tried(function, t)
    one, two = (_takes(signature, n) for n in (1, 2))
    if one and two:
        raise ValueError(
            "it can be called with one and with two arguments; write lambda t: f(t) for a function of time, or "
            "lambda t, x: f(t, x) for one of time and state"
        )
    if not (one or two):
        raise ValueError(f"it is called as f{signature}; expected a function f(t) of time or f(t, x) of time and state")
    return function if two else partial(_of_time, function)


def _of_time(function: Callable, t: float, x: np.ndarray) -> object:
    return function(t)


def _takes(signature: inspect.Signature, n: int) -> bool:
    try:
        signature.bind(*range(n))
    except TypeError:
        return False
    return True


def _tried(function: Callable, t: float) -> Callable:
    """A function without a signature, such as one of another language, classified by one call with the time alone."""
    try:
        function(t)
    except TypeError:
        return function
    except Exception:  # its exceptions belong to the run
        return partial(_of_time, function)
    return partial(_of_time, function)
