"""The constraints of the loop: units that it calls by address, and their memory."""

from __future__ import annotations

import numpy as np

from sympact.contact.constraints.formulations import Formulation
from sympact.contact.memory.bilateral import Bilateral
from sympact.native.kernel import Unit

__all__ = ["ASSEMBLE", "PROJECT", "RATES", "ConstraintData", "constraint_units"]

_PLACE, _FLOW = "sympact.contact.constraints.bilateral_kernel", "void(float64, int64, int64, int64)"
RATES = Unit(_PLACE, "constrained_rates", _FLOW)
"""The flow of a constrained model."""
PROJECT = Unit(_PLACE, "project_constrained", _FLOW)
"""The projection after each step."""
MEET_SPEEDS = Unit(_PLACE, "meet_speeds", _FLOW)
"""The impact of constraints whose prescribed speeds jump."""
MEASURE = Unit(_PLACE, "measure_lengths", _FLOW)
"""The lengths of the constraints at the start of a run."""
ASSEMBLE = Unit(_PLACE, "assemble_state", _FLOW)
"""The projection of an initial state."""


def constraint_units() -> list[Unit]:
    """All units of constraints."""
    return [RATES, PROJECT, ASSEMBLE, MEASURE, MEET_SPEEDS]


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
    equations, constraints, kinematics, normalize : int
        Addresses of the model's functions, see `Bilateral`.
    """

    def __init__(
        self,
        n_q: int,
        n_u: int,
        n_rows: int,
        formulation: Formulation,
        *,
        parameters: np.ndarray,
        equations: int,
        constraints: int,
        kinematics: int,
        normalize: int = 0,
    ) -> None:
        self.memory = Bilateral.allocate({"n_q": n_q, "n_u": n_u, "n_rows": n_rows})
        self._parameters = parameters
        memory = self.memory
        memory.parameters, memory.equations = parameters.ctypes.data, equations
        memory.constraints, memory.kinematics, memory.normalize = constraints, kinematics, normalize
        memory.projects = int(formulation.projects)
        memory.rate_gain, memory.position_gain = formulation.gains
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

    def rates(self, t: float, x: np.ndarray) -> np.ndarray:
        """x' at a state."""
        self.measure(t, x)
        return self._call(RATES, t, x)

    def measure(self, t: float, x: np.ndarray) -> None:
        """Measure the constraints at the start of a run."""
        self._call(MEASURE, t, x)

    def assembled(self, t: float, x: np.ndarray) -> np.ndarray:
        """The state projected onto the constraints; the closest one where they are not met."""
        self.measure(t, x)
        return self._call(ASSEMBLE, t, x)

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
