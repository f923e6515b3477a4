"""A block on a slope that may be tilted: the onset and the end of sliding."""

from __future__ import annotations

from sympy import Matrix, symbols
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

from sympact.mechanics import Contact, HybridModel, Plane
from sympact.models.planar import planar_system
from sympact.models.ready import ReadyModel, spelled_units


def sliding_block(slope: float = 0.0, tilting: float = 0.2, speed: float = 0.0) -> ReadyModel:
    """A small block on a slope, which is being tilted, or fixed.

    At rest at the pivot it starts to slide where the tangent of the slope reaches mu_s, and then accelerates, because
    the kinetic friction mu is smaller. On a fixed slope its acceleration is g (sin(alpha) - mu cos(alpha)) downhill;
    with the initial speed v on a level table it stops after v^2/(2 mu g).

    Parameters
    ----------
    slope : float
        The slope alpha at the start (rad), down towards positive x.
    tilting : float
        The rate of the slope (rad/s).
    speed : float
        The speed of the block down the slope at the start (m/s).

    Returns
    -------
    ReadyModel

    Examples
    --------
    >>> sliding_block(speed=2.0, tilting=0.0).named_start()
    {'x': 0.0, 'y': 0.0, 'v_x': 2.0, 'v_y': 0.0}
    """
    m, g, e, mu, mu_s = symbols("m g e mu mu_s", positive=True)
    alpha, nu = symbols("alpha nu", real=True)
    q, u = Matrix(dynamicsymbols("x y")), Matrix(dynamicsymbols("v_x v_y"))
    N, T, O = ReferenceFrame("N"), ReferenceFrame("T"), Point("O")
    T.orient_axis(N, -(alpha + nu * dynamicsymbols._t), N.z)
    block = Particle("block", O.locatenew("P", q[0] * T.x + q[1] * T.y), m)

    contact = Contact(block.masscenter, Plane(O, T.y), restitution=e, friction=mu, static_friction=mu_s, name="block")
    middle = block.masscenter.locatenew("middle", T.y / 20)
    return ReadyModel(
        HybridModel(planar_system(N, O, [block], q, u, g), [contact]),
        parameters={m: 1, g: 9.81, e: 0, mu: 0.4, mu_s: 0.5, alpha: slope, nu: tilting},
        start=dict(zip([*q, *u], [0, 0, speed, 0], strict=True)),
        t_span=(0, 3),
        units=spelled_units("t: s, x y gaps: m, v_x v_y: m/s"),
        looks=lambda show: [show.Box(T, (0.1, 0.1, 0.1), center=middle)],
    )
