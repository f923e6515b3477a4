"""A cube, or any box, that is dropped on a floor and comes to rest."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import cos, hypot, pi, sin

from sympy import Matrix, symbols
from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, System, dynamicsymbols, inertia

from sympact.mechanics import Contact, HybridModel, Plane
from sympact.models.ready import ReadyModel

ORIENTATIONS = {"flat": (0.0, (1, 0, 0)), "edge": (pi / 6, (1, 0, 0)), "tilted": (0.5, (3, 2, 1))}
"""An angle (rad) and the axis of the initial rotation."""

_UNITS = {
    "t": "s",
    "x y z gaps": "m",
    "v_x v_y v_z": "m/s",
    "omega_1 omega_2 omega_3": "rad/s",
}


def dropped_cube(
    orientation: str = "tilted", edges: Sequence[float] = (1.0, 1.0, 1.0), friction: float = 0.0
) -> ReadyModel:
    """A box is released at rest, one metre above a floor, and hits it with its corners until it lies on a face.

    On a smooth floor it may continue to slide, and to spin about the vertical; friction ends that.

    The attitude is a unit quaternion and the speeds are angular velocities in the box's own frame, so that there is no
    singular attitude. The name of each contact has the signs of its corner in that frame.

    Parameters
    ----------
    orientation : str
        ``"flat"``: four corners hit at once; ``"edge"``: rotated about x, so that two do; ``"tilted"``: one by one.
    edges : sequence of float, length 3
        The edges along the box's x, y and z (m); by default those of a cube.
    friction : float
        The coefficient of friction mu, a parameter of the model unless it is 0.

    Returns
    -------
    ReadyModel

    Raises
    ------
    ValueError
        If there is no such orientation.

    Examples
    --------
    >>> cube = dropped_cube("flat")
    >>> [contact.name for contact in cube.model.contacts[:2]], len(cube.start)
    (['+++', '++-'], 13)
    """
    if orientation not in ORIENTATIONS:
        raise ValueError(f"there is no orientation {orientation!r}; expected one of {', '.join(ORIENTATIONS)}")
    system, box, sizes, mass, gravity = _falling_box()
    e = symbols("e", positive=True)
    mu = symbols("mu", positive=True) if friction else 0
    floor = Plane(system.fixed_point, system.z)
    contacts = [Contact(corner, floor, restitution=e, friction=mu, name=corner.name) for corner in _corners(box, sizes)]
    attitude = _quaternion(*ORIENTATIONS[orientation])
    start = [0, 0, 1 + _reach(attitude, edges), *attitude, *[0] * 6]
    return ReadyModel(
        HybridModel(system, contacts),
        parameters={mass: 1, gravity: 9.81, e: 0.5, **dict(zip(sizes, edges, strict=True))}
        | ({mu: friction} if friction else {}),
        start=dict(zip([*system.q, *system.u], start, strict=True)),
        t_span=(0, 5),
        units={name: unit for names, unit in _UNITS.items() for name in names.split()},
        looks=lambda show: [show.Box(box, sizes)],
    )


def _falling_box() -> tuple:
    """The system, its body, the symbols of its edges, of its mass and of gravity."""
    m, g, *edges = symbols("m g a b c", positive=True)
    a, b, c = edges
    place, quaternion = Matrix(dynamicsymbols("x y z")), Matrix(dynamicsymbols("e_0 e_1 e_2 e_3"))
    velocity, spin = Matrix(dynamicsymbols("v_x v_y v_z")), Matrix(dynamicsymbols("omega_1 omega_2 omega_3"))
    t = dynamicsymbols._t

    N, B = ReferenceFrame("N"), ReferenceFrame("B")
    O, C = Point("O"), Point("C")
    B.orient_quaternion(N, tuple(quaternion))
    turning = [B.ang_vel_in(N).dot(axis) for axis in B]
    B.set_ang_vel(N, sum((w * axis for w, axis in zip(spin, B, strict=True)), start=0 * B.x))
    C.set_pos(O, place[0] * N.x + place[1] * N.y + place[2] * N.z)
    moments = [m * (b**2 + c**2) / 12, m * (c**2 + a**2) / 12, m * (a**2 + b**2) / 12]
    box = RigidBody("box", C, B, m, (inertia(B, *moments), C))

    system = System(N, O)
    system.add_bodies(box)
    system.add_coordinates(*place, *quaternion)
    system.add_speeds(*velocity, *spin)
    system.add_kdes(*(velocity - place.diff(t)), *(Matrix(turning) - spin), quaternion.dot(quaternion.diff(t)))
    system.apply_uniform_gravity(-g * N.z)
    return system, box, tuple(edges), m, g


def _corners(box: RigidBody, edges: Sequence) -> list[Point]:
    """The eight corners, named by their signs."""
    corners = []
    for signs in product((1, -1), repeat=3):
        arms = [s * edge / 2 * axis for s, edge, axis in zip(signs, edges, box.frame, strict=True)]
        name = "".join("+" if sign > 0 else "-" for sign in signs)
        corners.append(box.masscenter.locatenew(name, arms[0] + arms[1] + arms[2]))
    return corners


def _quaternion(angle: float, axis: Sequence[float]) -> list[float]:
    """The unit quaternion of a rotation."""
    scale = sin(angle / 2) / hypot(*axis)
    return [cos(angle / 2), *(scale * component for component in axis)]


def _reach(attitude: Sequence[float], edges: Sequence[float]) -> float:
    """The distance of the lowest corner below the centre: half of each edge by the magnitude of its vertical
    component."""
    e0, e1, e2, e3 = attitude
    vertical = (2 * (e1 * e3 - e0 * e2), 2 * (e2 * e3 + e0 * e1), 1 - 2 * (e1**2 + e2**2))
    return sum(abs(part) * edge / 2 for part, edge in zip(vertical, edges, strict=True))
