"""The memory of steps that several runs take at once, each in a lane of vectors."""

from sympact.native.memory import Address, Memory, Real, Reals, Size, Whole, Wholes

__all__ = ["LANES", "LaneMemory"]

LANES = 8
"""Runs that take a step at once: two registers of 256 bits, so that one waits while the other computes."""


class LaneMemory(Memory):
    """The states of the runs in lanes: the last index of an array with `LANES` numbers is that of the lane."""

    n_states = Size("states")
    n_numbers = Size("numbers of p")
    n_gaps = Size("numbers that the boundary functions write: g, g', g'' of each")
    stage_rows = Size("rows of rates")

    batches = Wholes(LANES, meaning="addresses of the memory of the batch of each lane")
    chunk = Address("the unit that goes on with a run of one lane")
    step = Address("the unit that takes a step in all lanes")
    next = Whole("the next run")
    last = Whole("the run after the last one of the chunk")
    asking = Whole("the lane whose buffers are full")
    stop = Whole("1: return as soon as possible")

    flow = Address("the flow of the stage whose steps are taken in lanes")
    boundary = Address("its boundary functions")
    project = Address("its projection, or 0")
    flow_in_lanes = Address("the flow for all lanes")
    boundary_in_lanes = Address("its boundary functions for all lanes")
    project_in_lanes = Address("its projection for all lanes, or 0")
    calls = Whole("of the flow in a step")
    exponent = Real("of the error in the size of the next step")

    ready = Wholes(LANES, meaning="1: the run of the lane is about to take a step in lanes")
    rtol = Real("relative tolerance")
    moving = Real("states that change along the flow")
    atol = Reals(n_states, meaning="absolute tolerances")
    t = Reals(LANES, meaning="the start of the step", unit="s")
    h = Reals(LANES, meaning="its size", unit="s")
    t_new = Reals(LANES, meaning="its end", unit="s")
    at = Reals(LANES, meaning="the time of a stage of the step", unit="s")
    asked = Reals(LANES, meaning="the size without the end of the run", unit="s")
    size = Reals(LANES, meaning="the error in units of the tolerance; infinite where it is no number")
    p = Reals(n_numbers, LANES, meaning="p")
    x = Reals(n_states, LANES, meaning="the state at the start of the step")
    x_new = Reals(n_states, LANES, meaning="at its end")
    y = Reals(n_states, LANES, meaning="at a stage")
    rates = Reals(stage_rows, n_states, LANES, meaning="rates of the state at the stages")
    gaps = Reals(n_gaps, LANES, meaning="g, g', g'' at the end of the step")
