"""A compiled model as the loop runs it: its stages, and the memory in which its contacts are computed.

One run at a time uses it. Data that are the same in all runs are written once: a run begins with the memory in its
initial state, with its own parameters and scales. The memory belongs to the result as long as the result exists, since
forces and states between samples are computed on request; then the next run may use it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from sympact.contact.contact_workspace import TRANSITION, ContactData
from sympact.integrate.problem.callback import Callback, Faults
from sympact.integrate.problem.program import Program, Scales, Stage
from sympact.integrate.problem.settings import Settings
from sympact.integrate.problem.stage_table import StageTable
from sympact.mechanics.run.signals import Signals
from sympact.mechanics.run.step_forces import TIME_STEPPING
from sympact.mechanics.start.consistency import StartCheck
from sympact.mechanics.start.scale import Scale
from sympact.native.engine import present_engine
from sympact.native.image import Image

if TYPE_CHECKING:
    from sympact.mechanics.run.compiled import CompiledModel

__all__ = ["Loan", "ModelMemory", "borrow"]

_IN_STEPS = 2
"""The stage in which time stepping runs."""


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
    """

    def __init__(self, compiled: CompiledModel, signals: Signals | None) -> None:
        model = compiled.model
        self._engine = present_engine()
        self.p = compiled.blank.copy()
        self.compiled, self._names, nc = compiled, compiled.state_names, len(model.contacts)
        self._calls_python = model.calls_python or (signals is not None and bool(signals.functions))
        self._faults = Faults() if self._calls_python else None
        self._fed = self._callbacks(signals)
        self._addresses = compiled.running | {name: callback.address for name, callback in self._fed.items()}
        place = self.p.ctypes.data
        switches = model.derivation.switches
        self._turning = compiled.switches(self.p, self._addresses, place) if switches else None
        self.data = self._contacts() if nc or switches else None
        self._proof = compiled.proofs.table(compiled.running, place) if self.data else None
        self.stages = self._stages()
        self._table = StageTable(self.stages)
        kept = (self.data, self._turning, self._proof)
        self._images = [Image(part.memory) for part in kept if part is not None]
        self._start_stages = {TIME_STEPPING: _IN_STEPS} if nc else {}

    @property
    def lasting(self) -> bool:
        """Whether another run may use it: it calls no Python function of this run, and has addresses of one engine."""
        return not self._calls_python and self._engine.switched_at is None

    def fits(self) -> bool:
        """Whether it has the addresses of the present engine."""
        return self._engine.interpreted == present_engine().interpreted

    @cached_property
    def _start(self) -> StartCheck:
        return StartCheck(self.compiled, self.p)

    def scale(self, p: np.ndarray, settings: Settings) -> Scale | None:
        """The scale of gaps of a run whose start is certainly consistent; None where it may not be."""
        self.p[:] = p
        return self._start.scale(settings.t_span[0], settings.x0, rtol=settings.rtol, atol=settings.atol)

    def program(
        self,
        loan: Loan,
        p: np.ndarray,
        scale: Scale,
        slopes: Sequence[Sequence[float]],
        signals: Signals | None,
    ) -> Program:
        """A run with these parameters and scales of its gaps and margins, in the memory in its initial state."""
        self.p[:], self._engine = p, present_engine()
        for image in self._images:
            image.restore()
        model, schedule = self.compiled.model, None
        if self.data is not None:
            self.data.begin(scale.length, scale.grains)
        if signals is not None:
            schedule = signals.schedule(self.p, self._turning.address if self._turning else 0)
        measured = self.data.length_address if scale.measured and model.contacts and self.data else 0
        scales = Scales((scale.length,) * len(model.contacts), scale.grains, measured, slopes)
        return Program(
            self.stages,
            self._names,
            self._faults,
            self._start_stages,
            schedule,
            scales=(scales,) * len(self.stages),
            kept_table=self._table,
            owner=loan,
            memories=() if self.data is None else (self.data.memory,),
        )

    def _callbacks(self, signals: Signals | None) -> dict[str, Callback]:
        """The functions that a run calls where inputs are Python functions: each call evaluates the inputs first."""
        if signals is None or not signals.functions or self._faults is None:
            return {}
        running, sizes = self.compiled.running, self.compiled.sizes
        fed = {name: signals.fed(running[name], self.p, sizes[name], self._faults) for name in ("flow", "impact")}
        along = [name for name in ("boundary", "friction") if name in running]
        return fed | {name: signals.fed_along(running[name], self.p, sizes[name], self._faults) for name in along}

    def _stages(self) -> tuple[Stage, ...]:
        """Free motion; with contacts also closed contacts, and time stepping."""
        compiled, addresses, data = self.compiled, self._addresses, self.data
        nc = len(compiled.model.contacts)
        free = {
            "name": "free",
            "flow": addresses["flow"],
            "flow_data": self.p.ctypes.data,
            "project": addresses.get("project", 0),
        }
        if data is None:
            return (Stage(**free),)
        switches = compiled.model.derivation.switches
        watched = {
            "boundary": addresses["boundary"],
            "boundary_data": self.p.ctypes.data,
            "boundary_names": (*compiled.contact_names, *(switch.names[0] for switch in switches)),
            "derivatives": True,
            "transition": TRANSITION.address(),
            "transition_data": data.address,
            "contacts": nc,
            "rubbing": nc if compiled.has_friction else 0,
            "active": data.mode.watched.ctypes.data,
            "statuses": (data.mode.statuses.ctypes.data, nc + 1),
            "switches": self._turning.place if self._turning else (0, 0),
            "switch_names": tuple(switch.names for switch in switches),
            "proof": self._proof.address if self._proof else 0,
        }
        if not nc:
            return (Stage(**free, **watched),)
        closed = Stage(
            name="closed",
            flow=data.closed.rates.address(),
            flow_data=data.address,
            project=data.closed.project.address(),
            force=data.closed.margins.address(),
            begin=data.closed.begin.address() if data.closed.begin else 0,
            prepare=data.closed.prepare.address() if data.closed.prepare else 0,
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

    def _contacts(self) -> ContactData:
        """The memory in which a run computes its impacts and closed contacts."""
        model, addresses = self.compiled.model, self._addresses
        return ContactData(
            len(model.q),
            len(model.u),
            len(model.contacts),
            model.law,
            model.resolution,
            terms=addresses["impact"],
            parameters=self.p,
            length=0.0,
            flow=addresses["flow"],
            gaps=addresses["boundary"],
            project=addresses.get("project", 0),
            n_boundaries=len(model.contacts) + len(model.derivation.switches),
            switches=self._turning.address if self._turning else 0,
            friction=addresses.get("friction", 0),
            painleve=model.painleve,
            faults=self._faults,
        )


class Loan:
    """The memory of a model while one run uses it; it returns to the model when nothing refers to the run any more.

    Attributes
    ----------
    memory : ModelMemory
    """

    __slots__ = ("memory",)

    def __init__(self, memory: ModelMemory) -> None:
        self.memory = memory

    def __del__(self) -> None:
        if self.memory.lasting:
            self.memory.compiled.waiting.append(self.memory)


def borrow(compiled: CompiledModel, signals: Signals | None) -> Loan:
    """Memory for a run: that which an earlier run has returned, or new memory."""
    if signals is None or not signals.functions:
        try:
            while not (memory := compiled.waiting.pop()).fits():
                pass
            return Loan(memory)
        except IndexError:
            pass  # none is free, or another thread has taken it
    return Loan(ModelMemory(compiled, signals))
