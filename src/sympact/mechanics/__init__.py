"""From a SymPy mechanics model and its contacts to equations a machine can run."""

from sympact.mechanics.contact import Contact
from sympact.mechanics.derivation import Derivation, derive
from sympact.mechanics.formulas import BlockJump
from sympact.mechanics.model import HybridModel
from sympact.mechanics.source import Description, describe
from sympact.mechanics.surfaces import Plane, Sphere, Surface

__all__ = [
    "BlockJump",
    "Contact",
    "Derivation",
    "Description",
    "HybridModel",
    "Plane",
    "Sphere",
    "Surface",
    "derive",
    "describe",
]
