"""Compliant contacts: each approaches as its impulse exceeds that of a centre, with one compliance tau for all.

    U = G P + tau (P - C) + b

For tau > 0 the matrix is definite, so that nothing depends on a decision of rank; for large tau the contacts are nearly
decoupled. The law is that of `cone_residual_kernel` with z = P - rho U, whose roots are the same for every rho > 0, one
for each contact: Newton's method needs rho U and P of equal size. Contacts that nearly coincide slip a part in 1e9 as
fast as others do: with one rho for all, z would be P alone there, and the status would depend on the sign of the
distance of P, off the path by the square of a stride, from the edge of the cone.
"""

import math

from sympact.contact.cone.cone_residual_kernel import (
    CENTRE,
    FULL,
    LEAST,
    LEAST_SLIP,
    LEAST_STICK,
    LINE,
    MISS,
    MU,
    OPEN,
    RHO,
    SLIP,
    STICK,
    VOID,
    WAY,
    B,
    P,
    U,
    at_least,
)
from sympact.native.kernel import kernel


@kernel
def assemble_compliant(cone, n, tau, unit, share):
    """F at the impulses P; returns the largest |F_k|, those with U relative to 1 + rho.

    Into the table: its derivatives by P/unit and by s/share, where tau = 1/s, then -F.
    """
    table, v, size, worst = cone.table, cone.v, 3 * n, 0.0
    sort_compliant(cone, n, tau)
    for row in range(size):
        assemble_plain(cone, n, row, tau)
    for i in range(n):
        if cone.kind[i] == FULL and (cone.status[i] == SLIP or cone.status[i] == LEAST_SLIP):
            bend_slip(cone, n, 3 * i)
    for row in range(size):
        miss = abs(v[MISS, row])
        if not without_impulse(cone, row):
            miss /= 1.0 + v[RHO, row // 3]
        if worst == worst and not miss <= worst:
            worst = miss
        for k in range(size):
            table[row, k] *= unit
        table[row, size] *= -tau * tau * share
        table[row, size + 1] = -v[MISS, row]
    return worst


@kernel
def move_compliant(cone, n, tau):
    """U at the impulses P."""
    v, size = cone.v, 3 * n
    for i in range(size):
        s = v[B, i] + tau * (v[P, i] - v[CENTRE, i])
        for k in range(size):
            s += cone.g[i, k] * v[P, k]
        v[U, i] = s


@kernel
def balance(cone, n, tau, unit):
    """Scale rho U to the size of the impulses for each contact; a speed below that of the compliance counts as that."""
    v = cone.v
    move_compliant(cone, n, tau)
    for i in range(n):
        o = 3 * i
        speed = math.sqrt(v[U, o] * v[U, o] + v[U, o + 1] * v[U, o + 1] + v[U, o + 2] * v[U, o + 2])
        v[RHO, i] = unit / max(speed, tau * unit)


@kernel
def sort_compliant(cone, n, tau):
    """U, and the status of each contact by z."""
    v = cone.v
    move_compliant(cone, n, tau)
    for i in range(n):
        o, rho = 3 * i, v[RHO, i]
        normal = v[P, o] - rho * v[U, o]
        pushes, least = not normal <= 0.0, v[LEAST, i]
        if cone.kind[i] == VOID or (not pushes and (cone.kind[i] == LINE or least == 0.0)):
            cone.status[i] = OPEN
        elif cone.kind[i] == LINE:
            cone.status[i] = SLIP
        else:
            length = math.hypot(v[P, o + 1] - rho * v[U, o + 1], v[P, o + 2] - rho * v[U, o + 2])
            if length <= v[MU, i] * (least + max(normal, 0.0)):
                cone.status[i] = STICK if pushes else LEAST_STICK
            else:
                cone.status[i] = SLIP if pushes else LEAST_SLIP


@kernel
def without_impulse(cone, row):
    """True when this impulse is zero by what its contact does."""
    return cone.status[row // 3] == OPEN or (row % 3 == 0 and at_least(cone, row // 3))


@kernel
def assemble_plain(cone, n, row, tau):
    """The row of U = 0, of P = 0, or of the line of the impulse, with its derivatives by P and tau."""
    table, v, size, i, k = cone.table, cone.v, 3 * n, row // 3, row % 3
    lined = k > 0 and cone.kind[i] == LINE and cone.status[i] != OPEN
    if without_impulse(cone, row) or lined:
        for c in range(size + 1):
            table[row, c] = 0.0
        table[row, row] = 1.0
        v[MISS, row] = v[P, row]
        if lined:
            along = v[MU, i] * v[WAY, 2 * i + k - 1]
            table[row, row - k] = along
            v[MISS, row] += along * v[P, row - k]
        return
    rho = v[RHO, i]
    v[MISS, row] = rho * v[U, row]
    for c in range(size):
        table[row, c] = rho * cone.g[row, c]
    table[row, row] += rho * tau
    table[row, size] = rho * (v[P, row] - v[CENTRE, row])


@kernel
def bend_slip(cone, n, o):
    """From the rows of U_T = 0 to those of P_T = mu (a + z_N) d, d = z_T/|z_T|; of P_T = mu a d where a is enough."""
    table, v, size, rho = cone.table, cone.v, 3 * n, cone.v[RHO, o // 3]
    least, enough = v[LEAST, o // 3], at_least(cone, o // 3)
    z1, z2 = v[P, o + 1] - rho * v[U, o + 1], v[P, o + 2] - rho * v[U, o + 2]
    length, mu = math.hypot(z1, z2), v[MU, o // 3]
    edge = mu * (least if enough else least + (v[P, o] - rho * v[U, o]))
    d1, d2 = z1 / length, z2 / length
    for c in range(size + 1):
        normal, s1, s2 = 0.0 if enough else -table[o, c], -table[o + 1, c], -table[o + 2, c]
        if c == o and not enough:
            normal += 1.0
        elif c == o + 1:
            s1 += 1.0
        elif c == o + 2:
            s2 += 1.0
        along = d1 * s1 + d2 * s2
        table[o + 1, c] = -mu * d1 * normal - edge / length * (s1 - along * d1)
        table[o + 2, c] = -mu * d2 * normal - edge / length * (s2 - along * d2)
    table[o + 1, o + 1] += 1.0
    table[o + 2, o + 2] += 1.0
    v[MISS, o + 1], v[MISS, o + 2] = v[P, o + 1] - edge * d1, v[P, o + 2] - edge * d2
