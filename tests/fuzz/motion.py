"""Kinematics and dynamics of a recipe in NumPy, by recursion along the tree, complex numbers welcome.

All functions take leading axes: t of shape (...), q (..., n_q), u (..., n_u). Velocities are linear in the speeds, so
that their Jacobians come from unit speeds; what remains of the accelerations where u' = 0 comes from a complex step
along the motion. Momentum and moment of momentum of each body then give M u' = f (Newton, Euler, Jourdain).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from fuzz.recipe import Body, Coil, Drag, Mover, Push, Recipe, Spring

STEP = 1e-30
"""The complex step: so small that its square is nothing beside 1."""

X, Y, Z = np.eye(3)


@dataclass(frozen=True)
class State:
    """Pose and velocity of a frame: R (..., 3, 3) from its components to the ground's, place, omega, v (..., 3)."""

    R: np.ndarray
    place: np.ndarray
    omega: np.ndarray
    v: np.ndarray

    def at(self, local) -> np.ndarray:
        """Where a place of the frame is, in the ground."""
        return self.place + turned(self.R, np.asarray(local))

    def velocity(self, where: np.ndarray) -> np.ndarray:
        """The velocity of the frame's material at a place given in the ground."""
        return self.v + np.cross(self.omega, where - self.place)


def turned(R: np.ndarray, vector: np.ndarray) -> np.ndarray:
    """R v with leading axes."""
    return (R @ vector[..., np.newaxis])[..., 0]


def about(axis: int, angle) -> np.ndarray:
    """The rotation about x, y or z (0, 1, 2)."""
    angle = np.asarray(angle)
    c, s = np.cos(angle), np.sin(angle)
    out = np.zeros((*angle.shape, 3, 3), dtype=c.dtype)
    j, k = (axis + 1) % 3, (axis + 2) % 3
    out[..., axis, axis], out[..., j, j], out[..., k, k] = 1.0, c, c
    out[..., j, k], out[..., k, j] = -s, s
    return out


@lru_cache(maxsize=1024)
def rotation(turn: tuple[float, float, float]) -> np.ndarray:
    """The body-fixed rotation "XYZ" by three angles, not to be written to."""
    R = about(0, turn[0]) @ about(1, turn[1]) @ about(2, turn[2])
    R.flags.writeable = False
    return R


