"""A cart with a pole between end stops, balanced at 100 Hz: LQR and PID, with limits, delay and rounded sensors.

    python examples/sampled_cart_pole.py [PICTURE]

The force on the cart is computed every 10 ms and constant until the next sample. The gains of the LQR are those of the
discretised linear model, and the period map of the sampled motion has the eigenvalues of that design. In the run the
force is limited and acts one period after its sample, the encoders round to a thousandth, and the cart, which starts
with a push, hits an end stop once. The PID controller acts on the angle alone, with a sum that it keeps: the cart
drifts until it hits the stop, and the pole falls.
"""

import sys

import numpy as np
from matplotlib.figure import Figure
from scipy.linalg import expm, solve_discrete_are
from sympy import floor, symbols
from sympy.physics.mechanics import Force, Particle, Point, ReferenceFrame, RigidBody, System, dynamicsymbols, inertia

from sympact import Controller, HybridModel, Limit, Sampled

PERIOD = 0.01
LIMIT = 25.0  # N
x, theta, v, omega, F = dynamicsymbols("x theta v omega F")
M, m, l, g, w, e = symbols("M m l g w e", positive=True)
numbers = {M: 1.0, m: 0.3, l: 1.0, g: 9.81, w: 0.6, e: 0.5}
STATE = (x, theta, v, omega)
UPRIGHT = dict.fromkeys(STATE, 0.0)


def cart_with_pole():
    """The model: x of the cart, theta of the pole from the upward vertical, the force F, and two end stops."""
    N, B, O = ReferenceFrame("N"), ReferenceFrame("B"), Point("O")
    B.orient_axis(N, -theta, N.z)
    pivot = O.locatenew("pivot", x * N.x)
    centre = pivot.locatenew("C", l / 2 * B.y)
    pole = RigidBody("pole", centre, B, m, (inertia(B, 0, 0, m * l**2 / 12), centre))
    system = System(N, O)
    system.add_bodies(Particle("cart", pivot, M), pole)
    system.add_coordinates(x, theta)
    system.add_speeds(v, omega)
    system.add_kdes(v - x.diff(), omega - theta.diff())
    system.apply_uniform_gravity(-g * N.y)
    system.add_loads(Force(pivot, F * N.x))
    stops = [Limit(x + w, restitution=e, name="left stop"), Limit(w - x, restitution=e, name="right stop")]
    return HybridModel(system, stops)


def discrete(model):
    """Phi and Gamma of the linear motion about the upright pole, with a force that is constant over a period."""
    linear = model.linearize(UPRIGHT, numbers, inputs={F: 0})
    whole = expm(PERIOD * np.block([[linear.A, linear.B], [np.zeros((1, 5))]]))
    return whole[:4, :4], whole[:4, 4:]


def lqr(phi, gamma):
    """The gains K of F = -K [x, theta, v, omega]."""
    cost = solve_discrete_are(phi, gamma, np.diag([20.0, 1.0, 1.0, 1.0]), 0.1 * np.eye(1))
    return np.linalg.solve(0.1 * np.eye(1) + gamma.T @ cost @ gamma, gamma.T @ cost @ phi)[0]


def period_map(model, law):
    """The derivatives of the state after a period by the state, by central differences of two sizes."""

    def after(start):
        run = model.simulate((0, PERIOD), start, numbers, inputs={F: Sampled(PERIOD, law)}, rtol=1e-12, atol=1e-14)
        return run.x[:, -1]

    def slopes(h):
        return np.array([(after(h * one) - after(-h * one)) / (2 * h) for one in np.eye(4)]).T

    return (4 * slopes(1e-3) - slopes(2e-3)) / 3


def feedback(gains, read=lambda state: state):
    """F = -K x of what is read of the states."""
    return -sum(gain * read(state) for gain, state in zip(gains.tolist(), STATE, strict=True))


def balance(model, gains):
    """LQR with a delay of one period, encoders of a thousandth, and a limited force, after a push."""
    law = feedback(gains, lambda state: floor(state / 1e-3 + 0.5) * 1e-3)
    force = Sampled(PERIOD, law, delay=PERIOD, limits=(-LIMIT, LIMIT))
    return model.simulate((0, 4), {**UPRIGHT, theta: 0.02, v: 1.2}, numbers, inputs={F: force})


def hold_angle(model):
    """PID on the angle alone: proportional, with the sum of the angle and its rate."""
    total = symbols("total")
    law = {F: 60 * theta + 40 * total + 12 * omega, total: total + PERIOD * theta}
    pid = Controller(every=PERIOD, law=law, memory={total: 0.0}, limits={F: (-LIMIT, LIMIT)})
    return model.simulate((0, 4), {**UPRIGHT, theta: 0.1, v: 0.2}, numbers, controllers=[pid]), total


def draw(runs):
    """Cart, angle and force of the two runs."""
    figure = Figure(figsize=(8, 6), layout="constrained")
    rows = figure.subplots(3, len(runs), sharex=True, sharey="row")
    for column, (title, run) in zip(rows.T, runs.items(), strict=True):
        column[0].set_title(title)
        column[0].plot(run.t, run[x])
        for side in (-numbers[w], numbers[w]):
            column[0].axhline(side, color="0.3", linewidth=3)
        column[1].plot(run.t, np.degrees(run[theta]))
        column[2].plot(run.t, run[F])
        column[2].set_xlabel("t (s)")
    for axes, name in zip(rows[:, 0], ("x (m)", "theta (deg)", "F (N)"), strict=True):
        axes.set_ylabel(name)
    return figure


def main(picture="sampled_cart_pole.png"):
    """Design, compare the period map, run both controllers."""
    model = cart_with_pole()
    phi, gamma = discrete(model)
    gains = lqr(phi, gamma)
    designed = np.sort_complex(np.linalg.eigvals(phi - np.outer(gamma, gains)))
    found = np.sort_complex(np.linalg.eigvals(period_map(model, feedback(gains))))
    print("Gains of the LQR:", gains.round(3))
    print("Eigenvalues of the period map:", designed.round(6))
    print(f"They differ from those of the sampled motion by {abs(found - designed).max():.1e}.")
    balanced = balance(model, gains)
    print("\nLQR\n", balanced.events, sep="")
    print("Upright at the end:", bool(abs(balanced.x[:, -1]).max() < 0.01))
    drifting, total = hold_angle(model)
    print("\nPID\n", drifting.events.table(max_rows=6), sep="")
    print(f"The sum of the angle at the end: {drifting[total][-1]:.4f} rad s")
    draw({"LQR, delayed and rounded": balanced, "PID on the angle": drifting}).savefig(picture, dpi=150)
    print("The picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
