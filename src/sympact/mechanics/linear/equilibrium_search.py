"""The search for an equilibrium: its equations in unknowns of size 1, and where it begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from sympact.contact.memory.contact_tolerances import ACCEPTED, UNBOUNDED
from sympact.integrate.memory.run_tolerances import DRIFT, NEGLIGIBLE
from sympact.mechanics.derived.derived_model import DerivedModel
from sympact.mechanics.linear.balance import BalanceValues
from sympact.mechanics.linear.given_numbers import GivenNumbers
from sympact.mechanics.linear.levenberg import Root, root_near
from sympact.mechanics.linear.linear_functions import functions_of
from sympact.mechanics.linear.operating_point import slides
from sympact.mechanics.start.constraint_values import constrained_mass

__all__ = ["EquilibriumSearch", "NoEquilibrium"]

_DRIVEN = 20  # searches that begin where the loads have driven a mechanism; a few suffice


class NoEquilibrium(ValueError):
    """No equilibrium was found from a guess.

    Attributes
    ----------
    x : array, shape (n_states,)
        The state at which the search ended.
    residual : mapping of str to float
        The residual of each condition that is not met: for a speed the generalized force (N, N m), for a contact its
        gap (m), for a constraint phi, and its first two derivatives at the constant speeds.
    """

    def __init__(self, message: str, x: np.ndarray, residual: dict[str, float]) -> None:
        super().__init__(message)
        self.x, self.residual = x, residual


class EquilibriumSearch:
    """The equations of an equilibrium in unknowns of size 1: coordinates, normal and tangential forces, multipliers.

    f + W_N lambda + W_T lambda_T + A^T kappa = 0, phi = 0, A u + a = 0, A' u + a' = 0, and for each contact 0 <= g,
    0 <= lambda, g lambda = 0 as one equation [1]_: g + lambda - sqrt(g^2 + lambda^2) = 0. With friction,
    |lambda_T| <= mu lambda: the excess is 0.

    .. [1] A. Fischer, "A special Newton-type optimization method", Optimization 24 (1992), 269-284.

    Parameters
    ----------
    model, numbers, t
    x : array
        The guess, with the constant speeds.
    who : list of int, optional
        The closed contacts; by default those that the equations close.
    max_step : float
        The largest change of a coordinate in one step, of size 1.
    """

    def __init__(
        self,
        model: DerivedModel,
        numbers: GivenNumbers,
        x: np.ndarray,
        t: float,
        who: Sequence[int] | None,
        max_step: float,
    ) -> None:
        self.model, self._numbers, self._x, self.t, self.who = model, numbers, x.copy(), t, who
        self._max_step = max_step
        p, self._n_q = numbers.at(x), len(model.q)
        self._discrete = np.array([q in model.discrete for q in model.q], dtype=bool)
        self.balance = functions_of(model).balance(slides(model, t, x, p))
        self.length = model.length_value(p) or 1.0
        self._units, self._loads, self._rows = self._scales(p)
        self._sizes = self._units * self._unknown()
        self.is_coordinate = np.arange(len(self._sizes)) < self._n_q
        self.start = self._start(self._scaled(x[: self._n_q]))

    def _unknown(self) -> np.ndarray:
        """Whether each number is unknown: the forces of contacts that are not named as closed are 0.

        Discrete states are given.
        """
        contacts = np.full(len(self.model.contacts), self.who is None)
        contacts[list(self.who or ())] = True
        sticking = np.repeat(contacts[list(self.balance.sticking)], 3)
        multipliers = np.ones(self.balance.constraints, dtype=bool)
        return np.concatenate([~self._discrete, contacts, sticking, multipliers])

    def _scaled(self, coordinates: np.ndarray) -> np.ndarray:
        """Coordinates, or changes of them, of size 1; 0 for discrete states."""
        sizes = self._sizes[: self._n_q]
        return np.divide(coordinates, sizes, out=np.zeros(self._n_q), where=sizes > 0.0)

    def root(self) -> Root:
        """The root near the guess; of a mechanism, if there is none, near the places to which the loads drive it.

        The forces that are left have smallest values that are no roots, such as in a loop, where the energy has a point
        of inflection. From there a step leads along the acceleration from rest.
        """
        found = first = root_near(self.equations, self.start, self.is_coordinate, self._max_step)
        place, tries = self.start, _DRIVEN if self.balance.constraints else 0
        while not found.found and tries:
            place, tries = self._start(self._driven(place)), tries - 1
            found = root_near(self.equations, place, self.is_coordinate, self._max_step)
        return found if found.found else first

    def _driven(self, scaled: np.ndarray) -> np.ndarray:
        """The coordinates after a step along the accelerations from rest, of size 1."""
        x, _ = self.state(scaled)
        n_q, n_u, p = self._n_q, len(self.model.u), self._numbers.at(x)
        motion = functions_of(self.model).motion(())
        values = motion.at(self.t, x, p, np.zeros(n_u), np.zeros(motion.size))
        rows = values.directions.T
        matrix = np.block([[values.mass, -rows.T], [rows, np.zeros((len(rows), len(rows)))]])
        right = np.concatenate([-values.imbalance, np.zeros(len(rows))])
        accelerations = np.linalg.lstsq(matrix, right, rcond=ACCEPTED)[0][:n_u]
        slopes = values.by_state[values.part("rates"), n_q:]
        step = self._scaled(slopes @ accelerations)
        largest = np.abs(step).max(initial=0.0)
        return scaled[:n_q] + (self._max_step / largest * step if largest > 0.0 else 0.0)

    def _start(self, coordinates: np.ndarray) -> np.ndarray:
        """Coordinates with the smallest forces of the contacts that touch there, so that what can rest stays.

        Constraints are satisfied first: redundant ones contradict each other beside the places that satisfy them.
        """
        start = np.zeros(len(self._sizes))
        start[: self._n_q] = coordinates
        if self.balance.constraints:
            start = root_near(self._places, start, self.is_coordinate, self._max_step).place
        touching = np.abs(self.values(start).gaps) <= DRIFT * self.length
        start[self._n_q :] = self._least_forces(start, touching)
        normal = slice(self._n_q, self._n_q + len(self.model.contacts))
        start[normal] = np.maximum(start[normal], 0.0)
        return start

    def _least_forces(self, scaled: np.ndarray, pressed: np.ndarray) -> np.ndarray:
        """The smallest forces that balance the loads as far as those of these contacts and the constraints can."""
        values, n, n_c = self.values(scaled), self._n_q, len(self.model.contacts)
        matrix = (values.along("forces") * self._sizes)[:, n:] / self._loads[:, np.newaxis]
        loads = values.forces / self._loads - matrix @ scaled[n:]
        matrix[:, :n_c] *= pressed
        matrix[:, self._tangential] *= np.repeat(pressed[list(self.balance.sticking)], 3)
        return np.linalg.lstsq(matrix, -loads, rcond=ACCEPTED)[0]

    def _scales(self, p: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The sizes of the unknowns, of the loads on each speed, and of the conditions."""
        model, x, t = self.model, self._x, self.t
        n_c, n_q = len(model.contacts), self._n_q
        values = self.balance.at(t, x, p, np.zeros(self._n_forces), self._numbers.slopes(x))
        reach = functions_of(model).reach(t, x, p, self.length)
        coordinates = 1.0 / np.where(reach > 0.0, reach, 1.0)
        slopes = values.along("forces")
        constraints = slopes[:, n_q + n_c :][:, 3 * len(self.balance.sticking) :].T
        inertias = np.diagonal(constrained_mass(np.diag(functions_of(model).inertias(t, x, p)), constraints))
        weight = np.sqrt(inertias)
        terms = np.abs(values.forces) + np.abs(slopes[:, :n_q] @ np.diag(coordinates)).max(axis=1, initial=0.0)
        loads = weight * (np.nan_to_num(terms / weight, posinf=0.0).max(initial=0.0) or 1.0)
        rows = np.abs(slopes[:, n_q:] / loads[:, np.newaxis]).max(axis=0, initial=0.0)
        forces = 1.0 / np.where(rows > 0.0, rows, 1.0)
        largest = forces[:n_c][list(self.balance.sticking)]
        forces[self._tangential] = np.repeat(largest, 3)
        fast, accelerated = np.abs(x[n_q:]), loads / inertias
        motions = (
            np.abs(values.along("positions")[:, :n_q] * coordinates).max(axis=1, initial=0.0),
            np.abs(constraints) @ fast + np.abs(values.rates - constraints @ x[n_q:]),
            np.abs(constraints) @ accelerated,
        )
        sizes = [np.where(size > 0.0, size, 1.0) for size in motions]
        return (
            np.concatenate([coordinates, forces]),
            loads,
            np.concatenate([loads, np.full(n_c, self.length), largest, np.ones(len(values.norms)), *sizes]),
        )

    @property
    def _n_forces(self) -> int:
        return len(self.model.contacts) + 3 * len(self.balance.sticking) + self.balance.constraints

    @property
    def _tangential(self) -> slice:
        """The places of tangential forces among the forces."""
        first = len(self.model.contacts)
        return slice(first, first + 3 * len(self.balance.sticking))

    def state(self, scaled: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """x and the forces of scaled unknowns."""
        unknown, x = scaled * self._sizes, self._x.copy()
        x[: self._n_q] = np.where(self._discrete, x[: self._n_q], unknown[: self._n_q])
        return x, unknown[self._n_q :]

    def _places(self, scaled: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """phi of the constraints and the norms of quaternions with their derivatives, of size 1."""
        values = self.values(scaled)
        residual = np.concatenate([values.norms, values.positions])
        sizes = self._rows[self._first_held :][: len(residual)]
        slopes = np.vstack([values.along("norms"), values.along("positions")]) * self._sizes
        return residual / sizes, slopes / sizes[:, np.newaxis]

    @property
    def _first_held(self) -> int:
        """The place of the first norm among the conditions; those of constraints follow."""
        return len(self.model.u) + len(self.model.contacts) + len(self.balance.sticking)

    def with_least_forces(self, scaled: np.ndarray) -> np.ndarray:
        """The same coordinates with the smallest contact forces that balance, if these push and keep to their cones."""
        n, n_c = self._n_q, len(self.model.contacts)
        touching = np.abs(self.values(scaled).gaps) <= NEGLIGIBLE * self.length
        forces = self._least_forces(scaled, touching)
        least = np.concatenate([scaled[:n], forces])
        pushes = self.who is not None or (forces[:n_c] >= 0.0).all()
        return least if pushes and np.abs(self.equations(least)[0]).max(initial=0.0) <= ACCEPTED else scaled

    def values(self, scaled: np.ndarray) -> BalanceValues:
        """The conditions at scaled unknowns."""
        x, forces = self.state(scaled)
        return self.balance.at(self.t, x, self._numbers.at(x), forces, self._numbers.slopes(x))

    def equations(self, scaled: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The residual and its derivatives, of size 1."""
        values, n_c = self.values(scaled), len(self.model.contacts)
        names = ("forces", "gaps", "tangential", "friction", "norms", "positions", "rates", "biases")
        part = {name: values.along(name) * self._sizes for name in names}
        residuals = [values.forces / self._loads]
        rows = [part["forces"] / self._loads[:, np.newaxis]]
        for k in range(n_c):
            force, along = scaled[self._n_q + k], np.zeros(len(scaled))
            along[self._n_q + k] = 1.0
            found = self._contact(k, values.gaps[k] / self.length, force, part["gaps"][k] / self.length, along)
            residuals.append(np.array([found[0]]))
            rows.append(found[1][np.newaxis])
        for i, k in enumerate(self.balance.sticking):
            found = self._cone(i, k, values, part, scaled)
            residuals.append(np.array([found[0]]))
            rows.append(found[1][np.newaxis])
        held = np.concatenate([values.norms, values.positions, values.rates, values.biases])
        rest = np.vstack([part["norms"], part["positions"], part["rates"], part["biases"]])
        sizes = self._rows[self._first_held :]
        return np.concatenate([*residuals, held / sizes]), np.vstack([*rows, rest / sizes[:, np.newaxis]])

    def _contact(
        self, k: int, gap: float, force: float, gap_slope: np.ndarray, force_slope: np.ndarray
    ) -> tuple[float, np.ndarray]:
        """g = 0 of a contact that is named as closed, nothing of one that is not, else complementarity."""
        if self.who is not None:
            return (gap, gap_slope) if k in self.who else (0.0, np.zeros(len(gap_slope)))
        size = float(np.hypot(gap, force))
        a, b = (gap / size, force / size) if size > 0.0 else (np.sqrt(0.5), np.sqrt(0.5))
        return gap + force - size, (1.0 - a) * gap_slope + (1.0 - b) * force_slope

    def _cone(
        self, i: int, k: int, values: BalanceValues, part: Mapping[str, np.ndarray], scaled: np.ndarray
    ) -> tuple[float, np.ndarray]:
        """The excess of the tangential force over the static friction."""
        size = self._units[self._n_q + k]
        force, along = values.tangential[3 * i : 3 * i + 3] / size, part["tangential"][3 * i : 3 * i + 3] / size
        length, normal, mu = float(np.linalg.norm(force)), scaled[self._n_q + k], min(values.friction[i], UNBOUNDED)
        excess, slope = length - mu * normal, np.zeros(len(scaled))
        if not excess > 0.0:
            return 0.0, slope
        slope = force @ along / length - normal * part["friction"][i]
        slope[self._n_q + k] -= mu
        return excess, slope

    def failure(self, root: Root) -> NoEquilibrium:
        """The residual, by the speeds and contacts that carry it."""
        x, _ = self.state(root.place)
        names = [str(speed) for speed in self.model.u] + [f"the contact '{one.name}'" for one in self.model.contacts]
        names += [f"the friction of '{self.model.contacts[k].name}'" for k in self.balance.sticking]
        names += [f"the quaternion {', '.join(str(self.model.q[i]) for i in group)}" for group in self._quaternions]
        constraints = self.model.derivation.constraints
        names += [f"'{row.label}'" for row in constraints if row.position is not None]
        names += [f"the {word} of '{row.label}'" for word in ("rate", "acceleration") for row in constraints]
        largest = np.abs(root.residual).max(initial=0.0)
        if not np.isfinite(largest):
            carried = np.flatnonzero(~np.isfinite(root.residual))
        else:
            carried = np.flatnonzero(np.abs(root.residual) > 0.1 * largest)
        left = {names[i]: float(root.residual[i] * self._rows[i]) for i in carried}
        listed = ", ".join(f"{value:.6g} in {name}" for name, value in left.items())
        return NoEquilibrium(
            f"no equilibrium was found from this guess: after {root.steps} steps the conditions are violated by "
            f"{largest:.2g} of the loads, {listed} (of speeds the force that is left in M u', of contacts the gap, of "
            "constraints phi and its derivatives); give a guess that is nearer, or other closed contacts",
            x,
            left,
        )

    @property
    def _quaternions(self) -> Sequence[Sequence[int]]:
        return self.model.derivation.quaternions
