"""What tolerances say of themselves is true: each has a place, a scale and a reason, and their sizes fit each other."""

from __future__ import annotations

import ast
import sys
from contextlib import nullcontext
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
from sympact.graph.nodes import graph_tolerances as graph
from sympact.integrate.loop.progress_kernel import TOO_MANY
from sympact.integrate.memory import run_tolerances as run
from sympact.integrate.memory.run_tolerances import PLACE_SPACING
from sympact.integrate.problem.settings import Settings
from sympact.integrate.steppers.methods import METHODS
from sympact.mechanics.kit import mechanics_tolerances as mechanics
from sympact.native.rounding import EPS, ROUNDINGS

TABLE = tolerances_page.tolerances()
LARGEST = 76
"""How many tolerances there may be: less than half of the 170 that stood beside their uses."""


def test_the_page_of_tolerances_is_up_to_date():
    """Otherwise run ``python tests/tolerances_page.py``."""
    assert tolerances_page.PAGE.read_text(encoding="utf-8") == tolerances_page.page()


def test_there_are_fewer_than_half_of_the_tolerances_that_there_were():
    assert len(TABLE) <= LARGEST
    assert len({one.name for one in TABLE}) == len(TABLE)


def test_no_function_holds_a_threshold_of_its_own():
    """A number of at most 1e-4 within a function is a tolerance without a name."""
    inline = [one for one in tolerance_count.thresholds(tolerances_page.SOURCE) if not one.name]
    assert inline == []


def test_there_is_one_machine_epsilon():
    assert sys.float_info.epsilon == EPS
    written = [
        (file, node.value)
        for file in sorted(tolerances_page.SOURCE.rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, float) and 2e-16 < node.value < 2.5e-16
    ]
    bracket = tolerances_page.SOURCE / "integrate" / "memory" / "run_tolerances.py"
    assert written == [(bracket, PLACE_SPACING), (tolerances_page.SOURCE / "native" / "rounding.py", EPS)]


@pytest.mark.parametrize("one", TABLE, ids=lambda one: one.name)
def test_a_tolerance_names_a_test_that_there_is(one):
    if one.test:
        file, name = one.test.rstrip(".").split("::")
        text = (Path(__file__).parents[1] / file).read_text(encoding="utf-8")
        assert f"def {name.split('[')[0]}(" in text


def rising(*values: float) -> bool:
    """Whether numbers rise, by less than a hundredfold each: then none can change a hundredfold alone."""
    return all(a < b < 100.0 * a for a, b in pairwise(values))


def near(value: float, reason: float) -> bool:
    """Whether a number is what its reason says, to a factor of five: then it cannot change a hundredfold."""
    return 0.2 < value / reason < 5.0


def test_roundings_are_so_many_operations():
    assert near(contact.RESOLVED, 5 * EPS)
    assert near(contact.SUM_ROUNDING, 50 * EPS)
    assert near(contact.ANSWER_ROUNDING, 500 * EPS)
    assert near(run.GAP_ROUNDING, 500 * EPS)
    assert near(run.SEGMENT, 500 * EPS)
    assert near(run.LEAST_RTOL, 100 * EPS)
    assert near(ROUNDINGS * EPS, contact.SUM_ROUNDING)
    assert near(graph.ANGLE_ROUNDING, 4 * EPS)
    assert near(graph.ENCLOSED, 5000 * EPS)
    assert near(contact.IMPULSE_ROUNDINGS * EPS, contact.RESOLVED)
    assert near(mechanics.UNIT_NORMAL, 1e3 * contact.RESOLVED)


def test_what_is_squared_is_a_root_of_the_machine_epsilon():
    for value in (contact.RANK, contact.FORCES_MISS, run.SWITCH_MET):
        assert near(value, EPS**0.5)
    assert contact.CORRECTED**2 < EPS < (100 * contact.CORRECTED) ** 2
    assert near(run.NEAR_END**2, contact.AT_ONCE)
    assert near(run.SECANT**2, run.SWITCH_MET)
    assert run.SLIGHT**2 < EPS < (100 * run.SLIGHT) ** 2
    assert near(contact.PIVOT**0.5, run.PROBE)


