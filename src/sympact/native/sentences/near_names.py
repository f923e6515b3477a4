"""Names that resemble an unknown one, for messages."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher

__all__ = ["near_names", "suggestion"]

_ALIKE = 0.75  # the share of equal characters, in order, from which two names resemble each other
_MANY = 3
_SHORT = 3  # characters that a name needs to count as a part of another one


def near_names(name: str, names: Iterable[str]) -> list[str]:
    """The names that resemble another one, the nearest first: at most three.

    Two names resemble each other if most of their characters agree, in order, or if one contains the other; upper and
    lower case, and the order of parts joined by underscores, do not matter.

    Parameters
    ----------
    name : str
    names : iterable of str

    Examples
    --------
    >>> near_names("HybridModle", ["HybridModel", "HybridSystem", "Plane"])
    ['HybridModel']
    >>> near_names("force_normal", ["normal_force", "gaps"]), near_names("sid", ["t", "side"])
    (['normal_force'], ['side'])
    """
    ranked = sorted((-_likeness(name.lower(), other.lower()), other) for other in set(names))
    return [other for likeness, other in ranked[:_MANY] if likeness <= -_ALIKE]


def suggestion(name: object, names: Iterable[object]) -> str:
    """The end of a sentence about an unknown name, "; did you mean 'mass'?"; empty where no name resembles it.

    Examples
    --------
    >>> suggestion("masss", ["mass", "length"])
    "; did you mean 'mass'?"
    >>> suggestion("k", ["mass", "length"])
    ''
    """
    near = near_names(name, map(str, names)) if isinstance(name, str) else []
    return f"; did you mean {' or '.join(map(repr, near))}?" if near else ""


def _likeness(name: str, other: str) -> float:
    if name == other:
        return 1.0
    if min(len(name), len(other)) >= _SHORT and (name in other or other in name):
        return max(_ALIKE, _ratio(name, other))
    return max(_ratio(name, other), _ratio(_sorted_words(name), _sorted_words(other)))


def _ratio(name: str, other: str) -> float:
    """The share of equal characters, or 0 where bounds of it that cost little say that the names are not alike."""
    matcher = SequenceMatcher(None, name, other)
    bounds = matcher.real_quick_ratio, matcher.quick_ratio
    return matcher.ratio() if all(bound() >= _ALIKE for bound in bounds) else 0.0


def _sorted_words(name: str) -> str:
    return "_".join(sorted(name.split("_")))
