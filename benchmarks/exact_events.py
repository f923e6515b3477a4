"""How exact events of one's own are: against closed forms, and against contacts with friction.

    python benchmarks/exact_events.py

Modelica's bouncing balls and the gripper are those of the examples. A mass on a spring that is pushed over a rough
floor is simulated with a contact, and as a process whose friction is a condition that it slides along.
"""

import runpy
from math import sqrt
from pathlib import Path

import numpy as np
from sympy import cos, sign, symbols
from sympy.physics.mechanics import Force, Particle, Point, ReferenceFrame, System, dynamicsymbols

from sympact import Contact, HybridModel, HybridSystem, Plane

EXAMPLES = Path(__file__).parent.parent / "examples"
TIGHT = {"rtol": 1e-12, "atol": 1e-14}


def balls():
    """The times of the first 40 bounces, and of their end."""
    example = runpy.run_path(str(EXAMPLES / "modelica_balls.py"))
    height, e, g = (example[name] for name in ("HEIGHT", "E", "G"))
    first = sqrt(2 * height / g)
    times = first * (1 + 2 * np.concatenate([[0.0], np.cumsum(e ** np.arange(1, 40))]))
    for name in ("classic", "stable", "resting"):
        result = example[name]().simulate((0, 6), example["START"], {}, **TIGHT)
        bounces = result.events["bounce"].t[:40]
        print(f"ball, {name}: {result.status.name}, bounces differ by {np.abs(bounces - times).max():.1g} s,", end=" ")
        print(f"t_inf by {abs(result.t_inf - first * (1 + e) / (1 - e)):.1g} s")


def gripper():
    """The rate after the catch, and the energy that it takes."""
    example = runpy.run_path(str(EXAMPLES / "gripper.py"))
    model, _, result = example["run"]()
    catch = result.events[0]
    rate, lost = example["as_one"](dict(zip(model.x, catch.x_minus, strict=True)))
    after = dict(zip(model.x, catch.x_plus, strict=True))
    error = max(abs(after[example[name]] / rate - 1) for name in ("omega", "spin"))
    print(f"gripper: rates after the catch differ by {error:.1g}, its energy by {abs(catch.energy / lost - 1):.1g}")


def stick_slip():
    """The times at which the mass sticks and slips."""
    (x, y, v, w), t = dynamicsymbols("x y v w"), dynamicsymbols._t
    N, O = ReferenceFrame("N"), Point("O")
    mass = Particle("mass", O.locatenew("P", x * N.x + y * N.y), 1)
    system = System(N, O)
    system.add_bodies(mass)
    system.add_coordinates(x, y)
    system.add_speeds(v, w)
    system.add_kdes(v - x.diff(t), w - y.diff(t))
    system.apply_uniform_gravity(-10 * N.y)
    push = cos(0.4 * t) - x
    system.add_loads(Force(mass.masscenter, push * N.x))
    floor = Contact(mass.masscenter, Plane(O, N.y), restitution=0, friction=0.07)
    contact = HybridModel(system, [floor]).simulate((0, 100), {x: 1.5, y: 0, v: 0.3, w: 0}, {}, **TIGHT)
    place, speed = symbols("place speed")
    flow = [speed, cos(0.4 * t) - place - 0.7 * sign(speed)]
    process = HybridSystem.from_sympy({"floor": flow}, [], states=[place, speed], time=t, sliding="filippov")
    conditions = process.simulate((0, 100), [1.5, 0.3], start="floor", **TIGHT)
    times = np.array([event.t for event in contact.events if event.kind != "close"])
    error = np.abs(times - conditions.events.t).max()
    print(f"stick and slip: {len(times)} times by conditions differ from those of the contact by {error:.1g} s")


if __name__ == "__main__":
    balls()
    gripper()
    stick_slip()
