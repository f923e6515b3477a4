"""A process as notebooks show it: its stages with their flows, its transitions with boundaries and jumps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from itertools import zip_longest

from sympact.hybrid.transition import Transition, transition_names
from sympact.integrate.present.table import Html, Sheet, Table, middle_out
from sympact.integrate.trajectory.about import Formula

__all__ = ["process_sheet"]

_MOST_ROWS = 20
"""Stages and transitions that are shown; further ones are counted."""


def process_sheet(
    flows: Mapping[str, Formula], transitions: Sequence[Transition], formulas: Mapping[str, Formula]
) -> Sheet:
    """The stages and the transitions as tables.

    Parameters
    ----------
    flows : mapping of str to Formula
        By the names of the stages.
    transitions : sequence of Transition
    formulas : mapping of str to Formula
        Boundaries and jumps, by the names of the transitions.
    """
    stages, more_stages = middle_out([(name, _written(flow)) for name, flow in flows.items()], _MOST_ROWS)
    edges = [
        (name, edge.source or "", edge.target or "", _written(formulas[name]))
        for name, edge in zip(transition_names(transitions), transitions, strict=True)
    ]
    shown, more = middle_out(edges, _MOST_ROWS)
    tables = (
        Table(("stage", "flow"), stages, more_stages, "stages"),
        Table(("transition", "from", "to", "boundary and jump"), shown, more, "transitions"),
    )
    return Sheet("HybridSystem", {}, tables)


def _written(formula: Formula) -> Html:
    """A line for each equation, in LaTeX where there is any."""
    pairs = zip_longest(formula.latex, formula.text, fillvalue="")  # plain functions have no LaTeX
    return Html("<br>".join(f"${escape(latex)}$" if latex else escape(text) for latex, text in pairs))
