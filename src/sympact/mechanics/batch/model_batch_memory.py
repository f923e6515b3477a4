"""The memory of the beginning and the end of runs of a model that follow each other without Python."""

from sympact.native.memory import Address, Memory, Real, Reals, Size, Whole, Wholes

__all__ = ["GAINED", "NEAR", "UNMET", "BeginMemory", "EndMemory"]

GAINED = 1  # an impact has gained energy
NEAR = 2  # a contact nearly took part in an impact
UNMET = 4  # the motion passed places where constraints lost their rank
OUT = "arrays of the caller"


class BeginMemory(Memory):
    """What the check of a start and the scales of its gaps need."""

    n_rows = Size("lengths: one, or one for each run")
    n_stages = Size("stages")
    n_contacts = Size("contacts")
    n_boundaries = Size("boundaries of the stages with contacts")
    n_states = Size("states that are integrated")
    t = Real("of the start", unit="s")
    x = Address("of the state that is checked")
    check = Address("of the memory of the check, see `StartMemory`")
    scale = Address("of the memory of the scale, see `ScaleMemory`")
    stages = Address("of the table of the stages")
    lengths = Reals(n_rows, meaning="the model's own length in each run, 0 where it has none", unit="m", when=OUT)
    length_place = Address("of the length with which contacts compare gaps, or 0")
    grains_place = Address("of the rounding errors with which they do")
    measure = Address("measures the bilateral constraints at the start, or 0")
    constraints = Address("their memory")
    scratch = Reals(n_states, meaning="what `measure` writes")


class EndMemory(Memory):
    """What the end of a run is judged by, and the attitudes whose angles are followed."""

    n_q = Size("coordinates")
    n_u = Size("speeds")
    n_terms = Size("numbers that `terms` writes")
    n_attitudes = Size("rotations by angles that are integrated as quaternions")
    audited = Whole("1: events may give warnings")
    just_outside = Real("windows within which a contact nearly takes part in an impact, see `equation_audit`")
    widest = Real("the largest rotation in an interval that its ends may decide, see `winding`", unit="rad")
    off = Real("how far a curve may leave its model, see `winding`")
    terms = Address("mass matrix first")
    factored = Whole("1: it gives a factor R in the place of the mass matrix, M = R^T R")
    parameters = Address("its data")
    term = Reals(n_terms, meaning="what it writes")
    constraints = Address("of the memory of bilateral constraints whose rank counts, or 0")
    quaternion = Wholes(n_attitudes, 4, meaning="places of the quaternion")
    spin = Wholes(n_attitudes, 3, meaning="places of the angular velocity")
    to_p = Reals(n_attitudes, 16, meaning="see `Attitude`")
    axes = Reals(n_attitudes, 9, meaning="see `Attitude`")
    here = Reals(2, 4, meaning="of each number: its parts, and those of its rate")
    before = Reals(2, 4, meaning="the same at the sample before")
    turned = Reals(2, meaning="the change of their arguments so far", unit="rad")
