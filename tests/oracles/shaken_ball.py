"""A ball on a table at the height A sin(omega t): flights, impacts, accumulations and departures to thirty digits.

Above the table the height of the ball over it is h = z_0 + v_0 s - g s^2/2 - A sin(omega (t_0 + s)) with
|h''| <= M = g + A omega^2. From a point with h > 0 the parabola h + h' s - M s^2/2 lies below h, so that no impact can
come before its root: marching from root to root never passes a crossing and converges to the first one quadratically.
"""

from dataclasses import dataclass

from mpmath import asin, ceil, cos, mp, mpf, pi, sin, sqrt

DIGITS = 60
DEAD = mpf(10) ** -25
"""A relative speed (m/s) below which what is left of the bounces is the geometric series of a constant acceleration."""
CONVERGED = mpf(10) ** -45


@dataclass(frozen=True)
class Happening:
    """What happened: ``"open"``, ``"impact"``, ``"accumulation"`` or ``"close"``; when (s); velocity before and after.

    A departure and an accumulation change no velocity.
    """

    kind: str
    t: mpf
    before: mpf
    after: mpf


@dataclass(frozen=True)
class ShakenBall:
    """A ball on a shaken table: amplitude (m), angular frequency (rad/s), gravity (m/s^2), restitution."""

    amplitude: float
    omega: float
    gravity: float
    restitution: float

    @property
    def strength(self):
        """A omega^2/g: above one the ball leaves."""
        return mpf(self.amplitude) * mpf(self.omega) ** 2 / mpf(self.gravity)

    @property
    def leaving_phase(self):
        """omega t = asin(g/(A omega^2)), where the table's acceleration is -g and falls."""
        with mp.workdps(DIGITS):
            return asin(1 / self.strength)

    def run(self, count: int, bounces: bool = True) -> list[Happening]:
        """The first `count` happenings from the table at t = 0 on, the ball lying on it.

        Without `bounces` the impacts that accumulate are left out, the accumulation itself is kept.
        """
        with mp.workdps(DIGITS):
            found, t, stuck, relative = [], mpf(0), True, mpf(0)
            while len(found) < count:
                if stuck:
                    t, relative, stuck = self._departure(t), mpf(0), False
                    found.append(Happening("open", t, self._table(t)[1], self._table(t)[1]))
                    continue
                chatter, t, stuck = self._bounce(t, relative, count)
                found += chatter if bounces or not stuck else chatter[-1:]
                relative = chatter[-1].after - self._table(t)[1]
            return found[:count]

    def _bounce(self, t, relative, count: int):
        """Hops from a start on the table with a relative speed, until they have died out or are `count`."""
        hops = []
        while len(hops) < max(count, 200):
            t, before = self._flight(t, relative)
            speed, pull = self._table(t)[1], self.gravity + self._table(t)[2]
            relative = mpf(self.restitution) * (speed - before)
            hops.append(Happening("impact", t, before, speed + relative))
            if relative == 0 and pull > 0:
                return [*hops, Happening("close", t, speed, speed)], t, True
            if relative == 0:
                return hops, t, False
            if relative < DEAD and pull > 0:
                t += 2 * relative / (pull * (1 - mpf(self.restitution)))
                speed = self._table(t)[1]
                return [*hops, Happening("accumulation", t, speed, speed)], t, True
        return hops, t, False

    def _table(self, t):
        """Height, velocity and acceleration of the table."""
        A, w = mpf(self.amplitude), mpf(self.omega)
        return A * sin(w * t), A * w * cos(w * t), -A * w**2 * sin(w * t)

    def _departure(self, t):
        """The first time from t on at which the ball can lie no longer."""
        w = mpf(self.omega)
        turn = ceil((w * t - self.leaving_phase) / (2 * pi))
        return (self.leaving_phase + 2 * pi * turn) / w

    def _flight(self, start, relative):
        """Time of the next impact and velocity before it."""
        g, (height, speed, pull) = mpf(self.gravity), self._table(start)
        upward, bound = speed + relative, mpf(self.gravity) + self.amplitude * mpf(self.omega) ** 2
        jerk = -self.amplitude * mpf(self.omega) ** 3 * cos(self.omega * start)
        s = self._first_step(relative, -g - pull, -jerk, bound)
        while True:
            table = self._table(start + s)
            h, rate = height + upward * s - g * s**2 / 2 - table[0], upward - g * s - table[1]
            step = (rate + sqrt(rate**2 + 2 * bound * h)) / bound if h > 0 else mpf(0)
            s += step
            if step < CONVERGED:
                return start + s, upward - g * s

    def _first_step(self, rate, bend, jerk, bound):
        """How far h stays positive from h = 0 on: by its rate, else by its second, else by its third derivative."""
        if rate > 0:
            return rate / bound
        if bend > mpf(10) ** -40:
            return bend / (self.amplitude * mpf(self.omega) ** 3)
        return jerk / (self.amplitude * mpf(self.omega) ** 4)
