"""Where things stand in the memory that the loop, the steppers and Python share.

A run owns one *frame*: an int64 array of sizes, counters and addresses of other arrays. Its slots are named here, and
only here.
"""

# sizes
N = 0  # states
ROWS = 1  # rows of STAGES: rates of the state at the stages of one step
LAST = 2  # the row that holds the rates at the end of the step (row 0: at its start)
DEGREE = 3  # rows of POLYNOMIAL
NB_MAX = 4  # the largest number of boundaries that a stage has
N_STAGES = 5  # stages of the process

# the search by proof
PROVED = 6  # NB_MAX int64: 1 where the gap is searched by its enclosures in this step
PROVE = 7  # address of the unit that searches a step by the enclosures of gaps

# the model in its present stage
STAGE = 8  # index of the present stage: the row of the table
TABLE = 9  # address of the table of stages: N_STAGES rows of WIDTH int64
# the present stage's row of the table is copied to these slots
FLOW = 10
FLOW_DATA = 11
BOUNDARY = 12
BOUNDARY_DATA = 13
NB = 14  # boundaries of the stage
DERIVATIVES = 15  # 1: the boundary function gives g, g', g''; 0: g alone
TRANSITION = 16
TRANSITION_DATA = 17
PROJECT = 18
CONTACTS = 19  # so many of the boundaries, the first ones, are gaps of contacts
SCALES = 20  # address of 3 x NB: the length scale of each boundary, 1 where it is given (else the largest |g| met), and
# the rounding of its value, from the sizes of the coordinates
ACTIVE = 21  # address of NB int64: IGNORED, or what watches the boundary: BY_RATES or BY_VALUES
FORCE = 22  # address of a function of the form of a flow, which gives the values of the boundaries watched BY_VALUES
STATUSES = 23  # address of whole numbers that the transition changes, and how many: they tell modes of a stage apart
N_STATUSES = 24
SWITCHES = 25  # the same for doubles of which the sign counts
N_SWITCHES = 26
BEGIN = 27  # address of a function of the form of a flow, which is called at the start of each flight, or 0
PREPARE = 28  # the same for each step
LENGTH = 29  # address of the length that contacts are compared with, where the motion tells it; 0 where the model does
PROOF = 30  # address of the table of `proof`, or 0 where no gap can be enclosed
STALL = 31  # address of a function that marks what is met where no step is small enough, or 0
WIDTH = 22  # slots in a row of the table: FLOW ... STALL

# modes: what is recorded as the stage of a sample or event, in the order in which they are met
MODE = 39  # the present one
MODES = 108  # how many have been met; 0 where stages have no modes: then MODE is STAGE
MODE_CAPACITY = 32
MODE_TABLE = 33  # address of MODE_CAPACITY x MODE_WIDTH int64: stage, statuses, signs of switches
MODE_WIDTH = 34
LOOKING = 35  # what `evaluate_gaps` evaluates: BY_RATES or BY_VALUES
KEPT_ROOTS = 36  # NB_MAX: roots of the gaps while those of the forces are sought
MET = 38  # NB_MAX: the largest excursion of each contact since its last event (m)
RECORD_WIDTH = 37  # numbers in RECORD: HEAD + NB_MAX, and three for each contact where there is friction

# the stepper
ADVANCE = 40  # address of the unit that takes one accepted step
DENSE = 41  # address of the unit that builds the step's polynomial
EXACT = 42  # address of the unit that repeats the step with a given size, or 0
SMOOTH = 43  # 1: the polynomial follows the flow closely enough for g' and g'' at the ends to speak for the step

ISOLATE = 44  # address of the unit that searches a step by g, g' and g''
SAMPLE = 45  # address of the unit that searches a step by values of g alone

# arrays of one step
REAL = 46  # address of the scalars below
ATOL = 47  # N absolute tolerances
X = 48  # N: the state at the start of the step
X_NEW = 49  # N: at its end
RATES = 50  # ROWS x N
POLYNOMIAL = 51  # DEGREE x N
SCRATCH = 52  # 4 N

# boundaries of transitions where a stage is entered, see `entry_kernel`
BEYOND_BY = 53  # NB_MAX: by how much the stage was entered beyond a boundary that has not come inside since, else 0
LATCHED = 67  # NB_MAX int64: 1 where the boundary of a transition has fired and not been below zero since; 2 in the
# first step of a flight, in which it is not searched

# the search
GAPS_OLD = 54  # 3 x NB_MAX: g, g', g'' at the start of the step
GAPS_NEW = 55  # 3 x NB_MAX: at its end
GAPS_HERE = 56  # 3 x NB_MAX
OFFSET = 57  # NB_MAX: what is taken off g in this flight, so that a start on the boundary is a start at 0
NODES = 58  # DEPTH x 3 x NB_MAX (derivatives) or DEPTH x 9 x NB_MAX (values)
NODE_AT = 59  # DEPTH: where in the step the nodes are
POSITIVE_AT = 60  # NB_MAX: the last place where g was seen positive, -1 if nowhere
POSITIVE_GAP = 61  # NB_MAX: g there
ROOTS = 62  # NB_MAX: where g comes down to zero in the segment under study, 2 if nowhere
BERNSTEIN = 63  # 9
FIRED = 64  # NB_MAX int64
RECORD = 65  # RECORD_WIDTH: what the transition reports
REJECTED_BY = 66  # N int64: how many steps were rejected for the error of each state

