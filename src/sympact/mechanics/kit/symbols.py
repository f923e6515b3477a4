"""The symbols of a model: coordinates, speeds, inputs and parameters, each with its index in x and p."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sympy import Derivative, Expr, Symbol
from sympy.core.function import AppliedUndef
from sympy.physics.vector import dynamicsymbols, vsstrrepr

from sympact.graph import Graph
from sympact.graph.nodes.node import Node
from sympact.mechanics.kit.faults import Faults
from sympact.mechanics.kit.forces import NormalForce, Reaction
from sympact.native.sentences.stripped_units import has_unit

__all__ = ["LOAD", "POSITION", "VELOCITY", "Collector", "Symbols", "is_constant", "leaves", "state_name"]

POSITION, VELOCITY, LOAD = 2, 1, 0
"""How often an expression is still differentiated with respect to time to obtain accelerations."""


@dataclass(frozen=True, slots=True)
class Symbols:
    """The symbols of a model in the order of the arrays x and p.

    Attributes
    ----------
    q, u : tuple of Expr
        Coordinates and speeds; x = [q, u]. A speed may be the derivative of a coordinate.
    parameters : tuple of Symbol
        Sorted by name; the first entries of p.
    inputs : tuple of Expr
        Functions of time that are left free, and those of their derivatives that the equations need, sorted by name and
        order; they follow the parameters in p.
    auxiliary : tuple of Expr
        Speeds that are zero: they serve to determine reactions, and the motion does not contain them.
    discrete : tuple of Expr
        The coordinates that change at events alone: discrete states.
    """

    q: tuple[Expr, ...]
    u: tuple[Expr, ...]
    parameters: tuple[Symbol, ...]
    inputs: tuple[Expr, ...]
    auxiliary: tuple[Expr, ...] = ()
    discrete: tuple[Expr, ...] = ()

    @property
    def time(self) -> Symbol:
        """The symbol of time that SymPy's mechanics uses."""
        return dynamicsymbols._t

    def rates(self) -> tuple[Expr, ...]:
        """q', one derivative for each coordinate."""
        return tuple(Derivative(coordinate, self.time) for coordinate in self.q)

    def nodes(self, graph: Graph) -> dict[Expr, Node]:
        """The graph's input for each symbol, q' left out; zero for auxiliary speeds and their derivatives."""
        letters = {self.time: graph.input("t", 0)}
        letters.update(dict.fromkeys(_with_rates(self.auxiliary), graph.zero))
        letters.update((letter, graph.input("x", i)) for i, letter in enumerate((*self.q, *self.u)))
        letters.update((letter, graph.input("p", i)) for i, letter in enumerate((*self.parameters, *self.inputs)))
        return letters

    def input_rates(self) -> dict[Expr, Expr]:
        """For each input the input that is its time derivative, where there is one."""
        pairs = {letter: Derivative(letter, self.time).doit() for letter in self.inputs}
        return {letter: rate for letter, rate in pairs.items() if rate in self.inputs}


def leaves(expression: Expr) -> Iterator[Expr]:
    """The symbols, functions of time and derivatives in an expression, each once, in a fixed order."""
    seen = {expression}
    waiting = [expression]
    while waiting:
        part = waiting.pop()
        if isinstance(part, (Symbol, AppliedUndef, Derivative)) or (part.is_Atom and part.args):  # a unit of SymPy's
            yield part
        else:
            new = [arg for arg in reversed(part.args) if arg not in seen]
            seen.update(new)
            waiting += new


def is_constant(expression: Expr) -> bool:
    """Whether an expression depends on neither time nor the motion."""
    return all(isinstance(leaf, Symbol) and leaf != dynamicsymbols._t for leaf in leaves(expression))


def state_name(state: Expr) -> str:
    """The name of a coordinate or a speed in tables and pictures.

    Examples
    --------
    >>> q = dynamicsymbols("q")
    >>> state_name(q), state_name(q.diff())
    ('q', "q'")
    """
    return vsstrrepr(state) if isinstance(state, Derivative) else state.func.__name__


