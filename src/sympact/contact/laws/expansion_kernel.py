"""Expansion: contacts with at least a given normal impulse a, with Coulomb's friction.

    0 <= P_N - a _|_ U_N >= 0,   |P_T| <= mu P_N,   P_T = -mu P_N U_T/|U_T| where U_T != 0,   U = G P + b

As in `cone_residual_kernel` with z = P - U this is F = 0, F_N = P_N - max(a, z_N), F_T = P_T - (z_T projected onto the
disc of radius mu max(a, z_N)). Newton's method from P = (a, 0) usually converges; where it fails, sweeps over the
contacts come first.
"""

import math
from typing import NamedTuple

from sympact.contact.laws.tresca_kernel import one_disc
from sympact.contact.linalg.least_squares_kernel import least_norm
from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contact_tolerances import ACCEPTED, ARMIJO, SUM_ROUNDING
from sympact.native.kernel import kernel
from sympact.native.rounding import EPS

ROUNDINGS = 16.0  # of the terms of a slip after the impulses, each a sum over the speeds: a negligible slip
STEPS = 40
STALLED = 4  # successive steps that do not reduce |F| to a quarter, after which the method stops
HALVINGS = 6
SWEEPS = 3  # rounds of sweeps and Newton's method, of 30, 300, 3000 sweeps


class Expansion(NamedTuple):
    """The scaled problem of n contacts, three rows each, the present impulses, and scratch."""

    g: object
    b: object
    least: object
    mu: object
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
    a: object
    rest: object
    order: object


@kernel
def place_expansion(contacts):
    """The problem in the memory of the law."""
    memory = contacts.law.expansion
    return Expansion(
        memory.g,
        memory.b,
        memory.least,
        memory.mu,
        memory.size,
        memory.p,
        memory.u,
        memory.miss,
        memory.trial,
        memory.trial_u,
        memory.best,
        memory.step,
        memory.right,
        memory.weight,
        memory.a,
        memory.rest,
        memory.order,
    )


