"""What a run of a process takes over from the one with which it goes on, besides the state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

__all__ = ["Continuation", "numbered"]

_SIDES = Mapping[str, tuple[float, float]]


def numbered(names: Iterable[str]) -> list[str]:
    """Names of boundaries, each once: the conditions of one transition or latch share its name.

    Examples
    --------
    >>> numbered(["kick", "x > 1", "kick"])
    ['kick', 'x > 1', 'kick (2)']
    """
    found: list[str] = []
    counts: dict[str, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
        found.append(name if counts[name] == 1 else f"{name} ({counts[name]})")
    return found


@dataclass(frozen=True)
class Continuation:
    """The end of a run of a process.

    Attributes
    ----------
    stages : tuple of int
        For each mode of the run, to which its samples refer, the index of the stage in its program.
    latched : tuple of int
        The transitions of the last stage, by index, whose boundaries have been crossed and are not inside again.
    sides : mapping of str to (float, float)
        On which side each condition of that stage is, 1.0 or -1.0, by the name of what is true where it is 1.0, with
        the largest value that its margin had.
    clocks : tuple of (float, int)
        For each clock of that stage the origin of its instants (s), and how many it has had.
    """

    stages: tuple[int, ...]
    latched: tuple[int, ...] = ()
    sides: _SIDES = field(default_factory=dict)
    clocks: tuple[tuple[float, int], ...] = ()

    @property
    def begun(self) -> Continuation:
        """The same at a time before the end: the sides there are those of the state."""
        return Continuation(self.stages)

    def after(self, first: Continuation) -> Continuation:
        """That of two consecutive runs, the modes of the `first` before those of this one."""
        return replace(self, stages=(*first.stages, *self.stages))

    def stored(self) -> dict[str, object]:
        """Its numbers for a file."""
        return {
            "stages": list(self.stages),
            "latched": list(self.latched),
            "sides": {name: list(side) for name, side in self.sides.items()},
            "clocks": [list(clock) for clock in self.clocks],
        }

    @classmethod
    def restored(cls, stored: Mapping[str, Sequence] | None) -> Continuation | None:
        """The reverse of `stored`; None of None.

        Raises
        ------
        ValueError, TypeError, KeyError
            If these are not such numbers.

        Examples
        --------
        >>> end = Continuation((0, 1, 0), latched=(2,), sides={"x > 1": (1.0, 0.5)}, clocks=((0.0, 3),))
        >>> Continuation.restored(end.stored()) == end
        True
        """
        if stored is None:
            return None
        sides: Mapping = stored["sides"]  # type: ignore[assignment]
        return cls(
            tuple(int(stage) for stage in stored["stages"]),
            tuple(int(k) for k in stored["latched"]),
            {str(name): (float(sign), float(largest)) for name, (sign, largest) in sides.items()},
            tuple((float(origin), int(count)) for origin, count in stored["clocks"]),
        )
