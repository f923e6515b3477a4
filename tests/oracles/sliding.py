"""A rod that slides down a wall and a bead that slides down a hill: where and when they leave, to thirty digits.

Both are energy integrals. The time is a quadrature of 1/rate over the angle; started at rest it has an inverse square
root at the start, which the substitution theta = theta_0 -+ s^2 takes away.
"""

from dataclasses import dataclass

from mpmath import acos, asin, cos, mp, mpf, quad, sin, sqrt

DIGITS = 30


@dataclass(frozen=True)
class Rod:
    """A slender rod between a smooth wall and a smooth floor, of unit mass.

    Parameters
    ----------
    length, gravity : float
        m, m/s^2.
    angle : float
        At the start, above the horizontal (rad).
    rate : float
        How fast the angle falls at the start (rad/s), not negative.
    """

    length: float
    gravity: float
    angle: float
    rate: float = 0.0

    def falling(self, angle):
        """How fast the angle falls while both ends touch: w^2 = w_0^2 + (3 g/l) (sin(theta_0) - sin(theta))."""
        return sqrt(mpf(self.rate) ** 2 + 3 * mpf(self.gravity) / self.length * _sine_drop(self.angle, angle))

    def wall_force(self, angle):
        """(3/4) m g cos(theta) (3 sin(theta) - 2 sin(theta_0) - 2 l w_0^2/(3 g)), from m x'' of the centre."""
        extra = 2 * mpf(self.length) * mpf(self.rate) ** 2 / (3 * mpf(self.gravity))
        return 0.75 * mpf(self.gravity) * cos(angle) * (3 * sin(angle) - 2 * sin(mpf(self.angle)) - extra)

    def floor_force(self, angle):
        """m (g + y'') of the centre, while both ends touch; m g/4 where a rod started at rest leaves the wall."""
        turning = -1.5 * mpf(self.gravity) / self.length * cos(angle)
        rise = self.length / mpf(2) * (cos(angle) * turning - sin(angle) * self.falling(angle) ** 2)
        return self.gravity + rise

    @property
    def leaving_angle(self):
        """sin(theta_1) = 2/3 sin(theta_0) + 2 l w_0^2/(9 g)."""
        with mp.workdps(DIGITS):
            extra = 2 * mpf(self.length) * mpf(self.rate) ** 2 / (9 * mpf(self.gravity))
            return asin(2 * sin(mpf(self.angle)) / 3 + extra)

    @property
    def leaving_time(self):
        """From the start until the upper end leaves the wall (s)."""
        with mp.workdps(DIGITS):
            return _time(self.falling, mpf(self.angle), self.leaving_angle, -1)

    @property
    def sliding_speed(self):
        """The horizontal velocity of the centre, which keeps it from leaving the wall on: (l/2) sin(theta) w."""
        with mp.workdps(DIGITS):
            return self.length / mpf(2) * sin(self.leaving_angle) * self.falling(self.leaving_angle)

    def falling_free(self, angle):
        """How fast the angle falls when only the lower end touches: w^2 (cos^2/8 + 1/24) l^2 + g l sin/2 is kept."""
        first, l = self.leaving_angle, mpf(self.length)
        kept = self.falling(first) ** 2 * _moment(first) + self.gravity * (sin(first) - sin(angle)) / (2 * l)
        return sqrt(kept / _moment(angle))

    @property
    def landing_time(self):
        """From the start until the upper end falls on the floor (s)."""
        with mp.workdps(DIGITS):
            return self.leaving_time + quad(lambda angle: 1 / self.falling_free(angle), [0, self.leaving_angle])


@dataclass(frozen=True)
class Bead:
    """A bead on a smooth round hill, of unit mass.

    Parameters
    ----------
    radius, gravity : float
        m, m/s^2.
    angle : float
        At the start, from the vertical (rad), positive.
    speed : float
        Down the hill at the start (m/s), not negative.
    """

    radius: float
    gravity: float
    angle: float
    speed: float = 0.0

    def sliding(self, angle):
        """theta' on the hill: (R theta')^2 = v_0^2 + 2 g R (cos(theta_0) - cos(theta))."""
        drop = 2 * sin((angle + self.angle) / 2) * sin((angle - self.angle) / 2)
        return sqrt(mpf(self.speed) ** 2 + 2 * mpf(self.gravity) * self.radius * drop) / self.radius

    @property
    def leaving_angle(self):
        """cos(theta_1) = (2 cos(theta_0) + v_0^2/(g R))/3."""
        with mp.workdps(DIGITS):
            extra = mpf(self.speed) ** 2 / (mpf(self.gravity) * self.radius)
            return acos((2 * cos(mpf(self.angle)) + extra) / 3)

    @property
    def leaving_time(self):
        """From the start until the bead leaves the hill (s)."""
        with mp.workdps(DIGITS):
            return _time(self.sliding, mpf(self.angle), self.leaving_angle, 1)

    @property
    def leaving_speed(self):
        """v_1^2 = g R cos(theta_1): gravity alone keeps it on the circle."""
        with mp.workdps(DIGITS):
            return sqrt(mpf(self.gravity) * self.radius * cos(self.leaving_angle))

    @property
    def landing(self):
        """Time (s) and place (m from the centre) where the bead meets the ground at the height of the centre."""
        with mp.workdps(DIGITS):
            angle, g, v = self.leaving_angle, mpf(self.gravity), self.leaving_speed
            down, height = v * sin(angle), self.radius * cos(angle)
            flight = (sqrt(down**2 + 2 * g * height) - down) / g
            return self.leaving_time + flight, self.radius * sin(angle) + v * cos(angle) * flight


def _moment(angle):
    """The moment of inertia about where the lower end pushes, over m l^2, halved: cos^2/8 + 1/24."""
    return cos(angle) ** 2 / 8 + mpf(1) / 24


def _sine_drop(start, angle):
    """sin(start) - sin(angle) without the loss of digits of a difference."""
    start = mpf(start)
    return 2 * cos((start + angle) / 2) * sin((start - angle) / 2)


def _time(rate, start, end, sign):
    """The integral of d(angle)/rate with angle = start + sign s^2."""
    last = sqrt(sign * (end - start))
    return quad(lambda s: 2 * s / rate(start + sign * s**2), [0, last / 2, last], method="gauss-legendre")
