"""The powers of all that feeds or takes energy along a motion: loads without a potential, friction, prescribed motions.

With the velocities v = J u + v_0 of the points on which forces F act, and v_0 those at u = 0, the energy changes as

    (T + V)' = sum F . v + sum lambda_T . gamma_T + P_0

where the sums are those of the loads without a potential and of the contacts with friction. P_0 is the power with which
bodies, surfaces and ends of springs are moved as functions of time, and inputs in a potential are changed:

    P_0 = sum (m a . v_0 + (I omega)' . omega_0) - sum F . v_0 - lambda . w - kappa . a + (V' - dV/dq . (q' - q'_0))

It is zero where nothing is prescribed. The last bracket is left to a difference of V and a quadrature, since the rates
of numbers in V need not be known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from sympact.graph import Substitution, Tangent, reachable
from sympact.graph.algebra.linear import cross, dot, matvec, minus, plus
from sympact.graph.nodes.node import Node
from sympact.mechanics.derive.derivation import Derivation
from sympact.mechanics.derive.dynamics import kinetic_energy
from sympact.mechanics.derive.joint_forces import (
    load_pull,
    potential_of_force,
    potential_of_line,
    potential_of_path,
)
from sympact.mechanics.joints.wrenches import Multipliers
from sympact.mechanics.kit.body_terms import Body, read_body
from sympact.mechanics.kit.kinematics import Kinematics
from sympact.mechanics.read.compliant_forces import compliant_force
from sympact.mechanics.read.line_forces import line_pulls
from sympact.mechanics.read.loads import Loads

__all__ = ["PRESCRIBED", "PowerTerms", "power_terms"]

PRESCRIBED = "prescribed motion"
"""The name of the work of all that moves or changes as a function of time."""

Pull = tuple[Sequence[Node], Sequence[Node]]
"""A velocity and the force on what has it, or an angular velocity and the torque; components in N."""


@dataclass(frozen=True, slots=True, eq=False)
class PowerTerms:
    """The powers (W) as nodes.

    Attributes
    ----------
    names : tuple of str
        Of what does work, each once; the prescribed motion last.
    sources : tuple of object
        The user's load, actuator or contact of each; None for the prescribed motion.
    powers : tuple of node
        One for each name.
    changes_potential : bool
        Whether the potential energy depends on more than the coordinates: then its change is part of the work of the
        prescribed motion.
    unknown : str
        Why the work is unknown, with the cure; empty where it is known.
    """

    names: tuple[str, ...]
    sources: tuple[object, ...]
    powers: tuple[Node, ...]
    changes_potential: bool
    unknown: str = ""


@dataclass(frozen=True, slots=True)
class _Element:
    """A load that has no potential."""

    name: str
    source: object
    pulls: tuple[Pull, ...]


def power_terms(derivation: Derivation, multipliers: Multipliers) -> PowerTerms:
    """The powers of a model, whose inputs need not be given.

    Parameters
    ----------
    derivation : Derivation
    multipliers : Multipliers
        The forces of contacts and constraints.
    """
    graph, kinematics = derivation.graph, derivation.kinematics
    still = Substitution(graph, dict.fromkeys(kinematics.u, graph.zero))
    elements = list(_elements(kinematics, derivation.survey.loads))
    slips = {k: gap.slip for k, gap in enumerate(derivation.gaps) if gap.slip}
    names = [element.name for element in elements] + [derivation.contacts[k].name for k in slips]
    sources = [element.source for element in elements] + [derivation.contacts[k] for k in slips]
    pulls = [pull for element in elements for pull in element.pulls]
    powers = [graph.sum(dot(graph, *pull) for pull in element.pulls) for element in elements]
    powers += [dot(graph, multipliers.friction(k), slip.velocity) for k, slip in slips.items()]
    changes, stored = _stored(derivation, still)
    driven, unknown = _driven(derivation, still)
    rest = [driven, stored, *(graph.neg(dot(graph, [*map(still, v)], force)) for v, force in pulls)]
    rest += [graph.neg(node) for node in _through_contacts(derivation, multipliers, still)]
    total = graph.sum(rest)
    if total != graph.zero or changes:
        names, sources, powers = [*names, PRESCRIBED], [*sources, None], [*powers, total]
    return PowerTerms(tuple(_told_apart(names)), tuple(sources), tuple(powers), changes, unknown)


def _elements(kinematics: Kinematics, loads: Loads) -> Iterator[_Element]:
    """The loads without a potential, with what they act on."""
    graph, along_paths = kinematics.graph, loads.along_paths
    for load in loads.applied:
        if id(load) not in along_paths and potential_of_force(kinematics, load) is None:
            yield _Element(f"the load on '{load.location.name}'", load, (load_pull(kinematics, load),))
    for couple in loads.couples:
        spin = kinematics.relative_spin(couple.target, couple.reaction)
        yield _Element(couple.name, couple.actuator, ((spin, kinematics.vector(couple.torque)),))
    for line in loads.lines:
        if potential_of_line(kinematics, line) in (None, graph.zero):
            yield _Element(line.name, line.actuator, tuple(line_pulls(kinematics, line)))
    for contact in loads.compliant:
        found = compliant_force(kinematics, contact)
        yield _Element(contact.name, contact, (([found.rate], [graph.sub(found.force, found.elastic)]),))
    for path in loads.paths:
        if potential_of_path(kinematics, path) in (None, graph.zero):
            acting = [load for load in loads.applied if any(load is one for one in path.loads)]
            yield _Element(path.name, path.actuator, tuple(load_pull(kinematics, load) for load in acting))


def _stored(derivation: Derivation, still: Callable[[Node], Node]) -> tuple[bool, Node]:
    """Whether V depends on more than the coordinates, and then the power -dV/dq . (q' - q'_0) of its forces."""
    graph, kinematics, energy = derivation.graph, derivation.kinematics, derivation.potential.energy
    if energy is None:
        return False, graph.zero
    drifts = [still(rate) for rate in kinematics.rates]
    if not (_changes(derivation, energy) or any(node != graph.zero for node in drifts)):
        return False, graph.zero
    moving = minus(graph, kinematics.rates, drifts)
    slopes = [Tangent(graph, {q: graph.one})(energy) for q in kinematics.q]
    return True, graph.neg(dot(graph, slopes, moving))


def _driven(derivation: Derivation, still: Callable[[Node], Node]) -> tuple[Node, str]:
    """The power of the inertia of bodies in their prescribed motion, and why it is unknown."""
    graph, kinematics = derivation.graph, derivation.kinematics
    bodies = [read_body(kinematics, body, ())[0] for body in derivation.survey.bodies]
    if derivation.kinetic_energy == kinetic_energy(kinematics, bodies):
        return graph.sum(_inertial(kinematics, body, still) for body in bodies), ""
    if _changes(derivation, derivation.kinetic_energy):
        return graph.zero, (
            "the kinetic energy in the Lagrangian depends on the time or on inputs, and it is not that of the bodies; "
            "give the LagrangesMethod all of its bodies= and its frame="
        )
    return graph.zero, ""


def _inertial(kinematics: Kinematics, body: Body, still: Callable[[Node], Node]) -> Node:
    """m a . v_0 + (I omega)' . omega_0."""
    graph, velocity = kinematics.graph, kinematics.velocity(body.centre)
    carried = [*map(still, velocity)]
    power = graph.zero
    if any(node != graph.zero for node in carried):
        acceleration = [kinematics.flow(node) for node in velocity]
        power = graph.mul(body.mass, dot(graph, acceleration, carried))
    if body.frame is None:
        return power
    spin = kinematics.spin_in_body(body.frame)
    carried = [*map(still, spin)]
    if all(node == graph.zero for node in carried):
        return power
    turning = matvec(graph, body.inertia, [kinematics.flow(node) for node in spin])
    turning = plus(graph, turning, cross(graph, spin, matvec(graph, body.inertia, spin)))
    return graph.add(power, dot(graph, turning, carried))


