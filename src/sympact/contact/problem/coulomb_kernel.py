"""Newton's law with Coulomb friction, all participants at once: Lagrange's impact equations on the friction cone.

    M (u+ - u-) = W_N Lambda_N + W_T Lambda_T,   0 <= Lambda_N _|_ gamma_N+ + e gamma_N- >= 0,
    |Lambda_T| <= mu Lambda_N,   and where gamma_T+ is not zero   Lambda_T = -mu Lambda_N gamma_T+ / |gamma_T+|

The same with accelerations for velocities gives the forces of closed contacts; there a slipping contact already has its
direction of friction, and another one sticks up to mu_static.
"""

import math

from sympact.contact.linalg.cholesky_kernel import dot, row_norm
from sympact.contact.linalg.support_kernel import SHORT, add_within, dot_within, support_of
from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contact_tolerances import DEPENDENT, MOTION_ROUNDING
from sympact.contact.memory.contacts_kernel import contacts_at
from sympact.contact.problem.assemble_kernel import assemble_columns, factor_mass, scale_rows
from sympact.contact.problem.dead_point_kernel import take_rounding
from sympact.contact.problem.frictionless_kernel import finite, measure_change
from sympact.contact.problem.refine_kernel import refine
from sympact.contact.problem.slip_kernel import begins_to_slip, coefficients, take_friction
from sympact.native.kernel import kernel
from sympact.native.pointer import call_unit, leading, row_of
from sympact.native.rounding import EPS

ROUNDINGS = 8.0  # in a rate after, of the part of each impulse


def solve(data):
    """Solve the impact of the participants, assembled in `Contacts`; SOLVED, UNSOLVED or NOT_FINITE."""
    contacts = contacts_at(data)
    if frictionless(contacts):
        return without_friction(contacts)
    code = assemble(contacts)
    return code if code != codes.SOLVED else answer(contacts)


def solve_forces(data):
    """Solve the problem of forces: contacts that do not stick at mu_static slip at mu."""
    contacts = contacts_at(data)
    problem = contacts.problem
    if frictionless(contacts):
        return without_friction(contacts)
    code = assemble(contacts)
    if code == codes.SOLVED:
        take_rounding(contacts)
    for _ in range(problem.count + 1):
        if code != codes.SOLVED:
            return code
        code = answer(contacts)
        if not release_static_friction(contacts):
            break
    return code


@kernel
def frictionless(contacts):
    """True when no participant has friction."""
    problem = contacts.problem
    mu, largest = problem.coefficient, 0.0
    for i in range(problem.count):
        largest = max(largest, mu[i])
    return largest == 0.0


@kernel
def without_friction(contacts):
    """The frictionless problem, and its slip after."""
    model, problem = contacts.model, contacts.problem
    code = call_unit(model.frictionless_solver, contacts.address)
    for i in range(problem.count if code == codes.SOLVED else 0):
        slip_after(contacts, i)
        impulse = problem.friction_impulse
        impulse[i, 0] = impulse[i, 1] = 0.0
    return code


@kernel
def slip_after(contacts, i):
    """The slip of participant i with the change of the speeds."""
    problem = contacts.problem
    m = problem.n_u
    who, lines, change = problem.participants, problem.lines, problem.change
    before, after = problem.slip_minus, problem.slip_plus
    for c in range(2):
        after[i, c] = before[i, c] + dot(lines, 3 * who[i] + 1 + c, change, m)


@kernel
def assemble(contacts):
    """Columns C^-1 W, the Delassus matrix, velocities, no least impulse; SOLVED, UNSOLVED or NOT_FINITE."""
    problem = contacts.problem
    m, count = problem.n_u, problem.count
    before, e = problem.rate_minus, problem.restitution
    slip = problem.slip_minus
    known = finite(problem.terms) and finite(leading(problem.rate_minus, count))
    if not (known and finite(leading(problem.slip_minus, 2 * count)) and finite_lines(contacts)):
        return codes.NOT_FINITE
    if not factor_mass(contacts):
        return codes.UNSOLVED
    assemble_columns(contacts, count)
    assemble_scaled_rows(contacts, count)
    scaled_rows, delassus, support = problem.scaled_rows, problem.delassus, problem.scaled_support
    for i in range(3 * count):
        support[i] = 0 if m <= SHORT else support_of(scaled_rows, i)
        for k in range(i + 1):
            s = 0.0
            for c in range(m if m <= SHORT else 0):
                s += scaled_rows[i, c] * scaled_rows[k, c]
            if m > SHORT:
                s = dot_within(support[i] & support[k], scaled_rows, i, scaled_rows, k)
            delassus[i, k] = delassus[k, i] = s
    rate, least = problem.cone_rate, problem.least_impulse
    for i in range(count):
        least[i] = 0.0
        rate[3 * i] = (1.0 + e[i]) * before[i]
        rate[3 * i + 1], rate[3 * i + 2] = slip[i, 0], slip[i, 1]
    return codes.SOLVED


