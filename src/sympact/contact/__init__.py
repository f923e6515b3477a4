"""Impact laws, complementarity solvers, and who takes part in an impact with which impulse: numbers only."""

from sympact.contact.data import TRANSITION, ContactData
from sympact.contact.friction import FrictionalImpactSolution, solve_frictional_impact
from sympact.contact.laws import ImpactLaw, Newton, Resolution, Simultaneous
from sympact.contact.lcp import ComplementaritySolution, UnsolvedComplementarity, solve_lcp
from sympact.contact.solve import ImpactSolution, solve_impact

__all__ = [
    "TRANSITION",
    "ComplementaritySolution",
    "ContactData",
    "FrictionalImpactSolution",
    "ImpactLaw",
    "ImpactSolution",
    "Newton",
    "Resolution",
    "Simultaneous",
    "UnsolvedComplementarity",
    "solve_frictional_impact",
    "solve_impact",
    "solve_lcp",
]
