"""One contact with friction, integrated through its impact over the normal impulse p (Routh 1860, Keller 1986).

    dv/dp = G f,   f = (1, f_T),   f_T = -mu s/|s| while the slip s is not zero

Where s is zero the contact sticks if some |f_T| <= mu keeps it zero, else it slips along the f of least f . G f with
|f_T| <= mu, which is unique. Compression ends at v_N = 0, and expansion at the end that the law prescribes:

    e^2 of the work of compression (Stronge 1990), e of its impulse (Poisson), or e of the approach speed (Newton).

The first two are a stored quantity that compression increases, by -v_N dp or dp, and expansion reduces, by v_N dp / e^2
or dp / e. While the slip keeps its direction, or there is none, v is linear in p and each piece is solved in closed
form; where it turns `routh_turn_kernel` integrates.

In a mechanism the sticking f may move nothing (self-locking): then v_N = 0 is the end under the energetic law, because
impulses could grow without end and do no work, and the stored work is lost; and v_N < 0, maintained by a moving
surface, has no end.
"""

import math

from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contact_tolerances import (
    ANSWER_ROUNDING,
    IMPULSE_ROUNDINGS,
    IMPULSES_LOST,
    RANK,
    RESOLVED,
    STEP_ERROR,
)
from sympact.contact.memory.routh_ends import BY_ENERGY, BY_IMPULSE, BY_RATE
from sympact.contact.problem.impact_phase_kernel import note_factor
from sympact.contact.routh.routh_hold_kernel import (
    find_range,
    holding,
    keep_to_range,
    rate_without_slip,
    slip_off,
)
from sympact.contact.routh.routh_layout import place_path
from sympact.contact.routh.routh_turn_kernel import slope_of_slip, turning
from sympact.native.kernel import kernel
from sympact.native.rounding import EPS

PIECES = 400  # of one impact, at most


@kernel
def follow(contacts, law, factor):
    """Integrate the impact of the first participant, from `before` on, with this part of e; its impulse goes into
    `cone_impulse`.

    SOLVED or UNSOLVED; where self-locking keeps the stored work, the factor stored is 0.
    """
    problem = contacts.problem
    before, mu = contacts.law.before, problem.coefficient[0]
    e, m = factor * problem.restitution[0], problem.n_u
    whole = problem.delassus
    speed = math.sqrt(before[0] ** 2 + before[1] ** 2 + before[2] ** 2)
    path = place_path(contacts, law, mu, e, -e * before[0], speed, STEP_ERROR * speed)
    path.y[6] = 0.0
    for i in range(3):
        path.y[i], path.y[3 + i] = before[i], 0.0
        for k in range(3):
            path.g[i, k] = whole[i, k]
    code = pieces(contacts, path, find_range(path, rounding(contacts, m)), m)
    impulse = problem.cone_impulse
    for i in range(3):
        impulse[i] = path.y[4 + i]
    return code if code != codes.SOLVED or tells(path) else codes.UNSOLVED


@kernel
def rounding(contacts, m):
    """The rounding error of all speeds in the velocity of the contact, whose rows are rounded, too (m/s)."""
    problem = contacts.problem
    scaled_rows, longest = problem.scaled_rows, 0.0
    for i in range(3):
        square = 0.0
        for k in range(m):
            square += scaled_rows[i, k] * scaled_rows[i, k]
        longest = max(longest, square)
    return IMPULSE_ROUNDINGS * EPS * math.sqrt(longest) * problem.mass_speed


@kernel
def pieces(contacts, path, rank, m):
    """From piece to piece until the impact has ended; SOLVED or UNSOLVED."""
    y, settled = path.y, False
    for _ in range(PIECES):
        if rank < 3 and not settled:
            keep_to_range(path)
        if abs(y[0]) <= path.none:
            y[0] = 0.0
        if y[0] >= 0.0 and given_back(path):
            return codes.SOLVED
        w = math.hypot(y[1], y[2])
        if path.mu == 0.0:
            code = straight(path, path.g[0, 0], 0.0, 0.0, False)
        elif w > path.none:
            code, settled = slide(path, w, settled, rank)
        else:
            y[1] = y[2] = 0.0
            if rank < 3:
                y[0] = rate_without_slip(path)
            if abs(y[0]) <= path.none:
                y[0] = 0.0
            if y[0] >= 0.0 and given_back(path):
                return codes.SOLVED
            code = stand(path, m)
            if code == JAM:
                note_factor(contacts, 0.0)
                return codes.SOLVED
        if code != codes.SOLVED:
            return code
    return codes.UNSOLVED


JAM = 1  # nothing moves any more, and work is stored


@kernel
def given_back(path):
    """True when expansion has reached the end that the law prescribes."""
    if path.e == 0.0:
        return True
    return path.y[0] >= path.target - path.none if path.law == BY_RATE else path.y[3] <= 0.0


