"""sympact beside what a user would pick instead: the same problems, each engine in an environment of its own.

    python benchmarks/peers/compare.py [--only ENGINE ...] [--problems PROBLEM ...] [--limit SECONDS]

Environments are made in ``benchmarks/peers/.environments`` on first use, from PyPI; what does not install is a row that
says so. Each engine's script, ``with_ENGINE.py``, says its settings. A run that takes longer than the limit is a row
that says so. The rows go into ``docs/peers/measured.json``, with the machine and all versions; `report.py` writes the
tables and plots of the manual's page from it. Times are CPU times, for other work on the machine changes all others.
"""

from __future__ import annotations

import json
import math
import os
import platform
import signal
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

try:
    import resource
except ImportError:  # not on Windows
    resource = None

from problems import (
    CHAIN,
    DIE,
    DIE_START,
    ENDS,
    PILE,
    PROBLEMS,
    chain_start,
    drop_starts,
    energy_created,
    pile_start,
    pile_width,
    quantities,
    rotation,
    touchdowns,
)

import measure  # isort: skip  # puts tests/ on the path
from oracles.free_cube import Cube, Drops, impacts  # isort: skip

HERE = Path(__file__).resolve().parent
ENVIRONMENTS, SOURCE = HERE / ".environments", HERE.parents[1] / "src"
MEASURED = HERE.parents[1] / "docs" / "peers" / "measured.json"
LIMIT = 300.0
"""CPU time of an engine's script, set-up and repetitions included (s)."""
WAIT = 20
"""By the clock, in limits of CPU time: for a machine with other work."""
EQUATIONS = ("sympy", "scipy", "numpy")
SMOOTH, FRICTION = ("ball", "links", "cube"), ("chain", "die", "pile")
WINDOW = {"ball": 0.02, "links": 0.05, "cube": 0.002, "chain": 0.01, "die": 0.01, "pile": 0.01}
"""Within which a reported impact is that of the reference (s): less than half of the least time between two of them."""


@dataclass(frozen=True)
class Engine:
    """An engine with its settings.

    Attributes
    ----------
    name : str
    script : str
    packages : tuple of str
        From PyPI; empty for this environment.
    settings : dict of str to tuple of str
        The problems of each setting.
    without : dict of str to str
        Why a problem is left out.
    """

    name: str
    script: str
    packages: tuple[str, ...]
    settings: dict[str, tuple[str, ...]]
    without: dict[str, str]


NO_CONTACT = "it integrates equations: Coulomb friction, rest and many contacts would have to be written by its user"
NO_SYMBOLS = "its flows are plain functions, without symbols"
NO_BATCH = "no way of many runs; a drop costs what a run costs"
ENGINES = (
    Engine("sympact", "sympact", (),
           {"default": PROBLEMS, "loose": ("links", "cube", "die", "drops"), "tight": SMOOTH}, {}),
    Engine("SciPy, careful", "scipy", EQUATIONS, {"careful": (*SMOOTH, "drops")}, dict.fromkeys(FRICTION, NO_CONTACT)),
    Engine("SciPy, usual", "scipy", EQUATIONS, {"usual": ("links", "cube", "drops")},
           {"ball": "both users write the same two lines", **dict.fromkeys(FRICTION, NO_CONTACT)}),
    Engine("SciPy with .subs", "scipy", EQUATIONS, {"subs": ("links", "cube")},
           {"ball": NO_SYMBOLS, "drops": NO_BATCH, **dict.fromkeys(FRICTION, NO_CONTACT)}),
    Engine("PyDy", "pydy", ("pydy", "cython", "setuptools", *EQUATIONS), {"cython": ("links", "cube")},
           {"ball": "no multibody system", **dict.fromkeys(FRICTION, NO_CONTACT), "drops": NO_BATCH}),
    Engine("heyoka", "heyoka", ("heyoka", *EQUATIONS), {"tol 1e-10": (*SMOOTH, "drops")},
           dict.fromkeys(FRICTION, NO_CONTACT)),
    Engine("scikit-SUNDAE", "sundae", ("scikit-sundae", *EQUATIONS), {"CVODE": (*SMOOTH, "drops")},
           dict.fromkeys(FRICTION, NO_CONTACT)),
    Engine("PathSim", "pathsim", ("pathsim", *EQUATIONS), {"RKDP87": SMOOTH},
           {**dict.fromkeys(FRICTION, NO_CONTACT), "drops": NO_BATCH}),
    Engine("MuJoCo", "mujoco", ("mujoco", "sympy", "numpy"), {"usual": PROBLEMS, "fine": (*SMOOTH, *FRICTION)}, {}),
    Engine("Drake", "drake", ("drake", "sympy", "numpy"), {"SAP": FRICTION},
           dict.fromkeys((*SMOOTH, "drops"), "its contacts have no restitution")),
    Engine("Exudyn", "exudyn", ("exudyn", "sympy", "numpy"),
           {"usual": (*SMOOTH, *FRICTION), "fine": (*SMOOTH, "die")}, {"drops": NO_BATCH}),
    Engine("Siconos", "siconos", ("siconos",), {"": PROBLEMS}, {}),
)  # fmt: skip


