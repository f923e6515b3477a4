"""The start of a run on the bilateral constraints: as it is where it meets them, else projected or refused."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
from sympy import Expr

from sympact.integrate.memory.run_tolerances import DRIFT
from sympact.integrate.problem.warning import SympactWarning, tell
from sympact.mechanics.derived.compiled import CompiledModel
from sympact.mechanics.start.assembly import Assembler, Wanted
from sympact.mechanics.start.constraint_values import ConstraintValues
from sympact.native.rounding import SAME

__all__ = ["PROJECT", "check_consistent", "consistent_start", "units_have_norm_one"]

PROJECT = "project"
_CONSISTENT = (PROJECT, "refuse")


def check_consistent(consistent: str) -> None:
    """Refuse another word for what is done with a start that violates the constraints."""
    if consistent not in _CONSISTENT:
        raise ValueError(f"consistent is {consistent!r}, expected one of {', '.join(map(repr, _CONSISTENT))}")


def units_have_norm_one(model, x: np.ndarray) -> bool:
    """Whether all quaternions of a state are unit ones; `check_start` refuses a start with others."""
    norms = [float(np.linalg.norm(x[list(group)])) for group in model.derivation.quaternions]
    return all(abs(norm - 1.0) <= SAME for norm in norms)


def consistent_start(
    compiled: CompiledModel,
    t: float,
    x: np.ndarray,
    numbers: Callable[[np.ndarray], np.ndarray],
    consistent: str,
    atol: np.ndarray,
    *,
    keeps: bool,
) -> np.ndarray:
    """A start of a run on the constraints: as it is where it satisfies them, else projected or refused.

    A warning describes a change beyond a millionth of the length, or of the speeds, and beyond what the run resolves.
    The last projected start of a model is kept for the next run from the same numbers.

    Parameters
    ----------
    compiled : CompiledModel
    t : float
    x : array, shape (n_states,)
    numbers : callable
        p of the machine code at a state.
    consistent : "project" or "refuse"
    atol : array, shape (n_states,)
        The absolute tolerances of the run.
    keeps : bool
        Whether p at this state determines it at all others, so that the start may be kept: no input is a Python
        function.

    Raises
    ------
    ValueError
        If it is to be refused, or no state near it satisfies the constraints.
    """
    if not keeps:
        found, warning = _projected(compiled, t, x, numbers, consistent, atol)
    else:
        key = (t, consistent, x.tobytes(), numbers(x).tobytes(), atol.tobytes())
        if compiled.last_start[0][0] != key:
            compiled.last_start[0] = key, _projected(compiled, t, x, numbers, consistent, atol)
        found, warning = compiled.last_start[0][1]
    if warning:
        tell(SympactWarning(warning, "projected start"))
    return found


def _projected(
    compiled: CompiledModel,
    t: float,
    x: np.ndarray,
    numbers: Callable[[np.ndarray], np.ndarray],
    consistent: str,
    atol: np.ndarray,
) -> tuple[np.ndarray, str]:
    """The start on the constraints, and a sentence with what was changed; empty where that needs no warning."""
    assembler = Assembler(compiled, t, numbers)
    values = assembler.values(x)
    if not values.finite or not any(wrong.any() for wrong in assembler.violated(x)):
        return x, ""  # `check_start` describes what is not finite
    if consistent == "refuse":
        _refuse(compiled.model, t, values, assembler.size(x))
    try:
        found, _ = assembler.closest(x, Wanted.of(len(x)))
    except ValueError as error:
        raise ValueError(f"the motion cannot start at t = {t:.12g}: {error}; model.assemble takes guesses") from None
    return found, _described_change(compiled.model, assembler, x, found, atol)


def _refuse(model, t: float, values: ConstraintValues, size: float) -> None:
    """Refuse a start that violates constraints in more than the ninth digit."""
    names = [row.name for row in model.derivation.constraints]
    faults = []
    words = ("", "the rate of ")
    for word, wrong, left in zip(words, values.violated(size, SAME), (values.positions, values.rates), strict=True):
        faults += [f"{word}'{names[k]}' is {left[k]:.6g}" for k in np.flatnonzero(wrong)]
    if faults:
        raise ValueError(
            f"the motion cannot start at t = {t:.12g}: the initial state violates the constraints, expected 0, but "
            f"{', '.join(faults)}; model.assemble(x0, parameters) gives the closest state that satisfies them, and "
            'consistent="project" starts from it'
        )


def _described_change(model, assembler: Assembler, given: np.ndarray, x: np.ndarray, atol: np.ndarray) -> str:
    """A sentence with what was changed; empty where it is rounding of a user's numbers, or an error of the run."""
    n = len(model.q)
    speeds = max(float(np.abs(part[n:]).max(initial=0.0)) for part in (x, given))
    change = np.abs(x - given)
    sizes = np.full(len(x), speeds or math.inf)
    if change[:n].any():
        sizes[:n] = assembler.sizes(x)
    relative = np.where(change > atol, change / sizes, 0.0)
    if not (relative > DRIFT).any():
        return ""
    order = np.argsort(-relative)
    told = [f"{_name(model.x[i])} from {given[i]:.9g} to {x[i]:.9g}" for i in _largest(order, relative) if relative[i]]
    return (
        f"the initial state was projected onto the constraints, which changed {', '.join(told)}; "
        "model.assemble(x0, parameters, keep=...) says what to keep"
    )


@lru_cache(maxsize=256)
def _name(letter: Expr) -> str:
    """A state as SymPy writes it, which takes longer than a projection."""
    return str(letter)


def _largest(order: np.ndarray, relative: np.ndarray) -> Sequence[int]:
    """The states that changed most, at most four."""
    return [int(i) for i in order[:4] if relative[i] > DRIFT]
