"""A planar cross in a square box that is shaken: parabolas, marched from impact to impact; no line of sympact in it.

Of a tip at p from the middle of the box and a wall in the direction d, at half a width from the middle, the gap is
w/2 - p . d. With bounds on p, d and their derivatives |gap''| <= M, and the parabola gap + gap' s - M s^2/2 lies below
the gap: the root of the lowest of all parabolas can be stepped to without passing an impact.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

REAL = np.longdouble
HORIZON = 2.0
"""The bounds hold for so long (s); no flight may last longer."""


@dataclass(frozen=True)
class Jack:
    """Mass (kg), length of the rods (m), gravity, restitution, width of the box (m), and its motion.

    The height of the box's middle is ``lift sin(omega t)``, its angle ``tilt sin(nu t)``.
    """

    mass: float
    length: float
    gravity: float
    restitution: float
    width: float
    lift: float
    omega: float
    tilt: float
    nu: float

    def impacts(self, start: NDArray, count: int) -> list[tuple[float, int, int, NDArray, NDArray]]:
        """(t, tip, wall, u-, u+) of the first `count` impacts; tips and walls are numbered east, north, west, south.

        `start` is [x, y, theta, v_x, v_y, Omega] at t = 0.
        """
        t, q, u = REAL(0), *np.split(np.asarray(start, dtype=REAL), 2)
        found, last = [], None
        for _ in range(count):
            s = self._flight(t, q, u, last)
            t, (q, u) = t + s, self._fly(q, u, s)
            last = np.unravel_index(np.argmin(self._gaps(t, q, u)[0]), (4, 4))
            after = self._rebound(t, q, u, *last)
            found.append((float(t), int(last[0]), int(last[1]), u.astype(float), after.astype(float)))
            u = after
        return found

    def _fly(self, q, u, s):
        fall = np.array([0, REAL(self.gravity), 0])
        return q + u * s - fall * s**2 / 2, u - fall * s

    def _box(self, t):
        """Height of the middle and angle of the box, and their rates."""
        a, w, b, n = (REAL(part) for part in (self.lift, self.omega, self.tilt, self.nu))
        return a * np.sin(w * t), a * w * np.cos(w * t), b * np.sin(n * t), b * n * np.cos(n * t)

    def _geometry(self, t, q, u):
        """Arms of the tips, places and velocities from the middle, directions of the walls and their rates, (4, 2)."""
        height, rise, angle, turning = self._box(t)
        arms = REAL(self.length) / 2 * _circle(q[2])
        places = q[:2] + arms - np.array([0, height])
        velocities = u[:2] + u[2] * _left(arms) - np.array([0, rise])
        walls = _circle(angle)
        return arms, places, velocities, walls, turning * _left(walls)

    def _gaps(self, t, q, u):
        """Gaps and their rates, each of shape (4, 4): tips by walls."""
        _, places, velocities, walls, turns = self._geometry(t, q, u)
        return REAL(self.width) / 2 - places @ walls.T, -velocities @ walls.T - places @ turns.T

    def _flight(self, t, q, u, last):
        """The time until the next impact; `last` is the pair that has just rebounded."""
        bound, s = self._bound(u), REAL(0)
        while s < HORIZON:
            gaps, rates = self._gaps(t + s, *self._fly(q, u, s))
            if s == 0 and last is not None:
                gaps[last] = 0
            steps = (rates + np.sqrt(rates**2 + 2 * bound * np.maximum(gaps, 0))) / bound
            step = steps.min()
            s += step
            if step < 1e-18:
                return s
        raise RuntimeError(f"no impact within {HORIZON} s")

    def _bound(self, u):
        """Of |gap''| within the horizon."""
        arm, turn = self.length / 2, self.tilt * self.nu
        speed = np.abs(u).sum() + self.gravity * HORIZON + self.lift * self.omega + arm * np.abs(u[2])
        bend = self.gravity + arm * u[2] ** 2 + self.lift * self.omega**2
        return bend + 2 * speed * turn + 2 * self.width * (turn**2 + turn * self.nu)

    def _rebound(self, t, q, u, tip, wall):
        """Lagrange's impact equation for one contact: u+ = u- - (1 + e) gamma M^-1 W/(W^T M^-1 W)."""
        arms, _, _, walls, _ = self._geometry(t, q, u)
        d, arm = walls[wall], arms[tip]
        push = -np.array([*d, arm[0] * d[1] - arm[1] * d[0]])
        inertia = REAL(self.mass) * np.array([1, 1, REAL(self.length) ** 2 / 12])
        rate = self._gaps(t, q, u)[1][tip, wall]
        return u - (1 + REAL(self.restitution)) * rate * (push / inertia) / (push @ (push / inertia))


def _circle(angle):
    """Four directions, each a quarter turn on from the one before, shape (4, 2)."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, s], [-s, c], [-c, -s], [s, -c]])


def _left(vectors):
    """Vectors turned by a quarter to the left."""
    return np.stack([-vectors[:, 1], vectors[:, 0]], axis=1)
