"""The equations of motion of a model by the principle of its source, its energies, and what is wrong with them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import singledispatch

import numpy as np

from sympact.contact.memory.contact_tolerances import PIVOT
from sympact.graph import reachable
from sympact.graph.algebra.linear import dot, matvec
from sympact.mechanics.derive.constraint_rows import ConstraintRow
from sympact.mechanics.derive.dynamics import Equations, Kinetic, equations_of_motion, kinetic_energy
from sympact.mechanics.derive.gaps import Gap
from sympact.mechanics.derive.joint_forces import (
    Potential,
    generalized_forces,
    potential_energy,
    potential_of_force,
)
from sympact.mechanics.derive.lagrange import lagrange_energies, lagrange_equations
from sympact.mechanics.derive.written_equations import refuse_impacts, written_equations
from sympact.mechanics.kit.body_terms import Body, read_body
from sympact.mechanics.kit.faults import Faults
from sympact.mechanics.kit.kinematics import Kinematics
from sympact.mechanics.read.compliant_forces import compliant_force
from sympact.mechanics.read.principle import Kane, Lagrange, Principle, Written
from sympact.mechanics.read.survey import Survey
from sympact.mechanics.shapes.unilateral import Unilateral

__all__ = ["Dynamics", "dynamics_of"]


class Dynamics(ABC):
    """M u' = f of a model, and what else its source says of the motion.

    Attributes
    ----------
    kinematics : Kinematics
    found : Survey
    equations : Equations
    """

    kinematics: Kinematics
    found: Survey
    equations: Equations

    @abstractmethod
    def refuse(
        self, contacts: Sequence[Unilateral], gaps: Sequence[Gap], rows: Sequence[ConstraintRow], faults: Faults
    ) -> None:
        """Add what makes the motion or the impacts undetermined to the faults."""

    @abstractmethod
    def kinetic(self) -> Kinetic:
        """The kinetic energy."""

    @abstractmethod
    def potential(self) -> Potential:
        """The potential energy."""


@singledispatch
def dynamics_of(principle: Principle, kinematics: Kinematics, found: Survey, faults: Faults) -> Dynamics:
    """The equations of motion by a principle.

    Parameters
    ----------
    principle : Principle
    kinematics : Kinematics
    found : Survey
    faults : Faults
        What keeps the equations from being derived is added here.
    """
    raise NotImplementedError(f"no equations of motion for a {type(principle).__name__}")


@dataclass(frozen=True, slots=True, eq=False)
class KaneDynamics(Dynamics):
    """Kane's equations of the bodies."""

    kinematics: Kinematics
    found: Survey
    equations: Equations
    bodies: tuple[Body, ...]

    def refuse(
        self, contacts: Sequence[Unilateral], gaps: Sequence[Gap], rows: Sequence[ConstraintRow], faults: Faults
    ) -> None:
        """Speeds without inertia, negative masses, and velocities that are not linear in the speeds."""
        graph, mass_matrix = self.kinematics.graph, self.equations.mass_matrix
        for body in self.bodies:
            mass = graph.value(body.mass)
            if mass is not None and mass < 0:
                faults.add(f"the mass of the body '{body.name}' is {mass:g}, expected a positive one")
        stuck = set(_undetermined(self, rows))
        massless = ", ".join(f"'{body.name}'" for body in self.bodies if body.mass == graph.zero) or "none"
        for i, speed in enumerate(self.found.symbols.u):
            if mass_matrix[i][i] == graph.zero and (i in stuck or not rows):
                faults.add(
                    f"the speed {speed} moves no mass and no inertia, so that the motion is not determined (moving "
                    f"bodies of mass 0: {massless}); give a body that moves with it a mass"
                )
        entries = [entry for row in mass_matrix for entry in row]
        if not set(self.kinematics.u).isdisjoint(reachable(graph, entries)):
            faults.add(
                "the velocities are not linear in the generalized speeds; check the kinematic differential equations "
                "and the velocities that were set"
            )

    def kinetic(self) -> Kinetic:
        """T of the bodies."""
        return Kinetic(kinetic_energy(self.kinematics, self.bodies))

    def potential(self) -> Potential:
        """V of the loads and of the bodies."""
        return potential_energy(self.kinematics, self.found.loads, self.found.potentials)


@dynamics_of.register
def _(principle: Kane, kinematics: Kinematics, found: Survey, faults: Faults) -> KaneDynamics:
    applied, bodies = list(found.loads.applied), []
    for body in found.bodies:
        read, taken = read_body(kinematics, body, tuple(applied))
        applied = [load for load in applied if load not in taken]
        bodies.append(read)
    forcing = generalized_forces(kinematics, applied, found.loads, found.potentials)
    equations = equations_of_motion(kinematics, bodies, forcing)
    return KaneDynamics(kinematics, found, equations, tuple(bodies))


