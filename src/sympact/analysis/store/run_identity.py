"""What an ensemble is, as plain data, so that a store is continued by the same ensemble alone."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from sympact.analysis.draws import Given
from sympact.analysis.scheduling.chunk_job import Job
from sympact.analysis.subjects import ModelSubject, ProcessSubject, Subject
from sympact.mechanics import Interpolated
from sympact.version import __version__

__all__ = ["described", "identity_of", "model_identity", "settings_of"]

_PROBED = 16  # runs whose numbers are compared


def identity_of(job: Job, runs: int) -> dict[str, Any]:
    """What determines the bits of all runs, by what it is called in sentences."""
    probe = min(runs, _PROBED)
    table = job.table(0, probe, job.arrays(0, probe))
    return {
        **model_identity(job.subject),
        "sympact": __version__,
        "runs": runs,
        "seed": None if job.seed is None else str(job.seed),  # may have 128 bits
        "keep": {"events": job.keep.events, "states": job.keep.states, "times": _listed(job.keep.times)},
        "x0": _given(job.starts, table.starts),
        "parameters": _given(job.numbers, table.parameters),
    }


def model_identity(subject: Subject) -> dict[str, Any]:
    """The part of it that the model and its settings are."""
    settings = {name: described(value) for name, value in settings_of(subject).items() if name != "engine"}
    own = _model(subject) if isinstance(subject, ModelSubject) else _process(subject)
    names = [list(subject.state_names), [str(letter) for letter in subject.parameters], list(subject.contact_names)]
    return {"model": _digest([own, names]), "t_span": list(subject.span), "settings": settings}


def settings_of(subject: Subject) -> dict[str, Any]:
    """The settings of `simulate`, of a process with the stage in which runs begin."""
    assert isinstance(subject, ModelSubject | ProcessSubject), "there are no others"
    start = {} if isinstance(subject, ModelSubject) else {"start": subject.start}
    return {**subject.settings, **start}


def _model(subject: ModelSubject) -> object:
    """A model with its inputs."""
    model = subject.model
    inputs = {str(letter): described(value) for letter, value in subject.inputs.items()}
    laws = [model.law, model.resolution, model.formulation, model.painleve, model.attitude, list(subject.controllers)]
    return [model.compile().hash, subject.compiled.hash, described(laws), inputs]


def _process(subject: Subject) -> object:
    """A process; functions count by their names."""
    assert isinstance(subject, ProcessSubject), "there is no other"
    return described(subject.system._made[1])


def _given(given: Given, probed: np.ndarray) -> str:
    """Arrays and constants as they are, distributions and functions by what the first runs draw."""
    columns = [[place, described(column)] for place, column in sorted(given.columns.items())]
    others = {str(letter): float(number) for letter, number in given.others.items()}
    return _digest([described(given.table), columns, sorted(given.drawn), others, described(probed)])


def described(value: object) -> object:
    """A value as JSON has it, the same in every process: functions by their names, arrays by a digest.

    Examples
    --------
    >>> described({"e": 0.5, "law": max})
    {'e': 0.5, 'law': 'builtins.max'}
    """
    if value is None or isinstance(value, bool | int | float | str):
        return value if not isinstance(value, float) or np.isfinite(value) else str(value)
    if isinstance(value, np.ndarray):
        return f"{value.shape} {hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()}"
    if isinstance(value, Interpolated):
        return [str(value.kind), described(value.times), described(value.values)]
    if isinstance(value, Mapping):
        return {str(key): described(one) for key, one in value.items()}
    if isinstance(value, Sequence):
        return [described(one) for one in value]
    if is_dataclass(value) and not isinstance(value, type):
        return [type(value).__name__, {one.name: described(getattr(value, one.name)) for one in fields(value)}]
    name = getattr(value, "__qualname__", None)
    if name is not None:
        return f"{getattr(value, '__module__', '')}.{name}"
    text = repr(value)
    return type(value).__name__ if " at 0x" in text else text


def _listed(times: np.ndarray | None) -> list[float] | None:
    return None if times is None else times.tolist()


def _digest(data: object) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()