def _through_contacts(
    derivation: Derivation, multipliers: Multipliers, still: Callable[[Node], Node]
) -> Iterator[Node]:
    """lambda_N w_N and lambda_T . w_T of contacts, kappa a of constraints."""
    graph = derivation.graph
    for k, gap in enumerate(derivation.gaps):
        yield graph.mul(multipliers.normal(k), gap.drift)
        if gap.slip:
            yield dot(graph, multipliers.friction(k), [*map(still, gap.slip.velocity)])
    for k, row in enumerate(derivation.constraints):
        yield graph.mul(multipliers.reaction(k), row.drift)


def _changes(derivation: Derivation, node: Node) -> bool:
    """Whether a node depends on the time or on inputs."""
    letters, symbols = derivation.symbols.nodes(derivation.graph), derivation.symbols
    given = {letters[symbols.time], *(letters[letter] for letter in symbols.inputs)}
    return not given.isdisjoint(reachable(derivation.graph, [node]))


def _told_apart(names: Sequence[str]) -> list[str]:
    """The names, with a number behind the second and later ones of the same name."""
    met: dict[str, int] = {}
    found = []
    for name in names:
        met[name] = met.get(name, 0) + 1
        found.append(name if met[name] == 1 else f"{name} ({met[name]})")
    return found
