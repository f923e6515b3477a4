"""Details on an early end of a run: the reasons for rejected steps, and repeated events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from sympact.integrate.history.event import KINDS
from sympact.integrate.loop.workspace import Workspace
from sympact.integrate.memory import run_codes as codes
from sympact.integrate.problem.program import Program
from sympact.integrate.problem.status import Status
from sympact.integrate.search.accumulation_kernel import CLUSTER
from sympact.integrate.search.isolate_kernel import NO_ROOT

__all__ = ["describe_end", "repeated"]

_LAST = 1000  # events that are examined
_LONGEST = 16  # events of a pattern
_NAMED = 3  # states and events that are named


def describe_end(status: Status, workspace: Workspace, program: Program) -> str:
    """The reason for the end of the run, as text between the time of its end and the sentence of its status."""
    if status in (Status.MAX_STEPS, Status.NO_PROGRESS):
        return "; ".join(
            filter(None, [_steps(workspace), _rejections(workspace, program), _events(workspace, program)])
        )
    if status is Status.MAX_EVENTS:
        return _events(workspace, program)
    if status is Status.STOPPED:
        return f"by {_fired(workspace, program)}"
    if status is Status.EVENT_LOOP and int(workspace.run.instant) < CLUSTER:
        return f"the loop is that of the conditions {_fired(workspace, program)}, whose jumps cause each other"
    if status is Status.BELOW_SURFACE:
        return f"by {_fired(workspace, program)}"
    if status is Status.EVENT_LOOP and not _repeats_here(workspace):
        return f"the loop is that of the event {_crossed(workspace, program)}, which is zero there in no direction"
    if status is Status.EVENT_LOOP:
        return f"the loop of transitions is {_listed(repeated(_last_events(workspace, program)))}"
    if status is Status.BEYOND_BOUNDARY:
        return _beyond(workspace, program)
    return _event_at_hand(workspace, program) if status is Status.UNBALANCED_EVENT else ""


def repeated(events: Sequence[str]) -> list[str]:
    """The shortest pattern that the last of some events repeat, all of them where they repeat none.

    >>> repeated(["start", "a -> b", "b -> a", "a -> b", "b -> a"])
    ['a -> b', 'b -> a']
    """
    for length in range(1, min(_LONGEST, len(events) // 2) + 1):
        if events[-length:] == events[-2 * length : -length]:
            pattern = list(events[-length:])
            first = min(range(length), key=lambda k: pattern[k:] + pattern[:k])
            return pattern[first:] + pattern[:first]
    return list(events[-_NAMED:])


def _steps(workspace: Workspace) -> str:
    run = workspace.run
    steps, rejected = int(run.steps), int(run.rejected)
    since, tried = run.t - run.seen_t, steps + rejected - int(run.seen_steps)
    return (
        f"{steps:,} steps and {rejected:,} rejected ones were tried, the last {tried:,} of them for {since:.3g} s;"
        f" the last step was {run.h:.3g} s"
    )


def _rejections(workspace: Workspace, program: Program) -> str:
    """The states whose error rejected steps, and the rejections because a boundary was not finite."""
    total = int(workspace.run.rejected)
    by_state = Counter(dict(zip(program.state_names, workspace.run.rejected_by.tolist(), strict=True)))
    by_state["a boundary that is not finite"] = total - by_state.total()
    named = [f"{name} ({count:,})" for name, count in by_state.most_common(_NAMED) if count > 0]
    return f"rejected for the error of {', '.join(named)}" if total and named and by_state.total() else ""


def _events(workspace: Workspace, program: Program) -> str:
    """The most frequent of the last events."""
    names = _last_events(workspace, program)
    if not names:
        return "no events"
    named = [f"{name} ({count:,})" for name, count in Counter(names).most_common(_NAMED)]
    return f"of the last {len(names):,} of {int(workspace.run.events):,} events: {', '.join(named)}"


def _last_events(workspace: Workspace, program: Program) -> list[str]:
    """The last events, each as text."""
    events, modes = workspace.events(), workspace.modes()
    report, fired, stages = (events[name][-_LAST:] for name in ("event_record", "event_fired", "event_source"))
    places = stages if modes is None else modes[stages, 0]
    rows = zip(places.tolist(), report[:, codes.KIND].astype(int).tolist(), fired.astype(bool), strict=True)
    return [_named(program, place, kind, row) for place, kind, row in rows]


def _named(program: Program, stage: int, kind: int, fired: np.ndarray) -> str:
    """An event as text: its transition, or its kind and contacts."""
    names = program.stages[stage].boundary_names
    took_part = _listed([name for name, took in zip(names, fired, strict=False) if took])
    return took_part if kind == codes.TRANSITION_KIND else f"{KINDS[kind]} of {took_part or 'no contact'}"


def _fired(workspace: Workspace, program: Program) -> str:
    """The names of the participants of the last event, or of the one that was not completed."""
    names, fired = program.stages[int(workspace.run.stage_index)].boundary_names, workspace.run.fired.astype(bool)
    return _listed([name for name, took in zip(names, fired, strict=False) if took])


def _repeats_here(workspace: Workspace) -> bool:
    """Whether the events at the end of the run are its loop; else it passed over boundaries, which is no event."""
    return 2 * np.count_nonzero(workspace.events()["event_t"] == workspace.run.t) > CLUSTER


def _crossed(workspace: Workspace, program: Program) -> str:
    """The names of the boundaries at zero in the last step, event or not."""
    run = workspace.run
    names = program.stages[int(run.stage_index)].boundary_names
    return _listed([repr(name) for name, root in zip(names, run.roots, strict=False) if root < NO_ROOT])


def _event_at_hand(workspace: Workspace, program: Program) -> str:
    """The event that was not completed."""
    stage, kind = int(workspace.run.stage_index), int(workspace.run.record[codes.KIND])
    fired = workspace.run.fired.astype(bool)
    return f"at the {_named(program, stage, kind, fired)}"


def _beyond(workspace: Workspace, program: Program) -> str:
    stage = program.stages[int(workspace.run.stage_index)]
    depths = workspace.run.beyond_by[: len(stage.boundary_names)]
    told = [f"{name!r} by {by:.6g}" for name, by in zip(stage.boundary_names, depths, strict=False) if by > 0.0]
    return f"the stage {stage.name!r} began at t = {workspace.run.entry_t:.12g} beyond the boundary {_listed(told)}"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names)
