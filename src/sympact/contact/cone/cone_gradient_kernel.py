"""Projected gradients: from zero impulses to the neighbourhood of a solution, at the price of one product G P a step.

With V = U + mu |U_T| e_N, a solution is the point of its cones nearest to P - V/L, for any L > 0 (de Saxce and Feng
1998, Mathematical and Computer Modelling 28). The steps

    P' = the point of the cones nearest to Y - V(Y)/L,    Y' = P' + (theta - 1)/theta' (P' - P)

have the momentum of Nesterov (1983, Soviet Mathematics Doklady 27), which begins anew where it points against the step
(O'Donoghue and Candes 2015, Foundations of Computational Mathematics 15). L is the Frobenius norm of G. It and the
steps depend neither on the order of the contacts nor on the directions of their tangents.
"""

import math

from sympact.contact.cone.cone_residual_kernel import (
    AHEAD,
    FULL,
    LEAST,
    LINE,
    MU,
    NEAR,
    TRIAL,
    U,
    copy,
    follow_lines,
    move,
)
from sympact.native.kernel import kernel


@kernel
def begin_descent(cone, n):
    """Start from zero impulses; returns L, and theta."""
    total, friction = 0.0, 0.0
    for i in range(3 * n):
        cone.v[NEAR, i] = cone.v[AHEAD, i] = 0.0
        for k in range(3 * n):
            total += cone.g[i, k] * cone.g[i, k]
    for i in range(n):
        friction = max(friction, cone.v[MU, i] if cone.kind[i] == LINE else 0.0)
    return (1.0 + friction) * math.sqrt(total), 1.0


@kernel
def descend(cone, n, largest, theta, steps):
    """So many steps, the impulses P in NEAR, Y in AHEAD; `largest` is L. Returns theta."""
    v = cone.v
    for _ in range(steps):
        move(cone, n, AHEAD, U)
        for i in range(n):
            step_onto_cone(cone, 3 * i, largest)
        follow_lines(cone, n, TRIAL)
        against = 0.0
        for k in range(3 * n):
            against += (v[AHEAD, k] - v[TRIAL, k]) * (v[TRIAL, k] - v[NEAR, k])
        following = 1.0 if against > 0.0 else 0.5 * (1.0 + math.sqrt(1.0 + 4.0 * theta * theta))
        momentum = 0.0 if against > 0.0 else (theta - 1.0) / following
        for k in range(3 * n):
            v[AHEAD, k] = v[TRIAL, k] + momentum * (v[TRIAL, k] - v[NEAR, k])
        copy(cone, TRIAL, NEAR, 3 * n)
        theta = following
    return theta


@kernel
def step_onto_cone(cone, o, largest):
    """The step of the contact whose normal component is the o-th: the nearest point of its cone, or of its ray."""
    v, i = cone.v, o // 3
    normal, z1, z2 = v[AHEAD, o] - v[U, o] / largest, 0.0, 0.0
    if cone.kind[i] != FULL:
        v[TRIAL, o] = max(normal, 0.0)
        return
    mu, least = v[MU, i], v[LEAST, i]
    z1, z2 = v[AHEAD, o + 1] - v[U, o + 1] / largest, v[AHEAD, o + 2] - v[U, o + 2] / largest
    length = math.hypot(z1, z2)
    along = normal + least - mu * math.hypot(v[U, o + 1], v[U, o + 2]) / largest
    if mu * length <= -along:
        along = 0.0
    elif length > mu * along:
        along = (along + mu * length) / (1.0 + mu * mu)
    along = max(along, least)
    part = 1.0 if length <= mu * along else mu * along / length
    v[TRIAL, o], v[TRIAL, o + 1], v[TRIAL, o + 2] = along - least, part * z1, part * z2
