"""The numbers of a start and of the parameters in the order of the model, or a message where they do not fit."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from math import isfinite

import numpy as np

from sympact.integrate.export.letters import by_letters, mistaken, shown
from sympact.integrate.problem.real import real_array

__all__ = ["Numbers", "arranged", "listed", "starts_of"]

_MISSING = object()
_WHERE = {"x0": "model.x", "parameters": "model.parameters", "guess": "model.q", "speeds": "model.u"}


class Numbers:
    """The symbols of a model with their places in x and p.

    Parameters
    ----------
    model : HybridModel

    Attributes
    ----------
    blank : array
        The p of the machine code before parameters are written: zero, NaN for symbols on which nothing depends, +1 for
        switches.
    places : array of int
        The places of ``model.parameters`` in it.
    """

    def __init__(self, model):
        symbols = model.derivation.symbols
        self._states, self._parameters = tuple(model.x), tuple(model.parameters)
        self._idle = frozenset(model.unused_parameters)
        self._starts = starts_of(model)
        self._infinite = frozenset(mu for one in model.contacts for mu in (one.friction, one.static_friction))
        closed = [one.latch.state for one in model.description.latches]
        self._latches = [i for i, letter in enumerate(self._states) if letter in closed]
        place = {letter: i for i, letter in enumerate((*symbols.parameters, *symbols.inputs))}
        self._unused = {letter: place[letter] for letter in model.unused_parameters}
        used = {*self._parameters, *model.inputs}
        letters = [0.0 if letter in used else np.nan for letter in place]
        letters += [0.0] * model.derivation.slots
        self.blank = np.array([*letters, *(1.0 for _ in model.derivation.switches)] or [0.0])
        self.places = np.array([place[letter] for letter in self._parameters], dtype=int)

    def state(self, start: Mapping | Sequence[float]) -> np.ndarray:
        """The initial state as an array in the order of the states; a mapping may leave out those of latches."""
        if self._starts and isinstance(start, Mapping):
            start = self._starts | by_letters(start, self._states)
        x = arranged(start, self._states, frozenset(), "x0", "states")
        for place in self._latches:
            if x[place] not in (0.0, 1.0):
                raise ValueError(
                    f"x0: {self._states[place]} is {x[place]:.6g}, expected 1 for a closed latch or 0 for an open one"
                )
        return x

    def parameters(self, values: Mapping) -> np.ndarray:
        """The parameters as an array in their order; unused ones may be given and do not affect the motion.

        A coefficient of friction may be infinite.
        """
        if not isinstance(values, Mapping):
            raise TypeError(
                f"parameters is {values!r}, expected a mapping of the model's parameters to numbers; in their order, "
                f"{listed(self._parameters)}, that would be {shown(values, self._parameters)}"
            )
        return arranged(values, self._parameters, self._idle, "parameters", "parameters", self._infinite)

    def unused(self, values: Mapping) -> dict[int, float]:
        """The places in p and the numbers of unused parameters that are given: forces in joints may depend on them."""
        values = by_letters(values, (*self._parameters, *self._unused))
        given = tuple(letter for letter in self._unused if letter in values)
        numbers = arranged([values[letter] for letter in given], given, frozenset(), "parameters", "unused parameters")
        return {self._unused[letter]: float(number) for letter, number in zip(given, numbers, strict=True)}


def starts_of(model) -> dict[Hashable, float]:
    """The discrete states of the latches of a model, or of an island of it, as they are where nothing else is given."""
    starts = {letter: value for one in model.description.latches for letter, value in one.start().items()}
    return {letter: starts[letter] for letter in model.discrete if letter in starts}


def arranged(
    values, letters: tuple, ignored: frozenset, what: str, kind: str, infinite: frozenset = frozenset()
) -> np.ndarray:
    """Numbers in the order of their symbols, from a mapping or an array; those of some may be infinite.

    Raises
    ------
    ValueError
        Naming the symbols that are missing, unknown or not finite.
    """
    if isinstance(values, Mapping):
        found = [values.get(letter, _MISSING) for letter in letters]
        if any(one is _MISSING for one in found):
            values = by_letters(values, (*letters, *ignored))
            found = [values.get(letter, _MISSING) for letter in letters]
        if len(values) != len(letters) or any(one is _MISSING for one in found):
            _refuse_letters(values, letters, ignored, what)
        values = found
    try:
        array = real_array(values, letters)
    except ValueError as error:
        raise ValueError(f"{what}: {error}") from None
    if array.shape != (len(letters),):
        raise ValueError(
            f"{what} has the shape {array.shape}, expected ({len(letters)},), one number for each of the {kind} "
            f"{listed(letters)}"
        )
    if not isfinite(array.dot(array)) and not np.isfinite(array).all():  # the square is the faster test
        beyond = np.flatnonzero(~np.isfinite(array))
        wrong = [f"{letters[i]} = {array[i]}" for i in beyond if not (letters[i] in infinite and array[i] == np.inf)]
        if wrong:
            raise ValueError(f"{what}: {', '.join(wrong)}; expected finite numbers")
    return array


def _refuse_letters(values: Mapping, letters: tuple, ignored: frozenset, what: str) -> None:
    missing = [letter for letter in letters if letter not in values]
    known = frozenset(letters)
    unknown = [key for key in values if key not in known and key not in ignored]
    if missing or unknown:
        faults = [f"missing {listed(missing)}"] if missing else []
        where = _WHERE[what]
        faults += [f"unknown {listed(unknown)}{mistaken(unknown, letters, where)}"] if unknown else []
        raise ValueError(f"{what} do not match the model: {', '.join(faults)}; the model has {listed(letters)}")


def listed(items: Sequence[Hashable]) -> str:
    """The names of symbols in brackets, for messages."""
    return "[" + ", ".join(str(item) for item in items) + "]"
