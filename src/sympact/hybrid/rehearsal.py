"""A dry run: every function is called once at the start, so that a wrong shape is found before the simulation."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from sympact.integrate.problem.real import real_array

__all__ = ["dry_events", "dry_run"]

_OUT_OF_DOMAIN = (ArithmeticError, ValueError)


def dry_run(
    flow: Callable, boundaries: Mapping[str, Callable], stage: str, t0: float, x0: np.ndarray, *, required: bool
) -> list[str]:
    """Call the flow and the boundaries of a stage at (t0, x0) and check the results.

    Parameters
    ----------
    boundaries : mapping of str to callable
        The boundary of each transition that leaves the stage.
    required : bool
        True for the stage in which the run starts: its values must be finite. Another stage need not be defined at the
        start, so that a domain error or a number that is not finite is accepted there. Exceptions of the stage of the
        start are left to the run, which calls the same functions first and keeps its record.

    Returns
    -------
    list of str
        A sentence for each function that returns another shape than expected, or no finite numbers.

    Raises
    ------
    Exception
        An exception of a function of another stage, unless it may be a domain error.
    """
    faults = [_fault(flow, f"the flow of stage {stage!r}", x0.shape, "one number for each state", t0, x0, required)]
    for name, boundary in boundaries.items():
        faults.append(_fault(boundary, f"the boundary of transition {name!r}", (), "one real number", t0, x0, required))
    return [fault for fault in faults if fault]


def dry_events(functions: Mapping[str, Callable], t0: float, x0: np.ndarray) -> list[str]:
    """The same for the functions of events, by name."""
    faults = [
        _fault(one, f"the event {name!r}", (), "one real number", t0, x0, True) for name, one in functions.items()
    ]
    return [fault for fault in faults if fault]


def _fault(
    function: Callable, label: str, shape: tuple[int, ...], meaning: str, t0: float, x0: np.ndarray, required: bool
) -> str | None:
    try:
        value = function(t0, x0.copy())
    except Exception as error:
        if required or isinstance(error, _OUT_OF_DOMAIN):
            return None
        error.add_note(f"raised by {label} at t = {t0!r}, x = {x0.tolist()!r}, where the run was to start")
        raise
    try:
        array = None if value is None else real_array(value)
    except ValueError:
        array = None
    if array is None:
        return f"{label} returned {value!r}, expected {meaning}"
    if array.shape != shape and not (shape == () and array.size == 1):
        return f"{label} returned an array of shape {array.shape}, expected {shape}, {meaning}"
    if required and not np.isfinite(array).all():
        return f"{label} returned {array.tolist()!r} there, expected finite numbers"
    return None
