"""The memory of what the stages of a step have found out about the forces of closed contacts."""

from sympact.native.memory import Address, Memory, Real, Reals, Size, Whole

__all__ = ["ALONG_SLIP", "MOST_STAGES", "NEGATIVE_COEFFICIENT", "NO_SOLUTION", "OUTSIDE_CONE", "StageMargins"]

MOST_STAGES = 16
"""The stages of a step of DOP853, those of its polynomial included."""

NO_SOLUTION = 1
"""The fault of an arc whose motion and forces do not satisfy its equations."""
OUTSIDE_CONE = 2
"""The fault of a contact that pulls, or whose friction exceeds what it permits."""
ALONG_SLIP = 3
"""The fault of a contact whose friction does not oppose its slip."""
NEGATIVE_COEFFICIENT = 4
"""The fault of a coefficient of friction below zero."""


class StageMargins(Memory):
    """The margins at the stages of a step; the flow writes a row where it writes the rates of such a stage."""

    n_rows = Size("stages")
    n_boundaries = Size("boundaries of the stage of the process")
    rates = Address("of the rates of the state at the stages of a run, 0 where no margins are recorded")
    recorded = Whole("bit k: stage k is recorded")
    several = Whole("1: where the flow was recorded last, forces of a contact that does not slip were not unique")
    arc_start = Address("of the rates of the state at the start of a smooth arc")
    step_end = Address("of those at the end of a step")
    residual = Real("of the equations of motion with the forces of contacts where one of these was written last")
    beyond = Real("there: how far a force is outside its cone, or a slip against its direction; 0 if none")
    fault = Whole("there: 0, or what is wrong, NO_SOLUTION ... NEGATIVE_COEFFICIENT")
    contact = Whole("of the fault")
    largest_residual = Real("of all starts of arcs and ends of steps of the run")
    largest_beyond = Real("the largest `beyond` of these")
    values = Reals(n_rows, n_boundaries, meaning="of the boundaries watched BY_VALUES: their margins at each stage")
