"""The meaning of whole numbers in the memory of a run: watching of boundaries, kinds of events, codes."""

# the numbers of an event, in `RunMemory.record`; the impulse of each boundary (N s) follows, then those of friction as
# vectors. `write_event` copies them into `event_record`, and `WrittenPiece.record` cuts them
ENERGY = 0  # change of kinetic energy, less the work of moving surfaces (J)
WINDOW = 1  # the time within which contacts count as simultaneous (s)
NEAREST = 2  # the time to contact of the nearest contact that does not take part (s)
KIND = 3  # one of the kinds below
REMAINDER = 4  # the time to accumulation, counted from the event (s); NaN where there is none
REMAINDER_ERROR = 5
REFERENCE_ACCELERATION = 6  # the reference acceleration of contacts (m/s^2)
FACTOR = 7  # by which the law reduced the restitutions of the impact, 1 where it did not
RESIDUAL = 8  # the violation of the law by the impulses, relative to the speeds of the problem
ENDS = 9  # 1 where a condition of the user's ends the run; before the transition ACCUMULATED where events accumulate
APPROACH = 10  # the largest speed at which a contact approached before the impact (m/s)
HEAD = 11

# how a boundary is watched
IGNORED = 0
BY_RATES = 1  # by g, g', g'' where the stage gives them
BY_VALUES = 2  # by values alone: the force of a closed contact
BY_FUNCTION = 3  # by values alone: a function of the user's own, or one of contact forces

# what is recorded at a time of the schedule
UNMARKED = 0
BOTH_SIDES = 1  # a sample before it and one after it: values that were constant change
TIME_EVENT = 2  # these, and an event
PAUSE = 3  # nothing: the loop returns to Python, and goes on from there

# kinds of events: their places in `EventKind`
TRANSITION_KIND = 0
IMPACT = 1
CLOSE = 2
OPEN = 3
STICK = 4
SLIP = 5
ACCUMULATION_KIND = 6
TIME = 7
STOP_KIND = 8
SWITCH = 9
CROSSING = 10
SLIDE = 11

ACCUMULATED = 2

# conditions of the user's own
BOTH = 0  # the sense of one that is an event in both directions
SILENT = 2  # of one that is no event by itself
ABSENT = 3  # of one that a stage does not have
UNKNOWN = 0.0  # in place of its sign

# when a jump of the user's is applied at an event with an impact
BEFORE = 0
AFTER = 1
INSTEAD = 2

# return codes of a unit of the stepper or the loop
OK = 0
FINISHED = 1
PAUSED = 2  # the budget is used up, or a buffer is full: call again
NOT_FINITE = -1
STEP_TOO_SMALL = -2
ACCUMULATION = -3
CHATTERING = -4
JUMP_WITHOUT_EFFECT = -5
UNSOLVED_IMPACT = -6
FAULTED = -7
EVENTS_EXHAUSTED = -8
SLIDING = -9
PAINLEVE = -10
UNENDED_IMPACT = -11
NO_RESTITUTION = -12
EVENT_LOOP = -13
BEYOND_BOUNDARY = -14
STEPS_EXHAUSTED = -15
NO_PROGRESS = -16
UNBALANCED_EVENT = -17
STOPPED = -18
BELOW_SURFACE = -19
UNBALANCED_ARC = -20
NEGATIVE_FRICTION = -21
