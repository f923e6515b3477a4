"""Motion with closed contacts of which some stick and some slip: M u' = f + W_N lambda_N + W_T lambda_T.

Each closed contact has a constant gap, a sticking one no slip, too. Forces act along the normals, on sticking contacts
in both tangents, on slipping ones by lambda_T = -mu lambda_N d with the direction d of the slip. With M = C C^T and y =
C^T (u' - u'_free) the equations are

    a_i . y = c_i  for the constrained directions,   y = sum of lambda_k b_k  over the directions of the forces,

where a and b differ only for slipping contacts. The number of independent a_i is decided by `rank_kernel`: those of one
contact may depend on each other, and on those of others. Where nothing slips, y is the shortest that satisfies the
equations. Else the forces are those of least norm.
"""

import math

from sympact.contact.linalg.cholesky_kernel import dot, norm, row_norm
from sympact.contact.linalg.gram_kernel import along_picked, pick_clearly, shortest_by_picked
from sympact.contact.linalg.least_squares_kernel import least_norm
from sympact.contact.linalg.rank_kernel import pick, rank_of, reach
from sympact.contact.linalg.support_kernel import SHORT, add_within, support_of
from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contact_tolerances import DEPENDENT, SUM_ROUNDING
from sympact.contact.problem.assemble_kernel import (
    factor_mass,
    list_closed,
    read_own_gaps,
    read_own_terms,
    scale_rows,
)
from sympact.contact.problem.closed_kernel import change_of_speeds
from sympact.contact.problem.direct_friction_kernel import find_directly
from sympact.contact.problem.slip_kernel import (
    ACCELERATION,
    along_tangents,
    read_own_slips,
    sliding_coefficient,
    slip_direction,
)
from sympact.native.kernel import kernel
from sympact.native.pointer import leading2
from sympact.native.rounding import HALF_DIGITS


@kernel
def constrained_rank(contacts, size):
    """The constrained directions, and their rank."""
    return rank_of(contacts.problem.rank, size)


@kernel
def constrain_direction(contacts, k, row, bound):
    """Constrain line `row` of W^T as number k, with its bound. Lines of a contact are consecutive."""
    problem = contacts.problem
    rows, lines = problem.rank.rows, problem.lines
    for i in range(problem.n_u):
        rows[k, i] = lines[row, i]
    problem.rank.group[k] = row // 3
    problem.constrained_lines[k] = row
    problem.constrained_bounds[k] = bound


@kernel
def scale_constrained(contacts, held):
    """Replace the constrained lines by their columns C^-1 W, which `closed_rows` has in their own places."""
    problem = contacts.problem
    rows, scaled, lines = problem.rank.rows, problem.closed_rows, problem.constrained_lines
    scale_rows(contacts, rows, 0, held)
    for k in range(held):
        for i in range(problem.n_u):
            scaled[lines[k], i] = rows[k, i]


@kernel
def constrain_accelerations(contacts, count):
    """The directions that the closed contacts constrain, with their accelerations without forces; returns how many."""
    mode, problem = contacts.mode, contacts.problem
    n, held = problem.n_contacts, 0
    who, status = problem.participants, mode.status
    accelerations, lines = problem.gap_acceleration, problem.constrained_lines
    for i in range(count):
        j = who[i]
        constrain_direction(contacts, held, 3 * j, -accelerations[j])
        held += 1
        if status[j] == codes.STICK:
            a, b = along_tangents(contacts, j, ACCELERATION)
            constrain_direction(contacts, held, 3 * j + 1, -a)
            constrain_direction(contacts, held + 1, 3 * j + 2, -b)
            held += 2
    scale_constrained(contacts, held)
    for k in range(held, 3 * n):
        lines[k] = -1
    return held


@kernel
def write_constrained_row(contacts, k, line):
    """Direction of force k: C^-1 of line `line` of W^T, which is constrained; returns its length."""
    problem = contacts.problem
    force_rows, closed_rows = problem.force_rows, problem.closed_rows
    for i in range(problem.n_u):
        force_rows[k, i] = closed_rows[line, i]
    return row_norm(force_rows, k, problem.n_u)


