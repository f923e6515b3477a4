"""Contacts as the loop sees them: units it calls by address, and the memory that they work in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from sympact.contact.custom_law import own_law
from sympact.contact.laws.impact_laws import Energetic, ImpactLaw, Newton, Plan, Plastic, Poisson, Resolution
from sympact.contact.laws.resolutions import ImpulseRatio, Sequential, Simultaneous
from sympact.contact.memory import contact_layout as at
from sympact.contact.memory.cone_layout import places_size, scratch_size
from sympact.contact.painleve import Imbalance, Jam
from sympact.integrate.memory.run_layout import BY_RATES
from sympact.integrate.problem.callback import Faults
from sympact.integrate.problem.stepper import Stepper
from sympact.native.addresses import Pieces, address_of
from sympact.native.kernel import LazyUnit, Unit

__all__ = [
    "CLOSED",
    "MOREAU",
    "RUBBING",
    "STEPPED_FORCES",
    "TRANSITION",
    "ClosedUnits",
    "ContactData",
    "contact_units",
    "needed_units",
]

_FLOW = "void(float64, int64, int64, int64)"
_JUMP = "int64(float64, int64, int64, int64, int64, int64)"
TRANSITION = Unit("sympact.contact.modes.transition_kernel", "transition", _JUMP)
"""The transition of every stage whose boundaries are contacts."""
_MOREAU = "sympact.contact.modes.time_stepping_kernel"
MOREAU = Stepper("moreau", rows=2, last=1, degree=1, adaptive=False, straight=True, module=_MOREAU)
"""Time stepping over contacts; its stage has the table of a `ContactData` for `Stage.transition_data`."""
STEPPED_FORCES = Unit(_MOREAU, "stepped_forces", "void(float64, float64, int64, int64, int64)")
"""The mean contact forces over one of its steps."""
_CLOSED_SOLVER = Unit("sympact.contact.problem.frictionless_kernel", "solve")
CONE = Unit("sympact.contact.cone.cone_units_kernel", "solve_on_cone")
HARD_CONE = LazyUnit(Unit("sympact.contact.cone.cone_units_kernel", "solve_hard_cone"))


@dataclass(frozen=True)
class ClosedUnits:
    """The units that speak of closed contacts.

    Attributes
    ----------
    rates : Unit
        The flow of the stage in which contacts are closed.
    margins : Unit
        What the loop watches of them.
    project : Unit
        How closed gaps are kept at zero.
    forces : Unit
        The contact forces at a state (N).
    begin, prepare : Unit or None
        What is noted at the start of a flight, and of each of its steps.
    stall : Unit or None
        What marks contacts whose forces grow without bound, where no step is small enough.
    calls : mapping of slot to Unit
        Those that the transition calls by address.
    """

    rates: Unit
    margins: Unit
    project: Unit
    forces: Unit
    begin: Unit | None
    prepare: Unit | None
    stall: Unit | None
    calls: Mapping[int, Unit]


def _closed() -> ClosedUnits:
    place = "sympact.contact.problem.closed_kernel"
    rates, margins, project = (Unit(place, name, _FLOW) for name in ("closed_rates", "closed_forces", "project_closed"))
    calls = {
        at.FORCE_SOLVER: _CLOSED_SOLVER,
        at.HOLD: rates,
        at.WATCH: margins,
        at.SETTLE: Unit(place, "settle_gaps", _FLOW),
        at.TAKE_RATES: Unit(place, "take_rates", _FLOW),
    }
    return ClosedUnits(rates, margins, project, Unit(place, "contact_forces", _FLOW), None, None, None, calls)


def _rubbing() -> ClosedUnits:
    slip, settle = "sympact.contact.problem.slip_kernel", "sympact.contact.modes.projection_kernel"
    margin = "sympact.contact.modes.margin_kernel"
    rates = Unit("sympact.contact.problem.closed_friction_kernel", "rubbing_rates", _FLOW)
    margins, forces = (Unit(margin, name, _FLOW) for name in ("rubbing_margins", "rubbing_forces"))
    project = Unit(settle, "project_rubbing", _FLOW)
    calls = {
        at.FORCE_SOLVER: Unit("sympact.contact.problem.coulomb_kernel", "solve_forces"),
        at.HOLD: rates,
        at.WATCH: margins,
        at.SETTLE: Unit(settle, "settle_rubbing", _FLOW),
        at.TAKE_RATES: Unit(settle, "take_slow_rates", _FLOW),
        at.MEASURE_SLIP: Unit(slip, "measure_slip", _FLOW),
        at.POSE_SLIP: Unit(slip, "pose_slip", _FLOW),
        at.NAME_MODES: Unit(slip, "name_modes"),
        at.REPORT_FRICTION: Unit(margin, "report_friction"),
        at.KEEP_STICKING: Unit(margin, "keep_sticking", _FLOW),
        at.SLIDE_AT_DEAD_POINTS: Unit("sympact.contact.problem.dead_point_kernel", "slide_at_dead_points"),
    }
    begin, prepare = (
        Unit("sympact.contact.modes.slip_onset_kernel", "begin_slips", _FLOW),
        Unit(slip, "anchor_slips", _FLOW),
    )
    stall = Unit("sympact.contact.modes.stall_kernel", "stop_at_no_bound", _FLOW)
    return ClosedUnits(rates, margins, project, forces, begin, prepare, stall, calls)


CLOSED = _closed()
"""Closed contacts of models without friction."""
RUBBING = _rubbing()
"""Closed contacts of models of which some have friction."""


def needed_units(law: ImpactLaw, resolution: Resolution, friction: bool) -> list[Unit]:
    """What the runs of a model with contacts call, the ones that take long to compile first."""
    plan, closed = resolution.plan(law, friction), RUBBING if friction else CLOSED
    solvers = [plan.solver, plan.inner, plan.several, _CLOSED_SOLVER, CONE if friction or plan.rows else None]
    noted = [closed.begin, closed.prepare, closed.stall, *closed.calls.values()]
    asked = [*reversed(solvers), TRANSITION, closed.margins, closed.rates, closed.project, *noted]
    return [unit for unit in asked if unit is not None]


def contact_units() -> list[Unit]:
    """All units of contacts with the solvers of all laws, the ones that take long first."""
    laws = (Newton(), Newton(guard=True), Poisson(), Energetic(), Plastic())
    asked = [(law, Simultaneous(), True) for law in laws] + [(Newton(), Simultaneous(), False)]
    asked += [(Newton(), Sequential(), True), (Energetic(), ImpulseRatio((1.0,), 1.0), False)]
    units = [unit for law, resolution, friction in asked for unit in needed_units(law, resolution, friction)]
    rarely = [HARD_CONE.unit, MOREAU.unit("advance"), RUBBING.forces, CLOSED.forces, STEPPED_FORCES]
    return list(dict.fromkeys([CONE, *rarely[:2], *units, *rarely[2:]]))


class ContactData:
    """What the contacts of one run work with: sizes, the model's functions, the law, the mode, memory.

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
    parameters : array_like
        p. A contiguous array of doubles is shared, so that values written to it during the run are seen.
    length : float
        The model's length (m), to which gaps are compared.
    grains : sequence of float, optional
        The height of each gap that is rounding of the coordinates it is made of (m); by default none.
    flow, gaps, project : int
        Addresses of the model's functions as `Stage` takes them, p for data: the free motion, the boundaries with their
        derivatives, the projection (0 where there is none).
    n_boundaries : int, optional
        Boundaries that `gaps` gives, the contacts first; by default there are no others.
    switches : int
        Address of the table of the stage's switches, see `sympact.integrate.search.switch_table`; 0 where it has none.
    friction : int
        Address of ``void(double t, const double *x, const double *xdot, const double *p, double *out)``, which writes
        for each contact n, v, v', dv/du row by row, mu and mu_static (`layout.SLIPS`); 0 where none has friction.
    painleve : str
        What becomes of a contact that slips and that no force holds: ``"stop"`` or ``"impact"``.
    slips : bool
        Whether tangents are posed by `pose`, for a solver that is called on its own.
    faults : Faults, optional
        Where exceptions of a law of the user's own wait.

    Raises
    ------
    ValueError
        If the law is not defined for this resolution, or needs another number of stiffnesses.

    Examples
    --------
    >>> from sympact.contact import Newton, Simultaneous
    >>> data = ContactData(6, 6, 8, Newton(), Simultaneous(), terms=0, parameters=[], length=1.0)
    >>> data.array(at.IMPULSE).shape
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
        painleve: str = "stop",
        slips: bool = False,
        faults: Faults | None = None,
    ) -> None:
        plan, rubs = resolution.plan(law, slips or friction != 0), slips or friction != 0
        nb = n_contacts if n_boundaries is None else n_boundaries
        self._parameters = np.ascontiguousarray(parameters, float)
        self._layout = _offsets(n_q, n_u, n_contacts, nb, rubs or plan.rows, plan.rows)
        self._block = np.zeros(self._layout.pieces.size)
        self._table = np.zeros(at.SIZE, np.int64)
        address_of(self._table, "the table of ContactData")
        pieces = self._layout.pieces
        self._table[list(pieces.sizes)] = pieces.addresses(self._block, "ContactData")
        self._table[[at.N_Q, at.N_U, at.N_C, at.N_B, at.PIVOT]] = n_q, n_u, n_contacts, nb, -1
        self._table[[at.TERMS, at.PARAMETERS]] = terms, _address(self._parameters)
        self._table[[at.FLOW, at.GAPS, at.PROJECT, at.SWITCHES]] = flow, gaps, project, switches
        self.closed = RUBBING if friction else CLOSED
        self._table[[at.SOLVER, at.SELF]] = plan.solver.address(), self.address
        if rubs or plan.rows:
            sizes = scratch_size(n_contacts), places_size(n_contacts)
            self._table[[at.RUB, at.CONE_SCRATCH_SIZE, at.CONE_PLACES_SIZE]] = friction, *sizes
            self._table[at.STRIKE_WHEN_JAMMED] = painleve == "impact"
            self._table[at.HARD_CONE] = HARD_CONE.address()
            self._table[at.CONE], self._table[at.FRICTIONLESS] = CONE.address(), _CLOSED_SOLVER.address()
        self._follow(plan, n_contacts, faults, law.never_gains)
        if flow:
            self._table[list(self.closed.calls)] = [unit.address() for unit in self.closed.calls.values()]
        self.array(at.SCALAR)[at.LENGTH] = length
        self.array(at.GRAIN)[: len(grains)] = grains
        self.array(at.ACTIVE)[:] = BY_RATES
        for slot in (at.LAST_T, at.INTERVAL, at.LAST_REBOUND, at.REBOUND_BEFORE):
            self.array(slot)[:] = np.nan

    def _follow(self, plan: Plan, n: int, faults: Faults | None, never_gains: bool) -> None:
        """What the plan of a law asks for."""
        own = plan.check(n)
        self.array(at.SCALAR)[at.FACTOR] = 1.0
        self._table[at.SHARED], self._table[at.NEVER_GAINS] = plan.shared, never_gains
        for slot, value in plan.numbers.items():
            self.array(at.LAW_NUMBERS)[slot] = value
        if plan.inner is not None:
            self._table[at.INNER] = plan.inner.address()
        if plan.several is not None:
            self._table[at.TOGETHER] = plan.several.address()
        if plan.stiffness:
            self.array(at.STIFFNESS)[:] = np.array(plan.stiffness) / max(plan.stiffness)
        if own:
            self._own = own_law(plan.own, self, Faults() if faults is None else faults)
            self._table[at.OWN] = self._own.address

    @property
    def n_speeds(self) -> int:
        """How many speeds there are."""
        return int(self._table[at.N_U])

    @property
    def count(self) -> int:
        """How many contacts take part in the impact posed."""
        return int(self._table[at.COUNT])

    @property
    def rubs(self) -> bool:
        """Whether any contact has friction."""
        return self._table[at.RUB] != 0

    @property
    def address(self) -> int:
        """What is passed to the transition as its data."""
        return _address(self._table)

    @property
    def singular_speed(self) -> int | None:
        """Index of the speed at which the last impact found the mass matrix not positive definite."""
        pivot = int(self._table[at.PIVOT])
        return None if pivot < 0 else pivot

    @property
    def residual(self) -> float:
        """By how much the last impact misses its law, relative to its speeds."""
        return float(self.array(at.SCALAR)[at.RESIDUAL])

    @property
    def length(self) -> float:
        """The length that gaps are compared with now (m)."""
        return float(self.array(at.SCALAR)[at.LENGTH])

    @property
    def jam(self) -> Jam:
        """What was found last of contacts that slip and that no force, or several, hold."""
        table = self._table
        return Jam(int(table[at.JAM_WHO]), int(table[at.JAM_KIND]), float(self.array(at.SCALAR)[at.JAM_SHARE]))

    @property
    def leapt(self) -> int:
        """The contact whose place leapt at the end of the step tried last, or -1."""
        return max(int(self._table[at.LEAPT]), 0) - 1

    @property
    def posed_impact(self) -> bool:
        """Whether the problem posed last is one of an impact, not of forces."""
        return self._table[at.POSED] == at.IMPACT

    def participants(self) -> list[int]:
        """The contacts of the problem posed last."""
        return self.array(at.WHO)[: self.count].tolist()

    def posed(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Of the participants of the problem posed last: C^-1 of their rows (3 n, m), v- (n, 3), mu (n,), e (n,)."""
        k, m = self.count, self.n_speeds
        rows, before, friction = np.zeros((k, 3, m)), np.zeros((k, 3)), np.zeros(k)
        rows[:, 0] = self.array(at.COLUMNS).reshape(-1, m)[:k] * self.array(at.LENGTHS)[:k, None]
        before[:, 0] = self.array(at.RATE_MINUS)[:k]
        if at.COEFFICIENT in self._layout.places and self.array(at.COEFFICIENT)[:k].any():
            friction[:] = self.array(at.COEFFICIENT)[:k]
            rows[:, 1:] = self.array(at.HANDLES).reshape(-1, 3, m)[:k, 1:]
            before[:, 1:] = self.array(at.SLIP_MINUS).reshape(-1, 2)[:k]
        return rows.reshape(3 * k, m), before, friction, self.array(at.RESTITUTION)[:k].copy()

    @property
    def imbalance(self) -> Imbalance:
        """What the audit found of the event that ended a run with `UNBALANCED`."""
        scalar = self.array(at.SCALAR)
        fault, found, beside = self._table[at.AUDIT_FAULT], scalar[at.AUDIT_FOUND], scalar[at.AUDIT_BESIDE]
        return Imbalance(int(fault), float(found), float(beside))

    def place(self, slot: int) -> int:
        """The address of the numbers at a slot of `sympact.contact.memory.contact_layout`."""
        return int(self._table[slot])

    def pose(self, mass: np.ndarray, jacobian: np.ndarray, gap_rate_minus: np.ndarray, restitution: np.ndarray) -> None:
        """Set the impact problem of all contacts from numbers, for a solver that is called on its own."""
        n = len(gap_rate_minus)
        self.array(at.OUT)[:] = np.concatenate([mass.ravel(), jacobian.ravel(), np.zeros(n), restitution])
        self.array(at.RESTITUTION)[:] = restitution
        self.array(at.RATE_MINUS)[:] = gap_rate_minus
        self.array(at.WHO)[:] = np.arange(n)
        self._table[at.COUNT], self._table[at.POSED] = n, at.IMPACT

    def pose_slip(self, jacobian: np.ndarray, tangents: np.ndarray, slip: np.ndarray, friction: np.ndarray) -> None:
        """Set the tangential part of that problem: W_T^T (n, 2, m), slip (n, 2) and mu (n,) of all contacts."""
        self.array(at.LINES)[:] = np.concatenate([jacobian[:, None, :], tangents], axis=1).ravel()
        self.array(at.SLIP_MINUS)[:] = slip.ravel()
        self.array(at.COEFFICIENT)[:] = friction

    def array(self, slot: int) -> np.ndarray:
        """The numbers at a slot of `contact_layout`, flat; the memory is that of the machine code."""
        start, size, dtype = self._layout.places[slot]
        return self._block[start : start + size].view(dtype)


@dataclass(frozen=True)
class _Layout:
    """Where the arrays of an impact of given size stand in their block, eight bytes a number.

    Attributes
    ----------
    pieces : Pieces
        The arrays by their slots in the table.
    places : mapping of slot to (start, size, dtype)
    """

    pieces: Pieces
    places: Mapping[int, tuple[int, int, type]]


@lru_cache(maxsize=64)
def _offsets(n_q: int, m: int, n: int, nb: int, friction: bool, rows: bool) -> _Layout:
    doubles, wholes = _sizes(n_q, m, n, nb)
    for asked, more_sizes in ((friction, _friction_sizes), (rows, _law_sizes)):
        for sizes, more in zip((doubles, wholes), more_sizes(m, n) if asked else ({}, {}), strict=True):
            sizes.update(more)
    sizes = doubles | wholes
    pieces = Pieces(sizes)
    places = {
        slot: (int(start), size, np.int64 if slot in wholes else float)
        for (slot, size), start in zip(sizes.items(), pieces.starts, strict=True)
    }
    return _Layout(pieces, places)


def _sizes(n_q: int, m: int, n: int, nb: int) -> tuple[dict[int, int], dict[int, int]]:
    """Sizes of the arrays of doubles and of int64, by slot."""
    k = max(m, n)
    per_contact = (
        at.RATE_MINUS,
        at.UNCERTAIN,
        at.RATE_PLUS,
        at.IMPULSE,
        at.LENGTHS,
        at.BOUNDS,
        at.MULTIPLIER,
        at.NULL_BOUNDS,
        at.NULL_MULTIPLIER,
        at.NULL_POINT,
        at.RESTITUTION,
        at.HOP,
        at.GIVEN,
        at.LAST_T,
        at.INTERVAL,
        at.LAST_REBOUND,
        at.REBOUND_BEFORE,
        at.GRAIN,
    )
    doubles = {at.OUT: m * m + n * m + 2 * n, at.SCALAR: at.N_SCALARS, at.COLUMNS: n * m}
    doubles |= {at.SPEEDS_BEFORE: m, at.UNACCOUNTED: 2 * m}
    doubles |= {at.CHANGE: m, at.MOTION: m, at.ROWS: n * n, at.NULL_COLUMNS: n * n} | dict.fromkeys(per_contact, n)
    doubles |= {at.ALONG: 3 * nb, at.VALUES: nb}
    doubles |= dict.fromkeys((at.RATES, at.TRIAL, at.AHEAD_STATE, at.LATER_STATE), n_q + m)
    wholes = {at.WHO: n, at.STANDING: n, at.CANDIDATE: n, at.NEXT: n, at.STATUS: n + 1, at.ACTIVE: nb, at.SENT: n}
    for basis in (at.BASIS, at.NULL):
        doubles |= {basis: k * k, basis + 1: k * k, basis + 2: k, basis + 3: k, basis + 4: k}
        wholes |= {basis + 5: k, basis + 6: 1}
    return doubles, wholes


def _friction_sizes(m: int, n: int) -> tuple[dict[int, int], dict[int, int]]:
    """As `_sizes`, of what friction needs."""
    vectors = (at.CONE_RATE, at.CONE_IMPULSE, at.CONE_AFTER, at.HELD_BOUNDS, at.MULTIPLIERS)
    tangential = (at.DIRECTION, at.SLIP_MINUS, at.SLIP_PLUS, at.FRICTION_IMPULSE)
    doubles = dict.fromkeys((at.LINES, at.HANDLES, at.CARRIERS, at.EQUATIONS), 3 * n * m)
    doubles |= {at.SLIPS: n * (11 + 3 * m), at.TANGENTS: 6 * n, at.ANCHOR: 3 * n, at.PUSHES: 3 * n}
    doubles |= {at.COEFFICIENT: n, at.LIFT: n, at.POSED_CHANGE: m}
    doubles |= {at.DELASSUS: 9 * n * n, at.CONE_REPORT: 2, at.CONE_SCRATCH: scratch_size(n), at.EFFORT: m}
    doubles |= dict.fromkeys((*vectors, at.WEIGHTS), 3 * n) | dict.fromkeys(tangential, 2 * n)
    wholes = dict.fromkeys((at.STICKY, at.STOPPED, at.BEGINNING, at.SLIDING, at.LET_GO), n)
    wholes |= {at.CONE_PLACES: places_size(n), at.BEARERS: 3 * n}
    doubles[at.RANK] = at.rank_size(m, 3 * n)
    wholes |= {at.HELD_LINES: 3 * n, at.RANK_PLACES: at.rank_places(3 * n)}
    return doubles, wholes


def _law_sizes(m: int, n: int) -> tuple[dict[int, int], dict[int, int]]:
    """As `_sizes`, of what laws beyond Newton's need."""
    doubles = {at.LAW_NUMBERS: at.N_LAW_NUMBERS, at.STIFFNESS: n, at.LEAST: n, at.MASS: m * m}
    doubles |= dict.fromkeys((at.BEFORE, at.REACHED, at.COMPRESSION), 3 * n)
    doubles |= {at.LAW_SCRATCH: at.law_scratch(m, n), at.KEPT: at.kept_size(m, n)}
    return doubles, {at.LAW_PLACES: 6 * n + 1, at.KEPT_WHO: n}


def _address(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]
