"""Where things stand in the table of the contacts of one run: an int64 array of sizes, addresses and answers.

n is the number of contacts, m the number of speeds, k the larger of the two. Participants of an impact, and the closed
contacts where forces are asked for, stand in the order of WHO.
"""

# sizes
N_U = 0  # m
N_C = 1  # n
N_Q = 2  # coordinates, which stand before the speeds in the state
N_B = 3  # boundaries: n contacts, then the others
COUNT = 4  # participants

# the model: functions of C with the parameters as data, see `sympact.integrate.problem.program.Stage`
TERMS = 5  # address of void(double t, const double *x, const double *p, double *out): fills OUT
PARAMETERS = 6  # address of p
FLOW = 7  # the free motion
GAPS = 8  # g, g', g'' of all boundaries
PROJECT = 9  # brings a state to unit quaternions, 0 where there are none
SOLVER = 10  # address of the unit that solves the impact problem
SWITCHES = 59  # address of the table of the switches of the stage, 0 where it has none

# units that the transition calls by address, so that each is compiled once; the table's own address is their data
SELF = 60
FORCE_SOLVER = 61  # solves the problem posed in the table for forces
HOLD = 62  # `closed_kernel.closed_rates`
WATCH = 63  # `closed_kernel.closed_forces`
SETTLE = 64  # `closed_kernel.project_closed`
TAKE_RATES = 65  # `closed_kernel.take_rates`

# the present mode
STATUS = 11  # n + 1 whole numbers: OPEN ... TOUCH for each contact, then 1 where the whole model is at rest
ACTIVE = 12  # N_B whole numbers: how the loop watches each boundary, see `sympact.integrate.memory.run_layout`

# what is remembered of each contact's impacts, n numbers each, NaN before there is any
LAST_T = 13  # the time of the last one
INTERVAL = 14  # the time between the last two
LAST_REBOUND = 15  # the rate after the last one
REBOUND_BEFORE = 16  # the rate after the one before

# the problem: M y = ..., M = C C^T
OUT = 17  # m*m + n*m + 2n: M, W^T row by row, w, restitution; the factor of M overwrites M
SCALAR = 18  # the scalars below
WHO = 19  # n whole numbers: the participants
RATE_MINUS = 20  # n: gap rates of the participants before (or, for forces, their accelerations without force)
UNCERTAIN = 21  # n: their rounding errors
RESTITUTION = 22  # n: the restitutions of the participants

# its solution
RATE_PLUS = 23  # n: gap rates after (accelerations with the forces)
IMPULSE = 24  # n: impulses (forces)
CHANGE = 25  # m: u+ - u- (change of u')
PIVOT = 26  # the row of M whose pivot is not positive, -1 if there is none

# `active_set_kernel.Problem`
COLUMNS = 27  # n x m: C^-1 W of the participants with M = C C^T, each of unit length
LENGTHS = 28  # n: the lengths taken off, sqrt(W^T M^-1 W)
BOUNDS = 29  # n: -(1 + e) gamma- over the length
MULTIPLIER = 30  # n: impulses times lengths
MOTION = 31  # m: C^T (u+ - u-)
STANDING = 32  # n whole numbers

# the problem by which impulses of redundant contacts are made small, see `min_norm_kernel`
ROWS = 33  # n x n
NULL_COLUMNS = 34  # n x n
NULL_BOUNDS = 35  # n
NULL_MULTIPLIER = 36  # n
NULL_POINT = 37  # n

# two of `cholesky_kernel.Basis`, seven slots each: Q, R (k x k), three times k numbers, k whole numbers, and one
BASIS = 38
NULL = 45

# scratch
ALONG = 52  # 3 N_B: g, g', g'' of all boundaries
RATES = 53  # N_Q + m: rates of a state
TRIAL = 54  # N_Q + m: a state
CANDIDATE = 55  # n whole numbers: 1 for contacts that may stay closed, -1 for those that no force holds
VALUES = 56  # N_B: force values
AHEAD_STATE = 57  # N_Q + m: a state a little later
HOP = 58  # n: the rate with which a participant would hop on

