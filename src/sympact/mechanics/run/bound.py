"""A model with given inputs: expressions become part of its equations, numbers and data entries of p.

In p the numbers of inputs follow the symbols: the floating-point numbers of expressions, so that other values need no
other machine code, for data the current polynomial piece, [t_0, c_0, c_1, ...] with the value c_0 + c_1 (t - t_0) +
..., and the symbols that sampled laws keep.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from sympy import Derivative, Expr, Symbol

from sympact.graph import (
    Function,
    Graph,
    Substitution,
    Tangent,
    Unreadable,
    compile_functions,
    numpy_function,
    reachable,
)
from sympact.graph.algebra.switches import JUMPING
from sympact.graph.nodes.node import Node
from sympact.mechanics.derive.branch_conditions import (
    Motion,
    accelerations_in,
    freezer,
    refuse_unknown_rates,
    switches_of,
)
from sympact.mechanics.derive.constraint_rows import ConstraintRow
from sympact.mechanics.derive.derivation import Derivation, branches_of
from sympact.mechanics.derive.dynamics import Equations
from sympact.mechanics.derived.compiled import CompiledModel, compile_model
from sympact.mechanics.derived.derived_model import DerivedModel
from sympact.mechanics.inputs.kinds import NUMBER, PYTHON, Data, Formula, Kind, LawKind, Shaping
from sympact.native import Code
from sympact.native.cached import cached_property

__all__ = ["Bound", "bound_model"]

_KEPT = 64  # models with given inputs that a model stores


@dataclass(frozen=True, eq=False)
class Bound:
    """A model with given inputs.

    Attributes
    ----------
    compiled : CompiledModel
        Of the model with these inputs.
    blocks : mapping of Expr to int
        The first entry in p of each input that has numbers.
    places : tuple of int
        The entries of p of the inputs that are computed from others.
    values : callable
        ``f(t, x, p)``: the values of these entries, shape (len(places), ...).
    nodes : tuple of node
        These entries as nodes of the model's graph.
    inputs : Substitution
        Replaces these entries in any node of the model.
    kept : mapping of Expr to int
        The entry in p of each symbol that a sampled law keeps.
    laws : tuple of Function
        For each sampled law its values, or what it measures, as a function of t, x and p; of x', too, after x, where
        it contains accelerations.
    law_blocks : tuple of int
        The first entry in p of the numbers in each law's formulas.
    """

    compiled: CompiledModel
    blocks: Mapping[Expr, int]
    places: tuple[int, ...]
    values: Callable[..., np.ndarray]
    nodes: tuple[Node, ...]
    inputs: Substitution
    kept: Mapping[Expr, int] = field(default_factory=dict)
    laws: tuple[Function, ...] = ()
    law_blocks: tuple[int, ...] = ()

    @cached_property
    def law_code(self) -> Code:
        """The machine code of the laws."""
        return compile_functions(self.inputs.graph, [law for law in self.laws if law.outputs])


def bound_model(
    model: DerivedModel, kinds: Mapping[Expr, Kind], told: Mapping[Expr, object], laws: Sequence[LawKind] = ()
) -> Bound:
    """The model with its inputs given as these kinds, and sampled laws; the last ones are cached.

    `told` are the inputs as the user gave them, for messages.

    Raises
    ------
    ValueError
        With a sentence for an expression that cannot be read, contains itself, or lacks a derivative that is needed.
    """
    key = (tuple(kinds.items()), tuple(laws))
    with model._lock:
        known = model.made(_bound)
        if key in known:
            known.move_to_end(key)
        else:
            known[key] = _bind(model, kinds, told, laws)
            if len(known) > _KEPT:
                known.popitem(last=False)
        return known[key]


def _bind(
    model: DerivedModel, kinds: Mapping[Expr, Kind], told: Mapping[Expr, object], laws: Sequence[LawKind]
) -> Bound:
    derivation = model.derivation
    written = _Written(derivation, kinds, frozenset(model.inputs), told, laws)
    if not laws and all(kind == PYTHON for kind in kinds.values()) and not derivation.watches:
        nothing = Substitution(derivation.graph, {})
        return Bound(model.made(compile_model), {}, (), lambda t, x, p: np.empty((0, *np.shape(t))), (), nothing)
    made = model.with_derivation(_substituted(derivation, written), preconditions=model.preconditions)
    places, nodes = written.outputs()
    values = numpy_function(derivation.graph, Function("inputs", nodes, ("t", "x", "p")))
    entries = [derivation.graph.input("p", place) for place in places]
    inputs = Substitution(derivation.graph, dict(zip(entries, nodes, strict=True)))
    kept = {letter: derivation.graph.args[node][1] for letter, node in written.kept.items()}
    bound_laws = (tuple(written.laws), tuple(written.law_blocks))
    return Bound(compile_model(made), written.blocks, places, values, nodes, inputs, kept, *bound_laws)


def _bound(model: DerivedModel) -> OrderedDict[tuple, Bound]:
    """The models with inputs that are made of a model."""
    return OrderedDict()


class _Written:
    """The inputs as nodes of the model's graph.

    Parameters
    ----------
    derivation : Derivation
    kinds : mapping of Expr to Kind
    needed : set of Expr
        The inputs on which the equations depend.
    told : mapping of Expr to object
        The inputs as they were given.
    laws : sequence of LawKind

    Attributes
    ----------
    letters : dict of Expr to node
        The symbols of the model without the inputs that are computed.
    nodes : dict of Expr to node
        The inputs.
    blocks : dict of Expr to int
        See `Bound`.
    opened : set of node
        The inputs that remain open.
    place : int
        The first free entry of p.
    kept : dict of Expr to node
        The symbols that laws keep.
    laws, law_blocks
        See `Bound`.
    """

    def __init__(
        self,
        derivation: Derivation,
        kinds: Mapping[Expr, Kind],
        needed: frozenset[Expr],
        told: Mapping[Expr, object],
        laws: Sequence[LawKind],
    ) -> None:
        symbols = derivation.symbols
        self.graph, self.symbols, self.derivation = derivation.graph, symbols, derivation
        self.slots = {letter: derivation.read(letter) for letter in symbols.inputs}
        self.place = len(symbols.parameters) + len(symbols.inputs)
        self.nodes: dict[Expr, Node] = {}
        self.blocks: dict[Expr, int] = {}
        self.names: dict[Node, Expr] = {}
        self._kinds, self._needed, self._told = kinds, needed, told
        self._open: list[Expr] = []
        states = symbols.nodes(derivation.graph)
        self._states = {states[letter]: letter for letter in (*symbols.q, *symbols.u)}
        letters = tuple(letter for law in laws for letter in law.memory)
        self.kept = self._entries(letters)
        self.names |= {node: letter for letter, node in self.kept.items()}
        for letter in symbols.inputs:
            self.node(letter)
        done = {letter for letter in symbols.inputs if self.nodes[letter] != self.slots[letter]}
        self.letters = {letter: node for letter, node in states.items() if letter not in done}
        self.opened = frozenset(
            slot for letter, slot in self.slots.items() if letter not in done and kinds.get(letter) != NUMBER
        )
        self.names |= {self.nodes[letter]: letter for letter in done if self.graph.value(self.nodes[letter]) is None}
        self.law_blocks: list[int] = []
        self.laws = [self._law(k, law) for k, law in enumerate(laws)]

    def outputs(self) -> tuple[tuple[Node, ...], tuple[Node, ...]]:
        """The entries of p that are computed, and their nodes."""
        pairs = [(self.slots[letter], node) for letter, node in self.nodes.items() if node != self.slots[letter]]
        return tuple(self.graph.args[slot][1] for slot, _ in pairs), tuple(node for _, node in pairs)

    def node(self, letter: Expr) -> Node:
        """The node of an input."""
        if letter in self.nodes:
            return self.nodes[letter]
        if letter in self._open:
            way = " -> ".join(map(str, (*self._open[self._open.index(letter) :], letter)))
            raise ValueError(
                f"the input {letter} is given as {self._told[letter]}, which contains an input that is made of it, "
                f"{way}; expected time, states, parameters and inputs that do not depend on it"
            )
        self._open.append(letter)
        kind = self._kinds.get(letter)
        if isinstance(kind, Formula):
            node = self._formula(letter, kind)
        elif isinstance(kind, Data):
            node = self._polynomial(letter, kind)
        else:
            derived = kind is None and isinstance(letter, Derivative)
            node = self._rate(letter) if derived else self.slots[letter]
        self._open.pop()
        self.nodes[letter] = node
        return node

    def _formula(self, letter: Expr, kind: Formula) -> Node:
        read = self.derivation.kinematics.reader(self.kept | self._block(letter, kind.constants))
        try:
            node = read(kind.expression)
        except ValueError as error:
            raise ValueError(f"the input {letter} is given as {self._told[letter]}, but the model {error}") from None
        return self._with_inputs(node)

    def _with_inputs(self, node: Node) -> Node:
        """A node with the inputs in it written out."""
        parts = set(reachable(self.graph, [node]))
        inner = {slot: self.node(other) for other, slot in self.slots.items() if slot in parts}
        return Substitution(self.graph, inner)(node)

    def _law(self, k: int, law: LawKind) -> Function:
        """The values of a law, or what it measures."""
        self.law_blocks.append(self.place)
        accelerations: dict[Expr, Node] = {}
        for formula in law.all_formulas:
            accelerations |= accelerations_in(self.derivation.kinematics, self.symbols, formula.expression)
        formulas = iter(self._read_law(law, formula, accelerations) for formula in law.all_formulas)
        values = [next(formulas) for _ in law.formulas]
        for i, shaping in enumerate(law.shaping):
            parts = [next(formulas) for _ in shaping.formulas]
            values[i] = _shaped(self.graph, values[i], shaping, parts)
        return Function(f"law_{k}", tuple(values), ("t", "x", "xdot", "p") if accelerations else ("t", "x", "p"))

    def _read_law(self, law: LawKind, formula: Formula, accelerations: Mapping[Expr, Node]) -> Node:
        read = self.derivation.kinematics.reader({**self.kept, **self._entries(formula.constants), **accelerations})
        try:
            return self._with_inputs(read(formula.expression))
        except Unreadable as error:
            name, parts = ", ".join(map(str, law.letters)), ", ".join(map(str, error.parts))
            raise ValueError(
                f"the controller of {name} contains {parts}; expected time, coordinates, speeds, accelerations, "
                "parameters and inputs of the model, and symbols of a memory"
            ) from None

    def _refuse_jumps(self, letter: Expr, parts: set[Node]) -> None:
        """Refuse a motion that jumps."""
        graph, time = self.graph, self.graph.input("t", 0)
        jumps = [node for node in parts if graph.ops[node] in JUMPING and time in reachable(graph, [node])]
        if jumps:
            raise ValueError(
                f"the input {letter.expr} is given as {self._told[letter.expr]}, with jumps of {graph.ops[jumps[0]]}, "
                f"and the equations contain its derivative {letter}: it moves a body or a surface, which no force "
                "makes jump; expected an expression whose value and rate are continuous"
            )

    def _block(self, letter: Expr, names: tuple[Symbol, ...]) -> dict[Expr, Node]:
        """Entries of p for the numbers of an input."""
        if names:
            self.blocks[letter] = self.place
        nodes = self._entries(names)
        self.names |= {node: Symbol(f"{letter}[{i}]") for i, node in enumerate(nodes.values())}
        return nodes

    def _entries(self, names: Sequence[Expr]) -> dict[Expr, Node]:
        """The next entries of p."""
        nodes = {name: self.graph.input("p", self.place + i) for i, name in enumerate(names)}
        self.place += len(names)
        return nodes

    def _polynomial(self, letter: Expr, kind: Data) -> Node:
        graph, names = self.graph, tuple(Symbol(f"_{i}") for i in range(kind.degree + 2))
        origin, *coefficients = self._block(letter, names).values()
        since, total = graph.sub(graph.input("t", 0), origin), coefficients[-1]
        for coefficient in reversed(coefficients[:-1]):
            total = graph.add(coefficient, graph.mul(since, total))
        return total

    def _rate(self, letter: Expr) -> Node:
        """The node of a derivative, derived from the definition of its function."""
        order = len(letter.variables)
        lower = letter.expr if order == 1 else Derivative(letter.expr, (self.symbols.time, order - 1))
        below = self.node(lower)
        parts, graph = set(reachable(self.graph, [below])), self.graph
        if below == self.slots[lower] and self._kinds.get(lower) != NUMBER:
            return self.slots[letter]
        states = [str(name) for node, name in self._states.items() if node in parts]
        called = [other for other, slot in self.slots.items() if slot in parts and self._kinds.get(other) != NUMBER]
        rates = {other: Derivative(other, self.symbols.time).doit() for other in called}
        unknown = [str(other) for other, rate in rates.items() if self._kinds.get(rate) is None]
        if states or unknown:
            if letter not in self._needed:
                return self.slots[letter]
            raise ValueError(self._without_rate(letter, states, unknown))
        if letter in self._needed:
            self._refuse_jumps(letter, parts)
        seed = {graph.input("t", 0): graph.one}
        seed |= {self.slots[other]: self.node(rate) for other, rate in rates.items()}
        return Tangent(graph, seed)(below)

    def _without_rate(self, letter: Expr, states: list[str], unknown: list[str]) -> str:
        given = f"the input {letter.expr} is given as {self._told[letter.expr]}, which contains"
        needed = f"and the equations contain its derivative {letter}"
        if states:
            return (
                f"{given} {', '.join(states)}, {needed}: it moves a body or a surface; expected an expression of time, "
                "parameters and inputs; what depends on the motion must be written into the positions and velocities "
                "themselves"
            )
        rates = ", ".join(f"{name}.diff(t)" for name in unknown)
        return f"{given} {', '.join(unknown)}, a Python function whose rate is not known, {needed}; give {rates}, too"


def _shaped(graph: Graph, value: Node, shaping: Shaping, parts: Sequence[Node]) -> Node:
    """A command, quantised and then limited; `parts` are the nodes of the formulas of its shaping."""
    rest = list(parts)
    if shaping.quantum is not None:
        quantum = rest.pop(0)
        value = graph.mul(quantum, graph.call("floor", graph.add(graph.div(value, quantum), graph.const(0.5))))
    if shaping.limits is not None:
        low, high = rest
        value = graph.call("max", low, graph.call("min", value, high))
    return value


def _substituted(derivation: Derivation, written: _Written) -> Derivation:
    """The derivation with the inputs substituted, and the conditions in them."""
    graph, symbols, kinematics = derivation.graph, derivation.symbols, derivation.kinematics
    at = Substitution(graph, {written.slots[letter]: node for letter, node in written.nodes.items()})
    rates = tuple(at(node) for node in derivation.rates)
    rows = tuple(tuple(at(node) for node in row) for row in derivation.equations.mass_matrix)
    forcing = tuple(at(node) for node in derivation.equations.forcing)
    tree = derivation.equations.tree
    equations = Equations(rows, forcing, None if tree is None else replace(tree, given=at))
    gaps = tuple(gap.replaced(at) for gap in derivation.gaps)
    constraints = tuple(_constraint(row, at) for row in derivation.constraints)
    slopes = [graph.input("xdot", i) for i in range(len(derivation.x))]
    seed = {written.letters[state]: slope for state, slope in zip(derivation.x, slopes, strict=True)}
    seed[written.letters[symbols.time]] = graph.one
    open_rates = {letter: rate for letter, rate in symbols.input_rates().items() if letter in written.letters}
    seed |= {written.slots[letter]: written.nodes[rate] for letter, rate in open_rates.items()}
    motion = Motion(graph, written.letters, rates, seed, written.opened, written.place)
    freeze = freezer(motion, symbols)
    branches = branches_of(kinematics, derivation.contacts, derivation.survey.loads.compliant)
    called = {at(node): names for node, names in branches.items()}
    flow = Tangent(graph, seed)
    watches = tuple(replace(watch, margin=at(watch.margin)) for watch in derivation.watches)
    jumps = tuple(replace(jump, state=tuple(at(node) for node in jump.state)) for jump in derivation.jumps)
    refuse_unknown_rates(watches, motion, {node: letter for letter, node in written.letters.items()})
    switches = switches_of(motion, flow, freeze, equations, gaps, called, written.names, constraints, watches)
    return replace(
        derivation,
        rates=rates,
        equations=equations,
        gaps=gaps,
        constraints=constraints,
        kinetic_energy=at(derivation.kinetic_energy),
        potential=replace(
            derivation.potential,
            energy=None if derivation.potential.energy is None else at(derivation.potential.energy),
        ),
        freeze=freeze,
        switches=switches,
        watches=watches,
        jumps=jumps,
        opened=written.opened,
        slots=written.place - len(symbols.parameters) - len(symbols.inputs),
    )


def _constraint(row: ConstraintRow, at: Substitution) -> ConstraintRow:
    return replace(
        row,
        position=None if row.position is None else at(row.position),
        rate=at(row.rate),
        jacobian=tuple(at(node) for node in row.jacobian),
        drift=at(row.drift),
        bias=at(row.bias),
    )
