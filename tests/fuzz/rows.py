"""Gaps, normals and slips of a recipe's contacts in numbers, with the rows W^T that take speeds to their rates."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from fuzz.geometry import touching
from fuzz.motion import Motion, State, dots
from fuzz.recipe import Stop, Tie, Touch

ROUGH, FINE = 20, 55
"""Bisections of the nearest place: for a gap, which is flat there, and for what hangs on the place itself."""


def gaps(motion: Motion, t, q: np.ndarray) -> np.ndarray:
    """The gaps of all contacts, shape (n_contacts, ...)."""
    states = motion.states(t, q, np.zeros_like(q))
    shape = np.shape(q)[:-1]
    found = [np.broadcast_to(_gap(motion, contact, q, states, ROUGH)[0], shape) for contact in motion.recipe.contacts]
    return np.array(found).reshape(len(found), *shape)


@dataclass(frozen=True)
class Rows:
    """All k contacts at one state, or with leading axes at many.

    `gap` (k,), `normal` (k, 3). `N` (k, n) and `drift` (k,): the gap rate is N u + drift. `T` (k, 3, n) and `slide`
    (k, 3): the slip is T u + slide, components in the ground, at right angles to the normal. A limit or string has no
    slip, nor has a contact without friction. `arms` (k, n) and `carried` (k,) are the sizes of the velocities of the
    two bodies whose difference the rows and what is added are: of these the difference has its rounding.
    """

    gap: np.ndarray
    normal: np.ndarray
    N: np.ndarray
    drift: np.ndarray
    T: np.ndarray
    slide: np.ndarray
    arms: np.ndarray
    carried: np.ndarray

    def rates(self, u: np.ndarray) -> np.ndarray:
        """The gap rates (k,)."""
        return np.einsum("...kn,...n->...k", self.N, u) + self.drift

    def slips(self, u: np.ndarray) -> np.ndarray:
        """The slips (k, 3)."""
        return np.einsum("...kin,...n->...ki", self.T, u) + self.slide

    def push(self, normal: np.ndarray, friction: np.ndarray) -> np.ndarray:
        """W Lambda (n,) of normal parts (k,) and friction (k, 3)."""
        return np.einsum("...kn,...k->...n", self.N, normal) + np.einsum("...kin,...ki->...n", self.T, friction)

    def __getitem__(self, place) -> Rows:
        """Those at one of many states."""
        return Rows(*(getattr(self, part.name)[place] for part in fields(self)))


def rows(motion: Motion, t, q: np.ndarray) -> Rows:
    """Gaps and rows at states t (...), q (..., n_q)."""
    q = np.asarray(q, dtype=float)
    states, jacobians = motion.states(t, q, np.zeros_like(q)), motion.jacobians(t, q)
    parts = [_row(motion, contact, q, states, jacobians) for contact in motion.recipe.contacts]
    shape, n, k = q.shape[:-1], motion.n, len(parts)
    ends = [(), (3,), (n,), (), (3, n), (3,), (n,), ()]
    stacked = []
    for j, end in enumerate(ends):
        part = [np.broadcast_to(np.asarray(row[j], dtype=float), (*shape, *end)) for row in parts]
        stacked.append(np.stack(part, axis=len(shape)) if k else np.zeros((*shape, 0, *end)))
    return Rows(*stacked)


def _gap(motion: Motion, contact, q, states: dict[str, State], halvings: int):
    """The gap and, of a touch, the place and normal."""
    if isinstance(contact, Stop):
        value = contact.sign * (q[..., motion.recipe.coordinates.index(contact.coordinate)] - contact.bound)
        return value * (contact.lever or 1.0), None, None
    if isinstance(contact, Tie):
        start, end = states[contact.a].at(contact.place_a), states[contact.b].at(contact.place_b)
        away = end - start
        length = np.sqrt(dots(away, away))
        return contact.length - length, end, -away / length[..., np.newaxis]
    return touching(contact.body, states[contact.body.on], contact.surface, states[contact.surface.on], halvings)


def _row(motion: Motion, contact, q, states, jacobians):
    gap, place, normal = _gap(motion, contact, q, states, FINE)
    none, zero = np.zeros((3, motion.n)), np.zeros(3)
    if isinstance(contact, Stop):
        unit = np.zeros(motion.n)
        unit[motion.recipe.speeds.index("u" + contact.coordinate[1:])] = contact.sign * (contact.lever or 1.0)
        return gap, zero, unit, 0.0, none, zero, np.abs(unit), 0.0
    if isinstance(contact, Tie):
        ends = ((contact.b, place), (contact.a, states[contact.a].at(contact.place_a)))
    else:
        ends = ((contact.body.on, place), (contact.surface.on, place))
    (J, v), (J_other, v_other) = (_material(states[name], jacobians[name], where) for name, where in ends)
    arms = np.linalg.norm(J, axis=-2) + np.linalg.norm(J_other, axis=-2)
    carried = np.linalg.norm(v, axis=-1) + np.linalg.norm(v_other, axis=-1)
    J, v = J - J_other, v - v_other
    N, drift = (normal[..., np.newaxis, :] @ J)[..., 0, :], dots(normal, v)
    if not (isinstance(contact, Touch) and contact.rubs):
        return gap, normal, N, drift, none, zero, arms, carried
    along = normal[..., :, np.newaxis]
    T, slide = J - along * N[..., np.newaxis, :], v - normal * drift[..., np.newaxis]
    return gap, normal, N, drift, T, slide, arms, carried


def _material(state: State, jacobian, where: np.ndarray):
    """The Jacobian of the velocity of a frame's material at a place, and its velocity at u = 0."""
    Jv, Jw = jacobian
    arm = (where - state.place)[..., np.newaxis, :]
    return Jv + np.cross(Jw.swapaxes(-1, -2), arm).swapaxes(-1, -2), state.velocity(where)
