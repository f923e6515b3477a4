"""The inputs and parameters that the steps of a run give, and what they have been."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sympy import Derivative, Expr, Symbol, sympify

from sympact.integrate.export.letters import by_letters
from sympact.integrate.problem.real import finite_number, is_number
from sympact.integrate.problem.series import Series
from sympact.mechanics.derived.derived_model import DerivedModel
from sympact.mechanics.kit.symbols import state_name
from sympact.mechanics.run.signals import Signals
from sympact.native.cached import cached_property
from sympact.native.sentences.near_names import suggestion

__all__ = ["Letter", "StepNumbers", "moved"]

Taken = list[tuple["Letter", float]]
Rows = dict[int, tuple[list[float], list[float]]]
"""For each place in p the times from which on its numbers hold, and these."""


@dataclass(frozen=True, slots=True)
class Letter:
    """An input or a parameter that a step may give.

    Attributes
    ----------
    letter : Expr
    place : int
        Its entry in p.
    parameter : bool
        Whether it is a parameter.
    rate : bool
        Whether the equations contain its rate, so that it may not jump.
    """

    letter: Expr
    place: int
    parameter: bool
    rate: bool


class StepNumbers:
    """The inputs and parameters of a run that is stepped.

    Parameters
    ----------
    model : DerivedModel
    parameters, inputs : mapping
        Those of the start, as they were given.

    Attributes
    ----------
    parameters, inputs : dict
        Those with which the run begins: what is given before the first step counts among them.
    rows : dict
        What steps within the run have given, by places in p.
    """

    def __init__(self, model: DerivedModel, parameters: Mapping[Expr, float], inputs: Mapping[Any, object]) -> None:
        self._model = model
        self.first = dict(parameters), dict(by_letters(inputs, model.derivation.symbols.inputs))
        self.reset()

    def reset(self) -> None:
        """Those of the start again."""
        self.parameters, self.inputs = dict(self.first[0]), dict(self.first[1])
        self.rows: Rows = {}

    @cached_property
    def _letters(self) -> dict[Any, Letter]:
        """What a step may give, by symbols and by names."""
        model, symbols, found = self._model, self._model.derivation.symbols, {}
        places = {letter: k for k, letter in enumerate((*symbols.parameters, *symbols.inputs))}
        numbers = {letter for letter, value in self.first[1].items() if is_number(value)}
        kinds = [*((one, True) for one in model.parameters), *((one, False) for one in model.inputs if one in numbers)]
        for letter, parameter in kinds:
            rate = any(isinstance(one, Derivative) and one.expr == letter for one in model.inputs)
            found[letter] = found[_name(letter)] = Letter(letter, places[letter], parameter, rate)
        return found

    def read(self, given: object) -> Taken:
        """What a step gives.

        Raises
        ------
        TypeError
            If it is no mapping.
        ValueError
            If a key is none of the model, or determined otherwise, or a value is no finite number.
        """
        if not isinstance(given, Mapping):
            raise TypeError(f"given is {given!r}, expected a mapping of inputs and parameters to numbers, {{F: 3.0}}")
        taken, letters = [], self._letters
        for key, value in given.items():
            found = letters.get(key)
            if found is None:
                raise ValueError(self._unknown(key))
            taken.append((found, finite_number(value, key)))
        return taken

    def begin_with(self, taken: Taken) -> None:
        """Begin the run with these."""
        for found, value in taken:
            (self.parameters if found.parameter else self.inputs)[found.letter] = value

    def add(self, taken: Taken, t: float, t0: float, begun: np.ndarray) -> None:
        """Note numbers that hold from the time t on, and before those of the start, `begun` at t0."""
        for found, value in taken:
            starts, rows = self.rows.setdefault(found.place, ([t0], [float(begun[found.place])]))
            if starts[-1] == t:
                rows[-1] = value
            else:
                starts.append(t)
                rows.append(value)

    def drop(self) -> None:
        """Forget the numbers before the last ones."""
        for starts, rows in self.rows.values():
            del starts[:-1], rows[:-1]

    def series(self) -> tuple[Series, ...]:
        """What steps have given, as series of the run."""
        return tuple(
            Series(np.array(starts), np.array(rows)[:, np.newaxis], place)
            for place, (starts, rows) in self.rows.items()
        )

    def latest(self, signals: Signals) -> Signals:
        """The inputs with the last numbers alone."""
        last = (Series(np.array(starts[-1:]), np.array([rows[-1:]]), k) for k, (starts, rows) in self.rows.items())
        return replace(signals, stepped=tuple(last))

    def copied(self) -> Rows:
        """A copy of `rows`."""
        return {place: (list(starts), list(rows)) for place, (starts, rows) in self.rows.items()}

    def named(self) -> tuple[dict[str, float], dict[str, object]]:
        """The numbers with which the run begins, by names."""
        inputs = {str(letter): value for letter, value in self.inputs.items() if is_number(value)}
        return {str(letter): value for letter, value in self.parameters.items()}, inputs

    def begin_as(self, parameters: Mapping[str, float], inputs: Mapping[str, object]) -> None:
        """Begin with what `named` has given of another run."""
        for own, found in ((self.parameters, parameters), (self.inputs, inputs)):
            by_name = {str(letter): letter for letter in own}
            own.update({by_name[name]: value for name, value in found.items()})

    def _unknown(self, key: object) -> str:
        """Why a key cannot be given."""
        letter = key if isinstance(key, str) else sympify(key)
        own = {name: value for one, value in self.inputs.items() for name in (str(one), _name(one))}
        if str(letter) in own:
            return (
                f"the input {letter} was given as {own[str(letter)]!r}, which determines it; give the stepper a number "
                "for it, inputs={...: 0.0}, so that steps can change it"
            )
        names = sorted(one for one in self._letters if isinstance(one, str))
        return f"{key!r} is no input or parameter of the model; expected some of {names}{suggestion(str(key), names)}"


def moved(taken: Iterable[tuple[Letter, float]]) -> str:
    """The names of inputs among these whose rates the equations contain."""
    return ", ".join(str(found.letter) for found, _ in taken if found.rate)


def _name(letter: Expr) -> str:
    """The name of a parameter or an input, without the time."""
    return letter.name if isinstance(letter, Symbol) else state_name(letter)
