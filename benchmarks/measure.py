"""Timing by CPU clock, tables, fresh processes.

Importing it makes the `oracles` of the tests importable, and runs wait for their machine code.
"""

import gc
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import process_time
from typing import TypeVar

import numpy as np

T = TypeVar("T")
ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "tests"
ABSOLUTE = 1e-3
"""atol in units of rtol, for every engine of these benchmarks."""
os.environ.setdefault("SYMPACT_ENGINE", "compiled")  # also of the fresh processes
if str(TESTS) not in sys.path:
    sys.path.append(str(TESTS))


def reference(name: str) -> dict:
    """The reference numbers of tests/reference/`name`.json."""
    return json.loads((TESTS / "reference" / f"{name}.json").read_text())


def impact_times(name: str) -> np.ndarray:
    """The impact times of a reference case (s)."""
    case = reference(name)["reference"]
    impacts = case["impacts"] if "impacts" in case else next(iter(case.values()))["impacts"]
    return np.array([float(impact["t"]) for impact in impacts])


def coarsest(errors: Mapping[float, float], largest: float) -> float:
    """The coarsest tolerance that has, as have all finer ones, an error of at most `largest`: no lucky hit counts.

    Raises
    ------
    ValueError
        If even the finest does not reach it.
    """
    chosen = None
    for tolerance in sorted(errors):
        if errors[tolerance] > largest:
            break
        chosen = tolerance
    if chosen is None:
        raise ValueError(f"no tolerance reaches an error of {largest}: {errors}")
    return chosen


def timed(call: Callable[[], T]) -> tuple[T, float]:
    """What `call` returns, and its CPU time (s)."""
    start = process_time()
    value = call()
    return value, process_time() - start


def best(call: Callable[[], object], *, repeats: int = 5, least: float = 0.05) -> float:
    """CPU time of one call (s): the best of `repeats`, each over as many calls as take at least `least` seconds.

    The garbage collector rests meanwhile, as in `timeit`. The clock may be coarse: 4 ms on Linux in a process whose CPU
    time is limited.
    """

    def several() -> float:
        return timed(lambda: [call() for _ in range(count)])[1]

    count, enabled = 1, gc.isenabled()
    gc.disable()
    try:
        while (took := several()) < least:
            count *= 2
        return min([took, *(several() for _ in range(repeats - 1))]) / count
    finally:
        if enabled:
            gc.enable()


def best_of_each(calls: Sequence[Callable[[], object]], *, rounds: int = 7) -> list[float]:
    """CPU time of one call of each (s), taken in turns, so that a busy moment of the machine meets all alike."""
    times = [[best(call, repeats=1) for call in calls] for _ in range(rounds)]
    return [min(column) for column in zip(*times, strict=True)]


def run_child(script: str, *arguments: str, **environment: str) -> dict:
    """What `script` of this folder prints as JSON in its last line, run by a fresh interpreter.

    Raises
    ------
    RuntimeError
        With the child's own words, if it fails.
    """
    command = [sys.executable, str(Path(__file__).with_name(script)), *arguments]
    run = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} failed:\n{run.stderr}")
    return json.loads(run.stdout.splitlines()[-1])


def show(title: str, head: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print an aligned table under a title; floats with four significant digits."""
    cells = [[_text(value) for value in row] for row in [head, *rows]]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    print(f"\n{title}")
    for number, row in enumerate(cells):
        first, *rest = zip(row, widths, strict=True)
        print("  ".join([first[0].ljust(first[1]), *(text.rjust(width) for text, width in rest)]).rstrip())
        if number == 0:
            print("  ".join("-" * width for width in widths))


def _text(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
