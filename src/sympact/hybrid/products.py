"""Two processes that run side by side, with one time."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product as pairs
from typing import Any

import sympy as sm

from sympact.hybrid.flows import Part, PartJump, SideBySide
from sympact.hybrid.plain_functions import CFunction
from sympact.hybrid.symbolic.definition import is_function
from sympact.hybrid.symbolic.expressions import Expressions
from sympact.hybrid.symbolic.process_symbols import name_of
from sympact.hybrid.system import HybridSystem
from sympact.hybrid.transition import Transition
from sympact.hybrid.validation import raise_faults
from sympact.native.sentences.refused_calls import explained

__all__ = ["product"]


@explained
def product(left: HybridSystem, right: HybridSystem) -> HybridSystem:
    """The process of two that run side by side with one time, also written ``left * right``.

    Its stages are the pairs of theirs, named "a, b", its states those of both. A transition of either leads from each
    pair to the pair where its own stage has changed. Where transitions of both fire at one instant, both are taken
    there, that of `left` first, as two events at the same time.

    Parameters
    ----------
    left, right : HybridSystem
        With different states. Parameters that both have are the same. Clocks go on in transitions of the other.

    Raises
    ------
    ValueError
        If both have a state of one name, one was built without names of its states, one has cfuncs, which know the
        states by their places, or they have different symbols for the time.

    Examples
    --------
    >>> import sympy as sm
    >>> x, y = sm.symbols("x y")
    >>> def saw(z):
    ...     return HybridSystem.from_sympy(
    ...         {"up": [1]}, [Transition("up", "up", boundary=z - 1, jump=[0], name=f"{z} falls")], states=[z]
    ...     )
    >>> both = saw(x) * saw(y)
    >>> print(both.simulate((0, 1.2), {x: 0.5, y: 0}, start="up, up").events)
    t    kind        contacts  stages
    0.5  transition  x falls   up, up
    1    transition  y falls   up, up
    """
    sides = (_Side(left), _Side(right))
    raise_faults("the processes have no product", _faults(*sides))
    flows = {
        f"{one}, {other}": SideBySide((*sides[0].parts(one), *sides[1].parts(other)))
        for one, other in pairs(left.stages, right.stages)
    }
    first = [_edge(sides, 0, edge, other) for edge in sides[0].edges for other in right.stages]
    second = [_edge(sides, 1, edge, other) for edge in sides[1].edges for other in left.stages]
    parameters = tuple(dict.fromkeys([*sides[0].parameters, *sides[1].parameters]))
    process = HybridSystem.__new__(HybridSystem)
    process._made = (product, {"left": left, "right": right})
    named = pairs([*left.stages, *left.entries], [*right.stages, *right.entries])
    process.entries = {
        f"{one}, {other}": f"{left.entries.get(one, one)}, {right.entries.get(other, other)}"
        for one, other in named
        if one in left.entries or other in right.entries
    }
    process._parts = Expressions.checked(
        flows,
        [*first, *second],
        (*sides[0].letters, *sides[1].letters),
        parameters,
        sides[0].time or sides[1].time,
        _sliding(*sides),
        (*sides[0].labels, *sides[1].labels),
    )
    return process


class _Side:
    """One of the two processes, with a symbol for each of its states."""

    def __init__(self, process: HybridSystem) -> None:
        self.process, parts = process, process._parts
        self.written = parts if isinstance(parts, Expressions) else None
        self.labels: tuple[Any, ...] = process.states or ()
        self.letters = tuple(self.written.inputs.states if self.written else map(sm.Symbol, self.labels))
        self.parameters = self.written.inputs.parameters if self.written else ()
        self.time = self.written.inputs.time if self.written else None
        self.sliding: Any = self.written.sliding if self.written else None
        self.edges = process.transitions

    @property
    def conditions(self) -> bool:
        """Whether a flow has conditions along which it might slide."""
        return self.written is not None and any(stage.switch_names for stage in self.written.read.stages)

    def own(self, stage: str) -> tuple[sm.Expr, ...]:
        """The states of a stage."""
        places = None if self.written is None else self.written.places
        return self.letters if places is None else tuple(self.letters[i] for i in places[stage])

    def parts(self, stage: str) -> list[tuple[tuple[sm.Expr, ...], Any]]:
        """The flow of a stage as parts with states of their own."""
        if self.written is None:
            return [(self.letters, self.process._parts.flows[stage])]
        given = self.written.stages[self.process.stages.index(stage)]
        pieces = [(piece.states, piece.rates or piece.function) for piece in given.pieces]
        return [*pieces, *((clock.states, clock.time) for clock in given.clocks)]


def _edge(sides: tuple[_Side, _Side], k: int, edge: Transition, other: str) -> Transition:
    """A transition of one side from its pair with a stage of the other, which does not change."""

    def pair(stage: str) -> str:
        return f"{stage}, {other}" if k == 0 else f"{other}, {stage}"

    shift = 0 if k == 0 else len(sides[0].own(other))
    before = [shift + i for i in range(len(sides[k].own(edge.source)))]
    after = [shift + i for i in range(len(sides[k].own(edge.target)))]
    boundary, jump = edge.boundary, edge.jump
    if is_function(boundary):
        boundary = Part(boundary, before)
    if is_function(jump):
        kept = len(sides[1 - k].own(other))
        first = (len(before), len(after)) if k == 0 else (0, 0)
        jump = PartJump(jump, before, after, [(first[0] + i, first[1] + i) for i in range(kept)])
    elif jump is not None:
        jump = dict(zip(sides[k].own(edge.target), jump, strict=True))
    name = f"{edge.name}, {other}" if edge.name and len(sides[1 - k].process.stages) > 1 else edge.name
    return Transition(pair(edge.source), pair(edge.target), boundary=boundary, jump=jump, name=name)


def _sliding(left: _Side, right: _Side) -> Any:
    """The choice for the conditions of both."""
    if left.sliding == right.sliding or not right.conditions:
        return left.sliding
    if not left.conditions:
        return right.sliding
    return {**_margins(left), **_margins(right)}


def _margins(side: _Side) -> Mapping[Any, str]:
    if isinstance(side.sliding, str):
        raise ValueError(
            "the processes have no product: one slides along all its conditions and the other does not; name the"
            " conditions that shall slide, sliding={margin: 'filippov'}"
        )
    return dict(side.sliding or {})


def _faults(left: _Side, right: _Side) -> list[str]:
    """Why two processes cannot run side by side."""
    faults = [
        "a process was built without names of its states; give it states=[...]"
        for side in (left, right)
        if side.process.states is None
    ]
    same = [name for name in map(name_of, left.letters) if name in set(map(name_of, right.letters))]
    if same:
        faults.append(f"both have the states {same}; expected different ones")
    if left.time and right.time and left.time != right.time:
        faults.append(f"they have different times, {left.time} and {right.time}; expected one symbol")
    if any(_has_cfunc(side) for side in (left, right)):
        faults.append("one has cfuncs, which know the states by their places; use functions of (t, x) or expressions")
    return faults


def _has_cfunc(side: _Side) -> bool:
    things = [part for stage in side.process.stages for _, part in side.parts(stage)]
    things += [thing for edge in side.edges for thing in (edge.boundary, edge.jump)]
    return any(isinstance(thing, CFunction) for thing in things)
