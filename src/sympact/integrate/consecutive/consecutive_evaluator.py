"""The model along two consecutive runs: each stage is that of one of them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

import numpy as np

from sympact.integrate.consecutive.consecutive_record import separated_records
from sympact.integrate.trajectory.about import About, Formula
from sympact.integrate.trajectory.evaluator import Along, AtEvent, Evaluator, Facts
from sympact.integrate.trajectory.record import Record
from sympact.native.cached import cached_property

__all__ = ["ConsecutiveEvaluator", "Restoring", "restored_evaluator"]


class Restoring(Protocol):
    """A model whose runs may be read from files."""

    def restored(self, stored: Mapping, record: Record, inputs: Mapping[Any, object], controllers: object) -> Evaluator:
        """The model with the numbers of a run in a file.

        Parameters
        ----------
        stored : mapping
            What `Evaluator.stored` returned when the run was saved.
        record : Record
            As it was integrated.
        inputs : mapping
            As they were given to the run.

        Raises
        ------
        ValueError
            If the run is not one of this model, or had other inputs.
        """


class ConsecutiveEvaluator(Evaluator):
    """The model of two runs.

    Parameters
    ----------
    first, second : Evaluator
    t : float
        Where the second begins.
    stage : int
        The index of its first stage.
    """

    def __init__(self, first: Evaluator, second: Evaluator, t: float, stage: int) -> None:
        self._first, self._second, self._t, self._stage = first, second, t, stage

    @cached_property
    def facts(self) -> Facts:
        """What is known of the model."""
        found = self._first.facts
        return replace(found, geometry=None if found.geometry is None else found.geometry.in_run(self._values))

    def _values(self, function: Callable[..., np.ndarray], t: np.ndarray, x: np.ndarray) -> np.ndarray:
        """Values of a function of the numbers of the runs; at the time of the junction those of the first."""
        both = [partial(one.facts.geometry.along, function) for one in (self._first, self._second)]
        return _chosen(both, t <= self._t, t, x)

    def knows(self, name: str) -> bool:
        """Whether both have a quantity along their runs."""
        return self._first.knows(name) and self._second.knows(name)

    def quantity(self, name: str, *key: Any) -> Along:
        """A quantity along both runs."""
        both = self._first.quantity(name, *key), self._second.quantity(name, *key)

        def along(t: np.ndarray, x: np.ndarray, stage: np.ndarray, *more: np.ndarray) -> np.ndarray:
            early = stage < self._stage
            return _chosen(both, early, t, x, np.where(early, stage, stage - self._stage), *more)

        return along

    def at_event(self, name: str, *key: Any) -> AtEvent:
        """A quantity at an event of one of them."""

        def at(t: float, x: tuple[np.ndarray, np.ndarray], stage: int, impulses: np.ndarray) -> np.ndarray:
            if stage < self._stage:
                return self._first.at_event(name, *key)(t, x, stage, impulses)
            return self._second.at_event(name, *key)(t, x, stage - self._stage, impulses)

        return at

    def about(self) -> About | None:
        """The model, and the numbers of the first run."""
        return self._first.about()

    def formulas(self) -> Mapping[str, Formula] | None:
        """Those of the model."""
        return self._first.formulas()

    def graph(self) -> dict | None:
        """The JSON table of the model's formulas, where both have the same numbers."""
        own, other = self._first.graph(), self._second.graph()
        return own if own == other else None

    def stored(self) -> dict | None:
        """What both store."""
        parts = [self._first.stored(), self._second.stored()]
        return None if None in parts else {"parts": parts, "t": self._t, "stage": self._stage}

    def identity(self) -> tuple[str, dict[str, float]] | None:
        """That of the model, which both have."""
        return self._first.identity()

    def commanded(self, t: float) -> Mapping[Any, Any] | None:
        """What the controllers of the run have in force at a time; at that of the junction those of the second."""
        return self._first.commanded(t) if t < self._t else self._second.commanded(t)

    def sides(self, t: float) -> Mapping[str, Sequence[float]]:
        """The sides at the end of the second."""
        return self._second.sides(t)


def _chosen(both: Sequence[Along], early: np.ndarray, *along: np.ndarray) -> np.ndarray:
    """The first where `early`, else the second; the last axis of what they take and return is that of the times."""
    if early.all() or not early.any():
        return np.asarray(both[0 if early.all() else 1](*along))
    parts = [
        np.asarray(function(*(one[..., there] for one in along)))
        for function, there in zip(both, (early, ~early), strict=True)
    ]
    found = np.empty((*parts[0].shape[:-1], len(early)), parts[0].dtype)
    found[..., early], found[..., ~early] = parts
    return found


def restored_evaluator(
    model: Restoring, stored: Mapping, record: Record, inputs: Mapping[Hashable, object], controllers: object = None
) -> Evaluator:
    """A model with the numbers of a run read from a file, which may be one of consecutive runs."""
    if "parts" not in stored:
        return model.restored(stored, record, inputs, controllers)
    both = zip(stored["parts"], separated_records(record, stored["stage"]), strict=True)
    first, second = (restored_evaluator(model, part, own, inputs, controllers) for part, own in both)
    return ConsecutiveEvaluator(first, second, stored["t"], stored["stage"])
