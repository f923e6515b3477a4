"""The examples of ready-made bodies run as scripts, write their picture, and print what the formulas say."""

from __future__ import annotations

import re
from functools import cache
from math import cos, pi, sin, sqrt

import numpy as np
import pytest
from example_scripts import PNG, ROOT, load, run

GRAVITY = 9.81
PRINTED = 2e-9
"""Of a number that is printed with nine decimals, and of the tolerance of 1e-12 in some hundred steps."""


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """What an example prints; each is run once."""

    @cache
    def text(name: str) -> str:
        folder = tmp_path_factory.mktemp(name)
        told = run(ROOT / "examples" / f"{name}.py", folder)
        assert (folder / f"{name}.png").read_bytes().startswith(PNG)
        return told

    return text


def numbers(text: str, pattern: str) -> list[float]:
    """The numbers in the one line that fits the pattern."""
    (line,) = re.findall(f"^.*{pattern}.*$", text, flags=re.MULTILINE)
    return [float(number) for number in re.findall(r"-?\d+\.\d+", line)]


def test_the_pendulum_loses_energy_at_impacts_only(printed):
    taken, lost = numbers(printed("pendulum"), "The impacts took")
    assert taken > 20
    assert taken == pytest.approx(lost, abs=1e-8)


@pytest.mark.parametrize(("mode", "sign"), [("swing together", 1), ("swing against", -1)])
def test_small_swings_of_the_double_pendulum(printed, mode, sign):
    """Angles of 1.4e-3 rad lengthen a period by about a sixteenth of their square; here modes also bend each other."""
    found, formula = numbers(printed("double_pendulum"), mode)
    exact = pi / 2 / sqrt((2 - sign * sqrt(2)) * GRAVITY)
    assert formula == pytest.approx(exact, abs=PRINTED)
    assert found == pytest.approx(exact, rel=4e-6)


def test_double_pendulums_started_close_together_part(printed):
    text = printed("double_pendulum")
    first, second = (re.findall(r"^(\d+\.\d+) +impact", part, flags=re.MULTILINE) for part in text.split("further:"))
    assert float(first[0]) == pytest.approx(float(second[0]), abs=1e-5)
    assert abs(float(first[-1]) - float(second[-1])) > 0.1


def test_the_walls_give_the_cart_its_momentum(printed):
    changed, given = numbers(printed("cart_pole"), "The momentum changes")
    assert abs(changed) > 1
    assert changed == pytest.approx(given, abs=1e-8)


def test_the_falling_rod_hits_with_the_impulse_of_the_formula(printed):
    found, formula = numbers(printed("falling_rod"), "The first impulse")
    speed = sqrt(2 * GRAVITY * (1.2 - sin(0.6) / 2))
    exact = 1.6 * speed / (1 + 3 * cos(0.6) ** 2)
    assert formula == pytest.approx(exact, abs=PRINTED)
    assert found == pytest.approx(exact, abs=PRINTED)
    assert "the heights [0. 0.] m" in printed("falling_rod")


def test_the_block_falls_flat_with_the_energy_it_had(printed):
    """Width 0.4 m, height 1 m: kinetic energy of fall and turn against the height that the middle has lost."""
    found, formula = numbers(printed("rocking_block"), "It falls flat")
    fallen = (0.4 * sin(0.3) + cos(0.3) - 1) / 2
    assert formula == pytest.approx(found, abs=PRINTED)
    assert (1.16 / 12 + 0.2**2) * found**2 / 2 == pytest.approx(GRAVITY * fallen, abs=1e-8)


def test_the_cradle_hands_on_what_the_formula_says(printed):
    *parts, formula = numbers(printed("newtons_cradle"), "Each ball hands on")
    assert formula == (1 + 0.98) / 2
    np.testing.assert_allclose(parts, [formula] * 4, rtol=0, atol=1e-6)


def test_dice_are_fair(printed):
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
