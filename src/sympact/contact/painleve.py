"""What is known of a contact that friction jams, and of an event that is not in balance."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Imbalance", "Painleve"]


@dataclass(frozen=True)
class Painleve:
    """A contact that slips and has none or several motions to go on with (Painleve).

    Attributes
    ----------
    contact : int
        Its index.
    kind : int
        ``layout.NO_FORCE``, ``NO_BOUND`` or ``SEVERAL``.
    share : float
        What friction leaves of its inverse mass, W_N^T M^-1 (W_N - mu W_T d) / (W_N^T M^-1 W_N); of several contacts
        that hold each other, of their inverse masses together.
    """

    contact: int
    kind: int
    share: float


@dataclass(frozen=True)
class Imbalance:
    """What the audit of an event found.

    Attributes
    ----------
    fault : int
        ``layout.NOT_A_NUMBER``, ``WITHOUT_IMPULSE``, ``FROM_NOTHING`` or ``WITHOUT_BOUND``.
    found, beside : float
        The figures, as the fault says.
    """

    fault: int
    found: float
    beside: float
