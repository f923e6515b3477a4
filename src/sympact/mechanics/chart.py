"""The life of a contact as a graph: apart, in contact, and what leads from one to the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import networkx

from sympact.contact import Newton
from sympact.integrate.about import Formula
from sympact.mechanics.summary import BLOCK_JUMP

if TYPE_CHECKING:
    from sympact.mechanics.model import HybridModel

__all__ = ["model_flows", "model_graph", "model_transitions"]

FREE, CLOSED = "free", "closed"

_MOST_CONDITIONS = 4
"""Conditions that are named."""


def model_graph(model: HybridModel) -> networkx.MultiDiGraph:
    """The two stages of any one contact, and the events that happen to it; one stage where there are no contacts.

    Each of n contacts has its own stage, so that a model has up to 2^n of them; `Result.modes` has those of a run.

    Examples
    --------
    >>> from sympact.models import bouncing_ball
    >>> [(source, target, of["name"]) for source, target, of in model_graph(bouncing_ball().model).edges(data=True)]
    [('free', 'free', 'impact'), ('free', 'closed', 'close'), ('closed', 'free', 'open')]
    """
    graph = networkx.MultiDiGraph()
    graph.add_node(FREE)
    if model.contacts:
        graph.add_edge(FREE, FREE, name="impact", jump=True)
        graph.add_edge(FREE, CLOSED, name="close", jump=True)
        graph.add_edge(CLOSED, FREE, name="open", jump=None)
    if model.derivation.switches:
        graph.add_edge(FREE, FREE, name="switch", jump=None)
    return graph


def model_flows(model: HybridModel) -> dict[str, Formula]:
    """The equations of motion in each stage of a contact."""
    apart = ((r"g_N > 0",), ("g_N > 0",)) if model.contacts else ((), ())
    motion, _ = equations(_smooth(model))
    return {
        FREE: Formula(FREE, (*apart[0], r"M \dot{u} = f"), (*apart[1], "M u' = f")),
        CLOSED: Formula(CLOSED, (r"g_N = 0, \; \lambda_N \geq 0", motion[0]), ("g_N = 0, lambda_N >= 0", motion[1])),
    }


def model_transitions(model: HybridModel) -> dict[str, Formula]:
    """When each event happens to a contact, and what it does to the speeds."""
    _, jump = equations(_smooth(model))
    if _smooth(model) and isinstance(model.impact, Newton):
        jump = BLOCK_JUMP, "u+ = u- - (1 + e) M^-1 W (W^T M^-1 W)^-1 gamma_N-"
    names = [switch.names[0] for switch in model.derivation.switches]
    more = [f"and {len(names) - _MOST_CONDITIONS} more"] if len(names) > _MOST_CONDITIONS else []
    hit = Formula("impact", (r"g_N = 0, \; \gamma_N^- < 0", jump[0]), ("g_N = 0, gamma_N- < 0", jump[1]))
    condition = "g_N = 0, gamma_N+ = 0", "after an impact, or hops that die away"
    return {
        "impact": hit,
        "close": Formula("close", (r"g_N = 0, \; \gamma_N^+ = 0", ""), condition),
        "open": Formula("open", (r"\lambda_N = 0",), ("lambda_N = 0",)),
        "switch": Formula("switch", (), (*names[:_MOST_CONDITIONS], *more)),
    }


def equations(smooth: bool) -> tuple[tuple[str, str], tuple[str, str]]:
    """The motion of closed contacts, and Lagrange's impact equation: each as LaTeX and as text.

    >>> for _, text in [*equations(smooth=True), *equations(smooth=False)]:
    ...     print(text)
    M u' = f + W_N lambda_N
    M (u+ - u-) = W_N Lambda_N
    M u' = f + W_N lambda_N + W_T lambda_T
    M (u+ - u-) = W_N Lambda_N + W_T Lambda_T
    """
    latex, text = ("", "") if smooth else (r" + W_T \lambda_T", " + W_T lambda_T")
    motion = r"M \dot{u} = f + W_N \lambda_N" + latex, f"M u' = f + W_N lambda_N{text}"
    impulses = latex.replace("lambda", "Lambda"), text.replace("lambda", "Lambda")
    jump = r"M \, (u^+ - u^-) = W_N \Lambda_N" + impulses[0], f"M (u+ - u-) = W_N Lambda_N{impulses[1]}"
    return motion, jump


def _smooth(model: HybridModel) -> bool:
    return all(contact.friction == 0 for contact in model.contacts)
