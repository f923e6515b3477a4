"""A scene as one HTML page that plays offline: the points as whole numbers in JSON, drawn on a canvas."""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from functools import singledispatch
from typing import Any

import numpy as np
from matplotlib.colors import to_hex
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from sympact.show.animation.scene import Disc, Item, Scene, Trail
from sympact.show.animation.web_source import PAGE
from sympact.show.kit.palette import KIND_COLOURS

STEPS = 30000
"""The picture's size in the whole numbers of the page: a quarter of a pixel on the largest screens."""

RADIUS_DIGITS = 6


def page_of(scene: Scene) -> str:
    """The page, as text; it is self-contained and uses no network."""
    title = scene.title or "sympact"
    return PAGE.replace("@TITLE@", html.escape(title)).replace("@DATA@", _safe(json.dumps(data_of(scene), **_DENSE)))


def data_of(scene: Scene) -> dict:
    """The scene as numbers and strings for JSON.

    Points are ``origin + scale * numbers``, along the axes of the view: to the right, up, and towards the viewer.
    ``moving`` contains for each frame the points that move, one after the other; ``still`` the fixed ones; ``place``
    gives for each point of the scene its index: k for the k-th moving one, -1 - k for the k-th fixed one.
    """
    drawn = scene.view.project(scene.points)
    scale = float(max((scene.view.high - scene.view.low).max(), 1e-300)) / STEPS
    depths = drawn[..., 2][np.isfinite(drawn[..., 2])]
    origin = np.array(
        [*(scene.view.low + scene.view.high) / 2, (depths.min() + depths.max()) / 2 if depths.size else 0.0]
    )
    moves = ~np.all((drawn == drawn[:1]) | np.isnan(drawn), axis=(0, 2)) | np.isnan(drawn).any(axis=(0, 2))
    rank = np.where(moves, np.cumsum(moves) - 1, -np.cumsum(~moves))
    return {
        "fps": scene.fps,
        "captions": [scene.caption(k) for k in range(len(scene.times))],
        "times": [float(f"{time:.12g}") for time in scene.times],
        "planar": scene.view.planar,
        "origin": origin.tolist(),
        "scale": scale,
        "low": scene.view.low.tolist(),
        "high": scene.view.high.tolist(),
        "axes": list(scene.view.labels),
        "ticks": [_ticks(low, high) for low, high in zip(scene.view.low, scene.view.high, strict=True)],
        "place": rank.tolist(),
        "moving": [_whole(frame[moves], origin, scale) for frame in drawn],
        "still": _whole(drawn[0][~moves], origin, scale),
        "items": [
            _item(item, lambda points: _whole(scene.view.project(points), origin, scale)) for item in scene.items
        ],
        "labels": [
            {"text": label.text, "at": _whole(scene.view.project(label.place), origin, scale), "offset": label.offset}
            for label in scene.labels
        ],
        "flashes": [
            {
                "first": flash.first,
                "last": flash.last,
                "ends": _whole(scene.view.project(np.array([flash.tail, flash.tail + flash.arrow])), origin, scale),
            }
            for flash in scene.flashes
        ],
        "flash": KIND_COLOURS["impact"],
        "title": scene.title,
    }


_DENSE: dict[str, Any] = {"separators": (",", ":"), "allow_nan": False}


def _safe(text: str) -> str:
    """JSON that may be part of a script."""
    return text.replace("</", "<\\/").replace("<!--", "<\\u0021--")


def _whole(points: NDArray, origin: NDArray | float, scale: float) -> list[int | None]:
    """Points as whole numbers, one after the other; None where there is none."""
    steps = np.round((points - origin) / scale).ravel()
    return [int(step) if np.isfinite(step) else None for step in steps]


def _ticks(low: float, high: float) -> list[list]:
    """The positions of the marks of an axis, and their texts."""
    values = MaxNLocator(6, steps=[1, 2, 5, 10]).tick_values(low, high)
    return [[float(v), f"{v:.6g}".replace("-", "\u2212")] for v in values if low <= v <= high]


def _item(item: Item, whole: Callable[[NDArray], list]) -> dict:
    """An item by the name of its kind, with its numbers."""
    skipped = {"points", "centre", "point", "radii", "way", "ends"}
    rest = {name: value for name, value in vars(item).items() if name not in skipped}
    rest["colour"] = to_hex(rest["colour"])
    if rest.get("edge"):
        rest["edge"] = to_hex(rest["edge"])
    return {"kind": type(item).__name__.lower(), **rest, "points": list(item.corners), **numbers_of(item, whole)}


@singledispatch
def numbers_of(item: Item, whole: Callable[[NDArray], list]) -> dict:
    """The numbers of an item beside its points; a kind of items that has some registers its own.

    >>> numbers_of(Disc(0, np.array([0.5, 0.5]), "red"), list)
    {'radii': [0.5]}
    """
    return {}


@numbers_of.register
def _disc(item: Disc, whole: Callable[[NDArray], list]) -> dict:
    radii = [float(f"{radius:.{RADIUS_DIGITS}g}") for radius in item.radii]
    return {"radii": radii if len(set(radii)) > 1 else radii[:1]}


@numbers_of.register
def _trail(item: Trail, whole: Callable[[NDArray], list]) -> dict:
    return {"way": whole(item.way), "ends": item.ends.tolist()}
