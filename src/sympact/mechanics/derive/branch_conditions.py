"""Conditions in the equations of a model as boundaries: their margins with derivatives along the motion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sympy import Expr
from sympy.physics.vector import vsstrrepr

from sympact.graph import Freezer, Graph, Tangent, reachable, switch_names
from sympact.graph.algebra.linear import dot, ldl_solve
from sympact.graph.nodes.node import Node
from sympact.mechanics.derive.constraint_rows import ConstraintRow
from sympact.mechanics.derive.dynamics import Equations
from sympact.mechanics.derive.gaps import Gap
from sympact.mechanics.kit.kinematics import Kinematics
from sympact.mechanics.kit.symbols import Symbols

__all__ = ["Motion", "Switch", "freezer", "open_motion", "switches_of"]


@dataclass(frozen=True, slots=True)
class Switch:
    """One condition in the equations of motion or in a gap, as nodes.

    Attributes
    ----------
    names : (str, str)
        The relation that is true where the margin is positive and its negation, such as ("x > 0", "x < 0").
    margin, rate, acceleration : node
        The margin and its derivatives along the motion, each times the switch: the margin is positive as long as the
        active branch is valid. Derivatives of the state are taken from the input ``xdot``.
    place : int
        The entry of p with the switch: +1.0 or -1.0.
    """

    names: tuple[str, str]
    margin: Node
    rate: Node
    acceleration: Node
    place: int

    def along_the_flow(self) -> tuple[Node, Node, Node]:
        """The margin and its first two derivatives."""
        return self.margin, self.rate, self.acceleration


@dataclass(frozen=True, slots=True, eq=False)
class Motion:
    """The data from which the derivatives of conditions along the motion are formed.

    Attributes
    ----------
    graph : Graph
    letters : mapping of Expr to node
        Time, states, parameters and the inputs that are still open.
    rates : sequence of node
        q'.
    seed : mapping of node to node
        The direction of the motion: time, states (by the input ``xdot``) and open inputs whose rates are known.
    opened : set of node
        The open inputs: the equations do not contain their definitions.
    place : int
        The first entry of p after those of the symbols and their data.
    """

    graph: Graph
    letters: Mapping[Expr, Node]
    rates: Sequence[Node]
    seed: Mapping[Node, Node]
    opened: frozenset[Node]
    place: int


def open_motion(kinematics: Kinematics, symbols: Symbols) -> Motion:
    """The motion of a model whose inputs are open."""
    letters, place = symbols.nodes(kinematics.graph), len(symbols.parameters) + len(symbols.inputs)
    opened = frozenset(letters[letter] for letter in symbols.inputs)
    return Motion(kinematics.graph, letters, kinematics.rates, kinematics.flow_seed, opened, place)


def freezer(motion: Motion, symbols: Symbols) -> Freezer:
    """Replaces the conditions of a model by switches: entries of p after those of parameters and inputs.

    A condition on an open input whose first two derivatives are unknown is left unchanged: its rate is unknown, and it
    may jump at any time.
    """
    graph, letters, seed = motion.graph, motion.letters, motion.seed
    known = {node for node in motion.opened if node in seed and seed[node] in seed}
    closed = motion.opened - known
    moving = {letters[letter] for letter in (symbols.time, *symbols.q, *symbols.u)} | known

    def changes(margin: Node) -> bool:
        parts = reachable(graph, [margin])
        return closed.isdisjoint(parts) and not moving.isdisjoint(parts)

    return Freezer(graph, motion.place, changes)


def switches_of(
    motion: Motion,
    flow: Tangent,
    freeze: Freezer,
    equations: Equations,
    gaps: Sequence[Gap],
    called: Mapping[Node, tuple[str, str]],
    named: Mapping[Node, Expr] | None = None,
    rows: Sequence[ConstraintRow] = (),
) -> tuple[Switch, ...]:
    """The switches of all functions that a run calls: q' = S u + b, M u' = f, the gaps, the constraints.

    Parameters
    ----------
    motion : Motion
    flow : Tangent
        The derivative along it.
    freeze : Freezer
    equations : Equations
    gaps : sequence of Gap
    called : mapping of node to (str, str)
        Names for the two sides of margins as they are written in the model.
    named : mapping of node to Expr, optional
        Further nodes that have a name in messages.
    rows : sequence of ConstraintRow
        Of the bilateral constraints.
    """
    nodes = [*motion.rates, *equations.nodes()]
    for gap in gaps:
        nodes += [*gap.along_the_flow(), *gap.jacobian, gap.drift, *(gap.slip.nodes() if gap.slip else ())]
    nodes += [node for row in rows for node in row.nodes()]
    for node in dict.fromkeys(nodes):
        freeze(node)
    if not freeze.switches:
        return ()
    graph, second = motion.graph, _Second(motion, flow, freeze, equations, rows)
    names = {node: letter for letter, node in motion.letters.items()} | dict(named or {})
    switches = []
    for place, switch in enumerate(freeze.switches, start=motion.place):
        sides = called.get(switch.written) or switch_names(graph, switch, names, vsstrrepr)
        margin, rate, acceleration = switch.along_the_flow(graph, flow, second)
        switches.append(Switch(sides, margin, rate, acceleration, place))
    return tuple(switches)


class _Second:
    """The time derivative of nodes that contain ``xdot``: with q'' from q' = S u + b, and u'' from M u'' = f' - M' u'.

    The derivatives of the forces of contacts and constraints are left out. With constraints M + A^T A takes the place
    of M, which may be singular.
    """

    def __init__(
        self,
        motion: Motion,
        flow: Tangent,
        freeze: Freezer,
        equations: Equations,
        rows: Sequence[ConstraintRow],
    ) -> None:
        graph, n = motion.graph, len(motion.rates)
        slopes = [graph.input("xdot", i) for i in range(n + len(equations.forcing))]
        self._flow = flow
        self._seed = dict(motion.seed) | {slopes[i]: flow(freeze(rate)) for i, rate in enumerate(motion.rates)}
        self._speeds, self._known = slopes[n:], False
        self._graph, self._freeze, self._equations = graph, freeze, equations
        self._columns = [[freeze(row.jacobian[i]) for row in rows] for i in range(len(equations.forcing))]

    def __call__(self, node: Node) -> Node:
        """The derivative of a node."""
        graph = self._graph
        if not self._known and not set(self._speeds).isdisjoint(reachable(graph, [node])):
            self._seed |= dict(zip(self._speeds, self._jerks(), strict=True))
            self._known = True
        return Tangent(graph, self._seed)(node)

    def _jerks(self) -> list[Node]:
        graph, slopes = self._graph, self._speeds
        mass = [[self._freeze(entry) for entry in row] for row in self._equations.mass_matrix]
        growth = [[self._flow(entry) for entry in row] for row in mass]
        change = [self._flow(self._freeze(entry)) for entry in self._equations.forcing]
        columns = self._columns
        regular = [
            [graph.add(entry, dot(graph, columns[i], columns[j])) for j, entry in enumerate(row)]
            for i, row in enumerate(mass)
        ]
        right = [graph.sub(f, dot(graph, row, slopes)) for f, row in zip(change, growth, strict=True)]
        return ldl_solve(graph, regular, right)
