"""A cube that tumbles down on a floor."""

from __future__ import annotations

from itertools import product

from sympy import Matrix, symbols
from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, System, dynamicsymbols, inertia

from sympact.mechanics import Contact, HybridModel, Plane
from sympact.models.ready import ReadyModel

_UNITS = {
    "t": "s",
    "x y z gaps": "m",
    "v_x v_y v_z": "m/s",
    "psi theta phi": "rad",
    "omega_psi omega_theta omega_phi": "rad/s",
}


def tumbling_cube() -> ReadyModel:
    """A cube is thrown with a spin and hits a frictionless floor with its corners.

    The attitude is given by Euler angles about z, x and z, and the speeds are the rates of the coordinates. The numbers
    are those of the third example of the multi-stage framework; the name of each contact has the signs of its corner in
    the cube's frame.

    Returns
    -------
    ReadyModel

    Examples
    --------
    >>> cube = tumbling_cube()
    >>> [contact.name for contact in cube.model.contacts[:2]], len(cube.start)
    (['+++', '++-'], 12)
    """
    m, a, g, e = symbols("m a g e", positive=True)
    q = Matrix(dynamicsymbols("x y z psi theta phi"))
    u = Matrix(dynamicsymbols("v_x v_y v_z omega_psi omega_theta omega_phi"))

    N, B = ReferenceFrame("N"), ReferenceFrame("B")
    O, C = Point("O"), Point("C")
    B.orient_body_fixed(N, q[3:], "313")
    C.set_pos(O, q[0] * N.x + q[1] * N.y + q[2] * N.z)
    moment = m * a**2 / 6
    cube = RigidBody("cube", C, B, m, (inertia(B, moment, moment, moment), C))

    system = System(N, O)
    system.add_bodies(cube)
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_kdes(*(u - q.diff(dynamicsymbols._t)))
    system.apply_uniform_gravity(-g * N.z)

    floor = Plane(O, N.z)
    contacts = []
    for signs in product((1, -1), repeat=3):
        name = "".join("+" if sign > 0 else "-" for sign in signs)
        corner = C.locatenew(name, a / 2 * sum((s * axis for s, axis in zip(signs, B, strict=True)), start=0 * B.x))
        contacts.append(Contact(corner, floor, restitution=e, friction=0, name=name))

    return ReadyModel(
        HybridModel(system, contacts),
        parameters={m: 1, a: 1, g: 9.8, e: 0.8},
        start=dict(zip([*q, *u], [0, 0, 10, 1, 2, 3, 1, 1, 0, 3, 2, 1], strict=True)),
        t_span=(0, 5),
        units={name: unit for names, unit in _UNITS.items() for name in names.split()},
        looks=lambda show: [show.Box(cube, (a, a, a))],
    )
