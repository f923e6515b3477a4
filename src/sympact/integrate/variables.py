"""A run as named variables over shared axes, with their units: what a dataset is made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from sympact import __version__
from sympact.integrate.hooks import Hooks
from sympact.integrate.tables import Column, column_names

if TYPE_CHECKING:
    from sympact.integrate.result import Result

__all__ = ["variables"]

_EVENT_UNITS = {"impulse": "N s", "energy": "J"}
_TIMES = ("t", "window", "nearest", "t_inf", "t_inf_error")


def variables(
    result: Result, hooks: Hooks, units: Mapping[str, str]
) -> tuple[dict[str, Column], dict[str, Column], dict[str, str]]:
    """The variables, the coordinates and the attributes of a run, as `Result.to_xarray` describes them.

    Raises
    ------
    ValueError
        If `units` names what the result does not have.
    """
    known = [*result.state_names, "t", "gaps"]
    unknown = [name for name in units if name not in known]
    if unknown:
        raise ValueError(f"units: unknown {unknown}; a unit belongs to one of {known}")
    mechanical = hooks.kinetic_energy is not None
    second = units.get("t", "s" if mechanical else None)
    columns = {name: Column(("t",), result[name], units.get(name)) for name in result.state_names}
    columns |= _apart(_physics(result, hooks, units.get("gaps", "m")), columns)
    columns |= _apart(_of_events(result, second, mechanical), columns)
    coordinates = {
        "t": Column(("t",), result.t, second),
        "side": Column(("t",), result._samples().side.astype(str)),
        "stage": Column(("t",), result.stages.astype(str)),
    }
    if mechanical:
        coordinates["contact"] = Column(("contact",), np.array(result.contact_names, dtype=str))
    attributes = {"status": result.status.name, "message": result.message, "version": __version__}
    return columns, _apart(coordinates, columns), attributes


def _apart(columns: Mapping[str, Column], taken: Mapping[str, Column]) -> dict[str, Column]:
    """The columns under names that are not taken."""
    return dict(zip(column_names(list(columns), taken), columns.values(), strict=True))


def _physics(result: Result, hooks: Hooks, length: str) -> dict[str, Column]:
    """Gaps, forces and energies, as far as they are known."""
    found = {}
    if hooks.gaps:
        found["gap"] = Column(("contact", "t"), result.gaps, length)
    if hooks.force is not None:
        found["force"] = Column(("contact", "t"), result.force, "N")
    if hooks.kinetic_energy is not None:
        found["kinetic_energy"] = Column(("t",), result.kinetic_energy, "J")
    if hooks.potential_energy is not None:
        found["potential_energy"] = Column(("t",), result.potential_energy, "J")
        found["energy"] = Column(("t",), result.energy, "J")
    return found


def _of_events(result: Result, second: str | None, mechanical: bool) -> dict[str, Column]:
    """What `Events.columns` gives, over the axis of the events."""
    units = dict.fromkeys(_TIMES, second) | (_EVENT_UNITS if mechanical else {})
    return {
        f"event_{name.replace(' ', '_')}": Column(("event",), _array(values), units.get(name.split(" ")[0]))
        for name, values in result.events.columns().items()
    }


def _array(values: object) -> np.ndarray:
    """An array of numbers or of text."""
    return values if isinstance(values, np.ndarray) else np.array(values, dtype=str)
