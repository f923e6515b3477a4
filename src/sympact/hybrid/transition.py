"""The edges of a process: a boundary where it is left, and the jump made there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

__all__ = ["Exit", "Transition", "exits", "identity", "transition_names"]


def identity(t, x):
    """The jump that changes nothing: x+ = x-."""
    return x


@dataclass(frozen=True, slots=True)
class Transition:
    """An edge of the process from `source` to `target`: the pair (g, h) of a boundary and a jump.

    Parameters
    ----------
    source, target : str
        Names of the stages; equal for a self-transition.
    boundary : callable
        ``boundary(t, x)``, a real number: negative inside the stage `source`, and the transition fires when it
        reaches zero from below.
    jump : callable, optional
        ``jump(t, x_minus)``, shape (n_states,): the state just after. Without it the state does not change, which a
        self-transition may not do.
    name : str, optional
        The name of the transition in events; ``"source -> target"`` without it.

    Notes
    -----
    Both functions may be numba ``cfunc`` objects; see `HybridSystem`. In `HybridSystem.from_sympy` they are
    expressions.

    Examples
    --------
    >>> Transition("air", "water", boundary=lambda t, x: -x[0]).name is None
    True
    """

    source: str
    target: str
    _: KW_ONLY
    boundary: Any
    jump: Any = None
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Exit:
    """A transition as seen from its source.

    Parameters
    ----------
    number : int
        Its index among all transitions of the process.
    name : str
        Its name in events.
    transition : Transition
    target : int
        The index of the stage it leads to.
    """

    number: int
    name: str
    transition: Transition
    target: int


def exits(transitions: Sequence[Transition], stages: Sequence[str]) -> dict[str, list[Exit]]:
    """The transitions that leave each stage, in the order of declaration."""
    leaving: dict[str, list[Exit]] = {stage: [] for stage in stages}
    for number, (name, transition) in enumerate(zip(transition_names(transitions), transitions, strict=True)):
        leaving[transition.source].append(Exit(number, name, transition, stages.index(transition.target)))
    return leaving


def transition_names(transitions: Sequence[Transition]) -> tuple[str, ...]:
    """A name for each transition: its own, or source and target, numbered where several would have the same one.

    >>> there = Transition("a", "b", boundary=min)
    >>> transition_names([there, Transition("b", "a", boundary=min, name="back"), there])
    ('a -> b', 'back', 'a -> b (2)')
    """
    met: Counter[str] = Counter()
    names = []
    for transition in transitions:
        name = transition.name or f"{transition.source} -> {transition.target}"
        met[name] += 1
        names.append(name if met[name] == 1 else f"{name} ({met[name]})")
    return tuple(names)
