"""The law of frictional contact as a root: the residual of impulses, and the status of each contact.

For a contact with the least normal impulse a let P be the impulse beyond it, U the velocity after, both scaled
(see `cone_kernel`), and z = P - U.

    F_N = P_N - max(z_N, 0),    F_T = P_T - (z_T projected onto the disc of radius mu (a + max(z_N, 0)))

F = 0 is equivalent to 0 <= P_N _|_ U_N >= 0 and Coulomb's law for the normal impulse a + P_N (Alart and Curnier 1991,
Computer Methods in Applied Mechanics and Engineering 92). A contact that slides in a given direction d has
P_T = -mu P_N d, and F_N alone.
"""

import math
from typing import NamedTuple

from sympact.native.kernel import kernel
from sympact.native.pointer import row_of

# kinds of contacts
FULL = 0  # Coulomb's cone
LINE = 1  # impulses along one line, (1, -mu d): frictionless, or sliding in a given direction
VOID = 2  # no impulse moves it

# the statuses of contacts
OPEN = 0  # no impulse beyond the least, and no friction that the law would choose
STICK = 1
SLIP = 2
LEAST_STICK = 3  # the least normal impulse is enough, and friction under it holds the slip
LEAST_SLIP = 4  # the same, and the contact slips

# rows of `Cone.v`, `CONE_VECTORS` of them, three numbers for each contact
B = 0  # the velocities without impulse
P = 1  # impulses beyond the least
U = 2  # velocities
MISS = 3  # F
TRIAL = 4
TRIAL_U = 5
BEST = 6
STEP = 7
RIGHT = 8  # of a linear system
WEIGHT = 9  # of its unknowns
BASE = 10  # the impulses at the start of a stride
WAY = 11  # the directions of lines, two numbers for each contact
MU = 12  # friction, one number for each contact
SIZE = 13  # the unit of its impulse
CENTRE = 14  # the impulses without a compliance term
TANGENT = 15  # of the path
ALONG = 16  # of the smallest impulses: the step
PROBE = 17  # the tangent at the end of a stride
CORNER = 18  # the impulses where a contact changes its status
BEYOND = 19  # the tangent there
RHO = 20  # the velocity's factor in z, one number for each contact
LEAST = 21  # its least normal impulse, one number for each contact
NEAR = 22  # the impulses of projected gradients
AHEAD = 23  # the same with their momentum


class Cone(NamedTuple):
    """The scaled problem, the present impulses, and scratch; three rows each contact, few arrays as arguments.

    `g`: G. `a`: a matrix of the same size. `v`: vectors, as listed above. `kind` and `status`: one for each contact.
    `unknown`: the indices of the unknowns of a linear system. `rest` and `order`: scratch, `table` and `places` that of
    linear systems with one unknown more than equations.
    """

    g: object
    a: object
    v: object
    rest: object
    kind: object
    status: object
    unknown: object
    order: object
    table: object
    places: object


@kernel
def row(cone, i, size):
    """A vector on its own."""
    return row_of(cone.v, i)


@kernel
def move(cone, n, p, u):
    """Row u of the vectors = G times row p + b. The sums of a contact do not wait for each other."""
    v, g = cone.v, cone.g
    for o in range(0, 3 * n, 3):
        normal, first, second = v[B, o], v[B, o + 1], v[B, o + 2]
        for k in range(3 * n):
            normal += g[o, k] * v[p, k]
            first += g[o + 1, k] * v[p, k]
            second += g[o + 2, k] * v[p, k]
        v[u, o], v[u, o + 1], v[u, o + 2] = normal, first, second


@kernel
def measure(cone, n, p, u, tied):
    """F and the statuses at the rows p and u, z_N up to `tied` for none; returns the largest |F| of a contact."""
    worst = 0.0
    for i in range(n):
        miss = measure_full(cone, i, p, u, tied) if cone.kind[i] == FULL else measure_line(cone, i, p, u, tied)
        if worst == worst and not miss <= worst:
            worst = miss
    return math.sqrt(worst)


@kernel
def measure_full(cone, i, p, u, tied):
    """|F|^2 of a contact with Coulomb's cone."""
    o, v = 3 * i, cone.v
    normal, z1, z2 = v[p, o] - v[u, o], v[p, o + 1] - v[u, o + 1], v[p, o + 2] - v[u, o + 2]
    pushes = not normal <= tied
    if not pushes and v[LEAST, i] == 0.0:
        cone.status[i] = OPEN
        v[MISS, o], v[MISS, o + 1], v[MISS, o + 2] = v[p, o], v[p, o + 1], v[p, o + 2]
    else:
        normal = max(normal, 0.0)
        v[MISS, o], edge, length = v[p, o] - normal, v[MU, i] * (v[LEAST, i] + normal), math.hypot(z1, z2)
        if length <= edge:
            cone.status[i] = STICK if pushes else LEAST_STICK
            v[MISS, o + 1], v[MISS, o + 2] = v[u, o + 1], v[u, o + 2]
        else:
            cone.status[i] = SLIP if pushes else LEAST_SLIP
            v[MISS, o + 1], v[MISS, o + 2] = v[p, o + 1] - edge / length * z1, v[p, o + 2] - edge / length * z2
    return v[MISS, o] * v[MISS, o] + v[MISS, o + 1] * v[MISS, o + 1] + v[MISS, o + 2] * v[MISS, o + 2]


@kernel
def measure_line(cone, i, p, u, tied):
    """|F|^2 of a contact whose impulse stays on a line, or that has no inverse mass."""
    o, v = 3 * i, cone.v
    v[MISS, o] = min(v[p, o], v[u, o]) if cone.kind[i] == LINE else min(v[u, o], 0.0)
    v[MISS, o + 1] = v[MISS, o + 2] = 0.0
    cone.status[i] = OPEN if cone.kind[i] == VOID or v[p, o] - v[u, o] <= tied else SLIP
    return v[MISS, o] * v[MISS, o]


@kernel
def at_least(cone, i):
    """True when a contact has its least normal impulse, and friction under it."""
    return cone.status[i] == LEAST_STICK or cone.status[i] == LEAST_SLIP


@kernel
def add_least(cone, n, p):
    """The least impulses onto row p of the vectors: along the normal, and for a line along it."""
    v = cone.v
    for i in range(n):
        least = v[LEAST, i]
        if least > 0.0:
            v[p, 3 * i] += least
            v[p, 3 * i + 1] -= v[MU, i] * v[WAY, 2 * i] * least
            v[p, 3 * i + 2] -= v[MU, i] * v[WAY, 2 * i + 1] * least


@kernel
def square(cone, i, size):
    """Squared length of a vector."""
    s = 0.0
    for k in range(size):
        s += cone.v[i, k] * cone.v[i, k]
    return s


@kernel
def copy(cone, source, target, size):
    """Copy a vector."""
    for k in range(size):
        cone.v[target, k] = cone.v[source, k]


@kernel
def follow_lines(cone, n, p):
    """The tangential impulses in row p of contacts that slide in a given direction, from the normal ones."""
    v = cone.v
    for i in range(n):
        if cone.kind[i] != FULL:
            o = 3 * i
            if cone.kind[i] == VOID:
                v[p, o] = 0.0
            v[p, o + 1] = -v[MU, i] * v[WAY, 2 * i] * v[p, o]
            v[p, o + 2] = -v[MU, i] * v[WAY, 2 * i + 1] * v[p, o]
