"""Generalized forces of loads, and the potential energy where one is known."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sympy import S, sympify
from sympy.physics.mechanics import Force
from sympy.physics.mechanics.body_base import BodyBase
from sympy.physics.mechanics.loads import LoadBase
from sympy.physics.vector import Point, ReferenceFrame

from sympact.graph import FromSympy, Tangent
from sympact.graph.algebra.linear import dot
from sympact.graph.nodes.node import Node
from sympact.mechanics.kit.kinematic_tree import chain
from sympact.mechanics.kit.kinematics import Kinematics
from sympact.mechanics.kit.sampling import Sample
from sympact.mechanics.kit.symbols import is_constant, leaves
from sympact.mechanics.read.compliant_forces import compliant_force
from sympact.mechanics.read.line_forces import line_lengths, line_pulls
from sympact.mechanics.read.loads import Line, Loads, Path

__all__ = [
    "Potential",
    "generalized_forces",
    "load_pull",
    "path_signs",
    "potential_energy",
    "potential_of_force",
    "potential_of_line",
    "potential_of_path",
]


@dataclass(frozen=True, slots=True)
class Potential:
    """The potential energy of the loads that have one.

    Attributes
    ----------
    energy : node or None
        J, up to a constant; None where it is unknown which terms of the equations have a potential.
    unknown : tuple of str
        These terms; empty where the energy is known.
    """

    energy: Node | None
    unknown: tuple[str, ...]


def generalized_forces(
    kinematics: Kinematics, applied: Iterable[LoadBase], loads: Loads, potentials: Iterable[BodyBase]
) -> list[Node]:
    """The sum over loads of force times partial velocity, one node for each speed.

    Parameters
    ----------
    kinematics : Kinematics
    applied : iterable
        The forces and torques to include; the others of `loads` are terms of the bodies.
    loads : Loads
        Its forces along lines, pairs of torques and compliant contacts are included.
    potentials : iterable of SymPy body
        Bodies whose potential energy V acts with -dV/dq . dq'/du.
    """
    graph = kinematics.graph
    total = [graph.zero] * len(kinematics.u)

    def add(velocity: Sequence[Node], force: Sequence[Node]) -> None:
        for j, column in enumerate(kinematics.partials(velocity)):
            total[j] = graph.add(total[j], dot(graph, column, force))

    for load in applied:
        add(*load_pull(kinematics, load))
    for couple in loads.couples:
        add(kinematics.relative_spin(couple.target, couple.reaction), kinematics.vector(couple.torque))
    for line in loads.lines:
        for velocity, force in line_pulls(kinematics, line):
            add(velocity, force)
    for contact in loads.compliant:
        found = compliant_force(kinematics, contact)
        add([found.rate], [found.force])
    for body in potentials:
        energy = kinematics.read(body.potential_energy)
        add(kinematics.rates, [graph.neg(Tangent(graph, {q: graph.one})(energy)) for q in kinematics.q])
    return total


def load_pull(kinematics: Kinematics, load: LoadBase) -> tuple[list[Node], list[Node]]:
    """The velocity of the point of a force, and the force; the angular velocity of the frame of a torque, and it."""
    motion = kinematics.velocity if isinstance(load, Force) else kinematics.spin
    return motion(load.location), kinematics.vector(load.vector)


def potential_energy(kinematics: Kinematics, loads: Loads, potentials: Iterable[BodyBase]) -> Potential:
    """V of forces that are constant in N, of springs, and of the bodies' own potential energies; others do work."""
    graph, along_paths = kinematics.graph, loads.along_paths
    energies = [kinematics.read(body.potential_energy) for body in potentials]
    applied = (load for load in loads.applied if id(load) not in along_paths)
    found = [potential_of_force(kinematics, load) for load in applied]
    found += [potential_of_line(kinematics, line) for line in loads.lines]
    found += [potential_of_path(kinematics, path) for path in loads.paths]
    for contact in loads.compliant:
        found.append(compliant_force(kinematics, contact).energy)
    return Potential(graph.sum([*energies, *(energy for energy in found if energy is not None)]), ())


