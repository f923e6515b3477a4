"""The values of the free functions of time of a model in one run."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from sympy import Derivative, Expr, Symbol, sympify

from sympact.integrate.export.letters import by_letters, mistaken
from sympact.integrate.problem.callback import Callback, Faults
from sympact.integrate.problem.schedule import Schedule, Series
from sympact.mechanics.run.bound import NUMBER, PYTHON, Bound, bound_model
from sympact.mechanics.run.given import Given, given

__all__ = ["Signals", "read_signals"]

_REAL = ctypes.c_double
_STATE = ctypes.CFUNCTYPE(None, _REAL, *[ctypes.c_int64] * 3)
_ALONG = ctypes.CFUNCTYPE(None, _REAL, *[ctypes.c_int64] * 4)


@dataclass(frozen=True, eq=False)
class Signals:
    """The inputs of a run.

    Attributes
    ----------
    bound : Bound
        The model with these inputs, and the indices of their numbers in p.
    given : mapping of Expr to Given
        The value of each input.
    letters : mapping of Expr to int
        All inputs with their entries in p.
    needed : frozenset of Expr
        The inputs on which the equations depend.
    n_states : int
    span : (float, float)
        The times between which they are evaluated.
    """

    bound: Bound
    given: Mapping[Expr, Given]
    letters: Mapping[Expr, int]
    needed: frozenset[Expr]
    n_states: int
    span: tuple[float, float]

    @property
    def compiled(self):
        """The compiled model with these inputs."""
        return self.bound.compiled

    @cached_property
    def functions(self) -> dict[int, Callable]:
        """``f(t, x)`` for each entry of p that a Python function gives."""
        return {self.letters[k]: what.function for k, what in self.given.items() if what.function is not None}

    @cached_property
    def fixed(self) -> dict[int, float]:
        """The entries of p that are numbers."""
        found: dict[int, float] = {}
        for letter, what in self.given.items():
            first = self.letters[letter] if what.kind == NUMBER else self.bound.blocks.get(letter, 0)
            found |= {first + i: number for i, number in enumerate(what.numbers)}
        return found

    @cached_property
    def series(self) -> tuple[Series, ...]:
        """The pieces of data in use, and their indices in p."""
        return tuple(
            Series(*what.data.table(*self.span), self.bound.blocks[letter])
            for letter, what in self.given.items()
            if what.data is not None
        )

    def numbers(self, parameters: np.ndarray) -> np.ndarray:
        """p for the machine code of the model with these inputs, at the start of the run."""
        p = self.compiled.all_parameters(parameters)
        for place, number in self.fixed.items():
            p[place] = number
        for series in self.series:
            series.put(p, self.span[0])
        return p

    def schedule(self, p: np.ndarray, switches: int) -> Schedule | None:
        """The times at which data change to their next piece, in the memory p of a run; None without such."""
        return Schedule.of(self.series, p, switches, self.span) if self.series else None

    def called(self, p: np.ndarray, t: float, x: np.ndarray) -> np.ndarray:
        """p, as `numbers` gives it, with the values of Python functions at one time and state.

        Raises
        ------
        Exception
            Any exception of a user's function, with a note of the input and the state.
        """
        return self._thrown(*self._called(p.copy(), t, x), t, x) if self.functions else p

    def at(self, p: np.ndarray, t: float, x: np.ndarray) -> np.ndarray:
        """p, of the model with or without its inputs given, with the inputs' values at one time and state.

        Raises
        ------
        Exception
            As `called` does.
        """
        found = self._thrown(*self._asked(p, t, x), t, x)
        out, count = p.copy(), self._count
        out[:count] = self._worked_out(found[:, np.newaxis], np.array([t]), x[:, np.newaxis])[:count, 0]
        return out

    @staticmethod
    def _thrown(p: np.ndarray, fault: tuple[BaseException, str] | None, t: float, x: np.ndarray) -> np.ndarray:
        """p, unless a function has raised."""
        if fault is not None:
            error, label = fault
            error.add_note(f"raised by {label} at t = {t!r}, x = {x.tolist()!r}")
            raise error
        return p

    def along(self, p: np.ndarray, t: np.ndarray, x: np.ndarray) -> np.ndarray:
        """p with the inputs' values along a run: shape (len(p), len(t))."""
        out, count = np.repeat(p[:, np.newaxis], len(t), axis=1), self._count
        all_p = np.repeat(self._own(p)[:, np.newaxis], len(t), axis=1)
        for place, function in self.functions.items():
            label = f"the input {self._letter(place)}"
            for k, (time, state) in enumerate(zip(t.tolist(), x.T, strict=True)):
                all_p[place, k] = _told(label, function, time, state)
        for series in self.series:
            series.put_along(all_p, t)
        out[:count] = self._worked_out(all_p, t, x)[:count]
        return out

    def fed(self, address: int, p: np.ndarray, size: int, faults: Faults) -> Callback:
        """``void(t, x, p, out)`` at an address, called with a copy of p that contains the inputs."""
        machine = _STATE(address)

        def call(t: float, x: int, data: int, out: int) -> None:
            numbers = self._numbers(p, t, x, out, size, faults)
            if numbers is not None:
                machine(t, x, numbers.ctypes.data, out)

        return Callback(_STATE(call))

    def fed_along(self, address: int, p: np.ndarray, size: int, faults: Faults) -> Callback:
        """``void(t, x, xdot, p, out)`` at an address, called with a copy of p that contains the inputs."""
        machine = _ALONG(address)

        def call(t: float, x: int, xdot: int, data: int, out: int) -> None:
            numbers = self._numbers(p, t, x, out, size, faults)
            if numbers is not None:
                machine(t, x, xdot, numbers.ctypes.data, out)

        return Callback(_ALONG(call))

    def without_values(self, p: np.ndarray) -> list[str]:
        """A sentence for each input that the equations need and that is not finite in p, as `at` gives it."""
        wrong = [letter for letter in self.needed if not np.isfinite(p[self.letters[letter]])]
        wrong.sort(key=self.letters.__getitem__)
        return [f"the input {letter} is {p[self.letters[letter]]}, expected a finite number" for letter in wrong]

    @property
    def _count(self) -> int:
        """Entries of p for parameters and inputs: the same for all models derived from one model."""
        return max(self.letters.values(), default=-1) + 1

    def _letter(self, place: int) -> Expr:
        return next(letter for letter, own in self.letters.items() if own == place)

    def _own(self, p: np.ndarray) -> np.ndarray:
        """p for the machine code of the model with these inputs, with the symbols of any p."""
        out, count = self.compiled.blank.copy(), self._count
        out[:count] = p[:count]
        for place, number in self.fixed.items():
            out[place] = number
        return out

    def _worked_out(self, p: np.ndarray, t: np.ndarray, x: np.ndarray) -> np.ndarray:
        """p, shape (n, k), with the entries that are computed from others."""
        if self.bound.places:
            found = np.asarray(self.bound.values(t, x, p), dtype=float)
            p[list(self.bound.places)] = found.reshape(len(found), -1)
        return p

    def _numbers(self, p: np.ndarray, t: float, x: int, out: int, size: int, faults: Faults) -> np.ndarray | None:
        """p for a call from C, or None when an input raised: then the results are NaN and the exception is stored."""
        state = np.frombuffer((_REAL * self.n_states).from_address(x))
        numbers, fault = self._called(p.copy(), t, state)
        if fault is None:
            return numbers
        np.frombuffer((_REAL * size).from_address(out))[:] = np.nan
        faults.catch(*fault, t, state)
        return None

    def _asked(self, p: np.ndarray, t: float, x: np.ndarray) -> tuple[np.ndarray, tuple[BaseException, str] | None]:
        """All numbers of the model with these inputs, and the exception of the first failing function with its name."""
        out = self._own(p)
        for series in self.series:
            series.put(out, t)
        return self._called(out, t, x)

    def _called(self, p: np.ndarray, t: float, x: np.ndarray) -> tuple[np.ndarray, tuple[BaseException, str] | None]:
        for place, function in self.functions.items():
            try:
                p[place] = _real(function(t, x.copy()))
            except BaseException as error:
                return p, (error, f"the input {self._letter(place)}")
        return p, None


