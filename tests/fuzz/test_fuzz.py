"""A fixed set of random mechanisms: `make fuzz` draws more of them, for hours. What is checked is in the guarantees."""

from __future__ import annotations

from dataclasses import replace

import pytest
from quick_members import members

from fuzz.check import judge
from fuzz.contacts import random_recipe
from fuzz.families import run_of
from fuzz.run import cases

SEEDS = range(12)

RUNS = 3

MET = {
    (1002, 0): "a contact of rank one, e = 1: rounding went back and forth, no impulse was found",
    (1018, 0): "the bound of a rim near a capsule left its angle in the boundaries of a run",
    (1019, 4): "forces grew without bound between two floating-point times: STEP_TOO_SMALL",
    (1048, 1): "an impact that jams was told as the end of bounces",
    (1061, 5): "a slip kept its first direction for a whole step, its force changed its sign unseen",
    (1069, 0): "contacts that jam together, each alone does not, were told as forces that are not found",
    (1069, 1): "a rim near a cylinder on both sides: the lower side was not found, a gap of -1.7 mm",
    (1069, 3): "the direction of a slow slip that turns hung on the start of its step: a string seemed to push",
    (2077, 7): "a contact with one direction to slip in slipped along its friction: it crept, and was pulled",
    (2170, 9): "the same beside one that sticks: forces of 4e8 N and of -8 N in turn",
    (2036, 0): "friction made an impact with an approach that no motion has, at a dead point: UNSOLVED_IMPACT",
    (2036, 8): "the same in another motion",
    (2079, 8): "two bodies turn together, fast: what rounding leaves of their slow relative speed was told as a fault",
    (2100, 5): "the same approach of a contact of rank two: impulses of 2e8 N s, UNBALANCED_EVENT",
    (2100, 8): "the same in another motion; the oracle took two impacts of one event for one",
    (2103, 1): "an impact that friction makes began with a hop of its contact, whose energy it told as none",
    (2184, 5): "an impact of two turned back the one that separated: Newton's law lets it approach, the next follows",
    (2189, 4): "a body turned at 3000 rad/s: what the oracle tells by differences was wrong by a part in 1e6",
    (2027, 5): "one by one, the slip of what did not approach hid a slow approach: an impact without end, CHATTERING",
    (2110, 3): "a slow hit beside a fast slip: impulses of expansion were wrong by a part in 30 and accepted",
    (2004, 7): "friction that jams on a moving wall by itself, rank 2: the oracle looked for an approach only",
    (2055, 1): "the same at rank 1, Stronge's law",
    (2055, 8): "the same, mu = 3",
    (2063, 4): "Newton's law lets what separates come back with e of its speed: the oracle asked for none",
    (2073, 0): "the energy of an impact that friction makes was told with an approach of 1e-9 of the speed",
    (2093, 8): "friction that jams on a moving wall by itself, rank 1, Newton's law with the guard",
    (1101, 7): "e = 1 and a jam: the approach left of rounding was taken for a hop that never ends, 200 at one instant",
    (1117, 6): "an impact that friction makes took a contact that left in a low hop for one at rest",
    (5014, 0): "forces of a contact of rank one whose load turns: their rounding was told by the small load alone",
    (5025, 0): "the oracle's path of one contact ended to 1e-16 N s, of an impact of 1e-12 N s",
    (1152, 1): "a wall turns and drives a jam: the oracle took the slip left at the turn for one that goes on",
    (6575, 0): "an impact stopped a contact that locks itself, it was let go, and struck again without end: CHATTERING",
    (5156, 9): "all but nothing of s was left, and a jam that a wall drives was told as forces not found",
    (6114, 0): "rounding of accelerations that no force changes hid the forces that stick",
    (6522, 6): "a linear program that was too blunt missed the self-stress of a jam that a wall drives",
    (6550, 7): "the same rounding, of a contact beside another one",
    (8118, 4): "the same rounding, of a contact that locks itself",
    (8324, 1): "impulses of 1e8 N s, near a dead point, were told without what sharpening had added",
    (5205, 9): "the end of a capsule was passed at an angle of the rim that was held: back and forth, SLIDING",
    (8239, 6): "the same of a free body",
    (8381, 0): "the same condition, closed: the forces of one sample were those of the wrong side",
    (8381, 8): "the same beside a capsule, open: SLIDING",
    (8381, 9): "the same at the start of a stick",
    (8388, 4): "a bar far off: its ends' nearest places were not found, what was told of their growth turned a switch",
    (6588, 0): "the lowest place of a disc nearly flat runs round fast: the oracle's differences missed 1e-4",
    (8273, 9): "the same of a rim on a cylinder",
    (6535, 1): "a ball 10 m off: the search ended at no place of the surface, its distance there passed for a touch",
    (8128, 2): "the same at 4 m",
    (9282, 7): "a sticking contact had a gap rate of 1e-239 m/s, its impact beside another one was not found",
    (9490, 5): "rounding that no force changes made what locks itself slip, by accelerations of 1e-7 m/s^2",
    (9540, 3): "the same of one contact: forces of 1e9 N, PAINLEVE",
    (9297, 7): "PAINLEVE within the last places of time: the oracle looked at one sample",
    (9692, 1): "forces grew without bound within 80 roundings of the time, s was 5e-4 there: STEP_TOO_SMALL",
    (9049, 2): "what broke away from static friction slipped against that friction at first, where s is negative",
    (5191, 7): "slip turned and pressed anew in expansion: the oracle took all of that work back, not e^2 of it",
    (6113, 4): "a light body sticks to 1e-9 of the accelerations of a fast one: slip began 1e-9 s late",
    (6555, 0): "slip of 1e-3 m/s turns: what dense output is off by, 1e-8 of the speeds, turned friction by 1e-4",
    (8138, 4): "what locks itself was let go where it slipped without a force and was pressed at once: it pulled 1.7 N",
    (8138, 9): "the same, let go after each impact for a hop lower than those that end: CHATTERING",
    (8156, 8): "impulses in a ratio left an approach of 1e-10 of the speeds, which was hit without end: CHATTERING",
    (9394, 6): "an impact that friction makes left out what the law's had just sent off, and turned it back",
    (9405, 9): "friction took the rebound of Poisson's law: the oracle asked for e of the approach where bounces ended",
    (9538, 4): "the same along Routh's path",
    (9293, 2): "the last step ended where s is -2e-6, which counted as none of it: 200 slips at one instant",
    (9366, 3): "forces of 4e9 N missed their motion by rounding and were none before s came to 1e-6: NOT_FINITE",
    (6555, 8): "two places of a rim were less than two looks apart: the lower one was not found, a gap of -9e-7 m",
}
"""(seed, run): what broke an invariant there."""

