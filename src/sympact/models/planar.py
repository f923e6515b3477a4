"""The common parts of planar models: bodies that rotate about one axis, and their system."""

from __future__ import annotations

from collections.abc import Sequence

from sympy import Expr, Matrix, Symbol
from sympy.physics.mechanics import (
    Particle,
    Point,
    ReferenceFrame,
    RigidBody,
    System,
    dynamicsymbols,
    inertia,
)

__all__ = ["block_corners", "chain", "numbered", "planar_body", "planar_system"]


def planar_body(name: str, centre: Point, frame: ReferenceFrame, mass: Expr, moment: Expr) -> RigidBody:
    """A body that moves in the plane of x and y; `moment` is that about its centre (kg m^2)."""
    return RigidBody(name, centre, frame, mass, (inertia(frame, 0, 0, moment), centre))


def block_corners(block: RigidBody, width: Expr, height: Expr) -> list[Point]:
    """The corners of a rectangle about the centre of a body, in order: low left, low right, high right, high left."""
    signs = {"low left": (-1, -1), "low right": (1, -1), "high right": (1, 1), "high left": (-1, 1)}
    x, y = block.frame.x, block.frame.y
    return [block.masscenter.locatenew(name, r * width / 2 * x + s * height / 2 * y) for name, (r, s) in signs.items()]


def planar_system(
    frame: ReferenceFrame, origin: Point, bodies: Sequence[RigidBody | Particle], q: Matrix, u: Matrix, gravity: Expr
) -> System:
    """The bodies under gravity along -y, with the rates of the coordinates as speeds; `gravity` is g (m/s^2)."""
    system = System(frame, origin)
    system.add_bodies(*bodies)
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_kdes(*(u - q.diff(dynamicsymbols._t)))
    system.apply_uniform_gravity(-gravity * frame.y)
    return system


def numbered(name: str, count: int) -> Matrix:
    """Functions of time with numbers from 1.

    >>> numbered("theta", 2)
    Matrix([
    [theta_1(t)],
    [theta_2(t)]])
    """
    return Matrix([dynamicsymbols(f"{name}_{i + 1}") for i in range(count)])


def chain(
    frame: ReferenceFrame, start: Point, angles: Sequence[Expr], lengths: Sequence[Symbol]
) -> tuple[list[ReferenceFrame], list[Point]]:
    """Links in a hanging chain: their frames, whose -y point down them, and their lower ends.

    Each angle is that from the downward vertical (rad), positive about z.
    """
    frames: list[ReferenceFrame] = []
    ends: list[Point] = []
    for i, (angle, length) in enumerate(zip(angles, lengths, strict=True), start=1):
        turned = ReferenceFrame(f"L_{i}")
        turned.orient_axis(frame, angle, frame.z)
        frames.append(turned)
        ends.append((ends[-1] if ends else start).locatenew(f"P_{i}", -length * turned.y))
    return frames, ends
