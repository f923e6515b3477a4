"""Processes of stages: flows, transitions, and the directed graph of them; no SymPy, no mechanics."""

from sympact.hybrid.adapters import ConditionalDynamic, MultiConditionalDynamic
from sympact.hybrid.system import HybridSystem
from sympact.hybrid.transition import Transition, When, identity

__all__ = ["ConditionalDynamic", "HybridSystem", "MultiConditionalDynamic", "Transition", "When", "identity"]
