"""Kane's double pendulum: an impact with friction for which the laws of restitution differ."""

from __future__ import annotations

from math import cos, radians

from sympy import Matrix, symbols
from sympy.physics.mechanics import Point, ReferenceFrame, dynamicsymbols

from sympact.contact import Energetic
from sympact.contact.laws.impact_laws import ImpactLaw
from sympact.mechanics import Contact, HybridModel, Plane
from sympact.models.planar import chain, planar_body, planar_system
from sympact.models.ready import ReadyModel, spelled_units

_ENERGETIC = Energetic()


def kane_pendulum(law: ImpactLaw = _ENERGETIC) -> ReadyModel:
    """Two equal rods hang from a pivot and hit a rough floor with their tip, at the first instant of the run.

    They are at 20 and 30 degrees from the downward vertical and rotate with -0.1 and -0.2 rad/s, so that the tip slips
    backwards. `Newton` requires e times the approach speed and considers the slip after the impact alone: there the tip
    slips forwards, so that friction acts backwards in all of the impact, and the kinetic energy grows to 2.8 times its
    value before. The guard of `Newton` removes just that gain; `Poisson` and `Energetic` lose energy. Then the tip
    bounces until it is at rest.

    Parameters
    ----------
    law : ImpactLaw
        Such as ``Newton()``, ``Newton(guard=True)``, ``Poisson()``, ``Energetic()``.

    Returns
    -------
    ReadyModel

    References
    ----------
    - T. R. Kane and D. A. Levinson, Dynamics: Theory and Applications, McGraw-Hill, 1985, p. 348.

    Examples
    --------
    >>> from sympact import Poisson
    >>> kane_pendulum(Poisson()).model.law
    Poisson()
    """
    m, l, g, h, e, mu = symbols("m l g h e mu", positive=True)
    q, u = Matrix(dynamicsymbols("theta_1 theta_2")), Matrix(dynamicsymbols("omega_1 omega_2"))
    N, O = ReferenceFrame("N"), Point("O")
    frames, ends = chain(N, O, q, [l, l])
    rods = [
        planar_body(f"rod {i}", end.locatenew(f"C_{i}", l / 2 * frame.y), frame, m, m * l**2 / 12)
        for i, (end, frame) in enumerate(zip(ends, frames, strict=True), start=1)
    ]
    floor = Plane(O.locatenew("floor", -h * N.y), N.y)
    tip = Contact(ends[1], floor, restitution=e, friction=mu, name="tip")
    first, second = radians(20), radians(30)
    return ReadyModel(
        HybridModel(planar_system(N, O, rods, q, u, g), [tip], impact=law, length=l),
        parameters={m: 1, l: 1, g: 9.81, h: cos(first) + cos(second), e: 0.7, mu: 0.5},
        start=dict(zip([*q, *u], [first, second, -0.1, -0.2], strict=True)),
        t_span=(0, 1),
        units=spelled_units("t: s, gaps: m, theta_1 theta_2: rad, omega_1 omega_2: rad/s"),
        looks=lambda show: [show.Ground(floor), show.Rod(O, ends[0], l / 20), show.Rod(ends[0], ends[1], l / 20)],
    )
