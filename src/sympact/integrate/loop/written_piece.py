"""A piece of a run as the loop has written it: its arrays are copied when it ends, the rest is made on first access."""

from __future__ import annotations

import numpy as np

from sympact.integrate.history.event import NUMBERS
from sympact.integrate.history.event_numbers import reported_numbers
from sympact.integrate.loop.dense import rebuild_segments, stored_segments, straight_segments
from sympact.integrate.loop.ending import describe_end
from sympact.integrate.loop.prepared_run import PreparedRun
from sympact.integrate.loop.workspace import Workspace, counts
from sympact.integrate.memory import run_codes as codes
from sympact.integrate.memory.run_memory import RunMemory
from sympact.integrate.problem.continuation import Continuation
from sympact.integrate.problem.program import Program
from sympact.integrate.problem.settings import Settings
from sympact.integrate.problem.status import Status
from sympact.integrate.steppers.interpolation import StoredInterpolant, no_segments
from sympact.integrate.trajectory.mode_names import Lend, Modes
from sympact.integrate.trajectory.record import Record
from sympact.native.cached import cached_property

__all__ = ["WrittenPiece", "hide_absent"]

_T_INF, _T_INF_ERROR = (RunMemory.fields[name].slot for name in ("t_inf", "t_inf_error"))


class WrittenPiece:
    """A piece of a run, see `Piece`.

    Parameters
    ----------
    prepared : PreparedRun
    workspace : Workspace
        Which this run returns.
    settings : Settings
    status : Status

    Attributes
    ----------
    settings : Settings
    status : Status
    samples, events : dict of str to array
        The columns that the loop wrote, by the names of their fields in `RunMemory`.
    lend : callable or None
        See `Modes`.
    latched : tuple of int
        The boundaries of its last stage that have been crossed and are not inside again, in a stage of a process.
    continuation : Continuation or None
        See `Record`; set before `record` is used.
    """

    def __init__(self, prepared: PreparedRun, workspace: Workspace, settings: Settings, status: Status) -> None:
        self.settings, self.status, self._prepared = settings, status, prepared
        self.lend: Lend | None = None
        self.continuation: Continuation | None
        self._kept = False
        self._detail = "" if status is Status.FINISHED else describe_end(status, workspace, prepared.program)
        self.samples, self.events = workspace.samples(), workspace.events()
        self._rows, self._numbers = workspace.modes(), workspace.numbers()
        self.latched, self.continuation = workspace.latched(), None
        workspace.give_back()

    @classmethod
    def of_part(
        cls, prepared: PreparedRun, workspace: Workspace, settings: Settings, samples: dict[str, np.ndarray], first: int
    ) -> WrittenPiece:
        """A part of a run that goes on: some samples, and the events from the one with the index `first` on."""
        part = cls.__new__(cls)
        part.settings, part.status, part._prepared, part.lend = settings, Status.FINISHED, prepared, None
        part._detail, part._kept = "", False
        part.latched, part.continuation = (), None
        part.samples = {**samples, "sample_h": np.concatenate([[0.0], samples["sample_h"][1:]])}
        part.events = {name: column[first:].copy() for name, column in workspace.events().items()}
        part._rows, part._numbers = workspace.modes(), workspace.numbers()
        return part

    @classmethod
    def of_present(
        cls, prepared: PreparedRun, workspace: Workspace, settings: Settings, status: Status
    ) -> WrittenPiece:
        """A run up to the present time, which goes on."""
        part = cls.__new__(cls)
        part.settings, part.status, part._prepared, part.lend = settings, status, prepared, None
        part._detail, part._kept = describe_end(status, workspace, prepared.program), False
        part.latched, part.continuation = workspace.latched(), None
        part.samples, part.events = workspace.rows(0), workspace.event_rows()
        part._rows, part._numbers = workspace.modes(), workspace.numbers()
        return part

    def keep(self, samples: dict[str, np.ndarray], event_samples: np.ndarray) -> None:
        """Take only these samples as those of the run, without the states between them."""
        self.samples, self._kept = samples, True
        self.events = {**self.events, "event_sample": event_samples}

    @property
    def t(self) -> np.ndarray:
        """The times of the samples, shape (m,)."""
        return self.samples["sample_t"]

    @property
    def x(self) -> np.ndarray:
        """The states there, shape (m, n_states)."""
        return self.samples["sample_x"]

    @property
    def event_t(self) -> np.ndarray:
        """The times of the events, shape (k,)."""
        return self.events["event_t"]

    @cached_property
    def record(self) -> Record:
        """The samples and events, the end and the settings."""
        samples, events, numbers = self.samples, self.events, self._numbers
        report = events["event_record"]
        friction = codes.HEAD + events["event_fired"].shape[1]
        return Record(
            t=samples["sample_t"],
            x=samples["sample_x"],
            h=samples["sample_h"],
            stage=samples["sample_stage"],
            event_t=events["event_t"],
            event_sample=events["event_sample"],
            event_source=events["event_source"],
            event_target=events["event_target"],
            event_fired=events["event_fired"].astype(bool),
            event_kind=report[:, codes.KIND].astype(np.int64),
            event_numbers=reported_numbers(NUMBERS, report, events["event_t"]),
            event_impulse=report[:, codes.HEAD : friction],
            event_friction=report[:, friction:].reshape(len(report), (report.shape[1] - friction) // 3, 3),
            status=self.status,
            t_inf=float(numbers.view(np.float64)[_T_INF]),
            t_inf_error=float(numbers.view(np.float64)[_T_INF_ERROR]),
            counts=counts(numbers),
            settings=self.settings.asked() | {"engine": self._prepared.program.engine.name},
            detail=self._detail,
            continuation=self.continuation,
        )

    @cached_property
    def modes(self) -> Modes:
        """The modes of the run."""
        return Modes(self._prepared.program, self._rows, self.lend)

    @cached_property
    def program(self) -> Program:
        """The program with a stage for each mode."""
        return self.modes.named()

    @property
    def method(self) -> str:
        """The method of integration."""
        return self.settings.method

    @cached_property
    def interpolant(self) -> StoredInterpolant:
        """The state between the samples."""
        record, modes, layout = self.record, self.modes, self._prepared.layout
        if self._kept:
            return StoredInterpolant(record.t, record.x, lambda: no_segments(record.x.shape[1]))
        if self._prepared.stores_polynomials:
            polynomials = self.samples["sample_polynomial"]
            return StoredInterpolant(record.t, record.x, lambda: stored_segments(modes, record, polynomials))
        if layout.straight:
            return StoredInterpolant(record.t, record.x, lambda: straight_segments(record))
        low = self.samples["sample_low"]
        return StoredInterpolant(record.t, record.x, lambda: rebuild_segments(modes, layout, record, low))


def hide_absent(run: WrittenPiece) -> None:
    """Make the states NaN in the samples of stages that do not have them."""
    stages, x = run.modes.program.stages, run.samples["sample_x"]
    of_samples = run.modes.table[run.samples["sample_stage"], 0]
    for index, stage in enumerate(stages):
        if stage.present:
            absent = np.setdiff1d(np.arange(x.shape[1]), stage.present)
            x[np.ix_(of_samples == index, absent)] = np.nan
