"""Random contacts of every kind on a tree, placed so that they are open at the start and likely to be met."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fuzz.geometry import touching
from fuzz.motion import Motion, rotation
from fuzz.recipe import FREEDOMS, Recipe, Run, Shape, Stop, Tie, Touch
from fuzz.rows import gaps, rows
from fuzz.trees import _exact, random_rotation, random_tree, rounded, spread, turns_of

BODIES = {"point": 5, "ball": 3, "disc": 2, "capsule": 2}
"""How often each shape is drawn."""

SURFACES = {
    "point": ["plane", "plane", "plane", "sphere", "sphere", "cylinder", "cylinder", "capsule", "implicit"],
    "ball": ["plane", "plane", "sphere", "sphere", "cylinder", "cylinder", "capsule", "implicit"],
    "disc": ["plane", "plane", "sphere", "cylinder", "capsule", "implicit"],
    "capsule": ["sphere", "cylinder", "capsule", "implicit"],
}
"""What each can touch with one place."""

HOLLOW = {"point": ("sphere", "cylinder"), "ball": ("sphere", "cylinder"), "disc": ("sphere",), "capsule": ()}

LAWS = {
    "Newton()": 5,
    "Newton(guard=True)": 3,
    "Newton(tangential=0.4)": 1,
    "Poisson()": 4,
    "Energetic()": 4,
    "Poisson(path='routh')": 2,
    "Newton(path='routh')": 2,
    "Plastic()": 2,
    "CustomLaw(stop_dead)": 1,
}

NEAREST, FARTHEST = 0.02, 0.4
"""Gaps (m) at the start."""

SAME = 1e-8
"""Of the largest singular value of a contact's rows, in the metric of the mass: what counts as zero."""


def random_recipe(seed: int) -> Recipe:
    """A model; the same for the same seed."""
    rng = np.random.default_rng([seed, 11])
    while True:
        planar = bool(rng.random() < 0.25)
        recipe = random_tree(rng, seed, planar)
        q = np.round(random_coordinates(rng, recipe), 4)
        recipe = replace(recipe, start=tuple(map(float, q)))
        for k in range(rng.choice([1, 2, 3, 4], p=[0.45, 0.3, 0.15, 0.1])):
            contact = _contact(rng, recipe, q, f"c{k}", planar)
            if contact is not None:
                recipe = replace(recipe, contacts=(*recipe.contacts, contact))
        if any(isinstance(contact, Touch) for contact in recipe.contacts):
            return _with_law(rng, _pulled(recipe))


def random_coordinates(rng: np.random.Generator, recipe: Recipe) -> np.ndarray:
    """A start without a gimbal lock."""
    q = rng.uniform(-1.0, 1.0, len(recipe.coordinates))
    place = 0
    for body in recipe.bodies:
        if body.joint == "spherical":
            middle = place + 1
            q[middle] = rng.uniform(-0.6, 0.6) + (np.pi / 2 if body.order[0] == body.order[2] else 0.0)
        elif body.joint == "free":
            q[place + 4] = rng.uniform(-0.6, 0.6)
        elif body.joint in ("prismatic", "cylindrical", "planar"):
            q[place + FREEDOMS[body.joint] - 1] *= 0.4
        place += FREEDOMS[body.joint]
    return q


def random_run(rng: np.random.Generator, recipe: Recipe) -> Run | None:
    """A start with open contacts and a value for each parameter; None where none is found."""
    motion = Motion(recipe)
    for _ in range(60):
        q = np.round(np.asarray(recipe.start) + rng.uniform(-0.15, 0.15, motion.n), 4)
        least = gaps(motion, 0.0, q)
        if (least > 0.004).all():
            break
    else:
        return None
    u = np.round(rng.uniform(-2.0, 2.0, motion.n) * rng.choice([0.0, 0.3, 1.0, 1.0]), 4)
    if rng.random() < 0.7 and rows(motion, 0.0, q).rates(u)[0] > 0:
        u = -u
    numbers = {"g": float(rng.choice([9.81, 9.81, 3.0, 20.0]))}
    for contact in recipe.contacts:
        numbers[f"e_{contact.name}"] = float(rng.choice([0.0, 0.0, 0.3, 0.5, 0.8, round(rng.uniform(), 3), 1.0]))
        if isinstance(contact, Touch) and contact.rubs:
            mu = float(rng.choice([0.1, 0.3, 0.6, 1.0, 3.0, round(rng.uniform(0, 1.5), 3), 0.0]))
            numbers[f"mu_{contact.name}"] = mu
            if contact.static:
                numbers[f"mus_{contact.name}"] = round(mu + float(rng.choice([0.0, 0.1, 0.5])), 3)
    return Run(tuple(map(float, q)), tuple(map(float, u)), round(float(rng.uniform(0.5, 2.0)), 3), numbers)


