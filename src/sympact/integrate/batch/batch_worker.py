"""One worker of a batch: the memory of a run, and the unit that makes one run after the other in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from sympact.integrate.batch.batch_memory import DONE, FULL, UNLIMITED, BatchMemory
from sympact.integrate.loop.prepared_run import LOOP, PreparedRun
from sympact.integrate.loop.workspace import Workspace
from sympact.integrate.memory.run_memory import RunMemory
from sympact.native.addresses import address_of
from sympact.native.debugging import DEBUGGED
from sympact.native.kernel import Unit
from sympact.native.memory import Array

__all__ = ["BATCH_UNITS", "CHUNK", "KEPT", "KEPT_STATES", "PLAIN_BEGIN", "Columns", "Worker", "image_of"]

CHUNK = Unit("sympact.integrate.batch.batch_kernel", "run_chunk")
PLAIN_BEGIN = Unit("sympact.integrate.batch.batch_kernel", "begin")
BATCH_UNITS = [CHUNK, PLAIN_BEGIN]
"""What a batch calls besides the loop."""

_EVENTS = 2**14  # kept events of a chunk, at first; memory is taken where they are written
_GROWN = [
    field.slot
    for name, field in RunMemory.fields.items()
    if name.startswith(("sample_", "event_", "mode_table", "mode_capacity"))
]
"""What changes in the table of a run when its buffers grow."""

Words = tuple[np.ndarray, np.ndarray]
"""Places in an array of integers, and the integers there: all others are zero."""
Columns = dict[str, np.ndarray]
"""Of kept events, by the keys of `KEPT`."""
KEPT: dict[str, type] = {
    "kept_row": np.int64,
    "kept_t": np.float64,
    "kept_kind": np.uint8,
    "kept_fired": np.bool_,
    "kept_impulse": np.float64,
}
"""The columns of kept events, with their types."""
KEPT_STATES: dict[str, type] = {"kept_before": np.float64, "kept_after": np.float64}
"""Those of their states, where these are kept."""


def image_of(words: np.ndarray) -> Words:
    """The integers that are not zero."""
    places = np.flatnonzero(words)
    return places, words[places].copy()


class Worker:
    """The memory of one run after the other.

    Parameters
    ----------
    prepared : PreparedRun
    workspace : Workspace
        At the start of a run.
    numbers : array
        p, as the run reads it.
    images : iterable of (array, Words)
        Memory that each run begins with, as arrays of integers.
    sizes : mapping of str to int
        Those of `BatchMemory` that are not the workspace's.
    arrays : mapping of str to array
        The arrays of its part `OUT` but for kept events, by the names of its fields; shared by all workers.
    keeps : bool
        Whether events are kept.
    states : bool
        Whether the states on both sides of kept events are.
    beside : Worker, optional
        Into whose columns kept events are written.

    Attributes
    ----------
    memory : BatchMemory
    """

    def __init__(
        self,
        prepared: PreparedRun,
        workspace: Workspace,
        numbers: np.ndarray,
        images: Iterable[tuple[np.ndarray, Words]],
        sizes: Mapping[str, int],
        arrays: Mapping[str, np.ndarray],
        *,
        keeps: bool,
        states: bool = False,
        beside: Worker | None = None,
    ) -> None:
        self._workspace, self._arrays, self._numbers = workspace, arrays, numbers
        self._fixed, self._own = list(images), [image_of(array) for array in workspace.begun()]
        segments, words = self._layout()
        counts = {"n_segments": segments.shape[1], "n_words": words.shape[1]}
        numbers_of_states = {"n_states": workspace.n, "width": prepared.program.table.width, "capacity": 0}
        self.memory = BatchMemory.allocate({**counts, **numbers_of_states, "state_capacity": 0, **sizes})
        memory = self.memory
        memory.frame, memory.loop, memory.begin = workspace.address, LOOP.address(), PLAIN_BEGIN.address()
        memory.p, memory.keeps = numbers.ctypes.data, int(keeps) + int(keeps and states)
        self._link(segments, words)
        for name, array in arrays.items():
            BatchMemory.fields[name].place(memory, address_of(array, f"{name} of a batch"))
        self._kept: Columns = {}
        self._columns = {**KEPT, **(KEPT_STATES if memory.keeps == 2 else {})}
        if beside is not None:
            self.share_columns(beside)
        else:
            self._make_room_for_events(_EVENTS if keeps else 0)

    def run(self, first: int, last: int) -> Columns:
        """Make the runs from `first` to the one before `last`; returns their kept events, run by run.

        Fewer where the batch was stopped.
        """
        memory, chunk = self.memory, CHUNK.callable()
        self.begin(first, last)
        while (code := chunk(memory.address)) != DONE:
            if code == FULL:
                self.make_room_for_run()
            else:
                self.make_room_for_events()
        return self.kept(memory.kept)

    def begin(self, first: int, last: int) -> None:
        """The chunk from `first` to the one before `last` comes next."""
        memory = self.memory
        memory.row, memory.last, memory.going, memory.kept, memory.slice = first, last, 0, 0, UNLIMITED

    @property
    def run_memory(self) -> RunMemory:
        """The memory of the present run."""
        return self._workspace.run

    @property
    def ended(self) -> int:
        """Runs that have ended so far."""
        return int(self.memory.ended)

    def kept(self, count: int) -> Columns:
        """The first `count` kept events, in the order in which runs have ended."""
        return {name: self._kept[name][:count].astype(kind) for name, kind in self._columns.items()}

    def share_columns(self, other: Worker) -> None:
        """Write kept events into the columns of another worker."""
        self._kept, memory = other._kept, self.memory
        for name, column in self._kept.items():
            BatchMemory.fields[name].place(memory, address_of(column, f"{name} of a batch"))
        memory.capacity, memory.state_capacity = other.memory.capacity, other.memory.state_capacity

    def make_room_for_events(self) -> None:
        """Twice the columns that the events so far, and those of the present run, need."""
        self._make_room_for_events(2 * (self.memory.kept + self._workspace.run.events))

    def stop(self) -> None:
        """Have the unit return as soon as possible; from any thread."""
        self.memory.stop = 1
        self._workspace.run.budget = 0

    def give_back(self) -> None:
        """Leave the memory of the run to other runs."""
        self._workspace.kept_for = None
        self._workspace.give_back()

    def _present(self) -> list[tuple[np.ndarray, Words]]:
        """The memory that each run begins with, where it is now, and its integers."""
        return [*self._fixed, *zip(self._workspace.begun(), self._own, strict=True)]

    def _layout(self) -> tuple[np.ndarray, np.ndarray]:
        """Where the memory is that each run begins with: (addresses, sizes) of its pieces, (addresses, values) of its
        integers."""
        segments, words = [], []
        for array, image in self._present():
            starts, sizes, (places, values) = _pieces(array, image)
            first = _address(array)
            segments.append((first + 8 * starts, sizes))
            words.append((first + 8 * places, values))
        return np.concatenate(segments, axis=1), np.concatenate(words, axis=1)

    def _link(self, segments: np.ndarray, words: np.ndarray) -> None:
        """Write where the memory is that each run begins with, and its integers."""
        memory = self.memory
        memory.segment[:], memory.segment_size[:] = segments
        memory.word[:], memory.word_value[:] = words

    def make_room_for_run(self) -> None:
        """Enlarge the buffers of the run, which every further run has."""
        self._workspace.make_room()
        slots = self._workspace.run.slots
        places, values = self._own[0]
        grown = np.isin(places, _GROWN)
        values[grown] = slots[places[grown]]
        self._link(*self._layout())

    def _make_room_for_events(self, rows: int) -> None:
        """Larger columns of kept events with those so far."""
        memory, width = self.memory, self.memory.width
        for name in self._columns:
            field = BatchMemory.fields[name]
            assert isinstance(field, Array)
            further = (memory.n_states,) if name in KEPT_STATES else (width,) if len(field.shape) > 1 else ()
            shape = (rows, *further)
            column = np.zeros(shape, field.dtype)
            if name in self._kept:
                column[: memory.kept] = self._kept[name][: memory.kept]
            self._kept[name] = column
            field.place(memory, address_of(column, f"{name} of a batch"))
        memory.capacity = rows
        memory.state_capacity = rows if memory.keeps == 2 else 0


def _pieces(words: np.ndarray, image: Words) -> tuple[np.ndarray, np.ndarray, Words]:
    """Where the pieces of memory begin in an array of integers, their sizes, and the integers that are not zero.

    All is one piece, but where kernels are debugged: there those that guard its arrays are left out.
    """
    if not DEBUGGED or not np.isnan(words[-1:].view(np.float64)).any():
        return np.zeros(1, int), np.array([len(words)]), image
    guards = np.flatnonzero(words == words[-1])
    starts = np.concatenate([[0], guards[:-1] + 1])
    places, values = image
    kept = values != words[-1]
    return starts, guards - starts, (places[kept], values[kept])


def _address(words: np.ndarray) -> int:
    return words.__array_interface__["data"][0]
