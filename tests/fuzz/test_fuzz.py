"""A fixed set of random mechanisms: `make fuzz` draws more of them, for hours. What is checked is in the guarantees."""

from __future__ import annotations

import pytest

from fuzz.run import cases, judge

SEEDS = range(12)

RUNS = 3

KNOWN: dict[tuple[int, int], str] = {
    (9, 0): "a ball that sticks locks its linkage at a dead point: forces of 3e8 N pull 1e-8 s before it slips",
}
"""(seed, run): why the run breaks an invariant. To be emptied."""

MET = {
    (1002, 0): "a contact of rank one, e = 1: rounding went back and forth, no impulse was found",
    (1018, 0): "the bound of a rim near a capsule left its angle in the boundaries of a run",
    (1019, 4): "forces grew without bound between two floating-point times: STEP_TOO_SMALL",
    (1048, 1): "an impact that jams was told as the end of bounces",
    (1061, 5): "a slip kept its first direction for a whole step, its force changed its sign unseen",
    (1069, 0): "contacts that jam together, each alone does not, were told as forces that are not found",
    (1069, 1): "a rim near a cylinder on both sides: the lower side was not found, a gap of -1.7 mm",
    (1101, 7): "e = 1 and a jam: the approach left of rounding was taken for a hop that never ends, 200 at one instant",
    (1117, 6): "an impact that friction makes took a contact that left in a low hop for one at rest",
}
"""(seed, run): what broke an invariant there."""


@pytest.mark.parametrize("seed", SEEDS)
def test_no_invariant_is_broken(seed):
    broken = {}
    for number, recipe, run in cases(seed, RUNS):
        if run is not None and (seed, number) not in KNOWN:
            verdict = judge(recipe, run, again=number == 0)
            if verdict.kinds:
                broken[number] = [verdict.error, *map(str, verdict.violations[:5])]
    assert not broken


@pytest.mark.parametrize("case", MET)
def test_what_broke_an_invariant_once_does_so_no_more(case):
    seed, number = case
    *_, (_, recipe, run) = cases(seed, number + 1)
    verdict = judge(recipe, run, again=False)
    assert not verdict.error
    assert not [*map(str, verdict.violations[:5])]
