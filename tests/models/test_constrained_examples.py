"""The examples with constraints, run as scripts with warnings as errors: what they print agrees with closed forms."""

import math
import re

import pytest
from constrained_examples import CONSTRAINED, after
from example_scripts import printed, printed_times
from quick_members import members

ELSEWHERE = ("gripper", "overload", "rolling_disc")
"""What they show is found in a quick run, too: catches and throws by the tests of latches, latches that forces open by
those of forces in conditions, discs that roll by those of linear motions and of friction. `make docs` runs all."""


@pytest.mark.parametrize("name", members(CONSTRAINED, slow=["whipple_bicycle", *ELSEWHERE]))
def test_example_runs_and_draws(name):
    assert f"The picture is in {name}.png" in printed(name)


def test_rods_drift_without_correction_less_with_baumgarte_and_not_with_projection():
    lines = dict(line.strip().split(": ", 1) for line in printed("cartesian_pendulum").splitlines()[:3])
    drift = {name: after(line, "rods are wrong by up to") for name, line in lines.items()}
    assert drift["Projection"] <= 1e-15 < drift["Baumgarte"] < drift["Direct"]
    # rtol = 1e-8 and a hundred steps; the motion is regular in this time
    assert all(after(line, "in the first 3 s by") <= 1e-6 for line in lines.values())


def test_guided_rod_leaves_the_wall_and_falls_by_the_formulas():
    text = printed("guided_rod")
    angle = math.acos(2 / 3 * math.cos(math.pi / 6))
    assert after(text, "left at the angle") == pytest.approx(angle, abs=1e-10)
    assert after(text, "guided rod is at the angle") == pytest.approx(angle, abs=1e-10)
    speed = math.sqrt(3 * 9.81 / 2 * math.cos(math.pi / 6))
    assert float(re.search(r"with (\d+\.\d+) rad/s, by", text)[1]) == pytest.approx(speed, abs=1e-10)


def test_cart_with_a_closure_has_the_events_of_the_plain_one():
    text = printed("constrained_cart_pole")
    assert len(printed_times(text)) == 5
    # at rtol = 1e-11 in two sets of coordinates, an error grows by some tens between the walls
    assert after(text, "times differ by up to") <= 1e-9
    assert after(text, "impulses by") <= 1e-8
    assert after(text, "open by up to") <= 1e-14


def test_four_bar_rests_at_its_stop_as_statics_say():
    text = printed("four_bar")
    assert after(text, "the crank is at") == pytest.approx(after(text, "by the geometry"), abs=2e-10)
    assert after(text, "holds with") == pytest.approx(after(text, "by virtual work"), abs=2e-7)  # of differences
    assert after(text, "The last joint is") <= 1e-14


def test_slider_crank_loses_the_work_of_friction_and_the_energy_of_impacts():
    text = printed("slider_crank")
    change, friction = after(text, "energy changes by"), after(text, "friction did")
    assert change == pytest.approx(friction - after(text, "impacts took"), abs=1e-8)
    assert change < friction < 0


def test_knife_edge_draws_a_cycloid():
    lines = [line for line in printed("knife_edge").splitlines() if line.startswith("t =")]
    assert len(lines) == 3
    for line in lines:
        t, x, y, *_ = (float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", line))
        size = 9.81 * math.sin(0.3) / 8
        assert (x, y) == pytest.approx((size * math.sin(2 * t) ** 2, size * (2 * t - math.sin(4 * t) / 2)), abs=1e-10)


def test_sleigh_turns_round_by_the_closed_form():
    text = printed("chaplygin_sleigh")
    assert after(text, "u differs by up to") <= 1e-10
    assert after(text, "omega by") <= 1e-10
    assert after(text, "ends with u =") > 1.49


@pytest.mark.slow
def test_disc_rolls_by_constraints_as_by_friction_until_that_is_too_small():
    text = printed("rolling_disc")
    assert after(text, "differ by up to") <= 1e-8
    energies = [float(number) for number in re.findall(r"energy changes by (\S+) J", text)]
    assert max(map(abs, energies[:2])) <= 1e-10 < 0.1 < -energies[2]


@pytest.mark.slow
def test_the_pin_of_a_crane_shears_at_the_angle_of_the_closed_form():
    text = printed("overload")
    assert [words for words in ("pin opens", "floor, lands") if words in text] == ["pin opens", "floor, lands"]
    assert after(text, "the pin shears at") == pytest.approx(after(text, "rad (closed form"), abs=1e-11)
    assert after(text, "the load lands at") == pytest.approx(after(text, "s (parabola"), abs=1e-8)


@pytest.mark.slow
def test_gripper_catches_as_one_body_and_throws_on_a_parabola():
    text = printed("gripper")
    assert len(printed_times(text)) == 2
    rate = after(text, "rad/s (closed form")
    assert [after(text, words) for words in ("catch: arm", ", ball")] == pytest.approx([rate, rate], abs=1e-11)
    assert after(text, "energy") == pytest.approx(after(text, "J (closed form"), abs=1e-11)
    assert after(text, "throw: ball at") == pytest.approx(after(text, "m (parabola"), abs=1e-8)
