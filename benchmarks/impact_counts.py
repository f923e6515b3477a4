"""Which part of the loop calls the flow and the gaps in runs with many impacts, and how often for each impact.

`python benchmarks/impact_counts.py` runs the kernels as Python and prints a table for each run: a row for each part of
the loop, the calls of the flow and of the gaps an impact, and below it the sums. "advance" is the free motion between
impacts; all else is what an impact adds.
"""

import os
import sys
import warnings
from collections import Counter

os.environ["NUMBA_DISABLE_JIT"] = "1"

from measure import show

from sympact.native import pointer

PARTS = {
    "advance": "steps",
    "search_gaps": "gaps at the ends of steps",
    "dense": "dense output",
    "isolate": "nodes",
    "locate": "root",
    "prove": "enclosures",
    "exact": "repeated step",
    "polish": "gaps at the ends of repeated steps",
    "approach": "root of the dense output",
    "search_forces": "forces",
    "project": "projection",
    "begin_arc": "start of an arc",
    "transition": "transition",
}
"""The parts of the loop by the innermost kernel of these names that is active."""

RUNS = {
    "ball, e = 1": ("bouncing_ball", {"t_span": (0.0, 300.0)}, 1.0),
    "tumbling cube": ("tumbling_cube", {}, None),
    "two links": ("two_links", {}, None),
    "dice": ("dice", {"t_span": (0.0, 0.6)}, None),
}
"""Models of `sympact.models`, their times, and a restitution."""

calls: Counter = Counter()


def part() -> str:
    """The part of the loop that makes the present call."""
    frame = sys._getframe(2)
    while frame is not None:
        if frame.f_code.co_name in PARTS and "_kernel" in frame.f_code.co_filename + frame.f_globals["__name__"]:
            return frame.f_code.co_name
        frame = frame.f_back
    return "other"


def counted(call, kind: str):
    """A call by address that is counted."""

    def counting(*arguments):
        calls[part(), kind] += 1
        return call(*arguments)

    return counting


pointer.call_flow = counted(pointer.call_flow, "flow")
pointer.call_boundary = counted(pointer.call_boundary, "gaps")

from sympact import models  # noqa: E402  kernels take the calls from `pointer` when they are imported


def run(name: str, options: dict, restitution: float | None) -> int:
    """Run a model and return how many impacts there were."""
    ready = getattr(models, name)()
    if restitution is not None:
        options = {**options, "parameters": {"e": restitution}}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = ready.with_numbers(**options).simulate()
    return sum(event.kind == "impact" for event in result.events)


def main() -> None:
    """Print the tables."""
    for title, given in RUNS.items():
        calls.clear()
        count = run(*given)
        names = sorted({name for name, _ in calls}, key=lambda name: list(PARTS).index(name) if name in PARTS else 99)
        rows = [
            [PARTS.get(name, name), *(f"{calls[name, kind] / count:.2f}" for kind in ("flow", "gaps"))]
            for name in names
        ]
        sums = [
            f"{sum(n for (name, k), n in calls.items() if k == kind and name != 'advance') / count:.2f}"
            for kind in ("flow", "gaps")
        ]
        show(f"{title}, {count} impacts: calls an impact", ["part", "flow", "gaps"], [*rows, ["all but steps", *sums]])


if __name__ == "__main__":
    main()
