"""Impact laws, and who takes part in an impact with which impulse: numbers only."""

from sympact.contact.data import TRANSITION, ContactData
from sympact.contact.laws import ImpactLaw, Newton, Resolution, Simultaneous
from sympact.contact.solve import ImpactSolution, solve_impact

__all__ = [
    "TRANSITION",
    "ContactData",
    "ImpactLaw",
    "ImpactSolution",
    "Newton",
    "Resolution",
    "Simultaneous",
    "solve_impact",
]
