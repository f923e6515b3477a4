"""The function phi of a surface phi = 0: its value, gradient and second derivatives at any point."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from sympact.graph.formula import Scalar, Vector3, derivative, substitution

__all__ = ["Field", "Local"]


class Field:
    """phi with its derivatives, at any point.

    Parameters
    ----------
    value : Scalar
        phi of the unknowns.
    letters : sequence of three Scalar
        Unknowns of the graph that represent x, y and z.

    Attributes
    ----------
    axes : tuple of int
        The axes along which phi varies.
    """

    def __init__(self, value: Scalar, letters: Sequence[Scalar]) -> None:
        along = [derivative({letter: 1}) for letter in letters]
        self.graph = value.graph
        self._letters = letters
        self._value = value
        self._slopes = [slope(value) for slope in along]
        self.axes = tuple(i for i in range(3) if self._slopes[i].node != self.graph.zero)
        self._accelerations = {(i, j): along[j](self._slopes[i]) for i in range(3) for j in range(i + 1)}

    def rate_at(self, place: Vector3, seed: Mapping[Scalar, Scalar]) -> Scalar:
        """The derivative of phi at a fixed point, where its other symbols have the derivatives in `seed`."""
        return self._at(place)(derivative(seed)(self._value))

    def heights_at(self, place: Vector3) -> tuple[Scalar, Vector3]:
        """phi and its gradient at a point."""
        put = self._at(place)
        return put(self._value), Vector3.of(*map(put, self._slopes))

    def at(self, place: Vector3) -> Local:
        """phi, its gradient and its Hessian at a point."""
        put = self._at(place)
        accelerations = {key: put(bend) for key, bend in self._accelerations.items()}
        x, y, z = (Vector3.of(*(accelerations[max(i, j), min(i, j)] for j in range(3))) for i in range(3))
        return Local(put(self._value), Vector3.of(*map(put, self._slopes)), (x, y, z))

    def _at(self, place: Vector3) -> Callable[[Scalar], Scalar]:
        return substitution(dict(zip(self._letters, place, strict=True)))


@dataclass(frozen=True, slots=True)
class Local:
    """phi, its gradient and the rows of its Hessian at one point."""

    value: Scalar
    slopes: Vector3
    accelerations: tuple[Vector3, Vector3, Vector3]

    @property
    def steepness(self) -> Scalar:
        """|grad phi|."""
        return self.slopes.norm

    @property
    def normal(self) -> Vector3:
        """grad phi/|grad phi|."""
        return self.slopes.unit

    @property
    def linear(self) -> Scalar:
        """phi/|grad phi|, the distance to first order."""
        return self.value / self.steepness

    def bent(self, direction: Vector3) -> Vector3:
        """The Hessian times a vector."""
        return Vector3.of(*(row.dot(direction) for row in self.accelerations))
