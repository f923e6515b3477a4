"""One contact with friction, followed through its impact by the normal impulse p (Routh 1860, Keller 1986).

    dv/dp = G f,   f = (1, f_T),   f_T = -mu s/|s| while the slip s is not zero

Where s is zero the contact sticks if |f_T| <= mu holds it there, else it slips in the direction d in which the slip
grows: G_TN - mu G_TT d = r d, r > 0. The energy stored by compression, E, grows by -v_N dp and comes back in expansion
by e^2 of what is lost, dE = -v_N dp / e^2 (Stronge 1990): the contact lets go at E = 0.

While the slip keeps its direction, or there is none, v is linear in p and each piece is solved in closed form. Where it
turns, its polar form is integrated by Dormand and Prince's method with p and s for functions of sigma, dp = |s| dsigma,

    dphi/dsigma = t . a,   d log|s|/dsigma = d . a,   a = G_TN - mu G_TT d,   d = (cos phi, sin phi),  t = d'

which stays smooth where the slip comes to its end.
"""

import math

from sympact.contact import layout as at
from sympact.contact.dormand_prince_kernel import STAGES, next_step, stage_point, step_error
from sympact.integrate.pointer import reals, reals2
from sympact.integrate.unit import kernel

PIECES = 200        # of one impact, at most
STRAIGHT = 1e-13    # part of the slip's change across its direction that is rounding
NO_SLIP = 1e-13     # of the speed before: slip that is none
DEGENERATE = 1e-13  # determinant of G_TT, relative, at which it has one direction only
TOLERANCE = 1e-12   # of a step
STEPS = 100_000
DIRECTIONS = 180    # in which the slip that begins is looked for
HALVINGS = 80
N = 7               # numbers of the motion: v_N, s_1, s_2, E, P_N, P_1, P_2
FAR = 1e300


@kernel
def follow(table):
    """Follow the first participant, from BEFORE on; its impulse goes into CONE_IMPULSE. SOLVED or UNSOLVED."""
    scratch, y = table[at.LAW_SCRATCH], reals(table[at.LAW_SCRATCH], N)
    before, mu, e = reals(table[at.BEFORE], 3), reals(table[at.COEFFICIENT], 1)[0], reals(table[at.RESTITUTION], 1)[0]
    g = reals2(scratch + 8 * N, 3, 3)
    whole = reals2(table[at.DELASSUS], 3 * table[at.N_C], 3 * table[at.N_C])
    speed = math.sqrt(before[0] ** 2 + before[1] ** 2 + before[2] ** 2)
    for i in range(3):
        y[i], y[3 + i] = before[i], 0.0
        for k in range(3):
            g[i, k] = whole[i, k]
    y[6] = 0.0
    code = at.SOLVED
    for _ in range(PIECES):
        if y[0] >= 0.0 and (y[3] <= 0.0 or e == 0.0):
            break
        code = next_piece(scratch, g, y, mu, e, NO_SLIP * speed)
        if code != at.SOLVED:
            break
    else:
        code = at.UNSOLVED
    impulse = reals(table[at.CONE_IMPULSE], 3)
    for i in range(3):
        impulse[i] = y[4 + i]
    return code


@kernel
def next_piece(scratch, g, y, mu, e, little):
    """The motion up to the next change of what the contact does."""
    w = math.hypot(y[1], y[2])
    if mu == 0.0:
        return straight(g, y, e, 0.0, 0.0, 0)
    if w <= little:
        y[1] = y[2] = 0.0
        f1, f2 = holding(g)
        if math.hypot(f1, f2) <= mu:
            return straight(g, y, e, f1, f2, 0)
        d1, d2, found = outgoing(g, mu)
        return straight(g, y, e, -mu * d1, -mu * d2, 0) if found else at.UNSOLVED
    d1, d2 = y[1] / w, y[2] / w
    a1, a2 = slope_of_slip(g, mu, d1, d2)
    if abs(a1 * d2 - a2 * d1) <= STRAIGHT * (abs(g[0, 1]) + abs(g[0, 2]) + mu * (g[1, 1] + g[2, 2])):
        return straight(g, y, e, -mu * d1, -mu * d2, 1 if a1 * d1 + a2 * d2 < 0.0 else 0)
    return turning(scratch, g, y, mu, e, little)


