"""The memory of the check of a start, and of the scale of gaps."""

from sympact.native.memory import Address, Memory, Part, Real, Reals, Size, Whole, Wholes

__all__ = ["DOUBTFUL", "FINE", "NOMINAL", "ScaleMemory", "StartMemory"]

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
    factored = Whole("1: `terms` gives a factor R in the place of the mass matrix, M = R^T R")
    gaps = Address("the boundaries with both derivatives")
    slips = Address("slips and coefficients of friction, or 0")
    parameters = Address("data of all")
    tied = Address("1 where rates of coordinates are more than speeds, so that speeds may tie them, else 0")
    length = Real("what gaps are compared with", unit="m")
    quaternions = Wholes(n_quaternions, 4, meaning="the coordinates of each quaternion")
    at_impact = Wholes(n_contacts, meaning="1: the restitution depends on the speed of approach, asked at each impact")
    varying = Wholes(n_contacts, meaning="1: mu changes during a motion, and may be more than mu_static where it slips")
    rest = Reals(n_q + n_u, meaning="zeros, where slips want the rate of the state")
    rates = Reals(n_q + n_u, meaning="of the state")
    along = Reals(3 * n_boundaries, meaning="g, g', g'' of the boundaries")
    gap_rates = Part(along, n_boundaries, n_contacts, meaning="g' of the contacts", unit="m/s")
    term = Reals(n_terms, meaning="what `terms` writes")
    restitution = Part(term, n_u * n_u + n_contacts * n_u + n_contacts, n_contacts, meaning="e as the model gives it")
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


class ScaleMemory(Memory):
    """What the scale of gaps depends on, and the scale, see `Scale`."""

    n_q = Size("coordinates")
    n_states = Size("states")
    n_contacts = Size("contacts")
    n_boundaries = Size("boundaries, those of contacts first")
    gaps = Address("the boundaries with both derivatives")
    parameters = Address("their data")
    own = Real("the model's own length, 0 where it has none", unit="m")
    clock = Real("the rounding of the time of the start", unit="s")
    rtol = Real("relative tolerance")
    atol = Reals(n_states, meaning="absolute tolerances")
    rest = Reals(n_states, meaning="zeros, where gaps want the rate of the state")
    moved = Reals(n_states, meaning="the start with one coordinate changed")
    behind = Reals(3 * n_boundaries, meaning="g, g', g'' before the change")
    ahead = Reals(3 * n_boundaries, meaning="after it")
    tolerances = Reals(n_contacts, meaning="of the gaps, from those of the coordinates", unit="m")
    length = Real("see `Scale`", unit="m")
    measured = Whole("see `Scale`")
    grains = Reals(n_contacts, meaning="see `Scale`", unit="m")
    depths = Reals(n_contacts, meaning="see `Scale`", unit="m")
