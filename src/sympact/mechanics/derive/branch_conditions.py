"""Conditions in the equations of a model, and the user's own: their margins with derivatives along the motion."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from sympy import Derivative, Expr, Symbol, sympify
from sympy.core.function import AppliedUndef
from sympy.physics.vector import vsstrrepr

from sympact.graph import Freezer, Graph, Tangent, Unreadable, reachable, switch_names
from sympact.graph import Switch as Margin
from sympact.graph.algebra.linear import dot, ldl_solve
from sympact.graph.nodes.node import Node
from sympact.mechanics.derive.constraint_rows import ConstraintRow
from sympact.mechanics.derive.dynamics import Equations
from sympact.mechanics.derive.gaps import Gap
from sympact.mechanics.kit.forces import Reaction, forces_in
from sympact.mechanics.kit.kinematics import Kinematics
from sympact.mechanics.kit.motion import Motion as FormulaMotion
from sympact.mechanics.kit.symbols import Symbols, leaves
from sympact.mechanics.read.condition_forces import ForceNodes
from sympact.mechanics.read.conditions import SILENT, Condition, Jump
from sympact.mechanics.read.constraint import Constraint

__all__ = [
    "Motion",
    "StateJump",
    "Switch",
    "freezer",
    "open_motion",
    "refuse_unknown_rates",
    "state_jumps",
    "switches_of",
    "watches_of",
]


_JUMPING = frozenset(("floor", "ceiling", "mod"))


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
    watch : Condition, optional
        What is watched; None for the conditions of the equations. The watches are the last switches.
    """

    names: tuple[str, str]
    margin: Node
    rate: Node
    acceleration: Node
    place: int
    watch: Condition[Node] | None = None

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
    moving -= {letters[letter] for letter in symbols.discrete}

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
    watches: Sequence[Condition[Node]] = (),
) -> tuple[Switch, ...]:
    """The switches of all functions that a run calls: q' = S u + b, M u' = f, the gaps, the constraints.

    The watches follow, preceded by the conditions in their margins.

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
    watches : sequence of Condition
    """
    nodes = [*motion.rates, *equations.nodes()]
    for gap in gaps:
        nodes += [*gap.along_the_flow(), *gap.jacobian, gap.drift, *(gap.slip.nodes() if gap.slip else ())]
    nodes += [node for row in rows for node in row.nodes()]
    for node in dict.fromkeys(nodes):
        freeze(node)
    branches = len(freeze.switches)
    unknown = motion.graph.one  # in place of what the machine code of a run does not evaluate
    watched = [unknown if watch.by_values else freeze(watch.margin) for watch in watches]
    if not (freeze.switches or watches):
        return ()
    graph, second = motion.graph, _Second(motion, flow, freeze, equations, rows)
    names = {node: letter for letter, node in motion.letters.items()} | dict(named or {})
    switches = []
    for place, switch in enumerate(freeze.switches, start=motion.place):
        sides = called.get(switch.written) or switch_names(graph, switch, names, vsstrrepr)
        margin, rate, acceleration = switch.along_the_flow(graph, flow, second)
        one = Switch(sides, margin, rate, acceleration, place)
        if place - motion.place >= branches:
            silent = Condition(sides[0], switch.written, SILENT)
            one = replace(one, names=(silent.name, silent.name), watch=silent)
        switches.append(one)
    for watch, frozen in zip(watches, watched, strict=True):
        place = motion.place + len(switches)
        own = Margin(frozen, frozen if watch.by_values else watch.margin, graph.input("p", place))
        margin, rate, acceleration = own.along_the_flow(graph, flow, second)
        switches.append(Switch((watch.name, watch.name), margin, rate, acceleration, place, watch))
    return tuple(switches)


def refuse_unknown_rates(watches: Sequence[Condition[Node]], motion: Motion, names: Mapping[Node, Expr]) -> None:
    """Refuse conditions of the user's own whose rates along the motion are unknown, because an input's are.

    Raises
    ------
    ValueError
        Naming the first such condition with the inputs.
    """
    known = {node for node in motion.opened if node in motion.seed and motion.seed[node] in motion.seed}
    for watch in (watch for watch in watches if not watch.by_values):
        unknown = (motion.opened - known).intersection(reachable(motion.graph, [watch.margin]))
        if unknown:
            told = ", ".join(sorted(str(names[node]) for node in unknown))
            raise ValueError(
                f"the condition {watch.name!r} contains {told}, given as a Python function whose rate is unknown, so "
                "that its crossings cannot be found; give the input as an expression or as Interpolated data"
            )


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


@dataclass(frozen=True, slots=True)
class StateJump:
    """A jump of the user's own.

    Attributes
    ----------
    name : str
    state : tuple of node
        The state after it, by the state before.
    turn : int
        When it is applied at an event with an impact: `run_codes.BEFORE`, ``AFTER`` or ``INSTEAD``.
    latch : int
        The index in x of the state of the latch that it closes or opens, -1 for none.
    closes : bool
        Whether it closes it.
    function : callable, optional
        ``function(t, x)``, which runs call in place of the nodes.
    """

    name: str
    state: tuple[Node, ...]
    turn: int
    latch: int = -1
    closes: bool = False
    function: Callable | None = None


