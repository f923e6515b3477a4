"""What a run says of the solvers that it called, and of how well impacts obey their law."""

from __future__ import annotations

import numpy as np
import pytest
from trajectory import check_trajectory

from sympact import HybridSystem, Result, Transition, load
from sympact.models import ReadyModel, bouncing_ball, dice, newtons_cradle


@pytest.fixture(scope="module")
def tossed():
    return checked(dice().with_numbers(t_span=(0.0, 0.6)))


def checked(ready: ReadyModel) -> Result:
    """A run that has passed `check_trajectory`."""
    result = ready.simulate()
    check_trajectory(result, ready.model, ready.parameters)
    return result


def test_every_impact_has_the_residual_that_the_guarantees_promise(tossed):
    residuals = np.array([event.residual for event in tossed.events])
    assert ((residuals >= 0.0) & (residuals < 3e-11)).all()
    assert residuals.any(), "eight corners and friction: not every impact is met to the last bit"


def test_a_single_contact_without_friction_is_met_to_rounding():
    result = checked(bouncing_ball())
    assert max(event.residual for event in result.events) < 1e-15
    counts = result.settings["solvers"]
    assert counts["frictionless"] > 0
    assert not any(count for name, count in counts.items() if name != "frictionless")


def test_a_tossed_die_needs_one_contact_alone_and_several_together(tossed):
    counts = tossed.settings["solvers"]
    assert counts["single"] > 0
    assert counts["newton"] > 0
    assert counts["unsolved"] == counts["relaxed"] == counts["large_friction"] == 0


def test_counts_and_residuals_stay_in_files(tossed, tmp_path):
    tossed.save(tmp_path / "die.npz")
    loaded = load(tmp_path / "die.npz")
    assert loaded.settings["solvers"] == tossed.settings["solvers"]
    assert [event.residual for event in loaded.events] == [event.residual for event in tossed.events]


def test_two_runs_do_not_share_their_counts():
    first, second = (checked(newtons_cradle()).settings["solvers"] for _ in range(2))
    assert first == second


def test_plain_processes_have_no_residual():
    bounce = Transition("up", "up", boundary=lambda t, x: -x[0], jump=lambda t, x: [0.0, -0.5 * x[1]])
    process = HybridSystem({"up": lambda t, x: [x[1], -10.0]}, [bounce])
    (event,) = process.simulate((0, 1.5), [5.0, 0.0], start="up").events
    assert np.isnan(event.residual)
