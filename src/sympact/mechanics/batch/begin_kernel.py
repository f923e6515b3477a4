"""The beginning of a run of a model: its start is checked, the memory restored, the scale of gaps written."""

from sympact.integrate.batch.batch_kernel import batch_at, restore
from sympact.integrate.memory.run_kernel import STAGE_SIZE, run_at, stage_at
from sympact.mechanics.batch.model_batch_memory import BeginMemory
from sympact.mechanics.start.consistency_kernel import consistent, start_at
from sympact.mechanics.start.scale_kernel import find_scale, scale_at_address
from sympact.mechanics.start.start_memory import DOUBTFUL, NOMINAL
from sympact.native.kernel import kernel
from sympact.native.pointer import call_flow, reals, view

begin_at = view(BeginMemory)


def begin_run(address):
    """1 where the run has begun; 0 where its start may be inconsistent, which Python decides."""
    batch = batch_at(address)
    begin, run = begin_at(batch.begin_data), run_at(batch.frame)
    start, scale = start_at(begin.check), scale_at_address(begin.scale)
    length = begin.lengths[batch.row if begin.n_rows > 1 else 0]
    start.length = length
    found = consistent(begin.t, begin.x, begin.check)
    if found == DOUBTFUL:
        return 0
    if found == NOMINAL and length > 0.0:
        take_nominal(scale, length)
    else:
        scale.own = length
        find_scale(scale, begin.t, run.x, start.gap_rates)
        if not is_permitted(scale, start):
            return 0
    restore(batch)
    write_scale(begin, scale)
    if begin.measure != 0:
        call_flow(begin.measure, begin.t, run.x, begin.constraints, begin.scratch)
    return 1


@kernel
def take_nominal(scale, length):
    """The scale where the model has a length, and no coordinate has a larger rounding error than gaps."""
    scale.length, scale.measured = length, 0
    for k in range(scale.n_contacts):
        scale.grains[k] = 0.0


@kernel
def is_permitted(scale, start):
    """Whether no gap is below the permitted depth."""
    permitted = True
    for k in range(scale.n_contacts):
        permitted = permitted and start.along[k] >= -scale.depths[k]
    return permitted


@kernel
def write_scale(begin, scale):
    """Write the scale into the memory of the contacts and of the stages."""
    n, nb, length = begin.n_contacts, begin.n_boundaries, scale.length
    if begin.length_place == 0:
        return
    reals(begin.length_place, 1)[0] = length
    grains = reals(begin.grains_place, n)
    for k in range(n):
        grains[k] = scale.grains[k]
    for i in range(begin.n_stages):
        stage = stage_at(begin.stages + i * STAGE_SIZE)
        stage.length = begin.length_place if scale.measured == 1 and n > 0 else 0
        if stage.n_boundaries == 0:
            continue
        scales = stage.scales
        for k in range(n):
            scales[k], scales[nb + k] = length, 1.0 if length > 0.0 else 0.0
            scales[2 * nb + k] = scale.grains[k]
