"""A run that goes on a step at a time, as its caller demands."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Any

import numpy as np

from sympact.integrate.history.event import Events
from sympact.integrate.problem.real import described
from sympact.integrate.problem.status import Status
from sympact.integrate.result import Result
from sympact.integrate.session.session import Moment, Session
from sympact.native.sentences.refused_calls import explain_public

__all__ = ["SavedRun", "SteppedRun"]

_KEPT = 256  # samples of a run without a record, whose drop, 170 us with quaternions, is shared by as many


@dataclass(frozen=True, eq=False)
class SavedRun:
    """A run in memory as it was at one moment, from `SteppedRun.save`; it travels by ``pickle``.

    Attributes
    ----------
    of : str
        What the run is one of: the model, the method, the tolerances.
    begin : tuple
        What the run began with.
    moment : Moment or None
        What it has changed since then; None before its first step.
    further : object
        What the model has changed besides.
    status : Status or None
    steps : list
        The steps so far.
    """

    of: str
    begin: tuple
    moment: Moment | None
    further: Any
    status: Status | None
    steps: list = field(repr=False)


class SteppedRun(ABC):
    """A run that goes on a step at a time; ``model.stepper`` and ``process.stepper`` make one.

    Its numbers are those of one run whose steps end at the same times. One thread at a time may use it; several may
    step runs of one model.

    Attributes
    ----------
    status : Status or None
        The reason for its end; None while it goes on.
    """

    def __init__(self, t: float, t_end: float, *, record: bool) -> None:
        self._t0, self._end, self._record = t, t_end, record
        self._forget()

    def _forget(self) -> None:
        """Be before the first step."""
        self._session: Session | None = None
        self.status: Status | None = None
        self._first_event, self._changed = 0, 0
        self._steps: list[tuple[float, dict | None]] = []
        self._known: tuple[object, Result | None] = (None, None)

    def _drop(self, session: Session) -> None:
        """Keep the last sample alone."""
        session.drop()

    def __del__(self) -> None:
        if self.__dict__.get("_session") is not None:
            self._forget()  # its memory is that of a further run

    @property
    def _earlier(self) -> int:
        """The number of events before the run in memory began."""
        return 0

    @abstractmethod
    def _begin(self) -> Session:
        """The run at its start."""

    @abstractmethod
    def _give(self, given: Mapping[Any, float]) -> None:
        """Take numbers that hold from the present time on; checked before any is taken."""

    @abstractmethod
    def _result(self, session: Session) -> Result:
        """The run so far."""

    @abstractmethod
    def _state(self, session: Session | None) -> np.ndarray:
        """The state in the user's order."""

    @abstractmethod
    def _value(self, key: object) -> float:
        """An expression at the present time and state."""

    @property
    @abstractmethod
    def _identity(self) -> str:
        """What saved runs must agree in."""

    @property
    @abstractmethod
    def _beginning(self) -> tuple:
        """What the run began with, without an address."""

    @abstractmethod
    def _begin_as(self, begin: tuple) -> None:
        """Begin as another run of the same model, method and tolerances did."""

    @abstractmethod
    def _further(self) -> Any:
        """What changes in a run besides the memory of the loop."""

    @abstractmethod
    def _restore_further(self, further: Any) -> None:
        """Write it."""

    def step(self, dt: float, given: Mapping[Any, float] | None = None) -> Status | None:
        """Go on by a time.

        Parameters
        ----------
        dt : float
            A positive time (s). The step ends before it where the run does.
        given : mapping, optional
            Inputs and parameters, by their symbols or names, and their numbers from the present time on.

        Returns
        -------
        Status or None
            The reason for the end of the run; None while it goes on. A step beyond the end returns it again.

        Raises
        ------
        ValueError
            If `dt` is not positive, or a given name or number is wrong; then nothing has changed.
        Exception
            Any exception of a user's function, with an attribute ``result``: the run up to there.
        """
        if self.status is not None:
            return self.status
        try:
            ahead = 0.0 < dt < inf
        except TypeError:
            ahead = False
        if not ahead:
            raise ValueError(f"dt is {described(dt)}, expected a positive, finite time (s)")
        begun, t = self._session, self.t
        until = min(t + dt, self._end)
        if not until > t:
            raise ValueError(f"dt is {dt!r}, which does not change t = {t!r}; expected a time that does")
        if given:
            self._give(given)
        session = self._session
        if session is None:
            session = self._session = self._begin()
        elif not self._record and session.samples > _KEPT:
            self._drop(session)
        if self._record:
            self._steps.append((dt, dict(given) if given else None))
        self._first_event = session.events
        self._changed += 1
        self.status = self._reach(session, until, lands=bool(given) and session is begun)
        return self.status

    def _reach(self, session: Session, until: float, *, lands: bool) -> Status | None:
        """Go on to a time; an exception of a user's function has the run so far."""
        status = session.reach(until, lands)
        error = session.raised
        if error is not None:
            self.status = Status.FAULT
            error.result = self._result(session)  # type: ignore[attr-defined]  # as a simulation does
            raise error
        return status

    def reset(self, x0: Any = None) -> SteppedRun:
        """Be at the start again, before the first step; `x0` is another initial state."""
        self._forget()
        if x0 is not None:
            self._start_at(x0)
        return self

    @abstractmethod
    def _start_at(self, x0: Any) -> None:
        """Take another initial state."""

    @property
    def t(self) -> float:
        """The time that it has reached (s)."""
        return self._t0 if self._session is None else self._session.t

    @property
    def x(self) -> np.ndarray:
        """The state there, shape (n_states,)."""
        return self._state(self._session)

    def __getitem__(self, key: object) -> float:
        """A state by its name or index, an output by its name, or an expression of the model, at the present time."""
        return self._value(key)

    @property
    def n_events(self) -> int:
        """The number of events of the last step."""
        return 0 if self._session is None else self._session.events - self._first_event

    @property
    def events(self) -> Events:
        """The events of the last step."""
        return self._so_far().events[self._earlier + self._first_event :]

    @property
    def result(self) -> Result:
        """The whole run so far, as a run that ended here would be.

        Raises
        ------
        ValueError
            If the run was made with ``record=False``.
        """
        if not self._record:
            raise ValueError("the run keeps its last step alone; make the stepper with record=True for its result")
        return self._so_far()

    def _so_far(self) -> Result:
        """What is kept of the run."""
        if self._session is None:
            self._session = self._begin()
        key, found = self._known
        if found is None or key != (self._changed, self.status):
            found = self._result(self._session)
            self._known = (self._changed, self.status), found
        return found

    def save(self) -> SavedRun:
        """The run as it is now: closed contacts, sticking directions, commands of controllers, discrete states, all.

        Raises
        ------
        ValueError
            If the method keeps numbers of the run in Python objects, as SciPy's do.
        """
        session = self._session
        if session is not None and not session.saves:
            raise ValueError(
                "the method keeps numbers of the run in Python objects, which cannot be saved; take one of sympact's "
                "own, such as 'DOP853' or 'RadauIIA'"
            )
        moment, further = (None, None) if session is None else (session.save(), self._further())
        return SavedRun(self._identity, self._beginning, moment, further, self.status, list(self._steps))

    def restore(self, saved: SavedRun) -> None:
        """Go on from where a run was saved, here or in another process, with the same bits.

        Raises
        ------
        TypeError
            If it is no `SavedRun`.
        ValueError
            If it is one of another model, method or tolerances.
        """
        if not isinstance(saved, SavedRun):
            raise TypeError(f"restore takes what save has returned, found {saved!r}")
        if saved.of != self._identity:
            raise ValueError(
                "the saved run is one of another model, method, tolerances or inputs; make the stepper as the one that "
                "was saved"
            )
        changed = self._changed
        self._forget()
        self._begin_as(saved.begin)
        if saved.moment is not None:
            self._session = self._begin()
            self._session.restore(saved.moment)
            self._restore_further(saved.further)
        self.status, self._steps, self._changed = saved.status, list(saved.steps), changed + 1
        self._first_event = self._session.events if self._session is not None else 0

    def __repr__(self) -> str:
        ended = "" if self.status is None else f", {self.status.name}"
        return f"<{type(self).__name__} at t = {self.t:.6g}: {self.n_events} events in the last step{ended}>"


explain_public(globals())