def watches_of(
    kinematics: Kinematics,
    symbols: Symbols,
    conditions: Sequence[Condition[Expr]],
    contacts: Sequence[str],
    constraints: Sequence[Constraint],
    rows: Sequence[ConstraintRow],
) -> tuple[Condition[Node], ...]:
    """The conditions that runs watch; `contacts` are the names of the contacts, `rows` those of the constraints.

    Raises
    ------
    ValueError
        If one contains a symbol or a force that the model does not have, or a jump that no step would show.
    """
    states = len(symbols.q) + len(symbols.u)
    of_rows = [(row.name, row.component) for row in rows]
    found, known = [], ForceNodes(kinematics, states, contacts, constraints, of_rows)
    for one in conditions:
        place = f"the condition {one.name!r}"
        forces = [force for force in forces_in(one.margin) if force not in kinematics.letters]
        inputs = {force: known.node(force, place) for force in forces}
        inputs |= accelerations_in(kinematics, symbols, one.margin)
        margin = _read(kinematics, one.margin, place, inputs)
        if not inputs:
            _refuse_jumping(kinematics.graph, symbols, margin, f"{place} is {one.margin}")
        held = any(isinstance(force, Reaction) for force in forces)
        given = one.name, margin, one.sense, one.ends, one.jump, one.at_accumulation, one.function
        found.append(Condition(*given, of_forces=bool(inputs), of_reactions=held, at_zero=one.at_zero))
    return tuple(found)


def accelerations_in(kinematics: Kinematics, symbols: Symbols, expression: object) -> dict[Expr, Node]:
    """The accelerations in an expression, u' and q'', as nodes of t, x, p and of the inputs ``xdot``, which are x'."""
    derivatives = [part for part in leaves(sympify(expression)) if isinstance(part, Derivative)]
    if not derivatives:
        return {}
    rates = [*zip(symbols.rates(), kinematics.rates, strict=True), *zip(symbols.u, kinematics.u, strict=True)]
    known = {letter.diff(symbols.time): node for letter, node in rates}
    return {part: kinematics.flow(known[part]) for part in derivatives if part in known}


def _refuse_jumping(graph: Graph, symbols: Symbols, margin: Node, told: str) -> None:
    """Refuse jumps of a margin along the motion that are no conditions: the steps of a run would not detect them."""
    letters = symbols.nodes(graph)
    moving = {letters[letter] for letter in (symbols.time, *symbols.q, *symbols.u) if letter not in symbols.discrete}
    jumping = [node for node in reachable(graph, [margin]) if graph.ops[node] in _JUMPING]
    found = {graph.ops[node] for node in jumping if not moving.isdisjoint(reachable(graph, [node]))}
    if found:
        raise ValueError(
            f"{told}, with jumps of {' and '.join(sorted(found))} that no step would show; expected a continuous "
            "expression, such as sin(pi*t) for the integers, or conditions"
        )


def state_jumps(kinematics: Kinematics, symbols: Symbols, jumps: Sequence[Jump]) -> tuple[StateJump, ...]:
    """The jumps that they cause; states that a jump does not name stay as they are.

    Raises
    ------
    ValueError
        If one names, or contains, a symbol that the model does not have.
    """
    letters, found = symbols.nodes(kinematics.graph), []
    states = (*symbols.q, *symbols.u)
    for jump in jumps:
        unknown = [str(state) for state, _ in jump.changes if state not in states]
        if unknown:
            raise ValueError(
                f"the jump {jump.name!r} changes {', '.join(unknown)}; expected states of the model: "
                f"{', '.join(map(str, states))}"
            )
        after = {
            state: _read(kinematics, value, f"the value of {state} in the jump {jump.name!r}")
            for state, value in jump.changes
        }
        after |= {state: value(FormulaMotion(kinematics)).node for state, value in jump.captures}
        latch = -1 if jump.latch is None else states.index(jump.latch)
        state = tuple(after.get(state, letters[state]) for state in states)
        found.append(StateJump(jump.name, state, jump.turn, latch, jump.closes, jump.function))
    return tuple(found)


def _read(kinematics: Kinematics, expression: Expr, place: str, further: Mapping[Expr, Node] | None = None) -> Node:
    try:
        return kinematics.reader(further)(expression) if further else kinematics.read(expression)
    except Unreadable as error:
        unknown = [str(part) for part in error.parts if isinstance(part, (Symbol, AppliedUndef, Derivative))]
        if len(unknown) < len(error.parts):
            raise ValueError(f"{place}: the model {error}") from None
        raise ValueError(
            f"{place} contains {', '.join(unknown)}, which the model does not have; expected time, its states, "
            "parameters and inputs"
        ) from None
