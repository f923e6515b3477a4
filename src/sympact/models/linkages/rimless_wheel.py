"""A wheel without a rim that rolls down a slope on its spokes."""

from __future__ import annotations

from math import cos, pi, tan

from sympy import Matrix, Rational, symbols
from sympy import cos as cosine
from sympy import pi as half_turn
from sympy import sin as sine
from sympy.physics.mechanics import Point, ReferenceFrame, dynamicsymbols

from sympact.mechanics import Contact, HybridModel, Plane
from sympact.models.planar import planar_body, planar_system
from sympact.models.ready import ReadyModel, spelled_units


def rimless_wheel(spokes: int = 8, slope: float = 0.08, spin: float = 2.0) -> ReadyModel:
    """A wheel of a hub and spokes moves down a slope: the foot sticks, and the next one hits without a rebound.

    With the angle 2 alpha between spokes of the length l, and the moment of inertia J about the hub, each impact leaves
    the part (cos(2 alpha) + J/(m l^2)) / (1 + J/(m l^2)) of the angular velocity, and on the way to the next one
    gravity adds 4 m g l sin(alpha) sin(slope) / (m l^2 + J) to its square. The speed converges to the value where both
    balance; where that is too slow to pass the highest point, the wheel stops on two feet.

    Parameters
    ----------
    spokes : int
        The number of spokes, at least 5.
    slope : float
        The angle of the slope (rad), down towards positive x.
    spin : float
        The angular velocity downhill at the start (rad/s); the wheel is on two feet, and the front one is about to
        support it alone.

    Returns
    -------
    ReadyModel

    Raises
    ------
    ValueError
        If there are fewer than five spokes: then an impact stops the wheel.

    Examples
    --------
    >>> wheel = rimless_wheel()
    >>> [contact.name for contact in wheel.model.contacts[:3]], wheel.named_start()["theta"]
    (['foot 1', 'foot 2', 'foot 3'], 0.0)
    """
    if spokes < 5:
        raise ValueError(f"a wheel of fewer than five spokes is stopped by its impacts; found spokes={spokes!r}")
    m, l, J, g, e, mu, beta = symbols("m l J g e mu beta", positive=True)
    q, u = Matrix(dynamicsymbols("x y theta")), Matrix(dynamicsymbols("v_x v_y omega"))
    N, T, W, O = ReferenceFrame("N"), ReferenceFrame("T"), ReferenceFrame("W"), Point("O")
    T.orient_axis(N, -beta, N.z)
    W.orient_axis(T, -q[2], T.z)  # theta grows downhill
    hub = O.locatenew("hub", q[0] * T.x + q[1] * T.y)
    wheel = planar_body("wheel", hub, W, m, J)

    angles = [half_turn * Rational(2 * i + 1, spokes) for i in range(spokes)]  # from the one that points down
    feet = [hub.locatenew(f"foot {i}", l * (-sine(a) * W.x - cosine(a) * W.y)) for i, a in enumerate(angles, start=1)]
    ground = Plane(O, T.y)
    contacts = [Contact(foot, ground, restitution=e, friction=mu, name=foot.name) for foot in feet]
    height = cos(pi / spokes)
    return ReadyModel(
        HybridModel(planar_system(N, O, [wheel], q, u, g), contacts),
        parameters={m: 1, l: 1, J: 0.05, g: 9.81, e: 0, mu: 2, beta: slope},
        start=dict(zip([*q, *u], _standing(spin, height, pi / spokes), strict=True)),
        t_span=(0, 10),
        units=spelled_units("t: s, x y gaps: m, theta: rad, v_x v_y: m/s, omega: rad/s"),
        looks=lambda show: [show.Ball(hub, l / 12), *[show.Rod(hub, foot, l / 25) for foot in feet]],
    )


def _standing(spin: float, height: float, half: float) -> list[float]:
    """The state on two feet, rotating about the front one: position, angle, speeds."""
    return [0.0, height, 0.0, spin * height, spin * height * tan(half), spin]
