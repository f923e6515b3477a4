"""Conditions in the equations of a model as boundaries: their margins with derivatives along the motion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sympy.physics.vector import vsstrrepr

from sympact.graph import Freezer, Tangent, branch_names, reachable
from sympact.graph.linear import dot, ldl_solve
from sympact.mechanics.dynamics import Equations
from sympact.mechanics.gaps import Gap
from sympact.mechanics.kinematics import Kinematics
from sympact.mechanics.symbols import Symbols

__all__ = ["Switch", "freezer", "switches_of"]


@dataclass(frozen=True, slots=True)
class Switch:
    """One condition of the equations of motion or of a gap as nodes.

    Attributes
    ----------
    names : (str, str)
        What holds where the margin is positive, and what where it is negative, such as ("x > 0", "x < 0").
    margin, rate, acceleration : node
        The margin and its derivatives along the motion, each times the switch: the margin is positive as long as the
        branch in force is the right one. The derivatives of the state are taken from the input ``xdot``.
    place : int
        The entry of p that holds the switch: +1.0 or -1.0.
    """

    names: tuple[str, str]
    margin: int
    rate: int
    acceleration: int
    place: int

    def along_the_flow(self) -> tuple[int, int, int]:
        """The margin and its first two derivatives."""
        return self.margin, self.rate, self.acceleration


def freezer(kinematics: Kinematics, symbols: Symbols) -> Freezer:
    """What decides the conditions of a model: by entries of p after those of parameters and inputs.

    A condition on an input whose first two derivatives are not known to the model stays what it is: its rate is not
    known, and it may jump at any time.
    """
    graph, rates = kinematics.graph, symbols.input_rates()
    known = {letter for letter in symbols.inputs if rates.get(rates.get(letter)) is not None}
    letters = symbols.nodes(graph)
    closed = {letters[letter] for letter in symbols.inputs if letter not in known}
    moving = {letters[letter] for letter in (symbols.time, *symbols.q, *symbols.u, *known)}

    def changes(margin: int) -> bool:
        parts = reachable(graph, [margin])
        return closed.isdisjoint(parts) and not moving.isdisjoint(parts)

    return Freezer(graph, len(symbols.parameters) + len(symbols.inputs), changes)


def switches_of(
    kinematics: Kinematics,
    symbols: Symbols,
    freeze: Freezer,
    equations: Equations,
    gaps: Sequence[Gap],
    called: Mapping[int, tuple[str, str]],
) -> tuple[Switch, ...]:
    """The switches of all that a run calls: q' = S u + b, M u' = f, the gaps.

    The two sides of a margin that is in `called`, as it is written, have the names given there.
    """
    for node in (*kinematics.rates, *equations.nodes()):
        freeze(node)
    for gap in gaps:
        for node in (*gap.along_the_flow(), *gap.jacobian, gap.drift, *(gap.slip.nodes() if gap.slip else ())):
            freeze(node)
    if not freeze.switches:
        return ()
    graph, place = kinematics.graph, len(symbols.parameters) + len(symbols.inputs)
    second = _Second(kinematics, freeze, equations)
    names = {node: letter for letter, node in symbols.nodes(graph).items()}
    return tuple(
        Switch(
            called.get(switch.written) or branch_names(graph, switch.written, names, vsstrrepr),
            *switch.along_the_flow(graph, kinematics.flow, second),
            place + i,
        )
        for i, switch in enumerate(freeze.switches)
    )


class _Second:
    """The time derivative of nodes that hold ``xdot``: with q'' from q' = S u + b, and u'' from M u'' = f' - M' u'."""

    def __init__(self, kinematics: Kinematics, freeze: Freezer, equations: Equations) -> None:
        graph, n = kinematics.graph, len(kinematics.q)
        slopes = [graph.input("xdot", i) for i in range(n + len(kinematics.u))]
        self._flow = kinematics.flow
        self._seed = kinematics.flow_seed | {
            slopes[i]: kinematics.flow(freeze(rate)) for i, rate in enumerate(kinematics.rates)
        }
        self._speeds, self._known = slopes[n:], False
        self._graph, self._freeze, self._equations = graph, freeze, equations

    def __call__(self, node: int) -> int:
        """The derivative of a node."""
        graph = self._graph
        if not self._known and not set(self._speeds).isdisjoint(reachable(graph, [node])):
            self._seed |= dict(zip(self._speeds, self._jerks(), strict=True))
            self._known = True
        return Tangent(graph, self._seed)(node)

    def _jerks(self) -> list[int]:
        graph, slopes = self._graph, self._speeds
        mass = [[self._freeze(entry) for entry in row] for row in self._equations.mass_matrix]
        growth = [[self._flow(entry) for entry in row] for row in mass]
        change = [self._flow(self._freeze(entry)) for entry in self._equations.forcing]
        return ldl_solve(
            graph, mass, [graph.sub(f, dot(graph, row, slopes)) for f, row in zip(change, growth, strict=True)]
        )
