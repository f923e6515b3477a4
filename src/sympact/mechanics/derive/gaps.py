"""Gaps of contacts with the derivatives that impacts and the search for events need."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from sympy import Expr, Max, Symbol, true
from sympy.physics.vector import Point

from sympact.graph import Substitution, Tangent, count
from sympact.graph.nodes.node import Node
from sympact.mechanics.derive.slip import Slip, slip_of
from sympact.mechanics.kit.faults import Faults
from sympact.mechanics.kit.forces import NormalForce
from sympact.mechanics.kit.kinematic_tree import chain
from sympact.mechanics.kit.kinematics import Kinematics
from sympact.mechanics.kit.motion import Motion
from sympact.mechanics.read.compliant_forces import compliant_force
from sympact.mechanics.read.conditions import margin_of
from sympact.mechanics.shapes.compliant import CompliantContact
from sympact.mechanics.shapes.unilateral import Part, Unilateral, approach_speed

__all__ = ["Gap", "connected", "gaps_of", "know_compliant_forces", "overruled", "words_of_velocities"]

_RATE = Symbol("rate")
_APPROACH = Max(-_RATE, 0)
APART = 1.0
"""The gap of an inactive contact (m); any positive number has it left alone."""


@dataclass(frozen=True, slots=True)
class Gap:
    """One contact as nodes.

    Attributes
    ----------
    gap : node
        g_N (m): positive apart, zero touching.
    rate : node
        gamma_N = g_N' (m/s) = W_N^T u + w_N.
    jacobian : tuple of node
        W_N^T = d gamma_N / du, one for each speed.
    drift : node
        w_N (m/s), the rate at u = 0: the motion of the surface.
    acceleration : node
        g_N'' (m/s^2) along the motion, with the derivatives of the state taken from the input ``xdot``.
    restitution : node
        At the approach speed of the state.
    slip : Slip or None
        The tangential motion; None without friction.
    active : tuple of three nodes, optional
        Gap, rate and acceleration as a run searches them, of a contact that is active under a condition alone: where it
        is inactive, those of a gap that is constant, `APART`.
    """

    gap: Node
    rate: Node
    jacobian: tuple[Node, ...]
    drift: Node
    acceleration: Node
    restitution: Node
    slip: Slip | None
    active: tuple[Node, Node, Node] | None = None

    def along_the_flow(self) -> tuple[Node, Node, Node]:
        """g_N, g_N' and g_N'' as a run searches them."""
        return self.active or (self.gap, self.rate, self.acceleration)

    def replaced(
        self,
        at: Callable[[Node], Node],
        *,
        speeds: Sequence[int] | None = None,
        at_impact: Callable[[Node], Node] | None = None,
    ) -> Gap:
        """The gap with `at` of each node.

        Parameters
        ----------
        at : callable
        speeds : sequence of int, optional
            The speeds whose columns remain; by default all of them.
        at_impact : callable, optional
            In the place of `at` for the restitution, which is evaluated at the instant of an impact.
        """
        kept = range(len(self.jacobian)) if speeds is None else speeds
        return Gap(
            gap=at(self.gap),
            rate=at(self.rate),
            jacobian=tuple(at(self.jacobian[i]) for i in kept),
            drift=at(self.drift),
            acceleration=at(self.acceleration),
            restitution=(at_impact or at)(self.restitution),
            slip=None if self.slip is None else self.slip.replaced(at, kept),
            active=None if self.active is None else (at(self.active[0]), at(self.active[1]), at(self.active[2])),
        )


def gaps_of(
    kinematics: Kinematics, contacts: Sequence[Unilateral], discrete: Iterable[Expr], faults: Faults
) -> tuple[Gap, ...]:
    """The gaps in the order of the contacts; inconsistent surfaces and velocities are added to `faults`.

    The rates are derived in two ways, with the angular velocities of frames and by the chain rule alone; the shorter
    set is kept. The two are compared numerically.
    """
    joined = [connected(kinematics, contact.parts(), faults) for contact in contacts]
    if not all(joined):
        return ()
    motion = Motion(kinematics)
    heights = [contact.gap(motion).node for contact in contacts]
    slips = [slip_of(kinematics, contact, faults) for contact in contacts]
    ways = (
        (kinematics.drift, kinematics.flow),
        (Tangent(kinematics.graph, kinematics.drift_seed), Tangent(kinematics.graph, kinematics.flow_seed)),
    )
    sets = [_gaps(kinematics, contacts, heights, slips, *way) for way in ways]
    for contact, first, second in zip(contacts, *sets, strict=True):
        faults.sentences.extend(contact.faults(motion))
        refuse_other_rates(kinematics, contact, (first.rate, second.rate), faults)
    found = min(sets, key=lambda gaps: count(kinematics.graph, [n for gap in gaps for n in gap.along_the_flow()]))
    still = frozenset(discrete)
    return tuple(_active(kinematics, one, gap, still, faults) for one, gap in zip(contacts, found, strict=True))


