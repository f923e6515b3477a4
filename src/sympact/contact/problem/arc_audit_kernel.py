"""The audit of smooth arcs with closed contacts: the motion and the forces of a mode are one solution.

With c the change of u' by the forces of contacts, and their lines W^T as the model gives them,

    r = M c - W_N lambda_N - W_T lambda_T

vanishes, apart from the forces of bilateral constraints, which P C^-1 removes. The constrained accelerations vanish,
each normal force pushes, friction stays within its cone, and slip is along the direction that friction opposes. All is
compared at the start of an arc and at the end of each step, with the matrices that the flow has there: no function of
the model is called. Vectors are measured by the mass, relative to the largest of: C^T u' without forces, its change,
the effect of each force, and of the force that gives a contact the reference acceleration.

Where the forces of contacts that do not slip are not unique, others may be within the cones though these are not: the
margins decide that, in the search of the same step.
"""

import math

from sympact.contact.linalg.branch_kernel import entry_along
from sympact.contact.linalg.cholesky_kernel import dot, row_norm
from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contact_tolerances import BEYOND_ERROR
from sympact.contact.problem.assemble_kernel import jacobian, mass_factor, scale_rows
from sympact.contact.problem.closed_margin_kernel import friction_of, gather_forces, slip_margin
from sympact.contact.problem.rest_kernel import length_by_mass
from sympact.contact.problem.slip_kernel import coefficients, has_negative_friction
from sympact.integrate.memory.run_codes import BY_VALUES
from sympact.integrate.memory.stage_margins import ALONG_SLIP, NEGATIVE_COEFFICIENT, NO_SOLUTION, OUTSIDE_CONE
from sympact.native.kernel import kernel
from sympact.native.pointer import row_of


@kernel
def is_audited(contacts, out):
    """Whether rates at an address are those at the start of an arc or at the end of a step; the last result is
    forgotten then."""
    margins = contacts.problem.stage_margins
    if out != margins.arc_start and out != margins.step_end:
        return False
    margins.fault, margins.contact, margins.residual, margins.beyond = 0, 0, 0.0, 0.0
    return True


@kernel
def write_momentum(contacts):
    """C^T c into `unaccounted_row`, and M c into `unaccounted`."""
    problem, mass = contacts.problem, mass_factor(contacts)
    m, change, branches, profile = problem.n_u, problem.change, problem.branches, problem.mass_profile
    y, left = row_of(problem.unaccounted_row, 0), row_of(problem.unaccounted, 0)
    for i in range(m):
        y[i] = left[i] = 0.0
    if branches.present == 1:
        for i in range(m):
            y[i] = entry_along(mass, branches, i, change, 0)
            left[i] += mass[i, i] * y[i]
            for e in range(branches.starts[i], branches.starts[i + 1]):
                left[branches.entries[e]] += mass[i, branches.entries[e]] * y[i]
        return
    for i in range(m):
        for k in range(profile[i], i + 1):
            y[k] += mass[i, k] * change[i]
    for i in range(m):
        for k in range(profile[i], i + 1):
            left[i] += mass[i, k] * y[k]


@kernel
def subtract(contacts, lines, row, force):
    """Take a force along a line of W^T from `unaccounted`."""
    problem = contacts.problem
    left = row_of(problem.unaccounted, 0)
    for k in range(problem.n_u if force != 0.0 else 0):
        left[k] -= force * lines[row, k]


@kernel
def motion_scale(contacts):
    """The larger of the accelerations without forces and of their change, measured by the mass."""
    problem = contacts.problem
    free = length_by_mass(contacts, problem.rates_of_speeds, problem.change, 1.0)
    return max(free, row_norm(problem.unaccounted_row, 0, problem.n_u))


@kernel
def note_residual(contacts, residual, scale, j):
    """Keep a residual of the equations, relative to a scale, with the contact where it is largest."""
    margins = contacts.problem.stage_margins
    part = residual / scale if scale > 0.0 else 0.0
    if part > margins.residual or not part < math.inf:
        margins.residual, margins.contact = part, j
    if not margins.residual <= BEYOND_ERROR:
        margins.fault = NO_SOLUTION


@kernel
def note_beyond(contacts, part, fault, j):
    """Keep how far a force is from where it is admissible; a fault of the equations precedes."""
    margins = contacts.problem.stage_margins
    if not part > margins.beyond:
        return
    margins.beyond = part
    if part > BEYOND_ERROR and margins.fault != NO_SOLUTION:
        margins.fault, margins.contact = fault, j


