"""Equilibria: coordinates at which given constant speeds do not change, with the forces of the closed contacts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from sympy import Expr, Symbol
from sympy.physics.vector import vsstrrepr

from sympact.contact.memory.contact_tolerances import ACCEPTED
from sympact.integrate.export.letters import by_letters
from sympact.integrate.memory.run_tolerances import DRIFT, NEGLIGIBLE
from sympact.integrate.present.table import Sheet
from sympact.integrate.problem.real import described
from sympact.mechanics.derived.derived_model import DerivedModel
from sympact.mechanics.derived.numbers import arranged, starts_of
from sympact.mechanics.linear.balance import BalanceValues
from sympact.mechanics.linear.equilibrium_search import EquilibriumSearch, NoEquilibrium
from sympact.mechanics.linear.given_numbers import GivenNumbers
from sympact.mechanics.linear.levenberg import Root
from sympact.mechanics.linear.linearization import Linearization
from sympact.mechanics.linear.linearize import linearize_at
from sympact.mechanics.linear.operating_point import named_contacts, operating_point, time_of
from sympact.mechanics.shapes.unilateral import Unilateral

__all__ = ["Equilibrium", "NoEquilibrium", "find_equilibrium"]


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """A state in which the speeds do not change.

    Attributes
    ----------
    t : float
        The time (s).
    model_states : tuple of Expr
    x : array, shape (n_states,)
    closed : tuple of str
        The closed contacts.
    contact_names : tuple of str
        All contacts.
    normal_force : array, shape (n_contacts,)
        (N), zero of open contacts.
    friction_force : array, shape (n_contacts, 3)
        On the body of the contact's point, components in the inertial frame (N). Where sticking contacts may share the
        friction in several ways, it is the smallest.
    reaction : mapping of str to array
        The multipliers kappa of each bilateral constraint, one for each of its equations; where constraints depend on
        each other, those of least norm, each in its unit.
    residual : float
        The largest generalized force that is left, relative to the loads.
    steps : int
        Steps of the search.
    linearization : Linearization or None
        About this state with these contacts closed; None where it is not defined, see `refusal`.
    refusal : str
        The reason there is no linearisation.
    """

    t: float
    model_states: tuple[Expr, ...]
    x: np.ndarray
    closed: tuple[str, ...]
    contact_names: tuple[str, ...]
    normal_force: np.ndarray
    friction_force: np.ndarray
    reaction: dict[str, np.ndarray]
    residual: float
    steps: int
    linearization: Linearization | None
    refusal: str

    @property
    def stable(self) -> bool | None:
        """Whether small changes decay, as `Linearization.stable`; None where it is not decided."""
        return None if self.linearization is None else self.linearization.stable

    @property
    def state(self) -> dict[Expr, float]:
        """The state by its symbols, as `HybridModel.simulate` takes it."""
        return dict(zip(self.model_states, self.x.tolist(), strict=True))

    def __repr__(self) -> str:
        return self._sheet().text

    def _repr_html_(self) -> str:
        return self._sheet().html

    def _sheet(self) -> Sheet:
        states = ", ".join(f"{vsstrrepr(letter)} = {value:.9g}" for letter, value in self.state.items())
        forces = zip(self.contact_names, self.normal_force.tolist(), strict=True)
        held = ", ".join(f"{name} ({', '.join(f'{k:.6g}' for k in kappa)})" for name, kappa in self.reaction.items())
        pressed = ", ".join(f"{name} ({force:.6g} N)" for name, force in forces if name in self.closed)
        words = {True: "stable", False: "unstable", None: "stability not decided by eigenvalues"}
        facts = {
            "state": states,
            "closed": pressed or "no contacts",
            "constrained by": held,
            "residual": f"{self.residual:.2g} of the loads after {self.steps} steps",
        }
        return Sheet(f"Equilibrium at t = {self.t:.6g}: {words[self.stable]}", facts)


def find_equilibrium(
    model: DerivedModel,
    guess: Mapping[Expr, float] | Sequence[float],
    parameters: Mapping[Symbol, float],
    t: float,
    inputs: Mapping[Expr, object] | None,
    closed: Iterable[Unilateral | str] | None,
    speeds: Mapping[Expr, float] | None,
    max_step: float,
) -> Equilibrium:
    """An equilibrium near a guess; see `HybridModel.equilibrium`."""
    if not (isinstance(max_step, (int, float)) and 0.0 < max_step < np.inf):
        raise ValueError(
            f"max_step is {described(max_step)}, expected a positive number (rad, and lengths of the model)"
        )
    t = time_of(t)
    numbers = GivenNumbers(model, parameters, inputs, t)
    if isinstance(guess, Mapping):
        guess = {**starts_of(model), **by_letters(guess, model.q)}
    x = np.concatenate([arranged(guess, model.q, frozenset(), "guess", "coordinates"), _speeds(model, speeds)])
    who = None if closed is None else named_contacts(model, closed)
    search = EquilibriumSearch(model, numbers, x, t, who, max_step)
    root = search.root()
    if not root.found:
        raise search.failure(root)
    return _equilibrium(model, numbers, search, root)


def _speeds(model: DerivedModel, speeds: Mapping[Expr, float] | None) -> np.ndarray:
    """The constant speeds; zero where none is given."""
    given = {} if speeds is None else speeds
    if not isinstance(given, Mapping):
        raise TypeError(f"speeds is {speeds!r}, expected a mapping of generalized speeds to numbers, {{omega: 2.0}}")
    return arranged({**dict.fromkeys(model.u, 0.0), **given}, model.u, frozenset(), "speeds", "speeds")


def _equilibrium(model: DerivedModel, numbers: GivenNumbers, search: EquilibriumSearch, root: Root) -> Equilibrium:
    """The equilibrium of a root, checked and linearized."""
    root = replace(root, place=search.with_least_forces(root.place))
    x, forces = search.state(root.place)
    n_c, n_q = len(model.contacts), len(model.q)
    relative = root.place[n_q : n_q + n_c]
    values = search.values(root.place)
    closed = [k for k in range(n_c) if relative[k] > NEGLIGIBLE] if search.who is None else list(search.who)
    _refuse_impossible(model, search, root, values, forces, closed)
    multipliers, reaction = forces[len(forces) - search.balance.constraints :], {}
    for name in dict.fromkeys(row.name for row in model.derivation.constraints):
        owned = [row.name == name for row in model.derivation.constraints]
        reaction[name] = multipliers[owned]
    friction = np.zeros((n_c, 3))
    friction[list(search.balance.sticking)] = values.pushes.reshape(-1, 3)
    names = tuple(model.contacts[k].name for k in closed)
    linear, refusal = None, ""
    try:
        linear = linearize_at(model, operating_point(model, numbers, x, search.t, names))
    except (ValueError, NotImplementedError) as error:
        refusal = str(error)
    normal = np.where(np.isin(np.arange(n_c), closed), forces[:n_c], 0.0)
    friction[normal == 0.0] = 0.0
    for array in (x, normal, friction, *reaction.values()):
        array.flags.writeable = False
    left = float(np.abs(root.residual[: len(model.u)]).max(initial=0.0))
    every = tuple(contact.name for contact in model.contacts)
    return Equilibrium(
        search.t, model.x, x, names, every, normal, friction, reaction, left, root.steps, linear, refusal
    )


def _refuse_impossible(
    model: DerivedModel,
    search: EquilibriumSearch,
    root: Root,
    values: BalanceValues,
    forces: np.ndarray,
    closed: Sequence[int],
) -> None:
    """Named contacts that would have to pull, and contacts left open below their surface."""
    faults = {}
    for k, contact in enumerate(model.contacts):
        if k in closed and root.place[len(model.q) + k] < -ACCEPTED:
            faults[contact.name] = f"{contact.title} would have to pull with {-forces[k]:.6g} N"
        if k not in closed and values.gaps[k] < -DRIFT * search.length:
            faults[contact.name] = f"{contact.title} is open with the gap {values.gaps[k]:.6g} m"
    if faults:
        x, _ = search.state(root.place)
        left = {name: float(values.gaps[model.contact(name)]) for name in faults}
        raise NoEquilibrium(
            f"with these contacts closed the forces balance, but {'; '.join(faults.values())}; name other contacts "
            "with closed=, or none to have them found",
            x,
            left,
        )