# samples and events written so far
SAMPLES = 68
SAMPLE_CAPACITY = 69
SAMPLE_T = 70
SAMPLE_X = 71  # SAMPLE_CAPACITY x N
SAMPLE_H = 72
SAMPLE_STAGE = 73
EVENTS = 74
EVENT_CAPACITY = 75
EVENT_T = 76
EVENT_SAMPLE = 77
EVENT_SOURCE = 78
EVENT_TARGET = 79
EVENT_FIRED = 80  # EVENT_CAPACITY x NB_MAX int64
EVENT_RECORD = 81  # EVENT_CAPACITY x RECORD_WIDTH
SAMPLE_POLYNOMIAL = 82  # SAMPLE_CAPACITY x DEGREE x N, or 0 when polynomials are rebuilt on demand

# control and counters
RESTART = 84  # 1: a flight begins (the start, or after a jump)
JUMPED = 83  # 1: the flight that begins comes after a jump, or is the first
FRESH = 85  # 1: the coming step is the first of its flight
FAULT = 86  # 1: a callback into Python raised; 2: a boundary was met that is not finite
BUDGET = 87  # steps that may be taken before the loop returns to Python
MAX_EVENTS = 88
INSTANT = 89  # events in a row at which time did not advance
STEPS = 90
REJECTED = 91
FLOW_CALLS = 92
BOUNDARY_CALLS = 93
DENSE_CALLS = 94
BEYOND = 95  # boundaries that the stage was entered beyond and that have not come inside since
MAX_STEPS = 96  # steps that may be tried, accepted or not; 0: as many as it takes
LOOK_AT = 97  # steps tried at which it is looked whether the run gets on
SEEN_STEPS = 98  # steps tried, and events met, when the run was last seen to get on
SEEN_EVENTS = 99
LATCHES = 100  # boundaries that are latched

# the schedule: times at which a step ends, within the run
STOPS = 101  # address of N_STOPS float64, increasing
N_STOPS = 102
NEXT_STOP = 103  # which of them comes next
ARRIVE = 104  # address of a function of the form of a flow, which is called at each of them; it keeps the state
ARRIVE_DATA = 105

UNPROVEN = 106  # steps in which a part was taken by its numbers, because the enclosures leave all open
PARTS = 107  # parts of steps that were enclosed
SIZE = 109

# scalars
T = 0  # the start of the step
T_NEW = 1  # its end
H = 2  # its size
H_NEXT = 3  # the size to try next
T_END = 4
RTOL = 5
MAX_STEP = 6
T_START = 7  # of the run
APPROACH = 8  # the largest rate at which the last event's boundaries were approached
T_INF = 9  # accumulation of events, once found
T_INF_ERROR = 10
REFERENCE = 11  # the acceleration that those of contacts are compared with (m/s^2)
ORDER = 12  # of the stepper's error estimate
LOG_ERROR = 13  # logarithm of the error of the step before, in units of the tolerance
BEND = 14  # the largest acceleration of a contact's gap met so far in free flight (m/s^2)
SEARCHED = 15  # size of the step that was searched, of which ROOTS are fractions
SEEN_T = 16  # the time when the run was last seen to get on
ENTRY_T = 17  # when the present stage was entered beyond a boundary
H_AFTER = 18  # the size to try after the first step of a flight in which a boundary is not searched
T_STOP = 19  # where the coming step ends at the latest: T_END, or the next time of the schedule
N_REALS = 20

# what a transition reports, in RECORD; the impulse of each boundary (N s) follows, then those of friction as vectors
ENERGY = 0  # change of energy by the contacts' own measure (J)
WINDOW = 1  # the time within which contacts count as simultaneous (s)
NEAREST = 2  # the time to touch of the nearest contact left out (s)
KIND = 3  # one of the kinds below
REMAINDER = 4  # the time until hops that die away have ended, counted from the event (s); NaN where none do
REMAINDER_ERROR = 5
REFERENCE_ACCELERATION = 6  # in: BEND; out: the acceleration that those of contacts are compared with (m/s^2)
FACTOR = 7  # by which the law lowered the restitutions of the impact, 1 where it did not
HEAD = 8

# how a boundary is watched
IGNORED = 0
BY_RATES = 1  # by g, g', g'' where the stage gives them
BY_VALUES = 2  # by values alone: the force of a closed contact

# kinds of events: their places in `EventKind`
TRANSITION_KIND = 0
IMPACT = 1
CLOSE = 2
OPEN = 3
STICK = 4
SLIP = 5
ACCUMULATION_KIND = 6

DEPTH = 64  # nodes that the search may hold

# what a unit of the stepper or the loop answers
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
JAMMED = -10
UNENDED_IMPACT = -11
NO_RESTITUTION = -12
EVENT_LOOP = -13
BEYOND_BOUNDARY = -14
STEPS_EXHAUSTED = -15
NO_PROGRESS = -16
UNBALANCED_EVENT = -17