@kernel
def tells(path):
    """True when the impulses are not so large that the motion is their rounding."""
    largest = 0.0
    for i in range(3):
        s = 0.0
        for k in range(3):
            s += abs(path.g[i, k] * path.y[4 + k])
        largest = max(largest, s)
    return IMPULSE_ROUNDINGS * EPS * largest <= IMPULSES_LOST * path.whole


@kernel
def slide(path, w, settled, rank):
    """A piece with slip: (SOLVED or UNSOLVED, whether its direction is constant).

    A motion along one line never turns, unless it is slip of a moving surface as well.
    """
    y, g, mu = path.y, path.g, path.mu
    d1, d2 = y[1] / w, y[2] / w
    a1, a2 = slope_of_slip(g, mu, d1, d2)
    turns = abs(a1 * d2 - a2 * d1) > ANSWER_ROUNDING * (abs(g[0, 1]) + abs(g[0, 2]) + mu * (g[1, 1] + g[2, 2]))
    drifts = path.out[1] != 0.0 or path.out[2] != 0.0
    if turns and (rank > 1 or drifts) and not settled:
        return turning(path)
    return straight(path, g[0, 0] - mu * (g[0, 1] * d1 + g[0, 2] * d2), -mu * d1, -mu * d2, False), False


@kernel
def stand(path, m):
    """A piece that begins without slip: it sticks, or begins to slip. `JAM` where nothing moves any more."""
    g = path.g
    f1, f2 = holding(g, RESOLVED)
    if math.hypot(f1, f2) > path.mu:
        f1, f2 = slip_off(g, path.mu)
        return straight(path, g[0, 0] + g[0, 1] * f1 + g[0, 2] * f2, f1, f2, False)
    c, size = 0.0, 0.0
    for k in range(m):
        a = path.scaled_rows[0, k] + f1 * path.scaled_rows[1, k] + f2 * path.scaled_rows[2, k]
        c += a * a
    for i in range(3):
        size += g[i, i]
    if math.sqrt(c) <= RANK * math.sqrt(size * (1.0 + f1 * f1 + f2 * f2)):
        c = 0.0
        if path.y[0] == 0.0 and path.law == BY_ENERGY:
            return JAM
    return straight(path, c, f1, f2, True)


@kernel
def straight(path, c, f1, f2, sticks):
    """A piece with a constant force, in closed form: to the end of compression, of expansion, or of the slip.

    c is how v_N changes with p.
    """
    y, g, s1, s2 = path.y, path.g, 0.0, 0.0
    if not sticks:
        s1, s2 = g[1, 0] + g[1, 1] * f1 + g[1, 2] * f2, g[2, 0] + g[2, 1] * f1 + g[2, 2] * f2
    squeezes = y[0] < 0.0 or (y[0] == 0.0 and c < 0.0)
    end, why = squeeze_end(y[0], c) if squeezes else release_end(path, y[0], c)
    slowing = -(s1 * y[1] + s2 * y[2])
    if slowing > 0.0 and path.mu > 0.0:
        stop = (y[1] * y[1] + y[2] * y[2]) / slowing
        if stop <= end:
            end, why = stop, STOPS
    if why == NEVER:
        return codes.UNSOLVED
    y[3] = 0.0 if why == RELEASED else y[3] + filled(path, squeezes, y[0], c, end)
    v = y[0] + c * end
    y[0] = 0.0 if why == TURNS else (path.target if why == RELEASED and path.law == BY_RATE else v)
    y[1], y[2] = (0.0, 0.0) if why == STOPS else (y[1] + s1 * end, y[2] + s2 * end)
    y[4], y[5], y[6] = y[4] + end, y[5] + f1 * end, y[6] + f2 * end
    return codes.SOLVED


# the ends of a piece
NEVER = 0
TURNS = 1  # v_N = 0
RELEASED = 2  # the stored quantity is zero
STOPS = 3  # the slip is zero


@kernel
def squeeze_end(v, c):
    """Where compression ends."""
    return (-v / c, TURNS) if c > 0.0 else (math.inf, NEVER)


@kernel
def release_end(path, v, c):
    """The end of expansion: the stored quantity is zero, or v_N has decreased to zero before that."""
    end, why = (-v / c, TURNS) if c < 0.0 else (math.inf, NEVER)
    back = math.inf
    if path.law == BY_ENERGY:
        energy = path.e * path.e * path.y[3]
        inside = v * v + 2.0 * c * energy
        speed = v + math.sqrt(max(inside, 0.0))
        if inside >= 0.0 and speed > 0.0:
            back = 2.0 * energy / speed
    elif path.law == BY_IMPULSE:
        back = path.e * path.y[3]
    elif c > 0.0:
        back = (path.target - v) / c
    return (back, RELEASED) if back < math.inf and back <= end else (end, why)


@kernel
def filled(path, squeezes, v, c, p):
    """The change of the stored quantity over a straight piece of length p."""
    if path.law == BY_ENERGY:
        work = -(v * p + 0.5 * c * p * p)
        return work if squeezes else work / (path.e * path.e)
    if path.law == BY_IMPULSE:
        return p if squeezes else -p / path.e
    return 0.0
