"""What Newton's and Euler's equations of a model's bodies need, from the user's bodies, points, frames and loads alone.

Velocities are SymPy's `Point.vel` and `ReferenceFrame.ang_vel_in`, three components each, written with q' and u.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import sympy as sm
from sympy.physics.mechanics import (
    Dyadic,
    KanesMethod,
    LagrangesMethod,
    Point,
    ReferenceFrame,
    RigidBody,
    SymbolicSystem,
    Vector,
)

from sympact import HybridModel

Components = list[sm.Expr]
NOWHERE = ReferenceFrame("nowhere")
"""For sources without an inertial frame."""


@dataclass(frozen=True)
class BodyEquations:
    """Bodies and loads of a model; what does not move is left out.

    `velocities` (b, 3) of mass centres and `masses` (b,); `spins` (r, 3) and central inertias `tensors` (r, 3, 3) of
    rigid bodies in their own frames; `pushed` (l, 3), velocities and angular velocities of what loads act on, and
    `loads` (l, 3), forces and torques.
    """

    velocities: list[Components]
    masses: list[sm.Expr]
    spins: list[Components]
    tensors: list[list[Components]]
    pushed: list[Components]
    loads: list[Components]

    @property
    def parameters(self) -> set[sm.Symbol]:
        """Those of masses and inertias."""
        return set().union(
            *(part.free_symbols for part in (*self.masses, *(e for t in self.tensors for r in t for e in r)))
        )

    @classmethod
    def of(cls, model: HybridModel) -> BodyEquations:
        newton, source = inertial_frame(model), model.source
        if isinstance(source, LagrangesMethod | SymbolicSystem):
            return cls([], [], [], [], [], [])
        centres = [(velocity_of(model, body.masscenter), sm.sympify(body.mass)) for body in source.bodies]
        rigid = [body for body in source.bodies if isinstance(body, RigidBody)]
        turning = [
            (spin_of(model, body.frame, body.frame), tensor_of(body.central_inertia, body.frame)) for body in rigid
        ]
        loads = [*source.loads]
        for actuator in getattr(source, "actuators", ()):
            loads += actuator.to_loads()
        pushed = []
        for place, vector in loads:
            velocity = spin_of if isinstance(place, ReferenceFrame) else velocity_of
            pushed.append((velocity(model, place), list(vector.to_matrix(newton))))
        pairs = ([pair for pair in part if any(pair[0])] for part in (centres, turning, pushed))
        return cls(*(column for part in pairs for column in ([one for one, _ in part], [other for _, other in part])))


def inertial_frame(model: HybridModel) -> ReferenceFrame:
    """Newton's frame."""
    match model.source:
        case KanesMethod():
            return model.source._inertial
        case LagrangesMethod():
            return model.source.inertial or NOWHERE
        case SymbolicSystem():
            return NOWHERE
        case source:
            return source.frame


def written_equations(source: LagrangesMethod | SymbolicSystem) -> tuple[sm.Matrix, sm.Matrix]:
    """M and f by SymPy: of Lagrange's method, or those that the user wrote, kinematic rows first."""
    if isinstance(source, LagrangesMethod):
        source.form_lagranges_equations()
        return source.mass_matrix, source.forcing
    if source._kin_explicit_rhs is not None:
        return source.dyn_implicit_mat, source.dyn_implicit_rhs
    n = len(source.coordinates)
    if source._comb_implicit_mat is not None:
        return source.comb_implicit_mat[n:, n:], source.comb_implicit_rhs[n:, :]
    return sm.eye(len(source.speeds)), source.comb_explicit_rhs[n:, :]


def spin_of(model: HybridModel, frame: ReferenceFrame | None, seen: ReferenceFrame | None = None) -> Components:
    """A frame's angular velocity, components in a frame, by default Newton's; zeros for no frame."""
    newton = inertial_frame(model)
    spin = Vector(0) if frame is None else frame.ang_vel_in(newton)
    return list(spin.to_matrix(seen or newton))


def tensor_of(dyadic: Dyadic, frame: ReferenceFrame) -> list[Components]:
    """A dyadic's components in a frame: `Dyadic.to_matrix`, but for products of unit vectors of one frame."""
    parts = [factor * _column(one, frame) * _column(other, frame).T for factor, one, other in dyadic.args]
    return sum(parts, start=sm.zeros(3, 3)).tolist()


def _column(vector: Vector, frame: ReferenceFrame) -> sm.Matrix:
    """A vector's components in a frame."""
    return sum((part if at is frame else frame.dcm(at) * part for part, at in vector.args), start=sm.zeros(3, 1))


def velocity_of(model: HybridModel, point: Point) -> Components:
    """A point's velocity, components in Newton's frame."""
    newton = inertial_frame(model)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # SymPy finds several ways to a velocity and says so
        return list(point.vel(newton).to_matrix(newton))


def kinematic_equations(model: HybridModel) -> Components:
    """What is zero by the user's kinematic equations, linear in q' and u; without those of speeds that are q'."""
    if isinstance(model.source, LagrangesMethod):
        return []
    if isinstance(model.source, SymbolicSystem):
        n, source = len(model.q), model.source
        if source._comb_implicit_mat is not None:
            return list(source.comb_implicit_mat[:n, :n] * sm.Matrix(model.q).diff() - source.comb_implicit_rhs[:n, :])
        explicit = source.comb_explicit_rhs if source._kin_explicit_rhs is None else source.kin_explicit_rhs
        return [q.diff() - slope for q, slope in zip(model.q, explicit[:n], strict=True)]
    if not isinstance(model.source, KanesMethod):
        return [sm.sympify(equation).doit() for equation in model.source.kdes]
    rates = [q.diff() for q in model.q]
    found = model.source.kindiffdict()
    return [rate - found[rate] for rate in rates]