def potential_of_line(kinematics: Kinematics, line: Line) -> Node | None:
    """V of the force along a line; zero where it dissipates, None where it is given."""
    length = kinematics.graph.sum(line_lengths(kinematics, [line]))
    return line.law.potential(kinematics.graph, kinematics.read, length)


def potential_of_path(kinematics: Kinematics, path: Path) -> Node | None:
    """V of the force along a pathway, -V where its loads are reversed; None where they do not fit its length."""
    graph, read = kinematics.graph, _path_reader(kinematics, path)
    energy = path.law.potential(graph, read, read(path.length or S.Zero))
    if energy is None or energy == graph.zero:
        return energy
    match path_signs(kinematics, path):
        case (1, 1):
            return energy
        case (-1, -1):
            return graph.neg(energy)
    return None


def path_signs(kinematics: Kinematics, path: Path) -> tuple[int, int]:
    """The ratio of the power of a pathway's loads to F L', at a random state and with opposite coordinates.

    1 where a positive force pushes the ends apart, -1 where it pulls them together, 0 where the loads do not fit the
    length, or nothing is known of it.
    """
    if path.length is None:
        return 0, 0
    graph = kinematics.graph
    power = graph.sum(dot(graph, *load_pull(kinematics, load)) for load in path.loads)
    stretching = graph.mul(kinematics.read(path.force), kinematics.drift(_path_reader(kinematics, path)(path.length)))
    opposite = dict(zip(kinematics.q, (-value for value in kinematics.sample(kinematics.q)), strict=True))
    here, there = (_sign_of(sample, power, stretching) for sample in (kinematics.sample, Sample(graph, opposite)))
    return here, there


def _path_reader(kinematics: Kinematics, path: Path) -> FromSympy:
    """The reader of a pathway's length and law, in which parameters that cancel in its loads count as 1.

    A slack length in both the length and the free length of a spring is one of these.
    """
    given = [path.length or S.Zero, *path.law.scalars()]
    cancelled = [leaf for scalar in given for leaf in leaves(sympify(scalar)) if leaf not in kinematics.letters]
    return kinematics.reader(dict.fromkeys(cancelled, kinematics.graph.one))


def _sign_of(sample: Sample, power: Node, stretching: Node) -> int:
    """1 or -1 where two numbers agree up to this sign, else 0."""
    if not all(map(math.isfinite, sample([power, stretching]))):
        return 0
    negative = sample.graph.neg(stretching)
    signs = [sign for sign, other in ((1, stretching), (-1, negative)) if sample.close([power], [other])]
    return signs[0] if len(signs) == 1 else 0


def potential_of_force(kinematics: Kinematics, load: LoadBase) -> Node | None:
    """-r . F of a force F that is constant in N, at the position r; None for other loads."""
    constant = isinstance(load, Force) and _frame_of_constant(load) is kinematics.kinematic_tree.frame
    if not (constant and _followed(kinematics, load.location)):
        return None
    graph, position = kinematics.graph, kinematics.position(load.location)
    return graph.neg(dot(graph, position, kinematics.vector(load.vector)))


def _followed(kinematics: Kinematics, point: Point) -> bool:
    """Whether the position of a point is measured from a fixed point and changes at the point's velocity."""
    path = chain(kinematics.kinematic_tree.position, point)
    kinematics.velocity(point)
    at_rest = all(node == kinematics.graph.zero for node in kinematics.velocity(path[0]))
    return at_rest and kinematics.overruled.isdisjoint(path)


def _frame_of_constant(load: LoadBase) -> ReferenceFrame | None:
    """The frame in which the vector of a load is constant, None when there is none."""
    frames = [frame for _, frame in load.vector.args]
    constant = all(is_constant(component) for components, _ in load.vector.args for component in components)
    return frames[0] if constant and len(frames) == 1 else None
