"""Frictional contact of several bodies at once: complementarity and Coulomb's law with its round cone.

    U = G P + b,    0 <= P_N _|_ U_N >= 0,    |P_T| <= mu P_N,    P_T = -mu P_N U_T/|U_T| where U_T != 0

for each contact, G = W^T M^-1 W. Each contact is made comparable to the others by one factor for its three components,
so that its cone stays one: P = s p, u = s U with s = 1/sqrt(mean of the diagonal of its block of G).

Newton's method from P = 0 solves nearly all problems in a few steps. What it leaves is swept, contact by contact, and
handed to Newton's method again; last come problems with a shifted G whose solutions approach the one wanted (the
proximal point method). Whatever answers, the law is measured anew with the matrix and rates that were given.
"""

import math
from typing import NamedTuple

from sympact.contact import layout as at
from sympact.contact.cone_law_kernel import FULL, LINE, VOID, Cone, follow_lines, measure, move
from sympact.contact.cone_least_kernel import lighten
from sympact.contact.cone_local_kernel import LOCAL_SCRATCH, solve_local
from sympact.contact.cone_newton_kernel import newton
from sympact.contact.cone_sweep_kernel import sweep
from sympact.integrate.pointer import reals, reals2, wholes
from sympact.integrate.unit import kernel

ACCEPTED = 1e-10   # |F| that is a solution, relative to the speeds of the problem
WANTED = 1e-13     # |F| at which the first answer is taken without asking for a better one
STEPS = 30         # of Newton's method
SHIFT = 0.05       # of the comparable G in the proximal problems
SHIFTS = 40        # proximal problems, at most

# what solved a problem
NOTHING = 0        # no contact approaches
ALONE = 1          # one contact, exactly
NEWTON = 2
SWEPT = 3          # 20, 200, 2000 sweeps, then Newton's method: 3, 4, 5
SHIFTED = 6


class ConeProblem(NamedTuple):
    """A problem of n contacts, three rows each: normal, tangent 1, tangent 2. All memory is the caller's.

    Attributes
    ----------
    delassus : (K, K), K >= 3 n
        G, symmetric and positive semidefinite; it may be singular.
    rate : (3n,)
        b, the velocities without impulse. For an impact: (1 + e) gamma_N- and gamma_T-. With accelerations for
        velocities the impulses are forces.
    friction : (n,)
        mu >= 0.
    sliding : (n,) whole numbers
        0: Coulomb's cone. 1: slides in the direction given, P_T = -mu P_N d whatever the tangential velocity.
    direction : (n, 2)
        d, unit vectors; read where `sliding` is 1.
    impulse, after : (3n,)
        Out: P and U.
    scratch : `scratch_size(n)` numbers
    places : `places_size(n)` whole numbers
    report : (2,)
        Out: the largest |F| of a contact relative to the speeds of the problem (see `cone_law_kernel`), and the number
        of what solved it.
    """

    delassus: object
    rate: object
    friction: object
    sliding: object
    direction: object
    impulse: object
    after: object
    scratch: object
    places: object
    report: object


def scratch_size(n):
    """How many numbers of scratch a problem of n contacts needs."""
    return 18 * n * n + 37 * n + max(12 * n, LOCAL_SCRATCH)


def places_size(n):
    """How many whole numbers of scratch a problem of n contacts needs."""
    return 8 * n


@kernel
def solve_cone(problem, n, floor):
    """Solve the problem of the first n contacts: SOLVED, UNSOLVED or NOT_FINITE.

    `floor` is the rounding error of the rates, below which nothing can be asked.
    """
    problem.report[0], problem.report[1] = math.inf, NOTHING
    if not all_finite(problem, n):
        return at.NOT_FINITE
    cone = place_cone(problem, n)
    scale, floor = compare(problem, cone, n, floor)
    accepted = max(ACCEPTED * scale, floor)
    for k in range(3 * n):
        cone.p[k] = 0.0
    if not approaches(cone, n):
        return finish(problem, cone, n, scale, accepted, NOTHING)
    if n == 1 and cone.kind[0] == FULL and alone(cone, scale):
        code = finish(problem, cone, n, scale, accepted, ALONE)
        if code == at.SOLVED:
            return code
    return chain(problem, cone, n, scale, accepted)


@kernel
def chain(problem, cone, n, scale, accepted):
    """Newton's method, then sweeps and Newton's method, then shifted problems."""
    for k in range(3 * n):
        cone.p[k] = 0.0
    if newton(cone, n, scale, WANTED * scale, STEPS) <= accepted:
        code = finish(problem, cone, n, scale, accepted, NEWTON)
        if code == at.SOLVED:
            return code
    sweeps, solver = 20, SWEPT
    while sweeps <= 2000:
        for k in range(3 * n):
            cone.p[k] = 0.0
        sweep(cone, n, sweeps, 1e-15 * scale)
        if newton(cone, n, scale, WANTED * scale, STEPS) <= accepted:
            code = finish(problem, cone, n, scale, accepted, solver)
            if code == at.SOLVED:
                return code
        sweeps, solver = 10 * sweeps, solver + 1
    if shift(cone, n, scale) <= accepted:
        return finish(problem, cone, n, scale, accepted, SHIFTED)
    problem.report[0] = measure(cone, n, cone.p, cone.u) / scale
    return at.UNSOLVED


@kernel
def all_finite(problem, n):
    """True when no number of the problem is infinite or NaN."""
    s = 0.0
    for i in range(3 * n):
        s += 0.0 * problem.rate[i]
        for k in range(3 * n):
            s += 0.0 * problem.delassus[i, k]
    for i in range(n):
        s += 0.0 * problem.friction[i]
        if problem.sliding[i] != 0:
            s += 0.0 * (problem.direction[i, 0] + problem.direction[i, 1])
    return s == 0.0