@kernel
def slope_of_slip(g, mu, d1, d2):
    """a = ds/dp for slip in the direction d."""
    return (
        g[1, 0] - mu * (g[1, 1] * d1 + g[1, 2] * d2),
        g[2, 0] - mu * (g[2, 1] * d1 + g[2, 2] * d2),
    )


@kernel
def holding(g):
    """The force of friction (per unit of normal force) with which the slip does not change, the smallest one."""
    trace, det = g[1, 1] + g[2, 2], g[1, 1] * g[2, 2] - g[1, 2] * g[2, 1]
    if det > DEGENERATE * trace * trace:
        return (g[1, 2] * g[2, 0] - g[2, 2] * g[1, 0]) / det, (g[2, 1] * g[1, 0] - g[1, 1] * g[2, 0]) / det
    if trace == 0.0:
        return 0.0, 0.0
    square = trace * trace
    return (
        -(g[1, 1] * g[1, 0] + g[1, 2] * g[2, 0]) / square,
        -(g[2, 1] * g[1, 0] + g[2, 2] * g[2, 0]) / square,
    )


@kernel
def across(g, mu, phi):
    """How fast the direction phi of slip turns, and how fast slip in it grows."""
    d1, d2 = math.cos(phi), math.sin(phi)
    a1, a2 = slope_of_slip(g, mu, d1, d2)
    return a2 * d1 - a1 * d2, a1 * d1 + a2 * d2


@kernel
def outgoing(g, mu):
    """The direction that slip takes when friction cannot hold it at zero: (d1, d2, whether one was found)."""
    best, angle = 0.0, 0.0
    width = 2.0 * math.pi / DIRECTIONS
    for k in range(DIRECTIONS):
        low = 0.3 * width + k * width
        high = low + width
        turn, _ = across(g, mu, low)
        other, _ = across(g, mu, high)
        if turn * other > 0.0:
            continue
        for _ in range(HALVINGS):
            middle = 0.5 * (low + high)
            value, _ = across(g, mu, middle)
            if value * turn > 0.0:
                low = middle
            else:
                high = middle
        _, growth = across(g, mu, high)
        if growth > best:
            best, angle = growth, high
    return math.cos(angle), math.sin(angle), best > 0.0


@kernel
def straight(g, y, e, f1, f2, slows):
    """A piece with a constant force, in closed form: to the end of compression, of expansion, or of the slip."""
    v, c = y[0], g[0, 0] + g[0, 1] * f1 + g[0, 2] * f2
    compresses = v < 0.0 or (v == 0.0 and c < 0.0)
    end, why = FAR, 0
    if compresses and c > 0.0:
        end, why = -v / c, 1
    if not compresses:
        inside = v * v + 2.0 * c * e * e * y[3]
        if inside >= 0.0:
            end, why = 2.0 * e * e * y[3] / (v + math.sqrt(inside)), 2
        elif c < 0.0:
            end, why = -v / c, 1
    w = math.hypot(y[1], y[2])
    s1, s2 = g[1, 0] + g[1, 1] * f1 + g[1, 2] * f2, g[2, 0] + g[2, 1] * f1 + g[2, 2] * f2
    if slows == 1:
        stop = w * w / -(s1 * y[1] + s2 * y[2])
        if stop <= end:
            end, why = stop, 3
    if why == 0:
        return at.UNSOLVED
    stored = -(v * end + 0.5 * c * end * end)
    y[3] += stored if compresses else stored / (e * e)
    y[0] = 0.0 if why == 1 else v + c * end
    y[1], y[2] = y[1] + s1 * end, y[2] + s2 * end
    y[4], y[5], y[6] = y[4] + end, y[5] + f1 * end, y[6] + f2 * end
    if why == 2:
        y[3] = 0.0
    if why == 3:
        y[1] = y[2] = 0.0
    return at.SOLVED


