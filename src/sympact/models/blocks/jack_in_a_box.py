"""A jack, two crossed rods, in a box that is shaken."""

from __future__ import annotations

from sympy import Matrix, sin, symbols
from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, System, dynamicsymbols, inertia

from sympact.mechanics import Contact, HybridModel, Plane
from sympact.models.ready import ReadyModel, spelled_units


def jack_in_a_box() -> ReadyModel:
    """A planar cross of two slender rods moves in a square box that oscillates vertically and rocks.

    The height of the box's centre is A sin(omega t) and its angle B sin(nu t). Each of the four tips may touch each of
    the four walls, which makes sixteen contacts between moving points and moving surfaces.

    Returns
    -------
    ReadyModel

    Examples
    --------
    >>> jack = jack_in_a_box()
    >>> len(jack.model.contacts), jack.model.contacts[0].name
    (16, 'east tip on east wall')
    """
    m, l, g, e = symbols("m l g e", positive=True)
    w, A, omega, B, nu = symbols("w A omega B nu", positive=True)
    t = dynamicsymbols._t
    q, u = Matrix(dynamicsymbols("x y theta")), Matrix(dynamicsymbols("v_x v_y Omega"))

    N, J, O = ReferenceFrame("N"), ReferenceFrame("J"), Point("O")
    J.orient_axis(N, q[2], N.z)
    C = O.locatenew("C", q[0] * N.x + q[1] * N.y)
    jack = RigidBody("jack", C, J, m, (inertia(J, 0, 0, m * l**2 / 12), C))

    system = System(N, O)
    system.add_bodies(jack)
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_kdes(*(u - q.diff(t)))
    system.apply_uniform_gravity(-g * N.y)

    box = ReferenceFrame("box")
    box.orient_axis(N, B * sin(nu * t), N.z)
    middle = O.locatenew("middle", A * sin(omega * t) * N.y)
    tips = {name: C.locatenew(f"{name} tip", l / 2 * way) for name, way in _ways(J).items()}
    walls = {name: Plane(middle.locatenew(f"{name} wall", w / 2 * way), -way) for name, way in _ways(box).items()}
    contacts = [Contact(tip, wall, restitution=e, friction=0) for tip in tips.values() for wall in walls.values()]
    return ReadyModel(
        HybridModel(system, contacts),
        parameters={m: 1, l: 1, g: 9.81, e: 0.7, w: 2, A: 0.1, omega: 20, B: 0.3, nu: 5},
        start=dict(zip([*q, *u], [0.1, 0.2, 0.3, 1, 2, 3], strict=True)),
        t_span=(0, 5),
        units=spelled_units("x y gaps: m, theta: rad, v_x v_y: m/s, Omega: rad/s, t: s"),
        looks=lambda show: [show.Rod(tips[a], tips[b], l / 25) for a, b in (("west", "east"), ("south", "north"))],
    )


def _ways(frame: ReferenceFrame) -> dict:
    """The four directions along a frame's axes x and y."""
    return {"east": frame.x, "north": frame.y, "west": -frame.x, "south": -frame.y}
