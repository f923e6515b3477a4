"""A mass on a spring and a damper that hits a stop, by Lagrange's method."""

from __future__ import annotations

from sympy import symbols
from sympy.physics.mechanics import LagrangesMethod, Lagrangian, Particle, Point, ReferenceFrame, dynamicsymbols

from sympact.mechanics import HybridModel, Limit
from sympact.models.ready import ReadyModel

WIDTH, SPRING_END = 0.06, 0.4
"""The width of the mass, and the place of the fixed end of the spring; for pictures (m)."""


def mass_spring_damper(restitution: float = 0.8, damping: float = 0.4) -> ReadyModel:
    """A mass with the Lagrangian L = m x'^2/2 - k x^2/2 and a damper meets a stop, x + a >= 0.

    The source of the model is a `LagrangesMethod`, whose speeds are x' itself. Between impacts the mass moves as a
    damped oscillator, x = e^(-d t) (A cos(w t) + B sin(w t)) with d = c/(2 m) and w^2 = k/m - d^2.

    Parameters
    ----------
    restitution : float
        The coefficient of restitution e, from 0 to 1.
    damping : float
        The coefficient of the damper c (N s/m), below 2 sqrt(k m) for an oscillation.

    Returns
    -------
    ReadyModel

    Examples
    --------
    >>> oscillator = mass_spring_damper()
    >>> oscillator.model.forcing
    Matrix([[-c*Derivative(x(t), t) - k*x(t)]])
    >>> oscillator.simulate().state_names
    ('x', "x'")
    """
    m, k, c, a, e = symbols("m k c a e", positive=True)
    x = dynamicsymbols("x")
    N, O = ReferenceFrame("N"), Point("O")
    O.set_vel(N, 0)
    P = O.locatenew("P", x * N.x)
    P.set_vel(N, x.diff() * N.x)
    mass = Particle("mass", P, m)
    mass.potential_energy = k * x**2 / 2
    damper = (P, -c * x.diff() * N.x)
    method = LagrangesMethod(Lagrangian(N, mass), [x], forcelist=[damper], bodies=[mass], frame=N)

    middle, end = P.locatenew("middle", WIDTH / 2 * N.x), O.locatenew("end", SPRING_END * N.x)
    block = O.locatenew("block", -(a + WIDTH / 8) * N.x)
    return ReadyModel(
        HybridModel(method, [Limit(x + a, restitution=e, name="stop")]),
        parameters={m: 1, k: 40, c: damping, a: 0.05, e: restitution},
        start={x: 0.2, x.diff(): 0},
        t_span=(0, 6),
        units={"t": "s", "x": "m", "gaps": "m", "x'": "m/s"},
        looks=lambda show: [
            show.Line(middle, end),
            show.Box(N, (WIDTH,) * 3, center=middle),
            show.Box(N, (WIDTH / 4, 2 * WIDTH, 2 * WIDTH), center=block, colour="gray"),
        ],
    )
