"""The margins of closed contacts to the end of their modes, and their forces: one method for both.

The mode's motion is unique, its forces need not be. Of all forces that give the motion those of least norm are taken;
where these violate a cone, those of least norm within the cones. The complementarity problem is solved anew only to
decide whether a mode ends that the least-norm forces do not maintain: it may have another solution, such as zero forces
where self-stresses fit into the cones. Where it has the motion of the mode, forces inside the cones are kept, and while
those next to them are admissible nothing is solved anew (`interior_force_kernel`). Where it releases a contact for a
rebound below the threshold, the mode continues (`release_kernel`). It gives the forces of a mode only where the least
norm within the cones is not found, as where only the apex of a cone remains, and where its motion is that of the mode.
"""

import math

from sympact.contact.linalg.cholesky_kernel import dot, row_norm
from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contacts_kernel import contacts_at
from sympact.contact.modes.cone_forces_kernel import (
    constrained_count,
    find_in_cones,
    keep_interior,
    present_rank,
)
from sympact.contact.modes.release_kernel import rise
from sympact.contact.modes.select_modes_kernel import ask, list_candidates
from sympact.contact.problem.assemble_kernel import (
    assemble_accelerations,
    list_closed,
    read_gaps,
    read_own_terms,
    scale_rows,
)
from sympact.contact.problem.closed_friction_kernel import constrain_directly, constrain_with_friction
from sympact.contact.problem.closed_kernel import table_at
from sympact.contact.problem.closed_margin_kernel import friction_of, gather_forces, inside_cones, least_margins
from sympact.contact.problem.interior_force_kernel import follow_interior
from sympact.contact.problem.rest_kernel import wake_margin
from sympact.contact.problem.slip_kernel import (
    begin_all,
    begins_to_slip,
    coefficients,
    constrained_acceleration,
    slip_direction,
    take_friction,
)
from sympact.integrate.memory.run_codes import BY_VALUES
from sympact.integrate.memory.run_tolerances import NEGLIGIBLE
from sympact.native.kernel import kernel
from sympact.native.pointer import call_flow, call_unit, leading2, reals, reals2

CONSTRAINED_BY_CONE = (
    1e-3  # of the length: the margin of a contact that other forces than those of least norm constrain
)


def friction_margins(t, x, data, out):
    """The margins of closed contacts, see `Stage.force`."""
    contacts, size = table_at(data)
    model, mode = contacts.model, contacts.mode
    n, values, watched = mode.n_contacts, reals(out, mode.n_boundaries), mode.watched
    status, length = mode.statuses, model.length
    total = constrain_directly(contacts, t, reals(x, size), True)
    violated = least_margins(contacts, total, values)
    if violated and total > constrained_count(contacts):
        wake = wake_margin(contacts) if status[n] == 1 else math.inf
        held = 1.0
        if not (follow_interior(contacts, total) and inside_cones(contacts, total)):
            held = constrained_by_cone(contacts, t, reals(x, size))
            if held < 0.0:
                held = max(held, constrained_while_low(contacts, t, reals(x, size)))
            else:
                keep_interior(contacts, t, reals(x, size))
        for j in range(n):
            if status[j] != codes.OPEN and watched[j] == BY_VALUES and values[j] < 0.0 and status[j] != codes.SLIP:
                values[j] = CONSTRAINED_BY_CONE * length * min(max(held, -1.0), wake)


@kernel
def keep_modes(contacts):
    """In the last assembled problem of forces, slipping contacts and their directions are as in the modes, also if
    slow."""
    mode, problem = contacts.mode, contacts.problem
    who, sliding = problem.participants, problem.slides
    status, direction = mode.status, problem.direction
    for i in range(problem.count):
        if status[who[i]] == codes.SLIP:
            sliding[i] = 1
            take_friction(contacts, i, False)
            direction[i, 0], direction[i, 1] = slip_direction(contacts, who[i])


@kernel
def constrained_by_cone(contacts, t, x):
    """Whether other forces than the least ones keep the contacts closed: then positive, else negative."""
    model, mode, problem = contacts.model, contacts.mode, contacts.problem
    list_closed(contacts)
    read_gaps(contacts, t, x)
    read_own_terms(contacts, t, x)
    assemble_accelerations(contacts, problem.gap_acceleration)
    call_flow(model.assemble_slip, t, x, contacts.address, x)
    keep_modes(contacts)
    if call_unit(model.force_solver, contacts.address) != codes.SOLVED:
        return -math.inf
    who, status = problem.participants, mode.status
    rate, slip = problem.rate_plus, problem.slip_plus
    moves, reference = 0.0, mode.reference_acceleration
    for i in range(problem.count):
        moves = max(moves, abs(rate[i]))
        if status[who[i]] == codes.STICK:
            moves = max(moves, math.sqrt(slip[i, 0] ** 2 + slip[i, 1] ** 2))
    return 1.0 - moves / (NEGLIGIBLE * (reference if reference > 0.0 else 1.0))


