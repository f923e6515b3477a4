"""Contacts as the loop sees them: units it calls by address, and the memory that they work in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from sympact.contact import layout as at
from sympact.contact.laws import ImpactLaw, Newton, Resolution, Simultaneous
from sympact.integrate.layout import BY_RATES
from sympact.integrate.unit import Unit

__all__ = ["CLOSED_FORCES", "CLOSED_PROJECT", "CLOSED_RATES", "CONTACT_FORCES", "TRANSITION", "ContactData"]

_FLOW = "void(float64, int64, int64, int64)"
_JUMP = "int64(float64, int64, int64, int64, int64, int64)"
TRANSITION = Unit("sympact.contact.transition_kernel", "transition", _JUMP)
"""The transition of every stage whose boundaries are contacts."""
CLOSED_RATES = Unit("sympact.contact.closed_kernel", "closed_rates", _FLOW)
"""The flow of the stage in which contacts are closed."""
CLOSED_FORCES = Unit("sympact.contact.closed_kernel", "closed_forces", _FLOW)
"""What the loop watches of closed contacts there."""
CLOSED_PROJECT = Unit("sympact.contact.closed_kernel", "project_closed", _FLOW)
"""How closed gaps are kept at zero there."""
_TAKE_RATES = Unit("sympact.contact.closed_kernel", "take_rates", _FLOW)
CONTACT_FORCES = Unit("sympact.contact.closed_kernel", "contact_forces", _FLOW)
"""The contact forces at a state (N)."""


class ContactData:
    """What the contacts of one run work with: sizes, the model's functions, the law, the mode, memory.

    Two runs at the same time need one object each. `address` is valid as long as the object lives.

    Parameters
    ----------
    n_q, n_u, n_contacts : int
        Coordinates, speeds, contacts; the state is x = [q, u].
    law : ImpactLaw
    resolution : Resolution
    terms : int
        Address of ``void(double t, const double *x, const double *p, double *out)``, which writes M (n_u x n_u) and W^T
        (n_contacts x n_u) row by row, w (n_contacts) and the restitutions (n_contacts), with gamma = W^T u + w.
    parameters : array_like
        p. A contiguous array of doubles is shared, so that values written to it during the run are seen.
    length : float
        The model's length (m), to which gaps are compared.
    flow, gaps, project : int
        Addresses of the model's functions as `Stage` takes them, p for data: the free motion, the boundaries with their
        derivatives, the projection (0 where there is none).
    n_boundaries : int, optional
        Boundaries that `gaps` gives, the contacts first; by default there are no others.
    switches : int
        Address of the table of the stage's switches, see `sympact.integrate.switches`; 0 where it has none.

    Examples
    --------
    >>> from sympact.contact import Newton, Simultaneous
    >>> data = ContactData(6, 6, 8, Newton(), Simultaneous(), terms=0, parameters=[], length=1.0)
    >>> data.array(at.IMPULSE).shape
    (8,)
    """

    def __init__(
        self,
        n_q: int,
        n_u: int,
        n_contacts: int,
        law: ImpactLaw,
        resolution: Resolution,
        *,
        terms: int,
        parameters: ArrayLike,
        length: float,
        flow: int = 0,
        gaps: int = 0,
        project: int = 0,
        n_boundaries: int | None = None,
        switches: int = 0,
    ) -> None:
        nb = n_contacts if n_boundaries is None else n_boundaries
        self._parameters = np.ascontiguousarray(parameters, float)
        self._layout = _offsets(n_q, n_u, n_contacts, nb)
        self._block = np.zeros(self._layout.size)
        self._table = np.zeros(at.SIZE, np.int64)
        self._table[self._layout.slots] = _address(self._block) + 8 * self._layout.starts
        self._table[[at.N_Q, at.N_U, at.N_C, at.N_B, at.PIVOT]] = n_q, n_u, n_contacts, nb, -1
        self._table[[at.TERMS, at.PARAMETERS]] = terms, _address(self._parameters)
        self._table[[at.FLOW, at.GAPS, at.PROJECT, at.SWITCHES]] = flow, gaps, project, switches
        self._table[[at.SOLVER, at.SELF]] = law.solver(resolution).address(), self.address
        if flow:
            units = (Newton().solver(Simultaneous()), CLOSED_RATES, CLOSED_FORCES, CLOSED_PROJECT, _TAKE_RATES)
            slots = [at.FORCE_SOLVER, at.HOLD, at.WATCH, at.SETTLE, at.TAKE_RATES]
            self._table[slots] = [unit.address() for unit in units]
        self.array(at.SCALAR)[at.LENGTH] = length
        self.array(at.ACTIVE)[:] = BY_RATES
        for slot in (at.LAST_T, at.INTERVAL, at.LAST_REBOUND, at.REBOUND_BEFORE):
            self.array(slot)[:] = np.nan

    @property
    def address(self) -> int:
        """What is passed to the transition as its data."""
        return _address(self._table)

    @property
    def singular_speed(self) -> int | None:
        """Index of the speed at which the last impact found the mass matrix not positive definite."""
        pivot = int(self._table[at.PIVOT])
        return None if pivot < 0 else pivot

    @property
    def residual(self) -> float:
        """By how much the last impact misses its law, relative to its speeds."""
        return float(self.array(at.SCALAR)[at.RESIDUAL])

    def place(self, slot: int) -> int:
        """The address of the numbers at a slot of `sympact.contact.layout`."""
        return int(self._table[slot])

    def pose(self, mass: np.ndarray, jacobian: np.ndarray, gap_rate_minus: np.ndarray, restitution: np.ndarray) -> None:
        """Set the impact problem of all contacts from numbers, for a solver that is called on its own."""
        n = len(gap_rate_minus)
        self.array(at.OUT)[:] = np.concatenate([mass.ravel(), jacobian.ravel(), np.zeros(n), restitution])
        self.array(at.RESTITUTION)[:] = restitution
        self.array(at.RATE_MINUS)[:] = gap_rate_minus
        self.array(at.WHO)[:] = np.arange(n)
        self._table[at.COUNT] = n

    def array(self, slot: int) -> np.ndarray:
        """The numbers at a slot of `sympact.contact.layout`, flat; the memory is that of the machine code."""
        start, size, dtype = self._layout.places[slot]
        return self._block[start : start + size].view(dtype)


@dataclass(frozen=True)
class _Layout:
    """Where the arrays of an impact of given size stand in their block, eight bytes a number.

    Attributes
    ----------
    slots, starts : arrays of int
        For each array its slot in the table, and where it begins.
    size : int
        Of the block.
    places : mapping of slot to (start, size, dtype)
    """

    slots: np.ndarray
    starts: np.ndarray
    size: int
    places: Mapping[int, tuple[int, int, type]]


@lru_cache(maxsize=64)
def _offsets(n_q: int, m: int, n: int, nb: int) -> _Layout:
    doubles, wholes = _sizes(n_q, m, n, nb)
    sizes = doubles | wholes
    ends = np.cumsum(list(sizes.values()))
    starts = ends - np.array(list(sizes.values()))
    places = {
        slot: (int(start), size, np.int64 if slot in wholes else float)
        for (slot, size), start in zip(sizes.items(), starts, strict=True)
    }
    return _Layout(np.array(list(sizes)), starts, int(ends[-1]), places)


def _sizes(n_q: int, m: int, n: int, nb: int) -> tuple[dict[int, int], dict[int, int]]:
    """Sizes of the arrays of doubles and of int64, by slot."""
    k = max(m, n)
    per_contact = (
        at.RATE_MINUS, at.UNCERTAIN, at.RATE_PLUS, at.IMPULSE, at.LENGTHS, at.BOUNDS, at.MULTIPLIER, at.NULL_BOUNDS,
        at.NULL_MULTIPLIER, at.NULL_POINT, at.RESTITUTION, at.HOP, at.LAST_T, at.INTERVAL, at.LAST_REBOUND,
        at.REBOUND_BEFORE,
    )
    doubles = {at.OUT: m * m + n * m + 2 * n, at.SCALAR: at.N_SCALARS, at.COLUMNS: n * m}
    doubles |= {at.CHANGE: m, at.MOTION: m, at.ROWS: n * n, at.NULL_COLUMNS: n * n} | dict.fromkeys(per_contact, n)
    doubles |= {at.ALONG: 3 * nb, at.VALUES: nb} | dict.fromkeys((at.RATES, at.TRIAL, at.AHEAD_STATE), n_q + m)
    wholes = {at.WHO: n, at.STANDING: n, at.CANDIDATE: n, at.STATUS: n + 1, at.ACTIVE: nb}
    for basis in (at.BASIS, at.NULL):
        doubles |= {basis: k * k, basis + 1: k * k, basis + 2: k, basis + 3: k, basis + 4: k}
        wholes |= {basis + 5: k, basis + 6: 1}
    return doubles, wholes


def _address(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]
