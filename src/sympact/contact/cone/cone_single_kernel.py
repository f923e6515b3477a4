"""One contact with Coulomb's cone, exactly: open, stick, or the direction of slip from a quartic.

With a least normal impulse the contact may have that, and friction under it (`friction_under_least`), or more.

Slip in the direction d: P = P_N (1, -mu d), with U_N = 0: P_N = -b_N / (G_NN - mu G_NT d). U_T is along d if d and w(d)
= b_T (G_NN - mu G_NT d) - b_N (G_TN - mu G_TT d) are parallel: a trigonometric polynomial of the second degree in the
angle of d, a quartic in the tangent of half the angle. Newton's method from an estimate usually finds its root; where
it does not, all roots of the quartic are found, between those of its derivatives.
"""

import math

from sympact.contact.cone.cone_residual_kernel import (
    LEAST,
    MU,
    B,
)
from sympact.contact.cone.disc_kernel import one_disc
from sympact.contact.memory.contact_tolerances import ACCEPTED, ANSWER_ROUNDING, PIVOT, RANK
from sympact.native.kernel import kernel
from sympact.native.rounding import EPS

GUESSES = 12  # steps of Newton's method for the angle
HALVINGS = 200  # of an interval, at most
ROUNDINGS = 16.0  # of the terms of a slip that impulses leave, each a sum over the speeds: a slip that is none


@kernel
def friction_under_least(cone, i):
    """The friction of contact i under its least normal impulse, with the others at theirs.

    Slip that begins may be slow beside the impulses, where the velocities of a mechanism depend on each other.
    """
    o, v, g, least = 3 * i, cone.v, cone.g, cone.v[LEAST, i]
    b1, b2 = v[B, o + 1], v[B, o + 2]
    terms = abs(b1) + abs(b2) + 2.0 * (abs(g[o + 1, o]) + abs(g[o + 2, o])) * least
    radius, rounding = v[MU, i] * least, ROUNDINGS * EPS * terms
    return one_disc(g[o + 1, o + 1], g[o + 1, o + 2], g[o + 2, o + 2], b1, b2, radius, rounding)


@kernel
def solve_local(cone, i, b0, b1, b2, out):
    """Impulse of contact i (a full cone) that satisfies the law when the others give it the velocities b.

    With a least normal impulse only larger normal impulses are searched. `out`, 40 numbers: the impulse in the first
    three, an estimate of the direction of slip in the next two, then scratch. Returns |F|, and 1 where all roots of the
    quartic were computed, else 0; where no impulse satisfies the law, a step that reduces |F| is written.
    """
    o, mu = 3 * i, cone.v[MU, i]
    out[0] = out[1] = out[2] = 0.0
    if b0 >= 0.0 and cone.v[LEAST, i] == 0.0:
        return 0.0, 0
    speed = math.sqrt(b0 * b0 + b1 * b1 + b2 * b2)
    holds = stick(cone, o, b0, b1, b2, out) and math.hypot(out[1], out[2]) <= mu * out[0]
    if holds and out[0] >= cone.v[LEAST, i]:
        return missed(cone, i, b0, b1, b2, out), 0
    if slip_from(cone, i, b0, b1, b2, out):
        miss = missed(cone, i, b0, b1, b2, out)
        if miss <= ANSWER_ROUNDING * speed:
            return miss, 0
    return best_slip(cone, i, b0, b1, b2, out, speed), 1


@kernel
def stick(cone, o, b0, b1, b2, out):
    """The impulse that stops the contact, by elimination; False where none does."""
    g = cone.g
    small = PIVOT * max(g[o, o], g[o + 1, o + 1], g[o + 2, o + 2])
    if not g[o, o] > small:
        return False
    l1, l2 = g[o, o + 1] / g[o, o], g[o, o + 2] / g[o, o]
    c11, c12 = g[o + 1, o + 1] - l1 * g[o, o + 1], g[o + 1, o + 2] - l1 * g[o, o + 2]
    c22, r1, r2 = g[o + 2, o + 2] - l2 * g[o, o + 2], -b1 + l1 * b0, -b2 + l2 * b0
    near = ACCEPTED * (abs(b0) + abs(b1) + abs(b2))
    p1 = p2 = 0.0
    if c11 >= c22 and c11 > small:
        c22 -= c12 * c12 / c11
        r2 -= c12 / c11 * r1
        if c22 > small:
            p2 = r2 / c22
        elif abs(r2) > near:
            return False
        p1 = (r1 - c12 * p2) / c11
    elif c22 > small:
        c11 -= c12 * c12 / c22
        r1 -= c12 / c22 * r2
        if c11 > small:
            p1 = r1 / c11
        elif abs(r1) > near:
            return False
        p2 = (r2 - c12 * p1) / c22
    elif abs(r1) > near or abs(r2) > near:
        return False
    out[0], out[1], out[2] = -b0 / g[o, o] - l1 * p1 - l2 * p2, p1, p2
    return True


