"""One island of a compiled model: its own compiled model, and the places of what belongs to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sympact.integrate.problem.settings import Settings
from sympact.mechanics.derived.compiled import CompiledModel, compile_model
from sympact.mechanics.derived.derived_model import DerivedModel
from sympact.mechanics.derived.preconditions import Preconditions
from sympact.mechanics.islands.restriction import Members, restricted
from sympact.mechanics.start.scale import Scale
from sympact.native.cached import cached_property

__all__ = ["Island", "island_of", "narrowed"]


@dataclass(frozen=True, eq=False)
class Island:
    """States that depend on each other, with their contacts.

    Attributes
    ----------
    members : Members
        Their indices in the model.
    compiled : CompiledModel
        Of the island alone.
    components : array of int
        The components of the model, by their numbers in `Coupling`, of which it consists.
    """

    members: Members
    compiled: CompiledModel
    components: np.ndarray

    @cached_property
    def states(self) -> np.ndarray:
        """The indices of its states."""
        return np.array(self.members.states, dtype=int)

    @cached_property
    def contacts(self) -> np.ndarray:
        """The indices of its contacts."""
        return np.array(self.members.contacts, dtype=int)

    @cached_property
    def switches(self) -> np.ndarray:
        """The indices of its conditions."""
        return np.array(self.members.switches, dtype=int)

    @cached_property
    def rows(self) -> np.ndarray:
        """The indices of its bilateral constraints."""
        return np.array(self.members.rows, dtype=int)

    def parameters(self, p: np.ndarray) -> np.ndarray:
        """Its p, from that of the model."""
        derivation = self.compiled.model.derivation
        first = len(derivation.symbols.parameters) + len(derivation.symbols.inputs) + derivation.slots
        own = np.zeros(max(first + len(self.switches), 1))  # never empty, as that of the model
        own[:first], own[first : first + len(self.switches)] = p[:first], p[first + self.switches]
        return own

    def settings(self, asked: Settings) -> Settings:
        """Its settings, from those of the model; the same object for those that differ in span and start alone."""
        known, own = self._last_settings[0]
        if own is None or known is not asked.same:
            own = replace(asked, x0=asked.x0[self.states], atol=asked.atol[self.states])
            self._last_settings[0] = asked.same, own
        return own.at(asked.t_span, np.ascontiguousarray(asked.x0[self.states])).going_on(asked.sides)

    @cached_property
    def _last_settings(self) -> list[tuple[object, Settings | None]]:
        return [(None, None)]

    def scale(self, whole: Scale) -> Scale:
        """The scale of its gaps, from that of the model's."""
        return Scale(whole.length, whole.measured, whole.grains[self.contacts], whole.depths[self.contacts])


def narrowed(model: DerivedModel, members: Members) -> DerivedModel:
    """The model of an island: everything that a user gives for a state, a contact or the whole model, for it alone.

    What is an equation is narrowed by `restricted`, the numbers of a run by `Island`. Parameters and inputs keep their
    places in p, and so do those on which nothing of the whole model depends. A given length, an expression of
    parameters, is that of all islands. What all states have to be known for, which is to be checked at the start, or is
    computed along the whole run, the model itself has: preconditions, outputs, and angles in the place of quaternions.
    """
    own = model.with_derivation(
        restricted(model.derivation, members),
        preconditions=Preconditions((), lambda t, x, p: np.zeros(0)),
        law=model.law.narrowed(members.contacts),
        resolution=model.resolution.narrowed(members.contacts),
        attitude="angles",
        outputs={},
    )
    own.__dict__.update(parameters=model.parameters, inputs=model.inputs, _idle=model._idle)
    return own


def island_of(
    model: DerivedModel, components: Sequence[int], members: Members, alike: dict[tuple, CompiledModel]
) -> Island:
    """The island with these members; one in `alike` that has the same equations lends its machine code."""
    own = narrowed(model, members)
    key = (*own.derivation.nodes(), None, *(switch.margin for switch in own.derivation.switches))
    first = alike.get(key)
    if first is None:
        first = alike[key] = compile_model(own)
        return Island(members, first, np.array(components))
    return Island(members, CompiledModel(own, first.functions, first.proofs, first), np.array(components))
