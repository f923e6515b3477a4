"""The problem on the cone that stands in a `ContactData` table, solved: the units that hold the cone's solvers."""

from sympact.contact.cone.cone_kernel import ConeProblem, solve_hard, solve_usual
from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contacts_kernel import contacts_at
from sympact.native.kernel import kernel
from sympact.native.pointer import call_unit


def solve_on_cone(data):
    """Solve the problem whose Delassus matrix and rates are posed; impulses into CONE_IMPULSE."""
    contacts = contacts_at(data)
    model, problem = contacts.model, contacts.problem
    code = solve_usual(assembled(contacts), problem.count, rounding(contacts))
    return call_unit(model.hard_cone_solver, data) if code == codes.UNSOLVED else code


def solve_hard_cone(data):
    """The same, after the usual way has failed."""
    contacts = contacts_at(data)
    problem = contacts.problem
    return solve_hard(assembled(contacts), problem.count, rounding(contacts))


@kernel
def rounding(contacts):
    """The rounding error of the rates."""
    problem = contacts.problem
    uncertain, floor = problem.uncertain, 0.0
    for i in range(problem.count):
        floor = max(floor, uncertain[i])
    return floor


@kernel
def assembled(contacts):
    """The problem as the solvers take it."""
    problem = contacts.problem
    return ConeProblem(
        problem.delassus,
        problem.cone_rate,
        problem.coefficient,
        problem.slides,
        problem.direction,
        problem.cone_impulse,
        problem.cone_after,
        problem.cone,
        problem.cone_report,
    )
