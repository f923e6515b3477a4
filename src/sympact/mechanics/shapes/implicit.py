"""Surfaces given by an equation phi(x, y, z, t) = 0 in a frame."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, field

import numpy as np
from sympy import Derivative, Dummy, Expr, S, lambdify
from sympy.core.function import AppliedUndef
from sympy.physics.vector import Point, ReferenceFrame, Vector, dynamicsymbols

from sympact.graph.formula import Scalar, Vector3
from sympact.mechanics.kit.motion import Motion
from sympact.mechanics.kit.symbols import leaves
from sympact.mechanics.nearest.closest_point import Foot, nearest
from sympact.mechanics.nearest.segments import Touching, nearest_of_bar
from sympact.mechanics.nearest.surface_field import Field
from sympact.mechanics.shapes.side import LEFT_OUT
from sympact.mechanics.shapes.surface import Surface
from sympact.mechanics.shapes.unilateral import read_expression

__all__ = ["Implicit"]

_LETTER = 4  # the number of the unknown for the position along a bar


@dataclass(frozen=True)
class _Given:
    """A function of three symbols by its expression."""

    letters: tuple[Dummy, Dummy, Dummy]
    expression: Expr

    def __call__(self, *letters: Expr) -> Expr:
        """The expression of other symbols."""
        return self.expression.xreplace(dict(zip(self.letters, letters, strict=True)))


@dataclass(frozen=True, eq=False)
class Implicit(Surface):
    """The surface where a function phi of position vanishes; the free side is where it is positive.

    The gap of a point is ``phi/|grad phi|``. It is zero exactly on the surface, and has a derivative of length 1 along
    the normal there, which is all that impacts and forces need; away from the surface it is the distance to first order
    only. It has no value where the gradient vanishes: the user ensures that no motion reaches such points on the free
    side.

    The gap of a ball is its distance from the closest point of the surface, which Newton's method finds from the ball's
    centre. A ball that touches in a hollow must be smaller than the hollow: its radius at most 0.99 of any radius of
    curvature there. Two searches are made, one from the best of samples around the ball, or from its centre if none
    promises a closer point, and one from the sample that most indicates another point; the closer result counts. Near
    features much narrower than the ball, and several radii away, another point than the closest may be found, so that
    the gap is too large. Where no point is found and the ball is near, and where it touches two points at once, as in a
    groove that is too narrow for it, the gap is not a number, and the run ends with the status `NOT_FINITE`. The gap of
    a `Capsule` is found in the same way for a line, and for its two ends.

    Parameters
    ----------
    origin : Point
        The origin of x, y and z. It may move.
    frame : ReferenceFrame
        The frame of the axes, in which the surface's material is at rest. It may rotate.
    phi : callable
        ``phi(x, y, z)`` of three symbols (m) gives an expression, positive on the free side, twice differentiable. It
        may contain parameters, coordinates, and the time ``dynamicsymbols._t``: the surface then deforms, and its
        material is assumed to move along the normal.
    name : str, optional
        The name in the default names of contacts; by default that of the origin.

    Raises
    ------
    TypeError
        If the origin is no `Point`, the frame no `ReferenceFrame`, or `phi` gives no expression of three symbols.
    ValueError
        If phi depends on none of x, y and z.

    Examples
    --------
    >>> N, O = ReferenceFrame("N"), Point("O")
    >>> hill = Implicit(O, N, lambda x, y, z: x**2 / 4 + y**2 + z**2 - 1)
    >>> hill.name
    'O'
    """

    origin: Point
    frame: ReferenceFrame
    phi: Callable[[Expr, Expr, Expr], Expr]
    _: KW_ONLY
    name: str = LEFT_OUT
    letters: tuple[Dummy, Dummy, Dummy] = field(init=False, repr=False)
    expression: Expr = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.origin, Point):
            raise TypeError(f"the origin of an implicit surface is a sympy Point; found {self.origin!r}")
        if self.name is None:
            object.__setattr__(self, "name", self.origin.name)
        title = f"the implicit surface '{self.name}'"
        if not isinstance(self.frame, ReferenceFrame):
            raise TypeError(f"the frame of {title} is {self.frame!r}, expected a sympy ReferenceFrame such as N")
        if not callable(self.phi):
            raise TypeError(f"phi of {title} is {self.phi!r}, expected a function such as lambda x, y, z: z - x**2")
        letters = tuple(Dummy(letter, real=True) for letter in "xyz")
        expression = read_expression(self.phi(*letters), f"what phi of {title} gives")
        if not expression.has(*letters):
            raise ValueError(f"phi of {title} is {expression}, which depends on none of x, y and z; it has no surface")
        object.__setattr__(self, "letters", letters)
        object.__setattr__(self, "expression", expression)

    def __getstate__(self) -> dict[str, object]:
        """To another process the expression travels in place of the function that gave it."""
        return vars(self) | {"phi": _Given(self.letters, self.expression)}

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__.update(state)

    def points(self) -> tuple[Point, ...]:
        """The origin."""
        return (self.origin,)

    def vectors(self) -> tuple[Vector, ...]:
        """The axes of the frame."""
        return (self.frame.x, self.frame.y, self.frame.z)

    def lengths(self) -> tuple[Expr, ...]:
        """The free symbols in phi."""
        return tuple(leaf for leaf in leaves(self.expression) if leaf not in self.letters)

    def sizes(self) -> tuple[Expr, ...]:
        """None are known: a symbol in phi may be anything."""
        return ()

    def gap(self, motion: Motion, point: Point) -> Scalar:
        """g_N = phi/|grad phi|."""
        value, *slopes = self._values(motion, point, self.expression, *self._gradient())
        return value / Vector3.of(*slopes).norm

    def normal_at(self, motion: Motion, point: Point) -> Vector3:
        """grad phi/|grad phi|."""
        gradient = Vector3.of(*self._values(motion, point, *self._gradient()))
        return motion.turn(gradient.unit, self.frame, motion.frame)

    @property
    def tells_distance(self) -> bool:
        """The gap of a ball is the distance."""
        return True

    def gap_of_ball(self, motion: Motion, center: Point, radius: Scalar) -> Scalar:
        """The distance of the closest point less the radius."""
        foot = self._foot(motion, center, radius)
        gap = foot.gap(radius)
        motion.note_second(gap, foot.second_gap(radius))
        if not self._deforms:
            motion.bound(gap, self._place_of(motion, center), radius, {})
        motion.call({f"{name}_{center.name}_{self.name}": number for name, number in foot.known.items()})
        return gap

    def touched_by_bar(self, motion: Motion, start: Point, end: Point, radius: Scalar) -> Touching:
        """The point at which a bar with round ends is closest; vectors are in the surface's own frame."""

        def find() -> Touching:
            places = motion.position_between(self.origin, start), motion.position_between(start, end)
            first, whole = (motion.turn(place, motion.frame, self.frame) for place in places)
            found = nearest_of_bar(self._field(motion), first, whole, radius)
            if not self._deforms:
                letter = motion.unknown(_LETTER)
                motion.bound(found.gap, first + letter * whole, radius, {letter: (0.0, 1.0)})
            numbers = {f"{name}_{start.name}_{end.name}_{self.name}": number for name, number in found.known.items()}
            motion.call(numbers)
            return found

        return motion.once((self, start, end, radius), find)

    def normal_to_ball(self, motion: Motion, center: Point) -> Vector3:
        """grad phi/|grad phi| at the closest point."""
        foot = self._foot(motion, center, None)
        return motion.turn(foot.normal, self.frame, motion.frame)

    def frames(self) -> tuple[ReferenceFrame, ...]:
        """The surface's own frame."""
        return (self.frame,)

    def why_no_friction(self) -> str:
        """Friction is determined."""
        return ""

    def velocity_at(self, motion: Motion, point: Point, arm: Vector3) -> Vector3:
        """v_origin + omega x (r_P + arm - r_origin), and -phi_t/|grad phi| along the normal."""
        away = motion.position_between(self.origin, point) + arm
        return motion.carried(self.origin, self.frame, away) + self._deforming(motion, away)

    def faults(self, motion: Motion) -> list[str]:
        """None: the derivation reports symbols in phi that it cannot read."""
        return []

    def numbers(self, letters: Sequence[float]) -> Callable[..., np.ndarray]:
        """phi as a NumPy function of arrays x, y, z (m), with numbers for the symbols of `lengths`."""
        function = lambdify((*self.letters, *self.lengths()), self.expression, cse=True)
        return lambda x, y, z: np.broadcast_to(function(x, y, z, *letters), np.shape(x)).astype(float)

    def _gradient(self) -> list[Expr]:
        return [self.expression.diff(letter) for letter in self.letters]

    def _deforming(self, motion: Motion, away: Vector3) -> Vector3:
        """-phi_t/|grad phi| along the normal at a vector, in N, from the origin."""
        field, place = self._field(motion), motion.turn(away, motion.frame, self.frame)
        local = field.at(place)
        speed = -(field.rate_at(place, motion.drift_seed()) / local.steepness)
        return motion.turn(speed * local.normal, self.frame, motion.frame)

    def _field(self, motion: Motion) -> Field:
        """phi of three unknowns."""

        def read() -> Field:
            letters = [motion.unknown(i) for i in range(3)]
            return Field(motion.read(self.expression, dict(zip(self.letters, letters, strict=True))), letters)

        return motion.once((self, "field"), read)

    @property
    def _deforms(self) -> bool:
        """Whether anything in phi may change during a motion."""
        return any(isinstance(leaf, AppliedUndef | Derivative) or leaf == dynamicsymbols._t for leaf in self.lengths())

    def _place_of(self, motion: Motion, point: Point) -> Vector3:
        """A point in the surface's own frame."""
        return motion.turn(motion.position_between(self.origin, point), motion.frame, self.frame)

    def _foot(self, motion: Motion, center: Point, radius: Scalar | None) -> Foot:
        """The point closest to the centre of a ball; the radius of the first search is kept."""

        def find() -> Foot:
            return nearest(self._field(motion), self._place_of(motion, center), near=radius)

        return motion.once((self, center, "foot"), find)

    def _values(self, motion: Motion, point: Point, *expressions: Expr) -> list[Scalar]:
        """Expressions of x, y and z at a point."""
        place = dict(zip(self.letters, self._place_of(motion, point), strict=True))
        return [motion.read(S(expression), place) for expression in expressions]
