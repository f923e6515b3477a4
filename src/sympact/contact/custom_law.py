"""A user's impact law as a C function that the solver of impacts calls."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from sympact.contact.memory import contact_codes as codes
from sympact.contact.memory.contact_tolerances import UNBOUNDED
from sympact.integrate.problem.callback import Callback, Faults

__all__ = ["custom_law"]


class AssembledImpact(Protocol):
    """The memory of the contacts, with an impact that was assembled."""

    @property
    def problem(self) -> Any:
        """The memory of its problem."""

    @property
    def law(self) -> Any:
        """The memory of its law."""

    @property
    def n_speeds(self) -> int:
        """The number of speeds."""

    @property
    def count(self) -> int:
        """The number of contacts that take part."""


_UNIT = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)


def custom_law(function: Callable, data: AssembledImpact, faults: Faults) -> Callback:
    """``function(mass_matrix, jacobian, velocity, restitution, friction) -> impulses`` for `Model.custom_law`."""
    label = f"the impact law {getattr(function, '__name__', repr(function))}"

    def call(table: int) -> int:
        try:
            data.problem.cone_impulse[: 3 * data.count] = _checked(function(*_assembled(data)), data.count, label)
        except BaseException as error:
            faults.catch(error, label)
            return codes.FAULTED
        return codes.SOLVED

    return Callback(_UNIT(call))


def _assembled(data: AssembledImpact) -> tuple[np.ndarray, ...]:
    """Copies of the data of the assembled impact that a law may use."""
    m, k = data.n_speeds, data.count
    who = data.problem.participants[:k]
    mass, lines = data.law.mass_entries.reshape(m, m), data.problem.lines.reshape(-1, 3, m)[who]
    velocity = data.law.before[: 3 * k].reshape(k, 3)
    lower = np.tril(mass.T @ mass if data.problem.branches.present else mass)
    mu = data.problem.coefficient[:k]
    return (
        lower + np.tril(lower, -1).T,
        lines,
        velocity.copy(),
        data.problem.restitution[:k].copy(),
        np.where(mu < UNBOUNDED, mu, np.inf),
    )


def _checked(impulses: object, k: int, label: str) -> np.ndarray:
    array = np.asarray(impulses, dtype=float)
    if array.shape != (k, 3):
        raise ValueError(
            f"{label} returned an array of shape {array.shape}, expected ({k}, 3): the normal impulse and two "
            "tangential ones of each contact that takes part"
        )
    if not np.isfinite(array).all():
        raise ValueError(f"{label} returned {array.tolist()}, expected finite impulses (N s)")
    return array.ravel()
