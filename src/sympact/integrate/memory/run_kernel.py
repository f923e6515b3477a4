"""The memory of a run, its stages, switches, series and sampled laws in kernels."""

from sympact.integrate.memory.clock_memory import ClockMemory
from sympact.integrate.memory.proof_memory import ProofMemory
from sympact.integrate.memory.run_memory import RunMemory, StageMemory
from sympact.integrate.memory.stage_margins import StageMargins
from sympact.integrate.memory.switch_memory import LawMemory, ScheduleMemory, SeriesMemory, SwitchMemory
from sympact.native.pointer import view

run_at = view(RunMemory)
"""The memory whose table is at an address."""

stage_at = view(StageMemory)
"""The stage whose table is at an address."""

STAGE_SIZE = 8 * StageMemory.n_slots
"""Bytes of a stage."""

switches_at = view(SwitchMemory)
"""The switches whose table is at an address."""

schedule_at, series_at, law_at = view(ScheduleMemory), view(SeriesMemory), view(LawMemory)
"""The schedule, and one of its series and laws, whose table is at an address."""

SCHEDULE_SIZE, SERIES_SIZE, LAW_SIZE = (8 * memory.n_slots for memory in (ScheduleMemory, SeriesMemory, LawMemory))
"""Bytes of their tables."""

clock_at = view(ClockMemory)
"""The instants of a stage whose table is at an address."""

stage_margins_at = view(StageMargins)
"""The margins at the stages of a step whose table is at an address."""

proof_at = view(ProofMemory)
"""The memory of the search by enclosures whose table is at an address."""
