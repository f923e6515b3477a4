"""The examples of ready-made bodies run as scripts, write their picture, and print what the formulas say."""

from __future__ import annotations

import re
from math import atan, cos, pi, sin, sqrt, tan

import numpy as np
import pytest
from example_scripts import load, printed

GRAVITY = 9.81
PRINTED = 2e-9
"""Of a number that is printed with nine decimals, and of the tolerance of 1e-12 in some hundred steps."""


def numbers(text: str, pattern: str) -> list[float]:
    """The numbers in the one line that fits the pattern."""
    (line,) = re.findall(f"^.*{pattern}.*$", text, flags=re.MULTILINE)
    return [float(number) for number in re.findall(r"-?\d+\.\d+", line)]


def test_the_pendulum_loses_energy_at_impacts_only():
    taken, lost = numbers(printed("pendulum"), "The impacts took")
    assert taken > 20
    assert taken == pytest.approx(lost, abs=1e-8)


@pytest.mark.parametrize(("mode", "sign"), [("swing together", 1), ("swing against", -1)])
def test_small_swings_of_the_double_pendulum(mode, sign):
    """Angles of 1.4e-3 rad lengthen a period by about a sixteenth of their square; here modes also bend each other."""
    found, formula = numbers(printed("double_pendulum"), mode)
    exact = pi / 2 / sqrt((2 - sign * sqrt(2)) * GRAVITY)
    assert formula == pytest.approx(exact, abs=PRINTED)
    assert found == pytest.approx(exact, rel=4e-6)


def test_double_pendulums_started_close_together_part():
    text = printed("double_pendulum")
    first, second = (re.findall(r"^(\d+\.\d+) +impact", part, flags=re.MULTILINE) for part in text.split("further:"))
    assert float(first[0]) == pytest.approx(float(second[0]), abs=1e-5)
    assert abs(float(first[-1]) - float(second[-1])) > 0.1


def test_the_walls_give_the_cart_its_momentum():
    changed, given = numbers(printed("cart_pole"), "The momentum changes")
    assert abs(changed) > 1
    assert changed == pytest.approx(given, abs=1e-8)


def test_the_falling_rod_hits_with_the_impulse_of_the_formula():
    found, formula = numbers(printed("falling_rod"), "The first impulse")
    speed = sqrt(2 * GRAVITY * (1.2 - sin(0.6) / 2))
    exact = 1.6 * speed / (1 + 3 * cos(0.6) ** 2)
    assert formula == pytest.approx(exact, abs=PRINTED)
    assert found == pytest.approx(exact, abs=PRINTED)
    assert "the heights [0. 0.] m" in printed("falling_rod")


def test_the_block_falls_flat_with_the_energy_it_had():
    """Width 0.4 m, height 1 m: kinetic energy of fall and turn against the height that the middle has lost."""
    found, formula = numbers(printed("rocking_block"), "It falls flat")
    fallen = (0.4 * sin(0.3) + cos(0.3) - 1) / 2
    assert formula == pytest.approx(found, abs=PRINTED)
    assert (1.16 / 12 + 0.2**2) * found**2 / 2 == pytest.approx(GRAVITY * fallen, abs=1e-8)


def test_the_cradle_hands_on_what_the_formula_says():
    *parts, formula = numbers(printed("newtons_cradle"), "Each ball hands on")
    assert formula == (1 + 0.98) / 2
    np.testing.assert_allclose(parts, [formula] * 4, rtol=0, atol=1e-6)


def test_housners_block_keeps_its_part():
    """Angular momentum about the new corner, of a block with I = m (a^2 + b^2)/12 about its middle."""
    a, b = 0.4, 1.0
    exact = ((a**2 + b**2) / 12 + (b**2 - a**2) / 4) / ((a**2 + b**2) / 3)
    for line in re.findall("it keeps .*", printed("rocking_block")):
        assert numbers(line, "it keeps") == pytest.approx([exact, exact], abs=PRINTED)
    found, integral, _ = numbers(printed("rocking_block"), "by the integral")
    assert found == pytest.approx(integral, abs=PRINTED)


def test_a_dropped_cube_with_friction_lies_still():
    assert "lies still: ++- sticks, +-- sticks, -+- sticks, --- sticks (at rest)" in printed("dropped_cube")


