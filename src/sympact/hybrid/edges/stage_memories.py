"""The stages of a process in memory: what a run changes of it, and memories that wait for the next run.

A process keeps the memory of earlier runs with the addresses in it. A run sets it back to what it was when it was made,
writes its parameters, and begins. Python functions of the process are called through the same memory; an exception of
one is that of the present run.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from sympact.hybrid.edges.clocks import StageClocks
from sympact.hybrid.edges.process_table import Switches
from sympact.integrate.loop.prepared_run import PreparedRun
from sympact.integrate.loop.written_piece import WrittenPiece
from sympact.integrate.problem.continuation import Continuation, numbered
from sympact.integrate.problem.program import Program
from sympact.integrate.problem.settings import Settings
from sympact.integrate.problem.stage import Scales
from sympact.integrate.search.proof import Proof
from sympact.native.engine import MACHINE_CODE, present_engine
from sympact.native.image import Image

__all__ = ["RecalledMemory", "StageMemories", "WaitingMemories"]

_KEPT = 4  # memories of each size, and preparations of a memory


class StageMemories:
    """The stages of a process in the memory of one run at a time.

    Parameters
    ----------
    program : Program
        The stages as the loop runs them.
    p : array
        What the machine code reads as parameters: those of the process first, then what a run sets back to the present
        numbers, such as counters of instants and switches.
    switches : sequence of Switches or None
        Those of each stage.
    by_rates : sequence of bool
        Whether the boundaries of each stage have rates.
    clocks : sequence of StageClocks
        Those of each stage; none where no stage has any.
    proofs : sequence of Proof
        Those of all stages.

    Attributes
    ----------
    lasting : bool
        Whether another run may use it: the addresses in it are those of machine code.
    scales : tuple of Scales
        Those of each stage in the present run; none where none is known.
    """

    def __init__(
        self,
        program: Program,
        p: np.ndarray,
        switches: Sequence[Switches | None],
        by_rates: Sequence[bool],
        clocks: Sequence[StageClocks] = (),
        proofs: Sequence[Proof] = (),
    ) -> None:
        self.program, self.p, self.switches, self.clocks = program, p, switches, clocks
        self.lasting = present_engine() is MACHINE_CODE
        self.scales: tuple[Scales, ...] = ()
        self._periods = tuple({id(one): one for stage in clocks for one in stage.periods}.values())
        self._data = [None if one is None else one.data for one in switches]
        self._by_rates = by_rates
        self._p, self._signs = p.copy(), [one.values for one in self._data if one is not None]
        own = [*self._data, *self._periods, *clocks, *proofs]
        memories = [part.memory for part in own if part is not None and part.memory is not None]
        self._images = [Image(memory) for memory in (*memories, *program.memories)]
        self._prepared: dict[tuple[object, int], PreparedRun] = {}

    def restore(self, numbers: np.ndarray) -> None:
        """Set it back to what it was when it was made, with these parameters."""
        self.p[:] = self._p
        self.p[: len(numbers)] = numbers
        for signs in self._signs:
            signs.fill(1.0)
        for image in self._images:
            image.restore()
        if self.program.faults is not None:
            self.program.faults.forget()

    def begin(self, numbers: np.ndarray, t: float, x: np.ndarray, stage: int) -> None:
        """The start of a run: the sides of boundaries and conditions of its stage there, and its clocks."""
        self.restore(numbers)
        for period in self._periods:
            period.measure(self.p)
        found = self._data[stage]
        if found is not None:
            settle = found.settle if self._by_rates[stage] else found.settle_by_values
            settle(t, x)
            found.begin()
        if self.clocks:
            self.clocks[stage].begin(t)
        slopes = [
            data.slopes(t, x) if data is not None and by_rates else ()
            for data, by_rates in zip(self._data, self._by_rates, strict=True)
        ]
        self.scales = tuple(Scales(switch_slopes=one) for one in slopes) if any(slopes) else ()

    def go_on(self, stage: int, end: Continuation) -> None:
        """Take over the sides and the clocks of an earlier run in a stage, which has begun."""
        found = self.switches[stage]
        if found is not None and end.sides:
            names = numbered(name for name, _ in found.names)
            found.data.go_on([end.sides.get(name, (0.0, 0.0)) for name in names])
        if self.clocks and end.clocks:
            self.clocks[stage].go_on(end.clocks)

    def changes(self) -> tuple:
        """What the run has changed of the memory, without an address: see `restore_changes`."""
        images = [image.differences(image.linked) for image in self._images]
        return self.p.copy(), [signs.copy() for signs in self._signs], images

    def restore_changes(self, changes: tuple) -> None:
        """Write the changes of another run of the process that began as this one, which has just begun."""
        p, signs, images = changes
        self.p[:] = p
        for own, found in zip(self._signs, signs, strict=True):
            own[:] = found
        for image, found in zip(self._images, images, strict=True):
            image.restore()
            image.put(found)

    @contextmanager
    def lend(self) -> Iterator[tuple[Program, None]]:
        """The program in this memory, see `Modes`."""
        yield self.program, None

    def prepared(self, settings: Settings, stage: int) -> PreparedRun:
        """The program with these settings; a stepper that is a Python function serves one run alone."""
        found = self._prepared.get((settings.same, stage))
        if found is None:
            found = PreparedRun(self.program, settings, stage)
            if self.lasting and settings.by.units():
                if len(self._prepared) >= _KEPT:
                    self._prepared.clear()
                self._prepared[settings.same, stage] = found
        return found

    def end(self, run: WrittenPiece) -> Continuation:
        """What a run that goes on takes over, after the end of this one and before anything else uses the memory."""
        stages = tuple(run.modes.table[:, 0].tolist())
        stage = stages[int(run.samples["sample_stage"][-1])]
        found, sides = self.switches[stage], {}
        if found is not None:
            names, signs = numbered(name for name, _ in found.names), found.data.sides().tolist()
            sides = {name: (sign, size) for name, (sign, size) in zip(names, signs, strict=True)}
        clocks = self.clocks[stage].instants if self.clocks else ()
        return Continuation(stages, run.latched, sides, clocks)


class WaitingMemories:
    """The memories of a process that no run uses, of which each run takes one.

    Parameters
    ----------
    make : callable
        ``make(n_states, n_parameters)``: a new one.
    """

    def __init__(self, make: Callable[[int, int], StageMemories]) -> None:
        self._make, self._idle = make, dict[tuple[int, int], deque[StageMemories]]()

    def take(self, n_states: int, n_parameters: int) -> StageMemories:
        """Memory for a run: that which an earlier run has returned, or new memory."""
        if present_engine() is MACHINE_CODE:
            try:
                return self._of_size(n_states, n_parameters).pop()
            except IndexError:
                pass  # none is free, or another thread has taken it
        return self._make(n_states, n_parameters)

    def give_back(self, memory: StageMemories, n_states: int, n_parameters: int) -> None:
        """Leave the memory to the next run."""
        if memory.lasting:
            self._of_size(n_states, n_parameters).append(memory)

    def _of_size(self, n_states: int, n_parameters: int) -> deque[StageMemories]:
        found = self._idle.get((n_states, n_parameters))
        return self._idle.setdefault((n_states, n_parameters), deque(maxlen=_KEPT)) if found is None else found


class RecalledMemory:
    """Lends a process with the parameters of a run that has ended: what `Modes` evaluates states between samples in.

    Parameters
    ----------
    waiting : WaitingMemories
    n_states : int
    numbers : array
        The parameters of the run.
    """

    __slots__ = ("_n_states", "_numbers", "_waiting")

    def __init__(self, waiting: WaitingMemories, n_states: int, numbers: np.ndarray) -> None:
        self._waiting, self._n_states, self._numbers = waiting, n_states, numbers

    @contextmanager
    def __call__(self) -> Iterator[tuple[Program, None]]:
        """The program, for one thread at a time."""
        size = self._n_states, len(self._numbers)
        memory = self._waiting.take(*size)
        memory.restore(self._numbers)
        yield memory.program, None
        self._waiting.give_back(memory, *size)
