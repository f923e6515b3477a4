"""The same motion told in another way: events that differ, and by how much of what is allowed, over all ready models.

    python benchmarks/invariance.py [EVENTS] [restart|turn|scale|move ...]

From up to EVENTS events of each model (30) the next two are compared: continued from there, turned by a right angle
about each axis and by three random rotations, in units of length, time and mass that are 1e-6 and 1e6 as large, moved
1e5 lengths along each axis. A difference is told in units of a hundred times the tolerance times the measured growth of
a small error of the start: up to 1 is allowed. Events from which a small error leads to other events are only counted.
"""

import sys
import time
import warnings
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from invariance import (
    MODELS,
    case_of,
    chosen,
    last_of_instants,
    place_differences,
    restart,
    turn_differences,
    unit_differences,
)

warnings.simplefilter("ignore")
QUARTERS = np.pi / 2 * np.eye(3)
RANDOM = np.random.default_rng(11).uniform(-np.pi, np.pi, (3, 3))
UNITS = [10.0 ** (6 * sign * np.eye(3)[axis]) for axis in range(3) for sign in (1, -1)]


def restarts(name, count):
    """Differences of continuations from events."""
    case = case_of(name)
    return [(k, restart(case, k)) for k in chosen(last_of_instants(case.result), count)]


def turns(name, count):
    """Differences of the model turned."""
    return [one for angles in (*QUARTERS, *RANDOM) for one in turn_differences(name, angles, count)]


def scales(name, count):
    """Differences of the model in other units."""
    return [one for factors in UNITS for one in unit_differences(name, factors, count)]


def moves(name, count):
    """Differences of the model far from the origin."""
    return [one for axis in range(3) for one in place_differences(name, axis, count)]


RULES = {"restart": restarts, "turn": turns, "scale": scales, "move": moves}


def main(count=30, *rules):
    """One line for each rule and model, and the sums."""
    for rule in rules or RULES:
        total, wild, wrong, worst, models = 0, 0, 0, 0.0, 0
        for name in MODELS:
            began = time.perf_counter()
            try:
                found = RULES[rule](name, int(count))
            except (AssertionError, ValueError) as error:
                print(f"{rule:8} {name:16} {type(error).__name__}: {str(error)[:200]}", flush=True)
                wrong += 1
                continue
            known = [(k, one) for k, one in found if one is not None]
            here = max((one.worst for _, one in known), default=0.0)
            bad = [(k, one) for k, one in known if not one.worst <= 1.0]
            total, wild, wrong = total + len(found), wild + len(found) - len(known), wrong + len(bad)
            worst, models = max(worst, here), models + bool(found)
            text = f"{len(found):5} events, worst {here:8.1e}, {len(found) - len(known)} ill-conditioned, "
            print(f"{rule:8} {name:16} {text}{len(bad)} differ, {time.perf_counter() - began:.1f} s", flush=True)
            for k, one in bad[:3]:
                print("          ", k, one, flush=True)
        text = f"{models} models x events: {total}, worst {worst:.1e}, {wild} ill-conditioned, {wrong} differ"
        print(f"{rule:8} {'all':16} {text}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
