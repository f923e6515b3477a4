"""Keys that are not the symbols of a model or process: hints for messages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

__all__ = ["mistaken", "shown"]


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
    >>> mistaken(["m"], ["M"], "model.parameters")
    " (the key 'm' is text; expected the symbols themselves, as in model.parameters)"
    """
    unknown = list(unknown)
    texts = [key for key in unknown if isinstance(key, str)]
    names = {name: letter for letter in letters for name in (str(letter), _plain(letter))}
    others = [str(key) for key in unknown if not isinstance(key, str) and str(key) in names]
    parts = []
    if texts:
        are = "key {} is" if len(texts) == 1 else "keys {} are"
        parts.append(f"the {are.format(', '.join(map(repr, texts)))} text; expected the symbols themselves")
    if others:
        what = "is another symbol" if len(others) == 1 else "are other symbols"
        parts.append(f"{', '.join(others)} {what} than those of that name here, made with other assumptions")
    return f" ({'; '.join(parts)}, as in {where})" if parts else ""


def shown(values: Any, letters: Sequence[object]) -> str:
    """Values that came without symbols, as a mapping in the order of the symbols."""
    try:
        numbers = list(values)
    except TypeError:
        numbers = []
    if len(numbers) != len(letters) or isinstance(values, str):
        numbers = ["..."] * len(letters)
    return "{" + ", ".join(f"{letter}: {number}" for letter, number in zip(letters, numbers, strict=True)) + "}"


def _plain(letter: object) -> str:
    """The name without the argument of time."""
    return getattr(letter, "name", None) or str(letter).split("(")[0]
