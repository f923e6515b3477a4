"""The edges of a process, or of a mechanical model: a boundary where it is left, and the jump made there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

from sympact.integrate.problem.travel import check_travels

__all__ = ["Exit", "Transition", "When", "check_edges_travel", "exits", "identity", "transition_names"]


def identity(t, x):
    """The jump that changes nothing: x+ = x-."""
    return x


@dataclass(frozen=True, slots=True)
class Transition:
    """An edge of the process from `source` to `target`: the pair (g, h) of a boundary and a jump.

    Parameters
    ----------
    source, target : str, optional
        Names of the stages of a `HybridSystem`; equal for a self-transition. A `HybridModel` has no stages to be named.
    boundary : callable
        ``boundary(t, x)``, a real number: negative inside the stage `source`, and the transition fires when it
        reaches zero from below. Of a `HybridModel` an expression with this meaning, a condition such as ``q > 1``,
        which fires where it becomes true, or a `Crossing`, each also of forces (`NormalForce`, `Reaction`); a function
        as above; or ``"accumulation"``, which fires where events accumulate.
    jump : callable, optional
        ``jump(t, x_minus)``, shape (n_states,): the state just after. Without it the state does not change, which a
        self-transition may not do. Of a `HybridModel` a mapping of the states that change to their values after the
        jump, as expressions of the values before it, such as ``{q: -q, u: u / 2}``, or a function as above.
    name : str, optional
        The name of the transition in events; ``"source -> target"`` without it, in a model ``"transition 1"`` ...
    impact : {"before", "after", "instead"}
        When a `HybridModel` applies the jump at an event at which contacts collide, too: before their impact is
        resolved, after it, or in its place.

    Notes
    -----
    Both functions may be numba ``cfunc`` objects; see `HybridSystem`. In `HybridSystem.from_sympy` they are
    expressions. :doc:`/how-to/conditions` has examples of models, and says in which order jumps are applied.

    Examples
    --------
    >>> Transition("air", "water", boundary=lambda t, x: -x[0]).name is None
    True
    """

    source: str = ""
    target: str = ""
    _: KW_ONLY
    boundary: Any
    jump: Any = None
    name: str | None = None
    impact: str = "before"


@dataclass(frozen=True, slots=True)
class When:
    """A jump of a `HybridModel` that any of several conditions causes, each where it becomes true itself.

    With two conditions of which one is true already, the other one still causes the jump: ``When([a, b], ...)`` differs
    from a `Transition` with the boundary ``Or(a, b)``, which becomes true once (Modelica 3.6, section 8.3.5).

    Parameters
    ----------
    conditions : list
        Each as the boundary of a `Transition`.
    reinit : mapping of Expr to Expr
        The states that change with their values after the jump, as expressions of the values before it.
    name : str, optional
        The name of the transition in events; by default ``"transition 1"``, ...
    impact : {"before", "after", "instead"}
        As of a `Transition`.

    Examples
    --------
    >>> from sympact import HybridModel
    >>> from sympact.models import bouncing_ball
    >>> from sympy.physics.mechanics import dynamicsymbols
    >>> ball, n = bouncing_ball(), dynamicsymbols("n")
    >>> (z,), (v,) = ball.model.q, ball.model.u
    >>> counting = When([z < 0.5, v < -3], reinit={n: n + 1})
    >>> model = HybridModel(ball.model.source, ball.model.contacts, discrete=[n], transitions=[counting])
    >>> model.simulate((0, 0.4), {**ball.start, n: 0}, ball.parameters)[n][-1]
    np.float64(2.0)
    """

    conditions: Any
    _: KW_ONLY
    reinit: Any
    name: str | None = None
    impact: str = "before"


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


def check_edges_travel(named: Iterable[tuple[str, Transition | When]]) -> None:
    """Refuse edges whose functions cannot travel to another process.

    Raises
    ------
    TypeError
        Naming the function.
    """
    for name, edge in named:
        for part in ("boundary", "jump"):
            check_travels(f"the {part} of transition {name!r}", getattr(edge, part, None))


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
