"""The memory of one run, shared by the loop, the steppers, the search and Python."""

from sympact.integrate.memory.newton_memory import NewtonMemory
from sympact.native.memory import Address, Memory, Real, Reals, Size, View, Whole, Wholes

__all__ = ["COLUMNS", "DEPTH", "IMPLICIT", "RunMemory", "StageMemory"]

DEPTH = 64
"""Most nodes of the search."""

COLUMNS = "columns"
"""The part of the memory that grows with the run, and that Python allocates."""

IMPLICIT = "implicit"
"""The part of the memory that implicit steppers need."""


class StageMemory(Memory):
    """The model in one of its stages, see `sympact.integrate.problem.program.Stage`."""

    flow = Address("the flow")
    flow_data = Address("its data")
    boundary = Address("the boundary functions")
    boundary_data = Address("their data")
    chosen_boundary = Address("the boundary functions of chosen boundaries, see `Stage.chosen_boundary`, or 0")
    n_boundaries = Size("boundaries of the stage")
    derivatives = Whole("1: the boundary function gives g, g', g''; 0: g alone")
    transition = Address("the transition")
    transition_data = Address("its data")
    project = Address("projects the end of a step onto the model's constraints, or 0")
    n_contacts = Whole("the number of boundaries that are gaps of contacts; they come first")
    scales = Reals(
        3 * n_boundaries,
        meaning="of each boundary: its length scale (the largest |g| so far where none is given), 1 where it is given,"
        " the rounding of its value",
        when=COLUMNS,
    )
    watched = Wholes(n_boundaries, meaning="how each boundary is watched: IGNORED, BY_RATES or BY_VALUES", when=COLUMNS)
    force = Address("of the form of a flow: the values of the boundaries watched BY_VALUES, or 0")
    margins = Address("of the table of `StageMargins`, or 0 where forces are sampled")
    n_statuses = Size("whole numbers that distinguish modes of the stage")
    statuses = Wholes(n_statuses, meaning="these numbers, which the transition changes", when=COLUMNS)
    n_switches = Size("doubles whose signs distinguish modes")
    switches = Reals(n_switches, meaning="these numbers", when=COLUMNS)
    switch_table = Address("of the `SwitchMemory` of these, or 0")
    n_watches = Whole("of these, the last ones: conditions of the user's own")
    n_functions = Whole("boundaries of these that are watched as functions")
    goes_on = Whole("1: where its events accumulate a jump of the user's follows")
    begin = Address("of the form of a flow, called at the start of each smooth arc, or 0")
    prepare = Address("the same for each step")
    length = Address("of the model length, where it is measured along the motion; 0 where the model has it")
    proof = Address("of the table of `proof`, or 0 where no gap can be enclosed")
    stall = Address("marks the boundaries reached where no step is small enough, or 0")
    residual = Address("the rates and constraints at a state with multipliers, or 0: then the flow is the residual")
    multipliers = Whole("the number of multipliers")
    begin_residual = Address("the multipliers at the start of a step")
    n_present = Size("states that the stage has; 0: all")
    present = Wholes(n_present, meaning="their indices in the state of the run", when=COLUMNS)
    clock = Address("of the `ClockMemory` of a stage whose states are updated at instants, or 0")


