"""A double pendulum in Cartesian coordinates: its rods are constraints, under three formulations.

    python examples/cartesian_pendulum.py [PICTURE]

Two particles of 1 kg on massless rods of 1 m are released level, at rest. The coordinates are the places of the
particles, x_1, y_1, x_2, y_2, and each rod is a holonomic constraint. Without correction the lengths of the rods drift
(`Direct`); `Baumgarte` returns them to their lengths like damped oscillators; `Projection`, the default, puts places
and speeds back onto the constraints after each step. The same pendulum in angles needs no constraints: from it the
errors of the places are measured.
"""

import sys

import numpy as np
from matplotlib.figure import Figure
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, System, dynamicsymbols

from sympact import Baumgarte, Direct, Holonomic, HybridModel, Projection
from sympact.models import double_pendulum

G = 9.81
FORMULATIONS = {"Direct": Direct(), "Baumgarte": Baumgarte(20.0), "Projection": Projection()}


def cartesian(formulation):
    """The pendulum with its rods as constraints."""
    t = dynamicsymbols._t
    q, u = dynamicsymbols("x_1 y_1 x_2 y_2"), dynamicsymbols("v_1x v_1y v_2x v_2y")
    N, O = ReferenceFrame("N"), Point("O")
    P = O.locatenew("P", q[0] * N.x + q[1] * N.y)
    Q = O.locatenew("Q", q[2] * N.x + q[3] * N.y)
    system = System(N, O)
    system.add_bodies(Particle("upper", P, 1), Particle("lower", Q, 1))
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_kdes(*(place.diff(t) - speed for place, speed in zip(q, u, strict=True)))
    system.apply_uniform_gravity(-G * N.y)
    x_1, y_1, x_2, y_2 = q
    rods = [
        Holonomic(x_1**2 + y_1**2 - 1, "upper rod"),
        Holonomic((x_2 - x_1) ** 2 + (y_2 - y_1) ** 2 - 1, "lower rod"),
    ]
    return HybridModel(system, [], constraints=rods, formulation=formulation)


def in_angles(t_end):
    """Places x_1, y_1, x_2, y_2 as functions of times, of the pendulum in angles without a wall in its way."""
    ready = double_pendulum().with_numbers({"w": 10.0, "g": G}, t_span=(0, t_end))
    result = ready.simulate(rtol=1e-13, atol=1e-15)

    def places(times):
        first, second = result(times)[:2]
        upper = np.array([np.sin(first), -np.cos(first)])
        return np.concatenate([upper, upper + np.array([np.sin(second), -np.cos(second)])])

    return places


def lengthening(x):
    """By how much the rods are longer than 1 m, the larger of both, shape (k,) for states x of shape (8, k)."""
    upper, lower = np.hypot(*x[:2]), np.hypot(*(x[2:4] - x[:2]))
    return np.maximum(np.abs(upper - 1), np.abs(lower - 1))


def draw(results):
    """The way of the lower particle, and how far the rods are from their lengths."""
    figure = Figure(figsize=(9, 4.4), layout="constrained")
    ways, drifts = figure.subplots(1, 2, width_ratios=[2, 3])
    result = results["Projection"]
    x = result(np.linspace(*result.t_span, 3000))
    ways.plot(x[2], x[3], linewidth=0.8, label="lower particle")
    ways.plot(x[0], x[1], linewidth=0.8, label="upper particle")
    ways.plot([0, x[0, 0], x[2, 0]], [0, x[1, 0], x[3, 0]], "o-", color="0.3", label="start")
    ways.set(aspect="equal", xlabel="x (m)", ylabel="y (m)", title=f"{result.t[-1]:g} s")
    ways.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2))
    for name, result in results.items():
        drifts.semilogy(result.t[1:], np.maximum(lengthening(result.x)[1:], 1e-17), ".", markersize=3, label=name)
    drifts.set(xlabel="t (s)", ylabel="error of the lengths (m)", title="rods, rtol = 1e-8")
    drifts.legend(loc="center right", bbox_to_anchor=(1.0, 0.3))
    return figure


def main(picture="cartesian_pendulum.png"):
    """Run the pendulum under each formulation and print the errors."""
    t_end = 10.0
    start = [1, 0, 2, 0, 0, 0, 0, 0]
    results = {}
    exact = in_angles(t_end)
    for name, formulation in FORMULATIONS.items():
        result = results[name] = cartesian(formulation).simulate((0, t_end), start, {}, rtol=1e-8, atol=1e-10)
        error = np.abs(result.x[:4] - exact(result.t))
        print(
            f"{name:>10}: {result.steps} steps; rods are wrong by up to {lengthening(result.x).max():.0e} m,", end=" "
        )
        print(f"the energy by {np.ptp(result.energy):.0e} J,", end=" ")
        print(f"places in the first 3 s by {error[:, result.t <= 3].max():.0e} m")
    draw(results).savefig(picture, dpi=150)
    print("The picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
