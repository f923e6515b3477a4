"""The loads on the bodies, decomposed from SymPy's loads and actuators without evaluation.

SymPy's actuators write their forces as expressions of all coordinates between their ends. Here a force along a line is
stored as a length and a law: its generalized force is F dL'/du, with the length L and its rate from the graph.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sympy import Expr
from sympy.physics.mechanics import (
    Force,
    ForceActuator,
    LinearPathway,
    ObstacleSetPathway,
    PathwayBase,
    Torque,
    TorqueActuator,
)
from sympy.physics.mechanics.actuator import ActuatorBase
from sympy.physics.mechanics.loads import LoadBase
from sympy.physics.vector import Point, ReferenceFrame, Vector

from sympact.mechanics.kit.kinematic_tree import KinematicTree
from sympact.mechanics.kit.snapshot import left_unchanged
from sympact.mechanics.read.force_laws import Law, law_of
from sympact.mechanics.shapes.compliant import CompliantContact

__all__ = ["Couple", "Line", "Loads", "Path", "read_load", "split_loads"]


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """A force along the straight lines through two or more points."""

    points: tuple[Point, ...]
    law: Law
    actuator: ForceActuator

    @property
    def name(self) -> str:
        """For messages."""
        return f"the actuator between '{self.points[0].name}' and '{self.points[-1].name}'"


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """A force along a pathway that is no straight line, with the loads that it exerts.

    Attributes
    ----------
    pathway : PathwayBase
    law : Law
    force : Expr
        Positive pushes the ends apart (N).
    length : Expr or None
        Of the pathway (m); None where SymPy has no expression of it.
    loads : tuple
        They are among the applied loads, too.
    actuator : ForceActuator
    """

    pathway: PathwayBase
    law: Law
    force: Expr
    length: Expr | None
    loads: tuple[LoadBase, ...]
    actuator: ForceActuator

    @property
    def name(self) -> str:
        """For messages."""
        start, end = (point.name for point in (self.pathway.attachments[0], self.pathway.attachments[-1]))
        return f"the actuator between '{start}' and '{end}'"


@dataclass(frozen=True, slots=True, eq=False)
class Couple:
    """A torque on one frame and its opposite on another."""

    target: ReferenceFrame
    reaction: ReferenceFrame
    torque: Vector
    actuator: TorqueActuator

    @property
    def name(self) -> str:
        """For messages."""
        return f"the torque actuator between '{self.target.name}' and '{self.reaction.name}'"


@dataclass(frozen=True, slots=True, eq=False)
class Loads:
    """All loads: forces and torques, forces along lines, pairs of torques, the pathways of some of the forces, and
    compliant contacts."""

    applied: tuple[LoadBase, ...]
    lines: tuple[Line, ...]
    couples: tuple[Couple, ...]
    paths: tuple[Path, ...] = ()
    compliant: tuple[CompliantContact, ...] = ()

    @property
    def along_paths(self) -> frozenset[int]:
        """The identities of the applied loads that pathways exert."""
        return frozenset(id(load) for path in self.paths for load in path.loads)

    def points(self) -> list[Point]:
        """The points on which forces act."""
        applied = [load.location for load in self.applied if isinstance(load, Force)]
        of_contacts = [point for one in self.compliant for part in one.parts() for point in part.points]
        return applied + [point for line in self.lines for point in line.points] + of_contacts


def read_load(load: object) -> LoadBase | None:
    """A force or torque from SymPy's own object or from a pair (point or frame, vector); None for anything else."""
    match load:
        case LoadBase():
            return load
        case (Point() as point, Vector() as vector):
            return Force(point, vector)
        case (ReferenceFrame() as frame, Vector() as vector):
            return Torque(frame, vector)
    return None


def split_loads(loads: Iterable[LoadBase], actuators: Iterable[ActuatorBase], kinematic_tree: KinematicTree) -> Loads:
    """Sort loads and actuators by kind.

    The loads of actuators and pathways other than SymPy's straight ones come from their method `to_loads`.

    Raises
    ------
    ValueError
        If that method gives something that is no load.
    """
    applied, lines, paths = list(loads), [], []
    couples: list[Couple] = []
    with left_unchanged(kinematic_tree.orientation, kinematic_tree.position):
        for actuator in actuators:
            if type(actuator) is TorqueActuator:
                _split_torque(actuator, applied, couples)
            elif not isinstance(actuator, ForceActuator) or type(actuator).to_loads is not ForceActuator.to_loads:
                applied += _loads_of(actuator)
            elif type(actuator.pathway) in (LinearPathway, ObstacleSetPathway):
                lines.append(Line(tuple(actuator.pathway.attachments), law_of(actuator), actuator))
            else:
                paths.append(_path(actuator))
                applied += paths[-1].loads
    return Loads(tuple(applied), tuple(lines), tuple(couples), tuple(paths))


def _split_torque(actuator: TorqueActuator, applied: list[LoadBase], couples: list[Couple]) -> None:
    torque = actuator.torque * actuator.axis
    if actuator.reaction_frame is None:
        applied.append(Torque(actuator.target_frame, torque))
    else:
        couples.append(Couple(actuator.target_frame, actuator.reaction_frame, torque, actuator))


def _path(actuator: ForceActuator) -> Path:
    """An actuator along another pathway."""
    return Path(
        actuator.pathway,
        law_of(actuator),
        actuator.force,
        _length_of(actuator.pathway),
        _loads_of(actuator),
        actuator,
    )


def _loads_of(actuator: ActuatorBase) -> tuple[LoadBase, ...]:
    """The forces and torques of an actuator, which may be pairs as everywhere in SymPy."""
    found = []
    for given in actuator.to_loads():
        load = read_load(given)
        if load is None:
            raise ValueError(
                f"to_loads() of {type(actuator).__name__} or its pathway gives {given}; expected Force and Torque, or "
                "pairs of a Point or ReferenceFrame and a Vector"
            )
        found.append(load)
    return tuple(found)


def _length_of(pathway: PathwayBase) -> Expr | None:
    """The length of a pathway; SymPy's wrapping pathways raise these two where they find none."""
    try:
        return pathway.length
    except (NotImplementedError, ValueError):
        return None
