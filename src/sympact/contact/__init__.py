"""Impact laws, complementarity solvers, and who takes part in an impact with which impulse: numbers only."""

from sympact.contact.compare import ImpactComparison, Outcome, compare_impacts
from sympact.contact.contact_workspace import TRANSITION, ContactData
from sympact.contact.infeasibility import Infeasibility
from sympact.contact.laws.impact_laws import Energetic, ImpactLaw, Newton, OwnLaw, Plastic, Poisson, Resolution
from sympact.contact.laws.resolutions import ImpulseRatio, Sequential, Simultaneous
from sympact.contact.linear_complementarity import ComplementaritySolution, UnsolvedComplementarity, solve_lcp
from sympact.contact.solve import ImpactSolution, UnsolvedImpact, solve_impact

__all__ = [
    "TRANSITION",
    "ComplementaritySolution",
    "ContactData",
    "Energetic",
    "ImpactComparison",
    "ImpactLaw",
    "ImpactSolution",
    "ImpulseRatio",
    "Infeasibility",
    "Newton",
    "Outcome",
    "OwnLaw",
    "Plastic",
    "Poisson",
    "Resolution",
    "Sequential",
    "Simultaneous",
    "UnsolvedComplementarity",
    "UnsolvedImpact",
    "compare_impacts",
    "solve_impact",
    "solve_lcp",
]
