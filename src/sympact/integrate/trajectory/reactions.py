"""Reactions of bilateral constraints along a run, and their impulses in an event."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal

import numpy as np

from sympact.integrate.trajectory.evaluator import Evaluator
from sympact.native.cached import cached_property

__all__ = ["Change", "ImpulseReactions", "Places", "Reactions", "SampledReactions"]

Places = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Times (k,), states (n_states, k) and stages (k,)."""

Change = tuple[float, tuple[np.ndarray, np.ndarray], int, np.ndarray]
"""The time of an event, the states before and after, the stage, and the impulses of all contacts, (4 n_contacts,)."""


class Reactions(Mapping):
    """The multipliers of the bilateral constraints, by constraint: a read-only mapping.

    A key is the constraint or the expression that the model was made with, or its name; iteration gives names. A value
    has a row for each equation of the constraint, in the order of `components`. Equations that are zero for all values,
    such as those out of the plane of a plane mechanism, have none.
    """

    def __init__(self, model: Evaluator) -> None:
        assert model.facts.constraints is not None, "a model that knows reactions"
        self._model, self._constraints = model, model.facts.constraints

    def __getitem__(self, constraint: object) -> np.ndarray:
        """The multipliers of a constraint, shape (n_rows, n_samples); of an event, (n_rows,).

        Raises
        ------
        KeyError
            If the model has no such constraint; the message lists its constraints.
        """
        return self._shaped(self._both[0][list(self._constraints.rows(constraint))])

    def __iter__(self) -> Iterator[str]:
        return iter(self._constraints.names)

    def __len__(self) -> int:
        return len(self._constraints.names)

    def components(self, constraint: object) -> tuple[str, ...]:
        """The names of the equations of a constraint, such as "along x"; of one alone it is empty."""
        return tuple(self._constraints.rows(constraint).values())

    def units(self, constraint: object) -> dict[str, str]:
        """The unit of each multiplier of a constraint, by the names of its equations."""
        times = self._times
        return {
            name: f"{unit}{times}" if " by " not in unit else unit.replace(" by", f"{times} by")
            for name, unit in zip(self.components(constraint), self._constraints.units(constraint), strict=True)
        }

    def determined(self, constraint: object) -> np.ndarray:
        """Whether each multiplier follows from the motion, shape as the multipliers, bool.

        It does not where the equation is a combination of others: then only the sum A^T kappa is determined. Of all
        multipliers that give it those are taken whose norm is smallest, each multiplied by the length of its row in the
        metric of M, measured at the start of the run; so the choice does not depend on the units of the equations.
        """
        return self._shaped(self._both[1][list(self._constraints.rows(constraint))])

    def force(self, constraint: object, *, frame: object = None) -> np.ndarray:
        """The force of a closure on the body of its second point Q, at Q, shape (3, n_samples) (N).

        The body of its first point P bears the opposite force at the same place.

        Parameters
        ----------
        constraint : Closure or str
        frame : ReferenceFrame, optional
            The frame of the components, at each instant; by default the inertial frame.

        Raises
        ------
        KeyError
            If the model has no such constraint.
        ValueError
            If it is an expression, which does not say at which points it acts, or the frame is not of the model.
        TypeError
            If the frame is none.
        """
        return self._exerted(constraint, False, frame)

    def torque(self, constraint: object, *, frame: object = None) -> np.ndarray:
        """The torque of a closure on the body of its second point, with the force at Q, shape (3, n_samples) (N m).

        Parameters
        ----------
        constraint, frame
            As in `force`.

        Raises
        ------
        KeyError, ValueError, TypeError
            As `force` does.
        """
        return self._exerted(constraint, True, frame)

    def __repr__(self) -> str:
        if not self:
            return "<no bilateral constraints>"
        told = [f"'{name}': {len(self._constraints.rows(name))}" for name in self]
        return f"<reactions of {len(told)} constraints, equations of each: {', '.join(told)}>"

    _times = ""
    """What the unit of a force is multiplied by."""

    @property
    @abstractmethod
    def _both(self) -> tuple[np.ndarray, np.ndarray]:
        """All multipliers, and whether they are determined, shapes (n_rows, k)."""

    @property
    @abstractmethod
    def _places(self) -> Places:
        """The instants."""

    def _shaped(self, values: np.ndarray) -> np.ndarray:
        values.flags.writeable = False
        return values

    def _exerted(self, constraint: object, turns: bool, frame: object) -> np.ndarray:
        exerted = self._model.quantity("exerted", constraint, turns, frame)
        return self._shaped(exerted(*self._places, self._both[0]))


class SampledReactions(Reactions):
    """Those along a run (N, N m, or energy over the unit of an expression).

    Parameters
    ----------
    model : Evaluator
    places : callable
        Returns the instants.
    times : callable
        ``times(t, side)`` returns those at any times.
    """

    def __init__(self, model: Evaluator, places: Callable[[], Places], times: Callable[..., Places]) -> None:
        super().__init__(model)
        self._asked, self._times_of = places, times

    def at(self, t: Sequence[float], side: Literal["left", "right"] = "right") -> SampledReactions:
        """The reactions at any times of the run; their arrays have shape (n_rows, len(t)).

        Between the accepted steps the state is that of the dense output.

        Parameters
        ----------
        t : array_like, shape (k,)
            Times within the run (s).
        side : "right" or "left"
            The side of an event at its time.

        Raises
        ------
        ValueError
            If a time is outside the run, or `side` is neither of the two.
        """
        places = self._times_of(t, side)
        return SampledReactions(self._model, lambda: places, self._times_of)

    @cached_property
    def _places(self) -> Places:
        return self._asked()

    @cached_property
    def _both(self) -> tuple[np.ndarray, np.ndarray]:
        return _parts(self._model.quantity("reactions")(*self._places))


class ImpulseReactions(Reactions):
    """Their impulses in an event (N s, N m s); one number for each equation.

    Parameters
    ----------
    model : Evaluator
    change : Change
    """

    _times = " s"

    def __init__(self, model: Evaluator, change: Change) -> None:
        super().__init__(model)
        self._change = change

    @property
    def _places(self) -> Places:
        t, _, stage, _ = self._change
        return np.array([t]), self._model.at_event("struck")(*self._change), np.array([stage])

    @cached_property
    def _both(self) -> tuple[np.ndarray, np.ndarray]:
        return _parts(self._model.at_event("reactions")(*self._change))

    def _shaped(self, values: np.ndarray) -> np.ndarray:
        return super()._shaped(values[:, 0])


def _parts(found: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Multipliers, and whether they are determined."""
    return found[0], found[1] != 0.0
