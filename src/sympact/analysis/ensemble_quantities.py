"""Quantities of a model at states of many runs, each with parameters of its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from sympact.analysis.subjects import ModelSubject, Subject
from sympact.mechanics.derive.branch_conditions import accelerations_in

__all__ = ["evaluated"]


def evaluated(subject: Subject, quantity: Any, t: np.ndarray, x: np.ndarray, parameters: np.ndarray) -> np.ndarray:
    """A state, an output or an expression at some states, shape (k,).

    Parameters
    ----------
    subject : Subject
    quantity : str or Expr
    t : array, shape (k,)
    x : array, shape (k, n_states)
    parameters : array, shape (k, n_parameters) or (1, n_parameters)

    Raises
    ------
    ValueError
        If there is no such name, or the expression contains a symbol that the model does not have.
    TypeError
        For an expression of a process.
    """
    if isinstance(quantity, str) and quantity in subject.state_names:
        return x[:, subject.state_names.index(quantity)]
    if not isinstance(subject, ModelSubject):
        known = list(subject.state_names)
        raise TypeError(f"{quantity!r} is no state of the process; the states are {known}, columns of ensemble.x")
    outputs = subject.model.outputs
    if isinstance(quantity, str) and quantity not in outputs:
        raise ValueError(
            f"there is no state or output {quantity!r}; the states are {list(subject.state_names)}, the outputs "
            f"{list(outputs)}"
        )
    expression = outputs[quantity] if isinstance(quantity, str) else quantity
    derivation = subject.model.derivation
    if accelerations_in(derivation.kinematics, derivation.symbols, expression):
        raise ValueError(
            f"{quantity!r} contains an acceleration, which depends on contact forces, and an ensemble keeps states "
            "alone; with keep='run' each run has it"
        )
    values = subject.model.quantities([expression])(t, x.T, _numbers(subject, t, x, parameters))
    return np.broadcast_to(values[0], t.shape).copy()


def _numbers(subject: ModelSubject, t: np.ndarray, x: np.ndarray, parameters: np.ndarray) -> np.ndarray:
    """All numbers of p of the model as the user wrote it, shape (n, k) or (n, 1)."""
    outer, signals = subject.model.compile(), subject.signals
    if signals is None:
        rows = np.repeat(outer.blank[np.newaxis], len(parameters), axis=0)
        rows[:, outer.places] = parameters
        return rows.T
    rows = [
        signals.at(signals.numbers(parameters[k if len(parameters) > 1 else 0]), float(t[k]), x[k])[: len(outer.blank)]
        for k in range(len(t))
    ]
    return np.array(rows).T