@kernel
def missed(cone, i, b0, b1, b2, out):
    """|F| of the contact with the impulse in `out`."""
    g, o, p0, p1, p2 = cone.g, 3 * i, out[0], out[1], out[2]
    u0 = b0 + g[o, o] * p0 + g[o, o + 1] * p1 + g[o, o + 2] * p2
    z1 = p1 - (b1 + g[o + 1, o] * p0 + g[o + 1, o + 1] * p1 + g[o + 1, o + 2] * p2)
    z2 = p2 - (b2 + g[o + 2, o] * p0 + g[o + 2, o + 1] * p1 + g[o + 2, o + 2] * p2)
    z0 = max(p0 - u0, cone.v[LEAST, i])
    length, edge = math.hypot(z1, z2), cone.v[MU, i] * z0
    part = edge / length if length > edge else 1.0
    return math.sqrt((p0 - z0) ** 2 + (p1 - part * z1) ** 2 + (p2 - part * z2) ** 2)


@kernel
def assemble_angle(cone, i, b0, b1, b2, out):
    """w(d) = k + M d into out[5:11]: k, then M row by row; the normal's part G_NN, mu G_NT follows in out[11:14]."""
    g, o, mu = cone.g, 3 * i, cone.v[MU, i]
    out[5], out[6] = b1 * g[o, o] - b0 * g[o + 1, o], b2 * g[o, o] - b0 * g[o + 2, o]
    out[7] = mu * (b0 * g[o + 1, o + 1] - b1 * g[o, o + 1])
    out[8] = mu * (b0 * g[o + 1, o + 2] - b1 * g[o, o + 2])
    out[9] = mu * (b0 * g[o + 2, o + 1] - b2 * g[o, o + 1])
    out[10] = mu * (b0 * g[o + 2, o + 2] - b2 * g[o, o + 2])
    out[11], out[12], out[13] = g[o, o], mu * g[o, o + 1], mu * g[o, o + 2]


@kernel
def refine(out, d1, d2):
    """Newton's method for the angle at which w(d) and d are parallel, into out[3:5]; the last correction."""
    correction = math.inf
    for _ in range(GUESSES):
        w1, w2 = out[5] + out[7] * d1 + out[8] * d2, out[6] + out[9] * d1 + out[10] * d2
        v1, v2 = out[8] * d1 - out[7] * d2, out[10] * d1 - out[9] * d2
        slope = d1 * v2 - d2 * v1 - d1 * w1 - d2 * w2
        if slope == 0.0:
            break
        correction = -(d1 * w2 - d2 * w1) / slope
        correction = max(-0.5, min(0.5, correction))
        d1, d2 = d1 - correction * d2, d2 + correction * d1
        length = math.hypot(d1, d2)
        d1, d2 = d1 / length, d2 / length
        if abs(correction) <= 2.0 * EPS:
            break
    out[3], out[4] = d1, d2
    return abs(correction)


@kernel
def slip_with(cone, i, b0, out):
    """The impulse of slip in the direction out[3:5]; False where it would be tensile, or U_T opposite to d."""
    d1, d2, mu = out[3], out[4], cone.v[MU, i]
    share = out[11] - out[12] * d1 - out[13] * d2
    along = d1 * (out[5] + out[7] * d1 + out[8] * d2) + d2 * (out[6] + out[9] * d1 + out[10] * d2)
    if not share > PIVOT * out[11] or along < 0.0:
        return False
    out[0] = -b0 / share
    out[1], out[2] = -mu * out[0] * d1, -mu * out[0] * d2
    return True


@kernel
def slip_from(cone, i, b0, b1, b2, out):
    """Slip near the estimated direction, or that of the contact without friction."""
    assemble_angle(cone, i, b0, b1, b2, out)
    d1, d2 = out[3], out[4]
    if d1 == 0.0 and d2 == 0.0:
        d1, d2 = out[5], out[6]
    length = math.hypot(d1, d2)
    if not length > 0.0:
        return False
    return refine(out, d1 / length, d2 / length) <= RANK and slip_with(cone, i, b0, out)


