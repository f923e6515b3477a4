"""Memory that the solvers of frictional contact need, and the numbers by which they are known: plain Python."""

LOCAL_SCRATCH = 40  # numbers that one contact alone needs
VECTORS = 22  # of three numbers for each contact

# what solved a problem
NOTHING = 0  # no contact approaches
ALONE = 1  # one contact, exactly
NEWTON = 2  # Newton's method from no impulse
FOLLOWED = 3  # the path from contacts that yield


def least_norm_scratch(rows: int, columns: int) -> int:
    """How many numbers of scratch `least_squares_kernel.least_norm` needs; `columns` whole numbers as well."""
    return rows + 3 * columns


def scratch_size(n: int) -> int:
    """How many numbers of scratch `cone_kernel.solve_cone` needs for n contacts."""
    return 27 * n * n + 3 * VECTORS * n + max(12 * n, LOCAL_SCRATCH) + 6 * n


def places_size(n: int) -> int:
    """How many whole numbers of scratch it needs."""
    return 11 * n + 1
