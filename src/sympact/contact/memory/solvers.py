"""The memory of each solver of contact problems."""

from sympact.native.memory import Memory, Reals, Size, View, Wholes

__all__ = [
    "BasisMemory",
    "ConeMemory",
    "ConePartMemory",
    "PlasticMemory",
    "RankMemory",
    "RatioMemory",
    "RefineMemory",
    "RouthMemory",
    "SequentialMemory",
    "ShareMemory",
]

CONE_VECTORS = 24
"""Rows of `ConeMemory.v`, see `cone_residual_kernel`."""

STAGES = 7
"""Of Dormand and Prince's method."""

ONE_PATH = 7
"""Numbers of the motion along Routh's path: v_N, s_1, s_2, the stored quantity, P_N, P_1, P_2."""


class BasisMemory(Memory):
    """Memory of `cholesky_kernel.Basis` for so many vectors of as many numbers."""

    basis_size = Size("vectors, and numbers of a vector")
    q = Reals(basis_size, basis_size, meaning="rows: an orthonormal basis")
    r = Reals(basis_size, basis_size, meaning="columns: the vectors in this basis")
    projection = Reals(basis_size, meaning="a further vector in it")
    remainder = Reals(basis_size, meaning="the part of it outside")
    coefficients = Reals(basis_size, meaning="of the vectors, for that one")
    active = Wholes(basis_size, meaning="the indices of the vectors")
    count = Wholes(1, meaning="how many")


class RankMemory(Memory):
    """Memory of `rank_kernel.Rank`, whose docstring describes the arrays."""

    rank_rows = Size("rows, K")
    n_u = Size("numbers of a row, m")
    rows = Reals(rank_rows, n_u, meaning="A")
    group = Wholes(rank_rows, meaning="which rows share a factor")
    factor = Reals(rank_rows, meaning="comparable row = factor times row")
    q = Reals(n_u, n_u, meaning="rows: an orthonormal basis")
    part = Reals(rank_rows, n_u, meaning="the rows in this basis")
    support = Wholes(rank_rows, meaning="the blocks of numbers of each row that are not all zero, as bits")
    basis_support = Wholes(n_u, meaning="the same of the basis")
    part_support = Wholes(rank_rows, meaning="the same of `part`, by `gram_kernel`")
    picked = Wholes(rank_rows, meaning="the rows in the order of their pivots")
    inverse = Reals(n_u, meaning="1 / pivot of each of them, by `gram_kernel`")
    null = Reals(rank_rows, rank_rows, meaning="null directions")
    count = Wholes(1, meaning="the rank")
    work = Reals(rank_rows, meaning="scratch")
    other = Reals(rank_rows, rank_rows, meaning="scratch")


class ConeMemory(Memory):
    """Memory of `cone_residual_kernel.Cone` for so many contacts, three rows each."""

    n_contacts = Size("contacts")
    n_places = Size("the largest number of contacts of a problem so far")
    g = Reals(3 * n_places, 3 * n_places, meaning="G, comparable")
    a = Reals(3 * n_places, 3 * n_places, meaning="a matrix of the same size")
    v = Reals(CONE_VECTORS, 3 * n_contacts, meaning="vectors")
    rest = Reals(12 * n_contacts + 40, meaning="scratch of linear systems, and of one contact alone")
    kind = Wholes(n_contacts, meaning="the kind of each contact")
    status = Wholes(n_contacts, meaning="its status")
    last_status = Wholes(n_contacts, meaning="its status by the last answer, see `cone_again_kernel`")
    unknown = Wholes(3 * n_contacts, meaning="the indices of the unknowns of a linear system")
    order = Wholes(3 * n_contacts, meaning="of its columns")
    table = Reals(3 * n_places, 3 * n_places + 2, meaning="a linear system with one unknown more")
    places = Wholes(3 * n_contacts + 1, meaning="of the same")


class ConePartMemory(Memory):
    """Memory for the parts of a cone problem that have no body in common, one after the other."""

    n_contacts = Size("contacts")
    n_places = Size("the largest number of contacts of a problem so far")
    part = Wholes(n_contacts, meaning="the part of each contact of the problem")
    places = Wholes(n_contacts, meaning="the contacts of the present part")
    delassus = Reals(3 * n_places, 3 * n_places, meaning="its Delassus matrix", unit="1/kg")
    rate = Reals(3 * n_contacts, meaning="its velocities without impulse", unit="m/s")
    friction = Reals(n_contacts, meaning="mu of its contacts")
    least = Reals(n_contacts, meaning="their least normal impulses", unit="N s")
    sliding = Wholes(n_contacts, meaning="1: the direction of slip is given")
    direction = Reals(n_contacts, 2, meaning="that direction")
    impulse = Reals(3 * n_contacts, meaning="its impulses", unit="N s")
    after = Reals(3 * n_contacts, meaning="its velocities after", unit="m/s")


