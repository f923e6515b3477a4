"""Default shapes of contacting parts: balls, bars, rims, polygons and strings."""

from __future__ import annotations

from sympact.mechanics import String, Surface
from sympact.mechanics.present.geometry import Geometry
from sympact.show.animation.looks import look_of
from sympact.show.animation.primitives import Line, Shape


def touching_shapes(geometry: Geometry) -> list[Shape]:
    """The shapes of round bodies and polygons that move, and of strings, each once."""
    found: dict[int, Shape] = {}
    for contact in geometry.on_surfaces:
        for side in (contact.point, contact.surface):
            if id(side) not in found and (side is contact.point or look_of(side).is_body(side, geometry)):
                shape = look_of(side).body(side)
                found |= {} if shape is None else {id(side): shape}
    strings = [Line(string.start, string.end) for string in geometry.contacts if isinstance(string, String)]
    return [*found.values(), *strings]


def walls(geometry: Geometry) -> dict[int, Surface]:
    """The surfaces that a `Ground` shows because they are not shown as bodies, each once."""
    both = {id(contact.point) for contact in geometry.on_surfaces}
    surfaces = {id(contact.surface): contact.surface for contact in geometry.on_surfaces}
    return {
        key: surface
        for key, surface in surfaces.items()
        if key not in both and look_of(surface).stands and not look_of(surface).is_body(surface, geometry)
    }
