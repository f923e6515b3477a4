"""The forces of closed contacts: the first that decreases to zero within a step, and the step's end moved there.

Functions of the user's own, of which values alone are known, are searched in the same way.
"""

from sympact.integrate.memory import run_codes as codes
from sympact.integrate.search.approach_kernel import approach, search_again
from sympact.integrate.search.arc_kernel import copy, evaluate_gaps
from sympact.integrate.search.isolate_kernel import NO_ROOT, dense
from sympact.integrate.search.stage_margin_kernel import clear_at_end, clear_by_stages
from sympact.native.kernel import kernel
from sympact.native.pointer import call_unit


@kernel
def search_forces(run, address, first):
    """The first zero in a step: of a force, or of the gap `first` whose roots are in `roots`; -1 if there is none.

    The step is sampled where the forces at its stages do not exclude a zero.
    """
    run.gap = first
    return first if clear_by_stages(run) else search_values(run, address, first, codes.BY_VALUES)


@kernel
def search_values(run, address, first, way):
    """The first zero in a step of the boundaries watched in this way, or `first`; see `search_forces`.

    The root of a margin may be an estimate, which the repeated step corrects; `arrive` judges whether it is before that
    of a gap.
    """
    nb, by_rates = run.n_boundaries, first < 0 or run.stage.watched[first] == codes.BY_RATES
    dense(run, address)
    roots, kept, estimated = run.roots, run.kept_roots, run.estimated
    copy(roots, kept)
    run.looking, run.estimated = way, 1 if way == codes.BY_VALUES and run.exact != 0 and by_rates else 0
    force = call_unit(run.sample, address)
    run.looking = codes.BY_RATES
    if force >= 0 and (first < 0 or roots[force] < kept[first]):
        return force
    copy(kept, roots)
    run.doubted = 1 if force >= 0 and run.estimated == 1 else 0
    run.estimated = estimated
    if first < 0:
        for k in range(nb):
            roots[k] = NO_ROOT
    return first


@kernel
def arrive(run, address, first, root):
    """Move the end of the step to the first root, with the gaps there; returns the boundary that is met.

    Where the root of a margin after it is an estimate, and a margin is negative there, margins are searched again.
    """
    way, whole, t_new, low = run.stage.watched[first], run.h, run.t_new, run.low
    run.looking = way
    if way == codes.BY_RATES:
        first = approach(run, address, first, root)
        if run.doubted == 0 or run.fault != 0 or clear_at_end(run):
            return first
        run.looking = codes.BY_VALUES
        first, root = search_again(run, address, first, root, whole, t_new, low)
    first = approach(run, address, first, root)
    run.looking = codes.BY_RATES
    end = run.rates[run.last]
    evaluate_gaps(run, run.t_new, run.x_new, end, run.gaps_new)
    return first
