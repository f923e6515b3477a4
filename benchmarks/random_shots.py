"""Ten thousand random shots over random smooth grounds against a dense search, and what the proof costs plain models.

`python benchmarks/random_shots.py [--count 10000] [--seed 0]` prints for each kind of ground how many runs and dense
searches agree on a hit or a pass, how many are missed, made up, off in time, or not proven; then the evaluations of
flow and gaps that the proof adds on cubes, dice and two links.
"""

from argparse import ArgumentParser
from collections import Counter

import numpy as np
from measure import show
from shots import grounds, shoot

from sympact import models
from sympact.hybrid.guard_proofs import Proofs

KINDS = ("hit", "pass", "unclear", "unproven")


def shots(count: int, seed: int) -> list[list]:
    """A row for each kind of ground and stepper."""
    rows = []
    for ground in grounds():
        for number, method in enumerate(("DOP853", "RK45")):
            rng, found = np.random.default_rng([seed, number]), Counter()
            for _ in range(count // 6):
                outcome = shoot(ground, rng, method)
                found[outcome if outcome in KINDS else "wrong"] += 1
                if outcome not in KINDS:
                    print(ground.name, method, outcome)
            rows.append([ground.name, method, *(found[kind] for kind in (*KINDS, "wrong"))])
    return rows


def cost() -> list[list]:
    """Evaluations of flow and gaps with and without the proof; parts that were enclosed."""
    rows, table = [], Proofs.table
    for name in ("tumbling_cube", "dropped_cube", "dice", "two_links"):
        ready = getattr(models, name)()
        for rtol in (1e-3, 1e-6, 1e-9):
            with_proof = ready.simulate(rtol=rtol).counts
            Proofs.table = lambda *arguments: None
            without = ready.simulate(rtol=rtol).counts
            Proofs.table = table
            more = [f"{100 * (with_proof[what] / without[what] - 1):.2f} %" for what in ("flow", "boundary")]
            rows.append([name, f"{rtol:.0e}", with_proof["steps"], with_proof["parts"], *more])
    return rows


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    show("evaluations that the proof adds", ["model", "rtol", "steps", "parts", "flows", "gaps"], cost())
    show("shots", ["ground", "method", *KINDS, "wrong"], shots(asked.count, asked.seed))
