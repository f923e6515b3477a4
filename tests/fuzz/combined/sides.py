"""The conditions of a scene, and on which side each of their sums is."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fuzz.combined.carts import Carts
from fuzz.combined.polynomials import ROUNDING, side
from fuzz.combined.rows import Undecided
from fuzz.combined.scene import Condition, Scene, Terms

Key = tuple[int, int]
"""The numbers of a condition and of one of its sums."""


def conditions_of(scene: Scene) -> Iterator[tuple[str, Condition]]:
    """Who owns each condition: transitions, latches, events of one's own."""
    for k, one in enumerate(scene.changes):
        yield from ((f"s{k}", condition) for condition in one.conditions)
    for k, catch in enumerate(scene.catches):
        yield from ((f"l{k} closes", catch.closes),) if catch.closes else ()
        yield from ((f"l{k} opens", catch.opens),) if catch.opens else ()
    for k, watch in enumerate(scene.watches):
        yield f"w{k}", watch.condition


def of_forces(terms: Terms) -> bool:
    """Whether a sum contains forces."""
    return any(name[0] in "NR" for name, _ in terms)


class Sides:
    """Which sums are positive.

    Attributes
    ----------
    of : dict of (int, int) to int
        1, -1, or 0 of what is zero for a while.
    unsure : set of str
        Own events of a sum that is zero for a while, or was: whether they are recorded is not known.
    """

    def __init__(self, scene: Scene):
        self.scene, self.conditions = scene, list(conditions_of(scene))
        self.of: dict[Key, int] = {}
        self.unsure: set[str] = set()

    def terms(self, key: Key) -> Terms:
        """A sum."""
        return self.conditions[key[0]][1].sums[key[1]]

    def edges(self, carts: Carts, turned: dict[Key, int], *, forces: bool) -> list[int]:
        """The conditions that have come true by now, or passed zero; their sides are taken over."""
        new = dict(self.of)
        for key in self.of:
            if key in turned:
                new[key] = turned[key]
            elif forces or not of_forces(self.terms(key)):
                number = carts.now(self.terms(key))
                if abs(number) > ROUNDING:
                    new[key] = int(np.sign(number))
        fired = [k for k in range(len(self.conditions)) if self._fires(k, new)]
        self.of = new
        return fired

    def _fires(self, k: int, new: dict[Key, int]) -> bool:
        """Whether a condition has an event where sides become new ones; a boundary fires where it increases."""
        owner, condition = self.conditions[k]
        before, after = ([sides[k, i] for i in range(len(condition.sums))] for sides in (self.of, new))
        if 0 in before or 0 in after:
            return False
        if condition.sort in ("zero", "up", "down"):
            both = (-1, 1) if owner[0] == "w" else (1,)
            wanted = {"zero": both, "up": (1,), "down": (-1,)}[condition.sort]
            return before != after and after[0] in wanted
        truth = any if condition.sort == "any" else all
        return truth(one > 0 for one in after) and not truth(one > 0 for one in before)

    def settle(self, carts: Carts, crossed: set) -> None:
        """The sides just after an instant, at which these sums have passed zero."""
        for k, (owner, condition) in enumerate(self.conditions):
            for i, terms in enumerate(condition.sums):
                now, was = side(carts.piece.of(terms)), self.of.get((k, i))
                if now == 0 or was == 0:
                    self._is_zero(owner)
                elif was not in (None, now) and (k, i) not in crossed:
                    raise Undecided("a jump to zero")
                self.of[k, i] = now

    def _is_zero(self, owner: str) -> None:
        """A sum is zero for a while, or was.

        That of a latch which is closed does not count, and what leaves zero as it opens has not become true.
        """
        if owner.endswith(" closes"):
            return
        if owner[0] != "w" or self.scene.watches[int(owner[1:])].stop:
            raise Undecided("a condition is zero for a while")
        self.unsure.add(owner)

    def turned(self, carts: Carts, crossed: set) -> bool:
        """Whether a sum that has just passed zero is zero still, so that a jump turns it; not one of time alone."""
        sums = [self.terms(key) for key in crossed if not isinstance(key, str)]
        moving = [terms for terms in sums if not {name for name, _ in terms} <= {"t", "1"}]
        return any(abs(carts.now(terms)) < ROUNDING for terms in moving)