@kernel
def place_cone(problem, n):
    """The comparable problem, in the caller's scratch."""
    size = 3 * n
    start, whole = problem.scratch.ctypes.data, problem.places.ctypes.data
    vector = start + 16 * size * size
    short = vector + 88 * size
    return Cone(
        reals2(start, size, size), reals(vector, size), reals(short, n), reals(short + 8 * n, 2 * n),
        reals(short + 24 * n, n), reals(vector + 8 * size, size), reals(vector + 16 * size, size),
        reals(vector + 24 * size, size), reals(vector + 32 * size, size), reals(vector + 40 * size, size),
        reals(vector + 48 * size, size), reals(vector + 56 * size, size), reals(vector + 64 * size, size),
        reals(vector + 72 * size, size), reals(vector + 80 * size, size), reals2(start + 8 * size * size, size, size),
        reals(short + 32 * n, max(4 * size, LOCAL_SCRATCH)),
        wholes(whole, n), wholes(whole + 8 * n, n), wholes(whole + 16 * n, size), wholes(whole + 40 * n, size),
    )


@kernel
def compare(problem, cone, n, floor):
    """Make the contacts comparable; returns the largest rate, and the largest rounding error, in the new units."""
    g, scale, largest = problem.delassus, 0.0, 0.0
    for i in range(n):
        classify(problem, cone, i)
        if cone.kind[i] != VOID:
            largest = max(largest, floor * cone.size[i])
    for i in range(3 * n):
        s = cone.size[i // 3]
        cone.b[i] = s * problem.rate[i]
        if cone.kind[i // 3] != VOID:
            scale = max(scale, abs(cone.b[i]))
        for k in range(3 * n):
            cone.g[i, k] = s * g[i, k] * cone.size[k // 3]
    return scale, max(largest, floor if scale == 0.0 else 0.0)


@kernel
def classify(problem, cone, i):
    """The kind, the unit and the friction of a contact."""
    g, o = problem.delassus, 3 * i
    entries, total = 0, 0.0
    for k in range(3):
        if g[o + k, o + k] > 0.0:
            entries += 1
            total += g[o + k, o + k]
    cone.kind[i] = VOID if entries == 0 else (FULL if problem.sliding[i] == 0 and problem.friction[i] > 0.0 else LINE)
    cone.size[i] = math.sqrt(entries / total) if entries > 0 else 1.0
    cone.mu[i], cone.way[2 * i], cone.way[2 * i + 1] = problem.friction[i], 0.0, 0.0
    if problem.sliding[i] != 0:
        cone.way[2 * i], cone.way[2 * i + 1] = problem.direction[i, 0], problem.direction[i, 1]
    else:
        cone.mu[i] = problem.friction[i] if cone.kind[i] == FULL else 0.0


@kernel
def approaches(cone, n):
    """True when a contact approaches where no impulse acts."""
    for i in range(n):
        if cone.b[3 * i] < 0.0:
            return True
    return False


@kernel
def alone(cone, scale):
    """One contact with Coulomb's cone; the impulse is kept if it obeys."""
    out = cone.rest
    out[3] = out[4] = 0.0
    good = solve_local(cone, 0, cone.b[0], cone.b[1], cone.b[2], out) <= WANTED * scale
    for k in range(3):
        cone.p[k] = out[k]
    return good


@kernel
def shift(cone, n, scale):
    """Problems with G + eps and b - eps p, each with the p of the one before, then Newton's method; |F| at last."""
    miss = math.inf
    for k in range(3 * n):
        cone.p[k] = 0.0
    for _ in range(SHIFTS):
        for k in range(3 * n):
            cone.g[k, k] += SHIFT
            cone.before[k] = SHIFT * cone.p[k]
            cone.b[k] -= cone.before[k]
        sweep(cone, n, 50, 1e-14 * scale)
        newton(cone, n, scale, WANTED * scale, STEPS)
        for k in range(3 * n):
            cone.g[k, k] -= SHIFT
            cone.b[k] += cone.before[k]
        move(cone, n, cone.p, cone.u)
        miss = measure(cone, n, cone.p, cone.u)
        if miss <= ACCEPTED * scale:
            break
    return newton(cone, n, scale, WANTED * scale, STEPS)


@kernel
def finish(problem, cone, n, scale, accepted, solver):
    """The smallest impulses of this motion, in the units given, and the law measured with the matrix given."""
    move(cone, n, cone.p, cone.u)
    lighten(cone, n, scale)
    clip(cone, n)
    for i in range(3 * n):
        problem.impulse[i] = cone.p[i] * cone.size[i // 3]
    for i in range(3 * n):
        s = problem.rate[i]
        for k in range(3 * n):
            s += problem.delassus[i, k] * problem.impulse[k]
        problem.after[i] = s
        cone.u[i] = s * cone.size[i // 3]
    miss = measure(cone, n, cone.p, cone.u)
    problem.report[0] = miss / scale if scale > 0.0 else miss
    problem.report[1] = solver
    return at.SOLVED if miss <= accepted else at.UNSOLVED


@kernel
def clip(cone, n):
    """Impulses that leave their cone by rounding are brought back to it."""
    p = cone.p
    for i in range(n):
        o = 3 * i
        p[o] = max(p[o], 0.0)
        if cone.kind[i] == FULL:
            length, edge = math.hypot(p[o + 1], p[o + 2]), cone.mu[i] * p[o]
            if length > edge:
                p[o + 1], p[o + 2] = edge / length * p[o + 1], edge / length * p[o + 2]
    follow_lines(cone, n, p)
