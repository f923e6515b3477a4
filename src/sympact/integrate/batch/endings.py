"""The codes with which runs of a batch end, as statuses."""

from __future__ import annotations

import numpy as np

from sympact.integrate.batch.batch_memory import ALONE, NOT_RUN
from sympact.integrate.loop.prepared_run import ENDINGS
from sympact.integrate.problem.status import Status

__all__ = ["left_to_python", "statuses"]


def statuses(codes: np.ndarray) -> np.ndarray:
    """The `Status.code` of each run from the code of the loop; that of `Status.INTERRUPTED` where it has not ended."""
    found = np.full(len(codes), Status.INTERRUPTED.code, dtype=np.uint8)
    for code in np.unique(codes).tolist():
        if code not in (ALONE, NOT_RUN):
            found[codes == code] = ENDINGS[code].code
    return found


def left_to_python(codes: np.ndarray) -> np.ndarray:
    """The runs that have to be run alone."""
    return np.flatnonzero(codes == ALONE)
