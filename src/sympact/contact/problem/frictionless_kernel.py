"""Newton's law, all participants at once: Lagrange's impact equations as a complementarity problem.

    M (u+ - u-) = W Lambda,   gamma+ = gamma- + W^T (u+ - u-),   0 <= Lambda _|_ gamma+ + e gamma- >= 0

With M = C C^T and y = C^T (u+ - u-), this is the shortest y with (C^-1 W_j) . y >= -(1 + e_j) gamma_j-: of all motions
that satisfy the law, the closest to the motion before in the kinetic metric. It is unique.
"""

import math

from sympact.contact.linalg.active_set_kernel import SOLVED, Problem, shortest
from sympact.contact.linalg.branch_kernel import backward_along
from sympact.contact.linalg.cholesky_kernel import Basis, backward, dot, norm
from sympact.contact.linalg.min_norm_kernel import spread
from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contact_tolerances import ACCEPTED
from sympact.contact.memory.contacts_kernel import contacts_at
from sympact.contact.problem.assemble_kernel import assemble_columns, factor_mass, jacobian, mass_factor
from sympact.native.kernel import kernel
from sympact.native.pointer import leading


def solve(data):
    """Solve the problem of the participants, assembled in `Contacts`; SOLVED, UNSOLVED or NOT_FINITE."""
    return complement(contacts_at(data))


@kernel
def complement(contacts):
    """The problem in a table: for impulses, or (with accelerations for rates and e = 0) for forces."""
    problem = contacts.problem
    count = problem.count
    contacts.solvers.frictionless += 1
    if not (finite(problem.terms) and finite(leading(problem.rate_minus, count))):
        return codes.NOT_FINITE
    if not factor_mass(contacts):
        return codes.UNSOLVED
    floor = assemble(contacts, count)
    if floor < 0.0:
        return codes.UNSOLVED
    if count == 1:
        solve_one(contacts)
    elif not solve_several(contacts, count, floor):
        return codes.UNSOLVED
    measure_change(contacts, count)
    if not finite(problem.change):
        return codes.NOT_FINITE
    return codes.SOLVED if satisfied(contacts, count, floor) else codes.UNSOLVED


@kernel
def finite(values):
    """True when no value is infinite or NaN."""
    good = 0
    for i in range(values.size):
        if math.isfinite(values[i]):
            good += 1
    return good == values.size


@kernel
def assemble(contacts, count):
    """The columns and the bounds; returns the rounding error of the bounds.

    -1 when a contact approaches that no speed can stop, faster than its rate is known.
    """
    problem = contacts.problem
    floor = 0.0
    c, lengths, e = problem.bounds, problem.lengths, problem.restitution
    rate, uncertain = problem.rate_minus, problem.uncertain
    assemble_columns(contacts, count)
    for i in range(count):
        c[i] = 0.0
        if lengths[i] > 0.0:
            c[i] = -(1.0 + e[i]) * rate[i] / lengths[i]
            floor = max(floor, uncertain[i] / lengths[i])
        elif rate[i] < -uncertain[i]:
            return -1.0
    return floor


@kernel
def solve_one(contacts):
    """A single contact: Lambda = -(1 + e) gamma- / (W^T M^-1 W), zero if it does not approach."""
    problem = contacts.problem
    multiplier = max(problem.bounds[0], 0.0)
    a, y = problem.columns, problem.motion
    for k in range(problem.n_u):
        y[k] = multiplier * a[0, k]
    problem.impulse[0] = multiplier / problem.lengths[0] if multiplier > 0.0 else 0.0


@kernel
def solve_several(contacts, count, floor):
    """The motion first, which is unique, then its minimum-norm impulses; False if none satisfy the law."""
    m = contacts.problem.n_u
    problem = Problem(
        contacts.problem.columns,
        contacts.problem.bounds,
        contacts.problem.standing,
        contacts.problem.multiplier,
        contacts.problem.motion,
    )
    basis = basis_of(contacts.problem.basis)
    if shortest(problem, count, m, floor, basis) != SOLVED:
        return False
    null_problem = Problem(
        contacts.problem.null_columns,
        contacts.problem.null_bounds,
        problem.standing,
        contacts.problem.null_multiplier,
        contacts.problem.null_point,
    )
    impulse, lengths = contacts.problem.impulse, contacts.problem.lengths
    rows, null = contacts.problem.redundant_rows, basis_of(contacts.problem.null_basis)
    return spread(problem, lengths, count, m, basis, rows, null, null_problem, impulse)


@kernel
def basis_of(memory):
    """The basis in a `BasisMemory`."""
    return Basis(
        memory.q, memory.r, memory.projection, memory.remainder, memory.coefficients, memory.active, memory.count
    )


@kernel
def measure_change(contacts, count):
    """u+ - u- and the gap rates after, from the motion."""
    problem = contacts.problem
    m = problem.n_u
    change, motion = problem.change, problem.motion
    for k in range(m):
        change[k] = motion[k]
    if problem.branches.present == 1:
        backward_along(mass_factor(contacts), m, problem.branches, change)
    else:
        backward(mass_factor(contacts), m, change)
    who, wt = problem.participants, jacobian(contacts)
    before, after = problem.rate_minus, problem.rate_plus
    for i in range(count):
        after[i] = before[i] + dot(wt, who[i], change, m)


@kernel
def satisfied(contacts, count, floor):
    """True when every participant satisfies its law; the largest residual is stored."""
    problem = contacts.problem
    m = problem.n_u
    e, lengths = problem.restitution, problem.lengths
    before, after = problem.rate_minus, problem.rate_plus
    impulse, c = problem.impulse, problem.bounds
    residual, scale = 0.0, 0.0
    for i in range(count):
        if lengths[i] > 0.0:
            excess = (after[i] + e[i] * before[i]) / lengths[i]
            residual, scale = max(residual, abs(min(impulse[i] * lengths[i], excess))), max(scale, c[i])
    scale += norm(problem.motion, m)
    problem.residual = residual / scale if scale > 0.0 else 0.0
    return residual <= max(ACCEPTED * scale, floor)
