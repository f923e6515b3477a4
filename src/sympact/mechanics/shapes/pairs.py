"""The geometry of contact: one class for each pair of kinds of shapes, registered in a table."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import TypeVar

from sympy.physics.vector import Point

from sympact.graph.formula import Scalar, Vector3
from sympact.mechanics.kit.motion import Branches, Motion
from sympact.mechanics.shapes.contactor import Contactor
from sympact.mechanics.shapes.surface import Surface

__all__ = ["ContactPair", "contact_pair", "pair_of", "refusal"]


@dataclass(frozen=True, eq=False)
class ContactPair(ABC):
    """The geometry of a body and a surface at their closest points.

    Components of vectors are in N.

    Parameters
    ----------
    body : Contactor
    surface : Surface
    """

    body: Contactor
    surface: Surface

    def cannot_touch(self) -> str:
        """Why the pair has no unique gap, as a sentence with the cure; empty where it has one."""
        return ""

    @abstractmethod
    def gap(self, motion: Motion) -> Scalar:
        """g_N (m), the distance of the two: positive apart, zero touching."""

    @abstractmethod
    def normal(self, motion: Motion) -> Vector3:
        """The surface's unit normal to the free side at the closest point."""

    @abstractmethod
    def arm(self, motion: Motion) -> tuple[Point, Vector3]:
        """A point of the body, and the vector from it to the contact point, which is closest to the surface."""

    @abstractmethod
    def velocity(self, motion: Motion) -> Vector3:
        """The velocity (m/s) of the body's material at the contact point."""

    def branches(self, motion: Motion) -> Branches:
        """Short names for the conditions in the gap."""
        return {}


Kind = TypeVar("Kind", bound=type[ContactPair])

_PAIRS: dict[tuple[type, type], type[ContactPair]] = {}


def contact_pair(body: type, surface: type) -> Callable[[Kind], Kind]:
    """Decorate a `ContactPair` class that all contacts of a kind of body with a kind of surface use.

    Subclasses use the pair of their nearest bases: the bases of the body come first, then those of the surface.

    Parameters
    ----------
    body : subclass of Contactor
    surface : subclass of Surface

    Raises
    ------
    ValueError
        If the two have a class already.

    Examples
    --------
    >>> from sympact.mechanics import Plane
    >>> class Cone(Contactor): ...
    >>> @contact_pair(Cone, Plane)
    ... class ConeOnPlane(ContactPair): ...
    >>> _PAIRS.pop((Cone, Plane)).__name__
    'ConeOnPlane'
    """

    def register(kind: Kind) -> Kind:
        known = _PAIRS.setdefault((body, surface), kind)
        if known is not kind:
            raise ValueError(
                f"the contact of a {body.__name__} with a {surface.__name__} is defined by {known.__name__} already; "
                "for another geometry, register a subclass of one of the two"
            )
        return kind

    return register


def pair_of(body: Contactor, surface: Surface) -> ContactPair | None:
    """The geometry of the pair; None where no class is registered for it."""
    for kinds in product(type(body).__mro__, type(surface).__mro__):
        if kinds in _PAIRS:
            return _PAIRS[kinds](body, surface)
    return None


def refusal(body: Contactor, surface: Surface) -> str:
    """Why the pair cannot make a contact, as a sentence with the cure; empty where it can."""
    pair = pair_of(body, surface)
    return body.cannot_touch(surface) if pair is None else pair.cannot_touch()
