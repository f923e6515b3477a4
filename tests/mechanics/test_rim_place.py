"""The promise: the lowest place of a rim moves as the minimum does, also where the rim is nearly flat and it runs fast.

A disc lies nearly flat on a bar along x; the place is found here by looks and Newton's method until it stands still.
"""

from __future__ import annotations

import numpy as np
from implicit_models import RADIUS, free_body

from sympact import Cylinder, Disc
from sympact.graph import Function, numpy_function

BAR, COUNT = 0.3, 3000  # m


def attitude(a, b, c) -> np.ndarray:
    """Of many discs, shape (3, 3, k)."""
    ca, sa, cb, sb, cc, sc = np.cos(a), np.sin(a), np.cos(b), np.sin(b), np.cos(c), np.sin(c)
    o, one = np.zeros_like(a), np.ones_like(a)
    about_y = np.array([[ca, o, sa], [o, one, o], [-sa, o, ca]])
    about_x = np.array([[one, o, o], [o, cb, -sb], [o, sb, cb]])
    about_z = np.array([[cc, -sc, o], [sc, cc, o], [o, o, one]])
    return np.einsum("ijs,jks,kls->ils", about_y, about_x, about_z)


def heights(turn, q, angle) -> tuple[np.ndarray, ...]:
    """Distances of places of the rims from the axis of the bar, with two derivatives by the angle."""
    c, s = RADIUS * np.cos(angle), RADIUS * np.sin(angle)
    y, z = (q[i] + turn[i, 0] * c + turn[i, 1] * s for i in (1, 2))
    (dy, dz), (by, bz) = ([turn[i, 1] * c - turn[i, 0] * s for i in (1, 2)], [q[1] - y, q[2] - z])
    r = np.hypot(y, z)
    slope = (y * dy + z * dz) / r
    return r, slope, (dy * dy + dz * dz + y * by + z * bz - slope**2) / r


def velocities(q, u) -> np.ndarray:
    """The velocities of the material at the lowest places, shape (3, k)."""
    turn = attitude(*q[3:])
    looks = np.linspace(0, 2 * np.pi, 721)
    angle = looks[np.argmin([heights(turn, q, look)[0] for look in looks], axis=0)]
    for _ in range(30):
        _, slope, bend = heights(turn, q, angle)
        angle = angle - np.clip(slope / np.abs(bend), -0.01, 0.01)
    arm = RADIUS * np.array([np.cos(angle), np.sin(angle), 0 * angle])
    spun = attitude(*(q[3:] + 1e-30j * u[3:])).imag / 1e-30
    return u[:3] + np.einsum("ijs,js->is", spun, arm)


def test_the_acceleration_at_a_rim_that_is_nearly_flat_is_that_of_its_lowest_place():
    """By differences over 1e-7 s, extrapolated: they are good to 3e-9. One Newton step less is wrong by 5e-6."""
    rng = np.random.default_rng(5)
    q = rng.uniform(-1, 1, (6, COUNT)) * np.array([[0.3], [0.01], [0.01], [0.03], [0.03], [3.0]])
    q += np.array([[0.0], [0.0], [BAR + 0.03], [0.0], [np.arcsin(RADIUS / BAR)], [0.0]])
    u = rng.uniform(-1, 1, (6, COUNT)) * np.array([[1.0], [1.0], [1.0], [10.0], [10.0], [10.0]])
    model = free_body(lambda B, C: Disc(C, B.z, RADIUS, frame=B), lambda N, O: Cylinder(O, N.x, BAR, frame=N))
    (gap,), graph = model.derivation.gaps, model.derivation.graph
    slip = Function("slip", (*gap.slip.velocity, *gap.slip.acceleration), ("t", "x", "xdot", "p"))
    state, slopes = np.concatenate([q, u]), np.concatenate([u, np.zeros_like(u)])
    ours = np.asarray(numpy_function(graph, slip)(np.zeros(COUNT), state, slopes, [1.0, 0.0, 0.0]))
    coarse, fine = ((velocities(q + h * u, u) - velocities(q - h * u, u)) / (2 * h) for h in (2e-7, 1e-7))
    truth = (4 * fine - coarse) / 3
    np.testing.assert_allclose(ours[:3], velocities(q, u), atol=1e-13)
    assert (np.abs(ours[3:] - truth) / (1 + np.abs(truth).max(axis=0))).max() < 2e-8
