"""The islands of a model, and runs in which each is integrated with steps of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sympact.integrate.loop.prepared_run import shown
from sympact.integrate.problem.settings import Settings
from sympact.integrate.problem.status import Status
from sympact.mechanics.islands.coupling import DisjointSets, coupling_of
from sympact.mechanics.islands.flight import Flight
from sympact.mechanics.islands.island import Island, island_of
from sympact.mechanics.islands.joined_output import JoinedOutput, Layout
from sympact.mechanics.islands.joined_run import JoinedRun
from sympact.mechanics.islands.restriction import Members
from sympact.mechanics.run.compiled import CompiledModel
from sympact.mechanics.run.model_memory import Recall, give_back, take
from sympact.mechanics.run.model_run import ModelRun
from sympact.mechanics.run.signals import Signals
from sympact.mechanics.run.simulation import compile_units, settled_at_start
from sympact.mechanics.start.assembly import consistent_start, numbers_at, units_have_norm_one
from sympact.mechanics.start.consistency import check_start
from sympact.mechanics.start.scale import Scale

if TYPE_CHECKING:
    from sympact.mechanics.model import HybridModel

__all__ = ["Islands", "islands_of"]


class Islands:
    """The islands of a model.

    Parameters
    ----------
    model : HybridModel
        With its inputs given.

    Attributes
    ----------
    coupling : Coupling
    joined : str
        Why all states are one island though no joint, load or contact connects them; empty where they are not.
    members : tuple of tuples of int
        The components of each island, by their numbers in `coupling`.
    """

    def __init__(self, model: HybridModel) -> None:
        self._model = model
        self.coupling = coupling_of(model.derivation)
        self.joined = "the impact law is a Python function, which sees all speeds" if model.calls_python else ""
        self.members = _joined(len(self.coupling.states), self.coupling.contacts)
        self._known: dict[tuple[int, ...], Island] = {}
        self._alike: dict[tuple, CompiledModel] = {}

    def __len__(self) -> int:
        """The number of islands."""
        return len(self.members)

    def why_joined(self, settings: Settings, signals: Signals | None) -> str:
        """Why a run integrates all states with one step; empty where it need not."""
        if self.joined:
            return self.joined
        if signals is not None and signals.functions:
            return "an input is a Python function, which sees the whole state"
        layout = settings.by.layout
        if not layout.adaptive or layout.implicit or not settings.by.units():
            return f"the method {settings.method} takes one step for all states"
        return ""

    def island(self, components: tuple[int, ...]) -> Island:
        """The island of some components."""
        if components not in self._known:
            with self._model._lock:
                if components not in self._known:
                    self._known[components] = self._derived(components)
        return self._known[components]

    def _derived(self, components: tuple[int, ...]) -> Island:
        coupling, chosen = self.coupling, set(components)
        members = Members(
            states=tuple(sorted(i for one in components for i in coupling.states[one])),
            contacts=tuple(k for k, touched in enumerate(coupling.contacts) if chosen.issuperset(touched)),
            switches=tuple(sorted(i for one in components for i in coupling.switches[one])),
            rows=tuple(sorted(i for one in components for i in coupling.rows[one])),
        )
        return island_of(self._model, components, members, self._alike)

    def run(
        self,
        compiled: CompiledModel,
        asked: Settings,
        p: np.ndarray,
        signals: Signals | None,
        progress: bool,
        consistent: str,
    ) -> JoinedRun:
        """A run of the model as the user wrote it, `compiled`, by the engine in force; see ``CompiledModel.run``."""
        return _Flying(self, self._model.compile(), asked, p, signals, consistent).run(compiled, progress)


def islands_of(model: HybridModel) -> Islands | None:
    """The islands of a model with its inputs given; None where all its states are one."""
    found = Islands(model)
    return found if len(found) > 1 else None


def _joined(count: int, contacts: Sequence[tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
    """The components, joined by contacts."""
    sets = DisjointSets(count)
    for touched in contacts:
        sets.join(touched)
    return sets.members()


class _Flying:
    """One run, island by island."""

    def __init__(
        self,
        islands: Islands,
        running: CompiledModel,
        asked: Settings,
        p: np.ndarray,
        signals: Signals | None,
        consistent: str,
    ) -> None:
        self._islands, self._running, self._signals, self._p = islands, running, signals, p
        self._given, self._asked = asked, self._on_constraints(asked, consistent)
        self._whole: Scale | None = None

    def run(self, compiled: CompiledModel, progress: bool) -> JoinedRun:
        """The run of the whole model."""
        islands = [self._islands.island(one) for one in self._islands.members]
        compile_units(self._running, self._asked, self._signals)
        runs = []
        with shown(self._asked.t_span, progress) as show:
            for k, island in enumerate(islands, start=1):
                runs.append(self._fly(island))
                t_start, t_end = self._asked.t_span
                show(t_start + k / len(islands) * (t_end - t_start), sum(len(run.event_t) for run in runs))
                if runs[-1].status is Status.INTERRUPTED:
                    break
        return self._joined(compiled, islands, runs)

    def _fly(self, island: Island) -> ModelRun:
        """The run of one island over the span."""
        compiled, signals, p = island.compiled, self._signals, island.parameters(self._p).copy()
        settings = island.settings(self._asked)
        (t, _), x = settings.t_span, settings.x0
        slopes = settled_at_start(compiled, t, x, p, None) if compiled.model.derivation.switches else ()
        memory = take(compiled, signals)
        scale = memory.scale(p, settings)
        if scale is None:
            scale = island.scale(self._checked())
        memory.begin(p, scale.length, scale.grains)
        output = memory.run(settings, scale, slopes, signals, progress=False)
        run = ModelRun(compiled, output, memory, p, scale, None)
        output.lend = Recall(memory, p, run.length, scale.grains, signals)
        if output.status is not Status.NOT_FINITE:
            run.finish(memory, compiled)
        give_back(memory)
        return run

    def _checked(self) -> Scale:
        """The scale of the whole model, after a check of its start with a sentence for each fault."""
        if self._whole is None:
            asked = self._asked
            (t, _), x = asked.t_span, asked.x0
            self._whole = check_start(self._running, t, x, self._p, self._signals, rtol=asked.rtol, atol=asked.atol)
        return self._whole

    def _on_constraints(self, asked: Settings, consistent: str) -> Settings:
        """The settings with the start on the constraints."""
        running, (t, _), x = self._running, asked.t_span, asked.x0
        if not running.constrained or not units_have_norm_one(running.model, x):
            return asked
        return asked.at(
            asked.t_span, consistent_start(running, t, x, numbers_at(running, t, self._p, self._signals), consistent)
        )

    def _joined(self, compiled: CompiledModel, islands: Sequence[Island], runs: Sequence[ModelRun]) -> JoinedRun:
        """The runs as one, up to the first early end of any."""
        ended = min(runs, key=lambda run: run.t[-1])
        end, model = float(ended.t[-1]), self._running.model
        flights = [Flight(island, run, end, True) for island, run in zip(islands, runs, strict=True)]
        layout = Layout(
            self._running.state_names,
            self._running.contact_names,
            tuple(switch.names for switch in model.derivation.switches),
            len(self._islands.coupling.states),
            self._running.has_friction,
        )
        output = JoinedOutput(flights, layout, self._asked, ended, {"islands": len(islands)})
        return JoinedRun(
            compiled,
            self._running,
            output,
            flights,
            self._p,
            self._signals,
            len(model.derivation.constraints),
            self._asked.x0 - self._given.x0,
        )
