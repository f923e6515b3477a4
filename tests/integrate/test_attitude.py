"""Angles from quaternions: arguments followed along curves, and the two charts of a rotation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from quick_members import examples

from sympact.integrate.charts.attitude import Attitude, SpeedKind
from sympact.integrate.charts.winding import Curve, follow

NOWHERE = np.arange(0)
EULER = Attitude(
    angles=np.arange(3),
    speeds=np.arange(3, 6),
    quaternion=np.arange(4),
    spin=np.arange(4, 7),
    to_p=np.eye(4),
    offset=0.0,
    axes=np.eye(3),
    kind=SpeedKind.RATES,
    weights=np.eye(3),
)
"""Rotations about z, x and z with their rates as speeds."""

angle = st.floats(-30.0, 30.0)


def straight(offset: float, speed: float = 1.0):
    """A curve that passes zero at a distance, as its instants and as a path."""

    def path(t: np.ndarray) -> Curve:
        z = speed * t + 1j * offset
        return Curve(t, z[:, np.newaxis], np.full((len(t), 1), speed + 0j), np.zeros(len(t)))

    return path(np.array([-1.0, 1.0])), path


def argument_after(offset: float) -> tuple[float, float]:
    curve, path = straight(offset)
    found = follow(curve, np.angle(curve.z[0]), np.array([1.0]), path)
    return float(found.argument[-1, 0]), float(found.sign[-1, 0])


@pytest.mark.parametrize("side", [-1.0, 1.0])
@pytest.mark.parametrize("distance", [1.0, 1e-3, 1e-6, 1e-9, 3e-10])
def test_a_curve_past_zero_turns_by_half_a_turn_on_its_side(distance, side):
    start = np.arctan2(side * distance, -1.0)
    argument, sign = argument_after(side * distance)
    assert sign == 1.0
    assert argument - start == pytest.approx(-side * (np.pi - 2 * np.arctan(distance)), abs=1e-12)


@pytest.mark.parametrize("distance", [0.0, 1e-17, 1e-13, 3e-12])
def test_a_curve_through_zero_goes_straight_on(distance):
    start = np.arctan2(distance, -1.0)
    argument, sign = argument_after(distance)
    assert sign == -1.0
    assert argument == pytest.approx(start, abs=1e-9)


@examples(33, 100, st.lists(st.floats(-3.0, 3.0), min_size=6, max_size=6), st.integers(1, 40))
def test_the_argument_does_not_depend_on_the_number_of_samples(numbers, samples):
    """Of a quaternion that turns at a constant rate: coarse samples with their path, against a thousand."""
    x = np.array([numbers])
    quaternion, spin = EULER.inward(x)

    def motion(t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        half = np.linalg.norm(spin) / 2 * t[:, np.newaxis]
        axis = spin / max(np.linalg.norm(spin), 1e-300)
        real, vector = quaternion[:, :1], quaternion[:, 1:]
        turned = np.concatenate([-vector @ axis.T, real * axis + np.cross(vector, axis)], axis=1)
        return np.cos(half) * quaternion + np.sin(half) * turned, np.repeat(spin, len(t), axis=0)

    ends = []
    for t in (np.linspace(0.0, 5.0, samples + 1), np.linspace(0.0, 5.0, 1001)):
        states = motion(t)
        branch = EULER.follow(t, *states, EULER.begin(x[0]), motion)
        ends.append(EULER.outward(*states, branch)[0][[0, -1]])
    np.testing.assert_allclose(ends[0], ends[1], rtol=0, atol=1e-7)
    np.testing.assert_allclose(ends[0][0], numbers[:3], rtol=0, atol=1e-12)


@given(st.tuples(angle, angle, angle, *[st.floats(-5, 5)] * 3), st.sampled_from(SpeedKind))
def test_states_go_in_and_come_out(numbers, kind):
    """With all full turns. At a gimbal lock different rates of angles are one motion: there it is the motion."""
    attitude = Attitude.from_table(EULER.table() | {"kind": str(kind), "weights": [[2, 0, 0], [0, 1, 1], [0, 0, -1]]})
    x = np.array([numbers])
    quaternion, spin = attitude.inward(x)
    assert np.linalg.norm(quaternion) == pytest.approx(1.0, abs=1e-15)
    angles, speeds = attitude.outward(quaternion, spin, attitude.begin(x[0]))
    np.testing.assert_allclose(angles[0], numbers[:3], rtol=0, atol=1e-13)
    far = abs(np.sin(numbers[1])) > 1e-3
    if far or kind is not SpeedKind.RATES:
        np.testing.assert_allclose(speeds[0], numbers[3:], rtol=0, atol=1e-10)
    again = attitude.inward(np.concatenate([angles, speeds], axis=1))
    np.testing.assert_allclose(again[1], spin, rtol=0, atol=1e-13 if far else 1e-8)
