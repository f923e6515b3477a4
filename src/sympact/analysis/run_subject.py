"""What an ensemble runs, from a model, a process, or a ready one whose own numbers complete those given."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from sympact.analysis.subjects import ModelSubject, ProcessSubject, Subject
from sympact.hybrid import HybridSystem
from sympact.mechanics import HybridModel
from sympact.models.ready import ReadyModel, ReadyProcess

__all__ = ["subject_of"]


def subject_of(
    model: Any,
    t_span: Sequence[float] | None,
    x0: Any,
    parameters: Any,
    start: str | None,
    inputs: Mapping,
    controllers: Sequence,
    settings: dict[str, Any],
) -> tuple[Subject, Any, Any]:
    """What is run, and the starts and parameters, as `ensemble` takes them, with those of a ready model.

    Raises
    ------
    ValueError
        If something is missing, or is not for this kind of model.
    TypeError
        If `model` is something else.
    """
    if isinstance(model, ReadyModel):
        x0 = _completed(x0, model.start, dict(zip(model.named_start(), model.start, strict=True)))
        letters = {str(symbol): symbol for symbol in model.parameters}
        parameters = _completed(parameters, model.parameters, letters)
        model, t_span = model.model, t_span or model.t_span
    elif isinstance(model, ReadyProcess):
        x0 = model.start if x0 is None else _completed(x0, model.named_start(), {})
        model, t_span, start = model.model, t_span or model.t_span, start or model.stage
    if not isinstance(model, HybridModel | HybridSystem):
        raise TypeError(
            f"model is {model!r}, expected a HybridModel, a HybridSystem, or a ready model of sympact.models"
        )
    missing = [name for name, value in (("t_span", t_span), ("x0", x0)) if value is None]
    if t_span is None or missing:
        raise ValueError(f"{' and '.join(missing)} is missing; only a ready model of sympact.models has its own")
    if isinstance(model, HybridModel):
        if start is not None:
            raise ValueError(f"start is {start!r}, expected none: only a process has stages to begin in")
        return ModelSubject(t_span, settings, model, inputs, controllers), x0, {} if parameters is None else parameters
    subject = _process(model, t_span, x0, parameters, start, {**inputs, **dict.fromkeys(controllers)}, settings)
    return subject, x0, () if parameters is None else parameters


def _process(
    model: HybridSystem,
    t_span: Sequence[float],
    x0: Any,
    parameters: Any,
    start: str | None,
    inputs: Mapping,
    settings: dict[str, Any],
) -> ProcessSubject:
    """A process with the settings that it takes."""
    if start is None:
        raise ValueError(f"start is missing: the stage in which the runs begin, one of {list(model.stages)}")
    if inputs or settings["consistent"] != "project":
        raise ValueError("a process has no inputs=, controllers= and consistent=; only a HybridModel has")
    if callable(parameters) and not isinstance(parameters, Mapping):
        raise ValueError("parameters of a process is a function, expected a mapping or an array, which name them")
    own = {name: value for name, value in settings.items() if name != "consistent"}
    return ProcessSubject(t_span, own, model, start, parameters, _size(x0, model))


def _size(x0: Any, model: HybridSystem) -> int:
    """The number of states of a process."""
    if model.states is not None:
        return len(model.states)
    if isinstance(x0, Mapping) or callable(x0):
        raise ValueError("x0 is no array, which would determine the number of states: give the process states=")
    return int(np.shape(x0)[-1])


def _completed(given: Any, own: Mapping, symbols: Mapping[str, Hashable]) -> Any:
    """A mapping by symbols, with the numbers of a ready model where none are given; arrays as they are."""
    if given is None:
        return dict(own)
    if callable(given) and not isinstance(given, Mapping):
        return _Completed(given, own, symbols)
    if not isinstance(given, Mapping):
        return given
    return {**own, **{symbols.get(key, key) if isinstance(key, str) else key: value for key, value in given.items()}}


class _Completed:
    """A function of a generator whose mappings are completed by the numbers of a ready model."""

    def __init__(self, function: Callable, own: Mapping, symbols: Mapping[str, Hashable]) -> None:
        self._function, self._own, self._symbols = function, own, symbols
        self.__name__ = getattr(function, "__name__", type(function).__name__)

    def __call__(self, rng: np.random.Generator) -> Any:
        return _completed(self._function(rng), self._own, self._symbols)