def read_signals(model, inputs: Mapping[Expr, object], span: tuple[float, float]) -> Signals:
    """The signals of a run.

    Where the equations need the derivatives of an input (a prescribed motion), they are derived for a number, an
    expression or data; for a Python function they must be given: ``{r: f, r.diff(t): fdot, ...}``. Inputs that only
    expressions of a result need may be left out; they are then NaN.

    Parameters
    ----------
    model : HybridModel
    inputs : mapping
    span : (float, float)
        The times of the run.

    Raises
    ------
    ValueError
        With a sentence for each input that is missing, unknown or invalid.
    TypeError
        If `inputs` is no mapping.
    """
    if not isinstance(inputs, Mapping):
        raise TypeError(f"inputs is {inputs!r}, expected a mapping of the model's inputs to what they are, {{F: 2.0}}")
    symbols, needed = model.derivation.symbols, frozenset(model.inputs)
    inputs = by_letters(inputs, symbols.inputs)
    keyed = {key if isinstance(key, str) else sympify(key): value for key, value in inputs.items()}
    asked = {letter: keyed[letter] for letter in symbols.inputs if keyed.get(letter) is not None}
    found, faults = _found(asked, symbols.time, span[0])
    faults = _unmatched(model, keyed, asked, found) + faults or _unfit(found, needed, span)
    if not faults:
        try:
            bound = bound_model(model, {letter: what.kind for letter, what in found.items()}, asked)
        except ValueError as error:
            faults = [str(error)]
    if faults:
        known = [str(letter) for letter in model.inputs]
        raise ValueError(f"inputs do not match the model: {'; '.join(faults)}; the model has {known}")
    letters = {letter: i for i, letter in enumerate(symbols.inputs, start=len(symbols.parameters))}
    return Signals(bound, found, letters, needed, len(model.x), span)