class Collector:
    """Collects the symbols in the expressions of a model and checks that they are admissible there.

    Parameters
    ----------
    q, u : iterable of Expr
        Coordinates and speeds.
    faults : Faults
        Inadmissible symbols are added here.
    auxiliary : iterable of Expr
        Auxiliary speeds, which are zero.
    discrete : iterable of Expr
        The coordinates that have no rate.
    forces : iterable of Expr
        The forces of contacts that are functions of the state.
    """

    def __init__(
        self,
        q: Iterable[Expr],
        u: Iterable[Expr],
        faults: Faults,
        auxiliary: Iterable[Expr] = (),
        discrete: Iterable[Expr] = (),
        forces: Iterable[Expr] = (),
    ) -> None:
        self._forces = frozenset(forces)
        self.q, self.u, self.auxiliary, self.discrete = tuple(q), tuple(u), tuple(auxiliary), tuple(discrete)
        self._without_rate = {Derivative(letter, dynamicsymbols._t): letter for letter in self.discrete}
        self._still = set(_with_rates(self.auxiliary))
        self._faults = faults
        self._coordinates = set(self.q)
        self._states = {*self.q, *self.u}
        self._rates = {Derivative(coordinate, dynamicsymbols._t) for coordinate in self.q}
        self._parameters: dict[Symbol, None] = {}
        self._orders: dict[Expr, int] = {}

    def take(self, expressions: Iterable[Expr], further: int, place: str, *, with_forces: bool = False) -> bool:
        """Collect the symbols of some expressions; True if one of them is a coordinate, a rate q' or a speed.

        Parameters
        ----------
        expressions : iterable of Expr
        further : int
            How often they will be differentiated with respect to time: `POSITION`, `VELOCITY` or `LOAD`.
        place : str
            The origin of the expressions, for messages.
        with_forces : bool
            Whether they may contain forces of contacts and constraints.
        """
        moves = False
        for expression in expressions:
            for leaf in leaves(expression):
                if isinstance(leaf, (NormalForce, Reaction)):
                    if not (with_forces or leaf in self._forces):
                        self._refuse_force(leaf, place)
                    continue
                moves |= self._note(leaf, further, place)
        return moves

    def finish(self) -> Symbols:
        """The symbols collected so far; different symbols of equal name are faults."""
        inputs = [
            function if order == 0 else Derivative(function, (dynamicsymbols._t, order))
            for function, last in sorted(self._orders.items(), key=lambda item: str(item[0]))
            for order in range(last + 1)
        ]
        parameters = sorted(self._parameters, key=lambda symbol: symbol.name)
        self._refuse_equal_names((*self.q, *self.u, *self._orders, *parameters))
        return Symbols(self.q, self.u, tuple(parameters), tuple(inputs), self.auxiliary, self.discrete)

    def _note(self, leaf: Expr, further: int, place: str) -> bool:
        if leaf in self._without_rate:
            name = state_name(self._without_rate[leaf])
            self._faults.add(
                f"{place} contains {leaf}, but {name} is a discrete state: it changes at events alone and has no rate; "
                f"expected {name} itself"
            )
        if leaf in self._states or leaf in self._rates:
            if further == POSITION and leaf not in self._coordinates:
                self._faults.add(f"{place} depends on {leaf}; a position or orientation may depend on coordinates only")
            return True
        if leaf in self._still:
            return False
        if isinstance(leaf, Symbol):
            if leaf != dynamicsymbols._t:
                self._parameters[leaf] = None
            return False
        function, order = _base(leaf)
        if has_unit(leaf):
            self._faults.add(f"{place} contains the unit {leaf}; equations and numbers are in SI units, without units")
        elif function is None:
            self._faults.add(
                f"{place} contains {leaf}; expected symbols, functions of {dynamicsymbols._t} alone and their time "
                "derivatives"
            )
        elif function in self._states:
            self._faults.add(f"{place} contains the acceleration {leaf}; expected positions and velocities only")
        else:
            self._orders[function] = max(order + further, self._orders.get(function, 0))
        return False

    def _refuse_force(self, force: Symbol, place: str) -> None:
        self._faults.add(
            f"{place} contains the force {force}, which follows from the motion itself; forces may be in the "
            "conditions of events, transitions and latches: let a transition change a discrete state where the force "
            "reaches a value, and put that state here"
        )

    def _refuse_equal_names(self, letters: Iterable[Expr]) -> None:
        known: dict[str, Expr] = {}
        for letter in letters:
            name = letter.name if isinstance(letter, Symbol) else state_name(letter)
            if name in known:
                self._faults.add(
                    f"two different symbols are called '{name}': {_describe(known[name])} and {_describe(letter)}; "
                    "make the symbol once and use it everywhere, or rename one"
                )
            known[name] = letter


def _with_rates(speeds: Iterable[Expr]) -> list[Expr]:
    """Speeds and their derivatives."""
    return [letter for speed in speeds for letter in (speed, Derivative(speed, dynamicsymbols._t))]


def _base(leaf: Expr) -> tuple[AppliedUndef | None, int]:
    """The function of time under a derivative, and the order; None for anything else."""
    function, order = leaf, 0
    if isinstance(leaf, Derivative):
        function = leaf.expr
        if any(variable != dynamicsymbols._t for variable in leaf.variables):
            return None, 0
        order = len(leaf.variables)
    if isinstance(function, AppliedUndef) and function.args == (dynamicsymbols._t,):
        return function, order
    return None, 0


def _describe(letter: Expr) -> str:
    if not isinstance(letter, Symbol):
        return f"the function {letter}"
    given = sorted(f"{name}={value}" for name, value in letter.assumptions0.items() if name != "commutative")
    return f"a symbol with {', '.join(given[:3])}, ..." if given else "a symbol without assumptions"
