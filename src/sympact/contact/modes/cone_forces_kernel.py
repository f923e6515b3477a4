"""The forces of a mode within the cones: those of least norm, and some that are inside of them."""

import math

from sympact.contact.cone.cone_kernel import place_cone
from sympact.contact.cone.cone_min_norm_dual_kernel import shortest_in_cones
from sympact.contact.cone.cone_residual_kernel import LEAST, MU, RIGHT, STEP, WEIGHT
from sympact.contact.cone.cone_residual_kernel import SLIP as ON_RAY
from sympact.contact.cone.cone_residual_kernel import STICK as IN_CONE
from sympact.contact.cone.cone_units_kernel import assembled
from sympact.contact.linalg.cholesky_kernel import dot, norm, row_norm
from sympact.contact.linalg.rank_kernel import reach
from sympact.contact.memory import contact_codes as codes
from sympact.contact.problem.closed_friction_kernel import (
    assemble_force_equations,
    constrain_directly,
    constrain_with_friction,
    constrained_rank,
    list_force_directions,
)
from sympact.contact.problem.closed_margin_kernel import gather_forces, inside_cones
from sympact.contact.problem.interior_force_kernel import follow_interior
from sympact.contact.problem.slip_kernel import coefficients
from sympact.native.kernel import kernel
from sympact.native.rounding import HALF_DIGITS

HALVINGS = 6  # of the force of the reference acceleration: the height of the apexes of cones inside others
NONE, INSIDE, WITHIN = -1, 1, 2  # of `interior`


@kernel
def constrained_count(contacts):
    """The rank of the constrained directions, as `constrain_with_friction` found it last."""
    return present_rank(contacts).count[0]


@kernel
def present_rank(contacts):
    """The directions that `constrain_with_friction` constrained last."""
    problem = contacts.problem
    n, held = problem.n_contacts, 0
    lines = problem.constrained_lines
    while held < 3 * n and lines[held] >= 0:
        held += 1
    return constrained_rank(contacts, held)


@kernel
def find_in_cones(contacts, total):
    """The least forces within the cones that give the mode's motion, into `multipliers`; False if there are none.

    `multipliers` is unchanged then.
    """
    return find_in_raised_cones(contacts, total, 0.0)


@kernel
def find_in_raised_cones(contacts, total, height):
    """The same with the apex of each cone on its axis, where the normal force gives its contact this part of the
    reference acceleration."""
    mode, problem = contacts.mode, contacts.problem
    n, rank, miss = problem.n_contacts, present_rank(contacts), 0.0
    cone, found = place_cone(assembled(contacts), n), rank.count[0]
    equations, right_side = assemble_force_equations(contacts, rank, total)
    status, force_components = mode.status, problem.force_components
    force, weights = problem.multipliers, problem.force_weights
    for r in range(found):
        cone.v[RIGHT, r] = right_side[r]
        for c in range(total):
            cone.table[c, r] = equations[r, c] / weights[c]
            cone.v[RIGHT, r] -= equations[r, c] * apex(contacts, c, height)
    for j in range(n):
        cone.status[j] = IN_CONE if status[j] == codes.STICK else ON_RAY
        _, cone.v[MU, j] = coefficients(contacts, j)
        cone.v[LEAST, j] = 0.0
    for c in range(total):
        cone.unknown[c], cone.v[WEIGHT, c] = force_components[c], weights[c]
    size = norm(right_side, found)
    shortest_in_cones(cone, found, total, size)
    for r in range(found):
        s = right_side[r]
        for c in range(total):
            s -= equations[r, c] * (apex(contacts, c, height) + cone.v[STEP, c])
        miss = max(miss, abs(s))
    if miss > HALF_DIGITS * size:
        return False
    for c in range(total):
        force[c] = apex(contacts, c, height) + cone.v[STEP, c]
    return True


@kernel
def apex(contacts, c, height):
    """The component of force c at the apex of its cone."""
    mode, problem = contacts.mode, contacts.problem
    component = problem.force_components[c]
    length = row_norm(problem.closed_rows, component, problem.n_u)
    if component % 3 != 0 or length == 0.0:
        return 0.0
    return height * mode.reference_acceleration / (length * length)


@kernel
def opens_all(contacts):
    """Whether a motion opens all closed contacts faster than friction could hold them, so that no self-stress fits into
    the cones.

    Forces F of a self-stress have no power in any motion. Here all have one that is positive, as each contact opens
    faster than mu times its slip, or slips so that F pushes. The motion opens the contacts whose directions are picked
    at one rate, without slip (Klarbring and Pang 1998). `rank` and `closed_rows` must be those of the closed contacts.
    """
    mode, problem = contacts.mode, contacts.problem
    who, status, lines = problem.participants, mode.status, problem.constrained_lines
    rank, y, bounds, opens = present_rank(contacts), problem.right_side, problem.constrained_bounds, True
    for k in range(rank.rows.shape[0]):
        bounds[k] = 1.0 if lines[k] % 3 == 0 else 0.0
    reach(rank, bounds, y)
    total, m = list_force_directions(contacts, problem.count), problem.n_u
    for k in range(total):
        opens = opens and (problem.force_components[k] % 3 != 0 or dot(problem.force_rows, k, y, m) > 0.0)
    for i in range(problem.count):
        j = who[i]
        if status[j] == codes.STICK:
            _, static = coefficients(contacts, j)
            slip = math.hypot(dot(problem.closed_rows, 3 * j + 1, y, m), dot(problem.closed_rows, 3 * j + 2, y, m))
            opens = opens and dot(problem.closed_rows, 3 * j, y, m) > static * slip
    return opens


@kernel
def begin_interior(contacts, t, x):
    """At the start of an arc: forces inside the cones where those of least norm violate them.

    The modes are a solution at this state. Those of the arc before remain where they are inside the present cones.
    """
    problem = contacts.problem
    total = constrain_directly(contacts, t, x, True)
    if total <= constrained_count(contacts) or inside_cones(contacts, total):
        problem.interior = 0
    elif not (follow_interior(contacts, total) and inside_cones(contacts, total)):
        problem.interior = 0
        keep_interior(contacts, t, x)


@kernel
def keep_interior(contacts, t, x):
    """Find forces inside the cones that give the motion of the mode at a state, for further margins of this arc.

    Where the cones have no room for others, as where friction is used up, those of least norm within them, once in an
    arc. None where a self-stress fits into the cones: then forces within them may exist whatever the load, and do not
    decide whether the mode ends.
    """
    problem = contacts.problem
    if problem.interior == NONE or problem.interior == WITHIN:
        return
    problem.interior = NONE
    total = constrain_with_friction(contacts, t, x, True)
    if total < 0 or not opens_all(contacts):
        return
    if find_in_raised_cones(contacts, total, 0.5**HALVINGS):
        note_interior(contacts, total, INSIDE)
    elif find_in_cones(contacts, total):
        note_interior(contacts, total, WITHIN)


@kernel
def note_interior(contacts, total, kind):
    """The forces in `multipliers` become `interior_force`, as forces of this kind."""
    problem = contacts.problem
    known, axes, by_contact = problem.interior_force, problem.axes, gather_forces(contacts, total)
    problem.interior = kind
    for j in range(problem.n_contacts):
        known[j, 0] = by_contact[3 * j]
        for i in range(3):
            known[j, 1 + i] = by_contact[3 * j + 1] * axes[j, i] + by_contact[3 * j + 2] * axes[j, 3 + i]
