"""Assembly of a model from a user's numbers; see `HybridModel.assemble`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from sympy import Expr, Symbol

from sympact.contact.constraints.constraint_data import constraint_units
from sympact.integrate.export.letters import by_letters, mistaken
from sympact.integrate.problem.real import described, real_array
from sympact.mechanics.derived.compiled import CompiledModel, compile_model
from sympact.mechanics.derived.derived_model import DerivedModel
from sympact.mechanics.derived.numbers import listed
from sympact.mechanics.run.signals import Signals, read_signals
from sympact.mechanics.start.assembly import Assembler, Assembly, Wanted, numbers_at
from sympact.native.engine import default_engine, engine_for

__all__ = ["assemble_model"]

Keep = Mapping[Expr, float] | Iterable[Expr] | None


def assemble_model(
    model: DerivedModel,
    x0: Mapping[Expr, float] | Sequence[float],
    parameters: Mapping[Symbol, float],
    keep: Keep,
    t: float,
    inputs: Mapping[Expr, object],
) -> Assembly:
    """The closest state on the constraints; see `HybridModel.assemble`."""
    compiled = model.made(compile_model)
    if not compiled.constrained:
        raise ValueError("the model has no bilateral constraints, so that there is nothing to assemble; simulate x0")
    time = _time(t)
    x, guessed = _start(model, compiled, x0)
    weights = _weights(model, keep, guessed)
    p, signals = compiled.parameters(parameters), None
    if inputs or model.inputs:
        signals = read_signals(model, inputs, (time, time))
        compiled = signals.compiled
        p = compiled.parameters(parameters)
    numbers = compiled.all_parameters(p) if signals is None else signals.numbers(p)
    _normalize(model, x, weights)
    at = numbers_at(compiled, time, numbers, signals)
    _refuse_without_values(model, signals, at(x), time, x)
    with engine_for(default_engine(), constraint_units()).in_force():
        return Assembler(compiled, time, at).assembled(x, Wanted(weights, guessed))


def _time(t: float) -> float:
    try:
        time = real_array(t)
    except ValueError:
        time = np.array(np.nan)
    if time.shape or not np.isfinite(time):
        raise ValueError(f"t is {described(t)}, expected a time (s)")
    return float(time)


def _start(
    model: DerivedModel, compiled: CompiledModel, x0: Mapping[Expr, float] | Sequence[float]
) -> tuple[np.ndarray, np.ndarray]:
    """The given state, with zeros for missing states, and which these are."""
    if not isinstance(x0, Mapping):
        return compiled.state(x0).copy(), np.zeros(len(model.x), dtype=bool)
    known = {letter for one in model.description.latches for letter in one.letters}
    guessed = np.array([letter not in x0 and letter not in known for letter in model.x])
    missing = {letter: 0.0 for letter in model.x if letter not in known}
    return compiled.state({**missing, **x0}).copy(), guessed


def _weights(model: DerivedModel, keep: Keep, guessed: np.ndarray) -> np.ndarray:
    """The weights of all states; infinite for those that are kept."""
    weights = np.ones(len(model.x))
    if keep is None:
        return weights
    if not isinstance(keep, Iterable) or isinstance(keep, str):
        raise TypeError(f"keep is {keep!r}, expected states that must not change, [q1], or their weights, {{q1: 10}}")
    asked = by_letters(dict(keep) if isinstance(keep, Mapping) else dict.fromkeys(keep, np.inf), model.x)
    places = {letter: i for i, letter in enumerate(model.x)}
    unknown = [letter for letter in asked if letter not in places]
    if unknown:
        raise ValueError(
            f"keep has unknown states {listed(unknown)}{mistaken(unknown, model.x, 'model.x')}; the model has "
            f"{listed(model.x)}"
        )
    for letter, weight in asked.items():
        if not isinstance(weight, (int, float)) or not weight > 0.0:
            raise ValueError(
                f"the weight of {letter} in keep is {described(weight)}, expected a positive number; inf keeps it"
            )
        weights[places[letter]] = weight
    absent = [letter for i, letter in enumerate(model.x) if guessed[i] and weights[i] == np.inf]
    if absent:
        raise ValueError(f"keep names {listed(absent)}, for which x0 has no value; give one, or leave it out of keep")
    if np.isinf(weights).all():
        raise ValueError("keep names all states, so that nothing is left to change; keep fewer")
    return weights


def _normalize(model: DerivedModel, x: np.ndarray, weights: np.ndarray) -> None:
    """Divide quaternions by their norms; those without one, as where they are missing, are no rotation."""
    for group in map(list, model.derivation.quaternions):
        norm = float(np.linalg.norm(x[group]))
        if norm == 0.0 and not np.isinf(weights[group]).any():
            x[group[0]] = 1.0
        elif norm != 1.0 and norm > 0.0 and not np.isinf(weights[group]).any():
            x[group] /= norm


def _refuse_without_values(
    model: DerivedModel, signals: Signals | None, p: np.ndarray, t: float, x: np.ndarray
) -> None:
    """Inputs that are not finite, and violated preconditions, such as a radius below 0."""
    faults = []
    if signals is not None:
        p = signals.at(p, t, x)
        faults = signals.without_values(p)
    if model.preconditions.preconditions:
        faults += model.preconditions.unmet(t, x, p)
    if faults:
        raise ValueError(f"the state cannot be assembled at t = {t:.12g}: {'; '.join(faults)}")
