"""The forces of closed contacts: the first that decreases to zero within a step.

Functions of the user's own, of which values alone are known, are searched in the same way.
"""

from sympact.integrate.memory import run_codes as codes
from sympact.integrate.search.arc_kernel import copy
from sympact.integrate.search.isolate_kernel import NO_ROOT, dense
from sympact.integrate.search.stage_margin_kernel import clear_by_stages
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

    The root of a margin may be an estimate, which the repeated step corrects; `arrive`, which ends the step, judges
    whether it is before that of a gap.
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
