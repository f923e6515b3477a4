"""The inputs and controllers of a run against the model: what is missing, unknown, commanded twice, or jumps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sympy import Derivative, Expr, Symbol

from sympact.integrate.export.letters import mistaken
from sympact.mechanics.inputs.controller import Controller, Sampled
from sympact.mechanics.inputs.given import HELD, Given, given
from sympact.mechanics.inputs.kinds import PYTHON
from sympact.mechanics.inputs.sampler import read_controllers, sampled_input

__all__ = ["acting_on", "found_inputs", "unfit_inputs", "unmatched"]


def acting_on(
    model, asked: Mapping[Expr, object], controllers: object, t: float, *, runs: bool
) -> tuple[list[Controller], list[str]]:
    """The controllers: of sampled inputs first, and a sentence for each that does not fit."""
    symbols, sampled, faults = model.derivation.symbols, [], []
    known = (*model.x, *symbols.parameters, *symbols.inputs, symbols.time)
    for letter, value in asked.items():
        if isinstance(value, Controller):
            faults.append(f"the input {letter} is given as {value!r}; expected it in controllers=[...]")
        elif isinstance(value, Sampled) and not runs:
            faults.append(f"the input {letter} is given as {value!r}, which only a run has; give its value here")
        elif isinstance(value, Sampled):
            try:
                sampled.append(sampled_input(letter, value, t))
            except ValueError as error:
                faults.append(f"the law of the input {letter} is no input: {error}")
    owners: dict[str, str] = {}
    for kind, owned in (("transition or event", model.description.conditions), ("latch", model.latches)):
        owners |= {one.name: kind for one in owned}
    owners |= {one.name: "contact" for one in model.contacts}
    others, wrong = read_controllers(controllers, known, owners)
    acting = [*sampled, *others]
    for one in acting:
        unknown = [letter for letter in one.commands if letter not in symbols.inputs]
        if unknown:
            names = ", ".join(map(str, unknown))
            faults.append(
                f"the controller of {one.name} sets {names}, which is no input of the model; symbols that it keeps "
                "belong into memory={symbol: value at the start}"
            )
    return acting, faults + wrong


def _twice(commanded: Sequence[Expr], asked: Mapping[Expr, object]) -> list[str]:
    """Inputs that two controllers set, or a controller and `inputs`."""
    own = [letter for letter in asked if not isinstance(asked[letter], Sampled | Controller)]
    sampled = [letter for letter in asked if isinstance(asked[letter], Sampled)]
    twice = [letter for letter in dict.fromkeys(commanded) if [*commanded, *own].count(letter) > 1]
    return [
        f"the input {letter} is commanded twice: "
        + ("in inputs and by a controller" if letter in (*own, *sampled) else "by two controllers")
        + "; expected one value"
        for letter in twice
    ]


def _moving(commanded: Sequence[Expr], needed: frozenset[Expr], found: Mapping[Expr, Given]) -> list[str]:
    """Commands that move a body or a surface: they jump."""
    moved = [letter for letter in commanded if any(_order(one, letter) for one in needed if one not in found)]
    return [
        f"the input {letter} is sampled, and the equations contain its rate: it moves a body or a surface, which no "
        "force makes jump; command the force that moves it, or give data whose value and rate are continuous"
        for letter in moved
    ]


def found_inputs(
    asked: Mapping[Expr, object], time: Symbol, t: float, commanded: Sequence[Expr]
) -> tuple[dict[Expr, Given], list[str]]:
    """The value of each input, and a sentence for each invalid one."""
    found, faults = dict.fromkeys(commanded, HELD), []
    for letter, value in asked.items():
        if isinstance(value, Sampled | Controller):
            continue
        try:
            found[letter] = given(letter, value, time, t)
        except ValueError as error:
            faults.append(str(error))
    return found, faults


def unmatched(
    model,
    keyed: Mapping[object, object],
    asked: Mapping[Expr, object],
    found: Mapping[Expr, Given],
    commanded: Sequence[Expr],
) -> list[str]:
    """Inputs that are missing or given twice, and keys that are no inputs."""
    faults, letters = _twice(commanded, asked), model.derivation.symbols.inputs
    known = {**asked, **dict.fromkeys(commanded)}
    missing = [str(letter) for letter in model.inputs if not _follows(letter, known, found)]
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


def unfit_inputs(
    found: Mapping[Expr, Given], needed: frozenset[Expr], span: tuple[float, float], commanded: Sequence[Expr]
) -> list[str]:
    """Data that do not cover the run, data and commands that jump where the equations do not permit it."""
    faults = _moving(commanded, needed, found)
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
