"""How the units of a run are evaluated: as machine code, or interpreted as Python where there is none yet."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from sympact.native.cache import default_cache
from sympact.native.compilation import (
    compile_beside,
    has_numba,
    keeps_what_others_compile,
    lacks_its_folder,
    missing_units,
)
from sympact.native.debugging import DEBUGGED
from sympact.native.kernel import LOG, PRESENT, Unit, machine_addresses
from sympact.native.memory import Memory
from sympact.native.processor import host_target

__all__ = ["ENGINES", "MACHINE_CODE", "Engine", "default_engine", "engine_for", "present_engine"]

ENGINES = {
    "auto": "a run without machine code for some unit starts at once, interpreted, while other processes compile it",
    "any": "the same, and the run goes on with the machine code as soon as there is all of it",
    "compiled": "a run waits for its machine code",
    "interpreted": "a run uses no machine code of units",
}
"""The values of ``engine=``."""

_LOOK = 0.25  # s, between looks for machine code during a run


class Engine:
    """How the units of one run are evaluated.

    Parameters
    ----------
    interpreted : bool
        By the interpreter of Python.
    awaited : sequence of Unit, optional
        When there is machine code of all of these, `switch` may be called within the run.

    Attributes
    ----------
    interpreted : bool
    switched_at : float or None
        The time of the run (s) at which it went on as machine code.
    """

    def __init__(self, interpreted: bool, awaited: Sequence[Unit] = ()) -> None:
        self.interpreted = interpreted
        self.switched_at: float | None = None
        self._awaited, self._looked = tuple(awaited), time.monotonic()

    @property
    def name(self) -> str:
        """The level of the processor, "interpreted", or both with the time between them."""
        if self.interpreted:
            return "interpreted"
        level = host_target().name
        return level if self.switched_at is None else f"interpreted to t = {self.switched_at:.9g} s, then {level}"

    @contextmanager
    def in_force(self) -> Iterator[None]:
        """In this block, in this thread, units are addressed and called by this engine."""
        token = PRESENT.set(self)
        try:
            yield
        finally:
            PRESENT.reset(token)

    def may_switch(self) -> bool:
        """Whether there is machine code of all that it awaits; some times a second it looks."""
        if not (self.interpreted and self._awaited) or time.monotonic() < self._looked + _LOOK:
            return False
        self._looked = time.monotonic()
        return not missing_units(self._awaited)

    def switch(self, t: float, memories: Iterable[Memory]) -> None:
        """Go on as machine code from the time t (s) of the run, with the same memory.

        Parameters
        ----------
        t : float
        memories : iterable of Memory
            All memory of the run with addresses of units.
        """
        self.interpreted, self.switched_at = False, t
        for memory in memories:
            memory.replace_addresses(machine_addresses(memory.addresses()))


MACHINE_CODE = Engine(interpreted=DEBUGGED)
"""The engine of runs that are not interpreted; under ``NUMBA_DISABLE_JIT=1`` there are none."""


def present_engine() -> Engine:
    """The engine in force."""
    engine = PRESENT.get()
    return engine if isinstance(engine, Engine) else MACHINE_CODE


def default_engine() -> str:
    """The value of ``engine=`` where none is given: ``SYMPACT_ENGINE`` if it is set, else "auto".

    Raises
    ------
    ValueError
        If the variable has another value.
    """
    chosen = os.environ.get("SYMPACT_ENGINE") or "auto"
    if chosen not in ENGINES:
        raise ValueError(f"SYMPACT_ENGINE is {chosen!r}, expected one of {', '.join(map(repr, ENGINES))}")
    return chosen


def engine_for(asked: str, units: Sequence[Unit], occasional: Sequence[Unit] = ()) -> Engine:
    """The engine of a run; `MACHINE_CODE` where the run has to wait until its units are compiled.

    Parameters
    ----------
    asked : str
        One of `ENGINES`.
    units : sequence of Unit
        Those that the run calls.
    occasional : sequence of Unit, optional
        Those that it seldom calls: they are compiled for later runs, and no run waits for them.
    """
    units = list(dict.fromkeys(units))
    if DEBUGGED:
        return MACHINE_CODE
    if asked == "interpreted":
        return Engine(interpreted=True)
    missing = [] if asked == "compiled" else missing_units(units)
    if missing and not has_numba():
        _tell(_FOR_GOOD, missing=len(missing), all=len(units), host=host_target().name)
        return Engine(interpreted=True)
    if missing and keeps_what_others_compile():
        compile_beside([*missing, *missing_units(occasional)])
        _tell(_FOR_NOW, missing=len(missing), all=len(units), then=_THEN[asked])
        return Engine(interpreted=True, awaited=units if asked == "any" else ())
    if missing and lacks_its_folder():
        _tell(_WITHOUT_FOLDER, missing=len(missing), all=len(units), folder=default_cache().folder)
        return Engine(interpreted=True)
    return MACHINE_CODE


_THEN = {"auto": "the next run uses it", "any": "the run goes on with it as soon as it is there"}
_FOR_NOW = (
    "sympact: there is no machine code yet for {missing} of the {all} units of this run. The run is interpreted, some "
    "hundred times slower; other processes compile the units meanwhile, in half a minute to two, and {then}. To wait "
    "for it, give engine='compiled'; to compile everything in advance, run python -m sympact compile; a released wheel "
    "contains it."
)
_WITHOUT_FOLDER = (
    "sympact: there is no machine code for {missing} of the {all} units of this run, and the folder {folder}, which "
    "would keep it, cannot be used. Runs are interpreted, some hundred times slower. Set SYMPACT_CACHE_DIR to a folder "
    "of your own; or give engine='compiled', which compiles for this process alone."
)
_FOR_GOOD = (
    "sympact: this installation has no machine code for {missing} of the {all} units of this run on this machine "
    "({host}), and numba, which would make it, is not installed. Runs are interpreted, some hundred times slower. "
    "Install a released wheel of sympact, or numba with pip install 'sympact[kernels]'."
)


_told: set[str] = set()


def _tell(text: str, **numbers: object) -> None:
    """Give a message, once in a process, whatever its numbers."""
    if text not in _told:
        _told.add(text)
        LOG.warning(text.format(**numbers))