@kernel
def write_force_row(contacts, k, normal, j, a, b):
    """Direction of force k before `scale_rows`: normal W_N + a W_T1 + b W_T2 of contact j."""
    problem = contacts.problem
    force_rows, lines = problem.force_rows, problem.lines
    for i in range(problem.n_u):
        force_rows[k, i] = normal * lines[3 * j, i] + a * lines[3 * j + 1, i] + b * lines[3 * j + 2, i]


@kernel
def list_force_directions(contacts, count):
    """The directions of the forces of contacts that have one, with their lengths in N; returns how many.

    A tangent of a sticking contact that is rounding is omitted; its normal always comes first.
    """
    mode, problem = contacts.mode, contacts.problem
    total = held = 0
    who, status, force_components = problem.participants, mode.status, problem.force_components
    weights, acts_along = problem.force_weights, problem.force_lines
    for i in range(count):
        j = who[i]
        if status[j] == codes.SLIP:
            mu = sliding_coefficient(contacts, j)
            a, b = slip_direction(contacts, j)
            write_force_row(contacts, total, 1.0, j, -mu * a, -mu * b)
            force_components[total], weights[total], acts_along[total] = 3 * j, math.sqrt(1.0 + mu * mu), -1
            total += 1
        elif status[j] != codes.UNLOADED:
            longest = write_constrained_row(contacts, total, 3 * j)
            force_components[total], weights[total], acts_along[total] = 3 * j, 1.0, held
            total += 1
            if status[j] == codes.STICK:
                for c in range(2):
                    longest = max(longest, row_norm(problem.closed_rows, 3 * j + 1 + c, problem.n_u))
                for c in range(2):
                    if write_constrained_row(contacts, total, 3 * j + 1 + c) > DEPENDENT * longest:
                        force_components[total], weights[total] = 3 * j + 1 + c, 1.0
                        acts_along[total] = held + 1 + c
                        total += 1
        held += 3 if status[j] == codes.STICK else 1
    scale_slipping(contacts, total)
    return total


@kernel
def scale_slipping(contacts, total):
    """Replace the directions of forces of slipping contacts by their columns C^-1 W."""
    problem = contacts.problem
    acts_along, start = problem.force_lines, 0
    while start < total:
        end = start
        while end < total and acts_along[end] < 0:
            end += 1
        if end > start:
            scale_rows(contacts, problem.force_rows, start, end)
        start = end + 1


@kernel
def assemble_force_equations(contacts, rank, total):
    """The equations of the forces along the basis of the constrained directions, a row each; right side and matrix.

    The components of a constrained direction in this basis are known from the decision on the rank.
    """
    problem = contacts.problem
    m, found = problem.n_u, rank.count[0]
    force_rows, y, acts_along = problem.force_rows, problem.motion, problem.force_lines
    equations, right_side = leading2(problem.equations, found, total), problem.right_side
    for i in range(found):
        right_side[i] = dot(rank.q, i, y, m)
    for k in range(total):
        line = acts_along[k]
        for i in range(found):
            if line >= 0:
                equations[i, k] = rank.part[line, i] / rank.factor[line]
            else:
                s = 0.0
                for c in range(m):
                    s += rank.q[i, c] * force_rows[k, c]
                equations[i, k] = s
    return equations, right_side


@kernel
def find_forces(contacts, rank, count):
    """The forces of least norm of the motion in `motion` along the constraints, into `multipliers`; (number,
    satisfied).

    Where the inverse mass with friction nearly vanishes, the motion is a small difference of the effects of large
    forces.
    """
    problem = contacts.problem
    found, total = rank.count[0], list_force_directions(contacts, count)
    force, miss, done = problem.multipliers, 0.0, 0.0
    for k in range(total):
        force[k] = 0.0
    equations, right_side = assemble_force_equations(contacts, rank, total)
    kept = leading2(problem.kept_equations, found, total)
    for i in range(found):
        for k in range(total):
            kept[i, k] = equations[i, k]
    size = norm(right_side, found)
    least_norm(
        equations,
        found,
        total,
        right_side,
        problem.force_weights,
        force,
        problem.norm_scratch,
        problem.norm_order,
    )
    for i in range(found):
        s = right_side[i]
        for k in range(total):
            s -= force[k] * kept[i, k]
        miss = max(miss, abs(s))
    m, force_rows = problem.n_u, problem.force_rows
    for k in range(total):
        done += abs(force[k]) * row_norm(force_rows, k, m)
    return total, miss <= max(HALF_DIGITS * size, SUM_ROUNDING * done)