@pytest.mark.slow
def test_the_mass_on_the_belt_turns_where_the_formula_says():
    """0.5 m less 0.05886 m in each half swing, until it is within 0.04905 m.

    In a quick run `test_friction_takes_as_much_off_each_half_swing` has the same swings of the model.
    """
    text = printed("belt_oscillator")
    turns = np.array(re.findall(r"^ +(-?\d\.\d{12}) +(-?\d\.\d{12})$", text, flags=re.MULTILINE), dtype=float)
    exact = (-1.0) ** np.arange(1, 9) * (0.5 - 0.05886 * np.arange(1, 9))
    np.testing.assert_allclose(turns, np.column_stack([exact, exact]), rtol=0, atol=PRINTED)
    found, formula = numbers(text, "It slips for")
    assert found == pytest.approx(formula, abs=PRINTED)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pattern", "exact"),
    [
        ("starts to slide", atan(0.5)),
        ("On the level", 4 / (0.8 * GRAVITY)),
        ("Thrown up", 2 * sqrt((tan(0.6) - 0.4) / (tan(0.6) + 0.4))),
    ],
)
def test_the_sliding_block(pattern, exact):
    """In a quick run `test_models_friction` has the block that starts, is thrown, and is thrown up a slope."""
    np.testing.assert_allclose(numbers(printed("sliding_block"), pattern), exact, rtol=0, atol=PRINTED)


@pytest.mark.slow
def test_the_belt_pays_for_motion_heat_and_impacts():
    """Half of the work of the belt is motion; the block of 1 kg has the belt's 1 m/s in the end.

    In a quick run `test_block_on_a_belt_moves_as_one_that_is_thrown_on_a_floor` has that energy.
    """
    accounts = re.findall(r"mu = .*belt's work.*", printed("block_on_belt"))
    assert len(accounts) == 2
    for line in accounts:
        _, work, motion, heat, lost = numbers(line, "work")
        assert (work, motion) == pytest.approx((1.0, 0.5), abs=2e-6)
        assert motion + heat + lost == pytest.approx(work, abs=1e-5)


@pytest.mark.slow
def test_the_wheel_gets_over_its_strikes_by_the_formula():
    """In a quick run `test_each_strike_of_the_rimless_wheel` has the formula."""
    pairs = re.findall(r"^ +(\d\.\d{12}) +(\d\.\d{12})$", printed("rimless_wheel"), flags=re.MULTILINE)
    assert len(pairs) > 8
    np.testing.assert_allclose(*np.array(pairs, dtype=float).T, rtol=0, atol=PRINTED)


def test_a_foot_strike_keeps_two_angular_momenta():
    pairs = re.findall(r"(-?\d+\.\d{12}) (-?\d+\.\d{12})$", printed("compass_walker"), flags=re.MULTILINE)
    assert len(pairs) == 2
    np.testing.assert_allclose(*np.array(pairs, dtype=float).T, rtol=0, atol=1e-11)


@pytest.mark.slow
def test_the_struck_stack_stops_where_the_formula_says():
    """V = 1.5 m/s, mu g = 3.924 m/s^2: V^2 3/16 and 1/16 of 1/(mu g).

    In a quick run `test_blow_on_the_middle_block_of_a_stack` has these places.
    """
    for pattern, exact in (("middle block ends", 3 / 16), ("upper block ends", 1 / 16)):
        found = numbers(printed("struck_stack"), pattern)
        np.testing.assert_allclose(found, exact * 1.5**2 / 3.924, rtol=0, atol=PRINTED)


def test_the_woodpecker_repeats_itself():
    period, before, _ = numbers(printed("woodpecker"), "The period is")
    assert period == pytest.approx(before, abs=1e-5)


def test_dice_are_fair():
    text = printed("dice")
    counts = [int(count) for count in re.findall(r"[+-][xyz] (\d+)", text)]
    assert sum(counts) == 200
    assert "0 end on no face" in text
    (likely,) = numbers(text, "A fair die")
    exact = np.sum((np.array(counts) - 200 / 6) ** 2) / (200 / 6)
    assert exact < 20.5  # which a fair die exceeds once in a thousand times
    assert likely > 0.001


@pytest.mark.parametrize(
    ("axis", "angle", "face"),
    [((1, 0, 0), 0, "+z"), ((1, 0, 0), pi, "-z"), ((1, 0, 0), pi / 2, "+y"), ((0, 1, 0), pi / 2, "-x")],
)
def test_the_face_on_top(axis, angle, face):
    """Turned about x by a right angle, y points up; about y, x points down."""
    die = load("dice")
    x = np.zeros(13)
    x[3:7] = [cos(angle / 2), *sin(angle / 2) * np.array(axis)]
    assert die.FACES[die.upper_face(x)] == face
    x[2] = 0.01
    (heights,) = die.corners_of(x[:, np.newaxis], edge=0.02).T
    np.testing.assert_allclose(np.sort(heights), [0] * 4 + [0.02] * 4, rtol=0, atol=1e-15)


def test_a_die_that_stands_on_an_edge_shows_no_face():
    x = np.zeros(13)
    x[3:7] = [cos(pi / 8), sin(pi / 8), 0, 0]
    assert load("dice").upper_face(x) is None
