"""How far closed contacts are from leaving their modes, and their forces: one way for both.

The mode's motion is unique, its forces need not be. Of all forces that give the motion the least norm is taken; where
that leaves a cone, the least norm within the cones. The problem of complementarity is posed anew only to tell whether a
mode ends that the least norm does not hold: it may have another solution, as no force at all wherever forces that do
nothing fit into the cones. Where that lets go for a hop lower than those that count, the mode goes on
(`release_kernel`). It tells the forces of a mode only where the least norm within the cones is not found, as where all
that is left of a cone is its tip, and where its motion is that of the mode.
"""

import math

from sympact.contact.cone.cone_kernel import place_cone
from sympact.contact.cone.cone_min_norm_dual_kernel import shortest_in_cones
from sympact.contact.cone.cone_residual_kernel import MU, RIGHT, STEP, WEIGHT
from sympact.contact.cone.cone_residual_kernel import SLIP as ON_RAY
from sympact.contact.cone.cone_residual_kernel import STICK as IN_CONE
from sympact.contact.cone.cone_units_kernel import posed
from sympact.contact.linalg.cholesky_kernel import dot, forward, norm, row_norm
from sympact.contact.memory import contact_layout as at
from sympact.contact.modes.release_kernel import rise
from sympact.contact.modes.select_modes_kernel import ask, list_candidates
from sympact.contact.problem.assemble_kernel import (
    list_closed,
    mass_factor,
    pose_accelerations,
    read_gaps,
    read_terms,
    time_scale,
)
from sympact.contact.problem.closed_friction_kernel import MET, held_rank, hold_rubbing, pose_forces
from sympact.contact.problem.closed_kernel import STILL, table_at, unrest
from sympact.contact.problem.determinant_ratio_kernel import NEARLY, left_by_friction
from sympact.contact.problem.slip_kernel import begin_all, coefficients, held_acceleration, slip_direction, slow_slip
from sympact.integrate.memory.run_layout import BY_VALUES
from sympact.native.kernel import kernel
from sympact.native.pointer import call_flow, call_unit, reals, reals2, wholes

HELD_BY_CONE = 1e-3  # of the length: what stands for the margin of a contact that other forces than the smallest hold
EDGE = 1e-9  # of the forces: by so much one within the cones may leave its cone


@kernel
def gather_forces(table, total):
    """The forces by contact, three numbers each: normal and tangents; zero where a contact does not bear."""
    n = table[at.N_C]
    bearers, force = wholes(table[at.BEARERS], 3 * n), reals(table[at.MULTIPLIERS], 3 * n)
    by_contact = reals(table[at.CONE_AFTER], 3 * n)
    for k in range(3 * n):
        by_contact[k] = 0.0
    for k in range(total):
        by_contact[bearers[k]] = force[k]
    return by_contact


@kernel
def inertia_along(table, j):
    """W^T M^-1 W of the normal of contact j; the factor of M must stand in OUT."""
    m, n = table[at.N_U], table[at.N_C]
    column, lines = reals2(table[at.HANDLES], 1, m), reals2(table[at.LINES], 3 * n, m)
    for k in range(m):
        column[0, k] = lines[3 * j, k]
    forward(mass_factor(table), m, column, 0)
    return row_norm(column, 0, m) ** 2


@kernel
def margin(table, j, by_contact, left):
    """How far a closed contact is from leaving its mode: its force from opening or the cone's edge, its slip from 0.

    Where friction leaves nearly none of the inverse mass, a mode that slips ends, too.
    """
    status, scalar = wholes(table[at.STATUS], table[at.N_C]), reals(table[at.SCALAR], at.N_SCALARS)
    reference = scalar[at.REFERENCE] if scalar[at.REFERENCE] > 0.0 else 1.0
    normal = by_contact[3 * j]
    strength = inertia_along(table, j) / reference
    if status[j] == at.STICK:
        _, static = coefficients(table, j)
        pull = math.sqrt(by_contact[3 * j + 1] ** 2 + by_contact[3 * j + 2] ** 2)
        return min(normal, static * normal - pull) * strength
    if status[j] == at.SLIP:
        _, _, s = slip_direction(table, j)
        if wholes(table[at.BEGINNING], table[at.N_C])[j] == 1:
            s += 2.0 * slow_slip(table)  # what is left of its slip before may point elsewhere
        return min(normal * strength, s * time_scale(table) / scalar[at.LENGTH], left - NEARLY)
    return normal * strength


