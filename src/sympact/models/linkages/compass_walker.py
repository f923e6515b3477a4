"""A walker of two straight legs, which goes down a slope without any motor."""

from __future__ import annotations

from math import cos, radians, sin

from sympy import Matrix, symbols
from sympy import cos as cosine
from sympy import sqrt as root
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

from sympact.contact import Plastic
from sympact.mechanics import Contact, HybridModel, Plane
from sympact.models.planar import planar_system
from sympact.models.ready import ReadyModel, spelled_units


def compass_walker(
    spread: float = 0.271, speeds: tuple[float, float] = (-1.494, -1.806), slope: float = radians(3)
) -> ReadyModel:
    """A hip of mass M on two legs of length l, each with a mass m at the distance b from the hip, walks down a slope.

    The rear foot is on the ground, the front one is about to hit it. The impact is plastic: the front foot sticks at
    once, and the rear one leaves the ground, because keeping it there would need a tensile impulse. The angular
    momentum of the whole walker about the front foot is the same before and after, and so is that of the rear leg about
    the hip: this determines both speeds. The legs swap their roles with every step.

    Legs of one length scuff: where the swinging foot passes the other one it would be some millimetres below the
    ground. There its contact is not active: a foot is ignored while it swings forward faster than sqrt(g l)/3.

    The default masses and lengths are those of Goswami, Thuilot and Espiau. On a slope of 3 degrees such a walker has a
    stable gait, with which this one begins: ten steps of 0.734 s.

    Parameters
    ----------
    spread : float
        The angle of each leg from the normal of the slope at the impact (rad).
    speeds : (float, float)
        The angular velocities of the rear and of the front leg at the start (rad/s); negative ones move the hip
        downhill over its foot.
    slope : float
        The angle of the slope (rad), down towards positive x.

    Returns
    -------
    ReadyModel

    References
    ----------
    - A. Goswami, B. Thuilot and B. Espiau, "A study of the passive gait of a compass-like biped robot: symmetry and
      chaos", International Journal of Robotics Research 17(12), 1998, 1282-1301.

    Examples
    --------
    >>> strike = next(event for event in compass_walker().simulate().events if event.kind == "impact")
    >>> strike.contacts, bool(strike.energy < 0)
    (('rear foot', 'front foot'), True)
    >>> len(compass_walker().simulate().events.impacts)
    11
    """
    M, m, l, b, g, beta = symbols("M m l b g beta", positive=True)
    q, u = Matrix(dynamicsymbols("x y theta_1 theta_2")), Matrix(dynamicsymbols("v_x v_y omega_1 omega_2"))
    N, T, O = ReferenceFrame("N"), ReferenceFrame("T"), Point("O")
    T.orient_axis(N, -beta, N.z)
    hip = Particle("hip", O.locatenew("H", q[0] * T.x + q[1] * T.y), M)
    parts, feet, forward = [hip], [], []
    for name, angle, speed in zip(("rear", "front"), q[2:], u[2:], strict=True):
        leg = ReferenceFrame(f"{name} leg")
        leg.orient_axis(T, angle, T.z)
        parts.append(Particle(f"{name} leg", hip.masscenter.locatenew(f"{name} mass", -b * leg.y), m))
        feet.append(hip.masscenter.locatenew(f"{name} foot", -l * leg.y))
        forward.append(u[0] + l * speed * cosine(angle))
    ground = Plane(O, T.y)
    contacts = [
        Contact(foot, ground, restitution=0, friction=1, name=foot.name, active=ahead < root(g * l) / 3)
        for foot, ahead in zip(feet, forward, strict=True)
    ]
    return ReadyModel(
        HybridModel(planar_system(N, O, parts, q, u, g), contacts, impact=Plastic()),
        parameters={M: 10, m: 5, l: 1, b: 0.5, g: 9.81, beta: slope},
        start=dict(zip([*q, *u], _before_the_strike(spread, *speeds), strict=True)),
        t_span=(0, 7.5),
        units=spelled_units("t: s, x y gaps: m, theta_1 theta_2: rad, v_x v_y: m/s, omega_1 omega_2: rad/s"),
        looks=lambda show: [
            show.Ball(hip.masscenter, l / 15),
            *[show.Rod(hip.masscenter, foot, l / 30) for foot in feet],
            *[show.Ball(part.masscenter, l / 25) for part in parts[1:]],
        ],
    )


def _before_the_strike(spread: float, rear: float, front: float) -> list[float]:
    """The rear foot at the origin, the front one a little above the ground; legs of 1 m."""
    theta = -(spread - 0.001)
    return [-sin(theta), cos(theta), theta, spread + 0.001, -rear * cos(theta), -rear * sin(theta), rear, front]
