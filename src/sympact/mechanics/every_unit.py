"""All units that runs of any model or process call, for those who compile ahead or ship machine code."""

from __future__ import annotations

from sympact.contact.constraints.constraint_data import constraint_units, residual_units
from sympact.contact.contact_workspace import contact_units
from sympact.contact.linear_complementarity import LCP_UNITS
from sympact.contact.solver_calls import SOLVER_UNITS
from sympact.hybrid.edges.clocks import CLOCK_UNITS
from sympact.hybrid.edges.process_table import EDGE_UNITS
from sympact.integrate.loop.prepared_run import loop_units
from sympact.integrate.problem.schedule import Schedule
from sympact.integrate.search.switch_table import SWITCH_UNITS
from sympact.integrate.steppers.methods import METHODS
from sympact.mechanics.batch.model_batch import MODEL_BATCH_UNITS
from sympact.mechanics.start.consistency import START_UNIT
from sympact.mechanics.start.scale import SCALE_UNIT
from sympact.native.kernel import Unit

__all__ = ["every_unit"]


def every_unit() -> list[Unit]:
    """All units, those with the longest compilation first."""
    steppers = [unit for method in METHODS.values() for unit in loop_units(method)]
    steppers += residual_units()
    others = [
        *constraint_units(),
        *EDGE_UNITS,
        *CLOCK_UNITS,
        *Schedule.units(),
        *SWITCH_UNITS,
        START_UNIT,
        SCALE_UNIT,
        *MODEL_BATCH_UNITS,
        *SOLVER_UNITS,
        *LCP_UNITS,
    ]
    return list(dict.fromkeys([*contact_units(), *steppers, *others]))