def rubbing_margins(t, x, data, out):
    """What the loop watches of closed contacts, see `Stage.force`."""
    table, size = table_at(data)
    n, nb = table[at.N_C], table[at.N_B]
    values, active = reals(out, nb), wholes(table[at.ACTIVE], nb)
    status, length = wholes(table[at.STATUS], n + 1), reals(table[at.SCALAR], at.N_SCALARS)[at.LENGTH]
    total = hold_rubbing(table, t, reals(x, size), True)
    for k in range(nb):
        values[k] = 1.0 if total >= 0 else math.nan
    if total < 0:
        return
    wake = 1.0 - unrest(table) / STILL if status[n] == 1 else math.inf
    by_contact, pulled, left = gather_forces(table, total), False, left_by_friction(table, total)
    for j in range(n):
        if status[j] != at.OPEN and active[j] == BY_VALUES:
            values[j] = length * min(margin(table, j, by_contact, left), wake)
            pulled = pulled or (values[j] < 0.0 and status[j] != at.SLIP)
    if pulled and total > held_count(table):
        held = held_by_cone(table, t, reals(x, size))
        if held < 0.0:
            held = max(held, held_as_low(table, t, reals(x, size)))
        for j in range(n):
            if status[j] != at.OPEN and active[j] == BY_VALUES and values[j] < 0.0 and status[j] != at.SLIP:
                values[j] = HELD_BY_CONE * length * min(max(held, -1.0), wake)


@kernel
def held_count(table):
    """The rank of the directions that are held, as `hold_rubbing` found it last."""
    return present_rank(table).count[0]


@kernel
def present_rank(table):
    """The directions that `hold_rubbing` held last."""
    n, held = table[at.N_C], 0
    lines = wholes(table[at.HELD_LINES], 3 * n)
    while held < 3 * n and lines[held] >= 0:
        held += 1
    return held_rank(table, held)


@kernel
def find_in_cones(table, total):
    """The least of the forces within the cones that give the mode's motion, into MULTIPLIERS; False if there are none.

    They are kept as they are then.
    """
    n, rank, miss = table[at.N_C], present_rank(table), 0.0
    cone, found, rows = place_cone(posed(table), n), rank.count[0], 3 * n
    equations, effort = pose_forces(table, rank, total)
    status, bearers = wholes(table[at.STATUS], n), wholes(table[at.BEARERS], 3 * n)
    force, weights = reals(table[at.MULTIPLIERS], 3 * n), reals(table[at.WEIGHTS], 3 * n)
    for r in range(rows):
        cone.v[RIGHT, r] = effort[r] if r < found else 0.0
        for c in range(total):
            cone.a[r, c] = equations[r, c] if r < found else 0.0
    for j in range(n):
        cone.status[j] = IN_CONE if status[j] == at.STICK else ON_RAY
        _, cone.v[MU, j] = coefficients(table, j)
    for c in range(total):
        cone.unknown[c], cone.v[WEIGHT, c] = bearers[c], weights[c]
    size = norm(effort, found)
    shortest_in_cones(cone, n, total, size)
    for r in range(found):
        s = effort[r]
        for c in range(total):
            s -= equations[r, c] * cone.v[STEP, c]
        miss = max(miss, abs(s))
    if miss > MET * size:
        return False
    for c in range(total):
        force[c] = cone.v[STEP, c]
    return True


@kernel
def keep_modes(table):
    """In the problem of forces just posed, who slips, and which way, is as the modes say, also where slip is slow."""
    n = table[at.N_C]
    who, mu, sliding = wholes(table[at.WHO], n), reals(table[at.COEFFICIENT], n), wholes(table[at.SLIDING], n)
    status, direction = wholes(table[at.STATUS], n), reals2(table[at.DIRECTION], n, 2)
    for i in range(table[at.COUNT]):
        if status[who[i]] == at.SLIP:
            sliding[i] = 1
            mu[i], _ = coefficients(table, who[i])
            direction[i, 0], direction[i, 1], _ = slip_direction(table, who[i])


