"""From a SymPy mechanics model and its contacts to compiled equations."""

from sympact.mechanics.derive.derivation import Derivation, derive
from sympact.mechanics.derive.symbolic_formulas import BlockJump
from sympact.mechanics.inputs.controller import Controller, Sampled
from sympact.mechanics.kit.forces import NormalForce, Reaction
from sympact.mechanics.kit.motion import Motion
from sympact.mechanics.linear.equilibrium import Equilibrium, NoEquilibrium
from sympact.mechanics.linear.linearization import Linearization, NaturalMode
from sympact.mechanics.model import HybridModel
from sympact.mechanics.read.closures import (
    BallClosure,
    LineClosure,
    PinClosure,
    RodClosure,
    SlideClosure,
    WeldClosure,
)
from sympact.mechanics.read.constraint import Constraint, Holonomic, Nonholonomic
from sympact.mechanics.read.input_data import Interpolated
from sympact.mechanics.read.latches import Latch
from sympact.mechanics.read.source import Description, constrained, describe
from sympact.mechanics.shapes.capsules import Capsule
from sympact.mechanics.shapes.compliant import CompliantContact
from sympact.mechanics.shapes.contact import Contact, contacts_between
from sympact.mechanics.shapes.contact_laws import ContactLaw, HuntCrossley, KelvinVoigt, LankaraniNikravesh
from sympact.mechanics.shapes.contactor import Contactor
from sympact.mechanics.shapes.cylinders import Cylinder
from sympact.mechanics.shapes.discs import Disc
from sympact.mechanics.shapes.friction_ellipse import FrictionEllipse
from sympact.mechanics.shapes.implicit import Implicit
from sympact.mechanics.shapes.limits import Limit, String
from sympact.mechanics.shapes.pairs import ContactPair, contact_pair
from sympact.mechanics.shapes.planes import Plane
from sympact.mechanics.shapes.polygons import ConvexPolygon, polygon_contacts
from sympact.mechanics.shapes.spheres import Sphere
from sympact.mechanics.shapes.surface import Surface
from sympact.mechanics.shapes.unilateral import Unilateral, approach_speed, slip_speed
from sympact.mechanics.start.assembly import Assembly
from sympact.native.sentences.refused_calls import explain_public

__all__ = [
    "Assembly",
    "BallClosure",
    "BlockJump",
    "Capsule",
    "CompliantContact",
    "Constraint",
    "Contact",
    "ContactLaw",
    "ContactPair",
    "Contactor",
    "Controller",
    "ConvexPolygon",
    "Cylinder",
    "Derivation",
    "Description",
    "Disc",
    "Equilibrium",
    "FrictionEllipse",
    "Holonomic",
    "HuntCrossley",
    "HybridModel",
    "Implicit",
    "Interpolated",
    "KelvinVoigt",
    "LankaraniNikravesh",
    "Latch",
    "Limit",
    "LineClosure",
    "Linearization",
    "Motion",
    "NaturalMode",
    "NoEquilibrium",
    "Nonholonomic",
    "NormalForce",
    "PinClosure",
    "Plane",
    "Reaction",
    "RodClosure",
    "Sampled",
    "SlideClosure",
    "Sphere",
    "String",
    "Surface",
    "Unilateral",
    "WeldClosure",
    "approach_speed",
    "constrained",
    "contact_pair",
    "contacts_between",
    "derive",
    "describe",
    "polygon_contacts",
    "slip_speed",
]

explain_public(
    globals(), internal=("Derivation", "Description", "Motion", "constrained", "contact_pair", "derive", "describe")
)
