"""The Whipple bicycle: its eigenvalues over the speed, and a ride at a speed at which it balances itself.

    python examples/whipple_bicycle.py [PICTURE]

Two wheels with thin rims roll without slip: four nonholonomic constraints, and a holonomic one, the height of the front
rim. Coordinates are the place of the rear contact, yaw, roll, pitch, steer and the turns of both wheels; axes point
forward, to the right and down. All eight speeds stay in the model; the linearisation has three. Parameters and the
speeds between which the bicycle is stable are those of the benchmark by J. P. Meijaard, J. M. Papadopoulos, A. Ruina
and A. L. Schwab, "Linearized dynamics equations for the balance and steer of a bicycle: a benchmark and review",
Proceedings of the Royal Society A 463 (2007), 1955-1982. A push of 0.5 rad/s in roll dies out within the ride.
"""

import sys

import numpy as np
import sympy as sm
from matplotlib.figure import Figure
from scipy.optimize import brentq
from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, System, dynamicsymbols, inertia

from sympact import HybridModel

W, C, TILT, G = 1.02, 0.08, sm.pi / 10, 9.81  # wheel base, trail, tilt of the steering axis, gravity
REAR, FRONT = 0.3, 0.35  # radii
t = dynamicsymbols._t


def body(name, frame, centre, mass, moments):
    """A rigid body with moments of inertia (xx, yy, zz, zx) about its centre."""
    xx, yy, zz, zx = moments
    return RigidBody(name, centre, frame, mass, (inertia(frame, xx, yy, zz, 0, 0, zx), centre))


def bicycle():
    """The model; all its numbers are in it."""
    x, y, yaw, roll, pitch, steer, rear, front = q = dynamicsymbols("x y yaw roll pitch steer rear front")
    u = dynamicsymbols("v_x v_y w_yaw w_roll w_pitch w_steer w_rear w_front")
    N, O = ReferenceFrame("N"), Point("O")
    O.set_vel(N, 0)
    heading = N.orientnew("heading", "Axis", [yaw, N.z])
    leaning = heading.orientnew("leaning", "Axis", [roll, heading.x])
    frame = leaning.orientnew("frame", "Axis", [pitch, leaning.y])
    head = frame.orientnew("head", "Axis", [TILT, frame.y])
    bar = head.orientnew("bar", "Axis", [steer, head.z])
    fork = bar.orientnew("fork", "Axis", [-TILT, bar.y])  # along the frame where steer = 0
    rear_wheel = frame.orientnew("rear_wheel", "Axis", [rear, frame.y])
    front_wheel = fork.orientnew("front_wheel", "Axis", [front, fork.y])

    rear_contact = O.locatenew("rear_contact", x * N.x + y * N.y)
    rear_hub = rear_contact.locatenew("rear_hub", -REAR * leaning.z)
    axis = rear_hub.locatenew("axis", (W + C) * frame.x + REAR * frame.z)  # where the steering axis meets the ground
    front_hub = axis.locatenew("front_hub", -C * fork.x - FRONT * fork.z)
    down = N.z - N.z.dot(fork.y) * fork.y
    to_ground = FRONT * down / sm.sqrt(1 - N.z.dot(fork.y) ** 2)
    front_contact = front_hub.locatenew("front_contact", to_ground)

    system = System(N, O)
    system.add_bodies(
        body("rear wheel", rear_wheel, rear_hub, 2, (0.0603, 0.12, 0.0603, 0)),
        body("frame", frame, rear_hub.locatenew("C", 0.3 * frame.x + (REAR - 0.9) * frame.z), 85, (9.2, 11, 2.8, 2.4)),
        body(
            "fork",
            fork,
            axis.locatenew("H", (0.9 - W - C) * fork.x - 0.7 * fork.z),
            4,
            (0.05892, 0.06, 0.00708, -0.00756),
        ),
        body("front wheel", front_wheel, front_hub, 3, (0.1405, 0.28, 0.1405, 0)),
    )
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_kdes(*(place.diff(t) - speed for place, speed in zip(q, u, strict=True)))
    system.apply_uniform_gravity(G * N.z)
    system.add_holonomic_constraints(front_contact.pos_from(O).dot(N.z))
    for hub, wheel, arm in ((rear_hub, rear_wheel, REAR * leaning.z), (front_hub, front_wheel, to_ground)):
        slip = hub.pos_from(O).dt(N) + wheel.ang_vel_in(N).cross(arm)
        system.add_nonholonomic_constraints(slip.dot(N.x), slip.dot(N.y))
    return HybridModel(system, [])