@kernel
def held_by_cone(table, t, x):
    """Whether other forces than the smallest hold the contacts: positive then, negative where what is held moves."""
    n, nb = table[at.N_C], table[at.N_B]
    list_closed(table)
    read_gaps(table, t, x)
    read_terms(table, t, x)
    pose_accelerations(table, reals(table[at.ALONG] + 16 * nb, nb))
    call_flow(table[at.POSE_SLIP], t, x, table[at.SELF], x)
    keep_modes(table)
    if call_unit(table[at.FORCE_SOLVER], table[at.SELF]) != at.SOLVED:
        return -math.inf
    who, status = wholes(table[at.WHO], n), wholes(table[at.STATUS], n)
    rate, slip = reals(table[at.RATE_PLUS], n), reals2(table[at.SLIP_PLUS], n, 2)
    moves, reference = 0.0, reals(table[at.SCALAR], at.N_SCALARS)[at.REFERENCE]
    for i in range(table[at.COUNT]):
        moves = max(moves, abs(rate[i]))
        if status[who[i]] == at.STICK:
            moves = max(moves, math.sqrt(slip[i, 0] ** 2 + slip[i, 1] ** 2))
    return 1.0 - moves / (STILL * (reference if reference > 0.0 else 1.0))


@kernel
def held_as_low(table, t, x):
    """Positive where forces within the cones hold, and what lets go rises less than HEIGHT; else negative."""
    total = hold_rubbing(table, t, x, True)
    if total < 0 or not find_in_cones(table, total):
        return -math.inf
    held = held_by_cone(table, t, x)
    return 1.0 - rise(table, t, x, wholes(table[at.STATUS], table[at.N_C])) if held > -math.inf else held


def rubbing_forces(t, x, data, out):
    """lambda of each contact (N), shape (n,), then the forces of friction, shape (n, 3), components in N."""
    table, size = table_at(data)
    n = table[at.N_C]
    state, force, pushes = reals(x, size), reals(out, n), reals2(out + 8 * n, n, 3)
    for j in range(n):
        force[j] = pushes[j, 0] = pushes[j, 1] = pushes[j, 2] = 0.0
    if list_closed(table) == 0 or (begin_all(table, t, state) and asked_forces(table, t, state, force, pushes)):
        return
    total = hold_rubbing(table, t, state, True)
    if total < 0:
        for j in range(n):
            force[j] = pushes[j, 0] = pushes[j, 1] = pushes[j, 2] = math.nan
        return
    by_contact = gather_forces(table, total)
    inside = not leaves_cones(table, by_contact)
    if not inside and total > held_count(table):
        if find_in_cones(table, total):
            by_contact, inside = gather_forces(table, total), True
        else:
            beyond = beyond_cones(table, by_contact)
            if (1.0 - held_by_cone(table, t, state)) * STILL <= beyond:  # nearer to the mode than these to the cones
                hand_forces(table, force, pushes)
                return
            total = hold_rubbing(table, t, state, True)
            by_contact = gather_forces(table, total)
    tangents = reals2(table[at.TANGENTS], n, 6)
    for j in range(n):
        a, b = friction_of(table, j, by_contact)
        force[j] = by_contact[3 * j]
        for c in range(3):
            pushes[j, c] = a * tangents[j, c] + b * tangents[j, 3 + c]
        if force[j] < 0.0 and (inside or -force[j] <= EDGE * felt(table, j)):
            force[j] = pushes[j, 0] = pushes[j, 1] = pushes[j, 2] = 0.0


@kernel
def felt(table, j):
    """The normal force on contact j that its part of the mass takes for the largest free acceleration of a gap (N)."""
    inertia = inertia_along(table, j)
    return reals(table[at.SCALAR], at.N_SCALARS)[at.LARGEST] / inertia if inertia > 0.0 else 0.0


@kernel
def friction_of(table, j, by_contact):
    """The tangential force of contact j by its mode."""
    status = wholes(table[at.STATUS], table[at.N_C])
    if status[j] == at.SLIP:
        mu, _ = coefficients(table, j)
        a, b, _ = slip_direction(table, j)
        return -mu * by_contact[3 * j] * a, -mu * by_contact[3 * j] * b
    return by_contact[3 * j + 1], by_contact[3 * j + 2]


