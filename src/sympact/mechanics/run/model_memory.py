"""A compiled model as the loop runs it: its stages, and the memory in which its contacts are computed.

One run at a time uses it. Data that are the same in all runs are written once: a run begins with the memory in its
initial state, with its own parameters and scales, and returns it when it ends. Forces and states between samples are
computed on request: `Recall` then takes memory again. Where the model calls Python functions of one run, that run keeps
its memory.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sympact.contact.contact_workspace import TRANSITION, ChosenFunctions, ContactData
from sympact.integrate.loop.prepared_run import PreparedRun
from sympact.integrate.loop.recorder import Recorder
from sympact.integrate.loop.written_piece import WrittenPiece
from sympact.integrate.memory.run_codes import BY_FUNCTION
from sympact.integrate.problem.callback import Callback, Faults, python_jump
from sympact.integrate.problem.continuation import numbered
from sympact.integrate.problem.program import Program
from sympact.integrate.problem.schedule import Schedule
from sympact.integrate.problem.settings import Settings
from sympact.integrate.problem.stage import Scales, Stage
from sympact.integrate.session.session import Session
from sympact.mechanics.derived.compiled import CompiledModel
from sympact.mechanics.run.event_values import EventValues, by_values
from sympact.mechanics.run.signals import Signals
from sympact.mechanics.run.step_forces import TIME_STEPPING
from sympact.mechanics.start.consistency import StartCheck
from sympact.mechanics.start.scale import Scale
from sympact.native.cached import cached_property
from sympact.native.engine import MACHINE_CODE, present_engine
from sympact.native.image import Image, Words
from sympact.native.kernel import function_at

__all__ = ["ModelMemory", "Recall", "give_back", "scheduled", "take"]

_FLOW = ctypes.CFUNCTYPE(None, ctypes.c_double, *[ctypes.c_int64] * 3)

_IN_STEPS = 2
"""The stage in which time stepping runs."""

_CLOSED = "is closed"
"""What `ModelMemory.sides` says of a contact."""


class ModelMemory:
    """The stages of a model and the memory of one run.

    Parameters
    ----------
    compiled : CompiledModel
    signals : Signals, optional
        The inputs; the stages call those that are Python functions.

    Attributes
    ----------
    p : array
        The parameters that the machine code reads, inputs and switches included.
    data : ContactData or None
        The memory of the contacts; None for a model without contacts and conditions.
    turning : SwitchData or None
        The switches; None for a model without conditions.
    lasting : bool
        Whether another run may use it: it calls no Python function of this run, and is that of machine code.
    program : Program
        The model as the loop runs it; the parameters and scales are those of the present run.
    """

    def __init__(self, compiled: CompiledModel, signals: Signals | None) -> None:
        model = compiled.model
        self.p = compiled.blank.copy()
        self.compiled, nc = compiled, len(model.contacts)
        valued = by_values(model.derivation.switches)
        calls_python = model.calls_python or model.calls_functions
        calls_python = calls_python or (signals is not None and signals.calls_python)
        self.lasting = not calls_python and present_engine() is MACHINE_CODE
        self._faults = Faults() if calls_python else None
        self._fed = self._callbacks(signals)
        self._addresses = compiled.running | {name: callback.address for name, callback in self._fed.items()}
        self._signals = signals
        self._shadow: ModelMemory | None = None
        self._stepped: tuple[np.ndarray, np.ndarray, list[Image]]
        self._gaps = self._addresses.get("boundary", 0)
        self._values = self._beside() if valued else None
        place = self.p.ctypes.data
        self.free = compiled.free_motion(self.p, self._addresses)
        switches = model.derivation.switches
        self.turning = compiled.switches(self.p, self._addresses, self.free) if switches else None
        self.data = self._contacts() if nc or switches else None
        self._statuses = np.zeros(1, np.int64) if self.data is None else self.data.mode.statuses  # each read is slow
        if self._values is not None and self.data is not None and self.turning is not None:
            self.data.mode.watched[self._values.boundaries] = BY_FUNCTION
            self.turning.memory.n_forces, self._values.memory = len(self._values.boundaries), self.turning.memory
        self._proof = compiled.proofs.table(compiled.running, place) if self.data else None
        self.program = Program(
            self._stages(),
            compiled.state_names,
            self._faults,
            {TIME_STEPPING: _IN_STEPS} if nc else {},
            calls_python=calls_python or (self.data is not None and self.data.calls_python),
            discrete=tuple(model.q.index(state) for state in model.discrete),
            memories=tuple(part.memory for part in (self.data, self.free.constraints) if part is not None),
        )
        self._images = [Image(part.memory) for part in self._parts]
        self._prepared: tuple[object, PreparedRun | None] = (None, None)
        self._scales: tuple[Scale | None, tuple[Scales, ...]] = (None, ())

    @property
    def _parts(self) -> list[Any]:
        kept = (self.data, self.turning, self._proof, self.free.constraints)
        return [part for part in kept if part is not None]

    @property
    def words(self) -> list[np.ndarray]:
        """The memory of a run but for p and the memory of the loop, as integers."""
        return [block.view(np.int64) for part in self._parts for block in part.memory.blocks]

    @cached_property
    def start(self) -> StartCheck:
        """The check of the start of a run."""
        free = (self.free.flow, self.free.data) if self.free.constraints else None
        return StartCheck(self.compiled, self.p, free)

    def scale(self, p: np.ndarray, settings: Settings) -> Scale | None:
        """The scale of gaps of a run whose start is certainly consistent; None where it may not be."""
        self.p[:] = p
        return self.start.scale(settings.t_span[0], settings.x0, rtol=settings.rtol, atol=settings.atol)

    def begin(self, p: np.ndarray, length: float, grains: Sequence[float] | np.ndarray) -> None:
        """The initial state of a run with these parameters; gaps are relative to the length (m) and have the grains."""
        self.p[:] = p
        for image in self._images:
            image.restore()
        if self.data is not None:
            self.data.begin(length, grains)
        if self.turning is not None:
            self.turning.begin()

    def run(
        self,
        settings: Settings,
        scale: Scale,
        slopes: Sequence[Sequence[float]],
        signals: Signals | None,
        *,
        progress: bool,
        recorder: Recorder | None = None,
    ) -> WrittenPiece:
        """A run from here; `slopes` are those of the margins of switches at its start."""
        t, x = settings.t_span[0], settings.x0
        self.free.measure(t, x)
        if self._values is not None and self.turning is not None:
            self._values.begin(t, x)
            self.turning.begin()
        return self.session(settings, scale, slopes, signals).run(progress, recorder)

    @property
    def closed(self) -> bool:
        """Whether contacts are closed."""
        return bool(self._statuses[:-1].any())

    def rates(self, t: float, x: np.ndarray) -> np.ndarray:
        """x' in the present mode, with the forces of closed contacts."""
        stage, rates = self.program.stages[int(self.closed)], np.empty(len(x))
        function_at(_FLOW, stage.flow)(t, x.ctypes.data, stage.flow_data, rates.ctypes.data)
        return rates

    def rates_beside(self, t: float, x: np.ndarray) -> np.ndarray:
        """The same in other memory, so that a run goes on as without."""
        return self._in_mode().rates(t, x)

    def rates_at_start(self, settings: Settings, scale: Scale, slopes: Sequence[Sequence[float]]) -> np.ndarray:
        """x' after the contacts have been resolved at the start of a run from here; nothing else is done of it."""
        t, x = settings.t_span[0], settings.x0
        self.free.measure(t, x)
        if self.turning is not None:
            self.turning.begin()
        begun = self.session(settings, scale, slopes, None)
        begun.advance(0)
        return self.rates(t, begun.x)

    def _beside(self) -> EventValues:
        """The events of which values alone are known, called beside the boundaries."""
        assert self._faults is not None, "a run that calls Python has them"
        values = EventValues(self.compiled, self.p, self._signals, self._faults, self._in_mode)
        self._fed["events"] = values.beside(self._addresses["boundary"])
        self._addresses = {**self._addresses, "boundary": self._fed["events"].address}
        return values

    def _in_mode(self) -> ModelMemory:
        """Other memory in the mode of this one."""
        if self._shadow is None:
            self._shadow = ModelMemory(self.compiled, self._signals)
        other = self._shadow
        other.p[:] = self.p
        if self.data is not None and other.data is not None:
            other.data.begin(self.data.length, [])
            other.data.restore_mode(self.data.mode_numbers())
        other.restore_row_scales(self.row_scales())
        return other

    def twin(self, length: float, grains: np.ndarray, signals: Signals | None) -> ModelMemory:
        """Other memory in the present state of this one, in which a part of a run is evaluated while it goes on."""
        other = ModelMemory(self.compiled, signals)
        other.begin(self.p, length, grains)
        scales = self.row_scales()
        if scales is not None:
            other.restore_row_scales(scales)
        if self.data is not None and other.data is not None:
            other.data.restore_mode(self.data.mode_numbers())
        return other

    def session(
        self,
        settings: Settings,
        scale: Scale,
        slopes: Sequence[Sequence[float]],
        signals: Signals | None,
        numbers: Mapping[str, float] | None = None,
    ) -> Session:
        """The `Session` of such a run, which may also pause; `numbers` are those of a run that it continues, in the
        present mode."""
        prepared, schedule = self._prepare(settings), self._planned(settings, scale, signals)
        resumed = None
        if numbers is not None or (settings.sides is not None and self.closed):
            resumed = int(self.closed), numbers or {}
        return Session(prepared, settings, self._scales_of(scale, slopes), schedule, resumed)

    def stepping(
        self, settings: Settings, scale: Scale, slopes: Sequence[Sequence[float]], signals: Signals | None
    ) -> Session:
        """A run from here whose steps end, and whose numbers change, as its caller demands."""
        t, x = settings.t_span[0], settings.x0
        self.free.measure(t, x)
        if self._values is not None and self.turning is not None:
            self._values.begin(t, x)
            self.turning.begin()
        schedule, switches = self._planned(settings, scale, signals), self.turning.address if self.turning else 0
        schedule = schedule or Schedule.of((), self.p, len(x), switches, (t, t), lands=True)
        session = Session(self._prepare(settings), settings, self._scales_of(scale, slopes), schedule)
        session.steps_from_outside()
        self._stepped = schedule.table, schedule.table.copy(), [Image(part.memory) for part in self._parts]
        return session

    def changes(self) -> Changes:
        """What a run that is stepped has changed in this memory since it began, see `restore_changes`."""
        table, begun, images = self._stepped
        places = np.flatnonzero(table != begun)
        values = None if self._values is None else self._values.kept
        parts = [image.differences(part.memory.linked) for image, part in zip(images, self._parts, strict=True)]
        room = 0 if self.data is None else self.data.room
        return Changes(self.p.copy(), (places, table[places]), tuple(parts), values, room)

    def restore_changes(self, changes: Changes) -> None:
        """Write the changes of another run that has begun as this one, which has just begun."""
        table, _, images = self._stepped
        self.p[:] = changes.p
        table[changes.table[0]] = changes.table[1]
        if self.data is not None:
            self.data.make_room(changes.room)
        for image, part in zip(images, changes.parts, strict=True):
            image.put(part)
        if self._values is not None and changes.values is not None:
            self._values.kept = changes.values

    def _prepare(self, settings: Settings) -> PreparedRun:
        last, prepared = self._prepared
        if prepared is None or last is not settings.same:
            prepared = PreparedRun(self.program, settings)
            self._prepared = (settings.same, prepared) if prepared.lasting else (None, None)
        return prepared

    def take_over(
        self, other: ModelMemory, contacts: tuple[np.ndarray, np.ndarray], rows: tuple[np.ndarray, np.ndarray]
    ) -> None:
        """Go on with the modes of contacts and the scales of bilateral constraints of another run.

        Parameters
        ----------
        other : ModelMemory
        contacts, rows : (array of int, array of int)
            The places of these here and there.
        """
        if self.data is not None and other.data is not None:
            self.data.take_over(other.data, *contacts)
        if self.free.constraints is not None and other.free.constraints is not None:
            self.free.constraints.take_over(other.free.constraints, *rows)

    def row_lengths(self) -> np.ndarray | None:
        """The lengths of the bilateral constraints of this run."""
        return None if self.free.constraints is None else self.free.constraints.memory.lengths.copy()

    def row_scales(self) -> np.ndarray | None:
        """What was measured of the bilateral constraints at the start of this run."""
        return None if self.free.constraints is None else self.free.constraints.scales()

    def restore_row_scales(self, scales: np.ndarray | None) -> None:
        """Set it as it was in another run."""
        if self.free.constraints is not None and scales is not None:
            self.free.constraints.restore(scales)

    def sides(self) -> dict[str, Sequence[float]]:
        """On which side each boundary is, see `Evaluator.sides`, by the name of what is true where it is 1.0; and
        closed contacts with their modes."""
        found: dict[str, Sequence[float]] = {}
        if self.turning is not None:
            found = dict(zip(self._boundary_names(), self.turning.sides().tolist(), strict=True))
        if not self._statuses.any():
            return found
        return found | {name: (float(mode), float(rests)) for name, (mode, rests) in self._modes().items() if mode}

    def _boundary_names(self) -> list[str]:
        """What `sides` calls each boundary."""
        return numbered(switch.names[0] for switch in self.compiled.model.derivation.switches)

    def _modes(self) -> dict[str, tuple[int, int]]:
        """The mode of each contact and whether its model is at rest, by what `sides` calls it."""
        if self.data is None:
            return {}
        *modes, rests = self._statuses.tolist()
        contacts = self.compiled.contact_names
        return {f"{name} {_CLOSED}": (mode, rests) for name, mode in zip(contacts, modes, strict=True)}

    def _close(self, settings: Settings, scale: Scale) -> bool:
        """Take over the modes of contacts that were closed where the run goes on, and touch there; whether any does.

        What closes, opens, sticks or slips there is an event of the run, resolved as that of a sample.
        """
        if settings.sides is None:
            return False
        sides, modes = settings.sides, self._modes()
        if self.data is None or settings.method == TIME_STEPPING or not any(name in sides for name in modes):
            return False
        t, x = settings.t_span[0], settings.x0
        gaps = self.compiled.boundary(t, x, self.p, np.zeros(len(x)))
        taken = [k for k, name in enumerate(modes) if name in sides and abs(gaps[k]) <= scale.depths[k]]
        for k in taken:
            mode, rests = sides[list(modes)[k]]
            self._statuses[k], self._statuses[-1] = int(mode), int(rests)
        return bool(taken)

    def _planned(self, settings: Settings, scale: Scale, signals: Signals | None) -> Schedule | None:
        """The schedule of a run from here; boundaries are on the sides, contacts in the modes with which it goes on.

        Those which differ from what is true at its start are events there.
        """
        lands = self._close(settings, scale)
        if settings.sides is not None and self.turning is not None:
            lands = (
                self.turning.go_on([settings.sides.get(name, (0.0, 0.0)) for name in self._boundary_names()]) or lands
            )
            if self._values is not None:
                lands = self._values.go_on() or lands
        if signals is None and lands:
            n, switches = len(self.compiled.model.x), self.turning.address if self.turning is not None else 0
            return Schedule.of((), self.p, n, switches, settings.t_span, lands=True)
        return self.schedule(signals, lands)

    def schedule(self, signals: Signals | None, lands: bool = False) -> Schedule | None:
        """The times at which inputs given as data change to their next piece, and controllers act.

        `lands`: the start of the run is one of them.
        """
        if signals is None:
            return None
        place = self.turning.address if self.turning else 0
        return signals.schedule(self.p, place, self._faults, self.rates_beside, lands)

    def _scales_of(self, scale: Scale, slopes: Sequence[Sequence[float]]) -> tuple[Scales, ...]:
        """The scales of each stage; the same object for the same scale."""
        known, scales = self._scales
        if known is not scale or len(slopes):
            contacts = len(self.compiled.model.contacts)
            measured = self.data.length_address if scale.measured and contacts and self.data else 0
            one = Scales((scale.length,) * contacts, scale.grains, measured, slopes)
            scales = (one,) * len(self.program.stages)
            self._scales = scale, scales
        return scales

    def _callbacks(self, signals: Signals | None) -> dict[str, Callback]:
        """The functions that a run calls where inputs are Python functions: each call evaluates the inputs first. Jumps
        of the user's own that are Python functions are among them."""
        own = self._jumps()
        if signals is None or not signals.functions or self._faults is None:
            return own
        running, sizes = self.compiled.running, self.compiled.sizes
        jumps = [f"jump_{k}" for k in range(len(self.compiled.model.derivation.jumps))]
        called = ("flow", "equations", "motion", "constraints", "kinematics", self.compiled.terms_name, *jumps)
        plain = [name for name in called if name in running]
        fed = {name: signals.fed(running[name], self.p, sizes[name], self._faults) for name in plain}
        along = [name for name in ("boundary", "friction") if name in running]
        fed |= {name: signals.fed_along(running[name], self.p, sizes[name], self._faults) for name in along}
        return fed | own

    def _jumps(self) -> dict[str, Callback]:
        """The jumps that are Python functions."""
        n, faults, found = len(self.compiled.model.x), self._faults, {}
        for k, jump in enumerate(self.compiled.model.derivation.jumps):
            if jump.function is not None and faults is not None:
                found[f"jump_{k}"] = python_jump(jump.function, n, faults, f"the jump of {jump.name!r}")
        return found

    def _stages(self) -> tuple[Stage, ...]:
        """Free motion; with contacts also closed contacts, and time stepping."""
        compiled, addresses, data = self.compiled, self._addresses, self.data
        nc = len(compiled.model.contacts)
        free: dict[str, Any] = {
            "name": "free",
            "flow": self.free.flow,
            "flow_data": self.free.data,
            "project": self.free.project,
            **(self.free.constraints.residual if self.free.constraints else {}),
            "begin": self.free.begin,
            "prepare": self.free.prepare,
        }
        if data is None:
            return (Stage(**free),)
        switches = compiled.model.derivation.switches
        watched = {
            "boundary": addresses["boundary"],
            "boundary_data": self.p.ctypes.data,
            "chosen_boundary": self._chosen("boundary"),
            "boundary_names": (*compiled.contact_names, *(switch.names[0] for switch in switches)),
            "derivatives": True,
            "transition": TRANSITION.address(),
            "transition_data": data.address,
            "contacts": nc,
            "rubbing": nc if compiled.has_friction else 0,
            "active": data.mode.watched.ctypes.data,
            "statuses": (data.mode.statuses.ctypes.data, nc + 1),
            "switches": self.turning.place if self.turning else (0, 0),
            "switch_names": tuple(switch.names for switch in switches),
            "switch_table": self.turning.address if self.turning else 0,
            "watches": self.turning.watches if self.turning else 0,
            "functions": 0 if self._values is None else len(self._values.boundaries),
            "goes_on": bool(self.turning and self.turning.memory.at_accumulation >= 0),
            "proof": self._proof.address if self._proof else 0,
        }
        if not nc:
            return (Stage(**free, **watched),)
        if self.turning:
            self.turning.meet_contacts(data.closed.rates.address(), data.address)
        begin, prepare = self._closed_starts(data)
        closed = Stage(
            name="closed",
            flow=data.closed.rates.address(),
            flow_data=data.address,
            project=data.closed.project.address(),
            force=data.closed.margins.address(),
            margins=data.problem.stage_margins.address,
            resolved=compiled.resolved,
            begin=begin,
            prepare=prepare,
            stall=data.closed.stall.address() if data.closed.stall else 0,
            **watched,
        )
        stepped = Stage(
            **free | {"name": "time stepping"},
            transition_data=data.address,
            boundary_names=compiled.contact_names,
            contacts=nc,
            rubbing=watched["rubbing"],
        )
        return Stage(**free, **watched), closed, stepped

    def _chosen(self, name: str) -> int:
        """The form of a function for chosen contacts; 0 where it has none, or a callback evaluates inputs before it."""
        return 0 if name in self._fed else self.compiled.chosen(name)

    def _chosen_of_contacts(self, terms: str) -> ChosenFunctions:
        """The functions for chosen contacts; constraints change all of M, which is then evaluated anew."""
        if self.compiled.constrained or self._values is not None:
            return ChosenFunctions()
        return ChosenFunctions(*map(self._chosen, (terms, "boundary", "friction")))

    def _closed_starts(self, data: ContactData) -> tuple[int, int]:
        """What is stored at the start of arcs and steps with closed contacts."""
        begin, prepare = data.closed.begin, data.closed.prepare
        if self.free.constraints is not None:
            return self.free.constraints.closed_starts(begin, prepare)
        return (begin.address() if begin else 0, prepare.address() if prepare else 0)

    def _contacts(self) -> ContactData:
        """The memory in which a run computes its impacts and closed contacts."""
        model, addresses = self.compiled.model, self._addresses
        terms = self.compiled.terms_name
        return ContactData(
            len(model.q),
            len(model.u),
            len(model.contacts),
            model.law,
            model.resolution,
            terms=addresses[terms],
            chosen=self._chosen_of_contacts(terms),
            branches=self.compiled.branches,
            parameters=self.p,
            length=0.0,
            flow=self.free.flow,
            free_data=self.free.data,
            gaps=self._gaps,
            project=self.free.project,
            n_rows=len(model.derivation.constraints),
            meet_speeds=self.free.constraints.meet_speeds if self.free.constraints else 0,
            n_boundaries=len(model.contacts) + len(model.derivation.switches),
            switches=self.turning.address if self.turning else 0,
            friction=addresses.get("friction", 0),
            slip_width=self.compiled.sizes.get("friction", 0) // max(len(model.contacts), 1),
            painleve=model.painleve,
            faults=self._faults,
        )


