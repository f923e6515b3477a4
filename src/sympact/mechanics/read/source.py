"""The user's source, read into one frozen description.

Only this file and `symbolic_system` depend on the names of SymPy in `System`, `KanesMethod`, `LagrangesMethod` and
`SymbolicSystem`; they are valid for SymPy 1.13 to 1.15. They read stored objects only and compute nothing, so that the
user's model is not changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import singledispatch

from sympy import Add, Expr, Matrix
from sympy.core.function import AppliedUndef
from sympy.physics.mechanics import KanesMethod, LagrangesMethod, SymbolicSystem, System
from sympy.physics.mechanics.body_base import BodyBase
from sympy.physics.mechanics.joint import Joint
from sympy.physics.mechanics.loads import LoadBase
from sympy.physics.vector import Point, ReferenceFrame, dynamicsymbols

from sympact.mechanics.kit.faults import Faults
from sympact.mechanics.kit.motion import Motion
from sympact.mechanics.kit.symbols import state_name
from sympact.mechanics.read.conditions import Condition, Jump
from sympact.mechanics.read.constraint import (
    Acceleration,
    Constraint,
    Holonomic,
    Nonholonomic,
    read_constraint,
    read_constraints,
)
from sympact.mechanics.read.latches import Latch, Latched, latched
from sympact.mechanics.read.loads import read_load
from sympact.mechanics.read.muscles import states_of
from sympact.mechanics.read.principle import Kane, Lagrange, Principle
from sympact.mechanics.read.symbolic_system import read_symbolic_system
from sympact.mechanics.shapes.compliant import CompliantContact
from sympact.mechanics.shapes.unilateral import read_expression

__all__ = ["Description", "always_closed", "constrained", "describe", "with_discrete", "with_latches"]

_HEADING = "the model cannot be read"
_KANE = Kane()


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
        Generalized coordinates and generalized speeds; a speed may be the derivative of a coordinate itself.
    kinematic_equations : tuple of Expr
        One for each coordinate whose derivative is no speed, equal to zero, linear in q' and u.
    bodies, loads, actuators : tuple
        Bodies and particles; forces and torques; SymPy's actuators, not yet turned into loads.
    joints : tuple of Joint
        The joints of the source.
    principle : Principle
        What the equations of motion follow from.
    outputs : mapping of str to Expr
        Quantities that the source names.
    without_frame : str
        Why the source has no inertial frame, with the cure; empty where it has one. `frame` is then one of its own.
    constraints : tuple of Constraint
        The bilateral constraints.
    q_dependent, u_dependent : tuple of Expr
        Coordinates and speeds that the source calls dependent: hints, which are checked and otherwise not needed.
    u_auxiliary : tuple of Expr
        Speeds that are zero.
    discrete : tuple of Expr
        The last coordinates: discrete states, which change at events alone.
    conditions : tuple of Condition
        What runs watch for the user.
    jumps : tuple of Jump
        What these conditions cause.
    latches : tuple of Latched
        Those of the constraints that close and open.
    compliant : tuple of CompliantContact
    determined : mapping of Expr to Expr
        Symbols of the source that are no states of the model, by its states: multipliers that were eliminated.
    """

    frame: ReferenceFrame
    origin: Point | None
    q: tuple[Expr, ...]
    u: tuple[Expr, ...]
    kinematic_equations: tuple[Expr, ...]
    bodies: tuple[BodyBase, ...]
    loads: tuple[LoadBase, ...]
    actuators: tuple[object, ...] = ()
    joints: tuple[Joint, ...] = ()
    principle: Principle = _KANE
    outputs: Mapping[str, Expr] = field(default_factory=dict)
    without_frame: str = ""
    constraints: tuple[Constraint, ...] = ()
    q_dependent: tuple[Expr, ...] = ()
    u_dependent: tuple[Expr, ...] = ()
    u_auxiliary: tuple[Expr, ...] = ()
    discrete: tuple[Expr, ...] = ()
    conditions: tuple[Condition[Expr], ...] = ()
    jumps: tuple[Jump, ...] = ()
    latches: tuple[Latched, ...] = ()
    compliant: tuple[CompliantContact, ...] = ()
    determined: Mapping[Expr, Expr] = field(default_factory=dict)

    @property
    def points(self) -> tuple[Point, ...]:
        """The points of the joints, beyond those of bodies and loads."""
        return tuple(point for joint in self.joints for point in (joint.parent_point, joint.child_point))


