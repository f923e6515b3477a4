"""A number that sums up a run, and how those of two parts of a run become one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Merge", "Observation"]


class Merge(StrEnum):
    """How the numbers of two parts of a run give that of both."""

    LARGER = "larger"
    SMALLER = "smaller"
    SUM = "sum"


@dataclass(frozen=True, slots=True)
class Observation:
    """A number that was observed along a run.

    Attributes
    ----------
    value : float
    t : float
        Where an extreme was met, the first time; of a sum the end of the run (s).
    merge : str
        How it is merged with that of a further part of the run: "larger", "smaller" or "sum".
    """

    value: float
    t: float
    merge: str

    def followed_by(self, later: Observation) -> Observation:
        """That of this part of a run and a later one."""
        if self.merge == Merge.SUM:
            return Observation(self.value + later.value, later.t, self.merge)
        ahead = later.value > self.value if self.merge == Merge.LARGER else later.value < self.value
        return later if ahead else self

    def __float__(self) -> float:
        return self.value