@dataclass(frozen=True, eq=False)
class Changes:
    """What a run has changed in its `ModelMemory` since it began, without an address.

    Attributes
    ----------
    p : array
        All numbers.
    table : (array of int, array of int)
        Of the schedule: places and numbers.
    parts : tuple of (array of int, array of int)
        Of contacts, switches, proofs and constraints, see `Image.differences`.
    values : tuple, optional
        See `EventValues.kept`.
    room : int
        The number of contacts for which the memory has room.
    """

    p: np.ndarray
    table: Words
    parts: tuple[Words, ...]
    values: tuple[np.ndarray, float, float] | None
    room: int


class Recall:
    """Memory in which a run that has ended is evaluated: forces, and states between samples.

    Parameters
    ----------
    memory : ModelMemory
        That of the run, which is kept where it calls Python functions of the run; else the numbers of its last mode
        are, such as the accelerations to which margins are relative.
    p : array
        The parameters of the run.
    length : float
        The model length at its end (m).
    grains : array, shape (n_contacts,)
        See `Scale`.
    signals : Signals, optional
        The inputs of the run.
    """

    __slots__ = ("_compiled", "_grains", "_length", "_lock", "_mode", "_own", "_p", "_scales", "_signals")

    def __init__(
        self, memory: ModelMemory, p: np.ndarray, length: float, grains: np.ndarray, signals: Signals | None
    ) -> None:
        self._compiled, self._own = memory.compiled, None if memory.lasting else memory
        self._p, self._length, self._grains, self._signals = p, length, grains, signals
        self._lock = threading.Lock()
        self._mode = memory.data.mode_numbers() if memory.lasting and memory.data is not None else None
        self._scales = memory.row_scales() if memory.lasting else None

    def numbers(self) -> dict[str, object]:
        """What a file stores, for `restored`."""
        own = self._own
        mode = self._mode if own is None else own.data.mode_numbers() if own.data is not None else None
        scales = self._scales if own is None else own.row_scales()
        return {
            "p": [float(number).hex() for number in self._p],
            "length": float(self._length).hex(),
            "grains": [float(grain).hex() for grain in self._grains],
            "mode": None if mode is None else [part.tolist() for part in mode],
            "scales": None if scales is None else [float(scale).hex() for scale in scales],
        }

    @classmethod
    def restored(
        cls, memory: ModelMemory, stored: Mapping, start: tuple[float, np.ndarray], signals: Signals | None
    ) -> Recall:
        """That of a run in a file, from its `numbers` and its start; `memory` is kept where it calls Python functions.

        Raises
        ------
        ValueError
            If the numbers are not those of this model.
        """
        p, grains = (np.array([float.fromhex(number) for number in stored[name]]) for name in ("p", "grains"))
        length, scales, mode = float.fromhex(stored["length"]), stored["scales"], stored["mode"]
        memory.begin(p, length, grains)
        if scales is None:
            memory.free.measure(*start)
        else:
            memory.restore_row_scales(np.array([float.fromhex(scale) for scale in scales]))
        if mode is not None and memory.data is not None:
            numbers, arrays = (np.array(part, dtype=np.int64) for part in mode)
            memory.data.restore_read_mode((numbers, arrays))
        return cls(memory, p, length, grains, signals)

    @contextmanager
    def __call__(self) -> Iterator[tuple[Program, ContactData | None]]:
        """A program with the parameters of the run, and the memory of its contacts, for one thread at a time."""
        if self._own is None:
            memory = take(self._compiled, None)
            memory.begin(self._p, self._length, self._grains)
            memory.restore_row_scales(self._scales)
            if memory.data is not None and self._mode is not None:
                memory.data.restore_mode(self._mode)
            yield scheduled(memory, self._signals), memory.data
            give_back(memory)
            return
        with self._lock:
            yield scheduled(self._own, self._signals), self._own.data


def scheduled(memory: ModelMemory, signals: Signals | None) -> Program:
    """The program with the schedule of a run that has ended, where it had one: its inputs have their values again."""
    schedule = None if signals is None else signals.recalled(memory.p)
    return memory.program if schedule is None else replace(memory.program, schedule=schedule)


def take(compiled: CompiledModel, signals: Signals | None) -> ModelMemory:
    """Memory for a run: that which an earlier run has returned, or new memory."""
    own = (signals is not None and signals.calls_python) or compiled.model.calls_functions
    if present_engine() is MACHINE_CODE and not own:
        try:
            return compiled.waiting.pop()
        except IndexError:
            pass  # none is free, or another thread has taken it
    return ModelMemory(compiled, signals)


def give_back(memory: ModelMemory) -> None:
    """Leave the memory to other runs, if it calls no Python function of this one."""
    if memory.lasting:
        memory.compiled.waiting.append(memory)
