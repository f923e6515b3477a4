"""The motion of a model as formulas, with which surfaces and shapes are defined."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, TypeVar

from sympy import Expr
from sympy.physics.vector import Point, ReferenceFrame, Vector

from sympact.graph import Bound
from sympact.graph.formula import Scalar, Vector3, number, unknown
from sympact.graph.nodes.node import Node

if TYPE_CHECKING:
    from sympact.mechanics.kit.kinematics import Kinematics

__all__ = ["Branches", "Motion"]

Result = TypeVar("Result")

Branches = dict[tuple[Scalar | float, Scalar | float], tuple[str, str]]
"""Short names for conditions: the relation where the first of two scalars is larger, and where the second is."""


class Motion:
    """Positions and velocities of the model's points, and its scalars, as `Scalar` and `Vector3`.

    Components of vectors are in the inertial frame N unless a method says otherwise.

    Parameters
    ----------
    kinematics : Kinematics
        The nodes are created and stored there.
    """

    def __init__(self, kinematics: Kinematics) -> None:
        self._kinematics = kinematics
        self._graph = kinematics.graph

    @property
    def frame(self) -> ReferenceFrame:
        """The inertial frame N."""
        return self._kinematics.kinematic_tree.frame

    @property
    def zero(self) -> Vector3:
        """The vector of length zero."""
        return Vector3(self._graph, (self._graph.zero,) * 3)

    def number(self, value: float) -> Scalar:
        """A number as a scalar."""
        return number(self._graph, value)

    def unknown(self, index: int) -> Scalar:
        """A placeholder symbol for equations; it has to be replaced before evaluation."""
        return unknown(self._graph, index)

    def read(self, expression: Expr, letters: Mapping[Expr, Scalar] | None = None) -> Scalar:
        """A SymPy expression of the model's symbols and the time, and of further symbols.

        Raises
        ------
        Unreadable
            If it contains a symbol that the model does not have.
        """
        kinematics = self._kinematics
        read = kinematics.read
        if letters:
            read = kinematics.reader({letter: scalar.node for letter, scalar in letters.items()})
        return Scalar(self._graph, read(expression))

    def vector(self, vector: Vector) -> Vector3:
        """A SymPy vector, components in N."""
        return self._made(self._kinematics.vector(vector))

    def vector_in(self, vector: Vector, frame: ReferenceFrame) -> Vector3:
        """A SymPy vector, components in `frame`."""
        return self._made(self._kinematics.vector_in(vector, frame))

    def turn(self, components: Vector3, source: ReferenceFrame, target: ReferenceFrame) -> Vector3:
        """Components in the frame `source` transformed to the frame `target`."""
        return self._made(self._kinematics.turn(list(components.nodes), source, target))

    def position(self, point: Point) -> Vector3:
        """The position of a point from the root of its tree of points."""
        return self._made(self._kinematics.position(point))

    def position_between(self, start: Point, end: Point) -> Vector3:
        """The vector from one point to another."""
        return self._made(self._kinematics.position_between(start, end))

    def position_in(self, start: Point, end: Point, frame: ReferenceFrame) -> Vector3:
        """The vector from one point to another, components in `frame`; short where both are fixed in it."""
        return self._made(self._kinematics.position_in(start, end, frame))

    def velocity(self, point: Point) -> Vector3:
        """The velocity of a point in N."""
        return self._made(self._kinematics.velocity(point))

    def carried(self, point: Point, frame: ReferenceFrame, arm: Vector3) -> Vector3:
        """The velocity of a point fixed in a frame, at the vector `arm` from another point fixed in it."""
        return self.velocity(point) + self._made(self._kinematics.spin(frame)).cross(arm)

    def drift(self, scalar: Scalar) -> Scalar:
        """The time derivative of a scalar of coordinates, time and parameters."""
        return Scalar(self._graph, self._kinematics.drift(scalar.node))

    def drift_seed(self) -> dict[Scalar, Scalar]:
        """The time derivatives of the coordinates and the time, to be used with `derivative`."""
        graph, seed = self._graph, self._kinematics.drift_seed
        return {Scalar(graph, letter): Scalar(graph, slope) for letter, slope in seed.items()}

    def beside(self, point: Point, arm: Vector3, name: str) -> Point:
        """A further point, at the vector `arm` from one of the model; it has a position, but no velocity."""
        return self._kinematics.beside(point, list(arm.nodes), name)

    def once(self, key: Hashable, work: Callable[[], Result]) -> Result:
        """The result of `work`, computed once and stored under a key."""
        return self._kinematics.once(key, work)

    def call(self, numbers: Mapping[str, Scalar]) -> None:
        """Name detached numbers that a search computed in formulas."""
        self._kinematics.call({name: number.node for name, number in numbers.items()})

    def bound(
        self,
        found: Scalar,
        place: Iterable[Scalar],
        radius: Scalar | None,
        ranges: Mapping[Scalar, tuple[float, float]],
        parts: int = 1,
    ) -> None:
        """Declare a scalar that an iteration computes as a minimum, in the terms of `Bound`."""
        letters = {letter.node: reach for letter, reach in ranges.items()}
        nodes, size = tuple(part.node for part in place), None if radius is None else radius.node
        self._kinematics.bounds[found.node] = Bound(nodes, size, letters, parts)

    def note_second(self, gap: Scalar, second: Scalar) -> None:
        """Store, for the gap of a ball, that to the second closest point that was found, in radii."""
        self._kinematics.seconds[gap.node] = second.node

    def sample(self, scalars: Iterable[Scalar]) -> list[float]:
        """The values of scalars at a random state."""
        return self._kinematics.sample([scalar.node for scalar in scalars])

    def _made(self, nodes: Iterable[Node]) -> Vector3:
        return Vector3(self._graph, tuple(nodes))
