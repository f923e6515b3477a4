"""The audit of smooth arcs: what the flow has found wrong at the start of one, or at a step's end, ends the run."""

from sympact.integrate.memory.run_kernel import stage_margins_at
from sympact.integrate.memory.stage_margins import NO_SOLUTION
from sympact.integrate.search.isolate_kernel import NO_ROOT
from sympact.native.kernel import kernel


@kernel
def is_balanced(run, first):
    """Whether the motion and the forces of closed contacts were one solution where the flow was audited last.

    Contacts whose margins reach zero at the end of the step, which the boundary `first` ends, may be on either side.
    """
    if run.stage.margins == 0:
        return True
    margins = stage_margins_at(run.stage.margins)
    margins.largest_residual = max(margins.largest_residual, margins.residual)
    if margins.fault != NO_SOLUTION and first >= 0 and run.roots[margins.contact] < NO_ROOT:
        return True
    margins.largest_beyond = max(margins.largest_beyond, margins.beyond)
    return margins.fault == 0
