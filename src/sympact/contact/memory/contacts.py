"""The memory of the contacts of one run: the model's functions, the mode, the last assembled problem, the impact law.

Participants of an impact, and the closed contacts whose forces are solved for, are in the order of
`Problem.participants`; arrays of participants are in that order, all others in the order of the contacts. Vectors of a
contact have three components: along the normal and along both tangents.
"""

from sympact.contact.memory.branches import Branches
from sympact.contact.memory.event_memory import Event
from sympact.contact.memory.solvers import (
    BasisMemory,
    ConeMemory,
    ConePartMemory,
    PlasticMemory,
    RankMemory,
    RatioMemory,
    RefineMemory,
    RouthMemory,
    SequentialMemory,
    ShareMemory,
)
from sympact.integrate.memory.stage_margins import MOST_STAGES, StageMargins
from sympact.native.memory import Address, Memory, Part, Real, Reals, Size, View, Whole, Wholes

__all__ = ["FRICTION", "ROWS", "Contacts", "Law", "Mode", "Model", "Problem", "SolverCounts"]

FRICTION = "friction"
"""The part of the memory with three rows for each contact."""
ROWS = "laws"
"""The part for laws beyond Newton's without friction."""


class Model(Memory):
    """The constants of a run: sizes, the model's functions in C, the units that solve its problems."""

    n_q = Size("coordinates, which precede the speeds in the state")
    n_u = Size("speeds, m")
    n_contacts = Size("contacts, n")
    n_boundaries = Size("boundaries: n contacts, then the others")
    length = Real("the model length", unit="m")
    gap_rounding = Reals(n_contacts, meaning="the height below which a gap is rounding of its coordinates", unit="m")

    parameters = Address("the parameters p of the functions")
    terms = Address("void(double t, const double *x, const double *p, double *out): fills `Problem.terms`")
    free_flow = Address("the free motion")
    free_data = Address("the data of `free_flow` and `normalize`: the parameters, or the table of the constraints")
    meet_speeds = Address("projects the speeds onto the bilateral constraints, with `free_data`; 0 without any")
    gaps = Address("g, g', g'' of all boundaries")
    normalize = Address("normalizes the quaternions of a state and projects it onto the constraints, 0: neither")
    slips = Address("void(t, x, xdot, p, out): fills `Problem.slips`; 0 where no contact has friction")
    chosen_terms = Address("`terms` for the contacts chosen by `Problem.chosen`; 0 where there are few contacts")
    chosen_gaps = Address("the same of `gaps`")
    chosen_slips = Address("the same of `slips`")
    switches = Address("the table of the switches of the stage, 0 where it has none")

    impact_solver = Address("int64(int64): solves the impact problem")
    single_solver = Address("solves the impact of one contact, 0 where the law needs none")
    joint_solver = Address("solves several contacts at once where a single one has its path")
    custom_law = Address("int64(int64): a user's law")
    make_room = Address("int64(int64): makes room for more participants, see `room_kernel`")
    force_solver = Address("solves the problem assembled for forces")
    frictionless_solver = Address("`frictionless_kernel.solve`")
    cone_solver = Address("`cone_units_kernel.solve_on_cone`")
    hard_cone_solver = Address("`cone_units_kernel.solve_hard_cone`, compiled on its first call")

    closed_flow = Address("the flow with contacts closed")
    closed_margins = Address("the margins of closed contacts")
    project_positions = Address("projects closed gaps to zero")
    project_velocities = Address("projects the speeds to zero rates of closed gaps")
    measure_slip = Address("`slip_kernel.measure_slip`")
    assemble_slip = Address("`slip_kernel.assemble_slip`")
    name_modes = Address("`slip_kernel.name_modes`")
    report_friction = Address("`margin_kernel.report_friction`")
    keep_sticking = Address("`margin_kernel.keep_sticking`")
    compare_slips = Address("`slip_agreement_kernel.compare_slips`")
    slide_at_dead_points = Address("`dead_point_kernel.slide_at_dead_points`")
    impact_where_no_force = Whole(
        "1: where a slipping contact has no admissible force, an impact without collision occurs"
    )


