"""The range of the rows of one contact: its velocities, friction that makes it stick, and the slip that begins.

The velocities v of the contact change within the range of A = W^T C^-T (M = C C^T) only. In a mechanism it may have the
rank 1 or 2: then v stays on a line or plane, nu . v = nu . v- for every nu with A^T nu = 0, and slip that ends has
ended v_N, too, where nu_N is not zero. Nothing here divides by components outside the range of A.
"""

import math

from sympact.contact.linalg.rank_kernel import decide, outside
from sympact.contact.memory.contact_tolerances import ACCEPTED, DIGITS_LOST
from sympact.native.kernel import kernel
from sympact.native.rounding import HALF_DIGITS

HALVINGS = 200


@kernel
def find_range(path, rounding):
    """The rank of the three rows; the part of v outside their range goes into `path.out`, unless it is rounding."""
    rank, y = path.rank, path.y
    for i in range(3):
        rank.group[i] = 0
        for c in range(path.scaled_rows.shape[1]):
            rank.rows[i, c] = path.scaled_rows[i, c]
    found = decide(rank)
    if not outside(rank, y, path.out) > rank.factor[0] * max(ACCEPTED * path.whole, rounding):
        path.out[0] = path.out[1] = path.out[2] = 0.0
    return found


@kernel
def keep_to_range(path):
    """Remove the rounding of v outside the range; where all of v within it has ended, v ends, too.

    A slip that is about to end keeps its direction.
    """
    y, out, rank, work, left = path.y, path.out, path.rank, path.new, 0.0
    for i in range(3):
        work[i] = y[i] - out[i]
    for d in range(3 - rank.count[0]):
        s = 0.0
        for i in range(3):
            s += rank.null[d, i] * work[i]
        for i in range(3):
            work[i] -= s * rank.null[d, i]
    for i in range(3):
        left += work[i] * work[i]
    ends = math.sqrt(left) <= HALF_DIGITS * path.whole
    if ends or (y[0] != 0.0 and (y[1] != 0.0 or y[2] != 0.0)):
        for i in range(3):
            y[i] = out[i] if ends else out[i] + work[i]


@kernel
def rate_without_slip(path):
    """v_N without slip: where the range couples it to the slip, by that coupling, not by the integrated value."""
    rank, out, largest, rate = path.rank, path.out, DIGITS_LOST, path.y[0]
    for d in range(3 - rank.count[0]):
        normal = rank.null[d, 0]
        if abs(normal) > largest:
            largest = abs(normal)
            rate = out[0] + (rank.null[d, 1] * out[1] + rank.null[d, 2] * out[2]) / normal
    return rate


@kernel
def principal(g):
    """G_TT and G_TN in the axes of G_TT: (cos, sin, the larger stiffness, the smaller, both parts of G_TN)."""
    turn = 0.5 * math.atan2(2.0 * g[1, 2], g[1, 1] - g[2, 2])
    c, s = math.cos(turn), math.sin(turn)
    middle, apart = 0.5 * (g[1, 1] + g[2, 2]), math.hypot(0.5 * (g[1, 1] - g[2, 2]), g[1, 2])
    return c, s, middle + apart, max(middle - apart, 0.0), c * g[1, 0] + s * g[2, 0], c * g[2, 0] - s * g[1, 0]


@kernel
def holding(g, flat):
    """The friction per normal impulse with which slip does not change, the smallest one.

    A direction whose stiffness is at most `flat` times the other one has none: no friction moves it.
    """
    c, s, first, second, h1, h2 = principal(g)
    if not first > 0.0:
        return 0.0, 0.0
    f1, f2 = -h1 / first, -h2 / second if second > flat * first else 0.0
    return c * f1 - s * f2, s * f1 + c * f2


@kernel
def slip_off(g, mu):
    """The friction of slip that begins where friction cannot prevent it: the f of least f . G f with |f_T| <= mu.

    f_T = -(G_TT + kappa)^-1 G_TN with the kappa > 0 that makes |f_T| = mu, which decreases with kappa: there is one.
    """
    c, s, first, second, h1, h2 = principal(g)
    low, high = 0.0, math.hypot(h1, h2) / mu
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        if not low < middle < high:
            break
        if math.hypot(h1 / (first + middle), h2 / (second + middle)) > mu:
            low = middle
        else:
            high = middle
    f1, f2 = -h1 / (first + high), -h2 / (second + high)
    part = mu / math.hypot(f1, f2)
    return part * (c * f1 - s * f2), part * (s * f1 + c * f2)
