"""A ball that bounces until it is at rest."""

from __future__ import annotations

from sympy import symbols
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, System, dynamicsymbols

from sympact.mechanics import Contact, HybridModel, Plane
from sympact.models.ready import ReadyModel


def bouncing_ball(restitution: float = 0.8) -> ReadyModel:
    """A ball falls on a floor from the height of one metre.

    The numbers are those of the textbook example of event-driven simulation: h_0 = 1 m, e = 0.8, g = 9.81 m/s^2. The
    bounces accumulate at t_inf = sqrt(2 h_0/g) (1+e)/(1-e), which is 4.064 s; from then on the ball is at rest.

    Parameters
    ----------
    restitution : float
        The coefficient of restitution e, from 0 to 1.

    Returns
    -------
    ReadyModel

    Examples
    --------
    >>> ball = bouncing_ball()
    >>> ball.model.gaps, ball.model.forcing
    (Matrix([[z(t)]]), Matrix([[-g*m]]))
    """
    m, g, e = symbols("m g e", positive=True)
    z, v = dynamicsymbols("z v")
    N, O = ReferenceFrame("N"), Point("O")
    ball = Particle("ball", O.locatenew("P", z * N.z), m)

    system = System(N, O)
    system.add_bodies(ball)
    system.add_coordinates(z)
    system.add_speeds(v)
    system.add_kdes(v - z.diff(dynamicsymbols._t))
    system.apply_uniform_gravity(-g * N.z)

    contact = Contact(ball.masscenter, Plane(O, N.z), restitution=e, friction=0, name="ball")
    return ReadyModel(
        HybridModel(system, [contact]),
        parameters={m: 1, g: 9.81, e: restitution},
        start={z: 1, v: 0},
        t_span=(0, 5),
        units={"t": "s", "z": "m", "gaps": "m", "v": "m/s"},
        looks=lambda show: [show.Ball(ball.masscenter.locatenew("middle", 0.05 * N.z), 0.05)],
    )
