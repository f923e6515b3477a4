"""Balls that hang in a row and transmit an impact."""

from __future__ import annotations

from sympy import cos, sin, symbols
from sympy.physics.mechanics import Particle, Point, ReferenceFrame

from sympact.contact import Newton, Simultaneous
from sympact.contact.laws.impact_laws import ImpactLaw, Resolution
from sympact.mechanics import Contact, HybridModel, Plane
from sympact.models.planar import numbered, planar_system
from sympact.models.ready import ReadyModel, spelled_units

_SIMULTANEOUS, _NEWTON = Simultaneous(), Newton()


def newtons_cradle(
    balls: int = 5, gap: float = 0.001, resolution: Resolution = _SIMULTANEOUS, law: ImpactLaw = _NEWTON
) -> ReadyModel:
    """Equal balls hang in a row; the first is lifted and released, and its impact is transmitted to the last.

    The strings are parallel where the balls hang at rest, d = 2 r + gap apart; the coordinates are the angles of the
    strings from the downward vertical (rad). The right side of each ball may touch a vertical plane at the left side of
    the next, which moves with that ball: exact for balls at equal angles, and to second order in the angle between
    their strings. Each impact conserves the sum of m l omega_i/cos(theta_i), which is the horizontal momentum where the
    balls hang straight down.

    With gaps there is one impact after the other, and without loss each transmits the whole velocity. With `gap` 0 the
    balls at rest are closed contacts, and the outcome depends on the resolution. With `Simultaneous`, closed contacts
    have no restitution, so that n - 1 balls leave together with 2/n of the velocity and the first rebounds with (n -
    2)/n of it. With `Sequential` the last ball receives all, as with gaps. `ImpulseRatio` models the wave through the
    balls by springs of no length: the last ball receives nearly all, and the others separate a little, as in real
    cradles. Momentum is the same in all, and without loss so is energy.

    Parameters
    ----------
    balls : int
        The number of balls, at least 2.
    gap : float
        Between neighbours that hang at rest (m).
    resolution : Resolution
        The resolution of the impact of balls that touch.
    law : ImpactLaw
        The impact law; `ImpulseRatio` is defined with `Energetic` only.

    Returns
    -------
    ReadyModel

    Raises
    ------
    ValueError
        If there are fewer than two balls, the gap is negative, or the law is not defined for the resolution.

    Examples
    --------
    >>> cradle = newtons_cradle(balls=3)
    >>> [contact.name for contact in cradle.model.contacts]
    ['1 on 2', '2 on 3']
    """
    if balls < 2 or gap < 0:
        raise ValueError(f"a cradle has two balls or more and no negative gap; found balls={balls!r}, gap={gap!r}")
    m, l, r, d, g, e = symbols("m l r d g e", positive=True)
    q, u = numbered("theta", balls), numbered("omega", balls)
    N, O = ReferenceFrame("N"), Point("O")
    pivots = [O.locatenew(f"O_{i + 1}", i * d * N.x) for i in range(balls)]
    middles = [
        pivot.locatenew(f"P_{i}", l * sin(angle) * N.x - l * cos(angle) * N.y)
        for i, (pivot, angle) in enumerate(zip(pivots, q, strict=True), start=1)
    ]
    bodies = [Particle(f"ball {i}", middle, m) for i, middle in enumerate(middles, start=1)]
    contacts = [_neighbours(i, N, middles, r, e) for i in range(1, balls)]
    return ReadyModel(
        HybridModel(planar_system(N, O, bodies, q, u, g), contacts, impact=law, resolution=resolution, length=l),
        parameters={m: 1, l: 1, r: 0.05, d: 0.1 + gap, g: 9.81, e: 0.98},
        start={**dict.fromkeys(q, 0), **dict.fromkeys(u, 0), q[0]: -0.6},
        t_span=(0, 5),
        units=spelled_units(f"t: s, gaps: m, {' '.join(a.name for a in q)}: rad, {' '.join(w.name for w in u)}: rad/s"),
        looks=lambda show: [
            show.Ground(Plane(O, -N.y)),
            *[show.Line(*ends) for ends in zip(pivots, middles, strict=True)],
            *[show.Ball(middle, r) for middle in middles],
        ],
    )


def _neighbours(i: int, frame: ReferenceFrame, middles: list[Point], r, e) -> Contact:
    """Ball i against a plane at the left side of ball i + 1."""
    side = middles[i - 1].locatenew(f"right of {i}", r * frame.x)
    plane = Plane(middles[i].locatenew(f"left of {i + 1}", -r * frame.x), -frame.x)
    return Contact(side, plane, restitution=e, friction=0, name=f"{i} on {i + 1}")
