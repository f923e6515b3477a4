"""What the page of guarantees promises, sentence by sentence, and the bounds that the shared check takes from it.

A bound that a sentence gives is read from the sentence, never typed again; `tests/house/test_trajectory_check.py` holds
the sentences against the page.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

PAGE = "docs/guarantees.rst"

DEFAULT_RTOL = 1e-9
"""The default tolerance, which figures of the page are for."""

ABOUT = 10
"""What the word "about" stands for in a sentence of the page."""


@dataclass(frozen=True)
class Promise:
    """A sentence of the page."""

    sentence: str

    @property
    def number(self) -> float:
        """The one number like 1e-11 or 10^{-11} that stands in it."""
        return float(self._find(r"(\d+e-\d+)|10\^\{(-\d+)\}", lambda a, b: a or f"1e{b}"))

    def _find(self, pattern: str, read: Callable) -> str:
        (found,) = re.findall(pattern, self.sentence)
        return read(*found)


DEAD_BAND = Promise(
    r"\delta = \max(\min(\text{rtol}, 10^{-10}),\ 64\,\epsilon)\, L`, along the step's own dense output"
)
CLOSED = Promise("gaps are zero at the accepted steps to about 1e-15 L")
CLOSED_BETWEEN = Promise("and between them to 1e-10 L at the default tolerances")
CLOSED_LOOSE = Promise("between steps, with loose tolerances, gaps may reach the tolerance")
NEVER_PULLS = Promise("the equations are solved for all contacts that take part, and no impulse pulls")
LAW = Promise("with friction to 3e-11 of the speeds")
GAIN = Promise("for an impact that gained more than 1e-10 of the kinetic energy")
NO_IMPULSE = Promise("no speed changes without an impulse")
NO_ENERGY = Promise("no energy is created")
SKIPPED = Promise(r"is omitted is at most :math:`\delta = 10^{-10} L` in height and :math:`v_c = \sqrt{2 a \delta}`")
FROZEN = Promise("a state of equilibrium at rest is frozen to the last bit")
REST_ACCELERATION = Promise(r"those that contacts constrain below :math:`10^{-9}`")
REST_SPEED = Promise(r"speeds below :math:`10^{-12}` of the model's own")
CONE = Promise("forces and impulses are within the round cone, friction opposes the slip")
FORCES = Promise("Friction forces leave their cones by at most 1e-9 of the largest normal force")
STICKS = Promise("sticking contacts keep their position at the accepted steps")
SLOW_SLIP = Promise(
    r"At most :math:`10^{-7}` of the scale of a slip, the speeds of its own bodies, counts as slip that may end in "
    "sticking"
)
OWN_DIRECTION = Promise("above about :math:`10^{-5}` of it friction opposes the slip itself")
TOGETHER = Promise("contacts whose gaps are within :math:`10^{-12} L` touch together")
START = Promise("an initial state may lie below a surface by :math:`10^{-10} L`")
EVENT_TIME = Promise("the root of the integrated boundary function, to a few units of the last place")
BOTH_SIDES = Promise("samples, dense output and both sides of events agree; coordinates do not jump")
MOTION = Promise("(Newton, Euler; Gauss's rule of eight points): to 1e-5 of that integral")


MEASURED: dict[str, tuple[float, float, float]] | None = None
"""By promise and figure, for whoever wants to measure: the largest part of a bound, the figure, the bound."""


def hold(promise: Promise, found, allowed, what: str = "") -> None:
    """Assert that figures stay within their bounds, and say by how much they do not."""
    if MEASURED is None and np.all(found <= np.asarray(allowed)):
        return
    found, allowed = np.broadcast_arrays(np.asarray(found, dtype=float), np.asarray(allowed, dtype=float))
    if not found.size:
        return
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = np.where(found <= allowed, np.where(allowed > 0, found / np.where(allowed > 0, allowed, 1), 0), np.inf)
    k = np.argmax(parts.ravel())
    key = f"{promise.sentence}: {what}"
    if MEASURED is not None and parts.ravel()[k] > MEASURED.get(key, (0.0,))[0]:
        MEASURED[key] = float(parts.ravel()[k]), float(found.ravel()[k]), float(allowed.ravel()[k])
    assert (found <= allowed).all(), (
        f"promised: {promise.sentence!r}; {what}: found {found.ravel()[k]:.6g}, allowed {allowed.ravel()[k]:.3g}"
    )
