"""The restitution of the participants of an impact: the model's at their approach speeds, then that of this impact."""

from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contact_tolerances import STEADY
from sympact.contact.problem.assemble_kernel import restitutions, scales
from sympact.native.kernel import kernel


@kernel
def take_restitutions(contacts):
    """The restitutions at this event into `event_restitution`; True when those of participants that approach are from 0
    to 1.

    One that depends on the approach speed is evaluated at zero where a contact separates or rests; there its value is
    limited to the range.
    """
    problem = contacts.problem
    n, good = problem.n_contacts, True
    read, given = restitutions(contacts), problem.event_restitution
    who, rate = problem.participants, problem.rate_minus
    for j in range(n):
        given[j] = min(read[j], 1.0) if read[j] >= 0.0 else 0.0
    for i in range(problem.count):
        good = good and (rate[i] >= 0.0 or 0.0 <= read[who[i]] <= 1.0)
    return good


@kernel
def choose_restitutions(contacts):
    """The restitution of each participant in this impact; returns whether an open one approaches.

    One that is closed, or whose rebound would be lower than DEAD_BAND, does not rebound. A separating contact keeps its
    restitution: with another one it could gain energy from the impulses of the others (docs/theory, accumulation).

    Where restitution acts on impulses between contacts, closed contacts have theirs, too, and it is set to zero when no
    participant would rebound as high.
    """
    mode, problem, shared = contacts.mode, contacts.problem, contacts.law.shared == 1
    hit, high = False, False
    who, status, rate = problem.participants, mode.status, problem.rate_minus
    e, given = problem.restitution, problem.event_restitution
    low, none = scales(contacts)
    for i in range(problem.count):
        j = who[i]
        closed, e[i] = status[j] != codes.OPEN, given[j]
        high = high or e[i] >= STEADY or -e[i] * rate[i] > low
        if not shared and (closed or (rate[i] <= 0.0 and e[i] < STEADY and -e[i] * rate[i] <= low)):
            e[i] = 0.0
        hit = hit or (not closed and rate[i] < -none)
    for i in range(problem.count if shared and not high else 0):
        e[i] = 0.0
    return hit