def test_what_solvers_take_is_more_than_what_they_leave():
    """From rounding to what counts as a force: each step has room, and none is empty."""
    assert rising(contact.RESOLVED, contact.SUM_ROUNDING, contact.ANSWER_ROUNDING, contact.MOTION_ROUNDING)
    assert rising(contact.MOTION_ROUNDING, contact.NO_VELOCITY, contact.CONE_ACCEPTED, contact.ACCEPTED)
    assert rising(contact.ACCEPTED, contact.FORCE_NONE, contact.FORCES_MISS)
    assert rising(contact.ANSWER_ROUNDING, contact.DEPENDENT, contact.COLUMN_SPANNED, contact.ACCEPTED)
    assert rising(contact.ACCEPTED, contact.NO_JAM, contact.FORCES_MISS)
    assert near(contact.PATH_NONE, 100 * contact.STEP_ERROR)
    assert near(contact.SLIPS_JOINED, contact.RESOLVED**0.5)


def test_a_contact_that_is_kept_is_not_let_go_at_once():
    """What opens it, what the search sees of its force, and what the problem of forces is asked, in this order."""
    assert rising(contact.ACCEPTED, contact.NO_ACCELERATION, run.PULLS, run.PRESSED)


def test_heights_and_speeds_of_hops_fit_each_other():
    """A hop lower than `HOP_HEIGHT` is within the dead band; a speed that is none makes one lower than any rounding."""
    assert contact.HOP_HEIGHT == run.DEAD_BAND
    assert rising(run.GAP_ROUNDING, contact.AT_ONCE, 10 * contact.AT_ONCE)
    assert near(contact.AT_ONCE, 0.01 * run.DEAD_BAND)
    assert rising(contact.NO_SPEED, contact.STILL_SPEED)
    assert near(contact.SLOW_SLIP**2, contact.SUM_ROUNDING)


def test_a_run_and_a_blow_posed_from_its_result_agree():
    """A state of a result is right to its tolerance: what touches in the run is closed where its impact is posed."""
    assert rising(run.DEAD_BAND, run.DEFAULT_RTOL)
    assert mechanics.CLOSED == run.DEFAULT_RTOL
    assert near(run.DEFAULT_ATOL, 1e-3 * run.DEFAULT_RTOL)


def test_what_is_lost_is_lost_for_every_law():
    """Rounding hides six digits of a motion where friction leaves so little of the inverse mass."""
    assert contact.IMPULSES_LOST == contact.NEARLY_MASSLESS
    assert near(contact.AT_ZERO, 100 * contact.NEARLY_MASSLESS)


def test_digits_that_are_left_are_enough():
    """Impulses, audits and self-stresses are looser than a solution by ten thousand; pivots leave six digits."""
    for value in (contact.INSIDE, contact.AUDIT_ENERGY, contact.BEARS):
        assert near(value, 1e4 * contact.ACCEPTED)
    assert near(EPS / contact.LEMKE_FLAT, 1e-6)
    assert near(EPS / contact.DIGITS_LOST, contact.MOTION_ROUNDING)
    assert near(mechanics.FOOT_ROUNDING, 0.1 * run.DEAD_BAND)
    assert near(contact.DRIFT, 1e3 * run.DEFAULT_RTOL)


def test_a_hop_without_loss_bounces_for_longer_than_a_run_can_take():
    assert near(1.0 / (1.0 - contact.STEADY), TOO_MANY)


def test_a_line_search_asks_what_its_book_asks():
    """Nocedal and Wright, Numerical Optimization, section 3.1."""
    assert contact.ARMIJO == 1e-4


@pytest.fixture(scope="module")
def ball():
    return models.bouncing_ball()


@pytest.mark.parametrize(("rtol", "taken"), [(1e-14, False), (1e-13, True)])
def test_a_relative_tolerance_below_a_hundred_roundings_is_refused(rtol, taken):
    with nullcontext() if taken else pytest.raises(ValueError, match=r"expected at least 2\.3e-14"):
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