@kernel
def solve_expansion(contacts):
    """From `compressed` and `least_expansion`: impulses into `cone_impulse`; (code, relative residual)."""
    n = contacts.problem.count
    problem = place_expansion(contacts)
    scale = compare(contacts, problem, n)
    start(problem, n)
    if n == 1:
        single_with_friction(problem)
    miss, sweeps = solve_inside(problem, n, scale), 30
    for _ in range(SWEEPS):
        if miss <= ACCEPTED * scale:
            break
        contacts.solvers.swept += 1
        start(problem, n)
        sweep(problem, n, sweeps)
        miss, sweeps = solve_inside(problem, n, scale), 10 * sweeps
    impulse = contacts.problem.cone_impulse
    for i in range(3 * n):
        impulse[i] = problem.p[i] * problem.size[i // 3]
    return (codes.SOLVED if miss <= ACCEPTED * scale else codes.UNSOLVED), (miss / scale if scale > 0.0 else miss)


@kernel
def compare(contacts, problem, n):
    """Scale the contacts; returns the largest speed."""
    law = contacts.law
    scale = 0.0
    g, reached = contacts.problem.delassus, law.compressed
    least, mu = law.least_expansion, contacts.problem.coefficient
    for i in range(n):
        entries, total = 0, 0.0
        for c in range(3 * i, 3 * i + 3):
            if g[c, c] > 0.0:
                entries, total = entries + 1, total + g[c, c]
        problem.size[i] = math.sqrt(entries / total) if entries > 0 else 1.0
        problem.least[i], problem.mu[i] = least[i] / problem.size[i], mu[i]
        scale = max(scale, problem.least[i])
    for i in range(3 * n):
        problem.b[i] = problem.size[i // 3] * reached[i]
        scale = max(scale, abs(problem.b[i]))
        for k in range(3 * n):
            problem.g[i, k] = problem.size[i // 3] * g[i, k] * problem.size[k // 3]
    return scale


@kernel
def start(problem, n):
    """The least normal impulses."""
    for i in range(n):
        problem.p[3 * i], problem.p[3 * i + 1], problem.p[3 * i + 2] = problem.least[i], 0.0, 0.0


@kernel
def single_with_friction(problem):
    """The friction of one contact under its least normal impulse, exactly: the solution where that ends the approach.

    Slip that begins may be slow relative to the impulses, where the velocities of a mechanism are dependent.
    """
    g, b, least = problem.g, problem.b, problem.least[0]
    a1, a2 = b[1] + g[1, 0] * least, b[2] + g[2, 0] * least
    rounding = ROUNDINGS * EPS * (abs(b[1]) + abs(b[2]) + (abs(g[1, 0]) + abs(g[2, 0])) * least)
    problem.p[1], problem.p[2] = one_disc(g[1, 1], g[1, 2], g[2, 2], a1, a2, problem.mu[0] * least, rounding)


@kernel
def measure(problem, n, p, u):
    """U and F at p; returns the length of F."""
    total = 0.0
    for i in range(3 * n):
        u[i] = problem.b[i]
        for k in range(3 * n):
            u[i] += problem.g[i, k] * p[k]
    for i in range(n):
        o = 3 * i
        base = max(problem.least[i], p[o] - u[o])
        edge, length = problem.mu[i] * base, math.hypot(p[o + 1] - u[o + 1], p[o + 2] - u[o + 2])
        part = 1.0 if length <= edge else edge / length
        problem.miss[o] = p[o] - base
        for c in range(o + 1, o + 3):
            problem.miss[c] = p[c] - part * (p[c] - u[c])
        for c in range(o, o + 3):
            total += problem.miss[c] * problem.miss[c]
    return math.sqrt(total)


@kernel
def solve_inside(problem, n, scale):
    """Newton's method, with friction that leaves its cone by rounding projected onto it; returns |F| then."""
    newton(problem, n, scale)
    for i in range(n):
        o = 3 * i
        problem.p[o] = max(problem.p[o], problem.least[i])
        length, edge = math.hypot(problem.p[o + 1], problem.p[o + 2]), problem.mu[i] * problem.p[o]
        if length > edge:
            problem.p[o + 1], problem.p[o + 2] = edge / length * problem.p[o + 1], edge / length * problem.p[o + 2]
    return measure(problem, n, problem.p, problem.u)


@kernel
def newton(problem, n, scale):
    """Newton's method from the present impulses; the best ones are kept.

    A step that hardly reduces |F| is no sign of rounding where a contact has changed its status: impulses of a slow
    impact with a fast slip are all below the tolerance.
    """
    miss, stalled = measure(problem, n, problem.p, problem.u), 0
    best = miss
    for k in range(3 * n):
        problem.best[k] = problem.p[k]
    for _ in range(STEPS):
        if best <= SUM_ROUNDING * scale or not math.isfinite(miss):
            break
        for i in range(n):
            assemble_contact(problem, i, n)
        for k in range(3 * n):
            problem.weight[k] = problem.size[k // 3]
        least_norm(problem.a, 3 * n, 3 * n, problem.right, problem.weight, problem.step, problem.rest, problem.order)
        before, miss = miss, advance(problem, n, miss)
        stalled = 0 if miss < 0.25 * before else stalled + 1
        if miss < best:
            best = miss
            for k in range(3 * n):
                problem.best[k] = problem.p[k]
        if best <= ACCEPTED * scale and stalled >= STALLED:
            break
    for k in range(3 * n):
        problem.p[k] = problem.best[k]


@kernel
def assemble_contact(problem, i, n):
    """The three rows of F' step = -F of a contact."""
    o, g, p, u = 3 * i, problem.g, problem.p, problem.u
    pushes = p[o] - u[o] > problem.least[i]
    base = max(problem.least[i], p[o] - u[o])
    z1, z2 = p[o + 1] - u[o + 1], p[o + 2] - u[o + 2]
    edge, length = problem.mu[i] * base, math.hypot(z1, z2)
    for c in range(3):
        problem.right[o + c] = -problem.miss[o + c]
    for k in range(3 * n):
        problem.a[o, k] = g[o, k] if pushes else 0.0
        for c in range(1, 3):
            problem.a[o + c, k] = g[o + c, k]
        if length > edge:
            x, y = z1 / length, z2 / length
            along1 = edge / length * ((1.0 - x * x) * g[o + 1, k] - x * y * g[o + 2, k])
            along2 = edge / length * ((1.0 - y * y) * g[o + 2, k] - x * y * g[o + 1, k])
            problem.a[o + 1, k], problem.a[o + 2, k] = along1, along2
    if not pushes:
        problem.a[o, o] = 1.0
    if length > edge:
        x, y, part = z1 / length, z2 / length, edge / length
        problem.a[o + 1, o + 1] += 1.0 - part * (1.0 - x * x)
        problem.a[o + 1, o + 2] += part * x * y
        problem.a[o + 2, o + 2] += 1.0 - part * (1.0 - y * y)
        problem.a[o + 2, o + 1] += part * x * y
        if pushes:
            problem.a[o + 1, o] -= problem.mu[i] * x
            problem.a[o + 2, o] -= problem.mu[i] * y


@kernel
def advance(problem, n, miss):
    """Use the longest of the step's halves that reduces |F|, or the whole step when none does; |F| then."""
    part, found = 1.0, miss
    for _ in range(HALVINGS):
        found = try_step(problem, n, part)
        if found < (1.0 - ARMIJO * part) * miss:
            break
        part *= 0.5
    else:
        found = try_step(problem, n, 1.0)
    for k in range(3 * n):
        problem.p[k], problem.u[k] = problem.trial[k], problem.trial_u[k]
    return found


@kernel
def try_step(problem, n, part):
    """|F| with a part of the step."""
    for k in range(3 * n):
        problem.trial[k] = problem.p[k] + part * problem.step[k]
    return measure(problem, n, problem.trial, problem.trial_u)


@kernel
def sweep(problem, n, sweeps):
    """Contact after contact, each component is solved for with the others fixed."""
    g, p = problem.g, problem.p
    for _ in range(sweeps):
        for i in range(n):
            o = 3 * i
            if g[o, o] > 0.0:
                p[o] = max(problem.least[i], p[o] - velocity_of(problem, n, o) / g[o, o])
            stiff = g[o + 1, o + 1] + g[o + 2, o + 2]
            if stiff > 0.0:
                z1 = p[o + 1] - velocity_of(problem, n, o + 1) / stiff
                z2 = p[o + 2] - velocity_of(problem, n, o + 2) / stiff
                edge, length = problem.mu[i] * p[o], math.hypot(z1, z2)
                part = 1.0 if length <= edge else edge / length
                p[o + 1], p[o + 2] = part * z1, part * z2


@kernel
def velocity_of(problem, n, row):
    """U at a row."""
    s = problem.b[row]
    for k in range(3 * n):
        s += problem.g[row, k] * problem.p[k]
    return s
