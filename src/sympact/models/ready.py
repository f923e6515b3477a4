"""A model with the numbers of one run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import sympy

from sympact.hybrid import HybridSystem
from sympact.integrate.result import Result
from sympact.mechanics import HybridModel


@dataclass(frozen=True)
class Ready:
    """A mechanical model, ready to run.

    Parameters
    ----------
    model : HybridModel
    parameters : mapping of Symbol to float
        A number for every parameter of the model (SI units).
    start : mapping of expression to float
        A number for every state of the model.
    t_span : tuple of two floats
        The first and the last time (s).
    units : mapping of str to str
        The units of the states, of ``"t"`` and ``"gaps"``, as `Result.plot` takes them.
    """

    model: HybridModel
    parameters: Mapping[sympy.Symbol, float]
    start: Mapping[sympy.Expr, float]
    t_span: tuple[float, float]
    units: Mapping[str, str]

    def simulate(self, **options) -> Result:
        """Run the model with these numbers; `options` are those of `HybridModel.simulate`."""
        return self.model.simulate(self.t_span, self.start, self.parameters, **options)


@dataclass(frozen=True)
class ReadyProcess:
    """A process of plain functions, ready to run.

    Parameters
    ----------
    model : HybridSystem
    start : sequence of float
        The state at the first time.
    stage : str
        The stage at the first time.
    t_span, units
        As in `Ready`.
    """

    model: HybridSystem
    start: Sequence[float]
    stage: str
    t_span: tuple[float, float]
    units: Mapping[str, str]

    def simulate(self, **options) -> Result:
        """Run the process with these numbers; `options` are those of `HybridSystem.simulate`."""
        return self.model.simulate(self.t_span, self.start, start=self.stage, **options)
