"""Two links on a pivot above a floor."""

from __future__ import annotations

from math import pi

from sympy import symbols
from sympy.physics.mechanics import PinJoint, Point, RigidBody, System, dynamicsymbols, inertia

from sympact.mechanics import Contact, HybridModel, Plane
from sympact.models.ready import ReadyModel


def two_links() -> ReadyModel:
    """A double pendulum, released horizontally, hits a frictionless floor with its tip.

    The numbers are those of the second example of the multi-stage framework, with its moment of inertia of a link,
    m l^2/3 about the mass centre. (A slender rod has m l^2/12 there, and m l^2/3 about its end.)

    Returns
    -------
    ReadyModel

    Examples
    --------
    >>> links = two_links()
    >>> links.model.q
    (q1(t), q2(t))
    """
    m, l, g, h, e = symbols("m l g h e", positive=True)
    q1, q2, u1, u2 = dynamicsymbols("q1 q2 u1 u2")

    ground = RigidBody("ground")
    down = ground.frame.y
    links = [_link(name, m, l) for name in ("upper", "lower")]
    upper, lower = links
    system = System.from_newtonian(ground)
    system.add_joints(
        PinJoint("pivot", ground, upper, q1, u1, child_point=-l / 2 * upper.frame.y, joint_axis=ground.frame.x),
        PinJoint(
            "knee",
            upper,
            lower,
            q2,
            u2,
            parent_point=l / 2 * upper.frame.y,
            child_point=-l / 2 * lower.frame.y,
            joint_axis=upper.frame.x,
        ),
    )
    system.apply_uniform_gravity(g * down)

    floor = Plane(ground.masscenter.locatenew("floor", h * down), -down)
    tip = lower.masscenter.locatenew("tip", l / 2 * lower.frame.y)
    return ReadyModel(
        HybridModel(system, [Contact(tip, floor, restitution=e, friction=0, name="tip")]),
        parameters={m: 1, l: 1, g: 9.8, h: 1.5, e: 0.8},
        start={q1: pi / 2, q2: 0, u1: 0, u2: 0},
        t_span=(0, 10),
        units={"t": "s", "gaps": "m", "q1": "rad", "q2": "rad", "u1": "rad/s", "u2": "rad/s"},
        looks=lambda show: [show.Rod(_end(link, l, -1), _end(link, l, 1), l / 15) for link in links],
    )


def _link(name: str, m, l) -> RigidBody:
    """A link of mass m and length l along its own y axis."""
    link = RigidBody(name, mass=m)
    link.central_inertia = inertia(link.frame, m * l**2 / 3, 0, m * l**2 / 3)
    return link


def _end(link: RigidBody, l, sign: int) -> Point:
    """The upper end of a link (-1) or its lower one (1)."""
    return link.masscenter.locatenew(f"{link.name} end {sign}", sign * l / 2 * link.frame.y)
