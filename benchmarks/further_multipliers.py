"""Formulations with further multipliers beside `Projection`: steps, evaluations, error and time at three tolerances.

    SYMPACT_ENGINE=compiled PYTHONPATH=tests python benchmarks/further_multipliers.py

Two points on two rods in Cartesian coordinates (10 s, against their angles), and a slider-crank whose block is in a
stiff damper (50 s, against its crank's angle alone). A time is the best of three runs after a first one.
"""

from time import perf_counter

import numpy as np
from closed_loops import drift, slider_crank, two_angles, two_points

from sympact import GearGuptaLeimkuhler, HybridModel, Overdetermined
from sympact.contact.constraints.formulations import Projection

FORMULATIONS = (Projection(), GearGuptaLeimkuhler(), Overdetermined())


def measure(name, system, start, end, error, formulation, method, tolerance):
    """One line of the table."""
    model = HybridModel(system, [], formulation=formulation)
    times = []
    for _ in range(4):
        begun = perf_counter()
        result = model.simulate((0, end), start, {}, method=method, rtol=tolerance, atol=tolerance)
        times.append(perf_counter() - begun)
    counts = result.counts
    print(
        f"{name:12} {type(formulation).__name__:20} {method:9} {tolerance:.0e} {counts['steps']:6} steps "
        f"{counts['rejected']:4} rejected {counts['flow']:7} evaluations  error {error(result):.1e}  "
        f"drift {drift(model, result).max():.0e}  {1e3 * min(times[1:]):8.2f} ms",
        flush=True,
    )


def main():
    """Print the table."""
    system, start = two_points()
    truth = two_angles(10.0)
    for method in ("DOP853", "RadauIIA"):
        for tolerance in (1e-4, 1e-6, 1e-9):
            for formulation in FORMULATIONS:
                error = lambda result: float(np.abs(result.x[:4, -1] - truth).max())  # noqa: E731
                measure("two points", system, start, 10.0, error, formulation, method, tolerance)
    loop = slider_crank(damping=1e4)
    angle = loop.truth(50.0, "Radau", 1e-10, 1e-12)
    runs = [(one, "RadauIIA") for one in FORMULATIONS] + [(Projection(), "Radau"), (Projection(), "DOP853")]
    for tolerance in (1e-4, 1e-6, 1e-8):
        for formulation, method in runs:
            error = lambda result: float(abs(result[loop.tracked][-1] - angle))  # noqa: E731
            measure("stiff crank", loop.system, loop.start, 50.0, error, formulation, method, tolerance)


if __name__ == "__main__":
    main()
