"""A pendulum on a cart between end stops is swung up by its energy and caught at the top, at 100 Hz.

    python examples/swing_up.py [PICTURE]

One controller with symbols that it keeps: `caught` is 1 from the first sample at which the pole is near the top and
slow enough, and `swings` counts the changes of direction of the pole until then. Before the catch the force pumps the
energy of the pole towards that of the upright one (Astrom and Furuta, Automatica 36, 2000), with a spring and a damper
that keep the cart near the middle; after it the gains are those of an LQR.
"""

import sys

import numpy as np
from matplotlib.figure import Figure
from sampled_cart_pole import LIMIT, PERIOD, STATE, F, cart_with_pole, discrete, feedback, g, l, lqr, m, numbers
from sympy import And, Max, Min, Piecewise, cos, sin, symbols

from sympact import Controller

x, theta, v, omega = STATE
PUSH = 4.0  # N: the largest force that pumps


def controller(gains):
    """Swing-up by energy, and the catch."""
    caught, swings, last = symbols("caught swings last")
    inertia, weight = m * l**2 / 3, m * g * l / 2
    energy = inertia * omega**2 / 2 + weight * (cos(theta) - 1)  # 0 for the pole at rest at the top
    pump = Max(-PUSH, Min(PUSH, 20 * energy * omega * cos(theta))) - 4 * x - v
    near = And(cos(theta) > 0.95, omega**2 < 2)
    now = Piecewise((1, caught > 0.5), (1, near), (0, True))
    upright = feedback(gains).subs(theta, sin(theta))  # at any number of turns
    law = {
        F: Piecewise((upright, now > 0.5), (pump, True)),
        caught: now,
        swings: swings + Piecewise((1, And(omega * last < 0, now < 0.5)), (0, True)),
        last: omega,
    }
    memory = {caught: 0.0, swings: 0.0, last: 0.0}
    return Controller(every=PERIOD, law=law, memory=memory, limits={F: (-LIMIT, LIMIT)}), caught, swings


def draw(run, caught):
    """Angle, cart and force; from the catch on in another colour."""
    figure = Figure(figsize=(8, 6), layout="constrained")
    rows = figure.subplots(3, 1, sharex=True)
    late = run[caught] > 0.5
    shown = {"theta (turns)": run[theta] / (2 * np.pi), "x (m)": run[x], "F (N)": run[F]}
    for axes, (name, values) in zip(rows, shown.items(), strict=True):
        for chosen, color in ((~late, "C0"), (late, "C2")):
            axes.plot(np.where(chosen, run.t, np.nan), values, color=color)
        axes.set_ylabel(name)
    rows[0].set_title("Swing-up by energy (blue) and catch (green)")
    rows[2].set_xlabel("t (s)")
    return figure


def main(picture="swing_up.png"):
    """Swing up from rest below, and print when the pole is caught."""
    model = cart_with_pole()
    acts, caught, swings = controller(lqr(*discrete(model)))
    hanging = dict(zip(STATE, [0.0, np.pi - 0.05, 0.0, 0.0], strict=True))
    run = model.simulate((0, 8), hanging, numbers, controllers=[acts])
    when = run.t[np.argmax(run[caught] > 0.5)]
    print(f"The pole is caught at t = {when:.2f} s after {run[swings][-1]:.0f} changes of its direction.")
    print(f"Impacts on the end stops: {len(run.events.impacts)}.")
    turns = run[theta][-1] / (2 * np.pi)
    print(f"At the end the pole is upright to {abs(turns - round(turns)) * 360:.4f} degrees.")
    draw(run, caught).savefig(picture, dpi=150)
    print("The picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