@kernel
def leaves_cones(table, by_contact):
    """True when a force is outside its cone by more than rounding."""
    return beyond_cones(table, by_contact) > EDGE


@kernel
def beyond_cones(table, by_contact):
    """By how much a force is outside its cone, relative to the largest force."""
    n, largest, beyond = table[at.N_C], 0.0, 0.0
    status = wholes(table[at.STATUS], n)
    for k in range(3 * n):
        largest = max(largest, abs(by_contact[k]))
    for j in range(n):
        _, static = coefficients(table, j)
        pull = math.sqrt(by_contact[3 * j + 1] ** 2 + by_contact[3 * j + 2] ** 2)
        edge = static * by_contact[3 * j] - pull if status[j] == at.STICK else by_contact[3 * j]
        beyond = max(beyond, -min(by_contact[3 * j], edge))
    return beyond / largest if largest > 0.0 else 0.0


@kernel
def asked_forces(table, t, state, force, pushes):
    """The forces where a slip has just begun or is about to end, so that it has no direction yet; whether there are."""
    nb = table[at.N_B]
    list_closed(table)
    read_gaps(table, t, state)
    read_terms(table, t, state)
    pose_accelerations(table, reals(table[at.ALONG] + 16 * nb, nb))
    call_flow(table[at.POSE_SLIP], t, state, table[at.SELF], state)
    if call_unit(table[at.FORCE_SOLVER], table[at.SELF]) != at.SOLVED:
        return False
    hand_forces(table, force, pushes)
    return True


@kernel
def hand_forces(table, force, pushes):
    """The forces of the problem just solved, by contact."""
    n = table[at.N_C]
    who, found = wholes(table[at.WHO], n), reals(table[at.IMPULSE], n)
    push_all(table)
    total = reals2(table[at.PUSHES], n, 3)
    for i in range(table[at.COUNT]):
        force[who[i]] = found[i]
        for c in range(3):
            pushes[who[i], c] = total[who[i], c]


def keep_sticking(t, x_address, data, out_address):
    """A contact that stuck sticks on where the least forces hold it, though those just found let it go.

    So it does where other forces within the cones hold it and it would part by no more than a hop that ends.

    Where forces that do nothing fit into the cones there are several answers; the motion so far is one of them. The
    answer for the participants, in the problem of forces just solved, is changed in place. Who slips does so as it does
    now: an impact may have turned the slip of the flight before.
    """
    table, size = table_at(data)
    n, x = table[at.N_C], reals(x_address, size)
    status, following, was = wholes(table[at.STATUS], n), wholes(table[at.NEXT], n), wholes(table[at.STANDING], n)
    if not try_modes(table, following):
        return
    for j in range(n):
        was[j], status[j] = status[j], following[j]
    total = -1 if begin_all(table, t, x) else hold_rubbing(table, t, x, True)
    holds = total >= 0 and held_still(table, total)
    list_candidates(table)
    if holds and leaves_cones(table, gather_forces(table, total)):
        holds = total > held_count(table) and find_in_cones(table, total)
        if holds:
            holds = ask(table, t, x) == at.SOLVED and rise(table, t, x, following) <= 1.0
            ask(table, t, x)
            total = hold_rubbing(table, t, x, True) if holds else -1
            holds = total >= 0 and find_in_cones(table, total)
            list_candidates(table)
    if holds:
        answer_modes(table, gather_forces(table, total))
    for j in range(n):
        status[j] = was[j]
    read_gaps(table, t, x)


