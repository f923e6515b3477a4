"""Smaller scenes and runs that break the same invariant: fewer parts of each kind, a shorter run, plainer inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace

from fuzz.combined.scene import Drive, Play, Scene


def shrink_scene(scene: Scene, play: Play, fails: Callable[[Scene, Play], bool], most: int = 60) -> tuple[Scene, Play]:
    """The smallest case found that still fails; `fails` is asked at most so many times."""
    tries, smaller = 0, True
    while smaller and tries < most:
        smaller = False
        for case in _smaller(scene, play):
            tries += 1
            if tries > most:
                break
            if fails(*case):
                scene, play = case
                smaller = True
                break
    return scene, play


def _smaller(scene: Scene, play: Play) -> Iterator[tuple[Scene, Play]]:
    """Cases that are smaller by one thing; numbers in names stay those of what is left."""
    last = len(scene.masses) - 1
    if last and not _mentions(scene, last):
        drives = {k: drive for k, drive in scene.drives.items() if k != last}
        acts = tuple(act for act in scene.acts if act.cart != last)
        shorter = {name: getattr(play, name)[:last] for name in ("x", "u", "weights")}
        yield replace(scene, masses=scene.masses[:last], drives=drives, acts=acts), replace(play, **shorter)
    for name in ("watches", "changes"):
        parts = getattr(scene, name)
        for k in range(len(parts)):
            yield replace(scene, **{name: parts[:k] + parts[k + 1 :]}), play
    for name, letter in (("catches", "R"), ("touches", "N"), ("gears", "")):
        parts = getattr(scene, name)
        for k in range(len(parts)) if not letter or not _has(scene, letter) else ():
            e = play.restitutions[:k] + play.restitutions[k + 1 :] if name == "touches" else play.restitutions
            yield replace(scene, **{name: parts[:k] + parts[k + 1 :]}), replace(play, restitutions=e)
    for act in scene.acts:
        acts = tuple(one for one in scene.acts if one is not act)
        yield replace(scene, acts=acts, drives={**scene.drives, act.cart: Drive("number", (act.start,))}), play
    for k, drive in scene.drives.items():
        if drive.kind != "number":
            yield replace(scene, drives={**scene.drives, k: Drive("number", drive.numbers[:1])}), play
    yield scene, replace(play, span=round(0.7 * play.span, 3))


def _words(part: object) -> Iterator[str]:
    """All letters that a part mentions."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, tuple):
        for one in part:
            yield from _words(one)
    elif is_dataclass(part):
        for one in fields(part):
            yield from _words(getattr(part, one.name))


def _has(scene: Scene, letter: str) -> bool:
    """Whether a condition contains a force of this kind."""
    return any(word[:1] == letter and word[1:].isdigit() for word in _words(scene))


def _mentions(scene: Scene, cart: int) -> bool:
    """Whether anything but its own input mentions a cart."""
    rows = [*scene.gears, *(touch.pair for touch in scene.touches), *(catch.pair for catch in scene.catches)]
    if any(cart in (pair.first, pair.second) for pair in rows):
        return True
    others = (*scene.catches, *scene.changes, *scene.watches, *(act for act in scene.acts if act.cart != cart))
    return bool({f"x{cart}", f"u{cart}", f"F{cart}"} & set(_words(others)))
