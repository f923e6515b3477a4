"""The modes of a contact as a graph: open, closed, and the events between them."""

from __future__ import annotations

import networkx

from sympact.contact import Newton
from sympact.integrate.trajectory.about import Formula
from sympact.mechanics.derived.derived_model import DerivedModel
from sympact.mechanics.present.model_summary import BLOCK_JUMP

__all__ = ["model_flows", "model_graph", "model_transitions"]

FREE, CLOSED, SLIPS, STICKS = "free", "closed", "slips", "sticks"

_MOST_CONDITIONS = 4
"""Named conditions."""


def model_graph(model: DerivedModel) -> networkx.MultiDiGraph:
    """The stages of any one contact, and its events; one stage where there are no contacts.

    Closed is one stage without friction, and two with friction: slip and stick.

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
        for stage in [CLOSED] if _smooth(model) else [SLIPS, STICKS]:
            graph.add_edge(FREE, stage, name="close", jump=True)
            graph.add_edge(stage, FREE, name="open", jump=None)
        if not _smooth(model):
            graph.add_edge(SLIPS, STICKS, name="stick", jump=None)
            graph.add_edge(STICKS, SLIPS, name="slip", jump=None)
    if model.derivation.switches:
        graph.add_edge(FREE, FREE, name="switch", jump=None)
    return graph


def model_flows(model: DerivedModel) -> dict[str, Formula]:
    """The equations of motion in each stage of a contact."""
    apart = ((r"g_N > 0",), ("g_N > 0",)) if model.contacts else ((), ())
    motion, _ = equations(_smooth(model))
    free = {FREE: Formula(FREE, (*apart[0], r"M \dot{u} = f"), (*apart[1], "M u' = f"))}
    if not _smooth(model):
        slips = r"g_N = 0, \; \lambda_T = -\mu \lambda_N \gamma_T / |\gamma_T|"
        sticks = r"g_N = 0, \; \gamma_T = 0"
        return free | {
            SLIPS: Formula(SLIPS, (slips, motion[0]), ("g_N = 0, lambda_T = -mu lambda_N d", motion[1])),
            STICKS: Formula(STICKS, (sticks, motion[0]), ("g_N = 0, gamma_T = 0", motion[1])),
        }
    return free | {
        CLOSED: Formula(CLOSED, (r"g_N = 0, \; \lambda_N \geq 0", motion[0]), ("g_N = 0, lambda_N >= 0", motion[1])),
    }


def model_transitions(model: DerivedModel) -> dict[str, Formula]:
    """The condition of each event of a contact, and its change of the speeds."""
    _, jump = equations(_smooth(model))
    if _smooth(model) and isinstance(model.law, Newton):
        jump = BLOCK_JUMP, "u+ = u- - (1 + e) M^-1 W (W^T M^-1 W)^-1 gamma_N-"
    names = [switch.names[0] for switch in model.derivation.switches]
    more = [f"and {len(names) - _MOST_CONDITIONS} more"] if len(names) > _MOST_CONDITIONS else []
    hit = Formula("impact", (r"g_N = 0, \; \gamma_N^- < 0", jump[0]), ("g_N = 0, gamma_N- < 0", jump[1]))
    condition = "g_N = 0, gamma_N+ = 0", "after an impact, or at an accumulation of impacts"
    return {
        "impact": hit,
        "close": Formula("close", (r"g_N = 0, \; \gamma_N^+ = 0", ""), condition),
        "stick": Formula("stick", (r"\gamma_T = 0",), ("gamma_T = 0",)),
        "slip": Formula("slip", (r"|\lambda_T| = \mu_s \lambda_N",), ("|lambda_T| = mu_s lambda_N",)),
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


def _smooth(model: DerivedModel) -> bool:
    return not any(contact.has_friction for contact in model.contacts)
