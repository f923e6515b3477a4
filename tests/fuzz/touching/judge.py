"""One run of a heap from its numbers to its verdict."""

from __future__ import annotations

import functools
import warnings

import numpy as np

from fuzz.check import Verdict
from fuzz.reading import Findings
from fuzz.touching.arcs import check_arcs
from fuzz.touching.endings import explain
from fuzz.touching.heap import Drop, Heap
from fuzz.touching.heap_script import drop_script, model_script
from fuzz.touching.hits import check_hits
from fuzz.touching.sight import Sight


@functools.lru_cache(maxsize=2)
def build(heap: Heap) -> dict[str, object]:
    """The names that the heap's script makes, `model` among them."""
    names: dict[str, object] = {"__name__": "fuzz_heap"}
    exec(compile(model_script(heap), f"<heap {heap.seed}>", "exec"), names)
    return names


def simulate(heap: Heap, drop: Drop):
    """The run of the script, and the warnings of it."""
    names = dict(build(heap))
    text = drop_script(heap, drop).removeprefix(model_script(heap))
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        exec(compile(text, f"<drop of {heap.seed}>", "exec"), names)
    return names["result"], [str(warning.message) for warning in said]


def judge(heap: Heap, drop: Drop, again: bool = False) -> Verdict:
    """Run, and check all that must hold."""
    try:
        result, said = simulate(heap, drop)
    except Exception as error:
        return Verdict("ERROR", "", str(error), [], error=f"{type(error).__name__}: {str(error)[:120]}")
    found = Findings()
    with np.errstate(all="ignore"), warnings.catch_warnings():  # states of a run that went wrong may be of any size
        warnings.simplefilter("ignore")
        sight = Sight(heap, drop, result)
        check_arcs(sight, found)
        check_hits(sight, found, any("energy" in text for text in said))
        reason = explain(sight, found)
    if again:
        twin, _ = simulate(heap, drop)
        same = np.array_equal(result.t, twin.t) and np.array_equal(result.x, twin.x, equal_nan=True)
        found.expect(0.0 if same else 1.0, 0.0, "the same bits again", result.t[-1])
    return Verdict(result.status.name, reason, result.message, found.list, len(result.events), warnings=said)
