"""Energies, gaps and forces along a run: the members of `Result` that evaluate the mechanical model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from sympact.integrate.history.run_view import RunView
from sympact.integrate.problem.times import read_times
from sympact.integrate.trajectory.evaluator import Along
from sympact.integrate.trajectory.reactions import Reactions, SampledReactions

__all__ = [
    "contact_names",
    "energy",
    "evaluated",
    "expression_along",
    "friction_force",
    "friction_force_at",
    "gaps",
    "joint_force",
    "joint_torque",
    "kinetic_energy",
    "normal_force",
    "normal_force_at",
    "potential_energy",
    "reaction",
]

_COMPUTE = "compute it from result.t and result.x"
_READ = "run a HybridModel, or read its file by load(path, model=model)"


def evaluated(result: RunView, key: object) -> np.ndarray:
    """An expression of the model at the times `t`, shape (n_samples,); accelerations contain the forces of contacts.

    Raises
    ------
    TypeError
        If the run was made from plain functions or loaded from a file.
    """
    model = result._model
    if not model.knows("expression"):
        raise TypeError(
            f"this result cannot evaluate {key!r}: it was made from plain functions or loaded from a file, without a"
            f" symbolic model; it has the states {list(result.state_names)} by name or index"
        )
    return model.quantity("expression", key)(*_at_samples(result))


def expression_along(result: RunView, key: object) -> Along:
    """A state, an output or an expression along the run."""
    if isinstance(key, str) and key in result.state_names:
        row = result.state_names.index(key)
        return lambda t, x, stage: x[row]
    if not result._model.knows("expression"):
        evaluated(result, key)  # which raises
    return result._model.quantity("expression", key)


def expression_at(result: RunView, key: object, t: np.ndarray, side: Literal["left", "right"]) -> np.ndarray:
    """A state, an output or an expression at any times of a run, shape (k,)."""
    return expression_along(result, key)(t, result(t, side), result._record.stage_at(t, side))


def contact_names(result: RunView) -> tuple[str, ...]:
    """The names of the contacts in the order of `normal_force` and `gaps`; none for plain functions."""
    return result._facts.contact_names


def gaps(result: RunView) -> np.ndarray:
    """The gap of each contact at the times `t`, shape (n_contacts, n_samples) (m); in the order of `contact_names`.

    Examples
    --------
    >>> from sympact.models import bouncing_ball
    >>> result = bouncing_ball().simulate()
    >>> result.contact_names, result.gaps.shape == (1, len(result.t)), result.gaps[0, 0]
    (('ball',), True, np.float64(1.0))
    """
    rows = [result._model.quantity("gap", name)(*_at_samples(result)) for name in result._facts.contact_names]
    return np.array(rows).reshape(len(rows), len(result.t))


def kinetic_energy(result: RunView) -> np.ndarray:
    """The kinetic energy at the times `t`, shape (n_samples,) (J).

    Raises
    ------
    TypeError
        If the run was made from plain functions, which have no mass.
    ValueError
        If the model contains no kinetic energy, as a `SymbolicSystem`; the message says why.
    """
    return result._model.asked("kinetic_energy", "kinetic energy", _COMPUTE)(*_at_samples(result))


def potential_energy(result: RunView) -> np.ndarray:
    """The potential energy of the loads that have one at the times `t`, shape (n_samples,) (J), up to a constant.

    Potentials exist of forces that are constant in the inertial frame, such as uniform gravity, of SymPy's springs, and
    as the bodies' own potential energies. That of a `LagrangesMethod` is the one in its Lagrangian, with that of
    constant forces. All other loads do `work`, also those that could be written as a potential.

    Raises
    ------
    ValueError
        If the model contains no energies, or a Lagrangian does not determine them; the message says why.
    TypeError
        If the run was made from plain functions.

    Examples
    --------
    A ball of 1 kg, released 1 m above the floor:

    >>> from sympact.models import bouncing_ball
    >>> result = bouncing_ball().simulate()
    >>> result.potential_energy[0], result.energy[0]
    (np.float64(9.81), np.float64(9.81))
    """
    if result._facts.without_potential and not result._facts.without_kinetic:
        raise ValueError(
            f"this result has no potential energy: none is known for {', '.join(result._facts.without_potential)};"
            " result.kinetic_energy is known; add a potential of your own to it, as an expression of the model:"
            " result[expression]"
        )
    return result._model.asked("potential_energy", "potential energy", _COMPUTE)(*_at_samples(result))


def energy(result: RunView) -> np.ndarray:
    """Kinetic and potential energy at the times `t`, shape (n_samples,) (J); raises as these do."""
    return potential_energy(result) + kinetic_energy(result)


def normal_force(result: RunView) -> np.ndarray:
    """The normal force of each contact at the times `t`, shape (n_contacts, n_samples) (N); 0 where it is open.

    The contacts are in the order of the model. At a jump each sample has the force of its own side. The force that ends
    a mode has the limit from within the mode there, that of 256 spacings of floating-point times earlier: at a dead
    point a force jumps.

    Raises
    ------
    TypeError
        If the run was made from plain functions or loaded from a file, which have no contact forces.
    """
    return _known(result, "force")(*_at_samples(result))


def normal_force_at(result: RunView, t: Sequence[float], side: Literal["left", "right"] = "right") -> np.ndarray:
    """The normal force of each contact at any times of the run, shape (n_contacts, len(t)) (N).

    Between the accepted steps the state is that of the dense output, whose error a force amplifies where it depends on
    the direction of a slow slip: while a slip turns, the error may be a fifth at rtol = 1e-6, and vanishes in the
    printed digits at 1e-10. At the accepted steps themselves, `normal_force`, it has the accuracy of the steps.

    Parameters
    ----------
    t : array_like, shape (k,)
        Times within the run (s).
    side : "right" or "left"
        The side of an event at its time.

    Raises
    ------
    ValueError
        If a time is outside the run, or `side` is neither of the two.
    TypeError
        As for `normal_force`.

    Examples
    --------
    A rod that leans on a wall and a floor, just before its upper end leaves the wall, where its force is zero:

    >>> from sympact.models import rod_on_wall
    >>> result = rod_on_wall().simulate()
    >>> leaves = next(event.t for event in result.events if event.kind == "open")
    >>> abs(result.normal_force_at([leaves], side="left")[result.contact_names.index("A on wall"), 0]) < 1e-6
    np.True_
    """
    return _known(result, "force")(*_at_times(result, t, side))


def friction_force(result: RunView) -> np.ndarray:
    """The force of friction of each contact at the times `t`, shape (n_contacts, 3, n_samples) (N).

    Components are those in the inertial frame; the force acts on the body of the contact's point. Zero where the
    contact is open or has no friction. Where the distribution of a load over several contacts is indeterminate, the
    minimum-norm forces are given. Where a slip begins or ends, both samples of the event have the force with which
    the contact sticks.

    Raises
    ------
    ValueError
        As `normal_force` does.
    """
    return _known(result, "friction_force")(*_at_samples(result))


def friction_force_at(result: RunView, t: Sequence[float], side: Literal["left", "right"] = "right") -> np.ndarray:
    """The force of friction of each contact at any times of the run, shape (n_contacts, 3, len(t)) (N).

    Parameters
    ----------
    t, side
        As in `force_at`.

    Raises
    ------
    ValueError, TypeError
        As `force_at` does.

    Examples
    --------
    A block on a board that tilts, just before it starts and later; its friction by its normal force:

    >>> from sympact.models import sliding_block
    >>> result = sliding_block().simulate()
    >>> starts = result.events[-1].t
    >>> for t in (starts, starts + 0.1):
    ...     size = np.linalg.norm(result.friction_force_at([t], side="left")[0, :, 0])
    ...     print((size / result.normal_force_at([t], side="left")[0, 0]).round(9))
    0.5
    0.4
    """
    return _known(result, "friction_force")(*_at_times(result, t, side))


def joint_force(
    result: RunView,
    joint: object,
    *,
    t: Sequence[float] | None = None,
    side: Literal["left", "right"] = "right",
    frame: object = None,
) -> np.ndarray:
    """The force that the parent of a joint exerts on its child through the joint, shape (3, n_samples) (N).

    It follows from Newton's equations of the bodies that the joint holds, with their accelerations and all other
    forces on them: loads, actuators and springs, limits, closed contacts with their friction as `normal_force` and
    `friction_force` report them, and closures of loops as `reaction` does. Loads that act beside the joint, such as an
    actuator between parent and child, are no part of it. :doc:`/how-to/joint_forces` has examples and the equations.

    Parameters
    ----------
    joint : Joint or str
        A joint of the model's `System`, or its name.
    t : array_like, shape (k,), optional
        Times within the run (s); by default those of the samples, where at a jump each sample has the force of its own
        side.
    side : "right" or "left"
        The side of an event at its time, for `t`.
    frame : ReferenceFrame, optional
        The frame of the components, at each instant; by default the inertial frame.

    Raises
    ------
    KeyError
        If the joint is none of the model's.
    ValueError
        If the model has no joints, it is not known which bodies the joint holds, a load or the force of a constraint
        cannot be attributed to bodies, a symbol has no number, a time is outside the run, or the frame is not of the
        model.
    TypeError
        If the run was made from plain functions or loaded from a file.

    Examples
    --------
    A rod of 1 kg and 1 m below a pin that passes the vertical at 2 rad/s: its weight, and m omega^2 l/2 more:

    >>> from sympact import HybridModel
    >>> from sympy import Rational
    >>> from sympy.physics.mechanics import PinJoint, RigidBody, System, inertia
    >>> ground, rod = RigidBody("ground"), RigidBody("rod", mass=1)
    >>> rod.central_inertia = inertia(rod.frame, Rational(1, 12), 0, Rational(1, 12))
    >>> pin = PinJoint("pin", ground, rod, child_point=rod.y / 2, joint_axis=ground.z)
    >>> system = System.from_newtonian(ground)
    >>> system.add_joints(pin)
    >>> system.apply_uniform_gravity(-9.81 * ground.y)
    >>> result = HybridModel(system, []).simulate((0, 2), [0, 2], {})
    >>> result.joint_force(pin)[1, 0].round(2)
    np.float64(11.81)
    """
    return _in_joint(result, "joint_force", joint, t, side, frame)


def joint_torque(
    result: RunView,
    joint: object,
    *,
    t: Sequence[float] | None = None,
    side: Literal["left", "right"] = "right",
    frame: object = None,
) -> np.ndarray:
    """The torque that the parent of a joint exerts on its child through the joint, shape (3, n_samples) (N m).

    It is the moment about the joint's child point, where `joint_force` acts. Along a free axis of the joint it is zero:
    springs, dampers and actuators there are loads of their own.

    Parameters
    ----------
    joint, t, side, frame
        As in `joint_force`.

    Raises
    ------
    KeyError, ValueError, TypeError
        As `joint_force` does.

    Examples
    --------
    A beam of 2 kg, 1 m long, that is welded to a wall by its end, on a carriage that is free to slide:

    >>> from sympact import HybridModel
    >>> from sympy.physics.mechanics import PrismaticJoint, RigidBody, System, WeldJoint
    >>> rail, cart, beam = RigidBody("rail"), RigidBody("cart", mass=1), RigidBody("beam", mass=2)
    >>> slide = PrismaticJoint("slide", rail, cart, joint_axis=rail.z)
    >>> weld = WeldJoint("weld", cart, beam, child_point=-beam.x / 2)
    >>> system = System.from_newtonian(rail)
    >>> system.add_joints(slide, weld)
    >>> system.apply_uniform_gravity(-9.81 * rail.y)
    >>> result = HybridModel(system, []).simulate((0, 1), [0, 0], {})
    >>> abs(result.joint_torque(weld, t=[1.0])).round(2).tolist()
    [[0.0], [0.0], [9.81]]
    """
    return _in_joint(result, "joint_torque", joint, t, side, frame)


def reaction(result: RunView) -> Reactions:
    """The reactions of the bilateral constraints: ``result.reaction[constraint]`` has shape (n_rows, n_samples).

    They are the multipliers kappa of M u' = f + A^T kappa + W lambda, one for each equation of the constraint, at the
    times `t`; at a jump each sample has those of its own side. The constraint is the object or the expression that the
    model was made with, or its name. In N or N m for closures, see `Reactions.units`; for an expression phi the unit is
    that of energy over phi.

    Where constraints are redundant the multipliers of the smallest norm are given, see `Reactions.determined`.
    ``result.reaction.at(t)`` has them at other times, ``result.reaction.force(closure)`` as vectors.
    :doc:`/theory/constraints` has the equations.

    Raises
    ------
    TypeError
        If the run was made from plain functions or loaded from a file.

    Examples
    --------
    A ball of 2 kg on a rod of 1 m, in Cartesian coordinates, that passes below the pivot at 3 m/s: its weight, and
    m v^2 / l more. The multiplier of a distance is the force that pushes the two points apart:

    >>> from sympact import HybridModel, RodClosure
    >>> from sympy.physics.mechanics import PlanarJoint, RigidBody, System, inertia
    >>> ground, ball = RigidBody("ground"), RigidBody("ball", mass=2)
    >>> ball.central_inertia = inertia(ball.frame, 1, 1, 1)
    >>> plane = PlanarJoint("plane", ground, ball)
    >>> system = System.from_newtonian(ground)
    >>> system.add_joints(plane)
    >>> system.apply_uniform_gravity(-9.81 * ground.z)
    >>> rod = RodClosure(ground.masscenter, ball.masscenter, 1, name="rod")
    >>> model = HybridModel(system, [], constraints=[rod])
    >>> result = model.simulate((0, 1), [0, 0, -1, 0, 3, 0], {})
    >>> result.reaction["rod"][:, 0].round(2), result.reaction.units(rod)
    (array([-37.62]), {'along the rod': 'N'})
    """
    result._model.check("reactions", "reactions of constraints", _READ)
    return SampledReactions(result._model, lambda: _at_samples(result), lambda t, side: _at_times(result, t, side))


def _in_joint(
    result: RunView,
    name: str,
    joint: object,
    t: Sequence[float] | None,
    side: Literal["left", "right"],
    frame: object,
) -> np.ndarray:
    """The force or the torque in a joint at the samples, or at given times."""
    wrench = result._model.asked("joint_wrench", "forces in joints", _READ, joint, name == "joint_torque", frame)
    return wrench(*(_at_samples(result) if t is None else _at_times(result, t, side)))


def _known(result: RunView, name: str) -> Along:
    """The forces of contacts along states, or an error."""
    return result._model.asked(
        name, "contact forces", "run a HybridModel with contacts, or read its file by load(path, model=model)"
    )


def _at_samples(result: RunView) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Times, states and stages at which forces are evaluated for the samples of the run."""
    return result.t, result.x, result._stage_places()


def _at_times(
    result: RunView, t: Sequence[float], side: Literal["left", "right"]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The same for any times of the run."""
    times = np.atleast_1d(read_times(t))
    return times, result(times, side), result._record.stage_at(times, side)
