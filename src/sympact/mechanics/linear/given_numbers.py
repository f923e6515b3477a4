"""The numbers of parameters and inputs at any state, with the derivatives of inputs that depend on the state."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from sympy import Expr, Symbol

from sympact.graph import Function, jacobian, numpy_function
from sympact.mechanics.derived.derived_model import DerivedModel
from sympact.mechanics.derived.numbers import Numbers
from sympact.mechanics.run.signals import Signals, read_signals
from sympact.native.cached import cached_property

__all__ = ["GivenNumbers"]


class GivenNumbers:
    """Parameters and inputs as the user gave them, at one time.

    Parameters
    ----------
    model : DerivedModel
    parameters, inputs : mapping
        As for `HybridModel.simulate`.
    t : float

    Raises
    ------
    ValueError
        If a number is missing or unknown, or an input is a Python function of the state.
    """

    def __init__(
        self, model: DerivedModel, parameters: Mapping[Symbol, float], inputs: Mapping[Expr, object] | None, t: float
    ) -> None:
        numbers = Numbers(model)
        self._model, self._t, self._blank = model, t, numbers.blank.copy()
        self._parameters = numbers.parameters(parameters)
        self._blank[numbers.places] = self._parameters
        self._signals: Signals | None = None
        if inputs or model.inputs:
            self._signals = read_signals(model, inputs or {}, (t, t))
            unknown = [str(letter) for letter, what in self._signals.given.items() if what.takes_state]
            if unknown:
                raise ValueError(
                    f"the input {unknown[0]} is given as a Python function of the state, whose derivatives are unknown;"
                    " give it as an expression of the states, or as a number to linearize without it"
                )

    def at(self, x: np.ndarray) -> np.ndarray:
        """p of the model, with the values of its inputs at a state.

        Raises
        ------
        ValueError
            If an input is not finite there, or a precondition of the model is violated, such as a radius below 0.
        """
        p, faults = self._blank, []
        if self._signals is not None:
            p = self._signals.at(p, self._t, x)
            faults = self._signals.without_values(p)
        faults = faults + self._model.preconditions.unmet(self._t, x, p)
        if faults:
            raise ValueError(f"the model has no equations at t = {self._t:.12g}: {'; '.join(faults)}")
        return p

    def running(self, x: np.ndarray) -> tuple[DerivedModel, np.ndarray]:
        """The model whose equations contain the inputs that are expressions, and its p at a state."""
        if self._signals is None:
            return self._model, self._blank
        p = self._signals.called(self._signals.numbers(self._parameters), self._t, x)
        return self._signals.compiled.model, p

    def slopes(self, x: np.ndarray) -> np.ndarray:
        """The derivatives of the inputs with respect to the state, shape (n_inputs, n_states)."""
        symbols = self._model.derivation.symbols
        slopes = np.zeros((len(symbols.inputs), len(x)))
        if self._signals is not None and self._signals.bound.nodes:
            _, p = self.running(x)
            rows = [place - len(symbols.parameters) for place in self._signals.bound.places]
            slopes[rows] = self._slopes_of_formulas(self._t, x, p).reshape(len(rows), len(x))
        return slopes

    @cached_property
    def _slopes_of_formulas(self):
        """The derivatives of the inputs that are computed, as a NumPy function ``f(t, x, p)``."""
        assert self._signals is not None
        graph, nodes = self._model.derivation.graph, self._signals.bound.nodes
        with self._model._lock:
            states = [graph.input("x", i) for i in range(len(self._model.x))]
            entries = tuple(entry for row in jacobian(graph, nodes, states) for entry in row)
            return numpy_function(graph, Function("input_slopes", entries, ("t", "x", "p")))