@singledispatch
def describe(
    source: object, bodies: Iterable[BodyBase] | None = None, loads: Iterable[object] | None = None
) -> Description:
    """Read a SymPy mechanics object.

    Parameters
    ----------
    source : System, KanesMethod, LagrangesMethod or SymbolicSystem
        The user's model.
    bodies, loads : iterable, optional
        The bodies and loads of a `KanesMethod` whose ``kanes_equations`` has not been called.

    Raises
    ------
    TypeError
        If `source` is of no supported class.
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
        "the source of a model is a sympy.physics.mechanics System, KanesMethod, LagrangesMethod or SymbolicSystem; "
        f"found a {type(source).__name__}{_cure_of(source)}"
    )


def _cure_of(source: object) -> str:
    """What a source of another class has that is one."""
    if type(source).__name__ == "JointsMethod":  # SymPy has deprecated the class
        return "; after joints.form_eoms() its joints.method is a KanesMethod or LagrangesMethod: give that"
    return ""


@describe.register
def _(source: System, bodies: Iterable[BodyBase] | None = None, loads: Iterable[object] | None = None) -> Description:
    faults = Faults(_HEADING)
    _refuse_parts(bodies, loads, "add them to the System with add_bodies and add_loads", faults)
    states = states_of(source.actuators, source.q)
    description = Description(
        frame=source.frame,
        origin=source.fixed_point,
        q=(*source.q, *states),
        u=tuple(source.u),
        kinematic_equations=(*(equation for equation in source.kdes if equation != 0), *states.values()),
        bodies=tuple(source.bodies),
        loads=_read_loads(source.loads, faults),
        actuators=tuple(source.actuators),
        constraints=_system_constraints(source),
        q_dependent=tuple(source.q_dep),
        u_dependent=tuple(source.u_dep),
        u_auxiliary=tuple(source.u_aux),
        joints=tuple(source.joints),
    )
    _check(description, faults, "add_coordinates, add_speeds and add_kdes")
    return description


@describe.register
def _(
    source: KanesMethod, bodies: Iterable[BodyBase] | None = None, loads: Iterable[object] | None = None
) -> Description:
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
        constraints=_kane_constraints(source),
        q_dependent=tuple(source._qdep),
        u_dependent=tuple(source._udep),
        u_auxiliary=tuple(source._uaux),
    )
    _check(description, faults, "q_ind=, u_ind= and kd_eqs=")
    return description


@describe.register
def _(
    source: LagrangesMethod, bodies: Iterable[BodyBase] | None = None, loads: Iterable[object] | None = None
) -> Description:
    faults = Faults(_HEADING)
    _refuse_parts(bodies, loads, "give a LagrangesMethod its own: bodies=[...] and forcelist=[...]", faults)
    frame = source.inertial
    if frame is None and (source.bodies or source.forcelist):
        faults.add("the LagrangesMethod has bodies or forces, but no inertial frame; give it frame=N")
    description = Description(
        frame=frame or ReferenceFrame("inertial"),
        origin=None,
        q=tuple(source.q),
        u=tuple(coordinate.diff(dynamicsymbols._t) for coordinate in source.q),
        kinematic_equations=(),
        bodies=tuple(source.bodies or ()),
        loads=_read_loads(source.forcelist or (), faults),
        principle=Lagrange(source._L[0]),
        without_frame="" if frame else "a LagrangesMethod without frame= has no inertial frame; give it frame=N",
        constraints=(
            *_named(Holonomic, "holonomic", source._hol_coneqs),
            *_named(Nonholonomic, "nonholonomic", source.coneqs[len(source._hol_coneqs) :]),
        ),
    )
    _check(description, faults, "LagrangesMethod(L, q)")
    return description


@describe.register
def _(
    source: SymbolicSystem, bodies: Iterable[BodyBase] | None = None, loads: Iterable[object] | None = None
) -> Description:
    faults = Faults(_HEADING)
    _refuse_parts(bodies, loads, "the equations of a SymbolicSystem contain all that acts", faults)
    read = read_symbolic_system(source, faults)
    description = Description(
        frame=ReferenceFrame("inertial"),
        origin=None,
        q=read.q,
        u=read.u,
        kinematic_equations=read.kinematic_equations,
        bodies=(),
        loads=(),
        principle=read.principle,
        constraints=read.constraints,
        outputs={
            **{state_name(letter): value for letter, value in read.determined.items()},
            **{
                str(name): read_expression(value, f"the output {str(name)!r}").xreplace(read.determined)
                for name, value in (source.output_eqns or {}).items()
            },
        },
        determined=read.determined,
        without_frame=(
            "a SymbolicSystem has no frame and no points; write the gap as an expression of its coordinates, "
            "Limit(expression, restitution=e), or describe the bodies with a System"
        ),
    )
    _check(description, faults, "coord_states=, speeds= and coordinate_derivatives=")
    return description


def constrained(description: Description, constraints: Iterable[object]) -> Description:
    """A description with further constraints: objects, or expressions that are zero.

    Raises
    ------
    TypeError
        If one is neither a constraint nor an expression.
    """
    further = read_constraints(constraints, description.q, description.u)
    return replace(description, constraints=(*description.constraints, *further))


def with_discrete(description: Description, discrete: object) -> Description:
    """The description with discrete states: coordinates that no flow changes.

    Raises
    ------
    TypeError
        If one is no function of time, such as ``dynamicsymbols("n")``.
    ValueError
        If one is a coordinate or a speed of the source, is given twice, or its rate occurs.
    """
    if isinstance(discrete, (str, Expr)) or not isinstance(discrete, Iterable):
        raise TypeError(f"discrete is {discrete!r}, expected a list of functions of time, [dynamicsymbols('n')]")
    letters = tuple(discrete)
    for letter in letters:
        if not (isinstance(letter, AppliedUndef) and letter.args == (dynamicsymbols._t,)):
            raise TypeError(
                f"discrete contains {letter!r}; expected functions of time, such as dynamicsymbols('n'), because a "
                "discrete state changes at events"
            )
    known = {*description.q, *description.u}
    twice = [str(letter) for i, letter in enumerate(letters) if letter in known or letter in letters[:i]]
    if twice:
        raise ValueError(f"discrete contains {', '.join(twice)}, which the model has already; take another symbol")
    return replace(
        description,
        q=(*description.q, *letters),
        discrete=(*description.discrete, *letters),
        kinematic_equations=(*description.kinematic_equations, *(letter.diff(dynamicsymbols._t) for letter in letters)),
    )


def with_latches(description: Description, latches: Sequence[Latch], motion: Motion) -> Description:
    """A description with the constraints of latches, and their discrete states.

    Parameters
    ----------
    description : Description
        With all other discrete states.
    latches : sequence of Latch
    motion : Motion
        Of a model with these constraints, see `always_closed`.
    """
    read = tuple(latched(one, read_constraint(one.constraint, description.q, description.u), motion) for one in latches)
    letters = [letter for one in read for letter in one.letters]
    described = with_discrete(description, letters)
    return replace(described, constraints=(*described.constraints, *read), latches=read)


def always_closed(description: Description, latches: Sequence[Latch]) -> Description:
    """A description with the constraints of latches as constraints that are always closed."""
    return constrained(description, [one.constraint for one in latches])


def _kinematic_equations(source: KanesMethod) -> tuple[Expr, ...]:
    """The kinematic equations of a `KanesMethod`, reassembled from its stored coefficients."""
    rates = [coordinate.diff(dynamicsymbols._t) for coordinate in source.q]
    coefficients = Matrix.hstack(source._k_kqdot_implicit, source._k_ku_implicit)
    return tuple(_rows(coefficients, [*rates, *source.u], source._f_k_implicit))


def _rows(coefficients: Matrix, unknowns: Sequence[Expr], rest: Sequence[Expr]) -> list[Expr]:
    """coefficients * unknowns + rest, without the terms that are zero."""
    return [
        Add(*(factor * unknown for factor, unknown in zip(row, unknowns, strict=True) if factor != 0), last)
        for row, last in zip(coefficients.tolist(), rest, strict=True)
    ]


def _read_loads(loads: Iterable[object], faults: Faults) -> tuple[LoadBase, ...]:
    """Forces and torques from SymPy's own objects or from pairs (point or frame, vector)."""
    read = []
    for given in loads:
        load = read_load(given)
        if load is None:
            faults.add(
                f"the load {given} is neither a Force or Torque nor a pair of a Point or ReferenceFrame and a Vector"
            )
        else:
            read.append(load)
    return tuple(read)


