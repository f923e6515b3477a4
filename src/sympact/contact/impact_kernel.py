"""The impact as a transition: from the state before to the state after, whatever the law."""

from sympact.contact import layout as at
from sympact.contact.linear_kernel import EPS
from sympact.contact.participant_kernel import gather
from sympact.integrate.layout import ENERGY, HEAD, KIND, NEAREST, WINDOW
from sympact.integrate.pointer import call_flow, call_unit, reals, reals2, wholes
from sympact.integrate.switch_kernel import SWITCH, flip, note, settle
from sympact.integrate.switches import COUNT as N_SWITCHES
from sympact.integrate.unit import kernel

IMPACT = 1  # the place of this kind in `EventKind`
NOISE = 64.0  # roundings in a gap rate


def impact(t, x_address, fired_address, gaps_address, data, record_address):
    """The transition of a stage with contacts, see `sympact.integrate.program.Stage`; `data` is an `ImpactData` table.

    Conditions that changed their branch do so before the impact, and anew after it, for the state is another one then.
    """
    table = wholes(data, at.SIZE)
    switches, n = table[at.SWITCHES], table[at.N_C]
    turned = flip(switches, fired_address)
    if count_fired(wholes(fired_address, n)) > 0:
        code = collide(t, x_address, fired_address, gaps_address, data, record_address)
        if code != at.NO_EFFECT or turned == 0:
            settle(switches, t, x_address, fired_address, 1)
            note(switches, record_address)
            return code
        dismiss(wholes(fired_address, n))
    settle(switches, t, x_address, fired_address, 0)
    note(switches, record_address)
    reals(record_address, HEAD)[KIND] = SWITCH
    return table[at.STAGE]


@kernel
def count_fired(fired):
    """How many contacts fired."""
    number = 0
    for k in range(fired.size):
        number += fired[k]
    return number


@kernel
def dismiss(fired):
    """No contact takes part: what touched did not approach."""
    for k in range(fired.size):
        fired[k] = 0


@kernel
def collide(t, x_address, fired_address, gaps_address, data, record_address):
    """Who takes part, the model's terms, the rates before, the law's solution, its record, the state after."""
    table = wholes(data, at.SIZE)
    m, n = table[at.N_U], table[at.N_C]
    x, record = reals(x_address, table[at.N_Q] + m), reals(record_address, HEAD + n)
    length = reals(table[at.SCALAR], at.N_SCALARS)[at.LENGTH]
    heights, rates = reals(gaps_address, n), reals(gaps_address + 8 * boundaries(table), n)
    fired, who = wholes(fired_address, n), wholes(table[at.WHO], n)
    table[at.COUNT], record[WINDOW], record[NEAREST] = gather(t, length, heights, rates, n, fired, who)
    call_flow(table[at.TERMS], t, x, table[at.PARAMETERS], reals(table[at.OUT], m * m + n * m + 2 * n))
    measure_rates(table, x)
    code = call_unit(table[at.SOLVER], data)
    if code != at.SOLVED:
        return code
    record[KIND] = IMPACT
    report(table, record)
    return take_change(table, x)


@kernel
def boundaries(table):
    """The number of boundaries of the stage: contacts, then switches."""
    return table[at.N_C] + (wholes(table[at.SWITCHES], N_SWITCHES + 1)[N_SWITCHES] if table[at.SWITCHES] != 0 else 0)


@kernel
def measure_rates(table, x):
    """gamma- = W^T u + w of the participants, and how uncertain they are by rounding."""
    nq, m, n = table[at.N_Q], table[at.N_U], table[at.N_C]
    wt, w = reals2(table[at.OUT] + 8 * m * m, n, m), reals(table[at.OUT] + 8 * (m * m + n * m), n)
    who, rate, uncertain = wholes(table[at.WHO], n), reals(table[at.RATE_MINUS], n), reals(table[at.UNCERTAIN], n)
    for i in range(table[at.COUNT]):
        j = who[i]
        rate[i], uncertain[i] = w[j], abs(w[j])
        for k in range(m):
            rate[i] += wt[j, k] * x[nq + k]
            uncertain[i] += abs(wt[j, k] * x[nq + k])
        uncertain[i] *= NOISE * EPS


@kernel
def report(table, record):
    """Impulses, and the energy that the contacts take up: sum of Lambda (gamma+ + gamma-)/2.

    The kinetic energy changes by Lambda^T W^T (u+ + u-)/2, and W^T u = gamma - w: the part -Lambda^T w is the work of
    moving walls, which no law restricts. What is left is in terms of the rates that the law speaks of: a law that
    creates no energy never lets it be positive.
    """
    n = table[at.N_C]
    who, impulse = wholes(table[at.WHO], n), reals(table[at.IMPULSE], n)
    before, after = reals(table[at.RATE_MINUS], n), reals(table[at.RATE_PLUS], n)
    for i in range(table[at.COUNT]):
        record[ENERGY] += 0.5 * impulse[i] * (after[i] + before[i])
        record[HEAD + who[i]] = impulse[i]


@kernel
def take_change(table, x):
    """u+ into the state; returns the next stage, or NO_EFFECT when the state stays as it is."""
    nq, m = table[at.N_Q], table[at.N_U]
    change, moved = reals(table[at.CHANGE], m), False
    for k in range(m):
        before = x[nq + k]
        x[nq + k] = before + change[k]
        moved = moved or x[nq + k] != before
    return table[at.STAGE] if moved else at.NO_EFFECT