# friction: units, 0 where no contact has any
RUB = 66  # address of void(double t, const double *x, const double *xdot, const double *p,
# double *out): SLIPS
MEASURE_SLIP = 67  # `slip_kernel.measure_slip`
POSE_SLIP = 68  # `slip_kernel.pose_slip`
NAME_MODES = 69  # `slip_kernel.name_modes`
REPORT_FRICTION = 102  # `closed_friction_kernel.report_friction`
BEGINNING = 105  # n whole numbers: 1 for contacts that begin to slip
STRIKE_WHEN_JAMMED = 106  # 1: where no force holds a contact that slips, friction makes an impact
CONE = 103  # `cone_units_kernel.solve_on_cone`
HARD_CONE = 107  # `cone_units_kernel.solve_hard_cone`, made when it is first called
FRICTIONLESS = 104  # `frictionless_kernel.solve`

# friction: what is read of each contact, in the order of the contacts
SLIPS = 70  # n x (11 + 3m): n, v, v', dv/du row by row, mu, mu_static
TANGENTS = 71  # n x 6: two unit tangents
LINES = 72  # 3n x m: W^T of the normal and of both tangents
ANCHOR = 73  # n x 3: the direction of slip that a step began with
STICKY = 74  # n whole numbers: 1 where the tangential rates are taken out with the gap rate
NEXT = 75  # n whole numbers: the status that a candidate gets

# friction: the problem of the participants, three numbers each (normal, tangents) unless it says otherwise
COEFFICIENT = 76  # n: mu
SLIDING = 77  # n whole numbers: 1 where the direction of slip is given
DIRECTION = 78  # n x 2: that direction
SLIP_MINUS = 79  # n x 2: slip before (or the tangential acceleration without force)
SLIP_PLUS = 80  # n x 2: slip after
FRICTION_IMPULSE = 81  # n x 2: tangential impulses (forces)
PUSHES = 82  # n x 3: the same by contact, components in N
HANDLES = 83  # 3n x m: C^-1 W
DELASSUS = 84  # 3n x 3n
CONE_RATE = 85
CONE_IMPULSE = 86
CONE_AFTER = 87
CONE_REPORT = 88  # 2
CONE_SCRATCH = 89
CONE_PLACES = 90

# friction: the equations of closed contacts, one for each direction that is held
RANK = 92  # `rank_size(m, 3n)`: the directions that are held, see `rank_kernel`
HELD_BOUNDS = 93  # 3n
CARRIERS = 94  # 3n x m: C^-1 of the directions in which forces act
EQUATIONS = 95  # m x 3n
EFFORT = 96  # m
MULTIPLIERS = 97  # 3n
WEIGHTS = 98  # 3n
BEARERS = 99  # 3n whole numbers: 3 j + 0, 1, 2 for normal and tangents of contact j
CONE_SCRATCH_SIZE = 100
CONE_PLACES_SIZE = 101

# laws beyond Newton's, and impacts resolved one by one or by ratios: 0 where the law needs none of it
INNER = 108  # address of the unit that solves the impact of one contact
OWN = 109  # address of int64(int64 table): a law of the user's own
LAW_NUMBERS = 110  # the numbers below
STIFFNESS = 111  # n
BEFORE = 112  # 3n: gap rate and slip of the participants before
REACHED = 113  # 3n: the same at the end of compression
COMPRESSION = 114  # 3n: impulses of compression
LEAST = 115  # n: the least impulses of expansion
MASS = 116  # m x m: M
LAW_SCRATCH = 117  # `law_scratch(m, n)` numbers
LAW_PLACES = 118  # 6n + 1 whole numbers
KEPT = 119  # `kept_size(m, n)` numbers
KEPT_WHO = 120  # n whole numbers
SHARED = 121  # 1: restitution acts on what contacts hand to each other, so that it counts for closed ones too

# friction: where Coulomb's law has none or several answers, see `painleve_kernel`
HELD_LINES = 122  # 3n whole numbers: the line of W^T that each held direction is, -1 after the last
JAM_WHO = 123  # the contact found jammed last
JAM_KIND = 124  # what there is for it: NO_FORCE, NO_BOUND or SEVERAL

GRAIN = 125  # n: the height below which a gap is rounding of the coordinates it is made of

RANK_PLACES = 126  # `rank_places(3n)` whole numbers
KEEP_STICKING = 127  # `margin_kernel.keep_sticking`
SLIDE_AT_DEAD_POINTS = 128  # `dead_point_kernel.slide_at_dead_points`

TOGETHER = 129  # address of the unit that solves several contacts at once where one alone follows its path
POSED = 130  # what was posed last: IMPACT or FORCES
GIVEN = 131  # n: the restitution of each contact at the event, by its approach, brought into 0..1

