"""Keys that are not the symbols of a model or process: names in their place, and hints for messages."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from sympact.native.sentences.near_names import suggestion

__all__ = ["by_letters", "mistaken", "shown"]


def by_letters(values: Mapping[Any, Any], letters: Sequence[Hashable]) -> Mapping[Any, Any]:
    """The values with symbols as keys in place of their names; the names of symbols are distinct in a model.

    Parameters
    ----------
    values : mapping
    letters : sequence
        The symbols that are expected, such as SymPy symbols and functions of time.

    Examples
    --------
    >>> from sympy import Symbol
    >>> from sympy.physics.mechanics import dynamicsymbols
    >>> z, m = dynamicsymbols("z"), Symbol("m", positive=True)
    >>> by_letters({"z": 1.0, m: 2.0}, [z, m]) == {z: 1.0, m: 2.0}
    True
    """
    if not any(isinstance(key, str) and key not in letters for key in values):
        return values
    named = {name: letter for letter in letters for name in _names(letter)}
    found = {}
    for key, value in values.items():
        letter = named.get(key, key) if isinstance(key, str) else key
        if letter is not key and (letter in values or letter in found):
            letter = key  # given twice: the name remains, and is refused
        found[letter] = value
    return found


def mistaken(unknown: Iterable[object], letters: Sequence[object], where: str) -> str:
    """Why keys that look like symbols are none, in parentheses; empty where they do not look like symbols.

    Parameters
    ----------
    unknown : iterable
        The keys that are no symbols.
    letters : sequence
        The symbols that are expected, such as SymPy symbols and functions of time.
    where : str
        Where to find them, for the message.

    Examples
    --------
    >>> from sympy import Symbol
    >>> mistaken(["mas"], [Symbol("mass")], "model.parameters")
    " ('mas' is the name of none of them, in model.parameters; did you mean 'mass')"
    >>> mistaken([Symbol("m")], [Symbol("m", positive=True)], "model.parameters")
    ' (m is another symbol than the m here, which has positive=True; take the one in model.parameters)'
    """
    named = {name: letter for letter in letters for name in _names(letter)}
    parts = [_of_text(key, named, where) for key in unknown if isinstance(key, str)]
    for key in unknown:
        alike = None if isinstance(key, str) else named.get(str(key))
        if alike is not None:
            parts.append(
                f"{key} is another symbol than the {key} here{_difference(key, alike)}; take the one in {where}"
            )
    return f" ({'; '.join(parts)})" if parts else ""


def _of_text(key: str, named: Mapping[str, object], where: str) -> str:
    """Why a name is not that of a symbol."""
    if key in named:
        return f"{key!r} is given as a symbol, too; give it once"
    return f"{key!r} is the name of none of them, in {where}{suggestion(key, named).removesuffix('?')}"


def _difference(key: object, letter: object) -> str:
    """The first assumption that two symbols of one name differ in."""
    own, other = (getattr(one, "assumptions0", {}) for one in (key, letter))
    differing = [name for name in _ASKED if own.get(name) != other.get(name)]
    if differing:
        name = differing[0]
        return f", which has {name}={other[name]}" if name in other else f", which does not have {name}={own[name]}"
    kinds = type(key).__name__, type(letter).__name__
    return f", which is a {kinds[1]} and not a {kinds[0]}" if kinds[0] != kinds[1] else ", made separately"


_ASKED = ("positive", "negative", "nonnegative", "nonpositive", "nonzero", "integer", "rational", "real", "commutative")
"""The assumptions that users give, those that imply others first."""


def shown(values: Any, letters: Sequence[object]) -> str:
    """Values that came without symbols, as a mapping in the order of the symbols."""
    try:
        numbers = list(values)
    except TypeError:
        numbers = []
    if len(numbers) != len(letters) or isinstance(values, str):
        numbers = ["..."] * len(letters)
    return "{" + ", ".join(f"{letter}: {number}" for letter, number in zip(letters, numbers, strict=True)) + "}"


def _names(letter: object) -> set[str]:
    """A symbol as text, and its name without the argument of time."""
    return {str(letter), getattr(letter, "name", None) or str(letter).removesuffix("(t)")}
