"""The same model with unit quaternions and angular velocities in place of angles and their speeds.

The equations of motion in angles are singular at a gimbal lock, and stiff near it; in a quaternion they are regular
everywhere. They are derived as those in angles are, from the same bodies, loads and contacts: only the edge that turns
the frame is another one.

Where anything else contains one of the angles, it cannot be read without them, and the model keeps them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from sympy import Expr, Matrix
from sympy.core.function import Function as Unknown
from sympy.physics.vector import Point, ReferenceFrame, Vector

from sympact.integrate.charts.attitude import SpeedKind
from sympact.integrate.trajectory.chart import Chart
from sympact.mechanics.derive.derivation import Derivation, derive_surveyed
from sympact.mechanics.derive.rotations import Rotation
from sympact.mechanics.kit.faults import Faults
from sympact.mechanics.kit.kinematic_tree import KinematicTree
from sympact.mechanics.kit.symbols import Symbols, leaves
from sympact.mechanics.read.source import Description

__all__ = ["in_quaternions"]


@dataclass(frozen=True, slots=True, eq=False)
class _TurnedTree(KinematicTree):
    """Trees in which the edges of some frames are others than those of the user.

    Attributes
    ----------
    matrices, spins : mapping of ReferenceFrame to Matrix and Vector
        These edges.
    overruled : set of Point
        The points whose velocity is that which was set, not the rate of their position.
    """

    matrices: Mapping[ReferenceFrame, Matrix]
    spins: Mapping[ReferenceFrame, Vector]
    overruled: frozenset[Point]

    def dcm(self, frame: ReferenceFrame) -> Matrix:
        """As of `KinematicTree`."""
        return self.matrices[frame] if frame in self.matrices else KinematicTree.dcm(self, frame)

    def edge_spin(self, frame: ReferenceFrame) -> Vector:
        """As of `KinematicTree`."""
        return self.spins[frame] if frame in self.spins else KinematicTree.edge_spin(self, frame)

    def set_velocity(self, point: Point) -> Vector | None:
        """None also where the one set agrees with the rate of the position: it may be written in angles."""
        derived = self.position[point] is not None and point not in self.overruled
        return None if derived else KinematicTree.set_velocity(self, point)


def in_quaternions(
    derivation: Derivation, description: Description, rotations: Sequence[Rotation]
) -> tuple[Derivation, Chart]:
    """The model with quaternions for some frames, and the chart between the two.

    Raises
    ------
    ValueError
        If anything but these rotations contains one of the angles or their speeds.
    """
    symbols = derivation.symbols
    letters = _letters(symbols, rotations)
    q, u, chart = _replaced(symbols, letters)
    equations = _other_equations(description, symbols, rotations)
    for quaternion, spin in letters.values():
        rates = _quaternion_rates(quaternion, spin)
        equations += [e.diff(symbols.time) - rate for e, rate in zip(quaternion, rates, strict=True)]
    faults = Faults("the model cannot be written in quaternions")
    turned = derive_surveyed(
        replace(description, q=q, u=u, kinematic_equations=tuple(equations), q_dependent=(), u_dependent=()),
        _turned_tree(derivation, letters),
        replace(derivation.survey, symbols=replace(symbols, q=q, u=u)),
        derivation.contacts,
        faults,
    )
    return turned, chart


def _letters(
    symbols: Symbols, rotations: Iterable[Rotation]
) -> dict[Rotation, tuple[tuple[Expr, ...], tuple[Expr, ...]]]:
    """The four coordinates and the three speeds of each rotation; components in the frame keep their names."""
    known = {str(letter).partition("(")[0] for letter in (*symbols.q, *symbols.u, *symbols.parameters, *symbols.inputs)}
    letters = {}
    for rotation in rotations:
        attitude, name, k = rotation.attitude, rotation.frame.name, 1
        while not known.isdisjoint(_names(name)):
            k += 1
            name = f"{rotation.frame.name}_{k}_"
        known.update(_names(name))
        *quaternion, x, y, z = (Unknown(letter, real=True)(symbols.time) for letter in _names(name))
        spin = x, y, z
        if attitude.kind is SpeedKind.BODY and np.array_equal(attitude.weights, np.eye(3)):
            spin = tuple(symbols.u[place - len(symbols.q)] for place in attitude.speeds)
        letters[rotation] = tuple(quaternion), spin
    return letters


def _names(frame: str) -> list[str]:
    """The names of a quaternion and of an angular velocity."""
    return [*(f"e_{frame}{i}" for i in range(4)), *(f"omega_{frame}{i}" for i in (1, 2, 3))]


def _replaced(
    symbols: Symbols, letters: Mapping[Rotation, tuple[tuple[Expr, ...], tuple[Expr, ...]]]
) -> tuple[tuple[Expr, ...], tuple[Expr, ...], Chart]:
    """Coordinates and speeds with quaternions and angular velocities, and the chart."""
    before = (*symbols.q, *symbols.u)
    angles = {place for rotation in letters for place in rotation.attitude.angles.tolist()}
    speeds = {place for rotation in letters for place in rotation.attitude.speeds.tolist()}
    n = len(symbols.q)
    kept = [place for place in range(len(before)) if place not in angles | speeds]
    q = [
        *(before[place] for place in kept if place < n),
        *(e for quaternion, _ in letters.values() for e in quaternion),
    ]
    u = [*(before[place] for place in kept if place >= n), *(w for _, spin in letters.values() for w in spin)]
    index = {id(letter): i for i, letter in enumerate((*q, *u))}
    places = np.array([kept, [index[id(before[place])] for place in kept]], dtype=int).reshape(2, -1)
    attitudes = [
        replace(
            rotation.attitude,
            quaternion=np.array([index[id(e)] for e in quaternion]),
            spin=np.array([index[id(w)] for w in spin]),
        )
        for rotation, (quaternion, spin) in letters.items()
    ]
    return tuple(q), tuple(u), Chart(tuple(attitudes), places)


def _other_equations(description: Description, symbols: Symbols, rotations: Iterable[Rotation]) -> list[Expr]:
    """The kinematic differential equations without those of the angles.

    Raises
    ------
    ValueError
        If an equation contains the rates of angles and of other coordinates.
    """
    rates = symbols.rates()
    turning = {rates[place] for rotation in rotations for place in rotation.attitude.angles.tolist()}
    others = []
    for equation in description.kinematic_equations:
        found = set(leaves(equation)).intersection(rates)
        if not found & turning:
            others.append(equation)
        elif found - turning:
            raise ValueError("a kinematic differential equation couples the rates of angles and of other coordinates")
    return others


def _turned_tree(
    derivation: Derivation, letters: Mapping[Rotation, tuple[tuple[Expr, ...], tuple[Expr, ...]]]
) -> _TurnedTree:
    """The trees with the edges of quaternions."""
    tree = derivation.kinematics.kinematic_tree
    above = {rotation.frame: rotation.parent for rotation in letters}
    return _TurnedTree(
        frame=tree.frame,
        orientation={**tree.orientation, **above},
        spin={**tree.spin, **above},
        position=tree.position,
        matrices={rotation.frame: _matrix(quaternion) for rotation, (quaternion, _) in letters.items()},
        spins={
            rotation.frame: sum((w * axis for w, axis in zip(spin, rotation.frame, strict=True)), start=Vector(0))
            for rotation, (_, spin) in letters.items()
        },
        overruled=frozenset(derivation.kinematics.overruled),
    )


def _matrix(quaternion: Sequence[Expr]) -> Matrix:
    """Components in the parent = this matrix times components in the frame."""
    a, b, c, d = quaternion
    return Matrix(
        [
            [a**2 + b**2 - c**2 - d**2, 2 * (b * c - a * d), 2 * (b * d + a * c)],
            [2 * (b * c + a * d), a**2 - b**2 + c**2 - d**2, 2 * (c * d - a * b)],
            [2 * (b * d - a * c), 2 * (c * d + a * b), a**2 - b**2 - c**2 + d**2],
        ]
    )


def _quaternion_rates(quaternion: Sequence[Expr], spin: Sequence[Expr]) -> list[Expr]:
    """e' = e omega / 2, the product of quaternions."""
    a, b, c, d = quaternion
    x, y, z = spin
    return [
        -(b * x + c * y + d * z) / 2,
        (a * x + c * z - d * y) / 2,
        (a * y + d * x - b * z) / 2,
        (a * z + b * y - c * x) / 2,
    ]
