"""The memory of the search by enclosures of gaps."""

from sympact.native.memory import Address, Memory, Reals, Size, Wholes

__all__ = ["PARTS", "ROWS", "ProofMemory"]

PARTS = 64
"""Most parts of a step in the queue."""

ROWS = 8
"""More rows than any polynomial of a step has."""


class ProofMemory(Memory):
    """The enclosures of the boundaries of a stage, and the arrays of the search."""

    n_jets = Size("states that occur in gaps")
    n_boundaries = Size("boundaries of the stage")
    enclosed = Address("the enclosures, ``void(double t, const double *jets, const void *data, double *out)``")
    phases = Address("the rates of the angles in plain gaps, of the form of a boundary, or 0")
    data = Address("data of both")
    states = Wholes(n_jets, meaning="the states that occur")
    classes = Wholes(n_boundaries, meaning="AS_BEFORE, PLAIN or PROVEN, see `sympact.integrate.search.proof`")
    jets = Reals(n_jets + 1, 6, meaning="ends of value, first and second derivative; the time comes last")
    ends = Reals(n_boundaries, 6, meaning="the same of the gaps")
    coefficients = Reals(PARTS, (ROWS + 1) * n_jets, meaning="Bernstein coefficients of x - x0, part by part")
    reach = Reals(n_jets, meaning="sums of |rows of the polynomial|")
    values = Reals(PARTS + 1, 3 * n_boundaries, meaning="the gaps at the right ends of the parts, and at the left one")
    places = Reals(PARTS, meaning="the right ends")
    levels = Wholes(PARTS, meaning="halvings that lead to the part")
    deep = Reals(n_boundaries, meaning="a gap below this is on the other side")
    turn = Reals(1, meaning="the largest turn of an angle")
    accelerations = Reals(n_boundaries, meaning="the largest second derivatives over the whole step")
