"""A hopper with a spring leg: it touches down, thrusts by a schedule, and lifts off, until it repeats itself.

    python examples/hopper.py [PICTURE]

A body stands on a leg, a spring with a damper between it and a foot, and an actuator beside them pushes both apart for
a short time in each period, whatever the leg does at that time. In the air the leg swings; at touch-down the foot,
which falls onto the floor without rebound, loses its kinetic energy; when the leg no longer presses it onto the floor,
it lifts off.

Nothing measures the motion, and yet it becomes periodic. In the limit cycle the thrust gives in each period what the
damper and the impact of the foot take, which the balance of energy shows to the accuracy of the run. Between lift-off
and touch-down the mass centre moves as a thrown stone.
"""

import sys

import numpy as np
from matplotlib.figure import Figure
from sympy import symbols
from sympy.physics.mechanics import (
    ForceActuator,
    LinearDamper,
    LinearPathway,
    LinearSpring,
    Particle,
    PrismaticJoint,
    RigidBody,
    System,
    dynamicsymbols,
)

from sympact import Contact, HybridModel, Interpolated, Plane

PERIOD, THRUST, DURATION = 0.45, 60.0, 0.06
"""The schedule: in each period (s) a force (N) for some time (s)."""

PERIODS = 40


def hopper():
    """The model, the actuator that thrusts, and the damper."""
    M, m, k, c, l, g = symbols("M m k c l g", positive=True)
    y, z, v, w, F = dynamicsymbols("y z v w F")
    ground, body, foot = RigidBody("ground"), Particle("body", mass=M), Particle("foot", mass=m)
    system = System.from_newtonian(ground)
    system.add_joints(
        PrismaticJoint("body", ground, body, y, v, joint_axis=ground.y),
        PrismaticJoint("foot", ground, foot, z, w, joint_axis=ground.y),
    )
    leg = LinearPathway(foot.masscenter, body.masscenter)
    thrust, damper = ForceActuator(F, leg), LinearDamper(c, leg)
    system.add_actuators(LinearSpring(k, leg, l), damper, thrust)
    system.apply_uniform_gravity(-g * ground.y)
    floor = Contact(foot.masscenter, Plane(ground.masscenter, ground.y), restitution=0, friction=0, name="floor")
    centre = (M * y + m * z) / (M + m)
    model = HybridModel(system, [floor], outputs={"mass centre": centre})
    return model, thrust, damper


def schedule(periods):
    """The thrust as data: on at the start of each period."""
    starts = PERIOD * np.arange(periods)
    times = np.column_stack([starts, starts + DURATION]).ravel()
    return Interpolated([*times, PERIOD * periods], [*[THRUST, 0.0] * periods, 0.0], kind="hold")


def mass_centre(pair, numbers):
    """Of the body and the foot: the mean of their heights, or of their speeds."""
    return (numbers["M"] * pair[0] + numbers["m"] * pair[1]) / (numbers["M"] + numbers["m"])


def draw(result):
    """The last periods: heights, forces, and the balance of energy."""
    begin, end = result.t_span[1] - 4 * PERIOD, result.t_span[1]
    figure = Figure(figsize=(9, 8.5), layout="constrained")
    heights, legs, energies, changes = figure.subplots(4, sharex=True, height_ratios=[3, 2, 3, 2])
    times = np.linspace(begin, end, 4000)
    part = result.at_times(times)
    heights.plot(times, part["y"], label="body")
    heights.plot(times, part["z"], label="foot")
    heights.plot(times, part["mass centre"], "k:", label="mass centre")
    heights.set(ylabel="height (m)", title="four periods of the limit cycle (grey: thrust)")
    legs.plot(times, part.normal_force[0], color="tab:red", label="floor on foot")
    legs.plot(times, part[dynamicsymbols("F")], color="tab:green", label="thrust")
    legs.set(ylabel="force (N)")
    result.plot("energy", ax=[energies, changes], t_span=(begin, end))
    for panel in (heights, legs, energies, changes):
        panel.set_xlim(begin, end)
        for start in np.arange(begin, end - PERIOD / 2, PERIOD):
            panel.axvspan(start, start + DURATION, color="0.9", zorder=0)
    for panel in (heights, legs):
        panel.legend(loc="center right", fontsize="small", frameon=False)
    return figure


def main(picture="hopper.png"):
    """Simulate until the motion is periodic, print the balance of a period, compare the mass centre, and draw."""
    model, thrust, damper = hopper()
    numbers = {"M": 1.0, "m": 0.1, "k": 1000.0, "c": 20.0, "l": 0.5, "g": 9.81}
    start, span = {"y": 0.65, "z": 0.15, "v": 0.0, "w": 0.0}, (0.0, PERIOD * PERIODS)
    result = model.simulate(span, start, numbers, inputs={"F": schedule(PERIODS)}, rtol=1e-10, atol=1e-13)
    periods = PERIOD * np.arange(PERIODS + 1)
    states = result(periods)
    print("Change of the state from one period to the next, relative to the state (1):")
    for k in (1, 5, 10, 20, PERIODS - 1):
        change = np.linalg.norm(states[:, k + 1] - states[:, k]) / np.linalg.norm(states[:, k])
        print(f"    period {k:2d}: {change:.1e}")

    begin, end = periods[-2:]
    last = result.at_times([begin, end])
    joules = {"thrust": np.diff(last.work[thrust])[0], "damper": np.diff(last.work[damper])[0]}
    joules["impacts"] = sum(event.energy for event in result.events.between(begin, end).impacts)
    print("\nEnergy in the last period (J):")
    for name, joule in {**joules, "sum": sum(joules.values())}.items():
        print(f"    {name:8s} {round(joule, 10) + 0.0:13.10f}")

    lifted = [event for event in result.events["floor"] if event.kind == "open"]
    leaves, lands = lifted[-1], result.events["floor"].impacts[-1]
    height, speed = mass_centre(leaves.x_plus[:2], numbers), mass_centre(leaves.x_plus[2:], numbers)
    time = lands.t - leaves.t
    thrown = height + speed * time - numbers["g"] * time**2 / 2
    print("\nHeight of the mass centre at touch-down, and that of a stone thrown at lift-off (m):")
    print(f"    {mass_centre(lands.x_minus[:2], numbers):.12f} {thrown:.12f}")
    draw(result).savefig(picture, dpi=150)
    print("The picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
