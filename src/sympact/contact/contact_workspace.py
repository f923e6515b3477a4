"""The contacts of the loop: units that it calls by address, and their memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from sympact.contact.contact_room import ContactMemory
from sympact.contact.custom_law import custom_law
from sympact.contact.laws.impact_laws import CustomLaw, Energetic, ImpactLaw, Newton, Plan, Plastic, Poisson, Resolution
from sympact.contact.laws.painleve_rules import EndOfRun, PainleveRule
from sympact.contact.laws.resolutions import ImpulseRatio, Sequential, Simultaneous
from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.branches import BranchPattern
from sympact.contact.memory.contact_tolerances import UNBOUNDED
from sympact.contact.memory.contacts import FRICTION, ROWS, Mode, Model, SolverCounts
from sympact.contact.painleve import ArcAudit, Imbalance, Painleve
from sympact.integrate.memory.run_codes import BY_RATES
from sympact.integrate.problem.callback import Faults
from sympact.integrate.problem.stepper import StepLayout
from sympact.native.kernel import LazyUnit, Unit
from sympact.native.memory import Array, Real, Whole, Wholes

__all__ = [
    "CLOSED",
    "FRICTIONAL",
    "MOREAU",
    "STEPPED_FORCES",
    "TRANSITION",
    "ChosenFunctions",
    "ClosedUnits",
    "ContactData",
    "contact_units",
    "named_counts",
    "needed_units",
    "occasional_units",
    "solver_units",
]

_END_OF_RUN = EndOfRun()
_MODE_NUMBERS = [field.slot for field in Mode.fields.values() if isinstance(field, Real) or type(field) is Whole]
_FLAG = 16  # no status and no flag of a contact or boundary is larger
_BY_CONTACT_WITHOUT_FRICTION = [
    name
    for name, field in Mode.fields.items()
    if isinstance(field, Array) and field.shape[0] in (Mode.n_contacts, Mode.n_boundaries) and not field.when
]
_BY_CONTACT = [
    name
    for name, field in Mode.fields.items()
    if isinstance(field, Array) and field.shape[0] in (Mode.n_contacts, Mode.n_boundaries)
]
"""The arrays of a mode with an entry for each contact first."""
_FLOW = "void(float64, int64, int64, int64)"
_JUMP = "int64(float64, int64, int64, int64, int64, int64)"
TRANSITION = Unit("sympact.contact.event.transition_kernel", "transition", _JUMP)
"""The transition of every stage whose boundaries are contacts."""
_MOREAU = "sympact.contact.modes.time_stepping_kernel"
MOREAU = StepLayout("moreau", rows=2, last=1, degree=1, adaptive=False, straight=True, module=_MOREAU)
"""Time stepping over contacts; its stage has the table of a `ContactData` for `Stage.transition_data`."""
STEPPED_FORCES = Unit(_MOREAU, "stepped_forces", "void(float64, float64, int64, int64, int64)")
"""The mean contact forces over one of its steps."""
_CLOSED_SOLVER = Unit("sympact.contact.problem.frictionless_kernel", "solve")
CONE = Unit("sympact.contact.cone.cone_units_kernel", "solve_on_cone")
HARD_CONE = LazyUnit(Unit("sympact.contact.cone.cone_units_kernel", "solve_hard_cone"))


class ChosenFunctions(NamedTuple):
    """Addresses of functions with a further argument ``const int64 *chosen``, a number for each contact.

    Where it is zero the outputs of the contact keep what is there. 0 where a function has no such form.

    Attributes
    ----------
    terms, gaps, slips : int
        Of the functions that `ContactData` calls so.
    """

    terms: int = 0
    gaps: int = 0
    slips: int = 0


_WHOLE = ChosenFunctions()


@dataclass(frozen=True)
class ClosedUnits:
    """The units of closed contacts.

    Attributes
    ----------
    rates : Unit
        The flow of the stage in which contacts are closed.
    margins : Unit
        The margins that the loop watches.
    project : Unit
        The projection of closed gaps to zero.
    forces : Unit
        The contact forces at a state (N).
    begin, prepare : Unit or None
        The data stored at the start of a smooth arc, and of each of its steps.
    stall : Unit or None
        The marks of contacts whose forces grow without bound, where no step is small enough.
    calls : mapping of field of `Model` to Unit
        The units that the transition calls by address.
    """

    rates: Unit
    margins: Unit
    project: Unit
    forces: Unit
    begin: Unit | None
    prepare: Unit | None
    stall: Unit | None
    calls: Mapping[str, Unit]


def _closed() -> ClosedUnits:
    place = "sympact.contact.problem.closed_kernel"
    rates, margins, project = (Unit(place, name, _FLOW) for name in ("closed_rates", "closed_forces", "project_closed"))
    calls = {
        "force_solver": _CLOSED_SOLVER,
        "closed_flow": rates,
        "closed_margins": margins,
        "project_positions": Unit(place, "project_gaps", _FLOW),
        "project_velocities": Unit(place, "project_rates", _FLOW),
    }
    return ClosedUnits(rates, margins, project, Unit(place, "contact_forces", _FLOW), None, None, None, calls)


def _frictional() -> ClosedUnits:
    slip, settle = "sympact.contact.problem.slip_kernel", "sympact.contact.modes.projection_kernel"
    margin = "sympact.contact.modes.margin_kernel"
    rates = Unit("sympact.contact.modes.closed_motion_kernel", "friction_rates", _FLOW)
    margins, forces = (Unit(margin, name, _FLOW) for name in ("friction_margins", "closed_friction_forces"))
    project = Unit(settle, "project_frictional", _FLOW)
    calls = {
        "force_solver": Unit("sympact.contact.problem.coulomb_kernel", "solve_forces"),
        "closed_flow": rates,
        "closed_margins": margins,
        "project_positions": Unit(settle, "project_frictional_gaps", _FLOW),
        "project_velocities": Unit(settle, "project_slow_rates", _FLOW),
        "measure_slip": Unit(slip, "measure_slip", _FLOW),
        "assemble_slip": Unit(slip, "assemble_slip", _FLOW),
        "name_modes": Unit(slip, "name_modes"),
        "report_friction": Unit(margin, "report_friction"),
        "keep_sticking": Unit(margin, "keep_sticking", _FLOW),
        "compare_slips": Unit("sympact.contact.modes.slip_agreement_kernel", "compare_slips", _FLOW),
        "slide_at_dead_points": Unit("sympact.contact.problem.dead_point_kernel", "slide_at_dead_points"),
    }
    begin, prepare = (
        Unit("sympact.contact.modes.slip_onset_kernel", "begin_slips", _FLOW),
        Unit(slip, "set_reference_slips", _FLOW),
    )
    stall = Unit("sympact.contact.modes.stall_kernel", "stop_at_no_bound", _FLOW)
    return ClosedUnits(rates, margins, project, forces, begin, prepare, stall, calls)


CLOSED = _closed()
"""Closed contacts of models without friction."""
FRICTIONAL = _frictional()
"""Closed contacts of models in which some have friction."""


def needed_units(law: ImpactLaw, resolution: Resolution, friction: bool) -> list[Unit]:
    """The units that the runs of a model with contacts call, those with the longest compilation first."""
    closed = FRICTIONAL if friction else CLOSED
    noted = [closed.begin, closed.prepare, closed.stall, *closed.calls.values()]
    called = [TRANSITION, closed.margins, closed.rates, closed.project, *noted]
    return [*solver_units(law, resolution, friction), *(unit for unit in called if unit is not None)]


def solver_units(law: ImpactLaw, resolution: Resolution, friction: bool) -> list[Unit]:
    """The units that the impacts of a model call, those with the longest compilation first."""
    plan = resolution.plan(law, friction)
    called = [CONE if friction or plan.rows else None, _CLOSED_SOLVER, plan.several, plan.inner, plan.solver]
    return [unit for unit in called if unit is not None]


def occasional_units(friction: bool) -> list[Unit]:
    """Those that few runs call: a solver for hard problems, the contact forces along a run."""
    return [HARD_CONE.unit, FRICTIONAL.forces] if friction else [CLOSED.forces]


def contact_units() -> list[Unit]:
    """All units of contacts with the solvers of all laws, those with the longest compilation first."""
    laws: tuple[ImpactLaw, ...] = (Newton(), Newton(guard=True), Poisson(), Energetic(), Plastic())
    laws += (Newton(path="routh"), Poisson(path="routh"), CustomLaw(len))
    asked: list[tuple[ImpactLaw, Resolution, bool]] = [(law, Simultaneous(), True) for law in laws]
    asked += [(Newton(), Simultaneous(), False), (Newton(), Sequential(), True)]
    asked.append((Energetic(), ImpulseRatio((1.0,), 1.0), False))
    units = [unit for law, resolution, friction in asked for unit in needed_units(law, resolution, friction)]
    rarely = [HARD_CONE.unit, MOREAU.unit("advance"), FRICTIONAL.forces, CLOSED.forces, STEPPED_FORCES]
    return list(dict.fromkeys([CONE, *rarely[:2], *units, *rarely[2:]]))


class ContactData:
    """The data of the contacts of one run: sizes, the model's functions, the law, the mode, memory.

    Two runs at the same time need one object each. `address` is valid as long as the object lives.

    Parameters
    ----------
    n_q, n_u, n_contacts : int
        Coordinates, speeds, contacts; the state is x = [q, u].
    law : ImpactLaw
    resolution : Resolution
    terms : int
        Address of ``void(double t, const double *x, const double *p, double *out)``, which writes M (n_u x n_u) and W^T
        (n_contacts x n_u) row by row, w (n_contacts) and the restitutions (n_contacts), with gamma = W^T u + w.
    branches : BranchPattern, optional
        `terms` writes a factor R in the place of M = R^T R; this is where it has entries.
    parameters : array_like
        p. A contiguous array of doubles is shared, so that values written to it during the run are seen.
    length : float
        The model's length (m), to which the tolerances of gaps are relative.
    grains : sequence of float, optional
        The rounding error of each gap due to the coordinates (m); by default none.
    flow, gaps, project : int
        Addresses of the model's functions, as in `Stage`, with p as data: the free motion, the boundaries with their
        derivatives, the projection (0 where there is none).
    n_boundaries : int, optional
        Boundaries of `gaps`, the contacts first; by default there are no others.
    switches : int
        Address of the table of the stage's switches, see `sympact.integrate.search.switch_table`; 0 where it has none.
    friction : int
        Address of ``void(double t, const double *x, const double *xdot, const double *p, double *out)``, which writes
        for each contact n, v, v', dv/du row by row, mu and mu_static (`Problem.slips`); 0 where none has friction.
    slip_width : int
        The numbers that it writes for each contact, see `Slip`: more where friction is anisotropic or depends on the
        slip. By default those of constant isotropic friction.
    free_data : int
        The data of `flow` and `project` where they are not p: the table of the bilateral constraints.
    n_rows : int
        Bilateral constraints; `terms` writes A (n_rows x n_u) row by row at its end.
    meet_speeds : int
        Address of their projection of speeds, with the same data.
    painleve : PainleveRule, default EndOfRun()
        The continuation of the run at Painleve's paradox.
    slips : bool
        Whether `assemble` computes tangents, for a solver that is called on its own.
    faults : Faults, optional
        Stores the exceptions of a user's law.
    chosen : ChosenFunctions
        The forms of the model's functions that evaluate some contacts alone.

    Attributes
    ----------
    calls_python : bool
        Whether impacts call Python functions.

    Raises
    ------
    ValueError
        If the law is not defined for this resolution, or needs another number of stiffnesses.

    Examples
    --------
    >>> from sympact.contact import Newton, Simultaneous
    >>> data = ContactData(6, 6, 8, Newton(), Simultaneous(), terms=0, parameters=[], length=1.0)
    >>> data.problem.impulse.shape
    (8,)
    """

    def __init__(
        self,
        n_q: int,
        n_u: int,
        n_contacts: int,
        law: ImpactLaw,
        resolution: Resolution,
        *,
        terms: int,
        parameters: ArrayLike,
        length: float,
        grains: Sequence[float] = (),
        flow: int = 0,
        gaps: int = 0,
        project: int = 0,
        n_boundaries: int | None = None,
        switches: int = 0,
        friction: int = 0,
        free_data: int = 0,
        n_rows: int = 0,
        meet_speeds: int = 0,
        painleve: PainleveRule = _END_OF_RUN,
        slip_width: int = 0,
        slips: bool = False,
        faults: Faults | None = None,
        branches: BranchPattern | None = None,
        chosen: ChosenFunctions = _WHOLE,
    ) -> None:
        plan, has_friction = resolution.plan(law, slips or friction != 0), slips or friction != 0
        nb = n_contacts if n_boundaries is None else n_boundaries
        sizes = {"n_q": n_q, "n_u": n_u, "n_contacts": n_contacts, "n_boundaries": nb, "n_rows": n_rows}
        sizes |= {
            "n_branch_entries": len(branches.entries) if branches else 0,
            "n_coefficients": max(slip_width - 3 * n_u - 9, 2),
        }
        parts = [FRICTION] * (has_friction or plan.rows) + [ROWS] * plan.rows
        self._room = ContactMemory(sizes, parts)
        self.memory = self._room.contacts
        self.model, self.mode, self.problem, self.law = (
            self.memory.model,
            self.memory.mode,
            self.memory.problem,
            self.memory.law,
        )
        first, last = (self.memory.position(at) for at in (self.mode.address, self.problem.address))
        self._mode_arrays = self.memory.words[first + Mode.n_slots : last]
        self._gap_rounding, self._solvers = self.model.gap_rounding, self.memory.solvers.slots
        self._has_tangents = has_friction or plan.rows
        self._parameters = np.ascontiguousarray(parameters, float)
        self._set_model(terms, _address(self._parameters), flow, gaps, project, switches, friction)
        self.model.chosen_terms, self.model.chosen_gaps, self.model.chosen_slips = chosen
        self.problem.chosen[:] = 1
        self.model.free_data, self.model.meet_speeds = free_data or self.model.parameters, meet_speeds
        self.model.impact_solver, self.calls_python = plan.solver.address(), plan.own is not None
        if has_friction or plan.rows:
            self.model.impact_where_no_force = painleve.makes_impact
            self.model.hard_cone_solver, self.model.cone_solver = HARD_CONE.address(), CONE.address()
            self.calls_python = self.calls_python or HARD_CONE.calls_python
            self.model.frictionless_solver = _CLOSED_SOLVER.address()
        self._follow(plan, n_contacts, faults, law.never_gains)
        self.closed = FRICTIONAL if friction else CLOSED
        for name, unit in self.closed.calls.items() if flow else ():
            setattr(self.model, name, unit.address())
        self.begin(length, grains)
        mode = self.mode
        mode.watched[:] = BY_RATES
        for remembered in (mode.last_time, mode.interval, mode.last_rebound, mode.previous_rebound):
            remembered[:] = np.nan
        self.problem.pivot = -1
        if branches is not None:
            own = self.problem.branches
            own.present, own.order[:], own.starts[:], own.entries[:] = 1, *branches

    def begin(self, length: float, grains: Sequence[float] | np.ndarray) -> None:
        """Set what gaps are compared with in a run: the length (m), and the rounding of each gap (m)."""
        self.model.length = length
        self._gap_rounding[: len(grains)] = grains

    def _set_model(
        self, terms: int, parameters: int, flow: int, gaps: int, project: int, switches: int, friction: int
    ) -> None:
        """The model's functions."""
        model = self.model
        model.terms, model.parameters, model.free_flow, model.gaps = terms, parameters, flow, gaps
        model.normalize, model.switches, model.slips = project, switches, friction

    def _follow(self, plan: Plan, n: int, faults: Faults | None, never_gains: bool) -> None:
        """The memory that the plan of a law needs."""
        plan.check(n)
        self.problem.restitution_factor = 1.0
        self.law.shared, self.law.never_gains = plan.shared, never_gains
        for name, value in plan.numbers.items():
            setattr(self.law, name, value)
        if plan.inner is not None:
            self.model.single_solver = plan.inner.address()
        if plan.several is not None:
            self.model.joint_solver = plan.several.address()
        if plan.stiffness:
            self.law.stiffness[:] = np.array(plan.stiffness) / max(plan.stiffness)
        if plan.own is not None:
            self._own = custom_law(plan.own, self, Faults() if faults is None else faults)
            self.model.custom_law = self._own.address

    @property
    def n_speeds(self) -> int:
        """The number of speeds."""
        return self.model.n_u

    @property
    def count(self) -> int:
        """The number of participants of the assembled impact."""
        return self.problem.count

    @property
    def has_friction(self) -> bool:
        """Whether any contact has friction."""
        return self.model.slips != 0

    @property
    def address(self) -> int:
        """The data of the transition."""
        return self.memory.address

    @property
    def singular_speed(self) -> int | None:
        """Index of the speed at which the last impact found the mass matrix not positive definite."""
        pivot = self.problem.pivot
        return None if pivot < 0 else pivot

    @property
    def residual(self) -> float:
        """The violation of its law by the last impact, relative to its speeds."""
        return float(self.problem.residual)

    @property
    def length(self) -> float:
        """The present model length (m)."""
        return float(self.model.length)

    @property
    def jam(self) -> Painleve:
        """The last slipping contact without an admissible force, or with several."""
        mode = self.mode
        return Painleve(mode.painleve_contact, mode.painleve_kind, float(mode.painleve_ratio))

    @property
    def leapt(self) -> int:
        """The contact whose contact point jumped at the end of the last attempted step, or -1."""
        return max(self.mode.leapt, 0) - 1

    @property
    def assembled_impact(self) -> bool:
        """Whether the last assembled problem is one of an impact, not of forces."""
        return self.problem.kind == codes.IMPACT

    def participants(self) -> list[int]:
        """The contacts of the last assembled problem."""
        return self.problem.participants[: self.count].tolist()

    def boundless(self) -> list[int]:
        """The contacts of the last assembled problem whose friction is infinite."""
        mu = self.problem.coefficient[: self.count] if self._has_tangents else np.zeros(self.count)
        return [j for j, value in zip(self.participants(), mu, strict=True) if value >= UNBOUNDED]

    def assembled(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Of the participants of the last assembled problem: C^-1 of their rows (3 n, m), v- (n, 3), mu (n,), e
        (n,)."""
        k, m = self.count, self.n_speeds
        rows, before, friction = np.zeros((k, 3, m)), np.zeros((k, 3)), np.zeros(k)
        problem = self.problem
        rows[:, 0] = problem.columns[:k] * problem.lengths[:k, None]
        before[:, 0] = problem.rate_minus[:k]
        if self._has_tangents and problem.coefficient[:k].any():
            friction[:] = problem.coefficient[:k]
            rows[:, 1:] = problem.scaled_rows.reshape(-1, 3, m)[:k, 1:]
            before[:, 1:] = problem.slip_minus[:k]
        return rows.reshape(3 * k, m), before, friction, problem.restitution[:k].copy()

    @property
    def imbalance(self) -> Imbalance:
        """The result of the audit of the event that ended a run with `UNBALANCED`."""
        return Imbalance(self.problem.audit_fault, float(self.problem.audit_found), float(self.problem.audit_beside))

    @property
    def arc_audit(self) -> ArcAudit:
        """The result of the audit of smooth arcs."""
        found = self.problem.stage_margins
        return ArcAudit(
            found.fault,
            found.contact,
            float(found.residual),
            float(found.beyond),
            float(found.largest_residual),
            float(found.largest_beyond),
        )

    @property
    def solver_counts(self) -> dict[str, int]:
        """The number of calls of each solver and each of its fallbacks, see `SolverCounts`."""
        return named_counts(self.solver_numbers())

    def solver_numbers(self) -> np.ndarray:
        """The same as an array, for `named_counts`."""
        return self._solvers.copy()

    @property
    def room(self) -> int:
        """The number of participants for which there is room."""
        return self._room.places

    def make_room(self, places: int) -> None:
        """Room for so many participants, if there is less."""
        if places > self._room.places:
            self._room.make_room(places)

    def mode_numbers(self) -> tuple[np.ndarray, np.ndarray]:
        """The numbers and the arrays of the mode, to be put back by `restore_mode`, also in other memory."""
        return self.mode.slots[_MODE_NUMBERS], self._mode_arrays.copy()

    def restore_mode(self, numbers: tuple[np.ndarray, np.ndarray]) -> None:
        """Put back what `mode_numbers` has given."""
        self.mode.slots[_MODE_NUMBERS], self._mode_arrays[:] = numbers

    def restore_read_mode(self, numbers: tuple[np.ndarray, np.ndarray]) -> None:
        """The same with numbers that were read from a file.

        Raises
        ------
        ValueError
            If they are not those of a mode of these contacts.
        """
        found, arrays = numbers
        if found.shape != (len(_MODE_NUMBERS),) or arrays.shape != self._mode_arrays.shape:
            raise ValueError(
                f"the mode in the file has {len(found) + len(arrays)} numbers, not those of these contacts"
            )
        self.restore_mode(numbers)
        parts = {"", FRICTION} if self.has_friction else {""}
        for name, field in Mode.fields.items():
            if (
                type(field) is Wholes
                and field.when in parts
                and np.abs(getattr(self.mode, name)).max(initial=0) > _FLAG
            ):
                raise ValueError(f"the mode in the file has numbers of {name} that are none")

    def take_over(self, other: ContactData, own: np.ndarray, others: np.ndarray) -> None:
        """Go on with the modes and the histories of contacts of another run.

        What refers to all contacts, such as the reference acceleration, becomes the larger of both.

        Parameters
        ----------
        other : ContactData
            Of a model with the same functions for these contacts.
        own, others : arrays of int
            The places of these contacts here and there.
        """
        both = self._has_tangents and other._has_tangents
        for name in _BY_CONTACT if both else _BY_CONTACT_WITHOUT_FRICTION:
            getattr(self.mode, name)[own] = getattr(other.mode, name)[others]
        for name in ("reference_acceleration", "largest_acceleration", "reference_speed"):
            setattr(self.mode, name, max(getattr(self.mode, name), getattr(other.mode, name)))

    @property
    def length_address(self) -> int:
        """The address of the length, for a loop that measures it."""
        return self.model.address + 8 * Model.length.slot

    @property
    def grains_address(self) -> int:
        """The address of the rounding errors of gaps."""
        return Model.gap_rounding.address(self.model)

    def assemble(
        self,
        mass: np.ndarray,
        jacobian: np.ndarray,
        gap_rate_minus: np.ndarray,
        restitution: np.ndarray,
        constraints: np.ndarray | None = None,
    ) -> None:
        """Set the impact problem of all contacts from numbers, for a solver that is called on its own."""
        problem, n = self.problem, len(gap_rate_minus)
        if constraints is not None:
            problem.constraint_rows[:] = constraints
        problem.mass[:], problem.jacobian[:], problem.drift[:] = mass, jacobian, 0.0
        problem.model_restitution[:] = problem.restitution[:] = restitution
        problem.rate_minus[:], problem.participants[:] = gap_rate_minus, np.arange(n)
        problem.count, problem.kind = n, codes.IMPACT

    def assemble_slip(self, jacobian: np.ndarray, tangents: np.ndarray, slip: np.ndarray, friction: np.ndarray) -> None:
        """Set the tangential part of that problem: W_T^T (n, 2, m), slip (n, 2) and mu (n,) of all contacts."""
        problem = self.problem
        problem.lines[:] = np.concatenate([jacobian[:, None, :], tangents], axis=1).reshape(problem.lines.shape)
        problem.slip_minus[:], problem.coefficient[:] = slip, np.minimum(friction, UNBOUNDED)


def named_counts(numbers: np.ndarray) -> dict[str, int]:
    """The number of calls of each solver and each of its fallbacks, by their names."""
    return dict(zip(SolverCounts.fields, numbers.tolist(), strict=True))


def _address(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]
