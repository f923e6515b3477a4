"""What a problem of contacts needs of the model at a state: rates, gaps, M, W, and the columns C^-1 W, M = C C^T."""

import math

from sympact.contact.linalg.cholesky_kernel import factor, forward, row_norm
from sympact.contact.memory import contact_layout as at
from sympact.native.kernel import kernel
from sympact.native.pointer import call_boundary, call_flow, reals, reals2, wholes

ROUNDED = 1e-13  # of the largest acceleration of a gap so far: the rounding of one, which may be a small difference
HEIGHT = 1e-10  # of the length: hops lower than this are the end of an accumulation
STEADY = 1.0 - 1e-9  # restitutions above this lose nothing: their hops never end
SLOW = 5e-14  # of the speed that the free acceleration gives in the time scale: an approach that is none


@kernel
def jacobian(table):
    """W^T, one row for each contact."""
    m, n = table[at.N_U], table[at.N_C]
    return reals2(table[at.OUT] + 8 * m * m, n, m)


@kernel
def drift(table):
    """w, the gap rates at u = 0."""
    m, n = table[at.N_U], table[at.N_C]
    return reals(table[at.OUT] + 8 * (m * m + n * m), n)


@kernel
def restitutions(table):
    """The restitution e of each contact, as the model gives it."""
    m, n = table[at.N_U], table[at.N_C]
    return reals(table[at.OUT] + 8 * (m * m + n * m + n), n)


@kernel
def mass_factor(table):
    """The memory of M and its factor C."""
    return reals2(table[at.OUT], table[at.N_U], table[at.N_U])


@kernel
def read_terms(table, t, x):
    """M, W, w and e at a state into OUT."""
    m, n = table[at.N_U], table[at.N_C]
    call_flow(table[at.TERMS], t, x, table[at.PARAMETERS], reals(table[at.OUT], m * m + n * m + 2 * n))


@kernel
def read_gaps(table, t, x):
    """The rates of the state in free motion into RATES; g, g' and g'' along them into ALONG."""
    rates = reals(table[at.RATES], x.size)
    call_flow(table[at.FLOW], t, x, table[at.PARAMETERS], rates)
    along = reals(table[at.ALONG], 3 * table[at.N_B])
    call_boundary(table[at.GAPS], t, x, rates, table[at.PARAMETERS], along)


@kernel
def list_closed(table):
    """The closed contacts into WHO; returns how many there are."""
    n, count = table[at.N_C], 0
    who, status = wholes(table[at.WHO], n), wholes(table[at.STATUS], n)
    for j in range(n):
        if status[j] != at.OPEN:
            who[count] = j
            count += 1
    table[at.COUNT] = count
    return count


@kernel
def factor_mass(table):
    """Replace M by its factor; True when M is positive definite."""
    table[at.PIVOT] = factor(mass_factor(table), table[at.N_U])
    return table[at.PIVOT] < 0


@kernel
def pose_columns(table, count):
    """Columns C^-1 W of the participants, made unit vectors, and their lengths."""
    m, n, mass = table[at.N_U], table[at.N_C], mass_factor(table)
    who, wt = wholes(table[at.WHO], n), jacobian(table)
    a, lengths = reals2(table[at.COLUMNS], n, m), reals(table[at.LENGTHS], n)
    for i in range(count):
        for k in range(m):
            a[i, k] = wt[who[i], k]
        forward(mass, m, a, i)
        lengths[i] = row_norm(a, i, m)
        if lengths[i] > 0.0:
            for k in range(m):
                a[i, k] /= lengths[i]


@kernel
def pose_accelerations(table, bends):
    """The problem of the forces of the contacts in WHO: their accelerations for rates, no restitution."""
    n = table[at.N_C]
    who, rate, uncertain = wholes(table[at.WHO], n), reals(table[at.RATE_MINUS], n), reals(table[at.UNCERTAIN], n)
    e, largest = reals(table[at.RESTITUTION], n), reals(table[at.SCALAR], at.N_SCALARS)[at.LARGEST]
    for j in range(n):
        largest = max(largest, abs(bends[j]))
    for i in range(table[at.COUNT]):
        rate[i], uncertain[i], e[i] = bends[who[i]], ROUNDED * largest, 0.0


@kernel
def time_scale(table):
    """The time in which the reference acceleration covers the length; where nothing accelerates, 1 m/s^2 does."""
    scalar = reals(table[at.SCALAR], at.N_SCALARS)
    return math.sqrt(scalar[at.LENGTH] / (scalar[at.REFERENCE] if scalar[at.REFERENCE] > 0.0 else 1.0))


@kernel
def scales(table):
    """(speed below which a hop is lower than HEIGHT, speed that is none)."""
    scalar = reals(table[at.SCALAR], at.N_SCALARS)
    square = scalar[at.REFERENCE] * scalar[at.LENGTH]
    return math.sqrt(2.0 * HEIGHT * square), SLOW * math.sqrt(square)
