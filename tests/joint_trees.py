"""Random trees of bodies on joints, and the wrenches in their joints by a recursion of their own.

The recursion is that of Luh, Walker and Paul (1980), in the components of the ground: velocities and accelerations from
the root to the tips, forces and moments back to the root. It has its own rotations and uses no SymPy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import sympy as sm
from sympy.physics.mechanics import (
    CylindricalJoint,
    Force,
    LinearDamper,
    LinearPathway,
    LinearSpring,
    PinJoint,
    PrismaticJoint,
    RigidBody,
    System,
    TorqueActuator,
    WeldJoint,
    inertia,
)

GRAVITY = np.array([0.3, -9.81, 0.7])
KINDS = ("pin", "slide", "cylinder", "weld")
FREEDOMS = {"pin": 1, "slide": 1, "cylinder": 2, "weld": 0}


@dataclass(frozen=True)
class Link:
    """A body on a joint.

    `parent` is the index of the body that carries it, -1 the ground; `axis` a unit vector in the parent; `seat` the
    joint in the parent and `foot` in the child, from the mass centres; `inertia` (3, 3) in the child; `push` a force in
    N at `spot` of the child; `torque` of an actuator about the axis, between parent and child.
    """

    kind: str
    parent: int
    axis: np.ndarray
    seat: np.ndarray
    foot: np.ndarray
    mass: float
    inertia: np.ndarray
    push: np.ndarray
    spot: np.ndarray
    torque: float


@dataclass(frozen=True)
class Spring:
    """A spring with a damper from the spot of one link to that of another, -1 the ground's origin."""

    ends: tuple[int, int]
    stiffness: float
    damping: float
    length: float


@dataclass(frozen=True)
class Tree:
    """Links in an order in which parents come first."""

    links: tuple[Link, ...]
    springs: tuple[Spring, ...]

    @property
    def freedoms(self) -> int:
        return sum(FREEDOMS[link.kind] for link in self.links)


def random_tree(seed: int, n: int, *, chain: bool = False) -> Tree:
    """A tree of n links with random joints, loads, and a spring."""
    rng = np.random.default_rng(seed)
    links = []
    for i in range(n):
        kind = "pin" if i == 0 else KINDS[rng.integers(4)]
        axis = rng.normal(size=3)
        half = rng.uniform(0.1, 0.4, size=3)
        moments = np.array([half[1] ** 2 + half[2] ** 2, half[0] ** 2 + half[2] ** 2, half[0] ** 2 + half[1] ** 2])
        turn = rotation(np.array([0.6, 0.0, 0.8]), rng.uniform(0.0, 3.0))
        mass = rng.uniform(0.5, 2.0)
        links.append(
            Link(
                kind,
                i - 1 if chain else int(rng.integers(-1, i)),
                axis / np.linalg.norm(axis),
                *rng.uniform(-0.5, 0.5, size=(2, 3)),
                mass,
                turn @ np.diag(mass / 3.0 * moments) @ turn.T,
                *rng.uniform(-1.0, 1.0, size=(2, 3)),
                rng.uniform(-1.0, 1.0) if kind == "pin" else 0.0,
            )
        )
    ends = tuple(int(end) for end in rng.choice(np.arange(-1, n), size=2, replace=False))
    return Tree(tuple(links), (Spring(ends, *rng.uniform(1.0, 5.0, size=2), rng.uniform(0.1, 0.5)),))


def system_of(tree: Tree) -> System:
    """The tree in SymPy, with joints called j0, j1, ..."""
    ground = RigidBody("ground")
    bodies, joints, spots = [], [], [ground.masscenter]
    system = System.from_newtonian(ground)
    for i, link in enumerate(tree.links):
        parent = ground if link.parent < 0 else bodies[link.parent]
        body = RigidBody(f"b{i}", mass=link.mass)
        m = link.inertia
        body.central_inertia = inertia(body.frame, m[0, 0], m[1, 1], m[2, 2], m[0, 1], m[1, 2], m[0, 2])
        places = {"parent_point": vector(link.seat, parent.frame), "child_point": vector(link.foot, body.frame)}
        axis = {} if link.kind == "weld" else {"joint_axis": vector(link.axis, parent.frame)}
        joint = _JOINTS[link.kind](f"j{i}", parent, body, **places, **axis)
        spots.append(body.masscenter.locatenew(f"s{i}", vector(link.spot, body.frame)))
        system.add_joints(joint)
        system.add_loads(Force(spots[-1], vector(link.push, ground.frame)))
        if link.torque:
            system.add_actuators(TorqueActuator(sm.Float(link.torque), axis["joint_axis"], body.frame, parent.frame))
        bodies.append(body)
        joints.append(joint)
    for spring in tree.springs:
        pathway = LinearPathway(*(spots[end + 1] for end in spring.ends))
        system.add_actuators(
            LinearSpring(spring.stiffness, pathway, spring.length), LinearDamper(spring.damping, pathway)
        )
    system.apply_uniform_gravity(vector(GRAVITY, ground.frame))
    return system


_JOINTS = {"pin": PinJoint, "slide": PrismaticJoint, "cylinder": CylindricalJoint, "weld": WeldJoint}


