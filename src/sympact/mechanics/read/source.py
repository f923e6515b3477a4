"""The user's source, read into one frozen description.

Only this file depends on the names of SymPy in `System` and `KanesMethod`; it is valid for SymPy 1.13 to 1.15. It reads
stored objects only and computes nothing, so that the user's model is not changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import singledispatch

from sympy import Add, Derivative, Expr, Matrix
from sympy.physics.mechanics import Force, KanesMethod, LagrangesMethod, SymbolicSystem, System, Torque
from sympy.physics.mechanics.body_base import BodyBase
from sympy.physics.mechanics.loads import LoadBase
from sympy.physics.vector import Point, ReferenceFrame, Vector, dynamicsymbols

from sympact.mechanics.kit.faults import Faults

__all__ = ["Description", "describe"]

_HEADING = "the model cannot be read"


@dataclass(frozen=True, slots=True, eq=False)
class Description:
    """The parts of a mechanical model, in the order the user gave them.

    Attributes
    ----------
    frame : ReferenceFrame
        The inertial frame N.
    origin : Point or None
        A fixed point in N; None when the source has none.
    q, u : tuple of Expr
        Generalized coordinates and generalized speeds.
    kinematic_equations : tuple of Expr
        As many as coordinates, each equal to zero, linear in q' and u.
    bodies, loads, actuators : tuple
        Bodies and particles; forces and torques; SymPy's actuators, not yet turned into loads.
    points : tuple of Point
        Points of the source beyond those of bodies and loads: those of its joints.
    """

    frame: ReferenceFrame
    origin: Point | None
    q: tuple[Expr, ...]
    u: tuple[Expr, ...]
    kinematic_equations: tuple[Expr, ...]
    bodies: tuple[BodyBase, ...]
    loads: tuple[LoadBase, ...]
    actuators: tuple[object, ...] = ()
    points: tuple[Point, ...] = ()


@singledispatch
def describe(
    source: object, bodies: Iterable[BodyBase] | None = None, loads: Iterable[object] | None = None
) -> Description:
    """Read a SymPy mechanics object.

    Parameters
    ----------
    source : System or KanesMethod
        The user's model.
    bodies, loads : iterable, optional
        The bodies and loads of a `KanesMethod` whose ``kanes_equations`` has not been called.

    Raises
    ------
    TypeError
        If `source` is of no supported class.
    NotImplementedError
        If it is of a class, or has constraints or auxiliary speeds, that a later version supports.
    ValueError
        With all missing parts.

    Examples
    --------
    >>> from sympy.physics.mechanics import Particle, PrismaticJoint, RigidBody, System
    >>> ground, ball = RigidBody("ground"), Particle("ball")
    >>> system = System.from_newtonian(ground)
    >>> system.add_joints(PrismaticJoint("z", ground, ball, joint_axis=ground.z))
    >>> describe(system).kinematic_equations
    (u_z(t) - Derivative(q_z(t), t),)
    """
    raise TypeError(
        f"the source of a model is a sympy.physics.mechanics System or KanesMethod; found a {type(source).__name__}"
    )


@describe.register
def _(source: LagrangesMethod, bodies: object = None, loads: object = None) -> Description:
    raise NotImplementedError(
        "a LagrangesMethod cannot be read yet, it comes in a later version; describe the same bodies, loads and "
        "coordinates with a System"
    )


@describe.register
def _(source: SymbolicSystem, bodies: object = None, loads: object = None) -> Description:
    raise NotImplementedError(
        "a SymbolicSystem cannot be read yet, it comes in a later version; give the System or KanesMethod it was "
        "made from"
    )


@describe.register
def _(source: System, bodies: Iterable[BodyBase] | None = None, loads: Iterable[object] | None = None) -> Description:
    _refuse_constraints(
        {
            "holonomic constraints": source.holonomic_constraints,
            "nonholonomic constraints": source.nonholonomic_constraints,
            "velocity constraints": source.velocity_constraints,
            "dependent coordinates": source.q_dep,
            "dependent speeds": source.u_dep,
            "auxiliary speeds": source.u_aux,
        }
    )
    faults = Faults(_HEADING)
    if bodies is not None or loads is not None:
        faults.add(
            "bodies= and loads= are for a KanesMethod before kanes_equations; add them to the System with add_bodies "
            "and add_loads"
        )
    description = Description(
        frame=source.frame,
        origin=source.fixed_point,
        q=tuple(source.q),
        u=tuple(source.u),
        kinematic_equations=tuple(source.kdes),
        bodies=tuple(source.bodies),
        loads=_read_loads(source.loads, faults),
        actuators=tuple(source.actuators),
        points=tuple(point for joint in source.joints for point in (joint.parent_point, joint.child_point)),
    )
    _check_counts(description, faults, "add_coordinates, add_speeds and add_kdes")
    return description


@describe.register
def _(
    source: KanesMethod, bodies: Iterable[BodyBase] | None = None, loads: Iterable[object] | None = None
) -> Description:
    _refuse_constraints(
        {
            "configuration constraints": source._f_h,
            "velocity constraints": source._f_nh,
            "dependent coordinates": source._qdep,
            "dependent speeds": source._udep,
            "auxiliary speeds": source._uaux,
        }
    )
    faults = Faults(_HEADING)
    bodies = source.bodies if bodies is None else bodies
    loads = source.loads if loads is None else loads
    if not bodies:
        faults.add(
            "the KanesMethod has no bodies, because kanes_equations has not been called; call it, or give "
            "bodies=[...] and loads=[...]"
        )
    description = Description(
        frame=source._inertial,
        origin=None,
        q=tuple(source.q),
        u=tuple(source.u),
        kinematic_equations=_kinematic_equations(source),
        bodies=tuple(bodies or ()),
        loads=_read_loads(loads or (), faults),
    )
    _check_counts(description, faults, "q_ind=, u_ind= and kd_eqs=")
    return description


def _kinematic_equations(source: KanesMethod) -> tuple[Expr, ...]:
    """The kinematic equations of a `KanesMethod`, reassembled from its stored coefficients."""
    of_rates, of_speeds, rest = source._k_kqdot_implicit, source._k_ku_implicit, source._f_k_implicit
    rates = [coordinate.diff(dynamicsymbols._t) for coordinate in source.q]
    speeds = list(source.u)

    def row(coefficients: Matrix, unknowns: list[Expr], i: int) -> list[Expr]:
        return [coefficients[i, j] * unknown for j, unknown in enumerate(unknowns) if coefficients[i, j] != 0]

    return tuple(Add(*row(of_rates, rates, i), *row(of_speeds, speeds, i), rest[i]) for i in range(len(rest)))


def _read_loads(loads: Iterable[object], faults: Faults) -> tuple[LoadBase, ...]:
    """Forces and torques from SymPy's own objects or from pairs (point or frame, vector)."""
    read = []
    for load in loads:
        match load:
            case LoadBase():
                read.append(load)
            case (Point() as point, Vector() as vector):
                read.append(Force(point, vector))
            case (ReferenceFrame() as frame, Vector() as vector):
                read.append(Torque(frame, vector))
            case _:
                faults.add(
                    f"the load {load} is neither a Force or Torque nor a pair of a Point or ReferenceFrame and a Vector"
                )
    return tuple(read)


