"""A mass on a spring on a moving belt, which sticks and slips in turn."""

from __future__ import annotations

from sympy import Matrix, symbols
from sympy.physics.mechanics import (
    LinearPathway,
    LinearSpring,
    Particle,
    Point,
    ReferenceFrame,
    dynamicsymbols,
)

from sympact.mechanics import Contact, HybridModel, Plane
from sympact.models.planar import planar_system
from sympact.models.ready import ReadyModel, spelled_units


def belt_oscillator(belt: float = 0.1) -> ReadyModel:
    """A mass on a belt is connected to a wall by a spring: the belt drags it along until the spring breaks the stick.

    The mass sticks until the spring force is mu_s m g. Then it slips, and the friction mu m g is smaller: it oscillates
    about x = mu m g/k until it has the belt's speed again. For any start, the motion is periodic after the first stick.
    On a belt at rest the amplitude decreases by 2 mu m g/k in each half period, until the spring force is too small to
    break the stick.

    Parameters
    ----------
    belt : float
        The speed of the belt away from the wall (m/s), which is that of the mass at the start; 0 for a belt at rest.

    Returns
    -------
    ReadyModel

    Examples
    --------
    >>> mass = belt_oscillator()
    >>> mass.model.contacts[0].friction, mass.model.contacts[0].static_friction
    (mu, mu_s)
    """
    m, k, l, g, e, mu, mu_s = symbols("m k l g e mu mu_s", positive=True)
    w = symbols("w", real=True)
    q, u = Matrix(dynamicsymbols("x y")), Matrix(dynamicsymbols("v_x v_y"))
    N, O = ReferenceFrame("N"), Point("O")
    mass = Particle("mass", O.locatenew("P", q[0] * N.x + q[1] * N.y), m)
    wall = O.locatenew("wall", -l * N.x)
    system = planar_system(N, O, [mass], q, u, g)
    system.add_actuators(LinearSpring(k, LinearPathway(wall, mass.masscenter), l))

    moving = Plane(O.locatenew("belt", w * dynamicsymbols._t * N.x), N.y)
    contact = Contact(mass.masscenter, moving, restitution=e, friction=mu, static_friction=mu_s, name="mass")
    hook, middle = (point.locatenew(f"{point} up", l / 10 * N.y) for point in (wall, mass.masscenter))
    return ReadyModel(
        HybridModel(system, [contact]),
        parameters={m: 1, k: 100, l: 0.5, g: 9.81, e: 0, mu: 0.3, mu_s: 0.5, w: belt},
        start=dict(zip([*q, *u], [0, 0, belt, 0], strict=True)),
        t_span=(0, 5),
        units=spelled_units("t: s, x y gaps: m, v_x v_y: m/s"),
        looks=lambda show: [show.Line(hook, middle), show.Box(N, (l / 5,) * 3, center=middle)],
    )