def straight_ahead(model, speed):
    """The upright ride straight ahead, and its linearisation in roll, steer and their rates; the others are zeros."""
    _, _, _, roll, _, steer, _, _ = model.q
    v_x, _, _, w_roll, _, w_steer, w_rear, w_front = model.u
    state = dict.fromkeys(model.x, 0.0) | {v_x: speed, w_rear: -speed / REAR, w_front: -speed / FRONT}
    return state, model.linearize(state, {}, independent=[roll, steer, w_roll, w_steer])


def eigenvalues(model, speed):
    """Those of roll and steer (1/s), by their size, the largest first: castering, weave, capsize.

    The other states are places, turns and the speed, on which roll and steer do not depend: their eigenvalues are zero.
    """
    _, linear = straight_ahead(model, speed)
    lateral = [linear.states.index(letter) for letter in (*model.q[3:6:2], *model.u[3:6:2])]
    found = np.linalg.eigvals(linear.A[np.ix_(lateral, lateral)])
    return found[np.argsort(-np.abs(found), kind="stable")]


def stable_speeds(model):
    """Between which speeds the bicycle is stable (m/s): weave is damped from the first on, capsize up to the second."""
    weave = brentq(lambda v: max(s.real for s in eigenvalues(model, v) if s.imag), 3.0, 5.0, xtol=1e-13)
    capsize = brentq(lambda v: max(s.real for s in eigenvalues(model, v) if not s.imag), 5.0, 7.0, xtol=1e-13)
    return weave, capsize


def draw(model, result):
    """The real parts over the speed, and the roll and steer of the ride."""
    figure = Figure(figsize=(8, 6), layout="constrained")
    parts, ride = figure.subplots(2, 1)
    speeds = np.linspace(0.0, 10.0, 201)
    values = np.array([eigenvalues(model, speed) for speed in speeds])
    for column in values.T:
        parts.plot(speeds, column.real, ".", color="tab:blue", markersize=2)
    parts.axhline(0.0, color="0.3", linewidth=0.8)
    parts.axvspan(*stable_speeds(model), color="tab:green", alpha=0.2, label="stable")
    parts.set(ylim=(-10, 6), xlabel="speed (m/s)", ylabel="real parts (1/s)", title="Whipple bicycle")
    parts.legend(loc="lower left")
    t = np.linspace(*result.t_span, 1000)
    for letter in (model.q[3], model.q[5]):
        ride.plot(t, result(t)[model.x.index(letter)], label=letter.func.__name__)
    ride.set(xlabel="t (s)", ylabel="angle (rad)")
    ride.legend()
    return figure


def main(picture="whipple_bicycle.png"):
    """Print the eigenvalues and the stable speeds, ride, and draw both."""
    model = bicycle()
    print("speed (m/s)  eigenvalues (1/s)")
    for speed in range(11):
        print(f"{speed:11d}  {'  '.join(f'{value:.6g}' for value in eigenvalues(model, speed))}")
    weave, capsize = stable_speeds(model)
    print(f"\nStable from {weave:.10f} to {capsize:.10f} m/s; published are 4.2923825363 and 6.0242620154.")
    start, _ = straight_ahead(model, 4.6)
    start[model.u[3]] = 0.5
    result = model.simulate((0, 6), model.assemble(start, {}, keep=[model.u[0], model.u[3]]), {}, rtol=1e-9)
    roll, steer = (abs(result.x[model.x.index(letter), -1]) for letter in (model.q[3], model.q[5]))
    print(f"At 4.6 m/s, {result.t[-1]:g} s after a push, roll is {roll:.4f} rad and steer {steer:.4f} rad;")
    print(f"the energy has changed by {np.ptp(result.energy) / result.energy[0]:.1e} of itself.")
    draw(model, result).savefig(picture, dpi=150)
    print("The picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
