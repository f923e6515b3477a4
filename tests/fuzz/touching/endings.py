"""Why a run of a heap ended early: what can be shown without the package's own solvers."""

from __future__ import annotations

import numpy as np

from fuzz.reading import Findings
from fuzz.touching.admissible import accelerations, closed
from fuzz.touching.sight import Sight
from fuzz.touching.touching_rows import gaps

NEAR = 1e-8
"""A gap (m) that is zero."""

APART = 1e-3
"""Of gravity: accelerations that are different ones."""

MOST = 10
"""Contacts whose choices are all tried."""


def explain(sight: Sight, found: Findings) -> str:
    """A word for why the run ended; what nothing explains is a violation."""
    status, result = sight.result.status.name, sight.result
    if status == "FINISHED":
        return "finished"
    reason = ""
    if status == "PAINLEVE" and not sight.heap.space:
        reason = painleve(sight)
    elif status == "UNSOLVED_IMPACT" and result.infeasibility is not None:
        reason = "a proof is told"
    elif status == "UNENDED_IMPACT" and "Sequential" in sight.heap.resolution:
        reason = "one by one"
    elif status == "MAX_EVENTS" and sight.e.max() >= 0.99:
        reason = "elastic hops"
    if not reason:
        found.expect(np.inf, 0.0, f"{status} has a reason", sight.t[-1], result.message[:300])
    return reason


def painleve(sight: Sight) -> str:
    """Whether Coulomb's law admits no acceleration at the end, or several."""
    q, u = sight.q[-1], sight.u[-1]
    near = np.flatnonzero(np.abs(gaps(sight.heap, q[np.newaxis])[:, 0]) <= NEAR)
    here = closed(sight, q, u, near)
    rates = np.abs(here.N @ u) <= 1e-6 * (sight.speed + np.abs(u * sight.arms).max())
    here = closed(sight, q, u, near[rates])
    if len(here.N) > MOST:
        return "too many contacts to be tried"
    rng = np.random.default_rng(0)
    ways = rng.normal(size=(3, len(u)))
    aims = [None, *ways, *-ways]
    told = accelerations(here, sight.lightest, 10 * sight.missed, aims=aims)
    if not told:
        return "no acceleration is admitted"
    spread = np.ptp(np.array(told) * sight.arms, axis=0).max()
    return "several accelerations are admitted" if spread > APART * sight.drop.gravity else ""
