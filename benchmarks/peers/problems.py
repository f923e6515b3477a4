"""The problems that all engines get: their numbers, gaps and energies, in NumPy alone; every script imports it.

A script ``with_ENGINE.py`` runs in the engine's own environment as ``python with_ENGINE.py PROBLEM SETTING FILE`` and
writes an `Outcome`; `compare.py` judges all of them by the same functions here.
"""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from itertools import product
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

BENCHMARKS = Path(__file__).resolve().parents[1]
sys.path.append(str(BENCHMARKS))

PROBLEMS = ("ball", "links", "cube", "chain", "die", "drops", "pile")
TITLES = {
    "ball": "Ball between a ceiling and a spring, 20 s",
    "links": "Two links above a floor, 10 s",
    "cube": "Tumbling cube without friction, 5 s",
    "chain": "Chain of 10 rods dropped on a floor, with friction, 6 s",
    "die": "Die tossed on a table, with friction, 1 s",
    "drops": "10,000 cubes dropped from random attitudes, 3 s each",
    "pile": "20 spheres thrown into a box, with friction, 2 s",
}
ENDS = {"ball": 20.0, "links": 10.0, "cube": 5.0, "chain": 6.0, "die": 1.0, "drops": 3.0, "pile": 2.0}
"""The ends of the runs (s)."""

BALL = {"m": 1.0, "c": 0.5, "g": 9.8, "k": 10.0, "h": 5.0, "eta": 0.8, "v": 100.0}
LINKS = {"m": 1.0, "l": 1.0, "g": 9.8, "h": 1.5, "e": 0.8}
CUBE = {"m": 1.0, "a": 1.0, "g": 9.8, "e": 0.8}
CHAIN = {"n": 10, "m": 1.0, "l": 0.3, "g": 9.81, "e": 0.4, "mu": 0.4}
DIE = {"m": 1.0, "a": 0.02, "g": 9.81, "e": 0.5, "mu": 0.3}
DIE_START = [0.0, 0.0, 0.11518241886149838, 0.9689124217106447, 0.19836446821324394, 0.1322429788088293,
             0.06612148940441465, 0.05, 0.03, 0.3, 25.0, -15.0, 10.0]  # fmt: skip
"""Place, quaternion, velocity, and angular velocity about the axes of the body."""
PILE = {"n": 20, "m": 0.1, "r": 0.1, "g": 9.8, "e": 0.5, "mu": 0.3}
DROPS = 10_000
LEAST = 0.05
"""CPU time that is measured at least (s)."""

CORNERS = np.array(list(product((0.5, -0.5), repeat=3)))


@dataclass
class Outcome:
    """What an engine has done with a problem.

    Attributes
    ----------
    setting : str
        How it was asked, in words.
    version : str
    setup, run : float
        CPU time (s): from the problem to something that runs; of one run, the best of several.
    impacts : list of float
        The times of impacts as the engine reports them (s); empty where it reports none.
    form : str
        What the states are, see `quantities`.
    t, x : list
        Samples: the times, and the states there.
    of_runs : int
        By how many runs `run` is divided, for many drops.
    firsts : list
        Of many drops: the times of the first three impacts of the first drops (s).
    said : str
        A sentence of the engine's own, where it did not go through.
    """

    setting: str
    version: str = ""
    setup: float = float("nan")
    run: float = float("nan")
    impacts: list = field(default_factory=list)
    form: str = ""
    t: list = field(default_factory=list)
    x: list = field(default_factory=list)
    of_runs: int = 1
    firsts: list = field(default_factory=list)
    said: str = ""


def write(outcome: Outcome, file: str) -> None:
    """Write what an engine has done."""
    Path(file).write_text(json.dumps(asdict(outcome), default=lambda one: np.asarray(one).tolist()), encoding="utf-8")


def best(call: Callable[[], Any], *, repeats: int = 3, most: float = 10.0) -> tuple[float, Any]:
    """CPU time of a call (s), and what it returns.

    It is the best of several, each over as many calls as take at least `LEAST`, for the clock may be coarse, within
    about `most` seconds.
    """
    gc.collect()
    count, found, spent, kept = 1, float("inf"), 0.0, 0
    while kept < repeats and spent < most:
        began = process_time()
        for _ in range(count):
            value = call()
        took = process_time() - began
        spent += took
        if took < LEAST and spent < most:
            count *= 2
            continue
        found, kept = min(found, took / count), kept + 1
    return found, value


