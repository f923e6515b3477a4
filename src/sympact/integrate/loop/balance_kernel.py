"""The audit of smooth arcs: what the flow has found wrong at the start of one, or at a step's end, ends the run."""

from sympact.integrate.memory import run_codes as codes
from sympact.integrate.memory.run_kernel import stage_margins_at
from sympact.integrate.memory.stage_margins import NEGATIVE_COEFFICIENT, NO_SOLUTION
from sympact.integrate.search.isolate_kernel import NO_ROOT
from sympact.native.kernel import kernel


@kernel
def solves_equations(run):
    """Whether the motion and the forces of closed contacts were one solution where the flow was audited last, with
    coefficients of friction that are not below zero."""
    if run.stage.margins == 0:
        return True
    margins = stage_margins_at(run.stage.margins)
    margins.largest_residual = max(margins.largest_residual, margins.residual)
    return margins.fault != NO_SOLUTION and margins.fault != NEGATIVE_COEFFICIENT


@kernel
def fault_of_arc(run):
    """The loop's code for what the audit has found."""
    negative = stage_margins_at(run.stage.margins).fault == NEGATIVE_COEFFICIENT
    return codes.NEGATIVE_FRICTION if negative else codes.UNBALANCED_ARC


@kernel
def is_balanced(run, first):
    """Whether they were at the end of a step; how far forces were from where they are admissible is kept.

    Contacts whose margins reach zero there, where the boundary `first` ends the step, may be on either side. At the
    start of an arc a force that is not admissible ends its mode where its margin falls below zero in the first step;
    one that is below zero throughout goes on, and is kept here.
    """
    if not solves_equations(run):
        return False
    if run.stage.margins == 0:
        return True
    margins = stage_margins_at(run.stage.margins)
    if first >= 0 and run.roots[margins.contact] < NO_ROOT:
        return True
    margins.largest_beyond = max(margins.largest_beyond, margins.beyond)
    return True
