"""What an ensemble runs: a model or a process, with the settings that all its runs share."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Protocol

import numpy as np

from sympact.graph.nodes.node import Node
from sympact.hybrid import HybridSystem
from sympact.hybrid.transition import transition_names
from sympact.hybrid.validation import initial_state, stage_index
from sympact.integrate.problem.settings import Settings
from sympact.integrate.problem.times import time_span
from sympact.integrate.result import Result
from sympact.integrate.steppers.methods import METHODS
from sympact.mechanics import HybridModel
from sympact.mechanics.batch.model_batch import ModelBatch
from sympact.mechanics.derived.compiled import CompiledModel
from sympact.mechanics.read.conditions import SILENT, Condition
from sympact.mechanics.run.preparation import settings_of
from sympact.mechanics.run.signals import Signals, read_signals
from sympact.mechanics.start.projected_start import check_consistent
from sympact.native.cached import cached_property

__all__ = ["ModelSubject", "ProcessSubject", "Subject"]


class Subject(Protocol):
    """A model or a process with the settings of its runs."""

    @property
    def span(self) -> tuple[float, float]:
        """The times of the runs."""

    @property
    def states(self) -> Sequence[Hashable]:
        """The symbols or names of the states."""

    @property
    def state_names(self) -> tuple[str, ...]:
        """The names of the states."""

    @property
    def parameters(self) -> Sequence[Hashable]:
        """The symbols of the parameters."""

    @property
    def contact_names(self) -> tuple[str, ...]:
        """The names of the columns of events: contacts and conditions of the user's own, or transitions."""

    def state(self, given: object) -> np.ndarray:
        """Numbers for the states in their order."""

    def numbers(self, given: object) -> np.ndarray:
        """Numbers for the parameters in their order."""

    def check(self) -> None:
        """Raise a ValueError for each wrong setting."""

    def alone(self, start: np.ndarray, parameters: np.ndarray, **options) -> Result:
        """One run."""

    def took_part(self, result: Result) -> tuple[np.ndarray, np.ndarray]:
        """Which contacts took part in the events of a run, and their impulses, shapes (n_events, n_contacts)."""

    def batch(self, starts: np.ndarray, parameters: np.ndarray, others: Mapping) -> ModelBatch | None:
        """All runs as they follow each other in machine code; None where they cannot."""


