"""Runs of one model that follow each other in machine code: what they begin with, and the memory of each worker."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sympact.graph import reachable
from sympact.integrate.batch.batch_worker import BATCH_UNITS, Worker, image_of
from sympact.integrate.batch.lane_memory import LANES
from sympact.integrate.batch.lane_worker import LANE_UNITS, LaneWorker, tableau_in_lanes
from sympact.integrate.charts.winding import BUBBLE, MARGIN, WIDEST
from sympact.integrate.loop.prepared_run import PreparedRun
from sympact.integrate.problem.callback import Faults
from sympact.integrate.problem.settings import Settings
from sympact.integrate.problem.stage import Scales
from sympact.integrate.trajectory.chart import Chart
from sympact.mechanics.batch.model_batch_memory import BeginMemory, EndMemory
from sympact.mechanics.derived.compiled import CompiledModel
from sympact.mechanics.islands.islands import islands_of
from sympact.mechanics.run.equation_audit import JUST_OUTSIDE
from sympact.mechanics.run.model_memory import give_back, take
from sympact.mechanics.run.preparation import compile_units, numbers_of, units_of
from sympact.mechanics.run.signals import Signals
from sympact.mechanics.run.step_forces import TIME_STEPPING
from sympact.mechanics.simulate.simulate_compiled import turned_for
from sympact.mechanics.simulate.turned_model import TurnedModel
from sympact.mechanics.start.scale import scale_memory
from sympact.native.addresses import address_of
from sympact.native.cached import cached_property
from sympact.native.compilation import compile_together
from sympact.native.engine import MACHINE_CODE, Engine, engine_for
from sympact.native.kernel import Unit
from sympact.native.memory import Memory

__all__ = ["MODEL_BATCH_UNITS", "ModelBatch"]

_BEGIN = Unit("sympact.mechanics.batch.begin_kernel", "begin_run")
_FINISH = Unit("sympact.mechanics.batch.end_kernel", "finish_run")
MODEL_BATCH_UNITS = [*BATCH_UNITS, *LANE_UNITS, _BEGIN, _FINISH]
"""What a batch of runs of a model calls besides what one run calls."""


@dataclass(frozen=True, eq=False)
class ModelBatch:
    """Runs of a model that differ in their starts and parameters.

    Parameters
    ----------
    outer : CompiledModel
        The user's model.
    asked : Settings
        The user's; the initial state is that of the first run.
    signals : Signals or None
        The inputs.
    starts : array, shape (runs or 1, n_states)
        Initial states.
    parameters : array, shape (runs or 1, n_parameters)
        In the order of the model's parameters, or those of ``signals.compiled.model``.
    unused : dict of int to float
        As in `CompiledModel.simulate`.
    """

    outer: CompiledModel
    asked: Settings
    signals: Signals | None
    starts: np.ndarray
    parameters: np.ndarray
    unused: dict[int, float]

    @cached_property
    def turned(self) -> TurnedModel | None:
        """The model with quaternions that is integrated, if it is one."""
        return turned_for(self.outer, self.asked, self.signals)

    @property
    def chart(self) -> Chart | None:
        """The states that are integrated, where they are not the user's."""
        return None if self.turned is None else self.turned.chart

    @cached_property
    def why_alone(self) -> str:
        """Why each run is a run by itself; empty where they follow each other in machine code."""
        model, islands = self.compiled.model, self.compiled.model.made(islands_of)
        if islands is not None and not islands.why_joined(self.settings, self._own):
            return f"parts of the model, {len(islands.coupling.states)} in all, are integrated with steps of their own"
        if self._own is not None and self._own.samplers:
            return "controllers act at given times"
        if self._own is not None and self._own.calls_python:
            return "an input is a Python function"
        if model.calls_python:
            return "the impact law is a Python function"
        if model.derivation.switches:
            return "the model has conditions or transitions, whose branches at the start are found by Python"
        if self.asked.by.begin(Faults()).owner is not None:
            return f"the method {self.asked.method} calls Python"
        return ""

    @cached_property
    def _first(self) -> tuple[Settings, np.ndarray, Signals | None]:
        """The settings, all numbers of p and the inputs of the first run, as it is integrated."""
        numbers = numbers_of(self.outer, self.parameters[0], self.signals, self.unused)
        if self.turned is None:
            return self.asked, numbers, self.signals
        x0 = self.turned.compiled.raw("inward", 0.0, self.starts[0], numbers)
        return self.turned.inner(self.asked, x0, self.parameters[0], numbers, self.signals)

    @property
    def settings(self) -> Settings:
        """Those of the states that are integrated, at the start of the first run."""
        return self._first[0]

    @property
    def _own(self) -> Signals | None:
        return self._first[2]

    @cached_property
    def compiled(self) -> CompiledModel:
        """The model that is integrated, with its inputs."""
        if self._own is not None:
            return self._own.compiled
        return self.outer if self.turned is None else self.turned.compiled

    @cached_property
    def p(self) -> np.ndarray:
        """p of the model that is integrated, shape (runs or 1, n)."""
        rows = np.repeat(self._first[1][np.newaxis], len(self.parameters), axis=0)
        if len(rows) > 1:
            own = slice(None) if self.turned is None else self.turned.taken(self.signals)
            rows[:, self.compiled.places] = self.parameters[:, own]
        return rows

    @cached_property
    def lengths(self) -> np.ndarray:
        """The model's own length in each run, shape (runs or 1,)."""
        varying = [place for place in self._of_length if (self.p[:, place] != self.p[0, place]).any()]
        if not varying:
            return np.array([self.compiled.length_of(self.p[0])])
        _, first, which = np.unique(self.p[:, varying], axis=0, return_index=True, return_inverse=True)
        return np.array([self.compiled.length_of(self.p[k]) for k in first])[which.ravel()]

    @property
    def _of_length(self) -> list[int]:
        """The entries of p on which the length depends."""
        graph = self.compiled.model.derivation.graph
        nodes = [node for f in self.compiled.functions if f.name in ("length", "lengths") for node in f.outputs]
        inputs = (graph.args[node] for node in reachable(graph, nodes) if graph.ops[node] == "input")
        return sorted({place for name, place in inputs if name == "p"})

    def refused(self) -> np.ndarray:
        """The runs whose start violates a precondition, such as a positive radius."""
        wanted = self.compiled.model.preconditions
        if not wanted.preconditions:
            return np.zeros(0, int)
        x = self.starts if self.chart is None else self.chart.inward(self.starts)
        t, runs = self.asked.t_span[0], max(len(self.starts), len(self.p))
        met = (wanted.values(t, x.T, self.p.T) > 0.0).all(axis=0)
        return np.flatnonzero(~np.broadcast_to(met, runs))

    def engine(self) -> Engine:
        """The engine of the runs, after what they call is compiled; a batch waits for it."""
        units = [*units_of(self.compiled, self.asked.by, self._scheduled), *MODEL_BATCH_UNITS]
        chosen = engine_for("interpreted" if self.asked.engine == "interpreted" else "compiled", units)
        if chosen is MACHINE_CODE:
            compile_units(self.compiled, self.asked, self._own)
            compile_together(MODEL_BATCH_UNITS)
        return chosen

    @property
    def _scheduled(self) -> bool:
        return self._own is not None and self._own.scheduled

    def worker(
        self, arrays: dict[str, np.ndarray], *, keeps: bool, states: bool = False, lanes: bool
    ) -> Worker | LaneWorker:
        """A worker of its own memory, which writes into arrays that all workers share; in `lanes` where it can be."""
        table, functions = tableau_in_lanes(self.asked.by.layout), self.compiled.in_lanes if lanes else None
        if table is None or functions is None:
            return ModelWorker(self, arrays, keeps=keeps, states=states)
        first = ModelWorker(self, arrays, keeps=keeps, states=states)
        others = [ModelWorker(self, arrays, keeps=keeps, states=states, beside=first) for _ in range(1, LANES)]
        return LaneWorker([first, *others], table, functions)


