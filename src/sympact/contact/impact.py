"""The impact as the loop sees it: the address of a transition, and the memory that it works in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from sympact.contact import layout as at
from sympact.contact.laws import ImpactLaw, Resolution
from sympact.integrate.unit import Unit

__all__ = ["TRANSITION", "ImpactData"]

TRANSITION = Unit("sympact.contact.impact_kernel", "impact", "int64(float64, int64, int64, int64, int64, int64)")
"""The transition of every stage whose boundaries are contacts."""


class ImpactData:
    """What the impacts of one run work with: sizes, the law, the model's terms, memory.

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
    stage : int
        The stage that an impact enters.
    switches : int
        Address of the table of the stage's switches, see `sympact.integrate.switches`; 0 where it has none.

    Examples
    --------
    >>> from sympact.contact import Newton, Simultaneous
    >>> data = ImpactData(6, 6, 8, Newton(), Simultaneous(), terms=0, parameters=[], length=1.0)
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
        stage: int = 0,
        switches: int = 0,
    ) -> None:
        self._parameters = np.ascontiguousarray(parameters, float)
        self._layout = _offsets(n_u, n_contacts)
        self._block = np.zeros(self._layout.size)
        self._table = np.zeros(at.SIZE, np.int64)
        self._table[self._layout.slots] = _address(self._block) + 8 * self._layout.starts
        self._table[[at.N_Q, at.N_U, at.N_C, at.STAGE, at.PIVOT]] = n_q, n_u, n_contacts, stage, -1
        self._table[[at.TERMS, at.PARAMETERS, at.SWITCHES]] = terms, _address(self._parameters), switches
        self._table[at.SOLVER] = law.solver(resolution).address()
        self.array(at.SCALAR)[at.LENGTH] = length

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

    def pose(self, mass: np.ndarray, jacobian: np.ndarray, gap_rate_minus: np.ndarray, restitution: np.ndarray) -> None:
        """Set the impact problem of all contacts from numbers, for a solver that is called on its own."""
        n = len(gap_rate_minus)
        self.array(at.OUT)[:] = np.concatenate([mass.ravel(), jacobian.ravel(), np.zeros(n), restitution])
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
def _offsets(m: int, n: int) -> _Layout:
    doubles, wholes = _sizes(m, n)
    sizes = doubles | wholes
    ends = np.cumsum(list(sizes.values()))
    starts = ends - np.array(list(sizes.values()))
    places = {
        slot: (int(start), size, np.int64 if slot in wholes else float)
        for (slot, size), start in zip(sizes.items(), starts, strict=True)
    }
    return _Layout(np.array(list(sizes)), starts, int(ends[-1]), places)


def _sizes(m: int, n: int) -> tuple[dict[int, int], dict[int, int]]:
    """Sizes of the arrays of doubles and of int64, by slot."""
    k = max(m, n)
    per_contact = (
        at.RATE_MINUS, at.UNCERTAIN, at.RATE_PLUS, at.IMPULSE, at.LENGTHS, at.BOUNDS, at.MULTIPLIER, at.NULL_BOUNDS,
        at.NULL_MULTIPLIER, at.NULL_POINT,
    )
    doubles = {at.OUT: m * m + n * m + 2 * n, at.SCALAR: at.N_SCALARS, at.COLUMNS: n * m}
    doubles |= {at.CHANGE: m, at.MOTION: m, at.ROWS: n * n, at.NULL_COLUMNS: n * n} | dict.fromkeys(per_contact, n)
    wholes = {at.WHO: n, at.STANDING: n}
    for basis in (at.BASIS, at.NULL):
        doubles |= {basis: k * k, basis + 1: k * k, basis + 2: k, basis + 3: k, basis + 4: k}
        wholes |= {basis + 5: k, basis + 6: 1}
    return doubles, wholes


def _address(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]
