"""MuJoCo: soft contacts at fixed steps; the elliptic cone, stiff contacts, and a step that is stable with them.

Its contacts are springs: ``solref`` with negative numbers gives their stiffness and damping directly, chosen here as
stiff as the step permits, with the damping that gives a rebound near the restitution where the problem has one. "fine"
is the step 0.5 ms, "usual" its default, 2 ms.
"""

from __future__ import annotations

from time import process_time

import mujoco
import numpy as np
from batches import mujoco_rollout
from problems import (
    BALL,
    CHAIN,
    CUBE,
    DIE,
    DIE_START,
    ENDS,
    LINKS,
    PILE,
    Outcome,
    best,
    chain_start,
    drop_starts,
    main,
    pile_start,
    pile_width,
)

import systems  # isort: skip

STEPS = {"usual": 2e-3, "fine": 5e-4}
FORMS = {
    "ball": "ball",
    "links": "links",
    "cube": "quaternion",
    "die": "quaternion",
    "chain": "chain",
    "pile": "spheres",
}


def world(dt: float, gravity: float, body: str, *, stiffness: float, damping: float, mu: float) -> mujoco.MjModel:
    """A model; contacts without friction have one dimension."""
    one = f'friction="{mu or 1} 0 0" condim="{3 if mu else 1}" solref="{-stiffness} {-damping}"'
    return mujoco.MjModel.from_xml_string(
        f'<mujoco><compiler angle="radian"/><option timestep="{dt}" gravity="0 0 {-gravity}" cone="elliptic" '
        f'integrator="implicitfast"/><default><geom {one}/></default><worldbody>{body}</worldbody></mujoco>'
    )


def free_box(numbers: dict, dt: float, stiffness: float, damping: float, x: np.ndarray):
    """A box above a plane, from a state."""
    half, mu = numbers["a"] / 2, numbers.get("mu", 0.0)
    body = (
        '<geom type="plane" size="50 50 1"/><body><freejoint/>'
        f'<geom type="box" size="{half} {half} {half}" mass="{numbers["m"]}"/></body>'
    )
    model = world(dt, numbers["g"], body, stiffness=stiffness, damping=damping, mu=mu)
    return model, x[:7], x[7:], lambda d: np.concatenate([d.qpos, d.qvel])


def cube(dt: float):
    """The tumbling cube; damping for a rebound of about 0.8."""
    start = np.array([0, 0, 10, *systems.cube_quaternion(), 1, 1, 0, *systems.cube_body_spin()])
    return free_box(CUBE, dt, 20_000, 20, start)


def die(dt: float):
    """The die: stiff for its size."""
    return free_box(DIE, dt, 50_000, 120, np.array(DIE_START))


def ball(dt: float):
    """The ball on a slide, with the ceiling as a stiff contact, and the spring as a force of one side in each step."""
    size = 0.01
    body = (
        f'<geom type="plane" size="9 9 1" pos="0 0 {BALL["h"] + size}" zaxis="0 0 -1"/>'
        f'<body><joint type="slide" axis="0 0 1" damping="{BALL["c"]}"/>'
        f'<geom type="sphere" size="{size}" mass="{BALL["m"]}"/></body>'
    )
    model = world(dt, BALL["g"], body, stiffness=100_000, damping=45, mu=0.0)
    return model, [0.0], [BALL["v"]], lambda d: np.array([d.qpos[0], d.qvel[0]])


def links(dt: float):
    """Two links with hinges about x; the document's N.y points down, so that angles are measured from there."""
    l, m = LINKS["l"], LINKS["m"]
    moment = m * l * l / 3
    link = (
        '<body pos="0 0 {z}"><joint type="hinge" axis="1 0 0"/><inertial pos="0 0 {c}" mass="{m}" '
        'diaginertia="{i} {i} 1e-4"/>{more}</body>'
    )
    tip = f'<geom type="sphere" size="1e-3" pos="0 0 {-l}" mass="0"/>'
    inner = link.format(z=-l, c=-l / 2, m=m, i=moment, more=tip)
    outer = link.format(z=0, c=-l / 2, m=m, i=moment, more=inner)
    floor = f'<geom type="plane" size="9 9 1" pos="0 0 {-LINKS["h"] - 1e-3}"/>'
    model = world(dt, LINKS["g"], floor + outer, stiffness=20_000, damping=20, mu=0.0)
    return model, [np.pi / 2, 0.0], [0.0, 0.0], lambda d: np.concatenate([d.qpos, d.qvel])


