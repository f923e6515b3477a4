"""Impact laws, complementarity solvers, and the participants and impulses of impacts: numbers only."""

from sympact.contact.compare import ImpactComparison, Outcome, compare_impacts
from sympact.contact.constraints.formulations import Baumgarte, Direct, Formulation, Projection
from sympact.contact.constraints.further_multipliers import GearGuptaLeimkuhler, Overdetermined
from sympact.contact.constraints.reduced_formulations import NullSpace, Partitioning, TangentSpace
from sympact.contact.contact_workspace import TRANSITION, ContactData
from sympact.contact.infeasibility import Infeasibility
from sympact.contact.laws.impact_laws import CustomLaw, Energetic, ImpactLaw, Newton, Plastic, Poisson, Resolution
from sympact.contact.laws.painleve_rules import EndOfRun, ImpactWithoutCollision, PainleveRule
from sympact.contact.laws.resolutions import ImpulseRatio, Sequential, Simultaneous
from sympact.contact.linear_complementarity import ComplementaritySolution, UnsolvedComplementarity, solve_lcp
from sympact.contact.solve import ImpactSolution, UnsolvedImpact, solve_impact
from sympact.native.renamed import renamed_name
from sympact.native.sentences.refused_calls import explain_public, unknown_name

__all__ = [
    "TRANSITION",
    "Baumgarte",
    "ComplementaritySolution",
    "ContactData",
    "CustomLaw",
    "Direct",
    "EndOfRun",
    "Energetic",
    "Formulation",
    "GearGuptaLeimkuhler",
    "ImpactComparison",
    "ImpactLaw",
    "ImpactSolution",
    "ImpactWithoutCollision",
    "ImpulseRatio",
    "Infeasibility",
    "Newton",
    "NullSpace",
    "Outcome",
    "Overdetermined",
    "PainleveRule",
    "Partitioning",
    "Plastic",
    "Poisson",
    "Projection",
    "Resolution",
    "Sequential",
    "Simultaneous",
    "TangentSpace",
    "UnsolvedComplementarity",
    "UnsolvedImpact",
    "compare_impacts",
    "solve_impact",
    "solve_lcp",
]

_RENAMED = {"OwnLaw": "CustomLaw"}


def __getattr__(name: str) -> object:
    """Support names of the previous version (PEP 562)."""
    new = renamed_name("sympact.contact", name, _RENAMED)
    if new is None:
        raise unknown_name("sympact.contact", name, __all__)
    return globals()[new]


explain_public(globals(), internal=("ContactData",))
