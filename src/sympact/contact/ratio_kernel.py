"""Impulses in the ratio of the forces that compressed contacts exert (Liu, Zhao and Brogliato 2008), without friction.

Each contact is a spring without length, F = k x^eta, that stores E = k x^(eta+1) / (eta+1), so that

    dP_i / dP_j = F_i / F_j = (k_i / k_j)^(1/(eta+1)) (E_i / E_j)^(eta/(eta+1)),

    dE_i = -gamma_i dP_i  where gamma_i < 0,        dE_i = -gamma_i dP_i / e_i^2  where gamma_i > 0:

compression stores work, and of each part stored e^2 comes back; with e = 0 a contact lets go as soon as it leaves. The
impulses of all contacts are followed along one parameter, with dP_i = F_i dtau and dx_i = -gamma_i dtau (over e^2 in
expansion): the same path as by the impulse of a primary contact, without a singular start where all E are zero. Only
ratios of stiffnesses matter. The end is reached when nothing is compressed and nothing approaches.
"""

from sympact.contact import layout as at
from sympact.contact.dormand_prince_kernel import STAGES, next_step, stage_point, step_error
from sympact.contact.phase_kernel import begin, finish, note_factor, number
from sympact.integrate.pointer import reals, reals2, wholes
from sympact.integrate.unit import kernel

TOLERANCE = 1e-12  # of a step
NONE = 1e-10       # of the speeds before: an approach that is none
STEPS = 200_000
HALVINGS = 60


def solve(data):
    """Solve the impact posed in a `ContactData` table for the participants in WHO; UNENDED where that finds no end."""
    return solve_ratio(wholes(data, at.SIZE))


@kernel
def solve_ratio(table):
    """Follow compression and expansion of all contacts; y holds gamma, x and P of each."""
    code = begin(table)
    if code != at.SOLVED:
        return code
    note_factor(table, 1.0)
    n, count = table[at.N_C], table[at.COUNT]
    y, impulse = reals(table[at.LAW_SCRATCH], 3 * count), reals(table[at.CONE_IMPULSE], 3 * n)
    code = follow(table, y, count)
    for i in range(count):
        impulse[3 * i], impulse[3 * i + 1], impulse[3 * i + 2] = y[2 * count + i], 0.0, 0.0
    return finish(table, 0.0) if code == at.SOLVED else code


@kernel
def follow(table, y, count):
    """From the rates before to the end of the impact."""
    n, speed, h = table[at.N_C], 0.0, 0.01
    before, new = reals(table[at.BEFORE], 3 * n), reals(table[at.LAW_SCRATCH] + 24 * n, 3 * count)
    for i in range(count):
        y[i], y[count + i], y[2 * count + i] = before[3 * i], 0.0, 0.0
        speed = max(speed, abs(y[i]))
    for _ in range(STEPS):
        if over(y, count, NONE * speed):
            return at.SOLVED
        error = try_step(table, y, new, h, speed)
        if not error <= 1.0:
            h = next_step(h, error)
            continue
        if lets_go(table, y, new, count):
            find_release(table, y, new, h, speed, count)
        release(table, new, count)
        for i in range(3 * count):
            y[i] = new[i]
        h = next_step(h, error)
    return at.UNENDED


@kernel
def find_release(table, y, new, h, speed, count):
    """The shortest step after which a contact lets go, by bisection; its end is left in `new`."""
    low, high = 0.0, h
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        try_step(table, y, new, middle, speed)
        if lets_go(table, y, new, count):
            high = middle
        else:
            low = middle
    try_step(table, y, new, high, speed)


@kernel
def over(y, count, little):
    """True when nothing is compressed and nothing approaches."""
    busy = False
    for i in range(count):
        busy = busy or y[count + i] > 0.0 or y[i] < -little
    return not busy


@kernel
def lets_go(table, y, new, count):
    """True when a contact without restitution has reached its largest compression within the step."""
    e, found = reals(table[at.RESTITUTION], count), False
    for i in range(count):
        found = found or (e[i] == 0.0 and y[i] < 0.0 and new[i] >= 0.0 and new[count + i] > 0.0)
    return found


@kernel
def release(table, new, count):
    """Contacts that have given back what they stored are uncompressed."""
    e = reals(table[at.RESTITUTION], count)
    for i in range(count):
        if new[count + i] < 0.0 or (e[i] == 0.0 and new[i] >= 0.0):
            new[count + i] = 0.0


@kernel
def largest_entry(table):
    """The largest of G_NN, which with the speeds gives the scale of the impulses."""
    n, largest = table[at.N_C], 0.0
    g = reals2(table[at.DELASSUS], 3 * n, 3 * n)
    for i in range(table[at.COUNT]):
        largest = max(largest, g[3 * i, 3 * i])
    return largest


@kernel
def rates(table, z, out, o, speed, largest):
    """The rates of gamma, x and P at z into row o; in the parameter, an impact takes some units."""
    n, count = table[at.N_C], table[at.COUNT]
    g, e = reals2(table[at.DELASSUS], 3 * n, 3 * n), reals(table[at.RESTITUTION], n)
    who, k, eta = wholes(table[at.WHO], n), reals(table[at.STIFFNESS], n), number(table, at.EXPONENT)
    for i in range(count):
        x, v = z[count + i], z[i]
        out[o, 2 * count + i] = k[who[i]] * (x / speed) ** eta * speed / largest if x > 0.0 else 0.0
        if v <= 0.0:
            out[o, count + i] = -v
        else:
            out[o, count + i] = -v / (e[i] * e[i]) if x > 0.0 and e[i] > 0.0 else 0.0
    for i in range(count):
        s = 0.0
        for j in range(count):
            s += g[3 * i, 3 * j] * out[o, 2 * count + j]
        out[o, i] = s


@kernel
def try_step(table, z, new, h, speed):
    """A step of Dormand and Prince from z; its error in units of the tolerance."""
    n, size = table[at.N_C], 3 * table[at.COUNT]
    start = table[at.LAW_SCRATCH] + 48 * n
    k, trial, largest = reals2(start, STAGES, size), reals(start + 168 * n, size), largest_entry(table)
    for stage in range(STAGES):
        stage_point(z, k, stage, h, trial, size)
        rates(table, trial, k, stage, speed, largest)
    worst, count = 0.0, table[at.COUNT]
    for i in range(size):
        new[i] = trial[i]
        unit = speed if i < 2 * count else speed / largest
        miss = step_error(k, h, i) / (TOLERANCE * unit)
        if worst == worst and not miss <= worst:
            worst = miss
    return worst
