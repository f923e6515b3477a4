"""Whole runs against the numbers of `tests/reference`, which come from closed forms and 40-digit Taylor series."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import sympy as sm
from contact_models import TIGHT, Case, cube
from oracles.free_cube import CORNERS, rotation_313, rotation_quaternion, spin_313
from quick_members import members
from trajectory import check_trajectory

from sympact import models
from sympact.integrate.result import Result

REFERENCE = Path(__file__).parents[2] / "reference"
START_313, START_RATES = np.array([1.0, 2.0, 3.0]), np.array([3.0, 2.0, 1.0])
IMPACTS_PER_SENSITIVITY = 1e3
"""A state changes by its rate times an error in time: at most 30^2 rad/s^2 here, and 14 m/s."""


def numbers(texts) -> np.ndarray:
    return np.array(texts, dtype=float)


@cache
def reference(name: str) -> dict:
    return json.loads((REFERENCE / f"{name}.json").read_text(encoding="utf-8"))["reference"]


def cube_reference() -> dict:
    return reference("tumbling_cube")["body 3-1-3, last three entries are angle rates"]


def cube_tolerance(impact: int) -> float:
    """Of the file, for the time of an impact (s)."""
    return 1e-11 if impact == 0 else 1e-9


@cache
def tumbling() -> Result:
    """The cube in Euler angles, at the tolerance of the reference."""
    ready = models.tumbling_cube()
    result = ready.simulate(**TIGHT)
    check_trajectory(result, ready.model, ready.parameters)
    return result


@cache
def linked() -> Result:
    """The two links, at the tolerance of the reference."""
    ready = models.two_links()
    result = ready.simulate(**TIGHT)
    check_trajectory(result, ready.model, ready.parameters)
    return result


def spins(x: np.ndarray) -> np.ndarray:
    """The angular velocity in space components, of a state in Euler angles and their rates."""
    return spin_313(x[3:6], x[9:12]).astype(float)


@pytest.mark.parametrize("k", range(5))
def test_cube_impact(k):
    event, exact = tumbling().events[k], cube_reference()["impacts"][k]
    allowed = cube_tolerance(k)
    assert len(tumbling().events) == len(cube_reference()["impacts"]) == 5
    assert event.t == pytest.approx(float(exact["t"]), abs=allowed)
    assert event.contacts == ("".join("+" if sign > 0 else "-" for sign in exact["vertex"]),)
    of_state = allowed * IMPACTS_PER_SENSITIVITY
    for side in ("minus", "plus"):
        x = getattr(event, f"x_{side}")
        np.testing.assert_allclose(x[:3], numbers(exact["p"]), rtol=0, atol=of_state)
        np.testing.assert_allclose(x[6:9], numbers(exact[f"v_{side}"]), rtol=0, atol=of_state)
        np.testing.assert_allclose(spins(x), numbers(exact[f"w_space_{side}"]), rtol=0, atol=of_state)
    np.testing.assert_allclose(event.impulse, [float(exact["P"])], rtol=0, atol=of_state)
    assert event.energy == pytest.approx(float(exact["dT"]), abs=10 * of_state)  # an impulse times a speed of 14 m/s


def test_cube_at_the_end():
    final, x = cube_reference()["final"], tumbling()(5.0)
    of_state = cube_tolerance(4) * IMPACTS_PER_SENSITIVITY
    np.testing.assert_allclose(x[:3], numbers(final["p"]), rtol=0, atol=of_state)
    np.testing.assert_allclose(x[6:9], numbers(final["v"]), rtol=0, atol=of_state)
    np.testing.assert_allclose(spins(x), numbers(final["w_space"]), rtol=0, atol=of_state)
    np.testing.assert_allclose(rotation_313(x[3:6]).astype(float), numbers(final["R"]), rtol=0, atol=of_state)


def links_tolerance(impact: int) -> tuple[float, float]:
    """Of the file, for time and state: a hundred times its cross-check, at least 1e-10.

    Errors grow, so that a difference smaller than earlier ones is luck: the largest so far counts. The cross-check ends
    at the 14th impact; beyond it the allowance doubles with each impact, as the cross-check does.
    """
    known = np.array(reference("two_link_floor")["crosscheck_dt_dx"])
    growth = 2.0 ** max(0, impact - len(known) + 1)
    of_time, of_state = np.maximum(1e-10, 100 * growth * known[: impact + 1].max(axis=0))
    return of_time, of_state


@pytest.mark.parametrize("k", range(19))
def test_links_impact(k):
    events, exact = linked().events, reference("two_link_floor")["impacts"]
    assert len(events) == len(exact) == 19
    event, exact = events[k], exact[k]
    of_time, of_state = links_tolerance(k)
    assert event.t == pytest.approx(float(exact["t"]), abs=of_time)
    for side in ("minus", "plus"):
        expected = numbers([exact[name] for name in ("q1", "q2", f"u1_{side}", f"u2_{side}")])
        np.testing.assert_allclose(getattr(event, f"x_{side}"), expected, rtol=0, atol=of_state)
    # rate and impulse are made of these states with factors below 10
    np.testing.assert_allclose(event.impulse, [float(exact["impulse"])], rtol=0, atol=10 * of_state)
    gap_rate = linked_gap_rate(event.x_minus)
    assert gap_rate == pytest.approx(float(exact["gap_rate_minus"]), abs=10 * of_state)


def linked_gap_rate(x: np.ndarray) -> float:
    """The rate of h - l (cos q1 + cos(q1 + q2)) with l = 1."""
    q1, q2, u1, u2 = x
    return np.sin(q1) * u1 + np.sin(q1 + q2) * (u1 + u2)


def test_the_formula_of_the_jump_is_what_the_run_does():
    """`jump_map` as SymPy writes it out, at the states before the impacts."""
    ready = models.two_links()
    model, letters = ready.model, list(ready.parameters)
    jump = sm.lambdify([*model.x, *letters], list(model.jump_map("tip")), docstring_limit=0)
    for event in linked().events:
        after = jump(*event.x_minus, *ready.parameters.values())
        np.testing.assert_allclose(after, event.x_plus[2:], rtol=0, atol=1e-12)


def quaternion_313(angles: np.ndarray) -> np.ndarray:
    """The unit quaternion of body-fixed z, x, z rotations, scalar part first."""
    a, b, c = angles
    half_sum, half_difference = (a + c) / 2, (a - c) / 2
    cos, sin = np.cos(b / 2), np.sin(b / 2)
    return np.array(
        [cos * np.cos(half_sum), sin * np.cos(half_difference), sin * np.sin(half_difference), cos * np.sin(half_sum)]
    )


@cache
def other_coordinates(speeds: str) -> Result:
    """The reference's cube with body-fixed angular velocity as speeds, in Euler angles or with a quaternion."""
    case: Case = cube(speeds)
    rotation, spin = rotation_313(START_313).astype(float), spin_313(START_313, START_RATES).astype(float)
    attitude = quaternion_313(START_313) if speeds == "quaternion" else START_313
    return case.simulate((0, 5), [0, 0, 10, *attitude, 1, 1, 0, *rotation.T @ spin], **TIGHT)


