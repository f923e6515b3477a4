"""A block that rocks from corner to corner."""

from __future__ import annotations

from math import atan2, cos, sin

from sympy import Matrix, symbols
from sympy.physics.mechanics import Point, ReferenceFrame, dynamicsymbols

from sympact.mechanics import Contact, HybridModel, Plane
from sympact.models.planar import planar_body, planar_system
from sympact.models.ready import ReadyModel, spelled_units

WIDTH, HEIGHT = 0.4, 1.0
"""m."""


def rocking_block(tilt: float = 0.3, friction: float = 0.0, restitution: float = 0.7) -> ReadyModel:
    """A block is tilted on one bottom corner, is released at rest, and falls on the other.

    It falls back as long as the tilt is smaller than alpha = atan(a/b) with the width a and the height b. On a smooth
    floor the corner slides, and the centre moves vertically. With enough friction the corner sticks, and the block
    rotates about it; without restitution it is then the block of Housner [1]_: each time it changes corners it keeps
    the part 1 - (3/2) sin(alpha)^2 of its angular velocity.

    Parameters
    ----------
    tilt : float
        The initial angle (rad); above 0 it is on its left corner, below 0 on its right.
    friction : float
        The coefficient of friction mu, a parameter of the model unless it is 0.
    restitution : float
        The coefficient of restitution e, from 0 to 1.

    Returns
    -------
    ReadyModel

    Raises
    ------
    ValueError
        If it would fall over, on upper corners that are no contacts.

    References
    ----------
    .. [1] G. W. Housner, "The behavior of inverted pendulum structures during earthquakes", Bulletin of the
       Seismological Society of America 53 (1963), 403-417.

    Examples
    --------
    >>> block = rocking_block()
    >>> [contact.name for contact in block.model.contacts]
    ['left', 'right']
    """
    if not abs(tilt) < atan2(WIDTH, HEIGHT):
        limit = atan2(WIDTH, HEIGHT)
        raise ValueError(
            f"the block falls over from the tilt {tilt!r}; expected one between -{limit:.4f} and {limit:.4f}"
        )
    m, a, b, g, e = symbols("m a b g e", positive=True)
    mu = symbols("mu", positive=True) if friction else 0
    q, u = Matrix(dynamicsymbols("x y theta")), Matrix(dynamicsymbols("v_x v_y omega"))
    N, B, O = ReferenceFrame("N"), ReferenceFrame("B"), Point("O")
    B.orient_axis(N, q[2], N.z)
    C = O.locatenew("C", q[0] * N.x + q[1] * N.y)
    block = planar_body("block", C, B, m, m * (a**2 + b**2) / 12)
    corners = {name: C.locatenew(name, s * a / 2 * B.x - b / 2 * B.y) for name, s in (("left", -1), ("right", 1))}
    floor = Plane(O, N.y)
    contacts = [Contact(corner, floor, restitution=e, friction=mu, name=name) for name, corner in corners.items()]
    height = (WIDTH * abs(sin(tilt)) + HEIGHT * cos(tilt)) / 2
    return ReadyModel(
        HybridModel(planar_system(N, O, [block], q, u, g), contacts),
        parameters={m: 1, a: WIDTH, b: HEIGHT, g: 9.81, e: restitution} | ({mu: friction} if friction else {}),
        start=dict(zip([*q, *u], [0, height, tilt, 0, 0, 0], strict=True)),
        t_span=(0, 1.5),
        units=spelled_units("t: s, x y gaps: m, theta: rad, v_x v_y: m/s, omega: rad/s"),
        looks=lambda show: [
            show.Polygon(block, [(s * a / 2, r * b / 2) for s, r in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
        ],
    )
