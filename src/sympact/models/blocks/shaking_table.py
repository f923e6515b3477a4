"""A ball on a table that moves up and down."""

from __future__ import annotations

from math import pi

from sympy import sin, symbols
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, System, dynamicsymbols

from sympact.mechanics import Contact, HybridModel, Plane
from sympact.models.ready import ReadyModel

GRAVITY, FREQUENCY = 9.81, 5.0
"""m/s^2, Hz."""


def shaking_table(strength: float = 1.5, restitution: float = 0.5) -> ReadyModel:
    """A ball is on a table whose height is A sin(omega t).

    The table accelerates away from the ball where its acceleration -A omega^2 sin(omega t) is below -g. With A omega^2
    < g the ball never leaves it; above that it leaves at the phase asin(g/(A omega^2)), bounces, and may come to rest
    on the table again.

    Parameters
    ----------
    strength : float
        The largest acceleration of the table, A omega^2, in units of g.
    restitution : float
        The coefficient of restitution e, from 0 to 1.

    Returns
    -------
    ReadyModel

    Examples
    --------
    >>> table = shaking_table()
    >>> table.model.gaps
    Matrix([[-A*sin(omega*t) + z(t)]])
    """
    m, g, e, A, omega = symbols("m g e A omega", positive=True)
    z, v = dynamicsymbols("z v")
    t = dynamicsymbols._t
    N, O = ReferenceFrame("N"), Point("O")
    ball = Particle("ball", O.locatenew("P", z * N.z), m)

    system = System(N, O)
    system.add_bodies(ball)
    system.add_coordinates(z)
    system.add_speeds(v)
    system.add_kdes(v - z.diff(t))
    system.apply_uniform_gravity(-g * N.z)

    table = Plane(O.locatenew("table", A * sin(omega * t) * N.z), N.z)
    turns = 2 * pi * FREQUENCY
    amplitude = strength * GRAVITY / turns**2
    return ReadyModel(
        HybridModel(system, [Contact(ball.masscenter, table, restitution=e, friction=0, name="ball")]),
        parameters={m: 1, g: GRAVITY, e: restitution, A: amplitude, omega: turns},
        start={z: 0, v: amplitude * turns},
        t_span=(0, 10 / FREQUENCY),
        units={"t": "s", "z": "m", "gaps": "m", "v": "m/s"},
        looks=lambda show: [show.Ball(ball.masscenter.locatenew("middle", A / 5 * N.z), A / 5)],
    )
