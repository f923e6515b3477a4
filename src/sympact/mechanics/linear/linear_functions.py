"""The functions of a model that linearisations and equilibria need, each made on first use."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from sympy import Expr

from sympact.graph import Function, Tangent, numpy_function, reachable
from sympact.graph.algebra.linear import dot
from sympact.graph.nodes.node import Node
from sympact.mechanics.derive.branch_conditions import accelerations_in
from sympact.mechanics.derive.derivation import Derivation
from sympact.mechanics.derive.slip import Slip
from sympact.mechanics.derived.derived_model import DerivedModel
from sympact.mechanics.linear.balance import Balance
from sympact.mechanics.linear.closed_motion import Closed, ClosedMotion, within_ellipse
from sympact.mechanics.start.reach import Reach
from sympact.native.cached import cached_property

__all__ = ["LinearFunctions", "functions_of"]

_STATE = ("t", "x", "p")
Evaluated = Callable[..., np.ndarray]


def functions_of(model: DerivedModel) -> LinearFunctions:
    """Those of a model, the same at each call."""
    return model.made(LinearFunctions)


class LinearFunctions:
    """The functions of one model.

    Parameters
    ----------
    model : DerivedModel
    """

    def __init__(self, model: DerivedModel) -> None:
        self.derivation, self._outputs, self._lock = model.derivation, model.outputs, model._lock
        self._motions: dict[tuple[tuple[int, Closed], ...], ClosedMotion] = {}
        self._balances: dict[tuple[Closed, ...], Balance] = {}
        self._margins: dict[tuple[int, ...], tuple[tuple[str, ...], Evaluated]] = {}

    def motion(self, closed: tuple[tuple[int, Closed], ...]) -> ClosedMotion:
        """The motion with the bilateral constraints and some contacts closed."""
        with self._lock:
            if closed not in self._motions:
                outputs = [self._read(name, output) for name, output in self._outputs.items()]
                self._motions[closed] = ClosedMotion(self.derivation, closed, outputs)
            return self._motions[closed]

    def _read(self, name: str, output: Expr) -> Node:
        if accelerations_in(self.derivation.kinematics, self.derivation.symbols, output):
            raise ValueError(
                f"the output {name!r} contains an acceleration, and a linearization has outputs of states and inputs; "
                "linearize a model without it: the accelerations are rows of A and B"
            )
        return self.derivation.read(output)

    def balance(self, motions: tuple[Closed, ...]) -> Balance:
        """The balance of forces with each contact in one motion along its surface."""
        with self._lock:
            if motions not in self._balances:
                self._balances[motions] = Balance(self.derivation, motions)
            return self._balances[motions]

    @cached_property
    def inertias(self) -> Evaluated:
        """The diagonal of M."""
        with self._lock:
            diagonal = tuple(row[i] for i, row in enumerate(self.derivation.equations.mass_matrix))
            return numpy_function(self.derivation.graph, Function("inertias", diagonal, _STATE))

    @cached_property
    def reach(self) -> Reach:
        """How far each coordinate moves the model."""
        with self._lock:
            return Reach(self.derivation)

    @cached_property
    def contacts(self) -> Evaluated:
        """All g, all g', all |gamma_T|, all n, for each contact W_N^T and dv/du, M, f."""
        derivation, graph = self.derivation, self.derivation.graph
        with self._lock:
            nodes = [gap.along_the_flow()[order] for order in (0, 1) for gap in derivation.gaps]
            nodes += [graph.zero if gap.slip is None else _slip_speed(derivation, gap.slip) for gap in derivation.gaps]
            nodes += [n for gap in derivation.gaps for n in (gap.slip.normal if gap.slip else (graph.zero,) * 3)]
            nothing = ((graph.zero,) * len(derivation.symbols.u),) * 3
            for gap in derivation.gaps:
                rows = nothing if gap.slip is None else gap.slip.jacobian
                nodes += [entry for row in (gap.jacobian, *rows) for entry in row]
            nodes += [entry for row in derivation.equations.mass_matrix for entry in row]
            nodes += derivation.equations.forcing
            return numpy_function(graph, Function("contacts", tuple(nodes), _STATE))

    def margins(self, who: tuple[int, ...]) -> tuple[tuple[str, ...], Evaluated]:
        """The conditions that enter the equations of motion, the constraints, or the gaps of these contacts.

        Returns
        -------
        names : tuple of str
        values : callable
            ``f(t, x, p)``: for each its margin and the derivatives of the margin with respect to the state.
        """
        with self._lock:
            if who not in self._margins:
                self._margins[who] = self._margins_of(who)
            return self._margins[who]

    def _margins_of(self, who: Sequence[int]) -> tuple[tuple[str, ...], Evaluated]:
        derivation, graph = self.derivation, self.derivation.graph
        nodes = [*derivation.rates, *derivation.equations.nodes()]
        nodes += [node for row in derivation.constraints for node in row.nodes()]
        for k in who:
            gap = derivation.gaps[k]
            nodes += [*gap.along_the_flow(), *(gap.slip.nodes() if gap.slip else ())]
        used = set(reachable(graph, derivation.running(nodes)))
        found = [switch for switch in derivation.switches if graph.input("p", switch.place) in used]
        columns = [Tangent(graph, {graph.input("x", i): graph.one}) for i in range(len(derivation.x))]
        entries = [entry for s in found for entry in (s.margin, *(column(s.margin) for column in columns))]
        names = tuple(switch.names[0] for switch in found)
        return names, numpy_function(graph, Function("margins", tuple(entries), _STATE))


def _slip_speed(derivation: Derivation, slip: Slip) -> Node:
    """|gamma_T|, without a part that anisotropic friction does not oppose, as along the blade of a skate."""
    graph = derivation.graph
    approach = dot(graph, slip.normal, slip.velocity)
    tangential = [graph.sub(v, graph.mul(approach, n)) for v, n in zip(slip.velocity, slip.normal, strict=True)]
    resisted = within_ellipse(graph, slip, tangential)
    return graph.call("sqrt", dot(graph, resisted, resisted))
