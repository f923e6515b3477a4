"""Which states of a model depend on each other without contacts, and which of these sets each contact connects."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sympy.physics.mechanics import RigidBody
from sympy.physics.mechanics.body_base import BodyBase

from sympact.graph import Graph, reachable
from sympact.graph.nodes.node import Node
from sympact.mechanics.derive.derivation import Derivation

__all__ = ["Coupling", "DisjointSets", "coupling_of"]

_STATES = ("x", "xdot")


@dataclass(frozen=True, slots=True)
class Coupling:
    """The connected components of a model without its contacts.

    Attributes
    ----------
    states : tuple of tuples of int
        The components: indices in x, each component and their sequence in increasing order.
    switches : tuple of tuples of int
        The conditions of each component.
    rows : tuple of tuples of int
        The bilateral constraints of each component.
    contacts : tuple of tuples of int
        The components that each contact connects.
    """

    states: tuple[tuple[int, ...], ...]
    switches: tuple[tuple[int, ...], ...]
    rows: tuple[tuple[int, ...], ...]
    contacts: tuple[tuple[int, ...], ...]


def coupling_of(derivation: Derivation) -> Coupling:
    """The components of a derived model.

    Two states belong to one component where the rate of one depends on the other, by joints, loads, inputs or
    kinematics; where both move one body; where M, a bilateral constraint or the norm of a quaternion contains both; and
    where a condition of the equations of motion of one, or of a contact, contains the other; and where a jump of the
    user's own, or what causes it, contains both.
    """
    graph, n, nq = derivation.graph, len(derivation.x), len(derivation.symbols.q)
    first = len(derivation.symbols.parameters) + len(derivation.symbols.inputs) + derivation.slots
    depends = _Dependence(graph, n, first)
    sets = DisjointSets(n + len(derivation.switches))
    speeds = range(nq, n)
    for i, rate in enumerate(derivation.running(derivation.rates)):
        sets.join([i, *depends.on([rate])])
    for i, forcing in enumerate(derivation.running(derivation.equations.forcing)):
        row = derivation.running(derivation.equations.mass_matrix[i])
        coupled = [nq + j for j, entry in enumerate(row) if entry != graph.zero]
        sets.join([nq + i, *coupled, *depends.on([forcing, *row])])
    for body in derivation.survey.bodies:
        sets.join(depends.on(_motion(derivation, body)))
    rows = []
    for one in derivation.constraints:
        held = [speeds[j] for j, entry in enumerate(one.jacobian) if entry != graph.zero]
        rows.append([*held, *depends.on(derivation.running(one.nodes()))])
        sets.join(rows[-1])
    for quaternion in derivation.quaternions:
        sets.join(quaternion)
    for k, switch in enumerate(derivation.switches):
        sets.join([n + k, *depends.on(derivation.freeze.extended(switch.along_the_flow()))])
    for number, jump in enumerate(derivation.jumps):
        causes = [n + k for k, switch in enumerate(derivation.switches) if switch.watch and switch.watch.jump == number]
        changed = [i for i, node in enumerate(jump.state) if node != graph.input("x", i)]
        sets.join([*changed, *depends.on([jump.state[i] for i in changed]), *causes])
    for i in map(derivation.symbols.q.index, derivation.symbols.discrete):
        if all(sets.root(speed) != sets.root(i) for speed in speeds):
            sets.join([speeds[0], i])  # an island has a speed
    touched = []
    for gap in derivation.gaps:
        slips = gap.slip.nodes() if gap.slip else []
        nodes = derivation.running([*gap.along_the_flow(), *gap.jacobian, gap.drift, *slips])
        touched.append(depends.on([*nodes, gap.restitution]))
        if touched[-1] and touched[-1][-1] >= n:  # a condition of the contact sees all of its states
            sets.join(touched[-1])
    return _Numbered(sets, n).coupling(rows, touched, len(derivation.switches))


def _motion(derivation: Derivation, body: BodyBase) -> list[Node]:
    """The place, the orientation and the velocities of a body."""
    kinematics = derivation.kinematics
    nodes = [*kinematics.position(body.masscenter), *kinematics.velocity(body.masscenter)]
    if isinstance(body, RigidBody):
        nodes += [*kinematics.spin(body.frame), *(node for row in kinematics.rotation(body.frame) for node in row)]
    return nodes


class _Dependence:
    """The states, and the conditions as further indices, on which nodes depend."""

    def __init__(self, graph: Graph, n: int, first_switch: int) -> None:
        self._graph, self._n, self._first = graph, n, first_switch
        self._masks: dict[Node, int] = {}

    def on(self, nodes: Iterable[Node]) -> list[int]:
        """The indices, in increasing order."""
        nodes, masks, graph = list(nodes), self._masks, self._graph
        for node in reachable(graph, nodes, masks):
            if node not in masks:
                mask = self._own(node)
                for child in graph.children(node):
                    mask |= masks[child]
                masks[node] = mask
        total = 0
        for node in nodes:
            total |= masks[node]
        return [i for i in range(total.bit_length()) if total >> i & 1]

    def _own(self, node: Node) -> int:
        """The index of an input as a bit; 0 for all other nodes."""
        if self._graph.ops[node] != "input":
            return 0
        array, index = self._graph.args[node]
        if array in _STATES:
            return 1 << index
        return 1 << self._n + index - self._first if array == "p" and index >= self._first else 0


class DisjointSets:
    """Sets of numbers that are joined step by step."""

    def __init__(self, size: int) -> None:
        self._above = list(range(size))

    def join(self, members: Sequence[int]) -> None:
        """Join the sets of some numbers."""
        for one in members[1:]:
            roots = self.root(members[0]), self.root(one)
            self._above[max(roots)] = min(roots)

    def root(self, one: int) -> int:
        """The least number of the set of a number."""
        while self._above[one] != one:
            self._above[one] = self._above[self._above[one]]
            one = self._above[one]
        return one

    def members(self) -> tuple[tuple[int, ...], ...]:
        """The sets, each in increasing order, in the order of their least numbers."""
        found: dict[int, list[int]] = {}
        for one in range(len(self._above)):
            found.setdefault(self.root(one), []).append(one)
        return tuple(map(tuple, found.values()))


class _Numbered:
    """The components in the order of their least state."""

    def __init__(self, sets: DisjointSets, n: int) -> None:
        self._sets, self._n = sets, n
        members: dict[int, list[int]] = {}
        for i in range(n):
            members.setdefault(sets.root(i), []).append(i)
        self._states = list(members.values())
        self._number = {root: k for k, root in enumerate(members)}

    def coupling(self, rows: Sequence[list[int]], touched: Sequence[list[int]], n_switches: int) -> Coupling:
        """With the components of conditions, rows and contacts; what depends on no state belongs to the first one."""
        held = [self._components(row)[0] for row in rows]
        turned = [self._components([self._n + k])[0] for k in range(n_switches)]
        everyone = range(len(self._states))
        return Coupling(
            states=tuple(map(tuple, self._states)),
            switches=tuple(tuple(k for k, own in enumerate(turned) if own == one) for one in everyone),
            rows=tuple(tuple(k for k, own in enumerate(held) if own == one) for one in everyone),
            contacts=tuple(self._components(one) for one in touched),
        )

    def _components(self, indices: Sequence[int]) -> tuple[int, ...]:
        found = {self._number.get(self._sets.root(i), 0) for i in indices}
        return tuple(sorted(found)) or (0,)