def python_of(engine: Engine) -> tuple[Path, str]:
    """The Python of an engine's environment, which is made where there is none; and why not, else ""."""
    if not engine.packages:
        return Path(sys.executable), ""
    folder = ENVIRONMENTS / engine.script
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    ready, failed = folder / "ready", folder / "failed"
    if failed.exists():
        return python, failed.read_text()
    if not ready.exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        command = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *engine.packages]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            said = next((line for line in reversed(done.stderr.splitlines()) if line.startswith("ERROR")), "pip failed")
            failed.write_text(f"does not install here: {said.removeprefix('ERROR: ')}")
            return python, failed.read_text()
        ready.touch()
    return python, ""


def limited(limit: float) -> None:
    """Let the process that calls it use so many seconds of CPU time."""
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(limit), math.ceil(limit) + 5))


def run(engine: Engine, problem: str, setting: str, limit: float) -> dict:
    """One row: what an engine has done with a problem."""
    row = {"engine": engine.name, "problem": problem, "setting": setting}
    python, missing = python_of(engine)
    if missing:
        return row | {"said": missing}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "outcome.json")
        path = {"PYTHONPATH": f"{SOURCE}{os.pathsep}{measure.TESTS}"} if not engine.packages else {}
        own = os.environ | {"SYMPACT_ENGINE": "compiled", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"} | path
        command = [python, HERE / f"with_{engine.script}.py", problem, setting, file]
        try:
            done = subprocess.run(
                command, env=own, capture_output=True, text=True, timeout=WAIT * limit, check=False,
                preexec_fn=None if resource is None else partial(limited, limit),
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return row | {"said": f"not done within {WAIT * limit:g} s by the clock"}
        if resource is not None and done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
            return row | {"said": f"not done within {limit:g} s of CPU time"}
        if done.returncode:
            return row | {"said": f"failed: {(done.stderr.strip().splitlines() or ['no message'])[-1]}"}
        outcome = json.loads(file.read_text(encoding="utf-8"))
    return row | judged(problem, outcome)


def judged(problem: str, outcome: dict) -> dict:
    """The figures of an outcome."""
    kept = ("setting", "version", "setup", "said")
    found = {("how" if name == "setting" else name): outcome[name] for name in kept}
    found["run"] = outcome["run"] / outcome["of_runs"]
    if problem == "drops":
        return found | drops_judged(np.array(outcome["firsts"], dtype=float))
    t, x = np.array(outcome["t"]), np.array(outcome["x"])
    gap, energy = quantities(problem, outcome["form"], x)
    found["finite"] = bool(np.isfinite(x).all())
    found["penetration"] = float(max(0.0, -gap.min()))
    found["created"] = energy_created(energy, gap)
    reported = np.array(outcome["impacts"] or [])
    found["events"] = "reported" if len(reported) else "from samples"
    reported = reported if len(reported) else touchdowns(t, gap)
    hits_alone = problem == "ball" and found["events"] == "from samples"  # the spring is no contact
    exact = references()["ceiling" if hits_alone else problem]
    near = [np.abs(reported - time).min() if len(reported) else np.inf for time in exact]
    met = np.array(near) <= WINDOW[problem]
    found["impacts"], found["missed"] = len(exact), int((~met).sum())
    found["error"] = float(np.max(np.array(near)[met])) if met.any() else None
    return found


def drops_judged(firsts: np.ndarray) -> dict:
    """The times of the first three impacts against the exact free motion between them."""
    if not firsts.size:
        return {"error": None, "missed": None, "events": "none reported"}
    rows, shape = drop_starts(len(firsts)), Cube(mass=1, edge=1, restitution=0.8, gravity=9.8)
    turned = rotation(rows[:, 3:7])
    spins = np.einsum("nij,nj->ni", turned, rows[:, 10:])
    exact = impacts(shape, Drops(np.zeros(len(rows)), rows[:, :3], rows[:, 7:10], turned, spins), 3).t.astype(float)
    within = exact < ENDS["drops"]
    errors = np.abs(firsts - exact)[within]
    near = errors < 1e-3
    return {
        "impacts": int(within.sum()),
        "missed": int((~near).sum()),
        "events": "reported",
        "error": float(np.quantile(errors[near], 0.999)),
    }


_REFERENCES: dict[str, np.ndarray] = {}


def references() -> dict[str, np.ndarray]:
    """Exact impact times: of the files of `tests/reference`, and the first impact of free motions."""
    if not _REFERENCES:
        ball = measure.reference("ball_ceiling_spring")["reference"]["events"]
        _REFERENCES["ball"] = np.array([float(event["t"]) for event in ball])
        _REFERENCES["ceiling"] = np.array([float(event["t"]) for event in ball if event["event"] == "ceiling"])
        _REFERENCES["links"] = measure.impact_times("two_link_floor")
        _REFERENCES["cube"] = measure.impact_times("tumbling_cube")
        _REFERENCES["die"] = np.array([first_of_die()])
        _REFERENCES["chain"] = np.array([first_of_chain()])
        _REFERENCES["pile"] = np.array([first_of_pile()])
    return _REFERENCES


def first_of_die() -> float:
    """The first impact of the die (s), by the exact motion of a free cube."""
    x = np.array(DIE_START)[np.newaxis]
    turned = rotation(x[:, 3:7])
    drops = Drops(np.zeros(1), x[:, :3], x[:, 7:10], turned, np.einsum("nij,nj->ni", turned, x[:, 10:]))
    shape = Cube(mass=DIE["m"], edge=DIE["a"], restitution=DIE["e"], gravity=DIE["g"])
    return float(impacts(shape, drops, 1).t[0, 0])


def first_of_chain() -> float:
    """The first impact of the chain (s): it falls without turning, for nothing turns at the start."""
    lowest, _ = quantities("chain", "chain", chain_start()[np.newaxis])
    return float(np.sqrt(2 * lowest[0] / CHAIN["g"]))


def first_of_pile() -> float:
    """The first impact of the spheres (s): they fly freely, and all fall alike."""
    (place, v, _), r, g, width = pile_start(), PILE["r"], PILE["g"], pile_width()
    times = [(v[:, 2] + np.sqrt(v[:, 2] ** 2 + 2 * g * (place[:, 2] - r))) / g]
    for axis in (0, 1):
        for sign, gap in ((-1, place[:, axis] - r), (1, width - place[:, axis] - r)):
            speed = sign * v[:, axis]
            times.append(np.where(speed > 0, gap / np.where(speed > 0, speed, 1.0), np.inf))
    first, second = np.triu_indices(PILE["n"], 1)
    d, w = place[first] - place[second], v[first] - v[second]
    a, b, c = (w**2).sum(1), (d * w).sum(1), (d**2).sum(1) - 4 * r * r
    root = b * b - a * c
    meets = (b < 0) & (root > 0)
    times.append((-b[meets] - np.sqrt(root[meets])) / a[meets])
    return float(min(one.min() for one in times))


def machine() -> dict[str, str | int | None]:
    """Where the figures are measured."""
    model = platform.processor()
    if Path("/proc/cpuinfo").exists():
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        model = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), model)
    return {
        "processor": model,
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
    }


def main() -> None:
    """Measure what is asked for, and write all rows after each."""
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", default=[], help="scripts of engines, such as sympact mujoco")
    parser.add_argument("--problems", nargs="+", default=list(PROBLEMS), choices=PROBLEMS)
    parser.add_argument("--limit", type=float, default=LIMIT)
    parser.add_argument("--file", type=Path, default=MEASURED)
    asked = parser.parse_args()
    rows = json.loads(asked.file.read_text(encoding="utf-8"))["rows"] if asked.file.exists() else []
    asked.file.parent.mkdir(parents=True, exist_ok=True)
    for problem in asked.problems:
        for engine in ENGINES:
            if asked.only and engine.script not in asked.only:
                continue
            settings = [one for one, problems in engine.settings.items() if problem in problems]
            new = [run(engine, problem, setting, asked.limit) for setting in settings]
            if not settings and problem in engine.without:
                new = [{"engine": engine.name, "problem": problem, "setting": "", "said": engine.without[problem]}]
            rows = [row for row in rows if (row["engine"], row["problem"]) != (engine.name, problem)] + new
            for row in new:
                print(json.dumps(row), flush=True)
            text = json.dumps({"machine": machine(), "rows": rows}, indent=1)
            asked.file.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
