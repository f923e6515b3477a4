"""The functions of a model from which the reactions of its joints and constraints are computed, each made on first
use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from sympy.physics.mechanics.joint import Joint
from sympy.physics.vector import ReferenceFrame

from sympact.graph import Function, Substitution, Tangent, Unreadable, numpy_function, reachable
from sympact.graph.algebra.linear import dot, matvec, plus, scale, transpose
from sympact.graph.nodes.node import Node
from sympact.mechanics.derive.constraint_rows import ConstraintRow
from sympact.mechanics.derive.derivation import Derivation
from sympact.mechanics.derived.derived_model import DerivedModel
from sympact.mechanics.joints.constraint_actions import constraint_actions, restraint_of
from sympact.mechanics.joints.held_part import HeldPart, find_joint, held_part
from sympact.mechanics.joints.power_terms import PowerTerms, power_terms
from sympact.mechanics.joints.wrenches import (
    Multipliers,
    Wrench,
    contact_actions,
    inertia,
    load_actions,
    momentum,
)
from sympact.mechanics.kit.motion import Motion
from sympact.mechanics.read.constraint import Constraint
from sympact.mechanics.read.restraint import Restraint
from sympact.native.cached import cached_property

__all__ = ["JointFunctions", "Powers", "Reaction", "joint_functions_of"]

_STATE = ("t", "x", "p")
_ALONG = ("t", "x", "xdot", "p")
Evaluated = Callable[..., np.ndarray]


@dataclass(frozen=True, eq=False)
class Reaction:
    """The wrench on the child of one joint as functions; six rows each, force and torque.

    Attributes
    ----------
    wrench : callable
        ``f(t, x, xdot, p)``: the forces; ``xdot`` has x', then the multipliers, see `Multipliers`.
    momentum : callable
        ``f(t, x, p)``: the momentum that the joint has to change in an impact, with the sign of the wrench.
    impulse : callable
        ``f(t, x, xdot, p)``: the impulses of contacts and constraints that it has to balance.
    needed : tuple of two frozensets of int
        The entries of p on which the force and the torque depend.
    unknown : tuple of int
        The contacts whose force cannot be attributed to bodies.
    unplaced : tuple of int
        The rows of constraints whose force cannot be.
    uses_potentials : tuple of int
        The bodies of the part with a potential energy, by their place in the survey.
    """

    wrench: Evaluated
    momentum: Evaluated
    impulse: Evaluated
    needed: tuple[frozenset[int], frozenset[int]]
    unknown: tuple[int, ...]
    unplaced: tuple[int, ...]
    uses_potentials: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Powers:
    """The powers of a model as a function.

    Attributes
    ----------
    terms : PowerTerms
    values : callable
        ``f(t, x, xdot, p)``: one power for each name (W); ``xdot`` has x', then the multipliers, see `Multipliers`.
    uses_motion : bool
        Whether they depend on x' or on the multipliers of constraints.
    """

    terms: PowerTerms
    values: Evaluated
    uses_motion: bool


def joint_functions_of(model: DerivedModel, inputs: Substitution | None = None) -> JointFunctions:
    """Those of a model, the same at each call.

    Parameters
    ----------
    model : DerivedModel
        With its inputs given, where `inputs` replaces them.
    inputs : Substitution, optional
        Replaces the inputs by what they are given as.
    """
    return model.made(JointFunctions, inputs)


class JointFunctions:
    """The functions of one model.

    Parameters
    ----------
    model : DerivedModel
    inputs : Substitution, optional
        See `joint_functions_of`.
    """

    def __init__(self, model: DerivedModel, inputs: Substitution | None) -> None:
        self.derivation: Derivation = model.derivation
        self._description, self._lock, self._inputs = model.description, model._lock, inputs
        self._gains = model.formulation.gains
        derivation = model.derivation
        potentials = len(derivation.survey.potentials)
        self._multipliers = Multipliers(derivation.graph, len(derivation.x), len(derivation.contacts), potentials)
        self._frozen = derivation.freeze.finished()
        self._reactions: dict[tuple[Joint, ReferenceFrame], Reaction] = {}
        self._exerted: dict[tuple[Constraint, ReferenceFrame], Evaluated] = {}
        self._powers: Powers | None = None

    def joint(self, wanted: object) -> Joint:
        """A joint of the model, from itself or its name; raises as `find_joint`."""
        return find_joint(self._description, wanted)

    def reaction(self, joint: Joint, frame: ReferenceFrame | None) -> Reaction:
        """The reaction of a joint with components in a frame, by default the inertial frame N.

        Raises
        ------
        ValueError
            If it is not known which bodies the joint holds, the frame is not of the model, or a load contains a symbol
            that the equations of motion do not have.
        TypeError
            If the frame is none.
        """
        frame = self._frame(frame)
        with self._lock:
            if (joint, frame) not in self._reactions:
                try:
                    self._reactions[joint, frame] = self._derive(joint, frame)
                except Unreadable as error:
                    names = ", ".join(map(str, error.parts))
                    raise ValueError(
                        f"the force in the joint '{joint.name}' depends on {names}, which is no symbol of the "
                        "equations of motion: it belongs to a body or load that the coordinates do not move; put a "
                        "number in its place"
                    ) from None
            return self._reactions[joint, frame]

    @property
    def before_reactions(self) -> int:
        """The entries of ``xdot`` before the multipliers of constraints."""
        given = self._multipliers
        return given.n_states + 4 * given.n_contacts + 3 * given.n_potentials

    @cached_property
    def motion(self) -> Evaluated:
        """q', M row by row, f, W_N^T row by row, dv/du of each contact row by row, A row by row, and v of A u' = v:
        ``f(t, x, p)``."""
        derivation = self.derivation
        zeros = [derivation.graph.zero] * len(derivation.symbols.u)
        nodes = [*derivation.rates, *(entry for row in derivation.equations.mass_matrix for entry in row)]
        nodes += derivation.equations.forcing
        nodes += [entry for gap in derivation.gaps for entry in gap.jacobian]
        for gap in derivation.gaps:
            nodes += [entry for row in (gap.slip.jacobian if gap.slip else [zeros] * 3) for entry in row]
        nodes += [entry for row in derivation.constraints for entry in row.jacobian]
        nodes += [self._wanted(row) for row in derivation.constraints]
        with self._lock:
            return numpy_function(derivation.graph, Function("motion", tuple(derivation.running(nodes)), _STATE))

    def _wanted(self, row: ConstraintRow) -> Node:
        """v = -(A' u + a'), less the terms with which the formulation of the run returns a violation to zero."""
        graph, (rate_gain, position_gain) = self.derivation.graph, self._gains
        total = graph.add(row.bias, graph.mul(graph.const(rate_gain), row.rate))
        if row.position is not None:
            total = graph.add(total, graph.mul(graph.const(position_gain), row.position))
        return graph.neg(total)

    @cached_property
    def restraints(self) -> tuple[Restraint | None, ...]:
        """The restraint of each row of the constraints; None for expressions."""
        constraints = {constraint.name: constraint for constraint in self._description.constraints}
        kinematics = self.derivation.kinematics
        with self._lock:
            return tuple(restraint_of(kinematics, constraints[row.name], row) for row in self.derivation.constraints)

    def exerted(self, constraint: Constraint, frame: ReferenceFrame | None) -> Evaluated:
        """The force of a constraint on its end Q and the torque on that side, six rows: ``f(t, x, xdot, p)``.

        Raises
        ------
        ValueError
            If the constraint does not say where it acts, or the frame is not of the model.
        TypeError
            If the frame is none.
        """
        frame, restraints = self._frame(frame), self.restraints
        own = [k for k, row in enumerate(self.derivation.constraints) if row.name == constraint.name]
        if any(restraints[k] is None for k in own):
            raise ValueError(
                f"{constraint.title} does not say at which points it acts, so that it has multipliers, and no force "
                "at a point; write it as a closure between points, such as BallClosure(P, Q) or RodClosure(P, Q, l)"
            )
        with self._lock:
            if (constraint, frame) not in self._exerted:
                graph, motion = self.derivation.graph, Motion(self.derivation.kinematics)
                total = [graph.zero] * 6
                for k in own:
                    one = restraints[k]
                    assert one is not None
                    unit = [*one.force(motion).nodes, *one.torque(motion).nodes]
                    total = plus(graph, total, scale(graph, self._multipliers.reaction(k), unit))
                turned = transpose(self.derivation.kinematics.rotation(frame))
                nodes = [*matvec(graph, turned, total[:3]), *matvec(graph, turned, total[3:])]
                function = Function("exerted", tuple(self._running(nodes)), _ALONG)
                self._exerted[constraint, frame] = numpy_function(graph, function)
            return self._exerted[constraint, frame]

    @cached_property
    def potentials(self) -> Evaluated:
        """For each potential energy its generalized forces, then dr'/du of the mass centre row by row."""
        derivation, kinematics = self.derivation, self.derivation.kinematics
        graph = derivation.graph
        with self._lock:
            by_speed = kinematics.partials(kinematics.rates)
            nodes: list[Node] = []
            for body in derivation.survey.potentials:
                energy = kinematics.read(body.potential_energy)
                slopes = [graph.neg(Tangent(graph, {q: graph.one})(energy)) for q in kinematics.q]
                nodes += [dot(graph, column, slopes) for column in by_speed]
                columns = kinematics.partials(kinematics.velocity(body.masscenter))
                nodes += [column[i] for i in range(3) for column in columns]
            return numpy_function(graph, Function("potentials", tuple(self._running(nodes)), _STATE))

    def powers(self, derivation: Derivation) -> Powers:
        """The powers along a motion; `derivation` is that of the model whose inputs are not given."""
        with self._lock:
            if self._powers is None:
                terms = power_terms(derivation, self._multipliers)
                nodes = self._running(terms.powers)
                first, last = self._multipliers.n_states, self._multipliers.n_states + 4 * self._multipliers.n_contacts
                others = self._entries(nodes, "xdot").difference(range(first, last))
                function = numpy_function(self.derivation.graph, Function("powers", tuple(nodes), _ALONG))
                self._powers = Powers(terms, function, bool(others))
            return self._powers

    def _derive(self, joint: Joint, frame: ReferenceFrame) -> Reaction:
        derivation, kinematics, description = self.derivation, self.derivation.kinematics, self._description
        part = held_part(description, kinematics.kinematic_tree, joint)
        unplaced: list[int] = []
        acting, moving, pushed = (Wrench(kinematics, part, joint.child_point) for _ in range(3))
        inertia(acting, kinematics, description.bodies)
        load_actions(acting, derivation, description, self._multipliers)
        unknown = contact_actions(acting, derivation, description.joints, self._multipliers)
        momentum(moving, kinematics, description.bodies)
        contact_actions(pushed, derivation, description.joints, self._multipliers)
        for wrench in (acting, pushed):
            unplaced = constraint_actions(
                wrench, derivation, self.restraints, joint, description.joints, self._multipliers
            )
        nodes = [self._on_child(part, frame, wrench) for wrench in (acting, moving, pushed)]
        forces, momenta, impulses = (
            numpy_function(derivation.graph, Function("reaction", tuple(rows), arguments))
            for rows, arguments in zip(nodes, (_ALONG, _STATE, _ALONG), strict=True)
        )
        bodies = derivation.survey.potentials
        return Reaction(
            forces,
            momenta,
            impulses,
            (
                self._entries([node for rows in nodes for node in rows[:3]]),
                self._entries([node for rows in nodes for node in rows[3:]]),
            ),
            tuple(unknown),
            tuple(unplaced),
            tuple(k for k, body in enumerate(bodies) if part.has_point(body.masscenter)),
        )

    def _entries(self, nodes: Sequence[Node], of: str = "p") -> frozenset[int]:
        """The entries of p, or of another input, on which some nodes depend."""
        graph = self.derivation.graph
        met = (graph.args[node] for node in reachable(graph, nodes) if graph.ops[node] == "input")
        return frozenset(place for array, place in met if array == of)

    def _on_child(self, part: HeldPart, frame: ReferenceFrame, wrench: Wrench) -> list[Node]:
        """The wrench of the joint on its child that balances a sum of actions, components in a frame."""
        graph, turned = self.derivation.graph, transpose(self.derivation.kinematics.rotation(frame))
        nodes = [*matvec(graph, turned, wrench.force), *matvec(graph, turned, wrench.torque)]
        return self._running([graph.neg(node) if part.sign > 0 else node for node in nodes])

    def _running(self, nodes: Sequence[Node]) -> list[Node]:
        """Nodes as a run evaluates them: with its inputs, and its conditions replaced by the switches."""
        given = nodes if self._inputs is None else [self._inputs(node) for node in nodes]
        return self.derivation.freeze.extended([self._frozen(node) for node in given])

    def _frame(self, frame: ReferenceFrame | None) -> ReferenceFrame:
        tree = self.derivation.kinematics.kinematic_tree
        if frame is None:
            return tree.frame
        if not isinstance(frame, ReferenceFrame):
            raise TypeError(f"frame is {frame!r}, expected a sympy ReferenceFrame of the model")
        if frame not in tree.orientation:
            raise ValueError(
                f"the frame '{frame.name}' has no orientation relative to '{tree.frame.name}' in this model; orient it "
                "before the model is made"
            )
        return frame
