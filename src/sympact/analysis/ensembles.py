"""Many runs of one model, with starts and parameters that are given or drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import inf
from os import PathLike
from typing import TYPE_CHECKING, Any

from sympact.analysis.draws import drawn, number_of_runs, quasi_given, read_given, seed_of
from sympact.analysis.ensemble_result import Ensemble
from sympact.analysis.run_rows import Keep, make_rows
from sympact.analysis.run_subject import subject_of
from sympact.analysis.scheduled_runs import scheduled, seed_there
from sympact.analysis.scheduling.chunk_job import Job
from sympact.hybrid import HybridSystem
from sympact.integrate.memory.run_tolerances import DEFAULT_ATOL, DEFAULT_RTOL
from sympact.integrate.problem.real import whole
from sympact.integrate.problem.stepper import Stepper
from sympact.integrate.problem.times import sample_times
from sympact.integrate.problem.warning import SympactWarning, tell
from sympact.mechanics import HybridModel
from sympact.models.ready import ReadyModel, ReadyProcess
from sympact.native.compilation import cores

if TYPE_CHECKING:
    from scipy.stats.qmc import QMCEngine

__all__ = ["ensemble"]

_KEEPS = ("events", "states", "end", "outputs", "run")


def ensemble(
    model: HybridModel | HybridSystem | ReadyModel | ReadyProcess,
    t_span: Sequence[float] | None = None,
    x0: Any = None,
    parameters: Any = None,
    *,
    runs: int | None = None,
    seed: int | None = None,
    points: QMCEngine | None = None,
    keep: str | Sequence[float] = "events",
    store: str | PathLike | None = None,
    executor: Any = None,
    workers: int | None = None,
    start: str | None = None,
    inputs: Mapping | None = None,
    controllers: Sequence | None = None,
    method: str | Stepper = "DOP853",
    rtol: float = DEFAULT_RTOL,
    atol: float | Sequence[float] = DEFAULT_ATOL,
    max_step: float = inf,
    max_events: int = 1_000_000,
    max_steps: int | None = None,
    consistent: str = "project",
    engine: str | None = None,
    progress: bool = False,
) -> Ensemble:
    """Run a model many times, on all cores, with starts and parameters that are given or drawn.

    The runs follow each other in machine code, without Python between them, each worker in a thread of its own with
    memory of its own; run k has the same bits whatever the number of workers, and alone. One by one, in one thread, are
    made the runs of models with Python functions (inputs, laws, plain processes), with conditions, transitions or
    controllers, of several islands, and runs of which more than the end and the events is kept; `Ensemble.why_alone`
    says why.

    Parameters
    ----------
    model : HybridModel, HybridSystem, or a ready model of `sympact.models`
    t_span : (t_start, t_end)
        The times of the runs (s); of a ready model its own by default.
    x0, parameters : mapping, array or callable
        A mapping gives each state, or parameter, a number, an array with one entry for each run, or a frozen
        distribution of ``scipy.stats``; an array has the shape (n,), or (runs, n) with a row for each run; a function
        takes a ``numpy.random.Generator`` and returns a mapping or an array for one run. Of a ready model the names of
        states and parameters serve as well, and others have their own numbers.
    runs : int, optional
        The number of runs, where no array implies it.
    seed : int, optional
        Run k draws from ``numpy.random.default_rng([seed, k])``: first for `x0`, then for `parameters`; for
        distributions one number of ``random()`` each, in the order of the states and of the parameters, to which the
        distribution's ``ppf`` is applied. So run k is the same whatever other runs there are. Without a seed the system
        gives one, `Ensemble.seed`.
    points : QMCEngine of ``scipy.stats.qmc``, optional
        Quasi-random numbers for the distributions, instead of `seed`: run k takes point k of the engine's sequence from
        its beginning, one number for each distribution, in the order of the states and of the parameters. Of ``Sobol``
        and ``Halton`` run k is the same however many runs there are; the points of ``LatinHypercube`` and
        ``PoissonDisk`` depend on their number.
    keep : str or array_like
        What is kept of each run: ``"events"``, the default, its end and the columns of its events; ``"states"``, the
        same with the states on both sides of each event; ``"end"``, or ``"outputs"`` for the outputs of the model, its
        last state, time, status and counts; an array of times, the states there; ``"run"``, the `Result`.
    store : path, optional
        A folder that keeps the runs as Zarr arrays, written as they end, so that memory does not grow with their
        number. The same call goes on with what is there, after Ctrl-C or a kill at any moment; `Ensemble.open` and
        ``xarray.open_zarr`` read it. Not with ``keep="run"``.
    executor : Executor or Client, optional
        Who makes the runs, in chunks: any ``concurrent.futures.Executor`` or a ``dask.distributed.Client``. The model
        travels by ``pickle`` and is compiled once in each process.
    workers : int, optional
        The number of threads; by default one for each core that this process may use. With an `executor` how many
        chunks it makes at once; by default the number of its workers.
    start : str, optional
        The stage in which the runs of a process begin.
    inputs, controllers, method, rtol, atol, max_step, max_events, max_steps, consistent
        As for `HybridModel.simulate` and `HybridSystem.simulate`.
    engine : str, optional
        As for `simulate`; but an ensemble waits for machine code that is compiled, unless it is ``"interpreted"``.
    progress : bool
        Show the runs that have ended, runs per second and the time left, on standard error.

    Returns
    -------
    Ensemble
        A run that fails is a row with its status. Ctrl-C ends the ensemble within 0.2 s; what is done is kept, in a
        store whole runs alone.

    Raises
    ------
    ValueError
        If a number is missing, unknown or not finite, numbers of runs differ, a setting is wrong, or every start is
        refused; if the store holds another ensemble.
    TypeError
        If `model` or `executor` is something else, or a function cannot travel to another process.
    RuntimeError
        If an executor has lost a process, which a cluster replaces.

    Examples
    --------
    Balls dropped from random heights need sqrt(2 h / g) to the floor:

    >>> import numpy as np
    >>> from scipy.stats import uniform
    >>> from sympact.models import bouncing_ball
    >>> balls = ensemble(bouncing_ball(), (0, 2), {"z": uniform(1, 2)}, runs=100, seed=1)
    >>> fall = np.sqrt(2 * balls.x0[:, 0] / 9.81)
    >>> bool(abs(balls.events.impacts.first(1)[:, 0] - fall).max() < 1e-9)
    True
    """
    settings: dict[str, Any] = {"method": method, "rtol": rtol, "atol": atol, "max_step": max_step}
    settings |= {"max_events": max_events, "max_steps": max_steps, "engine": engine}
    subject, given_start, given_parameters = subject_of(
        model,
        t_span,
        x0,
        parameters,
        start,
        inputs or {},
        tuple(controllers or ()),
        {**settings, "consistent": consistent},
    )
    subject.check()
    starts = read_given("x0", given_start, subject.states, subject.state)
    numbers = read_given("parameters", given_parameters, subject.parameters, subject.numbers)
    n_runs = number_of_runs(runs, (starts, numbers))
    if points is not None:
        if seed is not None:
            raise ValueError(
                "seed and points are given, expected one of them: the seed of points is that of the engine"
            )
        starts, numbers = quasi_given(starts, numbers, n_runs, points)
    random = starts.random or numbers.random
    used = seed_of(seed_there(store) if seed is None and random else seed, random=random)
    kept, threads = _keep(keep, subject.span), _workers(workers)
    with _shown(n_runs, progress) as show:
        if store is None and executor is None:
            table = drawn(starts, numbers, n_runs, used)
            rows, reason = make_rows(subject, kept, table, numbers.others, threads or cores(), show)
            found = Ensemble(subject, table, numbers.others, rows, kept, used, reason)
        else:
            job = Job(subject, starts, numbers, used, kept)
            found = scheduled(job, n_runs, store, executor, threads, show)
    if len(found.refused) == n_runs:
        raise ValueError(f"the starts of all {n_runs} runs are refused, the first one because {found.refused[0]}")
    _tell(found)
    return found


def _keep(keep: Any, span: tuple[float, float]) -> Keep:
    """What is kept of each run."""
    if isinstance(keep, str):
        if keep not in _KEEPS:
            raise ValueError(f"keep is {keep!r}, expected one of {', '.join(map(repr, _KEEPS))}, or times")
        return Keep(events=keep in ("events", "states", "run"), states=keep == "states", runs=keep == "run")
    try:
        return Keep(times=sample_times(keep, span))
    except ValueError as error:
        raise ValueError(f"keep: {error}") from None


def _workers(workers: int | None) -> int | None:
    """The number of workers, if one is given."""
    if workers is None:
        return None
    found = whole(workers)
    if found is None:
        raise ValueError(f"workers is {workers!r}, expected a positive whole number")
    return found


@contextmanager
def _shown(runs: int, progress: bool) -> Iterator[Callable[[int], None]]:
    """The function that shows how many runs have ended."""
    if not progress:
        yield lambda ended: None
        return
    from sympact.analysis.ensemble_progress import RunsProgress

    with RunsProgress(runs) as line:
        yield line.show


def _tell(found: Ensemble) -> None:
    """One warning for each kind that runs have given."""
    for kind, runs in found.warnings.items():
        tell(
            SympactWarning(
                f"{len(runs)} of {len(found)} runs give the warning {kind!r}, first run {runs[0]}; ensemble.warnings "
                f"has their numbers, ensemble[{runs[0]}].warnings the figures",
                kind,
            )
        )