@kernel
def finite_lines(contacts):
    """True when no entry of the lines of the participants is infinite or NaN."""
    problem = contacts.problem
    who, lines, good = problem.participants, problem.lines, True
    for i in range(problem.count):
        for c in range(3):
            good = good and finite(row_of(lines, 3 * who[i] + c))
    return good


@kernel
def assemble_scaled_rows(contacts, count):
    """C^-1 of the lines of the participants; those that are rounding relative to the longest of their contact are
    zero."""
    problem = contacts.problem
    m = problem.n_u
    who, lines = problem.participants, problem.lines
    scaled_rows = problem.scaled_rows
    for i in range(count):
        for c in range(3):
            for k in range(m):
                scaled_rows[3 * i + c, k] = lines[3 * who[i] + c, k]
    scale_rows(contacts, scaled_rows, 0, 3 * count)
    for i in range(count):
        drop_rounding(scaled_rows, 3 * i, m)


@kernel
def drop_rounding(scaled_rows, first, m):
    """Set rows of a contact that are rounding to zero: with a part of 1e-17 in the motion their force would be
    arbitrary."""
    longest = 0.0
    for c in range(3):
        longest = max(longest, row_norm(scaled_rows, first + c, m))
    for c in range(3):
        if row_norm(scaled_rows, first + c, m) <= DEPENDENT * longest:
            for k in range(m):
                scaled_rows[first + c, k] = 0.0


@kernel
def answer(contacts):
    """Solve the assembled problem on the cone; impulses, the change of the speeds, rates and slip after."""
    model, problem = contacts.model, contacts.problem
    code = call_unit(model.cone_solver, contacts.address)
    if code != codes.SOLVED:
        return code
    take_impulses(contacts, problem.count)
    residual = problem.cone_report[0]
    problem.residual = residual
    if residual > MOTION_ROUNDING:
        refine(contacts, problem.count, problem.cone_rate, False)
        report_impulses(contacts, problem.count)
    return codes.SOLVED if finite(problem.change) else codes.NOT_FINITE


@kernel
def take_impulses(contacts, count):
    """From the impulses in `cone_impulse` to the motion after, for every law with friction."""
    problem = contacts.problem
    m = problem.n_u
    scaled_rows, both = problem.scaled_rows, problem.cone_impulse
    motion = problem.motion
    for k in range(m):
        motion[k] = 0.0
    for i in range(3 * count):
        if m > SHORT:
            add_within(support_of(scaled_rows, i), both[i], scaled_rows, i, motion)
            continue
        for k in range(m):
            motion[k] += both[i] * scaled_rows[i, k]
    measure_change(contacts, count)
    note_rounding(contacts, count)
    report_impulses(contacts, count)


@kernel
def report_impulses(contacts, count):
    """The impulses in `cone_impulse` as those of the contacts, and the slips after."""
    problem = contacts.problem
    both, normal = problem.cone_impulse, problem.impulse
    friction = problem.friction_impulse
    for i in range(count):
        normal[i] = both[3 * i]
        friction[i, 0], friction[i, 1] = both[3 * i + 1], both[3 * i + 2]
        slip_after(contacts, i)


@kernel
def note_rounding(contacts, count):
    """The error of the rates after due to the rounding of the impulses: large, where large ones cancel.

    The parts of the slips after are added up in the same way.
    """
    problem = contacts.problem
    uncertain, both = problem.uncertain, problem.cone_impulse
    delassus, parts, before = problem.delassus, problem.slip_parts, problem.slip_minus
    for i in range(count):
        s, a, b = 0.0, abs(before[i, 0]), abs(before[i, 1])
        for k in range(3 * count):
            s += abs(delassus[3 * i, k] * both[k])
            a += abs(delassus[3 * i + 1, k] * both[k])
            b += abs(delassus[3 * i + 2, k] * both[k])
        uncertain[i] = max(uncertain[i], ROUNDINGS * EPS * s)
        parts[i] = math.hypot(a, b)


@kernel
def release_static_friction(contacts):
    """Contacts tested for sticking whose kinetic coefficient is smaller; True if there are any."""
    problem = contacts.problem
    found = False
    who, mu, sliding = problem.participants, problem.coefficient, problem.slides
    for i in range(problem.count):
        kinetic, _ = coefficients(contacts, who[i])
        if sliding[i] == 0 and mu[i] > kinetic and begins_to_slip(contacts, i):
            take_friction(contacts, i, False)
            found = True
    return found