class Mode(Memory):
    """The present mode of every contact, and the history of its impacts."""

    n_contacts = Size("contacts")
    n_boundaries = Size("boundaries")

    statuses = Wholes(
        n_contacts + 1, meaning="OPEN ... UNLOADED of each contact, then 1 where the whole model is at rest"
    )
    status = Part(statuses, 0, n_contacts, meaning="OPEN ... TOUCH")
    watched = Wholes(n_boundaries, meaning="the watching of each boundary, see `run_codes`")
    next_status = Wholes(n_contacts, meaning="the new status of a candidate")
    candidate = Wholes(n_contacts, meaning="1: may stay closed, -1: it has no admissible force")
    departing = Wholes(n_contacts, meaning="1: open, and approaches before closed contacts are projected")
    stopped = Wholes(
        n_contacts, meaning="1: the impact of this event has stopped its normal and tangential motion", when=FRICTION
    )
    released = Wholes(n_contacts, meaning="1: the last forces release it, see `release_kernel`", when=FRICTION)
    release_acceleration = Reals(n_contacts, meaning="of the gaps of those", unit="m/s^2", when=FRICTION)
    begins_to_slip = Wholes(n_contacts, meaning="1: slip begins", when=FRICTION)
    sticky = Wholes(n_contacts, meaning="1: the tangential rates are projected with the gap rate", when=FRICTION)
    slip_error = Reals(n_contacts, meaning="the slip that counts as none at this event", unit="m/s", when=FRICTION)
    slip_scale = Reals(
        n_contacts, meaning="the scale of the slip in this arc, see `slip_scale_kernel`", unit="m/s", when=FRICTION
    )
    slip_slack = Reals(
        n_contacts, meaning="the slip against its direction with which one may begin", unit="m/s", when=FRICTION
    )
    reference_slip = Reals(n_contacts, 3, meaning="the direction of slip at the start of a step", when=FRICTION)
    slips_agree = Whole("1: all contacts slip as they do in the modes selected")
    speeds_changed = Whole("1: an impact or a jump of this event has changed the speeds")
    leapt = Whole("the contact whose contact point jumped at the end of a step, plus 1; not positive: none")

    last_time = Reals(n_contacts, meaning="of the last impact of each contact, NaN before there is any", unit="s")
    interval = Reals(n_contacts, meaning="between its last two impacts", unit="s")
    last_rebound = Reals(n_contacts, meaning="the gap rate after the last one", unit="m/s")
    previous_rebound = Reals(n_contacts, meaning="the gap rate after the one before", unit="m/s")

    reference_acceleration = Real(
        "the largest acceleration of a gap without contact forces, at the last change of mode", unit="m/s^2"
    )
    largest_acceleration = Real("the largest such acceleration of the run so far", unit="m/s^2")
    reference_speed = Real("the length over the time scale of the first event of the run", unit="m/s")
    state_rounding = Real("the rounding of z by that of the coordinates, see `rest_kernel`", unit="sqrt(J)/s")
    rest_terms = Real("the sum of the magnitudes of the terms of z where rest began", unit="sqrt(J)/s")
    rest_acceleration = Real("the acceleration without contact forces there, measured by M", unit="sqrt(J)/s")
    closed_rate = Real("the largest gap rate of a closed contact in the last projection", unit="m/s")
    removed_energy = Real("the energy of the gap rates of the last projection", unit="J")

    painleve_contact = Whole("the last contact without an admissible force, or with several")
    painleve_kind = Whole("NO_FORCE, NO_BOUND or SEVERAL")
    painleve_ratio = Real("its inverse mass relative to that without friction")
    singular_ratio = Real(
        "|s|, the ratio of inverse masses with and without friction, where no step was small enough; else 0"
    )


