"""One contact after the other: impacts of single contacts at one instant, until none approaches.

Each is solved by the law of a single contact with the speeds after the one before. The next contact is determined by
`impact_order`: the one with the largest approach speed, or the first or last of the list that approaches. The sequence
may be endless: after `max_impacts` of them the code is UNENDED.
"""

import math
from typing import NamedTuple

from sympact.contact.linalg.cholesky_kernel import dot
from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contact_tolerances import STEP_ERROR
from sympact.contact.memory.contacts_kernel import contacts_at
from sympact.contact.problem.assemble_kernel import jacobian
from sympact.native.kernel import kernel
from sympact.native.pointer import call_unit


class Kept(NamedTuple):
    """The assembled data of the whole impact, and the sums over the single ones."""

    who: object
    rate: object
    e: object
    mu: object
    uncertain: object
    slip: object
    change: object
    impulse: object
    friction: object
    lengths: object


@kernel
def place_kept(contacts):
    """The memory of the stored data."""
    memory = contacts.law.sequential
    return Kept(
        memory.who,
        memory.rate,
        memory.e,
        memory.mu,
        memory.uncertain,
        memory.slip,
        memory.change,
        memory.impulse,
        memory.friction,
        memory.lengths,
    )


def solve(data):
    """Solve the impact in a `ContactData` table, contact by contact; UNENDED where that finds no end."""
    return solve_in_turn(contacts_at(data))


@kernel
def solve_in_turn(contacts):
    """Single impacts until none approaches; then the sum of them as the solution."""
    model, problem, law = contacts.model, contacts.problem, contacts.law
    count, kept = problem.count, place_kept(contacts)
    keep(contacts, kept)
    floor, code, residual = 0.0, codes.SOLVED, 0.0
    factor = 1.0
    impacts = 0
    while code == codes.SOLVED:
        i = next_contact(contacts, kept, count, floor)
        if i < 0:
            break
        if impacts >= law.max_impacts:
            code = codes.UNENDED
            break
        impacts += 1
        floor = max(floor, 4.0 * STEP_ERROR * assemble_single(contacts, kept, i))
        code = call_unit(model.single_solver, contacts.address)
        residual, factor = max(residual, problem.residual), min(factor, problem.restitution_factor)
        if code == codes.SOLVED:
            add_single(contacts, kept, i)
    if code == codes.UNSOLVED:
        return code  # the impact without a solution stays assembled, for the message
    put_back(contacts, kept, count)
    problem.residual, problem.restitution_factor = residual, factor
    return code


@kernel
def keep(contacts, kept):
    """Store the whole impact."""
    model, problem, law = contacts.model, contacts.problem, contacts.law
    m, n = problem.n_u, problem.n_contacts
    mass, source = law.mass_entries, problem.mass_entries
    lines, wt = problem.lines, jacobian(contacts)
    for k in range(m * m):
        mass[k] = source[k]
    if model.slips == 0:
        for j in range(n):
            for k in range(m):
                lines[3 * j, k] = wt[j, k]
    for k in range(m):
        kept.change[k] = 0.0
    who, slip = problem.participants, problem.slip_minus
    for i in range(problem.count):
        kept.who[i], kept.rate[i] = who[i], problem.rate_minus[i]
        kept.e[i], kept.mu[i] = problem.restitution[i], problem.coefficient[i]
        kept.uncertain[i], kept.impulse[i], kept.lengths[i] = problem.uncertain[i], 0.0, 0.0
        for c in range(2):
            kept.slip[i, c], kept.friction[i, c] = slip[i, c], 0.0


@kernel
def rate_now(contacts, kept, i):
    """The gap rate of participant i with the changes so far."""
    model = contacts.model
    return kept.rate[i] + dot(jacobian(contacts), kept.who[i], kept.change, model.n_u)


@kernel
def next_contact(contacts, kept, count, floor):
    """The participant whose turn it is, -1 when none approaches.

    For one that has had an impact an approach below `floor` is the residual of impacts; for another it counts, however
    slow.
    """
    law = contacts.law
    order, chosen, fastest = law.impact_order, -1, 0.0
    for i in range(count):
        rate = rate_now(contacts, kept, i)
        left = floor if kept.lengths[i] > 0.0 else 0.0
        if rate >= -max(left, kept.uncertain[i]):
            continue
        if chosen < 0 or order == 2.0 or (order == 0.0 and rate < fastest):
            chosen, fastest = i, rate
    return chosen


@kernel
def assemble_single(contacts, kept, i):
    """The impact of participant i alone, with the original M; returns its approach velocity."""
    problem, law = contacts.problem, contacts.law
    m = problem.n_u
    mass, target = law.mass_entries, problem.mass_entries
    for k in range(m * m):
        target[k] = mass[k]
    problem.count = 1
    problem.participants[0] = kept.who[i]
    problem.rate_minus[0] = rate_now(contacts, kept, i)
    problem.restitution[0] = kept.e[i]
    problem.coefficient[0] = kept.mu[i]
    problem.uncertain[0] = kept.uncertain[i]
    lines, slip = problem.lines, problem.slip_minus
    for c in range(2):
        slip[0, c] = kept.slip[i, c] + dot(lines, 3 * kept.who[i] + 1 + c, kept.change, m)
    return math.sqrt(problem.rate_minus[0] ** 2 + slip[0, 0] ** 2 + slip[0, 1] ** 2)


@kernel
def add_single(contacts, kept, i):
    """The changes by the impact of participant i."""
    problem = contacts.problem
    m = problem.n_u
    change, friction = problem.change, problem.friction_impulse
    for k in range(m):
        kept.change[k] += change[k]
    kept.impulse[i] += problem.impulse[0]
    kept.lengths[i] = problem.lengths[0]
    for c in range(2):
        kept.friction[i, c] += friction[0, c] if kept.mu[i] > 0.0 else 0.0


@kernel
def put_back(contacts, kept, count):
    """The whole impact into the table, with its solution."""
    problem = contacts.problem
    m = problem.n_u
    problem.count = count
    change, lines = problem.change, problem.lines
    for k in range(m):
        change[k] = kept.change[k]
    for i in range(count):
        problem.participants[i] = kept.who[i]
        problem.rate_minus[i], problem.restitution[i] = kept.rate[i], kept.e[i]
        problem.coefficient[i], problem.uncertain[i] = kept.mu[i], kept.uncertain[i]
        problem.rate_plus[i] = rate_now(contacts, kept, i)
        problem.impulse[i], problem.lengths[i] = kept.impulse[i], kept.lengths[i]
        for c in range(2):
            problem.slip_minus[i, c] = kept.slip[i, c]
            moved = dot(lines, 3 * kept.who[i] + 1 + c, change, m)
            problem.slip_plus[i, c] = kept.slip[i, c] + moved
            problem.friction_impulse[i, c] = kept.friction[i, c]
