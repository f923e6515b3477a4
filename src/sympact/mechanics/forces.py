"""Generalized forces of loads, and the potential energy where one is known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sympy.physics.mechanics import Force
from sympy.physics.mechanics.body_base import BodyBase
from sympy.physics.mechanics.loads import LoadBase
from sympy.physics.vector import Point, ReferenceFrame

from sympact.graph import Tangent
from sympact.graph.linear import dot, minus
from sympact.mechanics.kinematics import Kinematics
from sympact.mechanics.loads import Line, Loads
from sympact.mechanics.skeleton import chain
from sympact.mechanics.symbols import is_constant

__all__ = ["Potential", "generalized_forces", "potential_energy"]


@dataclass(frozen=True, slots=True)
class Potential:
    """The potential energy of all loads.

    Attributes
    ----------
    energy : node or None
        J, up to a constant; None when a load has no potential that is known.
    unknown : tuple of str
        The loads that have none.
    """

    energy: int | None
    unknown: tuple[str, ...]


def generalized_forces(
    kinematics: Kinematics, applied: Iterable[LoadBase], loads: Loads, potentials: Iterable[BodyBase]
) -> list[int]:
    """The sum over loads of force times partial velocity, one node for each speed.

    Parameters
    ----------
    kinematics : Kinematics
    applied : iterable
        The forces and torques to count; the others of `loads` are left to the bodies.
    loads : Loads
        Whose forces along lines and pairs of torques count.
    potentials : iterable of SymPy body
        Bodies whose potential energy V acts with -dV/dq . dq'/du.
    """
    graph = kinematics.graph
    total = [graph.zero] * len(kinematics.u)

    def add(velocity: Sequence[int], force: Sequence[int]) -> None:
        for j, column in enumerate(kinematics.partials(velocity)):
            total[j] = graph.add(total[j], dot(graph, column, force))

    for load in applied:
        motion = kinematics.velocity if isinstance(load, Force) else kinematics.spin
        add(motion(load.location), kinematics.vector(load.vector))
    for couple in loads.couples:
        add(kinematics.relative_spin(couple.target, couple.reaction), kinematics.vector(couple.torque))
    for line in loads.lines:
        for velocity, force in _pulls(kinematics, line):
            add(velocity, force)
    for body in potentials:
        energy = kinematics.read(body.potential_energy)
        add(kinematics.rates, [graph.neg(Tangent(graph, {q: graph.one})(energy)) for q in kinematics.q])
    return total


def potential_energy(kinematics: Kinematics, loads: Loads, potentials: Iterable[BodyBase]) -> Potential:
    """V of forces that are constant in N, of springs, and of the bodies' own potential energies."""
    graph, inertial = kinematics.graph, kinematics.skeleton.frame
    energies, unknown = [kinematics.read(body.potential_energy) for body in potentials], []
    for load in loads.applied:
        constant = isinstance(load, Force) and _frame_of_constant(load) is inertial
        if constant and _followed(kinematics, load.location):
            position = kinematics.position(load.location)
            energies.append(graph.neg(dot(graph, position, kinematics.vector(load.vector))))
        else:
            unknown.append(f"the load on '{load.location.name}'")
    unknown += [couple.name for couple in loads.couples]
    for line in loads.lines:
        length, _ = _lengths(kinematics, line)
        energy = line.law.potential(graph, kinematics.read, length)
        if energy is None:
            unknown.append(line.name)
        else:
            energies.append(energy)
    return Potential(None if unknown else graph.sum(energies), tuple(unknown))


def _followed(kinematics: Kinematics, point: Point) -> bool:
    """Whether the position of a point is measured from one at rest, and changes at the point's velocity."""
    path = chain(kinematics.skeleton.position, point)
    kinematics.velocity(point)
    at_rest = all(node == kinematics.graph.zero for node in kinematics.velocity(path[0]))
    return at_rest and kinematics.overruled.isdisjoint(path)


def _frame_of_constant(load: LoadBase) -> ReferenceFrame | None:
    """The one frame in which the vector of a load is constant, None when there is none."""
    frames = [frame for _, frame in load.vector.args]
    constant = all(is_constant(component) for components, _ in load.vector.args for component in components)
    return frames[0] if constant and len(frames) == 1 else None


def _lengths(kinematics: Kinematics, line: Line) -> tuple[int, list[tuple[list[int], list[int], int]]]:
    """The length of a line, and for each straight part its vector, the rate of that, and its length."""
    graph, parts = kinematics.graph, []
    for start, end in zip(line.points[:-1], line.points[1:], strict=True):
        away = kinematics.position_between(start, end)
        rate = minus(graph, kinematics.velocity(end), kinematics.velocity(start))
        parts.append((away, rate, graph.call("sqrt", dot(graph, away, away))))
    return graph.sum(length for _, _, length in parts), parts


def _pulls(kinematics: Kinematics, line: Line) -> list[tuple[list[int], list[int]]]:
    """For each straight part the relative velocity of its ends, and the force on its far end."""
    graph = kinematics.graph
    length, parts = _lengths(kinematics, line)
    rate = graph.sum(graph.div(dot(graph, away, slope), part) for away, slope, part in parts)
    pulls = []
    for away, slope, part in parts:
        density = line.law.density(graph, kinematics.read, length, rate, part)
        pulls.append((slope, [graph.mul(density, node) for node in away]))
    return pulls
