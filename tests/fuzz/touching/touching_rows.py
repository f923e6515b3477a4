"""Gaps, normals, slips and pushes of a heap's contacts, from the places of its bodies, at many times at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzz.touching.heap import FLOOR, Block, Heap, Round, Stick, Touch

UP, ACROSS = np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True)
class Poses:
    """Places (k, n, 3) and angles (k, n) of n bodies at k times."""

    place: np.ndarray
    angle: np.ndarray

    @classmethod
    def of(cls, heap: Heap, q: np.ndarray) -> Poses:
        """Those of coordinates (k, n_q)."""
        parts = q.reshape(len(q), len(heap.parts), -1)
        if heap.space:
            return cls(parts[..., :3], np.zeros(parts.shape[:2]))
        return cls(parts[..., :2] @ np.eye(2, 3), parts[..., 2])

    def at(self, body: int, local) -> np.ndarray:
        """Where a place of a body is (k, 3), or places (m, 2) are (k, m, 3)."""
        local = np.asarray(local)
        c, s = np.cos(self.angle[:, body]), np.sin(self.angle[:, body])
        turn = np.stack([np.stack([c, s], -1), np.stack([-s, c], -1)], 1)  # rows: the body's own x and y
        moved = local @ turn if local.ndim == 2 else (local[np.newaxis, np.newaxis] @ turn)[:, 0]
        centre = self.place[:, body, np.newaxis] if local.ndim == 2 else self.place[:, body]
        return centre + moved @ np.eye(2, 3)


@dataclass(frozen=True)
class Twists:
    """Velocities of the centres and angular velocities, both (k, n, 3)."""

    v: np.ndarray
    omega: np.ndarray

    @classmethod
    def of(cls, heap: Heap, u: np.ndarray) -> Twists:
        """Those of speeds (k, n_u)."""
        parts = u.reshape(len(u), len(heap.parts), -1)
        if heap.space:
            return cls(parts[..., :3], parts[..., 3:])
        return cls(parts[..., :2] @ np.eye(2, 3), parts[..., 2:] * ACROSS)


@dataclass(frozen=True)
class Place:
    """One contact at k times: gap (k,), the normal from the surface to the body and the place of touch (k, 3)."""

    touch: Touch
    gap: np.ndarray
    normal: np.ndarray
    where: np.ndarray

    def arms(self, poses: Poses):
        """Body, sign and lever arm (k, 3) of what the contact pushes."""
        yield self.touch.body, 1.0, self.where - poses.place[:, self.touch.body]
        if self.touch.other != FLOOR:
            yield self.touch.other, -1.0, self.where - poses.place[:, self.touch.other]

    def velocity(self, poses: Poses, twists: Twists) -> np.ndarray:
        """The velocity of the body's material beside that of the surface's (k, 3)."""
        return sum(
            sign * (twists.v[:, body] + np.cross(twists.omega[:, body], arm)) for body, sign, arm in self.arms(poses)
        )

    def push(self, heap: Heap, poses: Poses, force: np.ndarray) -> np.ndarray:
        """The generalised forces (k, n_u) of a force on the body (k, 3) and the opposite one on the surface."""
        width = len(heap.speeds) // len(heap.parts)
        out = np.zeros((len(force), len(heap.parts), width))
        for body, sign, arm in self.arms(poses):
            moment = np.cross(arm, force)
            both = [force, moment] if heap.space else [force[:, :2], moment[:, 2:]]
            out[:, body] += sign * np.concatenate(both, axis=1)
        return out.reshape(len(force), -1)


def touching(heap: Heap, touch: Touch, poses: Poses) -> Place:
    """A contact at all times of the poses."""
    part = heap.parts[touch.body]
    centre = poses.place[:, touch.body] if isinstance(part, Round) else poses.at(touch.body, touch.place)
    if touch.other == FLOOR:
        height, normal = centre[:, 1], np.broadcast_to(UP, centre.shape)
    else:
        height, normal = _SURFACES[type(heap.parts[touch.other])](heap.parts[touch.other], touch.other, poses, centre)
    return Place(touch, height - touch.radius, normal, centre - height[:, np.newaxis] * normal)


def rows(heap: Heap, touches, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of some contacts at one state q (n,): gaps (k,), rows of gap rates (k, n), of slips (k, d, n).

    There is one tangent in the plane (d = 1), to the left of the normal, and there are two in space.
    """
    poses, n = Poses.of(heap, q[np.newaxis]), len(heap.speeds)
    gap, N, T = [], [], []
    for touch in touches:
        place = touching(heap, touch, poses)
        gap.append(place.gap[0])
        N.append(place.push(heap, poses, place.normal)[0])
        T.append([place.push(heap, poses, side)[0] for side in tangents(place.normal, heap.space)])
    d = 2 if heap.space else 1
    return np.array(gap), np.array(N).reshape(-1, n), np.array(T).reshape(-1, d, n)


def tangents(normal: np.ndarray, space: bool) -> list[np.ndarray]:
    """Unit vectors at right angles to normals (k, 3): the one in the plane, or two."""
    if not space:
        return [np.cross(ACROSS, normal)]
    least = np.eye(3)[np.abs(normal).argmin(axis=1)]
    first = np.cross(normal, least)
    first /= np.linalg.norm(first, axis=1, keepdims=True)
    return [first, np.cross(normal, first)]


def gaps(heap: Heap, q: np.ndarray) -> np.ndarray:
    """The gaps of all contacts (n_contacts, k)."""
    poses = Poses.of(heap, q)
    return np.array([touching(heap, touch, poses).gap for touch in heap.touches])


def _block(part: Block, body: int, poses: Poses, centre: np.ndarray):
    """The farthest of the edges: its height and normal."""
    corners = poses.at(body, part.corners)
    along = np.roll(corners, -1, axis=1) - corners
    normals = np.cross(along, ACROSS)
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    heights = ((centre[:, np.newaxis] - corners) * normals).sum(axis=-1)
    best = heights.argmax(axis=1)
    k = np.arange(len(centre))
    return heights[k, best], normals[k, best]


def _from(place: np.ndarray, centre: np.ndarray, radius: float):
    away = centre - place
    length = np.linalg.norm(away, axis=-1)
    return length - radius, away / length[:, np.newaxis]


def _round(part: Round, body: int, poses: Poses, centre: np.ndarray):
    return _from(poses.place[:, body], centre, part.radius)


def _stick(part: Stick, body: int, poses: Poses, centre: np.ndarray):
    ends = poses.at(body, ((-part.half, 0.0), (part.half, 0.0)))
    along = (ends[:, 1] - ends[:, 0]) / (2 * part.half)
    reach = np.clip(((centre - ends[:, 0]) * along).sum(axis=-1), 0.0, 2 * part.half)
    return _from(ends[:, 0] + reach[:, np.newaxis] * along, centre, part.radius)


_SURFACES = {Block: _block, Round: _round, Stick: _stick}
