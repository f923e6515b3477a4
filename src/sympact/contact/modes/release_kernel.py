"""Contacts that the last forces release: candidates that do not stay closed, and the height to which others rebound.

A rebound lower than DEAD_BAND is no separation.

A contact whose null direction lies within its cone has admissible forces for every load; released, it has none. With
the acceleration b of its gap, which changes by j along the motion that follows, it has the gap b t^2/2 + j t^3/6: where
j < 0 it returns from the height 2 b^3 / (3 j^2), slips by then, and locks again. As b grows from zero such rebounds
begin with zero height: a sticking contact continues to stick until they reach DEAD_BAND.
"""

import math

from sympact.contact.linalg.cholesky_kernel import dot
from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contact_tolerances import BEYOND_ERROR
from sympact.contact.modes.painleve_kernel import DROPPED
from sympact.contact.problem.assemble_kernel import (
    assemble_accelerations,
    jacobian,
    read_gaps,
    read_terms,
    scales,
    time_scale,
)
from sympact.contact.problem.slip_kernel import begins_to_slip, constrained_acceleration
from sympact.integrate.memory.run_tolerances import DEAD_BAND, NEGLIGIBLE, PROBE
from sympact.native.kernel import kernel
from sympact.native.pointer import call_flow, call_unit, leading


@kernel
def rise(contacts, t, x, modes):
    """The height, in DEAD_BAND, to which contacts that stick by `modes` rebound without a force; infinite on
    separation.

    The last forces must be those at this state, with `rates` of the free motion; the problem is assembled anew a little
    later for the remaining contacts.
    """
    model, mode, problem = contacts.model, contacts.mode, contacts.problem
    n, highest = problem.n_contacts, 0.0
    lift, length = mode.release_acceleration, model.length
    if not let_go(contacts, modes):
        return math.inf
    ahead = PROBE * time_scale(contacts)
    go_on(contacts, x, ahead)
    later = leading(problem.later_state, x.size)
    read_gaps(contacts, t + ahead, later)
    read_terms(contacts, t + ahead, later)
    accelerations, wt, m = problem.gap_acceleration, jacobian(contacts), problem.n_u
    change, released = problem.change, mode.released
    for k in range(m):
        change[k] = 0.0
    if problem.count > 0:
        assemble_accelerations(contacts, accelerations)
        call_flow(model.assemble_slip, t + ahead, later, contacts.address, later)
        if call_unit(model.force_solver, contacts.address) != codes.SOLVED:
            return math.inf
    for j in range(n):
        if released[j] == 1:
            turns = (accelerations[j] + dot(wt, j, change, m) - lift[j]) / ahead
            if not turns < 0.0:
                return math.inf
            highest = max(highest, 2.0 * max(lift[j], 0.0) ** 3 / (3.0 * turns * turns))
    return highest / (DEAD_BAND * length)


@kernel
def let_go(contacts, modes):
    """Mark in `released` contacts that should stick and move without a force, `release_acceleration` their gaps'
    accelerations; none of them stays a participant. False where there are none, where one moves under a force, and
    where another contact opens.
    """
    mode, problem = contacts.mode, contacts.problem
    n, kept, bound = problem.n_contacts, 0, constrained_acceleration(contacts)
    count = problem.count
    who, released, lift = problem.participants, mode.released, mode.release_acceleration
    after, force = problem.rate_plus, problem.impulse
    for j in range(n):
        released[j] = 0
    for i in range(count):
        j = who[i]
        opens = after[i] > bound and not force[i] > 0.0
        if opens and modes[j] != codes.STICK and modes[j] != codes.OPEN:
            return False
        if modes[j] == codes.STICK and (opens or begins_to_slip(contacts, i)):
            if force[i] > 0.0:
                return False
            released[j], lift[j] = 1, after[i]
        else:
            who[kept] = j
            kept += 1
    problem.count = kept
    return kept < count


@kernel
def go_on(contacts, x, ahead):
    """The state after that time with the last forces into `later_state`."""
    problem = contacts.problem
    nq, m = problem.n_q, problem.n_u
    rates, change = problem.rates, problem.change
    later = problem.later_state
    for k in range(nq + m):
        later[k] = x[k] + ahead * rates[k]
    for k in range(m):
        later[nq + k] += ahead * change[k]


@kernel
def drop_opening(contacts, largest):
    """Remove candidates whose gaps accelerate although they have no force; True if there were any.

    At first only those that still separate, if any of these do: removal of their rates has changed the slips, and with
    them the forces by which others open.
    """
    mode, problem = contacts.mode, contacts.problem
    separating = dropped = False
    who, candidate, rebound = problem.participants, mode.candidate, problem.rebound
    (_, none) = scales(contacts)
    for i in range(problem.count):
        separating = separating or (opens(problem, i, largest) and rebound[who[i]] > none)
    for i in range(problem.count):
        if opens(problem, i, largest) and (rebound[who[i]] > none or not separating):
            candidate[who[i]] = DROPPED
            dropped = True
    return dropped


@kernel
def opens(problem, i, largest):
    """Whether participant i accelerates away without a force, by the last forces."""
    return problem.rate_plus[i] > NEGLIGIBLE * largest and not problem.impulse[i] > 0.0


@kernel
def drop_rebounding(contacts, taken):
    """Remove candidates that still separate if removing all rates takes more energy than errors do; True if any did.

    The rates of low rebounds are remainders, but where contacts are near each other, or nearly lock a mechanism, they
    are those of fast motions, which only impulses may stop: these contacts rebound.
    """
    mode, problem = contacts.mode, contacts.problem
    dropped, speed, heaviest = False, mode.reference_speed, 0.0
    who, candidate, rebound, lengths = problem.participants, mode.candidate, problem.rebound, problem.lengths
    (_, none) = scales(contacts)
    for i in range(problem.count):
        if lengths[i] > 0.0:
            heaviest = max(heaviest, 1.0 / (lengths[i] * lengths[i]))
    if taken <= BEYOND_ERROR * 0.5 * speed * speed * heaviest:
        return False
    for i in range(problem.count):
        if rebound[who[i]] > none:
            candidate[who[i]] = 0
            dropped = True
    return dropped
