"""The memory of runs that follow each other without Python."""

from sympact.native.memory import Address, Memory, Reals, Size, Whole, Wholes

__all__ = ["ALONE", "DONE", "FULL", "KEPT", "NOT_RUN", "OUT", "STEPPED", "UNLIMITED", "BatchMemory"]

OUT = "arrays of the caller"
"""The part of the memory that the caller of a batch owns: what is given, and what is kept."""

NOT_RUN = 0
"""The code of a run that has not ended; all codes of ended runs differ from it."""
ALONE = 1000
"""The code of a run that has to be run alone, because its start may be inconsistent, or for a reason of its end."""

DONE = 1  # all runs of the chunk have ended, or the batch is stopped
FULL = 2  # a buffer of the present run is full
KEPT = 3  # the buffers of kept events are full
STEPPED = 4  # the present run has taken the steps of a slice

UNLIMITED = 2**40
"""Steps of a slice that ends where a buffer is full, or the batch is stopped."""


class BatchMemory(Memory):
    """What the runs begin with, which functions they call, and where their ends are written."""

    n_rows = Size("runs of the batch")
    n_given = Size("numbers of a given start")
    n_states = Size("states that are integrated")
    n_numbers = Size("numbers of p")
    n_starts = Size("given starts: one, or one for each run")
    n_parameters = Size("given p: one, or one for each run")
    width = Size("boundaries whose participation in events is kept")
    n_turns = Size("numbers that the end of a run has besides its state")

    frame = Address("of the memory of the run")
    loop = Address("the loop")
    begin = Address("the unit that begins a run at `row`; 0 for `restore` alone")
    begin_data = Address("its data")
    finish = Address("the unit that looks at a run that has ended, or 0")
    finish_data = Address("its data")
    inward = Address("of the form of a flow: the state that is integrated from the given one; 0: they are the same")
    p = Address("of p in the memory of the run")

    n_segments = Size("pieces of memory that are zero at the start of a run, but for the integers below")
    segment = Wholes(n_segments, meaning="their addresses")
    segment_size = Wholes(n_segments, meaning="their sizes")
    n_words = Size("integers that are not zero at the start of a run")
    word = Wholes(n_words, meaning="their addresses")
    word_value = Wholes(n_words, meaning="the integers")

    row = Whole("the present run, or the next one")
    last = Whole("the run after the last one of the chunk")
    going = Whole("1: the present run has begun; 2: it has ended with `code`, and is to be written")
    code = Whole("with which the present run has ended")
    slice = Whole("the steps that a run may take before the unit returns")
    flags = Whole("what `finish` has found")
    stop = Whole("1: return as soon as possible")
    ended = Whole("runs that have ended so far")

    given = Reals(n_starts, n_given, meaning="starts", when=OUT)
    parameters = Reals(n_parameters, n_numbers, meaning="p", when=OUT)
    end_code = Wholes(
        n_rows, meaning="the code with which each run has ended; runs that have one already are left out", when=OUT
    )
    end_t = Reals(n_rows, meaning="its last time", unit="s", when=OUT)
    end_x = Reals(n_rows, n_states, meaning="its last state", when=OUT)
    end_flags = Wholes(n_rows, meaning="what `finish` has found", when=OUT)
    end_rest = Wholes(n_rows, meaning="1: all is at rest at its end", when=OUT)
    end_counts = Wholes(n_rows, 3, meaning="its events, accepted and rejected steps", when=OUT)
    turns = Reals(n_turns, meaning="of the present run, from `finish`")
    end_turns = Reals(n_rows, n_turns, meaning="those of each", when=OUT)

    keeps = Whole("1: events are kept; 2: with the states on both sides of each")
    kept = Whole("events kept so far in this chunk")
    capacity = Size("rows of their columns")
    state_capacity = Size("rows of their columns of states: as many, or none")
    kept_row = Wholes(capacity, meaning="the run", when=OUT)
    kept_t = Reals(capacity, meaning="the time", unit="s", when=OUT)
    kept_kind = Wholes(capacity, meaning="the kind, see `run_codes`", when=OUT)
    kept_fired = Wholes(capacity, width, meaning="1: takes part", when=OUT)
    kept_impulse = Reals(capacity, width, meaning="the impulse of each contact", unit="N s", when=OUT)
    kept_before = Reals(state_capacity, n_states, meaning="the state just before it", when=OUT)
    kept_after = Reals(state_capacity, n_states, meaning="the state just after it", when=OUT)
