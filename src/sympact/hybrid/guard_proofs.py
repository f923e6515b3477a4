"""The functions with which the search proves that boundaries have no crossing, compiled on demand."""

from __future__ import annotations

import threading
from collections.abc import Mapping

from sympact.graph import Function, Proving, compile_functions
from sympact.integrate.search.proof import AS_BEFORE, PLAIN, PROVEN, Lazy, Proof
from sympact.native import Code

__all__ = ["Proofs"]

_CLASSES = {None: AS_BEFORE, True: PLAIN, False: PROVEN}


class Proofs:
    """The proofs of the boundaries of one stage.

    Enclosures are part of its functions where a boundary needs them in every step; else, as for points and spheres on
    planes, they are compiled when a body first rotates so fast that its gaps need them.

    Parameters
    ----------
    found : Proving
    The suffix of the names of the functions.
        Ends the names of the functions.
    """

    def __init__(self, found: Proving, suffix: str = "") -> None:
        self._found, self._phases, self._enclosed = found, f"phases{suffix}", f"enclosed{suffix}"
        self._lock = threading.Lock()
        self._code: Code | None = None

    @property
    def functions(self) -> tuple[Function, ...]:
        """The functions that every run needs."""
        found = self._found
        functions = () if found.phases is None else (found.phases_function(self._phases),)
        return (*functions, found.enclosed_function(self._enclosed)) if False in found.plain else functions

    def table(self, running: Mapping[str, int], data: int) -> Proof | None:
        """The memory of the proofs of one run; None where its boundaries never need one."""
        if not self._found.wanted:
            return None
        lazy = None if self._enclosed in running else Lazy(self._compiled)
        enclosed = running[self._enclosed] if lazy is None else lazy.address
        classes = [_CLASSES[plain] for plain in self._found.plain]
        return Proof(enclosed, running.get(self._phases, 0), data, self._found.states, classes, lazy)

    def _compiled(self) -> int:
        """The address of the enclosures, compiled once."""
        with self._lock:
            if self._code is None:
                function = self._found.enclosed_function(self._enclosed)
                self._code = compile_functions(self._found.graph, [function])
            return self._code.address(self._enclosed)
