"""`HybridModel.simulate`: from mappings of symbols to numbers to a result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sympy import Expr

from sympact.integrate.problem.times import sample_times, time_span
from sympact.integrate.result import Result
from sympact.mechanics.run.signals import read_signals

__all__ = ["simulate_model"]


def simulate_model(
    model,
    t_span: Sequence[float],
    x0: Mapping[Expr, float] | Sequence[float],
    parameters: Mapping[Expr, float],
    *,
    t_eval: Sequence[float] | None,
    inputs: Mapping[Expr, object],
    **settings,
) -> Result:
    """Run a `HybridModel`; see its method `simulate`."""
    compiled = model.compile()
    span, x = time_span(t_span), compiled.state(x0)
    if not (inputs or model.inputs):
        p = compiled.parameters(parameters)
        return compiled.simulate(span, x, p, t_eval=sample_times(t_eval, span), **settings)
    compiled.parameters(parameters)  # its faults precede those of inputs
    signals = read_signals(model, inputs, span)
    p = signals.compiled.parameters(parameters)
    return compiled.simulate(span, x, p, signals=signals, t_eval=sample_times(t_eval, span), **settings)
