"""The memory of one run: the frame and the arrays whose addresses it holds."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from sympact.integrate.memory import run_layout as at
from sympact.integrate.problem.program import Program
from sympact.integrate.problem.schedule import Schedule
from sympact.integrate.problem.stepper import Stepper
from sympact.native.addresses import Pieces, address_of, forget

__all__ = ["Frame"]

_SAMPLES, _EVENTS, _MODES = 1024, 128, 64
_KEPT, _LARGEST_KEPT = 4, 2**24  # frames of one shape, and bytes of samples of a frame, that wait for the next run
_LARGEST_GROWTH, _GROWTH = 2**22, 1 / 64  # bytes, or this part where more: Ctrl-C waits for what fresh memory takes
_NOISE = 1e-9  # the largest part of `atol` that counts as noise in a margin
_DEAD_BAND = 1e-10  # depth of a dip that the search may pass over, relative to the scale
_idle: dict[Shape, list[Frame]] = {}
_COUNTS = {
    "steps": at.STEPS,
    "rejected": at.REJECTED,
    "flow": at.FLOW_CALLS,
    "boundary": at.BOUNDARY_CALLS,
    "dense": at.DENSE_CALLS,
    "parts": at.PARTS,
    "unproven": at.UNPROVEN,
}


@dataclass(frozen=True)
class Shape:
    """The sizes of a run.

    Attributes
    ----------
    n, width, record, stages : int
        States, the largest number of boundaries of a stage, of numbers that a transition reports, stages.
    stepper : Stepper
    polynomials : bool
        Whether the polynomial of every step is kept.
    """

    n: int
    width: int
    record: int
    stages: int
    stepper: Stepper
    polynomials: bool


class Frame:
    """Arrays for a run, linked as `layout` says; made by `borrow`.

    Attributes
    ----------
    whole : array of int64
        The frame itself.
    address : int
        Where it is: what the loop is called with.
    real : array of float64
        The scalars.
    width : int
        The largest number of boundaries of a stage.
    """

    def __init__(self, shape: Shape):
        self._shape, self.n, self.width = shape, shape.n, shape.width
        n, width, stepper = shape.n, shape.width, shape.stepper
        self.whole = np.zeros(at.SIZE, dtype=np.int64)
        self.address = address_of(self.whole, "the table of Frame")
        self._block = self._workspace()
        self._table = np.zeros((shape.stages, at.WIDTH), dtype=np.int64)
        self._scales = np.zeros((shape.stages, 3, width))
        self._active = np.ones(max(1, width), dtype=np.int64)
        self.whole[at.TABLE] = address_of(self._table, "the stages of Frame")
        sample = {at.SAMPLE_T: (), at.SAMPLE_H: (), at.SAMPLE_X: (n,)}
        if shape.polynomials:
            sample[at.SAMPLE_POLYNOMIAL] = (stepper.degree, n)
        event = {at.EVENT_SAMPLE: (), at.EVENT_SOURCE: (), at.EVENT_TARGET: (), at.EVENT_FIRED: (width,)}
        self._samples = _Columns(self.whole, at.SAMPLE_CAPACITY, sample, {at.SAMPLE_STAGE: ()}, _SAMPLES)
        self._events = _Columns(
            self.whole, at.EVENT_CAPACITY, {at.EVENT_T: (), at.EVENT_RECORD: (shape.record,)}, event, _EVENTS
        )
        frame = self.whole
        frame[at.N], frame[at.ROWS], frame[at.LAST] = n, stepper.rows, stepper.last
        frame[at.DEGREE], frame[at.SMOOTH] = stepper.degree, stepper.smooth
        frame[at.NB_MAX], frame[at.N_STAGES], frame[at.RECORD_WIDTH] = width, shape.stages, shape.record

    @classmethod
    def borrow(cls, program: Program, stepper: Stepper, x0: np.ndarray, atol: np.ndarray, polynomials: bool) -> Frame:
        """A frame for a run that starts at `x0`: one that an earlier run of the same sizes has left, or a new one."""
        width = max((len(stage.boundary_names) for stage in program.stages), default=0)
        record = at.HEAD + width + 3 * max((stage.rubbing for stage in program.stages), default=0)
        shape = Shape(len(x0), width, record, len(program.stages), stepper, polynomials)
        idle = _idle.get(shape)
        try:
            frame = idle.pop() if idle else cls(shape)
        except IndexError:  # another thread was quicker
            frame = cls(shape)
        frame._reset(program, x0, atol)
        return frame

    def give_back(self) -> None:
        """Leave the memory to the next run of the same sizes; nothing of this frame may be read any more."""
        idle = _idle.setdefault(self._shape, [])
        if len(idle) < _KEPT and self._fits_other_runs():
            idle.append(self)

    def _reset(self, program: Program, x0: np.ndarray, atol: np.ndarray) -> None:
        """As at the start of a run of `program`."""
        self.whole[[at.SAMPLES, at.EVENTS, at.EXACT]] = 0
        self.whole[at.RESTART :] = 0
        self.real[:] = 0.0
        for slot, numbers in ((at.X, x0), (at.ATOL, atol)):
            self.array(slot)[:] = numbers
        for slot in (at.REJECTED_BY, at.LATCHED, at.BEYOND_BY, at.MET):
            self.array(slot)[:] = 0.0
        self._stages(program, np.minimum(atol, _NOISE))
        self._modes = None
        words = max(stage.statuses[1] + stage.switches[1] for stage in program.stages)
        self.whole[at.MODES], self.whole[at.MODE_WIDTH] = 0, 1 + words if words else 0
        self.whole[at.LOOKING] = at.BY_RATES
        if words:
            self._grow_modes(_MODES)

    def _workspace(self) -> np.ndarray:
        """One block of doubles for all that has a fixed size."""
        stepper = self._shape.stepper
        self._pieces = _pieces(self.n, self.width, self._shape.record, stepper.rows, stepper.degree)
        block = np.zeros(self._pieces.size)
        self.whole[list(self._pieces.sizes)] = self._pieces.addresses(block, "Frame")
        self.real = self._pieces.of(block, at.REAL)
        return block

    def array(self, slot: int) -> np.ndarray:
        """An array of fixed size as it stands, by its slot; whole numbers are to be viewed as such."""
        return self._pieces.of(self._block, slot)

    def _stages(self, program: Program, noise: np.ndarray) -> None:
        """The table of stages, and for each its scales (given or to be learned) and which boundaries are active.

        A margin that stays below what the tolerances of the states leave open is noise: the scale that is learned for
        it begins there.
        """
        scales, active = (address_of(array, "Frame") for array in (self._scales, self._active))
        for i, stage in enumerate(program.stages):
            nb = len(stage.boundary_names) if stage.boundary else 0
            given = self._scales[i].reshape(-1)
            given[:nb] = stage.scales if stage.scales else 0.0
            given[nb : 2 * nb] = given[:nb] > 0.0
            given[2 * nb : 3 * nb] = 0.0
            given[2 * nb : 2 * nb + len(stage.grains)] = stage.grains
            if stage.switch_slopes:
                given[nb - len(stage.switch_slopes) : nb] = np.array(stage.switch_slopes) @ noise / _DEAD_BAND
            head = (stage.flow, stage.flow_data, stage.boundary, stage.boundary_data, nb, stage.derivatives)
            tail = (stage.transition, stage.transition_data, stage.project, min(stage.contacts, nb))
            watched = (scales + 24 * self.width * i, stage.active or active, stage.force)
            modes = (*stage.statuses, *stage.switches, stage.begin, stage.prepare)
            self._table[i] = (*head, *tail, *watched, *modes, stage.length, stage.proof, stage.stall)

    def plan(self, schedule: Schedule | None) -> None:
        """Where steps end: at the times of a schedule, and at the end of the run, which is known."""
        self.real[at.T_STOP] = self.real[at.T_END]
        if schedule is not None and len(schedule.times):
            self.whole[at.STOPS], self.whole[at.N_STOPS] = schedule.place, len(schedule.times)
            self.whole[at.ARRIVE : at.ARRIVE_DATA + 1] = schedule.call
            self.real[at.T_STOP] = schedule.times[0]

    def enter(self, stage: int) -> None:
        """Begin in the stage with this index."""
        self.whole[at.FLOW : at.FLOW + at.WIDTH] = self._table[stage]
        self.whole[at.STAGE], self.whole[at.MODE] = stage, stage
        self.whole[at.RESTART] = self.whole[at.JUMPED] = 1

    def begin(self, t: float, x: np.ndarray) -> None:
        """Write the first sample."""
        for slot, value in ((at.SAMPLE_T, t), (at.SAMPLE_X, x), (at.SAMPLE_H, 0.0)):
            self._samples.column(slot)[0] = value
        if self._modes is not None:
            self._first_mode()
        self._samples.column(at.SAMPLE_STAGE)[0] = self.whole[at.MODE]
        self.whole[at.SAMPLES] = 1

    def _first_mode(self) -> None:
        """Enter the mode of the start into the table."""
        n, m = int(self.whole[at.N_STATUSES]), int(self.whole[at.N_SWITCHES])
        row = np.zeros(self.whole[at.MODE_WIDTH], dtype=np.int64)
        row[0] = self.whole[at.STAGE]
        if n:
            row[1 : 1 + n] = (ctypes.c_int64 * n).from_address(int(self.whole[at.STATUSES]))
        if m:
            signs = (ctypes.c_double * m).from_address(int(self.whole[at.SWITCHES]))
            row[1 + n : 1 + n + m] = np.array(signs) > 0.0
        self._modes[0], self.whole[at.MODE], self.whole[at.MODES] = row, 0, 1

    def _grow_modes(self, capacity: int) -> None:
        """A larger table of modes with what the old one holds."""
        old = self._modes
        self._modes = np.zeros((capacity, self.whole[at.MODE_WIDTH]), dtype=np.int64)
        if old is not None:
            self._modes[: len(old)] = old
        self.whole[at.MODE_TABLE] = address_of(self._modes, "the modes of Frame")
        self.whole[at.MODE_CAPACITY] = capacity

    def modes(self) -> np.ndarray | None:
        """The modes met so far, a row each: stage, statuses, signs of switches; None where stages have no modes."""
        return None if self._modes is None else self._modes[: self.whole[at.MODES]].copy()

    def make_room(self) -> None:
        """Enlarge the buffers that are nearly full."""
        frame = self.whole
        if frame[at.SAMPLES] + 3 > frame[at.SAMPLE_CAPACITY]:
            self._samples.grow()
        if frame[at.EVENTS] + 1 > frame[at.EVENT_CAPACITY]:
            self._events.grow()
        if self._modes is not None and frame[at.MODES] + 2 > frame[at.MODE_CAPACITY]:
            self._grow_modes(2 * int(frame[at.MODE_CAPACITY]))

    def samples(self, slot: int) -> np.ndarray:
        """What stands in a buffer of samples, as an array that outlives the frame."""
        return self._own(self._samples.column(slot)[: self.whole[at.SAMPLES]])

    def events(self, slot: int) -> np.ndarray:
        """What stands in a buffer of events, as an array that outlives the frame."""
        return self._own(self._events.column(slot)[: self.whole[at.EVENTS]])

    def _own(self, rows: np.ndarray) -> np.ndarray:
        """A copy of the rows; where a frame is too large for another run, the rows themselves: a copy takes long."""
        return rows.copy() if self._fits_other_runs() else rows

    def _fits_other_runs(self) -> bool:
        return self._samples.size <= _LARGEST_KEPT

    def counts(self) -> dict[str, int]:
        """The work done so far."""
        return {name: int(self.whole[slot]) for name, slot in _COUNTS.items()}


class _Columns:
    """Buffers that are filled row by row and grow together, some of doubles and some of int64.

    Parameters
    ----------
    frame : array of int64
        Where the addresses of the columns go.
    capacity_slot : int
        Where the number of rows goes.
    reals, wholes : mapping of slot to shape of a row
    capacity : int
    """

    def __init__(
        self,
        frame: np.ndarray,
        capacity_slot: int,
        reals: Mapping[int, tuple[int, ...]],
        wholes: Mapping[int, tuple[int, ...]],
        capacity: int,
    ):
        self._frame, self._capacity_slot, self._capacity = frame, capacity_slot, capacity
        self._row = 8 * sum(math.prod(shape) for shapes in (reals, wholes) for shape in shapes.values())
        self._columns = {slot: np.empty((capacity, *shape)) for slot, shape in reals.items()}
        self._columns |= {slot: np.empty((capacity, *shape), dtype=np.int64) for slot, shape in wholes.items()}
        self._link()

    @property
    def size(self) -> int:
        """The memory of all columns (bytes)."""
        return self._row * self._capacity

    def column(self, slot: int) -> np.ndarray:
        """A buffer as it stands, with its unused end."""
        return self._columns[slot]

    def grow(self) -> None:
        """Room for as many rows again, but for no more than some megabytes; no view of a column may be in use.

        The C library moves large blocks by their page table, without a copy.
        """
        piece = max(_LARGEST_GROWTH, int(_GROWTH * self.size))
        self._capacity += min(self._capacity, max(1, piece // self._row))
        for column in self._columns.values():
            forget(column)
            column.resize((self._capacity, *column.shape[1:]), refcheck=False)
        self._link()

    def _link(self) -> None:
        """Tell the loop where the columns are, and how long."""
        for slot, column in self._columns.items():
            self._frame[slot] = address_of(column, f"the column {slot} of Frame")
        self._frame[self._capacity_slot] = self._capacity


@lru_cache(maxsize=64)
def _pieces(n: int, nb: int, record: int, rows: int, degree: int) -> Pieces:
    """The arrays of fixed size by their slots."""
    sizes = {at.REAL: at.N_REALS, at.X: n, at.ATOL: n, at.X_NEW: n, at.RATES: rows * n, at.POLYNOMIAL: degree * n}
    sizes |= {at.SCRATCH: 4 * n, at.NODES: at.DEPTH * 9 * nb, at.NODE_AT: at.DEPTH, at.BERNSTEIN: 9}
    sizes |= {at.RECORD: record, at.REJECTED_BY: n, at.LATCHED: nb, at.BEYOND_BY: nb}
    sizes |= dict.fromkeys((at.GAPS_OLD, at.GAPS_NEW, at.GAPS_HERE), 3 * nb)
    sizes |= dict.fromkeys((at.OFFSET, at.POSITIVE_AT, at.POSITIVE_GAP, at.ROOTS, at.KEPT_ROOTS, at.FIRED, at.MET), nb)
    sizes[at.PROVED] = nb
    return Pieces(sizes)
