"""`python -m fuzz.run`: random models and many runs of each; what breaks an invariant is handed on as a script.

Options are environment variables, as `make fuzz SEED=1 MODELS=100` sets them: FAMILY (mechanisms, touching, combined,
twins, or all in turn where it is empty), SEED (the first model), MODELS (how many), RUNS (of each), MINUTES (no model
begins later), JOBS (processes), SMALL (so many failures of each kind and law are made smaller), FOLDER (of the scripts
and of the log, a line of JSON for each run).
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

from fuzz.check import Verdict
from fuzz.families import FAMILIES, Family
from fuzz.recipe import Recipe, Run

AGAIN = 4
"""One run of so many is made twice, to compare its bits."""


@dataclass
class Tally:
    """What was met."""

    models: int = 0
    starts_not_found: int = 0
    runs: int = 0
    runs_with_friction: int = 0
    events: int = 0
    seconds: float = 0.0
    statuses: Counter = field(default_factory=Counter)
    broken: Counter = field(default_factory=Counter)
    joints: Counter = field(default_factory=Counter)
    touches: Counter = field(default_factory=Counter)
    laws: Counter = field(default_factory=Counter)
    ranks: Counter = field(default_factory=Counter)

    def __iadd__(self, other: Tally) -> Tally:
        """The sum of two."""
        for part in fields(self):
            setattr(self, part.name, getattr(self, part.name) + getattr(other, part.name))
        return self

    def meet(self, met: dict[str, Counter]) -> None:
        """Count a model by what it has."""
        self.models += 1
        for part, counts in met.items():
            getattr(self, part).update(counts)

    def count(self, rubs: bool, verdict: Verdict) -> None:
        """Count a run."""
        self.runs += 1
        self.runs_with_friction += rubs
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
    """The runs of one mechanism with their numbers; None where no start was found."""
    return FAMILIES["mechanisms"].cases(seed, runs)


@dataclass(frozen=True)
class Failure:
    """A run that broke an invariant."""

    name: str
    family: str
    model: object
    run: object
    verdict: Verdict
    law: str


def try_model(named: str, seed: int, runs: int) -> tuple[Tally, list[dict], list[Failure]]:
    """All runs of one model of a family: what was met, a record of each, and what failed."""
    family, tally, records, failures = FAMILIES[named], Tally(), [], []
    start = time.process_time()
    for number, model, run in family.cases(seed, runs):
        if number == 0:
            tally.meet(family.met(model))
            if (what := _unbuilt(family, model)) is not None:
                tally.broken[what[0]] += 1
                records.append({"family": named, "seed": seed, "run": -1, "status": "BUILD", "kinds": [what[0]]})
                records[-1]["message"] = what[1]
                break
        if run is None:
            tally.starts_not_found += 1
            continue
        verdict = family.judge(model, run, again=number % AGAIN == 0)
        tally.count(family.rubs(run), verdict)
        law = next(iter(family.met(model)["laws"]))
        records.append(
            {"family": named, "seed": seed, "run": number, "status": verdict.status, "reason": verdict.reason}
            | {"law": law, "kinds": verdict.kinds, "message": verdict.message[:300]}
        )
        if verdict.kinds:
            failures.append(Failure(f"{family.letter}{seed}_{number}", named, model, run, verdict, law))
    tally.seconds = time.process_time() - start
    return tally, records, failures


def _unbuilt(family: Family, model: object) -> tuple[str, str] | None:
    """Why a model cannot be built; None where it can."""
    try:
        family.build(model)
    except Exception as error:
        return f"does not build: {type(error).__name__}", str(error)[:500]
    return None


def fails_like(family: Family, names: set[str]):
    """Whether a case breaks one of these invariants."""

    def fails(model: object, run: object) -> bool:
        try:
            return bool(names & set(family.judge(model, run, again="the same bits again" in names).kinds))
        except Exception:  # a smaller case that cannot be built or judged is none
            return False

    return fails


def hand_on(folder: Path, failure: Failure, small: bool) -> None:
    """Write a failure as a script, made smaller first where that is asked for."""
    family, model, run, verdict = FAMILIES[failure.family], failure.model, failure.run, failure.verdict
    if small:
        model, run = family.shrink(model, run, fails_like(family, set(verdict.kinds[:1])))
        verdict = family.judge(model, run)
    said = {violation.name: f"# {violation}".replace("\n", " ") for violation in reversed(verdict.violations)}
    head = [f"# {verdict.status}: {verdict.message}".replace("\n", " "), *said.values()]
    (folder / f"{failure.name}.py").write_text(
        "\n".join([*head, f"# {verdict.error}" if verdict.error else "", family.script(model, run)])
    )


def fuzz(named: list[str], seeds: range, runs: int, minutes: float, jobs: int, folder: Path, small: int) -> Tally:
    """Try models of families in turn; each failure becomes a script, the first of each kind and law made smaller."""
    tally, end, kinds = Tally(), time.monotonic() + 60 * minutes, Counter()
    folder.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(jobs) as pool, (folder / "log.jsonl").open("a") as log:
        waiting, todo = set(), ((name, seed) for seed in seeds for name in named)
        while True:
            while len(waiting) < 2 * jobs and time.monotonic() < end and (case := next(todo, None)) is not None:
                waiting.add(pool.submit(try_model, *case, runs))
            if not waiting:
                return tally
            done = next(as_completed(waiting))
            waiting.discard(done)
            met, records, failures = done.result()
            tally += met
            log.writelines(json.dumps(record) + "\n" for record in records)
            log.flush()
            for failure in failures:
                print(f"{failure.name} {failure.verdict.status} {failure.law}: {failure.verdict.kinds}", flush=True)
                kinds[failure.verdict.kinds[0], failure.law] += 1
                hand_on(folder, failure, kinds[failure.verdict.kinds[0], failure.law] <= small)


def main() -> int:
    """Run as the variables say; 1 where an invariant was broken."""
    defaults = {"SEED": "0", "MODELS": "1000", "RUNS": "10", "MINUTES": "60", "JOBS": str(os.cpu_count()), "SMALL": "1"}
    told = {name: float(os.environ.get(name) or default) for name, default in defaults.items()}
    folder, start = Path(os.environ.get("FOLDER") or "fuzz-failures"), time.monotonic()
    seeds = range(int(told["SEED"]), int(told["SEED"] + told["MODELS"]))
    named = (os.environ.get("FAMILY") or " ".join(FAMILIES)).split()
    if unknown := set(named) - set(FAMILIES):
        raise SystemExit(f"FAMILY is {' '.join(sorted(unknown))}, expected some of {', '.join(FAMILIES)}")
    tally = fuzz(named, seeds, int(told["RUNS"]), told["MINUTES"], int(told["JOBS"]), folder, int(told["SMALL"]))
    print(f"{tally}\n{time.monotonic() - start:.0f} s; failures are scripts in {folder}/")
    return int(bool(tally.broken))


if __name__ == "__main__":
    sys.exit(main())
