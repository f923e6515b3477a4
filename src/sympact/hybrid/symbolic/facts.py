"""What is known of the stages of a process: which are linear and time-invariant."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import sympy as sm

from sympact.hybrid.symbolic.definition import StageDefinition
from sympact.hybrid.symbolic.process_symbols import Inputs, subexpressions

__all__ = ["ProcessStage", "flow_key", "stage_facts"]

_LARGEST = 2000  # operations of a flow that are examined: beyond it a stage counts as not linear


@dataclass(frozen=True)
class ProcessStage:
    """One stage of a process of expressions.

    Parameters
    ----------
    name : str
    states : tuple
        Its own states, as they were given.
    flow : tuple
        The rate of each state, or its value after an instant; None where a plain function gives it.
    every : float, Expr or None
        The period of a stage in discrete time (s).
    linear : bool
        Whether x' = A(t) x + b(t), or x+ = A x + b in discrete time. A flow with plain functions counts as not linear.
    time_invariant : bool
        Whether the flow does not contain the time.
    A, b : sympy.Matrix or None
        The matrices of a linear stage, shapes (n, n) and (n, 1); None for any other.

    Examples
    --------
    >>> from sympact import HybridSystem
    >>> x, v, k = sm.symbols("x v k")
    >>> spring = HybridSystem.from_sympy({"free": [v, 1 - k * x]}, [], states=[x, v], parameters=[k])
    >>> stage = spring.stage("free")
    >>> stage.linear, stage.time_invariant, stage.A, stage.b
    (True, True, Matrix([
    [ 0, 1],
    [-k, 0]]), Matrix([
    [0],
    [1]]))
    """

    name: str
    states: tuple[Hashable, ...]
    flow: tuple[Any, ...]
    every: Any = None
    linear: bool = False
    time_invariant: bool = False
    A: sm.Matrix | None = field(default=None, repr=False)
    b: sm.Matrix | None = field(default=None, repr=False)

    @property
    def text(self) -> str:
        """What is known as a text: "linear, time-invariant", "in discrete time"; empty where nothing is."""
        known = ["in discrete time"] if self.every is not None else []
        known += ["linear"] if self.linear else []
        known += ["time-invariant"] if self.linear and self.time_invariant else []
        return ", ".join(known)


def stage_facts(stage: StageDefinition, inputs: Inputs, labels: tuple[Hashable, ...]) -> ProcessStage:
    """What is known of a stage."""
    discrete = bool(stage.clocks) and not stage.pieces and len(stage.clocks) == 1
    every = stage.clocks[0].time.every if discrete else None
    if discrete and (clock := stage.clocks[0]).updates is not None:
        written: dict[sm.Expr, Any] = dict(zip(clock.states, clock.updates, strict=True))
        index = clock.time.index
    else:
        written, index = stage.rates, None
    if not written.keys() >= set(stage.states):
        return ProcessStage(stage.name, labels, tuple(map(written.get, stage.states)), every)
    flow = tuple(sm.sympify(written[state]) for state in stage.states)
    parts = set(islice(subexpressions(flow), _LARGEST + 1))
    if (stage.clocks and not discrete) or len(parts) > _LARGEST:
        return ProcessStage(stage.name, labels, flow, every)
    found = _affine(flow, stage.states)
    invariant = not ({inputs.time, index} & parts)
    return ProcessStage(stage.name, labels, flow, every, found is not None, invariant, *(found or (None, None)))


def _affine(flow: Sequence[sm.Expr], states: Sequence[sm.Expr]) -> tuple[sm.Matrix, sm.Matrix] | None:
    """A and b of a flow A x + b, None for any other flow."""
    letters = {state: sm.Dummy(f"x{i}", real=True) for i, state in enumerate(states)}
    rows = []
    for rate in flow:
        try:
            polynomial = sm.Poly(rate.xreplace(letters), *letters.values())
        except sm.PolynomialError:
            return None
        if polynomial.total_degree() > 1:
            return None
        rows.append([*(polynomial.coeff_monomial(letter) for letter in letters.values()), polynomial.coeff_monomial(1)])
    n = len(rows)
    whole = sm.Matrix(n, n + 1, [entry for row in rows for entry in row])
    return whole[:, :n], whole[:, n:]


def flow_key(stage: StageDefinition) -> Hashable:
    """What two stages with the same flow have in common."""
    pieces = tuple((piece.states, piece.rates, piece.function) for piece in stage.pieces)
    clocks = tuple(
        (clock.states, clock.updates or clock.time.update, clock.time.every, clock.time.phase) for clock in stage.clocks
    )
    return stage.states, pieces, clocks
