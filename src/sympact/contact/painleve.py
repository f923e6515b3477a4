"""The data of a contact in Painleve's paradox, and of an event that is not in balance."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["ArcAudit", "Imbalance", "Painleve"]


@dataclass(frozen=True)
class Painleve:
    """A slipping contact with no further motion or several (Painleve).

    Attributes
    ----------
    contact : int
        Its index.
    kind : int
        ``contact_codes.NO_FORCE``, ``NO_BOUND``, ``SEVERAL`` or ``AT_ONCE``.
    share : float
        The part of its inverse mass that remains with friction, W_N^T M^-1 (W_N - mu W_T d) / (W_N^T M^-1 W_N); of
        several coupled contacts, of their inverse masses together.
    """

    contact: int
    kind: int
    share: float


@dataclass(frozen=True)
class Imbalance:
    """The result of the audit of an event.

    Attributes
    ----------
    fault : int
        ``contact_codes.NOT_A_NUMBER``, ``WITHOUT_IMPULSE``, ``FROM_NOTHING`` or ``WITHOUT_BOUND``.
    found, beside : float
        The figures, whose meaning depends on the fault.
    """

    fault: int
    found: float
    beside: float


@dataclass(frozen=True)
class ArcAudit:
    """The result of the audit of smooth arcs with closed contacts.

    Attributes
    ----------
    fault : int
        0, or ``NO_SOLUTION``, ``OUTSIDE_CONE`` or ``ALONG_SLIP`` of `StageMargins`, where the flow was audited last.
    contact : int
        Its contact.
    residual, beyond : float
        There: the residual of the equations of motion, and how far a force is outside its cone, or a slip against its
        direction.
    largest_residual, largest_beyond : float
        The largest of the run.
    """

    fault: int
    contact: int
    residual: float
    beyond: float
    largest_residual: float
    largest_beyond: float
