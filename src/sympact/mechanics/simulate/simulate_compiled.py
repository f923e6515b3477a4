"""A run of a compiled model from arrays: its settings, its numbers, and the coordinates that are integrated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from sympact.integrate.loop.recorder import Recording
from sympact.integrate.problem.settings import Settings
from sympact.integrate.result import Result
from sympact.integrate.trajectory.evaluator import Evaluator
from sympact.integrate.trajectory.record import Record
from sympact.integrate.trajectory.trajectory import Origin
from sympact.mechanics.derived.compiled import CompiledModel
from sympact.mechanics.run.model_evaluator import stored_evaluator
from sympact.mechanics.run.preparation import numbers_of, settings_of
from sympact.mechanics.run.signals import Signals
from sympact.mechanics.simulate.run_compiled import run_compiled
from sympact.mechanics.simulate.turned_model import TurnedModel, turning_of
from sympact.mechanics.start.projected_start import PROJECT, check_consistent

__all__ = ["restored_compiled", "simulate_compiled", "turned_for"]

_WHOLE = Recording()


def simulate_compiled(
    compiled: CompiledModel,
    t_span: Sequence[float],
    x0: np.ndarray,
    p: np.ndarray,
    *,
    signals: Signals | None = None,
    unused: Mapping[int, float] | None = None,
    recording: Recording = _WHOLE,
    progress: bool = False,
    consistent: str = PROJECT,
    sides: Mapping[str, Sequence[float]] | None = None,
    **settings,
) -> Result:
    """A run from arrays; see `CompiledModel.simulate`."""
    if consistent != PROJECT:
        check_consistent(consistent)
    asked = settings_of(compiled, t_span, x0, settings).going_on(sides)
    numbers = numbers_of(compiled, p, signals, unused)
    turned = turned_for(compiled, asked, signals)
    if turned is not None:
        result = turned.simulate(asked, p, numbers, signals, recording, progress)
    else:
        result = run_compiled(compiled, asked, numbers, signals, recording, progress, consistent=consistent)
    if signals is None:
        kept = recording if recording.t_eval is None else recording.of_record
        options = {**settings, "unused": unused, "consistent": consistent, "recording": kept, "sides": sides}
        result._run.origin = Origin(simulate_compiled, (compiled, asked.t_span, x0.copy(), np.array(p)), options)
    return result


def restored_compiled(compiled: CompiledModel, stored: Mapping, record: Record, signals: Signals | None) -> Evaluator:
    """A model with the numbers of a run that was read from a file.

    Parameters
    ----------
    stored : mapping
        What the run had stored.
    record : Record
        As it was integrated.
    signals : Signals, optional
        The inputs.
    """
    turned = compiled.model.made(turning_of).model
    if "turned" in stored and turned is not None:
        return turned.restored(stored, record, signals)
    return stored_evaluator(compiled, stored, record, signals)


def turned_for(compiled: CompiledModel, asked: Settings, signals: Signals | None) -> TurnedModel | None:
    """The model with quaternions that such a run integrates; None where it integrates this one."""
    turned = compiled.model.made(turning_of).model if asked.by.layout.adaptive else None
    return turned if turned is not None and turned.takes(signals) else None
