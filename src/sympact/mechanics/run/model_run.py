"""A run of a model that has ended: the details of its end, and the quantities of the model along it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any, Protocol

import numpy as np

from sympact.contact.constraints.constraint_data import ConstraintData
from sympact.contact.constraints.formulations import Formulation
from sympact.contact.contact_workspace import named_counts
from sympact.integrate.export.portable import portable, same_run
from sympact.integrate.history.hooks import Hooks
from sympact.integrate.history.mode_names import WORDS, Lend, Modes
from sympact.integrate.history.record import Record
from sympact.integrate.history.run_parts import Dense, SampledRun
from sympact.integrate.loop.completed_run import CompletedRun
from sympact.integrate.memory.run_tolerances import DEAD_BAND
from sympact.integrate.problem.program import Program
from sympact.integrate.problem.settings import Settings
from sympact.integrate.problem.status import Status
from sympact.integrate.problem.warning import SympactWarning, tell
from sympact.mechanics.derived.compiled import CompiledModel
from sympact.mechanics.inputs.continued import stored_held
from sympact.mechanics.joints.joints_along import JointsAlong
from sympact.mechanics.joints.motion_along import MotionAlong, numbers_along
from sympact.mechanics.joints.powers_along import PowersAlong
from sympact.mechanics.joints.reactions_along import ReactionsAlong
from sympact.mechanics.present.two_places import describe_leap, describe_two_places
from sympact.mechanics.run.dead_points import describe_driven
from sympact.mechanics.run.equation_audit import (
    audit,
    describe_arc,
    describe_imbalance,
    describe_painleve,
    may_warn,
    misses,
)
from sympact.mechanics.run.forces_along import forces_along
from sympact.mechanics.run.model_memory import ModelMemory, Recall, give_back, take
from sympact.mechanics.run.quantities import hooks_of, inertial_energy
from sympact.mechanics.run.signals import Signals
from sympact.mechanics.run.step_forces import TIME_STEPPING, stepped_forces_along
from sympact.mechanics.run.stored_given import stored_given
from sympact.mechanics.run.unsolved import describe_unsolved
from sympact.mechanics.start.scale import Scale

__all__ = ["ModelRun", "RestoredRun"]


class RunOutput(SampledRun, Protocol):
    """The output of a run, as `CompletedRun` has it."""

    settings: Settings
    status: Status
    lend: Lend | None

    @property
    def modes(self) -> Modes:
        """The modes of the run."""


class ModelRun:
    """A run of a model; its parts are made on first access.

    Parameters
    ----------
    compiled : CompiledModel
        The model as the user wrote it.
    output : CompletedRun
    memory : ModelMemory
        That of the run, from which what it has at the end is copied.
    p : array
        The parameters of the run.
    scale : Scale
        That of its gaps.
    signals : Signals, optional
        The inputs.
    start_change : array, shape (n_states,), optional
        The change of the initial state to one on the constraints.

    Attributes
    ----------
    length : float
        The model length at its end (m).
    solvers : array or None
        What is counted of the solvers of contacts.
    misses : dict of str to float, or None
        The largest figures of the audit of its smooth arcs, by the names of settings.
    row_lengths : array
        The lengths of the bilateral constraints.
    sides : dict of str to (float, float)
        The sides of its boundaries at its end, by their names.
    joined : str
        Why all islands of the model were integrated with one step; empty where it has one alone.
    """

    joined = ""
    origin: Any = None
    _output: RunOutput

    def __init__(
        self,
        compiled: CompiledModel,
        output: CompletedRun,
        memory: ModelMemory,
        p: np.ndarray,
        scale: Scale,
        signals: Signals | None,
        start_change: np.ndarray | None = None,
    ) -> None:
        self._start_change, self._report = start_change, output.events["event_record"]
        self._compiled, self._output, self._p, self._signals = compiled, output, p, signals
        self.length, self.solvers, self.misses, data = 0.0, None, None, memory.data
        self._constraints = _counts_of(memory.free.constraints)
        lengths = memory.row_lengths()
        self.row_lengths = np.zeros(0) if lengths is None else lengths
        self.sides = memory.sides()
        if data is not None:
            self.length, self.solvers = data.length if scale.measured else scale.length, data.solver_numbers()
            self.misses = misses(data.arc_audit)
        output.lend = Recall(memory, p, self.length, scale.grains, signals)

    def __reduce__(self) -> tuple:
        """Its numbers travel, and how it was made."""
        return same_run, (portable(self),)

    @property
    def t(self) -> np.ndarray:
        """The times of the samples, shape (m,)."""
        return self._output.t

    @property
    def x(self) -> np.ndarray:
        """The states there, shape (m, n_states)."""
        return self._output.x

    @property
    def event_t(self) -> np.ndarray:
        """The times of the events, shape (k,)."""
        return self._output.event_t

    @cached_property
    def record(self) -> Record:
        """The samples and events, the end and the settings, with the lengths that gaps were compared with."""
        record, length = self._output.record, self.length
        if self._compiled.constrained and self._start_change is not None:
            record.settings["start_change"] = self._start_change.tolist()
        if self._compiled.model.contacts and self.solvers is not None:
            settings = {**self._output.settings.compared_with(length), "rebound_height": DEAD_BAND * length}
            record.settings.update(settings, **(self.misses or {}), solvers=named_counts(self.solvers))
        if self.joined:
            record.settings["islands"] = f"joined: {self.joined}"
        if self._signals is not None and self._signals.time_events:
            record.settings["time_events"] = self._signals.time_events
        record.counts.update(self._constraints)
        return record

    @property
    def modes(self) -> Modes:
        """The modes of the run."""
        return self._output.modes

    @property
    def status(self) -> Status:
        """The reason for its end."""
        return self._output.status

    @property
    def interpolant(self) -> Dense:
        """The state between the samples."""
        return self._output.interpolant

    @property
    def program(self) -> Program:
        """The names of states, stages and boundaries."""
        return self._output.program

    @cached_property
    def hooks(self) -> Hooks:
        """The quantities of the model."""
        hooks, forces = hooks_of(self._compiled, self._p, self._signals), self.contact_forces()
        motion = self._motion(forces)
        joints = JointsAlong(motion)
        return replace(
            hooks,
            **forces,
            slopes=motion.slopes,
            joint_wrench=joints.wrench,
            joint_impulse=joints.impulse,
            reactions=ReactionsAlong(motion),
            powers=PowersAlong(motion, self._compiled.model.derivation),
            stored=self.stored,
            sides=self._sides_at,
        )

    def _sides_at(self, t: float) -> dict[str, Sequence[float]]:
        """The sides of its boundaries at its end; none before, where events of that time have happened."""
        return self.sides if t == self.record.t[-1] else {}

    def stored(self) -> dict[str, Any]:
        """What a file stores, see `RestoredRun`."""
        return {
            "digest": self._compiled.digest,
            "states": list(self._compiled.state_names),
            "span": self.record.settings["t_span"],
            "sampled": self._signals is not None and bool(self._signals.samplers),
            "commands": None if self._signals is None else self._signals.commanded(),
            **({} if self._signals is None else self._signals.stored_steps()),
            "held": {} if self._signals is None else stored_held(self._signals.held),
            "sides": self.sides,
            "run": self._recalled(),
            "modes": None if self.modes.rows is None else self.modes.rows.tolist(),
            "row_lengths": self.row_lengths.tolist(),
            **stored_given(self._compiled.model, self._signals),
        }

    def _recalled(self) -> dict[str, object]:
        """The numbers of its `Recall`."""
        lend = self.modes.lend
        assert isinstance(lend, Recall), "a run in memory of its own has one"
        return lend.numbers()

    def contact_forces(self) -> dict[str, Any]:
        """The functions ``force`` and ``friction_force`` of `Hooks`, by these names; none without contacts."""
        compiled, modes, contacts = self._compiled, self.modes, len(self._compiled.model.contacts)
        if contacts and self._stepped:
            return stepped_forces_along(self.record, modes, contacts)
        return forces_along(modes, self.record, contacts, compiled.has_friction) if contacts else {}

    def _motion(self, forces: dict[str, Any]) -> MotionAlong:
        """The motion along the run, with the forces of contacts."""
        signals = self._signals
        running = self._compiled if signals is None else signals.compiled
        settle = running.settle if self._stepped else None
        return MotionAlong(
            running.model,
            numbers_along(self.modes, len(running.blank), signals, settle, constrained=running.constrained),
            tuple(forces.values()),
            None if signals is None else signals.bound.inputs,
            self.row_lengths,
        )

    def finish(self, memory: ModelMemory, running: CompiledModel) -> None:
        """Describe an early end, and give the warnings of the run, while its memory is as it has left it."""
        self.describe(memory, running)
        self.warn()

    def describe(self, memory: ModelMemory, running: CompiledModel) -> None:
        """Describe an early end, while the memory is as the run has left it."""
        described = _DESCRIBED.get(self._output.status)
        if described is not None:
            self.record = replace(self.record, **described(self, memory, running))

    def warn(self) -> None:
        """Give the warnings of the run."""
        if self._may_warn():
            energy = inertial_energy(self._compiled, self._p, self._signals)
            self._warn(audit(self.record, self._names, energy, self._compiled.model.law))
        if self._constraints.get("unmet", 0) and not self._compiled.model.formulation.keeps:
            self._warn((_lost_rank(self._compiled.model.formulation, self._constraints["unmet"]),))

    def _warn(self, warnings: tuple[SympactWarning, ...]) -> None:
        """Add warnings to the record, and show them."""
        self.record = replace(self.record, warnings=(*self.record.warnings, *warnings))
        for warning in warnings:
            tell(warning)

    @property
    def _stepped(self) -> bool:
        return self._output.settings.method == TIME_STEPPING

    def _may_warn(self) -> bool:
        """Whether an event may give a warning.

        The gains of time stepping are of the order of the step squared, whatever the law.
        """
        return len(self._report) > 0 and not self._stepped and may_warn(self._report)

    def _painleve(self, memory: ModelMemory, running: CompiledModel) -> dict[str, Any]:
        return {"detail": describe_painleve(_contacts(memory).jam, self._names)}

    def _too_small(self, memory: ModelMemory, running: CompiledModel) -> dict[str, Any]:
        if not self._names:
            return {}
        terms = partial(self._compiled.terms, p=memory.p)
        return {"detail": describe_driven(self.record, self._output.modes, self._names, terms)}

    def _unsolved(self, memory: ModelMemory, running: CompiledModel) -> dict[str, Any]:
        detail, why = describe_unsolved(self._output.status, _contacts(memory), self._compiled.model)
        return {"detail": detail, "infeasibility": why}

    def _not_finite(self, memory: ModelMemory, running: CompiledModel) -> dict[str, Any]:
        record = self.record
        last = (record.t[-1], record.x[-1], memory.p)
        told = describe_two_places(running.model.derivation, self._names, *last)
        leapt = _contacts(memory).leapt if self._names else -1
        lost = "" if self._signals is None else self._signals.lost(record.t[-1])
        return {"detail": lost or told or describe_leap(leapt, self._names)}

    def _unbalanced(self, memory: ModelMemory, running: CompiledModel) -> dict[str, Any]:
        return {"detail": f"{self.record.detail}: {describe_imbalance(_contacts(memory).imbalance)}"}

    def _unbalanced_arc(self, memory: ModelMemory, running: CompiledModel) -> dict[str, Any]:
        return {"detail": describe_arc(_contacts(memory).arc_audit, self._names)}

    @property
    def _names(self) -> tuple[str, ...]:
        return self._compiled.contact_names


class RestoredRun(ModelRun):
    """A run read from a file, with the memory of its model as it was at the end.

    Parameters
    ----------
    compiled : CompiledModel
    stored : mapping
        What `ModelRun.stored` returned.
    record : Record
        As it was integrated.
    signals : Signals, optional
        The inputs, which the file does not contain.
    """

    def __init__(self, compiled: CompiledModel, stored: Mapping, record: Record, signals: Signals | None) -> None:
        if signals is not None and signals.samplers:
            signals.recall(stored["commands"])
        running, found = compiled if signals is None else signals.compiled, stored["run"]
        memory = take(running, signals)
        lend = Recall.restored(memory, found, (float(record.t[0]), record.x[0]), signals)
        rows = None if stored["modes"] is None else np.array(stored["modes"], dtype=np.int64)
        self._compiled, self._signals, self._record = compiled, signals, record
        self._p = np.array([float.fromhex(number) for number in found["p"]])
        self.sides = dict(stored.get("sides", {}))
        _check_modes(memory.program, rows, int(record.stage.max()))
        self._modes = Modes(memory.program, rows, lend)
        self.row_lengths = np.array(stored["row_lengths"], dtype=float)
        give_back(memory)

    @property
    def record(self) -> Record:
        """The samples and events."""
        return self._record

    @property
    def modes(self) -> Modes:
        """The modes of the run."""
        return self._modes

    @property
    def _stepped(self) -> bool:
        return self._record.settings["method"] == TIME_STEPPING


def _check_modes(program: Program, rows: np.ndarray | None, last: int) -> None:
    """Raise ValueError where rows of modes are not those of a program, or do not suffice for a record."""
    if rows is None:
        if last < len(program.stages):
            return
    elif rows.ndim == 2 and last < len(rows) and (rows >= 0).all() and (rows[:, 0] < len(program.stages)).all():
        words = {program.stages[row[0]].statuses[1] + program.stages[row[0]].switches[1] for row in rows}
        if words <= {rows.shape[1] - 1} and (rows[:, 1:] < len(WORDS)).all():
            return
    raise ValueError("the modes in the file are not those of the model; save the run again")


_DESCRIBED = {
    Status.PAINLEVE: ModelRun._painleve,
    Status.STEP_TOO_SMALL: ModelRun._too_small,
    Status.UNSOLVED_IMPACT: ModelRun._unsolved,
    Status.UNENDED_IMPACT: ModelRun._unsolved,
    Status.NO_RESTITUTION: ModelRun._unsolved,
    Status.NOT_FINITE: ModelRun._not_finite,
    Status.UNBALANCED_EVENT: ModelRun._unbalanced,
    Status.UNBALANCED_ARC: ModelRun._unbalanced_arc,
}
"""What a run adds to its record at an early end."""


def _counts_of(constraints: ConstraintData | None) -> dict[str, int]:
    """What is counted of bilateral constraints."""
    return {} if constraints is None else {"choices": constraints.choices, "unmet": constraints.unmet}


def _lost_rank(formulation: Formulation, unmet: int) -> SympactWarning:
    return SympactWarning(
        f"the motion passes places where constraints become dependent for an instant ({unmet} evaluations), and "
        f"{formulation!r} does not keep them there: the run may continue with another motion that they permit; use "
        "Projection()",
        "dependent constraints",
    )


def _contacts(memory: ModelMemory):
    """The memory of the contacts of a run that has some."""
    assert memory.data is not None
    return memory.data
