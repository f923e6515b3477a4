"""Memory that the solvers of frictional contact need, and the numbers by which they are known: plain Python."""

LOCAL_SCRATCH = 40  # numbers that one contact alone needs
EDGES = 8           # of the cones that Lemke's method takes
VECTORS = 18        # of three numbers for each contact

# what solved a problem
NOTHING = 0         # no contact approaches
ALONE = 1           # one contact, exactly
NEWTON = 2          # Newton's method from no impulse
FOLLOWED = 3        # from problems with less friction, one after the other
EDGED = 4           # from cones with edges, by Lemke's method
SWEPT = 5           # from sweeps over the contacts


def least_norm_scratch(rows: int, columns: int) -> int:
    """How many numbers of scratch `least_squares_kernel.least_norm` needs; `columns` whole numbers as well."""
    return rows + 3 * columns


def scratch_size(n: int) -> int:
    """How many numbers of scratch `cone_kernel.solve_cone` needs for n contacts."""
    unknowns = (EDGES + 2) * n
    return 18 * n * n + 3 * VECTORS * n + max(12 * n, LOCAL_SCRATCH) + unknowns * (2 * unknowns + 2)


def places_size(n: int) -> int:
    """How many whole numbers of scratch it needs."""
    return 8 * n + (EDGES + 2) * n