@dataclass(frozen=True, eq=False)
class _Runs:
    """The times and settings that all runs share."""

    t_span: Sequence[float]
    settings: dict[str, Any]

    def __getstate__(self) -> dict[str, Any]:
        """Its fields alone: everything else is made again."""
        return {one.name: getattr(self, one.name) for one in fields(self)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    @cached_property
    def span(self) -> tuple[float, float]:
        """The times of the runs."""
        return time_span(self.t_span)


@dataclass(frozen=True, eq=False)
class ModelSubject(_Runs):
    """A `HybridModel`.

    Parameters
    ----------
    t_span : (t_start, t_end)
    settings : dict
        Those of `HybridModel.simulate`.
    model : HybridModel
    inputs : mapping
    controllers : sequence of Controller
    """

    model: HybridModel
    inputs: Mapping
    controllers: Sequence

    @cached_property
    def signals(self) -> Signals | None:
        """The inputs of the runs."""
        if not (self.inputs or self.model.inputs or self.controllers):
            return None
        return read_signals(self.model, self.inputs, self.span, self.controllers or None, runs=True)

    @property
    def compiled(self) -> CompiledModel:
        """The model with its inputs."""
        return self.model.compile() if self.signals is None else self.signals.compiled

    @property
    def states(self) -> Sequence[Hashable]:
        """Coordinates and speeds."""
        return tuple(self.model.x)

    @property
    def state_names(self) -> tuple[str, ...]:
        """Their names."""
        return self.model.compile().state_names

    @property
    def parameters(self) -> Sequence[Hashable]:
        """Those of the model with its inputs."""
        return tuple(self.compiled.model.parameters)

    @property
    def contact_names(self) -> tuple[str, ...]:
        """The names of the contacts, and of the conditions of the user's own, which runs watch."""
        return (*self.compiled.contact_names, *(watch.name for watch in self._watches.values()))

    @property
    def _watches(self) -> dict[int, Condition[Node]]:
        """The conditions of the user's own that are events, by their place among the boundaries."""
        switches = enumerate(self.compiled.model.derivation.switches, start=len(self.compiled.contact_names))
        return {place: one.watch for place, one in switches if one.watch is not None and one.watch.sense != SILENT}

    def state(self, given: Any) -> np.ndarray:
        """Numbers for the states in their order."""
        return self.model.compile().state(given)

    def numbers(self, given: Any) -> np.ndarray:
        """Numbers for the parameters in their order."""
        return self.compiled.parameters(given)

    def check(self) -> None:
        """Raise a ValueError for each wrong setting."""
        settings = dict(self.settings)
        check_consistent(settings.pop("consistent"))
        settings_of(self.model.compile(), self.span, np.zeros(len(self.states)), settings)

    def alone(self, start: np.ndarray, parameters: np.ndarray, **options) -> Result:
        """One run."""
        numbers = dict(zip(self.parameters, parameters, strict=True)) | options.pop("others", {})
        inputs, controllers = self.inputs, self.controllers or None
        return self.model.simulate(
            self.span, start, numbers, inputs=inputs, controllers=controllers, **self.settings, **options
        )

    def took_part(self, result: Result) -> tuple[np.ndarray, np.ndarray]:
        """Which contacts and conditions took part in the events of a run, and their impulses (N s)."""
        record, contacts = result._record, range(len(self.compiled.contact_names))
        columns = [*contacts, *self._watches]
        return record.event_fired[:, columns], record.event_impulse[:, columns]

    def batch(self, starts: np.ndarray, parameters: np.ndarray, others: Mapping) -> ModelBatch:
        """All runs as they follow each other in machine code, if they can."""
        outer, settings = self.model.compile(), {**self.settings}
        settings.pop("consistent")
        asked = settings_of(outer, self.span, starts[0], settings)
        unused = self.compiled.unused(others) if others else {}
        return ModelBatch(outer, asked, self.signals, starts, parameters, unused)


@dataclass(frozen=True, eq=False)
class ProcessSubject(_Runs):
    """A `HybridSystem`.

    Parameters
    ----------
    t_span : (t_start, t_end)
    settings : dict
        Those of `HybridSystem.simulate`.
    system : HybridSystem
    start : str
        The stage in which runs begin.
    given : object
        The parameters as they were given, which name them.
    n_states : int
    """

    system: HybridSystem
    start: str
    given: object
    n_states: int

    @property
    def states(self) -> Sequence[Hashable]:
        """The symbols or names of the states, their indices where there are none."""
        return self.system.states or tuple(f"x{i}" for i in range(self.n_states))

    @property
    def state_names(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(map(str, self.states))

    @property
    def parameters(self) -> Sequence[Hashable]:
        """The symbols that were given."""
        if self.given is None:
            return ()
        return tuple(self.given) if isinstance(self.given, Mapping) else tuple(range(np.shape(self.given)[-1]))

    @property
    def contact_names(self) -> tuple[str, ...]:
        """The names of the transitions."""
        return tuple(transition_names(self.system.transitions))

    def state(self, given: Any) -> np.ndarray:
        """Numbers for the states in their order."""
        return initial_state(given, self.system.states)

    def numbers(self, given: Any) -> np.ndarray:
        """Numbers for the parameters in their order."""
        if given is None:
            return np.zeros(0)
        values = [given[letter] for letter in self.parameters] if isinstance(given, Mapping) else given
        return np.array(values, dtype=float)

    def check(self) -> None:
        """Raise a ValueError for each wrong setting."""
        stage_index(self.start, self.system.stages)
        Settings.check(self.state_names, self.span, np.zeros(self.n_states), methods=METHODS, **self.settings)

    def alone(self, start: np.ndarray, parameters: np.ndarray, **options) -> Result:
        """One run."""
        options.pop("others", None)
        numbers: Any = None
        if self.given is not None:
            numbers = (
                dict(zip(self.parameters, parameters, strict=True)) if isinstance(self.given, Mapping) else parameters
            )
        return self.system.simulate(self.span, start, start=self.start, parameters=numbers, **self.settings, **options)

    def took_part(self, result: Result) -> tuple[np.ndarray, np.ndarray]:
        """Which transitions were taken at the events of a run; there are no impulses."""
        fired = [[name in event.contacts for name in self.contact_names] for event in result.events]
        taken = np.array(fired, dtype=bool).reshape(len(result.events), len(self.contact_names))
        return taken, np.full(taken.shape, np.nan)

    def batch(self, starts: np.ndarray, parameters: np.ndarray, others: Mapping) -> None:
        """None: the functions of a process are prepared for each run."""
