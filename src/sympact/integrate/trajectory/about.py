"""A model as text, numbers and formulas: the contents of a report, without the packages that derived it."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["About", "Formula"]


@dataclass(frozen=True, slots=True)
class Formula:
    """Equations under one heading.

    Attributes
    ----------
    title : str
        Such as "Mass matrix".
    latex : tuple of str
        One equation each, in LaTeX without dollars.
    text : tuple of str
        The same equations as plain text, for output without typesetting.
    """

    title: str
    latex: tuple[str, ...]
    text: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class About:
    """A model with the numbers of one run.

    Attributes
    ----------
    letters : tuple of (str, str)
        Headings such as "coordinates", and the symbols under them.
    parameters : tuple of (str, float)
        Names and numbers, in the order of the model.
    contacts : tuple of (str, str, str, str)
        The name of each contact, its two sides, its restitution, and its friction, empty without any.
    formulas : tuple of Formula
    """

    letters: tuple[tuple[str, str], ...]
    parameters: tuple[tuple[str, float], ...]
    contacts: tuple[tuple[str, str, str, str], ...]
    formulas: tuple[Formula, ...]
