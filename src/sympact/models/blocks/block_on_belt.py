"""A block at rest on a belt that starts to move."""

from __future__ import annotations

from sympy import Matrix, symbols
from sympy.physics.mechanics import Point, ReferenceFrame, dynamicsymbols

from sympact.mechanics import Contact, HybridModel, Plane
from sympact.models.planar import block_corners, planar_body, planar_system
from sympact.models.ready import ReadyModel, spelled_units


def block_on_belt(friction: float = 0.6, belt: float = 1.0) -> ReadyModel:
    """A block at rest is on a moving belt: it slides until it has the belt's speed, and may tip on the way.

    With the width a and the height b the friction tips the block where mu > a/b: it rises on its rear corner and falls
    back. Below that it slides upright and has the belt's speed after w/(mu g).

    Parameters
    ----------
    friction : float
        The coefficient of friction mu.
    belt : float
        The speed of the belt w (m/s).

    Returns
    -------
    ReadyModel

    Examples
    --------
    >>> block = block_on_belt()
    >>> [contact.name for contact in block.model.contacts]
    ['low left', 'low right', 'high right', 'high left']
    """
    m, a, b, g, e, mu = symbols("m a b g e mu", positive=True)
    w = symbols("w", real=True)
    q, u = Matrix(dynamicsymbols("x y theta")), Matrix(dynamicsymbols("v_x v_y omega"))
    N, B, O = ReferenceFrame("N"), ReferenceFrame("B"), Point("O")
    B.orient_axis(N, q[2], N.z)
    C = O.locatenew("C", q[0] * N.x + q[1] * N.y)
    block = planar_body("block", C, B, m, m * (a**2 + b**2) / 12)

    moving = Plane(O.locatenew("belt", w * dynamicsymbols._t * N.x), N.y)
    corners = block_corners(block, a, b)
    contacts = [Contact(corner, moving, restitution=e, friction=mu, name=corner.name) for corner in corners]
    width, height = 0.4, 1.0
    return ReadyModel(
        HybridModel(planar_system(N, O, [block], q, u, g), contacts),
        parameters={m: 1, a: width, b: height, g: 9.81, e: 0.3, mu: friction, w: belt},
        start=dict(zip([*q, *u], [0, height / 2, 0, 0, 0, 0], strict=True)),
        t_span=(0, 3),
        units=spelled_units("t: s, x y gaps: m, theta: rad, v_x v_y: m/s, omega: rad/s"),
        looks=lambda show: [show.Polygon(block, corners)],
    )
