"""A run of a model before its first step: settings and initial state checked, units compiled, memory borrowed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from sympact.contact.constraints.constraint_data import constraint_units, residual_units
from sympact.contact.contact_workspace import MOREAU, needed_units, occasional_units
from sympact.integrate.loop.prepared_run import loop_units
from sympact.integrate.problem.schedule import Schedule
from sympact.integrate.problem.settings import Settings, checked_settings
from sympact.integrate.problem.stepper import CompiledStepper, Stepper
from sympact.integrate.search.switch_table import SWITCH_UNITS
from sympact.integrate.steppers.methods import METHODS
from sympact.mechanics.derived.compiled import CompiledModel
from sympact.mechanics.run.model_memory import ModelMemory, give_back, take
from sympact.mechanics.run.signals import Signals
from sympact.mechanics.run.step_forces import TIME_STEPPING, check_steppable
from sympact.mechanics.start.assembly import numbers_at
from sympact.mechanics.start.consistency import START_UNIT, check_start
from sympact.mechanics.start.projected_start import consistent_start, units_have_norm_one
from sympact.mechanics.start.scale import SCALE_UNIT, Scale
from sympact.native.compilation import compile_together
from sympact.native.engine import MACHINE_CODE, Engine, engine_for, present_engine
from sympact.native.kernel import Unit

__all__ = [
    "KNOWN_METHODS",
    "compile_units",
    "engine_of",
    "memory_of",
    "numbers_of",
    "occasional_of",
    "settings_of",
    "settled_at_start",
    "units_of",
]

Slopes = Sequence[Sequence[float]]
KNOWN_METHODS: Mapping[str, Stepper] = {**METHODS, TIME_STEPPING: CompiledStepper(TIME_STEPPING, MOREAU)}
"""The methods that runs of models know by name."""


def engine_of(compiled: CompiledModel, settings: Settings, signals: Signals | None) -> Engine:
    """The engine of a run of the model."""
    scheduled = _scheduled(settings, signals)
    if (settings.method, scheduled) in compiled.ready and settings.engine != "interpreted":
        return MACHINE_CODE
    return engine_for(settings.engine, units_of(compiled, settings.by, scheduled), occasional_of(compiled))


def settings_of(compiled: CompiledModel, t_span: Sequence[float], x0: np.ndarray, given: dict[str, Any]) -> Settings:
    """The settings of a run, checked; those that an earlier run had are checked already."""
    asked = checked_settings(compiled.checked_settings, compiled.state_names, t_span, x0, given, KNOWN_METHODS)
    if asked.method == TIME_STEPPING:
        check_steppable(compiled.model)
    return asked


def numbers_of(
    compiled: CompiledModel, p: np.ndarray, signals: Signals | None, unused: Mapping[int, float] | None = None
) -> np.ndarray:
    """p for the machine code, from parameters and inputs; `unused` as in `CompiledModel.simulate`."""
    numbers = compiled.all_parameters(p) if signals is None else signals.numbers(p)
    for place, number in (unused or {}).items():
        numbers[place] = number
    return numbers


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


def occasional_of(compiled: CompiledModel) -> list[Unit]:
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
