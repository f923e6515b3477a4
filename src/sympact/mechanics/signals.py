"""What the free functions of time of a model are in one run: numbers, expressions, or Python functions."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping

import numpy as np
from sympy import Derivative, Expr, sympify

from sympact.graph import reachable
from sympact.integrate.callback import Callback, Faults
from sympact.mechanics.symbols import is_constant

__all__ = ["Signals", "read_signals"]

_FLOW = ctypes.CFUNCTYPE(None, ctypes.c_double, *[ctypes.c_int64] * 3)


class Signals:
    """The inputs of one run.

    Attributes
    ----------
    functions : dict of int to callable
        ``f(t, x, p)`` for each place in p.
    faults : Faults
        Where an exception of a user's function waits.
    """

    def __init__(self, functions: Mapping[int, Callable], n_states: int):
        self.functions = dict(functions)
        self.faults = Faults()
        self._n = n_states
        self._keep = None

    def at(self, p: np.ndarray, t: float, x: np.ndarray) -> np.ndarray:
        """p with the inputs' values at one time and state."""
        out = p.copy()
        for place, function in self.functions.items():
            out[place] = function(t, x, p)
        return out

    def along(self, p: np.ndarray, t: np.ndarray, x: np.ndarray) -> np.ndarray:
        """p with the inputs' values along a run: shape (len(p), len(t))."""
        return np.stack([self.at(p, float(time), state) for time, state in zip(t, x.T, strict=True)], axis=1)

    def flow(self, address: int, p: np.ndarray) -> int:
        """The address of a flow that sets the inputs in a copy of p and calls the machine code."""
        machine, n, faults = _FLOW(address), self._n, self.faults

        def call(t, x, data, out):
            state = np.frombuffer((ctypes.c_double * n).from_address(x)).copy()
            try:
                numbers = self.at(p, t, state)
            except BaseException as error:
                np.frombuffer((ctypes.c_double * n).from_address(out))[:] = np.nan
                faults.catch(error, "an input", t, state)
                return
            machine(t, x, numbers.ctypes.data, out)

        self._keep = (Callback(_FLOW(call)), machine)
        return self._keep[0].address


def read_signals(model, inputs: Mapping[Expr, object]) -> Signals | None:
    """The signals of a run, or None for a model without inputs.

    An input is a number, an expression of time and parameters, or a Python function ``f(t, x)``. Where the equations
    need the
    derivatives of an input (a prescribed motion), those of a number or an expression are taken; a Python function
    must then come
    with them: ``{r: f, r.diff(t): fdot, ...}``.

    Raises
    ------
    ValueError
        With a sentence for each input that is missing, unknown, or cannot be what is given.
    """
    letters, faults = model.inputs, []
    wanted = {sympify(key): value for key, value in inputs.items()}
    unknown = [str(key) for key in wanted if key not in letters]
    if unknown:
        faults.append(f"unknown {unknown}")
    functions, missing = {}, []
    places = model.derivation.symbols.inputs
    start = len(model.derivation.symbols.parameters)
    for letter in letters:
        value = _value_of(letter, wanted)
        if value is None:
            missing.append(str(letter))
            continue
        try:
            functions[start + places.index(letter)] = _function(model, letter, value)
        except ValueError as error:
            faults.append(str(error))
    if missing:
        faults.insert(0, f"missing {missing}")
    if faults:
        raise ValueError(
            f"inputs do not match the model: {'; '.join(faults)}; the model has {[str(i) for i in letters]}"
        )
    _refuse_in_gaps(model, functions)
    return Signals(functions, len(model.x)) if functions else None


def _value_of(letter: Expr, wanted: Mapping[Expr, object]) -> object:
    """What is given for a letter: itself, or the derivative of what is given for its function."""
    if letter in wanted:
        return wanted[letter]
    if isinstance(letter, Derivative) and letter.expr in wanted and not callable(wanted[letter.expr]):
        return sympify(wanted[letter.expr]).diff(*letter.variables)
    return None


def _function(model, letter: Expr, value: object) -> Callable:
    if callable(value) and not isinstance(value, Expr):
        return lambda t, x, p: _real(value(t, x), letter)
    expression = sympify(value)
    evaluate = model.quantities([expression])
    if not is_constant(expression) and any(letter in expression.atoms(type(letter)) for letter in model.inputs):
        raise ValueError(
            f"the input {letter} is given as {expression}, which contains an input; expected time and parameters"
        )
    return lambda t, x, p: float(evaluate(t, x, p)[0])


def _real(value: object, letter: Expr) -> float:
    array = np.asarray(value, dtype=float)
    if array.size != 1:
        raise ValueError(f"the input {letter} returned an array of shape {array.shape}, expected one real number")
    return float(array.reshape(()))


def _refuse_in_gaps(model, functions: Mapping[int, Callable]) -> None:
    """Surfaces that move by an input would need its value in the search for contacts."""
    derivation = model.derivation
    graph = derivation.graph
    nodes = [
        node
        for gap in derivation.gaps
        for node in (gap.gap, gap.rate, gap.acceleration, gap.restitution, *gap.jacobian)
    ]
    nodes += [entry for row in derivation.equations.mass_matrix for entry in row]
    used = set(reachable(graph, nodes))
    moving = [
        str(model.derivation.symbols.inputs[i - len(model.derivation.symbols.parameters)])
        for i in functions
        if graph.input("p", i) in used
    ]
    if moving:
        raise ValueError(
            f"the contacts depend on the inputs {moving}; write the motion of a surface into the model,"
            " as an expression of time"
        )