@kernel
def audit_with_friction(contacts, total):
    """Compare the motion with the `total` forces that were found last, where some contacts have friction."""
    problem, mode = contacts.problem, contacts.mode
    m, who, rows = problem.n_u, problem.participants, problem.closed_rows
    if total < 0:
        return
    by_contact = gather_forces(contacts, total)
    write_momentum(contacts)
    for i in range(problem.count):
        j = who[i]
        a, b = friction_of(contacts, j, by_contact)
        subtract(contacts, problem.lines, 3 * j, by_contact[3 * j])
        subtract(contacts, problem.lines, 3 * j + 1, a)
        subtract(contacts, problem.lines, 3 * j + 2, b)
    scale_rows(contacts, problem.unaccounted, 0, 1)
    scale = motion_scale(contacts)
    for k in range(total):
        scale = max(scale, abs(problem.multipliers[k]) * row_norm(problem.force_rows, k, m))
    for i in range(problem.count):
        length = row_norm(rows, 3 * who[i], m)
        scale = max(scale, mode.reference_acceleration / length if length > 0.0 else 0.0)
    note_residual(contacts, row_norm(problem.unaccounted, 0, m), scale, farthest(contacts))
    compare_accelerations(contacts, scale)
    judge_cones(contacts, total, by_contact, scale)
    if has_negative_friction(contacts):
        problem.stage_margins.fault = NEGATIVE_COEFFICIENT


@kernel
def farthest(contacts):
    """The contact whose normal has the largest part of the residual."""
    problem = contacts.problem
    m, who, rows, left = problem.n_u, problem.participants, problem.closed_rows, row_of(problem.unaccounted, 0)
    worst, largest = who[0], -1.0
    for i in range(problem.count):
        length = row_norm(rows, 3 * who[i], m)
        part = abs(dot(rows, 3 * who[i], left, m)) / length if length > 0.0 else 0.0
        if part > largest:
            worst, largest = who[i], part
    return worst


@kernel
def compare_accelerations(contacts, scale):
    """The accelerations that remain in constrained directions, relative to those of the scale along the normal."""
    problem = contacts.problem
    m, lines, rows, y = problem.n_u, problem.constrained_lines, problem.closed_rows, row_of(problem.unaccounted_row, 0)
    k = 0
    while k < lines.size and lines[k] >= 0:
        j = lines[k] // 3
        missed = abs(dot(rows, lines[k], y, m) - problem.constrained_bounds[k])
        note_residual(contacts, missed, scale * row_norm(rows, 3 * j, m), j)
        k += 1


@kernel
def judge_cones(contacts, total, by_contact, scale):
    """Whether forces push, friction is within its cone, and slip is along the direction that it opposes."""
    problem, mode = contacts.problem, contacts.mode
    m, status, unique = problem.n_u, mode.status, total <= problem.rank.count[0]
    for i in range(problem.count):
        j = problem.participants[i]
        if mode.watched[j] != BY_VALUES or status[j] == codes.UNLOADED:
            continue
        edge = by_contact[3 * j]
        if status[j] == codes.STICK:
            _, static = coefficients(contacts, j)
            edge = min(edge, static * edge - math.hypot(by_contact[3 * j + 1], by_contact[3 * j + 2]))
        if (unique or status[j] == codes.SLIP) and scale > 0.0:
            note_beyond(contacts, -edge * row_norm(problem.closed_rows, 3 * j, m) / scale, OUTSIDE_CONE, j)
        if status[j] == codes.SLIP:
            note_beyond(contacts, -slip_margin(contacts, j), ALONG_SLIP, j)


@kernel
def audit_frictionless(contacts, met):
    """Compare the motion with the forces that were found last, where no contact has friction."""
    problem, mode = contacts.problem, contacts.mode
    m, who, lengths, force = problem.n_u, problem.participants, problem.lengths, problem.multiplier
    if not met:
        return
    write_momentum(contacts)
    for i in range(problem.count):
        if lengths[i] > 0.0:
            subtract(contacts, jacobian(contacts), who[i], force[i] / (lengths[i] * lengths[i]))
    scale_rows(contacts, problem.unaccounted, 0, 1)
    scale = motion_scale(contacts)
    for i in range(problem.count):
        if lengths[i] > 0.0:
            scale = max(scale, abs(force[i]) / lengths[i], mode.reference_acceleration / lengths[i])
    y, left, worst, largest = row_of(problem.unaccounted_row, 0), row_of(problem.unaccounted, 0), 0, -1.0
    for i in range(problem.count):
        if abs(dot(problem.columns, i, left, m)) > largest:
            worst, largest = who[i], abs(dot(problem.columns, i, left, m))
    note_residual(contacts, row_norm(problem.unaccounted, 0, m), scale, worst)
    for i in range(problem.count):
        if lengths[i] > 0.0:
            note_residual(contacts, abs(dot(problem.columns, i, y, m) - problem.bounds[i]), scale, who[i])
        if mode.watched[who[i]] == BY_VALUES and lengths[i] > 0.0 and scale > 0.0:
            note_beyond(contacts, -force[i] / (lengths[i] * scale), OUTSIDE_CONE, who[i])
