"""The constraints of the loop: units that it calls by address, and their memory."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sympact.contact.constraints.formulations import Formulation
from sympact.contact.memory.bilateral import Bilateral
from sympact.contact.memory.reduction import NO_BASIS, NO_DIRECTIONS
from sympact.native.kernel import Unit

__all__ = [
    "ASSEMBLE",
    "BEGIN",
    "PREPARE",
    "PROJECT",
    "RATES",
    "ConstraintData",
    "constraint_units",
    "residual_units",
]

_PLACE, _FLOW = "sympact.contact.constraints.bilateral_kernel", "void(float64, int64, int64, int64)"
RATES = Unit(_PLACE, "constrained_rates", _FLOW)
"""The flow of a constrained model."""
PROJECT = Unit(_PLACE, "project_constrained", _FLOW)
"""The projection after each step."""
MEET_SPEEDS = Unit(_PLACE, "meet_speeds", _FLOW)
"""The impact of constraints whose prescribed speeds jump."""
BEGIN, PREPARE = Unit(_PLACE, "begin_constrained", _FLOW), Unit(_PLACE, "prepare_constrained", _FLOW)
"""What formulations in independent coordinates or speeds store at the start of an arc, and of each of its steps."""
_CLOSED = "sympact.contact.modes.closed_start_kernel"
BEGIN_CLOSED, PREPARE_CLOSED = Unit(_CLOSED, "begin_closed", _FLOW), Unit(_CLOSED, "prepare_closed", _FLOW)
"""The same with contacts closed, followed by what these store."""
MEASURE = Unit(_PLACE, "measure_lengths", _FLOW)
"""The lengths of the constraints at the start of a run."""
ASSEMBLE = Unit(_PLACE, "assemble_state", _FLOW)
"""The projection of an initial state."""
_DAE = "sympact.contact.constraints.dae_kernel"
RESIDUAL = Unit(_DAE, "dae_residual", _FLOW)
"""The equations of a formulation with further multipliers, for implicit methods."""
BEGIN_RESIDUAL = Unit(_DAE, "dae_begin", _FLOW)
"""Their multipliers at the start of a step."""


def constraint_units() -> list[Unit]:
    """All units of constraints that every method calls."""
    return [RATES, PROJECT, ASSEMBLE, MEASURE, MEET_SPEEDS, BEGIN, PREPARE, BEGIN_CLOSED, PREPARE_CLOSED]


def residual_units() -> list[Unit]:
    """Those that implicit methods call."""
    return [RESIDUAL, BEGIN_RESIDUAL]


class ConstraintData:
    """The data of the constraints of one run: sizes, the model's functions, the formulation, memory.

    Two runs at the same time need one object each. `address` is valid as long as the object lives.

    Parameters
    ----------
    n_q, n_u, n_rows : int
        Coordinates, speeds, constraints.
    formulation : Formulation
    parameters : array
        p, contiguous; shared, so that values written to it during the run are seen.
    positional : sequence of bool
        Which constraints are those of positions, (n_rows,).
    equations, constraints, kinematics, normalize, tree_function : int
        Addresses of the model's functions, see `Bilateral`.
    latches : sequence of int
        The states of latches.

    Attributes
    ----------
    parameters : array
        As given.
    """

    def __init__(
        self,
        n_q: int,
        n_u: int,
        n_rows: int,
        formulation: Formulation,
        *,
        parameters: np.ndarray,
        positional: Sequence[bool],
        equations: int,
        constraints: int,
        kinematics: int,
        normalize: int = 0,
        tree_function: int = 0,
        latches: Sequence[int] = (),
    ) -> None:
        self.memory = Bilateral.allocate({"n_q": n_q, "n_u": n_u, "n_rows": n_rows})
        self.parameters = parameters
        memory = self.memory
        memory.parameters, memory.equations = parameters.ctypes.data, equations
        memory.constraints, memory.kinematics, memory.normalize = constraints, kinematics, normalize
        memory.tree_function = tree_function
        memory.projects, memory.in_stages = int(formulation.projects), int(formulation.in_stages)
        memory.kinds = formulation.multipliers
        memory.positional[:] = positional
        memory.latches[list(latches)] = 1
        memory.rate_gain, memory.position_gain = formulation.gains
        reduction = memory.reduction
        reduction.rule, reduction.basis, reduction.growth = formulation.rule, formulation.basis_code, formulation.growth
        self._starts = formulation.rule != NO_DIRECTIONS or formulation.basis_code != NO_BASIS
        memory.lengths[:] = 1.0

    @property
    def address(self) -> int:
        """The data of the flow and of the projection."""
        return self.memory.address

    @property
    def flow(self) -> tuple[int, int]:
        """Address and data of the flow, as in `Stage`."""
        return RATES.address(), self.address

    @property
    def meet_speeds(self) -> int:
        """Address of the projection of the speeds, with the data of the flow."""
        return MEET_SPEEDS.address()

    @property
    def project(self) -> int:
        """Address of the projection, with the data of the flow."""
        return PROJECT.address()

    @property
    def residual(self) -> dict[str, int]:
        """What implicit methods solve in place of the flow, as the fields of `Stage`; empty: the flow."""
        memory = self.memory
        if memory.kinds == 0:
            return {}
        addresses = {"residual": RESIDUAL.address(), "begin_residual": BEGIN_RESIDUAL.address()}
        return addresses | {"multipliers": memory.kinds * memory.n_rows}

    @property
    def starts(self) -> tuple[int, int]:
        """Addresses of `Stage.begin` and `Stage.prepare`, with the data of the flow; 0 where nothing is stored."""
        return (BEGIN.address(), PREPARE.address()) if self._starts else (0, 0)

    def closed_starts(self, begin: Unit | None, prepare: Unit | None) -> tuple[int, int]:
        """The same with contacts closed, which store what these units do; their data are those of the contacts."""
        own = tuple(0 if unit is None else unit.address() for unit in (begin, prepare))
        if not self._starts:
            return own[0], own[1]
        self.memory.contact_begin, self.memory.contact_prepare = own
        return BEGIN_CLOSED.address(), PREPARE_CLOSED.address()

    @property
    def unmet(self) -> int:
        """In how many evaluations a direction of the constraints was left to inertia."""
        return self.memory.unmet

    @property
    def choices(self) -> int:
        """How often the run chose directions, or a basis that does not continue the one before."""
        return self.memory.reduction.choices

    def rates(self, t: float, x: np.ndarray) -> np.ndarray:
        """x' at a state."""
        self.measure(t, x)
        return self._call(RATES, t, x)

    def scales(self) -> np.ndarray:
        """What `measure` found, for `restore`."""
        memory = self.memory
        own = [memory.spare, memory.along_tree, *memory.tree_lengths]
        return np.concatenate([memory.lengths, memory.weights, own])

    def restore(self, scales: np.ndarray) -> None:
        """Set what another run has measured, if by an earlier version without what belongs to trees."""
        memory = self.memory
        lengths, weights, (spare, *along_tree) = np.split(scales, [memory.n_rows, 2 * memory.n_rows])
        memory.lengths[:], memory.weights[:], memory.spare, memory.measured = lengths, weights, int(spare), 1
        memory.along_tree = int(along_tree[0]) if along_tree else 0
        memory.tree_lengths[:] = along_tree[1:] or 1.0

    def take_over(self, other: ConstraintData, own: np.ndarray, others: np.ndarray) -> None:
        """Set what another run has measured of some of its constraints, by their places here and there."""
        self.memory.lengths[own] = other.memory.lengths[others]
        self.memory.weights[own] = other.memory.weights[others]
        if other.memory.along_tree == 1:
            self.memory.tree_lengths[own] = other.memory.tree_lengths[others]

    def measure(self, t: float, x: np.ndarray) -> None:
        """Measure the constraints at the start of a run."""
        self._call(MEASURE, t, x)

    @property
    def measures(self) -> tuple[int, int]:
        """Address and data of what `measure` calls, of the form of a flow."""
        return MEASURE.address(), self.address

    def assembled(self, t: float, x: np.ndarray) -> np.ndarray:
        """The state projected onto the constraints; the closest one where they are not met."""
        self.measure(t, x)
        return self._call(ASSEMBLE, t, x)

    def with_met_speeds(self, t: float, x: np.ndarray) -> np.ndarray | None:
        """The state with the closest speeds that satisfy the constraints, in the metric of M; None where one of them
        depends on others."""
        self.measure(t, x)
        if self.memory.spare:
            return None
        state = np.array(x, dtype=float)
        MEET_SPEEDS.callable()(t, state.ctypes.data, self.address, state.ctypes.data)
        return state

    def violations(self, t: float, x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """phi, A u + a, and the sizes of the rows of A at a state, each of shape (n_rows,)."""
        self.assembled(t, x)
        memory = self.memory
        return memory.phi.copy(), memory.rate.copy(), np.abs(memory.rows).max(axis=1)

    def _call(self, unit: Unit, t: float, x: np.ndarray) -> np.ndarray:
        state = np.ascontiguousarray(x, dtype=float)
        out = np.empty_like(state)
        unit.callable()(t, state.ctypes.data, self.address, out.ctypes.data)
        return out
