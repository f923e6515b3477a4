"""The law of frictional contact as a root: by how much impulses miss it, and what each contact does there.

For a contact with impulse P and velocity U after, both made comparable (see `cone_kernel`), let z = P - U.

    F_N = P_N - max(z_N, 0),    F_T = P_T - (z_T brought into the disc of radius mu max(z_N, 0))

F = 0 says 0 <= P_N _|_ U_N >= 0 and Coulomb's law (Alart and Curnier 1991, Computer Methods in Applied Mechanics and
Engineering 92). A contact that slides in a given direction d has P_T = -mu P_N d, and F_N alone.
"""

import math
from typing import NamedTuple

from sympact.integrate.unit import kernel

# kinds of contacts
FULL = 0     # Coulomb's cone
LINE = 1     # impulses along one line, (1, -mu d): frictionless, or sliding in a given direction
VOID = 2     # no impulse moves it

# what a contact does
OPEN = 0
STICK = 1
SLIP = 2


class Cone(NamedTuple):
    """The problem made comparable, the present impulses, and scratch; n contacts, three rows each.

    `g`, `b`: U = G P + b. `mu` (n), `way` (2n, the directions of the lines), `size` (n, the unit of each contact's
    impulse), `kind` (n) and `status` (n). `p`, `u`, `miss`: impulses, velocities, F. `trial`, `trial_u`, `best`,
    `step`, `right`, `weight`, `before` (3n each), `a` (3n x 3n), `rest` and `order`: scratch, `unknown` names the unknowns.
    """

    g: object
    b: object
    mu: object
    way: object
    size: object
    p: object
    u: object
    miss: object
    trial: object
    trial_u: object
    best: object
    step: object
    right: object
    weight: object
    before: object
    a: object
    rest: object
    kind: object
    status: object
    unknown: object
    order: object


@kernel
def move(cone, n, p, u):
    """u = G p + b."""
    for i in range(3 * n):
        s = cone.b[i]
        for k in range(3 * n):
            s += cone.g[i, k] * p[k]
        u[i] = s


@kernel
def measure(cone, n, p, u):
    """F and the statuses at p, u; returns the largest |F| of a contact."""
    worst = 0.0
    for i in range(n):
        miss = measure_full(cone, i, p, u) if cone.kind[i] == FULL else measure_line(cone, i, p, u)
        if worst == worst and not miss <= worst:
            worst = miss
    return math.sqrt(worst)


@kernel
def measure_full(cone, i, p, u):
    """|F|^2 of a contact with Coulomb's cone."""
    o, f = 3 * i, cone.miss
    normal, z1, z2 = p[o] - u[o], p[o + 1] - u[o + 1], p[o + 2] - u[o + 2]
    if normal <= 0.0:
        cone.status[i] = OPEN
        f[o], f[o + 1], f[o + 2] = p[o], p[o + 1], p[o + 2]
    else:
        f[o], edge, length = u[o], cone.mu[i] * normal, math.hypot(z1, z2)
        if length <= edge:
            cone.status[i] = STICK
            f[o + 1], f[o + 2] = u[o + 1], u[o + 2]
        else:
            cone.status[i] = SLIP
            f[o + 1], f[o + 2] = p[o + 1] - edge / length * z1, p[o + 2] - edge / length * z2
    return f[o] * f[o] + f[o + 1] * f[o + 1] + f[o + 2] * f[o + 2]


@kernel
def measure_line(cone, i, p, u):
    """|F|^2 of a contact whose impulse keeps to a line, or that nothing moves."""
    o, f = 3 * i, cone.miss
    f[o] = min(p[o], u[o]) if cone.kind[i] == LINE else min(u[o], 0.0)
    f[o + 1] = f[o + 2] = 0.0
    cone.status[i] = OPEN if cone.kind[i] == VOID or p[o] <= u[o] else SLIP
    return f[o] * f[o]


@kernel
def square(v, n):
    """Squared length of a vector."""
    s = 0.0
    for i in range(n):
        s += v[i] * v[i]
    return s


@kernel
def copy(source, target, n):
    """Copy n numbers."""
    for i in range(n):
        target[i] = source[i]


@kernel
def follow_lines(cone, n, p):
    """The tangential impulses of contacts that slide in a given direction, from the normal ones."""
    for i in range(n):
        if cone.kind[i] != FULL:
            o = 3 * i
            if cone.kind[i] == VOID:
                p[o] = 0.0
            p[o + 1], p[o + 2] = -cone.mu[i] * cone.way[2 * i] * p[o], -cone.mu[i] * cone.way[2 * i + 1] * p[o]