class ShareMemory(Memory):
    """Memory of `determinant_ratio_kernel.share` and of the assembly of its matrices."""

    n_contacts = Size("contacts")
    gram = Reals(3 * n_contacts, 3 * n_contacts, meaning="G of unit vectors")
    mixed = Reals(3 * n_contacts, 3 * n_contacts, meaning="E")
    force = Reals(3 * n_contacts, meaning="the right side, then the forces")
    picked = Wholes(3 * n_contacts, meaning="rows of G that are independent")
    rows = Wholes(3 * n_contacts, meaning="the constrained direction of each")
    columns = Wholes(3 * n_contacts, meaning="the force direction of each")


class RefineMemory(Memory):
    """Memory of `refine_kernel`."""

    n_contacts = Size("contacts")
    rows = Reals(3 * n_contacts, 3 * n_contacts, meaning="G of the constrained components")
    right = Reals(3 * n_contacts, meaning="their residual velocities")
    weight = Reals(3 * n_contacts, meaning="ones")
    found = Reals(3 * n_contacts, meaning="the correction")
    scratch = Reals(12 * n_contacts, meaning="of `least_squares_kernel.least_norm`")
    order = Wholes(3 * n_contacts, meaning="of the same")
    constrained = Wholes(3 * n_contacts, meaning="the components that the law constrains")


class PlasticMemory(Memory):
    """Memory of `plastic_kernel`."""

    n_contacts = Size("contacts")
    coefficient = Reals(n_contacts, meaning="mu")
    rows = Reals(3 * n_contacts, 3 * n_contacts, meaning="G of the stopped components")
    right = Reals(3 * n_contacts, meaning="their residual velocities")
    weight = Reals(3 * n_contacts, meaning="ones")
    found = Reals(3 * n_contacts, meaning="impulses")
    scratch = Reals(12 * n_contacts, meaning="of `least_squares_kernel.least_norm`")
    order = Wholes(3 * n_contacts, meaning="of the same")
    unknown = Wholes(3 * n_contacts, meaning="the components that are stopped")
    first = Wholes(n_contacts, meaning="1: stops in the first solution")
    first_after = Reals(3 * n_contacts, meaning="gap rates and slips after the first solution", unit="m/s")


class RatioMemory(Memory):
    """Memory of `impulse_ratio_kernel.Path`, whose docstring describes the arrays."""

    n_contacts = Size("contacts")
    y = Reals(7 * n_contacts, meaning="the motion before a step")
    new = Reals(7 * n_contacts, meaning="after it")
    trial = Reals(7 * n_contacts, meaning="within it")
    k = Reals(STAGES, 7 * n_contacts, meaning="rates of the stages")
    anchor = Reals(2 * n_contacts, meaning="the direction of slip at the start of a step")
    radius = Reals(n_contacts, meaning="mu F")
    force = Reals(2 * n_contacts, meaning="frictions")
    stiffness = Reals(n_contacts, meaning="of the participants")
    coefficient = Reals(n_contacts, meaning="mu of the participants")
    still = Wholes(n_contacts, meaning="1: no slip")
    tresca = Reals(4 * n_contacts * n_contacts + 14 * n_contacts, meaning="scratch of `tresca_kernel`")
    tresca_places = Wholes(4 * n_contacts, meaning="of the same")


class SequentialMemory(Memory):
    """Memory of `sequential_kernel.Kept`: the whole impact, while its contacts are solved one by one."""

    n_u = Size("speeds")
    n_contacts = Size("contacts")
    who = Wholes(n_contacts, meaning="participants")
    rate = Reals(n_contacts, meaning="gap rates before", unit="m/s")
    e = Reals(n_contacts, meaning="restitutions")
    mu = Reals(n_contacts, meaning="coefficients")
    uncertain = Reals(n_contacts, meaning="rounding of the rates", unit="m/s")
    slip = Reals(n_contacts, 2, meaning="slip before", unit="m/s")
    change = Reals(n_u, meaning="of the speeds, summed up")
    impulse = Reals(n_contacts, meaning="summed up", unit="N s")
    friction = Reals(n_contacts, 2, meaning="impulses of friction, summed up", unit="N s")
    lengths = Reals(n_contacts, meaning="of the rows of the participants")


class RouthMemory(Memory):
    """Memory of `routh_layout.Path`, whose docstring describes the arrays."""

    n_u = Size("speeds")
    y = Reals(ONE_PATH, meaning="the motion")
    z = Reals(ONE_PATH, meaning="in polar form, before a step")
    new = Reals(ONE_PATH, meaning="after it")
    trial = Reals(ONE_PATH, meaning="within it")
    k = Reals(STAGES, ONE_PATH, meaning="rates of the stages")
    g = Reals(3, 3, meaning="G")
    out = Reals(3, meaning="the part of v outside the range of the rows")
    rank = View(RankMemory, "of the rows", rank_rows=3, n_u=n_u)
