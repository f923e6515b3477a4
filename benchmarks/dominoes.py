"""Dominoes: the cost of an event by their number, and the times of first impacts beside MuJoCo's at small steps.

    python benchmarks/dominoes.py            cost for 3, 8 and 14 dominoes
    python benchmarks/dominoes.py mujoco     first impacts of three dominoes, e = 0, where MuJoCo is installed

The first domino leans towards the second and turns about its corner on the floor. MuJoCo's contacts are springs: with
the step its times of first impacts of one domino on the next approach the event-driven ones.
"""

from __future__ import annotations

import json
import subprocess
import sys
from time import process_time

import numpy as np

WIDTH, HEIGHT, MASS, GRAVITY = 0.008, 0.048, 0.01, 9.81
GAP, MU, MU_FLOOR, TURNING = 0.02, 0.2, 0.6, 1.5


def lean(gap: float) -> tuple[float, float, float]:
    """The first domino's angle and the place of its centre from its corner on the floor."""
    angle = min(0.18, 0.95 * float(np.arcsin(gap / HEIGHT)))
    c, s = np.cos(angle), np.sin(angle)
    return angle, -c * WIDTH / 2 + s * HEIGHT / 2, s * WIDTH / 2 + c * HEIGHT / 2


def model(n: int, gap: float, mu: float, mu_floor: float, e: float):
    """A row of n dominoes with its start."""
    from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, System, dynamicsymbols, inertia

    from sympact import Contact, ConvexPolygon, HybridModel, Plane, polygon_contacts

    N, O = ReferenceFrame("N"), Point("O")
    floor, system, polygons, contacts, start = Plane(O, N.y), System(N, O), [], [], {}
    angle, X, Y = lean(gap)
    for i in range(n):
        (x, y, q), (u, v, w) = (
            dynamicsymbols(" ".join(f"{letter}{i}" for letter in letters)) for letters in ("xyq", "uvw")
        )
        B = N.orientnew(f"B{i}", "Axis", [q, N.z])
        C = O.locatenew(f"C{i}", x * N.x + y * N.y)
        J = MASS * (WIDTH**2 + HEIGHT**2) / 12
        system.add_bodies(RigidBody(f"d{i}", C, B, MASS, (inertia(B, 0, 0, J), C)))
        system.add_coordinates(x, y, q)
        system.add_speeds(u, v, w)
        system.add_kdes(u - x.diff(), v - y.diff(), w - q.diff())
        places = (("a", -1, -1), ("b", 1, -1), ("c", 1, 1), ("d", -1, 1))
        corners = [C.locatenew(f"{k}{i}", a * WIDTH / 2 * B.x + b * HEIGHT / 2 * B.y) for k, a, b in places]
        polygons.append(ConvexPolygon(corners, N.z, B))
        contacts += [Contact(corner, floor, restitution=e, friction=mu_floor) for corner in corners]
        if i:
            contacts += polygon_contacts(polygons[-2], polygons[-1], restitution=e, friction=mu)
        start |= {x: i * (WIDTH + gap), y: HEIGHT / 2, q: 0, u: 0, v: 0, w: 0}
        if i == 0:
            start |= {x: WIDTH / 2 + X, y: Y, q: -angle, u: TURNING * Y, v: -TURNING * X, w: -TURNING}
    system.apply_uniform_gravity(-GRAVITY * N.y)
    return HybridModel(system, contacts), start


def first_hits(result, n: int) -> list[float]:
    """When each domino is hit by the one before it."""
    return [
        next(
            event.t
            for event in result.events
            if event.kind == "impact" and any(_joins(name, i) for name in event.contacts)
        )
        for i in range(n - 1)
    ]


def _joins(name: str, i: int) -> bool:
    corner, surface = name.split(" on ")
    return surface != "O" and {int(corner[1:]), int(surface.split("-")[0][1:])} == {i, i + 1}


