"""The codes with which runs of a batch end, as statuses."""

from __future__ import annotations

import numpy as np

from sympact.integrate.batch.batch_memory import ALONE
from sympact.integrate.loop.prepared_run import ENDINGS
from sympact.integrate.problem.status import Status

__all__ = ["left_to_python", "statuses"]

_LEAST = min(ENDINGS)
_STATUS = np.full(ALONE - _LEAST + 1, Status.INTERRUPTED.code, dtype=np.uint8)
"""The `Status.code` of each code of the loop, from the least one on."""
for _code, _status in ENDINGS.items():
    _STATUS[_code - _LEAST] = _status.code


def statuses(codes: np.ndarray) -> np.ndarray:
    """The `Status.code` of each run from the code of the loop; that of `Status.INTERRUPTED` where it has not ended."""
    return _STATUS[codes - _LEAST]


def left_to_python(codes: np.ndarray) -> np.ndarray:
    """The runs that have to be run alone."""
    return np.flatnonzero(codes == ALONE)
