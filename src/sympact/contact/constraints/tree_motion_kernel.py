"""The motion of a constrained system of joints that form a tree, without M.

    u' = u'_0 + M^-1 A^T kappa,   (A M^-1 A^T) kappa = -(A u'_0 + A' u + a')

The model's function gives u'_0 = M^-1 f, M^-1 A^T and A M^-1 A^T, each solved along the tree, so that an evaluation
takes a number of operations that grows linearly with the length of a chain. kappa is found as in `bilateral_kernel`, by
iterated regularisation of the rows that have been divided by the lengths sqrt(A M^-1 A^T) that they have at other
places of the mechanism; the metric here is M itself, which the tree requires to be positive definite.
"""

import math

from sympact.contact.linalg.cholesky_kernel import backward, factor, forward
from sympact.contact.memory.contact_tolerances import MOTION_ROUNDING, WEAK
from sympact.native.kernel import kernel
from sympact.native.pointer import call_flow
from sympact.native.rounding import HALF_DIGITS


@kernel
def solve_along_tree(bilateral, t, x, iterations):
    """u' at a state into `motion`, q' into `tree_rates`; False where M is singular along the tree."""
    call_flow(bilateral.tree_function, t, x, bilateral.parameters, bilateral.tree_terms)
    m, size, y, free = bilateral.n_u, bilateral.n_rows, bilateral.motion, bilateral.tree_free
    lengths, pulls, multipliers = bilateral.tree_lengths, bilateral.tree_pulls, bilateral.multipliers
    scale_problem(bilateral)
    if factor(bilateral.gram, size) >= 0:
        return False
    if find_multipliers(bilateral, iterations) > HALF_DIGITS:
        bilateral.unmet += 1
    total = 0.0
    for i in range(m):
        y[i] = free[i]
    for k in range(size):
        force = multipliers[k] / lengths[k]
        for i in range(m):
            y[i] += pulls[k, i] * force
    for i in range(m):
        total += y[i]
    return math.isfinite(total)


@kernel
def scale_problem(bilateral):
    """The products of the rows of unit length, with e^2 added into `gram`, and the accelerations that they want."""
    size, lengths, wanted, gram = bilateral.n_rows, bilateral.tree_lengths, bilateral.wanted, bilateral.gram
    products = bilateral.tree_products
    for k in range(size):
        s = bilateral.tree_accelerations[k] + bilateral.rate_gain * bilateral.tree_speeds[k]
        wanted[k] = -(s + bilateral.position_gain * bilateral.tree_positions[k]) / lengths[k]
        for j in range(size):
            products[k, j] /= lengths[k] * lengths[j]
            gram[k, j] = products[k, j] + (WEAK * WEAK if j == k else 0.0)


@kernel
def find_multipliers(bilateral, iterations):
    """The multipliers of the rows of unit length; returns the largest part of the accelerations that is not met."""
    size, products, gram, wanted = bilateral.n_rows, bilateral.tree_products, bilateral.gram, bilateral.wanted
    step, multipliers, largest = bilateral.step, bilateral.multipliers, 0.0
    for k in range(size):
        multipliers[k], step[0, k] = 0.0, wanted[k]
        largest = max(largest, abs(wanted[k]))
    left = 0.0
    for _ in range(iterations):
        forward(gram, size, step, 0)
        backward(gram, size, bilateral.steps)
        for k in range(size):
            multipliers[k] += step[0, k]
        left = 0.0
        for k in range(size):
            s = wanted[k]
            for j in range(size):
                s -= products[k, j] * multipliers[j]
            step[0, k] = s
            left = max(left, abs(s))
        if not left > MOTION_ROUNDING * largest:
            break
    return left / largest if largest > 0.0 else 0.0


@kernel
def measure_along_tree(bilateral, t, x):
    """Lengthen the rows to those at a state, see `tree_lengths`."""
    call_flow(bilateral.tree_function, t, x, bilateral.parameters, bilateral.tree_terms)
    lengths, products = bilateral.tree_lengths, bilateral.tree_products
    for k in range(bilateral.n_rows):
        length = math.sqrt(max(products[k, k], 0.0))
        if lengths[k] < length < math.inf:
            lengths[k] = length


@kernel
def meets_mass_matrix(bilateral):
    """Whether M times what the tree gives for M^-1 A^T is A^T, at the state of the last equations.

    Where M is nearly singular, as with bodies without mass, it is not.
    """
    m, mass, rows, pulls = bilateral.n_u, bilateral.mass, bilateral.jacobian, bilateral.tree_pulls
    for k in range(bilateral.n_rows):
        largest, most = 0.0, 0.0
        for i in range(m):
            s = -rows[k, i]
            for j in range(m):
                s += mass[i, j] * pulls[k, j]
            if not math.isfinite(s):
                return False
            largest, most = max(largest, abs(s)), max(most, abs(rows[k, i]))
        if largest > HALF_DIGITS * most:
            return False
    return True
