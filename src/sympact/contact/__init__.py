"""Impact laws, and who takes part in an impact with which impulse: numbers only."""

from sympact.contact.impact import TRANSITION, ImpactData
from sympact.contact.laws import ImpactLaw, Newton, Resolution, Simultaneous
from sympact.contact.solve import ImpactSolution, solve_impact

__all__ = [
    "TRANSITION",
    "ImpactData",
    "ImpactLaw",
    "ImpactSolution",
    "Newton",
    "Resolution",
    "Simultaneous",
    "solve_impact",
]