class RunMemory(Memory):
    """Sizes, counters, scalars and arrays of a run."""

    n_states = Size("states, n")
    n_moving = Whole("states that change along the flow; the tolerances of the others are infinite")
    stage_rows = Size("rows of `rates`: rates of the state at the stages of one step")
    last = Whole("the row that holds the rates at the end of the step (row 0: at its start)")
    degree = Size("rows of `polynomial`")
    width = Size("the largest number of boundaries that a stage has")
    record_width = Size("numbers in `record`: HEAD + width, and three for each contact where there is friction")
    n_boundaries = Size("boundaries of the present stage")

    stage_index = Whole("of the present stage")
    stage = View(StageMemory, "the present stage", when=COLUMNS)
    stages = Address("of the table of all stages, one after the other")
    mode = Whole("the present mode: what is recorded as the stage of a sample or event")
    modes = Whole("modes so far; 0 where stages have no modes: then the mode is the stage")
    mode_capacity = Size("rows of `mode_table`")
    mode_width = Size("numbers of a row")
    mode_table = Wholes(mode_capacity, mode_width, meaning="stage, statuses, signs of switches", when=COLUMNS)

    advance = Address("the unit that takes one accepted step")
    dense = Address("the unit that builds the step's polynomial")
    exact = Address("the unit that repeats the step with a given size, or 0")
    smooth = Whole("1: the polynomial follows the flow so closely that g' and g'' at the ends are valid for the step")
    isolate = Address("the unit that searches a step by g, g' and g''")
    sample = Address("the unit that searches a step by values of g alone")
    prove = Address("the unit that searches a step by the enclosures of gaps")

    t = Real("the start of the step", unit="s")
    t_new = Real("its end", unit="s")
    h = Real("its size", unit="s")
    h_next = Real("the size to try next", unit="s")
    predicted = Real("the size of the step that ends where a gap is predicted to be zero, 0: none is", unit="s")
    h_after = Real("the size to try after the first step of an arc in which a boundary is not searched", unit="s")
    t_start = Real("of the run", unit="s")
    t_end = Real("of the run", unit="s")
    t_stop = Real("where the coming step ends at the latest: t_end, or the next time of the schedule", unit="s")
    rtol = Real("relative tolerance")
    max_step = Real("the largest step", unit="s")
    order = Real("of the stepper's error estimate")
    log_error = Real("logarithm of the error of the step before, in units of the tolerance")
    approach = Real("the largest rate at which the last event's boundaries were approached")
    t_inf = Real("accumulation of events, once found", unit="s")
    t_inf_error = Real("its error", unit="s")
    reference = Real("the reference acceleration of contacts", unit="m/s^2")
    largest_acceleration = Real("the largest acceleration of a contact's gap so far in free motion", unit="m/s^2")
    searched = Real("size of the step that was searched, of which `roots` are fractions", unit="s")
    entry_t = Real("when the present stage was entered beyond a boundary", unit="s")
    seen_t = Real("the time of the last check of the progress of the run", unit="s")

    atol = Reals(n_states, meaning="absolute tolerances")
    x = Reals(n_states, meaning="the state at the start of the step")
    x_new = Reals(n_states, meaning="at its end")
    rates = Reals(stage_rows, n_states, meaning="rates of the state")
    polynomial = Reals(degree, n_states, meaning="of the step")
    scratch = Reals(4, n_states, meaning="states")
    implicit = View(NewtonMemory, "of an implicit stepper", when=IMPLICIT)
    rejected_by = Wholes(n_states, meaning="the number of steps rejected for the error of each state")

    beyond_by = Reals(width, meaning="the initial distance beyond a boundary that has not come inside since")
    latched = Wholes(
        width,
        meaning="1: the boundary of a transition fired and was not below zero since; 2: in the first step of an arc",
    )
    proved = Wholes(n_boundaries, capacity=width, meaning="1: the gap is searched by its enclosures in this step")
    near = Wholes(n_boundaries, capacity=width, meaning="1: the gap may be zero within this step")
    narrow = Whole("1: only these gaps are evaluated within the step")
    kept_roots = Reals(n_boundaries, capacity=width, meaning="roots of the gaps while those of the forces are sought")
    met = Reals(
        n_boundaries, capacity=width, meaning="the largest excursion of each contact since its last event", unit="m"
    )

    gaps_old = Reals(3 * n_boundaries, capacity=3 * width, meaning="g, g', g'' at the start of the step")
    gaps_new = Reals(3 * n_boundaries, capacity=3 * width, meaning="at its end")
    gaps_here = Reals(3 * n_boundaries, capacity=3 * width, meaning="within it")
    offset = Reals(
        n_boundaries,
        capacity=width,
        meaning="the offset of g in this arc, so that a start on the boundary is a start at 0",
    )
    lift = Reals(
        n_boundaries,
        capacity=width,
        meaning="how far below zero a contact that is leaving its surface, or a condition kept at zero, is searched",
    )
    nodes = Reals(DEPTH, 9 * width, meaning="g, g', g'' at the nodes of the search, or values")
    node_at = Reals(DEPTH, meaning="where in the step the nodes are")
    positive_at = Reals(n_boundaries, capacity=width, meaning="the last fraction where g was positive, -1 if nowhere")
    positive_gap = Reals(n_boundaries, capacity=width, meaning="g there")
    roots = Reals(n_boundaries, capacity=width, meaning="the zero of g in the present segment, 2 if there is none")
    bernstein = Reals(9, meaning="coefficients of one gap")
    fired = Wholes(width, meaning="1: takes part in the event")
    record = Reals(record_width, meaning="the report of the transition, see `run_codes`")
    built = Whole("1: `polynomial` is that of the present step")
    estimated = Whole(
        "1: a root may be that of a gap's quintic, because the repeated step corrects it; 2: it is near the step's end"
    )
    gap = Whole("the gap that is zero first in the step, while margins are searched; -1: none")
    doubted = Whole("1: a margin after it has a root that is an estimate")
    slope = Real("of the margin whose root is that of the polynomial through its samples", unit="1/s")
    low = Whole("1: the step is by the method of low order for short steps")
    short = Real("the step up to which this is tried; 0: the stepper has none", unit="s")
    looking = Whole("the boundaries that `evaluate_gaps` evaluates: BY_RATES, BY_VALUES or BY_FUNCTION")

    samples = Whole("samples written so far")
    forgets = Whole("1: of the ends of steps, only those at events are kept as samples")
    sample_capacity = Size("rows of their columns")
    sample_t = Reals(sample_capacity, meaning="times", unit="s", when=COLUMNS)
    sample_x = Reals(sample_capacity, n_states, meaning="states", when=COLUMNS)
    sample_h = Reals(sample_capacity, meaning="steps", unit="s", when=COLUMNS)
    sample_stage = Wholes(sample_capacity, meaning="modes", when=COLUMNS)
    sample_low = Wholes(sample_capacity, meaning="1: steps by the method of low order", when=COLUMNS)
    sample_polynomial = Address("of sample_capacity x degree x n numbers, 0 when polynomials are rebuilt on demand")
    events = Whole("events written so far")
    event_capacity = Size("rows of their columns")
    event_t = Reals(event_capacity, meaning="times", unit="s", when=COLUMNS)
    event_sample = Wholes(event_capacity, meaning="the sample of the left side", when=COLUMNS)
    event_source = Wholes(event_capacity, meaning="the mode before", when=COLUMNS)
    event_target = Wholes(event_capacity, meaning="the mode after", when=COLUMNS)
    event_fired = Wholes(event_capacity, width, meaning="the participants", when=COLUMNS)
    event_record = Reals(event_capacity, record_width, meaning="the report of the transition", when=COLUMNS)

    restart = Whole("1: a smooth arc begins (the start, or after a jump)")
    jumped = Whole("1: the arc that begins comes after a jump, or is the first")
    fresh = Whole("1: the coming step is the first of its arc")
    ahead = Whole("1: the coming step has been taken: what `advance` writes is there")
    fault = Whole("1: a callback into Python raised; 2: a boundary is not finite")
    budget = Whole("steps that may be taken before the loop returns to Python")
    max_events = Whole("events after which the run ends")
    max_steps = Whole("the limit of attempted steps, accepted or rejected; 0: none")
    crowded = Whole("1: events accumulate here, and a jump of the user's follows")
    instant = Whole("events in a row at which time did not advance")
    steps = Whole("accepted")
    rejected = Whole("steps rejected")
    flow_calls = Whole("evaluations of the flow")
    boundary_calls = Whole("evaluations of the boundaries")
    dense_calls = Whole("polynomials built")
    parts = Whole("parts of steps that were enclosed")
    unproven = Whole("steps in which sampled values decided a part, because the enclosures did not")
    interpolated = Whole("events at a root of the step's polynomial: no repeated step of that stepper ends on it")
    beyond = Whole("boundaries that the stage was entered beyond and that have not come inside since")
    latches = Whole("boundaries that are latched")
    look_at = Whole("steps tried at the next check of the progress")
    seen_steps = Whole("steps tried at the last check of the progress")
    seen_events = Whole("events at that time")

    n_stops = Size("times at which a step ends, within the run")
    stops = Reals(n_stops, meaning="these times, increasing", unit="s", when=COLUMNS)
    marks = Wholes(n_stops, meaning="what happens at each: UNMARKED, BOTH_SIDES, TIME_EVENT or PAUSE", when=COLUMNS)
    next_stop = Whole("which of them comes next")
    arrive = Address("of the form of a flow, called at each of them; it keeps the state")
    arrive_data = Address("its data")
