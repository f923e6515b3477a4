"""Smaller heaps and drops that break the same invariant: fewer bodies, a shorter run, plainer numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from fuzz.touching.heap import Drop, Heap


def shrink_heap(heap: Heap, drop: Drop, fails: Callable[[Heap, Drop], bool], most: int = 40) -> tuple[Heap, Drop]:
    """The smallest case found that still fails; `fails` is asked at most so many times."""
    tries, smaller = 0, True
    while smaller and tries < most:
        smaller = False
        for case in _smaller(heap, drop):
            tries += 1
            if tries > most:
                break
            if fails(*case):
                heap, drop = case
                smaller = True
                break
    return heap, drop


def _smaller(heap: Heap, drop: Drop) -> Iterator[tuple[Heap, Drop]]:
    """Cases that are smaller by one thing, the largest first."""
    for body in reversed(range(len(heap.parts))):
        if len(heap.parts) > 1:
            yield without(heap, drop, body)
    if any(drop.pushes):
        yield heap, replace(drop, pushes=(0.0,) * len(heap.parts))
    if any(drop.u):
        yield heap, replace(drop, u=(0.0,) * len(drop.u))
    if drop.span > 0.05:
        yield heap, replace(drop, span=round(0.6 * drop.span, 4))
    for name in ("restitution", "floor_restitution", "friction", "floor_friction"):
        if getattr(drop, name) > 0.0:
            yield heap, replace(drop, **{name: 0.0})


def without(heap: Heap, drop: Drop, body: int) -> tuple[Heap, Drop]:
    """Without one body."""
    places = [k for k in range(len(heap.parts)) if k != body]
    q_width, u_width = (len(names) // len(heap.parts) for names in (heap.coordinates, heap.speeds))
    pairs = tuple((places.index(i), places.index(j)) for i, j in heap.pairs if body not in (i, j))
    smaller = replace(heap, parts=tuple(heap.parts[k] for k in places), pairs=pairs)
    kept = replace(
        drop,
        q=tuple(part for k in places for part in drop.q[k * q_width : (k + 1) * q_width]),
        u=tuple(part for k in places for part in drop.u[k * u_width : (k + 1) * u_width]),
        pushes=tuple(drop.pushes[k] for k in places) if drop.pushes else (),
    )
    return smaller, kept
