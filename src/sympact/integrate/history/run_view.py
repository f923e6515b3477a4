"""What all helpers of a result take: samples, events, the path of stages, and the state at any time of the run."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Literal, Self

import numpy as np

from sympact.integrate.history.event import Events
from sympact.integrate.problem.program import Program
from sympact.integrate.problem.status import Status
from sympact.integrate.problem.times import even_times, read_times, sample_times
from sympact.integrate.trajectory.evaluator import Appearance, Evaluator, Facts
from sympact.integrate.trajectory.observation import Observation
from sympact.integrate.trajectory.piece import Dense
from sympact.integrate.trajectory.record import Record
from sympact.integrate.trajectory.trajectory import Trajectory
from sympact.native.sentences.near_names import suggestion

__all__ = ["RunView"]


class RunView:
    """The samples and the events of a run, and the state at any of its times.

    `Result` adds the members for users; quantities of the model, exports and pictures take this part of it.

    Attributes
    ----------
    _run : Trajectory
        The numbers of the run, its dense output, its program and its model.
    _t_eval : array, shape (k,), optional
        The requested times.
    """

    __slots__ = ("_run", "_t", "_t_eval", "_x")
    _run: Trajectory
    _t_eval: np.ndarray | None
    _t: np.ndarray | None
    _x: np.ndarray | None

    @classmethod
    def of_run(cls, run: Trajectory, t_eval: np.ndarray | None = None) -> Self:
        """A run whose parts are made on first access."""
        result = cls.__new__(cls)
        result._run, result._t_eval, result._t, result._x = run, t_eval, None, None
        return result

    def _drawn_as(self, appearance: Appearance) -> Self:
        """The same run; its pictures have these shapes and units."""
        return self.of_run(self._run.shown(appearance), self._t_eval)

    def __reduce__(self) -> tuple:
        return type(self).of_run, (self._run, self._t_eval)

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
    def _model(self) -> Evaluator:
        return self._run.evaluator

    @property
    def _facts(self) -> Facts:
        return self._run.facts

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
        condition in the flow that changes its branch. The name of a stage has the branches of the conditions; where
        these take more than 160 characters, as those of many polygons do, their number and a code that differs where
        one of them does: the events name the conditions that change.
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
        return dict(self._facts.observed)

    @property
    def output_names(self) -> tuple[str, ...]:
        """The names of the outputs that the model was made with; ``result[name]`` has their values."""
        return tuple(self._facts.outputs)

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

    def at_times(self, t: Sequence[float]) -> Self:
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
        return self.of_run(self._run, sample_times(t, self.t_span))

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
        if isinstance(key, str) and not self._model.knows("expression"):
            near = suggestion(key, self.state_names)
            raise KeyError(f"there is no state {key!r}; the states are {list(self.state_names)}{near}")
        return self._evaluated(key)

    def _evaluated(self, key: object) -> np.ndarray:
        """An expression of the model at the times `t`; defined by `Result`."""
        raise NotImplementedError

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


def _frozen(array: np.ndarray) -> np.ndarray:
    view = array.view()
    view.flags.writeable = False
    return view
