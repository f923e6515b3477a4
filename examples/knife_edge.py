"""A knife edge on a slope: it moves along its blade alone, and does not slide down.

    python examples/knife_edge.py [PICTURE]

A body on a smooth slope touches it with a blade below its centre, which can move along its edge and turn, but not
sideways: a nonholonomic constraint, written in SymPy's `LagrangesMethod`. Released with the angular velocity omega and
the blade down the slope, it draws a cycloid: x = g sin(beta)/(2 omega^2) sin(omega t)^2 down the slope and
y = g sin(beta)/(2 omega^2) (omega t - sin(2 omega t)/2) across. On average it does not go down at all.
"""

import sys

import numpy as np
from matplotlib.figure import Figure
from sympy import cos, sin, symbols
from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols

from sympact import HybridModel

NUMBERS = {"m": 1.0, "j": 0.02, "g": 9.81, "beta": 0.3}
SPIN = 2.0
"""rad/s."""


def knife_edge():
    """The model; its states are x (down the slope), y, phi and their rates."""
    t = dynamicsymbols._t
    x, y, phi = q = dynamicsymbols("x y phi")
    m, j, g, beta = symbols("m j g beta")
    L = m * (x.diff(t) ** 2 + y.diff(t) ** 2) / 2 + j * phi.diff(t) ** 2 / 2 + m * g * sin(beta) * x
    sideways = y.diff(t) * cos(phi) - x.diff(t) * sin(phi)
    return HybridModel(LagrangesMethod(L, q, nonhol_coneqs=[sideways]), [])


def closed_form(t):
    """x and y at times t."""
    size, turn = NUMBERS["g"] * np.sin(NUMBERS["beta"]) / (2 * SPIN**2), SPIN * t
    return np.array([size * np.sin(turn) ** 2, size * (turn - np.sin(2 * turn) / 2)])


def draw(result):
    """The trace of the blade, with the blade every quarter of a second, and its place down the slope."""
    figure = Figure(figsize=(9, 4), layout="constrained")
    trace, error = figure.subplots(2, 1, height_ratios=[2, 3])
    times = np.linspace(*result.t_span, 2000)
    x, y, phi = result(times)[:3]
    trace.plot(y, x, color="0.5", linewidth=1, label="trace")
    for t in np.arange(0, times[-1], 0.25):
        x, y, phi = result(t)[:3]
        along = 0.07 * np.array([np.cos(phi), np.sin(phi)])
        trace.plot([y - along[1], y + along[1]], [x - along[0], x + along[0]], color="tab:blue", linewidth=2)
    trace.invert_yaxis()
    trace.set(aspect="equal", xlabel="y, across (m)", ylabel="x, down (m)", title="Knife edge on a slope")
    error.plot(result.t, 1e12 * (result.x[:2] - closed_form(result.t)).T, ".-", markersize=3, label=["x", "y"])
    error.set(xlabel="t (s)", ylabel="difference (1e-12 m)", title="from the closed form")
    error.legend()
    return figure


def main(picture="knife_edge.png"):
    """Run the knife edge and compare it with the closed form."""
    start = [0, 0, 0, 0, 0, SPIN]
    model = knife_edge()
    parameters = {symbol: NUMBERS[symbol.name] for symbol in model.parameters}
    result = model.simulate((0, 6), start, parameters, rtol=1e-12, atol=1e-14)
    for t in (1.0, 3.0, 6.0):
        (x, y), (exact_x, exact_y) = result(t)[:2], closed_form(t)
        print(f"t = {t:g} s: x = {x:.12f} m, y = {y:.12f} m; closed form {exact_x:.12f} m, {exact_y:.12f} m")
    phi, *v = result.x[2:5]
    print(f"Sideways the blade moves with at most {np.abs(v[1] * np.cos(phi) - v[0] * np.sin(phi)).max():.0e} m/s.")
    draw(result).savefig(picture, dpi=150)
    print("The picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
