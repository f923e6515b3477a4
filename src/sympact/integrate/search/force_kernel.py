"""The forces of closed contacts: the first that decreases to zero within a step, and the step's end moved there.

Functions of the user's own, of which values alone are known, are searched in the same way.
"""

from sympact.integrate.memory import run_codes as codes
from sympact.integrate.search.approach_kernel import approach
from sympact.integrate.search.arc_kernel import copy, evaluate_gaps
from sympact.integrate.search.isolate_kernel import NO_ROOT, dense
from sympact.integrate.search.stage_margin_kernel import clear_by_stages
from sympact.native.kernel import kernel
from sympact.native.pointer import call_unit


@kernel
def search_forces(run, address, first):
    """The first zero in a step: of a force, or of the gap `first` whose roots are in `roots`; -1 if there is none.

    The step is sampled where the forces at its stages do not exclude a zero.
    """
    return first if clear_by_stages(run) else search_values(run, address, first, codes.BY_VALUES)


@kernel
def search_values(run, address, first, way):
    """The first zero in a step of the boundaries watched in this way, or `first`; see `search_forces`."""
    nb = run.n_boundaries
    dense(run, address)
    roots, kept = run.roots, run.kept_roots
    copy(roots, kept)
    run.looking = way
    force = call_unit(run.sample, address)
    run.looking = codes.BY_RATES
    if force >= 0 and (first < 0 or roots[force] < kept[first]):
        return force
    copy(kept, roots)
    if first < 0:
        for k in range(nb):
            roots[k] = NO_ROOT
    return first


@kernel
def arrive(run, address, first, root):
    """Move the end of the step to the first root, with the gaps there; returns the boundary that is met."""
    way = run.stage.watched[first]
    if way == codes.BY_RATES:
        return approach(run, address, first, root)
    run.looking = way
    first = approach(run, address, first, root)
    run.looking = codes.BY_RATES
    end = run.rates[run.last]
    evaluate_gaps(run, run.t_new, run.x_new, end, run.gaps_new)
    return first