def _named(kind: type[Holonomic | Nonholonomic], word: str, expressions: Iterable[Expr]) -> list[Constraint]:
    """The constraints of a source, which has no names for them: "holonomic 1", "holonomic 2", ..."""
    return [kind(expression, f"{word} {i}") for i, expression in enumerate(expressions, 1)]


def _system_constraints(source: System) -> tuple[Constraint, ...]:
    """Holonomic constraints, and the nonholonomic ones or the velocity constraints that the user set instead.

    Velocity constraints that were set contain the derivatives of the holonomic ones, too, see `constraint_rows`.
    """
    holonomic = _named(Holonomic, "holonomic", source.holonomic_constraints)
    if source._vel_constrs is not None:
        return (*holonomic, *_named(Nonholonomic, "velocity", source._vel_constrs))
    return (*holonomic, *_named(Nonholonomic, "nonholonomic", source.nonholonomic_constraints))


def _kane_constraints(source: KanesMethod) -> tuple[Constraint, ...]:
    """Configuration and velocity constraints, and acceleration constraints that SymPy did not derive from these.

    SymPy stores the latter two as coefficients: K u + f.
    """
    configuration = _named(Holonomic, "configuration", source._f_h)
    velocity = _named(Nonholonomic, "velocity", _rows(source._k_nh, source.u, source._f_nh))
    late = []
    if source._k_dnh is not source._k_nh:
        for i, rest in enumerate(source._f_dnh):
            late.append(Acceleration(tuple(source._k_dnh.row(i)), rest, f"acceleration {i + 1}"))
    return (*configuration, *velocity, *late)


