"""Units for labels and tables: the names that have one, and the units of a mechanical run."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from sympact.native.sentences.near_names import suggestion

__all__ = ["MECHANICAL", "QUANTITIES", "checked_units", "name_of"]

MECHANICAL: Mapping[str, str] = {
    "t": "s",
    "gaps": "m",
    "speeds": "m/s",
    "energy": "J",
    "forces": "N",
    "impulses": "N s",
}
"""The units of a mechanical run, where no others are given."""

QUANTITIES = tuple(MECHANICAL)
"""The quantities that have a unit besides the states of a run."""


def checked_units(units: Mapping[Any, str], state_names: Sequence[str]) -> dict[str, str]:
    """Units by the names of states and of `QUANTITIES`, from names, symbols, or functions of time.

    Raises
    ------
    TypeError
        If `units` is no mapping of texts.
    ValueError
        If it contains a name that a run does not have.

    Examples
    --------
    >>> from sympy import Symbol
    >>> from sympy.physics.mechanics import dynamicsymbols
    >>> checked_units({dynamicsymbols("z"): "m", Symbol("v"): "m/s", "t": "s"}, ["z", "v"])
    {'z': 'm', 'v': 'm/s', 't': 's'}
    """
    if not isinstance(units, Mapping) or not all(isinstance(unit, str) for unit in units.values()):
        raise TypeError(f"units is {units!r}, expected a mapping from names to texts, such as {{'t': 's'}}")
    known = [*state_names, *QUANTITIES]
    named = {name_of(key, state_names): unit for key, unit in units.items()}
    unknown = [name for name in named if name not in known]
    if unknown:
        raise ValueError(f"units: unknown {unknown}; a unit belongs to one of {known}{suggestion(unknown[0], known)}")
    return named


def name_of(key: Hashable, state_names: Sequence[str]) -> str:
    """The name of a state without its argument: of z or z(t) it is z.

    >>> name_of("z(t)", ["z"]), name_of("speed (left)", ["speed (left)"])
    ('z', 'speed (left)')
    """
    text = str(key)
    return text if text in state_names else text.removesuffix("(t)")
