"""The islands of a model, and runs in which each is integrated with steps of its own."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from math import inf

import numpy as np

from sympact.integrate.problem.settings import Settings
from sympact.mechanics.derived.compiled import CompiledModel, compile_model
from sympact.mechanics.derived.derived_model import DerivedModel
from sympact.mechanics.islands.approach import Approach, PairFunctions, approach_of
from sympact.mechanics.islands.coupling import DisjointSets, coupling_of
from sympact.mechanics.islands.island import Island, island_of
from sympact.mechanics.islands.restriction import Members
from sympact.mechanics.run.signals import Signals
from sympact.native.cached import cached_property

__all__ = ["Islands", "islands_of"]


_FEWEST = 6
"""Components that contacts connect, below which one step for all costs no more than their division and joining."""
_KEPT = 64  # islands that a model stores


class Islands:
    """The islands of a model.

    Parameters
    ----------
    model : DerivedModel
        With its inputs given.
    fewest : int
        The least number of components that are divided where contacts connect them.

    Attributes
    ----------
    coupling : Coupling
    joined : str
        Why all states are one island though no joint, load or contact connects them; empty where they are not.
    members : tuple of tuples of int
        The sets of components that contacts connect, by their numbers in `coupling`: no others ever meet.
    """

    def __init__(self, model: DerivedModel, *, fewest: int = _FEWEST) -> None:
        self._model = model
        self.coupling = coupling_of(model.derivation)
        self.joined = _why_one(model)
        self.members = _joined(len(self.coupling.states), self.coupling.contacts)
        derived = model.derivation
        apart = derived.survey.bodies and not (derived.jumps or derived.watches)
        self._many = fewest if apart else inf
        self._known: OrderedDict[tuple[int, ...], Island] = OrderedDict()
        self._alike: dict[tuple, CompiledModel] = {}

    def divides(self, components: Sequence[int]) -> bool:
        """Whether components that contacts connect may be divided in a run."""
        return len(components) >= self._many

    @property
    def alone(self) -> bool:
        """Whether all states are one island throughout."""
        return len(self.members) == 1 and not self.divides(self.members[0])

    @cached_property
    def _approaches(self) -> dict[int, Approach]:
        return self._found_approaches()

    @cached_property
    def _contacts_of(self) -> dict[int, list[int]]:
        """The contacts between components, of each component."""
        found: dict[int, list[int]] = {}
        for approach in self._approaches.values():
            for one in approach.components:
                found.setdefault(one, []).append(approach.contact)
        return found

    @cached_property
    def least(self) -> tuple[tuple[int, ...], ...]:
        """The smallest islands: the components, joined by contacts whose approach has no bounds."""
        fixed = [touched for k, touched in enumerate(self.coupling.contacts) if k not in self._approaches]
        return _joined(len(self.coupling.states), fixed)

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
            if len(touched) > 1 and self.divides(next(one for one in self.members if touched[0] in one)):
                states = sorted(i for one in touched for i in coupling.states[one])
                approach = approach_of(self._model.derivation, k, touched, states, alike)
                if approach is not None:
                    found[k] = approach
        return found

    def why_joined(self, settings: Settings, signals: Signals | None) -> str:
        """Why a run integrates all states with one step; empty where it need not."""
        if self.joined:
            return self.joined
        if signals is not None and signals.functions:
            return "an input is a Python function, which sees the whole state"
        if signals is not None and signals.samplers:
            return "a controller acts at times of its own, at which all states are known"
        if signals is not None and len(self.members) == 1:
            return "an input may change with time where two of them meet"
        layout = settings.by.layout
        if not layout.adaptive or layout.implicit or not settings.by.units():
            return f"the method {settings.method} takes one step for all states"
        return ""

    def island(self, components: tuple[int, ...]) -> Island:
        """The island of some components."""
        with self._model._lock:
            found = self._known.get(components)
            if found is None:
                found = self._known[components] = self._derived(components)
                if len(self._known) > max(_KEPT, 2 * len(self.coupling.states)):
                    self._known.popitem(last=False)
            self._known.move_to_end(components)
        return found

    def _derived(self, components: tuple[int, ...]) -> Island:
        coupling, chosen = self.coupling, set(components)
        members = Members(
            states=tuple(sorted(i for one in components for i in coupling.states[one])),
            contacts=tuple(k for k, touched in enumerate(coupling.contacts) if chosen.issuperset(touched)),
            switches=tuple(sorted(i for one in components for i in coupling.switches[one])),
            rows=tuple(sorted(i for one in components for i in coupling.rows[one])),
        )
        if len(components) == len(coupling.states):
            return Island(members, self._model.made(compile_model), np.array(components))
        return island_of(self._model, components, members, self._alike)

    @property
    def model(self) -> DerivedModel:
        """The model with its inputs given."""
        return self._model


def _why_one(model: DerivedModel) -> str:
    """Why no run integrates the islands of a model apart; empty where runs may."""
    if model.calls_python:
        return "the impact law is a Python function, which sees all speeds"
    if model.calls_functions:
        return "an event or a jump is a function of the whole state, or of forces"
    ends = any(watch.ends for watch in model.derivation.watches)
    return "a condition ends the run, whose islands are at other times" if ends else ""


def islands_of(model: DerivedModel) -> Islands | None:
    """The islands of a model with its inputs given; None where all its states are one."""
    found = Islands(model)
    return None if found.alone else found


def _joined(count: int, contacts: Sequence[tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
    """The components, joined by contacts."""
    sets = DisjointSets(count)
    for touched in contacts:
        sets.join(touched)
    return sets.members()
