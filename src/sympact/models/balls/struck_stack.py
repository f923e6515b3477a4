"""A stack of blocks, one of which is hit from the side."""

from __future__ import annotations

from sympy import Matrix, symbols
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, RigidBody, dynamicsymbols

from sympact.mechanics import Contact, HybridModel, Plane
from sympact.models.planar import block_corners, numbered, planar_body, planar_system
from sympact.models.ready import ReadyModel, spelled_units

WIDTHS, HEIGHT, RADIUS, AWAY = (1.2, 0.8, 0.4), 0.2, 0.05, 0.1
"""The widths of the blocks from the lowest up, the height of each, the radius of the ball and its initial distance."""

GRAVITY = 9.81
"""m/s^2."""


def struck_stack(hit: int = 2, speed: float = 3.0) -> ReadyModel:
    """A ball hits one of three stacked blocks and drives it out from between the others.

    Each block is narrower than the one below it, and its lower corners touch that one's upper face. The impulse passes
    through the centre of its block: it loads no faces, and the other blocks remain at rest during the impact. Then
    friction drags them along until all are at rest. The ball has half the mass of a block and e = 1/2, so that the
    impact stops it, and it drops on the face below. Faces are planes without an end: no block may slide further than
    the face below it reaches.

    Parameters
    ----------
    hit : int
        The number of the block that is hit, from 1 for the lowest.
    speed : float
        The speed of the ball towards positive x (m/s).

    Returns
    -------
    ReadyModel

    Raises
    ------
    ValueError
        If there is no such block.

    Examples
    --------
    >>> stack = struck_stack()
    >>> [contact.name for contact in stack.model.contacts[:4]]
    ['1 left', '1 right', '2 left', '2 right']
    """
    if hit not in range(1, len(WIDTHS) + 1):
        raise ValueError(f"the blocks have the numbers 1 to {len(WIDTHS)}; found hit={hit!r}")
    m, M, g, h, r, e, e_ball, mu = symbols("m M g h r e e_ball mu", positive=True)
    widths = symbols(f"b_1:{len(WIDTHS) + 1}", positive=True)
    N, O = ReferenceFrame("N"), Point("O")
    q, u = _states()
    ball = Particle("ball", O.locatenew("ball", q[0] * N.x + q[1] * N.y), m)
    blocks = [_block(N, O, i + 1, q[2 + 3 * i : 5 + 3 * i], M, b, h) for i, b in enumerate(widths)]
    corners = [block_corners(block, b, h) for block, b in zip(blocks, widths, strict=True)]

    struck, front = corners[hit - 1], ball.masscenter.locatenew("front", r * N.x)
    contacts = _stacked(N, O, blocks, corners, e, mu)
    contacts.append(
        Contact(front, Plane(struck[0], -blocks[hit - 1].frame.x), restitution=e_ball, friction=0, name="ball")
    )
    low = ball.masscenter.locatenew("ball low", -r * N.y)
    contacts.append(Contact(low, contacts[2 * hit - 2].surface, restitution=e, friction=mu, name="ball on face"))
    numbers = {m: 0.5, M: 1, g: GRAVITY, h: HEIGHT, r: RADIUS, e: 0, e_ball: 0.5, mu: 0.4}
    return ReadyModel(
        HybridModel(planar_system(N, O, [ball, *blocks], q, u, g), contacts),
        parameters={**numbers, **dict(zip(widths, WIDTHS, strict=True))},
        start=dict(zip([*q, *u], _start(hit, speed), strict=True)),
        t_span=(0, 1),
        units=_units(),
        looks=lambda show: [
            show.Ground(contacts[0].surface),
            show.Ball(ball, r),
            *[show.Polygon(block, points) for block, points in zip(blocks, corners, strict=True)],
        ],
    )


def _states() -> tuple[Matrix, Matrix]:
    """Coordinates and speeds: of the ball, then position and angle of each block."""
    q, u = [*dynamicsymbols("x_ball y_ball")], [*dynamicsymbols("v_ball w_ball")]
    parts = [numbered(name, len(WIDTHS)) for name in ("x", "y", "theta", "v", "w", "omega")]
    for i in range(len(WIDTHS)):
        q += [part[i] for part in parts[:3]]
        u += [part[i] for part in parts[3:]]
    return Matrix(q), Matrix(u)


def _start(hit: int, speed: float) -> list[float]:
    """The blocks at rest; the ball is thrown upwards such that it returns to its height at the impact."""
    start = [-WIDTHS[hit - 1] / 2 - RADIUS - AWAY, (hit - 0.5) * HEIGHT]
    for i in range(len(WIDTHS)):
        start += [0.0, (i + 0.5) * HEIGHT, 0.0]
    return [*start, speed, GRAVITY * AWAY / speed / 2, *[0.0] * (3 * len(WIDTHS))]


def _block(N: ReferenceFrame, O: Point, number: int, q: Matrix, mass, width, height) -> RigidBody:
    """Block `number` at its position and angle."""
    frame = ReferenceFrame(f"F_{number}")
    frame.orient_axis(N, q[2], N.z)
    centre = O.locatenew(f"C_{number}", q[0] * N.x + q[1] * N.y)
    return planar_body(f"block {number}", centre, frame, mass, mass * (width**2 + height**2) / 12)


def _stacked(N: ReferenceFrame, O: Point, blocks, corners, e, mu) -> list[Contact]:
    """The lower corners of each block on the floor or on the block below it."""
    below = [Plane(O, N.y), *[Plane(own[2], block.frame.y) for block, own in zip(blocks, corners, strict=True)]]
    return [
        Contact(corner, face, restitution=e, friction=mu, name=f"{number} {side}")
        for number, (own, face) in enumerate(zip(corners, below, strict=False), start=1)
        for side, corner in zip(("left", "right"), own, strict=False)
    ]


def _units() -> dict[str, str]:
    """The units of all states."""
    numbers = range(1, len(WIDTHS) + 1)
    places = " ".join(f"x_{i} y_{i}" for i in numbers)
    speeds = " ".join(f"v_{i} w_{i}" for i in numbers)
    turns, spins = " ".join(f"theta_{i}" for i in numbers), " ".join(f"omega_{i}" for i in numbers)
    return spelled_units(
        f"t: s, gaps x_ball y_ball {places}: m, v_ball w_ball {speeds}: m/s, {turns}: rad, {spins}: rad/s"
    )