def rotation(quaternion: np.ndarray) -> np.ndarray:
    """The rotation matrices of quaternions, shape (..., 4) -> (..., 3, 3): from the body to the inertial frame."""
    w, x, y, z = np.moveaxis(quaternion / np.linalg.norm(quaternion, axis=-1, keepdims=True), -1, 0)
    rows = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]  # fmt: skip
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def euler(angles: np.ndarray) -> np.ndarray:
    """The rotation matrices of body-fixed 3-1-3 angles, shape (..., 3) -> (..., 3, 3)."""

    def turn(angle, axis):
        c, s, zero, one = np.cos(angle), np.sin(angle), np.zeros_like(angle), np.ones_like(angle)
        rows = [[c, -s, zero], [s, c, zero], [zero, zero, one]] if axis == 2 else [
            [one, zero, zero], [zero, c, -s], [zero, s, c]]  # fmt: skip
        return np.moveaxis(np.array(rows), (0, 1), (-2, -1))

    a, b, c = np.moveaxis(angles, -1, 0)
    return turn(a, 2) @ turn(b, 0) @ turn(c, 2)


def quantities(problem: str, form: str, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The lowest gap (m) and the energy (J) of states, shape (m, n) -> (m,) and (m,).

    Forms: "ball" (y, v); "links" (q1, q2, u1, u2); "angles" and "quaternion" of a cube: place, 3-1-3 angles or
    quaternion, velocity, angular velocity about its own axes; "chain": x, y, angles from the horizontal, their rates;
    "spheres": places, velocities, angular velocities of all.
    """
    if form == "ball":
        y, v = x.T
        spring = BALL["k"] * np.minimum(y, 0.0) ** 2 / 2
        return BALL["h"] - y, BALL["m"] * (v**2 / 2 + BALL["g"] * y) + spring
    if form == "links":
        return links(x)
    if form in ("angles", "quaternion"):
        numbers, n = DIE if problem == "die" else CUBE, 3 if form == "angles" else 4
        turned = (euler if form == "angles" else rotation)(x[:, 3 : 3 + n])
        heights = x[:, 2:3] + numbers["a"] * turned[:, 2] @ CORNERS.T
        v, w = x[:, 3 + n : 6 + n], x[:, 6 + n :]
        moment = numbers["m"] * numbers["a"] ** 2 / 6
        energy = numbers["m"] * ((v**2).sum(1) / 2 + numbers["g"] * x[:, 2]) + moment * (w**2).sum(1) / 2
        return heights.min(1), energy
    if form == "chain":
        return chain(x)
    return spheres(x)


def links(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of two links, whose second angle is that from the first; the inertia is m l^2/3 about the centres."""
    a, b = x[:, 0], x[:, 0] + x[:, 1]
    w, s = x[:, 2], x[:, 2] + x[:, 3]
    m, l, g = LINKS["m"], LINKS["l"], LINKS["g"]
    v1 = l / 2 * w
    v2 = l * l * w * w + l * l / 4 * s * s + l * l * w * s * np.cos(b - a)
    kinetic = m * (v1**2 + v2) / 2 + m * l * l / 3 * (w * w + s * s) / 2
    depth = l / 2 * np.cos(a) + l * np.cos(a) + l / 2 * np.cos(b)
    return LINKS["h"] - l * (np.cos(a) + np.cos(b)), kinetic - m * g * depth


def chain(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of the chain of rods."""
    n, l, m, g = CHAIN["n"], CHAIN["l"], CHAIN["m"], CHAIN["g"]
    angles, rates = x[:, 2 : 2 + n], x[:, 4 + n :]
    zeros = np.zeros((len(x), 1))
    y = x[:, 1:2] + np.hstack([zeros, l * np.cumsum(np.sin(angles), axis=1)])
    vx = x[:, 2 + n : 3 + n] + np.hstack([zeros, -l * np.cumsum(np.sin(angles) * rates, axis=1)])
    vy = x[:, 3 + n : 4 + n] + np.hstack([zeros, l * np.cumsum(np.cos(angles) * rates, axis=1)])
    centre = [(one[:, 1:] + one[:, :-1]) / 2 for one in (y, vx, vy)]
    kinetic = m * (centre[1] ** 2 + centre[2] ** 2).sum(1) / 2 + m * l * l / 24 * (rates**2).sum(1)
    return y.min(1), kinetic + m * g * centre[0].sum(1)


def spheres(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of the spheres in the box."""
    n, r, width = PILE["n"], PILE["r"], pile_width()
    place, v, w = np.moveaxis(x.reshape(len(x), 3, n, 3), 1, 0)
    gaps = [place[:, :, 2] - r]
    for axis in (0, 1):
        gaps += [place[:, :, axis] - r, width - place[:, :, axis] - r]
    lowest = np.min([gap.min(1) for gap in gaps], axis=0)
    for i in range(n):
        for j in range(i):
            lowest = np.minimum(lowest, np.linalg.norm(place[:, i] - place[:, j], axis=1) - 2 * r)
    kinetic = PILE["m"] * (v**2).sum((1, 2)) / 2 + 0.2 * PILE["m"] * r * r * (w**2).sum((1, 2))
    return lowest, kinetic + PILE["m"] * PILE["g"] * place[:, :, 2].sum(1)


def pile_width() -> float:
    """The width of the box of the spheres (m)."""
    return 0.25 * int(np.ceil(PILE["n"] ** (1 / 3) - 1e-9)) + 0.1


def pile_start() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Places, velocities and angular velocities of the spheres, each of shape (n, 3)."""
    n, rng = PILE["n"], np.random.default_rng(0)
    side = int(np.ceil(n ** (1 / 3) - 1e-9))
    place, v, w = np.zeros((n, 3)), np.zeros((n, 3)), np.zeros((n, 3))
    for i in range(n):
        place[i] = np.array([i % side, i // side % side, i // side**2]) * 0.25
        place[i] += [*(0.175 + rng.uniform(-0.01, 0.01, 2)), 1.0]
        v[i], w[i] = rng.uniform(-1, 1, 3), rng.uniform(-5, 5, 3)
    return place, v, w


def chain_start() -> np.ndarray:
    """x, y, angles, and their rates, shape (24,)."""
    n = CHAIN["n"]
    zigzag = [0.3 * (-1) ** i * (1 + 0.1 * i) for i in range(n)]
    return np.array([0.0, 1.0, *zigzag, 0.5, 0.0, *[0.0] * n])


def drop_starts(count: int) -> np.ndarray:
    """Cubes 5 m up, turned at random and spinning: place, quaternion, velocity, angular velocity, shape (count, 13)."""
    rng = np.random.default_rng(0)
    turns = rng.normal(size=(DROPS, 4))
    turns /= np.linalg.norm(turns, axis=1, keepdims=True)
    spins = rng.uniform(-5, 5, (DROPS, 3))
    places = np.tile([0.0, 0.0, 5.0], (DROPS, 1))
    return np.hstack([places, turns, np.zeros((DROPS, 3)), spins])[:count]


def touchdowns(t: np.ndarray, gap: np.ndarray) -> np.ndarray:
    """The times at which a gap decreases through zero between samples, by straight lines: of engines without events."""
    falls = np.flatnonzero((gap[:-1] > 0.0) & (gap[1:] <= 0.0))
    part = gap[falls] / (gap[falls] - gap[falls + 1])
    return t[falls] + part * (t[falls + 1] - t[falls])


def energy_created(energy: np.ndarray, gap: np.ndarray) -> float:
    """By how much the energy has increased above its least value so far, at most (J); it should never.

    Of the samples without contact alone: a soft contact stores energy meanwhile.
    """
    free = energy[gap > 0.0]
    return float((free - np.minimum.accumulate(free)).max()) if free.size else float("nan")


def main(solve: Callable[[str, str], Outcome]) -> None:
    """The command line of an engine's script."""
    problem, setting, file = sys.argv[1:4]
    write(solve(problem, setting), file)
