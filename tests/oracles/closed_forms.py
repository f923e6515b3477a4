"""Formulas that end in a number: what a simulation must give, from no simulation."""

from math import acos, cos, inf, pi, sin, sqrt, tan

import numpy as np
from numpy.typing import NDArray


def bouncing_ball_times(height: float, gravity: float, restitution: float, count: int) -> NDArray:
    """Times of the first `count` impacts of a ball dropped at rest: t_0 = sqrt(2 h/g), t_k = t_(k-1) + 2 t_0 e^k.

    Examples
    --------
    >>> bouncing_ball_times(height=4.9, gravity=9.8, restitution=0.5, count=3)
    array([1. , 2. , 2.5])
    """
    fall = sqrt(2 * height / gravity)
    hops = 2 * fall * restitution ** np.arange(1.0, count)
    return fall + np.concatenate([[0.0], np.cumsum(hops)])


def bouncing_ball_accumulation(height: float, gravity: float, restitution: float) -> float:
    """Where the impact times accumulate: t_inf = t_0 (1+e)/(1-e); infinite for e = 1."""
    if restitution == 1:
        return inf
    return sqrt(2 * height / gravity) * (1 + restitution) / (1 - restitution)


def flat_cube(height: float, edge: float, gravity: float, restitution: float) -> tuple[float, float]:
    """Time of impact and rebound velocity of a cube dropped flat, its centre from `height`; it does not spin after."""
    drop = height - edge / 2
    return sqrt(2 * drop / gravity), restitution * sqrt(2 * gravity * drop)


def rod_impulse(mass: float, velocity: float, angle: float, restitution: float) -> float:
    """Impulse at the end of a slender rod, `angle` above the horizontal, whose end hits at normal `velocity` (< 0).

    P = -(1+e) m v/(1 + 3 cos^2 angle), frictionless.
    """
    return -(1 + restitution) * mass * velocity / (1 + 3 * cos(angle) ** 2)


def rimless_wheel_speed(gravity_over_length: float, half_angle: float, slope: float) -> float:
    """Spin just after an impact in the rolling cycle of a rimless wheel with its mass at the hub.

    omega+ = cos(2 alpha) omega- with the fixed point cot(2 alpha) sqrt(4 (g/l) sin(alpha) sin(slope)).
    """
    return sqrt(4 * gravity_over_length * sin(half_angle) * sin(slope)) / tan(2 * half_angle)


def grazing_times(depth: float, count: int) -> NDArray:
    """Impact times of x'' = -x, x(0) = -(1 + depth) at rest, with a perfectly elastic wall (e = 1) at x = 1.

    Each flight lasts 2 (pi - alpha) with cos(alpha) = 1/(1 + depth), the first half of that.

    Examples
    --------
    >>> grazing_times(depth=1.0, count=3) / pi
    array([0.66666667, 2.        , 3.33333333])
    """
    half_flight = pi - acos(1 / (1 + depth))
    return half_flight * (2 * np.arange(count) + 1)


class WalledOscillator:
    """x'' = -x from x(0) = 1 at rest, above a wall at x = -1/2 with Newton restitution, exact up to the second impact.

    The first impact is at t = 2 pi/3 with velocity -sqrt(3)/2; the flight after it is a harmonic motion again, with the
    energy (1/4 + 3 e^2/4)/2. A trajectory that is no polynomial, to fit orders of convergence through an impact.

    Examples
    --------
    >>> motion = WalledOscillator(restitution=0.8)
    >>> [round(float(value), 3) for value in motion.state(2.5)]
    [-0.186, 0.834]
    """

    wall = -0.5
    impact = 2 * pi / 3

    def __init__(self, restitution: float):
        self.restitution = restitution

    def state(self, t: float) -> NDArray:
        """Position and velocity at `t`, shape (2,); after the jump at the impact itself."""
        if t < self.impact:
            return np.array([cos(t), -sin(t)])
        speed = self.restitution * sqrt(3) / 2
        s = t - self.impact
        return np.array([self.wall * cos(s) + speed * sin(s), speed * cos(s) - self.wall * sin(s)])


TEACHING_TABLE = {
    "improved_euler": (1.005000, 1.019025, 1.041218, 1.070802, 1.107076),
    "rk4": (1.004838, 1.018731, 1.040818, 1.070320, 1.106531),
}
"""y' = x - y + 1, y(0) = 1, h = 0.1, after 1 to 5 steps, as textbooks of numerical methods print it (six decimals)."""
