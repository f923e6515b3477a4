"""The rotations of a model by three angles: found by their effect on a frame, with the speeds that belong to them.

Three angles turn a frame by rotations about axes, each perpendicular to the one before: Euler and Cardan angles of all
sequences, fixed in the body or in space, or simple rotations one after the other. Constant rotations may stand before
and after; the formulas are those of `sympact.integrate.charts.attitude`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from random import Random

import numpy as np
from sympy.physics.mechanics import RigidBody
from sympy.physics.vector import ReferenceFrame

from sympact.graph import Function, Tangent, numpy_function, reachable
from sympact.graph.nodes.node import Node
from sympact.integrate.charts.attitude import Attitude, SpeedKind, rotated, spin_of
from sympact.mechanics.derive.derivation import Derivation
from sympact.mechanics.kit.kinematic_tree import chain
from sympact.mechanics.kit.rigid import turns_with
from sympact.mechanics.kit.symbols import leaves
from sympact.native.rounding import EPS, ROUNDINGS, WRITTEN

__all__ = ["Rotation", "joined", "rotations_by_angles"]

_TRIED = 4  # random states at which rotations and speeds are compared
_NOWHERE = np.empty(0, dtype=int)


@dataclass(frozen=True, eq=False)
class Rotation:
    """A frame that three angles turn against its parent, with three speeds of their own.

    Attributes
    ----------
    frame, parent : ReferenceFrame
    attitude : Attitude
        Its places in the state with quaternions are still empty.
    """

    frame: ReferenceFrame
    parent: ReferenceFrame
    attitude: Attitude


def rotations_by_angles(derivation: Derivation) -> Iterator[Rotation]:
    """The frames of a model that three angles turn, where the angles' rates depend on them and three speeds alone."""
    taken: set[int] = set()
    for frame, parent, places in _turned_frames(derivation):
        rotation = _rotation(derivation, frame, parent, places) if taken.isdisjoint(places) else None
        if rotation is not None:
            taken.update(places)
            yield rotation


def joined(derivation: Derivation, rotation: Rotation) -> str:
    """The bodies that move with the frame and turn otherwise, or the moving frame it is turned against; empty if free.

    For bodies in joints angles take as few steps as quaternions, and their equations are as short.
    """
    graph, kinematics = derivation.graph, derivation.kinematics
    tree, speeds = kinematics.kinematic_tree, {graph.input("x", place) for place in rotation.attitude.speeds.tolist()}
    parents = chain(tree.orientation, rotation.parent)[1:]
    if any(leaf in derivation.symbols.q for frame in parents for entry in tree.dcm(frame) for leaf in leaves(entry)):
        return f"the frame '{rotation.parent.name}' above it moves"
    others = []
    for body in derivation.survey.bodies:
        rigid = isinstance(body, RigidBody)
        motion = [*kinematics.velocity(body.masscenter), *(kinematics.spin_in_body(body.frame) if rigid else ())]
        own = rigid and turns_with(tree, body.frame) is turns_with(tree, rotation.frame)
        if not own and not speeds.isdisjoint(_inputs(derivation, motion)):
            others.append(f"'{body.name}'")
    return f"the motion of {', '.join(others)} depends on it" if others else ""


def _turned_frames(derivation: Derivation) -> Iterator[tuple[ReferenceFrame, ReferenceFrame, tuple[int, ...]]]:
    """Frames, each with the frame above the rotations by which exactly three coordinates turn it, and their places."""
    survey, tree = derivation.survey, derivation.kinematics.kinematic_tree
    index = {coordinate: i for i, coordinate in enumerate(derivation.symbols.q)}
    bodies = {body.frame for body in survey.bodies if isinstance(body, RigidBody)}
    for frame in survey.frames:
        places: set[int] = set()
        above, parent = frame, tree.orientation[frame]
        while parent is not None and len(places) < 3 and (above is frame or above not in bodies):
            places |= {index[leaf] for entry in tree.dcm(above) for leaf in leaves(entry) if leaf in index}
            above, parent = parent, tree.orientation[parent]
        if len(places) == 3 and above in tree.spin:
            yield frame, above, tuple(sorted(places))