class Problem(Memory):
    """The impact or force problem of the participants, its solution and the arrays of the solvers."""

    n_q = Size("coordinates")
    n_u = Size("speeds, m")
    n_contacts = Size("contacts, n")
    n_places = Size("the room for participants, which grows with their number, see `room_kernel`")
    n_boundaries = Size("boundaries")
    n_rows = Size("bilateral constraints")
    n_branch_entries = Size("entries of `branches`")
    n_coefficients = Size(
        "of friction of a contact: 2, 3 where one depends on the slip; with the axis and the ratio of anisotropic "
        "friction 4 more"
    )
    kind = Whole("IMPACT or FORCES")
    count = Whole("participants")
    participants = Wholes(n_contacts, meaning="the participants")

    terms = Reals(
        n_u * n_u + n_contacts * n_u + 2 * n_contacts + n_rows * n_u,
        meaning="M, W^T row by row, w, e and A row by row, in one piece as the model's function writes them",
    )
    mass = Part(terms, 0, n_u, n_u, meaning="M; after factoring its factor C, M = C C^T; always R with `branches`")
    jacobian = Part(terms, n_u * n_u, n_contacts, n_u, meaning="W^T, a row for each contact")
    drift = Part(terms, n_u * n_u + n_contacts * n_u, n_contacts, meaning="w, the gap rates at u = 0", unit="m/s")
    model_restitution = Part(
        terms, n_u * n_u + n_contacts * n_u + n_contacts, n_contacts, meaning="e as the model gives it"
    )
    constraint_rows = Part(terms, n_u * n_u + n_contacts * n_u + 2 * n_contacts, n_rows, n_u, meaning="A")
    constraint_rank = View(RankMemory, "C^-1 A^T and its rank", rank_rows=n_rows, n_u=n_u)
    event_restitution = Reals(n_contacts, meaning="e of each contact at the event, by its approach, within 0..1")
    branches = View(Branches, "the entries of R where the model gives M = R^T R", n_u=n_u, n_entries=n_branch_entries)
    chosen = Wholes(
        n_boundaries + n_u * n_u, meaning="1: the model's functions evaluate this contact; all else is evaluated always"
    )
    mass_profile = Wholes(n_u, meaning="the column of the first entry of each row of M that is not zero")
    pivot = Whole("the row of M whose pivot is not positive, -1 if there is none")

    rate_minus = Reals(n_contacts, meaning="gap rates before (for forces: accelerations without force)", unit="m/s")
    uncertain = Reals(n_contacts, meaning="their rounding errors", unit="m/s")
    restitution = Reals(n_contacts, meaning="e of the participants")
    rate_plus = Reals(n_contacts, meaning="gap rates after (accelerations with the forces)", unit="m/s")
    impulse = Reals(n_contacts, meaning="normal impulses (forces)", unit="N s")
    change = Reals(n_u, meaning="u+ - u- (change of u')")
    rebound = Reals(n_contacts, meaning="the next rebound rate of a participant", unit="m/s")
    rebound_acceleration = Reals(
        n_contacts, meaning="gap accelerations of the rebounds that end at the event", unit="m/s^2"
    )
    residual = Real("of the complementarity problem, relative to its speeds")
    restitution_factor = Real("by which the restitutions of the last impact were reduced, 1 where they were not")
    friction_energy = Real("the energy that friction dissipated in the last impact", unit="J")
    basis_size = Size("the larger of the speeds and `n_places`")
    mass_speed = Real("sqrt(u^T M u) before the last impact, 0 where it is unknown", unit="sqrt(J)")

    columns = Reals(n_places, n_u, meaning="C^-1 W of the participants, each of unit length")
    lengths = Reals(n_contacts, meaning="their lengths before normalization, sqrt(W^T M^-1 W)", unit="1/sqrt(kg)")
    bounds = Reals(n_contacts, meaning="-(1 + e) gamma- over the length")
    multiplier = Reals(n_contacts, meaning="impulses times lengths")
    motion = Reals(n_u, meaning="C^T (u+ - u-)")
    standing = Wholes(n_contacts, meaning="which constraints are active")

    redundant_rows = Reals(n_places, n_places, meaning="the minimum-norm problem of redundant impulses")
    null_columns = Reals(n_places, n_places, meaning="its columns")
    null_bounds = Reals(n_contacts, meaning="its bounds")
    null_multiplier = Reals(n_contacts, meaning="its multipliers")
    null_point = Reals(n_contacts, meaning="its solution")

    along = Reals(3 * n_boundaries, meaning="g, then g', then g'' of all boundaries")
    gap = Part(along, 0, n_boundaries, meaning="g", unit="m")
    gap_rate = Part(along, n_boundaries, n_boundaries, meaning="g'", unit="m/s")
    gap_acceleration = Part(along, 2 * n_boundaries, n_boundaries, meaning="g''", unit="m/s^2")
    rates = Reals(n_q + n_u, meaning="the rates of a state")
    rates_of_speeds = Part(rates, n_q, n_u, meaning="u'")
    trial = Reals(n_q + n_u, meaning="a state")
    trial_speeds = Part(trial, n_q, n_u, meaning="its u")
    ahead_state = Reals(n_q + n_u, meaning="a state a little later")
    later_state = Reals(n_q + n_u, meaning="a state a little later on the motion of released contacts")
    margins = Reals(n_boundaries, meaning="force values")
    unheld = Reals(1, n_u, meaning="z = C^T u' without contact forces, see `rest_kernel`", unit="sqrt(J)/s")

    mass_entries = Part(terms, 0, n_u * n_u, meaning="M as one piece")
    slips = Reals(
        n_contacts,
        3 * n_u + 9 + n_coefficients,
        meaning="n, v, v', dv/du row by row, e_1 and ratio where one is anisotropic, mu(-abs(s)) where one depends on "
        "the slip s, mu, mu_static of each contact",
        when=FRICTION,
    )
    axes = Reals(n_contacts, 6, meaning="two unit tangents of each contact", when=FRICTION)
    tangents = Reals(n_contacts, 6, meaning="the same, the first one times the ratio of its friction", when=FRICTION)
    scaled_support = Wholes(3 * n_contacts, meaning="the blocks of `scaled_rows` that are not zero", when=FRICTION)
    lines = Reals(3 * n_contacts, n_u, meaning="W^T of the normal and both tangents of each contact", when=FRICTION)
    coefficient = Reals(n_contacts, meaning="mu of the participants", when=FRICTION)
    slides = Wholes(n_contacts, meaning="1: the direction of slip is given", when=FRICTION)
    direction = Reals(n_contacts, 2, meaning="that direction", when=FRICTION)
    slip_minus = Reals(n_contacts, 2, meaning="slip before (or the tangential acceleration)", unit="m/s", when=FRICTION)
    slip_plus = Reals(n_contacts, 2, meaning="slip after", unit="m/s", when=FRICTION)
    slip_parts = Reals(
        n_contacts, meaning="the sum of the sizes of what makes up the slip after", unit="m/s", when=FRICTION
    )
    free_accelerations = Reals(n_u, meaning="u' without contact forces at an event", unit="m/s^2", when=FRICTION)
    arc_slip_error = Reals(n_contacts, meaning="`slip_error` of the arc before the event", unit="m/s", when=FRICTION)
    arc_reference_slip = Reals(n_contacts, 3, meaning="`reference_slip` of its last step", when=FRICTION)
    arc_begins_to_slip = Wholes(n_contacts, meaning="`begins_to_slip` then", when=FRICTION)
    friction_impulse = Reals(n_contacts, 2, meaning="tangential impulses (forces)", unit="N s", when=FRICTION)
    friction_vector = Reals(
        n_contacts, 3, meaning="the same of each contact, components in N", unit="N s", when=FRICTION
    )
    friction_components = Part(friction_vector, 0, 3 * n_contacts, meaning="the same in one row", unit="N s")
    scaled_rows = Reals(3 * n_places, n_u, meaning="C^-1 W of normals and tangents", when=FRICTION)
    delassus = Reals(3 * n_places, 3 * n_places, meaning="G = W^T M^-1 W", unit="1/kg", when=FRICTION)
    cone_rate = Reals(3 * n_contacts, meaning="velocities of the cone problem", unit="m/s", when=FRICTION)
    least_impulse = Reals(
        n_contacts, meaning="its least normal impulses, not zero in Poisson's expansion only", unit="N s", when=FRICTION
    )
    cone_impulse = Reals(3 * n_contacts, meaning="its impulses", unit="N s", when=FRICTION)
    cone_after = Reals(3 * n_contacts, meaning="its velocities after", unit="m/s", when=FRICTION)
    cone_report = Reals(2, meaning="the residual, and the solver", when=FRICTION)
    cone = View(ConeMemory, "of `cone_kernel`", when=FRICTION, n_contacts=n_contacts)
    cone_parts = View(ConePartMemory, "of `cone_parts_kernel`", when=FRICTION, n_contacts=n_contacts, n_places=n_places)
    continues = Whole("1: the problem of forces is that of the answer kept, moved slightly")
    last_count = Whole("participants of the answer kept, 0 where there is none, see `cone_again_kernel`")
    last_impulse = Reals(3 * n_contacts, meaning="the forces of that answer", unit="N", when=FRICTION)
    last_status = Wholes(n_contacts, meaning="the statuses of all contacts then", when=FRICTION)
    share = View(ShareMemory, "of `determinant_ratio_kernel`", when=FRICTION, n_contacts=n_places)
    refine = View(RefineMemory, "of `refine_kernel`", when=FRICTION, n_contacts=n_places)
    rank = View(RankMemory, "the directions that are constrained", when=FRICTION, rank_rows=3 * n_places, n_u=n_u)
    constrained_bounds = Reals(3 * n_contacts, meaning="the right side of each constrained direction", when=FRICTION)
    constrained_lines = Wholes(
        3 * n_contacts, meaning="the row of `lines` of each of them, -1 after the last", when=FRICTION
    )
    closed_rows = Reals(
        3 * n_contacts, n_u, meaning="C^-1 W of the constrained normals and tangents, by contact", when=FRICTION
    )
    force_rows = Reals(3 * n_places, n_u, meaning="C^-1 of the directions in which forces act", when=FRICTION)
    force_components = Wholes(3 * n_contacts, meaning="3 j + 0, 1, 2: normal and tangents of contact j", when=FRICTION)
    force_lines = Wholes(
        3 * n_contacts, meaning="the constrained direction in which each of these forces acts, -1: none", when=FRICTION
    )
    force_support = Wholes(
        3 * n_contacts, meaning="the blocks of these directions that are not zero, see `support_kernel`", when=FRICTION
    )
    equation_support = Wholes(n_u, meaning="those of the rows of `equations`, then of their factor", when=FRICTION)
    force_weights = Reals(3 * n_contacts, meaning="of these directions", when=FRICTION)
    equations = Reals(
        3 * n_places * n_u, meaning="of the forces along a basis of the constrained directions", when=FRICTION
    )
    kept_equations = Reals(3 * n_places * n_u, meaning="the same, not overwritten, or weighted", when=FRICTION)
    right_side = Reals(n_u, meaning="of these equations", when=FRICTION)
    force_matrix = Reals(n_u, n_u, meaning="a square matrix of forces, eliminated or factored", when=FRICTION)
    force_target = Reals(n_u, meaning="its right side, then its solution", when=FRICTION)
    inverse_mass_ratio = Real("s of these forces where `direct_friction_kernel` found them")
    decided_directly = Whole("1: it did")
    multipliers = Reals(3 * n_contacts, meaning="their solution", when=FRICTION)
    interior_force = Reals(
        n_contacts,
        4,
        meaning="forces inside the cones at an earlier state of the arc: normal, then tangential, components in N",
        unit="N",
        when=FRICTION,
    )
    interior = Whole(
        "of `interior_force`, 1: it is inside the cones, 2: within them, as none inside was found, -1: none was found "
        "in this arc, 0: not searched in it"
    )
    norm_scratch = Reals(n_u + 9 * n_contacts, meaning="scratch of `least_norm`", when=FRICTION)
    norm_order = Wholes(3 * n_contacts, meaning="of the same", when=FRICTION)
    given_change = Reals(n_u, meaning="the change of the speeds of an impact without collision", when=FRICTION)

    speeds_before = Reals(n_u, meaning="u-, see `audit_kernel`")
    unaccounted = Reals(1, n_u, meaning="the change of momentum without an impulse")
    unaccounted_row = Reals(1, n_u, meaning="scratch")
    impulse_momentum = Reals(1, n_u, meaning="W Lambda of an impact that may turn branches, see `Event.accounted`")
    audit_fault = Whole("the fault of the event")
    audit_found = Real("the result of the audit, see `Imbalance`")
    audit_beside = Real("the value to compare it with")

    stage_margins = View(StageMargins, "margins of closed contacts at the stages of a step", n_rows=MOST_STAGES)
    basis = View(BasisMemory, "of the active constraints", basis_size=basis_size)
    null_basis = View(BasisMemory, "of those of the redundant problem", basis_size=basis_size)


