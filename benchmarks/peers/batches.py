"""Many drops of the cube by MuJoCo's rollout and heyoka's batch mode, each imported when it is called.

The rows are place, quaternion, velocity, and angular velocity about the axes of the body; drops last 3 s, e = 0.8.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).resolve().parents[1]))

from measure import best_of_each, timed  # of the folder above

__all__ = ["heyoka_batch", "mujoco_rollout"]


def mujoco_rollout(rows: np.ndarray) -> float:
    """CPU time of a drop by MuJoCo's rollout (s), with its step of 2 ms and stiff contacts without friction."""
    import mujoco
    from mujoco import rollout

    solref = "solref='-20000 -20'"
    model = mujoco.MjModel.from_xml_string(
        "<mujoco><option timestep='0.002' gravity='0 0 -9.8'/><worldbody>"
        f"<geom type='plane' size='9 9 1' condim='1' {solref}/>"
        f"<body><freejoint/><geom type='box' size='.5 .5 .5' mass='1' condim='1' {solref}/></body></worldbody></mujoco>"
    )
    data = mujoco.MjData(model)
    full = mujoco.mjtState.mjSTATE_FULLPHYSICS
    first = np.zeros((len(rows), mujoco.mj_stateSize(model, full)))
    for state, row in zip(first, rows, strict=True):
        data.qpos[:], data.qvel[:] = row[:7], row[7:]
        mujoco.mj_getState(model, data, state, full)
    return min(timed(lambda: rollout.rollout(model, data, first, nstep=1500))[1] for _ in range(2)) / len(rows)


def heyoka_batch(rows: np.ndarray, lanes: int) -> float:
    """CPU time of a drop by heyoka's batch mode (s), the impacts as callbacks of its terminal events."""
    import heyoka as hy

    e, inverse_moment, gravity = 0.8, 6.0, 9.8
    x = hy.make_vars("x", "y", "z", "e0", "e1", "e2", "e3", "vx", "vy", "vz", "w1", "w2", "w3")
    e0, e1, e2, e3, w1, w2, w3 = *x[3:7], *x[10:]
    rates = [*x[7:10], (-e1 * w1 - e2 * w2 - e3 * w3) / 2.0, (e0 * w1 - e3 * w2 + e2 * w3) / 2.0]
    rates += [(e3 * w1 + e0 * w2 - e1 * w3) / 2.0, (-e2 * w1 + e1 * w2 + e0 * w3) / 2.0]
    rates += [hy.expression(0.0), hy.expression(0.0), hy.expression(-gravity), *[hy.expression(0.0)] * 3]
    upright = [2.0 * (e1 * e3 - e0 * e2), 2.0 * (e2 * e3 + e0 * e1), e0 * e0 - e1 * e1 - e2 * e2 + e3 * e3]
    corners = np.array(np.meshgrid(*[(0.5, -0.5)] * 3)).reshape(3, 8).T

    def bounce(corner: np.ndarray) -> Callable[..., bool]:
        def hit(integrator, sign: int, lane: int) -> bool:
            state = integrator.state[:, lane]
            a, b, c, d = state[3:7]
            up = np.array([2 * (b * d - a * c), 2 * (c * d + a * b), a * a - b * b - c * c + d * d])
            arm = np.array([corner[1] * up[2] - corner[2] * up[1], corner[2] * up[0] - corner[0] * up[2],
                            corner[0] * up[1] - corner[1] * up[0]])  # fmt: skip
            impulse = -(1 + e) * (state[9] + arm @ state[10:]) / (1.0 + inverse_moment * (arm @ arm))
            integrator.state[9, lane] += impulse
            integrator.state[10:, lane] += impulse * inverse_moment * arm
            return True

        return hit

    heights = [x[2] + sum(float(s) * axis for s, axis in zip(corner, upright, strict=True)) for corner in corners]
    down = hy.event_direction.negative
    events = [
        hy.t_event_batch(height, callback=bounce(corner), direction=down)
        for height, corner in zip(heights, corners, strict=True)
    ]
    equations = list(zip(x, rates, strict=True))
    integrator = hy.taylor_adaptive_batch(equations, np.tile(rows[0][:, None], (1, lanes)), t_events=events, tol=1e-10)

    def run() -> None:
        for first in range(0, len(rows) - lanes + 1, lanes):
            integrator.set_time(0.0)
            integrator.state[:] = rows[first : first + lanes].T
            integrator.reset_cooldowns()
            integrator.propagate_until(3.0)

    return best_of_each([run], rounds=2)[0] / (len(rows) // lanes * lanes)
