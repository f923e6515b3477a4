"""A run of a model: numbers read, initial state checked, units compiled, memory borrowed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from sympy import Expr

from sympact.contact.constraints.constraint_data import constraint_units, residual_units
from sympact.contact.contact_workspace import MOREAU, needed_units, occasional_units
from sympact.integrate.export.letters import by_letters
from sympact.integrate.export.portable import Origin
from sympact.integrate.history.hooks import Hooks
from sympact.integrate.history.record import Record
from sympact.integrate.loop.prepared_run import loop_units
from sympact.integrate.loop.recorder import Recording, read_keep
from sympact.integrate.measure.observers import Observer, checked_observers
from sympact.integrate.problem.schedule import Schedule
from sympact.integrate.problem.settings import Settings
from sympact.integrate.problem.stepper import CompiledStepper, Stepper
from sympact.integrate.problem.times import sample_times, time_span
from sympact.integrate.result import Result
from sympact.integrate.search.switch_table import SWITCH_UNITS
from sympact.integrate.shown import shown_as
from sympact.integrate.steppers.methods import METHODS
from sympact.mechanics.inputs.continued import Held, letters_of, restored_held, start_from
from sympact.mechanics.inputs.stored_inputs import restored_inputs
from sympact.mechanics.run.model_memory import ModelMemory, give_back, take
from sympact.mechanics.run.quantities import hooks_of
from sympact.mechanics.run.signals import Signals, read_signals
from sympact.mechanics.run.step_forces import TIME_STEPPING
from sympact.mechanics.start.assembly import numbers_at
from sympact.mechanics.start.consistency import START_UNIT, check_start
from sympact.mechanics.start.projected_start import consistent_start, units_have_norm_one
from sympact.mechanics.start.scale import SCALE_UNIT, Scale
from sympact.native.compilation import compile_together
from sympact.native.engine import MACHINE_CODE, Engine, default_engine, engine_for, present_engine
from sympact.native.kernel import Unit

if TYPE_CHECKING:
    from sympact.mechanics.run.compiled import CompiledModel

__all__ = [
    "KNOWN_METHODS",
    "compile_units",
    "engine_of",
    "memory_of",
    "restore_hooks",
    "settled_at_start",
    "simulate_model",
    "units_of",
]

Slopes = Sequence[Sequence[float]]
KNOWN_METHODS: Mapping[str, Stepper] = {**METHODS, TIME_STEPPING: CompiledStepper(TIME_STEPPING, MOREAU)}
"""The methods that runs of models know by name."""


def simulate_model(
    model,
    t_span: Sequence[float],
    x0: Mapping[Expr, float] | Sequence[float] | Result,
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
    compiled, span, start = model.compile(), time_span(t_span), x0
    if isinstance(x0, Result):
        x0, held, sides = start_from(x0, span[0], compiled.state_names, controls=bool(inputs or controllers))
    x = compiled.state(x0)
    p = compiled.parameters(parameters)
    settings["unused"] = compiled.unused(parameters) if len(parameters) > len(p) else {}
    recording = Recording(sample_times(t_eval, span), read_keep(keep), checked_observers(observe))
    if not recording.whole and settings["method"] == TIME_STEPPING:
        raise ValueError(
            f"keep='events' is for runs event by event, and the method {TIME_STEPPING!r} has none; leave it"
        )
    if not (inputs or model.inputs or controllers):
        _check_observers(compiled, recording)
        with _telling_of_depths(start, settings["method"]):
            return shown_as(compiled.simulate(span, x, p, recording=recording, sides=sides, **settings), start)
    signals = read_signals(model, inputs, span, controllers, runs=True, held=held)  # after faults of the parameters
    p = signals.compiled.parameters(parameters)
    _check_observers(compiled, recording)
    with _telling_of_depths(start, settings["method"]):
        result = compiled.simulate(span, x, p, signals=signals, recording=recording, sides=sides, **settings)
    settings.pop("unused"), settings.pop("progress", None)
    given = {"inputs": dict(inputs), "controllers": controllers, "keep": keep, "observe": observe, "held": held}
    given["sides"] = sides
    Origin(simulate_model, (model, span, x, dict(parameters)), {"t_eval": None, **given, **settings}).note(result._run)
    return shown_as(result, start)


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
        hooks = hooks_of(compiled, compiled.blank, None)
        switches = (name for switch in compiled.model.derivation.switches for name in switch.names)
        for observer in recording.observers.values():
            observer.check(hooks, compiled.state_names, (*compiled.contact_names, *switches))


def restore_hooks(model, stored: Mapping, record: Record, inputs: Mapping[Expr, object], controllers: object) -> Hooks:
    """The functions of a `HybridModel` for a run that was read from a file; see `sympact.load`."""
    compiled = model.compile()
    if stored.get("digest") != compiled.digest:
        raise ValueError(
            "the run in the file is one of another model, or was made by other versions of sympact or SymPy; the file "
            f"has the states {stored['states']}, this model {list(compiled.state_names)}"
        )
    signals = None
    if stored.get("given") is not None:
        asked = by_letters(inputs, model.derivation.symbols.inputs)
        inputs, controllers = restored_inputs(model, stored["given"], asked, controllers)
    if inputs or model.inputs or controllers:
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
    running = compiled if signals is None else signals.compiled
    _refuse_other_inputs(stored, running, signals)
    units = units_of(running, KNOWN_METHODS["DOP853"], signals is not None and signals.scheduled)
    with engine_for(default_engine(), units, _occasional(running)).in_force():
        return compiled.restored(stored, record, signals)


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


def engine_of(compiled: CompiledModel, settings: Settings, signals: Signals | None) -> Engine:
    """The engine of a run of the model."""
    scheduled = _scheduled(settings, signals)
    if (settings.method, scheduled) in compiled.ready and settings.engine != "interpreted":
        return MACHINE_CODE
    return engine_for(settings.engine, units_of(compiled, settings.by, scheduled), _occasional(compiled))


def memory_of(
    compiled: CompiledModel, settings: Settings, p: np.ndarray, signals: Signals | None, consistent: str
) -> tuple[ModelMemory, Settings, Scale, Slopes]:
    """Memory in the initial state of a run, checked; what the method calls is compiled.

    Also the settings with the initial state on the constraints, the scale of gaps, and the slopes of the margins of
    switches at the start.

    Parameters
    ----------
    compiled : CompiledModel
    settings : Settings
        The start, the method and the tolerances.
    p : array
        As ``compiled.all_parameters`` gives it; its switches are set here.
    signals : Signals, optional
        What the inputs are.
    consistent : "project" or "refuse"
        What is done with a start that violates the constraints.

    Raises
    ------
    ValueError
        As `check_start` and `consistent_start` do.
    """
    (t, _), x = settings.t_span, settings.x0
    rates = partial(_rates_at_start, compiled, settings, p, signals)
    if signals is not None:
        signals.begin(p, t, x, rates)
    slopes = settled_at_start(compiled, t, x, p, signals) if compiled.model.derivation.switches else ()
    scheduled = _scheduled(settings, signals)
    ready = (settings.method, scheduled) in compiled.ready
    certain = _certain(compiled, settings, p) if ready and signals is None else None
    if certain is not None:
        return certain[0], settings, certain[1], slopes
    if compiled.constrained and units_have_norm_one(compiled.model, x):
        keeps = signals is None or not signals.calls_python
        at = numbers_at(compiled, t, p, signals)
        x = consistent_start(compiled, t, x, at, consistent, settings.atol, keeps=keeps)
        settings = settings.at(settings.t_span, x)
        if signals is not None:
            signals.begin(p, t, x, rates)
        slopes = settled_at_start(compiled, t, x, p, signals) if compiled.model.derivation.switches else ()
        certain = _certain(compiled, settings, p) if ready and signals is None else None
        if certain is not None:
            return certain[0], settings, certain[1], slopes
    stepped = settings.method == TIME_STEPPING
    scale = check_start(compiled, t, x, p, signals, rtol=settings.rtol, atol=settings.atol, stepped=stepped)
    if not ready:
        compile_units(compiled, settings, signals)
    memory = take(compiled, signals)
    memory.begin(p, scale.length, scale.grains)
    return memory, settings, scale, slopes


def _certain(compiled: CompiledModel, settings: Settings, p: np.ndarray) -> tuple[ModelMemory, Scale] | None:
    """Memory in the initial state of a run, and the scale of its gaps, where the start is certainly consistent."""
    memory = take(compiled, None)
    scale = memory.scale(p, settings)
    if scale is None:
        give_back(memory)
        return None
    memory.begin(p, scale.length, scale.grains)
    return memory, scale


def _rates_at_start(
    compiled: CompiledModel, settings: Settings, p: np.ndarray, signals: Signals | None, t: float, x: np.ndarray
) -> np.ndarray:
    """x' at the start of a run, with the forces of the contacts that are closed then; p has the present commands."""
    numbers = p.copy()
    slopes = settled_at_start(compiled, t, x, numbers, signals) if compiled.model.derivation.switches else ()
    stepped = settings.method == TIME_STEPPING
    scale = check_start(compiled, t, x, numbers, signals, rtol=settings.rtol, atol=settings.atol, stepped=stepped)
    compile_units(compiled, settings, signals)
    memory = ModelMemory(compiled, signals)
    memory.begin(numbers, scale.length, scale.grains)
    return memory.rates_at_start(settings.at(settings.t_span, x), scale, slopes)


