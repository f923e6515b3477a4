"""The minimum-norm impulses in their cones that give a motion, where the unconstrained ones violate the cones.

    minimise |y|^2/2   subject to   A y = r,   y in C

with one ray for each slipping contact and one cone for each sticking one, the cone moved along its axis and cut off
where there is a least normal impulse a: y_N >= 0, |y_T| <= mu (a + y_N); a disc where a is enough. y is the point of C
nearest to w = A^T lambda, and lambda minimises y . w - |y|^2/2 - r . lambda, convex and once differentiable: Newton's
method with a line search (Qi and Sun 1993, Mathematical Programming 58).

The curvature A D A^T, D the derivative of y, is singular where few impulses can change. So it is regularized in
proportion to the residual r - A y, as in Zhao, Sun and Toh (2010, SIAM Journal on Optimization 20, algorithm 1):
ten steps with Cholesky's factor, where shortest steps of the singular equations may go to and fro.
"""

import math

from sympact.contact.cone.cone_newton_kernel import SHRINKS
from sympact.contact.cone.cone_residual_kernel import (
    ALONG,
    LEAST,
    LEAST_STICK,
    MISS,
    MU,
    RIGHT,
    SLIP,
    STEP,
    TRIAL,
    TRIAL_U,
    WEIGHT,
    row,
    square,
)
from sympact.contact.linalg.cholesky_kernel import backward, factor, forward
from sympact.contact.memory.contact_tolerances import ARMIJO, DIGITS_LOST, PIVOT, RESOLVED, SUM_ROUNDING
from sympact.native.kernel import kernel

STEPS = 40  # of Newton's method
HALVINGS = 20

# in use: A^T in `cone.table`, r in RIGHT, lambda in MISS, w = A^T lambda in TRIAL_U, y in STEP, r - A y in TRIAL


@kernel
def shortest_in_cones(cone, rows, size, scale):
    """The unknowns of the contacts with an impulse into STEP; A^T, in units of y, is in `cone.table`."""
    v = cone.v
    for r in range(rows):
        v[MISS, r] = 0.0
    value, before = project(cone, rows, size), math.inf
    first = math.sqrt(square(cone, TRIAL, rows))
    for _ in range(STEPS):
        left, terms = math.sqrt(square(cone, TRIAL, rows)), largest_terms(cone, rows, size)
        if left <= RESOLVED * max(scale, terms) or (left <= SUM_ROUNDING * terms and not left < SHRINKS * before):
            break
        before = left
        assemble_curvature(cone, rows, size)
        regularize(cone, rows, left / first)
        if factor(cone.a, rows) >= 0:
            break
        for r in range(rows):
            v[ALONG, r] = v[TRIAL, r]
        forward(cone.a, rows, v, ALONG)
        backward(cone.a, rows, row(cone, ALONG, rows))
        slope, part = 0.0, 1.0
        for r in range(rows):
            slope -= v[ALONG, r] * v[TRIAL, r]
        if not slope < 0.0:
            break
        found = value
        for _ in range(HALVINGS):
            for r in range(rows):
                v[MISS, r] += part * v[ALONG, r]
            found = project(cone, rows, size)
            if found <= value + ARMIJO * part * slope + RESOLVED * abs(value):
                break
            for r in range(rows):
                v[MISS, r] -= part * v[ALONG, r]
            part *= 0.5
        value = found
    for c in range(size):
        v[STEP, c] /= v[WEIGHT, c]