class Law(Memory):
    """The data of the impact law and of the resolution of several impacts, in addition to the problem."""

    n_u = Size("speeds, m")
    n_contacts = Size("contacts, n")
    n_places = Size("the room for participants, see `Problem`")
    never_gains = Whole("1: the law never creates energy")
    shared = Whole("1: restitution acts on impulses between contacts, so that e of closed ones counts")
    slip_restitution = Real("restitution of slip")
    energy_guard = Real("1: restitutions are reduced until no energy is gained")
    stiffness_exponent = Real("of the force of a compressed contact")
    max_impacts = Real("one by one")
    impact_order = Real("0: the fastest first, 1: the first in the list, 2: the last")
    path_end = Real("the end of expansion along Routh's path, see `routh_ends`")

    stiffness = Reals(n_contacts, meaning="relative to the largest", when=ROWS)
    before = Reals(3 * n_contacts, meaning="gap rate and slip of the participants before", unit="m/s", when=ROWS)
    compressed = Reals(3 * n_contacts, meaning="the same at the end of compression", unit="m/s", when=ROWS)
    compression = Reals(3 * n_contacts, meaning="impulses of compression", unit="N s", when=ROWS)
    mass_entries = Reals(n_u * n_u, meaning="M as one piece", when=ROWS)
    plastic = View(PlasticMemory, "of `plastic_kernel`", when=ROWS, n_contacts=n_places)
    ratio = View(RatioMemory, "of `impulse_ratio_kernel`", when=ROWS, n_contacts=n_places)
    sequential = View(SequentialMemory, "of `sequential_kernel`", when=ROWS, n_contacts=n_contacts, n_u=n_u)
    routh = View(RouthMemory, "of `routh_kernel`", when=ROWS, n_u=n_u)


