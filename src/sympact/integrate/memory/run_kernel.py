"""The memory of a run as kernels see it."""

from sympact.integrate.memory.run_memory import RunMemory, StageMemory
from sympact.native.pointer import view

run_at = view(RunMemory)
"""The memory whose table is at an address."""

stage_at = view(StageMemory)
"""The stage whose table is at an address."""

STAGE_SIZE = 8 * StageMemory.n_slots
"""Bytes of a stage."""
