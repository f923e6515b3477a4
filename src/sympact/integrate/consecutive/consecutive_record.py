"""The samples and events of two consecutive runs as those of one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

import numpy as np

from sympact.integrate.consecutive.follows import tolerances_at
from sympact.integrate.problem.continuation import Continuation
from sympact.integrate.problem.program import Program
from sympact.integrate.steppers.interpolation import Segments
from sympact.integrate.trajectory.piece import Dense
from sympact.integrate.trajectory.record import Record
from sympact.native.cached import cached_property

__all__ = ["ConsecutiveDense", "consecutive_program", "consecutive_record", "consecutive_settings", "separated_records"]

_SAMPLES = ("t", "x", "h", "stage")
_EVENTS = tuple(one.name for one in fields(Record) if one.name.startswith("event_"))
_LARGER = ("length", "dead_band", "rebound_height", "equation_residual", "cone_violation")


def consecutive_program(first: Program, second: Program) -> Program:
    """All stages of the first run, then those of the second; stages of one name remain apart."""
    return Program((*first.stages, *second.stages), first.state_names)


def consecutive_record(first: Record, second: Record, first_program: Program, second_program: Program) -> Record:
    """One record; the stages of the second run have the indices after those of the first.

    The start of the second run is the end of the first, so that its first sample is left out where the stage is the
    same. So are contacts that close at the start of the second run, where they were closed at the end of the first. The
    state may change there by the tolerances of the run, as it is projected: then the second run keeps its first sample.
    """
    names = [stage.name for stage in second_program.stages]
    last, count = first_program.stages[first.stage[-1]].name, len(first_program.stages)
    events, samples = _repeated(second, names, last)
    shift = len(first.t) - samples
    own = {name: getattr(first, name) for name in (*_SAMPLES, *_EVENTS)}
    other = {name: getattr(second, name)[samples:] for name in _SAMPLES}
    other |= {name: getattr(second, name)[events:] for name in _EVENTS}
    other["event_sample"] = other["event_sample"] + shift
    for name in ("stage", "event_source", "event_target"):
        other[name] = other[name] + count
    own["event_numbers"] = _with_numbers_of(first, second)
    joined = {name: np.concatenate([own[name], other[name]]) for name in own}
    return replace(
        second,
        **joined,
        counts=_summed(first.counts, second.counts),
        settings=consecutive_settings(first.settings, second.settings),
        warnings=(*first.warnings, *second.warnings),
        continuation=_continuation(first, second),
    )


def _with_numbers_of(first: Record, second: Record) -> np.ndarray:
    """The numbers of events of the first run as the second has them, which may be one of a later version."""
    table = np.empty(len(first.event_numbers), second.event_numbers.dtype)
    for name in table.dtype.names or ():
        table[name] = first.number(name)
    return table


def _continuation(first: Record, second: Record) -> Continuation | None:
    own, other = first.continuation, second.continuation
    return None if own is None or other is None else other.after(own)


def _repeated(second: Record, names: list[str], last: str) -> tuple[int, int]:
    """The number of events and of samples at the start of the second run that repeat the end of the first."""
    if names[second.stage[0]] == last:
        return 0, 1
    at_start = np.flatnonzero(second.event_t == second.t[0]).tolist()
    for k in at_start:
        before = second.event_sample[k]
        left, right = second.x[before], second.x[before + 1]
        if not (np.abs(right - left) <= tolerances_at(left, second.settings)).all():
            break
        if names[second.event_target[k]] == last:
            return k + 1, int(before) + (2 if np.array_equal(left, right) else 1)
    return 0, 0


def separated_records(record: Record, stage: int) -> tuple[Record, Record]:
    """The records of two runs from that of both, the second of which has the stages from `stage` on."""
    first, second = np.flatnonzero(record.stage < stage), np.flatnonzero(record.stage >= stage)
    if second.size and record.h[second[0]] > 0.0:
        second = np.concatenate([first[-1:], second])
    early = record.event_source < stage
    return _part(record, first, early, 0), _part(record, second, ~early, stage)


def _part(record: Record, samples: np.ndarray, events: np.ndarray, stage: int) -> Record:
    """Some samples and events, with stages counted from `stage`."""
    own = {name: getattr(record, name)[samples] for name in _SAMPLES}
    own |= {name: getattr(record, name)[events] for name in _EVENTS}
    own["event_sample"] = own["event_sample"] - samples[0]
    for name in ("stage", "event_source", "event_target"):
        own[name] = np.maximum(own[name] - stage, 0)
    return replace(record, **own)


def _summed(first: Mapping[str, int], second: Mapping[str, int]) -> dict[str, int]:
    return {name: first.get(name, 0) + second.get(name, 0) for name in {**first, **second}}


def consecutive_settings(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, object]:
    """Those that are the same, and both where they are not; lengths are the larger ones, the span is that of both."""
    found = {**first, **second}
    for name in first.keys() & second.keys():
        own, other = first[name], second[name]
        if name == "t_span":
            found[name] = [own[0], other[1]]
        elif name == "solvers":
            found[name] = _summed(own, other)
        elif name in _LARGER:
            found[name] = max(own, other)
        elif own != other:
            found[name] = f"{own}, then {other}"
    return found


class ConsecutiveDense:
    """The state between the samples of two runs.

    Parameters
    ----------
    first, second : Dense
    t : float
        Where the second begins; there it has the state after events, the first that before.
    """

    def __init__(self, first: Dense, second: Dense, t: float) -> None:
        self._first, self._second, self._t = first, second, t

    def __call__(self, t: np.ndarray, side: str = "right") -> np.ndarray:
        """The states at the times `t`, shape (len(t), n_states)."""
        early = t < self._t if side == "right" else t <= self._t
        if early.all():
            return self._first(t, side)
        found = np.empty((len(t), self._second(t[~early][:1], side).shape[1]))
        found[early], found[~early] = self._first(t[early], side), self._second(t[~early], side)
        return found

    def segments(self) -> Segments:
        """The polynomials of all steps, of the larger degree."""
        return self._segments

    @cached_property
    def _segments(self) -> Segments:
        parts = self._first.segments(), self._second.segments()
        degree = max(part.coefficients.shape[1] for part in parts)
        rows = [np.pad(part.coefficients, ((0, 0), (0, degree - part.coefficients.shape[1]), (0, 0))) for part in parts]
        t0, h, x0 = (np.concatenate([getattr(part, name) for part in parts]) for name in ("t0", "h", "x0"))
        return Segments(t0, h, x0, np.concatenate(rows))
