"""The forces of closed contacts by the products of their directions, where these and the forces are clearly determined.

The constrained directions have a Cholesky factor then (`gram_kernel`). As many forces as independent directions follow
from Gaussian elimination; of more forces those of least norm from their normal equations, corrected once by their
residual. `closed_friction_kernel` finds the same forces, to rounding, where this decides nothing.
"""

import math

from sympact.contact.linalg.cholesky_kernel import row_square
from sympact.contact.linalg.support_kernel import SHORT, block_of, dot_within, less_within, support_of
from sympact.contact.memory.contact_tolerances import DIGITS_LOST
from sympact.contact.problem.determinant_ratio_kernel import eliminate
from sympact.native.kernel import kernel
from sympact.native.pointer import leading2
from sympact.native.rounding import HALF_DIGITS


@kernel
def find_directly(contacts, total, with_ratio):
    """The forces of the motion with the components `right_side` along the picked directions; False if not clear.

    Into `multipliers`; `with_ratio`: also the ratio of inverse masses with and without friction, into
    `inverse_mass_ratio`.
    """
    problem = contacts.problem
    found = problem.rank.count[0]
    if total < found or not match_directions(contacts, total):
        return False
    write_equations(contacts, total)
    problem.inverse_mass_ratio = 1.0
    if with_ratio or total == found:
        equations, square = leading2(problem.equations, found, total), problem.force_matrix
        order, target, b = problem.norm_order, problem.force_target, problem.right_side
        for i in range(found):
            target[i] = b[i]
            for k in range(found):
                square[i, k] = equations[i, order[k]]
        determinant = eliminate(square, target, found)
        if with_ratio:
            problem.inverse_mass_ratio = ratio_by(contacts, determinant)
    return take_solution(contacts) if total == found else least_clearly(contacts, total)


@kernel
def match_directions(contacts, total):
    """The force of each picked direction into `norm_order`; False where one has none."""
    problem = contacts.problem
    components, lines, order = problem.force_components, problem.constrained_lines, problem.norm_order
    picked = problem.rank.picked
    for k in range(problem.rank.count[0]):
        wanted, order[k] = lines[picked[k]], -1
        for c in range(total):
            if components[c] == wanted:
                order[k] = c
        if order[k] < 0:
            return False
    return True


@kernel
def write_equations(contacts, total):
    """The components of the directions of forces along the basis of the picked directions, a row each."""
    problem = contacts.problem
    b, acts_along, memory = problem.force_rows, problem.force_lines, problem.rank
    found, part, rows, picked, factor = memory.count[0], memory.part, memory.rows, memory.picked, memory.factor
    inverse = memory.inverse
    equations, support, m = leading2(problem.equations, found, total), problem.force_support, problem.n_u
    for k in range(total):
        line = acts_along[k]
        if line >= 0:
            support[k] = memory.support[line]
            own = 1.0 / factor[line]
            for i in range(found):
                equations[i, k] = part[line, i] * own
            continue
        support[k] = 0 if m <= SHORT else support_of(b, k)
        for i in range(found):
            p, s = picked[i], 0.0
            if m > SHORT:
                s = dot_within(memory.support[p] & support[k], rows, p, b, k)
            for c in range(m if m <= SHORT else 0):
                s += rows[p, c] * b[k, c]
            s *= factor[p]
            for c in range(i):
                s -= part[p, c] * equations[c, k]
            equations[i, k] = s * inverse[i]


@kernel
def ratio_by(contacts, determinant):
    """det E / det G of the picked directions, by the determinant of the components of their forces."""
    memory = contacts.problem.rank
    picked, factor, inverse = memory.picked, memory.factor, memory.inverse
    for k in range(memory.count[0]):
        determinant *= factor[picked[k]] * inverse[k]
    return determinant


@kernel
def squared_length(contacts, k):
    """The square of the length of the direction of force k, C^-1 W."""
    return row_square(contacts.problem.force_rows, k, contacts.problem.n_u)


@kernel
def take_solution(contacts):
    """The solution of as many equations as forces, if no pivot of the elimination is small beside its force."""
    problem = contacts.problem
    pivots, order, target, force = problem.force_matrix, problem.norm_order, problem.force_target, problem.multipliers
    for k in range(problem.rank.count[0]):
        if not pivots[k, k] * pivots[k, k] > DIGITS_LOST * squared_length(contacts, order[k]):
            return False
        force[order[k]] = target[k]
    return True


@kernel
def least_clearly(contacts, total):
    """The forces of least norm, D^-2 E^T (E D^-2 E^T)^-1 b; False if their equations are nearly dependent."""
    problem = contacts.problem
    found, target, force = problem.rank.count[0], problem.force_target, problem.multipliers
    equations, square = leading2(problem.equations, found, total), problem.force_matrix
    weighted, weights = leading2(problem.kept_equations, found, total), problem.force_weights
    b, longest = problem.right_side, 0.0
    for k in range(total):
        share = 1.0 / (weights[k] * weights[k])
        longest = max(longest, squared_length(contacts, k) * share)
        force[k] = 0.0
        for i in range(found):
            weighted[i, k] = equations[i, k] * share
    support, short = problem.equation_support, total <= SHORT
    for i in range(found):
        support[i] = 0 if short else support_of(weighted, i)
        for j in range(i + 1):
            s = 0.0
            for k in range(total if short else 0):
                s += weighted[i, k] * equations[j, k]
            square[i, j] = s if short else dot_within(support[i] & support[j], weighted, i, equations, j)
    if not factor_clearly(square, found, DIGITS_LOST * longest, support):
        return False
    for i in range(found):
        target[i] = b[i]
    for _ in range(2):
        solve_factored(square, found, target)
        for k in range(total):
            s = 0.0
            for i in range(found):
                s += weighted[i, k] * target[i]
            force[k] += s
        miss = size = 0.0
        for i in range(found):
            s = b[i]
            for k in range(total):
                s -= equations[i, k] * force[k]
            target[i] = s
            miss, size = miss + s * s, size + b[i] * b[i]
    return miss <= HALF_DIGITS * HALF_DIGITS * size


@kernel
def factor_clearly(a, n, least, support):
    """Cholesky's factor in the place of the lower triangle; False if the square of a pivot is not above `least`.

    `support` is overwritten with the blocks of the rows of the factor that are not zero.
    """
    short = n <= SHORT
    for j in range(n):
        support[j] = 0
    for j in range(n):
        bit, s = block_of(j, a.shape[1]), a[j, j]
        for c in range(j):
            s -= a[j, c] * a[j, c]
        if not s > least:
            return False
        a[j, j] = math.sqrt(s)
        inverse = 1.0 / a[j, j]
        for i in range(j + 1, n):
            s = a[i, j]
            if short:
                for c in range(j):
                    s -= a[i, c] * a[j, c]
            else:
                s = less_within(s, support[i] & support[j], a, i, a, j, j)
            a[i, j] = s * inverse
            support[i] |= bit if s != 0.0 else 0
    return True


@kernel
def solve_factored(a, n, b):
    """The solution of the factored equations in the place of b."""
    for i in range(n):
        s = b[i]
        for c in range(i):
            s -= a[i, c] * b[c]
        b[i] = s / a[i, i]
    for i in range(n - 1, -1, -1):
        s = b[i]
        for c in range(i + 1, n):
            s -= a[c, i] * b[c]
        b[i] = s / a[i, i]
