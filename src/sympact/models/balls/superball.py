"""A ball of rubber that is thrown on a rough floor, and under a table."""

from __future__ import annotations

from sympy import symbols

from sympact.contact import Newton
from sympact.mechanics import Contact, HybridModel, Plane
from sympact.models.balls.spinning_ball import UNITS, spinning_ball
from sympact.models.ready import ReadyModel, spelled_units


def superball(tangential: float = 1.0, table: bool = False) -> ReadyModel:
    """A homogeneous ball in space hits a rough floor, and the underside of a table.

    Of an impact on the floor let c be the approach speed and s = v + omega x (-r n) the slip of the lowest point before
    it. The impulse of friction is P = -(2/7) (1 + e_t) m s where that is within mu (1 + e) m c, and the ball leaves
    with -e_t s; else it slips, and P has that magnitude, against s. So v+ = v + P/m, and r omega changes by 5/2 P/m.
    The spin about the normal n is constant.

    A superball has e = e_t = 1 and loses no energy. Thrown under a table without spin, it hits the floor, the table and
    the floor again, and returns with 333/343 of its horizontal velocity (Garwin); a smooth ball would continue
    forwards.

    Parameters
    ----------
    tangential : float
        e_t, the tangential restitution, from 0 (a sticking contact has no slip after the impact) to 1.
    table : bool
        Whether the ball is thrown under a table of the height h, which covers all of the floor.

    Returns
    -------
    ReadyModel

    Raises
    ------
    ValueError
        If `tangential` is no number from 0 to 1.

    References
    ----------
    - R. L. Garwin, "Kinematics of an ultraelastic rough ball", American Journal of Physics 37 (1969), pp. 88-92.

    Examples
    --------
    >>> [contact.name for contact in superball(table=True).model.contacts]
    ['floor', 'table']
    """
    ball = spinning_ball()
    h = symbols("h", positive=True)
    e, mu = symbols("e mu", nonnegative=True)
    origin, up = ball.system.fixed_point, ball.system.z
    planes = {"floor": Plane(origin, up)}
    if table:
        planes["table"] = Plane(origin.locatenew("table", h * up), -up)
    contacts = [Contact(ball.surface, plane, restitution=e, friction=mu, name=name) for name, plane in planes.items()]
    thrown = {"z": 0.4, "e_0": 1, "v_x": 2.0, "v_z": -6.0 if table else 0.0}
    numbers = {ball.mass: 0.05, ball.radius: 0.025, ball.gravity: 9.81, e: 1, mu: 2.0}
    states = [*ball.system.q, *ball.system.u]
    return ReadyModel(
        HybridModel(ball.system, contacts, impact=Newton(tangential=tangential), length=ball.radius),
        parameters={**numbers, **({h: 0.7} if table else {})},
        start={state: thrown.get(state.func.__name__, 0) for state in states},
        t_span=(0, 0.35 if table else 2),
        units=spelled_units(UNITS),
        looks=lambda show: (
            [show.Ground(plane) for plane in planes.values()]
            + [show.Ball(ball.body.masscenter, ball.radius), show.Trace(ball.body.masscenter)]
        ),
    )
