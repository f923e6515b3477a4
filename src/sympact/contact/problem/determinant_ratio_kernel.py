"""The ratio of inverse masses with and without friction of constrained directions: s = det E / det G."""

import math

from sympact.contact.linalg.rank_kernel import rank_of
from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contact_tolerances import NEARLY_MASSLESS, PIVOT
from sympact.native.kernel import kernel
from sympact.native.pointer import leading2


@kernel
def left_by_friction(contacts, total):
    """The ratio of inverse masses of the contacts with a force, as assembled by `closed_friction_kernel`.

    `direct_friction_kernel` has found it with the forces.
    """
    mode, problem = contacts.mode, contacts.problem
    if problem.decided_directly == 1:
        return problem.inverse_mass_ratio
    m, n, size = problem.n_u, problem.n_contacts, 0
    status, force_components = mode.status, problem.force_components
    lines, held = problem.constrained_lines, 0
    rows, columns = problem.share.rows, problem.share.columns
    slips = False
    while held < 3 * n and lines[held] >= 0:
        held += 1
    for k in range(total):
        slips = slips or status[force_components[k] // 3] == codes.SLIP
        for i in range(3 * n):
            if lines[i] == force_components[k]:
                rows[size], columns[size] = i, k
                size += 1
                break
    if not slips:
        return 1.0
    memory = problem.share
    gram, mixed = leading2(memory.gram, size, size), leading2(memory.mixed, size, size)
    rank = rank_of(problem.rank, held)
    force_rows = problem.force_rows
    force = memory.force
    for i in range(size):
        force[i] = 0.0
        for k in range(size):
            gram[i, k] = mixed[i, k] = 0.0
            for c in range(m):
                gram[i, k] += rank.rows[rows[i], c] * rank.rows[rows[k], c]
                mixed[i, k] += rank.rows[rows[i], c] * force_rows[columns[k], c] * rank.factor[rows[k]]
    return share(gram, mixed, force, memory.picked, size)


@kernel
def nearly_none(contacts):
    """The ratio that counts as zero: NEARLY_MASSLESS, or the last one where no step was small enough to go on."""
    mode = contacts.mode
    return max(NEARLY_MASSLESS, mode.singular_ratio)


@kernel
def share(gram, mixed, force, picked, size):
    """s over as many of the directions as are independent; `force` is the right side, then the forces of these.

    `gram` (of unit vectors) and `mixed` are G and E, both of which are overwritten. `picked` has `size` numbers. Where
    E is singular the forces are not found, and s is 0.
    """
    count, volume = pick_independent(gram, picked, size)
    for i in range(count):
        force[i] = force[picked[i]]
        for k in range(count):
            mixed[i, k] = mixed[picked[i], picked[k]]
    found = eliminate(mixed, force, count) / volume
    for i in range(size - 1, -1, -1):
        place = -1
        for k in range(count):
            place = k if picked[k] == i else place
        force[i] = force[place] if place >= 0 else 0.0
    return found


@kernel
def pick_independent(gram, picked, size):
    """Rows of G that are independent, in ascending order, into `picked`: (how many, their determinant)."""
    count, volume = 0, 1.0
    for _ in range(size):
        best = -1
        for i in range(size):
            taken = False
            for k in range(count):
                taken = taken or picked[k] == i
            if not taken and (best < 0 or gram[i, i] > gram[best, best]):
                best = i
        if not gram[best, best] > PIVOT:
            break
        picked[count], volume, pivot = best, volume * gram[best, best], gram[best, best]
        count += 1
        for i in range(size):
            if i != best:
                factor = gram[i, best] / pivot
                for k in range(size):
                    gram[i, k] -= factor * gram[best, k] if k != best else 0.0
    for i in range(1, count):
        k = i
        while k > 0 and picked[k - 1] > picked[k]:
            picked[k - 1], picked[k] = picked[k], picked[k - 1]
            k -= 1
    return count, volume


@kernel
def eliminate(a, b, n):
    """Solve a x = b in place of b by Gaussian elimination; returns the determinant, 0 where it has no inverse."""
    product = 1.0
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            best = i if abs(a[i, k]) > abs(a[best, k]) else best
        if a[best, k] == 0.0 or not math.isfinite(a[best, k]):
            return 0.0
        if best != k:
            product = -product
            b[k], b[best] = b[best], b[k]
            for c in range(n):
                a[k, c], a[best, c] = a[best, c], a[k, c]
        product *= a[k, k]
        inverse = 1.0 / a[k, k]
        for i in range(k + 1, n):
            factor = a[i, k] * inverse
            b[i] -= factor * b[k]
            for c in range(k, n if factor != 0.0 else k):
                a[i, c] -= factor * a[k, c]
    for i in range(n - 1, -1, -1):
        for c in range(i + 1, n):
            b[i] -= a[i, c] * b[c]
        b[i] /= a[i, i]
    return product