@kernel
def constrain_with_friction(contacts, t, x, with_forces):
    """The rates of the state with closed contacts constrained, in `rates`; returns the number of forces, -1 on
    failure.

    The rank of the constrained directions, with an orthonormal basis, is in `rank`.
    """
    count, slipping = read_closed(contacts, t, x)
    return constrain_by_rank(contacts, count, slipping, with_forces, False)


@kernel
def constrain_directly(contacts, t, x, with_forces):
    """The same, without the basis, by products of directions where these are clearly determined."""
    count, slipping = read_closed(contacts, t, x)
    return constrain_by_rank(contacts, count, slipping, with_forces, True)


@kernel
def read_closed(contacts, t, x):
    """What the motion with the closed contacts is assembled from: (how many there are, whether some slip)."""
    mode = contacts.mode
    status, slipping = mode.status, False
    count = list_closed(contacts)
    read_own_gaps(contacts, t, x)
    read_own_terms(contacts, t, x)
    read_own_slips(contacts, t, x, count)
    for j in range(mode.n_contacts):
        slipping = slipping or status[j] == codes.SLIP
    return count, slipping


@kernel
def constrain_by_rank(contacts, count, slipping, with_forces, directly):
    """The rates with the closed contacts constrained, in `rates`; `directly`: by products where these decide."""
    problem = contacts.problem
    nq, m, total, met = problem.n_q, problem.n_u, 0, factor_mass(contacts)
    rates, motion, forces = problem.rates, problem.motion, slipping or with_forces
    problem.decided_directly = 0
    if met:
        held = constrain_accelerations(contacts, count)
        total = find_by_products(contacts, count, held, slipping, with_forces) if directly else -1
        if total >= 0:
            problem.decided_directly = 1
        else:
            total, rank = 0, constrained_rank(contacts, held)
            pick(rank)
            reach(rank, problem.constrained_bounds, motion)
            if forces:
                total, met = find_forces(contacts, rank, count)
    if not met and (slipping or problem.pivot >= 0):
        for i in range(nq + m):
            rates[i] = math.nan
        return -1
    if slipping:
        force_rows, force = problem.force_rows, problem.multipliers
        for i in range(m):
            motion[i] = 0.0
        for k in range(total):
            if m > SHORT:
                add_within(support_of(force_rows, k), force[k], force_rows, k, motion)
                continue
            for i in range(m):
                motion[i] += force[k] * force_rows[k, i]
    change = change_of_speeds(contacts)
    for k in range(m):
        rates[nq + k] += change[k]
    return total


@kernel
def find_by_products(contacts, count, held, slipping, with_forces):
    """The motion along the constraints, or the forces where some slip; returns their number, -1 where not clear."""
    problem = contacts.problem
    memory, total = problem.rank, 0
    if pick_clearly(memory, held) <= 0:
        return -1
    along_picked(memory, problem.constrained_bounds, problem.right_side)
    if slipping or with_forces:
        total = list_force_directions(contacts, count)
        if not find_directly(contacts, total, slipping and with_forces):
            return -1
    if not slipping:
        shortest_by_picked(memory, problem.right_side, problem.motion)
    return total


@kernel
def all_slip(contacts):
    """Whether all closed contacts slip."""
    problem, status, slip = contacts.problem, contacts.mode.status, True
    who = problem.participants
    for i in range(problem.count):
        slip = slip and status[who[i]] == codes.SLIP
    return slip


@kernel
def some_slip(contacts):
    """Whether a closed contact slips."""
    status, slip = contacts.mode.status, False
    for j in range(contacts.mode.n_contacts):
        slip = slip or status[j] == codes.SLIP
    return slip
