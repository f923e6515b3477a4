"""Quantities with a unit where numbers are expected: of `sympy.physics.units`, of pint and of packages like it."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Any

__all__ = ["has_unit", "unit_fault"]

_PARTS = (("magnitude", "units"), ("value", "unit"), ("value", "units"))
"""The number and the unit of a quantity by the names of pint, astropy and unyt."""

_DIMENSIONLESS = ("", "dimensionless", "1")


def has_unit(value: object) -> bool:
    """Whether a value is a quantity with a unit, or a SymPy expression that contains a unit.

    Examples
    --------
    >>> from sympy.physics.units import kilogram
    >>> has_unit(2 * kilogram), has_unit(2.0)
    (True, False)
    """
    return _is_sympys(value) or _is_pints(value)


def unit_fault(value: object) -> str:
    """What is wrong with a quantity in place of a number, as the rest of a sentence that begins with the value.

    Empty where it is none.

    Examples
    --------
    >>> from sympy.physics.units import degree, kilogram
    >>> unit_fault(2 * kilogram)
    'has a unit; numbers are given without units, in SI: write 2'
    >>> unit_fault(30 * degree), unit_fault(2.0)
    ('has a unit; numbers are given without units, in SI: write 0.523598775598', '')
    """
    if not has_unit(value):
        return ""
    number = None
    with suppress(Exception):  # a package's own conversion, whatever it raises
        number = float(_sympys_number(value) if _is_sympys(value) else _pints_number(value))
    cure = "strip them" if number is None else f"write {number:.12g}"
    return f"has a unit; numbers are given without units, in SI: {cure}"


def _is_sympys(value: Any) -> bool:
    units = sys.modules.get("sympy.physics.units")  # without it there is no such quantity
    has = getattr(value, "has", None)
    return units is not None and callable(has) and not isinstance(value, type) and bool(has(units.Quantity))


def _is_pints(value: Any) -> bool:
    if isinstance(value, type):
        return False
    return any(
        hasattr(value, number) and str(getattr(value, unit, "")) not in _DIMENSIONLESS for number, unit in _PARTS
    )


def _sympys_number(value: Any) -> Any:
    from sympy.physics import units

    base = [units.meter, units.kilogram, units.second, units.ampere, units.kelvin, units.mole, units.candela]
    return units.convert_to(value, [*base, units.radian]).subs(dict.fromkeys((*base, units.radian), 1))


def _pints_number(value: Any) -> Any:
    """The number of a quantity in base units, as pint, astropy and unyt have it."""
    if hasattr(value, "to_base_units"):
        return value.to_base_units().magnitude
    return value.si.value if hasattr(value, "si") else value.in_base("mks").value
