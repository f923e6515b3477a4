"""The Chaplygin sleigh: it turns itself into the direction in which its runner is behind.

    python examples/chaplygin_sleigh.py [PICTURE]

A body slides on a smooth plane on two smooth feet and a runner, which moves along its edge alone. The centre of mass is
at the distance a before the runner. Pushed backwards with a small rotation the sleigh turns round and ends on a
straight line, though no energy is lost: with k^2 = (j + m a^2)/m and c^2 = u^2 + k^2 omega^2 the speed along the runner
is u = c tanh(a c (t - t_0)/k^2), the angular velocity omega = c/k sech(a c (t - t_0)/k^2). Both satisfy u' = a omega^2
and omega' = -a u omega/k^2 (Bloch, Nonholonomic Mechanics and Control, 2003, section 1.7).
"""

import sys

import numpy as np
from matplotlib.figure import Figure
from sympy import symbols
from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, System, dynamicsymbols, inertia

from sympact import HybridModel, Nonholonomic

M, J, A = 2.0, 0.3, 0.25
PUSH, SPIN = -1.5, 0.05
"""The speed along the runner (m/s) and the angular velocity (rad/s) at the start."""


def sleigh():
    """The model: the place of the runner and the angle of the body, with their rates as speeds."""
    t = dynamicsymbols._t
    q, u = dynamicsymbols("x y theta"), dynamicsymbols("v_x v_y omega")
    m, j, a = symbols("m j a")
    N, B, O = ReferenceFrame("N"), ReferenceFrame("B"), Point("O")
    B.orient_axis(N, q[2], N.z)
    runner = O.locatenew("runner", q[0] * N.x + q[1] * N.y)
    centre = runner.locatenew("C", a * B.x)
    system = System(N, O)
    system.add_bodies(RigidBody("sleigh", centre, B, m, (inertia(B, 0, 0, j), centre)))
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_kdes(*(place.diff(t) - speed for place, speed in zip(q, u, strict=True)))
    sideways = (u[0] * N.x + u[1] * N.y).dot(B.y)
    return HybridModel(system, [], constraints=[Nonholonomic(sideways, "runner")])


def closed_form(t):
    """u and omega at times t."""
    k = np.sqrt((J + M * A**2) / M)
    c = np.hypot(PUSH, k * SPIN)
    phase = A * c / k**2 * t + np.arctanh(PUSH / c)
    return np.array([c * np.tanh(phase), c / k / np.cosh(phase)])


def along(x):
    """u and omega of states x of shape (6, k)."""
    return np.array([x[3] * np.cos(x[2]) + x[4] * np.sin(x[2]), x[5]])


def draw(result):
    """The trace of the runner with the sleigh, and its speeds with the closed form."""
    figure = Figure(figsize=(9, 4.6), layout="constrained")
    trace, speeds = figure.subplots(1, 2, width_ratios=[3, 2])
    times = np.linspace(*result.t_span, 2000)
    x = result(times)
    trace.plot(x[0], x[1], color="0.5", linewidth=1, label="trace of the runner")
    outline = np.array([(-0.1, -0.15), (0.45, 0.0), (-0.1, 0.15), (-0.1, -0.15)]).T
    for t in np.linspace(*result.t_span, 15):
        place, (c, s) = result(t)[:2], (np.cos(result(t)[2]), np.sin(result(t)[2]))
        trace.plot(*(place[:, None] + np.array([[c, -s], [s, c]]) @ outline), color="tab:blue", linewidth=1)
    trace.plot(x[0, 0], x[1, 0], "o", color="tab:green", label="start")
    trace.set(aspect="equal", xlabel="x (m)", ylabel="y (m)", title="Chaplygin sleigh")
    trace.legend()
    (u, omega), exact = along(x), closed_form(times)
    speeds.plot(times, u, label="u (m/s)")
    speeds.plot(times, omega, label="omega (rad/s)")
    speeds.plot(times, exact.T, ":", color="black", linewidth=2, label=["closed form", None])
    speeds.set(xlabel="t (s)", ylabel="speed", title="along the runner, and angular")
    speeds.legend()
    return figure


def main(picture="chaplygin_sleigh.png"):
    """Run the sleigh and compare it with the closed form."""
    model = sleigh()
    numbers = {"m": M, "j": J, "a": A}
    parameters = {symbol: numbers[symbol.name] for symbol in model.parameters}
    result = model.simulate((0, 5), [0, 0, 0, PUSH, 0, SPIN], parameters, rtol=1e-12, atol=1e-14)
    error = np.abs(along(result.x) - closed_form(result.t)).max(axis=1)
    print(f"From the closed form u differs by up to {error[0]:.0e} m/s, omega by {error[1]:.0e} rad/s.")
    print(f"It starts with u = {PUSH:.6f} m/s and ends with u = {along(result.x)[0, -1]:.6f} m/s;")
    print(f"the energy changes by {np.ptp(result.kinetic_energy):.0e} J.")
    draw(result).savefig(picture, dpi=150)
    print("The picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
