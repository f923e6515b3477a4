"""What evaluates the model of a run that has ended: its quantities along the run and at events, and what it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import numpy as np

from sympact.integrate.trajectory.about import About, Formula
from sympact.integrate.trajectory.observation import Observation
from sympact.integrate.trajectory.record import Record

__all__ = ["PLAIN", "Along", "Appearance", "AtEvent", "Constraints", "Evaluator", "Facts", "Powers"]

Along = Callable[..., np.ndarray]
"""A quantity along a run: takes times, shape (k,), states, shape (n_states, k), stages as indices, shape (k,), and for
some quantities further arrays, whose last axis is that of the times, as is that of what it returns."""

AtEvent = Callable[..., np.ndarray]
"""A quantity at an event: takes the time, the pair of states before and after, the stage as an index, and the impulses
of all contacts, shape (4 n_contacts,), those of friction last."""


class Powers(Protocol):
    """What does work in one run of a mechanical model."""

    @property
    def names(self) -> tuple[str, ...]:
        """Of what does work: the transitions first, loads without a potential, contacts with friction, the prescribed
        motion last."""

    @property
    def sources(self) -> tuple[object, ...]:
        """The user's load, actuator or contact of each; None for the prescribed motion, a text for the transitions."""

    @property
    def jumps(self) -> tuple[str, ...]:
        """The names of the transitions of the user's own, whose jumps change the energy."""

    @property
    def changes_potential(self) -> bool:
        """Whether the change of the potential energy is part of the work of the prescribed motion."""

    @property
    def unknown(self) -> str:
        """Why the work is unknown; empty where it is known."""


class Constraints(Protocol):
    """The bilateral constraints of a model."""

    @property
    def names(self) -> tuple[str, ...]:
        """Of the constraints that have equations."""

    def rows(self, wanted: object) -> dict[int, str]:
        """The rows of a constraint, each with the name of its equation; KeyError if there is none."""

    def units(self, wanted: object) -> list[str]:
        """The units of their multipliers as forces."""


@runtime_checkable
class Appearance(Protocol):
    """How a model is drawn."""

    @property
    def shapes(self) -> Sequence[Any] | None:
        """The shapes of its bodies, as `Result.animate` takes them; None for the usual ones."""

    @property
    def units(self) -> Mapping[str, str]:
        """Units by the names of states, ``"t"`` and ``"gaps"``, as `Result.plot` takes them."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of the model of a run without a number along it.

    Attributes
    ----------
    contact_names : tuple of str
    outputs : mapping of str to str
        The names of the outputs of the model, and the expressions as text.
    between : bool
        Whether outputs are known at any state; else at the samples of the run alone.
    pairs : tuple of pairs of str
        The states whose rate is another state, each with that one, for phase portraits.
    without_potential : tuple of str
        The terms of the equations of which no potential energy is known, where it is not known at all.
    without_kinetic : str
        Why the kinetic energy of a mechanical model is unknown, with the cure; empty where it is known.
    powers : Powers, optional
        What does work along the run.
    constraints : Constraints, optional
    geometry : Geometry, optional
        The positions of the model's points along the run, for animations; see `sympact.mechanics.present.geometry`.
    observed : mapping of str to Observation
        The numbers that were observed along the run.
    appearance : Appearance, optional
        The shapes of the bodies and the units, where a picture is given none.
    """

    contact_names: tuple[str, ...] = ()
    outputs: Mapping[str, str] = field(default_factory=dict)
    between: bool = True
    pairs: tuple[tuple[str, str], ...] = ()
    without_potential: tuple[str, ...] = ()
    without_kinetic: str = ""
    powers: Powers | None = None
    constraints: Constraints | None = None
    geometry: Any = None
    observed: Mapping[str, Observation] = field(default_factory=dict)
    appearance: Appearance | None = None


