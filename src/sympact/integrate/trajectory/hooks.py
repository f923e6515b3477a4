"""The functions by which a result evaluates its model: energies, gaps, forces, and the description of the model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from sympact.integrate.trajectory.about import About, Formula
from sympact.integrate.trajectory.observation import Observation

if TYPE_CHECKING:
    from sympact.integrate.trajectory.reactions import ConstraintForces

__all__ = ["PLAIN", "Appearance", "ContactForces", "Hooks", "Powers", "Quantity"]

Quantity = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""A number along a run: takes t, shape (k,), and x, shape (n_states, k), and returns shape (k,)."""

ContactForces = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
"""Forces of all contacts along a run, or x': takes t, x as a `Quantity`, and the stages as indices, shape (k,)."""


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

    def along(self, t: np.ndarray, x: np.ndarray, stage: np.ndarray) -> np.ndarray:
        """The powers at times (k,), states (n_states, k) and stages (k,), shape (n, k) (W)."""


class Appearance(Protocol):
    """How a model is drawn."""

    @property
    def shapes(self) -> Sequence[Any] | None:
        """The shapes of its bodies, as `Result.animate` takes them; None for the usual ones."""

    @property
    def units(self) -> Mapping[str, str]:
        """Units by the names of states, ``"t"`` and ``"gaps"``, as `Result.plot` takes them."""


@dataclass(frozen=True, slots=True)
class Hooks:
    """The functions by which a result evaluates its model.

    Parameters
    ----------
    evaluate : callable, optional
        Turns an expression into a `Quantity`; raises a ValueError of its own for an expression it cannot read.
    accelerated : callable, optional
        Turns an expression that contains accelerations into ``f(t, x, slopes)``, as a `Quantity` that takes x', too;
        returns None for any other expression.
    slopes : callable, optional
        ``slopes(t, x, stage)``: x' with the forces of contacts and constraints, shape (n_states, k); arguments as those
        of `force`.
    kinetic_energy : Quantity, optional
        The kinetic energy (J).
    gaps : mapping of str to Quantity, optional
        The gap of each contact (m), by name, for pictures.
    potential_energy : Quantity, optional
        The potential energy of the loads that have one (J).
    without_potential : tuple of str
        The terms of the equations of which no potential energy is known, where it is not known at all.
    powers : Powers, optional
        What does work along the run.
    stored : callable, optional
        Returns the numbers, as JSON, from which the model makes these functions again for a run read from a file.
    identity : callable, optional
        Returns a hash of the model, which is the same in every process, and the numbers of its parameters by name.
    without_kinetic : str
        Why the kinetic energy of a mechanical model is unknown, with the cure; empty where it is known.
    graph : callable, optional
        Returns the JSON table of the model's formulas, for files.
    friction_force : callable, optional
        The forces of friction in the same way, shape (n_contacts, 3, k), components in the inertial frame.
    force : callable, optional
        ``force(t, x, stage)``: the normal forces of all contacts (N), shape (n_contacts, k), at times, shape (k,),
        states, shape (n_states, k), and stages as indices, shape (k,).
    joint_wrench : callable, optional
        ``joint_wrench(joint, turns, frame, t, x, stage)``: the force in a joint along a run, or the torque where it
        `turns`, shape (3, k), with the arguments of `force`; components in a frame, those of N for None.
    joint_impulse : callable, optional
        ``joint_impulse(joint, turns, frame, t, (x_minus, x_plus), stage, impulses)``: the impulse in a joint at an
        event, or its moment, shape (3,); the impulses are those of all contacts, shape (4 n_contacts,), those of
        friction last.
    reactions : ConstraintForces, optional
        The reactions of bilateral constraints along a run and at events.
    geometry : Geometry, optional
        The positions of the model's points along the run, for animations; see `sympact.mechanics.present.geometry`.
    about : callable, optional
        Returns the model and its numbers, as text and formulas, for reports.
    outputs : mapping of str to str
        The names of the outputs of the model, which `evaluate` takes, and the expressions as text.
    between : bool
        Whether outputs are known at any state; else at the samples of the run alone.
    observed : mapping of str to Observation
        The numbers that were observed along the run.
    pairs : tuple of pairs of str
        The states whose rate is another state, each with that one, for phase portraits.
    commanded : callable, optional
        ``commanded(t)``: what the controllers of the run have in force at a time, and what waits, by their symbols.
    sides : callable, optional
        ``sides(t)``: on which side each condition of the run is at its end, 1.0 or -1.0, by its name, with the largest
        value that its margin had; and the mode of each closed contact, with 1.0 where the model is at rest. None
        before.
    formulas : callable, optional
        Returns the boundary and the jump of each transition, or the gap and the jump map of each contact, by name, for
        drawn graphs.
    appearance : Appearance, optional
        The shapes of the bodies and the units, where a picture is given none.
    """

    evaluate: Callable[[object], Quantity] | None = None
    accelerated: Callable[[object], Callable[..., np.ndarray] | None] | None = None
    slopes: ContactForces | None = None
    kinetic_energy: Quantity | None = None
    gaps: Mapping[str, Quantity] = field(default_factory=dict)
    potential_energy: Quantity | None = None
    without_potential: tuple[str, ...] = ()
    without_kinetic: str = ""
    powers: Powers | None = None
    stored: Callable[[], dict] | None = None
    identity: Callable[[], tuple[str, dict[str, float]]] | None = None
    graph: Callable[[], dict] | None = None
    force: ContactForces | None = None
    friction_force: ContactForces | None = None
    joint_wrench: Callable[..., np.ndarray] | None = None
    joint_impulse: Callable[..., np.ndarray] | None = None
    reactions: ConstraintForces | None = None
    geometry: object | None = None
    about: Callable[[], About] | None = None
    outputs: Mapping[str, str] = field(default_factory=dict)
    between: bool = True
    observed: Mapping[str, Observation] = field(default_factory=dict)
    pairs: tuple[tuple[str, str], ...] = ()
    formulas: Callable[[], Mapping[str, Formula]] | None = None
    commanded: Callable[[float], Mapping[Any, Any]] | None = None
    sides: Callable[[float], Mapping[str, Sequence[float]]] | None = None
    appearance: Appearance | None = None

    def asked(self, name: str, what: str, cure: str) -> Callable:
        """The hook of this name.

        Raises
        ------
        TypeError
            If there is none; the message states `what` the result does not have, and the `cure`.
        ValueError
            If it is the kinetic energy, or made of it, and that is unknown; the message says why.
        """
        if self.without_kinetic and name in ("kinetic_energy", "potential_energy"):
            raise ValueError(f"this result has no {what}: {self.without_kinetic}")
        quantity = getattr(self, name)
        if quantity is None:
            raise TypeError(
                f"this result has no {what}: it was made from plain functions or loaded from a file, without a"
                f" mechanical model; {cure}"
            )
        return quantity


PLAIN = Hooks()
"""The hooks of plain functions: there are no formulas."""