# the audit of an event, see `audit_kernel`
SPEEDS_BEFORE = 132  # m: u-
UNACCOUNTED = 133  # 2 x m: what no impulse accounts for, and scratch
NEVER_GAINS = 134  # 1: the law never creates energy
AUDIT_FAULT = 135  # one of the faults below

LEAPT = 136  # the contact whose place leapt at the end of a step, plus 1; not positive: none has
SENT = 137  # n whole numbers: 1 for open contacts that approach before closed ones are settled
POSED_CHANGE = 138  # m: the change of the speeds that is posed where friction makes an impact
STOPPED = 139  # n whole numbers: 1 for contacts that the impact of this event has stopped altogether
LET_GO = 140  # n whole numbers: 1 for contacts that the forces just found let go, see `release_kernel`
LIFT = 141  # n: the accelerations of their gaps
LATER_STATE = 142  # N_Q + m: a state a little later on their way
SIZE = 143

# numbers of the laws
TANGENTIAL = 0  # restitution of slip
GUARD = 1  # 1: restitutions are lowered until no energy is gained
EXPONENT = 2  # of the force of a compressed contact
MAX_IMPACTS = 3  # one by one
ORDER = 4  # 0: the fastest first, 1: the first in the list, 2: the last
PATH_LAW = 5  # what expansion along Routh's path gives back, see `routh_ends`
N_LAW_NUMBERS = 6

# scalars
LENGTH = 0  # the model's length (m)
RESIDUAL = 1  # of the complementarity problem, relative to its speeds
REFERENCE = 2  # the largest acceleration of a gap without contact forces, at the last change of mode (m/s^2)
LARGEST = 3  # the largest such acceleration of the run so far
TAKEN = 4  # the energy that the gap rates taken out last went with (J)
RUBBED = 5  # the energy that friction took in the impact solved last, by the contacts' own measure (J)
SPEED = 6  # the length in the time scale, of the first event of the run (m/s)
FACTOR = 7  # by which the restitutions of the impact solved last were lowered, 1 where they were not
JAM_SHARE = 8  # the inverse mass of the contact found jammed last, relative to that without friction
AUDIT_FOUND = 9  # what the audit found, and what it is beside, see `data.Imbalance`
AUDIT_BESIDE = 10
ALL_BUT_ZERO = 11  # |s|, what friction left of the inverse mass, where no step was small enough; 0: steps were
CLOSED_RATE = 12  # the largest gap rate that settling took last from a closed contact (m/s)
MOVES = 13  # sqrt(u^T M u) before the impact solved last, 0 where that is not known
N_SCALARS = 14

# statuses of a contact
OPEN = 0
CLOSED = 1  # without friction
STICK = 2
SLIP = 3
TOUCH = 4  # in a model with friction: held on its surface by the others, so that it bears nothing

# what a problem asks for
FORCES = 0
IMPACT = 1

# what is wrong with a contact that slips (Painleve)
NO_FORCE = 1  # pushing presses it the more: no force holds it
NO_BOUND = 2  # its force has grown beyond all bounds
SEVERAL = 3  # it may slide on, lift off or jam

# what is wrong with an event
NOT_A_NUMBER = 1  # an impulse or a speed
WITHOUT_IMPULSE = 2  # speeds changed: the energy of the change (J), beside the kinetic energy before
FROM_NOTHING = 3  # energy was made (J), beside the kinetic energy before
WITHOUT_BOUND = 4  # an impulse, beside that of all the kinetic energy there is (both in sqrt(J))

# what a solver answers; the same numbers stand for failure in the answer of a transition
SOLVED = 0
NO_EFFECT = -1
UNSOLVED = -3
NOT_FINITE = -4
JAMMED = -5
FAULTED = -2  # a function of the user's raised
UNENDED = -6  # contacts went on hitting each other
NO_RESTITUTION = -7  # the restitution of a contact that approaches is no number from 0 to 1
UNBALANCED = -8  # the event is not in balance


def law_scratch(m: int, n: int) -> int:
    """How many numbers of scratch a law may use for m speeds and n contacts."""
    return 27 * n * n + 60 * n + 256 + rank_size(m, 3)


def kept_size(m: int, n: int) -> int:
    """How many numbers `sequential_kernel` keeps of the whole impact."""
    return m + 12 * n


def rank_size(m: int, rows: int) -> int:
    """How many numbers `rank_kernel.Rank` needs for so many rows of m numbers."""
    return 2 * rows * m + m * m + 2 * rows * rows + 2 * rows


def rank_places(rows: int) -> int:
    """How many whole numbers it needs."""
    return 2 * rows + 1
