"""What the free functions of time of a model are in one run: numbers, expressions, or Python functions."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from sympy import Derivative, Expr, sympify

from sympact.integrate.callback import Callback, Faults
from sympact.mechanics.symbols import leaves

__all__ = ["Signals", "read_signals"]

_REAL = ctypes.c_double
_STATE = ctypes.CFUNCTYPE(None, _REAL, *[ctypes.c_int64] * 3)
_ALONG = ctypes.CFUNCTYPE(None, _REAL, *[ctypes.c_int64] * 4)


@dataclass(frozen=True, eq=False)
class Signals:
    """The inputs of a run.

    Attributes
    ----------
    functions : mapping of int to callable
        ``f(t, x, p)`` for each place in p that holds an input.
    letters : mapping of int to Expr
        The input at each place.
    n_states : int
    """

    functions: Mapping[int, Callable]
    letters: Mapping[int, Expr]
    n_states: int

    def at(self, p: np.ndarray, t: float, x: np.ndarray) -> np.ndarray:
        """p with the inputs' values at one time and state.

        Raises
        ------
        Exception
            Whatever a user's function raised, with a note that says which input it is and where.
        """
        numbers, fault = self._asked(p, t, x)
        if fault is not None:
            error, label = fault
            error.add_note(f"raised by {label} at t = {t!r}, x = {x.tolist()!r}")
            raise error
        return numbers

    def along(self, p: np.ndarray, t: np.ndarray, x: np.ndarray) -> np.ndarray:
        """p with the inputs' values along a run: shape (len(p), len(t))."""
        out = np.repeat(p[:, np.newaxis], len(t), axis=1)
        for k, (time, state) in enumerate(zip(t, x.T, strict=True)):
            out[:, k] = self.at(p, float(time), state)
        return out

    def fed(self, address: int, p: np.ndarray, size: int, faults: Faults) -> Callback:
        """``void(t, x, p, out)`` at an address, called with a copy of p in which the inputs stand."""
        machine = _STATE(address)

        def call(t: float, x: int, data: int, out: int) -> None:
            numbers = self._numbers(p, t, x, out, size, faults)
            if numbers is not None:
                machine(t, x, numbers.ctypes.data, out)

        return Callback(_STATE(call))

    def fed_along(self, address: int, p: np.ndarray, size: int, faults: Faults) -> Callback:
        """``void(t, x, xdot, p, out)`` at an address, called with a copy of p in which the inputs stand."""
        machine = _ALONG(address)

        def call(t: float, x: int, xdot: int, data: int, out: int) -> None:
            numbers = self._numbers(p, t, x, out, size, faults)
            if numbers is not None:
                machine(t, x, xdot, numbers.ctypes.data, out)

        return Callback(_ALONG(call))

    def _numbers(self, p: np.ndarray, t: float, x: int, out: int, size: int, faults: Faults) -> np.ndarray | None:
        """p for a call from C, or None when an input raised: then the results are NaN and the exception waits."""
        state = np.frombuffer((_REAL * self.n_states).from_address(x))
        numbers, fault = self._asked(p, t, state)
        if fault is None:
            return numbers
        np.frombuffer((_REAL * size).from_address(out))[:] = np.nan
        faults.catch(*fault, t, state)
        return None

    def _asked(self, p: np.ndarray, t: float, x: np.ndarray) -> tuple[np.ndarray, tuple[BaseException, str] | None]:
        """p with the inputs' values, and what the first failing input raised with its name."""
        out = p.copy()
        for place, function in self.functions.items():
            try:
                out[place] = function(t, x.copy(), p)
            except BaseException as error:
                return out, (error, f"the input {self.letters[place]}")
        return out, None


def read_signals(model, inputs: Mapping[Expr, object]) -> Signals | None:
    """The signals of a run, or None for a model without inputs.

    An input is a number, an expression of time, states and parameters, or a Python function ``f(t, x)``. Where the
    equations need the derivatives of an input (a prescribed motion), those of a number or an expression are taken; a
    Python function must then come with them: ``{r: f, r.diff(t): fdot, ...}``. What only expressions of a result need
    may be left out; they are NaN then.

    Raises
    ------
    ValueError
        With a sentence for each input that is missing, unknown, or cannot be what is given.
    TypeError
        If `inputs` is no mapping.
    """
    if not isinstance(inputs, Mapping):
        raise TypeError(f"inputs is {inputs!r}, expected a mapping of the model's inputs to what they are, {{F: 2.0}}")
    symbols, known = model.derivation.symbols, [str(letter) for letter in model.inputs]
    wanted = {sympify(key): value for key, value in inputs.items()}
    unknown = [str(key) for key in wanted if key not in symbols.inputs]
    given = {letter: _given(letter, wanted) for letter in symbols.inputs}
    missing = [str(letter) for letter in model.inputs if given[letter] is None]
    faults = [f"missing {missing}"] if missing else []
    faults += [f"unknown {unknown}"] if unknown else []
    functions = {}
    for place, (letter, value) in enumerate(given.items(), start=len(symbols.parameters)):
        try:
            if value is not None:
                functions[place] = _function(model, letter, value)
        except ValueError as error:
            faults.append(str(error))
    if faults:
        raise ValueError(f"inputs do not match the model: {'; '.join(faults)}; the model has {known}")
    letters = dict(enumerate(symbols.inputs, start=len(symbols.parameters)))
    return Signals(functions, letters, len(model.x)) if functions else None


def _given(letter: Expr, wanted: Mapping[Expr, object]) -> object:
    """What is given for a letter: itself, or the derivative of what is given for its function."""
    if letter in wanted:
        return wanted[letter]
    if isinstance(letter, Derivative) and letter.expr in wanted and not callable(wanted[letter.expr]):
        return sympify(wanted[letter.expr]).diff(*letter.variables)
    return None


def _function(model, letter: Expr, value: object) -> Callable:
    if callable(value):
        return lambda t, x, p: _real(value(t, x))
    expression = sympify(value)
    try:
        evaluate = model.quantities([expression])
    except ValueError as error:
        raise ValueError(f"the input {letter} is given as {value!r}, but the model {error}") from None
    if any(leaf in model.derivation.symbols.inputs for leaf in leaves(expression)):
        raise ValueError(
            f"the input {letter} is given as {expression}, which contains an input; expected time, states, parameters"
        )
    return lambda t, x, p: float(evaluate(t, x, p)[0])


def _real(value: object) -> float:
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        array = None
    if value is None or array is None:
        raise TypeError(f"an input returned {value!r}, expected one real number")
    if array.size != 1:
        raise ValueError(f"an input returned an array of shape {array.shape}, expected one real number")
    return float(array.reshape(()))
