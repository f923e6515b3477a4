"""The islands of a model, and runs in which each is integrated with steps of its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from sympact.integrate.problem.settings import Settings
from sympact.mechanics.islands.approach import Approach, PairFunctions, approach_of
from sympact.mechanics.islands.asynchronous import Asynchronous
from sympact.mechanics.islands.coupling import DisjointSets, coupling_of
from sympact.mechanics.islands.island import Island, island_of
from sympact.mechanics.islands.joined_run import JoinedRun
from sympact.mechanics.islands.restriction import Members
from sympact.mechanics.run.compiled import CompiledModel
from sympact.mechanics.run.signals import Signals

if TYPE_CHECKING:
    from sympact.mechanics.model import HybridModel

__all__ = ["Islands", "islands_of"]


class Islands:
    """The islands of a model.

    Parameters
    ----------
    model : HybridModel
        With its inputs given.
    meet : bool
        Whether bodies are islands of their own until they meet; else, and in all runs of models, contacts connect
        them throughout: an island that continues decides anew which contacts stay closed, and with friction that may
        have several answers.

    Attributes
    ----------
    coupling : Coupling
    joined : str
        Why all states are one island though no joint, load or contact connects them; empty where they are not.
    members : tuple of tuples of int
        The components of each island, by their numbers in `coupling`.
    """

    def __init__(self, model: HybridModel, *, meet: bool = False) -> None:
        self._model = model
        self.coupling = coupling_of(model.derivation)
        self.joined = _why_one(model)
        apart = len(self.coupling.states) > 1 and bool(model.derivation.survey.bodies)
        self._approaches = self._found_approaches() if meet and apart else {}
        self._contacts_of: dict[int, list[int]] = {}
        for approach in self._approaches.values():
            for one in approach.components:
                self._contacts_of.setdefault(one, []).append(approach.contact)
        fixed = [touched for k, touched in enumerate(self.coupling.contacts) if k not in self._approaches]
        self.members = _joined(len(self.coupling.states), fixed)
        self._known: dict[tuple[int, ...], Island] = {}
        self._alike: dict[tuple, CompiledModel] = {}

    @property
    def approaches(self) -> tuple[Approach, ...]:
        """The contacts between islands."""
        return tuple(self._approaches.values())

    def approach(self, contact: int) -> Approach | None:
        """A contact between islands by its index; None for those within one."""
        return self._approaches.get(contact)

    def approaches_of(self, components: Iterable[int]) -> list[Approach]:
        """The contacts of some components with others, and with each other."""
        found = {contact: None for one in components for contact in self._contacts_of.get(one, ())}
        return [self._approaches[contact] for contact in sorted(found)]

    def _found_approaches(self) -> dict[int, Approach]:
        coupling, found = self.coupling, {}
        alike: dict[tuple, PairFunctions] = {}
        for k, touched in enumerate(coupling.contacts):
            if len(touched) > 1:
                states = sorted(i for one in touched for i in coupling.states[one])
                approach = approach_of(self._model.derivation, k, touched, states, alike)
                if approach is not None:
                    found[k] = approach
        return found

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
        return Asynchronous(self, self._model.compile(), asked, p, signals, consistent).run(compiled, progress)


def _why_one(model: HybridModel) -> str:
    """Why no run integrates the islands of a model apart; empty where runs may."""
    if model.calls_python:
        return "the impact law is a Python function, which sees all speeds"
    ends = any(watch.ends for watch in model.derivation.watches)
    return "a condition ends the run, whose islands are at other times" if ends else ""


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
