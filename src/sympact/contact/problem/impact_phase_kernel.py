"""The common parts of the laws beyond Newton's: the assembled impact, its phases, and the motion of given impulses.

Each participant has three numbers: normal, tangent 1, tangent 2. With the impulses P the participants have

    v = v- + G P,   G = W^T M^-1 W,   and the energy certificate is   P . (v- + G P / 2)

(without the work of moving surfaces).
"""

from sympact.contact.memory import contact_codes as codes
from sympact.contact.problem.assemble_kernel import jacobian
from sympact.contact.problem.coulomb_kernel import assemble, take_impulses
from sympact.contact.problem.frictionless_kernel import finite
from sympact.native.kernel import kernel
from sympact.native.pointer import call_unit, leading


@kernel
def begin(contacts):
    """Assemble the impact of the participants; SOLVED, UNSOLVED or NOT_FINITE."""
    model, problem, law = contacts.model, contacts.problem, contacts.law
    m, n = problem.n_u, problem.n_contacts
    lines, wt = problem.lines, jacobian(contacts)
    if model.slips == 0:
        for j in range(n):
            for k in range(m):
                lines[3 * j, k] = wt[j, k]
    code = assemble(contacts)
    if code != codes.SOLVED:
        return code
    before, rate = law.before, problem.rate_minus
    slip = problem.slip_minus
    for i in range(problem.count):
        before[3 * i], before[3 * i + 1], before[3 * i + 2] = rate[i], slip[i, 0], slip[i, 1]
    return codes.SOLVED


@kernel
def on_cone(contacts, target):
    """Solve for the velocities in `cone_rate`; the impulses go to `target`, too."""
    model, problem = contacts.model, contacts.problem
    code = call_unit(model.cone_solver, contacts.address)
    impulse = leading(problem.cone_impulse, 3 * problem.count)
    for k in range(3 * problem.count):
        target[k] = impulse[k]
    return code


@kernel
def velocities(contacts, impulse, out):
    """v- + G P."""
    problem, law = contacts.problem, contacts.law
    count = problem.count
    before, g = law.before, problem.delassus
    for i in range(3 * count):
        out[i] = before[i]
        for k in range(3 * count):
            out[i] += g[i, k] * impulse[k]


@kernel
def work(contacts, impulse):
    """The energy certificate of these impulses."""
    problem, law = contacts.problem, contacts.law
    count = problem.count
    before, g, total = law.before, problem.delassus, 0.0
    for i in range(3 * count):
        s = before[i]
        for k in range(3 * count):
            s += 0.5 * g[i, k] * impulse[k]
        total += s * impulse[i]
    return total


@kernel
def largest_work(contacts, impulse):
    """A measure of the energies in the impact, to which rounding is relative."""
    problem, law = contacts.problem, contacts.law
    before, total = law.before, 0.0
    for k in range(3 * problem.count):
        total += abs(before[k] * impulse[k])
    return total


@kernel
def compress(contacts):
    """Compression: the impact without restitution, into `compression`, and the velocities at its end into
    `compressed`."""
    problem, law = contacts.problem, contacts.law
    before, rate = law.before, problem.cone_rate
    for k in range(3 * problem.count):
        rate[k] = before[k]
    impulse = law.compression
    code = on_cone(contacts, impulse)
    velocities(contacts, impulse, law.compressed)
    return code


@kernel
def finish(contacts, residual):
    """From the impulses in `cone_impulse` to the motion after."""
    problem = contacts.problem
    take_impulses(contacts, problem.count)
    problem.residual = residual
    return codes.SOLVED if finite(problem.change) else codes.NOT_FINITE


@kernel
def cone_residual(contacts):
    """The violation of its law by the last cone problem."""
    problem = contacts.problem
    return problem.cone_report[0]


@kernel
def note_factor(contacts, factor):
    """Store the factor by which restitutions were reduced, for the event."""
    problem = contacts.problem
    problem.restitution_factor = factor


@kernel
def clear_sliding(contacts):
    """No participant of an impact has a given direction of slip."""
    problem = contacts.problem
    sliding = problem.slides
    for i in range(problem.count):
        sliding[i] = 0
