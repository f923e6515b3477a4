"""Smaller models and runs that break the same invariant: fewer bodies, loads and contacts, shorter, plainer numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from fuzz.recipe import Push, Recipe, Run, Touch, carriers

Case = tuple[Recipe, Run]


def shrink(recipe: Recipe, run: Run, fails: Callable[[Recipe, Run], bool], most: int = 60) -> Case:
    """The smallest case found that still fails; `fails` is asked at most so many times."""
    tries, smaller = 0, True
    while smaller and tries < most:
        smaller = False
        for case in _smaller(recipe, run):
            tries += 1
            if tries > most:
                break
            if fails(*case):
                recipe, run = case
                smaller = True
                break
    return recipe, run


def _smaller(recipe: Recipe, run: Run) -> Iterator[Case]:
    """Cases that are smaller by one thing, the largest first."""
    for body in reversed(recipe.bodies):
        if all(body.name != other.parent for other in recipe.bodies) and len(recipe.bodies) > 1:
            case = _without_body(recipe, run, body.name)
            if case is not None:
                yield case
    for k in range(len(recipe.contacts)):
        if len(recipe.contacts) > 1:
            yield replace(recipe, contacts=recipe.contacts[:k] + recipe.contacts[k + 1 :]), run
    for k in range(len(recipe.loads)):
        yield replace(recipe, loads=recipe.loads[:k] + recipe.loads[k + 1 :]), run
    for k, load in enumerate(recipe.loads):
        if isinstance(load, Push) and load.name:
            plain = replace(load, name="", kind="constant" if load.kind == "number" else "sine")
            yield replace(recipe, loads=(*recipe.loads[:k], plain, *recipe.loads[k + 1 :])), run
    used = set().union(*map(carriers, recipe.contacts)) if recipe.contacts else set()
    if any(mover.name not in used for mover in recipe.movers):
        yield replace(recipe, movers=tuple(mover for mover in recipe.movers if mover.name in used)), run
    for k, contact in enumerate(recipe.contacts):
        if isinstance(contact, Touch) and contact.static:
            plain = replace(contact, static=False)
            yield replace(recipe, contacts=(*recipe.contacts[:k], plain, *recipe.contacts[k + 1 :])), run
    if any(run.u):
        yield recipe, replace(run, u=tuple(0.0 for _ in run.u))
    if run.span > 0.05:
        yield recipe, replace(run, span=round(run.span / 2, 4))
    for digits in (1, 2):
        plain = replace(run, q=tuple(round(v, digits) for v in run.q), u=tuple(round(v, digits) for v in run.u))
        if plain != run:
            yield recipe, plain


def _without_body(recipe: Recipe, run: Run, name: str) -> Case | None:
    """Without a body that carries no other, and what hangs on it; None where no contact is left."""
    keep = [k for k, letter in enumerate(recipe.coordinates) if not letter.startswith(f"q{name[1:]}_")]
    contacts = tuple(contact for contact in recipe.contacts if name not in carriers(contact))
    if not contacts or not keep:
        return None
    smaller = replace(
        recipe,
        bodies=tuple(body for body in recipe.bodies if body.name != name),
        loads=tuple(load for load in recipe.loads if name not in carriers(load)),
        contacts=contacts,
    )
    return smaller, replace(run, q=tuple(run.q[k] for k in keep), u=tuple(run.u[k] for k in keep))
