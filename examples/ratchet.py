"""A ratchet turns an oscillating torque into rotation in one direction.

    python examples/ratchet.py [PICTURE]

The torque A cos t - B drives a wheel to and fro. Each tooth that passes lifts the pawl, which falls behind it: a
`Transition` that counts the teeth. The pawl is a `Limit` at the last tooth, whose number is a discrete state: when the
wheel turns back it is caught there, without a rebound, and the pawl bears it until the torque turns again.

From rest at the time r the angle increases by A (cos r - cos t) - A sin r (t - r) - B (t - r)^2 / 2, until the speed
is zero again; the wheel rests at the last tooth that it has passed, until A cos t = B.
"""

import sys

import numpy as np
from matplotlib.figure import Figure
from scipy.optimize import brentq
from sympy import Rational, cos
from sympy.physics.mechanics import PinJoint, RigidBody, System, Torque, dynamicsymbols, inertia

from sympact import Crossing, HybridModel, Limit, Transition

AMPLITUDE, LOAD, PITCH = 2, Rational(1, 2), Rational(3, 10)
"""A and B (N m, of a wheel of 1 kg m^2), and the angle of a tooth (rad)."""

theta, omega, teeth = dynamicsymbols("theta omega teeth")
t = dynamicsymbols._t


def ratchet():
    """The wheel with its pawl."""
    case, wheel = RigidBody("case"), RigidBody("wheel", mass=1)
    wheel.central_inertia = inertia(wheel.frame, 0, 0, 1)
    system = System.from_newtonian(case)
    system.add_joints(PinJoint("shaft", case, wheel, theta, omega, joint_axis=case.z))
    system.add_loads(Torque(wheel.frame, (AMPLITUDE * cos(t) - LOAD) * case.z))
    tooth = Transition(boundary=Crossing(theta - (teeth + 1) * PITCH, 1), jump={teeth: teeth + 1}, name="tooth")
    pawl = Limit(theta - teeth * PITCH, restitution=0, name="pawl", lever=1)
    return HybridModel(system, [pawl], length=1, discrete=[teeth], transitions=[tooth])


def run(t_end=25.0):
    """The wheel from rest; the torque on the pawl is an event where it passes 2 N m."""
    model = ratchet()
    (force,) = model.normal_forces
    return model.simulate(
        (0, t_end), {theta: 0, omega: 0, teeth: 0}, {}, events={"2 N m": force - 2}, rtol=1e-12, atol=1e-14
    )


def closed_form(periods):
    """For each period the time of release (s), and the number of teeth passed when the wheel turns back."""
    a, b, pitch = float(AMPLITUDE), float(LOAD), float(PITCH)
    release, passed, found = 0.0, 0, []
    for period in range(1, periods + 1):

        def turned(time, start=release):
            return a * (np.cos(start) - np.cos(time)) - a * np.sin(start) * (time - start) - b * (time - start) ** 2 / 2

        def speed(time, start=release):
            return a * (np.sin(time) - np.sin(start)) - b * (time - start)

        top = brentq(speed, release + 1.0, release + 4.5, xtol=1e-14)
        passed += int(turned(top) / pitch)
        found.append((release, passed))
        release = 2 * np.pi * period - np.arccos(b / a)
    return found


def draw(result):
    """The angle with the tooth that the pawl is behind, and the torque on the pawl."""
    figure = Figure(figsize=(8, 5), layout="constrained")
    angle, pawl = figure.subplots(2, 1, sharex=True)
    times = np.linspace(*result.t_span, 2000)
    angle.plot(times, result(times)[0], label="wheel")
    angle.step(result.t, float(PITCH) * result[teeth], where="post", linewidth=1, label="last tooth")
    angle.set(ylabel=r"$\theta$ (rad)", title="Ratchet under an oscillating torque")
    angle.legend()
    pawl.plot(times, result.normal_force_at(times)[0])
    pawl.plot(result.events["2 N m"].t, np.full(len(result.events["2 N m"]), 2.0), "o", markersize=4)
    pawl.set(xlabel="t (s)", ylabel="torque on the pawl (N m)")
    return figure


def main(picture="ratchet.png"):
    """Run the ratchet, and compare releases and teeth with the closed form."""
    result = run()
    print(result.events.table(max_rows=12))
    releases = [event.t for event in result.events.of("pawl") if event.kind == "open"]
    for k, (release, passed) in enumerate(closed_form(4)):
        print(f"period {k + 1}: {passed} teeth, released at {release:.9f}")
    print(f"Teeth: {result[teeth][-1]:.0f}; releases at", ", ".join(f"{time:.9f}" for time in releases))
    draw(result).savefig(picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