@kernel
def turning(scratch, g, y, mu, e, little):
    """A piece in which the slip turns, to the end of compression, of expansion, or of the slip."""
    z, new = reals(scratch + 8 * 16, N), reals(scratch + 8 * 23, N)
    least, scale = math.log(little), math.hypot(y[0], math.hypot(y[1], y[2]))
    to_polar(y, z)
    largest, start = g[0, 0] + g[1, 1] + g[2, 2], z[2]
    way = 1.0 if start < 0.0 or (start == 0.0 and pressing(g, mu, z[0]) < 0.0) else 1.0 / (e * e)
    h, rate = 0.01 / (largest * (1.0 + mu)), scale / largest
    for _ in range(STEPS):
        error = try_step(scratch, g, mu, way, z, new, h, scale, rate)
        if not error <= 1.0:
            h = next_step(h, error)
            continue
        over = ended(new, way, start, least)
        if over:
            find_end(scratch, g, mu, way, z, new, h, scale, rate, start, least)
        for i in range(N):
            z[i] = new[i]
        if over:
            from_polar(z, y, least, start < 0.0, 1e-14 * scale)
            return at.SOLVED
        h = next_step(h, error)
    return at.UNSOLVED


@kernel
def pressing(g, mu, phi):
    """How v_N changes with p while slip has the direction phi."""
    return g[0, 0] - mu * (g[0, 1] * math.cos(phi) + g[0, 2] * math.sin(phi))


@kernel
def to_polar(y, z):
    """The motion with the slip by its direction and the logarithm of its size: phi, log|s|, v_N, E, P."""
    z[0], z[1] = math.atan2(y[2], y[1]), math.log(math.hypot(y[1], y[2]))
    z[2], z[3] = y[0], y[3]
    for i in range(3):
        z[4 + i] = y[4 + i]


@kernel
def from_polar(z, y, least, compressed, rounding):
    """Back to the components of the slip; what the end of the piece made zero is zero."""
    w = math.exp(z[1])
    y[0], y[3] = z[2], max(z[3], 0.0)
    if compressed and abs(z[2]) <= rounding:
        y[0] = 0.0
    y[1], y[2] = (0.0, 0.0) if z[1] <= least else (w * math.cos(z[0]), w * math.sin(z[0]))
    for i in range(3):
        y[4 + i] = z[4 + i]


@kernel
def find_end(scratch, g, mu, way, z, new, h, scale, rate, start, least):
    """The shortest step after which the piece has ended, by bisection; its end is left in `new`."""
    low, high = 0.0, h
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        try_step(scratch, g, mu, way, z, new, middle, scale, rate)
        if ended(new, way, start, least):
            high = middle
        else:
            low = middle
    try_step(scratch, g, mu, way, z, new, high, scale, rate)


@kernel
def ended(z, way, start, least):
    """True when the slip has come to its end, v_N has changed its sign, or all that was stored is given back."""
    compresses = start < 0.0
    return z[1] <= least or (z[2] >= 0.0 if compresses else z[2] < 0.0 or z[3] <= 0.0)


@kernel
def rates(g, mu, way, z, out, o):
    """The rates of (phi, log|s|, v_N, E, P) into row o."""
    d1, d2, w = math.cos(z[0]), math.sin(z[0]), math.exp(z[1])
    a1, a2 = slope_of_slip(g, mu, d1, d2)
    out[o, 0], out[o, 1] = a2 * d1 - a1 * d2, a1 * d1 + a2 * d2
    out[o, 2] = w * pressing(g, mu, z[0])
    out[o, 3] = -z[2] * w * way
    out[o, 4], out[o, 5], out[o, 6] = w, -mu * d1 * w, -mu * d2 * w


@kernel
def try_step(scratch, g, mu, way, z, new, h, scale, rate):
    """A step of Dormand and Prince from z; its error in units of the tolerance."""
    k, trial, worst = reals2(scratch + 8 * 30, STAGES, N), reals(scratch + 8 * 79, N), 0.0
    for stage in range(STAGES):
        stage_point(z, k, stage, h, trial, N)
        rates(g, mu, way, trial, k, stage)
    for i in range(N):
        new[i] = trial[i]
        unit = 1.0 if i < 2 else (scale if i == 2 else (scale * rate if i == 3 else rate))
        miss = step_error(k, h, i) / (TOLERANCE * unit)
        if worst == worst and not miss <= worst:
            worst = miss
    return worst
