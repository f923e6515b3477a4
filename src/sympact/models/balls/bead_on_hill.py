"""A bead that slides down a round hill."""

from __future__ import annotations

from math import cos, sin

from sympy import symbols
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, System, dynamicsymbols

from sympact.mechanics import Contact, HybridModel, Plane, Sphere
from sympact.models.ready import ReadyModel

START_ANGLE = 0.1
"""From the vertical (rad)."""


def bead_on_hill() -> ReadyModel:
    """A bead is released near the top of a smooth half cylinder, leaves it where it is too fast, and lands.

    Started at rest at the angle theta_0 from the vertical, it leaves the hill where cos(theta) = 2/3 cos(theta_0), for
    any mass and gravity.

    Returns
    -------
    ReadyModel

    Examples
    --------
    >>> bead = bead_on_hill()
    >>> list(bead.model.gaps)
    [-R + sqrt(x(t)**2 + y(t)**2), y(t)]
    """
    m, g, e, R = symbols("m g e R", positive=True)
    x, y, v_x, v_y = dynamicsymbols("x y v_x v_y")
    N, O = ReferenceFrame("N"), Point("O")
    bead = Particle("bead", O.locatenew("P", x * N.x + y * N.y), m)

    system = System(N, O)
    system.add_bodies(bead)
    system.add_coordinates(x, y)
    system.add_speeds(v_x, v_y)
    system.add_kdes(v_x - x.diff(dynamicsymbols._t), v_y - y.diff(dynamicsymbols._t))
    system.apply_uniform_gravity(-g * N.y)

    surfaces = {"hill": Sphere(O, R), "ground": Plane(O, N.y)}
    contacts = [
        Contact(bead.masscenter, surface, restitution=e, friction=0, name=name) for name, surface in surfaces.items()
    ]
    return ReadyModel(
        HybridModel(system, contacts, length=R),
        parameters={m: 1, g: 9.81, e: 0.5, R: 1},
        start={x: sin(START_ANGLE), y: cos(START_ANGLE), v_x: 0, v_y: 0},
        t_span=(0, 3),
        units={"t": "s", "x": "m", "y": "m", "gaps": "m", "v_x": "m/s", "v_y": "m/s"},
        looks=lambda show: [show.Ball(bead, R / 30), show.Trace(bead)],
    )
