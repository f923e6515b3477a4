"""The common colours of all pictures: one for each kind of event, and any number for stages."""

from __future__ import annotations

from matplotlib import colormaps

KIND_COLOURS = {
    "transition": "0.35",
    "impact": "#c8372d",
    "close": "#1f62a8",
    "open": "#2f8f3e",
    "stick": "#7a5230",
    "slip": "#e08a1e",
    "accumulation": "#7b3fa0",
    "time": "#5f9ea0",
    "stop": "#000000",
    "switch": "#c2649a",
    "crossing": "#b8a11a",
    "slide": "#8c8c2b",
}
"""The colour of the events of each kind, by the value of `EventKind`."""

_FEW = colormaps["Set3"].colors
_MANY = (*_FEW, *colormaps["Pastel1"].colors, *colormaps["tab20b"].colors[3::4], *colormaps["tab20c"].colors[2::4])


def stage_colour(order: int) -> tuple[float, ...]:
    """The colour of a stage that `order` others precede.

    The first twelve are distinct at a glance, the first thirty on a closer look; then they repeat.

    >>> len({stage_colour(order) for order in range(60)})
    30
    """
    return tuple(float(part) for part in _MANY[order % len(_MANY)][:3])
