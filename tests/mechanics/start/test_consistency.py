"""The machine code's look at a start: it takes none that the sentences refuse, and all that models begin with."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from contact_models import Case, ball, cube, rod
from hypothesis import given
from hypothesis import strategies as st

from sympact import models
from sympact.mechanics.start.consistency import StartCheck, check_start

LAWFUL = ("bouncing_ball", "tumbling_cube", "dice", "two_links", "woodpecker", "belt_oscillator", "superball")
ATOL = 1e-12


@cache
def turning(speeds: str) -> Case:
    return cube(speeds, attitude="angles")


@cache
def falling_rod() -> Case:
    return rod()


def taken_by(compiled, p: np.ndarray, x: np.ndarray) -> bool:
    """Whether the machine code takes a start."""
    return StartCheck(compiled, p).scale(0.0, x, rtol=1e-9, atol=np.full(len(x), ATOL)) is not None


def check(case: Case, x0, **numbers: float) -> tuple[bool, str]:
    """Whether the machine code takes a start, and the sentence with which it would be refused, "" for none."""
    compiled = case.model.compile()
    p = compiled.all_parameters(compiled.parameters(case.parameters(**numbers)))
    x = np.array(x0, float)
    taken = taken_by(compiled, p, x)
    try:
        check_start(compiled, 0.0, x, p, None, rtol=1e-9, atol=np.full(len(x), ATOL))
    except ValueError as error:
        return taken, str(error)
    return taken, ""


@pytest.mark.parametrize("name", LAWFUL)
def test_starts_of_ready_made_models_are_taken(name):
    ready = getattr(models, name)()
    compiled = ready.model.compile()
    p = compiled.all_parameters(compiled.parameters(ready.parameters))
    x = compiled.state(ready.start)
    compiled.settle(0.0, x, p)
    assert taken_by(compiled, p, x)


CUBE = [0, 0, 3, 1, 1, 2, 0, 0, 0, 1, 2, 3]
QUATERNION = [0, 0, 3, 0.6, 0.8, 0, 0, 0, 0, 0, 1, 2, 3]
REFUSED = {
    "gimbal lock, rates": (lambda: turning("rates"), [0, 0, 3, 1, 0, 2, 0, 0, 0, 1, 2, 3], {}),
    "gimbal lock, spin": (lambda: turning("spin"), [0, 0, 3, 1, 0, 2, 0, 0, 0, 1, 2, 3], {}),
    "gimbal lock but for rounding": (lambda: turning("spin"), [0, 0, 3, 1, np.pi, 2, 0, 0, 0, 1, 2, 3], {}),
    "no unit quaternion": (lambda: turning("quaternion"), [0, 0, 3, 1, 1e-4, 0, 0, 0, 0, 0, 1, 2, 3], {}),
    "a moment of inertia that vanishes": (lambda: turning("spin"), CUBE, {"i2": 0.0}),
    "a negative mass": (ball, [1.0, 0.0], {"m": -1.0}),
    "below the surface": (falling_rod, [0, 0.1, np.pi / 6, 0, 0, 0], {}),
    "restitution above 1": (falling_rod, [0, 2.0, 0, 0, 0, 0], {"e_A": 1.0 + 1e-12}),
    "negative restitution": (falling_rod, [0, 2.0, 0, 0, 0, 0], {"e_B": -1e-300}),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_is_not_taken(name):
    make, x0, numbers = REFUSED[name]
    taken, sentence = check(make(), x0, **numbers)
    assert sentence.startswith("the motion cannot start")
    assert not taken


@pytest.mark.parametrize("name", REFUSED)
def test_a_wrong_start_after_a_right_one_is_refused(name):
    """The first run is checked in Python; later ones come to the machine code first."""
    make, x0, numbers = REFUSED[name]
    case = make()
    _, sentence = check(case, x0, **numbers)
    n = len(case.model.x)
    right = {2: [1.0, 0.0], 6: [0, 2.0, 0, 0, 0, 0], 12: CUBE, 13: QUATERNION}[n]
    for _ in range(2):
        case.model.simulate((0, 1e-3), right, case.parameters())
    with pytest.raises(ValueError, match="cannot start") as refused:
        case.model.simulate((0, 1e-3), x0, case.parameters(**numbers))
    assert str(refused.value) == sentence


@given(st.sampled_from(["rates", "spin"]), st.floats(-18, 0), st.sampled_from([0.0, np.pi]))
def test_towards_a_gimbal_lock_the_machine_code_refuses_first(speeds, exponent, lock):
    taken, sentence = check(turning(speeds), [0, 0, 3, 1, lock + 10**exponent, 2, 0, 0, 0, 1, 2, 3])
    assert not (taken and sentence)
    assert taken or exponent < -5  # sin^2 = 1e-10 is a hundred times what counts as a lock


@given(st.floats(-0.5, 0.5), st.floats(-4, 4), st.floats(-16, 0), st.floats(-1, 2), st.floats(-1, 2))
def test_no_start_is_taken_that_is_refused(height, angle, small, e_a, e_b):
    taken, sentence = check(falling_rod(), [0, height + 10**small, angle, 0, 0, 0], e_A=e_a, e_B=e_b)
    assert not (taken and sentence)


def test_friction_out_of_its_range_is_not_taken():
    ready = models.dice()
    compiled = ready.model.compile()
    x = compiled.state(ready.start)
    names = {str(symbol): symbol for symbol in compiled.model.parameters}
    mu = next(symbol for name, symbol in names.items() if name.startswith("mu"))
    for value, taken in ((0.3, True), (0.0, True), (-1e-9, False), (np.nan, False), (np.inf, True)):
        p = compiled.all_parameters(
            [value if symbol == mu else ready.parameters[symbol] for symbol in compiled.model.parameters]
        )
        assert taken_by(compiled, p, x) is taken, value
