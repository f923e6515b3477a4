"""The equations of some of the states of a model, as a derivation of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sympact.graph import Bound, Freezer, Substitution
from sympact.graph.algebra.linear import dot
from sympact.graph.nodes.node import Node
from sympact.mechanics.derive.branch_conditions import StateJump, Switch
from sympact.mechanics.derive.constraint_rows import ConstraintRow
from sympact.mechanics.derive.derivation import Derivation
from sympact.mechanics.derive.dynamics import Equations

__all__ = ["Members", "gap_of", "restricted"]


@dataclass(frozen=True, slots=True)
class Members:
    """What belongs to an island: indices into the states, contacts, conditions and bilateral constraints of the model.

    Attributes
    ----------
    states, contacts, switches, rows : tuple of int
        In increasing order.
    """

    states: tuple[int, ...]
    contacts: tuple[int, ...]
    switches: tuple[int, ...]
    rows: tuple[int, ...]


def restricted(derivation: Derivation, members: Members) -> Derivation:
    """The derivation of the states, contacts, conditions and constraints of an island.

    The states are numbered anew, and so are the conditions, so that islands with the same equations have the same
    nodes; parameters and inputs keep their places in p. What a run does not need, such as potentials, is that of the
    model.
    """
    graph, symbols = derivation.graph, derivation.symbols
    n_q = len(symbols.q)
    columns = [i - n_q for i in members.states if i >= n_q]
    at = _Renumbered(derivation, members)
    rows = [derivation.equations.mass_matrix[i] for i in columns]
    mass = tuple(tuple(at(row[j]) for j in columns) for row in rows)
    forcing = tuple(at(derivation.equations.forcing[i]) for i in columns)
    coordinates = [i for i in members.states if i < n_q]
    places = {state: k for k, state in enumerate(members.states)}
    q, u = (
        tuple(letters) for letters in (map(symbols.q.__getitem__, coordinates), map(symbols.u.__getitem__, columns))
    )
    switches = [derivation.switches[k] for k in members.switches]
    causing = {switch.watch.jump for switch in switches if switch.watch is not None} - {-1}
    jumps = {jump: k for k, jump in enumerate(sorted(causing))}
    own = [derivation.quaternions[k] for k, group in enumerate(derivation.quaternions) if group[0] in places]
    speeds = [graph.input("x", len(q) + k) for k in range(len(u))]
    twice = dot(graph, speeds, [dot(graph, row, speeds) for row in mass])
    return replace(
        derivation,
        symbols=replace(symbols, q=q, u=u, discrete=tuple(z for z in symbols.discrete if z in q)),
        contacts=tuple(derivation.contacts[k] for k in members.contacts),
        rates=tuple(at(derivation.rates[i]) for i in coordinates),
        equations=Equations(mass, forcing),
        gaps=tuple(derivation.gaps[k].replaced(at, speeds=columns, at_impact=at.unchanged) for k in members.contacts),
        constraints=tuple(_row(derivation.constraints[k], at, columns) for k in members.rows),
        kinetic_energy=graph.mul(graph.const(0.5), twice),
        potential=replace(derivation.potential, energy=None, unknown=()),
        quaternions=tuple((places[a], places[b], places[c], places[d]) for a, b, c, d in own),
        freeze=Freezer(graph, at.first, lambda margin: False),
        switches=tuple(_switch(switch, at, at.first + i, jumps) for i, switch in enumerate(switches)),
        jumps=tuple(_jump(derivation.jumps[k], at, members) for k in jumps),
        bounds=_bounds(derivation, at),
    )


def gap_of(derivation: Derivation, contact: int, members: Members) -> tuple[Node, Node, dict[Node, Bound]]:
    """The gap of a contact and its rate in the numbers of an island, and the bounds that they may contain."""
    gap, at = derivation.gaps[contact], _Renumbered(derivation, members)
    return at(gap.gap), at(gap.rate), _bounds(derivation, at)


class _Renumbered:
    """Nodes as a run evaluates them, in the numbers of an island."""

    def __init__(self, derivation: Derivation, members: Members) -> None:
        graph, symbols = derivation.graph, derivation.symbols
        self.first = len(symbols.parameters) + len(symbols.inputs) + derivation.slots
        new: dict[Node, Node] = {}
        for k, i in enumerate(members.states):
            for array in ("x", "xdot"):
                new[graph.input(array, i)] = graph.input(array, k)
        for k, i in enumerate(members.switches):
            new[graph.input("p", self.first + i)] = graph.input("p", self.first + k)
        self._running, self._switched = derivation.running, bool(derivation.switches)
        self._put = Substitution(graph, new)

    def __call__(self, node: Node) -> Node:
        """One node."""
        return self._put(self._running([node])[0] if self._switched else node)

    def unchanged(self, node: Node) -> Node:
        """One node with its conditions as they are written."""
        return self._put(node)


def _row(row: ConstraintRow, at: _Renumbered, columns: Sequence[int]) -> ConstraintRow:
    return replace(
        row,
        position=None if row.position is None else at(row.position),
        rate=at(row.rate),
        jacobian=tuple(at(row.jacobian[i]) for i in columns),
        drift=at(row.drift),
        bias=at(row.bias),
    )


def _switch(switch: Switch, at: _Renumbered, place: int, jumps: Mapping[int, int]) -> Switch:
    margin, rate, acceleration = map(at, switch.along_the_flow())
    watch = None if switch.watch is None else replace(switch.watch, jump=jumps.get(switch.watch.jump, -1))
    return replace(switch, margin=margin, rate=rate, acceleration=acceleration, place=place, watch=watch)


def _jump(jump: StateJump, at: _Renumbered, members: Members) -> StateJump:
    latch = members.states.index(jump.latch) if jump.latch >= 0 else -1
    return replace(jump, state=tuple(at.unchanged(jump.state[i]) for i in members.states), latch=latch)


def _bounds(derivation: Derivation, at: _Renumbered) -> dict[Node, Bound]:
    """The known bounds of gaps that an iteration computes; those of other islands are not used."""
    bounds = {}
    for node, bound in derivation.bounds.items():
        radius = None if bound.radius is None else at(bound.radius)
        bounds[at(node)] = Bound(
            tuple(bound.place if bound.letters else map(at, bound.place)), radius, bound.letters, bound.parts
        )
    return bounds
