"""Runs that follow each other in machine code: restore the memory, begin, loop, write the end."""

from sympact.integrate.batch.batch_memory import ALONE, DONE, FULL, KEPT, NOT_RUN, STEPPED, UNLIMITED, BatchMemory
from sympact.integrate.loop.event_kernel import full
from sympact.integrate.memory import run_codes as codes
from sympact.integrate.memory.run_kernel import run_at
from sympact.native.kernel import kernel
from sympact.native.pointer import call_flow, call_unit, clear, leading, put_word, reals, row_of, view

batch_at = view(BatchMemory)
"""The memory of a batch whose table is at an address."""


def run_chunk(address):
    """The runs from `row` to `last`; returns DONE, STEPPED, or the reason to call again after buffers were enlarged."""
    batch = batch_at(address)
    run = run_at(batch.frame)
    while batch.row < batch.last:
        if batch.stop == 1:
            return DONE
        if batch.going == 0:
            if batch.end_code[batch.row] != NOT_RUN:
                end_row(batch, batch.end_code[batch.row])
                continue
            put_start(batch, run)
            if call_unit(batch.begin, address) == 0:
                end_row(batch, ALONE)
                continue
            put_first_sample(run)
            batch.going = 1
        if batch.going == 1:
            run.budget = batch.slice
            batch.code = call_unit(batch.loop, batch.frame)
            if batch.code == codes.PAUSED:
                if batch.stop == 1:
                    return DONE
                if full(run):
                    return FULL
                if batch.slice < UNLIMITED:
                    return STEPPED
                continue
            batch.going = 2
        if batch.keeps > 0 and batch.kept + run.events > batch.capacity:
            return KEPT
        batch.flags = 0
        if batch.finish != 0 and call_unit(batch.finish, address) == 0:
            end_row(batch, ALONE)
            continue
        write_end(batch, run)
        end_row(batch, batch.code)
    return DONE


def begin(address):
    """The beginning of a run whose start needs no check."""
    restore(batch_at(address))
    return 1


@kernel
def put_start(batch, run):
    """Write p and the state of the present run; they are no part of what `restore` writes."""
    k = batch.row if batch.n_parameters > 1 else 0
    given, p = row_of(batch.parameters, k), reals(batch.p, batch.n_numbers)
    for i in range(batch.n_numbers):
        p[i] = given[i]
    start, x = row_of(batch.given, batch.row if batch.n_starts > 1 else 0), run.x
    if batch.inward != 0:
        call_flow(batch.inward, 0.0, start, batch.p, x)
    else:
        for i in range(batch.n_states):
            x[i] = start[i]


@kernel
def restore(batch):
    """The memory as it was when it was made."""
    for i in range(batch.n_segments):
        clear(batch.segment[i], batch.segment_size[i])
    for i in range(batch.n_words):
        put_word(batch.word[i], batch.word_value[i])


@kernel
def put_first_sample(run):
    """The start as a sample."""
    run.sample_t[0] = run.t_start
    run.sample_h[0] = 0.0
    run.sample_stage[0] = run.mode
    run.sample_low[0] = 0
    first, x = run.sample_x[0], run.x
    for i in range(run.n_states):
        first[i] = x[i]
    run.samples = 1


@kernel
def end_row(batch, code):
    """The present run has ended: go on with the next one."""
    batch.end_code[batch.row] = code
    batch.row += 1
    batch.going = 0
    batch.ended += 1


@kernel
def write_end(batch, run):
    """Write what is kept of the present run."""
    k, last = batch.row, run.samples - 1
    batch.end_t[k] = run.sample_t[last]
    end, x = row_of(batch.end_x, k), row_of(run.sample_x, last)
    for i in range(batch.n_states):
        end[i] = x[i]
    if batch.n_turns > 0:
        turns, own = row_of(batch.end_turns, k), batch.turns
        for i in range(batch.n_turns):
            turns[i] = own[i]
    batch.end_flags[k] = batch.flags
    batch.end_rest[k] = rests(run)
    counts = row_of(batch.end_counts, k)
    counts[0], counts[1], counts[2] = run.events, run.steps, run.rejected
    if batch.keeps > 0:
        keep_events(batch, run)


@kernel
def rests(run):
    """1 where the last stage says that everything is at rest."""
    stage = run.stage
    if stage.n_statuses > stage.n_contacts and stage.n_contacts > 0:
        return stage.statuses[stage.n_contacts]
    return 0


@kernel
def keep_events(batch, run):
    """Copy the events of the present run."""
    first, width = batch.kept, batch.width
    for i in range(run.events):
        k, report, took_part = first + i, run.event_record[i], row_of(run.event_fired, i)
        batch.kept_row[k] = batch.row
        batch.kept_t[k] = run.event_t[i]
        batch.kept_kind[k] = int(report[codes.KIND])
        fired, impulse = row_of(batch.kept_fired, k), row_of(batch.kept_impulse, k)
        own = leading(report, codes.HEAD + width)
        for j in range(width):
            fired[j] = took_part[j]
            impulse[j] = own[codes.HEAD + j]
        if batch.keeps == 2:
            keep_states(batch, run, k, run.event_sample[i])
    batch.kept = first + run.events


@kernel
def keep_states(batch, run, k, sample):
    """Copy the states on both sides of an event, whose left side is a sample, into row k."""
    left, right = row_of(run.sample_x, sample), row_of(run.sample_x, sample + 1)
    before, after = row_of(batch.kept_before, k), row_of(batch.kept_after, k)
    for j in range(batch.n_states):
        before[j], after[j] = left[j], right[j]
