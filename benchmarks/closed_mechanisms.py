"""Random mechanisms with closed loops: drift of the constraints, energy, and impacts that keep the constraints.

python benchmarks/closed_mechanisms.py 300            # runs of 5 s without contacts
python benchmarks/closed_mechanisms.py 1000 --impacts # with a floor: A u+ + a after every impact
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from closed_mechanisms import ClosedMechanism

from sympact import Newton, Poisson, Status


def main() -> None:
    """Judge the mechanisms and print those that break a limit, then the worst figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--impacts", action="store_true")
    parser.add_argument("--rtol", type=float, default=1e-9)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    worst, ended, began = {}, {}, time.perf_counter()
    for seed in range(given.first, given.first + given.count):
        found, status = judged(seed, given.impacts, given.rtol)
        ended[status] = ended.get(status, 0) + 1
        for name, value in found.items():
            if value > worst.get(name, (-1.0, 0))[0]:
                worst[name] = value, seed
        if status != "FINISHED" or any(value > LIMITS[name] for name, value in found.items()):
            print(seed, status, {name: f"{value:.2g}" for name, value in found.items()}, flush=True)
    print(f"{given.count} mechanisms, {time.perf_counter() - began:.0f} s: {ended}")
    for name, (value, seed) in worst.items():
        print(f"  worst {name}: {value:.3g} (seed {seed})")


LIMITS = {"drift": 1e-9, "speed drift": 1e-9, "energy": 1e-6, "after impacts": 1e-13, "gained": 1e-9}


def judged(seed: int, impacts: bool, rtol: float) -> tuple[dict[str, float], str]:
    """The figures of one mechanism, and how its run ended."""
    planar = seed % 2 == 0
    options = {}
    if impacts:
        options = {"impact": (Newton(), Poisson())[seed // 2 % 2], "friction": (0.0, 0.3)[seed // 4 % 2]}
    try:
        mechanism = ClosedMechanism(seed, planar=planar, floor=impacts, **options)
        model = mechanism.model
        run = model.simulate((0.0, 1.0 if impacts else 5.0), mechanism.start, {}, rtol=rtol, max_events=200)
    except ValueError as error:
        return {}, str(error)[:60]
    compiled = model.compile()
    p = compiled.all_parameters(compiled.parameters({}))
    k, n = len(model.derivation.constraints), len(model.q)

    def violation(t: float, x: np.ndarray) -> tuple[float, float, float]:
        out = compiled.raw("constraints", t, np.ascontiguousarray(x), p)
        terms = np.abs(out[2 * k :].reshape(k, -1)) @ np.abs(x[n:])
        return np.abs(out[:k]).max(), np.abs(out[k : 2 * k]).max(), terms.max()

    drifts = np.array([violation(t, x) for t, x in zip(run.t, run.x.T, strict=True)])
    speed = max(drifts[:, 2].max(), np.abs(mechanism.start[n:]).max())
    found = {"drift": drifts[:, 0].max(), "speed drift": drifts[:, 1].max() / speed}
    if impacts:
        hits = [event for event in run.events if event.kind.value == "impact"]
        after = [violation(event.t, event.x_plus)[1] / speed for event in hits]
        found["after impacts"] = max(after, default=0.0)
        scale = np.abs(run.kinetic_energy).max()
        if isinstance(options["impact"], Poisson) or not options["friction"]:  # Newton's law with friction may gain
            found["gained"] = max((event.energy / scale for event in hits), default=0.0)
    else:
        found["energy"] = float(np.ptp(run.energy) / np.abs(run.kinetic_energy).max())
    return found, run.status.name if run.status is not Status.FINISHED else "FINISHED"


if __name__ == "__main__":
    main()
