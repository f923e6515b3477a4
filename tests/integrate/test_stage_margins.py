"""Forces of closed contacts from the stages of a step: the bound holds for waves, and steps that need samples get
them."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest
from sympy import Symbol
from sympy.physics.mechanics import Force, Particle, Point, ReferenceFrame, System, dynamicsymbols
from trajectory import check_trajectory

from sympact import Contact, HybridModel, Plane, models
from sympact.integrate.search.stage_margin_kernel import LAST_STAGE, ROWS, lower_bound
from sympact.integrate.steppers.methods import METHODS
from sympact.integrate.steppers.tableau import dop853
from sympact.mechanics.derive.gap_proofs import hidden_in_forces

TABLE = dop853()
C = np.array([*TABLE.c, 1.0])
ALONG = np.linspace(0, 1, 2001)
A, V = 40.0, 2.0


def stage_errors(row: int, order: int) -> float:
    """sum_j a_j c_j^(order - 1) - c^order / order: the error of the state of a stage along t^order, per step."""
    a = np.array(TABLE.a[row])
    return float(a @ C[: len(a)] ** (order - 1) - C[row] ** order / order)


def values(function) -> np.ndarray:
    """A margin at the stages of a step, as the flow records it."""
    return np.array([function(s) for s in C])[:, None]


def test_the_recorded_stages_are_those_of_order_five():
    fifth = [row for row in range(12) if all(abs(stage_errors(row, q)) < 1e-12 for q in range(1, 6))]
    assert METHODS["DOP853"].layout.accurate == (*fifth, 12)
    assert sorted([*ROWS, LAST_STAGE]) == [*fifth, 12]
    assert np.all(np.diff(C[ROWS]) > 0)


@pytest.mark.parametrize("order", [6, 7])
def test_the_last_stage_has_the_largest_error(order):
    others = [abs(stage_errors(row, order)) for row in ROWS[:-1]]
    assert max(others) <= abs(stage_errors(LAST_STAGE, order)) / 2.4


@pytest.mark.parametrize("turn", [0.3, 1, 2, 4, 6, 8, 10, 12, 16, 20, 25, 30])
def test_no_wave_is_below_its_bound(turn):
    for phase in np.linspace(0, 2 * np.pi, 241):
        least = np.cos(turn * ALONG + phase).min()
        assert lower_bound(values(lambda s, at=phase: np.cos(turn * s + at)), 0) <= least + 1e-12


def test_no_sum_of_waves_is_below_its_bound():
    random = np.random.default_rng(15)
    for _ in range(3000):
        turns, phases = random.uniform(0, 12, 3), random.uniform(0, 7, 3)
        sizes = random.normal(size=3) * 10.0 ** random.uniform(-3, 0, 3)
        least = (sizes @ np.cos(np.outer(turns, ALONG) + phases[:, None])).min()
        assert lower_bound(values(lambda s, a=sizes, w=turns, p=phases: a @ np.cos(w * s + p)), 0) <= least + 1e-12


@pytest.mark.parametrize("turn", [0.5, 1.0])
def test_a_wave_of_a_usual_step_needs_no_sample(turn):
    for phase in np.linspace(0, 2 * np.pi, 61):
        assert lower_bound(values(lambda s, at=phase: 1.05 + np.cos(turn * s + at)), 0) > 0


def test_a_state_that_the_last_stage_does_not_reach_lowers_the_bound():
    recorded = values(lambda s: 1.0)
    recorded[LAST_STAGE] = 1.3
    assert lower_bound(recorded, 0) == pytest.approx(1.0 - 2 * 0.3)
    recorded[3 if 3 in ROWS else 7] = np.nan
    assert not lower_bound(recorded, 0) > 0


def lifted(depth: float, wall: float | None = None):
    """A bead that slides on a plane at 2 m/s, lifted by a force which exceeds its weight by `depth` N at x = 1 m.

    With a wall at a place of its way.
    """
    x, z, v, w = dynamicsymbols("x z v w")
    N, O, P = ReferenceFrame("N"), Point("O"), Point("P")
    O.set_vel(N, 0)
    P.set_pos(O, x * N.x + z * N.z)
    P.set_vel(N, v * N.x + w * N.z)
    system = System(N, O)
    system.add_bodies(Particle("bead", P, 1))
    system.add_coordinates(x, z)
    system.add_speeds(v, w)
    system.add_kdes(x.diff() - v, z.diff() - w)
    d = Symbol("d", real=True)
    system.add_loads(Force(P, (d - A * (x - 1) ** 2) * N.z))
    contacts = [Contact(P, Plane(O, N.z), restitution=0, friction=0, name="bead")]
    if wall is not None:
        contacts.append(Contact(P, Plane(O.locatenew("W", wall * N.x), -N.x), restitution=0.5, friction=0, name="wall"))
    model = HybridModel(system, contacts, length=1)
    result = model.simulate((0, 0.7), {x: 0, z: 0, v: V, w: 0}, {d: depth})
    check_trajectory(result, model, {d: depth})
    return model, result


@pytest.mark.parametrize("depth", [1e-6, 1e-3, 1.0])
def test_a_force_below_zero_within_one_step_opens_the_contact(depth):
    """The bead moves uniformly: no error of a step tells how long it may be. The force is zero at |x - 1|^2 = d/A."""
    model, result = lifted(depth)
    assert not hidden_in_forces(model.derivation)
    opened = next(event for event in result.events if event.kind.value == "open")
    assert opened.t == pytest.approx((1 - sqrt(depth / A)) / V, abs=1e-9)


@pytest.mark.parametrize("ahead", [-0.2, -1e-3, -1e-6, -1e-9, 1e-6, 1e-3, 0.1])
def test_of_an_opening_and_an_impact_in_one_step_the_first_is_met(ahead):
    """The bead would open at 1 - sqrt(d/A); a wall at so much more than that turns it back before, or is hit later."""
    opens = 1 - sqrt(1.0 / A)
    _, result = lifted(1.0, opens + ahead)
    after = [event for event in result.events if event.t > 0]
    hit = next(event for event in after if "wall" in event.contacts)
    assert after[0].kind.value == ("open" if ahead > 0 else "impact")
    assert after[0].t == pytest.approx((opens + min(ahead, 0.0)) / V, abs=1e-12)
    assert hit.t == pytest.approx((opens + ahead) / V, abs=1e-12)


def test_a_force_that_stays_positive_needs_no_sample():
    _, result = lifted(-5.0)
    assert [event.kind.value for event in result.events] == ["close"]
    assert result.counts["dense"] == 0
    assert result.counts["boundary"] <= 2 * (result.counts["steps"] + 2)


@pytest.mark.parametrize(
    ("name", "reasons"),
    [
        ("dice", set()),
        ("struck_stack", set()),
        ("woodpecker", set()),
        ("shaking_table", {"time"}),
        ("hopping_disc", {"held", "tanh"}),
    ],
)
def test_forces_of_models_that_change_by_themselves_are_sampled(name, reasons):
    assert set(hidden_in_forces(getattr(models, name)().model.derivation)) == reasons


def with_and_without_samples(ready):
    """The results of a model whose steps are sampled where the stages leave a zero open, and at every step."""
    compiled = ready.model.compile()
    sampling = replace(compiled)
    sampling.__dict__["resolved"] = False
    x, p = compiled.state(ready.start), compiled.parameters(ready.parameters)
    return [code.simulate(ready.t_span, x, p) for code in (compiled, sampling)]


@pytest.mark.parametrize(("name", "allowed"), [("dice", 1e-9), ("woodpecker", 1e-12)])
def test_samples_of_every_step_would_find_no_other_event(name, allowed):
    """Steps differ: impacts of a die are predicted where its stages tell whether forces are unique, and the stages say
    where the samples of a step are that estimate the root of a margin."""
    resolved, sampled = with_and_without_samples(getattr(models, name)())
    assert resolved.counts["dense"] < sampled.counts["dense"]
    assert [(e.kind, e.contacts) for e in resolved.events] == [(e.kind, e.contacts) for e in sampled.events]
    np.testing.assert_allclose([e.t for e in resolved.events], [e.t for e in sampled.events], rtol=0, atol=allowed)


@pytest.mark.parametrize("name", ["rimless_wheel", "rocking_block"])
def test_samples_of_every_step_would_change_no_bit(name):
    records = [result._record for result in with_and_without_samples(getattr(models, name)())]
    np.testing.assert_array_equal(records[0].event_t, records[1].event_t)
    np.testing.assert_array_equal(records[0].x, records[1].x)
    assert records[0].counts["dense"] < records[1].counts["dense"]