MET_SOON = {
    (2063, 0, 0.9144): "settling took the approach that an impact had given to a contact that touched, 2e-5 m/s",
}
"""(seed, run, span): the same of the beginning of a long run."""

MET_COARSER = {
    (
        9366,
        3,
        1.1,
    ): "the oracle judged forces of 9e9 N, those of 3e-14 s before the end of a mode, by the rows of the end",
}
"""(seed, run, factor): the same of a run with so many times its tolerance."""


@pytest.mark.parametrize("seed", members(SEEDS, slow=(0, 1, 4, 5, 7, 8, 9, 11)))
def test_no_invariant_is_broken(seed):
    broken = {}
    for number, recipe, run in cases(seed, RUNS):
        if run is not None:
            verdict = judge(recipe, run, again=number == 0)
            if verdict.kinds:
                broken[number] = [verdict.error, *map(str, verdict.violations[:5])]
    assert not broken


LONG = {(2103, 1), (1069, 3), (1117, 6), (5156, 9), (6114, 0), (2079, 8), (9293, 2), (8138, 9), (8118, 4)}
LONG |= {(8388, 4), (6113, 4), (9366, 3), (8138, 4), (5205, 9), (8156, 8), (2110, 3), (9282, 7), (9394, 6)}
LONG |= {(1019, 4), (6535, 1), (6555, 0), (1002, 0), (8324, 1)}
"""Of these the ones that take longest."""

ALIKE = {(2170, 9), (2036, 8), (2100, 8), (2055, 1), (2055, 8), (8239, 6), (8381, 8), (8381, 9), (8273, 9), (8128, 2)}
ALIKE |= {(9540, 3), (8138, 9), (9538, 4)}
"""Those that show the fault of one before them in another motion or with another body."""


OF_THE_ORACLE = {case for case, fault in MET.items() if "the oracle" in fault}
"""Those in which the motion was right, and the oracle wrong."""

SHORT = [case for case in MET if case not in LONG | ALIKE | OF_THE_ORACLE]

QUICK = SHORT[::6]
"""Those that `make test` runs, some of each time and kind; the others by `make test-all`."""


@pytest.mark.parametrize("case", [pytest.param(case, marks=[pytest.mark.slow] * (case not in QUICK)) for case in MET])
def test_what_broke_an_invariant_once_does_so_no_more(case):
    seed, number = case
    recipe = random_recipe(seed)
    verdict = judge(recipe, run_of(recipe, number), again=False)
    assert not verdict.error
    assert not [*map(str, verdict.violations[:5])]


@pytest.mark.parametrize("case", MET_SOON)
def test_what_broke_an_invariant_soon_does_so_no_more(case):
    seed, number, span = case
    recipe = random_recipe(seed)
    verdict = judge(recipe, replace(run_of(recipe, number), span=span), again=False)
    assert not verdict.error
    assert not [*map(str, verdict.violations[:5])]


@pytest.mark.slow
@pytest.mark.parametrize("case", MET_COARSER)
def test_what_broke_an_invariant_with_another_tolerance_does_so_no_more(case):
    seed, number, factor = case
    recipe = random_recipe(seed)
    run = run_of(recipe, number)
    verdict = judge(recipe, replace(run, rtol=factor * run.rtol), again=False)
    assert not verdict.error
    assert not [*map(str, verdict.violations[:5])]
