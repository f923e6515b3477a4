"""The memory of steps that several runs take at once, each in a lane of vectors."""

from sympact.native.memory import Address, Memory, Real, Reals, Size, Whole, Wholes

__all__ = ["LANES", "LaneMemory"]

LANES = 4
"""Runs that take a step at once: a register of 256 bits. With 8 and 16 the memory of the runs, which all their events
need, leaves the caches."""


class LaneMemory(Memory):
    """The states of the runs in lanes: the last index of an array with `LANES` numbers is that of the lane."""

    n_states = Size("states")
    n_numbers = Size("numbers of p")
    n_gaps = Size("gaps")
    stage_rows = Size("rows of rates")

    batches = Wholes(LANES, meaning="addresses of the memory of the batch of each lane")
    chunk = Address("the unit that goes on with a run of one lane")
    step = Address("the unit that takes a step in all lanes")
    next = Whole("the next run")
    last = Whole("the run after the last one of the chunk")
    asking = Whole("the lane whose buffers are full")
    taken = Whole("steps taken in lanes so far")
    kept = Whole("events kept so far in this chunk, by all lanes in common columns")
    stop = Whole("1: return as soon as possible")

    flow = Address("the flow of the stage whose steps are taken in lanes")
    boundary = Address("its boundary functions")
    project = Address("its projection, or 0")
    flow_in_lanes = Address("the flow for all lanes")
    boundary_in_lanes = Address("its boundary functions for all lanes")
    project_in_lanes = Address("its projection for all lanes, or 0")
    stages = Whole("calls of the flow in a trial of a step, without the one after a projection")
    exponent = Real("of the error in the size of the next step")

    ready = Wholes(LANES, meaning="1: the run of the lane is about to take a step in lanes")
    moved = Wholes(LANES, meaning="1: the sample at the end of its last step is to be written yet")
    rtol = Real("relative tolerance")
    moving = Real("states that change along the flow")
    atol = Reals(n_states, meaning="absolute tolerances")
    h = Reals(LANES, meaning="the size of the step", unit="s")
    t = Reals(LANES, meaning="its start", unit="s")
    t_new = Reals(LANES, meaning="its end", unit="s")
    at = Reals(LANES, meaning="the time of a stage of the step", unit="s")
    asked = Reals(LANES, meaning="the size without the end of the run", unit="s")
    again = Wholes(LANES, meaning="trials of the step that were rejected")
    predicted = Reals(LANES, meaning="where its end is predicted: that of the step before, or 0", unit="s")
    size = Reals(LANES, meaning="the error in units of the tolerance; infinite where it is no number")
    quiet = Reals(LANES, meaning="1: no gap is reached in the step; 0 also where rounding may decide it")
    p = Reals(n_numbers, LANES, meaning="p")
    y = Reals(n_states, LANES, meaning="the state at a stage; then at the end of the step, before the projection")
    rates = Reals(stage_rows, n_states, LANES, meaning="rates of the state at the stages")
    offset = Reals(n_gaps, LANES, meaning="what is subtracted from each gap")
    band = Reals(n_gaps, LANES, meaning="the dead band of each gap")

    x = Reals(n_states, LANES, meaning="the state at the start of the step")
    x_new = Reals(n_states, LANES, meaning="at its end; the step begins with it as the next `x`")
    gaps = Reals(3 * n_gaps, LANES, meaning="g, g', g'' of each gap at the start")
    gaps_new = Reals(3 * n_gaps, LANES, meaning="at the end")
    largest = Reals(LANES, meaning="the largest acceleration of a gap up to the start")
    largest_new = Reals(LANES, meaning="up to the end")
