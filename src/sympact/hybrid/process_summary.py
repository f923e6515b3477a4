"""A symbolic process as text and formulas, for reports and pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import sympy as sm
from sympy.core.function import AppliedUndef

from sympact.hybrid.transition import Transition, transition_names
from sympact.integrate.history.about import About, Formula

__all__ = ["about_process", "process_formulas"]


def about_process(
    flows: Mapping[str, Sequence[sm.Expr]],
    transitions: Sequence[Transition],
    states: Sequence[sm.Expr],
    parameters: Sequence[sm.Expr],
    p: np.ndarray,
) -> About:
    """The flows, boundaries and jumps of a process with the numbers `p` of its parameters.

    Examples
    --------
    >>> x, k = sm.symbols("x k")
    >>> again = Transition("hot", "hot", boundary=1 - x, jump=[2 * x])
    >>> cooling = about_process({"hot": [-k * x]}, [again], [x], [k], [3.0])
    >>> cooling.parameters, cooling.formulas[0].text, cooling.formulas[1].text
    ((('k', 3.0),), ("x' = -k*x",), ('boundary: 1 - x = 0', 'x+ = 2*x'))
    """
    names = _names(states)
    of_flows, of_transitions = process_formulas(flows, transitions, states)
    formulas = [replace(one, title=f"flow of {stage}") for stage, one in of_flows.items()]
    formulas += [replace(one, title=f"transition {name}") for name, one in of_transitions.items()]
    listed = {"stages": flows, "states": names, "parameters": parameters}
    return About(
        letters=tuple((heading, ", ".join(map(str, items)) or "none") for heading, items in listed.items()),
        parameters=tuple((str(letter), float(value)) for letter, value in zip(parameters, p, strict=False)),
        contacts=(),
        formulas=tuple(formulas),
    )


def process_formulas(
    flows: Mapping[str, Sequence[sm.Expr]], transitions: Sequence[Transition], states: Sequence[sm.Expr]
) -> tuple[dict[str, Formula], dict[str, Formula]]:
    """The flow of each stage, and of each transition its boundary and the changes of its jump, by their names.

    Examples
    --------
    >>> y, v, e = sm.symbols("y v e")
    >>> bounce = Transition("air", "air", boundary=-y, jump=[y, -e * v], name="ground")
    >>> of_flows, of_transitions = process_formulas({"air": [v, -10]}, [bounce], [y, v])
    >>> of_flows["air"].text, of_transitions["ground"].latex
    (("y' = v", "v' = -10"), ('- y = 0', 'v^+ = - e v'))
    """
    names, plain = _names(states), dict(zip(states, _names(states), strict=True))
    of_flows, of_transitions = {}, {}
    for stage, flow in flows.items():
        rates = [sm.sympify(rate).xreplace(plain) for rate in flow]
        of_flows[stage] = _equations(stage, [(rf"\dot{{{sm.latex(x)}}}", f"{x}'") for x in names], rates)
    for name, edge in zip(transition_names(transitions), transitions, strict=True):
        boundary = sm.sympify(edge.boundary).xreplace(plain)
        after = names if edge.jump is None else [sm.sympify(entry).xreplace(plain) for entry in edge.jump]
        changed = [(x, entry) for x, entry in zip(names, after, strict=True) if entry != x]
        jump = _equations("", [(_after(sm.latex(x)), f"{x}+") for x, _ in changed], [entry for _, entry in changed])
        latex, text = (f"{sm.latex(boundary)} = 0", *jump.latex), (f"boundary: {boundary} = 0", *jump.text)
        of_transitions[name] = Formula(name, latex, text)
    return of_flows, of_transitions


def _after(letter: str) -> str:
    """The LaTeX of a symbol just after a jump."""
    return f"{{{letter}}}^+" if "^" in letter else f"{letter}^+"


def _names(states: Sequence[sm.Expr]) -> list[sm.Expr]:
    """The states without their argument, the time."""
    return [sm.Symbol(state.func.__name__) if isinstance(state, AppliedUndef) else state for state in states]


def _equations(title: str, left: Sequence[tuple[str, str]], right: Sequence[sm.Expr]) -> Formula:
    pairs = list(zip(left, right, strict=True))
    return Formula(
        title,
        tuple(f"{latex} = {sm.latex(entry)}" for (latex, _), entry in pairs),
        tuple(f"{text} = {entry}" for (_, text), entry in pairs),
    )
