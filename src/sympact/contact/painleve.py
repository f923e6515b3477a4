"""The data of a contact in Painleve's paradox, and of an event that is not in balance."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Imbalance", "Painleve"]


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
