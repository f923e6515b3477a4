"""Slip of varying direction during the impact of one contact, see `routh_kernel`.

In polar form, with sigma for the independent variable, dp = |s| dsigma,

    dphi/dsigma = t . a,   d log|s|/dsigma = d . a,   a = G_TN - mu G_TT d,   d = (cos phi, sin phi),  t = d'

which is smooth up to the end of the slip, and is integrated by Dormand and Prince's method. A constant direction, which
is reached where the slip turns much faster than it changes, is left to a straight piece.
"""

import math

from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contact_tolerances import ACCEPTED, RANK, STEP_ERROR
from sympact.contact.memory.routh_ends import BY_ENERGY, BY_IMPULSE, BY_RATE
from sympact.contact.memory.solvers import ONE_PATH, STAGES
from sympact.contact.routh.dormand_prince_kernel import next_step, stage_point, step_error
from sympact.native.kernel import kernel

STEPS = 100_000
HALVINGS = 80
POLISHES = 8


@kernel
def slope_of_slip(g, mu, d1, d2):
    """a = ds/dp for slip in the direction d."""
    return (
        g[1, 0] - mu * (g[1, 1] * d1 + g[1, 2] * d2),
        g[2, 0] - mu * (g[2, 1] * d1 + g[2, 2] * d2),
    )


@kernel
def pressing(g, mu, phi):
    """The derivative of v_N by p while slip has the direction phi."""
    return g[0, 0] - mu * (g[0, 1] * math.cos(phi) + g[0, 2] * math.sin(phi))


@kernel
def turning(path):
    """A piece in which the slip turns: to the end of compression, of expansion, of the slip, or of its turning.

    (SOLVED or UNSOLVED, whether the direction is constant.)
    """
    y, z, new, g, mu = path.y, path.z, path.new, path.g, path.mu
    to_polar(y, z)
    squeezes = z[2] < 0.0 or (z[2] == 0.0 and pressing(g, mu, z[0]) < 0.0)
    stiff = (g[0, 0] + g[1, 1] + g[2, 2]) * (1.0 + mu)
    h, least = 0.01 / stiff, math.log(path.none)
    for _ in range(STEPS):
        error = try_step(path, squeezes, h)
        if not error <= 1.0:
            h = next_step(h, error)
            continue
        over = ended(path, new, squeezes, least)
        if over:
            find_end(path, squeezes, h, least)
        for i in range(ONE_PATH):
            z[i] = new[i]
        if over:
            from_polar(path, least)
            return codes.SOLVED, False
        if settled(path, ACCEPTED * stiff):
            from_polar(path, least)
            return codes.SOLVED, True
        h = next_step(h, error)
    return codes.UNSOLVED, False


@kernel
def settled(path, little):
    """True when the direction turns no more; then it is the one that does not turn at all, to rounding."""
    g, mu, phi = path.g, path.mu, path.z[0]
    for k in range(POLISHES):
        d1, d2 = math.cos(phi), math.sin(phi)
        a1, a2 = slope_of_slip(g, mu, d1, d2)
        turn = a2 * d1 - a1 * d2
        if k == 0 and abs(turn) > little:
            return False
        b1, b2 = mu * (g[1, 1] * d2 - g[1, 2] * d1), mu * (g[2, 1] * d2 - g[2, 2] * d1)
        slope = b2 * d1 - b1 * d2 - (a1 * d1 + a2 * d2)
        if not slope < 0.0:
            return False
        phi -= turn / slope
    if abs(phi - path.z[0]) > RANK:
        return False
    path.z[0] = phi
    return True


@kernel
def to_polar(y, z):
    """The motion with the slip by its direction and the logarithm of its size: phi, log|s|, v_N, the stored quantity,
    P."""
    z[0], z[1] = math.atan2(y[2], y[1]), math.log(math.hypot(y[1], y[2]))
    z[2], z[3] = y[0], y[3]
    for i in range(3):
        z[4 + i] = y[4 + i]


@kernel
def from_polar(path, least):
    """Back to the components of the slip; quantities that are zero at the end of the piece are set to zero."""
    y, z = path.y, path.z
    w = math.exp(z[1])
    y[0], y[3] = z[2], max(z[3], 0.0)
    y[1], y[2] = (0.0, 0.0) if z[1] <= least else (w * math.cos(z[0]), w * math.sin(z[0]))
    for i in range(3):
        y[4 + i] = z[4 + i]


@kernel
def find_end(path, squeezes, h, least):
    """The shortest step after which the piece has ended, by bisection; its end is left in `new`."""
    low, high = 0.0, h
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        try_step(path, squeezes, middle)
        if ended(path, path.new, squeezes, least):
            high = middle
        else:
            low = middle
    try_step(path, squeezes, high)


@kernel
def ended(path, z, squeezes, least):
    """True when the slip has ended, v_N has changed its sign, or the stored quantity is zero."""
    if z[1] <= least or (squeezes and z[2] >= 0.0):
        return True
    back = z[2] >= path.target if path.law == BY_RATE else z[3] <= 0.0
    return not squeezes and (z[2] < 0.0 or back)


@kernel
def store_rate(path, squeezes, v):
    """The derivative of the stored quantity by p."""
    if path.law == BY_ENERGY:
        return -v if squeezes else -v / (path.e * path.e)
    if path.law == BY_IMPULSE:
        return 1.0 if squeezes else -1.0 / path.e
    return 0.0


@kernel
def rates(path, squeezes, z, o):
    """The rates of (phi, log|s|, v_N, the stored quantity, P) into row o."""
    out, g, mu = path.k, path.g, path.mu
    d1, d2, w = math.cos(z[0]), math.sin(z[0]), math.exp(z[1])
    a1, a2 = slope_of_slip(g, mu, d1, d2)
    out[o, 0], out[o, 1] = a2 * d1 - a1 * d2, a1 * d1 + a2 * d2
    out[o, 2] = w * pressing(g, mu, z[0])
    out[o, 3] = w * store_rate(path, squeezes, z[2])
    out[o, 4], out[o, 5], out[o, 6] = w, -mu * d1 * w, -mu * d2 * w


@kernel
def try_step(path, squeezes, h):
    """A step of Dormand and Prince from z; its error in units of the tolerance."""
    worst, largest = 0.0, path.g[0, 0] + path.g[1, 1] + path.g[2, 2]
    impulse = path.whole / largest
    stored = path.whole * impulse if path.law == BY_ENERGY else impulse
    for stage in range(STAGES):
        stage_point(path.z, path.k, stage, h, path.trial, ONE_PATH)
        rates(path, squeezes, path.trial, stage)
    for i in range(ONE_PATH):
        path.new[i] = path.trial[i]
        unit = 1.0 if i < 2 else (path.whole if i == 2 else (stored if i == 3 else impulse))
        miss = step_error(path.k, h, i) / (STEP_ERROR * unit)
        if worst == worst and not miss <= worst:
            worst = miss
    return worst
