"""Processes of stages: flows, transitions, and the directed graph of them; no mechanics, and SymPy only for
expressions."""

from importlib import import_module
from typing import TYPE_CHECKING

from sympact.hybrid.adapters import ConditionalDynamic, MultiConditionalDynamic
from sympact.hybrid.flows import DiscreteTime
from sympact.hybrid.nested import Nested
from sympact.hybrid.system import HybridSystem
from sympact.hybrid.transition import Transition, When, identity
from sympact.native.sentences.refused_calls import explain_public, unknown_name

__all__ = [
    "ConditionalDynamic",
    "DiscreteTime",
    "HybridSystem",
    "MultiConditionalDynamic",
    "Nested",
    "Transition",
    "When",
    "identity",
    "product",
]

if TYPE_CHECKING:
    from sympact.hybrid.products import product


def __getattr__(name: str) -> object:
    """Import a name that needs SymPy (PEP 562)."""
    if name != "product":
        raise unknown_name(__name__, name, __all__)
    return import_module("sympact.hybrid.products").product


explain_public(globals(), internal=("identity",))
