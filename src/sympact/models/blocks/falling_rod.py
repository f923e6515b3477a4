"""A rod that is dropped on a floor."""

from __future__ import annotations

from sympy import Matrix, symbols
from sympy.physics.mechanics import Point, ReferenceFrame, dynamicsymbols

from sympact.mechanics import Contact, HybridModel, Plane
from sympact.models.planar import planar_body, planar_system
from sympact.models.ready import ReadyModel, spelled_units


def falling_rod() -> ReadyModel:
    """A slender rod is released at rest, inclined above a smooth floor, and hits it with its ends A and B in turn.

    The effective mass of an end that hits at the angle theta to the horizontal is m/(1 + 3 cos(theta)^2). There is no
    horizontal force, so that the centre moves vertically.

    Returns
    -------
    ReadyModel

    Examples
    --------
    >>> falling_rod().model.gaps
    Matrix([
    [-l*sin(theta(t))/2 + y(t)],
    [ l*sin(theta(t))/2 + y(t)]])
    """
    m, l, g, e = symbols("m l g e", positive=True)
    q, u = Matrix(dynamicsymbols("x y theta")), Matrix(dynamicsymbols("v_x v_y omega"))
    N, B, O = ReferenceFrame("N"), ReferenceFrame("B"), Point("O")
    B.orient_axis(N, q[2], N.z)
    C = O.locatenew("C", q[0] * N.x + q[1] * N.y)
    rod = planar_body("rod", C, B, m, m * l**2 / 12)
    ends = [C.locatenew("A", -l / 2 * B.x), C.locatenew("B", l / 2 * B.x)]
    floor = Plane(O, N.y)
    contacts = [Contact(end, floor, restitution=e, friction=0, name=end.name) for end in ends]
    return ReadyModel(
        HybridModel(planar_system(N, O, [rod], q, u, g), contacts),
        parameters={m: 1, l: 1, g: 9.81, e: 0.6},
        start=dict(zip([*q, *u], [0, 1.2, 0.6, 0, 0, 0], strict=True)),
        t_span=(0, 5),
        units=spelled_units("t: s, x y gaps: m, theta: rad, v_x v_y: m/s, omega: rad/s"),
        looks=lambda show: [show.Rod(*ends, l / 25)],
    )
