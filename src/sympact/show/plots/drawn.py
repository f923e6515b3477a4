"""The data of the panels of a picture: a run, and the request; no matplotlib."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sympact.integrate.history.event import Events
from sympact.integrate.trajectory.evaluator import Along, Evaluator, Facts
from sympact.native.cached import cached_property
from sympact.show.plots.curves import Side, broken_curves, stretches
from sympact.show.plots.timing import Timing

if TYPE_CHECKING:
    from sympact.integrate.result import Result


@dataclass(frozen=True, eq=False)
class Drawn:
    """The data of one picture of a run.

    Parameters
    ----------
    result : Result
    rows : sequence of int
        The states to draw.
    gaps : mapping of str to Along
    pairs : sequence of (str, str) or None
        The states of the phase portraits; None for those of the model.
    units : mapping of str to str
        By the names of states and quantities.
    t_span : (float, float), optional
        The times to draw; by default all of the run.
    """

    result: Result
    rows: Sequence[int]
    gaps: Mapping[str, Along]
    pairs: Sequence[tuple[str, str]] | None
    units: Mapping[str, str]
    t_span: tuple[float, float] | None = None

    @property
    def times(self) -> tuple[float, float]:
        """The first and the last time to draw."""
        return self.result.t_span if self.t_span is None else self.t_span

    @cached_property
    def events(self) -> Events:
        """The events between these times."""
        events = self.result.events
        return events if self.t_span is None else events.between(*self.t_span)

    @property
    def model(self) -> Evaluator:
        """The model of the run."""
        return self.result._model

    @property
    def facts(self) -> Facts:
        """What is known of it."""
        return self.result._facts

    @cached_property
    def curves(self) -> tuple[NDArray, NDArray, NDArray]:
        """Times, states and stages, shapes (k,), (n_states, k) and (k,), interrupted at every event."""
        record = self.result._record

        def at(t: NDArray, side: Side) -> NDArray:
            return np.vstack([self.result(t, side), record.stage_at(t, side)])

        t, rows = broken_curves(at, self.times, self.events.t)
        return t, rows[:-1], np.nan_to_num(rows[-1]).astype(int)

    @cached_property
    def stages(self) -> tuple[NDArray, NDArray]:
        """The stages before and after every event, as indices."""
        record, chosen = self.result._record, self.events._rows
        return record.event_source[chosen], record.event_target[chosen]

    @cached_property
    def sides(self) -> tuple[NDArray, NDArray]:
        """The states before and after every event, each of shape (n_states, n_events)."""
        events, none = self.events, np.empty((0, len(self.result.state_names)))
        before = np.array([event.x_minus for event in events]) if events else none
        after = np.array([event.x_plus for event in events]) if events else none
        return before.T, after.T

    @cached_property
    def timing(self) -> Timing:
        """Stages and events."""
        result, events = self.result, self.events
        earlier = int(np.searchsorted(result.events.t, self.times[0])) if self.t_span is not None else 0
        begun = result.path[0] if not earlier else result.events[earlier - 1].target
        times = events.t.tolist()
        label = f"t ({self.units['t']})" if self.units.get("t") else "t"
        spent = stretches([begun, *(event.target for event in events)], times, _window(self.times))
        return Timing(spent, times, events.kinds(), label, earlier + 1)

    def lacks(self, panel: str, what: str, cure: str) -> TypeError:
        """The error for a panel whose data the run lacks."""
        return TypeError(
            f"the panel {panel!r} cannot be drawn: this result has no {what}; {cure}, or draw other panels of it:"
            f" result.plot('states', 'stages')"
        )


def _window(t_span: tuple[float, float]) -> tuple[float, float]:
    """The times to show: those of the run, or half a second around a run that ended where it began."""
    begin, end = t_span
    return (begin, end) if end > begin else (begin - 0.5, end + 0.5)
