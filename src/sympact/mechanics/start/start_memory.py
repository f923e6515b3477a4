"""The memory of the check of a start."""

from sympact.native.memory import Address, Memory, Part, Real, Reals, Size, Wholes

__all__ = ["DOUBTFUL", "FINE", "NOMINAL", "StartMemory"]

DOUBTFUL = 0  # a message may be necessary
NOMINAL = 1  # the start is consistent, and gaps are compared with the length of the model
FINE = 2  # consistent except for gaps, which are below zero or must be compared with the rounding of large coordinates


class StartMemory(Memory):
    """The functions of a model, and their values at a start."""

    n_q = Size("coordinates")
    n_u = Size("speeds")
    n_contacts = Size("contacts")
    n_boundaries = Size("boundaries, those of contacts first")
    n_quaternions = Size("quaternions")
    n_terms = Size("numbers that `terms` writes")
    n_rows = Size("bilateral constraints")
    slip_width = Size("numbers that `slips` writes for each contact, the coefficients of friction last")
    flow = Address("the free motion")
    flow_data = Address("its data: `parameters`, or the table of the bilateral constraints")
    constraints = Address("phi, A u + a, A, or 0")
    terms = Address("mass matrix, normal Jacobian, wall rates, restitutions, A")
    gaps = Address("the boundaries with both derivatives")
    slips = Address("slips and coefficients of friction, or 0")
    parameters = Address("data of all")
    tied = Address("1 where rates of coordinates are more than speeds, so that speeds may tie them, else 0")
    length = Real("what gaps are compared with", unit="m")
    quaternions = Wholes(n_quaternions, 4, meaning="the coordinates of each quaternion")
    at_impact = Wholes(n_contacts, meaning="1: the restitution depends on the speed of approach, asked at each impact")
    rest = Reals(n_q + n_u, meaning="zeros, where slips want the rate of the state")
    rates = Reals(n_q + n_u, meaning="of the state")
    along = Reals(3 * n_boundaries, meaning="g, g', g'' of the boundaries")
    term = Reals(n_terms, meaning="what `terms` writes")
    slip = Reals(n_contacts, slip_width, meaning="what `slips` writes")
    state = Reals(n_q + n_u, meaning="the start with one unit speed")
    motion = Reals(n_q + n_u, meaning="its rates")
    constraint = Reals(2 * n_rows + n_rows * n_u, meaning="what `constraints` writes")
    phi = Part(constraint, 0, n_rows, meaning="phi")
    rate = Part(constraint, n_rows, n_rows, meaning="A u + a")
    rows = Part(constraint, 2 * n_rows, n_rows, n_u, meaning="A")
    diagonal = Reals(n_u, meaning="of the mass matrix, with constraints of M + A^T D A")
    factor = Reals(n_u, n_u, meaning="Cholesky's factor")
    inverse = Reals(n_u, n_u, meaning="its inverse")
    motions = Reals(n_u, n_q, meaning="rates of the coordinates at motions of unit energy, then per coordinate")
