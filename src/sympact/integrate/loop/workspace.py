"""The workspace of one run: its memory, and the columns of samples and events that grow with it."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sympact.integrate.memory import run_codes as codes
from sympact.integrate.memory.run_memory import IMPLICIT, RunMemory
from sympact.integrate.problem.program import Program
from sympact.integrate.problem.schedule import Schedule
from sympact.integrate.problem.stage_table import StageTable
from sympact.integrate.problem.stepper import StepLayout
from sympact.native.addresses import address_of, forget
from sympact.native.cached import cached_property
from sympact.native.memory import Address, Array, Part, Real, Size, View, Whole

__all__ = ["Shape", "Workspace", "counts"]

_SAMPLES, _EVENTS, _MODES = 1024, 128, 64
_KEPT, _LARGEST_KEPT = 4, 2**24  # workspaces of one shape, and bytes of samples of each, to be reused
_LARGEST_GROWTH, _GROWTH = 2**22, 1 / 64  # bytes, or this part where more: Ctrl-C waits for the allocation
_idle: dict[Shape, deque[Workspace]] = {}
_COUNTS = {
    "steps": "steps",
    "rejected": "rejected",
    "flow": "flow_calls",
    "boundary": "boundary_calls",
    "dense": "dense_calls",
    "parts": "parts",
    "unproven": "unproven",
    "interpolated": "interpolated",
}
_COUNTED = [RunMemory.fields[name].slot for name in _COUNTS.values()]


_CLEARED = [
    field.slot
    for name, field in RunMemory.fields.items()
    if (
        isinstance(field, Real)
        or type(field) is Whole
        or name in {"n_stops", "exact", "prove", "arrive", "arrive_data"}
    )
    and name not in {"last", "smooth"}
]
"""The fields that are zero at the start of a run: counters, scalars, the schedule, optional addresses."""
_PLACED = np.array(
    [
        field.slot
        for field in RunMemory.fields.values()
        if isinstance(field, Array | View | Address | Size) and not isinstance(field, Part)
    ],
    dtype=int,
)
"""The places of sizes and addresses in the table of a run, which is the first of its block."""
_RESERVE = 4  # rows that are free where a run goes on
_STARTS = [RunMemory.fields[name].slot for name in ("t", "t_start", "seen_t")]
_ENDS = [RunMemory.fields[name].slot for name in ("t_end", "t_stop")]
_MODE, _SAMPLES_SO_FAR = RunMemory.fields["mode"].slot, RunMemory.fields["samples"].slot


@dataclass(frozen=True)
class Shape:
    """The sizes of a run.

    Attributes
    ----------
    n, width, record, words : int
        States, the largest number of boundaries of a stage, of numbers in the report of a transition, of statuses and
        switches of a stage.
    layout : StepLayout
    polynomials : bool
        Whether the polynomial of every step is stored.
    unknowns : int
        States and multipliers of a stage, for an implicit stepper; 0 for others.
    """

    n: int
    width: int
    record: int
    words: int
    layout: StepLayout
    polynomials: bool
    unknowns: int = 0

    @classmethod
    def of(cls, program: Program, layout: StepLayout, *, polynomials: bool) -> Shape:
        """The sizes of the runs of a program by a stepper."""
        table, n = program.table, len(program.state_names)
        unknowns = n + table.multipliers if layout.implicit else 0
        return cls(n, table.width, table.record_width, table.mode_words, layout, polynomials, unknowns)

    @cached_property
    def idle(self) -> deque[Workspace]:
        """The workspaces of these sizes that no run uses."""
        return _idle.setdefault(self, deque(maxlen=_KEPT))


class Workspace:
    """The memory of a run, made by `borrow`.

    Attributes
    ----------
    run : RunMemory
        Its sizes, numbers and arrays.
    address : int
        Its address, the argument of the loop.
    width : int
        The largest number of boundaries of a stage.
    rates : int
        The address of the rates of the state at the stages of a step.
    kept_for : object
        Whose start of a run `keep` has stored; None where there is none, or where the memory has grown since.
    """

    def __init__(self, shape: Shape):
        self._shape, self.n, self.width = shape, shape.n, shape.width
        n, width, layout = shape.n, shape.width, shape.layout
        sizes = {"n_states": n, "stage_rows": layout.rows, "degree": layout.degree, "width": width}
        sizes |= {"record_width": shape.record, "n_boundaries": width, "n_stops": 0}
        sizes |= {"mode_width": 1 + shape.words if shape.words else 0}
        sizes |= dict.fromkeys(("mode_capacity", "sample_capacity", "event_capacity"), 0)
        sizes |= {"n_all": shape.unknowns}
        self.run = RunMemory.allocate(sizes, (IMPLICIT,) if layout.implicit else ())
        self.address = self.run.address
        self.run.last, self.run.smooth = layout.last, layout.smooth
        run = self.run
        self._x, self._atol = run.x, run.atol
        self.rates = RunMemory.rates.address(run)
        self.kept_for: object = None
        self._kept = np.empty_like(run.slots)
        self._kept_mode: np.ndarray | None = None
        self._latched = run.latched
        self._zeros = run.rejected_by, self._latched, run.beyond_by, run.met
        sample = {"sample_t": (), "sample_h": (), "sample_x": (n,), "sample_stage": (), "sample_low": ()}
        if shape.polynomials:
            sample["sample_polynomial"] = (layout.degree, n)
        event = {"event_t": (), "event_sample": (), "event_source": (), "event_target": (), "event_fired": (width,)}
        event["event_record"] = (shape.record,)
        self._samples = _Columns(self.run, "sample_capacity", sample, _SAMPLES)
        self._events = _Columns(self.run, "event_capacity", event, _EVENTS)
        self._modes: np.ndarray | None = None
        if shape.words:
            self._grow_modes(_MODES)

    @classmethod
    def borrow(cls, shape: Shape) -> Workspace:
        """A workspace of these sizes: one of an earlier run, whose numbers it still has, or a new one."""
        try:
            return shape.idle.pop()
        except IndexError:  # none is there, or another thread was faster
            return cls(shape)

    def give_back(self) -> None:
        """Leave the memory to the next run of the same sizes; nothing of this workspace may be read afterwards."""
        if self._fits_other_runs():
            self._shape.idle.append(self)

    def clear(self, table: StageTable) -> None:
        """Remove what earlier runs have left; the stages are those of `table`."""
        run = self.run
        run.slots[_CLEARED] = 0
        self._atol.fill(0.0)
        for array in self._zeros:
            array.fill(0)
        self._table, run.stages = table, table.address
        run.looking = codes.BY_RATES
        self.kept_for = None

    def keep(self, who: object) -> None:
        """Store the numbers as they are, for `restore`; `who` is then in `kept_for`.

        Also the first mode, unless it has switches, which each run sets by its start.
        """
        self._kept_mode = None
        if self._modes is not None and not self._table.mode_switches:
            self._first_mode(self._modes)
            self._kept_mode = self._modes[0].copy()
        self._kept[:] = self.run.slots
        self.kept_for = who

    def restore(self) -> None:
        """The numbers as `keep` has stored them, the arrays as `clear` leaves them but for the tolerances."""
        self.run.slots[:] = self._kept
        for array in self._zeros:
            array.fill(0)

    def plan(self, schedule: Schedule | None) -> None:
        """The ends of steps besides the end of the run: the times of a schedule."""
        run = self.run
        if schedule is not None and len(schedule.times):
            times, marks = schedule.place
            RunMemory.stops.place(run, times)
            RunMemory.marks.place(run, marks)
            run.n_stops = len(schedule.times)
            run.arrive, run.arrive_data = schedule.call
            run.t_stop = schedule.times[0]

    def enter(self, stage: int) -> None:
        """Begin in the stage with this index."""
        run = self.run
        run.stage = self._table.stages[stage]
        run.n_boundaries = self._table.stages[stage].n_boundaries
        run.stage_index = run.mode = stage
        run.restart = run.jumped = 1

    def latched(self) -> tuple[int, ...]:
        """The boundaries of transitions of the present stage that have been crossed and are not inside again."""
        marked = [k for k, mark in enumerate(self._latched.tolist()) if mark]
        if not marked:
            return ()
        stage = self.run.stage
        n_transitions = 0 if stage.n_contacts > 0 else int(stage.n_boundaries - stage.n_switches)
        return tuple(k for k in marked if k < n_transitions)

    def latch(self, boundaries: Sequence[int]) -> None:
        """Begin beyond these boundaries of transitions, which an earlier run has crossed; after `begin`."""
        for k in boundaries:
            self.run.latched[k] = 1

    def tolerate(self, atol: np.ndarray) -> None:
        """Write the absolute tolerances."""
        self._atol[:] = atol

    def tolerate_all(self) -> None:
        """No step has an error in units of its tolerance."""
        self.run.rtol, self.run.n_moving = 1.0, 1
        self._atol[:] = np.inf

    def begin(self, t_span: tuple[float, float], x: np.ndarray) -> None:
        """Write the span of the run and its initial state, and the first sample and mode."""
        run, (t, t_end) = self.run, t_span
        doubles, columns = run.doubles, self._samples.columns
        doubles[_STARTS], doubles[_ENDS] = t, t_end
        self._x[:] = x
        columns["sample_t"][0], columns["sample_x"][0] = t, x
        columns["sample_h"][0] = columns["sample_low"][0] = 0
        if self._modes is not None:
            if self._kept_mode is None:
                self._first_mode(self._modes)
            else:
                self._modes[0] = self._kept_mode
        columns["sample_stage"][0] = run.slots[_MODE]
        run.slots[_SAMPLES_SO_FAR] = 1

    def resume(self, stage: int, numbers: Mapping[str, float]) -> None:
        """Begin within a smooth arc, to which no jump has led, after `begin`.

        Parameters
        ----------
        stage : int
            The index of the stage.
        numbers : mapping of str to float
            Fields of the run as they were at that time in the run that goes on.
        """
        run = self.run
        self.enter(stage)
        run.jumped = 0
        for name, number in numbers.items():
            setattr(run, name, number)
        if self._modes is not None:
            self._first_mode(self._modes)
        self._samples.columns["sample_stage"][0] = run.mode

    def _first_mode(self, modes: np.ndarray) -> None:
        """Enter the mode of the start into the table."""
        run, row = self.run, modes[0]
        stage = self._table.stages[run.stage_index]
        n, m = stage.n_statuses, stage.n_switches - stage.n_watches
        row.fill(0)
        row[0] = run.stage_index
        if n:
            row[1 : 1 + n] = stage.statuses
        if m:
            row[1 + n : 1 + n + m] = stage.switches[:m] > 0.0
        run.mode, run.modes = 0, 1

    def _grow(self, columns: _Columns) -> None:
        """More rows of these columns, at other addresses than a start that is kept has them."""
        columns.grow()
        self.kept_for = None

    def _grow_modes(self, capacity: int) -> None:
        """A larger table of modes with the contents of the old one."""
        old = self._modes
        self._modes = np.zeros((capacity, self.run.mode_width), dtype=np.int64)
        if old is not None:
            self._modes[: len(old)] = old
        RunMemory.mode_table.place(self.run, address_of(self._modes, "the modes of Workspace"))
        self.run.mode_capacity = capacity
        self.kept_for = None

    def begun(self) -> list[np.ndarray]:
        """The memory that is the same at the start of each run, as integers: first the table of the run."""
        first_mode = [] if self._modes is None else [self._modes[0]]
        return [self.run.slots, *(array.view(np.int64) for array in self._zeros), *first_mode, *self._table.begun()]

    def modes(self) -> np.ndarray | None:
        """The modes so far, a row each: stage, statuses, signs of switches; None where stages have no modes."""
        return None if self._modes is None else self._modes[: self.run.modes].copy()

    def make_room(self) -> None:
        """Enlarge the buffers that are nearly full."""
        run = self.run
        if run.samples + 3 > run.sample_capacity:
            self._grow(self._samples)
        if run.events + 2 > run.event_capacity:
            self._grow(self._events)
        if self._modes is not None and run.modes + 2 > run.mode_capacity:
            self._grow_modes(2 * run.mode_capacity)

    def drain(self) -> dict[str, np.ndarray]:
        """Copies of the samples so far; the last of them becomes the first of those to come."""
        rows, columns = int(self.run.samples), self._samples.columns
        taken = {name: column[:rows].copy() for name, column in columns.items()}
        for column in columns.values():
            column[0] = column[rows - 1]
        self.run.samples = 1
        return taken

    def keep_last(self) -> None:
        """The last sample becomes the first, and there are no events."""
        last = self.run.samples - 1
        for column in self._samples.columns.values():
            column[0] = column[last]
        self.run.samples, self.run.events = 1, 0

    def samples(self) -> dict[str, np.ndarray]:
        """The columns of samples, as arrays that outlive the workspace, by the names of their fields."""
        return self._own(self._samples, self.run.samples)

    def events(self) -> dict[str, np.ndarray]:
        """The columns of events in the same way."""
        return self._own(self._events, self.run.events)

    def _own(self, columns: _Columns, rows: int) -> dict[str, np.ndarray]:
        """Copies of the first rows; the rows themselves where the workspace is too large for another run."""
        if self._fits_other_runs():
            return {name: column[:rows].copy() for name, column in columns.columns.items()}
        return {name: column[:rows] for name, column in columns.columns.items()}

    def _fits_other_runs(self) -> bool:
        return self._samples.size <= _LARGEST_KEPT

    def rows(self, first: int) -> dict[str, np.ndarray]:
        """Copies of the columns of samples from one of them on."""
        return {name: column[first : self.run.samples].copy() for name, column in self._samples.columns.items()}

    def event_rows(self) -> dict[str, np.ndarray]:
        """Copies of the columns of events."""
        return {name: column[: self.run.events].copy() for name, column in self._events.columns.items()}

    @cached_property
    def _own_places(self) -> np.ndarray:
        """The places of all numbers but sizes and addresses, which another process has of its own."""
        own = np.ones(len(self.run.words), dtype=bool)
        own[np.concatenate([self.run.linked, _PLACED])] = False
        return np.flatnonzero(own)

    def own_words(self) -> np.ndarray:
        """All numbers of the run but sizes and addresses: those at its start, too, which an earlier run has left."""
        return self.run.words[self._own_places]

    def restore_own(self, words: np.ndarray) -> None:
        """Write the `own_words` of a run of the same sizes."""
        self.run.words[self._own_places] = words

    def reenter(
        self,
        stage: int,
        samples: Mapping[str, np.ndarray],
        events: Mapping[str, np.ndarray],
        modes: np.ndarray | None,
    ) -> None:
        """Go on in a stage, with these samples, events and modes so far; the numbers of the run are there."""
        run = self.run
        run.stage = self._table.stages[stage]
        run.n_boundaries = self._table.stages[stage].n_boundaries
        for columns, rows in ((self._samples, samples), (self._events, events)):
            count = len(next(iter(rows.values())))
            while count + _RESERVE > columns.capacity:
                self._grow(columns)
            for name, values in rows.items():
                columns.columns[name][:count] = values
        if modes is not None:
            if len(modes) + _RESERVE > run.mode_capacity:
                self._grow_modes(2 * (len(modes) + _RESERVE))
            assert self._modes is not None, "a run with modes has a table of them"
            self._modes[: len(modes)] = modes

    def event_times(self) -> np.ndarray:
        """The times of the events so far; a view."""
        return self._events.columns["event_t"][: self.run.events]

    def numbers(self) -> np.ndarray:
        """The numbers of the run so far, for `counts`."""
        return self.run.slots.copy()


def counts(numbers: np.ndarray) -> dict[str, int]:
    """The work done, from `Workspace.numbers`."""
    return dict(zip(_COUNTS, numbers[_COUNTED].tolist(), strict=True))


class _Columns:
    """Buffers of the fields of a memory that are filled row by row and grow together.

    Parameters
    ----------
    run : RunMemory
        The memory that has the addresses of the columns.
    capacity_name : str
        The field with the number of rows.
    columns : mapping of str to tuple of int
        The fields with the shape of a row of each.
    capacity : int

    Attributes
    ----------
    columns : dict of str to array
        The buffers with their unused ends, by the names of their fields.
    """

    def __init__(
        self, run: RunMemory, capacity_name: str, columns: Mapping[str, tuple[int, ...]], capacity: int
    ) -> None:
        self._run, self._capacity_name, self._capacity = run, capacity_name, capacity
        self._row = 8 * sum(math.prod(shape) for shape in columns.values())
        self.columns = {
            name: np.empty((capacity, *shape), getattr(RunMemory.fields[name], "dtype", float))
            for name, shape in columns.items()
        }
        self._link()

    @property
    def capacity(self) -> int:
        """The number of rows."""
        return self._capacity

    @property
    def size(self) -> int:
        """The memory of all columns (bytes)."""
        return self._row * self._capacity

    def grow(self) -> None:
        """Double the number of rows, but add no more than some megabytes; no view of a column may be in use.

        The C library moves large blocks by their page table, without a copy.
        """
        piece = max(_LARGEST_GROWTH, int(_GROWTH * self.size))
        self._capacity += min(self._capacity, max(1, piece // self._row))
        for column in self.columns.values():
            forget(column)
            column.resize((self._capacity, *column.shape[1:]), refcheck=False)
        self._link()

    def _link(self) -> None:
        """Write the addresses of the columns and their length."""
        for name, column in self.columns.items():
            RunMemory.fields[name].place(self._run, address_of(column, f"the column {name} of Workspace"))
        setattr(self._run, self._capacity_name, self._capacity)
