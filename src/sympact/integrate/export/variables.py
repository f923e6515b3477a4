"""A run as named variables over shared axes, with their units: the contents of a dataset."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from sympact.integrate.export.quantity_units import MECHANICAL, checked_units
from sympact.integrate.export.tables import Column, column_names, samples_of
from sympact.integrate.history import outcome, physics
from sympact.integrate.history.event import NUMBERS
from sympact.integrate.history.run_view import RunView
from sympact.version import __version__

__all__ = ["variables"]

_OF_UNIT: Mapping[str | None, str] = {unit: quantity for quantity, unit in MECHANICAL.items()}
_OF_EVENTS = {"t": "t", "impulse": "impulses"} | {one.name: _OF_UNIT.get(one.unit) for one in NUMBERS}
"""The quantity of each column of numbers of events."""


def variables(result: RunView, units: Mapping[str, str]) -> tuple[dict[str, Column], dict[str, Column], dict[str, str]]:
    """The variables, the coordinates and the attributes of a run, as `Result.to_xarray` describes them.

    Raises
    ------
    TypeError, ValueError
        If `units` is no mapping, or contains a name that the result does not have.
    """
    mechanical = result._model.knows("kinetic_energy")
    given = checked_units(units, (*result.state_names, *result.output_names))
    units = {**(MECHANICAL if mechanical else {}), **given}
    columns = {name: Column(("t",), result[name], given.get(name)) for name in result.state_names}
    outputs = {name: Column(("t",), result[name], given.get(name)) for name in result.output_names}
    columns |= _apart(outputs, columns)
    columns |= _apart(_physics(result, units), columns)
    columns |= _apart(_of_events(result, units), columns)
    coordinates = {
        "t": Column(("t",), result.t, units.get("t")),
        "side": Column(("t",), samples_of(result).side.astype(str)),
        "stage": Column(("t",), result.stages.astype(str)),
    }
    if mechanical:
        coordinates["contact"] = Column(("contact",), np.array(physics.contact_names(result), dtype=str))
    attributes = {"status": outcome.status(result).name, "message": outcome.message(result), "version": __version__}
    return columns, _apart(coordinates, columns), attributes


def _apart(columns: Mapping[str, Column], taken: Mapping[str, Column]) -> dict[str, Column]:
    """The columns under names that are not in use."""
    return dict(zip(column_names(list(columns), taken), columns.values(), strict=True))


def _physics(result: RunView, units: Mapping[str, str]) -> dict[str, Column]:
    """Gaps, forces and energies, as far as they are known."""
    found, joule, model = {}, units.get("energy"), result._model
    if result._facts.contact_names:
        found["gap"] = Column(("contact", "t"), physics.gaps(result), units.get("gaps"))
    if model.knows("force"):
        found["force"] = Column(("contact", "t"), physics.normal_force(result), units.get("forces"))
    if model.knows("kinetic_energy"):
        found["kinetic_energy"] = Column(("t",), physics.kinetic_energy(result), joule)
    if model.knows("potential_energy"):
        found["potential_energy"] = Column(("t",), physics.potential_energy(result), joule)
        found["energy"] = Column(("t",), physics.energy(result), joule)
    return found


def _of_events(result: RunView, units: Mapping[str, str]) -> dict[str, Column]:
    """The columns of `Events.columns`, over the axis of the events."""
    return {
        f"event_{name.replace(' ', '_')}": Column(("event",), _array(values), _event_unit(name, units))
        for name, values in result.events.columns().items()
    }


def _event_unit(column: str, units: Mapping[str, str]) -> str | None:
    """The unit of a column of events, None where it has none."""
    quantity = _OF_EVENTS.get(column.split(" ")[0])
    return None if quantity is None else units.get(quantity)


def _array(values: object) -> np.ndarray:
    """An array of numbers or of text."""
    return values if isinstance(values, np.ndarray) else np.array(values, dtype=str)
