"""What the laws beyond Newton's are made of: the posed impact, its phases, and the motion that impulses give.

Three numbers stand for each participant: normal, tangent 1, tangent 2. With the impulses P the participants have

    v = v- + G P,   G = W^T M^-1 W,   and the contacts take up   P . (v- + G P / 2)

of energy (the work of moving walls left out).
"""

from sympact.contact.memory import contact_layout as at
from sympact.contact.problem.assemble_kernel import jacobian
from sympact.contact.problem.coulomb_kernel import pose, take_impulses
from sympact.contact.problem.frictionless_kernel import finite
from sympact.native.kernel import kernel
from sympact.native.pointer import call_unit, reals, reals2, wholes


@kernel
def begin(table):
    """Pose the impact of the participants; SOLVED, UNSOLVED or NOT_FINITE."""
    m, n = table[at.N_U], table[at.N_C]
    lines, wt = reals2(table[at.LINES], 3 * n, m), jacobian(table)
    if table[at.RUB] == 0:
        for j in range(n):
            for k in range(m):
                lines[3 * j, k] = wt[j, k]
    code = pose(table)
    if code != at.SOLVED:
        return code
    before, rate = reals(table[at.BEFORE], 3 * n), reals(table[at.RATE_MINUS], n)
    slip = reals2(table[at.SLIP_MINUS], n, 2)
    for i in range(table[at.COUNT]):
        before[3 * i], before[3 * i + 1], before[3 * i + 2] = rate[i], slip[i, 0], slip[i, 1]
    return at.SOLVED


@kernel
def on_cone(table, target):
    """Solve for the velocities in CONE_RATE; the impulses go to `target`, too."""
    code = call_unit(table[at.CONE], table[at.SELF])
    impulse = reals(table[at.CONE_IMPULSE], 3 * table[at.COUNT])
    for k in range(3 * table[at.COUNT]):
        target[k] = impulse[k]
    return code


@kernel
def velocities(table, impulse, out):
    """v- + G P."""
    n, count = table[at.N_C], table[at.COUNT]
    before, g = reals(table[at.BEFORE], 3 * n), reals2(table[at.DELASSUS], 3 * n, 3 * n)
    for i in range(3 * count):
        out[i] = before[i]
        for k in range(3 * count):
            out[i] += g[i, k] * impulse[k]


@kernel
def work(table, impulse):
    """The energy that the contacts take up with these impulses."""
    n, count = table[at.N_C], table[at.COUNT]
    before, g, total = reals(table[at.BEFORE], 3 * n), reals2(table[at.DELASSUS], 3 * n, 3 * n), 0.0
    for i in range(3 * count):
        s = before[i]
        for k in range(3 * count):
            s += 0.5 * g[i, k] * impulse[k]
        total += s * impulse[i]
    return total


@kernel
def largest_work(table, impulse):
    """A measure of the energies in the impact, with which rounding is compared."""
    before, total = reals(table[at.BEFORE], 3 * table[at.N_C]), 0.0
    for k in range(3 * table[at.COUNT]):
        total += abs(before[k] * impulse[k])
    return total


@kernel
def compress(table):
    """Compression: the impact without restitution, into COMPRESSION, and the velocities at its end into REACHED."""
    n = table[at.N_C]
    before, rate = reals(table[at.BEFORE], 3 * n), reals(table[at.CONE_RATE], 3 * n)
    for k in range(3 * table[at.COUNT]):
        rate[k] = before[k]
    impulse = reals(table[at.COMPRESSION], 3 * n)
    code = on_cone(table, impulse)
    velocities(table, impulse, reals(table[at.REACHED], 3 * n))
    return code


@kernel
def finish(table, residual):
    """From the impulses in CONE_IMPULSE to the motion after."""
    take_impulses(table, table[at.COUNT])
    reals(table[at.SCALAR], at.N_SCALARS)[at.RESIDUAL] = residual
    return at.SOLVED if finite(reals(table[at.CHANGE], table[at.N_U])) else at.NOT_FINITE


@kernel
def cone_residual(table):
    """By how much the cone problem solved last misses its law."""
    return reals(table[at.CONE_REPORT], 2)[0]


@kernel
def number(table, which):
    """A number of the law."""
    return reals(table[at.LAW_NUMBERS], at.N_LAW_NUMBERS)[which]


@kernel
def note_factor(table, factor):
    """The factor by which restitutions were lowered, for the event."""
    reals(table[at.SCALAR], at.N_SCALARS)[at.FACTOR] = factor


@kernel
def rubs(table):
    """True when a participant has friction."""
    mu, found = reals(table[at.COEFFICIENT], table[at.N_C]), False
    for i in range(table[at.COUNT]):
        found = found or mu[i] > 0.0
    return found


@kernel
def clear_sliding(table):
    """No participant of an impact has a direction of slip given."""
    sliding = wholes(table[at.SLIDING], table[at.N_C])
    for i in range(table[at.COUNT]):
        sliding[i] = 0
