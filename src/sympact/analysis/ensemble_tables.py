"""Ensembles as tables for other programs: pandas and xarray, imported on use."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sympact.integrate.export.tables import Column, column_names, dataset, frame

if TYPE_CHECKING:
    import pandas
    import xarray

    from sympact.analysis.ensemble_events import EnsembleEvents
    from sympact.analysis.ensemble_result import Ensemble

__all__ = ["ensemble_dataset", "events_table", "runs_table"]


def runs_table(ensemble: Ensemble) -> pandas.DataFrame:
    """The runs as `Ensemble.to_dataframe` gives them."""
    states = dict(zip(ensemble.state_names, ensemble.x.T, strict=True))
    varying = {str(name): values for name, values in ensemble.parameters.items() if np.ndim(values) == 1}
    given = dict(zip(column_names(list(varying), states), varying.values(), strict=True))
    own = {
        "t": ensemble.t,
        "status": np.array([status.name for status in ensemble.status], dtype=object),
        "events": ensemble.n_events,
        "at_rest": ensemble.at_rest,
    }
    own = dict(zip(column_names(list(own), {**states, **given}), own.values(), strict=True))
    return frame("to_dataframe", {**own, **given, **states}, "run")


def events_table(events: EnsembleEvents) -> pandas.DataFrame:
    """The events as `EnsembleEvents.to_dataframe` gives them."""
    impulses = np.where(events.contacts, events.impulse, np.nan)
    own = {"run": events.run, "t": events.t, "kind": events.kind.astype(str)}
    named = dict(zip(column_names(list(events.contact_names), own), impulses.T, strict=True))
    return frame("to_dataframe", {**own, **named}, "event")


def ensemble_dataset(ensemble: Ensemble) -> xarray.Dataset:
    """The ensemble as `Ensemble.to_xarray` gives it."""
    columns = {
        "t": Column(("run",), ensemble.t, "s"),
        "x": Column(("run", "state"), ensemble.x),
        "status": Column(("run",), np.array([status.name for status in ensemble.status])),
        "n_events": Column(("run",), ensemble.n_events),
        "at_rest": Column(("run",), ensemble.at_rest),
    }
    coordinates = {
        "run": Column(("run",), np.arange(len(ensemble))),
        "state": Column(("state",), np.array(ensemble.state_names)),
    }
    for name, values in ensemble.parameters.items():
        if np.ndim(values) == 1:
            columns[f"parameter_{name}"] = Column(("run",), np.asarray(values))
    if ensemble.keep.events:
        events = ensemble.events
        columns |= {
            "event_run": Column(("event",), events.run),
            "event_t": Column(("event",), events.t, "s"),
            "event_kind": Column(("event",), events.kind.astype(str)),
            "event_contacts": Column(("event", "contact"), events.contacts),
            "event_impulse": Column(("event", "contact"), events.impulse, "N s"),
        }
        for name, states in (("event_x_minus", events.x_minus), ("event_x_plus", events.x_plus)):
            if states is not None:
                columns[name] = Column(("event", "state"), states)
        coordinates["contact"] = Column(("contact",), np.array(events.contact_names))
    if ensemble.keep.times is not None:
        columns["samples"] = Column(("run", "state", "time"), ensemble.samples)
        coordinates["time"] = Column(("time",), ensemble.keep.times, "s")
    first, last = ensemble.t_span
    about: dict[str, str | float] = {"t_start": first, "t_end": last, "seed": str(ensemble.seed)}
    return dataset(columns, coordinates, about)
