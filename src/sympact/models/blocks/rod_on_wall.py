"""A rod that slides down a wall."""

from __future__ import annotations

from math import cos, sin

from sympy import Matrix, symbols
from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, System, dynamicsymbols, inertia

from sympact.mechanics import Contact, HybridModel, Plane
from sympact.models.ready import ReadyModel

START_ANGLE, LENGTH = 1.2, 2.0
"""Above the horizontal (rad); m."""


def rod_on_wall() -> ReadyModel:
    """A slender rod leans against a smooth wall on a smooth floor and is released.

    Its upper end A slides down the wall and its lower end B away from it. Started at rest at the angle theta_0 above
    the horizontal, A leaves the wall where sin(theta) = 2/3 sin(theta_0); then the rod slides away and falls on the
    floor.

    Returns
    -------
    ReadyModel

    Examples
    --------
    >>> rod = rod_on_wall()
    >>> [contact.name for contact in rod.model.contacts]
    ['A on wall', 'A on floor', 'B on wall', 'B on floor']
    """
    m, l, g, e = symbols("m l g e", positive=True)
    q, u = Matrix(dynamicsymbols("x y theta")), Matrix(dynamicsymbols("v_x v_y omega"))
    x, y, theta = q

    N, F, O = ReferenceFrame("N"), ReferenceFrame("F"), Point("O")
    F.orient_axis(N, -theta, N.z)  # F.x points from A to B, down to the right
    C = O.locatenew("C", x * N.x + y * N.y)
    moment = m * l**2 / 12
    rod = RigidBody("rod", C, F, m, (inertia(F, 0, moment, moment), C))

    system = System(N, O)
    system.add_bodies(rod)
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_kdes(*(u - q.diff(dynamicsymbols._t)))
    system.apply_uniform_gravity(-g * N.y)

    ends = [C.locatenew("A", -l / 2 * F.x), C.locatenew("B", l / 2 * F.x)]
    surfaces = {"wall": Plane(O, N.x), "floor": Plane(O, N.y)}
    contacts = [
        Contact(end, surface, restitution=e, friction=0, name=f"{end.name} on {name}")
        for end in ends
        for name, surface in surfaces.items()
    ]
    centre = [LENGTH / 2 * cos(START_ANGLE), LENGTH / 2 * sin(START_ANGLE)]
    return ReadyModel(
        HybridModel(system, contacts),
        parameters={m: 1, l: LENGTH, g: 9.81, e: 0.5},
        start=dict(zip([*q, *u], [*centre, START_ANGLE, 0, 0, 0], strict=True)),
        t_span=(0, 3),
        units={"t": "s", "gaps": "m", "x": "m", "y": "m", "theta": "rad", "v_x": "m/s", "v_y": "m/s", "omega": "rad/s"},
        looks=lambda show: [show.Rod(*ends, l / 25)],
    )
