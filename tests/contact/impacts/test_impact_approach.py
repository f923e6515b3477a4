"""The approach of an event: the speed at which the gap closes just before it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sympact import HybridModel, Plastic, Poisson, Sequential, models

SHORT = 1e-7  # s before an impact


def test_a_ball_hits_with_the_speed_of_its_fall_and_of_each_rebound():
    result = models.bouncing_ball(0.8).simulate()
    impacts = result.events.impacts
    fall = math.sqrt(2 * 9.81)
    np.testing.assert_allclose(impacts.columns()["approach"][:12], fall * 0.8 ** np.arange(12), rtol=1e-9)
    assert impacts[0].approach == impacts.columns()["approach"][0]


@pytest.mark.parametrize("name", ["tumbling_cube", "two_links", "rod_on_wall", "newtons_cradle", "dice", "woodpecker"])
def test_it_is_the_rate_of_the_gap_of_a_participant(name):
    """The gap a short time before, on the polynomial of the last step, over that time; to the first order in it."""
    ready = getattr(models, name)()
    result = ready.simulate()
    met = 0
    for event in result.events.impacts[:12]:
        if event.kind != "impact" or event.approach < 1e-2 or event.t < result.t[0] + SHORT:
            continue
        before = result.at_times([event.t - SHORT, event.t])
        gaps = before.gaps[[result.contact_names.index(one) for one in event.contacts], 0]
        assert gaps.max() / SHORT == pytest.approx(event.approach, rel=1e-4, abs=1e-4)
        met += 1
    assert met > 2


@pytest.mark.parametrize(
    "options", [{"impact": Plastic()}, {"impact": Poisson()}, {"resolution": Sequential("fastest")}]
)
def test_every_law_and_resolution_has_it(options):
    ready = models.two_links()
    other = HybridModel(ready.model.source, ready.model.contacts, **options)
    result = other.simulate(ready.t_span, ready.start, ready.parameters)
    plain = ready.simulate()
    assert result.events.impacts[0].approach == pytest.approx(plain.events.impacts[0].approach, rel=1e-9)


def test_time_stepping_has_that_of_the_middle_of_its_step():
    ready = models.bouncing_ball()
    result = ready.model.simulate((0, 2), ready.start, ready.parameters, method="moreau", max_step=1e-3)
    for event in result.events:
        assert event.approach == pytest.approx(-event.x_minus[1], rel=1e-12)


def test_where_nothing_approaches_it_is_zero_and_in_plain_processes_it_is_unknown():
    opens = [event for event in models.rod_on_wall().simulate().events if event.kind in ("open", "close")]
    assert opens
    assert all(event.approach == 0.0 for event in opens)
    assert all(math.isnan(event.approach) for event in models.ball_ceiling_spring().simulate().events)


def test_an_impact_alone_has_that_of_its_run():
    ready = models.tumbling_cube()
    event = ready.simulate().events.impacts[0]
    alone = ready.model.impact(event.t, event.x_minus, ready.parameters, contacts=event.contacts)
    assert alone.approach == pytest.approx(event.approach, rel=1e-12)
