"""Starts and settings that a run cannot begin with: a sentence for each, with what was found and what to do.

What is wrong with a model is in `test_mechanics_faults`; the plainest mistakes are in `test_public_interface`.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
import sympy as sm
from contact_models import Case, ball, cube, linkage, rod

LOCKS = {"rates": r"for the motion along w1\(t\) and w3\(t\)", "spin": r"of a\(t\) and c\(t\)|of a\(t\), c\(t\)"}


@cache
def bouncer() -> Case:
    return ball()


@cache
def dice(speeds: str, attitude: str = "quaternion") -> Case:
    return cube(speeds, attitude=attitude)


def start(case: Case, x0, **numbers) -> None:
    case.model.simulate((0, 1), x0, case.parameters(**numbers))


def test_each_contact_below_its_surface_is_named_with_its_depth():
    """A rod half a metre long on each side, 0.1 m above the floor and turned by 30 degrees: one end is 0.15 m below."""
    with pytest.raises(
        ValueError,
        match=r"the contact 'B' starts 0\.15 m below its surface; expected a gap >= 0; is the normal",
    ):
        start(rod(), [0, 0.1, np.pi / 6, 0, 0, 0])
    with pytest.raises(ValueError, match=r"'A' starts 0\.2 m below.*; the contact 'B' starts 0\.2 m below"):
        start(rod(), [0, -0.2, 0, 0, 0, 0])


def test_faults_of_a_start_are_told_together():
    with pytest.raises(
        ValueError,
        match=r"restitution of the contact 'A' is 2.*restitution of the contact 'B' is -1.*"
        r"'A' starts 0\.2 m below",
    ):
        start(rod(), [0, -0.2, 0, 0, 0, 0], e_A=2.0, e_B=-1.0)


@pytest.mark.parametrize("angle", [0.0, 1e-9, np.pi, -np.pi])
@pytest.mark.parametrize("speeds", LOCKS)
def test_gimbal_lock_is_named(speeds, angle):
    """Also where sin(pi) is not zero but rounding, and whether the speeds are angle rates or the spin itself."""
    with pytest.raises(ValueError, match=rf"({LOCKS[speeds]}).*gimbal lock start from another orientation"):
        start(dice(speeds, "angles"), [0, 0, 3, 1, angle, 2, 0, 0, 0, 1, 2, 3])


@pytest.mark.parametrize("speeds", LOCKS)
def test_near_a_gimbal_lock_there_is_a_motion(speeds):
    case = dice(speeds)
    case.simulate((0, 0.01), [0, 0, 3, 1, 1e-3, 2, 0, 0, 0, 0.1, 0.2, 0.1])


@pytest.mark.parametrize("attitude", [(2, 0, 0, 0), (0.7071, 0.7071, 0, 0), (0, 0, 0, 0), (1 + 1e-8, 0, 0, 0)])
def test_a_quaternion_that_is_no_unit_one(attitude):
    with pytest.raises(
        ValueError, match=r"the quaternion \[e0\(t\), e1\(t\), e2\(t\), e3\(t\)\] has the norm .*, expec"
    ):
        start(dice("quaternion"), [0, 0, 3, *attitude, 0, 0, 0, 1, 2, 3])


def test_a_quaternion_of_ten_digits_is_a_unit_one():
    dice("quaternion").simulate((0, 0.1), [0, 0, 3, 0.7071067812, 0.7071067812, 0, 0, 0, 0, 0, 1, 2, 3])


def test_masses_that_make_no_motion():
    with pytest.raises(ValueError, match=r"no positive inertia resists v\(t\); give what it moves a mass"):
        start(bouncer(), [1.0, 0.0], m=-1.0)
    with pytest.raises(ValueError, match=r"no positive inertia resists w2\(t\)|mass matrix is singular"):
        start(dice("spin"), [0, 0, 3, 1, 1, 1, 0, 0, 0, 0, 0, 0], i2=0.0)


@pytest.mark.parametrize(
    ("x0", "sentence"),
    [
        ([1.0], r"x0 has the shape \(1,\), expected \(2,\), one number for each of the states \[y\(t\), v\(t\)\]"),
        ([[1.0, 0.0]], r"x0 has the shape \(1, 2\), expected \(2,\)"),
        (["high", 0], r"x0: y\(t\) = 'high' is text; expected real numbers"),
        ([1j, 0], r"x0: y\(t\) = 1j is complex; expected real numbers"),
        ([1.0, None], r"x0: v\(t\) = None is no number; expected real numbers"),
        ([np.inf, np.nan], r"x0: y\(t\) = inf, v\(t\) = nan; expected finite numbers"),
        (3.0, r"x0 has the shape \(\), expected \(2,\)"),
    ],
)
def test_starts_that_are_no_states(x0, sentence):
    with pytest.raises(ValueError, match=sentence):
        start(bouncer(), x0)


def test_a_symbol_is_no_other_symbol_of_its_name():
    """Symbols are told apart by themselves; a name alone stands for the one symbol that has it."""
    case = bouncer()
    y, v = case.model.x
    with pytest.raises(ValueError, match=r"x0 do not match the model: missing \[y\(t\)\], unknown \[y\]"):
        case.model.simulate((0, 1), {sm.Symbol("y"): 1.0, v: 0.0}, case.parameters())
    twin = sm.Symbol("m", positive=True)
    parameters = {twin if symbol.name == "m" else symbol: value for symbol, value in case.parameters().items()}
    with pytest.raises(ValueError, match=r"parameters do not match the model: missing \[m\], unknown \[m\]"):
        case.model.simulate((0, 1), {y: 1.0, v: 0.0}, parameters)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"method": "Euler"}, r"the method 'Euler' takes steps of one size: give it as max_step"),
        ({"method": "RK4", "max_step": np.inf}, r"the method 'RK4' takes steps of one size"),
        ({"method": "rk45"}, r"method is 'rk45', expected one of DOP853, RK45, RK4, improved Euler, Euler, Radau"),
        ({"method": None}, "method is None, expected one of"),
        ({"rtol": np.nan}, "rtol is nan"),
        ({"rtol": 1e-16}, "rtol is 1e-16, expected at least 2.2e-14"),
        ({"atol": [1e-9, 1e-9, 1e-9]}, "atol is .*, expected a number or 2 numbers"),
        ({"max_step": np.nan}, "max_step is nan, expected a positive time"),
        ({"max_events": 2.5}, "max_events is 2.5, expected a positive whole number"),
        ({"t_eval": [0.5, 0.2]}, "t_eval must increase"),
        ({"t_eval": [0.5, 0.5]}, "t_eval must increase .* without repetition"),
        ({"t_eval": [-0.5, 0.2]}, "t_eval must increase within the span from 0 to 1"),
        ({"t_eval": [0.0, np.nan]}, "t_eval must increase"),
        ({"t_eval": [[0.0, 0.5]]}, r"t_eval is \[\[0.0, 0.5\]\], expected a one-dimensional array"),
        ({"t_eval": "all"}, "t_eval is 'all', expected a one-dimensional array"),
    ],
)
def test_settings_that_make_no_sense(options, sentence):
    case = bouncer()
    with pytest.raises(ValueError, match=sentence):
        case.model.simulate((0, 1), [1.0, 0.0], case.parameters(), **options)


@pytest.mark.parametrize("span", [(1, 0), (0, 0), (0, np.inf), (0,), (0, 1, 2), 5.0, ("now", "then"), None])
def test_spans_that_are_no_spans(span):
    case = bouncer()
    with pytest.raises(ValueError, match=r"t_span is .*, expected two finite times \(t_start, t_end\)"):
        case.model.simulate(span, [1.0, 0.0], case.parameters())


def test_wrong_settings_are_told_together():
    case = bouncer()
    with pytest.raises(ValueError, match=r"method is 'X'.*rtol is 0.*max_step is 0"):
        case.model.simulate((0, 1), [1.0, 0.0], case.parameters(), method="X", rtol=0, max_step=0)


def test_a_contact_that_is_not_there():
    model = linkage().model
    with pytest.raises(
        KeyError, match="there is no contact 'foot'; the model's contacts are 'upper_end', 'middle_end'"
    ):
        model.contact("foot")
    with pytest.raises(KeyError, match="there is no contact 'foot'"):
        model.jump_map("foot")
