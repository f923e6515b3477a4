"""What an impulse does to the report of an event: the impulses, the energy, and who takes part."""

from sympact.integrate.memory.run_codes import APPROACH, ENERGY, HEAD
from sympact.integrate.memory.run_tolerances import NEGLIGIBLE
from sympact.native.kernel import kernel
from sympact.native.pointer import call_unit


@kernel
def report(contacts, fired, record):
    """Impulses, approach, and the energy certificate: sum of Lambda (gamma+ + gamma-)/2.

    The kinetic energy changes by Lambda^T W^T (u+ + u-)/2, and W^T u = gamma - w: the part -Lambda^T w is the work of
    moving surfaces, which no law restricts. The rest depends on the rates that the law restricts: a law that creates no
    energy never lets it be positive. Closed contacts take part where their impulse exceeds the rounding of their own
    rates and of the changes by the largest of the impulses.
    """
    problem = contacts.problem
    who, impulse = problem.participants, problem.impulse
    before, after = problem.rate_minus, problem.rate_plus
    lengths, uncertain, largest = problem.lengths, problem.uncertain, 0.0
    for i in range(problem.count):
        largest = max(largest, impulse[i] * lengths[i] * lengths[i])
    for i in range(problem.count):
        record[ENERGY] += 0.5 * impulse[i] * (after[i] + before[i])
        record[HEAD + who[i]] += impulse[i]
        record[APPROACH] = max(record[APPROACH], -before[i])
        if impulse[i] * lengths[i] * lengths[i] > max(uncertain[i], NEGLIGIBLE * largest):
            fired[who[i]] = 1


@kernel
def report_slip(contacts, pushes, record):
    """The friction impulses, and their part of the energy."""
    model, problem = contacts.model, contacts.problem
    call_unit(model.report_friction, contacts.address)
    found = problem.friction_components
    for k in range(3 * problem.n_contacts):
        pushes[k] += found[k]
    record[ENERGY] += problem.friction_energy
