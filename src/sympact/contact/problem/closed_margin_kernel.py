"""The margins of closed contacts to the end of their modes, by the least forces that give the motion of these modes."""

import math

from sympact.contact.linalg.cholesky_kernel import row_square
from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contact_tolerances import NEARLY_MASSLESS
from sympact.contact.problem.assemble_kernel import time_scale
from sympact.contact.problem.determinant_ratio_kernel import left_by_friction
from sympact.contact.problem.rest_kernel import wake_margin
from sympact.contact.problem.slip_kernel import coefficients, sliding_coefficient, slip_along, slip_direction
from sympact.integrate.memory.run_codes import BY_VALUES
from sympact.integrate.memory.run_tolerances import NEGLIGIBLE
from sympact.native.kernel import kernel


@kernel
def gather_forces(contacts, total):
    """The forces by contact, three numbers each: normal and tangents; zero where a contact has none."""
    problem = contacts.problem
    n = problem.n_contacts
    force_components, force = problem.force_components, problem.multipliers
    by_contact = problem.cone_after
    for k in range(3 * n):
        by_contact[k] = 0.0
    for k in range(total):
        by_contact[force_components[k]] = force[k]
    return by_contact


@kernel
def friction_of(contacts, j, by_contact):
    """The tangential force of contact j by its mode."""
    mode = contacts.mode
    status = mode.status
    if status[j] == codes.SLIP:
        mu = sliding_coefficient(contacts, j)
        a, b = slip_direction(contacts, j)
        return -mu * by_contact[3 * j] * a, -mu * by_contact[3 * j] * b
    return by_contact[3 * j + 1], by_contact[3 * j + 2]


@kernel
def slip_margin(contacts, j):
    """The slip of contact j along its reference direction, relative to its scale in this arc."""
    mode = contacts.mode
    s, scale = slip_along(contacts, j), mode.slip_scale[j]
    if mode.begins_to_slip[j] == 1:
        s += mode.slip_slack[j]
    return s / (scale if scale > 0.0 else contacts.model.length / time_scale(contacts))


@kernel
def margin(contacts, j, by_contact, left):
    """The margin of a closed contact to the end of its mode: its force to opening or the cone's edge, its slip to 0.

    Where the ratio of inverse masses with and without friction nearly vanishes, a slipping mode ends, too.
    `closed_rows` has C^-1 W of the closed contacts.
    """
    mode = contacts.mode
    status = mode.status
    reference = mode.reference_acceleration if mode.reference_acceleration > 0.0 else 1.0
    normal = by_contact[3 * j]
    strength = row_square(contacts.problem.closed_rows, 3 * j, contacts.problem.n_u) / reference
    if status[j] == codes.STICK:
        _, static = coefficients(contacts, j)
        pull = math.sqrt(by_contact[3 * j + 1] ** 2 + by_contact[3 * j + 2] ** 2)
        return min(normal, static * normal - pull) * strength
    if status[j] == codes.SLIP:
        return min(normal * strength, slip_margin(contacts, j), left - NEARLY_MASSLESS)
    return normal * strength


@kernel
def least_margins(contacts, total, values):
    """The margins by the `total` forces that `constrain_with_friction` has found; NaN where it failed.

    Returns whether the force of a contact that does not slip violates its cone, so that other forces of the same motion
    may be admissible.
    """
    model, mode = contacts.model, contacts.mode
    status, length, watched = mode.statuses, model.length, mode.watched
    for k in range(mode.n_boundaries):
        values[k] = 1.0 if total >= 0 else math.nan
    if total < 0:
        return False
    n = mode.n_contacts
    wake = wake_margin(contacts) if status[n] == 1 else math.inf
    by_contact, violated, left = gather_forces(contacts, total), False, left_by_friction(contacts, total)
    for j in range(n):
        if status[j] != codes.OPEN and watched[j] == BY_VALUES:
            values[j] = length * min(margin(contacts, j, by_contact, left), wake)
            violated = violated or (values[j] < 0.0 and status[j] != codes.SLIP)
    return violated


@kernel
def inside_cones(contacts, total):
    """Whether the `total` forces found last are admissible, but for rounding, for all contacts that do not slip."""
    mode, inside = contacts.mode, True
    status, watched, by_contact = mode.status, mode.watched, gather_forces(contacts, total)
    for j in range(mode.n_contacts):
        if status[j] != codes.OPEN and status[j] != codes.SLIP and watched[j] == BY_VALUES:
            inside = inside and margin(contacts, j, by_contact, 1.0) >= -NEGLIGIBLE
    return inside
