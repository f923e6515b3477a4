"""The impact problem on its own, from matrices to impulses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from sympact.contact.contact_workspace import ContactData, solver_units
from sympact.contact.infeasibility import Infeasibility, find_infeasibility
from sympact.contact.laws.impact_laws import ImpactLaw, Newton, Resolution
from sympact.contact.laws.resolutions import Simultaneous
from sympact.contact.memory import contact_codes as codes
from sympact.integrate.problem.callback import Faults
from sympact.integrate.problem.real import real_array
from sympact.native.engine import default_engine, engine_for

__all__ = ["ImpactSolution", "UnsolvedImpact", "explain", "solve_impact"]

_NEWTON, _SIMULTANEOUS = Newton(), Simultaneous()


class UnsolvedImpact(ValueError):
    """No impulses satisfy the law of every contact of an impact.

    Attributes
    ----------
    infeasibility : Infeasibility or None
        Why there are none; None where no certificate was found, so that the solver may have failed.
    """

    def __init__(self, sentence: str, infeasibility: Infeasibility | None) -> None:
        super().__init__(sentence)
        self.infeasibility = infeasibility


@dataclass(frozen=True, eq=False)
class ImpactSolution:
    """The solution of an impact.

    Attributes
    ----------
    speed_change : array, shape (n_speeds,)
        u+ - u-.
    impulses : array, shape (n_contacts,)
        Normal impulses Lambda_N >= 0 (N s); of all that give this motion, those of least norm.
    friction_impulses : array, shape (n_contacts, 2)
        Impulses along the tangents (N s); zeros without friction.
    gap_rate_plus : array, shape (n_contacts,)
        gamma_N+ (m/s).
    slip_plus : array, shape (n_contacts, 2)
        gamma_T+ (m/s).
    energy : float
        The energy certificate, sum of Lambda . (gamma+ + gamma-)/2 (J): the change of the kinetic energy less the work
        of moving surfaces. Negative when energy is lost.
    residual : float
        The violation of the law by the impulses, scaled by M, relative to the speeds of the problem.
    factor : float
        The factor by which the law reduced the restitutions so that no energy is gained; 1 where it did not.
    solvers : dict of str to int
        How often each solver and each of their fallbacks was called: docs/theory, complementarity.
    """

    speed_change: np.ndarray
    impulses: np.ndarray
    friction_impulses: np.ndarray
    gap_rate_plus: np.ndarray
    slip_plus: np.ndarray
    energy: float
    residual: float
    factor: float
    solvers: dict[str, int]


def solve_impact(
    mass_matrix: ArrayLike,
    normal_jacobian: ArrayLike,
    gap_rate_minus: ArrayLike,
    restitution: ArrayLike,
    *,
    tangent_jacobian: ArrayLike | None = None,
    slip_minus: ArrayLike | None = None,
    friction: ArrayLike | None = None,
    constraint_jacobian: ArrayLike | None = None,
    law: ImpactLaw = _NEWTON,
    resolution: Resolution = _SIMULTANEOUS,
) -> ImpactSolution:
    """Solve an impact of one or several contacts under a law, with or without friction.

    Finds u+ - u- and Lambda with M (u+ - u-) = W Lambda, with bilateral constraints M (u+ - u-) = W Lambda + A^T K and
    A (u+ - u-) = 0, and gamma+ = gamma- + W^T (u+ - u-) that satisfy the law. Under
    `Newton`, without friction: 0 <= Lambda _|_ gamma+ + e gamma- >= 0 for each contact. Contacts may be redundant (W^T
    M^-1 W singular).

    Parameters
    ----------
    mass_matrix : array_like, shape (n_speeds, n_speeds)
        M, symmetric and positive definite, with constraints for the motions that they leave; its lower triangle is
        read.
    normal_jacobian : array_like, shape (n_contacts, n_speeds)
        W_N^T, the derivative of the gap rates by the speeds.
    gap_rate_minus : array_like, shape (n_contacts,)
        gamma_N- (m/s), negative where bodies approach.
    restitution : float or array_like, shape (n_contacts,)
        e of each contact, from 0 to 1.
    tangent_jacobian : array_like, shape (n_contacts, 2, n_speeds) or (n_contacts, n_speeds), optional
        W_T^T, the derivative of the slip by the speeds along two unit tangents, or along one in a plane.
    slip_minus : array_like, shape (n_contacts, 2) or (n_contacts,), optional
        gamma_T- (m/s).
    friction : float or array_like, shape (n_contacts,), optional
        mu of each contact; infinite where nothing slips. These three belong together; without them there is no
        friction.
    constraint_jacobian : array_like, shape (n_constraints, n_speeds), optional
        A, the rows of bilateral constraints A u + a = 0, which the impact keeps. They may depend on each other.
    law : ImpactLaw
        `Newton`, `Poisson`, `Energetic`, `Plastic`, or a `CustomLaw`.
    resolution : Resolution
        `Simultaneous`, `Sequential` or `ImpulseRatio`.

    Returns
    -------
    ImpactSolution

    Raises
    ------
    TypeError
        If the law or the resolution is something else.
    ValueError
        If shapes do not match, a number is not finite, e is outside 0..1, mu is negative, M is not positive definite,
        or the law is not defined for the resolution.
    UnsolvedImpact
        If no impulses satisfy the law: a `ValueError` whose `infeasibility` names the contacts that prevent it, as
        where friction locks a contact that should rebound, or moving surfaces close in.
    Exception
        Any exception of a `CustomLaw`.

    Examples
    --------
    A ball of 4 kg hits a floor with 3 m/s:

    >>> solution = solve_impact([[4.0]], [[1.0]], [-3.0], 0.5)
    >>> solution.impulses, solution.gap_rate_plus, solution.energy
    (array([18.]), array([1.5]), -13.5)

    A particle of 1 kg arrives with (4, -3) m/s; friction reduces its slip by 0.5 (1 + e) 3 m/s:

    >>> solve_impact(
    ...     [[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0]], [-3.0], 0.0,
    ...     tangent_jacobian=[[1.0, 0.0]], slip_minus=[4.0], friction=0.5,
    ... ).speed_change
    array([-1.5,  3. ])

    Two particles of 1 kg that a massless rod holds at the same height; one of them hits:

    >>> solve_impact([[1.0, 0.0], [0.0, 1.0]], [[1.0, 0.0]], [-3.0], 0.0, constraint_jacobian=[[1.0, -1.0]]).impulses
    array([6.])
    """
    problem = ImpactProblem.read(
        mass_matrix,
        normal_jacobian,
        gap_rate_minus,
        restitution,
        tangent_jacobian,
        slip_minus,
        friction,
        constraint_jacobian,
    )
    return problem.solve(law, resolution)


@dataclass(frozen=True, eq=False)
class ImpactProblem:
    """The numbers of an impact, checked; tangents, slip and mu are None without friction, A without constraints."""

    mass: np.ndarray
    jacobian: np.ndarray
    rates: np.ndarray
    restitution: np.ndarray
    tangents: np.ndarray | None = None
    slip: np.ndarray | None = None
    friction: np.ndarray | None = None
    constraints: np.ndarray | None = None

    @property
    def approaches(self) -> bool:
        """Whether a contact approaches."""
        return bool((self.rates < 0.0).any())

    @classmethod
    def read(
        cls,
        mass_matrix,
        normal_jacobian,
        gap_rate_minus,
        restitution,
        tangent_jacobian,
        slip_minus,
        friction,
        constraint_jacobian=None,
    ):
        """From a user's arguments, see `solve_impact`.

        Raises
        ------
        ValueError
            With a sentence for each fault.
        """
        mass, jacobian = _array(mass_matrix, "mass matrix"), _array(normal_jacobian, "normal Jacobian")
        rates = _array(gap_rate_minus, "gap rates")
        e = _each(restitution, rates, "restitution")
        rows = None if constraint_jacobian is None else _array(constraint_jacobian, "constraint Jacobian")
        bilateral = {} if rows is None else {"constraint Jacobian": rows}
        if tangent_jacobian is None and slip_minus is None and friction is None:
            _validate(mass, jacobian, rates, e, bilateral)
            return cls(mass, jacobian, rates, e, constraints=rows)
        if tangent_jacobian is None or slip_minus is None or friction is None:
            given = {"tangent_jacobian": tangent_jacobian, "slip_minus": slip_minus, "friction": friction}
            missing = ", ".join(name for name, value in given.items() if value is None)
            raise ValueError(
                "the impact is invalid: friction needs tangent_jacobian, slip_minus and friction; missing: " + missing
            )
        tangents, slip = _array(tangent_jacobian, "tangent Jacobian"), _array(slip_minus, "slip")
        if tangents.ndim == 2:
            tangents = np.stack([tangents, np.zeros_like(tangents)], axis=1)
        if slip.ndim == 1:
            slip = np.stack([slip, np.zeros_like(slip)], axis=1)
        mu = _each(friction, rates, "friction")
        tangential = {"tangent Jacobian": tangents, "slip": slip, "friction": mu}
        _validate(mass, jacobian, rates, e, tangential | bilateral)
        return cls(mass, jacobian, rates, e, tangents, slip, mu, rows)

    def solve(self, law: ImpactLaw, resolution: Resolution) -> ImpactSolution:
        """The impact under a law; raises as `solve_impact`."""
        if not (isinstance(law, ImpactLaw) and isinstance(resolution, Resolution)):
            raise TypeError(
                f"an impact is solved by a law and a resolution such as Newton() and Simultaneous(); found {law!r} and "
                f"{resolution!r}"
            )
        with engine_for(default_engine(), solver_units(law, resolution, self.friction is not None)).in_force():
            return self._solved(law, resolution)

    def _solved(self, law: ImpactLaw, resolution: Resolution) -> ImpactSolution:
        """The impact by the engine in force."""
        (n, m), has_friction, faults = self.jacobian.shape, self.friction is not None, Faults()
        rows = np.zeros((0, m)) if self.constraints is None else self.constraints
        data = ContactData(
            0,
            m,
            n,
            law,
            resolution,
            terms=0,
            parameters=[],
            length=1.0,
            n_rows=len(rows),
            slips=has_friction,
            faults=faults,
        )
        data.assemble(self.mass, self.jacobian, self.rates, self.restitution, rows)
        if has_friction:
            data.assemble_slip(self.jacobian, self.tangents, self.slip, self.friction)
        code = law.solver(resolution, has_friction).callable()(data.address)
        if faults.raised is not None:
            raise faults.raised
        if code != codes.SOLVED:
            raise _refusal(data, code, law)
        impulses, after = data.problem.impulse.copy(), data.problem.rate_plus.copy()
        energy = float(impulses @ (after + self.rates)) / 2
        pushes, slip_after = np.zeros((n, 2)), np.zeros((n, 2))
        if has_friction:
            pushes = data.problem.friction_impulse.copy()
            slip_after = data.problem.slip_plus.copy()
            energy += float((pushes * (slip_after + self.slip)).sum()) / 2
        factor = float(data.problem.restitution_factor)
        change = data.problem.change.copy()
        residual, counts = data.residual, data.solver_counts
        return ImpactSolution(change, impulses, pushes, after, slip_after, energy, residual, factor, counts)


def _array(value: ArrayLike, name: str) -> np.ndarray:
    """The value as an array of floats, or an error that names it."""
    try:
        return real_array(value)
    except ValueError as error:
        raise ValueError(f"the impact is invalid: {name}: {error}; expected rows of equal length") from None


def _each(value: ArrayLike, like: np.ndarray, name: str) -> np.ndarray:
    """An array; one number is repeated for all contacts."""
    array = _array(value, name)
    return np.full(like.shape, float(array)) if array.ndim == 0 else array


def _validate(
    mass: np.ndarray, jacobian: np.ndarray, rates: np.ndarray, e: np.ndarray, further: dict[str, np.ndarray]
) -> None:
    """Raise one error that names every fault of the arguments."""
    n, m = jacobian.shape if jacobian.ndim == 2 else (-1, -1)
    named = {"mass matrix": mass, "normal Jacobian": jacobian, "gap rates": rates, "restitution": e, **further}
    faults = []
    if n < 1 or m < 1:
        faults.append(f"the normal Jacobian has the shape {jacobian.shape}, expected (n_contacts, n_speeds)")
    else:
        shapes = {"mass matrix": (m, m), "gap rates": (n,), "restitution": (n,), "tangent Jacobian": (n, 2, m)}
        shapes |= {"slip": (n, 2), "friction": (n,)}
        for name, array in named.items():
            if name in shapes and array.shape != shapes[name]:
                expected = f"expected {shapes[name]} for {n} contacts and {m} speeds"
                faults.append(f"{name}: shape {array.shape}, {expected}")
        rows = further.get("constraint Jacobian")
        if rows is not None and (rows.ndim != 2 or rows.shape[1] != m):
            faults.append(f"constraint Jacobian: shape {rows.shape}, expected (n_constraints, {m}) for {m} speeds")
    finite = {name: array[array != np.inf] if name == "friction" else array for name, array in named.items()}
    faults += [f"{name}: not every number is finite" for name, array in finite.items() if not np.isfinite(array).all()]
    outside = [float(value) for value in e.ravel() if value < 0 or value > 1]
    if outside:
        faults.append(f"restitution: {outside} outside the range from 0 to 1")
    negative = [float(value) for value in further.get("friction", np.zeros(0)).ravel() if value < 0]
    if negative:
        faults.append(f"friction: {negative} is negative")
    if faults:
        raise ValueError("the impact is invalid: " + "; ".join(faults))


def explain(data: ContactData, law: ImpactLaw, names: Sequence) -> Infeasibility | None:
    """Why the last assembled impact has no solution under a law; None where that cannot be shown."""
    rows, before, friction, e = data.assembled()
    asked = law.asked(before, e)
    return find_infeasibility(rows, before.ravel(), asked.ravel(), friction, [names[i] for i in data.participants()])


def _refusal(data: ContactData, code: int, law: ImpactLaw) -> ValueError:
    if data.singular_speed is not None:
        return ValueError(
            f"the mass matrix is not positive definite: the pivot of elimination is not positive at the speed of index "
            f"{data.singular_speed}; give it a mass, or leave a singular configuration"
        )
    if code == codes.UNENDED:
        return ValueError(
            "single impacts continue without an end; raise max_impacts, or use Simultaneous() or another "
            "order, as Sequential(order='fastest'); some surfaces may close in on a body from opposite sides"
        )
    found = explain(data, law, range(len(data.problem.participants)))
    if found is not None:
        return UnsolvedImpact(f"no impulses satisfy the law of every contact: {found.sentence()}", found)
    return UnsolvedImpact(
        "no impulses satisfy the law of every contact: some contacts close in on a body from opposite sides, or their "
        "restitutions contradict each other; separate the impacts in time, or make their restitutions equal",
        None,
    )