def ranks(recipe: Recipe, q) -> list[int]:
    """The rank of the rows of each frictional contact, in the metric of the mass."""
    motion = Motion(recipe)
    M, _ = motion.terms(0.0, np.asarray(q), np.zeros(motion.n))
    factor, here = np.linalg.cholesky(M), rows(motion, 0.0, np.asarray(q))
    found = []
    for k, contact in enumerate(recipe.contacts):
        if isinstance(contact, Touch) and contact.rubs:
            block = np.linalg.solve(factor, np.vstack([here.N[k], here.T[k]]).T)
            sizes = np.linalg.svd(block, compute_uv=False)
            found.append(int((sizes > SAME * max(sizes[0], 1e-300)).sum()))
    return found


def _pulled(recipe: Recipe) -> Recipe:
    """With gravity the other way where it would part most of what may touch."""
    motion, q = Motion(recipe), np.asarray(recipe.start)
    M, f = motion.terms(0.0, q, np.zeros(motion.n))
    parting = rows(motion, 0.0, q).N @ np.linalg.solve(M, f)
    return replace(recipe, gravity=tuple(-part for part in recipe.gravity)) if parting.sum() > 0 else recipe


def _with_law(rng: np.random.Generator, recipe: Recipe) -> Recipe:
    names, weights = list(LAWS), np.array(list(LAWS.values()), dtype=float)
    law = str(rng.choice(names, p=weights / weights.sum()))
    if law == "Plastic()" and not any(isinstance(c, Touch) and c.rubs for c in recipe.contacts):
        law = "Newton()"
    resolution = "Simultaneous()"
    if len(recipe.contacts) > 1 and rng.random() < 0.3:
        resolution = f'Sequential("{rng.choice(["fastest", "first", "last"])}")'
    if law == "Energetic()" and rng.random() < 0.3:
        resolution = f"ImpulseRatio({float(rng.uniform(0.5, 2.0)):.3f}, {rng.choice([1.0, 1.5])})"
    painleve = "ImpactWithoutCollision()" if rng.random() < 0.4 else "EndOfRun()"
    return replace(recipe, law=law, resolution=resolution, painleve=painleve)


def _contact(rng: np.random.Generator, recipe: Recipe, q, name: str, planar: bool):
    """A touch, or now and then a limit or a string; None where no place is found."""
    chance = rng.random()
    letters = [
        c for b in recipe.bodies if b.joint in ("pin", "prismatic", "cylindrical", "planar") for c in b.coordinates
    ]
    if chance < 0.08 and letters:
        coordinate, sign = str(rng.choice(letters)), int(rng.choice([-1, 1]))
        bound = q[recipe.coordinates.index(coordinate)] - sign * rng.uniform(0.2, 0.8)
        lever = round(float(rng.uniform(0.1, 1.0)), 3) if rng.random() < 0.5 else None
        return Stop(name, coordinate, sign, round(float(bound), 4), lever)
    states = Motion(recipe).states(0.0, q, np.zeros_like(q))
    on = str(rng.choice([body.name for body in recipe.bodies]))
    if not _moves(recipe, q, on):
        return None
    others = [body.name for body in recipe.bodies if body.name != on]
    carrier = str(
        rng.choice(["ground", *(m.name for m in recipe.movers)] + ([] if not others else [str(rng.choice(others))]))
    )
    if chance < 0.14:
        a, b = spread(rng, 0.5), spread(rng, 0.5)
        length = np.linalg.norm(states[on].at(a) - states[carrier].at(b)) + rng.uniform(0.05, 0.3)
        return Tie(name, carrier, b, on, a, round(float(length), 4))
    if planar:
        return _planar_touch(rng, recipe, q, name, on, carrier, states)
    return _touch(rng, recipe, name, on, carrier, states)


def _moves(recipe: Recipe, q, name: str) -> bool:
    Jv, Jw = Motion(recipe).jacobians(0.0, q)[name]
    return bool(np.abs(Jv).max() + np.abs(Jw).max() > 1e-9)


def _touch(rng: np.random.Generator, recipe: Recipe, name: str, on: str, carrier: str, states):
    kinds = list(BODIES)
    kind = str(rng.choice(kinds, p=np.array(list(BODIES.values())) / sum(BODIES.values())))
    turn, radius = turns_of(random_rotation(rng)), round(float(rng.uniform(0.05, 0.25)), 3)
    sizes = {
        "point": (),
        "ball": (radius,),
        "disc": (radius,),
        "capsule": (radius, round(float(rng.uniform(0.2, 0.8)), 3)),
    }
    body = Shape(kind, on, spread(rng, 0.5), turn, sizes[kind])
    what = str(rng.choice(SURFACES[kind]))
    inside = what in HOLLOW[kind] and rng.random() < 0.4
    form, numbers = "", ()
    if what in ("sphere", "cylinder"):
        numbers = (round(float(rng.uniform(0.5, 1.2) if inside else rng.uniform(0.1, 0.8)), 3),)
    elif what == "capsule":
        numbers = (round(float(rng.uniform(0.05, 0.3)), 3), round(float(rng.uniform(0.3, 1.5)), 3))
    elif what == "implicit":
        form, numbers = _implicit(rng, kind)
    normal = rng.normal(size=3) - (1.5 * np.asarray(recipe.gravity) if carrier == "ground" else 0.0)
    surface = Shape(what, carrier, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), numbers, inside, form)
    return _placed(rng, Touch(name, body, surface, rng.random() < 0.85, rng.random() < 0.3), normal, states)


