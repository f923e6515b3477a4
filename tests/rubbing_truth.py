"""What friction is made of, in numbers, and what Coulomb's law asks of it: the part of `trajectory` that rubs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sympact import HybridModel, Newton, Simultaneous

CONE = 1e-9
"""Of the normal force: how far friction may be outside its cone, in forces that went through a mass matrix."""

OPPOSED = 1e-6
"""Of its size: how far friction may be from opposing a slip that is fast enough to have a direction."""

FAST = 1e-4
"""Of the length in the time scale: such a slip. What begins to slip has the direction that its friction gives it."""

SLOW = 1e-7
"""The same: slip that is taken out where it may end in sticking."""


@dataclass(frozen=True)
class Rubbing:
    """Slips v = J u + w of all contacts at a state; zeros in a model without friction.

    `lines` (n, 3, m): J. `slip`, `drift` (n, 3): v and w. `mu`, `static` (n,).
    """

    lines: np.ndarray
    slip: np.ndarray
    drift: np.ndarray
    mu: np.ndarray
    static: np.ndarray

    @classmethod
    def of(cls, model: HybridModel, p: np.ndarray, t: float, x: np.ndarray) -> Rubbing:
        n, m, compiled = len(model.contacts), len(model.u), model.compile()
        if not compiled.has_friction:
            return cls(np.zeros((n, 3, m)), np.zeros((n, 3)), np.zeros((n, 3)), np.zeros(n), np.zeros(n))
        x, everything = np.ascontiguousarray(x), compiled.all_parameters(p)
        compiled.settle(t, x, everything)
        rows = compiled.slips(t, x, everything)
        along = np.eye(3) - np.einsum("ni,nj->nij", rows[:, :3], rows[:, :3])  # off the normal
        lines, slip = along @ rows[:, 9 : 9 + 3 * m].reshape(n, 3, m), np.einsum("nij,nj->ni", along, rows[:, 3:6])
        return cls(lines, slip, slip - lines @ x[len(model.q) :], rows[:, -2], rows[:, -1])


def word_of(stage, contact: str) -> str:
    """What a contact does in a mode: "open", "closed", "sticks", "slips" or "touches"."""
    for word in stage.name.removesuffix(" (at rest)").split(" [")[0].split(", "):
        if word == contact:
            return "closed"
        if word.rpartition(" ")[0] == contact:
            return word.rpartition(" ")[2]
    return "open"


def words(result, mode: int) -> np.ndarray:
    """The same for all contacts."""
    stage = result._program.stages[mode]
    return np.array([word_of(stage, name) for name in stage.boundary_names[: stage.contacts]], dtype=object)


def check_friction(force: np.ndarray, friction: np.ndarray, rub: Rubbing, doing: np.ndarray, speed: float) -> None:
    """Forces of friction in their cones; what slips is opposed, what sticks does not slip.

    `speed`: the length in the time scale. `force` (n,), `friction` (n, 3), `doing` (n,): `words`.
    """
    size, slip = np.linalg.norm(friction, axis=1), np.linalg.norm(rub.slip, axis=1)
    scale = CONE * force.max(initial=0.0)
    assert (size <= rub.static * force + scale).all()
    assert not friction[(doing == "open") | (doing == "closed")].any()
    assert slip[doing == "sticks"].max(initial=0.0) <= 1e-9 * max(speed, np.abs(rub.drift).max())
    fast = (doing == "slips") & (slip > FAST * speed)
    opposed = -(rub.mu * force / np.where(slip > 0, slip, 1.0))[:, np.newaxis] * rub.slip
    assert (np.abs(friction - opposed)[fast] <= OPPOSED * (rub.mu * force)[fast, np.newaxis] + scale).all()


def check_blow(
    push: np.ndarray, rubbed: np.ndarray, rub: Rubbing, after: np.ndarray, speed: float, model: HybridModel
) -> None:
    """Impulses of friction in their cones; under Newton's law, at once, they oppose the slip `after` (n, 3).

    Slip of less than a millionth of `speed`, that of the blow, has no direction of its own.
    """
    size, scale = np.linalg.norm(rubbed, axis=1), CONE * push.max(initial=0.0)
    assert (size <= rub.mu * push + scale).all()
    if model.law != Newton() or model.resolution != Simultaneous():
        return
    slip = np.linalg.norm(after, axis=1)
    slips = slip > 1e-6 * speed
    opposed = -(rub.mu * push / np.where(slip > 0, slip, 1.0))[:, np.newaxis] * after
    assert (np.abs(rubbed - opposed)[slips] <= OPPOSED * (rub.mu * push)[slips, np.newaxis] + scale).all()
