"""The output of the loop, as arrays."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from sympact.integrate.problem.continuation import Continuation
from sympact.integrate.problem.status import Status
from sympact.integrate.problem.warning import SympactWarning

__all__ = ["Record"]


@dataclass(frozen=True)
class Record:
    """Samples and events of one run.

    Attributes
    ----------
    t : array, shape (m,)
        Times of the samples: the start, the end of every accepted step, and the right side of every jump.
    x : array, shape (m, n)
    h : array, shape (m,)
        Size of the step that ends at the sample (its polynomial may be truncated by an event); 0 at the start and at
        the right side of a jump.
    stage : array of int, shape (m,)
        The stage of the step; at the right side of a jump the stage entered.
    event_t, event_sample, event_source, event_target : arrays, shape (k,)
        Time, index of the sample just before (the next one is just after), stages.
    event_fired : array of bool, shape (k, nb)
        Which boundaries of the source stage took part.
    event_kind : array of int, shape (k,)
        The index of each event's kind in `EventKind`; 0 is a transition.
    event_impulse : array, shape (k, nb)
        Impulses of the contacts (N s). At the indices of the switches of the stage entered, which are its last
        boundaries: +1 or -1, the switches after the event.
    event_friction : array, shape (k, n_contacts, 3)
        Impulses of friction of the contacts (N s), components in the inertial frame; shape (k, 0, 3) where no contact
        has friction.
    event_numbers : structured array, shape (k,)
        The numbers that `Event` declares, a field for each, as reported by the loop.
    status : Status
    t_inf, t_inf_error : float
        Where events accumulate, with its error (s); NaN when they do not.
    counts : dict
        Steps, rejected steps, calls of flow and boundaries, dense outputs built.
    settings : dict
        The settings of the run: ``t_span``, ``method``, ``rtol``, ``atol``, ``max_step``, ``max_events``,
        ``max_steps``; the ``engine``; and the lengths to which gaps are relative.
    detail : str
        The model's details on the end of the run; empty without any.
    infeasibility : Infeasibility or None
        Why an impact has no solution, where the run ended at one.
    warnings : tuple of SympactWarning
        The warnings of the run, whether they were shown or not.
    continuation : Continuation or None
        What a run that goes on takes over, of a run of a process; None of a model, whose evaluator has it.
    """

    t: np.ndarray
    x: np.ndarray
    h: np.ndarray
    stage: np.ndarray
    event_t: np.ndarray
    event_sample: np.ndarray
    event_source: np.ndarray
    event_target: np.ndarray
    event_fired: np.ndarray
    event_kind: np.ndarray
    event_impulse: np.ndarray
    event_friction: np.ndarray
    event_numbers: np.ndarray
    status: Status
    t_inf: float = float("nan")
    t_inf_error: float = float("nan")
    counts: dict[str, int] = field(default_factory=dict)
    settings: dict[str, object] = field(default_factory=dict)
    detail: str = ""
    infeasibility: object = None
    warnings: tuple[SympactWarning, ...] = ()
    continuation: Continuation | None = None

    @property
    def integrated(self) -> Record:
        """The record in the states that were integrated."""
        return self

    @property
    def chart(self) -> dict[str, object] | None:
        """The table by which a file restores these states from those that were integrated; None where they are them."""
        return None

    def number(self, name: str) -> np.ndarray:
        """A number that `Event` declares, of each event; NaN in a pickle of an earlier version that did not know it."""
        numbers = self.event_numbers
        return numbers[name] if name in numbers.dtype.fields else np.full(len(numbers), np.nan)

    @property
    def entering(self) -> np.ndarray:
        """Which events enter a stage, shape (k,): transitions, also to the same stage, and all changes of stage."""
        return (self.event_kind == 0) | (self.event_source != self.event_target)

    def sample_at(self, t: np.ndarray, side: str = "right") -> np.ndarray:
        """The index of the last sample that is not after each of the times `t`, all within the run, shape (len(t),).

        Of the samples at one time `side` selects the last, "right", or the first, "left".
        """
        after = np.searchsorted(self.t, t, side="right") - 1
        return after if side == "right" else np.minimum(np.searchsorted(self.t, t, side="left"), after)

    def stage_at(self, t: np.ndarray, side: str = "right") -> np.ndarray:
        """The stage of each of the times `t`, all within the run, as an index; shape (len(t),).

        Where stages change, `side` selects one: "left" the one before all events of that time, "right" the one after
        them.
        """
        if side == "left":
            return self.stage[np.searchsorted(self.t, t, side="left")]
        return self.stage[np.searchsorted(self.t, t, side="right") - 1]