def _implicit(rng: np.random.Generator, kind: str):
    """A form and its numbers; hollows are wider than what touches them, and bars touch what is convex."""
    form = "ellipsoid" if kind == "capsule" else str(rng.choice(["ellipsoid", "bowl", "waves"]))
    if form == "ellipsoid":
        return form, rounded(rng.uniform(0.2, 0.9, 3))
    if form == "bowl":
        return form, rounded(rng.uniform(-1.0, 1.0, 2))
    return form, rounded(rng.uniform([0.02, 1.0], [0.1, 4.0]))


def _placed(rng: np.random.Generator, touch: Touch, normal, states) -> Touch | None:
    """The contact with its surface pushed along a normal until the gap is what was drawn; None where that fails."""
    normal = np.asarray(normal) / np.linalg.norm(normal)
    side = np.cross(normal, rng.normal(size=3))
    side /= np.linalg.norm(side)
    upright = np.stack([side, np.cross(normal, side), normal], axis=1)
    surface, carrier = touch.surface, states[touch.surface.on]
    if surface.kind in ("cylinder", "capsule"):
        upright = upright[:, [2, 1, 0]] * np.array([1.0, 1.0, -1.0])
    if surface.form == "ellipsoid":
        upright = random_rotation(rng)
    surface = replace(surface, turn=turns_of(carrier.R.T @ upright))
    wanted = rng.uniform(2 * NEAREST, 0.9 * FARTHEST)
    size = surface.sizes[0] if surface.sizes and surface.form in ("", "ellipsoid") else 0.0
    place = states[touch.body.on].at(touch.body.place) - normal * (0.5 - size if surface.inside else 0.5 + size)
    for _ in range(4):
        surface = replace(surface, place=rounded(carrier.R.T @ (place - carrier.place)))
        gap = float(touching(touch.body, states[touch.body.on], surface, carrier)[0])
        if not np.isfinite(gap):
            return None
        place = place + normal * (gap - wanted)
    return replace(touch, surface=surface) if NEAREST <= gap <= FARTHEST else None


def _planar_touch(rng: np.random.Generator, recipe: Recipe, q, name: str, on: str, carrier: str, states):
    """A point or circle on a line, circle or polygon of a planar tree."""
    across = _plane_of(recipe, q)
    normal = rng.normal(size=3) - (1.5 * np.asarray(recipe.gravity) if carrier == "ground" else 0.0)
    normal -= normal @ across * across
    normal /= np.linalg.norm(normal)
    kind = str(rng.choice(["point", "point", "ball"]))
    sizes = () if kind == "point" else (round(float(rng.uniform(0.05, 0.25)), 3),)
    body = Shape(kind, on, spread(rng, 0.5), (0.0, 0.0, 0.0), sizes)
    what = str(rng.choice(["plane", "polygon", "polygon", "cylinder"] if kind == "point" else ["plane", "cylinder"]))
    upright = np.stack([np.cross(normal, across), across, normal], axis=1) * np.array([-1.0, 1.0, 1.0])
    upright[:, 0] = np.cross(upright[:, 1], upright[:, 2])
    numbers = ()
    if what != "plane":
        upright = np.stack([np.cross(normal, across), normal, across], axis=1)
        upright[:, 0] = np.cross(upright[:, 1], upright[:, 2])
        numbers = (round(float(rng.uniform(0.1, 0.8)), 3),)
    if what == "polygon":
        w, h = rounded(rng.uniform(0.2, 0.6, 2))
        numbers = (w, -h, w, h, -w, round(h * 0.7, 4), -w, -h)
    carried = states[carrier]
    surface = Shape(what, carrier, (0.0, 0.0, 0.0), _exact(carried.R.T @ upright), numbers)
    touch = Touch(name, body, surface, rng.random() < 0.85, rng.random() < 0.3)
    place = states[on].at(body.place) - normal
    for _ in range(4):
        surface = replace(surface, place=tuple(map(float, carried.R.T @ (place - carried.place))))
        gap = float(touching(body, states[on], surface, carried)[0])
        place = place + normal * (gap - 0.2)
    return replace(touch, surface=surface) if NEAREST <= gap <= FARTHEST else None


def _plane_of(recipe: Recipe, q) -> np.ndarray:
    """The unit normal of a planar tree's plane."""
    first = recipe.bodies[0]
    turn = rotation(first.parent_turn)
    return turn[:, 1 if first.joint == "prismatic" else 0]
