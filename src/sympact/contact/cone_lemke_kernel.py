"""Frictional contact with cones of eight edges, as a linear complementarity problem for Lemke's method.

    P_T = sum beta_j d_j,  U_N >= 0 _|_ P_N,  d_j . U_T + lambda >= 0 _|_ beta_j,  mu P_N - sum beta >= 0 _|_ lambda

(Stewart and Trinkle 1996, International Journal for Numerical Methods in Engineering 39; Anitescu and Potra 1997,
Nonlinear Dynamics 14). Lemke's method solves it whenever some motion opens all contacts without slip. The edges are
even at first; then they gather about the direction in which each contact's friction was found to act, closer each time,
so that the answer approaches that of the round cone.
"""

import math

from sympact.contact.cone_law_kernel import FULL, LINE, MU, TRIAL, WAY, B, P
from sympact.contact.cone_layout import EDGES
from sympact.contact.lemke_kernel import lemke, pose_tableau
from sympact.integrate.unit import kernel

CLOSER = 6.0   # by how much the edges gather from one time to the next
PIVOTS = 30    # of Lemke's method for each unknown


@kernel
def guess(cone, n, time, scale):
    """Impulses p of a problem with edged cones, the edges of the given time about the present p; False if unsolved."""
    size = 0
    for i in range(n):
        size += EDGES + 2 if cone.kind[i] == FULL else (1 if cone.kind[i] == LINE else 0)
    place = 0
    for i in range(n):
        if cone.kind[i] == FULL:
            for k in range(EDGES + 2):
                pose_unknown(cone, n, size, place, i, k, time, scale)
                place += 1
        elif cone.kind[i] == LINE:
            pose_unknown(cone, n, size, place, i, 0, time, scale)
            place += 1
    pose_tableau(cone.tableau, cone.basis, size)
    if lemke(cone.tableau, cone.basis, size, PIVOTS * size) < 0:
        return False
    read(cone, n, size, time, scale)
    return True


@kernel
def edge(cone, i, k, time):
    """The direction of an edge, k from 1 to EDGES, about the friction of contact i."""
    o = 3 * i
    x, y = cone.v[P, o + 1], cone.v[P, o + 2]
    length = math.hypot(x, y)
    start = math.atan2(y, x) if length > 0.0 else 0.0
    near = 0.25 * math.pi / CLOSER**time if length > 0.0 else 0.25 * math.pi
    sign, step = 1.0 if k % 2 == 0 else -1.0, k // 2
    angle = 0.0 if step == 0 else (near if step == 1 else (2.0 * near if step == 2 else 3.0 * near))
    if time > 0 and length > 0.0 and step == 3:
        angle = 0.5 * math.pi
    if k == EDGES:
        angle = math.pi
    return math.cos(start + sign * angle), math.sin(start + sign * angle)


@kernel
def pose_unknown(cone, n, size, place, i, k, time, scale):
    """Column, row and constant of an unknown of contact i: 0 for P_N, 1 to EDGES for the edges, then lambda."""
    v, o = cone.v, 3 * i
    last = 2 * size + 1
    if k > EDGES:
        fill_lambda(cone, size, place, i)
        return
    for r in range(3 * n):
        v[TRIAL, r] = 0.0
    if k > 0:
        v[TRIAL, o + 1], v[TRIAL, o + 2] = edge(cone, i, k, time)
    else:
        v[TRIAL, o] = 1.0
        if cone.kind[i] == LINE:
            v[TRIAL, o + 1], v[TRIAL, o + 2] = -v[MU, i] * v[WAY, 2 * i], -v[MU, i] * v[WAY, 2 * i + 1]
    row = 0
    for j in range(n):
        if cone.kind[j] != FULL and cone.kind[j] != LINE:
            continue
        normal, x, y = product(cone, n, 3 * j), product(cone, n, 3 * j + 1), product(cone, n, 3 * j + 2)
        cone.tableau[row, size + place] = normal
        row += 1
        if cone.kind[j] == FULL:
            for m in range(1, EDGES + 1):
                dx, dy = edge(cone, j, m, time)
                cone.tableau[row, size + place] = dx * x + dy * y
                row += 1
            cone.tableau[row, size + place] = 0.0 if j != i else (-1.0 if k > 0 else v[MU, i])
            row += 1
    along = v[TRIAL, o + 1] * v[B, o + 1] + v[TRIAL, o + 2] * v[B, o + 2]
    cone.tableau[place, last] = (v[B, o] if k == 0 else along) / scale


@kernel
def product(cone, n, row):
    """A row of G times the impulse in TRIAL."""
    s = 0.0
    for k in range(3 * n):
        s += cone.g[row, k] * cone.v[TRIAL, k]
    return s


@kernel
def fill_lambda(cone, size, place, i):
    """The column and the constant of lambda: it adds to the rows of the edges of its contact."""
    for r in range(size):
        cone.tableau[r, size + place] = 0.0
    for m in range(1, EDGES + 1):
        cone.tableau[place - m, size + place] = 1.0
    cone.tableau[place, 2 * size + 1] = 0.0


@kernel
def read(cone, n, size, time, scale):
    """The impulses from the basis."""
    v = cone.v
    for r in range(3 * n):
        v[TRIAL, r] = 0.0
    place = 0
    for i in range(n):
        if cone.kind[i] != FULL and cone.kind[i] != LINE:
            continue
        o = 3 * i
        for k in range(EDGES + 2 if cone.kind[i] == FULL else 1):
            value = 0.0
            for r in range(size):
                if cone.basis[r] == size + place:
                    value = max(cone.tableau[r, 2 * size + 1], 0.0) * scale
            place += 1
            if k == 0:
                v[TRIAL, o] = value
                if cone.kind[i] == LINE:
                    v[TRIAL, o + 1] = -v[MU, i] * v[WAY, 2 * i] * value
                    v[TRIAL, o + 2] = -v[MU, i] * v[WAY, 2 * i + 1] * value
            elif k <= EDGES:
                x, y = edge(cone, i, k, time)
                v[TRIAL, o + 1] += x * value
                v[TRIAL, o + 2] += y * value
    for r in range(3 * n):
        v[P, r] = v[TRIAL, r]
