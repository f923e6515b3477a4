"""Newton's law with Coulomb friction, all participants at once: Lagrange's impact equations on the friction cone.

    M (u+ - u-) = W_N Lambda_N + W_T Lambda_T,   0 <= Lambda_N _|_ gamma_N+ + e gamma_N- >= 0,
    |Lambda_T| <= mu Lambda_N,   and where gamma_T+ is not zero   Lambda_T = -mu Lambda_N gamma_T+ / |gamma_T+|

The same with accelerations for velocities gives the forces of closed contacts; there a contact that slips already has
its direction of friction, and one that does not holds up to mu_static.
"""

from sympact.contact.linalg.cholesky_kernel import EPS, dot, forward, row_norm
from sympact.contact.linalg.rank_kernel import NO_ROW
from sympact.contact.memory import contact_layout as at
from sympact.contact.problem.assemble_kernel import factor_mass, mass_factor, pose_columns
from sympact.contact.problem.dead_point_kernel import take_rounding
from sympact.contact.problem.frictionless_kernel import finite, measure_change
from sympact.contact.problem.refine_kernel import sharpen
from sympact.contact.problem.slip_kernel import coefficients, held_acceleration
from sympact.native.kernel import kernel
from sympact.native.pointer import call_unit, reals, reals2, wholes

ROUNDINGS = 8.0  # in a rate after, of each impulse's part
BLUNT = 1e-12  # residual above which the speeds after are made sharper than the impulses


def solve(data):
    """Solve the impact posed in a `ContactData` table for the participants in WHO; SOLVED, UNSOLVED or NOT_FINITE."""
    table = wholes(data, at.SIZE)
    if frictionless(table):
        return without_friction(table)
    code = pose(table)
    return code if code != at.SOLVED else answer(table)


def solve_forces(data):
    """Solve the problem of forces: what does not stick at mu_static slips at mu."""
    table = wholes(data, at.SIZE)
    if frictionless(table):
        return without_friction(table)
    code = pose(table)
    if code == at.SOLVED:
        take_rounding(table)
    for _ in range(table[at.COUNT] + 1):
        if code != at.SOLVED:
            return code
        code = answer(table)
        if not loosen(table):
            break
    return code


@kernel
def frictionless(table):
    """True when no participant has friction."""
    mu, largest = reals(table[at.COEFFICIENT], table[at.N_C]), 0.0
    for i in range(table[at.COUNT]):
        largest = max(largest, mu[i])
    return largest == 0.0


@kernel
def without_friction(table):
    """The frictionless problem, and the slip that it leaves."""
    code = call_unit(table[at.FRICTIONLESS], table[at.SELF])
    for i in range(table[at.COUNT] if code == at.SOLVED else 0):
        slip_after(table, i)
        impulse = reals2(table[at.FRICTION_IMPULSE], table[at.N_C], 2)
        impulse[i, 0] = impulse[i, 1] = 0.0
    return code


@kernel
def slip_after(table, i):
    """The slip of participant i with the change of the speeds."""
    m, n = table[at.N_U], table[at.N_C]
    who, lines, change = wholes(table[at.WHO], n), reals2(table[at.LINES], 3 * n, m), reals(table[at.CHANGE], m)
    before, after = reals2(table[at.SLIP_MINUS], n, 2), reals2(table[at.SLIP_PLUS], n, 2)
    for c in range(2):
        after[i, c] = before[i, c] + dot(lines, 3 * who[i] + 1 + c, change, m)


@kernel
def pose(table):
    """Columns C^-1 W, the Delassus matrix, velocities; SOLVED, UNSOLVED or NOT_FINITE."""
    m, n, count = table[at.N_U], table[at.N_C], table[at.COUNT]
    before, e = reals(table[at.RATE_MINUS], n), reals(table[at.RESTITUTION], n)
    slip = reals2(table[at.SLIP_MINUS], n, 2)
    known = finite(reals(table[at.OUT], m * m + n * m + 2 * n)) and finite(reals(table[at.RATE_MINUS], count))
    if not (known and finite(reals(table[at.SLIP_MINUS], 2 * count)) and finite(reals(table[at.LINES], 3 * n * m))):
        return at.NOT_FINITE
    if not factor_mass(table):
        return at.UNSOLVED
    pose_columns(table, count)
    pose_handles(table, count)
    handles, delassus = reals2(table[at.HANDLES], 3 * n, m), reals2(table[at.DELASSUS], 3 * n, 3 * n)
    for i in range(3 * count):
        for k in range(i + 1):
            s = 0.0
            for c in range(m):
                s += handles[i, c] * handles[k, c]
            delassus[i, k] = delassus[k, i] = s
    rate = reals(table[at.CONE_RATE], 3 * n)
    for i in range(count):
        rate[3 * i] = (1.0 + e[i]) * before[i]
        rate[3 * i + 1], rate[3 * i + 2] = slip[i, 0], slip[i, 1]
    return at.SOLVED