def _refuse_parts(bodies: object, loads: object, cure: str, faults: Faults) -> None:
    """Refuse bodies and loads beside a source that has its own."""
    if bodies is not None or loads is not None:
        faults.add(f"bodies= and loads= are for a KanesMethod before kanes_equations; {cure}")


def _check(description: Description, faults: Faults, cure: str) -> None:
    """Refuse symbols that are no functions of time, wrong numbers of them, and Kane's equations without bodies."""
    q, u, equations = description.q, description.u, description.kinematic_equations
    rates = [coordinate.diff(dynamicsymbols._t) for coordinate in q]
    strange = [str(letter) for letter in q if not _is_function(letter)]
    strange += [str(speed) for speed in u if speed not in rates and not _is_function(speed)]
    if strange:
        faults.add(
            f"its coordinates and speeds {strange} are no functions of time; expected dynamicsymbols, and as a speed a "
            "function of its own or the derivative of a coordinate"
        )
    wanted = sum(rate not in u for rate in rates)
    if not u:
        faults.add(f"it has no generalized speeds; give them with {cure}")
    elif not strange and len(equations) != wanted:
        which = " whose derivative is no speed" if wanted < len(q) else ""
        faults.add(
            f"it has {wanted} coordinates{which} and {len(equations)} kinematic differential equations; each "
            f"coordinate needs one, give them with {cure}"
        )
    if isinstance(description.principle, Kane) and not description.bodies and not _told_of_bodies(faults):
        faults.add("it has no bodies; add a RigidBody or a Particle")
    faults.throw()


def _is_function(letter: Expr) -> bool:
    return isinstance(letter, AppliedUndef) and letter.args == (dynamicsymbols._t,)


def _told_of_bodies(faults: Faults) -> bool:
    return any("no bodies" in sentence for sentence in faults.sentences)
