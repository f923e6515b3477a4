"""The result of a run: samples, events, the path of stages, and the state at any time of the run.

The class lists the contents of a run. Samples, events and the states between them are those of `RunView`; quantities of
the model, the end of the run, and export are defined in other files, by subject.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Mapping
from os import PathLike, fspath
from typing import Any

import numpy as np

from sympact.integrate.consecutive.consecutive_evaluator import Restoring, restored_evaluator
from sympact.integrate.consecutive.consecutive_run import consecutive_run
from sympact.integrate.export import outputs, pictures
from sympact.integrate.export.archive import read
from sympact.integrate.export.paths import checked_path
from sympact.integrate.export.run_summary import result_html
from sympact.integrate.history import counters, mode_graph, outcome, physics
from sympact.integrate.history.member import member
from sympact.integrate.history.run_view import RunView
from sympact.integrate.measure import energy_balance
from sympact.integrate.present.table import Listing
from sympact.integrate.problem.program import Program
from sympact.integrate.trajectory.evaluator import PLAIN, Appearance, Evaluator
from sympact.integrate.trajectory.piece import Dense, KnownPiece
from sympact.integrate.trajectory.record import Record
from sympact.integrate.trajectory.trajectory import Origin, Trajectory
from sympact.native.renamed import renamed_attribute
from sympact.native.sentences.refused_calls import explained

__all__ = ["PLAIN", "Dense", "Evaluator", "Result", "load"]


@explained
class Result(RunView):
    """A run that is finished or has ended. All but its record is computed on access.

    Parameters
    ----------
    record : Record
        The samples and events as the loop wrote them.
    interpolant : Dense
        The state between the samples.
    program : Program
        The names of states, stages and boundaries.
    model : Evaluator, optional
        What evaluates the model; by default that of plain functions.
    t_eval : array, shape (k,), optional
        The requested times `t`; those beyond the end of the run are omitted.

    Examples
    --------
    >>> from sympact import HybridSystem, Transition
    >>> bounce = Transition("up", "up", boundary=lambda t, x: -x[0], jump=lambda t, x: [0.0, -0.5 * x[1]])
    >>> ball = HybridSystem({"up": lambda t, x: [x[1], -10.0]}, [bounce], states=["height", "speed"])
    >>> result = ball.simulate((0, 1.2), [5.0, 0.0], start="up")
    >>> result.path
    ('up', 'up')
    >>> impact = result.events[0].t
    >>> result(impact, side="left")[1].round(9), result(impact)[1].round(9)
    (np.float64(-10.0), np.float64(5.0))
    """

    __slots__ = ()
    __iter__ = None

    def __init__(
        self,
        record: Record,
        interpolant: Dense,
        program: Program,
        model: Evaluator = PLAIN,
        t_eval: np.ndarray | None = None,
    ):
        self._run = Trajectory(KnownPiece(record, interpolant, program), model, complete=True)
        self._t_eval = t_eval
        self._t = None
        self._x = None

    def __add__(self, other: Result) -> Result:
        """This run and one that follows on it, as one run: its events, plots, animation, report and file are those of
        both.

        The second run starts where and when the first ends, with the same model and parameters; its inputs, method
        and tolerances may be others. Events that are no more than contacts closed at the end of the first run and at
        the start of the second are left out. The status is that of the second.

        Raises
        ------
        ValueError
            If the second run does not follow on the first; the message says why.

        Examples
        --------
        >>> from sympact.models import bouncing_ball
        >>> ball = bouncing_ball()
        >>> first = ball.model.simulate((0, 1), ball.start, ball.parameters)
        >>> second = ball.model.simulate((1, 5), first(1.0), ball.parameters)
        >>> whole = first + second
        >>> whole.t_span, len(whole.events) == len(first.events) + len(second.events)
        ((0.0, 5.0), True)
        """
        if not isinstance(other, Result):
            return NotImplemented
        times = None
        if self._t_eval is not None and other._t_eval is not None:
            times = np.unique(np.concatenate([self.t, other.t]))
        run = consecutive_run(self._run, other._run)
        run.origin = Origin(operator.add, (self, other))
        return Result.of_run(run, times)

    def table(self, max_rows: int = 40) -> Listing:
        """The events as an aligned table of text, the middle omitted beyond `max_rows` rows; HTML in notebooks."""
        return self.events.table(max_rows)

    modes = member(mode_graph.modes)
    _evaluated = physics.evaluated

    # its end
    status = member(outcome.status)
    success = member(outcome.success)
    message = member(outcome.message)
    warnings = member(outcome.warnings)
    infeasibility = member(outcome.infeasibility)
    t_inf = member(outcome.t_inf)
    t_inf_error = member(outcome.t_inf_error)

    # its settings and its work
    settings = member(counters.settings)
    counts = member(counters.counts)
    steps = member(counters.steps)
    rejected = member(counters.rejected)
    evaluations = member(counters.evaluations)
    unproven = member(counters.unproven)

    # quantities of a mechanical model
    kinetic_energy = member(physics.kinetic_energy)
    potential_energy = member(physics.potential_energy)
    energy = member(physics.energy)
    work = member(energy_balance.work)
    contact_names = member(physics.contact_names)
    gaps = member(physics.gaps)
    normal_force = member(physics.normal_force)
    normal_force_at = physics.normal_force_at
    friction_force = member(physics.friction_force)
    friction_force_at = physics.friction_force_at
    joint_force = physics.joint_force
    joint_torque = physics.joint_torque
    reaction = member(physics.reaction)
    force = renamed_attribute("force", "normal_force")
    force_at = renamed_attribute("force_at", "normal_force_at")

    # tables and files
    to_dataframe = outputs.to_dataframe
    events_dataframe = outputs.events_dataframe
    to_xarray = outputs.to_xarray
    to_csv = outputs.to_csv
    save = outputs.save

    # pictures
    plot = pictures.plot
    plot_energy = pictures.plot_energy
    animate = pictures.animate
    snapshots = pictures.snapshots
    draw_modes = pictures.draw_modes
    report = pictures.report
    _repr_html_ = result_html

    def __repr__(self) -> str:
        first, last = self.t_span
        n_states, n_samples = self._record.x.shape[1], len(self._record.t if self._t_eval is None else self.t)
        kinds = ", ".join(f"{count} {kind}" for kind, count in Counter(self.events.kinds()).items())
        events = f"{len(self.events)} events ({kinds})" if kinds else "no events"
        events += f", {self.unproven} steps not proven" if self.unproven else ""
        return (
            f"<Result from t = {first:.6g} to {last:.6g}: {n_samples} samples of {n_states} states, {events},"
            f" {self.status.name}{self._compared()}>"
        )

    def _compared(self) -> str:
        """The model length and tolerances of gaps, for the text of a run with contacts."""
        settings = self._record.settings
        if "length" not in settings:
            return ""
        length, band, rebound = (settings[name] for name in ("length", "dead_band", "rebound_height"))
        return f"; length {length:.4g} m, dead band {band:.2g} m, rebound height {rebound:.2g} m"


@explained
def load(
    path: str | PathLike,
    *,
    model: Restoring | None = None,
    inputs: Mapping[Any, object] | None = None,
    controllers: object = None,
) -> Result:
    """Read a run that `Result.save` wrote; nothing in the file is evaluated as code.

    With its model the run is as it was when it was saved: expressions, forces, reactions, work, animation, and report
    have the same bits. Without it the run has its states at any time, its events, energies and gaps, and the values of
    the model's outputs.

    Parameters
    ----------
    path : path-like
        The file.
    model : HybridModel, ReadyModel or HybridSystem, optional
        The model of the run; another one is refused. The file contains the events that the run had of its own.
    inputs : mapping, optional
        Those of the inputs of the run that are Python functions: numbers, expressions, data and sampled expressions are
        in the file.
    controllers : sequence of Controller, optional
        Those of the run, where the law of one is a Python function. What they and sampled inputs had commanded, and
        kept, is in the file; they do not act again.

    Raises
    ------
    ValueError
        If the file is damaged, changed, or of another format; if the run is not one of this model, or had other inputs;
        with the call that gives what the file does not contain.
    FileNotFoundError
        If there is none.

    Examples
    --------
    >>> import tempfile
    >>> from sympact.models import rod_on_wall
    >>> rod = rod_on_wall()
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     result = rod.simulate()
    ...     result.save(f"{folder}/rod.npz")
    ...     again = load(f"{folder}/rod.npz", model=rod.model)
    >>> np.array_equal(again.normal_force, result.normal_force)
    True
    """
    run, t_eval = read(checked_path(path))
    if model is None and (inputs or controllers):
        raise ValueError(
            "inputs or controllers without a model: give the model of the run, too, load(path, model=model, inputs=...)"
        )
    if model is not None:
        if not hasattr(model, "restored"):
            raise TypeError(f"model is {model!r}, expected the HybridModel or the HybridSystem of the run")
        stored = run.evaluator.stored()
        if stored is None:
            raise ValueError(
                f"{fspath(path)!r} does not name the model of its run: it is one of plain functions, or was written by"
                " an earlier version; load it without model="
            )
        found = restored_evaluator(model, stored, run.integrated, inputs or {}, controllers)
        observed, run = run.facts.observed, Trajectory(run.piece, found, run.coordinates, complete=True)
        run = run.observed(observed) if observed else run
        run = run.shown(model) if isinstance(model, Appearance) else run
    return Result.of_run(run, t_eval)