def _found(asked: Mapping[Expr, object], time: Symbol, t: float) -> tuple[dict[Expr, Given], list[str]]:
    """The value of each input, and a sentence for each invalid one."""
    found, faults = {}, []
    for letter, value in asked.items():
        try:
            found[letter] = given(letter, value, time, t)
        except ValueError as error:
            faults.append(str(error))
    return found, faults


def _unmatched(
    model, keyed: Mapping[object, object], asked: Mapping[Expr, object], found: Mapping[Expr, Given]
) -> list[str]:
    """Inputs that are missing, and keys that are no inputs."""
    faults, letters = [], model.derivation.symbols.inputs
    missing = [str(letter) for letter in model.inputs if not _follows(letter, asked, found)]
    if missing:
        faults.append(f"missing {missing}")
    unknown = [key for key, value in keyed.items() if key not in letters and value is not None]
    if unknown:
        faults.append(f"unknown {[str(key) for key in unknown]}{mistaken(unknown, letters, 'model.inputs')}")
    return faults


def _follows(letter: Expr, asked: Mapping[Expr, object], found: Mapping[Expr, Given]) -> bool:
    """Whether a symbol is given, or is the derivative of one that is given as something other than a Python
    function."""
    if letter in asked:
        return True
    if not isinstance(letter, Derivative):
        return False
    lower = letter.expr.diff(letter.variables[0], len(letter.variables) - 1)
    return _follows(lower, asked, found) and (lower not in found or found[lower].kind != PYTHON)


def _unfit(found: Mapping[Expr, Given], needed: frozenset[Expr], span: tuple[float, float]) -> list[str]:
    """Data that do not cover the run, or jump where the equations do not permit it."""
    faults = []
    for letter, what in found.items():
        if what.data is None:
            continue
        try:
            what.data.check(*span, f"the data of the input {letter}")
        except ValueError as error:
            faults.append(str(error))
        order = max((_order(other, letter) for other in needed if other not in found), default=0)
        jump = what.data.jump(order)
        if jump is not None:
            faults.append(_jumps(letter, order, *jump))
    return faults


def _order(letter: Expr, data: Expr) -> int:
    """The order of the derivative of `data` that a symbol is; 0 for others."""
    function, order = _function_of(letter)
    own, lower = _function_of(data)
    return order - lower if function == own else 0


def _function_of(letter: Expr) -> tuple[Expr, int]:
    """The function of time of which a symbol is a derivative, and the order."""
    return (letter.expr, len(letter.variables)) if isinstance(letter, Derivative) else (letter, 0)


def _jumps(letter: Expr, order: int, t: float, below: int) -> str:
    what, needed = ("value", "rate")[below], ("rate", "second derivative")[order - 1]
    smooth, kind = ("value is", "linear") if order == 1 else ("value and rate are", "cubic")
    return (
        f"the data of the input {letter} have a {what} that jumps at t = {t:.9g}, and the equations contain the "
        f"{needed} of {letter}: it moves a body or a surface, which no force makes jump; expected data whose {smooth} "
        f"continuous, such as Interpolated(times, values, kind={kind!r})"
    )


def _told(label: str, function: Callable, t: float, x: np.ndarray) -> float:
    try:
        return _real(function(t, x.copy()))
    except BaseException as error:
        error.add_note(f"raised by {label} at t = {t!r}, x = {x.tolist()!r}")
        raise


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
