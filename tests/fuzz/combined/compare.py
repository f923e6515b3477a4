"""A run beside the exact motion of its scene: events and their names, states, forces, letters."""

from __future__ import annotations

import numpy as np

from fuzz.combined.exact import Exact, Piece
from fuzz.combined.polynomials import value
from fuzz.combined.scene import Play, Scene
from fuzz.reading import Findings
from sympact import Event, Result

EVENT_TIME = 1e-7
"""How far an event may be from the exact one (s): a run's own tolerance, enlarged by the impacts since its start."""

STATE = 1e-7
"""The same of states, of one and of their size; and of forces."""

UNSURE = 2e-3
"""How long before it is undecided the exact motion is compared (s): bounces that a run leaves out are not."""

MOMENTS = 40
"""So many times of a run are compared."""

AT_REST = " (at rest)"
"""What the name of a mode ends with in which nothing moves."""


def check_run(scene: Scene, play: Play, exact: Exact, result: Result, found: Findings) -> None:
    """All that must hold of a run, up to where the exact motion is undecided."""
    until = exact.until - (UNSURE if exact.why else 0.0)
    if until <= 0.0:
        return
    _check_events(exact, result, until, found)
    if found.list:
        return
    if not exact.why:
        wanted = "STOPPED" if exact.stopped else "FINISHED"
        found.expect(float(result.status.name != wanted), 0.0, f"ends {wanted}", result.t[-1], result.status.name)
        found.expect(abs(result.t[-1] - exact.until), EVENT_TIME, "ends at the exact time", result.t[-1])
    _check_states(scene, exact, result, until, found)


def wakes(event: Event) -> bool:
    """Whether an event is that of a model which comes to rest, or wakes, with its contacts closed as before."""
    before, after = (name.removesuffix(AT_REST) for name in (event.source, event.target))
    return event.kind == "open" and event.source != event.target and before == after


def _check_events(exact: Exact, result: Result, until: float, found: Findings) -> None:
    """Each instant has its event, and each event its instant."""
    own: list[tuple[float, set[str]]] = []
    for event in result.events:
        if event.kind == "switch" or wakes(event):
            continue
        if own and event.t - own[-1][0] <= EVENT_TIME:
            own[-1][1].update(event.contacts)
        else:
            own.append((event.t, set(event.contacts)))
    used = set()
    for instant in exact.instants:
        if instant.t > until:
            break
        names = {name for name in instant.names if not _free(exact, name, instant.t)}
        near = [k for k, (t, _) in enumerate(own) if abs(t - instant.t) <= EVENT_TIME]
        used |= set(near)
        here = set().union(*(own[k][1] for k in near))
        lost, more = names - here, {name for name in here - names - instant.may if not _free(exact, name, instant.t)}
        found.expect(len(lost), 0, "an event is lost", instant.t, f"{sorted(lost)} of {sorted(names)}")
        found.expect(len(more), 0, "an event more than there are", instant.t, f"{sorted(more)} beside {sorted(names)}")
    for k, (t, names) in enumerate(own):
        if k not in used and t < until:
            more = {name for name in names if not _free(exact, name, t)}
            found.expect(len(more), 0, "an event more than there are", t, f"{sorted(more)}")
    ends = [end for _, _, end in exact.bouncing]
    kinds = [event.t for event in result.events if event.kind == "accumulation"]
    for end in ends:
        if end < until:
            least = min((abs(t - end) for t in kinds), default=np.inf)
            found.expect(least, 3e-3, "bounces that shrink end where their series does", end)


def _free(exact: Exact, name: str, t: float) -> bool:
    """Whether an event of this name may be there or not: of the last bounces, of functions that were zero, and of
    conditions among these bounces, of which the run makes fewer."""
    return name in exact.unsure or any(
        start <= t <= end and (name == one or name[0] != "c") for one, start, end in exact.bouncing
    )


def _check_states(scene: Scene, exact: Exact, result: Result, until: float, found: Findings) -> None:
    """States, forces and letters between instants."""
    busy = np.array([0.0, *(instant.t for instant in exact.instants)])
    times = np.linspace(0.0, until, MOMENTS + 1)[1:]
    apart = np.abs(times[:, np.newaxis] - busy).min(axis=1) > 1e-4
    for _, start, end in exact.bouncing:
        apart &= (times < start) | (times > end)
    times = times[apart]
    if not len(times):
        return
    states = result(times)
    names = list(result.state_names)
    normal = result.normal_force_at(times) if scene.touches else None
    reaction = {k: result.reaction.at(times)[f"l{k}"] for k in range(len(scene.catches))}
    for j, t in enumerate(times):
        piece = _piece(exact, t)
        s = t - piece.t
        for k in range(len(scene.masses)):
            for letter in (f"x{k}", f"u{k}"):
                own, right = float(states[names.index(letter), j]), value(piece.letter(letter), s)
                if not found.expect(
                    abs(own - right) / (1.0 + abs(right)), STATE, "states", t, f"{letter}: {own}, {right}"
                ):
                    return
        if scene.counts:
            count = states[names.index("n0"), j]
            found.expect(abs(count - piece.letters["n0"][0]), STATE, "discrete states", t, "n0")
        for k in range(len(scene.touches)):
            right = value(piece.normal[k], s)
            found.expect(abs(normal[k, j] - right), 10 * STATE * (1.0 + abs(right)), "normal forces", t, f"c{k}")
        for k, rows in reaction.items():
            right = value(piece.reaction[k], s)
            found.expect(abs(rows[0, j] - right), 10 * STATE * (1.0 + abs(right)), "reactions", t, f"l{k}")


def _piece(exact: Exact, t: float) -> Piece:
    """The piece of a time."""
    return next(piece for piece in reversed(exact.pieces) if piece.t <= t)
