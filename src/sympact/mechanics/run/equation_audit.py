"""Warnings of a run with impacts: energy gained by a law, and contacts that nearly take part in one impact."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from sympact.contact.laws.impact_laws import ImpactLaw
from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contact_tolerances import ACCEPTED
from sympact.contact.painleve import ArcAudit, Imbalance, Painleve
from sympact.integrate.memory.run_codes import ENERGY, NEAREST, WINDOW
from sympact.integrate.memory.stage_margins import ALONG_SLIP, NO_SOLUTION, OUTSIDE_CONE
from sympact.integrate.problem.warning import ImpactWarning
from sympact.integrate.trajectory.record import Record

__all__ = ["JUST_OUTSIDE", "audit", "describe_arc", "describe_imbalance", "describe_painleve", "may_warn", "misses"]

JUST_OUTSIDE = 1e3  # windows


def audit(
    record: Record,
    contacts: Sequence[str],
    kinetic_energy: Callable[[np.ndarray, np.ndarray], np.ndarray],
    law: ImpactLaw,
) -> tuple[ImpactWarning, ...]:
    """Warnings of impacts that gained energy, and of contacts that touched just outside the window of an impact.

    Parameters
    ----------
    record : Record
    contacts : sequence of str
        Their names.
    kinetic_energy : callable
        ``kinetic_energy(t, x)`` for arrays of shapes (k,) and (n_states, k).
    law : ImpactLaw
        Which explains the gain.
    """
    if not len(record.event_t):
        return ()
    return (*_gains(record, contacts, kinetic_energy, law), *_near_misses(record))


def may_warn(report: np.ndarray) -> bool:
    """Whether the reports of events give a reason for `audit`: a gain of energy, or a contact that nearly took part."""
    nearest, window = report[:, NEAREST], report[:, WINDOW]
    near = (nearest > 0.0) & (nearest < JUST_OUTSIDE * window)
    return bool((near | (report[:, ENERGY] > 0.0)).any())


def _gains(
    record: Record,
    contacts: Sequence[str],
    kinetic_energy: Callable[[np.ndarray, np.ndarray], np.ndarray],
    law: ImpactLaw,
) -> Iterator[ImpactWarning]:
    energy = record.event_numbers["energy"]
    gaining = np.flatnonzero(energy > 0.0)
    if not gaining.size:
        return
    before = kinetic_energy(record.event_t[gaining], record.x[record.event_sample[gaining]].T)
    gain = energy[gaining]
    real = gain > ACCEPTED * before
    if not real.any():
        return
    worst = int(np.argmax(np.where(real, gain / before, 0.0)))
    k = gaining[worst]
    took_part = record.event_fired[k, : len(contacts)]
    names = ", ".join(name for name, fired in zip(contacts, took_part, strict=True) if fired)
    rubbed = bool(np.any(record.event_friction[k] != 0.0))
    share = 100 * gain[worst] / before[worst]
    yield ImpactWarning(
        f"{int(real.sum())} impact(s) gained energy, the worst at t = {record.event_t[k]:.9g} ({names}): "
        f"{gain[worst]:.6g} J, {share:.3g} % of the kinetic energy before; {law.why_gains(rubbed)}",
        "gain of energy",
    )


def _near_misses(record: Record) -> Iterator[ImpactWarning]:
    nearest, window = record.event_numbers["nearest"], record.event_numbers["window"]
    near = np.flatnonzero((nearest > 0.0) & (nearest < JUST_OUTSIDE * window))
    if not near.size:
        return
    k = near[0]
    yield ImpactWarning(
        f"{near.size} impact(s) were followed by another contact just outside the window within which contacts count "
        f"as one impact, the first at t = {record.event_t[k]:.9g}: {nearest[k]:.3g} s after it, the "
        f"window being {window[k]:.3g} s; the outcome depends on the order of the two",
        "near miss",
    )


def describe_painleve(jam: Painleve, contacts: Sequence[str]) -> str:
    """The contact of Painleve's paradox that ended a run, and the kind of the paradox, as text."""
    if jam.kind == codes.AT_ONCE:
        return (
            f"contact '{contacts[jam.contact]}' slips against infinite friction, and no impulse was found that stops it"
        )
    what = {
        codes.NO_FORCE: "has no admissible force",
        codes.NO_BOUND: "has a force that grows without bound",
        codes.SEVERAL: "may slide on, lift off or lock",
    }[jam.kind]
    return (
        f"contact '{contacts[jam.contact]}' slips and {what}: with friction its inverse mass is {jam.share:.3g} times "
        "that without"
    )


def describe_imbalance(imbalance: Imbalance) -> str:
    """The fault of the event that ended a run, with its figures."""
    found, beside = imbalance.found, imbalance.beside
    return {
        codes.NOT_A_NUMBER: f"an impulse or a speed is {found}",
        codes.WITHOUT_IMPULSE: f"{found:.6g} J of a change of speeds come from no impulse, compared with"
        f" {beside:.6g} J before",
        codes.FROM_NOTHING: f"{found:.6g} J come from nothing, compared with {beside:.6g} J before",
        codes.WITHOUT_BOUND: f"an impulse is {found / beside:.3g} times the largest that all speeds together permit"
        if beside > 0.0
        else "an impulse has nothing that it could come from",
    }[imbalance.fault]


def misses(audit: ArcAudit) -> dict[str, float]:
    """The largest figures of the audit of a run's smooth arcs, by the names of settings."""
    return {"equation_residual": audit.largest_residual, "cone_violation": audit.largest_beyond}


def describe_arc(audit: ArcAudit, contacts: Sequence[str]) -> str:
    """What was wrong on the smooth arc that ended a run, with its contact and the figure."""
    name = contacts[audit.contact]
    return {
        NO_SOLUTION: f"the motion and the forces miss the equations of motion by {audit.residual:.3g} of the largest"
        f" force, most at the contact '{name}'",
        OUTSIDE_CONE: f"the force of the contact '{name}' is outside its cone by {audit.beyond:.3g} of the largest"
        " force",
        ALONG_SLIP: f"the friction of the contact '{name}' does not oppose its slip, which is {audit.beyond:.3g} of the"
        " slip of this arc against the direction of friction",
    }[audit.fault]