@dataclass(frozen=True, slots=True, eq=False)
class LagrangeDynamics(Dynamics):
    """Lagrange's equations; the bodies serve the kinetic energy alone."""

    kinematics: Kinematics
    found: Survey
    equations: Equations
    energies: tuple[Kinetic, Potential]

    def refuse(
        self, contacts: Sequence[Unilateral], gaps: Sequence[Gap], rows: Sequence[ConstraintRow], faults: Faults
    ) -> None:
        """Coordinates without a kinetic energy, and dependent ones."""
        graph, without = self.kinematics.graph, False
        stuck = set(_undetermined(self, rows))
        for i, speed in enumerate(self.found.symbols.u):
            if self.equations.mass_matrix[i][i] == graph.zero and (i in stuck or not rows):
                without = True
                faults.add(
                    f"the Lagrangian contains no kinetic energy of {speed}, so that its motion is not determined; add "
                    "the term, or leave the coordinate out"
                )
        if not without:
            _refuse_singular(self, rows, "the Lagrangian gives a mass matrix d2L/dq'dq' that is singular", faults)

    def kinetic(self) -> Kinetic:
        """T of the Lagrangian."""
        return self.energies[0]

    def potential(self) -> Potential:
        """V of the Lagrangian and of constant forces; other loads are the nonconservative ones, which do work."""
        own = self.energies[1]
        if own.energy is None:
            return own
        loads = self.found.loads
        found = [potential_of_force(self.kinematics, load) for load in loads.applied]
        found += [compliant_force(self.kinematics, contact).energy for contact in loads.compliant]
        return Potential(
            self.kinematics.graph.sum([own.energy, *(energy for energy in found if energy is not None)]), ()
        )


@dynamics_of.register
def _(principle: Lagrange, kinematics: Kinematics, found: Survey, faults: Faults) -> LagrangeDynamics:
    lagrangian = kinematics.read(principle.lagrangian)
    loads = generalized_forces(kinematics, found.loads.applied, found.loads, ())
    equations = lagrange_equations(kinematics, lagrangian, loads, faults)
    bodies = [read_body(kinematics, body, ())[0] for body in found.bodies]
    energies = lagrange_energies(kinematics, lagrangian, equations, bodies)
    return LagrangeDynamics(kinematics, found, equations, energies)


@dataclass(frozen=True, slots=True, eq=False)
class WrittenDynamics(Dynamics):
    """Equations of motion as the user wrote them."""

    kinematics: Kinematics
    found: Survey
    equations: Equations
    principle: Written

    def refuse(
        self, contacts: Sequence[Unilateral], gaps: Sequence[Gap], rows: Sequence[ConstraintRow], faults: Faults
    ) -> None:
        """Singular mass matrices, and those that determine no impact."""
        _refuse_singular(self, rows, "the mass matrix is singular", faults)
        refuse_impacts(self.kinematics, self.principle, contacts, gaps, rows, faults)

    def kinetic(self) -> Kinetic:
        """u M u / 2, a measure of changes in impacts; the kinetic energy itself is not known."""
        graph, u = self.kinematics.graph, self.kinematics.u
        square = dot(graph, u, matvec(graph, self.equations.mass_matrix, u))
        return Kinetic(graph.mul(graph.const(0.5), square), _WITHOUT_BODIES)

    def potential(self) -> Potential:
        """Unknown."""
        return Potential(None, ("the right-hand side of the equations of motion",))


_WITHOUT_BODIES = (
    "a SymbolicSystem has no bodies; write the energy as an output, SymbolicSystem(..., output_eqns={'E': expression})"
)


@dynamics_of.register
def _(principle: Written, kinematics: Kinematics, found: Survey, faults: Faults) -> WrittenDynamics:
    return WrittenDynamics(kinematics, found, written_equations(kinematics, principle, faults), principle)


def _refuse_singular(dynamics: Dynamics, rows: Sequence[ConstraintRow], what: str, faults: Faults) -> None:
    """A mass matrix that is singular at a random state, where no constraints determine the motion."""
    stuck = _undetermined(dynamics, rows)
    if stuck:
        names = " and ".join(str(dynamics.found.symbols.u[i]) for i in stuck)
        freely = ", and the constraints leave it free" if rows else ""
        faults.add(
            f"{what} for the motion along {names}, compared at a random state{freely}; that motion is not determined"
        )


def _undetermined(dynamics: Dynamics, rows: Sequence[ConstraintRow]) -> list[int]:
    """The speeds of a motion without inertia that the constraints permit, at a random state; none where there is none.

    M is positive definite on the null space of A where M + A^T A is positive definite.
    """
    n = len(dynamics.kinematics.u)
    entries = dynamics.kinematics.sample([entry for row in dynamics.equations.mass_matrix for entry in row])
    directions = dynamics.kinematics.sample([entry for row in rows for entry in row.jacobian])
    a = np.reshape(directions, (len(rows), n))
    matrix = np.reshape(entries, (n, n)) + a.T @ a
    if not np.isfinite(matrix).all():
        return []
    sizes = np.sqrt(np.abs(np.diagonal(matrix)))
    scaled = matrix / np.outer(sizes, sizes) if sizes.all() else matrix
    values, vectors = np.linalg.eigh(scaled)
    free = np.linalg.norm(vectors[:, np.abs(values) <= PIVOT * np.abs(values).max()], axis=1)
    return np.flatnonzero(free > 0.5 * free.max()).tolist() if free.any() else []
