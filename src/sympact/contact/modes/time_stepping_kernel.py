"""One step of Moreau and Jean: without a search for impacts, all contacts of a step share one problem of percussions.

With A the start, M the middle and E the end of a step h,

    x_M = x_A + (h/2) x'(t_A, x_A)                               x' = [q', u'], the motion without contact forces
    u_F = u_A + h u'(t_M, x_M)
    M (u_E - u_F) = W_N P_N + W_T P_T                            M, W at q_M; over contacts with g_N(q_M) <= 0
    0 <= P_N _|_ gamma_N,E + e gamma_N,A >= 0,  Coulomb's law for P_T and the slip of u_E
    q_E = q_A + h q'(t_M, q_M, (u_A + u_E)/2)

gamma_A and gamma_E are formed with W of the middle. With gamma_F + e gamma_A for the rate before and no restitution
this is an impact problem of the laws. See docs/theory, time stepping.
"""

import math

from sympact.contact.linalg.cholesky_kernel import dot
from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contacts_kernel import contacts_at
from sympact.contact.modes.impulse_report_kernel import report, report_slip
from sympact.contact.problem.assemble_kernel import (
    drift,
    jacobian,
    measure_rates,
    read_gaps,
    read_terms,
    restitutions,
    without_restitution,
)
from sympact.contact.problem.coulomb_kernel import frictionless
from sympact.contact.problem.frictionless_kernel import finite
from sympact.contact.problem.slip_kernel import has_negative_friction
from sympact.integrate.loop.event_kernel import refusal, write_event, write_sample
from sympact.integrate.memory import run_codes as loop
from sympact.integrate.memory.run_kernel import run_at
from sympact.integrate.search.switch_kernel import settle
from sympact.integrate.steppers.runge_kutta_kernel import accept, bounded
from sympact.native.kernel import kernel
from sympact.native.pointer import call_flow, call_unit, leading, reals
from sympact.native.rounding import EPS, HALF_DIGITS, ROUNDINGS

TRIALS = 3  # each relaxes the tolerance by a factor of 100


def moreau_advance(address):
    """Make one step of the size max_step; where it hits contacts that were open, it has an event at the middle."""
    run = run_at(address)
    x, x_new = run.x, run.x_new
    contacts, rates = contacts_at(run.stage.transition_data), run.rates
    model = contacts.model
    h = bounded(run, run.max_step)
    code = take_step(contacts, run.t, h, x, rates[0], x_new)
    run.flow_calls += 2
    run.boundary_calls += 1
    if run.fault != 0:
        return loop.FAULTED
    if code != codes.SOLVED:
        return refusal(code)
    accept(run, h)
    if mark_pushing(contacts):
        write_impact(run, contacts)
        if run.events >= run.max_events:
            return loop.EVENTS_EXHAUSTED
    settle(model.switches, run.t_new, run.x_new.ctypes.data, 0, 1)
    if run.stage.project == 0:
        call_flow(model.free_flow, run.t_new, x_new, model.free_data, rates[1])
        run.flow_calls += 1
    return loop.OK


def stepped_forces(t, h, x_address, data, out_address):
    """The mean contact forces (N) over the step h from a state at t, equal to that of the run.

    Out are the normal forces, n numbers, then those of friction, 3 n numbers in N; two states of scratch follow.
    """
    contacts = contacts_at(data)
    model, problem = contacts.model, contacts.problem
    nx, n = problem.n_q + problem.n_u, problem.n_contacts
    x, force, push = reals(x_address, nx), reals(out_address, n), reals(out_address + 8 * n, 3 * n)
    rates, x_new = reals(out_address + 32 * n, nx), reals(out_address + 8 * (4 * n + nx), nx)
    settle(model.switches, t, x_address, 0, 1)
    call_flow(model.free_flow, t, x, model.free_data, rates)
    take_step(contacts, t, h, x, rates, x_new)
    who, impulse = problem.participants, problem.impulse
    for j in range(n):
        force[j] = 0.0
    for k in range(3 * n):
        push[k] = 0.0
    for i in range(problem.count):
        force[who[i]] = impulse[i] / h
    if model.slips != 0 and problem.count > 0:
        call_unit(model.report_friction, data)
        found = problem.friction_components
        for k in range(3 * n):
            push[k] = found[k] / h


