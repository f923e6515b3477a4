"""One run from the recipe to its verdict."""

from __future__ import annotations

import functools
import warnings
from dataclasses import dataclass, field

import numpy as np

from fuzz.blows import check_events
from fuzz.endings import explain
from fuzz.flight import check_flight
from fuzz.reading import Findings, Reading, Violation
from fuzz.recipe import Recipe, Run
from fuzz.script import model_script, run_script


@dataclass(frozen=True)
class Verdict:
    """How a run went."""

    status: str
    reason: str
    message: str
    violations: list[Violation]
    events: int = 0
    error: str = ""
    warnings: list[str] = field(default_factory=list)

    @property
    def kinds(self) -> list[str]:
        """The names of the broken invariants, each once."""
        return [f"raises {self.error}"] if self.error else list(dict.fromkeys(v.name for v in self.violations))


@functools.lru_cache(maxsize=2)
def build(recipe: Recipe) -> dict[str, object]:
    """The names that the recipe's script makes, `model` among them."""
    names: dict[str, object] = {"__name__": "fuzz_model"}
    exec(compile(model_script(recipe), f"<model {recipe.seed}>", "exec"), names)
    return names


def simulate(recipe: Recipe, run: Run):
    """The run of the script, and the warnings of it."""
    names = dict(build(recipe))
    text = run_script(recipe, run).removeprefix(model_script(recipe))
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        exec(compile(text, f"<run of {recipe.seed}>", "exec"), names)
    return names["result"], [str(warning.message) for warning in said]


def judge(recipe: Recipe, run: Run, again: bool = True) -> Verdict:
    """Run, and check all that must hold."""
    try:
        result, said = simulate(recipe, run)
    except Exception as error:
        return Verdict("ERROR", "", str(error), [], error=f"{type(error).__name__}: {str(error)[:120]}")
    found = Findings()
    with np.errstate(all="ignore"), warnings.catch_warnings():  # states of a run that went wrong may be of any size
        warnings.simplefilter("ignore")
        reading = Reading(recipe, run, result)
        check_flight(reading, found)
        check_events(reading, found, any("energy" in text for text in said))
        reason = explain(reading, found)
    if again:
        twin, _ = simulate(recipe, run)
        same = np.array_equal(result.t, twin.t) and np.array_equal(result.x, twin.x, equal_nan=True)
        found.expect(0.0 if same else 1.0, 0.0, "the same bits again", reading.t[-1])
    return Verdict(result.status.name, reason, result.message, found.list, len(result.events), warnings=said)
