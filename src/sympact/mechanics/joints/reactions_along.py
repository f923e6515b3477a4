"""Reactions of bilateral constraints along a run, and their impulses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from sympy import Expr

from sympact.integrate.trajectory.reactions import Places
from sympact.mechanics.derived.derived_model import DerivedModel
from sympact.mechanics.joints.motion_along import MotionAlong, impact_of, pieces, wide
from sympact.mechanics.read.constraint import Constraint

if TYPE_CHECKING:
    from sympact.mechanics.derive.constraint_rows import ConstraintRow

__all__ = ["ReactionsAlong"]


@dataclass(frozen=True, eq=False)
class ReactionsAlong:
    """The bilateral constraints of a model in one run, see `Constraints`.

    Attributes
    ----------
    motion : MotionAlong
    """

    motion: MotionAlong

    @property
    def model(self) -> DerivedModel:
        """The model."""
        return self.motion.model

    @property
    def names(self) -> tuple[str, ...]:
        """Of the constraints that have equations."""
        return tuple(dict.fromkeys(row.name for row in self._rows))

    def rows(self, wanted: object) -> dict[int, str]:
        """The rows of a constraint, each with the name of its equation.

        Raises
        ------
        KeyError
            If the model has no such constraint, or one that adds no equation.
        """
        constraint = self._constraint(wanted)
        own = {k: row.component for k, row in enumerate(self._rows) if row.name == constraint.name}
        if not own:
            raise KeyError(
                f"{constraint.title} adds no equation: it holds in every motion of the model, or follows from its "
                f"other constraints, which bear the load; those with equations are {self._listed(self.names)}"
            )
        return own

    def units(self, wanted: object) -> list[str]:
        """The units of their multipliers as forces."""
        constraint = self._constraint(wanted)
        restraints = constraint.restraints(self.model.derivation.kinematics.kinematic_tree.frame)
        return [restraints[name].unit if name in restraints else constraint.unit for name in self.rows(wanted).values()]

    def along(self, t: np.ndarray, x: np.ndarray, stage: np.ndarray) -> np.ndarray:
        """The multipliers, and 1.0 where they are determined, shape (2, n_rows, k)."""
        values, sure = np.zeros((len(self._rows), len(t))), np.ones((len(self._rows), len(t)), bool)
        for piece in pieces(t) if self._rows else ():
            motion = self.motion.at(t[piece], x[:, piece], stage[piece])
            values[:, piece], sure[:, piece] = motion.reactions, motion.balance.determined.T
        return np.array([values, sure | self._open(x)])

    def struck(self, *change: Any) -> np.ndarray:
        """The same of the impulses at an event, shape (2, n_rows, 1)."""
        impact = impact_of(self.model, *change)
        _, impulses, balance = self.motion.struck(impact)
        return np.array([impulses, balance.determined.T | self._open(impact.before[:, np.newaxis])])

    def struck_at(self, *change: Any) -> np.ndarray:
        """The state in which these impulses act, shape (n_states, 1)."""
        return impact_of(self.model, *change).before[:, np.newaxis]

    def exerted(self, wanted: object, turns: bool, frame: object, places: Places, values: np.ndarray) -> np.ndarray:
        """The force of a constraint on the side of its second point, or the torque, shape (3, k)."""
        constraint, (t, x, stage) = self._constraint(wanted), places
        self.rows(wanted)
        function, found = self.motion.functions.exerted(constraint, frame), np.empty((3, len(t)))
        unused = np.zeros((self.motion.functions.before_reactions, len(t)))
        slopes, rows = np.concatenate([unused, values]), slice(3, 6) if turns else slice(0, 3)
        for piece in pieces(t):
            p = self.motion.numbers(t[piece], x[:, piece], stage[piece])
            both = function(t[piece], x[:, piece], slopes[:, piece], p)
            found[:, piece] = wide(both, both.shape[-1] if both.ndim > 1 else len(t[piece]))[rows]
        return found

    def _open(self, x: np.ndarray) -> np.ndarray:
        """Which rows are those of open latches, shape (n_rows, k)."""
        states = {one.name: self.model.q.index(one.latch.state) for one in self.model.description.latches}
        none = np.zeros(x.shape[1], bool)
        rows = [x[states[row.name]] == 0.0 if row.name in states else none for row in self._rows]
        return np.array(rows, bool).reshape(len(rows), x.shape[1])

    def _constraint(self, wanted: object) -> Constraint:
        """A constraint of the model, from itself, its expression or its name."""
        constraints = self.model.description.constraints
        found = [one for one in constraints if one.is_called(wanted)]
        if isinstance(wanted, Expr):
            found += [one for one in constraints if one.is_written(wanted)]
        if found:
            return found[0]
        if not constraints:
            raise KeyError(f"there is no constraint {wanted!r}: the model has no bilateral constraints")
        told = f"the constraint '{wanted.name}' belongs to another model" if isinstance(wanted, Constraint) else ""
        told = told or f"there is no constraint {wanted!r}"
        raise KeyError(f"{told}; those of this model are {self._listed([one.name for one in constraints])}")

    @staticmethod
    def _listed(names: list[str] | tuple[str, ...]) -> str:
        return ", ".join(f"'{name}'" for name in names)

    @property
    def _rows(self) -> tuple[ConstraintRow, ...]:
        return self.model.derivation.constraints
