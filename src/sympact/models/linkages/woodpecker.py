"""The woodpecker toy: a bird on a spring that descends a pole by pecking."""

from __future__ import annotations

from sympy import Matrix, symbols
from sympy.physics.mechanics import Point, ReferenceFrame, Torque, dynamicsymbols

from sympact.mechanics import Contact, HybridModel, Plane
from sympact.models.planar import planar_body, planar_system
from sympact.models.ready import ReadyModel, spelled_units

START = {"phi_M": -0.1034, "phi_S": -0.2788, "v_y": -0.3411, "omega_S": -7.4583}
"""rad, m/s, rad/s: near the limit cycle of Glocker, the sleeve just free of the pole."""


def woodpecker() -> ReadyModel:
    """A bird hangs by a spring on a sleeve that is wider than its pole; it swings, and the sleeve slips down and locks.

    Three contacts with friction are on the pole: the sleeve's lower and upper edge on the side of the bird, and the
    beak. The sleeve locks when its angle is large enough, the bird swings on, the sleeve is released and falls, locks
    in the opposite direction, and the beak hits the pole and rebounds with the bird. The motion repeats itself some
    seven times in a second.

    Positions are linear in the angles, which are small, and the sleeve's centre is on the pole's axis, as in Glocker,
    whose numbers these are. Newton's law of restitution, used here, and Poisson's, used there, give the same motion.

    Returns
    -------
    ReadyModel

    References
    ----------
    - C. Glocker, *Dynamik von Starrkörpersystemen mit Reibung und Stößen*, PhD thesis, TU München 1995; after
      F. Pfeiffer and C. Glocker, *Multibody Dynamics with Unilateral Contacts*, Wiley 1996. Its bifurcations are
      studied in R. I. Leine, C. Glocker and D. H. van Campen, "Nonlinear dynamics of the woodpecker toy", Proceedings
      of DETC 2001, ASME, Pittsburgh 2001.

    Examples
    --------
    >>> bird = woodpecker()
    >>> [contact.name for contact in bird.model.contacts]
    ['low edge', 'high edge', 'beak']
    """
    m_M, J_M, m_S, J_S, c, g, mu, e, e_beak = symbols("m_M J_M m_S J_S c g mu e e_beak", positive=True)
    r_0, r_M, h_M, l_M, l_G, h_S, l_S = symbols("r_0 r_M h_M l_M l_G h_S l_S", positive=True)
    q, u = Matrix(dynamicsymbols("y phi_M phi_S")), Matrix(dynamicsymbols("v_y omega_M omega_S"))
    y, tilt, swing = q
    N, O = ReferenceFrame("N"), Point("O")
    frames = [N.orientnew(name, "Axis", (angle, N.z)) for name, angle in (("M", tilt), ("S", swing))]

    middle = O.locatenew("M", y * N.y)
    edge = middle.locatenew("edge", r_M * N.x + r_M * tilt * N.y)
    hinge = middle.locatenew("hinge", l_M * N.x + l_M * tilt * N.y)
    bird = hinge.locatenew("S", l_G * N.x + l_G * swing * N.y)
    tips = {
        "low edge": edge.locatenew("low edge", h_M * tilt * N.x - h_M * N.y),
        "high edge": edge.locatenew("high edge", -h_M * tilt * N.x + h_M * N.y),
        "beak": bird.locatenew("beak", (-l_S - h_S * swing) * N.x + (h_S - l_S * swing) * N.y),
    }
    bodies = [
        planar_body("sleeve", middle, frames[0], m_M, J_M),
        planar_body("bird", bird, frames[1], m_S, J_S),
    ]
    system = planar_system(N, O, bodies, q, u, g)
    spring = c * (swing - tilt) * N.z
    system.add_loads(Torque(frames[0], spring), Torque(frames[1], -spring))

    pole = Plane(O.locatenew("pole", r_0 * N.x), N.x)
    contacts = [
        Contact(tip, pole, restitution=e_beak if name == "beak" else e, friction=mu, name=name)
        for name, tip in tips.items()
    ]
    numbers = {m_M: 0.0003, J_M: 5.0e-9, m_S: 0.0045, J_S: 7.0e-7, c: 0.0056, g: 9.81, mu: 0.3, e: 0, e_beak: 0.5}
    sizes = {r_0: 0.0025, r_M: 0.0031, h_M: 0.0058, l_M: 0.010, l_G: 0.015, h_S: 0.02, l_S: 0.0201}
    return ReadyModel(
        HybridModel(system, contacts),
        parameters={**numbers, **sizes},
        start={state: START.get(state.name, 0) for state in [*q, *u]},
        t_span=(0, 1),
        units=spelled_units("t: s, y gaps: m, phi_M phi_S: rad, v_y: m/s, omega_M omega_S: rad/s"),
        looks=lambda show: [
            show.Polygon(bodies[0], [(-r_M, -h_M), (r_M, -h_M), (r_M, h_M), (-r_M, h_M)]),
            show.Line(middle, hinge),
            show.Line(hinge, bird, tips["beak"]),
            show.Ball(bird, h_S / 3),
        ],
    )