@kernel
def project(cone, rows, size):
    """w, its nearest point y of C, and r - A y; returns y . w - |y|^2/2 - r . lambda, where y . w = |y|^2 for cones."""
    v, a, value = cone.v, cone.table, 0.0
    for c in range(size):
        s = 0.0
        for r in range(rows):
            s += a[c, r] * v[MISS, r]
        v[TRIAL_U, c] = s
    c = 0
    while c < size:
        count = nearest(cone, c, size)
        for k in range(c, c + count if v[LEAST, cone.unknown[c] // 3] > 0.0 else c):
            value += (v[TRIAL_U, k] - v[STEP, k]) * v[STEP, k]
        c += count
    for r in range(rows):
        value -= v[RIGHT, r] * v[MISS, r]
        v[TRIAL, r] = v[RIGHT, r]
    for c in range(size):
        for r in range(rows if v[STEP, c] != 0.0 else 0):
            v[TRIAL, r] -= a[c, r] * v[STEP, c]
    return value + 0.5 * square(cone, STEP, size)


@kernel
def largest_terms(cone, rows, size):
    """The largest sum of the terms of A y without their signs: its rounding is relative to it."""
    v, largest = cone.v, 0.0
    for r in range(rows):
        v[ALONG, r] = 0.0
    for c in range(size):
        for r in range(rows if v[STEP, c] != 0.0 else 0):
            v[ALONG, r] += abs(cone.table[c, r] * v[STEP, c])
    for r in range(rows):
        largest = max(largest, v[ALONG, r])
    return largest


@kernel
def components(cone, c, size):
    """The number of unknowns, from the c-th, of its contact."""
    count = 1
    while c + count < size and cone.unknown[c + count] // 3 == cone.unknown[c] // 3:
        count += 1
    return count


@kernel
def nearest(cone, c, size):
    """The nearest point of the ray, cone or disc that begins at unknown c; returns its number of unknowns."""
    v, i, count = cone.v, cone.unknown[c] // 3, components(cone, c, size)
    if cone.status[i] == SLIP:
        v[STEP, c] = max(v[TRIAL_U, c], 0.0)
        return count
    _, length, along, _ = on_axis(cone, c, count)
    edge, first = v[MU, i] * along, first_tangent(cone, i)
    across = 1.0 if length <= edge else edge / length
    if first == 1:
        v[STEP, c] = along - v[WEIGHT, c] * v[LEAST, i]
    for k in range(first, count):
        v[STEP, c + k] = across * v[TRIAL_U, c + k]
    return count


@kernel
def first_tangent(cone, i):
    """How many unknowns of a contact that sticks are normal: none where the least impulse is enough."""
    return 0 if cone.status[i] == LEAST_STICK else 1


@kernel
def on_axis(cone, c, count):
    """In the units of y, of the contact at unknown c: a + w_N, |w_T|, a + y_N, and whether a alone makes y_N zero."""
    v, i, first, length = cone.v, cone.unknown[c] // 3, first_tangent(cone, cone.unknown[c] // 3), 0.0
    for k in range(first, count):
        length += v[TRIAL_U, c + k] * v[TRIAL_U, c + k]
    length, mu, least = math.sqrt(length), v[MU, i], v[WEIGHT, c] * v[LEAST, i]
    if first == 0:
        return least, length, least, True
    normal = least + v[TRIAL_U, c]
    along = normal
    if mu * length <= -normal:
        along = 0.0
    elif length > mu * normal:
        along = (normal + mu * length) / (1.0 + mu * mu)
    return normal, length, max(along, least), along < least


@kernel
def assemble_curvature(cone, rows, size):
    """The lower triangle of A D A^T into `cone.a`, D the derivative of the nearest point."""
    a, part = cone.a, cone.rest
    for r in range(rows):
        for q in range(r + 1):
            a[r, q] = 0.0
    c = 0
    while c < size:
        count = components(cone, c, size)
        axis = on_axis(cone, c, count)
        for j in range(count):
            for r in range(rows):
                part[r] = 0.0
            for k in range(count):
                d = derivative(cone, c, j, k, axis)
                for r in range(rows if d != 0.0 else 0):
                    part[r] += d * cone.table[c + k, r]
            for r in range(rows):
                s = cone.table[c + j, r]
                for q in range(r + 1 if s != 0.0 else 0):
                    a[r, q] += s * part[q]
        c += count


@kernel
def regularize(cone, rows, left):
    """Add to the curvature in all directions: in proportion to the residual, and more than the rounding of its
    pivots."""
    largest = 0.0
    for r in range(rows):
        largest = max(largest, cone.a[r, r])
    for r in range(rows):
        cone.a[r, r] += max(DIGITS_LOST * min(1.0, left), PIVOT) * largest


@kernel
def derivative(cone, c, j, k, axis):
    """The derivative of component j of the nearest point by component k, of the contact at unknown c; see `on_axis`."""
    v, i = cone.v, cone.unknown[c] // 3
    same, first = 1.0 if j == k else 0.0, first_tangent(cone, i)
    if cone.status[i] == SLIP:
        return 1.0 if v[TRIAL_U, c] >= 0.0 else 0.0
    normal, length, along, flat = axis
    mu, value = v[MU, i], 0.0
    if not flat:
        if length <= mu * normal:
            return same
        if mu * length <= -normal:
            return 0.0
        ray_j = 1.0 if j == 0 else mu * v[TRIAL_U, c + j] / length
        ray_k = 1.0 if k == 0 else mu * v[TRIAL_U, c + k] / length
        value = ray_j * ray_k / (1.0 + mu * mu)
    if j >= first and k >= first:
        across = same - v[TRIAL_U, c + j] * v[TRIAL_U, c + k] / (length * length) if length > mu * along else same
        value += (mu * along / length if length > mu * along else 1.0) * across
    return value