@kernel
def try_modes(table, modes):
    """The modes by the forces just found, but that what stuck, or was just stopped, sticks; whether they differ.

    Not where a slip begins: then it has no direction yet.
    """
    n, kept, begins = table[at.N_C], False, False
    who, status, sliding = wholes(table[at.WHO], n), wholes(table[at.STATUS], n), wholes(table[at.SLIDING], n)
    after, slip, force = reals(table[at.RATE_PLUS], n), reals2(table[at.SLIP_PLUS], n, 2), reals(table[at.IMPULSE], n)
    bound, stopped = held_acceleration(table), wholes(table[at.STOPPED], n)
    for j in range(n):
        modes[j] = at.OPEN
    for i in range(table[at.COUNT]):
        j = who[i]
        _, static = coefficients(table, j)
        moves = slip[i, 0] ** 2 + slip[i, 1] ** 2 > bound * bound
        opens = after[i] > bound and not force[i] > 0.0
        if (status[j] == at.STICK or stopped[j] == 1) and sliding[i] == 0:
            modes[j] = at.STICK
            kept = kept or moves or opens
        elif not opens:
            modes[j] = at.CLOSED if static == 0.0 else (at.SLIP if sliding[i] == 1 else at.STICK)
            begins = begins or (modes[j] == at.STICK and moves)
    return kept and not begins


@kernel
def held_still(table, total):
    """True when the forces in MULTIPLIERS hold all that the modes hold, also what depends on other directions."""
    m, n, rank, most = table[at.N_U], table[at.N_C], present_rank(table), 0.0
    bounds, y = reals(table[at.HELD_BOUNDS], 3 * n), reals(table[at.MOTION], m)
    for place in range(rank.count[0], rank.rows.shape[0]):
        k = rank.picked[place]
        s = -rank.factor[k] * bounds[k]
        for c in range(m):
            s += rank.rows[k, c] * y[c]
        most = max(most, abs(s) / rank.factor[k])
    return most <= held_acceleration(table)


@kernel
def answer_modes(table, by_contact):
    """The forces of the modes in STATUS as those of the participants; what these hold does not accelerate."""
    n = table[at.N_C]
    who, status, force = wholes(table[at.WHO], n), wholes(table[at.STATUS], n), reals(table[at.IMPULSE], n)
    friction, slip = reals2(table[at.FRICTION_IMPULSE], n, 2), reals2(table[at.SLIP_PLUS], n, 2)
    after, change = reals(table[at.RATE_PLUS], n), reals(table[at.CHANGE], table[at.N_U])
    before, lines = reals2(table[at.SLIP_MINUS], n, 2), reals2(table[at.LINES], 3 * n, table[at.N_U])
    for i in range(table[at.COUNT]):
        j = who[i]
        force[i] = max(by_contact[3 * j], 0.0)
        friction[i, 0], friction[i, 1] = friction_of(table, j, by_contact)
        after[i] = reals(table[at.RATE_MINUS], n)[i] + dot(lines, 3 * j, change, table[at.N_U])
        for c in range(2):
            slip[i, c] = before[i, c] + dot(lines, 3 * j + 1 + c, change, table[at.N_U])
            if status[j] == at.STICK:
                slip[i, c] = 0.0
        if status[j] != at.OPEN:
            after[i] = 0.0


@kernel
def push_all(table):
    """The tangential impulses (forces) of the participants as vectors in N, by contact, into PUSHES."""
    n = table[at.N_C]
    who, friction = wholes(table[at.WHO], n), reals2(table[at.FRICTION_IMPULSE], n, 2)
    pushes, tangents = reals2(table[at.PUSHES], n, 3), reals2(table[at.TANGENTS], n, 6)
    for j in range(n):
        pushes[j, 0] = pushes[j, 1] = pushes[j, 2] = 0.0
    for i in range(table[at.COUNT]):
        j = who[i]
        for c in range(3):
            pushes[j, c] = friction[i, 0] * tangents[j, c] + friction[i, 1] * tangents[j, 3 + c]


def report_friction(data):
    """The tangential impulses as vectors, and the energy that went with them: sum of Lambda_T . (slip+ + slip-) / 2."""
    table = wholes(data, at.SIZE)
    n, total = table[at.N_C], 0.0
    friction = reals2(table[at.FRICTION_IMPULSE], n, 2)
    before, after = reals2(table[at.SLIP_MINUS], n, 2), reals2(table[at.SLIP_PLUS], n, 2)
    for i in range(table[at.COUNT]):
        for c in range(2):
            total += 0.5 * friction[i, c] * (before[i, c] + after[i, c])
    reals(table[at.SCALAR], at.N_SCALARS)[at.RUBBED] = total
    push_all(table)
    return 0
