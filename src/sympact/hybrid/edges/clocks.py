"""The clocks of a run: the memory of the instants at which stages update states."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from sympact.hybrid.edges.process_memory import PeriodMemory, TickMemory
from sympact.hybrid.edges.process_table import Code
from sympact.integrate.memory.clock_memory import ClockMemory
from sympact.native.kernel import Unit

__all__ = ["CLOCK_UNITS", "Period", "StageClocks"]

_TICK = Unit("sympact.hybrid.edges.clock_kernel", "tick", "void(float64, int64, int64, int64)")
_ENTER = Unit("sympact.hybrid.edges.clock_kernel", "enter_clocks", "void(int64, int64, float64)")
CLOCK_UNITS = (_TICK, _ENTER)
"""The functions that a process with clocks calls."""


@dataclass(eq=False)
class Period:
    """One clock of a run.

    Parameters
    ----------
    every : float or callable
        Its period (s), or ``every(p)``: the period with the parameters of a run.
    phase : float or None
        The origin of its instants; None: the entry of its stage.
    update : Code
    counter : int
        Address of the number of instants before the present one.
    """

    every: float | Callable[[np.ndarray], float]
    phase: float | None
    update: Code
    counter: int
    memory: PeriodMemory = field(init=False)

    def __post_init__(self) -> None:
        self.memory = memory = PeriodMemory.allocate({})
        memory.origin = 0.0 if self.phase is None else self.phase
        memory.resumes = self.phase is not None
        memory.counter = self.counter
        memory.update, memory.update_data = self.update.address, self.update.data

    def measure(self, p: np.ndarray) -> None:
        """Write the period of a run with the parameters `p`.

        Raises
        ------
        ValueError
            If it is not above zero.
        """
        every = self.every(p) if callable(self.every) else self.every
        if not (math.isfinite(every) and every > 0):
            raise ValueError(f"a period is {every!r}, expected a number above 0 (s); check its parameters")
        self.memory.period = every


class StageClocks:
    """The clocks of one stage.

    Parameters
    ----------
    periods : sequence of Period
        Stages may share them.
    n_states : int
    switches : int
        Address of the switches of the stage, or 0.

    Attributes
    ----------
    address : int
        Of the `TickMemory`, 0 where the stage has none.
    memory : TickMemory or None
    clock : ClockMemory or None
    """

    def __init__(self, periods: Sequence[Period], n_states: int, switches: int) -> None:
        self.periods, self.address = tuple(periods), 0
        self.memory: TickMemory | None = None
        self.clock: ClockMemory | None = None
        if not periods:
            return
        self.memory = memory = TickMemory.allocate({"n_states": n_states, "n_clocks": len(periods)})
        memory.clocks[:] = [one.memory.address for one in periods]
        self.clock = clock = ClockMemory.allocate({})
        memory.plan, memory.switches = clock.address, switches
        clock.tick, clock.tick_data = _TICK.address(), memory.address
        self.address = memory.address

    @property
    def place(self) -> int:
        """The address of the clock as the loop knows it; 0 where the stage has none."""
        return 0 if self.clock is None else self.clock.address

    def begin(self, t: float) -> None:
        """Start all clocks at the start of a run."""
        if self.address:
            marks = np.ones(len(self.periods), dtype=np.int64)
            _ENTER.callable()(self.address, marks.ctypes.data, t)

    @property
    def instants(self) -> tuple[tuple[float, int], ...]:
        """For each clock the origin of its instants (s), and how many it has had."""
        return tuple((float(one.memory.origin), int(one.memory.count)) for one in self.periods)

    def go_on(self, instants: Sequence[tuple[float, int]]) -> None:
        """Take over the instants of an earlier run, after `begin`; the next one is that of all."""
        for one, (origin, count) in zip(self.periods, instants, strict=True):
            one.memory.origin, one.memory.count = origin, count
        if self.address:
            marks = np.zeros(len(self.periods), dtype=np.int64)
            _ENTER.callable()(self.address, marks.ctypes.data, 0.0)

    def restarted_from(self, source: StageClocks) -> np.ndarray:
        """A mark for each clock: 1 where a stage that is left does not have it."""
        return np.array([one not in source.periods for one in self.periods], dtype=np.int64)
