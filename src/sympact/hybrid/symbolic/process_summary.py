"""A symbolic process as text and formulas, for reports and pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import sympy as sm

from sympact.hybrid.symbolic.definition import Clock, StageDefinition, is_function
from sympact.hybrid.symbolic.facts import ProcessStage
from sympact.hybrid.symbolic.process_symbols import Inputs, name_of
from sympact.hybrid.transition import Transition, transition_names
from sympact.integrate.trajectory.about import About, Formula

__all__ = ["about_process", "process_formulas"]


def about_process(
    stages: Sequence[StageDefinition],
    transitions: Sequence[Transition],
    inputs: Inputs,
    p: np.ndarray,
    facts: Mapping[str, ProcessStage],
) -> About:
    """The flows, boundaries and jumps of a process with the numbers `p` of its parameters, and what is known of it."""
    of_flows, of_transitions = process_formulas(stages, transitions, inputs, facts)
    formulas = [replace(one, title=f"flow of {stage}") for stage, one in of_flows.items()]
    formulas += [replace(one, title=f"transition {name}") for name, one in of_transitions.items()]
    listed: dict[str, Sequence[Any]] = {"stages": [stage.name for stage in stages], "states": _plain(inputs.states)}
    listed["parameters"] = inputs.parameters
    return About(
        letters=tuple((heading, ", ".join(map(str, items)) or "none") for heading, items in listed.items()),
        parameters=tuple((str(letter), float(value)) for letter, value in zip(inputs.parameters, p, strict=False)),
        contacts=(),
        formulas=tuple(formulas),
    )


def process_formulas(
    stages: Sequence[StageDefinition],
    transitions: Sequence[Transition],
    inputs: Inputs,
    facts: Mapping[str, ProcessStage],
) -> tuple[dict[str, Formula], dict[str, Formula]]:
    """The flow of each stage, and of each transition its boundary and the changes of its jump, by their names.

    Examples
    --------
    >>> from sympact import HybridSystem
    >>> y, v, e = sm.symbols("y v e")
    >>> bounce = Transition("air", "air", boundary=-y, jump=[y, -e * v], name="ground")
    >>> ball = HybridSystem.from_sympy({"air": [v, -10]}, [bounce], states=[y, v], parameters=[e])
    >>> of_flows, of_transitions = ball._parts.formulas()
    >>> of_flows["air"].text, of_transitions["ground"].latex
    (("y' = v", "v' = -10", 'linear, time-invariant'), ('- y = 0', 'v^+ = - e v'))
    """
    letters = dict(zip(inputs.states, _plain(inputs.states), strict=True))
    own = {stage.name: stage.states for stage in stages}
    of_flows = {stage.name: _flow(stage, letters, facts[stage.name].text) for stage in stages}
    of_transitions = {
        name: _transition(name, edge, own[edge.target], letters)
        for name, edge in zip(transition_names(transitions), transitions, strict=True)
    }
    return of_flows, of_transitions


Letters = Mapping[sm.Expr, sm.Expr]


def _flow(stage: StageDefinition, letters: Letters, words: str) -> Formula:
    """The rates of the states, the updates of those in discrete time, and what is known of the stage."""
    held = {state for clock in stage.clocks for state in clock.states}
    rates = {letters[state]: _written(rate, letters) for state, rate in stage.rates.items() if state not in held}
    latex = [rf"\dot{{{sm.latex(x)}}} = {sm.latex(rate)}" for x, rate in rates.items()]
    text = [f"{x}' = {rate}" for x, rate in rates.items()]
    for states, function in stage.functions:
        text.append(f"{', '.join(f'{letters[x]}' + chr(39) for x in states)} = {_called(function)}(t, x)")
        latex.append("")
    for clock in stage.clocks:
        for one, other in _updates(clock, letters):
            latex.append(one)
            text.append(other)
    if words:
        latex.append("")
        text.append(words)
    return Formula(stage.name, tuple(latex), tuple(text))


def _updates(clock: Clock, letters: Letters) -> list[tuple[str, str]]:
    """The updates of a clock as LaTeX and as text."""
    every = clock.time.every
    if clock.updates is None:
        text = f"{', '.join(f'{letters[x]}+' for x in clock.states)} = {_called(clock.time.update)}(x, k) every {every}"
        return [("", text)]
    values = [(letters[x], _written(update, letters)) for x, update in zip(clock.states, clock.updates, strict=True)]
    suffix = rf"\;\text{{every}}\;{sm.latex(sm.sympify(every))}"
    return [
        (f"{_after(sm.latex(x))} = {sm.latex(value)}{suffix}", f"{x}+ = {value} every {every}")
        for x, value in values
        if value != x
    ]


def _transition(name: str, edge: Transition, states: Sequence[sm.Expr], letters: Letters) -> Formula:
    """The boundary and the changes of the jump."""
    if is_function(edge.boundary):
        text = [f"{_called(edge.boundary)}(t, x) = 0"]
        latex = [""]
    else:
        boundary = _written(edge.boundary, letters)
        latex, text = [f"{sm.latex(boundary)} = 0"], [f"boundary: {boundary} = 0"]
    if is_function(edge.jump):
        text.append(f"x+ = {_called(edge.jump)}(t, x)")
        latex.append("")
    else:
        after = states if edge.jump is None else edge.jump
        values = [(letters[x], _written(value, letters)) for x, value in zip(states, after, strict=True)]
        latex += [f"{_after(sm.latex(x))} = {sm.latex(value)}" for x, value in values if value != x]
        text += [f"{x}+ = {value}" for x, value in values if value != x]
    return Formula(name, tuple(latex), tuple(text))


def _written(expression: Any, letters: Letters) -> sm.Expr:
    return sm.sympify(expression).xreplace(dict(letters))


def _called(function: Any) -> str:
    return getattr(function, "__name__", "f").replace("<lambda>", "f")


def _after(letter: str) -> str:
    """The LaTeX of a symbol just after a jump."""
    return f"{{{letter}}}^+" if "^" in letter else f"{letter}^+"


def _plain(states: Sequence[sm.Expr]) -> list[sm.Expr]:
    """The states without their argument, the time."""
    return [state if isinstance(state, sm.Symbol) else sm.Symbol(name_of(state)) for state in states]