@kernel
def pose_handles(table, count):
    """C^-1 of the lines of the participants; those that are rounding beside the longest of their contact are none."""
    m, n = table[at.N_U], table[at.N_C]
    who, lines = wholes(table[at.WHO], n), reals2(table[at.LINES], 3 * n, m)
    handles = reals2(table[at.HANDLES], 3 * n, m)
    for i in range(count):
        for c in range(3):
            for k in range(m):
                handles[3 * i + c, k] = lines[3 * who[i] + c, k]
            forward(mass_factor(table), m, handles, 3 * i + c)
        drop_rounding(handles, 3 * i, m)


@kernel
def drop_rounding(handles, first, m):
    """Make rows of a contact zero that are rounding: with a share of 1e-17 in the motion they would bear anything."""
    longest = 0.0
    for c in range(3):
        longest = max(longest, row_norm(handles, first + c, m))
    for c in range(3):
        if row_norm(handles, first + c, m) <= NO_ROW * longest:
            for k in range(m):
                handles[first + c, k] = 0.0


@kernel
def answer(table):
    """Solve the posed problem on the cone; impulses, the change of the speeds, rates and slip after."""
    code = call_unit(table[at.CONE], table[at.SELF])
    if code != at.SOLVED:
        return code
    take_impulses(table, table[at.COUNT])
    residual = reals(table[at.CONE_REPORT], 2)[0]
    reals(table[at.SCALAR], at.N_SCALARS)[at.RESIDUAL] = residual
    if residual > BLUNT:
        sharpen(table, table[at.COUNT], reals(table[at.CONE_RATE], 3 * table[at.N_C]), False)
        report_impulses(table, table[at.COUNT])
    return at.SOLVED if finite(reals(table[at.CHANGE], table[at.N_U])) else at.NOT_FINITE


@kernel
def take_impulses(table, count):
    """From the impulses in CONE_IMPULSE to the motion after: every law with friction ends here."""
    m, n = table[at.N_U], table[at.N_C]
    handles, both = reals2(table[at.HANDLES], 3 * n, m), reals(table[at.CONE_IMPULSE], 3 * n)
    motion = reals(table[at.MOTION], m)
    for k in range(m):
        motion[k] = 0.0
        for i in range(3 * count):
            motion[k] += both[i] * handles[i, k]
    measure_change(table, count)
    note_rounding(table, count)
    report_impulses(table, count)


@kernel
def report_impulses(table, count):
    """The impulses in CONE_IMPULSE as those of the contacts, and what slips they leave."""
    n = table[at.N_C]
    both, normal = reals(table[at.CONE_IMPULSE], 3 * n), reals(table[at.IMPULSE], n)
    friction = reals2(table[at.FRICTION_IMPULSE], n, 2)
    for i in range(count):
        normal[i] = both[3 * i]
        friction[i, 0], friction[i, 1] = both[3 * i + 1], both[3 * i + 2]
        slip_after(table, i)


@kernel
def note_rounding(table, count):
    """How uncertain the rates after are by the rounding of the impulses: much, where large ones cancel."""
    n = table[at.N_C]
    uncertain, both = reals(table[at.UNCERTAIN], n), reals(table[at.CONE_IMPULSE], 3 * n)
    delassus = reals2(table[at.DELASSUS], 3 * n, 3 * n)
    for i in range(count):
        s = 0.0
        for k in range(3 * count):
            s += abs(delassus[3 * i, k] * both[k])
        uncertain[i] = max(uncertain[i], ROUNDINGS * EPS * s)


@kernel
def loosen(table):
    """Contacts that were asked whether they stick and do not have the smaller coefficient; True if there are any."""
    n, found = table[at.N_C], False
    who, mu, sliding = wholes(table[at.WHO], n), reals(table[at.COEFFICIENT], n), wholes(table[at.SLIDING], n)
    after, bound = reals2(table[at.SLIP_PLUS], n, 2), held_acceleration(table)
    for i in range(table[at.COUNT]):
        kinetic, _ = coefficients(table, who[i])
        moves = after[i, 0] ** 2 + after[i, 1] ** 2 > bound * bound
        if sliding[i] == 0 and moves and mu[i] > kinetic:
            mu[i] = kinetic
            found = True
    return found
