"""The forces of closed contacts: the first that comes down to zero within a step, and the step's end moved there."""

from sympact.integrate.memory import run_layout as at
from sympact.integrate.search.approach_kernel import approach
from sympact.integrate.search.arc_kernel import copy, evaluate_gaps, gaps
from sympact.integrate.search.isolate_kernel import NO_ROOT
from sympact.native.kernel import kernel
from sympact.native.pointer import call_unit, reals, reals2, wholes


@kernel
def search_forces(frame, real, address, first):
    """What is met first in a step: a force, or the gap `first` whose roots stand in ROOTS; -1 if neither."""
    nb = frame[at.NB]
    roots, kept = reals(frame[at.ROOTS], nb), reals(frame[at.KEPT_ROOTS], nb)
    copy(roots, kept)
    frame[at.LOOKING] = at.BY_VALUES
    force = call_unit(frame[at.SAMPLE], address)
    frame[at.LOOKING] = at.BY_RATES
    if force >= 0 and (first < 0 or roots[force] < kept[first]):
        return force
    copy(kept, roots)
    if first < 0:
        for k in range(nb):
            roots[k] = NO_ROOT
    return first


@kernel
def arrive(frame, real, address, first, root):
    """Move the end of the step to the root of what is met first, with the gaps there."""
    if wholes(frame[at.ACTIVE], frame[at.NB])[first] != at.BY_VALUES:
        approach(frame, real, address, first, root)
        return
    frame[at.LOOKING] = at.BY_VALUES
    approach(frame, real, address, first, root)
    frame[at.LOOKING] = at.BY_RATES
    end = reals2(frame[at.RATES], frame[at.ROWS], frame[at.N])[frame[at.LAST]]
    evaluate_gaps(frame, real[at.T_NEW], reals(frame[at.X_NEW], frame[at.N]), end, gaps(frame, at.GAPS_NEW))