@kernel
def take_step(contacts, t, h, x, rates, x_new):
    """The end of the step from x with its rates into x_new; [q_M, u_F] is stored in `ahead_state`. The solver's
    code."""
    model, problem = contacts.model, contacts.problem
    nq, m = problem.n_q, problem.n_u
    middle, free = problem.trial, problem.ahead_state
    accelerations, change, half = problem.rates, problem.change, t + 0.5 * h
    for i in range(nq + m):
        middle[i] = x[i] + 0.5 * h * rates[i]
    settle(model.switches, half, problem.trial.ctypes.data, 0, 1)
    read_gaps(contacts, half, middle)
    if not finite(leading(problem.along, problem.n_contacts)):
        return codes.NOT_FINITE
    for i in range(nq + m):
        free[i] = middle[i] if i < nq else x[i] + h * accelerations[i]
        x_new[i] = free[i]
    if list_touching(contacts) > 0:
        code = find_percussions(contacts, half, x, free)
        if code != codes.SOLVED:
            return code
        for k in range(m):
            x_new[nq + k] += change[k]
    for k in range(m):
        middle[nq + k] = 0.5 * (x[nq + k] + x_new[nq + k])
    call_flow(model.free_flow, half, middle, model.free_data, accelerations)
    for i in range(nq):
        x_new[i] = x[i] + h * accelerations[i]
    return codes.SOLVED if finite(x_new) else codes.NOT_FINITE


@kernel
def list_touching(contacts):
    """Contacts whose gaps in `along` are not above zero, but for rounding, into `participants`; others are open."""
    model, mode, problem = contacts.model, contacts.mode, contacts.problem
    n, count = problem.n_contacts, 0
    gaps, who, status = leading(problem.along, n), problem.participants, mode.status
    touching = ROUNDINGS * EPS * model.length
    for j in range(n):
        if gaps[j] <= touching:
            who[count] = j
            count += 1
        else:
            status[j] = codes.OPEN
    problem.count = count
    return count


@kernel
def find_percussions(contacts, t, x, free):
    """Solve for the percussions of the participants; the rates at the start of the step go into `rebound`.

    The law is applied to gamma_F + e gamma_A without restitution; afterwards gamma_F and gamma_E replace these.
    """
    model, problem = contacts.model, contacts.problem
    who, given, start = problem.participants, restitutions(contacts), problem.rebound
    before, after = problem.rate_minus, problem.rate_plus
    met, code = HALF_DIGITS, codes.UNSOLVED
    for trial in range(TRIALS):
        if trial > 0:
            contacts.solvers.relaxed += 1
        assemble_percussions(contacts, t, x, free)
        if model.slips != 0 and has_negative_friction(contacts):
            return codes.NEGATIVE_FRICTION
        if model.slips != 0 and not frictionless(contacts):
            relax_tolerance(contacts, met)
        code = call_unit(model.impact_solver, contacts.address)
        if code != codes.UNSOLVED:
            break
        met *= 100.0
    for i in range(problem.count):
        before[i] -= given[who[i]] * start[i]
        after[i] -= given[who[i]] * start[i]
    return code


@kernel
def assemble_percussions(contacts, t, x, free):
    """The problem of the participants; the solver overwrites M by its factor, so that each needs it anew."""
    model, problem = contacts.model, contacts.problem
    nq, m = problem.n_q, problem.n_u
    read_terms(contacts, t, free)
    measure_rates(contacts, free)
    if model.slips != 0:
        call_flow(model.measure_slip, t, free, contacts.address, free)
    wt, w, given, who = jacobian(contacts), drift(contacts), restitutions(contacts), problem.participants
    before, start = problem.rate_minus, problem.rebound
    speeds = x[nq:]
    without_restitution(contacts)
    for i in range(problem.count):
        start[i] = w[who[i]] + dot(wt, who[i], speeds, m)
        before[i] += given[who[i]] * start[i]


