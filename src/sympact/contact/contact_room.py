"""The memory of contacts, whose matrices have room for the participants of a problem and not for all contacts.

Of many contacts few are closed or strike at a time: matrices with a row for each contact would need memory, and time to
clear it before each run, that grow with the square of their number. Kernels ask for more room where there are more
participants than ever before in the run (`sympact.contact.problem.room_kernel`); a further run begins with little room
again, so that its memory follows its own contacts. Where there is no more memory a problem stays unsolved.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Collection, Mapping
from contextlib import suppress

import numpy as np

from sympact.contact.memory.contacts import Contacts
from sympact.integrate.problem.callback import Callback

__all__ = ["ROOM", "ContactMemory"]

ROOM = 16
"""The participants for which there is room at first."""
_GROWING = ("n_places", "basis_size")
_UNIT = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)


class ContactMemory:
    """The `Contacts` of a run, and the function by which kernels make room in them.

    Parameters
    ----------
    sizes : mapping of str to int
        All sizes of `Contacts` but `n_places` and `basis_size`, which grow.
    parts : collection of str
        The parts of the memory, see `Contacts`.

    Attributes
    ----------
    contacts : Contacts

    Examples
    --------
    >>> sizes = {"n_q": 6, "n_u": 6, "n_contacts": 1000, "n_boundaries": 1000, "n_rows": 0}
    >>> sizes |= {"n_branch_entries": 0, "n_coefficients": 2}
    >>> memory = ContactMemory(sizes, ())
    >>> memory.contacts.problem.redundant_rows.shape
    (16, 16)
    >>> memory.make_room(20)
    >>> memory.contacts.problem.redundant_rows.shape
    (32, 32)
    """

    def __init__(self, sizes: Mapping[str, int], parts: Collection[str]) -> None:
        self._sizes, self._parts, self._least = dict(sizes), tuple(parts), min(ROOM, sizes["n_contacts"])
        self.contacts = Contacts.allocate(self._sizes_for(self._least), self._parts, _GROWING)
        self._first = self.contacts.growing
        self._outgrown: list[np.ndarray | None] = []  # of this run: kernels may still hold views of it
        own = weakref.ref(self)

        def call(table: int) -> int:
            memory = own()
            assert memory is not None, "a run holds its memory"
            with suppress(MemoryError):  # the kernel sees that there is no room
                memory.make_room(int(memory.contacts.problem.count))
            return 0

        self._function = Callback(_UNIT(call))
        self.contacts.model.make_room = self._function.address

    def make_room(self, count: int) -> None:
        """Room for so many participants, with some in reserve; the matrices are zero then.

        Raises
        ------
        MemoryError
            If there is not enough memory; then nothing has changed.
        """
        present, last = int(self.contacts.problem.n_places), self.contacts.growing
        places = min(max(count, 2 * present), self._sizes["n_contacts"])
        self.contacts.grow(self._sizes_for(places), self._parts, _GROWING)
        if present == self._least:  # the first time in a run
            self._outgrown.clear()
        elif last is not self._first:
            self._outgrown.append(last)

    @property
    def places(self) -> int:
        """The number of participants for which there is room."""
        return int(self.contacts.problem.n_places)

    def _sizes_for(self, places: int) -> dict[str, int]:
        return {**self._sizes, "n_places": places, "basis_size": max(self._sizes["n_u"], places)}
