"""The escapement of a watch keeps its balance wheel going, and advances its hand.

    python examples/escapement.py [PICTURE]

A spiral spring turns the balance wheel back, a damper takes its energy. Each time that the wheel passes its middle
forwards, the escape wheel gives it the angular impulse J, and the hand advances by one tooth: a `Transition` with a
jump of the speed and of a discrete state, the counter of the hand.

Between two impulses the motion is linear. From one passage to the next the speed decreases by exp(-delta), delta = 2 pi
zeta / sqrt(1 - zeta^2), and the impulse adds J / I: the speed after it tends to J / I / (1 - exp(-delta)), from any
start, and the period is that of the damped wheel.
"""

import sys

import numpy as np
from matplotlib.figure import Figure
from sympy import symbols
from sympy.physics.mechanics import PinJoint, RigidBody, System, Torque, dynamicsymbols, inertia

from sympact import Crossing, HybridModel, Transition

INERTIA, STIFFNESS, DAMPING, IMPULSE = 2.0e-9, 1.3e-6, 2.0e-9, 2.0e-9
"""I (kg m^2), k (N m/rad), c (N m s/rad) and J (N m s)."""

theta, omega, teeth = dynamicsymbols("theta omega teeth")
NAMES = symbols("I k c J")


def watch():
    """The balance wheel with its escapement."""
    I, k, c, J = NAMES
    case, wheel = RigidBody("case"), RigidBody("wheel", mass=1)
    wheel.central_inertia = inertia(wheel.frame, 0, 0, I)
    system = System.from_newtonian(case)
    system.add_joints(PinJoint("staff", case, wheel, theta, omega, joint_axis=case.z))
    system.add_loads(Torque(wheel.frame, -(k * theta + c * omega) * case.z))
    tick = Transition(boundary=Crossing(theta, 1), jump={omega: omega + J / I, teeth: teeth + 1}, name="tick")
    return HybridModel(system, [], discrete=[teeth], transitions=[tick])


def limit_cycle():
    """Period (s), and the speed after the impulse (rad/s), of the motion that keeps going."""
    natural = np.sqrt(STIFFNESS / INERTIA)
    zeta = DAMPING / (2 * np.sqrt(STIFFNESS * INERTIA))
    root = np.sqrt(1 - zeta**2)
    return 2 * np.pi / (natural * root), IMPULSE / INERTIA / (1 - np.exp(-2 * np.pi * zeta / root))


def run(t_end=12.0, speed=10.0):
    """The watch from the middle with a speed."""
    numbers = dict(zip(NAMES, (INERTIA, STIFFNESS, DAMPING, IMPULSE), strict=True))
    start = {theta: -1e-3, teeth: 0, omega: speed}
    return watch().simulate((0, t_end), start, numbers, rtol=1e-12, atol=1e-14)


def draw(results):
    """The angle, the hand, and the phase portrait of motions from two starts."""
    figure = Figure(figsize=(9, 5), layout="constrained")
    left, right = figure.subfigures(1, 2, width_ratios=[2, 1])
    (angle, hand), phase = left.subplots(2, 1, sharex=True), right.subplots()
    for result in results:
        times = np.linspace(*result.t_span, 3000)
        x = result(times)
        angle.plot(times, x[0])
        phase.plot(x[0], x[2], linewidth=0.5)
        hand.step(result.t, result[teeth], where="post")
    angle.set(ylabel=r"$\theta$ (rad)", title="Balance wheel of a watch, from two starts")
    phase.set(xlabel=r"$\theta$ (rad)", ylabel=r"$\omega$ (rad/s)")
    hand.set(xlabel="t (s)", ylabel="teeth of the hand")
    return figure


def main(picture="escapement.png"):
    """Run the watch from two starts, and compare period and speed with those of the limit cycle."""
    results = [run(speed=10.0), run(speed=60.0)]
    period, speed = limit_cycle()
    for result in results:
        ticks = result.events["tick"]
        print(result.events.table(max_rows=6))
        print(f"teeth {result[teeth][-1]:.0f}; the last period is {ticks.t[-1] - ticks.t[-2]:.12f} s")
        print(f"the speed after the last impulse is {ticks[-1].x_plus[2]:.9f} rad/s\n")
    print(f"limit cycle: {period:.12f} s, {speed:.9f} rad/s")
    draw(results).savefig(picture, dpi=150)
    print("The picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