def compile_units(compiled: CompiledModel, settings: Settings, signals: Signals | None) -> None:
    """Compile what a run calls, unless an earlier one has done it."""
    key = settings.method, _scheduled(settings, signals)
    if key not in compiled.ready and present_engine() is MACHINE_CODE:
        compile_together(units_of(compiled, settings.by, key[1]))
        if settings.method in KNOWN_METHODS:
            compiled.ready.add(key)


def _scheduled(settings: Settings, signals: Signals | None) -> bool:
    """Whether something may happen at given times of a run: its start is one where it goes on from sides."""
    return settings.sides is not None or (signals is not None and signals.scheduled)


def units_of(compiled: CompiledModel, stepper: Stepper, scheduled: bool) -> list[Unit]:
    """What a run by the method calls."""
    model = compiled.model
    units = [*loop_units(stepper), START_UNIT, SCALE_UNIT, *(Schedule.units() if scheduled else [])]
    units += constraint_units() if compiled.constrained else []
    units += residual_units() if stepper.layout.implicit and model.formulation.multipliers else []
    if model.contacts or model.derivation.switches:
        units += needed_units(model.law, model.resolution, compiled.has_friction)
    return [*units, *(SWITCH_UNITS if model.derivation.switches else ())]


def _occasional(compiled: CompiledModel) -> list[Unit]:
    """What few runs by the method call, or their results."""
    return occasional_units(compiled.has_friction) if compiled.model.contacts else []


def settled_at_start(
    compiled: CompiledModel, t: float, x: np.ndarray, p: np.ndarray, signals: Signals | None
) -> tuple[tuple[float, ...], ...]:
    """The slopes of the margins of switches at a start; the switches in p are set to the branches in force there."""
    numbers = p if signals is None else signals.called(p, t, x)
    free = compiled.free_motion(numbers, compiled.running)
    free.measure(t, x)
    turning = compiled.switches(numbers, compiled.running, free)
    turning.settle(t, x)
    first = len(p) - len(compiled.model.derivation.switches)
    p[first:] = numbers[first:]
    return turning.slopes(t, x)
