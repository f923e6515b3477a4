"""Names of stages in pictures: numbers in their place where they are many or long, and shorter forms for lists."""

from __future__ import annotations

from collections.abc import Collection

from sympact.integrate.history.listing import parted

FEW_STAGES, SHORT_NAME = 6, 24
"""Up to this many stages with names of up to this many characters are called by their names."""


def wants_numbers(names: Collection[str]) -> bool:
    """Whether stages of these names are better numbered, and named in a list.

    >>> wants_numbers(["free", "left on floor"]), wants_numbers(["left on floor, right on floor"])
    (False, True)
    """
    return len(names) > FEW_STAGES or max(map(len, names), default=0) > SHORT_NAME


def grouped(name: str) -> str:
    """The name of a stage with the contacts of one surface joined.

    Examples
    --------
    >>> grouped("P1 on O, P2 on O, tip on wall (at rest)")
    'P1, P2 on O; tip on wall (at rest)'
    >>> grouped("free"), grouped("left, right (at rest)")
    ('free', 'left, right (at rest)')
    """
    names, state = parted(name)
    pairs = [member.rpartition(" on ") for member in names.split(", ")]
    if not all(point for point, _, _ in pairs):
        return name
    surfaces: dict[str, list[str]] = {}
    for point, _, surface in pairs:
        surfaces.setdefault(surface, []).append(point)
    return "; ".join(f"{', '.join(points)} on {surface}" for surface, points in surfaces.items()) + state
