"""A ball that slides, rolls, falls off a table, and rolls on."""

from __future__ import annotations

from sympy import Matrix, symbols
from sympy.physics.mechanics import Point, ReferenceFrame, dynamicsymbols

from sympact.mechanics import Capsule, Contact, HybridModel, Plane, Sphere
from sympact.models.planar import planar_body, planar_system
from sympact.models.ready import ReadyModel, spelled_units


def rolling_ball() -> ReadyModel:
    """A ball slides on a table until it rolls, leaves the table's round edge, and bounces on the floor.

    With the moment of inertia k m r^2 (2/5 of a ball, 1/2 of a disc, 1 of a hoop) and without spin its deceleration is
    mu g until it rolls, after the time k v/((1 + k) mu g), with v/(1 + k): 5/7 of its speed for a ball. The edge of the
    table is round, with the radius b. A ball with more than sqrt(g (b + r)) leaves the table where the edge begins; a
    slower one follows the edge, slips, and leaves it later. A ball that rolls has no slip on the floor, so that
    friction has no impulse in the impacts: the rebounds decrease and it rolls on at the same speed.

    Returns
    -------
    ReadyModel

    Examples
    --------
    >>> [contact.name for contact in rolling_ball().model.contacts]
    ['table', 'floor']
    """
    m, r, k, g, b, a, h = symbols("m r k g b a h", positive=True)
    e, mu = symbols("e mu", nonnegative=True)
    q, u = Matrix(dynamicsymbols("x y theta")), Matrix(dynamicsymbols("v_x v_y omega"))
    N, B, O = ReferenceFrame("N"), ReferenceFrame("B"), Point("O")
    B.orient_axis(N, q[2], N.z)
    body = planar_body("ball", O.locatenew("C", q[0] * N.x + q[1] * N.y), B, m, k * m * r**2)

    left, right = (O.locatenew(name, place * N.x - b * N.y) for name, place in (("left end", -a), ("right end", 0)))
    floor = Plane(O.locatenew("floor", -h * N.y), N.y)
    surfaces = {"table": Capsule(left, right, b, frame=N), "floor": floor}
    ball = Sphere(body.masscenter, r, frame=B)
    contacts = [Contact(ball, surface, restitution=e, friction=mu, name=name) for name, surface in surfaces.items()]
    return ReadyModel(
        HybridModel(planar_system(N, O, [body], q, u, g), contacts, length=r),
        parameters={m: 1, r: 0.05, k: 0.4, g: 9.81, b: 0.02, a: 1.2, h: 0.75, e: 0.5, mu: 0.3},
        start=dict(zip([*q, *u], [-1.0, 0.05, 0, 3.0, 0, 0], strict=True)),
        t_span=(0, 2),
        units=spelled_units("t: s, x y gaps: m, theta: rad, v_x v_y: m/s, omega: rad/s"),
        looks=lambda show: [
            show.Ground(floor),
            show.Rod(left, right, 2 * b),
            show.Ball(body.masscenter, r),
            show.Line(body.masscenter, body.masscenter.locatenew("mark", r * B.y)),
        ],
    )