@kernel
def relax_tolerance(contacts, met):
    """Relax the tolerance of the law: for many contacts with friction near rest the usual one may be unattainable."""
    problem = contacts.problem
    count, largest = problem.count, 0.0
    before, uncertain = problem.rate_minus, problem.uncertain
    for i in range(count):
        largest = max(largest, abs(before[i]))
    for i in range(count):
        uncertain[i] = max(uncertain[i], met * largest)


@kernel
def mark_pushing(contacts):
    """Contacts with a percussion are no longer open; True if one of them was, and approached."""
    mode, problem = contacts.mode, contacts.problem
    hit = False
    who, status, impulse = problem.participants, mode.status, problem.impulse
    lengths, uncertain, start = problem.lengths, problem.uncertain, problem.rebound
    for i in range(problem.count):
        j = who[i]
        if status[j] == codes.OPEN and impulse[i] * lengths[i] * lengths[i] > uncertain[i]:
            status[j] = codes.CLOSED
            hit = hit or start[i] < -uncertain[i]
    return hit


@kernel
def take_sides(contacts, x):
    """The states just before and just after the percussions, which are between two halves of the smooth motion.

    u- = (u_A + u_F)/2 and M (u+ - u-) = W P: the jump is an impact of its own. Its rates and slips replace those of the
    whole step.
    """
    model, problem = contacts.model, contacts.problem
    nq, m = problem.n_q, problem.n_u
    before, after = problem.ahead_state, problem.trial
    change, smooth = problem.change, problem.motion
    for k in range(m):
        smooth[k] = 0.5 * (before[nq + k] - x[nq + k])
        before[nq + k] -= smooth[k]
        after[nq + k] = before[nq + k] + change[k]
    wt, who = jacobian(contacts), problem.participants
    minus, plus = problem.rate_minus, problem.rate_plus
    for i in range(problem.count):
        shift = dot(wt, who[i], smooth, m)
        minus[i], plus[i] = minus[i] - shift, plus[i] - shift
        if model.slips != 0:
            shift_slip(contacts, i, smooth)
    return before, after


@kernel
def shift_slip(contacts, i, smooth):
    """Subtract the part of half the smooth motion from the slips of participant i."""
    problem = contacts.problem
    m = problem.n_u
    lines, who = problem.lines, problem.participants
    minus, plus = problem.slip_minus, problem.slip_plus
    for c in range(2):
        shift = dot(lines, 3 * who[i] + 1 + c, smooth, m)
        minus[i, c], plus[i, c] = minus[i, c] - shift, plus[i, c] - shift


@kernel
def write_impact(run, contacts):
    """The percussions as an event at the middle of the step: both sides, then the rest of the step."""
    model = contacts.model
    width, half = run.width, run.t + 0.5 * run.h
    before, after = take_sides(contacts, run.x)
    record, fired = run.record, run.fired
    for k in range(width):
        fired[k] = 0
    for k in range(record.size):
        record[k] = 0.0
    record[loop.REMAINDER] = record[loop.REMAINDER_ERROR] = math.nan
    record[loop.WINDOW], record[loop.NEAREST] = run.h, math.inf
    record[loop.KIND], record[loop.RESIDUAL] = loop.IMPACT, contacts.problem.residual
    report(contacts, fired, record)
    if model.slips != 0:
        pushes = run.record[loop.HEAD + width :]
        report_slip(contacts, pushes, record)
    for side in range(2):
        state = before if side == 0 else after
        if run.stage.project != 0:
            call_flow(run.stage.project, half, state, run.stage.flow_data, state)
        write_sample(run, half, state, half - run.t if side == 0 else 0.0)
        if side == 0:
            write_event(run, half, run.mode, run.mode)
    run.h = run.t_new - half
