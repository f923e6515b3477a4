"""The solution of the cone problem in a `ContactData` table: the units that contain the cone's solvers."""

from sympact.contact.cone.cone_again_kernel import continues_last, solve_again
from sympact.contact.cone.cone_kernel import ConeProblem, solve_hard
from sympact.contact.cone.cone_parts_kernel import count_solver, solve_in_parts
from sympact.contact.cone.cone_unloaded_kernel import prefer_unloaded
from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contacts_kernel import contacts_at
from sympact.native.kernel import kernel
from sympact.native.pointer import call_unit


def solve_on_cone(data):
    """Solve the problem whose Delassus matrix and rates are assembled; impulses into `cone_impulse`.

    Where it continues the one whose answer was kept, Newton's method starts from that answer. Else contacts that have
    no body in common are solved by themselves (`cone_parts_kernel`), and of several solutions of an impact the one in
    which contacts that do not approach have no impulse is taken (`cone_unloaded_kernel`).
    """
    contacts = contacts_at(data)
    model, problem = contacts.model, contacts.problem
    cone, code = assembled(contacts), codes.UNSOLVED
    if continues_last(contacts):
        code = solve_again(cone, problem.count, rounding(contacts), problem.last_impulse)
    if code == codes.SOLVED:
        contacts.solvers.continued += 1
        count_solver(contacts.solvers, problem.cone_report[1])
        return code
    code = solve_in_parts(cone, problem.cone_parts, problem.count, rounding(contacts))
    if problem.kind == codes.IMPACT and problem.count > 1 and code != codes.NOT_FINITE:
        code = prefer_unloaded(cone, problem.cone_parts, problem.count, rounding(contacts), code)
    if code == codes.UNSOLVED:
        return call_unit(model.hard_cone_solver, data)
    contacts.solvers.unsolved += 1 if code != codes.SOLVED else 0
    return code


def solve_hard_cone(data):
    """The same, after the usual solution has failed."""
    contacts = contacts_at(data)
    problem = contacts.problem
    code = solve_hard(assembled(contacts), problem.count, rounding(contacts))
    if code == codes.SOLVED:
        count_solver(contacts.solvers, problem.cone_report[1])
    else:
        contacts.solvers.unsolved += 1
    return code


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
    """The problem in the form of the solvers."""
    problem = contacts.problem
    return ConeProblem(
        problem.delassus,
        problem.cone_rate,
        problem.coefficient,
        problem.least_impulse,
        problem.slides,
        problem.direction,
        problem.cone_impulse,
        problem.cone_after,
        problem.cone,
        contacts.solvers,
        problem.cone_report,
    )
