"""A compliant contact: a body that overlaps with a surface is pushed off by a law of forces, without impacts."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from operator import attrgetter
from typing import ClassVar

from sympy import Expr, sstr
from sympy.physics.vector import Point

from sympact.mechanics.shapes.contact import Contact
from sympact.mechanics.shapes.contact_laws import ContactLaw, read_law
from sympact.mechanics.shapes.contactor import Contactor
from sympact.mechanics.shapes.side import LEFT_OUT
from sympact.mechanics.shapes.surface import Surface
from sympact.mechanics.shapes.unilateral import Part, read_expression

__all__ = ["PAIR", "CompliantContact"]

PAIR = attrgetter("contact")
"""The geometry of a compliant contact."""


@dataclass(frozen=True, eq=False)
class CompliantContact:
    """A point or a round part of a body that a surface pushes off by a law of the compression.

    In place of impacts there is a force F(d, d') with the compression d = -g_N and its rate d', from touch, where d
    becomes positive, until d or F is zero; a compliant contact never pulls. Both are events of the kind "switch". A
    model may have contacts with and without compliance, see :doc:`/how-to/compliant`.

    Parameters
    ----------
    point : Point or Contactor
        The contacting part, as of a `Contact`.
    surface : Surface
        The surface, as of a `Contact`.
    law : ContactLaw or callable
        The force: `HuntCrossley`, `KelvinVoigt`, `LankaraniNikravesh`, a `ContactLaw` of your own, or a function of d
        and d' that gives an expression (N).
    friction : number
        The coefficient of friction. Compliant contacts have none so far: 0.
    name : str, optional
        The name in tables and results; by default those of the contacting part and of the surface.

    Attributes
    ----------
    contact : Contact
        The geometry of the pair.

    Notes
    -----
    The elastic energy of a law is part of the potential energy of the model, and ``result.work[contact]`` is what the
    rest of F dissipates. ``NormalForce(contact)`` is F in expressions of results, outputs, conditions and loads.

    Raises
    ------
    TypeError
        If the law is none, or `point` or `surface` is not one.
    ValueError
        If the friction is not 0, or the two have no unique gap.

    Examples
    --------
    A ball that falls 1 m on a floor, by Hertz's law with the damping that gives e = 0.5 at this speed:

    >>> from sympy.physics.mechanics import Particle, PrismaticJoint, RigidBody, System
    >>> from sympact import CompliantContact, HuntCrossley, HybridModel, Plane, Sphere
    >>> ground, ball = RigidBody("ground"), Particle("ball", mass=1)
    >>> system = System.from_newtonian(ground)
    >>> system.add_joints(PrismaticJoint("z", ground, ball, joint_axis=ground.z))
    >>> system.apply_uniform_gravity(-9.81 * ground.z)
    >>> v = (2 * 9.81 * 1) ** 0.5
    >>> law = HuntCrossley.from_restitution(1e7, 1.5, restitution=0.5, speed=v)
    >>> soft = CompliantContact(Sphere(ball.masscenter, 0.1), Plane(ground.masscenter, ground.z), law=law, friction=0)
    >>> result = HybridModel(system, [soft]).simulate((0, 0.6), [1.1, 0], {})
    >>> touch, apart = result.events.t[:2]
    >>> touch.round(6), (result(apart)[1] / v).round(2)
    (np.float64(0.451524), np.float64(0.5))
    """

    kind: ClassVar[str] = "compliant contact"

    point: Point | Contactor
    surface: Surface
    _: KW_ONLY
    law: ContactLaw
    friction: Expr
    name: str = LEFT_OUT
    contact: Contact = field(init=False, repr=False)

    def __post_init__(self) -> None:
        contact = Contact(self.point, self.surface, restitution=0, friction=0, name=self.name)
        object.__setattr__(self, "contact", contact)
        object.__setattr__(self, "name", contact.name)
        object.__setattr__(self, "law", read_law(self.law, self.title))
        self.law.parts()  # what is no expression is refused here
        friction = read_expression(self.friction, f"the friction of {self.title}")
        if friction != 0:
            raise ValueError(
                f"the friction of {self.title} is {sstr(friction, full_prec=False)}; compliant contacts have none so "
                "far: give friction=0, and a load of your own of NormalForce(contact) where the slip never ends"
            )
        object.__setattr__(self, "friction", friction)

    @property
    def title(self) -> str:
        """The kind and the name: "the compliant contact 'tip'"."""
        return f"the {self.kind} '{self.name}'"

    @property
    def conditions(self) -> tuple[str, str]:
        """What changes its sign at touch and where the two are apart again, and what does where F alone ends."""
        return f"gap of {self.name}", f"force of {self.name}"

    @property
    def event_names(self) -> tuple[str, ...]:
        """The participants of its events, of which ``result.events.of(contact)`` are those."""
        return tuple(f"{what} {side} 0" for what in self.conditions for side in "<>")

    def parts(self) -> tuple[Part, ...]:
        """The part of the body, and the surface."""
        return self.contact.parts()