class Evaluator:
    """The model of a run that has ended, with the numbers of the run; this one is that of plain functions.

    The quantities along a run are, by name and key,

    - ``"expression"``, an output by its name or an expression by itself: its value, shape (k,);
    - ``"kinetic_energy"`` and ``"potential_energy"``, the latter of the loads that have one (J), shape (k,);
    - ``"gap"``, the name of a contact: its gap (m), shape (k,);
    - ``"force"`` and ``"friction_force"``: the normal forces of all contacts (N), shape (n_contacts, k), and those of
      friction, shape (n_contacts, 3, k), components in the inertial frame;
    - ``"slopes"``: x' with the forces of contacts and constraints, shape (n_states, k);
    - ``"powers"``: of what does work, see `Facts.powers` (W), shape (n, k);
    - ``"joint_wrench"``, a joint, whether it is the torque, and a frame or None: the force in the joint, shape (3, k);
    - ``"reactions"``: the multipliers of the constraints, and 1.0 where they are determined, shape (2, n_rows, k);
    - ``"exerted"``, a constraint, whether it is the torque, and a frame or None: its force on the side of its second
      point, shape (3, k), from the multipliers, a further array of shape (n_rows, k).

    Those at events are ``"joint_impulse"``, keyed as ``"joint_wrench"``, shape (3,); ``"reactions"``, shape (2, n_rows,
    1); and ``"struck"``: the state in which the impulses act, shape (n_states, 1).
    """

    def completed(self, record: Record) -> Record:
        """The record of a run with what the model knows of it: details of its end, settings, counts; these two are
        entered into those of the record."""
        return record

    @property
    def facts(self) -> Facts:
        """What is known of the model."""
        return _NOTHING

    def knows(self, name: str) -> bool:
        """Whether it has a quantity along the run."""
        return False

    def quantity(self, name: str, *key: Any) -> Along:
        """A quantity along the run that it `knows`; raises errors of its own for a key that it cannot read."""
        raise KeyError(name)

    def at_event(self, name: str, *key: Any) -> AtEvent:
        """A quantity at an event, of a model that knows it along the run."""
        raise KeyError(name)

    def asked(self, name: str, what: str, cure: str, *key: Any) -> Along:
        """A quantity along the run, see `check`."""
        self.check(name, what, cure)
        return self.quantity(name, *key)

    def check(self, name: str, what: str, cure: str) -> None:
        """Refuse to go on without a quantity along the run.

        Raises
        ------
        TypeError
            If it is not known; the message states `what` the result does not have, and the `cure`.
        ValueError
            If it is the kinetic energy, or made of it, and that is unknown; the message says why.
        """
        if self.facts.without_kinetic and name in ("kinetic_energy", "potential_energy"):
            raise ValueError(f"this result has no {what}: {self.facts.without_kinetic}")
        if not self.knows(name):
            raise TypeError(
                f"this result has no {what}: it was made from plain functions or loaded from a file, without a"
                f" mechanical model; {cure}"
            )

    def about(self) -> About | None:
        """The model and its numbers, as text and formulas, for reports."""
        return None

    def formulas(self) -> Mapping[str, Formula] | None:
        """The boundary and the jump of each transition, or the gap and the jump map of each contact, by name."""
        return None

    def graph(self) -> dict | None:
        """The JSON table of the model's formulas, for files."""
        return None

    def stored(self) -> dict | None:
        """The numbers, as JSON, from which the model evaluates a run that is read from a file."""
        return None

    def identity(self) -> tuple[str, dict[str, float]] | None:
        """A hash of the model, which is the same in every process, and the numbers of its parameters by name."""
        return None

    def commanded(self, t: float) -> Mapping[Any, Any] | None:
        """What the controllers of the run have in force at a time, and what waits, by their symbols."""
        return None

    def sides(self, t: float) -> Mapping[str, Sequence[float]]:
        """On which side each condition of the run is at its end, 1.0 or -1.0, by its name, with the largest value that
        its margin had; and the mode of each closed contact, with 1.0 where the model is at rest. None before."""
        return {}


_NOTHING = Facts()
PLAIN = Evaluator()
"""That of plain functions: there are no formulas."""
