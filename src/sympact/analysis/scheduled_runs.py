"""Ensembles whose runs are made in chunks: by an executor, or into a store, or both."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from sympact.analysis.draws import Given, Table, check_finite
from sympact.analysis.ensemble_result import Ensemble
from sympact.analysis.run_rows import Keep, Rows, why_alone
from sympact.analysis.run_subject import subject_of
from sympact.analysis.scheduling.chunk_executors import Crew, InThisThread, crew_of
from sympact.analysis.scheduling.chunk_job import Chunk, Job
from sympact.analysis.scheduling.chunk_loop import make_chunks
from sympact.analysis.store.run_identity import described, identity_of, model_identity, settings_of
from sympact.analysis.store.run_store import RunStore
from sympact.analysis.store.store_header import digest_of, header_of
from sympact.analysis.store.store_layout import Layout, parameter_variables
from sympact.analysis.store.stored_rows import StoredRows
from sympact.analysis.subjects import ModelSubject
from sympact.integrate.problem.stepper import Stepper
from sympact.native.compilation import cores

__all__ = ["opened", "scheduled", "seed_there"]


def seed_there(store: str | PathLike | None) -> int | None:
    """The seed of the ensemble in a store; None where there is none."""
    if store is None or not Path(store).exists():
        return None
    seed = header_of(Path(store))["identity"]["seed"]
    return None if seed is None else int(seed)


def scheduled(
    job: Job,
    runs: int,
    store: str | PathLike | None,
    executor: Any,
    workers: int | None,
    show: Callable[[int], None],
) -> Ensemble:
    """Make the runs of an ensemble in chunks, but for those that its store has."""
    for given in (job.starts, job.numbers):
        check_finite(given)
    first = job.table(0, 1, job.arrays(0, 1))
    batch = job.subject.batch(first.starts, first.parameters, job.numbers.others)
    reason = why_alone(batch, job.keep)
    if store is not None:
        if job.keep.runs:
            raise ValueError('keep="run" keeps results in memory, expected another one with a store, such as "events"')
        return _stored(job, runs, Path(store), executor, workers, show, reason, first)
    gathered = _Gathered(job, runs, first)
    _make(job, executor, workers, reason, [(0, runs)], gathered.take, show)
    return Ensemble(job.subject, gathered.table, job.numbers.others, gathered.rows, job.keep, job.seed, reason)


def _make(
    job: Job,
    executor: Any,
    workers: int | None,
    reason: str,
    gaps: Sequence[tuple[int, int]],
    receive: Callable[[list[Chunk]], None],
    show: Callable[[int], None],
) -> None:
    """By the given executor, or by threads of this process; in this thread where runs are made one by one."""
    if executor is not None:
        make_chunks(crew_of(executor, job, workers, batch=not reason), gaps, receive, show)
    elif reason:
        make_chunks(Crew(InThisThread(), job, 1, None), gaps, receive, show)
    else:
        threads = workers or cores()
        with ThreadPoolExecutor(threads) as pool:
            make_chunks(Crew(pool, job, threads, None, stops=True), gaps, receive, show)


class _Gathered:
    """The runs of chunks in memory."""

    def __init__(self, job: Job, runs: int, first: Table) -> None:
        self.rows = Rows.empty(runs, first.starts.shape[1], job.keep)
        self.table = Table(_room(job.starts, first.starts, runs), _room(job.numbers, first.parameters, runs), runs)

    def take(self, chunks: list[Chunk]) -> None:
        """Copy chunks into their rows."""
        for chunk in chunks:
            self._take(chunk)

    def _take(self, chunk: Chunk) -> None:
        place, rows, own = slice(chunk.first, chunk.first + chunk.runs), self.rows, chunk.rows
        for here, there in (
            (rows.status, own.status),
            (rows.t, own.t),
            (rows.x, own.x),
            (rows.counts, own.counts),
            (rows.rests, own.rests),
            (rows.made_alone, own.made_alone),
            (rows.samples, own.samples),
        ):
            if here is not None:
                here[place] = there
        for here, there in (
            (self.table.starts, chunk.table.starts),
            (self.table.parameters, chunk.table.parameters),
        ):
            if len(here) > 1:
                here[place] = there
        rows.events += own.events
        rows.runs.update(own.runs)
        rows.refused.update(own.refused)
        for kind, told in own.warnings.items():
            for runs in told:
                rows.warn(kind, runs)


def _room(given: Given, first: np.ndarray, runs: int) -> np.ndarray:
    """Room for what runs begin with, one row where all have the same."""
    return np.full((runs, first.shape[1]), np.nan) if given.varying else first


def _stored(
    job: Job,
    runs: int,
    path: Path,
    executor: Any,
    workers: int | None,
    show: Callable[[int], None],
    reason: str,
    first: Table,
) -> Ensemble:
    """Make the runs that a store does not have yet."""
    subject, keep, varying = job.subject, job.keep, job.numbers.varying
    names = parameter_variables(subject.parameters, varying)
    layout = Layout(
        runs,
        subject.state_names,
        subject.contact_names,
        keep.times,
        keep.events,
        keep.states,
        bool(job.starts.varying),
        names,
    )
    header = {
        "identity": identity_of(job, runs),
        "about": {"t_start": subject.span[0], "t_end": subject.span[1], "seed": str(job.seed)},
        "settings": {name: described(value) for name, value in settings_of(subject).items()},
        "others": {str(letter): float(number) for letter, number in job.numbers.others.items()},
        "first": first.parameters[0].tolist(),
        "state_names": list(subject.state_names),
        "varying": varying,
        "names": names,
        "why_alone": reason,
        "checked": layout.checked,
    }
    constants = {"state": np.array(subject.state_names), "contact": np.array(subject.contact_names)}
    constants |= {} if keep.times is None else {"time": keep.times}
    constants |= {} if job.starts.varying else {"x0": first.starts[0]}
    header["shared"] = {name: digest_of(values) for name, values in constants.items() if name == "x0"}
    with RunStore.of(path, layout, header, constants, varying) as store:
        done = store.ended
        show(done)
        _make(job, executor, workers, reason, store.gaps(), store.write, lambda ended: show(done + ended))
    return _read(path, header, subject, job.numbers.others, keep)


def opened(
    path: Path,
    model: Any,
    parameters: Any,
    inputs: Mapping,
    controllers: tuple,
    method: Stepper | None,
) -> Ensemble:
    """An ensemble from its store, see `Ensemble.open`."""
    header = header_of(path)
    settings = dict(header["settings"])
    start, settings["max_step"] = settings.pop("start", None), float(settings["max_step"])
    if method is not None:
        settings["method"] = method
    settings.setdefault("consistent", "project")
    n = len(header["state_names"])
    subject, _, _ = subject_of(
        model, header["identity"]["t_span"], np.zeros(n), parameters, start, inputs, controllers, settings
    )
    here, there = model_identity(subject), header["identity"]
    if here["model"] != there["model"]:
        raise ValueError(
            f"the store {path} holds runs of another model, or of one with other inputs or controllers; give those "
            "that it was made with"
        )
    if here["settings"] != there["settings"]:
        raise ValueError(f"the store {path} was made with the method {there['settings']['method']}; give it as method=")
    kept, times = there["keep"], there["keep"]["times"]
    keep = Keep(events=kept["events"], states=kept["states"], times=None if times is None else np.array(times))
    unused = subject.model.unused_parameters if isinstance(subject, ModelSubject) else ()
    others = {letter: header["others"][str(letter)] for letter in unused if str(letter) in header["others"]}
    return _read(path, header, subject, others, keep)


def _read(path: Path, header: Mapping, subject: Any, others: Mapping, keep: Keep) -> Ensemble:
    """The ensemble that a store holds."""
    seed = header["identity"]["seed"]
    varying, names = header["varying"], header["names"]
    checked, shared = header["checked"], header["shared"]
    rows = StoredRows(path, subject, others, np.array(header["first"]), varying, names, checked, shared)
    return Ensemble(subject, rows, others, rows, keep, None if seed is None else int(seed), header["why_alone"])
