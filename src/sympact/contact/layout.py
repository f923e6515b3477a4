"""Where things stand in the table of one impact: an int64 array of sizes, addresses and answers.

n is the number of contacts, m the number of speeds, k the larger of the two. Participants stand in the order of WHO.
"""

# sizes
N_U = 0               # m
N_C = 1               # n
N_Q = 2               # coordinates, which stand before the speeds in the state
COUNT = 3             # participants

# the model
TERMS = 4             # address of void(double t, const double *x, const double *p, double *out): fills OUT
PARAMETERS = 5        # address of p
SOLVER = 6            # address of the unit that solves the impact problem
STAGE = 7             # what the transition returns: the stage after the impact

# the impact problem
OUT = 8               # m*m + n*m + 2n: M, W^T row by row, w, restitution; the factor of M overwrites M
SCALAR = 9            # the scalars below
WHO = 10              # n whole numbers: the participants
RATE_MINUS = 11       # n: gap rates of the participants before
UNCERTAIN = 12        # n: their rounding errors

# its solution
RATE_PLUS = 13        # n: gap rates after
IMPULSE = 14          # n
CHANGE = 15           # m: u+ - u-
PIVOT = 16            # the row of M whose pivot is not positive, -1 if there is none

# `distance_kernel.Problem`
COLUMNS = 18          # n x m: C^-1 W of the participants with M = C C^T, each of unit length
LENGTHS = 19          # n: the lengths taken off, sqrt(W^T M^-1 W)
BOUNDS = 20           # n: -(1 + e) gamma- over the length
MULTIPLIER = 21       # n: impulses times lengths
MOTION = 22           # m: C^T (u+ - u-)
STANDING = 23         # n whole numbers

# the problem by which impulses of redundant contacts are made small, see `least_norm_kernel`
ROWS = 24             # n x n
NULL_COLUMNS = 25     # n x n
NULL_BOUNDS = 26      # n
NULL_MULTIPLIER = 27  # n
NULL_POINT = 28       # n

# two of `linear_kernel.Basis`, seven slots each: Q, R (k x k), three times k numbers, k whole numbers, and one
BASIS = 30
NULL = 37

SWITCHES = 44         # address of the table of the switches of the stage, 0 where it has none

SIZE = 45

# scalars
LENGTH = 0            # the model's length (m)
RESIDUAL = 1          # of the complementarity problem, relative to its speeds
N_SCALARS = 2

# what a solver answers; the same numbers stand for failure in the answer of a transition
SOLVED = 0
NO_EFFECT = -1
UNSOLVED = -3
NOT_FINITE = -4
