"""Sweeps as datasets of xarray, imported on use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from sympact.integrate.export.tables import Column, dataset

if TYPE_CHECKING:
    import xarray

    from sympact.analysis.sweeps.section_states import SectionStates

__all__ = ["grid_dataset", "returns_dataset"]


def returns_dataset(
    states: SectionStates, about: Mapping[str, str | float], further: Mapping[str, np.ndarray] | None = None
) -> xarray.Dataset:
    """Returns to a section with the dimensions return and state, and further columns of each return."""
    columns = {
        "run": Column(("return",), states.run),
        "t": Column(("return",), states.t, "s"),
        "x": Column(("return", "state"), states.x),
        "x_minus": Column(("return", "state"), states.x_minus),
    }
    columns |= {name: Column(("return",), values) for name, values in (further or {}).items()}
    coordinates = {"state": Column(("state",), np.array(states.subject.state_names))}
    return dataset(columns, coordinates, dict(about))


def grid_dataset(
    axes: Mapping[str, np.ndarray], columns: Mapping[str, np.ndarray], about: Mapping[str, str | float]
) -> xarray.Dataset:
    """Numbers over a grid, whose last axis is the first one here."""
    names = tuple(axes)[::-1]
    grid = {name: Column(names, values) for name, values in columns.items()}
    return dataset(grid, {name: Column((name,), values) for name, values in axes.items()}, dict(about))
