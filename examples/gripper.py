"""A gripper catches a falling ball, swings it upwards, and throws it.

    python examples/gripper.py [PICTURE]

An arm on a pin waits in level, its weight balanced by its motor. Where the ball comes as close to the tip of the arm as
the gripper reaches, the gripper closes: a `Latch` of a weld, which holds the ball where and as it has caught it. The
motor then turns the arm upwards; its torque contains the state of the latch. At an angle the gripper opens, and the
ball flies on.

The catch is a plastic impact. The angular momentum about the pin stays, so that arm and ball go on as one body with its
moment of inertia, and the kinetic energy of the rest is lost: both are printed beside what the run has found, and so is
the end of the parabola on which the ball leaves.
"""

import sys

import numpy as np
from matplotlib.figure import Figure
from sympy import cos, sin, symbols
from sympy.physics.mechanics import PinJoint, PlanarJoint, RigidBody, System, Torque, dynamicsymbols, inertia

from sympact import HybridModel, Latch, WeldClosure

ARM, ARM_INERTIA, LENGTH = 2.0, 0.24, 1.2
BALL, BALL_INERTIA, REACH = 0.5, 0.002, 0.15
"""Masses (kg), moments of inertia about the mass centres (kg m^2), and lengths (m)."""

GRAVITY, TORQUE, RELEASE = 9.81, 25.0, 1.0
"""In m/s^2, in N m, and the angle of the arm in rad."""

NAMES = symbols("M J L m i r g tau alpha")
NUMBERS = dict(zip(NAMES, (ARM, ARM_INERTIA, LENGTH, BALL, BALL_INERTIA, REACH, GRAVITY, TORQUE, RELEASE), strict=True))

phi, omega, turn, y, z, spin, v, w = dynamicsymbols("phi omega turn y z spin v w")
"""The arm's angle and rate; the ball's angle and place, and their rates."""


def catcher():
    """The arm with its gripper and the ball, in the plane of y and z; and the latch."""
    M, J, L, m, i, r, g, tau, alpha = NAMES
    ground, arm, ball = RigidBody("ground"), RigidBody("arm", mass=M), RigidBody("ball", mass=m)
    arm.central_inertia, ball.central_inertia = inertia(arm.frame, J, 0, 0), inertia(ball.frame, i, 0, 0)
    pin = PinJoint("pin", ground, arm, phi, omega, child_point=-L / 2 * arm.y, joint_axis=ground.x)
    system = System.from_newtonian(ground)
    system.add_joints(pin, PlanarJoint("flight", ground, ball, turn, [y, z], spin, [v, w]))
    system.apply_uniform_gravity(-g * ground.z)
    tip = arm.masscenter.locatenew("tip", L / 2 * arm.y)
    distance = (y - L * cos(phi)) ** 2 + (z - L * sin(phi)) ** 2
    weld = WeldClosure(tip, ball.masscenter, arm.frame, ball.frame)
    gripper = Latch(weld, closes=distance < r**2, opens=phi > alpha, name="gripper")
    motor = M * g * L / 2 * cos(phi) + tau * gripper.state
    system.add_loads(Torque(arm.frame, motor * ground.x))
    return HybridModel(system, [], latches=[gripper]), gripper


def run(t_end=1.5):
    """The ball falls beside the tip of the arm: the model, the latch and the result."""
    model, gripper = catcher()
    start = {phi: 0.0, omega: 0.0, turn: 0.0, y: 1.25, z: 1.3, spin: 5.0, v: 0.0, w: 0.0}
    return model, gripper, model.simulate((0, t_end), start, NUMBERS, rtol=1e-11, atol=1e-13)


def as_one(at):
    """The rate (rad/s) with which arm and ball go on from a state, and the energy (J) that the catch takes."""
    pivot = ARM_INERTIA + ARM * LENGTH**2 / 4
    momentum = pivot * at[omega] + BALL_INERTIA * at[spin] + BALL * (at[y] * at[w] - at[z] * at[v])
    energy = pivot * at[omega] ** 2 + BALL_INERTIA * at[spin] ** 2 + BALL * (at[v] ** 2 + at[w] ** 2)
    whole = pivot + BALL_INERTIA + BALL * (at[y] ** 2 + at[z] ** 2)
    return momentum / whole, momentum**2 / (2 * whole) - energy / 2


def draw(model, gripper, result):
    """The path of the ball with the arm at the catch and at the release; rates, and the force of the gripper."""
    figure = Figure(figsize=(10, 5), layout="constrained")
    left, right = figure.subfigures(1, 2, width_ratios=[1.1, 1])
    plane, (rates, force) = left.subplots(), right.subplots(2, 1, sharex=True)
    times = np.union1d(np.linspace(*result.t_span, 1500), result.t)
    at = dict(zip(model.x, result(times), strict=True))
    plane.plot(at[y], at[z], color="#c8372d", linewidth=1.2, label="ball")
    for event, colour in zip(result.events, ("#2f5d8a", "#3b8f5a"), strict=True):
        before = dict(zip(model.x, event.x_minus, strict=True))
        angle = before[phi]
        plane.plot([0, LENGTH * np.cos(angle)], [0, LENGTH * np.sin(angle)], color=colour, linewidth=3)
        plane.plot(before[y], before[z], "o", color=colour, markersize=9, label=event.contacts[0])
    plane.plot(0, 0, "ks", markersize=6)
    plane.set(xlabel="y (m)", ylabel="z (m)", aspect="equal", title="The ball is caught and thrown")
    plane.legend(loc="lower left")
    rates.plot(times, at[omega], color="#2f5d8a", label="arm")
    rates.plot(times, at[spin], color="#c8372d", label="ball")
    rates.set(ylabel="angular velocity (rad/s)")
    rates.legend()
    force.plot(times, np.linalg.norm(result.reaction.at(times).force(gripper), axis=0), color="#3b8f5a")
    force.set(xlabel="t (s)", ylabel="force of the gripper (N)")
    return figure


def main(picture="gripper.png"):
    """The catch and the throw, beside their closed forms."""
    model, gripper, result = run()
    print(result.events.table())
    catch, release = result.events
    rate, lost = as_one(dict(zip(model.x, catch.x_minus, strict=True)))
    after = dict(zip(model.x, catch.x_plus, strict=True))
    print(f"catch: arm {after[omega]:.12f}, ball {after[spin]:.12f} rad/s (closed form {rate:.12f})")
    print(f"       energy {catch.energy:.12f} J (closed form {lost:.12f})")
    thrown, end = (dict(zip(model.x, x, strict=True)) for x in (release.x_plus, result(result.t_span[1])))
    left = result.t_span[1] - release.t
    place = thrown[y] + thrown[v] * left, thrown[z] + thrown[w] * left - GRAVITY / 2 * left**2
    print(f"throw: ball at {end[y]:.9f}, {end[z]:.9f} m (parabola {place[0]:.9f}, {place[1]:.9f})")
    draw(model, gripper, result).savefig(picture, dpi=150)
    print("The picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
