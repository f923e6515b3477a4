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

# the model in its present stage
STAGE = 8  # index of the present stage
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
CONTACTS = 19  # so many boundaries, the first ones, are gaps of contacts, whose bounces may come to rest
SCALES = 20  # address of 2 x NB: the length scale of each boundary, and 1 where it is given (else the largest |g| met)
ACTIVE = 21  # address of NB int64: 0 where the boundary is ignored
WIDTH = 12  # slots in a row of the table: FLOW ... ACTIVE

# the stepper
ADVANCE = 24  # address of the unit that takes one accepted step
DENSE = 25  # address of the unit that builds the step's polynomial
EXACT = 26  # address of the unit that repeats the step with a given size, or 0
SMOOTH = 27  # 1: the polynomial follows the flow closely enough for g' and g'' at the ends to speak for the step

ISOLATE = 28         # address of the unit that searches a step by g, g' and g''
SAMPLE = 29          # address of the unit that searches a step by values of g alone

# arrays of one step
REAL = 30  # address of the scalars below
ATOL = 31  # N absolute tolerances
X = 32  # N: the state at the start of the step
X_NEW = 33  # N: at its end
RATES = 34  # ROWS x N
POLYNOMIAL = 35  # DEGREE x N
SCRATCH = 36  # 4 N

# the search
GAPS_OLD = 38  # 3 x NB_MAX: g, g', g'' at the start of the step
GAPS_NEW = 39  # 3 x NB_MAX: at its end
GAPS_HERE = 40  # 3 x NB_MAX
OFFSET = 41  # NB_MAX: what is taken off g in this flight, so that a start on the boundary is a start at 0
NODES = 42  # DEPTH x 3 x NB_MAX (derivatives) or DEPTH x 9 x NB_MAX (values)
NODE_AT = 43  # DEPTH: where in the step the nodes are
POSITIVE_AT = 44  # NB_MAX: the last place where g was seen positive, -1 if nowhere
POSITIVE_GAP = 45  # NB_MAX: g there
ROOTS = 46  # NB_MAX: where g comes down to zero in the segment under study, 2 if nowhere
BERNSTEIN = 47  # 9
FIRED = 48  # NB_MAX int64
RECORD = 49  # HEAD + NB_MAX: what the transition reports; after HEAD impulses, and switches in the places of theirs

# samples and events written so far
SAMPLES = 52
SAMPLE_CAPACITY = 53
SAMPLE_T = 54
SAMPLE_X = 55  # SAMPLE_CAPACITY x N
SAMPLE_H = 56
SAMPLE_STAGE = 57
EVENTS = 58
EVENT_CAPACITY = 59
EVENT_T = 60
EVENT_SAMPLE = 61
EVENT_SOURCE = 62
EVENT_TARGET = 63
EVENT_FIRED = 64  # EVENT_CAPACITY x NB_MAX int64
EVENT_RECORD = 65  # EVENT_CAPACITY x (HEAD + NB_MAX)
SAMPLE_POLYNOMIAL = 66  # SAMPLE_CAPACITY x DEGREE x N, or 0 when polynomials are rebuilt on demand

# control and counters
RESTART = 68  # 1: a flight begins (the start, or after a jump)
FRESH = 69  # 1: the coming step is the first of its flight
FAULT = 70  # 1: a callback into Python raised; 2: a boundary was met that is not finite
BUDGET = 71  # steps that may be taken before the loop returns to Python
MAX_EVENTS = 72
INSTANT = 73  # events in a row at which time did not advance
STEPS = 74
REJECTED = 75
FLOW_CALLS = 76
BOUNDARY_CALLS = 77
DENSE_CALLS = 78
SIZE = 80

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
HEIGHT = 11  # hops lower than this end in an accumulation (in lengths of the boundary's scale)
ORDER = 12  # of the stepper's error estimate
LOG_ERROR = 13  # logarithm of the error of the step before, in units of the tolerance
N_REALS = 16

# what a transition reports, in RECORD; the impulse of each boundary (N s) follows
ENERGY = 0  # change of energy by the contacts' own measure (J)
WINDOW = 1  # the time within which contacts count as simultaneous (s)
NEAREST = 2  # the time to touch of the nearest contact left out (s)
KIND = 3  # the place of the event's kind in `EventKind`, 0 is a transition
REMAINDER = 4  # the time until hops that die away have ended, counted from the event (s); NaN where none do
REMAINDER_ERROR = 5
HEAD = 6

DEPTH = 64  # nodes that the search may hold

# what a unit of the stepper or the loop answers
OK = 0
FINISHED = 1
PAUSED = 2  # the budget is used up, or a buffer is full: call again
NOT_FINITE = -1
STEP_TOO_SMALL = -2
ACCUMULATION = -3
SUSTAINED_CONTACT = -4
JUMP_WITHOUT_EFFECT = -5
UNSOLVED_IMPACT = -6
FAULTED = -7
EVENTS_EXHAUSTED = -8
SLIDING = -9
