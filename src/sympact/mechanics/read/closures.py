"""Joints that close loops of a mechanism, as holonomic constraints between points, axes and frames.

The position of Q from P has components (m) in a frame of P's side, and the rotation of one side against the other is
restricted by scalar products of unit vectors (1). Each equation changes at the rate of a component of the relative
velocity or, where the joint is closed, of the relative angular velocity: its multiplier is the force or torque of the
joint on the side of Q along that direction.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

from sympy import Expr, eye
from sympy.physics.vector import Point, ReferenceFrame, Vector

from sympact.graph.formula import Scalar
from sympact.mechanics.kit.motion import Motion
from sympact.mechanics.read.constraint import Constraint
from sympact.mechanics.read.restraint import Across, Distance, Parallel, Restraint
from sympact.mechanics.shapes.planes import read_unit_vector
from sympact.mechanics.shapes.side import LEFT_OUT
from sympact.mechanics.shapes.unilateral import Part, read_length, read_name

__all__ = [
    "ALIGNED",
    "BallClosure",
    "Closure",
    "LineClosure",
    "PinClosure",
    "RodClosure",
    "SlideClosure",
    "WeldClosure",
    "aligned",
]

ALIGNED = {"about x": (2, 1), "about y": (0, 2), "about z": (1, 0)}
"""The products of axes that are zero where two frames are parallel, and turn about x, y and z: z.y', x.z' and y.x', as
indices of the axes."""


class Closure(Constraint):
    """A joint between a point P of one body and a point Q of another that are connected by other joints already.

    Attributes
    ----------
    start, end : Point
        P and Q.
    """

    start: Point
    end: Point

    def __post_init__(self) -> None:
        for point in (self.start, self.end):
            if not isinstance(point, Point):
                raise TypeError(f"a {self.kind} joins two sympy Points; found {point!r}")
        if self.start is self.end:
            raise ValueError(f"a {self.kind} joins two points; found '{self.start.name}' twice")
        if self.name is None:
            object.__setattr__(self, "name", f"{self.start.name} to {self.end.name}")
        read_name(self.name, f"a {self.kind}")
        for vector in self.vectors():
            if not isinstance(vector, Vector):
                raise TypeError(f"the axis of {self.title} is a sympy Vector such as A.z; found {vector!r}")
            if len(vector.args) != 1:
                raise ValueError(f"the axis {vector} of {self.title} is written in several frames or zero; use one")
            read_unit_vector(vector, f"the axis of {self.title}")
        for frame in self.frames():
            if not isinstance(frame, ReferenceFrame):
                raise TypeError(f"a frame of {self.title} is {frame!r}, expected a sympy ReferenceFrame such as A")

    def vectors(self) -> tuple[Vector, ...]:
        """The axes."""
        return ()

    def frames(self) -> tuple[ReferenceFrame, ...]:
        """The frames that it uses."""
        return ()

    def scalars(self) -> tuple[Expr, ...]:
        """The lengths."""
        return ()

    @property
    def kept_parallel(self) -> tuple[ReferenceFrame, ReferenceFrame] | None:
        """The frames of P's body and of Q's that it keeps parallel, if any."""
        return None

    def parts(self) -> tuple[Part]:
        """The two points, with axes, frames and lengths."""
        return (Part(self.title, (self.start, self.end), self.vectors(), self.scalars(), self.frames()),)

    def equations(self, motion: Motion) -> dict[str, Scalar]:
        """Those of its restraints."""
        return {name: one.value(motion) for name, one in self.restraints(motion.frame).items()}


@dataclass(frozen=True, eq=False)
class BallClosure(Closure):
    """Two points stay at the same place, such as a ball joint: three equations.

    In a plane mechanism the one out of the plane is zero for all values and is left out: the closure is then a pin.

    Parameters
    ----------
    start, end : Point
        P and Q.
    frame : ReferenceFrame, optional
        The frame of the components; by default the inertial one.
    name : str, optional
        The name in tables and results; by default those of the points.

    Raises
    ------
    TypeError
        If an end is no `Point`, `frame` no `ReferenceFrame`, or `name` no text.
    ValueError
        If the two points are one.

    Examples
    --------
    >>> BallClosure(Point("P"), Point("Q")).title
    "the ball closure 'P to Q'"
    """

    kind: ClassVar[str] = "ball closure"

    start: Point
    end: Point
    _: KW_ONLY
    frame: ReferenceFrame | None = None
    name: str = LEFT_OUT

    def frames(self) -> tuple[ReferenceFrame, ...]:
        """That of the components, where it was given."""
        return () if self.frame is None else (self.frame,)

    def restraints(self, inertial: ReferenceFrame) -> dict[str, Restraint]:
        """The components of the vector from P to Q."""
        return _components(self.start, self.end, self.frame or inertial)


@dataclass(frozen=True, eq=False)
class PinClosure(Closure):
    """Two points stay at the same place and two axes parallel, such as a hinge: five equations.

    Parameters
    ----------
    start, end : Point
        P and Q, on the axis of the pin.
    axis, other : Vector
        The unit vector of the axis as it is fixed in the body of P, and as it is fixed in the body of Q: ``A.z, B.z``.
    name : str, optional
        The name in tables and results; by default those of the points.

    Raises
    ------
    TypeError
        If an end is no `Point`, an axis no `Vector`, or `name` no text.
    ValueError
        If the two points are one, or an axis is no unit vector of one frame.

    Examples
    --------
    >>> A, B = ReferenceFrame("A"), ReferenceFrame("B")
    >>> PinClosure(Point("P"), Point("Q"), A.z, B.z, name="hinge").title
    "the pin closure 'hinge'"
    """

    kind: ClassVar[str] = "pin closure"

    start: Point
    end: Point
    axis: Vector
    other: Vector
    _: KW_ONLY
    name: str = LEFT_OUT

    def vectors(self) -> tuple[Vector, ...]:
        """The axis in both bodies."""
        return self.axis, self.other

    def restraints(self, inertial: ReferenceFrame) -> dict[str, Restraint]:
        """The components of the vector from P to Q, and those of Q's axis across P's."""
        return _components(self.start, self.end, _frame(self.axis)) | _parallel(self.axis, self.other)


@dataclass(frozen=True, eq=False)
class WeldClosure(Closure):
    """Two points stay at the same place and two frames parallel: six equations.

    Bodies that are welded at an angle need a frame of their own, fixed in one of them, in the attitude of the other.

    Parameters
    ----------
    start, end : Point
        P and Q.
    frame, other : ReferenceFrame
        A frame fixed in the body of P, and one fixed in the body of Q.
    name : str, optional
        The name in tables and results; by default those of the points.

    Raises
    ------
    TypeError
        If an end is no `Point`, a frame no `ReferenceFrame`, or `name` no text.
    ValueError
        If the two points are one.

    Examples
    --------
    >>> A, B = ReferenceFrame("A"), ReferenceFrame("B")
    >>> WeldClosure(Point("P"), Point("Q"), A, B).name
    'P to Q'
    """

    kind: ClassVar[str] = "weld closure"

    start: Point
    end: Point
    frame: ReferenceFrame
    other: ReferenceFrame
    _: KW_ONLY
    name: str = LEFT_OUT

    def frames(self) -> tuple[ReferenceFrame, ...]:
        """The frames of both bodies."""
        return self.kept_parallel

    @property
    def kept_parallel(self) -> tuple[ReferenceFrame, ReferenceFrame]:
        """The frames of both bodies."""
        return self.frame, self.other

    def restraints(self, inertial: ReferenceFrame) -> dict[str, Restraint]:
        """The components of the vector from P to Q, and products of the axes of the two frames."""
        return _components(self.start, self.end, self.frame) | aligned(*self.kept_parallel)


@dataclass(frozen=True, eq=False)
class SlideClosure(Closure):
    """A point stays on a line and two frames parallel, such as a slider in a guide: five equations.

    Parameters
    ----------
    start, end : Point
        P, a point of the line, and Q, which moves along it.
    axis : Vector
        The unit vector of the line, fixed in the body of P.
    frame, other : ReferenceFrame
        A frame fixed in the body of P, and one fixed in the body of Q.
    name : str, optional
        The name in tables and results; by default those of the points.

    Raises
    ------
    TypeError
        If an end is no `Point`, `axis` no `Vector`, a frame no `ReferenceFrame`, or `name` no text.
    ValueError
        If the two points are one, or the axis is no unit vector of one frame.

    Examples
    --------
    >>> A, B = ReferenceFrame("A"), ReferenceFrame("B")
    >>> SlideClosure(Point("P"), Point("Q"), A.x, A, B).title
    "the slide closure 'P to Q'"
    """

    kind: ClassVar[str] = "slide closure"

    start: Point
    end: Point
    axis: Vector
    frame: ReferenceFrame
    other: ReferenceFrame
    _: KW_ONLY
    name: str = LEFT_OUT

    def vectors(self) -> tuple[Vector, ...]:
        """The line."""
        return (self.axis,)

    def frames(self) -> tuple[ReferenceFrame, ...]:
        """The frames of both bodies."""
        return self.kept_parallel

    @property
    def kept_parallel(self) -> tuple[ReferenceFrame, ReferenceFrame]:
        """The frames of both bodies."""
        return self.frame, self.other

    def restraints(self, inertial: ReferenceFrame) -> dict[str, Restraint]:
        """The components across the line of the vector from P to Q, and products of the axes of the two frames."""
        return _across(self.start, self.end, self.axis) | aligned(*self.kept_parallel)


@dataclass(frozen=True, eq=False)
class LineClosure(Closure):
    """A point stays on a line, such as a pin in a slot: two equations.

    With the normal of a plane mechanism as the line it is a pin of that mechanism.

    Parameters
    ----------
    start, end : Point
        P, a point of the line, and Q, which moves along it.
    axis : Vector
        The unit vector of the line, fixed in the body of P.
    name : str, optional
        The name in tables and results; by default those of the points.

    Raises
    ------
    TypeError
        If an end is no `Point`, `axis` no `Vector`, or `name` no text.
    ValueError
        If the two points are one, or the axis is no unit vector of one frame.

    Examples
    --------
    >>> LineClosure(Point("P"), Point("Q"), ReferenceFrame("A").x).title
    "the line closure 'P to Q'"
    """

    kind: ClassVar[str] = "line closure"

    start: Point
    end: Point
    axis: Vector
    _: KW_ONLY
    name: str = LEFT_OUT

    def vectors(self) -> tuple[Vector, ...]:
        """The line."""
        return (self.axis,)

    def restraints(self, inertial: ReferenceFrame) -> dict[str, Restraint]:
        """The components across the line of the vector from P to Q."""
        return _across(self.start, self.end, self.axis)


@dataclass(frozen=True, eq=False)
class RodClosure(Closure):
    """Two points keep their distance, such as the ends of a massless rod: one equation, (r.r / l - l) / 2 = 0 (m).

    Parameters
    ----------
    start, end : Point
        P and Q.
    length : number or Expr
        l, positive (m); may be an expression of parameters, coordinates and time.
    name : str, optional
        The name in tables and results; by default those of the points.

    Raises
    ------
    TypeError
        If an end is no `Point`, the length no number or expression, or `name` no text.
    ValueError
        If the two points are one, or the length is a number that is not positive and finite.

    Examples
    --------
    >>> RodClosure(Point("P"), Point("Q"), 2).length
    2
    """

    kind: ClassVar[str] = "rod closure"

    start: Point
    end: Point
    length: Expr
    _: KW_ONLY
    name: str = LEFT_OUT

    def __post_init__(self) -> None:
        Closure.__post_init__(self)
        object.__setattr__(self, "length", read_length(self.length, f"the length of {self.title}"))

    def scalars(self) -> tuple[Expr, ...]:
        """The length."""
        return (self.length,)

    def restraints(self, inertial: ReferenceFrame) -> dict[str, Restraint]:
        """Half the difference of r.r / l and l, with the vector r from P to Q; it changes at the rate of |r|."""
        return {"along the rod": Distance(self.start, self.end, self.length)}


def _frame(vector: Vector) -> ReferenceFrame:
    return vector.args[0][1]


def _components(start: Point, end: Point, frame: ReferenceFrame) -> dict[str, Restraint]:
    return {f"along {letter}": Across(start, end, side) for letter, side in zip("xyz", frame, strict=True)}


def _across(start: Point, end: Point, axis: Vector) -> dict[str, Restraint]:
    """The components of the vector from one point to another across an axis."""
    return {f"across the axis {letter}": Across(start, end, side) for letter, side in _sides(axis).items()}


def _parallel(axis: Vector, other: Vector) -> dict[str, Restraint]:
    """Zero where two axes are parallel; by angular velocities about the directions across the first."""
    sides = _sides(axis)
    if len(sides) == 3:
        return {f"about {letter}": Parallel(side, other) for letter, side in sides.items()}
    return {
        "about the side 1": Parallel(-sides["2"], other),
        "about the side 2": Parallel(sides["1"], other),
    }


def aligned(frame: ReferenceFrame, other: Iterable[Vector]) -> dict[str, Restraint]:
    """Zero where the axes of a frame are parallel to those of another one."""
    axes, others = list(frame), list(other)
    return {name: Parallel(axes[i], others[j]) for name, (i, j) in ALIGNED.items()}


def _sides(axis: Vector) -> dict[str, Vector]:
    """Two unit vectors across an axis, right-handed with it; of one whose components are symbols, none of which is 0,
    the three products of the axes of its frame with it."""
    ((components, frame),) = axis.args
    zero = [i for i in range(3) if components[i] == 0]
    if not zero and not all(component.is_number for component in components):
        return {letter: side.cross(axis) for letter, side in zip("xyz", frame, strict=True)}
    least = zero[0] if zero else min(range(3), key=lambda i: abs(float(components[i])))
    across = eye(3).col(least) - components[least] * components
    first = across if zero else across / across.norm()
    return {"1": Vector([(first, frame)]), "2": Vector([(components.cross(first), frame)])}