def _rotation(
    derivation: Derivation, frame: ReferenceFrame, parent: ReferenceFrame, places: tuple[int, ...]
) -> Rotation | None:
    """The rotation of a frame by three coordinates; None where it is of another kind."""
    matrix, rates = _matrix_of(derivation, frame, parent, places), _rates_of(derivation, places)
    found = None if matrix is None else _axes_of(matrix)
    if matrix is None or rates is None or found is None:
        return None
    (order, first, second, offset), (speeds, rate) = found, rates
    canonical = np.stack([second, np.cross(first, second), first], axis=1)
    axes = _tidy(matrix(np.zeros(3))[0].T @ _about(second, offset) @ canonical)
    to_p = _tidy(_left(_quaternion(canonical.T)) @ _right(_quaternion(axes)))
    by_rates, in_frame, in_parent = [], [], []
    for k in range(_TRIED):
        angles = _drawn(k, 0.2, 1.0, 3)
        rows, (_, beta, gamma) = rate(angles)[order], angles[order]
        by_rates.append(rows)
        in_frame.append(axes @ np.array(spin_of(rows, beta + offset, gamma)))
        in_parent.append(matrix(angles)[0] @ in_frame[-1])
    kinds = {SpeedKind.BODY: in_frame, SpeedKind.PARENT: in_parent, SpeedKind.RATES: by_rates}
    for kind, weights in kinds.items():
        if all(_close(one, weights[0]) for one in weights):
            attitude = Attitude(
                angles=np.array(places)[order],
                speeds=len(derivation.symbols.q) + np.array(speeds),
                quaternion=_NOWHERE,
                spin=_NOWHERE,
                to_p=to_p,
                offset=offset,
                axes=axes,
                kind=kind,
                weights=_tidy(weights[0]),
            )
            return Rotation(frame, parent, attitude) if _turns(derivation, frame, parent, attitude) else None
    return None


def _matrix_of(
    derivation: Derivation, frame: ReferenceFrame, parent: ReferenceFrame, places: tuple[int, ...]
) -> Callable[[np.ndarray], np.ndarray] | None:
    """The matrix that turns components in the frame into those in the parent, and its derivatives by the angles.

    A function of the angles, shape (4, 3, 3); None where the rotation depends on anything else.
    """
    graph, kinematics = derivation.graph, derivation.kinematics
    unit = [[graph.one if i == j else graph.zero for i in range(3)] for j in range(3)]
    columns = [kinematics.turn(axis, frame, parent) for axis in unit]
    entries = [columns[j][i] for i in range(3) for j in range(3)]
    angles = [graph.input("x", place) for place in places]
    if not _inputs(derivation, entries) <= set(angles):
        return None
    slopes = [Tangent(graph, {angle: graph.one})(entry) for angle in angles for entry in entries]
    function = _numbers(derivation, (*entries, *slopes))

    def matrix(values: np.ndarray) -> np.ndarray:
        x = np.zeros(len(derivation.x))
        x[list(places)] = values
        return function(x).reshape(4, 3, 3)

    return matrix


def _axes_of(matrix: Callable[[np.ndarray], np.ndarray]) -> tuple[list[int], np.ndarray, np.ndarray, float] | None:
    """The order of the angles, the axes of the first and of the second, and the offset of the second angle.

    A product of rotations is determined by their axes n where all angles are zero, components in the parent:
    exp(n1 a) exp(n2 b) exp(n3 c) times the rotation there. With n3 turned from n1 by k about n2, exp(n3 c) is
    exp(n2 k) exp(n1 c) exp(-n2 k), and k is the offset.
    """
    start, *slopes = matrix(np.zeros(3))
    turns = [slope @ start.T for slope in slopes]
    axes = np.array([[turn[2, 1], turn[0, 2], turn[1, 0]] for turn in turns])
    if not _close(np.linalg.norm(axes, axis=1), np.ones(3)):
        return None
    states = [_drawn(k, -3.0, 3.0, 3) for k in range(_TRIED)]
    for order in map(list, permutations(range(3))):
        first, second, third = axes[order]
        if max(abs(first @ second), abs(second @ third)) > WRITTEN:
            continue
        if all(_close(_in_turn(axes[order], angles[order]) @ start, matrix(angles)[0]) for angles in states):
            return order, first, second, float(np.arctan2(np.cross(second, first) @ third, first @ third))
    return None


def _rates_of(
    derivation: Derivation, places: tuple[int, ...]
) -> tuple[list[int], Callable[[np.ndarray], np.ndarray]] | None:
    """Three speeds by their places in u, and the matrix that gives the rates of the angles from them.

    A function of the angles, shape (3, 3); None where the rates depend on anything but the angles and three speeds.
    """
    graph, n = derivation.graph, len(derivation.symbols.q)
    nodes = tuple(derivation.rates[place] for place in places)
    others = _inputs(derivation, nodes) - {graph.input("x", place) for place in places}
    states = {graph.input("x", n + j): j for j in range(len(derivation.symbols.u))}
    if len(others) != 3 or not others <= set(states):
        return None
    speeds = sorted(states[node] for node in others)
    function = _numbers(derivation, nodes)

    def rates(values: np.ndarray) -> np.ndarray:
        x = np.zeros(len(derivation.x))
        x[list(places)] = values
        columns = []
        for j in speeds:
            x[n + j] = 1.0
            columns.append(function(x))
            x[n + j] = 0.0
        return np.stack(columns, axis=1)

    return speeds, rates


