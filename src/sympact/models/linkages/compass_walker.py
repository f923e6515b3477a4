"""A walker of two straight legs at the impact of its front foot."""

from __future__ import annotations

from math import cos, sin

from sympy import Matrix, symbols
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

from sympact.contact import Plastic
from sympact.mechanics import Contact, HybridModel, Plane
from sympact.models.planar import planar_system
from sympact.models.ready import ReadyModel, spelled_units


def compass_walker(spread: float = 0.3, speeds: tuple[float, float] = (-1.6, -0.6), slope: float = 0.05) -> ReadyModel:
    """A hip of mass M on two legs of length l, each with a mass m at the distance b from the hip, walks down a slope.

    The rear foot is on the ground, the front one is about to hit it. The impact is plastic: the front foot sticks at
    once, and the rear one leaves the ground, because keeping it there would need a tensile impulse. The angular
    momentum of the whole walker about the front foot is the same before and after, and so is that of the rear leg about
    the hip: this determines both speeds.

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

    Examples
    --------
    >>> strike = next(event for event in compass_walker().simulate().events if event.kind == "impact")
    >>> strike.contacts, bool(strike.energy < 0)
    (('rear foot', 'front foot'), True)
    """
    M, m, l, b, g, beta = symbols("M m l b g beta", positive=True)
    q, u = Matrix(dynamicsymbols("x y theta_1 theta_2")), Matrix(dynamicsymbols("v_x v_y omega_1 omega_2"))
    N, T, O = ReferenceFrame("N"), ReferenceFrame("T"), Point("O")
    T.orient_axis(N, -beta, N.z)
    hip = Particle("hip", O.locatenew("H", q[0] * T.x + q[1] * T.y), M)
    parts, feet = [hip], []
    for name, angle in zip(("rear", "front"), q[2:], strict=True):
        leg = ReferenceFrame(f"{name} leg")
        leg.orient_axis(T, angle, T.z)
        parts.append(Particle(f"{name} leg", hip.masscenter.locatenew(f"{name} mass", -b * leg.y), m))
        feet.append(hip.masscenter.locatenew(f"{name} foot", -l * leg.y))
    ground = Plane(O, T.y)
    contacts = [Contact(foot, ground, restitution=0, friction=1, name=foot.name) for foot in feet]
    return ReadyModel(
        HybridModel(planar_system(N, O, parts, q, u, g), contacts, impact=Plastic()),
        parameters={M: 10, m: 5, l: 1, b: 0.5, g: 9.81, beta: slope},
        start=dict(zip([*q, *u], _before_the_strike(spread, *speeds), strict=True)),
        t_span=(0, 0.15),
        units=spelled_units("t: s, x y gaps: m, theta_1 theta_2: rad, v_x v_y: m/s, omega_1 omega_2: rad/s"),
        looks=lambda show: [
            show.Ball(hip.masscenter, l / 15),
            *[show.Rod(hip.masscenter, foot, l / 30) for foot in feet],
            *[show.Ball(part.masscenter, l / 25) for part in parts[1:]],
        ],
    )


def _before_the_strike(spread: float, rear: float, front: float) -> list[float]:
    """The rear foot at the origin, the front one a little above the ground; legs of 1 m."""
    theta = -(spread - 0.01)
    return [-sin(theta), cos(theta), theta, spread + 0.01, -rear * cos(theta), -rear * sin(theta), rear, front]
