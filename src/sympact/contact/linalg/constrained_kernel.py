"""The mass metric of a constrained motion: M = C C^T, and the rank of the constraints A u + a = 0 in it.

The rows C^-1 A^T of the constraints span the directions in which constraint forces act; the motions y = C^T u that the
constraints leave are normal to them. What acts on such a motion is therefore projected onto the complement of the rows:
a contact has the column P C^-1 W, P = 1 - Q Q^T with an orthonormal basis Q of the rows, and every impulse along it
keeps A u + a. So all problems of contacts are the same with constraints as without.

M may be singular where the constraints make the motion unique. Therefore M + A^T D A takes its place, D diagonal: on
motions with A u = 0 both are the same, and the sum is positive definite if and only if M is on these motions.
"""

from sympact.contact.linalg.cholesky_kernel import factor, forward
from sympact.contact.linalg.rank_kernel import pick, rank_of
from sympact.contact.memory.contact_tolerances import RANK
from sympact.native.kernel import kernel


@kernel
def factor_constrained(mass, m, rows, memory):
    """Replace M by the factor C and decide the rank of the constraints; the row of M without a positive pivot, or -1.

    Parameters
    ----------
    mass : (m, m)
        M, then C in its lower triangle.
    rows : (K, m)
        A.
    memory : RankMemory
        For K rows; afterwards it has C^-1 of the rows and their rank.
    """
    add_constraints(mass, m, rows, memory.rank_rows)
    pivot = factor(mass, m)
    if pivot < 0:
        rank_constraints(mass, m, rows, memory)
    return pivot


@kernel
def rank_constraints(mass, m, rows, memory):
    """Decide the rank of the constraints in the metric of a factor C."""
    size = memory.rank_rows
    if size == 0:
        return
    rank = rank_of(memory, size)
    for k in range(size):
        rank.group[k] = k
        for i in range(m):
            rank.rows[k, i] = rows[k, i]
        forward(mass, m, rank.rows, k)
    pick(rank)


@kernel
def add_constraints(mass, m, rows, size):
    """M + A^T D A: every constraint has the inertia of the speeds that it contains."""
    heaviest = largest_inertia(mass, m)
    for k in range(size):
        weight, _ = weigh(mass, m, rows, k, heaviest)
        add_row(mass, m, rows, k, weight)


@kernel
def largest_inertia(mass, m):
    """The largest diagonal entry of M."""
    heaviest = 0.0
    for i in range(m):
        heaviest = max(heaviest, mass[i, i])
    return heaviest


@kernel
def weigh(mass, m, rows, k, heaviest):
    """(the entry of D for row k, the square of the row), with the inertia of its speeds, or `heaviest` without any."""
    square, inertia = 0.0, 0.0
    for i in range(m):
        square += rows[k, i] * rows[k, i]
        inertia += rows[k, i] * rows[k, i] * mass[i, i]
    if square == 0.0:
        return 0.0, 0.0
    return (inertia / square if inertia > 0.0 else heaviest) / square, square


@kernel
def add_row(mass, m, rows, k, weight):
    """Add weight times row^T row to the lower triangle of M."""
    for i in range(m):
        for j in range(i + 1):
            mass[i, j] += weight * rows[k, i] * rows[k, j]


@kernel
def onto_motions(memory, rows, i, m):
    """Project row i of `rows` onto the motions that the constraints leave; a row that they span becomes zero."""
    found = memory.count[0] if memory.rank_rows > 0 else 0
    if found == 0:
        return
    before, after = 0.0, 0.0
    for c in range(m):
        before += rows[i, c] * rows[i, c]
    for _ in range(2):
        for d in range(found):
            s = 0.0
            for c in range(m):
                s += memory.q[d, c] * rows[i, c]
            for c in range(m):
                rows[i, c] -= s * memory.q[d, c]
    for c in range(m):
        after += rows[i, c] * rows[i, c]
    if not after > RANK * RANK * before:
        for c in range(m):
            rows[i, c] = 0.0
