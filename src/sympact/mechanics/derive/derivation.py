"""From a user's model to the graph: all that a simulation needs, derived once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from sympy import Expr
from sympy.physics.mechanics import ForceActuator
from sympy.physics.vector import Point

from sympact.graph import Bound, Freezer, FromSympy, Graph
from sympact.graph.formula import operand
from sympact.graph.nodes.node import Node
from sympact.integrate.problem.warning import SympactWarning
from sympact.mechanics.derive.branch_conditions import (
    StateJump,
    Switch,
    freezer,
    open_motion,
    state_jumps,
    switches_of,
    watches_of,
)
from sympact.mechanics.derive.constraint_rows import ConstraintRow, constraint_rows, refuse_dependent
from sympact.mechanics.derive.dynamics import Equations
from sympact.mechanics.derive.gaps import Gap, gaps_of, know_compliant_forces
from sympact.mechanics.derive.joint_forces import Potential, path_signs
from sympact.mechanics.derive.lengths import Lengths, lengths_of
from sympact.mechanics.derive.motion_equations import dynamics_of
from sympact.mechanics.kit.faults import Faults
from sympact.mechanics.kit.kinematic_tree import KinematicTree, grow
from sympact.mechanics.kit.kinematics import Kinematics
from sympact.mechanics.kit.motion import Motion
from sympact.mechanics.kit.quaternions import quaternion_groups, unit_values
from sympact.mechanics.kit.rates import coordinate_rates
from sympact.mechanics.kit.rigid import RigidPoints, rigid_points
from sympact.mechanics.kit.sampling import Sample
from sympact.mechanics.kit.symbols import Symbols
from sympact.mechanics.read.compliant_forces import phases
from sympact.mechanics.read.conditions import Condition
from sympact.mechanics.read.loads import Loads, split_loads
from sympact.mechanics.read.source import Description
from sympact.mechanics.read.survey import Survey, survey
from sympact.mechanics.shapes.compliant import PAIR, CompliantContact
from sympact.mechanics.shapes.unilateral import Unilateral
from sympact.native.sentences.warn_user import warn_user

__all__ = ["Derivation", "branches_of", "derive", "derive_surveyed", "kinematics_of", "watching"]


@dataclass(frozen=True, slots=True, eq=False)
class Derivation:
    """A model as nodes of one graph. The state is x = [q, u]; p holds the parameters, the inputs, then the
    switches.

    Attributes
    ----------
    graph : Graph
    symbols : Symbols
        Coordinates, speeds, parameters and inputs, in the order of x and p.
    contacts : tuple of Unilateral
    read : FromSympy
        Turns a scalar expression of the model's symbols (q' included) into a node.
    rates : tuple of node
        q' = S u + b.
    equations : Equations
        M u' = f.
    gaps : tuple of Gap
        One for each contact.
    constraints : tuple of ConstraintRow
        A u + a = 0, the rows of the bilateral constraints.
    kinetic_energy : node
        Of the bodies that the speeds move (J); u M u / 2 where it is unknown.
    without_kinetic : str
        Why the kinetic energy is unknown; empty where it is known.
    potential : Potential
        Of the loads.
    quaternions : tuple of tuples of four int
        Indices in x of the coordinates that must have unit norm.
    rigid_points : RigidPoints
        The points in use, sorted by the body they are fixed in.
    lengths : Lengths
        The lengths from which the model's own length is determined.
    survey : Survey
        The user's objects that the model uses.
    kinematics : Kinematics
        The motion of their frames and points.
    freeze : Freezer
        Writes a node with its conditions replaced by the switches, as a run evaluates it.
    switches : tuple of Switch
        The conditions in the equations of motion and in the gaps, then those that runs watch.
    watches : tuple of Condition
        Those that runs watch, as they are written.
    jumps : tuple of StateJump
        What they cause.
    opened : set of node
        The inputs whose definition the graph does not contain.
    bounds : mapping of node to Bound
        Known bounds of gaps that an iteration computes.
    slots : int
        Entries of p between the symbols and the switches: numbers of the given inputs (`bound`).
    """

    graph: Graph
    symbols: Symbols
    contacts: tuple[Unilateral, ...]
    read: FromSympy
    rates: tuple[Node, ...]
    equations: Equations
    gaps: tuple[Gap, ...]
    constraints: tuple[ConstraintRow, ...]
    kinetic_energy: Node
    without_kinetic: str
    potential: Potential
    quaternions: tuple[tuple[int, int, int, int], ...]
    rigid_points: RigidPoints
    lengths: Lengths
    survey: Survey
    kinematics: Kinematics
    freeze: Freezer
    switches: tuple[Switch, ...]
    opened: frozenset[Node]
    bounds: Mapping[Node, Bound]
    slots: int = 0
    watches: tuple[Condition[Node], ...] = ()
    jumps: tuple[StateJump, ...] = ()

    @property
    def x(self) -> tuple[Expr, ...]:
        """The state, coordinates first."""
        return (*self.symbols.q, *self.symbols.u)

    @property
    def calls_functions(self) -> bool:
        """Whether conditions or jumps of runs are Python functions of the whole state, or of forces."""
        return any(watch.by_values for watch in self.watches) or any(jump.function for jump in self.jumps)

    def running(self, nodes: Sequence[Node]) -> list[Node]:
        """Nodes as a run evaluates them: with their conditions replaced by the switches."""
        different = list(dict.fromkeys(nodes))
        frozen = self.freeze.extended([self.freeze(node) for node in different])
        at = dict(zip(different, frozen, strict=True))
        return [at[node] for node in nodes]

    def nodes(self) -> list[Node]:
        """All that is derived."""
        gaps = [node for gap in self.gaps for node in (gap.gap, gap.rate, *gap.jacobian, gap.drift, gap.acceleration)]
        energies = [self.kinetic_energy] + ([] if self.potential.energy is None else [self.potential.energy])
        gaps += [node for gap in self.gaps for node in gap.active or ()]
        restitutions = [gap.restitution for gap in self.gaps]
        slips = [node for gap in self.gaps if gap.slip for node in gap.slip.nodes()]
        rows = [node for row in self.constraints for node in row.nodes()]
        sizes = self.lengths.nodes
        own = [watch.margin for watch in self.watches] + [node for jump in self.jumps for node in jump.state]
        return [*self.rates, *self.equations.nodes(), *gaps, *restitutions, *slips, *rows, *energies, *sizes, *own]


def derive(description: Description, contacts: Sequence[Unilateral] = ()) -> Derivation:
    """Derive the equations of motion, the gaps and the energies of a model.

    Parameters
    ----------
    description : Description
        What `describe` read.
    contacts : sequence of Unilateral

    Raises
    ------
    ValueError
        With all faults found, one sentence each: first those of the objects and symbols, then those of the equations.

    Examples
    --------
    >>> from sympact.mechanics import describe
    >>> from sympy.physics.mechanics import Particle, PrismaticJoint, RigidBody, System
    >>> ground, ball = RigidBody("ground"), Particle("ball")
    >>> system = System.from_newtonian(ground)
    >>> system.add_joints(PrismaticJoint("z", ground, ball, joint_axis=ground.z))
    >>> derivation = derive(describe(system))
    >>> derivation.symbols.parameters, derivation.equations.mass_matrix == ((derivation.graph.input("p", 0),),)
    ((ball_mass,), True)
    """
    contacts = tuple(contacts)
    faults = Faults("the model cannot be built")
    kinematic_tree, loads = _connect(description, contacts)
    found = survey(description, kinematic_tree, loads, contacts, faults)
    touching = (*contacts, *map(PAIR, description.compliant))
    _refuse_equal_names("contacts", [contact.name for contact in touching], faults)
    _refuse_equal_names("constraints", [constraint.name for constraint in description.constraints], faults)
    faults.throw()
    _warn_of_potentials(found)
    derivation = derive_surveyed(description, kinematic_tree, found, contacts, faults)
    _warn_of_reversed_paths(derivation.kinematics, found)
    return derivation


def kinematics_of(description: Description) -> Kinematics:
    """The motion of the frames and points of a model without contacts.

    Raises
    ------
    ValueError
        With all faults of the objects and symbols.
    """
    faults = Faults("the model cannot be built")
    kinematic_tree, loads = _connect(description, ())
    found = survey(description, kinematic_tree, loads, (), faults)
    faults.throw()
    kinematics, _ = _kinematics(description, kinematic_tree, found, faults)
    faults.throw()
    return kinematics


def derive_surveyed(
    description: Description,
    kinematic_tree: KinematicTree,
    found: Survey,
    contacts: tuple[Unilateral, ...],
    faults: Faults,
) -> Derivation:
    """As `derive`, with the trees of frames and points, and the objects in use."""
    kinematics, quaternions = _kinematics(description, kinematic_tree, found, faults)
    if found.loads.compliant:
        know_compliant_forces(kinematics, found.loads.compliant, faults)
    faults.throw()
    dynamics = dynamics_of(description.principle, kinematics, found, faults)
    gaps = gaps_of(kinematics, contacts, found.symbols.discrete, faults)
    rows = constraint_rows(kinematics, description.constraints, faults)
    refuse_dependent(kinematics, description.constraints, rows, _dependent(description, kinematics, found), faults)
    dynamics.refuse(contacts, gaps, rows, faults)
    faults.throw()
    motion = open_motion(kinematics, found.symbols)
    freeze = freezer(motion, found.symbols)
    points = (*found.points, *_joint_points(description, kinematic_tree))
    rigid = rigid_points(kinematics, points)
    kinetic, touching = dynamics.kinetic(), (*contacts, *map(PAIR, found.loads.compliant))
    derivation = Derivation(
        graph=kinematics.graph,
        symbols=found.symbols,
        contacts=contacts,
        read=kinematics.read,
        rates=tuple(kinematics.rates),
        equations=dynamics.equations,
        gaps=gaps,
        constraints=rows,
        kinetic_energy=kinetic.energy,
        without_kinetic=kinetic.unknown,
        potential=dynamics.potential(),
        quaternions=quaternions,
        rigid_points=rigid,
        lengths=lengths_of(kinematics, found.symbols, touching, rigid, points, _written_gaps(contacts, gaps, rows)),
        survey=found,
        kinematics=kinematics,
        freeze=freeze,
        switches=(),
        opened=motion.opened,
        bounds=kinematics.bounds,
    )
    return watching(derivation, description)


def _written_gaps(contacts: Sequence[Unilateral], gaps: Sequence[Gap], rows: Sequence[ConstraintRow]) -> Iterator[Node]:
    """The gaps of limits, which have no points, and the constraints of positions."""
    yield from (gap.gap for contact, gap in zip(contacts, gaps, strict=True) if not contact.points())
    yield from (row.position for row in rows if row.position is not None)


def watching(derivation: Derivation, description: Description) -> Derivation:
    """The derivation with the conditions in its equations, and with those that runs watch, by its description.

    Raises
    ------
    ValueError
        If a condition or a jump contains a symbol that the model does not have.
    """
    kinematics, symbols, contacts = derivation.kinematics, derivation.symbols, derivation.contacts
    names, rows = [contact.name for contact in contacts], derivation.constraints
    watches = watches_of(kinematics, symbols, description.conditions, names, description.constraints, rows)
    motion = open_motion(kinematics, symbols)
    freeze = freezer(motion, symbols)
    switches = switches_of(
        motion,
        kinematics.flow,
        freeze,
        derivation.equations,
        derivation.gaps,
        branches_of(kinematics, contacts, derivation.survey.loads.compliant),
        kinematics.named,
        rows=derivation.constraints,
        watches=watches,
    )
    made = state_jumps(kinematics, symbols, description.jumps)
    return replace(derivation, freeze=freeze, switches=switches, watches=watches, jumps=made)


def _connect(description: Description, contacts: Sequence[Unilateral]) -> tuple[KinematicTree, Loads]:
    """The trees of frames and points, and the loads; actuators can bring in further points."""
    points = [body.masscenter for body in description.bodies]
    for contact in (*contacts, *map(PAIR, description.compliant)):
        points += contact.points()
    points += [point for one in description.constraints for part in one.parts() for point in part.points]
    for actuator in description.actuators:
        if isinstance(actuator, ForceActuator):
            points += actuator.pathway.attachments
    kinematic_tree = grow(description.frame, description.origin, points)
    loads = split_loads(description.loads, description.actuators, kinematic_tree)
    loads = replace(loads, compliant=description.compliant)
    return grow(description.frame, description.origin, points + loads.points()), loads


def _kinematics(
    description: Description, kinematic_tree: KinematicTree, found: Survey, faults: Faults
) -> tuple[Kinematics, tuple[tuple[int, int, int, int], ...]]:
    graph = Graph()
    quaternions = quaternion_groups(graph, found.symbols, kinematic_tree, found.frames)
    sample = Sample(graph, unit_values(graph, quaternions))
    rates = coordinate_rates(graph, found.symbols, description.kinematic_equations, faults)
    return Kinematics(graph, found.symbols, kinematic_tree, rates, sample), quaternions


def _dependent(description: Description, kinematics: Kinematics, found: Survey) -> dict[str, list[tuple[Expr, Node]]]:
    """The coordinates and speeds that the source calls dependent, with their nodes."""
    nodes = found.symbols.nodes(kinematics.graph)
    return {
        "coordinates": [(letter, nodes[letter]) for letter in description.q_dependent],
        "speeds": [(letter, nodes[letter]) for letter in description.u_dependent],
    }


def branches_of(
    kinematics: Kinematics, contacts: Sequence[Unilateral], compliant: Sequence[CompliantContact] = ()
) -> dict[Node, tuple[str, str]]:
    """Names for the margins of conditions in gaps and in compliant contacts, and for the opposite margins."""
    graph, motion = kinematics.graph, Motion(kinematics)
    named: dict[Node, tuple[str, str]] = {}
    for margin, (positive, negative) in phases(kinematics, compliant) if compliant else ():
        named[margin], named[graph.neg(margin)] = (positive, negative), (negative, positive)
    for contact in (*contacts, *map(PAIR, compliant)):
        for sides, (positive, negative) in contact.branches(motion).items():
            left, right = (operand(graph, side) for side in sides)
            margin, opposite = graph.sub(left, right), graph.sub(right, left)
            named[margin] = positive, negative
            named[opposite] = named[graph.neg(margin)] = negative, positive
    return named


def _joint_points(description: Description, kinematic_tree: KinematicTree) -> list[Point]:
    return [point for point in description.points if point in kinematic_tree.position]


def _refuse_equal_names(kind: str, names: Sequence[str], faults: Faults) -> None:
    for name in dict.fromkeys(names):
        if names.count(name) > 1:
            faults.add(f"{names.count(name)} {kind} are called '{name}'; give each its own name=")


def _warn_of_potentials(found: Survey) -> None:
    names = ", ".join(f"'{body.name}'" for body in found.potentials)
    if names:
        warn_user(
            f"the potential energy of {names} acts as a load here, though SymPy's KanesMethod ignores it; do not add "
            "the same force as a load",
            SympactWarning,
        )


def _warn_of_reversed_paths(kinematics: Kinematics, found: Survey) -> None:
    names = ", ".join(path.name for path in found.loads.paths if -1 in path_signs(kinematics, path))
    if names:
        warn_user(
            f"{names}: the loads of the pathway pull its ends together where the force is positive, as those of "
            "SymPy's WrappingPathway do, so that a spring there pushes when it is stretched and a damper feeds energy; "
            "take the stiffness, the damping or the force with the opposite sign if that is not meant",
            SympactWarning,
        )