def dots(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The scalar products of vectors along the last axis; NumPy's sum of three numbers takes many times as long."""
    products = a * b
    return products[..., 0] + products[..., 1] + products[..., 2]


class Motion:
    """The mechanics of one recipe with a value for g.

    Attributes
    ----------
    n : int
        Of speeds; there are as many coordinates.
    """

    def __init__(self, recipe: Recipe, g: float = 9.81):
        self.recipe, self.g = recipe, g
        self.n = len(recipe.speeds)
        self._places, start = {}, 0
        for body in recipe.bodies:
            self._places[body.name] = slice(start, start + len(body.coordinates))
            start += len(body.coordinates)
        self._turns = {b.name: (rotation(b.parent_turn), rotation(b.child_turn)) for b in recipe.bodies}
        self._inertia = {b.name: _tensor(b.inertia) for b in recipe.bodies}

    def rates(self, q: np.ndarray, u: np.ndarray) -> np.ndarray:
        """q'."""
        out = np.array(np.broadcast_arrays(u, q)[0], dtype=np.result_type(q, u))
        for body in self.recipe.bodies:
            if body.joint == "free" and body.spins:
                part = self._places[body.name]
                out[..., part.start + 3 : part.stop] = _angle_rates(q[..., part][..., 3:], u[..., part][..., 3:])
        return out

    def states(self, t, q: np.ndarray, u: np.ndarray) -> dict[str, State]:
        """Poses and velocities of the ground, the movers and the bodies."""
        t = np.asarray(t)
        zero = np.zeros(3)
        found = {"ground": State(np.eye(3), zero, zero, zero)}
        for mover in self.recipe.movers:
            found[mover.name] = _moved(mover, t)
        for body in self.recipe.bodies:
            part = self._places[body.name]
            found[body.name] = self._joined(body, found[body.parent], q[..., part], u[..., part])
        return found

    def _joined(self, body: Body, parent: State, q: np.ndarray, u: np.ndarray) -> State:
        """A body's state from its parent's, by the definition of the joint."""
        if body.joint == "free":
            return _free(body, q, u)
        A, B = self._turns[body.name]
        frame = parent.R @ A
        turn, omega, shift, drift = _relative(body, q, u)
        R = frame @ turn @ B.T
        hold = parent.at(body.hold)
        arm = turned(frame, shift)
        spin = parent.omega + turned(frame, omega)
        v = parent.velocity(hold) + np.cross(parent.omega, arm) + turned(frame, drift)
        back = turned(R, np.asarray(body.grip))
        return State(R, hold + arm - back, spin, v - np.cross(spin, back))

    def jacobians(self, t, q: np.ndarray) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """(dv/du, domega/du) of each frame's own point, shapes (..., 3, n); none of what the time moves."""
        q = np.asarray(q, dtype=float)
        units = self.states(np.asarray(t)[..., np.newaxis], q[..., np.newaxis, :], np.eye(self.n))
        shape, out = q.shape[:-1], {}
        for name, state in units.items():
            if name.startswith("b"):
                columns = [
                    np.broadcast_to(part, (*shape, self.n, 3)).swapaxes(-1, -2) for part in (state.v, state.omega)
                ]
            else:
                columns = [np.zeros((*shape, 3, self.n))] * 2
            out[name] = tuple(columns)
        return out

    def terms(self, t, q: np.ndarray, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """M (..., n, n) and f (..., n) in M u' = f + W lambda."""
        states, jacobians = self.states(t, q, u), self.jacobians(t, q)
        rates = self.rates(q, u)
        stepped = self.states(np.asarray(t) + 1j * STEP, q + 1j * STEP * rates, u)
        M, f = 0.0, self.applied(t, q, states, jacobians)
        for body in self.recipe.bodies:
            state, (Jv, Jw) = states[body.name], jacobians[body.name]
            tensor = state.R @ self._inertia[body.name] @ state.R.swapaxes(-1, -2)
            bias, spinning = stepped[body.name].v.imag / STEP, stepped[body.name].omega.imag / STEP
            M = M + body.mass * Jv.swapaxes(-1, -2) @ Jv + Jw.swapaxes(-1, -2) @ tensor @ Jw
            whirl = turned(tensor, spinning) + np.cross(state.omega, turned(tensor, state.omega))
            f = f - turned(Jv.swapaxes(-1, -2), body.mass * bias) - turned(Jw.swapaxes(-1, -2), whirl)
        return M, f

    def applied(self, t, q, states, jacobians) -> np.ndarray:
        """The generalised forces of the loads (..., n)."""
        total = np.zeros(self.n)
        for name, where, force, torque in self._forces(np.asarray(t), q, states):
            Jv, Jw = jacobians[name]
            moment = torque + np.cross(where - states[name].place, force)
            total = total + turned(Jv.swapaxes(-1, -2), force) + turned(Jw.swapaxes(-1, -2), moment)
        return total

    def _forces(self, t, q, states):
        """(body, place, force, torque) of all loads on bodies."""
        for body in self.recipe.bodies:
            yield body.name, states[body.name].place, body.mass * self.g * np.asarray(self.recipe.gravity), np.zeros(3)
        for load in self.recipe.loads:
            parts = {Spring: self._spring, Coil: self._coil, Push: self._push, Drag: self._drag}[type(load)]
            yield from (part for part in parts(load, t, q, states) if part[0].startswith("b"))

    def _spring(self, load: Spring, t, q, states):
        a, b = states[load.a], states[load.b]
        start, end = a.at(load.place_a), b.at(load.place_b)
        away = end - start
        length = np.sqrt(dots(away, away))[..., np.newaxis]
        along = away / length
        speed = dots(b.velocity(end) - a.velocity(start), along)[..., np.newaxis]
        force = (-load.stiffness * (length - load.rest) - load.damping * speed) * along
        yield load.b, end, force, np.zeros(3)
        yield load.a, start, -force, np.zeros(3)

    def _coil(self, load: Coil, t, q, states):
        body = next(body for body in self.recipe.bodies if body.name == load.body)
        parent, child = states[body.parent], states[body.name]
        axis = (parent.R @ self._turns[body.name][0])[..., :, 0]
        speed = dots(child.omega - parent.omega, axis)
        torque = -load.stiffness * q[..., self._places[body.name].start] - load.damping * speed
        torque = (torque + load.amplitude * np.sin(load.pace * t))[..., np.newaxis] * axis
        yield body.name, child.place, np.zeros(3), torque
        yield body.parent, parent.place, np.zeros(3), -torque

    def _push(self, load: Push, t, q, states):
        force = np.asarray(load.amount(t))[..., np.newaxis] * np.asarray(load.direction)
        yield load.body, states[load.body].at(load.place), force, np.zeros(3)

    def _drag(self, load: Drag, t, q, states):
        state = states[load.body]
        drive = np.asarray(load.amplitude * np.sin(load.pace * t))[..., np.newaxis]
        torque = drive * turned(state.R, np.asarray(load.axis)) - load.damping * state.omega
        yield load.body, state.place, np.zeros(3), torque


def _tensor(inertia) -> np.ndarray:
    ixx, iyy, izz, ixy, iyz, izx = inertia
    return np.array([[ixx, ixy, izx], [ixy, iyy, iyz], [izx, iyz, izz]])


def _moved(mover: Mover, t) -> State:
    """A mover turns about its own axis z."""
    start, phase, angle = rotation(mover.turn), mover.pace * t, mover.tilt * np.sin(mover.beat * t)
    sway, axis = np.asarray(mover.sway), start[:, 2]
    swing = (mover.tilt * mover.beat * np.cos(mover.beat * t))[..., np.newaxis] * axis
    return State(
        start @ about(2, angle),
        np.asarray(mover.place) + np.sin(phase)[..., np.newaxis] * sway,
        swing,
        mover.pace * np.cos(phase)[..., np.newaxis] * sway,
    )


def _relative(body: Body, q: np.ndarray, u: np.ndarray):
    """What a joint does, in its frame on the parent: the rotation, omega, shift and its rate."""
    one, none = np.ones_like(u[..., :1]), np.zeros(3)
    if body.joint == "weld":
        return np.eye(3), none, none, none
    if body.joint == "pin":
        return about(0, q[..., 0]), u[..., :1] * X, none, none
    if body.joint == "prismatic":
        return np.eye(3), none, q[..., :1] * X, u[..., :1] * X
    if body.joint == "cylindrical":
        return about(0, q[..., 0]), u[..., :1] * X, q[..., 1:2] * X, u[..., 1:2] * X
    if body.joint == "planar":
        shift, drift = (part[..., 1:2] * Y + part[..., 2:3] * Z for part in (q, u))
        return about(0, q[..., 0]), u[..., :1] * X, shift, drift
    turns = [(int(axis) - 1, k) for k, axis in enumerate(body.order)]
    R, omega = np.eye(3), 0.0 * one * X
    for axis, k in reversed(turns) if body.space else turns:
        omega = omega + u[..., k : k + 1] * R[..., :, axis]
        R = R @ about(axis, q[..., k])
    return R, omega, none, none


def _free(body: Body, q: np.ndarray, u: np.ndarray) -> State:
    """A body placed by hand: x, y, z in the ground and the angles of a rotation "XYZ"."""
    R, omega = np.eye(3), 0.0
    for axis in range(3):
        if not body.spins:
            omega = omega + u[..., 3 + axis : 4 + axis] * R[..., :, axis]
        R = R @ about(axis, q[..., 3 + axis])
    return State(R, q[..., :3], turned(R, u[..., 3:]) if body.spins else omega, u[..., :3])


def _angle_rates(angles: np.ndarray, spin: np.ndarray) -> np.ndarray:
    """The rates of three angles "XYZ" from the angular velocity along the body's own axes."""
    b, c = angles[..., 1], angles[..., 2]
    x, y, z = (spin[..., k] for k in range(3))
    first = (x * np.cos(c) - y * np.sin(c)) / np.cos(b)
    return np.stack([first, x * np.sin(c) + y * np.cos(c), z - first * np.sin(b)], axis=-1)
