"""The memory of what the stages of a step have found out about the forces of closed contacts."""

from sympact.native.memory import Address, Memory, Reals, Size, Whole

__all__ = ["MOST_STAGES", "StageMargins"]

MOST_STAGES = 16
"""The stages of a step of DOP853, those of its polynomial included."""


class StageMargins(Memory):
    """The margins at the stages of a step; the flow writes a row where it writes the rates of such a stage."""

    n_rows = Size("stages")
    n_boundaries = Size("boundaries of the stage of the process")
    rates = Address("of the rates of the state at the stages of a run, 0 where no margins are recorded")
    recorded = Whole("bit k: stage k is recorded")
    several = Whole("1: where the flow was recorded last, forces of a contact that does not slip were not unique")
    values = Reals(n_rows, n_boundaries, meaning="of the boundaries watched BY_VALUES: their margins at each stage")
