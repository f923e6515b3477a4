"""A run in memory: it begins, advances in parts, is saved and restored, and ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sympact.integrate.loop.prepared_run import PreparedRun
from sympact.integrate.loop.recorder import Recorder
from sympact.integrate.loop.written_piece import WrittenPiece
from sympact.integrate.problem.schedule import Schedule
from sympact.integrate.problem.settings import Settings
from sympact.integrate.problem.stage import Scales
from sympact.integrate.problem.status import Status
from sympact.integrate.session.stops import Stops

__all__ = ["CARRIED", "Moment", "Session"]

CARRIED = ("approach", "reference", "largest_acceleration")
"""The fields of a run, besides its state, mode and step size, that a later arc depends on."""


@dataclass(frozen=True, eq=False)
class Moment:
    """The numbers of a run in memory, without an address: they can be restored in any process.

    Attributes
    ----------
    memory : array of int
        The numbers of the loop, see `Workspace.own_words`.
    stage : int
        The index of the present stage.
    scales : array
        The scales of all boundaries.
    samples, events : dict of str to array
        The rows of the columns so far.
    modes : array or None
        The modes so far.
    """

    memory: np.ndarray
    stage: int
    scales: np.ndarray
    samples: dict[str, np.ndarray]
    events: dict[str, np.ndarray]
    modes: np.ndarray | None


class Session:
    """A run in memory; its numbers do not depend on where it pauses.

    Parameters
    ----------
    prepared : PreparedRun
    settings : Settings
    scales, schedule
        See `PreparedRun.begin`.
    resumed : (int, mapping of str to float), optional
        The stage and the fields of a run that this one continues, see `Workspace.resume`.
    latched : sequence of int
        Boundaries of transitions of the first stage beyond which the run begins, as an earlier one has crossed them.

    Attributes
    ----------
    status : Status or None
        The reason for its end; None while it goes on.
    """

    def __init__(
        self,
        prepared: PreparedRun,
        settings: Settings,
        scales: Sequence[Scales] = (),
        schedule: Schedule | None = None,
        resumed: tuple[int, Mapping[str, float]] | None = None,
        latched: Sequence[int] = (),
    ) -> None:
        self._prepared, self._settings = prepared, settings
        self._schedule = schedule  # whose memory the run reads
        self._workspace = prepared.begin(settings.t_span, settings.x0, scales, schedule)
        self.status: Status | None = None
        if resumed is not None:
            self._workspace.resume(*resumed)
        if latched:
            self._workspace.latch(latched)
        self._stops: Stops | None = None

    @property
    def t(self) -> float:
        """The time that it has reached (s)."""
        return float(self._workspace.run.t)

    @property
    def x(self) -> np.ndarray:
        """The state there."""
        return self._workspace.run.x.copy()

    @property
    def samples(self) -> int:
        """The number of samples so far."""
        return int(self._workspace.run.samples)

    @property
    def events(self) -> int:
        """The number of events so far."""
        return int(self._workspace.run.events)

    @property
    def event_times(self) -> np.ndarray:
        """Their times (s)."""
        return self._workspace.event_times().copy()

    @property
    def attempts(self) -> int:
        """The number of attempted steps so far."""
        run = self._workspace.run
        return int(run.steps + run.rejected)

    @property
    def carried(self) -> dict[str, float]:
        """The fields `CARRIED`."""
        run = self._workspace.run
        return {name: getattr(run, name) for name in CARRIED}

    @property
    def next_size(self) -> float:
        """The size of the next step to try (s)."""
        return float(self._workspace.run.h_next)

    @property
    def modes(self) -> np.ndarray | None:
        """The modes so far, see `Workspace.modes`."""
        return self._workspace.modes()

    def rows(self, first: int) -> dict[str, np.ndarray]:
        """The columns of the samples from one of them on, by the names of their fields in `RunMemory`."""
        return self._workspace.rows(first)

    def advance(self, steps: int) -> None:
        """Attempt some steps, up to the next event."""
        self.status = self._prepared.advance(self._workspace, steps)

    def steps_from_outside(self) -> None:
        """Be ready for `reach`, `save` and `restore`; before the first step of a run with a schedule."""
        assert self._schedule is not None, "where numbers change from outside, the schedule has what is called then"
        self._stops = Stops(self._prepared, self._workspace, self._schedule)

    def reach(self, until: float, lands: bool = False) -> Status | None:
        """Go on to a time, at which a step of the run ends; None where it is reached, and the run goes on.

        Parameters
        ----------
        until : float
            A time after the present one, at most the end of the run (s).
        lands : bool
            Whether numbers that the equations contain have changed: contacts are resolved first, and a smooth arc
            begins.
        """
        assert self._stops is not None, "`steps_from_outside` comes first"
        self.status = self._stops.reach(until, lands)
        return self.status

    @property
    def stage(self) -> int:
        """The index of the present stage."""
        return int(self._workspace.run.stage_index)

    @property
    def raised(self) -> BaseException | None:
        """The exception of a user's function that has ended it."""
        return self._prepared.faults.raised

    @property
    def saves(self) -> bool:
        """Whether all numbers of its method are in its memory."""
        return not self._prepared.keeps_python

    def save(self) -> Moment:
        """Its numbers."""
        workspace = self._workspace
        memory, table = workspace.own_words(), self._prepared.program.table
        samples, events = workspace.rows(0), workspace.event_rows()
        return Moment(memory, int(workspace.run.stage_index), table.scales.copy(), samples, events, workspace.modes())

    def restore(self, moment: Moment) -> None:
        """Go on from a moment of a run that has begun as this one, which has just begun."""
        self._workspace.restore_own(moment.memory)
        np.copyto(self._prepared.program.table.scales, moment.scales)
        self._workspace.reenter(moment.stage, moment.samples, moment.events, moment.modes)

    def drop(self) -> None:
        """Keep the last sample alone, and no event."""
        self._workspace.keep_last()

    def release(self) -> None:
        """Leave its memory to another run; nothing of this run may be read afterwards."""
        self._workspace.give_back()

    def present(self) -> WrittenPiece:
        """The run up to here, which goes on."""
        status = self.status or Status.FINISHED
        return WrittenPiece.of_present(self._prepared, self._workspace, self._settings, status)

    def run(self, progress: bool = False, recorder: Recorder | None = None) -> WrittenPiece:
        """Go on to the end; nothing of this run may be read afterwards.

        Parameters
        ----------
        progress : bool
            Show the progress of the run, as `Progress` does.
        recorder : Recorder, optional
            Takes the run in parts; the run then has the samples alone that it keeps.

        Raises
        ------
        Exception
            Any exception of a user's function; ``program.faults.run`` is the run up to there.
        """
        prepared, workspace, settings, events = self._prepared, self._workspace, self._settings, 0

        def part(last: bool = False) -> None:
            nonlocal events
            assert recorder is not None, "a run without one is not taken in parts"
            recorder.take(WrittenPiece.of_part(prepared, workspace, settings, workspace.drain(), events), last)
            events = int(workspace.run.events)

        status = prepared.go(workspace, progress, None if recorder is None else part)
        if recorder is not None:
            part(last=True)
        run, faults = WrittenPiece(prepared, workspace, settings, status), prepared.faults
        if recorder is not None:
            run.keep(recorder.samples(), recorder.event_samples())
        if status is Status.FAULT and faults.raised is not None:
            faults.run = run
            raise faults.raised
        return run

    def finish(self, max_steps: int | None = None, progress: bool = False) -> None:
        """Go on to the end, or until so many steps are attempted in all."""
        if max_steps is not None:
            self._workspace.run.max_steps = self._workspace.run.look_at = max_steps
        self.status = self._prepared.go(self._workspace, progress)

    def go_on(self) -> None:
        """The limit of steps is no longer one."""
        self._workspace.run.max_steps = self._workspace.run.look_at = 0
        self.status = None

    def hasten(self) -> None:
        """Pause after the present step."""
        self._workspace.run.budget = 0

    def forget(self, samples: int, events: int) -> None:
        """Keep the first samples and events alone; the run cannot go on."""
        self._workspace.run.samples, self._workspace.run.events = samples, events

    def completed(self, status: Status | None = None) -> WrittenPiece:
        """The output; nothing of this run may be read afterwards."""
        ended = status or self.status or Status.FINISHED
        return WrittenPiece(self._prepared, self._workspace, self._settings, ended)
