"""A run of a model from what a user gives: numbers by symbols, inputs, controllers, and where it goes on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import numpy as np
from sympy import Expr

from sympact.integrate.export.letters import by_letters
from sympact.integrate.loop.recorder import Recording
from sympact.integrate.measure.observers import Observer
from sympact.integrate.problem.times import time_span
from sympact.integrate.result import Result
from sympact.integrate.trajectory.evaluator import Evaluator
from sympact.integrate.trajectory.record import Record
from sympact.integrate.trajectory.trajectory import Origin
from sympact.mechanics.derived.compiled import CompiledModel, compile_model
from sympact.mechanics.derived.derived_model import DerivedModel
from sympact.mechanics.inputs.continued import Held, letters_of, restored_held, start_from
from sympact.mechanics.inputs.stored_inputs import restored_inputs
from sympact.mechanics.run.preparation import KNOWN_METHODS, occasional_of, units_of
from sympact.mechanics.run.quantities import ModelQuantities
from sympact.mechanics.run.signals import Signals, read_signals
from sympact.mechanics.run.step_forces import TIME_STEPPING
from sympact.mechanics.simulate.simulate_compiled import restored_compiled, simulate_compiled
from sympact.native.engine import default_engine, engine_for

__all__ = ["restored_model", "simulate_model"]


def simulate_model(
    model: DerivedModel,
    t_span: Sequence[float],
    start: Mapping[Expr, float] | Sequence[float] | Result,
    parameters: Mapping[Expr, float],
    *,
    t_eval: Sequence[float] | None,
    inputs: Mapping[Expr, object],
    controllers: object,
    keep: str,
    observe: Mapping[str, Observer] | None,
    held: Mapping[Expr | str, Held] | None = None,
    sides: Mapping[str, Sequence[float]] | None = None,
    **settings,
) -> Result:
    """Run a `HybridModel`; see its method `simulate`.

    `held` is what its controllers go on with, and `sides` on which sides of its boundaries it does.
    """
    compiled, span, appearance = model.made(compile_model), time_span(t_span), None
    if isinstance(start, Result):
        appearance = start._facts.appearance
        begun, held, sides = start_from(start, span[0], compiled.state_names, controls=bool(inputs or controllers))
        x = compiled.state(begun)
    else:
        x = compiled.state(start)
    p = compiled.parameters(parameters)
    settings["unused"] = compiled.unused(parameters) if len(parameters) > len(p) else {}
    recording = Recording.read(t_eval, span, keep, observe)
    if not recording.whole and settings["method"] == TIME_STEPPING:
        raise ValueError(
            f"keep='events' is for runs event by event, and the method {TIME_STEPPING!r} has none; leave it"
        )
    if not (inputs or model.inputs or controllers):
        _check_observers(compiled, recording)
        with _telling_of_depths(start, settings["method"]):
            result = simulate_compiled(compiled, span, x, p, recording=recording, sides=sides, **settings)
        return result if appearance is None else result._drawn_as(appearance)
    signals = read_signals(model, inputs, span, controllers, runs=True, held=held)  # after faults of the parameters
    p = signals.compiled.parameters(parameters)
    _check_observers(compiled, recording)
    with _telling_of_depths(start, settings["method"]):
        result = simulate_compiled(compiled, span, x, p, signals=signals, recording=recording, sides=sides, **settings)
    settings.pop("unused"), settings.pop("progress", None)
    given = {"inputs": dict(inputs), "controllers": controllers, "keep": keep, "observe": observe, "held": held}
    given |= {"sides": sides, "t_eval": recording.of_record.t_eval}
    result._run.origin = Origin(simulate_model, (model, span, x, dict(parameters)), {**given, **settings})
    return result if appearance is None else result._drawn_as(appearance)


@contextmanager
def _telling_of_depths(start: object, method: object) -> Iterator[None]:
    """Add to the refusal of a run event by event at the end of time stepping how it can go on."""
    try:
        yield
    except ValueError as error:
        if isinstance(start, Result) and start.settings.get("method") == TIME_STEPPING and method != TIME_STEPPING:
            error.add_note(
                f"the start is the end of a run by {TIME_STEPPING!r}, which leaves contacts below their surfaces, by "
                f"their approach speeds times the step; go on with method={TIME_STEPPING!r}, or give x0 with the "
                "contacts raised to their surfaces"
            )
        raise


def _check_observers(compiled: CompiledModel, recording: Recording) -> None:
    """Refuse what cannot be observed along a run, before it starts."""
    if recording.observers:
        quantities = ModelQuantities(compiled, compiled.blank, None)
        switches = (name for switch in compiled.model.derivation.switches for name in switch.names)
        for observer in recording.observers.values():
            observer.check(quantities, compiled.state_names, (*compiled.contact_names, *switches))


def restored_model(
    model: DerivedModel, stored: Mapping, record: Record, inputs: Mapping[Expr, object], controllers: object
) -> Evaluator:
    """A `HybridModel` with the numbers of a run that was read from a file; see `sympact.load`."""
    compiled = model.made(compile_model)
    if stored.get("digest") != compiled.digest:
        raise ValueError(
            "the run in the file is one of another model, or was made by other versions of sympact or SymPy; the file "
            f"has the states {stored['states']}, this model {list(compiled.state_names)}"
        )
    signals = None
    if stored.get("given") is not None:
        asked = by_letters(inputs, model.derivation.symbols.inputs)
        inputs, controllers = restored_inputs(model, stored["given"], asked, controllers)
    if inputs or model.inputs or controllers or stored.get("stepped"):
        held = restored_held(stored.get("held", {}), letters_of(inputs, controllers))
        signals = read_signals(model, inputs, tuple(stored["span"]), controllers, runs=True, held=held)
    commanded = stored.get("commands")
    if signals is not None and signals.samplers and commanded is not None:
        signals.recall(commanded)
    elif stored["sampled"] or (signals is not None and signals.samplers):
        raise ValueError(
            "the run in the file "
            + ("has" if stored["sampled"] else "does not have")
            + " sampled inputs or controllers; give inputs= and controllers= as they were given to the run"
            + ("" if commanded is not None or not stored["sampled"] else ", and save it with this version of sympact")
        )
    if signals is not None and stored.get("stepped"):
        signals = signals.with_steps(stored["stepped"])
    running = compiled if signals is None else signals.compiled
    _refuse_other_inputs(stored, running, signals)
    units = units_of(running, KNOWN_METHODS["DOP853"], signals is not None and signals.scheduled)
    with engine_for(default_engine(), units, occasional_of(running)).in_force():
        return restored_compiled(compiled, stored, record, signals)


def _refuse_other_inputs(stored: Mapping, running: CompiledModel, signals: Signals | None) -> None:
    """Raise ValueError where the inputs given with a file are not those of its run, as far as the file has them."""
    found = stored["p"] if "turned" in stored else stored["run"]["p"]
    p = np.array([float.fromhex(number) for number in found])
    if len(p) == len(running.blank):
        again = p.copy()
        for place, number in (signals.fixed if signals else {}).items():
            again[place] = number
        for series in signals.series if signals else ():
            series.put(again, stored["span"][0])
            if stored.get("sampled"):  # a run that goes on has the commands from before the sample at its start
                again[list(series.entries)] = p[list(series.entries)]
        if np.array_equal(again, p, equal_nan=True):
            return
    raise ValueError("the inputs are not those of the run in the file; give inputs= as they were given to the run")
