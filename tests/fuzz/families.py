"""What `make fuzz` draws its models from: for each family the cases of a seed, their judge, script and smaller ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fuzz.check import Verdict, build, judge
from fuzz.combined.draws import random_play, random_scene
from fuzz.combined.judge import build as build_scene
from fuzz.combined.judge import judge as judge_scene
from fuzz.combined.scene import Scene
from fuzz.combined.scene_script import play_script
from fuzz.combined.scene_shrink import shrink_scene
from fuzz.combined.twins import PLACES, Twins, random_swing, random_twins, shrink_twins, twins_script
from fuzz.combined.twins import judge as judge_twins
from fuzz.combined.twins import simulate as simulate_twins
from fuzz.contacts import random_recipe, random_run, ranks
from fuzz.recipe import Recipe, Run, Touch
from fuzz.script import run_script
from fuzz.shrink import shrink
from fuzz.touching.heap import Drop, Heap
from fuzz.touching.heap_script import drop_script
from fuzz.touching.heap_shrink import shrink_heap
from fuzz.touching.judge import build as build_heap
from fuzz.touching.judge import judge as judge_heap
from fuzz.touching.populations import random_heap, varied, weakening_heap


@dataclass(frozen=True)
class Family:
    """A kind of models.

    `model` is drawn by a seed, `run` by its number, None where no start is found; `met` counts what a model has.
    """

    letter: str
    model: Callable[[int], Any]
    run: Callable[[Any, int], Any]
    build: Callable[[Any], object]
    judge: Callable[..., Verdict]
    script: Callable[[Any, Any], str]
    shrink: Callable[..., tuple[Any, Any]]
    met: Callable[[Any], dict[str, Counter]]
    rubs: Callable[[Any], bool]

    def cases(self, seed: int, runs: int) -> Iterator[tuple[int, Any, Any]]:
        """The runs of one model with their numbers."""
        model = self.model(seed)
        for number in range(runs):
            yield number, model, self.run(model, number)


def run_of(recipe: Recipe, number: int) -> Run | None:
    """One run of a mechanism."""
    return random_run(np.random.default_rng([recipe.seed, 23, number]), recipe)


def _mechanism_met(recipe: Recipe) -> dict[str, Counter]:
    touches = [
        f"{contact.body.kind} on {contact.surface.kind}"
        if isinstance(contact, Touch)
        else type(contact).__name__.lower()
        for contact in recipe.contacts
    ]
    found = ranks(recipe, recipe.start)
    return {
        "joints": Counter(body.joint for body in recipe.bodies),
        "touches": Counter(touches),
        "laws": Counter([f"{recipe.law}, {recipe.resolution.split('(')[0]}"]),
        "ranks": Counter("full" if rank == 3 else "low" for rank in found),
    }


def _heap_met(case: tuple[Heap, Drop]) -> dict[str, Counter]:
    heap, _ = case
    return {
        "joints": Counter(type(part).__name__.lower() for part in heap.parts),
        "touches": Counter({f"{len(heap.parts)} bodies": 1}),
        "laws": Counter([f"{heap.law}, {heap.resolution.split('(')[0]}"]),
        "ranks": Counter(),
    }


def _scene_met(scene: Scene) -> dict[str, Counter]:
    parts = {name: len(getattr(scene, name)) for name in ("touches", "gears", "catches", "changes", "watches", "acts")}
    return {
        "joints": Counter({"carts": len(scene.masses)}),
        "touches": Counter({name: count for name, count in parts.items() if count}),
        "laws": Counter(["Newton(), combined"]),
        "ranks": Counter(),
    }


def _twins_met(twins: Twins) -> dict[str, Counter]:
    return {
        "joints": Counter({"pendulums": len(twins.masses)}),
        "touches": Counter({"walls": len(twins.walls), "latches": int(bool(twins.latch))}),
        "laws": Counter(["Newton(), twins"]),
        "ranks": Counter(),
    }


def _judge_drop(case: tuple[Heap, Drop], drop: Drop, again: bool = True) -> Verdict:
    return judge_heap(case[0], drop, again)


def _shrink_drop(case: tuple[Heap, Drop], drop: Drop, fails) -> tuple[tuple[Heap, Drop], Drop]:
    heap, smaller = shrink_heap(case[0], drop, lambda heap, drop: fails((heap, drop), drop))
    return (heap, smaller), smaller


FAMILIES = {
    "mechanisms": Family(
        "m",
        random_recipe,
        run_of,
        build,
        judge,
        run_script,
        shrink,
        _mechanism_met,
        lambda run: any(name.startswith("mu_") and value > 0 for name, value in run.numbers.items()),
    ),
    "touching": Family(
        "t",
        random_heap,
        lambda case, number: varied(*case, number),
        lambda case: build_heap(case[0]),
        _judge_drop,
        lambda case, drop: drop_script(case[0], drop),
        _shrink_drop,
        _heap_met,
        lambda drop: drop.friction > 0 or drop.floor_friction > 0,
    ),
    "combined": Family(
        "c",
        random_scene,
        random_play,
        build_scene,
        judge_scene,
        play_script,
        shrink_scene,
        _scene_met,
        lambda play: False,
    ),
    "twins": Family(
        "p",
        random_twins,
        random_swing,
        lambda twins: simulate_twins(twins, random_swing(twins, 0), PLACES),
        judge_twins,
        lambda twins, swing: twins_script(twins, swing, PLACES),
        shrink_twins,
        _twins_met,
        lambda swing: False,
    ),
}
FAMILIES["weakening"] = replace(FAMILIES["touching"], letter="w", model=weakening_heap)
