"""The rank of constraints at a state that violates them.

Constraints that depend on each other do so on states that meet them. A distance off, as within a step, the remainder of
a dependent row is about that distance instead of zero; if it were counted, the row would stop the last motion of the
mechanism. A remainder counts above what the violation explains.
"""

from sympact.native.kernel import kernel

AMPLIFIED = 30.0  # a remainder of a row, in violations relative to the terms of the constraint


@kernel
def discount_violated(rank, values, rows, x, nq):
    """Reduce the rank to rows whose remainders the violations `values` do not explain.

    Parameters
    ----------
    rank : Rank
        Of the rows A, picked.
    values : (K,)
        phi at the state.
    rows : (K, m)
        A.
    x : (n_states,)
        The state; its speeds are not used.
    """
    noise, found = AMPLIFIED * relative_violation(values, rows, x, nq), rank.count[0]
    while found > 1 and not rank.part[rank.picked[found - 1], found - 1] > noise * rank.part[rank.picked[0], 0]:
        found -= 1
    rank.count[0] = found


@kernel
def relative_violation(values, rows, x, nq):
    """The largest phi relative to |A| |q|, with the largest coordinate for |q|."""
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
