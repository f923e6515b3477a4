"""The double pendulum of the textbooks, beside a wall."""

from __future__ import annotations

from math import pi

from sympy import symbols
from sympy.physics.mechanics import Particle, Point, ReferenceFrame

from sympact.mechanics import Contact, HybridModel, Plane
from sympact.models.planar import chain, numbered, planar_system
from sympact.models.ready import ReadyModel, spelled_units


def double_pendulum() -> ReadyModel:
    """Two particles on massless rods, released horizontally away from a smooth wall that both may hit.

    The coordinates are the angles of the rods from the downward vertical (rad). Far from the wall and with small
    angles, equal particles on equal rods oscillate with omega^2 = (2 -+ sqrt(2)) g/l.

    Returns
    -------
    ReadyModel

    Examples
    --------
    >>> double_pendulum().model.gaps
    Matrix([
    [                      l_1*sin(theta_1(t)) + w],
    [l_1*sin(theta_1(t)) + l_2*sin(theta_2(t)) + w]])
    """
    masses, lengths = symbols("m_1 m_2", positive=True), symbols("l_1 l_2", positive=True)
    g, w, e = symbols("g w e", positive=True)
    q, u = numbered("theta", 2), numbered("omega", 2)
    N, O = ReferenceFrame("N"), Point("O")
    _, ends = chain(N, O, q, lengths)
    names = ("upper", "lower")
    bobs = [Particle(name, end, mass) for name, end, mass in zip(names, ends, masses, strict=True)]
    wall = Plane(O.locatenew("wall", -w * N.x), N.x)
    contacts = [Contact(bob.masscenter, wall, restitution=e, friction=0, name=bob.name) for bob in bobs]
    return ReadyModel(
        HybridModel(planar_system(N, O, bobs, q, u, g), contacts),
        parameters={**dict.fromkeys(masses, 1), **dict.fromkeys(lengths, 1), g: 9.81, w: 0.8, e: 0.8},
        start={**dict.fromkeys(q, pi / 2), **dict.fromkeys(u, 0)},
        t_span=(0, 5),
        units=spelled_units("t: s, gaps: m, theta_1 theta_2: rad, omega_1 omega_2: rad/s"),
        looks=lambda show: [show.Line(O, *ends), *[show.Ball(bob, lengths[0] / 20) for bob in bobs]],
    )
