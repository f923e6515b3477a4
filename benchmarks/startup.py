"""What a user waits for: the first runs on a machine, and a second process that builds, derives and runs the cube.

Each is a fresh interpreter; the clock starts after SymPy and matplotlib are imported and stops when the events of the
5 s drop are known. `python benchmarks/startup.py` prints CPU and wall time.
"""

import json
import sys
from importlib import import_module
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from measure import run_child, show

IMPORTED_BEFORE = ("sympy", "sympy.physics.mechanics", "matplotlib.pyplot")


def timed_child() -> dict[str, float]:
    """Build, derive and run the cube once in this process; seconds beyond the imports."""
    for name in IMPORTED_BEFORE:
        import_module(name)
    wall, cpu = perf_counter(), process_time()
    from engine import hybrid_model
    from systems import CUBE_END, cube

    case = cube()
    result = hybrid_model(case).simulate((0, CUBE_END), case.start, case.parameters)
    events = len(result.events)
    return {"wall": perf_counter() - wall, "cpu": process_time() - cpu, "events": events}


def main() -> None:
    """Run the children with an empty cache, then with the cache they filled."""
    rows = []
    with TemporaryDirectory() as folder:
        for name, engine in (
            ("first run, interpreted", "interpreted"),
            ("first run that waits for machine code", "compiled"),
            ("second process", "compiled"),
            ("third process", "compiled"),
        ):
            place = {"SYMPACT_CACHE_DIR": folder, "SYMPACT_ENGINE": engine, "MPLBACKEND": "Agg"}
            took = run_child("startup.py", "--child", **place)
            rows.append([name, took["cpu"], took["wall"], took["events"]])
    show("Cube, 5 s: seconds beyond the imports of SymPy and matplotlib", ["", "CPU (s)", "wall (s)", "events"], rows)


if __name__ == "__main__":
    if sys.argv[1:] == ["--child"]:
        print(json.dumps(timed_child()))
    else:
        main()