class ModelWorker(Worker):
    """A worker of a `ModelBatch`.

    Parameters
    ----------
    batch : ModelBatch
    arrays : dict of str to array
        See `Worker`.
    keeps, states : bool
        See `Worker`.
    beside : Worker, optional
        See `Worker`.
    """

    def __init__(
        self,
        batch: ModelBatch,
        arrays: dict[str, np.ndarray],
        *,
        keeps: bool,
        states: bool = False,
        beside: Worker | None = None,
    ) -> None:
        compiled, settings, signals = batch.compiled, batch.settings, batch._own
        self._model_memory = model_memory = take(compiled, signals)
        nc, n_stages = len(compiled.model.contacts), len(model_memory.program.stages)
        nothing = np.zeros(nc)
        model_memory.begin(batch.p[0], 1.0, nothing)
        prepared = PreparedRun(model_memory.program, settings)
        scales = (Scales((1.0,) * nc, nothing, 0, ()),) * n_stages
        schedule = model_memory.schedule(signals)
        workspace = prepared.begin(settings.t_span, settings.x0, scales, schedule)
        workspace.run.forgets = int(batch.chart is None)  # whose full turns are counted sample by sample
        scheduled = [] if schedule is None else [schedule.table]  # with the pieces of data in force
        images = [(words, image_of(words)) for words in [*model_memory.words, *scheduled]]
        attitudes = () if batch.chart is None else batch.chart.attitudes
        sizes = {
            "n_rows": len(arrays["end_t"]),
            "n_given": batch.starts.shape[1],
            "n_starts": len(batch.starts),
            "n_numbers": batch.p.shape[1],
            "n_parameters": len(batch.p),
            "n_turns": 2 * len(attitudes),
        }
        given = {"given": batch.starts, "parameters": batch.p}
        own = model_memory.p, images, sizes, given | arrays
        super().__init__(prepared, workspace, *own, keeps=keeps, states=states, beside=beside)
        self._held = [schedule, self._checks(batch, n_stages), self._judges(batch)]
        if batch.turned is not None:
            self.memory.inward = compiled.running["inward"]

    def _checks(self, batch: ModelBatch, n_stages: int) -> tuple[Memory, ...]:
        """The memory of the beginning of a run."""
        compiled, settings, memory = batch.compiled, batch.settings, self._model_memory
        nc, t = len(compiled.model.contacts), settings.t_span[0]
        sizes = {"n_rows": len(batch.lengths), "n_stages": n_stages, "n_contacts": nc, "n_states": len(settings.x0)}
        begin = BeginMemory.allocate({**sizes, "n_boundaries": nc + len(compiled.model.derivation.switches)})
        scale = scale_memory(compiled, memory.p, t, rtol=settings.rtol, atol=settings.atol)
        begin.t, begin.x, begin.check, begin.scale = (
            t,
            self._workspace.run.x.ctypes.data,
            memory.start.address,
            scale.address,
        )
        begin.stages = memory.program.table.address
        BeginMemory.lengths.place(begin, address_of(batch.lengths, "the lengths of a batch"))
        if memory.data is not None:
            begin.length_place, begin.grains_place = memory.data.length_address, memory.data.grains_address
        if memory.free.constraints is not None:
            begin.measure, begin.constraints = memory.free.constraints.measures
        self.memory.begin, self.memory.begin_data = _BEGIN.address(), begin.address
        return begin, scale

    def _judges(self, batch: ModelBatch) -> Memory:
        """The memory of the end of a run."""
        compiled, memory = batch.compiled, self._model_memory
        attitudes = () if batch.chart is None else batch.chart.attitudes
        sizes = {
            "n_q": len(compiled.model.q),
            "n_u": len(compiled.model.u),
            "n_terms": compiled.sizes[compiled.terms_name],
        }
        end = EndMemory.allocate({**sizes, "n_attitudes": len(attitudes)})
        end.audited = int(memory.data is not None and batch.asked.method != TIME_STEPPING)
        end.just_outside, end.widest, end.off = JUST_OUTSIDE, WIDEST, MARGIN * BUBBLE
        end.terms, end.parameters = compiled.running[compiled.terms_name], memory.p.ctypes.data
        end.factored = int(compiled.branches is not None)
        if memory.free.constraints is not None and not compiled.model.formulation.keeps:
            end.constraints = memory.free.constraints.address
        for i, attitude in enumerate(attitudes):
            end.quaternion[i], end.spin[i] = attitude.quaternion, attitude.spin
            end.to_p[i], end.axes[i] = attitude.to_p.ravel(), attitude.axes.ravel()
        self.memory.finish, self.memory.finish_data = _FINISH.address(), end.address
        return end

    def give_back(self) -> None:
        """Leave the memory to other runs of the model."""
        super().give_back()
        give_back(self._model_memory)
