"""Sections: the events at which a run is looked at, and the states of many runs there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

import numpy as np

from sympact.analysis.ensemble_quantities import evaluated
from sympact.analysis.ensemble_result import Ensemble
from sympact.analysis.ensembles import ensemble
from sympact.analysis.subjects import Subject
from sympact.hybrid import HybridSystem
from sympact.hybrid.transition import transition_names
from sympact.integrate.history.event import EventKind
from sympact.integrate.problem.real import described
from sympact.integrate.problem.times import time_span
from sympact.mechanics import Contact, HybridModel
from sympact.models.ready import ReadyModel, ReadyProcess

__all__ = ["Section", "SectionStates", "Strobe", "met", "read_section"]

_KINDS = (EventKind.IMPACT, EventKind.CROSSING, EventKind.TRANSITION)
"""The events that are returns to a section: impacts of a contact, crossings, transitions."""


@dataclass(frozen=True, slots=True)
class Strobe:
    """A section in time: the states at ``first``, ``first + period``, ``first + 2 period``, ...

    Parameters
    ----------
    period : float
        The time from one return to the next, such as the period of a forcing (s).
    first : float, optional
        The time of the first return (s); by default the start of the runs.

    Raises
    ------
    ValueError
        If the period is not positive.
    """

    period: float
    first: float | None = None

    def __post_init__(self) -> None:
        if not (isfinite(self.period) and self.period > 0.0):
            raise ValueError(f"the period is {described(self.period)}, expected a positive number of seconds")

    def times(self, span: tuple[float, float]) -> np.ndarray:
        """The times of the returns in a span.

        Raises
        ------
        ValueError
            If there is none.
        """
        first = span[0] if self.first is None else self.first
        steps = np.arange(np.ceil((span[0] - first) / self.period), np.floor((span[1] - first) / self.period) + 1.0)
        if not steps.size:
            raise ValueError(f"no return of {self} lies in the span from {span[0]:.6g} to {span[1]:.6g}")
        return np.clip(first + self.period * steps, *span)


@dataclass(frozen=True, eq=False)
class Section:
    """A section of the runs of a model.

    Attributes
    ----------
    name : str
        Of the contact, of the condition or of the transition; "t" for times.
    model : HybridModel, HybridSystem, ReadyModel or ReadyProcess
        With the condition among those that its runs watch.
    strobe : Strobe or None
        The times, of a section in time.
    """

    name: str
    model: Any
    strobe: Strobe | None = None


@dataclass(frozen=True, eq=False)
class SectionStates:
    """The states of many runs on a section, a row for each return, in the order of the runs and of time.

    Attributes
    ----------
    run : array of int, shape (n_returns,)
        The number of the run.
    t : array, shape (n_returns,)
        The time (s).
    x, x_minus : array, shape (n_returns, n_states)
        The states just after and just before the event; the same ones where it is no jump.
    numbers : array, shape (runs, n_parameters)
        The parameters of the runs.
    subject : Subject
        What was run.
    """

    run: np.ndarray
    t: np.ndarray
    x: np.ndarray
    x_minus: np.ndarray
    numbers: np.ndarray
    subject: Subject

    @property
    def n_runs(self) -> int:
        """The number of runs."""
        return len(self.numbers)

    def value(self, quantity: Any, *, before: bool = False) -> np.ndarray:
        """A quantity of each return, shape (n_returns,).

        Parameters
        ----------
        quantity : str or Expr
            As for `Ensemble.value`, or "t" for the time.
        before : bool
            Just before the event instead of just after it.
        """
        if isinstance(quantity, str) and quantity == "t" and "t" not in self.subject.state_names:
            return self.t
        x = self.x_minus if before else self.x
        return evaluated(self.subject, quantity, self.t, x, self.numbers[self.run])

    def late(self, since: float) -> SectionStates:
        """The returns from a time on."""
        kept = self.t >= since
        rows = {name: getattr(self, name)[kept] for name in ("run", "t", "x", "x_minus")}
        return replace(self, **rows)

    def followed_by(self, others: SectionStates) -> SectionStates:
        """These and others, whose runs are numbered after these."""
        rows = {name: np.concatenate([getattr(self, name), getattr(others, name)]) for name in ("t", "x", "x_minus")}
        return replace(
            self,
            run=np.concatenate([self.run, others.run + self.n_runs]),
            numbers=np.concatenate([self.numbers, others.numbers]),
            **rows,
        )


def read_section(model: Any, section: Any) -> Section:
    """The section of a model, from a contact, a name, an expression, a condition, a `Crossing` or a `Strobe`.

    Raises
    ------
    ValueError, TypeError
        If there is no such contact, condition or transition, or an expression cannot be read.
    """
    if isinstance(section, Strobe):
        return Section("t", model, section)
    inner = model.model if isinstance(model, (ReadyModel, ReadyProcess)) else model
    if isinstance(inner, HybridSystem):
        return Section(_known(section, transition_names(inner.transitions), "transition"), model)
    if not isinstance(inner, HybridModel):
        raise TypeError(
            f"model is {model!r}, expected a HybridModel, a HybridSystem, or a ready model of sympact.models"
        )
    if isinstance(section, Contact):
        section = next((one.name for one in inner.contacts if one is section), section)
    if isinstance(section, (str, Contact)):
        names = [*(one.name for one in inner.contacts), *(one.name for one in inner.description.conditions)]
        return Section(_known(section, names, "contact or condition"), model)
    watching = inner.watching({"section": section})
    return Section("section", replace(model, model=watching) if isinstance(model, ReadyModel) else watching)


def met(
    section: Section, t_span: Any, x0: Any, parameters: Any, options: dict[str, Any]
) -> tuple[SectionStates, Ensemble]:
    """The returns of the runs of an ensemble to a section, and the ensemble."""
    if "keep" in options:
        raise ValueError(f"keep is {options['keep']!r}, expected none: the states on the section are kept")
    keep: Any = "states"
    if section.strobe is not None:
        own = getattr(section.model, "t_span", None) if t_span is None else t_span
        if own is None:
            raise ValueError("t_span is missing; only a ready model of sympact.models has its own")
        keep = section.strobe.times(time_span(own))
    runs = ensemble(section.model, t_span, x0, parameters, keep=keep, **options)
    given = runs._table.parameters
    numbers = np.broadcast_to(given, (len(runs), given.shape[1]))
    if section.strobe is not None:
        samples = runs.samples.transpose(0, 2, 1)
        run, place = np.nonzero(np.isfinite(samples).all(axis=2))
        x = samples[run, place]
        return SectionStates(run, keep[place], x, x, numbers, runs._subject), runs
    events = runs.events.of(section.name)
    events = events[np.isin(events.kind.astype(str), [kind.value for kind in _KINDS])]
    assert events.x_plus is not None, "the states of events are kept"
    assert events.x_minus is not None, "the states of events are kept"
    return SectionStates(events.run, events.t, events.x_plus, events.x_minus, numbers, runs._subject), runs


def _known(section: Any, names: Sequence[str], what: str) -> str:
    if not isinstance(section, str) or section not in names:
        raise ValueError(
            f"the section is {section!r}, expected the name of a {what}, one of {list(names)}, or a Strobe"
        )
    return section
