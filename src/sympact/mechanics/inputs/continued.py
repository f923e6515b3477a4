"""What controllers have in force at a time of a run, and what waits: the start of a run that goes on from there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from sympy import Expr, sympify

from sympact.mechanics.inputs.controller import Controller, Sampled

if TYPE_CHECKING:
    from sympact.integrate.result import Result

__all__ = ["GoingOn", "Held", "letters_of", "restored_held", "start_from", "stored_held"]


@dataclass(frozen=True, slots=True)
class Held:
    """A command, or a symbol that a controller keeps, at a time of a run.

    Attributes
    ----------
    value : float
        The number in force from that time on.
    sampled : bool
        Whether that time is a sample, which the run has taken.
    due : float, optional
        The time (s) at which a command that has been computed takes effect; None where none waits.
    waiting : float
        That command.
    """

    value: float
    sampled: bool = False
    due: float | None = None
    waiting: float = 0.0


def stored_held(held: Mapping[Expr, Held]) -> dict[str, tuple]:
    """The same for a file, by the names of the symbols."""
    return {str(letter): astuple(one) for letter, one in held.items()}


def restored_held(stored: Mapping[str, Sequence], letters: Iterable[Expr]) -> dict[Expr, Held]:
    """What `stored_held` gave, of these symbols."""
    return {letter: Held(*stored[str(letter)]) for letter in letters if str(letter) in stored}


def letters_of(inputs: Mapping, controllers: object) -> list[Expr]:
    """The symbols that sampled inputs and controllers change, of what a run was given."""
    given = [controllers] if isinstance(controllers, Controller) else controllers
    listed = [one for one in given if isinstance(one, Controller)] if isinstance(given, Iterable) else []
    sampled = [sympify(letter) for letter, value in inputs.items() if isinstance(value, Sampled)]
    return [*sampled, *(key for one in listed for key in (*one.commands, *one.memory) or (one.name,))]


class GoingOn(NamedTuple):
    """What a run takes over from the one that it goes on with.

    Attributes
    ----------
    x : array, shape (n_states,)
    held : mapping of Expr or str to Held, or None
        What the controllers have in force; None where it is not known.
    sides : mapping of str to (float, float)
        The sides of the boundaries, by their names; none at a time before the end of that run: its events at that time
        have happened.
    """

    x: np.ndarray
    held: dict[Expr | str, Held] | None
    sides: dict[str, Sequence[float]]


def start_from(result: Result, t: float, names: Sequence[str], *, controls: bool) -> GoingOn:
    """The state of a run at a time, just after a jump there, what its controllers have in force, and the sides of its
    boundaries.

    Parameters
    ----------
    result : Result
    t : float
    names : sequence of str
        The states of the model that goes on.
    controls : bool
        Whether the run that goes on has inputs.

    Raises
    ------
    ValueError
        If the run has other states, or the time is outside it, or what its controllers have written is not known.
    """
    run, (first, last) = result._run, result.t_span
    own = tuple(run.program.state_names)
    if own != tuple(names):
        raise ValueError(
            f"x0 is a run with the states {list(own)}, and this model has {list(names)}; expected one of this model"
        )
    if not first <= t <= last:
        raise ValueError(
            f"x0 is a run from t = {first:.12g} to {last:.12g}, and this one starts at t = {t:.12g}; start it at a time"
            f" of that run, such as its end, ({last:.12g}, ...)"
        )
    x, commanded = result(t), run.evaluator.commanded(t)
    if commanded is None and controls:
        raise ValueError(
            "x0 is a run that was read from a file without its model, so that its commands are not known; read it by "
            "load(path, model=model, inputs=..., controllers=...)"
        )
    return GoingOn(x, None if commanded is None else dict(commanded), dict(run.evaluator.sides(t)))
