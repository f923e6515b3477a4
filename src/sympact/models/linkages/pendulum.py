"""A pendulum of any number of links above a floor."""

from __future__ import annotations

from math import pi

from sympy import symbols
from sympy.physics.mechanics import Point, ReferenceFrame

from sympact.mechanics import Contact, HybridModel, Plane
from sympact.models.planar import chain, numbered, planar_body, planar_system
from sympact.models.ready import ReadyModel, spelled_units

HEIGHT = 0.7
"""The height of the pivot above the floor, in lengths of the whole pendulum."""


def pendulum(links: int = 3) -> ReadyModel:
    """A chain of equal slender rods is released horizontally and hits a smooth floor with its lower ends.

    The coordinates are the angles of the links from the downward vertical (rad). The pivot is 0.7 of the pendulum's
    length above the floor; the lower end of each link may touch it.

    Parameters
    ----------
    links : int
        The number of rods, at least 1, each of 1 m and 1 kg.

    Returns
    -------
    ReadyModel

    Raises
    ------
    ValueError
        If there is no link.

    Examples
    --------
    >>> pendulum(links=2).model.gaps
    Matrix([
    [                       h - l*cos(theta_1(t))],
    [h - l*cos(theta_1(t)) - l*cos(theta_2(t))]])
    """
    if links < 1:
        raise ValueError(f"a pendulum has at least one link; found links={links!r}")
    m, l, g, h, e = symbols("m l g h e", positive=True)
    q, u = numbered("theta", links), numbered("omega", links)
    N, O = ReferenceFrame("N"), Point("O")
    frames, ends = chain(N, O, q, [l] * links)
    bodies = []
    for i, (frame, end) in enumerate(zip(frames, ends, strict=True), start=1):
        centre = end.locatenew(f"C_{i}", l / 2 * frame.y)
        bodies.append(planar_body(f"link {i}", centre, frame, m, m * l**2 / 12))
    floor = Plane(O.locatenew("floor", -h * N.y), N.y)
    contacts = [Contact(end, floor, restitution=e, friction=0, name=f"end {i}") for i, end in enumerate(ends, start=1)]
    return ReadyModel(
        HybridModel(planar_system(N, O, bodies, q, u, g), contacts),
        parameters={m: 1, l: 1, g: 9.81, h: HEIGHT * links, e: 0.5},
        start={**dict.fromkeys(q, pi / 2), **dict.fromkeys(u, 0)},
        t_span=(0, 5),
        units=spelled_units(f"t: s, gaps: m, {' '.join(a.name for a in q)}: rad, {' '.join(w.name for w in u)}: rad/s"),
        looks=lambda show: [show.Rod(a, b, l / 15) for a, b in zip([O, *ends], ends, strict=False)],
    )
