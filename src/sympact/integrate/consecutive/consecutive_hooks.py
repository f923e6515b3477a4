"""The quantities of two consecutive runs as those of one: each time and each stage is that of one of them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol

import numpy as np

from sympact.integrate.consecutive.consecutive_record import separated_records
from sympact.integrate.trajectory.hooks import ContactForces, Hooks, Powers, Quantity
from sympact.integrate.trajectory.reactions import Change, ConstraintForces, Places
from sympact.integrate.trajectory.record import Record

__all__ = ["Restoring", "consecutive_hooks", "restored_hooks"]

Both = tuple[Any, Any]


class Restoring(Protocol):
    """A model whose runs may be read from files."""

    def restored(self, stored: Mapping, record: Record, inputs: Mapping[Any, object], controllers: object) -> Hooks:
        """The functions of a run in a file.

        Parameters
        ----------
        stored : mapping
            What its hook `stored` returned when the run was saved.
        record : Record
            As it was integrated.
        inputs : mapping
            As they were given to the run.

        Raises
        ------
        ValueError
            If the run is not one of this model, or had other inputs.
        """


@dataclass(frozen=True, eq=False)
class _Junction:
    """Where the second run begins: its time, and its first stage."""

    t: float
    stage: int

    def by_time(self, both: Both, t: np.ndarray, x: np.ndarray, *more: np.ndarray) -> np.ndarray:
        """Values along a run, the last axis of which is that of the times."""
        return _chosen(both, t <= self.t, t, x, *more)

    def by_stage(self, both: Both, t: np.ndarray, x: np.ndarray, stage: np.ndarray) -> np.ndarray:
        """Values along a run in its stages, those of the second run numbered as its own."""
        early = stage < self.stage
        return _chosen(both, early, t, x, np.where(early, stage, stage - self.stage))

    def at_event(self, both: Both, stage: int) -> tuple[Any, int]:
        """The one of both to which an event in this stage belongs, and its own stage."""
        return (both[0], stage) if stage < self.stage else (both[1], stage - self.stage)


def _chosen(both: Both, early: np.ndarray, *along: np.ndarray) -> np.ndarray:
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


def consecutive_hooks(first: Hooks, second: Hooks, t: float, stage: int) -> Hooks:
    """What both runs have; `t` is where the second begins, `stage` the index of its first stage."""
    at = _Junction(t, stage)
    found: dict[str, Any] = {}
    for name, make in _MADE.items():
        both = getattr(first, name), getattr(second, name)
        found[name] = None if None in both else make(at, both)
    return replace(first, **found)


def restored_hooks(
    model: Restoring, stored: Mapping, record: Record, inputs: Mapping[Hashable, object], controllers: object = None
) -> Hooks:
    """The functions of a model for a run read from a file, which may be one of consecutive runs."""
    if "parts" not in stored:
        return model.restored(stored, record, inputs, controllers)
    both = zip(stored["parts"], separated_records(record, stored["stage"]), strict=True)
    first, second = (restored_hooks(model, part, own, inputs, controllers) for part, own in both)
    return consecutive_hooks(first, second, stored["t"], stored["stage"])


def _by_time(at: _Junction, both: Both) -> Quantity:
    return partial(at.by_time, both)


def _by_stage(at: _Junction, both: Both) -> ContactForces:
    return partial(at.by_stage, both)


def _evaluate(at: _Junction, both: Both) -> Callable[[object], Quantity]:
    return lambda key: partial(at.by_time, (both[0](key), both[1](key)))


def _accelerated(at: _Junction, both: Both) -> Callable[[object], Callable[..., np.ndarray] | None]:
    def accelerated(key: object) -> Callable[..., np.ndarray] | None:
        functions = both[0](key), both[1](key)
        return None if None in functions else partial(at.by_time, functions)

    return accelerated


def _gaps(at: _Junction, both: Both) -> Mapping[str, Quantity]:
    return {name: partial(at.by_time, (both[0][name], both[1][name])) for name in both[0]}


def _joint_wrench(at: _Junction, both: Both) -> Callable[..., np.ndarray]:
    def wrench(joint: object, turns: bool, frame: object, *places: np.ndarray) -> np.ndarray:
        return at.by_stage((partial(both[0], joint, turns, frame), partial(both[1], joint, turns, frame)), *places)

    return wrench


def _joint_impulse(at: _Junction, both: Both) -> Callable[..., np.ndarray]:
    def impulse(joint: object, turns: bool, frame: object, t: float, x: Any, stage: int, more: Any) -> np.ndarray:
        own, index = at.at_event(both, stage)
        return own(joint, turns, frame, t, x, index, more)

    return impulse


def _geometry(at: _Junction, both: Both) -> Any:
    def along(function: Callable[..., np.ndarray], t: np.ndarray, x: np.ndarray) -> np.ndarray:
        return at.by_time((partial(both[0].along, function), partial(both[1].along, function)), t, x)

    return both[0].in_run(along)


def _graph(at: _Junction, both: Both) -> Callable[[], dict | None]:
    def graph() -> dict | None:
        own, other = both[0](), both[1]()
        return own if own == other else None

    return graph


def _observed(at: _Junction, both: Both) -> Mapping[str, Any]:
    return {name: one.followed_by(both[1][name]) for name, one in both[0].items() if name in both[1]}


def _commanded(at: _Junction, both: Both) -> Callable[[float], Mapping[Any, Any]]:
    return lambda t: both[0](t) if t < at.t else both[1](t)


def _sides(at: _Junction, both: Both) -> Callable[[float], Mapping[str, Sequence[float]]]:
    return both[1]


def _stored(at: _Junction, both: Both) -> Callable[[], dict]:
    return lambda: {"parts": [both[0](), both[1]()], "t": at.t, "stage": at.stage}


@dataclass(frozen=True)
class _Powers:
    """The powers of both runs, see `Powers`."""

    at: _Junction
    both: tuple[Powers, Powers]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.both[0], name)

    def along(self, t: np.ndarray, x: np.ndarray, stage: np.ndarray) -> np.ndarray:
        return self.at.by_stage((self.both[0].along, self.both[1].along), t, x, stage)


@dataclass(frozen=True)
class _Reactions:
    """The constraints of both runs, see `ConstraintForces`."""

    at: _Junction
    both: tuple[ConstraintForces, ConstraintForces]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.both[0], name)

    def along(self, places: Places) -> tuple[np.ndarray, np.ndarray]:
        own, other = self.both
        values, sure = (self.at.by_stage((partial(_part, own, k), partial(_part, other, k)), *places) for k in (0, 1))
        return values, sure

    def struck(self, change: Change) -> tuple[np.ndarray, np.ndarray]:
        t, x, stage, impulses = change
        own, index = self.at.at_event(self.both, stage)
        return own.struck((t, x, index, impulses))

    def struck_at(self, change: Change) -> Places:
        t, x, stage, impulses = change
        own, index = self.at.at_event(self.both, stage)
        times, states, _ = own.struck_at((t, x, index, impulses))
        return times, states, np.array([stage])

    def exerted(self, wanted: object, turns: bool, frame: object, places: Places, values: np.ndarray) -> np.ndarray:
        def of(one: ConstraintForces) -> Callable[..., np.ndarray]:
            return lambda t, x, stage, own: one.exerted(wanted, turns, frame, (t, x, stage), own)

        t, x, stage = places
        early = stage < self.at.stage
        index = np.where(early, stage, stage - self.at.stage)
        return _chosen((of(self.both[0]), of(self.both[1])), early, t, x, index, values)


def _part(forces: ConstraintForces, k: int, t: np.ndarray, x: np.ndarray, stage: np.ndarray) -> np.ndarray:
    return forces.along((t, x, stage))[k]


_MADE: Mapping[str, Callable[[_Junction, Both], Any]] = {
    "kinetic_energy": _by_time,
    "potential_energy": _by_time,
    "force": _by_stage,
    "friction_force": _by_stage,
    "slopes": _by_stage,
    "evaluate": _evaluate,
    "accelerated": _accelerated,
    "gaps": _gaps,
    "joint_wrench": _joint_wrench,
    "joint_impulse": _joint_impulse,
    "geometry": _geometry,
    "graph": _graph,
    "observed": _observed,
    "stored": _stored,
    "commanded": _commanded,
    "sides": _sides,
    "powers": _Powers,
    "reactions": _Reactions,
}
"""How a hook of both runs is made of theirs; others are those of the first."""
