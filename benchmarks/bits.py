"""The bits of ten reference runs, as one digest a run: a change that promises to keep behaviour keeps them.

`NUMBA_DISABLE_JIT=1 python benchmarks/bits.py` runs the kernels as Python, where nothing is contracted, so that the
digests of two trees are equal exactly when every operation of the run is. `python benchmarks/bits.py` prints those of
the machine code, which the compiler may round otherwise, and the counts of steps, calls and events.
`--save FILE` keeps the numbers, `--compare FILE` says how far these are from kept ones.
"""

import hashlib
import pickle
import warnings
from argparse import ArgumentParser
from pathlib import Path

import numpy as np

from sympact import models

COUNTS = ("steps", "rejected", "flow", "boundary", "dense", "parts", "unproven")
"""What is counted of the work; counters that come later change no digest."""

RUNS = {
    "bouncing_ball": {"t_span": (0.0, 12.0)},
    "tumbling_cube": {"t_span": (0.0, 1.5)},
    "dice": {"t_span": (0.0, 1.0)},
    "two_links": {"t_span": (0.0, 2.0)},
    "struck_stack": {"t_span": (0.0, 0.5)},
    "woodpecker": {"t_span": (0.0, 0.5)},
    "rolling_ball": {"t_span": (0.0, 1.0)},
    "belt_oscillator": {"t_span": (0.0, 4.0)},
    "rimless_wheel": {"t_span": (0.0, 3.0)},
    "ball_ceiling_spring": {"t_span": (0.0, 3.0)},
}
"""Models of `sympact.models` and the times they run: impacts, accumulations, rest, friction, switches, processes."""


def numbers(name: str, options: dict) -> dict[str, np.ndarray]:
    """What a run gives: times, states, events with their impulses, and counts."""
    ready = getattr(models, name)().with_numbers(**options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = ready.simulate(engine="compiled")
    events = [
        np.concatenate([[event.t, event.energy], event.x_plus, event.impulse, event.friction_impulse.ravel()])
        for event in result.events
    ]
    return {
        "t": result.t,
        "x": result.x,
        "events": np.concatenate([*events, np.zeros(0)]),
        "counts": np.array([len(events), *(result.counts[name] for name in COUNTS)]),
    }


def digest(run: dict[str, np.ndarray]) -> str:
    """The first digits of the SHA-256 of all numbers of a run."""
    total = hashlib.sha256()
    for array in run.values():
        total.update(np.ascontiguousarray(array).tobytes())
    return total.hexdigest()[:16]


def main() -> None:
    """Run them all and print a line for each."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--save", type=Path)
    parser.add_argument("--compare", type=Path)
    options = parser.parse_args()
    runs = {name: numbers(name, given) for name, given in RUNS.items()}
    kept = pickle.loads(options.compare.read_bytes()) if options.compare else {}
    for name, run in runs.items():
        line = f"{name:20} {digest(run)}  {len(run['t'])} samples, counts {run['counts'].tolist()}"
        if name in kept:
            same = all(np.shape(run[key]) == np.shape(kept[name][key]) for key in run)
            far = (
                max(float(np.abs(run[key] - kept[name][key]).max(initial=0.0)) for key in ("t", "x")) if same else None
            )
            line += f"  {'same bits' if digest(run) == digest(kept[name]) else 'differs by ' + str(far)}"
        print(line)
    if options.save:
        options.save.write_bytes(pickle.dumps(runs))


if __name__ == "__main__":
    main()
