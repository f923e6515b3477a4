"""Impacts of an event: by the law, or without collision in Painleve's paradox."""

import math

from sympact.contact.event.event_view_kernel import fired_of, goes_on, pushes_of, record_of, state_of
from sympact.contact.event.jump_kernel import kinetic_energy
from sympact.contact.memory import contact_codes as codes
from sympact.contact.modes.impulse_report_kernel import report, report_slip
from sympact.contact.modes.painleve_kernel import (
    add_assembled,
    approach_by_nothing,
    forget_approach,
    list_touching,
    press,
    pull_at_normals,
)
from sympact.contact.modes.slip_scale_kernel import note_impulse_errors, note_slip_errors
from sympact.contact.problem.assemble_kernel import gap_rate, measure_rates, read_gaps, read_terms
from sympact.contact.problem.slip_kernel import has_negative_friction, note_stopped
from sympact.integrate.memory.run_codes import ENERGY, FACTOR, RESIDUAL
from sympact.native.kernel import kernel
from sympact.native.pointer import call_flow, call_unit


@kernel
def apply_impact(contacts, by_friction):
    """The impact of the participants by the law, or one without collision; whether the event goes on."""
    event, model, problem, record = contacts.event, contacts.model, contacts.problem, record_of(contacts)
    if model.slips != 0:
        assemble_friction(contacts, by_friction)
        if has_negative_friction(contacts):
            return goes_on(contacts, codes.NEGATIVE_FRICTION)
    problem.restitution_factor, problem.kind = 1.0, codes.IMPACT
    code = call_unit(model.impact_solver, contacts.address)
    if code != codes.SOLVED:
        return goes_on(contacts, code)
    contacts.mode.speeds_changed = 1
    record[FACTOR] = problem.restitution_factor
    record[RESIDUAL] = max(record[RESIDUAL], problem.residual)
    if by_friction:
        add_assembled(contacts, -1.0)
    report(contacts, fired_of(contacts), record)
    if model.slips != 0:
        report_slip(contacts, pushes_of(contacts), record)
        note_impulse_errors(contacts)
        note_stopped(contacts)
    event.moved = take_change(contacts)
    if not by_friction:
        remember(contacts)
    return True


@kernel
def assemble_friction(contacts, by_friction):
    """The slip of the participants before, and what an impact without collision has in the place of an approach."""
    event, x = contacts.event, state_of(contacts)
    measure_motion(contacts)
    read_gaps(contacts, event.t, x)
    call_flow(contacts.model.measure_slip, event.t, x, contacts.address, x)
    note_slip_errors(contacts, x)
    if by_friction:
        press(contacts)
        approach_by_nothing(contacts)


@kernel
def apply_friction_impact(contacts):
    """The impact without collision of contacts in Painleve's paradox; whether the event goes on.

    It starts from zero rates of these contacts: the remainders of rebounds too low to separate are removed.
    """
    event, model, x = contacts.event, contacts.model, state_of(contacts)
    pull_at_normals(contacts)
    call_flow(model.project_velocities, event.t, x, contacts.address, x)
    record_of(contacts)[ENERGY] += contacts.mode.removed_energy
    list_touching(contacts, fired_of(contacts))
    read_terms(contacts, event.t, x)
    measure_rates(contacts, x)
    event.hit = 1
    if not apply_impact(contacts, True):
        return False
    forget_approach(contacts)
    return True


@kernel
def measure_motion(contacts):
    """sqrt(u^T M u) into `mass_speed`."""
    twice = 2.0 * kinetic_energy(contacts, state_of(contacts), contacts.model.n_q)
    contacts.problem.mass_speed = math.sqrt(max(twice, 0.0))


@kernel
def measure_after(contacts):
    """gamma+ of the participants in the branches of their gaps that the impact has left.

    Where a body turns back against an edge, the corner that was nearest may be another one: without its rate it would
    count as closed, and its rate would be removed without an impulse.
    """
    problem, x = contacts.problem, state_of(contacts)
    read_terms(contacts, contacts.event.t, x)
    for i in range(problem.count):
        problem.rate_plus[i], _ = gap_rate(contacts, problem.participants[i], x)


@kernel
def take_change(contacts):
    """u+ into the state; returns whether it differs from u-."""
    problem, x = contacts.problem, state_of(contacts)
    nq, m = problem.n_q, problem.n_u
    change, moved = problem.change, False
    for k in range(m):
        before = x[nq + k]
        x[nq + k] = before + change[k]
        moved = moved or x[nq + k] != before
    return moved


@kernel
def remember(contacts):
    """The time of each participant's last impact, and its rate after, for the extrapolation of accumulations."""
    mode, problem, t = contacts.mode, contacts.problem, contacts.event.t
    who, before, after = problem.participants, problem.rate_minus, problem.rate_plus
    last, interval = mode.last_time, mode.interval
    rebound, rebound_before = mode.last_rebound, mode.previous_rebound
    for i in range(problem.count):
        j = who[i]
        if before[i] < 0.0:
            interval[j], last[j] = t - last[j], t
            rebound_before[j], rebound[j] = rebound[j], after[i]
