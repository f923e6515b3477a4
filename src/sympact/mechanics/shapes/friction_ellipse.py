"""Anisotropic friction: an ellipse in the tangent plane of a contact, with its axes in a body."""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr, sstr
from sympy.physics.vector import Vector

from sympact.integrate.problem.real import described
from sympact.mechanics.shapes.unilateral import Part, read_expression

__all__ = ["FrictionEllipse"]


@dataclass(frozen=True, eq=False)
class FrictionEllipse:
    """Friction that is less, or more, along an axis than across it: skates, snakes, scales, rollers of wheels.

    The friction of a contact with the coefficient mu lies in an ellipse of the tangent plane, with the half axes
    ``ratio * mu * lambda_N`` along the axis and ``mu * lambda_N`` across it.

    Parameters
    ----------
    axis : Vector
        The direction along which the ratio holds, of any length, often fixed in the body, such as ``B.x``. Its part in
        the tangent plane counts; it must not be normal to that.
    ratio : number or Expr
        The coefficient along the axis over that across it, at least 0; may be an expression of parameters. With 0
        nothing resists a slip along the axis, as of an ideal skate.

    Notes
    -----
    Where the contact slips, friction dissipates the most that the ellipse permits:

        lambda_T = -mu lambda_N (ratio^2 v_1 e_1 + v_2 e_2) / sqrt(ratio^2 v_1^2 + v_2^2)

    with the components v_1 and v_2 of the slip along the axis e_1 and across it [1]_. It is therefore not opposite to
    the slip.

    Raises
    ------
    TypeError
        If the axis is no vector, or the ratio no number or expression.
    ValueError
        If the axis is the zero vector, or the ratio a negative or an infinite number.

    References
    ----------
    .. [1] Leine and van de Wouw, Stability and Convergence of Mechanical Systems with Unilateral Constraints (2008),
       section 5.3.

    Examples
    --------
    >>> from sympact import Contact, Plane
    >>> from sympy.physics.mechanics import Point, ReferenceFrame
    >>> N, B, O, P = ReferenceFrame("N"), ReferenceFrame("B"), Point("O"), Point("P")
    >>> blade = FrictionEllipse(B.x, ratio=0.02)
    >>> Contact(P, Plane(O, N.z), restitution=0, friction=0.5, anisotropy=blade).anisotropy.ratio
    0.0200000000000000
    """

    axis: Vector
    ratio: Expr

    def __post_init__(self) -> None:
        if not isinstance(self.axis, Vector):
            raise TypeError(f"the axis of a FrictionEllipse is a Vector, such as B.x; found {described(self.axis)}")
        if not self.axis.args:
            raise ValueError("the axis of a FrictionEllipse is the zero vector, expected a direction such as B.x")
        ratio = read_expression(self.ratio, "the ratio of a FrictionEllipse")
        if ratio.is_number and not (ratio.is_real and ratio >= 0):
            raise ValueError(
                f"the ratio of a FrictionEllipse is {sstr(ratio, full_prec=False)}, expected a number >= 0: the "
                "coefficient of friction along the axis over that across it"
            )
        object.__setattr__(self, "ratio", ratio)

    def part(self, title: str) -> Part:
        """What it depends on."""
        return Part(f"the anisotropy of {title}", vectors=(self.axis,), scalars=(self.ratio,))
