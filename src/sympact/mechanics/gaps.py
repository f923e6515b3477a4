"""Gaps of contacts with the derivatives that impacts and the search for events need."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sympact.graph import Substitution, Tangent
from sympact.mechanics.contact import Contact
from sympact.mechanics.faults import Faults
from sympact.mechanics.kinematics import Kinematics

__all__ = ["Gap", "gaps_of"]


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
    """

    gap: int
    rate: int
    jacobian: tuple[int, ...]
    drift: int
    acceleration: int
    restitution: int


def gaps_of(kinematics: Kinematics, contacts: Iterable[Contact], faults: Faults) -> tuple[Gap, ...]:
    """The gaps in the order of the contacts; surfaces and velocities that do not fit are noted in `faults`."""
    contacts = list(contacts)
    plain = Tangent(kinematics.graph, kinematics.slopes)
    at_rest = Substitution(kinematics.graph, dict.fromkeys(kinematics.u, kinematics.graph.zero))
    gaps = []
    for contact in contacts:
        for point in contact.surface.points():
            if kinematics.skeleton.root(point) is not kinematics.skeleton.root(contact.point):
                faults.add(
                    f"no position connects the point '{contact.point.name}' of the contact '{contact.name}' with the "
                    f"point '{point.name}' of its surface; locate one from the other with set_pos or locatenew"
                )
                return ()
        for sentence in contact.surface.faults(kinematics):
            faults.add(sentence)
        gap = contact.surface.gap(kinematics, contact.point)
        rate = kinematics.drift(gap)
        if not kinematics.sample.close([rate], [plain(gap)]):
            faults.add(_inconsistent(kinematics, contact))
        gaps.append(
            Gap(
                gap=gap,
                rate=rate,
                jacobian=tuple(column[0] for column in kinematics.partials([rate])),
                drift=at_rest(rate),
                acceleration=kinematics.flow(rate),
                restitution=kinematics.read(contact.restitution),
            )
        )
    return tuple(gaps)


def _inconsistent(kinematics: Kinematics, contact: Contact) -> str:
    names = ", ".join(f"'{point.name}'" for point in kinematics.overruled)
    suspects = f"the velocity of {names}" if names else "an angular velocity"
    return (
        f"the gap of the contact '{contact.name}' does not change at the rate that the velocities give (compared at a "
        f"random state), so that impacts could not be found; {suspects} was set to something that does not follow from "
        "the positions, orientations and kinematic differential equations"
    )
