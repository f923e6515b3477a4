"""The memory of the bilateral constraints of one run."""

from sympact.contact.memory.reduction import Reduction
from sympact.contact.memory.solvers import RankMemory
from sympact.native.memory import Address, Memory, Part, Real, Reals, Size, View, Whole, Wholes

__all__ = ["Bilateral"]


class Bilateral(Memory):
    """The functions of a constrained model, the formulation, and the last equations of motion."""

    n_q = Size("coordinates, which precede the speeds in the state")
    n_u = Size("speeds, m")
    n_rows = Size("constraints, K")
    parameters = Address("the parameters p of the functions")
    equations = Address("void(double t, const double *x, const double *p, double *out): fills `terms`")
    constraints = Address("fills `constraint`")
    kinematics = Address("q' = S u + b")
    tree_function = Address("fills `tree_terms`; 0 where the motion is not solved along a tree")
    normalize = Address("normalizes the quaternions of a state, 0 where there are none")
    measured = Whole("1: the rows were measured at the start of a run")
    along_tree = Whole("1: the motion is solved along the tree, see `tree_motion_kernel`")
    unmet = Whole("evaluations in which a direction of the constraints was left to inertia")
    projects = Whole("1: positions and speeds are projected onto the constraints after each step")
    in_stages = Whole("1: the flow is evaluated at the state put onto the constraints")
    kinds = Whole("multipliers of each constraint in `dae_residual`: 2 or 3; 0 where implicit methods solve the flow")
    rate_gain = Real("2 alpha of Baumgarte's stabilisation", unit="1/s")
    position_gain = Real("beta^2", unit="1/s^2")
    spare = Whole("constraints that depend on others where the run starts")
    contact_begin = Address("`Stage.begin` of closed contacts, with their data; 0 where there is none")
    contact_prepare = Address("their `Stage.prepare`")

    terms = Reals(
        n_q + n_u * n_u + n_u + 3 * n_rows + n_rows * n_u,
        meaning="q', M, f, phi, A u + a, A' u + a', A, in one piece as the model's function writes them",
    )
    rates = Part(terms, 0, n_q, meaning="q'")
    mass = Part(terms, n_q, n_u, n_u, meaning="M; after factoring its factor C, M = C C^T")
    forcing = Part(terms, n_q + n_u * n_u, n_u, meaning="f")
    positions = Part(terms, n_q + n_u * n_u + n_u, n_rows, meaning="phi, zero for constraints of speeds")
    speeds = Part(terms, n_q + n_u * n_u + n_u + n_rows, n_rows, meaning="A u + a")
    biases = Part(terms, n_q + n_u * n_u + n_u + 2 * n_rows, n_rows, meaning="A' u + a', the acceleration at u' = 0")
    jacobian = Part(terms, n_q + n_u * n_u + n_u + 3 * n_rows, n_rows, n_u, meaning="A")
    constraint = Reals(2 * n_rows + n_rows * n_u, meaning="phi, A u + a, A")
    phi = Part(constraint, 0, n_rows, meaning="phi")
    rate = Part(constraint, n_rows, n_rows, meaning="A u + a")
    rows = Part(constraint, 2 * n_rows, n_rows, n_u, meaning="A")
    tree_terms = Reals(
        n_q + 3 * n_rows + n_rows * n_rows + n_u + n_rows * n_u,
        meaning="q', phi, A u + a, A u'_0 + A' u + a', A M^-1 A^T, u'_0, M^-1 A^T, in one piece",
    )
    tree_rates = Part(tree_terms, 0, n_q, meaning="q'")
    tree_positions = Part(tree_terms, n_q, n_rows, meaning="phi, zero for constraints of speeds")
    tree_speeds = Part(tree_terms, n_q + n_rows, n_rows, meaning="A u + a")
    tree_accelerations = Part(
        tree_terms, n_q + 2 * n_rows, n_rows, meaning="A u'_0 + A' u + a', the accelerations without constraint forces"
    )
    tree_products = Part(
        tree_terms, n_q + 3 * n_rows, n_rows, n_rows, meaning="A M^-1 A^T; then of the rows divided by `tree_lengths`"
    )
    tree_free = Part(tree_terms, n_q + 3 * n_rows + n_rows * n_rows, n_u, meaning="u'_0 = M^-1 f")
    tree_pulls = Part(
        tree_terms, n_q + 3 * n_rows + n_rows * n_rows + n_u, n_rows, n_u, meaning="M^-1 A^T, a row for each constraint"
    )
    tree_lengths = Reals(n_rows, meaning="the largest sqrt(A M^-1 A^T) of each row at several places")
    load = Reals(1, n_u, meaning="C^-1 f")
    motion = Reals(n_u, meaning="C^T of a change of the speeds")
    wanted = Reals(n_rows, meaning="v, the change of the rates of the constraints")
    state = Reals(n_q + n_u, meaning="a state")
    complete = Reals(n_q + n_u, meaning="a state that meets the constraints by its dependent part")
    turn = Reals(n_q, meaning="q' at a change of the speeds")
    still = Reals(n_q, meaning="q' at u = 0")
    columns = Reals(n_rows, n_u, meaning="B: C^-1 of the rows of A, divided by `lengths`")
    lengths = Reals(n_rows, meaning="lengths of C^-1 of the rows of A in other places of the mechanism")
    weights = Reals(n_rows, meaning="D of M + A^T D A, once it is measured")
    gram = Reals(n_rows, n_rows, meaning="the factor of B B^T + e^2")
    multipliers = Reals(n_rows, meaning="of the rows of B")
    step = Reals(1, n_rows, meaning="their change")
    steps = Part(step, 0, n_rows, meaning="the same as a vector")
    placed = Reals(n_q + n_u, meaning="a state put onto the constraints")
    push = Reals(n_u, meaning="M^-1 of a force of the constraints")
    latches = Wholes(n_q, meaning="1: the state of a latch, which is closed (1.0) where rows are measured")
    positional = Wholes(n_rows, meaning="1: the constraint is one of positions")
    holds_speed = Wholes(n_rows, meaning="1: its multipliers of speeds and accelerations are unknowns, else zero")
    holds_position = Wholes(n_rows, meaning="1: its multiplier of positions is an unknown; 0: it is zero")
    rank = View(RankMemory, "the rows of the constraints", rank_rows=n_rows, n_u=n_u)
    reduction = View(Reduction, "of the formulation in independent coordinates or speeds", n_rows=n_rows, n_u=n_u)
