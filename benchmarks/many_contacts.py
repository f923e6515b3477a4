"""Balls on a table with cushions: every ball may touch every other, n (n - 1)/2 + 4 n contacts with friction.

`python benchmarks/many_contacts.py` derives and compiles tables of 4 to 41 balls (22 to 984 contacts), each in a fresh
process with an empty cache, fits the exponent of the time in the number of contacts, and runs the break of 16 balls.
With numbers as arguments: tables of so many balls.
"""

import json
import resource
import sys
from itertools import combinations
from tempfile import TemporaryDirectory
from time import process_time

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me
from measure import best, run_child, show

SIZES = (4, 7, 11, 16, 23, 32, 41)
BREAK = 16
RADIUS, WIDTH, LENGTH = 0.0286, 1.0, 2.2
NUMBERS = dict(zip(sm.symbols("m R e mu", positive=True), (0.17, RADIUS, 0.95, 0.05), strict=True))


def table(count: int):
    """The system, and its contacts."""
    from sympact import Contact, Plane, Sphere

    m, r, e, mu = NUMBERS
    frame, origin = me.ReferenceFrame("N"), me.Point("O")
    system, balls, q, u = me.System(frame, origin), [], [], []
    for i in range(count):
        x, y, turn = me.dynamicsymbols(f"x{i} y{i} a{i}")
        q += [x, y, turn]
        u += me.dynamicsymbols(f"vx{i} vy{i} w{i}")
        turned, centre = frame.orientnew(f"B{i}", "Axis", [turn, frame.z]), me.Point(f"P{i}")
        centre.set_pos(origin, x * frame.x + y * frame.y)
        moment = me.inertia(turned, 0, 0, 2 * m * r**2 / 5)
        system.add_bodies(me.RigidBody(f"ball{i}", centre, turned, m, (moment, centre)))
        balls.append(Sphere(centre, r, frame=turned))
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_kdes(*(speed - place.diff() for place, speed in zip(q, u, strict=True)))
    sides = (("west", 0, frame.x), ("east", LENGTH * frame.x, -frame.x))
    sides += (("south", -WIDTH / 2 * frame.y, frame.y), ("north", WIDTH / 2 * frame.y, -frame.y))
    planes = [Plane(origin.locatenew(name, way), inward) for name, way, inward in sides]
    pairs = [*combinations(balls, 2), *((ball, plane) for ball in balls for plane in planes)]
    return system, [Contact(*pair, restitution=e, friction=mu) for pair in pairs]


def start(count: int) -> list[float]:
    """A ball shot at the others, which stand in a triangle with gaps of a thousandth of the radius."""
    rows = range(int(np.sqrt(2 * count)) + 1)
    rack = [(1.4 + k * np.sqrt(3) * RADIUS * 1.0005, (2 * j - k) * RADIUS * 1.0005) for k in rows for j in range(k + 1)]
    places = [(0.4, 0.0), *rack[: count - 1]]
    return [*(number for x, y in places for number in (x, y, 0.0)), 5.0, 0.02, *[0.0] * (3 * count - 2)]


def timed(count: int, runs: bool) -> dict[str, float]:
    """What the child process of one row prints."""
    from sympact import HybridModel

    assert HybridModel(*table(1)).compile().addresses  # loads what is loaded once
    system, contacts = table(count)
    began = process_time()
    model = HybridModel(system, contacts)
    derived = process_time()
    compiled = model.compile()
    assert compiled.code is not None
    done = process_time()
    times = {"contacts": len(contacts), "derive": derived - began, "compile": done - derived}
    if runs:
        x0 = start(count)
        result = model.simulate((0.0, 2.0), x0, NUMBERS)
        events = result.events
        times |= {"run": best(lambda: model.simulate((0.0, 2.0), x0, NUMBERS), repeats=7), "events": len(events)}
    return times | {"memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


def child(count: int, *, runs: bool = False) -> dict[str, float]:
    """One table in a fresh process; machine code of kernels is not compiled anew unless it runs."""
    if runs:
        return run_child("many_contacts.py", "child", str(count), "runs")
    with TemporaryDirectory() as folder:
        return run_child("many_contacts.py", "child", str(count), SYMPACT_CACHE_DIR=folder)


def exponent(numbers: list[float], times: list[float]) -> float:
    """The slope of the line through the logarithms."""
    return float(np.polyfit(np.log(numbers), np.log(times), 1)[0])


def main(sizes: list[int]) -> None:
    """Print the tables."""
    rows = []
    for count in sizes:
        found = child(count)
        total = found["derive"] + found["compile"]
        rows.append([count, found["contacts"], found["derive"], found["compile"], total, found["memory"]])
    head = ["balls", "contacts", "derive (s)", "compile (s)", "both (s)", "memory (MB)"]
    show("Deriving and compiling, CPU", head, rows)
    late = rows[len(rows) // 2 :]
    if len(late) > 1:
        contacts = [row[1] for row in late]
        for name, column in (("deriving", 2), ("compiling", 3), ("both", 4)):
            slope = exponent(contacts, [row[column] for row in late])
            print(f"exponent of {name} in the number of contacts, {contacts[0]} to {contacts[-1]}: {slope:.2f}")
    found = child(BREAK, runs=True)
    show(f"The break of {BREAK} balls over 2 s", ["run (ms)", "events"], [[1000 * found["run"], found["events"]]])


if __name__ == "__main__":
    if sys.argv[1:2] == ["child"]:
        print(json.dumps(timed(int(sys.argv[2]), "runs" in sys.argv)))
    else:
        main([int(argument) for argument in sys.argv[1:]] or list(SIZES))