@kernel
def best_slip(cone, i, b0, b1, b2, out, speed):
    """The directions at all roots and extremes of the quartic are tried; the smallest admissible impulse is kept.

    Where none is admissible, one step of the fixed point of F is written.
    """
    assemble_angle(cone, i, b0, b1, b2, out)
    count = roots(out)
    best, least, k1, k2 = math.inf, math.inf, 0.0, 0.0
    for r in range(count):
        refine(out, math.cos(out[14 + r]), math.sin(out[14 + r]))
        if not slip_with(cone, i, b0, out):
            continue
        miss = missed(cone, i, b0, b1, b2, out)
        if (miss < best and best > ANSWER_ROUNDING * speed) or (miss <= ANSWER_ROUNDING * speed and out[0] < least):
            best, least, k1, k2 = miss, out[0], out[3], out[4]
    if best < math.inf:
        out[3], out[4] = k1, k2
        slip_with(cone, i, b0, out)
        return best
    out[3] = out[4] = 0.0
    out[0], edge, length = -b0, -cone.v[MU, i] * b0, math.hypot(b1, b2)
    part = edge / length if length > edge else 1.0
    out[1], out[2] = -part * b1, -part * b2
    return missed(cone, i, b0, b1, b2, out)


@kernel
def roots(out):
    """Angles at which d and w(d) are parallel or nearly so, into out[14:]; returns how many.

    The angle is measured from a direction opposite to which they are not, so that no root is at infinity.
    """
    base, largest = 0.0, -1.0
    for k in range(5):
        c, s = math.cos(1.2 * k), math.sin(1.2 * k)
        w1, w2 = out[5] - out[7] * c - out[8] * s, out[6] - out[9] * c - out[10] * s
        if abs(c * w2 - s * w1) > largest:
            base, largest = 1.2 * k, abs(c * w2 - s * w1)
    assemble_quartic(out, base)
    count = real_roots(out)
    for r in range(count):
        out[14 + r] = base + 2.0 * math.atan(out[14 + r])
    return count


@kernel
def assemble_quartic(out, base):
    """Coefficients in t = tan(angle/2) from `base`, the constant first, into out[24:29].

    cross(d, w) = a0 + a1 cos + b1 sin + a2 cos 2 + b2 sin 2, in axes turned by the base.
    """
    c, s = math.cos(base), math.sin(base)
    k1, k2 = c * out[5] + s * out[6], c * out[6] - s * out[5]
    x11, x12 = c * out[7] + s * out[9], c * out[8] + s * out[10]
    x21, x22 = c * out[9] - s * out[7], c * out[10] - s * out[8]
    m11, m12, m21, m22 = c * x11 + s * x12, c * x12 - s * x11, c * x21 + s * x22, c * x22 - s * x21
    a0, a1, b1, a2, b2 = (m21 - m12) / 2, k2, -k1, (m21 + m12) / 2, (m22 - m11) / 2
    out[24], out[25], out[26] = a0 + a1 + a2, 2.0 * b1 + 4.0 * b2, 2.0 * a0 - 6.0 * a2
    out[27], out[28] = 2.0 * b1 - 4.0 * b2, a0 - a1 + a2


@kernel
def real_roots(out):
    """Real roots of the quartic and of its derivative, into out[14:]; found between the roots of the derivatives."""
    scale = 0.0
    for k in range(5):
        scale = max(scale, abs(out[24 + k]))
    if not scale > 0.0:
        return 0
    count = 0
    for degree in range(1, 5):
        derive(out, 4 - degree, degree, scale)
        found = count
        for r in range(count):
            out[34 + r] = out[14 + r]
        count = 0
        bound = 0.0
        if out[29 + degree] == 0.0:
            for r in range(found):
                out[14 + r] = out[34 + r]
            count = found
            continue
        for k in range(degree):
            bound = max(bound, abs(out[29 + k] / out[29 + degree]))
        low = -1.0 - bound
        for r in range(found + 1):
            high = out[34 + r] if r < found else 1.0 + bound
            if (value(out, degree, low) < 0.0) != (value(out, degree, high) < 0.0):
                out[14 + count] = between(out, degree, low, high)
                count += 1
            low = high
        if degree == 4:
            for r in range(found):
                out[14 + count + r] = out[34 + r]
            count += found
    return count


@kernel
def derive(out, times, degree, scale):
    """The quartic's derivative of some order, of the given degree, into out[29:34]."""
    for k in range(degree + 1):
        factor = 1.0 / scale
        for j in range(times):
            factor *= k + times - j
        out[29 + k] = factor * out[24 + k + times]


@kernel
def value(out, degree, t):
    """The polynomial out[29:] at t."""
    s = 0.0
    for k in range(degree, -1, -1):
        s = s * t + out[29 + k]
    return s


@kernel
def between(out, degree, low, high):
    """The root between two points of different sign, by bisection; the angle is refined afterwards."""
    negative = value(out, degree, low) < 0.0
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        if not low < middle < high or high - low <= ANSWER_ROUNDING * (1.0 + abs(middle)):
            break
        if (value(out, degree, middle) < 0.0) == negative:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)
