"""`python -m fuzz.run`: random models and many runs of each; what breaks an invariant is handed on as a script.

Options are environment variables, as `make fuzz SEED=1 MODELS=100` sets them: SEED (the first model), MODELS (how
many), RUNS (of each), MINUTES (no model begins later), JOBS (processes), SMALL (so many failures of each kind and law
are made smaller), FOLDER (of the scripts and of the log, a line of JSON for each run).
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field, fields
from pathlib import Path

import numpy as np

from fuzz.check import Verdict, build, judge
from fuzz.contacts import random_recipe, random_run, ranks
from fuzz.recipe import Recipe, Run, Touch
from fuzz.script import run_script
from fuzz.shrink import shrink

AGAIN = 4
"""One run of so many is made twice, to compare its bits."""


@dataclass
class Tally:
    """What was met."""

    models: int = 0
    starts_not_found: int = 0
    models_with_low_rank: int = 0
    frictional_contacts: int = 0
    frictional_contacts_of_low_rank: int = 0
    runs: int = 0
    runs_with_friction: int = 0
    events: int = 0
    seconds: float = 0.0
    statuses: Counter = field(default_factory=Counter)
    broken: Counter = field(default_factory=Counter)
    joints: Counter = field(default_factory=Counter)
    touches: Counter = field(default_factory=Counter)
    laws: Counter = field(default_factory=Counter)

    def __iadd__(self, other: Tally) -> Tally:
        """The sum of two."""
        for part in fields(self):
            setattr(self, part.name, getattr(self, part.name) + getattr(other, part.name))
        return self

    def meet(self, recipe: Recipe) -> None:
        """Count a model."""
        self.models += 1
        self.joints.update(body.joint for body in recipe.bodies)
        self.laws[f"{recipe.law}, {recipe.resolution.split('(')[0]}"] += 1
        for contact in recipe.contacts:
            told = isinstance(contact, Touch)
            self.touches[
                f"{contact.body.kind} on {contact.surface.kind}" if told else type(contact).__name__.lower()
            ] += 1
        found = ranks(recipe, recipe.start)
        self.frictional_contacts += len(found)
        self.frictional_contacts_of_low_rank += sum(rank < 3 for rank in found)
        self.models_with_low_rank += any(rank < 3 for rank in found)

    def count(self, run: Run, verdict: Verdict) -> None:
        """Count a run."""
        self.runs += 1
        self.runs_with_friction += any(name.startswith("mu_") and value > 0 for name, value in run.numbers.items())
        self.events += verdict.events
        self.statuses[f"{verdict.status} ({verdict.reason or 'NOT EXPLAINED'})"] += 1
        self.broken.update(verdict.kinds)

    def __str__(self) -> str:
        """All of it in lines."""
        lines = []
        for part in fields(self):
            value = getattr(self, part.name)
            if isinstance(value, Counter):
                value = "; ".join(f"{name}: {count}" for name, count in value.most_common()) or "none"
            lines.append(f"{part.name.replace('_', ' ')}: {value}")
        return "\n".join(lines)


def cases(seed: int, runs: int) -> Iterator[tuple[int, Recipe, Run | None]]:
    """The runs of one model with their numbers; None where no start was found."""
    recipe = random_recipe(seed)
    for number in range(runs):
        yield number, recipe, run_of(recipe, number)


def run_of(recipe: Recipe, number: int) -> Run | None:
    """One of these runs."""
    return random_run(np.random.default_rng([recipe.seed, 23, number]), recipe)


def try_model(seed: int, runs: int) -> tuple[Tally, list[dict], list[tuple[str, Recipe, Run, Verdict]]]:
    """All runs of one model: what was met, a record of each, and what failed, by name."""
    tally, records, failures, start = Tally(), [], [], time.process_time()
    for number, recipe, run in cases(seed, runs):
        if number == 0:
            tally.meet(recipe)
            try:
                build(recipe)
            except Exception as error:
                what = f"does not build: {type(error).__name__}"
                tally.broken[what] += 1
                records.append(
                    {"seed": seed, "run": -1, "status": "BUILD", "kinds": [what], "message": str(error)[:500]}
                )
                break
        if run is None:
            tally.starts_not_found += 1
            continue
        verdict = judge(recipe, run, again=number % AGAIN == 0)
        tally.count(run, verdict)
        records.append(
            {"seed": seed, "run": number, "status": verdict.status, "reason": verdict.reason, "law": recipe.law}
            | {"resolution": recipe.resolution, "kinds": verdict.kinds, "message": verdict.message[:300]}
        )
        if verdict.kinds:
            failures.append((f"m{seed}_{number}", recipe, run, verdict))
    tally.seconds = time.process_time() - start
    return tally, records, failures


def fails_like(names: set[str]):
    """Whether a case breaks one of these invariants."""

    def fails(recipe: Recipe, run: Run) -> bool:
        try:
            return bool(names & set(judge(recipe, run, again="the same bits again" in names).kinds))
        except Exception:  # a smaller case that cannot be built or judged is none
            return False

    return fails


def hand_on(folder: Path, name: str, recipe: Recipe, run: Run, verdict: Verdict, small: bool) -> None:
    """Write a failure as a script, made smaller first where that is asked for."""
    if small:
        recipe, run = shrink(recipe, run, fails_like(set(verdict.kinds[:1])))
        verdict = judge(recipe, run)
    said = {violation.name: f"# {violation}".replace("\n", " ") for violation in reversed(verdict.violations)}
    head = [f"# {verdict.status}: {verdict.message}".replace("\n", " "), *said.values()]
    (folder / f"{name}.py").write_text(
        "\n".join([*head, f"# {verdict.error}" if verdict.error else "", run_script(recipe, run)])
    )


def fuzz(seeds: range, runs: int, minutes: float, jobs: int, folder: Path, small: int) -> Tally:
    """Try models; each failure becomes a script, the first few of each kind and law are made smaller."""
    tally, end, kinds = Tally(), time.monotonic() + 60 * minutes, Counter()
    folder.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(jobs) as pool, (folder / "log.jsonl").open("a") as log:
        waiting, todo = set(), iter(seeds)
        while True:
            while len(waiting) < 2 * jobs and time.monotonic() < end and (seed := next(todo, None)) is not None:
                waiting.add(pool.submit(try_model, seed, runs))
            if not waiting:
                return tally
            done = next(as_completed(waiting))
            waiting.discard(done)
            met, records, failures = done.result()
            tally += met
            log.writelines(json.dumps(record) + "\n" for record in records)
            log.flush()
            for name, recipe, run, verdict in failures:
                print(f"{name} {verdict.status} {recipe.law} {recipe.resolution}: {verdict.kinds}", flush=True)
                kinds[verdict.kinds[0], recipe.law] += 1
                hand_on(folder, name, recipe, run, verdict, kinds[verdict.kinds[0], recipe.law] <= small)


def main() -> int:
    """Run as the variables say; 1 where an invariant was broken."""
    defaults = {"SEED": "0", "MODELS": "1000", "RUNS": "10", "MINUTES": "60", "JOBS": str(os.cpu_count()), "SMALL": "1"}
    told = {name: float(os.environ.get(name) or default) for name, default in defaults.items()}
    folder, start = Path(os.environ.get("FOLDER") or "fuzz-failures"), time.monotonic()
    seeds = range(int(told["SEED"]), int(told["SEED"] + told["MODELS"]))
    tally = fuzz(seeds, int(told["RUNS"]), told["MINUTES"], int(told["JOBS"]), folder, int(told["SMALL"]))
    print(f"{tally}\n{time.monotonic() - start:.0f} s; failures are scripts in {folder}/")
    return int(bool(tally.broken))


if __name__ == "__main__":
    sys.exit(main())