def chain(dt: float):
    """The chain of rods with a small sphere at each end; its angles are relative ones here."""
    n, l, m = CHAIN["n"], CHAIN["l"], CHAIN["m"]
    text, close, size = "", "", 1e-3
    for i in range(n):
        slides = '<joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/>' if i == 0 else ""
        ball = f'<geom type="sphere" size="{size}" pos="{l} 0 0" mass="1e-6"/>'
        first = f'<geom type="sphere" size="{size}" mass="1e-6"/>' if i == 0 else ""
        text += (
            f'<body pos="{0 if i == 0 else l} 0 0">{slides}<joint type="hinge" axis="0 -1 0"/><inertial mass="{m}" '
            f'pos="{l / 2} 0 0" diaginertia="{m * l * l / 12} {m * l * l / 12} {m * l * l / 12}"/>{ball}{first}'
        )
        close += "</body>"
    floor = f'<geom type="plane" size="50 50 1" pos="0 0 {-size}" contype="2" conaffinity="1"/>'
    text = (floor + text + close).replace('type="sphere"', 'type="sphere" contype="1" conaffinity="2"')
    model = world(dt, CHAIN["g"], text, stiffness=20_000, damping=100, mu=CHAIN["mu"])
    start = chain_start()
    place = np.concatenate([start[:2], np.diff([0.0, *start[2 : 2 + n]])])

    def state(d):
        return np.concatenate([d.qpos[:2], np.cumsum(d.qpos[2:]), d.qvel[:2], np.cumsum(d.qvel[2:])])

    return model, place, start[2 + n :], state


def pile(dt: float):
    """The spheres in the box."""
    (place, v, w), width, n = pile_start(), pile_width(), PILE["n"]
    wall = '<geom type="plane" size="0 0 1" pos="{}" zaxis="{}"/>'
    walls = [("0 0 0", "0 0 1"), ("0 0 0", "1 0 0"), (f"{width} 0 0", "-1 0 0"), ("0 0 0", "0 1 0"),
             (f"0 {width} 0", "0 -1 0")]  # fmt: skip
    text = "".join(wall.format(*one) for one in walls)
    for one in place:
        text += (
            f'<body pos="{one[0]} {one[1]} {one[2]}"><freejoint/>'
            f'<geom type="sphere" size="{PILE["r"]}" mass="{PILE["m"]}"/></body>'
        )
    model = world(dt, PILE["g"], text, stiffness=20_000, damping=60, mu=PILE["mu"])
    turn = np.tile([1.0, 0, 0, 0], (n, 1))

    def state(d):
        q, u = d.qpos.reshape(n, 7), d.qvel.reshape(n, 6)
        return np.concatenate([q[:, :3], u[:, :3], u[:, 3:]]).ravel()

    return model, np.hstack([place, turn]).ravel(), np.hstack([v, w]).ravel(), state


def solve(problem: str, setting: str) -> Outcome:
    """One run of fixed steps, or the rollout of many drops."""
    began, dt = process_time(), STEPS[setting]
    if problem == "drops":
        rows = drop_starts(500)
        mujoco_rollout(rows[:2])
        setup = process_time() - began
        return Outcome("rollout, 500 drops, step 2 ms", mujoco.__version__, setup, mujoco_rollout(rows))
    model, place, speeds, state = globals()[problem](dt)
    data, steps = mujoco.MjData(model), round(ENDS[problem] / dt)
    spring = problem == "ball"

    def begin():
        mujoco.mj_resetData(model, data)
        data.qpos[:], data.qvel[:] = place, speeds

    def step():
        if spring:
            data.qfrc_applied[0] = -BALL["k"] * min(data.qpos[0], 0.0)
        mujoco.mj_step(model, data)

    def run():
        begin()
        if not spring:
            mujoco.mj_step(model, data, steps)
            return
        for _ in range(steps):
            step()

    setup = process_time() - began
    seconds, _ = best(run)
    begin()
    t, x = [0.0], [state(data)]
    for _ in range(steps):
        step()
        t.append(data.time)
        x.append(state(data))
    told = f"step {1e3 * dt:g} ms, implicitfast, elliptic cone, solref {model.geom_solref[-1].tolist()}"
    return Outcome(told, mujoco.__version__, setup, seconds, [], FORMS[problem], t, x)


if __name__ == "__main__":
    main(solve)
