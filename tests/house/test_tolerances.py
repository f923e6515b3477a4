"""What tolerances say of themselves is true: each has a place, a scale and a reason, and their sizes fit each other."""

from __future__ import annotations

import ast
import re
import sys
from contextlib import nullcontext
from functools import cache
from inspect import signature
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import tolerance_count
import tolerances_page
from sympy.physics.mechanics import Point, ReferenceFrame

from sympact import HybridModel, HybridSystem, Plane, models
from sympact.contact.memory import contact_tolerances as contact
from sympact.integrate.memory import run_tolerances as run
from sympact.integrate.memory.run_tolerances import PLACE_SPACING
from sympact.integrate.problem.settings import Settings
from sympact.integrate.steppers.methods import METHODS
from sympact.native.rounding import EPS, HALF_DIGITS, LEAST_NORMAL

TABLE = tolerances_page.tolerances()
LARGEST = 85
"""How many numbers there may be: half of the 170 that stood beside their uses, counted by `tolerance_count`."""


@cache
def thresholds():
    """Those of the package, read once."""
    return tolerance_count.thresholds(tolerances_page.SOURCE)


def test_the_page_of_tolerances_is_up_to_date():
    """Otherwise run ``python tests/tolerances_page.py``."""
    assert tolerances_page.PAGE.read_text(encoding="utf-8") == tolerances_page.page()


def test_there_are_fewer_than_half_of_the_tolerances_that_there_were():
    """Thresholds and numbers that steer an algorithm, wherever they stand."""
    assert len(thresholds()) <= LARGEST


def test_no_two_tolerances_have_one_name():
    assert len({one.name for one in TABLE}) == len(TABLE)


def test_no_function_holds_a_threshold_of_its_own():
    """A number of at most 1e-4 within a function is a tolerance without a name."""
    inline = [one for one in thresholds() if not one.name]
    assert inline == []


def test_there_is_one_machine_epsilon():
    assert sys.float_info.epsilon == EPS
    assert sys.float_info.min == LEAST_NORMAL
    written = [
        (file, node.value)
        for file in sorted(tolerances_page.SOURCE.rglob("*.py"))
        for text in [file.read_text(encoding="utf-8")]
        if re.search(r"[eE]-\d\d|0{6}", text)  # otherwise no number in it is as small
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant) and isinstance(node.value, float) and 2e-16 < node.value < 2.5e-16
    ]
    bracket = tolerances_page.SOURCE / "integrate" / "memory" / "run_tolerances.py"
    assert written == [(bracket, PLACE_SPACING), (tolerances_page.SOURCE / "native" / "rounding.py", EPS)]


@pytest.mark.parametrize("one", TABLE, ids=lambda one: one.name)
def test_a_tolerance_names_a_test_that_there_is(one):
    for test in one.tests:
        file, name = test.split("::")
        text = (Path(__file__).parents[1] / file).read_text(encoding="utf-8")
        assert f"def {name.split('[')[0]}(" in text


def near(value: float, reason: float) -> bool:
    """Whether a number is what its reason says, to a factor of five: then it cannot change a hundredfold."""
    return 0.2 < value / reason < 5.0


def test_a_tolerance_that_is_a_root_or_so_many_roundings_is_near_it():
    """Roots of the machine epsilon are written as powers of ten."""
    assert near(HALF_DIGITS, EPS**0.5)
    assert near(run.GAP_ROUNDING, 500 * EPS)
    assert near(contact.PIVOT**0.5, run.PROBE)
    assert run.SLIGHT**2 < EPS < (100 * run.SLIGHT) ** 2
    assert run.NEARBY**3 / 12 < EPS < (100 * run.NEARBY) ** 3 / 12


def test_a_solution_leaves_less_than_what_counts_and_more_than_rounding():
    """Each step from the rounding of an answer to what no error makes has room."""
    steps = (contact.MOTION_ROUNDING, contact.ACCEPTED, run.NEGLIGIBLE, run.PRESSED, contact.BEYOND_ERROR)
    assert all(2.0 * a < b for a, b in pairwise(steps))
    assert near(run.NEGLIGIBLE, 10.0 * contact.ACCEPTED)
    assert near(contact.BEYOND_ERROR, 1e4 * contact.ACCEPTED)


def test_states_of_a_thousandth_of_a_unit_are_followed_to_the_relative_tolerance():
    assert near(run.DEFAULT_ATOL, 1e-3 * run.DEFAULT_RTOL)
    assert near(run.DEAD_BAND, 0.1 * run.DEFAULT_RTOL)


def test_a_line_search_asks_what_its_book_asks():
    """Nocedal and Wright, Numerical Optimization, section 3.1."""
    assert contact.ARMIJO == 1e-4


@pytest.fixture(scope="module")
def ball():
    return models.bouncing_ball()


@pytest.mark.parametrize(("rtol", "taken"), [(1e-14, False), (1e-13, True)])
def test_a_relative_tolerance_below_a_hundred_roundings_is_refused(rtol, taken):
    with nullcontext() if taken else pytest.raises(ValueError, match=r"expected at least 2\.2e-14"):
        Settings.check(["x"], (0.0, 1.0), [0.0], methods=METHODS, rtol=rtol)


def test_a_run_that_asks_for_none_has_the_tolerances_of_the_manual():
    """`docs/theory/numerics.rst` and every signature: 1e-9 and 1e-12."""
    for asked in (Settings.check, HybridModel.simulate, HybridSystem.simulate):
        defaults = {name: one.default for name, one in signature(asked).parameters.items()}
        assert (defaults["rtol"], defaults["atol"]) == (1e-9, 1e-12)


@pytest.mark.parametrize(("gap", "closed"), [(5e-10, True), (5e-9, False)])
def test_a_gap_of_a_billionth_of_the_length_is_closed(ball, gap, closed):
    """As the manual of `HybridModel.impact` says; the length is 1 m, and the ball is above its floor."""
    with nullcontext() if closed else pytest.raises(ValueError, match="no contact touches"):
        assert ball.model.impact(0.0, [gap, -1.0], ball.parameters, length=1.0).contacts == ("ball",)


@pytest.mark.parametrize(("depth", "starts"), [(5e-7, True), (5e-6, False)])
def test_a_start_may_lie_a_millionth_of_the_length_deep_at_most(ball, depth, starts):
    """However loose the relative tolerance is; the length is 1 m, of which `atol` is the dead band."""
    with nullcontext() if starts else pytest.raises(ValueError, match="expected a gap >= 0"):
        ball.model.simulate((0.0, 1e-3), [-depth, 0.0], ball.parameters, rtol=1e-3, atol=1e-10)


@pytest.mark.parametrize(("excess", "taken"), [(5e-10, True), (5e-9, False)])
def test_a_quaternion_is_one_to_ten_digits(excess, taken):
    cube = models.dice()
    x = np.array([cube.start[state] for state in cube.model.x], dtype=float)
    group = list(cube.model.derivation.quaternions[0])
    x[group] *= (1.0 + excess) / np.linalg.norm(x[group])
    with nullcontext() if taken else pytest.raises(ValueError, match="expected 1; divide it by its norm"):
        cube.model.simulate((0.0, 1e-6), x, cube.parameters)


@pytest.mark.parametrize(("excess", "taken"), [(5e-13, True), (5e-12, False)])
def test_a_normal_is_one_to_twelve_digits(excess, taken):
    N, O = ReferenceFrame("N"), Point("O")
    with nullcontext() if taken else pytest.raises(ValueError, match="expected 1"):
        Plane(O, (1.0 + excess) * N.z)
