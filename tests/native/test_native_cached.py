"""A stored property of one object may wait for that of another one, which another thread computes."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from sympact.native.cached import cached_property

PATIENCE = 20.0  # s; nothing here takes longer than some milliseconds


class Part:
    """Something whose size is that of another one, if it has one."""

    def __init__(self, whole: Part | None, met: Barrier) -> None:
        self.whole, self.met, self.computed = whole, met, 0

    @cached_property
    def size(self) -> int:
        """1 without another one."""
        self.computed += 1
        if self.whole is None:
            self.met.wait(PATIENCE)  # until the other thread is inside `size`, too
            return 1
        return self.whole.size

    @cached_property
    def double(self) -> int:
        """Twice the size, which another property has."""
        self.met.wait(PATIENCE)
        return 2 * self.size


def test_two_objects_of_a_class_compute_at_once():
    """With one lock for all objects each thread would wait for what the other one has, until the barrier breaks."""
    met = Barrier(2)
    alone, other = Part(None, met), Part(None, met)
    with ThreadPoolExecutor(2) as pool:
        found = [pool.submit(lambda part: part.size, part) for part in (alone, other)]
        assert [one.result(PATIENCE) for one in found] == [1, 1]


def test_properties_that_need_each_other_in_two_objects():
    met = Barrier(2)
    inner = Part(None, Barrier(1))
    outer = Part(inner, met)
    with ThreadPoolExecutor(2) as pool:
        found = [pool.submit(lambda: outer.double), pool.submit(lambda: Part(outer, met).double)]
        assert [one.result(PATIENCE) for one in found] == [2, 2]


def test_it_is_computed_once():
    part = Part(Part(None, Barrier(1)), Barrier(1))
    assert (part.size, part.size, part.computed, vars(part)["size"]) == (1, 1, 1, 1)