@dataclass
class _State:
    """Orientation, angular velocity and acceleration of a body, motion of its mass centre, place of its foot."""

    R: np.ndarray
    w: np.ndarray
    alpha: np.ndarray
    c: np.ndarray
    v: np.ndarray
    a: np.ndarray
    foot: np.ndarray


def states_of(tree: Tree, q: np.ndarray, u: np.ndarray, up: np.ndarray) -> list[_State]:
    """The motion of the bodies, the ground first."""
    zero = np.zeros(3)
    states = [_State(np.eye(3), zero, zero, zero, zero, zero, zero)]
    k = 0
    for link in tree.links:
        n = FREEDOMS[link.kind]
        states.append(_moved(link, states[link.parent + 1], q[k : k + n], u[k : k + n], up[k : k + n]))
        k += n
    return states


def joint_wrenches(
    tree: Tree,
    q: np.ndarray,
    u: np.ndarray,
    up: np.ndarray,
    further: Sequence[tuple[int, np.ndarray, np.ndarray, np.ndarray]] = (),
) -> np.ndarray:
    """Force and torque on the child of each joint about the joint, shape (n, 6), for accelerations u'.

    `further` are loads on bodies: the index of the link, a point in it, force and torque in N.
    """
    states = states_of(tree, q, u, up)
    forces, moments = _loads(tree, states)
    for i, place, force, torque in further:
        forces[i + 1] += force
        moments[i + 1] += torque + np.cross(states[i + 1].R @ place, force)
    found = np.zeros((len(tree.links), 6))
    for i in reversed(range(len(tree.links))):
        link, state = tree.links[i], states[i + 1]
        tensor = state.R @ link.inertia @ state.R.T
        force = link.mass * (state.a - GRAVITY) - forces[i + 1]
        torque = tensor @ state.alpha + np.cross(state.w, tensor @ state.w) - moments[i + 1]
        torque += np.cross(state.c - state.foot, force)
        for child in (j for j, other in enumerate(tree.links) if other.parent == i):
            force = force + found[child, :3]
            torque = torque + found[child, 3:] + np.cross(states[child + 1].foot - state.foot, found[child, :3])
        found[i] = [*force, *torque]
    return found


def _moved(link: Link, above: _State, q: np.ndarray, u: np.ndarray, up: np.ndarray) -> _State:
    axis = above.R @ link.axis
    turn = (q[0], u[0], up[0]) if link.kind in ("pin", "cylinder") else (0.0, 0.0, 0.0)
    slide = (q[-1], u[-1], up[-1]) if link.kind in ("slide", "cylinder") else (0.0, 0.0, 0.0)
    R = rotation(axis, turn[0]) @ above.R
    w = above.w + axis * turn[1]
    alpha = above.alpha + axis * turn[2] + np.cross(above.w, axis * turn[1])
    d = above.R @ link.seat + axis * slide[0]
    foot = above.c + d
    v = above.v + np.cross(above.w, d) + axis * slide[1]
    a = above.a + np.cross(above.alpha, d) + np.cross(above.w, np.cross(above.w, d))
    a = a + axis * slide[2] + 2.0 * np.cross(above.w, axis * slide[1])
    back = -R @ link.foot
    centre = foot + back
    return _State(
        R, w, alpha, centre, v + np.cross(w, back), a + np.cross(alpha, back) + np.cross(w, np.cross(w, back)), foot
    )


def _loads(tree: Tree, states: list[_State]) -> tuple[np.ndarray, np.ndarray]:
    """Forces on the bodies, without gravity, and their moments about the mass centres; the ground first."""
    forces, moments = np.zeros((2, len(states), 3))

    def push(i: int, arm: np.ndarray, force: np.ndarray) -> None:
        forces[i] += force
        moments[i] += np.cross(arm, force)

    arms = [np.zeros(3), *(state.R @ link.spot for link, state in zip(tree.links, states[1:], strict=True))]
    for i, link in enumerate(tree.links, start=1):
        push(i, arms[i], link.push)
        torque = link.torque * (states[link.parent + 1].R @ link.axis)
        moments[i] += torque
        moments[link.parent + 1] -= torque
    for spring in tree.springs:
        one, other = (end + 1 for end in spring.ends)
        places = [states[i].c + arms[i] for i in (one, other)]
        speeds = [states[i].v + np.cross(states[i].w, arms[i]) for i in (one, other)]
        away, rate = places[1] - places[0], speeds[1] - speeds[0]
        length = np.linalg.norm(away)
        pull = -spring.stiffness * (length - spring.length) - spring.damping * (away @ rate) / length
        push(other, arms[other], pull * away / length)
        push(one, arms[one], -pull * away / length)
    return forces, moments


def rotation(axis: np.ndarray, angle: float) -> np.ndarray:
    """The rotation about a unit vector, by Rodrigues' formula."""
    x, y, z = axis
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * K @ K


def vector(components: np.ndarray, frame):
    """A SymPy vector of numbers."""
    return sum((sm.Float(float(c), 17) * axis for c, axis in zip(components, frame, strict=True)), start=0 * frame.x)
