"""What a run costs besides its loop: `simulate()` over a tenth of a millisecond, and cubes dropped in a Python loop.

Calls of processes: a bouncing ball and one with a condition, as expressions; a ball between a ceiling and a spring, as
expressions, also over 20 s, and as Python functions.

Runs of a chain of 20 rods with three loops begin on its constraints, with speeds off them, and with coordinates off
them; each from the same numbers again and again, and from numbers that change.

`python benchmarks/run_cost.py` prints CPU times, the number of Python calls a run, and the memory of results that are
kept.
"""

import cProfile
import gc
import pstats
import resource
from collections.abc import Callable
from functools import partial
from time import process_time
from warnings import catch_warnings, simplefilter

import numpy as np
import sympy as sm
from closed_loops import closed_chain
from engine import hybrid_model
from measure import show
from systems import cube

from sympact import HybridSystem, SympactWarning, Transition, models

SHORT = (0.0, 1e-4)  # s
DROP = 3.0  # s
FALLING = np.array([1.0, 0.0])  # m, m/s


def microseconds(call: Callable[[], object], repeats: int) -> float:
    """The CPU time of one call, the mean of many after a few that fill caches."""
    for _ in range(max(repeats // 20, 3)):
        call()
    gc.collect()
    began = process_time()
    for _ in range(repeats):
        call()
    return (process_time() - began) / repeats * 1e6


def calls(call: Callable[[], object], repeats: int = 300) -> float:
    """Python and built-in calls of one call."""
    profile = cProfile.Profile()
    profile.enable()
    for _ in range(repeats):
        call()
    profile.disable()
    return pstats.Stats(profile).total_calls / repeats


def fixed_costs() -> list[list[object]]:
    """A row for each model: from mappings, from arrays, with results kept, with events read, calls."""
    rows = []
    for name in ("tumbling_cube", "two_links", "dice", "pendulum"):
        ready = getattr(models, name)()
        compiled = ready.model.compile()
        x, p = compiled.state(ready.start), compiled.parameters(ready.parameters)
        kept: list[object] = []

        def mapped(ready=ready) -> object:
            return ready.model.simulate(SHORT, ready.start, ready.parameters)

        def arrays(compiled=compiled, x=x, p=p) -> object:
            return compiled.simulate(SHORT, x, p)

        def keeping(arrays=arrays, kept=kept) -> None:
            kept.append(arrays())

        def reading(arrays=arrays) -> object:
            return arrays().events.t

        costs = [microseconds(one, 2000) for one in (mapped, arrays, keeping, reading)]
        rows.append([name, *costs, calls(mapped), calls(arrays)])
    return rows


def processes() -> list[list[object]]:
    """A row for each process: the least CPU time of a call among many, and its calls."""
    y, v, g, e = sm.symbols("y v g e")
    bounce = Transition("air", "air", boundary=-y, jump={v: -e * v})
    ball = HybridSystem.from_sympy({"air": [v, -g]}, [bounce], states=[y, v], parameters=[g, e])
    rubbed = HybridSystem.from_sympy({"on": [v, -y - g * sm.sign(v)]}, [], states=[y, v], parameters=[g])
    ready, spring = models.ball_ceiling_spring(), ceiling_and_spring()
    runs = {
        "ball": lambda: ball.simulate(SHORT, FALLING, [9.81, 0.8], start="air"),
        "with a condition": lambda: rubbed.simulate(SHORT, FALLING, [0.1], start="on"),
        "ceiling and spring": lambda: spring.simulate(SHORT, ready.start, start="free"),
        "ceiling and spring, 20 s": lambda: spring.simulate(ready.t_span, ready.start, start="free"),
        "ceiling and spring, Python": ready.with_numbers(t_span=SHORT).simulate,
    }
    return [[name, min(microseconds(run, 40) for _ in range(20)), calls(run, 50)] for name, run in runs.items()]


def ceiling_and_spring() -> HybridSystem:
    """The ready process of this name, as expressions."""
    y, v = sm.symbols("y v")
    slowed = -9.8 - 0.5 * v
    return HybridSystem.from_sympy(
        {"free": [v, slowed], "spring": [v, slowed - 10 * y]},
        [
            Transition("free", "free", boundary=y - 5, jump={v: -0.8 * v}),
            Transition("free", "spring", boundary=-y),
            Transition("spring", "free", boundary=y),
        ],
        states=[y, v],
    )


def projected_starts() -> list[list[object]]:
    """A row for each start of the chain: CPU time, its ratio to that of a start on the constraints, calls."""
    model, case = closed_chain(True)
    compiled = model.compile()
    p = compiled.parameters({symbol: case.parameters[symbol] for symbol in model.parameters})
    given = compiled.state(case.start)
    n, disturbance = len(model.q), np.random.default_rng(0).standard_normal(len(model.u))
    on = model.assemble(given, dict(zip(model.parameters, p, strict=True))).x
    by_speeds, by_coordinates = on.copy(), on.copy()
    by_speeds[n:] += 1e-4 * disturbance
    by_coordinates[:n] += 1e-5 * disturbance
    rows: list[list[object]] = []
    for name, start in (("on them", on), ("speeds off", by_speeds), ("coordinates off", by_coordinates)):
        for further, step in (("", 0.0), (", changing", 1e-9)):
            x = start.copy()

            def run(start=start, step=step, x=x) -> object:
                x[-1] += step * abs(start[-1])
                return compiled.simulate(SHORT, x, p)

            with catch_warnings():
                simplefilter("ignore", SympactWarning)
                least = min(microseconds(run, 20) for _ in range(10))
                rows.append([name + further, least, least / (rows[0][1] if rows else least), calls(run, 50)])
    return rows


def drops() -> list[list[object]]:
    """A row for each choice of the cube's coordinates."""
    rows = []
    for speeds in ("quaternion", "omega", "rates"):
        case = cube(speeds)
        compiled = hybrid_model(case).compile()
        x, p = compiled.state(case.start), compiled.parameters(case.parameters)

        def drop(rtol: float, compiled=compiled, x=x, p=p) -> object:
            return compiled.simulate((0.0, DROP), x, p, rtol=rtol)

        rows.append([speeds, *(microseconds(partial(drop, rtol), 300) for rtol in (1e-10, 1e-6))])
    return rows


def kept_memory() -> float:
    """Kilobytes of each of 1,000 results of the short run of the cube that are kept."""
    ready = models.tumbling_cube()
    compiled = ready.model.compile()
    x, p = compiled.state(ready.start), compiled.parameters(ready.parameters)
    compiled.simulate(SHORT, x, p)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    results = [compiled.simulate(SHORT, x, p) for _ in range(1000)]
    return (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / len(results)


def main() -> None:
    """Print the tables."""
    print(f"memory of a result that is kept: {kept_memory():.1f} kB")
    columns = ["", "mappings (us)", "arrays (us)", "kept (us)", "events.t read (us)", "calls", "calls, arrays"]
    show("Fixed cost of a run of 1e-4 s", columns, fixed_costs())
    show("Processes, 1e-4 s", ["", "(us)", "calls"], processes())
    show("A chain with loops, 1e-4 s", ["its start", "(us)", "ratio", "calls"], projected_starts())
    show("Cube dropped, 3 s, from arrays", ["coordinates", "rtol 1e-10 (us)", "rtol 1e-6 (us)"], drops())


if __name__ == "__main__":
    main()
