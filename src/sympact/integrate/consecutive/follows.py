"""Whether one run follows on another: the end of the first is the start of the second, of one model."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from sympact.integrate.memory.run_tolerances import DEFAULT_ATOL, DEFAULT_RTOL
from sympact.integrate.trajectory.evaluator import Evaluator
from sympact.integrate.trajectory.record import Record
from sympact.integrate.trajectory.trajectory import Trajectory

__all__ = ["refuse_others", "tolerances_at"]


def refuse_others(first: Trajectory, second: Trajectory) -> None:
    """Raise ValueError with a sentence for each reason why the second run does not follow on the first."""
    faults = _of_model(first, second) or [*_of_time(first, second), *_of_state(first.record, second.record)]
    if faults:
        raise ValueError(f"the runs do not follow on each other: {'; '.join(faults)}")


def _of_model(first: Trajectory, second: Trajectory) -> list[str]:
    """Other states, contacts, equations or numbers of parameters."""
    names, others = first.program.state_names, second.program.state_names
    if names != others:
        return [f"the first has the states {list(names)}, the second {list(others)}"]
    own, other = _boundaries(first), _boundaries(second)
    for stage in own.keys() & other.keys():
        if own[stage] != other[stage]:
            return [f"events of the first are those of {list(own[stage])}, of the second of {list(other[stage])}"]
    if _attitudes(first) != _attitudes(second):
        return [
            "their rotations were integrated in different coordinates; take methods of one kind, or attitude='angles'"
        ]
    return _of_equations(first.evaluator, second.evaluator)


def _boundaries(run: Trajectory) -> dict[str, tuple[str, ...]]:
    """The contacts or transitions of each stage, by its name."""
    return {
        stage.name: stage.boundary_names[: len(stage.boundary_names) - len(stage.switch_names)]
        for stage in run.program.stages
    }


def _attitudes(run: Trajectory) -> object:
    """The table of the quaternions that were integrated; None without any."""
    chart = run.record.chart
    return None if chart is None else chart["attitudes"]


def _of_equations(first: Evaluator, second: Evaluator) -> list[str]:
    known, found = first.identity(), second.identity()
    if known is None or found is None:
        return []
    (own, numbers), (other, others) = known, found
    if own != other:
        return ["they are of different models; join runs of one model"]
    return [
        f"the parameter {name} is {numbers[name]:.12g} in the first and {others[name]:.12g} in the second"
        for name in numbers
        if numbers[name] != others.get(name, numbers[name])
    ]


def _of_time(first: Trajectory, second: Trajectory) -> list[str]:
    end, start = float(first.t[-1]), float(second.t[0])
    if end == start:
        return []
    return [f"the first ends at t = {end:.12g}, the second starts at t = {start:.12g}; start it at result.t_span[1]"]


def _of_state(first: Record, second: Record) -> list[str]:
    """A start that differs from the end by more than the tolerances of the first run."""
    end, start, settings = first.x[-1], second.x[0], first.settings
    absent = np.isnan(end) & np.isnan(start)  # states that the stage of a process does not have
    wrong = np.flatnonzero(~(absent | (np.abs(start - end) <= tolerances_at(end, settings))))
    if not wrong.size:
        return []
    k = int(wrong[np.argmax(np.abs(start - end)[wrong])])
    others = f", and {len(wrong) - 1} more states differ" if len(wrong) > 1 else ""
    told = f"the state {k} is {end[k]:.12g} at the end of the first and {start[k]:.12g} at the start of the second"
    return [f"{told}{others}; start it at result(result.t_span[1])"]


def tolerances_at(x: np.ndarray, settings: Mapping[str, object]) -> np.ndarray:
    """The error that a run with these settings allows for each state, at a state x."""
    return _tolerance(settings, "atol", DEFAULT_ATOL) + _tolerance(settings, "rtol", DEFAULT_RTOL) * np.abs(x)


def _tolerance(settings: Mapping[str, object], name: str, default: float) -> np.ndarray:
    return np.asarray(settings.get(name, default), dtype=float)