@kernel
def constrained_while_low(contacts, t, x):
    """Positive where forces within the cones exist, and a released contact rises less than DEAD_BAND; else negative."""
    mode = contacts.mode
    total = constrain_with_friction(contacts, t, x, True)
    if total < 0 or not find_in_cones(contacts, total):
        return -math.inf
    held = constrained_by_cone(contacts, t, x)
    return 1.0 - rise(contacts, t, x, mode.status) if held > -math.inf else held


def closed_friction_forces(t, x, data, out):
    """lambda of each contact (N), shape (n,), then the forces of friction, shape (n, 3), components in N.

    Friction has the directions of the present step, see `begin_slips` and `set_reference_slips`.
    """
    contacts, size = table_at(data)
    problem = contacts.problem
    n = problem.n_contacts
    state, force, pushes = reals(x, size), reals(out, n), reals2(out + 8 * n, n, 3)
    for j in range(n):
        force[j] = pushes[j, 0] = pushes[j, 1] = pushes[j, 2] = 0.0
    if list_closed(contacts) == 0:
        return
    total = constrain_with_friction(contacts, t, state, True)
    if total < 0:
        for j in range(n):
            force[j] = pushes[j, 0] = pushes[j, 1] = pushes[j, 2] = math.nan
        return
    by_contact = gather_forces(contacts, total)
    inside = not leaves_cones(contacts, by_contact)
    if not inside and total > constrained_count(contacts):
        if find_in_cones(contacts, total):
            by_contact, inside = gather_forces(contacts, total), True
        else:
            beyond = beyond_cones(contacts, by_contact)
            away = 1.0 - constrained_by_cone(contacts, t, state)
            if away * NEGLIGIBLE <= beyond:  # closer to the mode than these to the cones
                hand_forces(contacts, force, pushes)
                return
            total = constrain_with_friction(contacts, t, state, True)
            by_contact = gather_forces(contacts, total)
    tangents = problem.tangents
    for j in range(n):
        a, b = friction_of(contacts, j, by_contact)
        force[j] = by_contact[3 * j]
        for c in range(3):
            pushes[j, c] = a * tangents[j, c] + b * tangents[j, 3 + c]
        if force[j] < 0.0 and (inside or -force[j] <= NEGLIGIBLE * felt(contacts, j)):
            force[j] = pushes[j, 0] = pushes[j, 1] = pushes[j, 2] = 0.0


@kernel
def inertia_along(contacts, j):
    """W^T M^-1 W of the normal of contact j; OUT must contain the factor of M."""
    problem = contacts.problem
    m = problem.n_u
    column, lines = leading2(problem.scaled_rows, 1, m), problem.lines
    for k in range(m):
        column[0, k] = lines[3 * j, k]
    scale_rows(contacts, column, 0, 1)
    return row_norm(column, 0, m) ** 2


@kernel
def felt(contacts, j):
    """The normal force on contact j that gives its effective mass the largest free acceleration of a gap (N)."""
    mode = contacts.mode
    inertia = inertia_along(contacts, j)
    return mode.largest_acceleration / inertia if inertia > 0.0 else 0.0


@kernel
def leaves_cones(contacts, by_contact):
    """True when a force is outside its cone by more than rounding."""
    return beyond_cones(contacts, by_contact) > NEGLIGIBLE


@kernel
def beyond_cones(contacts, by_contact):
    """The distance of a force from its cone, relative to the largest force."""
    mode = contacts.mode
    n, largest, beyond = mode.n_contacts, 0.0, 0.0
    status = mode.status
    for k in range(3 * n):
        largest = max(largest, abs(by_contact[k]))
    for j in range(n):
        _, static = coefficients(contacts, j)
        pull = math.sqrt(by_contact[3 * j + 1] ** 2 + by_contact[3 * j + 2] ** 2)
        edge = static * by_contact[3 * j] - pull if status[j] == codes.STICK else by_contact[3 * j]
        beyond = max(beyond, -min(by_contact[3 * j], edge))
    return beyond / largest if largest > 0.0 else 0.0


@kernel
def hand_forces(contacts, force, pushes):
    """The forces of the last problem, by contact."""
    problem = contacts.problem
    who, found = problem.participants, problem.impulse
    push_all(contacts)
    total = problem.friction_vector
    for i in range(problem.count):
        force[who[i]] = found[i]
        for c in range(3):
            pushes[who[i], c] = total[who[i], c]


