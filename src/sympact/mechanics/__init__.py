"""From a SymPy mechanics model and its contacts to equations a machine can run."""

from sympact.mechanics.capsules import Capsule
from sympact.mechanics.contact import Contact
from sympact.mechanics.contactor import Contactor
from sympact.mechanics.cylinders import Cylinder
from sympact.mechanics.data import Interpolated
from sympact.mechanics.derivation import Derivation, derive
from sympact.mechanics.discs import Disc
from sympact.mechanics.formulas import BlockJump
from sympact.mechanics.implicit import Implicit
from sympact.mechanics.limits import Limit, String
from sympact.mechanics.model import HybridModel
from sympact.mechanics.polygons import ConvexPolygon, polygon_contacts
from sympact.mechanics.source import Description, describe
from sympact.mechanics.surfaces import Plane, Sphere, Surface
from sympact.mechanics.unilateral import Unilateral, approach_speed

__all__ = [
    "BlockJump",
    "Capsule",
    "Contact",
    "Contactor",
    "ConvexPolygon",
    "Cylinder",
    "Derivation",
    "Description",
    "Disc",
    "HybridModel",
    "Implicit",
    "Interpolated",
    "Limit",
    "Plane",
    "Sphere",
    "String",
    "Surface",
    "Unilateral",
    "approach_speed",
    "derive",
    "describe",
    "polygon_contacts",
]