def _turns(derivation: Derivation, frame: ReferenceFrame, parent: ReferenceFrame, attitude: Attitude) -> bool:
    """Whether the frame turns so, and its angular velocity in the model is that of its orientation."""
    graph, kinematics = derivation.graph, derivation.kinematics
    unit = [[graph.one if i == j else graph.zero for i in range(3)] for j in range(3)]
    columns = [node for axis in unit for node in kinematics.turn(axis, frame, kinematics.kinematic_tree.frame)]
    above = [node for axis in unit for node in kinematics.turn(axis, frame, parent)]
    function = _numbers(derivation, (*columns, *above, *kinematics.relative_spin(frame, parent)))
    for k in range(_TRIED):
        x = _drawn(k, 0.2, 1.0, len(derivation.x))
        numbers = function(x)
        quaternion, spin = attitude.inward(x)
        turned = np.array(rotated(quaternion, np.eye(3))).T
        if not (_close(turned.ravel(), numbers[9:18]) and _close(spin @ numbers[:9].reshape(3, 3), numbers[18:])):
            return False
    return True


def _inputs(derivation: Derivation, nodes: Iterable[Node]) -> set[Node]:
    """The inputs on which nodes depend."""
    graph = derivation.graph
    return {node for node in reachable(graph, list(nodes)) if graph.ops[node] == "input"}


def _numbers(derivation: Derivation, nodes: Sequence[Node]) -> Callable[[np.ndarray], np.ndarray]:
    """The values of nodes as a function of the state; time and parameters are some numbers."""
    symbols = derivation.symbols
    function = numpy_function(derivation.graph, Function("numbers", tuple(nodes), ("t", "x", "p")))
    p = _drawn(0, 0.5, 1.5, len(symbols.parameters) + len(symbols.inputs))
    return lambda x: np.array(np.broadcast_to(function(0.5, x, p), (len(nodes),)))


def _drawn(seed: int, low: float, high: float, n: int) -> np.ndarray:
    """Random numbers, the same in every process."""
    draw = Random(seed)
    return np.array([draw.uniform(low, high) for _ in range(n)])


def _about(axis: np.ndarray, angle: float) -> np.ndarray:
    """The matrix of a rotation about a unit axis."""
    x, y, z = axis
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + np.sin(angle) * cross + (1.0 - np.cos(angle)) * cross @ cross


def _in_turn(axes: np.ndarray, angles: np.ndarray) -> np.ndarray:
    """The product of three rotations."""
    one, two, three = map(_about, axes, angles)
    return one @ two @ three


def _quaternion(matrix: np.ndarray) -> np.ndarray:
    """The unit quaternion of a rotation: the eigenvector of the largest eigenvalue of a symmetric matrix."""
    m = matrix
    symmetric = np.array(
        [
            [m[0, 0] + m[1, 1] + m[2, 2], 0.0, 0.0, 0.0],
            [m[2, 1] - m[1, 2], m[0, 0] - m[1, 1] - m[2, 2], 0.0, 0.0],
            [m[0, 2] - m[2, 0], m[0, 1] + m[1, 0], m[1, 1] - m[0, 0] - m[2, 2], 0.0],
            [m[1, 0] - m[0, 1], m[0, 2] + m[2, 0], m[1, 2] + m[2, 1], m[2, 2] - m[0, 0] - m[1, 1]],
        ]
    )
    return np.linalg.eigh(symmetric)[1][:, -1]


def _left(q: np.ndarray) -> np.ndarray:
    """The matrix of the product q times a quaternion."""
    a, b, c, d = q
    return np.array([[a, -b, -c, -d], [b, a, -d, c], [c, d, a, -b], [d, -c, b, a]])


def _right(q: np.ndarray) -> np.ndarray:
    """The matrix of the product of a quaternion and q."""
    a, b, c, d = q
    return np.array([[a, -b, -c, -d], [b, a, d, -c], [c, -d, a, b], [d, c, -b, a]])


def _tidy(matrix: np.ndarray) -> np.ndarray:
    """A matrix with the whole numbers that some entries are but for rounding."""
    whole = np.round(matrix)
    return np.where(np.abs(matrix - whole) <= ROUNDINGS * EPS, whole, matrix)


def _close(left: np.ndarray, right: np.ndarray) -> bool:
    """Whether two arrays agree to rounding."""
    return bool(np.abs(left - right).max() <= WRITTEN * max(1.0, float(np.abs(right).max())))
