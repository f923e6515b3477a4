"""What an exact motion consists of: smooth pieces, and instants between them."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from fuzz.combined.scene import Terms


@dataclass
class Instant:
    """What happens at one time: the names that an event has to have, and those that it may have."""

    t: float
    names: set[str] = field(default_factory=set)
    may: set[str] = field(default_factory=set)
    ends: bool = False


@dataclass(frozen=True)
class Piece:
    """The polynomials of a smooth part: x, u, forces of contacts and of latches; and letters that are inputs."""

    t: float
    x: np.ndarray
    u: np.ndarray
    normal: np.ndarray
    reaction: np.ndarray
    letters: dict[str, np.ndarray]

    def of(self, terms: Terms) -> np.ndarray:
        """The polynomial of a sum."""
        parts = [factor * self.letter(name) for name, factor in terms]
        out = np.zeros(max(map(len, parts)))
        for part in parts:
            out[: len(part)] += part
        return out

    def letter(self, name: str) -> np.ndarray:
        """The polynomial of one letter."""
        if name == "1":
            return np.ones(1)
        if name == "t":
            return np.array([self.t, 1.0])
        if name in self.letters:
            return self.letters[name]
        array = {"x": self.x, "u": self.u, "N": self.normal, "R": self.reaction}[name[0]]
        return array[int(name[1:])]