class SolverCounts(Memory):
    """The number of calls of each solver and of each of its fallbacks in a run."""

    single = Whole("cone problems of one contact, solved exactly")
    quartic = Whole("contacts alone whose direction of slip Newton's method did not find: all roots of its quartic")
    single_missed = Whole("cone problems of one contact that the exact solution left to Newton's method and the path")
    newton = Whole("cone problems solved by Newton's method")
    continued = Whole("of these, those that Newton's method solved from the last answer to nearly the same problem")
    descended = Whole("cone problems that Newton's method solved from projected gradients only")
    continuation = Whole("cone problems that neither solved, solved along the path of compliant contacts")
    recentred = Whole("of these, those solved along a path with another centre than the first")
    unloaded = Whole("impacts with another solution, taken: contacts that do not approach have no impulse in it")
    within_cones = Whole("redundant contacts with friction whose impulses of least norm are not all in their cones")
    partly = Whole("of these, those whose impulses went only part of the way to the least norm within the cones")
    unsolved = Whole("cone problems without a solution that was found")
    frictionless = Whole("problems without friction")
    combinations = Whole("plastic impacts in which all combinations of contacts were tried")
    large_friction = Whole("plastic impacts solved with a large coefficient of friction")
    own_friction = Whole("of these, those without a solution: solved with the coefficient of friction there is")
    dead_points = Whole("forces without a solution: contacts slide where the mechanism is at a dead point")
    relaxed = Whole("time steps whose tolerance of the law was relaxed by a factor of 100, or more")


class Contacts(Memory):
    """All memory of the contacts."""

    model = View(Model, "the constants of a run")
    mode = View(Mode, "the present mode")
    problem = View(Problem, "the last assembled problem")
    law = View(Law, "the impact law")
    solvers = View(SolverCounts, "the number of calls of each solver")
    event = View(Event, "the event that is being computed")
