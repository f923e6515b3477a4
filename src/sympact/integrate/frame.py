"""The memory of one run: the frame and the arrays whose addresses it holds."""

from __future__ import annotations

import numpy as np

from sympact.integrate import layout as at
from sympact.integrate.program import Program
from sympact.integrate.stepper import Stepper

__all__ = ["Frame"]

_SAMPLES, _EVENTS = 1024, 128
_COUNTS = {
    "steps": at.STEPS,
    "rejected": at.REJECTED,
    "flow": at.FLOW_CALLS,
    "boundary": at.BOUNDARY_CALLS,
    "dense": at.DENSE_CALLS,
}


class Frame:
    """Arrays for a run of `program` with `stepper`, linked as `layout` says.

    Attributes
    ----------
    whole : array of int64
        The frame itself; its address is what the loop is called with.
    real : array of float64
        The scalars.
    """

    def __init__(self, program: Program, stepper: Stepper, x0: np.ndarray, atol: np.ndarray, polynomials: bool):
        self.n, self.stepper, self.polynomials = len(x0), stepper, polynomials
        self.width = max((len(stage.boundary_names) for stage in program.stages), default=0)
        self.whole = np.zeros(at.SIZE, dtype=np.int64)
        self.address = self.whole.ctypes.data
        self._keep: dict[int, np.ndarray] = {}
        self._workspace(x0, atol)
        self._stages(program)
        self._samples(_SAMPLES)
        self._events(_EVENTS)
        frame = self.whole
        frame[at.N], frame[at.ROWS], frame[at.LAST] = self.n, stepper.rows, stepper.last
        frame[at.DEGREE] = stepper.degree
        frame[at.NB_MAX], frame[at.N_STAGES], frame[at.SMOOTH] = self.width, len(program.stages), stepper.smooth

    def _link(self, slot: int, array: np.ndarray) -> np.ndarray:
        self._keep[slot] = array
        self.whole[slot] = array.ctypes.data
        return array

    def _workspace(self, x0: np.ndarray, atol: np.ndarray) -> None:
        """One block of doubles for all that has a fixed size."""
        n, nb, stepper = self.n, self.width, self.stepper
        sizes = {
            at.REAL: at.N_REALS, at.X: n, at.X_NEW: n, at.RATES: stepper.rows * n, at.POLYNOMIAL: stepper.degree * n,
            at.SCRATCH: 4 * n, at.GAPS_OLD: 3 * nb, at.GAPS_NEW: 3 * nb, at.GAPS_HERE: 3 * nb, at.OFFSET: nb,
            at.NODES: at.DEPTH * 9 * nb, at.NODE_AT: at.DEPTH, at.POSITIVE_AT: nb, at.POSITIVE_GAP: nb, at.ROOTS: nb,
            at.BERNSTEIN: 9, at.FIRED: nb, at.RECORD: 3 + nb, at.ATOL: n,
        }  # fmt: skip
        block = self._link(at.REAL, np.zeros(sum(sizes.values())))
        base, start = block.ctypes.data, 0
        for slot, size in sizes.items():
            self.whole[slot] = base + 8 * start
            if slot == at.X:
                block[start : start + n] = x0
            elif slot == at.ATOL:
                block[start : start + n] = atol
            start += size
        self.real = block[: at.N_REALS]

    def _stages(self, program: Program) -> None:
        table = self._link(at.TABLE, np.zeros((len(program.stages), at.WIDTH), dtype=np.int64))
        self._scales, self._active = [], []
        for row, stage in zip(table, program.stages, strict=True):
            nb = len(stage.boundary_names)
            given = np.array(stage.scales if stage.scales else (0.0,) * nb, dtype=float)
            scales, active = np.concatenate([given, given > 0.0]), np.ones(nb, dtype=np.int64)
            self._scales.append(scales)
            self._active.append(active)
            row[:] = (
                stage.flow, stage.flow_data, stage.boundary, stage.boundary_data, nb, stage.derivatives,
                stage.transition,
                stage.transition_data, stage.project, stage.contacts, scales.ctypes.data, active.ctypes.data,
            )  # fmt: skip

    def enter(self, stage: int) -> None:
        """Begin in the stage with this index."""
        self.whole[at.FLOW : at.FLOW + at.WIDTH] = self._keep[at.TABLE][stage]
        self.whole[at.STAGE], self.whole[at.RESTART] = stage, 1

    def _samples(self, capacity: int) -> None:
        self._grow(at.SAMPLE_T, (capacity,), float)
        self._grow(at.SAMPLE_X, (capacity, self.n), float)
        self._grow(at.SAMPLE_H, (capacity,), float)
        self._grow(at.SAMPLE_STAGE, (capacity,), np.int64)
        if self.polynomials:
            self._grow(at.SAMPLE_POLYNOMIAL, (capacity, self.stepper.degree, self.n), float)
        self.whole[at.SAMPLE_CAPACITY] = capacity

    def _events(self, capacity: int) -> None:
        self._grow(at.EVENT_T, (capacity,), float)
        for slot in (at.EVENT_SAMPLE, at.EVENT_SOURCE, at.EVENT_TARGET):
            self._grow(slot, (capacity,), np.int64)
        self._grow(at.EVENT_FIRED, (capacity, self.width), np.int64)
        self._grow(at.EVENT_RECORD, (capacity, 3 + self.width), float)
        self.whole[at.EVENT_CAPACITY] = capacity

    def _grow(self, slot: int, shape: tuple[int, ...], dtype: type) -> None:
        """A larger array in this slot, with what the old one holds."""
        old, new = self._keep.get(slot), np.empty(shape, dtype=dtype)
        if old is not None:
            new[: len(old)] = old
        self._link(slot, new)

    def make_room(self) -> None:
        """Double the buffers that are nearly full."""
        frame = self.whole
        if frame[at.SAMPLES] + 3 > frame[at.SAMPLE_CAPACITY]:
            self._samples(2 * int(frame[at.SAMPLE_CAPACITY]))
        if frame[at.EVENTS] + 1 > frame[at.EVENT_CAPACITY]:
            self._events(2 * int(frame[at.EVENT_CAPACITY]))

    def buffer(self, slot: int) -> np.ndarray:
        """A buffer as it stands, with its unused end."""
        return self._keep[slot]

    def samples(self, slot: int) -> np.ndarray:
        """What stands in a buffer of samples, as an array of its own."""
        return self._keep[slot][: self.whole[at.SAMPLES]].copy()

    def events(self, slot: int) -> np.ndarray:
        """What stands in a buffer of events, as an array of its own."""
        return self._keep[slot][: self.whole[at.EVENTS]].copy()

    def counts(self) -> dict[str, int]:
        """The work done so far."""
        return {name: int(self.whole[slot]) for name, slot in _COUNTS.items()}
