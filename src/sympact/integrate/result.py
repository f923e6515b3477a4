"""The result of a run: samples, events, the path of stages, and the state at any time of the run.

The class lists the contents of a run. It defines the samples, the events and the states between them; quantities of the
model, the end of the run, and export are defined in other files, by subject.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from os import PathLike, fspath
from typing import Any, Literal

import numpy as np

from sympact.integrate.consecutive.consecutive_hooks import Restoring, restored_hooks
from sympact.integrate.consecutive.consecutive_run import consecutive_run
from sympact.integrate.export import outputs, pictures
from sympact.integrate.export.archive import read
from sympact.integrate.export.paths import checked_path
from sympact.integrate.export.portable import KnownRun, Origin
from sympact.integrate.export.run_summary import result_html
from sympact.integrate.history import counters, mode_graph, outcome, physics
from sympact.integrate.history.event import Events
from sympact.integrate.history.hooks import PLAIN, Hooks, Quantity
from sympact.integrate.history.member import member
from sympact.integrate.history.record import Record
from sympact.integrate.history.run_parts import Dense, RunParts
from sympact.integrate.measure import energy_balance
from sympact.integrate.measure.observers import Observation
from sympact.integrate.present.table import Listing
from sympact.integrate.problem.program import Program
from sympact.integrate.problem.status import Status
from sympact.integrate.problem.times import even_times, read_times, sample_times
from sympact.native.renamed import renamed_attribute
from sympact.native.sentences.near_names import suggestion
from sympact.native.sentences.refused_calls import explained

__all__ = ["PLAIN", "Dense", "Hooks", "Quantity", "Result", "load"]


@explained
class Result:
    """A run that is finished or has ended. All but its record is computed on access.

    Parameters
    ----------
    record : Record
        The samples and events as the loop wrote them.
    interpolant : Dense
        The state between the samples.
    program : Program
        The names of states, stages and boundaries.
    hooks : Hooks, optional
        The functions of the model.
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

    __slots__ = ("_run", "_t", "_t_eval", "_x")
    __iter__ = None

    def __init__(
        self,
        record: Record,
        interpolant: Dense,
        program: Program,
        hooks: Hooks | None = None,
        t_eval: np.ndarray | None = None,
    ):
        self._run: RunParts = KnownRun(record, interpolant, program, PLAIN if hooks is None else hooks)
        self._t_eval = t_eval
        self._t = None
        self._x = None

    @classmethod
    def of_run(cls, run: RunParts, t_eval: np.ndarray | None = None) -> Result:
        """The result of a run whose parts are made on first access."""
        result = cls.__new__(cls)
        result._run, result._t_eval, result._t, result._x = run, t_eval, None, None
        return result

    def __reduce__(self) -> tuple:
        return Result.of_run, (self._run, self._t_eval)

    @property
    def _record(self) -> Record:
        return self._run.record

    @property
    def _dense(self) -> Dense:
        return self._run.interpolant

    @property
    def _program(self) -> Program:
        return self._run.program

    @property
    def _hooks(self) -> Hooks:
        return self._run.hooks

    @property
    def t(self) -> np.ndarray:
        """The times of the samples, shape (n_samples,) (s): `t_eval` where it was given, else the accepted steps.

        The end of a run that ends before its span is a sample in either case.
        Without `t_eval` a jump is two samples at one time: the state before it, then the state after it.
        """
        if self._t is None:
            self._t = _frozen(self._run.t if self._t_eval is None else self._within(self._t_eval))
        return self._t

    @property
    def x(self) -> np.ndarray:
        """The states at the times `t`, shape (n_states, n_samples); after the jump where `t_eval` meets one."""
        if self._x is None:
            self._x = _frozen((self._run.x if self._t_eval is None else self._dense(self.t, "right")).T)
        return self._x

    @property
    def events(self) -> Events:
        """The events in the order of time; both sides of each are stored, whatever `t_eval` is."""
        return Events(self._run)

    @property
    def path(self) -> tuple[str, ...]:
        """The names of the stages entered, the first included.

        Every transition of a plain process enters a stage, also the one it leaves; an impact does not, nor does a
        condition in the flow that changes its branch.
        """
        record, stages = self._record, self._program.stages
        return tuple(stages[index].name for index in (record.stage[0], *record.event_target[record.entering]))

    @property
    def t_span(self) -> tuple[float, float]:
        """The first and the last time of the run (s)."""
        return float(self._run.t[0]), float(self._run.t[-1])

    @property
    def stages(self) -> np.ndarray:
        """The name of the stage of each sample, shape (n_samples,); at a jump each sample has that of its own side."""
        names = np.array([stage.name for stage in self._program.stages], dtype=object)
        return names[self._stage_places()]

    @property
    def state_names(self) -> tuple[str, ...]:
        """The names of the states, in the order of the rows of `x`."""
        return self._program.state_names

    @property
    def observed(self) -> dict[str, Observation]:
        """The observations of ``simulate(observe=...)``, by name; each has its `value` and the time `t`."""
        return dict(self._hooks.observed)

    @property
    def output_names(self) -> tuple[str, ...]:
        """The names of the outputs that the model was made with; ``result[name]`` has their values."""
        return tuple(self._hooks.outputs)

    def __call__(self, t: float | Sequence[float], side: Literal["left", "right"] = "right") -> np.ndarray:
        """The state at any time of the run, from the steppers' own dense output.

        Parameters
        ----------
        t : float or array_like, shape (k,)
            Times within the run (s).
        side : "right" or "left"
            The side of a jump at its time.

        Returns
        -------
        array, shape (n_states,) for one time, (n_states, k) for k times

        Raises
        ------
        ValueError
            If a time is outside the run, or `side` is neither of the two.
        """
        if side not in ("left", "right"):
            raise ValueError(f'side is {side!r}; "left" means just before a jump, "right" just after it')
        times = read_times(t)
        if times.ndim > 1:
            raise ValueError(f"t has the shape {times.shape}; give one time or a one-dimensional array of times")
        first, last = self.t_span
        outside = times[~((times >= first) & (times <= last))]
        if outside.size:
            raise ValueError(
                f"t = {outside.flat[0]:.12g} is outside this run, which goes from {first:.12g} to {last:.12g}"
            )
        states = self._dense(np.atleast_1d(times), side).T
        return states if times.ndim else states[:, 0]

    @property
    def sol(self) -> Callable[..., np.ndarray]:
        """The state as a function of time, by SciPy's name: ``result.sol(t)`` is ``result(t)``.

        Unlike SciPy's it has both sides of a jump, and does not extrapolate.

        Examples
        --------
        >>> from sympact.models import bouncing_ball
        >>> result = bouncing_ball().simulate()
        >>> result.sol(0.1).shape, result.sol([0.1, 0.2, 0.3]).shape
        ((2,), (2, 3))
        """
        return self.__call__

    def sample(self, dt: float) -> tuple[np.ndarray, np.ndarray]:
        """Times at equal distances over the whole run, both ends included, and the states there.

        Parameters
        ----------
        dt : float
            The distance (s); where it does not divide the run, the next smaller one that does.

        Returns
        -------
        t : array, shape (k,)
        x : array, shape (n_states, k)
            After the jump where a time meets one.

        Raises
        ------
        ValueError
            If `dt` is no positive number.

        Examples
        --------
        >>> from sympact.models import bouncing_ball
        >>> t, x = bouncing_ball().simulate().sample(0.01)
        >>> t.shape, x.shape, t[-1]
        ((501,), (2, 501), np.float64(5.0))
        """
        times = even_times(dt, self.t_span)
        return times, self(times)

    def at_times(self, t: Sequence[float]) -> Result:
        """The same run with its samples at other times, as if it had been simulated with ``t_eval=t``.

        Parameters
        ----------
        t : array_like, shape (k,)
            Increasing times within the run (s).

        Raises
        ------
        ValueError
            If they do not increase, or one is outside the run.

        Examples
        --------
        >>> from sympact.models import bouncing_ball
        >>> bouncing_ball().simulate().at_times([0.0, 0.5, 1.0]).x.shape
        (2, 3)
        """
        return Result.of_run(self._run, sample_times(t, self.t_span))

    def __getitem__(self, key: str | int | object) -> np.ndarray:
        """A state, by name or index, or any expression of the model, at the times `t`; shape (n_samples,).

        Expressions contain coordinates, speeds, their first derivatives, second derivatives of coordinates, parameters,
        inputs and the time. Accelerations are those of M u' = f with the forces of closed contacts and of constraints;
        at an event each sample has those of its own side.

        Raises
        ------
        KeyError, IndexError
            If there is no such state.
        ValueError
            If the expression contains a symbol that the model does not have.
        TypeError
            If `key` is an expression and the run was made from plain functions.

        Examples
        --------
        A ball that bounces until it rests: it falls with g, and has no acceleration at rest.

        >>> from sympact.models import bouncing_ball
        >>> ball = bouncing_ball()
        >>> (speed,) = ball.model.u
        >>> acceleration = ball.simulate()[speed.diff()]
        >>> acceleration[0], acceleration[-1]
        (np.float64(-9.81), np.float64(0.0))
        """
        if isinstance(key, str) and key in self.state_names:
            return self.x[self.state_names.index(key)]
        if isinstance(key, int | np.integer):
            return self.x[self._row(key)]
        if isinstance(key, str) and self._hooks.evaluate is None:
            near = suggestion(key, self.state_names)
            raise KeyError(f"there is no state {key!r}; the states are {list(self.state_names)}{near}")
        return physics.evaluated(self, key)

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
        Origin(operator.add, (self, other)).note(run)
        return Result.of_run(run, times)

    def table(self, max_rows: int = 40) -> Listing:
        """The events as an aligned table of text, the middle omitted beyond `max_rows` rows; HTML in notebooks."""
        return self.events.table(max_rows)

    modes = member(mode_graph.modes)

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

    def _stage_places(self) -> np.ndarray:
        """The stage of each sample as an index."""
        return self._record.stage if self._t_eval is None else self._record.stage_at(self.t)

    def _row(self, key: int | np.integer) -> int:
        index, n = operator.index(key), len(self.state_names)
        if not -n <= index < n:
            raise IndexError(f"there is no state {index}; the run has {n} states: {list(self.state_names)}")
        return index

    def _within(self, times: np.ndarray) -> np.ndarray:
        """The times up to the end of the run; that end, too, where it is an early one."""
        first, last = self.t_span
        kept = times[(times >= first) & (times <= last)]
        early = self._record.status is not Status.FINISHED and last not in kept[-1:]
        return np.append(kept, last) if early else kept


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
    record, dense, program, found, t_eval = read(checked_path(path), PLAIN)
    if model is None and (inputs or controllers):
        raise ValueError(
            "inputs or controllers without a model: give the model of the run, too, load(path, model=model, inputs=...)"
        )
    if model is not None:
        if not hasattr(model, "restored"):
            raise TypeError(f"model is {model!r}, expected the HybridModel or the HybridSystem of the run")
        if found.stored is None:
            raise ValueError(
                f"{fspath(path)!r} does not name the model of its run: it is one of plain functions, or was written by"
                " an earlier version; load it without model="
            )
        found = restored_hooks(model, found.stored(), record.integrated, inputs or {}, controllers)
    return Result(record, dense, program, found, t_eval)


def _frozen(array: np.ndarray) -> np.ndarray:
    view = array.view()
    view.flags.writeable = False
    return view
