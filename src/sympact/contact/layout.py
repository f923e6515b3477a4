"""Where things stand in the table of one impact: an int64 array of sizes, addresses and answers.

n is the number of contacts, m the number of speeds, k the larger of the two. Participants stand in the order of WHO.
"""

# sizes
N_U = 0             # m
N_C = 1             # n

# the model
N_Q = 2             # coordinates, which stand before the speeds in the state
TERMS = 3           # address of void(double t, const double *x, const double *p, double *out): fills OUT
PARAMETERS = 4      # address of p
STAGE = 5           # what the transition returns: the stage after the impact

# numbers
OUT = 8             # m*m + n*m + 2n: M, W^T row by row, w, restitution; the factor of M overwrites M
SCALAR = 9          # the scalars below
RATE_MINUS = 10     # n: gap rates of the participants before
RATE_PLUS = 11      # n: after
IMPULSE = 12        # n: of the participants
CHANGE = 13         # m: u+ - u-
COLUMNS = 14        # n x m: C^-1 W of the participants with M = C C^T, each of unit length
LENGTHS = 15        # n: the lengths taken off, sqrt(W^T M^-1 W)
BOUNDS = 16         # n: -(gamma- + e gamma-) over the length
MULTIPLIER = 17     # n: impulses times lengths
MOTION = 18         # m: C^T (u+ - u-)
SPREAD = 19         # n: impulses of least norm
ROWS = 20           # n x n: impulses that move nothing, row by row
NULL_COLUMNS = 21   # n x n: the problem by which they are added, see `least_norm_kernel`
NULL_BOUNDS = 22    # n
NULL_MULTIPLIER = 23  # n
NULL_POINT = 24     # n
UNCERTAIN = 25      # n: rounding errors of RATE_MINUS

# two bases of seven slots: Q, R (k x k), three times k numbers, k whole ones, and one; see `linear_kernel.Basis`
BASIS = 26
NULL = 33

# whole numbers
WHO = 42            # n: participants
STANDING = 43       # n: of each bound, see `distance_kernel`

# answers
PIVOT = 46          # the row of M whose pivot is not positive, -1 if there is none
SIZE = 48

# scalars
LENGTH = 0          # the model's length (m)
RESIDUAL = 1        # of the complementarity problem, relative to its speeds
N_SCALARS = 2

# what is answered
SOLVED = 0
NO_EFFECT = -1
UNSOLVED = -3
NOT_FINITE = -4