def cost() -> None:
    """A table of the cost of a run and of an event."""
    print(f"{'dominoes':>8} {'gap mm':>7} {'status':>16} {'events':>7} {'run s':>7} {'ms an event':>12}")
    for n in (3, 8, 14):
        for gap in (0.012, 0.016, 0.02) if n < 14 else (0.016,):
            hybrid, start = model(n, gap, MU, MU_FLOOR, 0.0)
            hybrid.simulate((0, 0.01), start, {})
            begun = process_time()
            result = hybrid.simulate((0, 1.5), start, {})
            spent, events = process_time() - begun, len(result.events)
            told = f"{n:>8} {1e3 * gap:>7.0f} {result.status.name:>16} {events:>7}"
            print(f"{told} {spent:>7.2f} {1e3 * spent / events:>12.2f}", flush=True)


MUJOCO = """
import json, sys
import mujoco
n, dt, gap, mu, mu_floor, w, h, d, m, g, angle, x, z, turning, until = json.loads(sys.argv[1])
bodies = "".join(
    f'<body pos="{i * (w + gap)} 0 {h / 2}"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/>'
    f'<joint type="hinge" axis="0 -1 0"/><geom name="d{i}" type="box" size="{w / 2} {d / 2} {h / 2}" mass="{m}" '
    f'friction="{mu} 0 0" priority="0"/></body>'
    for i in range(n)
)
stiff = 1 / (3 * dt) ** 2
model = mujoco.MjModel.from_xml_string(
    f'<mujoco><option timestep="{dt}" gravity="0 0 {-g}" cone="elliptic" tolerance="1e-14" iterations="200"/>'
    f'<default><geom condim="3" solref="{-stiff} {-2 * stiff**0.5}" solimp=".9999 .9999 1e-6"/></default><worldbody>'
    f'<geom type="plane" size="9 9 1" friction="{mu_floor} 0 0" priority="1"/>{bodies}</worldbody></mujoco>'
)
data = mujoco.MjData(model)
data.qpos[:3] = [x, z - h / 2, -angle]
data.qvel[:3] = [turning * z, -turning * (x - w / 2), -turning]
names, hits = {mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_GEOM, f"d{i}"): i for i in range(n)}, {}
while data.time < until and len(hits) < n - 1:
    mujoco.mj_step(model, data)
    for c in data.contact[: data.ncon]:
        pair = sorted(names.get(k, -1) for k in c.geom)
        if pair[0] >= 0 and pair[1] == pair[0] + 1 and c.dist <= 0:
            hits.setdefault(pair[0], data.time)
print(json.dumps([hits.get(i) for i in range(n - 1)]))
"""


def beside_mujoco(python: str) -> None:
    """The first impacts of three dominoes with both."""
    hybrid, start = model(3, GAP, MU, MU_FLOOR, 0.0)
    own = np.array(first_hits(hybrid.simulate((0, 1.0), start, {}), 3))
    print("sympact", *(f"{t:.7f}" for t in own))
    angle, X, Y = lean(GAP)
    for dt in (4e-5, 2e-5, 1e-5, 5e-6):
        told = [3, dt, GAP, MU, MU_FLOOR, WIDTH, HEIGHT, 0.02, MASS, GRAVITY, angle, WIDTH / 2 + X, Y, TURNING, 0.6]
        found = subprocess.run([python, "-c", MUJOCO, json.dumps(told)], check=True, capture_output=True, text=True)
        hits = np.array(json.loads(found.stdout), dtype=float)
        print(f"MuJoCo, dt = {dt:.0e}", *(f"{t:.7f}" for t in hits), "off by", *(f"{t:+.1e}" for t in hits - own), "s")


if __name__ == "__main__":
    if sys.argv[1:2] == ["mujoco"]:
        beside_mujoco(sys.argv[2] if len(sys.argv) > 2 else sys.executable)
    else:
        cost()
