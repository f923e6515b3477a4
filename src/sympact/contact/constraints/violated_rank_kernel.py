"""The rank of constraints at a state that violates them.

Constraints that depend on each other do so on states that meet them. A distance off, as within a step, the remainder of
a dependent row is about that distance instead of zero; if it were counted, the row would stop the last motion of the
mechanism. A direction counts above what the violation explains, and above `WEAK`. Whether any constraints depend on
others is decided where a run starts; elsewhere they do so for an instant, if at all.
"""

from sympact.contact.memory.contact_tolerances import WEAK
from sympact.native.kernel import kernel

AMPLIFIED = 30.0  # a remainder of a row, in violations relative to the size of the mechanism
LARGEST = 0.03  # above, directions that every mechanism needs would be lost


@kernel
def unsure_below(values, rows, x, nq):
    """The singular value below which a direction of the constraints may be due to their violation.

    Parameters
    ----------
    values : (K,)
        phi at the state.
    rows : (K, m)
        A.
    x : (n_states,)
        The state; its speeds are not used.
    """
    return min(max(WEAK, AMPLIFIED * relative_violation(values, rows, x, nq)), LARGEST)


@kernel
def discount_violated(rank, weak):
    """Reduce a rank to rows with remainders above `weak`, relative to the longest."""
    found = rank.count[0]
    while found > 1 and not rank.part[rank.picked[found - 1], found - 1] > weak * rank.part[rank.picked[0], 0]:
        found -= 1
    rank.count[0] = found


@kernel
def relative_violation(values, rows, x, nq):
    """The largest phi relative to its row of A and the largest coordinate."""
    reach, largest = 0.0, 0.0
    for i in range(nq):
        reach = max(reach, abs(x[i]))
    for k in range(values.size):
        size = 0.0
        for i in range(rows.shape[1]):
            size = max(size, abs(rows[k, i]))
        if abs(values[k]) > largest * size * reach:
            largest = abs(values[k]) / (size * reach) if size * reach > 0.0 else largest
    return largest
