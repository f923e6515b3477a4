"""Random mechanisms with closed loops: constraints and energy along runs, and constraints after impacts."""

from itertools import product

import numpy as np
import pytest
from closed_mechanisms import ClosedMechanism
from quick_members import members

from sympact import Newton, Poisson, Status

LAWS = Newton(), Poisson()

LOCKED = (54, 84)
"""Mechanisms whose closures leave no motion."""


def assembled(mechanism):
    """The start with speeds that the constraints permit."""
    return mechanism.model.assemble(mechanism.start, {})


def violations(model, samples):
    """|phi|, |A u + a| and the sum of |A| |u| of each constraint: the largest at each pair (t, x)."""
    compiled = model.compile()
    p, k, n = compiled.all_parameters(compiled.parameters({})), len(model.derivation.constraints), len(model.q)
    found = []
    for t, x in samples:
        phi, rate, rows = np.split(compiled.raw("constraints", t, np.array(x), p), [k, 2 * k])
        found.append((np.abs(phi).max(), np.abs(rate).max(), (np.abs(rows.reshape(k, -1)) @ np.abs(x[n:])).max()))
    return np.array(found).T


@pytest.mark.parametrize("seed", members(range(10), slow=range(3, 10)))
def test_loops_keep_their_constraints_and_their_energy(seed):
    mechanism = ClosedMechanism(seed, planar=seed % 2 == 0)
    run = mechanism.model.simulate((0.0, 5.0), assembled(mechanism), {}, rtol=1e-9)
    assert run.status is Status.FINISHED
    positions, rates, terms = violations(mechanism.model, zip(run.t, run.x.T, strict=True))
    assert positions.max() <= 1e-12
    assert rates.max() <= 1e-12 * max(terms.max(), 1.0)
    assert np.ptp(run.energy) <= 1e-7 * np.abs(run.kinetic_energy).max()


IMPACTS = [*product(LAWS, [0.0, 0.3])]


@pytest.mark.parametrize(("law", "friction"), members(IMPACTS, slow={*IMPACTS} - {(LAWS[0], 0.3)}), ids=str)
def test_loops_that_land_keep_their_constraints_at_impacts(law, friction):
    hits = 0
    for seed in (1, 3, 4, 7):
        mechanism = ClosedMechanism(seed, planar=seed % 2 == 0, floor=True, impact=law, friction=friction)
        run = mechanism.model.simulate((0.0, 1.0), assembled(mechanism), {}, rtol=1e-9, max_events=40)
        impacts = [event for event in run.events if event.kind.value == "impact"]
        hits += len(impacts)
        if impacts:
            _, rates, terms = violations(mechanism.model, [(event.t, event.x_plus) for event in impacts])
            assert (rates <= 1e-13 * np.maximum(terms, terms.max())).all()
            assert max(event.energy for event in impacts) <= 0.0
    assert hits > 5


@pytest.mark.parametrize("seed", LOCKED)
def test_closures_that_leave_no_motion_hold_the_mechanism_still(seed):
    mechanism = ClosedMechanism(seed, planar=True)
    start = assembled(mechanism)
    assert start.freedoms == 0
    assert not start.x[len(mechanism.places) :].any()
    run = mechanism.model.simulate((0.0, 1.0), start, {})
    assert run.status is Status.FINISHED
    assert run.x[:, -1] == pytest.approx(start.x, abs=1e-12)