def _refuse_constraints(parts: dict[str, Sequence[Expr]]) -> None:
    found = [f"{len(expressions)} {name}" for name, expressions in parts.items() if expressions]
    if found:
        raise NotImplementedError(
            f"the model has {' and '.join(found)}; models with constraints or auxiliary speeds come in a later "
            "version; for now describe the same motion with independent coordinates and speeds"
        )


def _check_counts(description: Description, faults: Faults, cure: str) -> None:
    q, u, equations = description.q, description.u, description.kinematic_equations
    if not u:
        faults.add(f"it has no generalized speeds; give them with {cure}")
    rates = [str(speed) for speed in u if isinstance(speed, Derivative)]
    if rates:
        faults.add(
            f"its speeds {rates} are derivatives of its coordinates; give each speed a symbol of its own, such as "
            "u = dynamicsymbols('u') in place of q.diff(), with the equation u - q.diff() = 0 (add_kdes; a joint that "
            "is given q and u adds it itself); loads may keep q.diff()"
        )
    elif len(equations) != len(q):
        faults.add(
            f"it has {len(q)} coordinates and {len(equations)} kinematic differential equations; each coordinate "
            f"needs one, give them with {cure}"
        )
    if not description.bodies and not any("no bodies" in sentence for sentence in faults.sentences):
        faults.add("it has no bodies; add a RigidBody or a Particle")
    faults.throw()
