"""A symbolic process in words and formulas, for reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import sympy as sm
from sympy.core.function import AppliedUndef

from sympact.hybrid.transition import Transition, transition_names
from sympact.integrate.about import About, Formula

__all__ = ["about_process"]


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
    plain = {state: sm.Symbol(state.func.__name__) for state in states if isinstance(state, AppliedUndef)}
    names = [plain.get(state, state) for state in states]
    formulas = []
    for stage, flow in flows.items():
        rates = [sm.sympify(rate).xreplace(plain) for rate in flow]
        formulas.append(_equations(f"flow of {stage}", [(rf"\dot{{{sm.latex(x)}}}", f"{x}'") for x in names], rates))
    for name, edge in zip(transition_names(transitions), transitions, strict=True):
        boundary = sm.sympify(edge.boundary).xreplace(plain)
        after = names if edge.jump is None else [sm.sympify(entry).xreplace(plain) for entry in edge.jump]
        changed = [(x, entry) for x, entry in zip(names, after, strict=True) if entry != x]
        jump = _equations("", [(f"{{{sm.latex(x)}}}^+", f"{x}+") for x, _ in changed], [entry for _, entry in changed])
        latex, text = (f"{sm.latex(boundary)} = 0", *jump.latex), (f"boundary: {boundary} = 0", *jump.text)
        formulas.append(Formula(f"transition {name}", latex, text))
    listed = {"stages": flows, "states": names, "parameters": parameters}
    return About(
        letters=tuple((heading, ", ".join(map(str, items)) or "none") for heading, items in listed.items()),
        parameters=tuple((str(letter), float(value)) for letter, value in zip(parameters, p, strict=False)),
        contacts=(),
        formulas=tuple(formulas),
    )


def _equations(title: str, left: Sequence[tuple[str, str]], right: Sequence[sm.Expr]) -> Formula:
    pairs = list(zip(left, right, strict=True))
    return Formula(
        title,
        tuple(f"{latex} = {sm.latex(entry)}" for (latex, _), entry in pairs),
        tuple(f"{text} = {entry}" for (_, text), entry in pairs),
    )