def refuse_other_rates(kinematics: Kinematics, contact: Unilateral, rates: tuple[Node, Node], faults: Faults) -> None:
    """Add a fault where the gap has other rates by the velocities of points and frames than by the chain rule alone."""
    named = overruled(kinematics, contact.parts())
    if named or not kinematics.sample.close([rates[0]], [rates[1]]):
        faults.add(
            f"the gap of {contact.title} does not change at the rate that the velocities give (compared at a random "
            f"state), so that its impacts would be wrong; {words_of_velocities(named)}"
        )


def know_compliant_forces(kinematics: Kinematics, contacts: Sequence[CompliantContact], faults: Faults) -> None:
    """`NormalForce` of each is its force wherever expressions are read; wrong surfaces are added to the faults."""
    graph, motion = kinematics.graph, Motion(kinematics)
    for contact in contacts:
        if not connected(kinematics, contact.parts(), faults):
            continue
        found, letter = compliant_force(kinematics, contact), NormalForce(contact)
        kinematics.letters[letter] = found.force
        kinematics.read.know(letter, found.force)
        faults.sentences.extend(contact.contact.faults(motion))
        along = Tangent(graph, kinematics.drift_seed)(found.gap)
        refuse_other_rates(kinematics, contact.contact, (found.rate, along), faults)


def _active(kinematics: Kinematics, contact: Unilateral, gap: Gap, discrete: frozenset[Expr], faults: Faults) -> Gap:
    """The gap with its values as a run searches them, where a condition makes the contact active."""
    if contact.active == true:
        return gap
    margin = margin_of(f"active of {contact.title}", contact.active, discrete, faults)
    if margin is None:
        return gap
    graph = kinematics.graph
    acts = graph.less(graph.zero, kinematics.read(margin))
    apart = graph.const(APART), graph.zero, graph.zero
    masked = [graph.select(acts, value, other) for value, other in zip(gap.along_the_flow(), apart, strict=True)]
    return replace(gap, active=(masked[0], masked[1], masked[2]))


def _gaps(
    kinematics: Kinematics,
    contacts: Sequence[Unilateral],
    heights: Sequence[Node],
    slips: Sequence[Slip | None],
    drift: Tangent,
    flow: Tangent,
) -> tuple[Gap, ...]:
    rates = [drift(height) for height in heights]
    jacobian = kinematics.partials(rates)
    at_rest = Substitution(kinematics.graph, dict.fromkeys(kinematics.u, kinematics.graph.zero))
    nearing = [_approach(kinematics, rate) for rate in rates]
    return tuple(
        Gap(
            gap=heights[i],
            rate=rates[i],
            jacobian=tuple(column[i] for column in jacobian),
            drift=at_rest(rates[i]),
            acceleration=flow(rates[i]),
            restitution=kinematics.reader({approach_speed: nearing[i]})(contact.restitution),
            slip=slips[i],
        )
        for i, contact in enumerate(contacts)
    )


def _approach(kinematics: Kinematics, rate: Node) -> Node:
    """The approach speed, max(-gamma_N, 0)."""
    return kinematics.reader({_RATE: rate})(_APPROACH)


def connected(kinematics: Kinematics, parts: Iterable[Part], faults: Faults) -> bool:
    """Whether positions connect all points of a contact or a constraint; if not, a fault is added."""
    root, found = kinematics.kinematic_tree.root, True
    placed = [(part.place, point) for part in parts for point in part.points]
    for place, point in placed[1:]:
        first, head = placed[0]
        if root(point) is not root(head):
            found = False
            faults.add(
                f"no position connects the point '{head.name}' of {first} with the point '{point.name}' of {place}; "
                "locate one from the other with set_pos or locatenew"
            )
    return found


def overruled(kinematics: Kinematics, parts: Iterable[Part]) -> list[Point]:
    """The points on the way to those given whose velocity was set to a value other than the rate of their position."""
    links = []
    for point in (point for part in parts for point in part.points):
        kinematics.velocity(point)
        links += chain(kinematics.kinematic_tree.position, point)
    return [link for link in dict.fromkeys(links) if link in kinematics.overruled]


def words_of_velocities(named: Sequence[Point]) -> str:
    """What was set to a velocity that does not follow from the positions; an angular velocity where no point was."""
    names = ", ".join(f"'{point.name}'" for point in named)
    suspects = f"the velocity of {names}" if names else "an angular velocity"
    return (
        f"{suspects} was set to something that does not follow from the positions, orientations and kinematic "
        "differential equations"
    )