def keep_sticking(t, x_address, data, out_address):
    """A sticking contact continues to stick where the least forces constrain it, though the last solution releases it.

    So it does where other forces within the cones constrain it and it would separate by no more than a final rebound.

    Where self-stresses fit into the cones there are several solutions; the motion so far is one of them. The solution
    for the participants, in the last problem of forces, is changed in place. Slipping contacts have their present
    direction: an impact may have reversed the slip of the smooth arc before.
    """
    contacts, size = table_at(data)
    mode, problem = contacts.mode, contacts.problem
    n, x = problem.n_contacts, reals(x_address, size)
    status, following, was = mode.status, mode.next_status, problem.standing
    if not try_modes(contacts, following):
        return
    for j in range(n):
        was[j], status[j] = status[j], following[j]
    total = -1 if begin_all(contacts, t, x) else constrain_with_friction(contacts, t, x, True)
    holds = total >= 0 and held_still(contacts, total)
    list_candidates(contacts)
    if holds and leaves_cones(contacts, gather_forces(contacts, total)):
        holds = total > constrained_count(contacts) and find_in_cones(contacts, total)
        if holds:
            holds = ask(contacts, t, x) == codes.SOLVED and rise(contacts, t, x, following) <= 1.0
            ask(contacts, t, x)
            total = constrain_with_friction(contacts, t, x, True) if holds else -1
            holds = total >= 0 and find_in_cones(contacts, total)
            list_candidates(contacts)
    if holds:
        answer_modes(contacts, gather_forces(contacts, total))
    for j in range(n):
        status[j] = was[j]
    read_gaps(contacts, t, x)


@kernel
def try_modes(contacts, modes):
    """The modes by the last forces, except that contacts that stuck, or were just stopped, stick; whether they differ.

    Not where a slip begins: then it has no direction yet.
    """
    mode, problem = contacts.mode, contacts.problem
    n, kept, begins = problem.n_contacts, False, False
    who, status, sliding = problem.participants, mode.status, problem.slides
    after, force = problem.rate_plus, problem.impulse
    bound, stopped = constrained_acceleration(contacts), mode.stopped
    for j in range(n):
        modes[j] = codes.OPEN
    for i in range(problem.count):
        j = who[i]
        _, static = coefficients(contacts, j)
        moves = begins_to_slip(contacts, i)
        opens = after[i] > bound and not force[i] > 0.0
        if (status[j] == codes.STICK or stopped[j] == 1) and sliding[i] == 0:
            modes[j] = codes.STICK
            kept = kept or moves or opens
        elif not opens:
            modes[j] = codes.CLOSED if static == 0.0 else (codes.SLIP if sliding[i] == 1 else codes.STICK)
            begins = begins or (modes[j] == codes.STICK and moves)
    return kept and not begins


@kernel
def held_still(contacts, total):
    """True when the forces in `multipliers` satisfy all constraints of the modes, also the dependent ones."""
    problem = contacts.problem
    m, rank, most = problem.n_u, present_rank(contacts), 0.0
    bounds, y = problem.constrained_bounds, problem.motion
    for place in range(rank.count[0], rank.rows.shape[0]):
        k = rank.picked[place]
        s = -rank.factor[k] * bounds[k]
        for c in range(m):
            s += rank.rows[k, c] * y[c]
        most = max(most, abs(s) / rank.factor[k])
    return most <= constrained_acceleration(contacts)


@kernel
def answer_modes(contacts, by_contact):
    """The forces of the modes in `statuses` as those of the participants; their constraints have no acceleration."""
    mode, problem = contacts.mode, contacts.problem
    who, status, force = problem.participants, mode.status, problem.impulse
    friction, slip = problem.friction_impulse, problem.slip_plus
    after, change = problem.rate_plus, problem.change
    before, lines = problem.slip_minus, problem.lines
    for i in range(problem.count):
        j = who[i]
        force[i] = max(by_contact[3 * j], 0.0)
        friction[i, 0], friction[i, 1] = friction_of(contacts, j, by_contact)
        after[i] = problem.rate_minus[i] + dot(lines, 3 * j, change, problem.n_u)
        for c in range(2):
            slip[i, c] = before[i, c] + dot(lines, 3 * j + 1 + c, change, problem.n_u)
            if status[j] == codes.STICK:
                slip[i, c] = 0.0
        if status[j] != codes.OPEN:
            after[i] = 0.0


@kernel
def push_all(contacts):
    """The tangential impulses (forces) of the participants as vectors in N, by contact, into `friction_vector`."""
    problem = contacts.problem
    n = problem.n_contacts
    who, friction = problem.participants, problem.friction_impulse
    pushes, tangents = problem.friction_vector, problem.tangents
    for j in range(n):
        pushes[j, 0] = pushes[j, 1] = pushes[j, 2] = 0.0
    for i in range(problem.count):
        j = who[i]
        for c in range(3):
            pushes[j, c] = friction[i, 0] * tangents[j, c] + friction[i, 1] * tangents[j, 3 + c]


def report_friction(data):
    """The tangential impulses as vectors, and their energy: sum of Lambda_T . (slip+ + slip-) / 2."""
    contacts = contacts_at(data)
    problem = contacts.problem
    total = 0.0
    friction = problem.friction_impulse
    before, after = problem.slip_minus, problem.slip_plus
    for i in range(problem.count):
        for c in range(2):
            total += 0.5 * friction[i, c] * (before[i, c] + after[i, c])
    problem.friction_energy = total
    push_all(contacts)
    return 0