@pytest.mark.parametrize("speeds", ["spin", "quaternion"])
@pytest.mark.parametrize("k", range(5))
def test_other_coordinates_give_the_same_impacts(speeds, k):
    event, exact = other_coordinates(speeds).events[k], cube_reference()["impacts"][k]
    assert event.t == pytest.approx(float(exact["t"]), abs=1e-9)
    assert event.contacts == ("".join("+" if sign > 0 else "-" for sign in exact["vertex"]),)
    np.testing.assert_allclose(event.impulse, [float(exact["P"])], rtol=0, atol=1e-9 * IMPACTS_PER_SENSITIVITY)
    assert len(other_coordinates(speeds).events) == 5


def test_a_quaternion_keeps_its_norm():
    """At every sample to rounding; between them as far as the polynomial of the step follows the flow."""
    result = other_coordinates("quaternion")
    sides = np.array([getattr(event, f"x_{side}") for event in result.events for side in ("minus", "plus")])
    assert np.abs(np.linalg.norm(result.x[3:7], axis=0) - 1).max() <= 1e-14
    assert np.abs(np.linalg.norm(sides[:, 3:7], axis=1) - 1).max() <= 1e-14
    between = result(np.linspace(0, 5, 2001))[3:7]
    assert np.abs(np.linalg.norm(between, axis=0) - 1).max() <= 1e-10


@pytest.mark.parametrize("options", [{"rtol": 1e-4}, {"rtol": 1e-6}, {"rtol": 1e-8, "method": "RK45"}])
@pytest.mark.parametrize("lift", members(range(4), slow=(1, 2, 3)))
def test_a_quaternion_of_low_accuracy_does_not_penetrate(lift, options):
    """The norm is mended after each step; the impact is where the mended cube touches."""
    spin = np.array([3.0, -2.0, 1.0 + lift])
    start = [0, 0, 1.5 + 0.3 * lift, *quaternion_313(START_313), 1, 0, -1, *spin]
    result = cube("quaternion").simulate((0, 3), start, {"e": 0.6}, max_events=30, **options)
    for event in result.events:
        heights = corner_heights(event.x_minus)
        assert abs(heights.min()) <= 1e-9


def corner_heights(x: np.ndarray) -> np.ndarray:
    """The heights of the corners of a unit cube whose attitude is a quaternion."""
    return x[2] + rotation_quaternion(x[3:7])[2].astype(float) @ CORNERS.T / 2
