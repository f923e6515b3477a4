"""The start of arcs and of steps: the directions, or the basis, of formulations in independent coordinates or speeds.

Both are constant within a step, or continue what they were at its start. They depend on the steps before, so that the
steps of a run are repeated in their order with these calls in between, see `integrate.loop.dense`.
"""

from sympact.contact.constraints.directions_kernel import choose_directions
from sympact.contact.constraints.null_space_motion_kernel import note_basis
from sympact.contact.memory.reduction import NO_BASIS, NO_DIRECTIONS
from sympact.native.kernel import kernel


@kernel
def begin_formulation(bilateral, t, x):
    """Choose at the state, whatever came before."""
    bilateral.reduction.chosen = 0
    start(bilateral, t, x, True)


@kernel
def prepare_formulation(bilateral, t, x):
    """Choose at the state where the rule says so; a second call at one time changes nothing."""
    if bilateral.reduction.chosen == 0:
        begin_formulation(bilateral, t, x)
    elif bilateral.reduction.chosen_at != t:
        start(bilateral, t, x, False)


@kernel
def start(bilateral, t, x, anew):
    """The directions or the basis at the state."""
    reduction = bilateral.reduction
    if reduction.rule != NO_DIRECTIONS:
        choose_directions(bilateral, t, x, anew)
    elif reduction.basis != NO_BASIS:
        note_basis(bilateral, t, x)
    reduction.chosen, reduction.chosen_at = 1, t
