"""A disc that rolls over the edge of a smooth hill and separates from it."""

from __future__ import annotations

from math import cosh, hypot
from math import tanh as tanh_of

from sympy import Matrix, symbols, tanh
from sympy.physics.mechanics import Point, ReferenceFrame, dynamicsymbols

from sympact.mechanics import Contact, HybridModel, Implicit, Sphere
from sympact.models.planar import planar_body, planar_system
from sympact.models.ready import ReadyModel, spelled_units

SPEED, RADIUS, HEIGHT, WIDTH = 1.8, 0.1, 1.0, 0.3
"""m/s, on the top of the hill; m, the radius of the disc, and a and b of the hill."""


def hopping_disc() -> ReadyModel:
    """A disc rolls along the top of the hill y = a (1 - tanh(x/b))/2, and separates where the hill becomes too steep.

    The contact point is not fixed in the disc and has no formula: the hill is given by an equation. Rolling, the disc
    has the energy (1 + k) m v^2/2 + m g y with the moment of inertia k m r^2. The normal force is N = m (g cos(alpha) -
    v^2/(R + r)), where alpha is the slope and R the radius of curvature. Rolling requires the friction m g sin(alpha)
    k/(1 + k), so that the disc slips before N vanishes and it separates. Farther down it lands and bounces, until it
    rolls again.

    Returns
    -------
    ReadyModel

    Examples
    --------
    >>> [event.kind.value for event in hopping_disc().simulate().events][1:4]
    ['slip', 'open', 'impact']
    """
    m, r, k, g, a, b = symbols("m r k g a b", positive=True)
    e, mu = symbols("e mu", nonnegative=True)
    q, u = Matrix(dynamicsymbols("x y theta")), Matrix(dynamicsymbols("v_x v_y omega"))
    N, B, O = ReferenceFrame("N"), ReferenceFrame("B"), Point("O")
    B.orient_axis(N, q[2], N.z)
    body = planar_body("disc", O.locatenew("C", q[0] * N.x + q[1] * N.y), B, m, k * m * r**2)

    hill = Implicit(O, N, lambda x, y, z: y - a * (1 - tanh(x / b)) / 2, name="hill")
    contact = Contact(Sphere(body.masscenter, r, frame=B), hill, restitution=e, friction=mu, name="hill")
    return ReadyModel(
        HybridModel(planar_system(N, O, [body], q, u, g), [contact], length=r),
        parameters={m: 1, r: RADIUS, k: 0.5, g: 9.81, a: HEIGHT, b: WIDTH, e: 0.5, mu: 0.6},
        start=dict(zip([*q, *u], _rolling_at(-1.2), strict=True)),
        t_span=(0, 1.3),
        units=spelled_units("t: s, x y gaps: m, theta: rad, v_x v_y: m/s, omega: rad/s"),
        looks=lambda show: [
            show.Ground(hill),
            show.Ball(body.masscenter, r),
            show.Line(body.masscenter, body.masscenter.locatenew("mark", r * B.y)),
            show.Trace(body.masscenter),
        ],
    )


def _rolling_at(x: float) -> tuple[float, ...]:
    """The state of the disc that touches the hill at x and rolls to the right."""
    height, slope = HEIGHT * (1 - tanh_of(x / WIDTH)) / 2, -HEIGHT / (2 * WIDTH * cosh(x / WIDTH) ** 2)
    along_x, along_y = 1 / hypot(1, slope), slope / hypot(1, slope)
    centre = (x - RADIUS * along_y, height + RADIUS * along_x)
    return (*centre, 0.0, SPEED * along_x, SPEED * along_y, -SPEED / RADIUS)
