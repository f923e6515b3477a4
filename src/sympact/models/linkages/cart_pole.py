"""A cart with a pole between two walls."""

from __future__ import annotations

from sympy import Matrix, symbols
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

from sympact.mechanics import Contact, HybridModel, Plane
from sympact.models.planar import planar_body, planar_system
from sympact.models.ready import ReadyModel, spelled_units


def cart_pole() -> ReadyModel:
    """A cart moves between two walls with a pole that is pivoted on it and falls over.

    The pole is a slender rod, theta its angle from the upward vertical (rad); it swings in front of the rail. The cart
    and the tip of the pole may hit either wall.

    Returns
    -------
    ReadyModel

    Examples
    --------
    >>> [contact.name for contact in cart_pole().model.contacts]
    ['cart on left', 'cart on right', 'tip on left', 'tip on right']
    """
    M, m, l, b, w, g, e = symbols("M m l b w g e", positive=True)
    q, u = Matrix(dynamicsymbols("x theta")), Matrix(dynamicsymbols("v omega"))
    N, B, O = ReferenceFrame("N"), ReferenceFrame("B"), Point("O")
    B.orient_axis(N, -q[1], N.z)
    pivot = O.locatenew("pivot", q[0] * N.x)
    tip = pivot.locatenew("tip", l * B.y)
    cart = Particle("cart", pivot, M)
    pole = planar_body("pole", pivot.locatenew("C", l / 2 * B.y), B, m, m * l**2 / 12)

    walls = {"left": N.x, "right": -N.x}
    planes = {name: Plane(O.locatenew(name, -w * way), way) for name, way in walls.items()}
    sides = {name: pivot.locatenew(f"{name} side", -b / 2 * way) for name, way in walls.items()}
    pairs = [("cart", sides[name], name) for name in walls] + [("tip", tip, name) for name in walls]
    contacts = [
        Contact(point, planes[wall], restitution=e, friction=0, name=f"{part} on {wall}") for part, point, wall in pairs
    ]
    return ReadyModel(
        HybridModel(planar_system(N, O, [cart, pole], q, u, g), contacts),
        parameters={M: 1, m: 0.3, l: 1, b: 0.5, w: 1.2, g: 9.81, e: 0.8},
        start=dict(zip([*q, *u], [0, 0.1, 1, 0], strict=True)),
        t_span=(0, 5),
        units=spelled_units("t: s, x gaps: m, theta: rad, v: m/s, omega: rad/s"),
        looks=lambda show: [
            show.Polygon(N, [(s * b / 2, r * b / 4) for s, r in ((-1, -1), (1, -1), (1, 1), (-1, 1))], origin=pivot),
            show.Rod(pivot, tip, l / 20),
        ],
    )
