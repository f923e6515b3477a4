"""The state about which a model is linearized: its numbers, and its closed contacts with their motion."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from sympy import Expr

from sympact.integrate.memory.run_tolerances import DEFAULT_RTOL, DRIFT
from sympact.integrate.problem.real import described, real_array
from sympact.integrate.result import Result
from sympact.mechanics.derived.derived_model import DerivedModel
from sympact.mechanics.derived.numbers import Numbers
from sympact.mechanics.linear.closed_motion import Closed
from sympact.mechanics.linear.given_numbers import GivenNumbers
from sympact.mechanics.linear.linear_functions import functions_of
from sympact.mechanics.shapes.unilateral import Unilateral
from sympact.native.rounding import SAME

__all__ = [
    "OperatingPoint",
    "contact_state",
    "named_contacts",
    "operating_point",
    "slides",
    "state_of",
    "time_of",
]


@dataclass(frozen=True, eq=False)
class OperatingPoint:
    """A state with the numbers of the model there.

    Attributes
    ----------
    t : float
    x, p : array
    input_slopes : array, shape (n_inputs, n_states)
        The derivatives of inputs that are expressions of the state.
    closed : tuple of (int, Closed)
        The closed contacts.
    normals : array, shape (n_contacts, 3)
        The unit normals of the contacts with friction, in N.
    chosen : bool
        Whether these are those that touch, because the user named none.
    """

    t: float
    x: np.ndarray
    p: np.ndarray
    input_slopes: np.ndarray
    closed: tuple[tuple[int, Closed], ...]
    normals: np.ndarray
    chosen: bool


@dataclass(frozen=True, eq=False)
class ContactState:
    """Gaps and velocities of all contacts at one state.

    Attributes
    ----------
    gaps, rates, slips : array, shape (n_contacts,)
        g (m), g' (m/s), and the size of the slip velocity, 0 without friction (m/s).
    normals : array, shape (n_contacts, 3)
        In N; zero without friction.
    speeds : array, shape (n_contacts,)
        For each contact the speed to which a velocity is compared: that of the free motion from rest over the length of
        the model, and those of all coordinates added up.
    length : float
        The model length, or 1 m where it has none.
    """

    gaps: np.ndarray
    rates: np.ndarray
    slips: np.ndarray
    normals: np.ndarray
    speeds: np.ndarray
    length: float

    def moves(self, velocities: np.ndarray) -> np.ndarray:
        """Whether velocities, one for each contact, count as a motion."""
        return ~(np.abs(velocities) <= DRIFT * self.speeds)


def operating_point(
    model: DerivedModel,
    numbers: GivenNumbers,
    x: np.ndarray,
    t: float,
    closed: Iterable[Unilateral | str] | None,
) -> OperatingPoint:
    """The operating point with these contacts closed, by default those that touch and do not part.

    Raises
    ------
    ValueError
        If a closed contact is apart or moves along its normal, an open one is below its surface, or the equations
        change their branch at the state.
    NotImplementedError
        If friction holds a closed contact across an axis alone.
    """
    p = numbers.at(x)
    state = contact_state(model, t, x, p)
    if closed is None:
        touching = np.abs(state.gaps) <= DEFAULT_RTOL * state.length
        who = np.flatnonzero(touching & ~state.moves(state.rates)).tolist()
        _refuse_below(model, state, who)
    else:
        who = named_contacts(model, closed)
        _refuse_apart(model, state, who)
    pairs = tuple((k, _motion_along(model, state, k)) for k in who)
    _refuse_gliding(model, pairs)
    _refuse_corners(*numbers.running(x), t, x, who)
    return OperatingPoint(t, x, p, numbers.slopes(x), pairs, state.normals, closed is None)


def state_of(model: DerivedModel, x: Mapping[Expr, float] | Sequence[float] | Result, t: float) -> np.ndarray:
    """The state as an array, from numbers or from a run."""
    return Numbers(model).state(x(t) if isinstance(x, Result) else x)


def time_of(t: float) -> float:
    """The time as a number.

    Raises
    ------
    ValueError
        If it is no finite number.
    """
    try:
        time = real_array(t)
    except ValueError:
        time = np.array(np.nan)
    if time.shape or not np.isfinite(time):
        raise ValueError(f"t is {described(t)}, expected a time, a finite number (s)")
    return float(time)


def named_contacts(model: DerivedModel, closed: Iterable[Unilateral | str]) -> list[int]:
    """The indices of the contacts that are named as closed.

    Raises
    ------
    TypeError
        If it is no list.
    ValueError
        If the model has no such contact.
    """
    if isinstance(closed, str) or not isinstance(closed, Iterable):
        raise TypeError(f"closed is {closed!r}, expected a list of contacts, or of their names")
    return sorted({model.contact(contact) for contact in closed})


def slides(model: DerivedModel, t: float, x: np.ndarray, p: np.ndarray) -> tuple[Closed, ...]:
    """The motion of each contact along its surface at a state, if it is closed."""
    state = contact_state(model, t, x, p)
    return tuple(_motion_along(model, state, k) for k in range(len(model.contacts)))


def contact_state(model: DerivedModel, t: float, x: np.ndarray, p: np.ndarray) -> ContactState:
    """Gaps and velocities of the contacts at a state."""
    n, m = len(model.contacts), len(model.u)
    found = functions_of(model).contacts(t, x, p)
    gaps, rates, slips, normals, rest = np.split(found, [n, 2 * n, 3 * n, 6 * n])
    jacobians, mass, forcing = np.split(rest, [4 * n * m, 4 * n * m + m * m])
    jacobians, u = np.abs(jacobians.reshape(n, 4, m)), np.abs(x[len(model.q) :])
    free = np.abs(np.linalg.lstsq(mass.reshape(m, m), forcing, rcond=None)[0])
    length = model.length_value(p) or 1.0
    largest = jacobians.max(axis=1, initial=0.0)
    return ContactState(
        gaps, rates, slips, normals.reshape(n, 3), largest @ u + np.sqrt(length * (largest @ free)), length
    )


def _motion_along(model: DerivedModel, state: ContactState, k: int) -> Closed:
    if model.derivation.gaps[k].slip is None:
        return Closed.SMOOTH
    return Closed.SLIPS if state.moves(state.slips)[k] else Closed.STICKS


def _refuse_gliding(model: DerivedModel, pairs: Sequence[tuple[int, Closed]]) -> None:
    """Contacts that stick across an axis along which they glide."""
    for k, how in pairs:
        contact = model.contacts[k]
        if how is Closed.STICKS and contact.anisotropy is not None and contact.anisotropy.ratio.is_zero:
            raise NotImplementedError(
                f"{contact.title} sticks across the axis of its friction and glides along it, as the ratio of its "
                "FrictionEllipse is 0; linearize knows contacts that stick or slip: give a ratio above 0, or a "
                "Nonholonomic constraint in its place"
            )


def _refuse_apart(model: DerivedModel, state: ContactState, who: Sequence[int]) -> None:
    """Named contacts that are not closed."""
    faults, moving = [], state.moves(state.rates)
    for k in who:
        title = model.contacts[k].title
        if not abs(state.gaps[k]) <= DRIFT * state.length:
            faults.append(f"{title} is named as closed, but its gap is {state.gaps[k]:.6g} m")
        elif moving[k]:
            faults.append(f"{title} is named as closed, but its gap changes at {state.rates[k]:.6g} m/s")
    if faults:
        raise ValueError("; ".join(faults) + "; a closed contact has the gap 0 and the gap rate 0")


def _refuse_below(model: DerivedModel, state: ContactState, who: Sequence[int]) -> None:
    """Open contacts below their surface."""
    faults = [
        f"{model.contacts[k].title} is open, but its gap is {state.gaps[k]:.6g} m"
        for k in range(len(state.gaps))
        if k not in who and not state.gaps[k] >= -DRIFT * state.length
    ]
    if faults:
        raise ValueError(
            "; ".join(faults) + "; an open contact has a gap >= 0: name the closed contacts "
            "with closed=, such as closed=() for a motion through all surfaces"
        )


def _refuse_corners(model: DerivedModel, p: np.ndarray, t: float, x: np.ndarray, who: Iterable[int]) -> None:
    """Refuse a state at which a condition in the equations changes its branch: the two sides differ in slope.

    Raises
    ------
    ValueError
        Naming the conditions.
    """
    names, values = functions_of(model).margins(tuple(who))
    if not names:
        return
    found = values(t, x, p).reshape(len(names), -1)
    at_corner = np.abs(found[:, 0]) <= SAME * (np.abs(found[:, 1:]) @ np.abs(x))
    if at_corner.any():
        listed = ", ".join(f"'{names[k]}'" for k in np.flatnonzero(at_corner))
        raise ValueError(
            f"the equations change their branch at this state, at the limit of {listed}, so that they may have two "
            "derivatives there; give a state on one side"
        )
