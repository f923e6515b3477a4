"""Latches: bilateral constraints that close at one event and open at another."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from functools import partial
from typing import Any

from sympy import Expr, Float
from sympy.physics.vector import ReferenceFrame, Vector, dynamicsymbols

from sympact.graph.formula import Scalar, Vector3
from sympact.mechanics.kit.motion import Motion
from sympact.mechanics.kit.symbols import POSITION
from sympact.mechanics.read.closures import ALIGNED, BallClosure, Closure, aligned
from sympact.mechanics.read.constraint import Constraint, read_constraint
from sympact.mechanics.read.restraint import Parallel, Restraint
from sympact.mechanics.shapes.side import LEFT_OUT
from sympact.mechanics.shapes.unilateral import Part, read_name

__all__ = ["Latch", "Latched", "latched", "read_latches"]

Capture = tuple[Expr, Callable[[Motion], Scalar]]
"""A discrete state, and the value that it has when a latch has closed."""


@dataclass(frozen=True, eq=False)
class Latch:
    """A bilateral constraint that closes at an event and opens at another: a gripper, a coupling, a rod that is cut.

    While it is open, the constraint has no force. Where it closes, the speeds jump by the impulses of the constraint, a
    perfectly plastic impact, and the kinetic energy of the speeds that it stops is lost. Both are events, named
    "<name> closes" and "<name> opens". Whether it is closed is a discrete state of the model, `state`, 1 or 0.

    Parameters
    ----------
    constraint : Constraint or Expr
        A closure, a `Holonomic` or `Nonholonomic` constraint, or an expression that is zero.
    closes, opens : condition or list of conditions, optional
        Where it closes, and where it opens: as the boundary of a `Transition`, at least one of the two. Of several
        conditions each counts where it becomes true itself, as those of `When`. One to close counts while the latch is
        open, one to open while it is closed. With the latch's own `Reaction` it breaks away where a force is reached.
    closed : bool, default False
        Whether it is closed at the start, unless the initial state gives `state`.
    keeps_offset : bool, default True
        Whether a constraint of positions holds the value that it has where the latch closes, as a gripper holds a ball
        where it has caught it: points keep their distance, and frames their attitude. Else its own zero: a state beside
        it is projected onto it. At the start a closed latch holds its own zero in both cases.
    name : str, optional
        The name in events, tables and results; by default that of the constraint.

    Raises
    ------
    TypeError
        If the constraint is neither a constraint nor an expression, a flag no bool, or `name` no text.
    ValueError
        If neither ``closes`` nor ``opens`` is given, or a `BallClosure` that keeps its offset has no ``frame``.

    Attributes
    ----------
    state : Expr
        The discrete state: 1 where the latch is closed, 0 where it is open.

    Examples
    --------
    Two carts of 2 kg and 1 kg that couple at a distance of 1 m, and part at 3 s:

    >>> from sympact import HybridModel, Latch
    >>> from sympy.physics.mechanics import Particle, PrismaticJoint, RigidBody, System
    >>> track, first, second = RigidBody("track"), Particle("first", mass=2), Particle("second", mass=1)
    >>> system = System.from_newtonian(track)
    >>> a, b, u, v = dynamicsymbols("a b u v")
    >>> system.add_joints(PrismaticJoint("A", track, first, a, u), PrismaticJoint("B", track, second, b, v))
    >>> coupling = Latch(b - a, closes=b - a < 1, opens=dynamicsymbols._t > 3, name="coupling")
    >>> model = HybridModel(system, [], latches=[coupling])
    >>> result = model.simulate((0, 5), {a: 0, b: 3, u: 2, v: 0}, {})
    >>> [(event.contacts[0], round(event.t, 9)) for event in result.events]
    [('coupling closes', 1.0), ('coupling opens', 3.0)]
    >>> round(result.events[0].energy, 9), result[v][-1].round(9), result[coupling.state][-1]
    (-1.333333333, np.float64(1.333333333), np.float64(0.0))
    """

    constraint: Any
    _: KW_ONLY
    closes: Any = None
    opens: Any = None
    closed: bool = False
    keeps_offset: bool = True
    name: str = LEFT_OUT
    state: Expr = field(init=False, repr=False)

    def __post_init__(self) -> None:
        constraint = read_constraint(self.constraint, (), ())
        if self.name is None:
            object.__setattr__(self, "name", constraint.name)
        read_name(self.name, "a latch")
        for word in ("closed", "keeps_offset"):
            if not isinstance(getattr(self, word), bool):
                raise TypeError(f"{word} of the latch '{self.name}' is {getattr(self, word)!r}, expected True or False")
        if self.closes is None and self.opens is None:
            raise ValueError(
                f"the latch '{self.name}' neither closes nor opens; give it closes= or opens=, a condition such as "
                "q > 1, or give its constraint to the model as one of constraints="
            )
        if self.keeps_offset and isinstance(constraint, BallClosure) and constraint.frame is None:
            raise ValueError(
                f"the latch '{self.name}' keeps the offset of {constraint.title} in no frame of a body; give the "
                "closure frame=, fixed in the body that carries the offset, or the latch keeps_offset=False"
            )
        object.__setattr__(self, "state", dynamicsymbols(f"{_word(self.name)}_closed"))


@dataclass(frozen=True, eq=False)
class Latched(Constraint):
    """The constraint of a latch: its equations times the state of the latch, less the values that they hold.

    Attributes
    ----------
    latch : Latch
    constraint : Constraint
        As the latch has it.
    offsets : mapping of str to Expr
        The values that equations hold, by their names: numbers, or discrete states.
    attitude : mapping of str to tuple of three Expr
        The components of axes of a frame of P's body in one of Q's, where a closure that keeps the two parallel was
        latched: by the names of `ALIGNED`, numbers or discrete states.
    """

    latch: Latch
    constraint: Constraint
    offsets: Mapping[str, Expr]
    attitude: Mapping[str, tuple[Expr, ...]]

    @property
    def name(self) -> str:  # type: ignore[override]
        """That of the latch."""
        return self.latch.name

    @property
    def kind(self) -> str:  # type: ignore[override]
        """That of the constraint."""
        return f"latched {self.constraint.kind}"

    @property
    def unit(self) -> str:  # type: ignore[override]
        """That of the constraint."""
        return self.constraint.unit

    @property
    def further(self) -> int:  # type: ignore[override]
        """That of the constraint."""
        return self.constraint.further

    @property
    def letters(self) -> tuple[Expr, ...]:
        """Its discrete states."""
        return (self.latch.state, *(letter for letter, _ in self.captures()))

    def start(self) -> dict[Expr, float]:
        """Its discrete states at the start: it holds its own zero."""
        start = dict.fromkeys(self.letters, 0.0) | {self.latch.state: float(self.latch.closed)}
        for name, components in self.attitude.items():
            start |= {one: float(ALIGNED[name][1] == j) for j, one in enumerate(components) if not one.is_number}
        return start

    def is_called(self, wanted: object) -> bool:
        """Also by its latch, and by the constraint of that."""
        return super().is_called(wanted) or wanted is self.latch or wanted is self.constraint

    def is_written(self, wanted: Expr) -> bool:
        """As that of the constraint."""
        return self.constraint.is_written(wanted)

    def parts(self) -> tuple[Part, ...]:
        """Those of the constraint, and the discrete states."""
        return (*self.constraint.parts(), Part(self.title, scalars=self.letters))

    def unfit(self, q: Collection[Expr], u: Collection[Expr]) -> str:
        """As that of the constraint."""
        return self.constraint.unfit(q, u)

    def equations(self, motion: Motion) -> Mapping[str, Scalar]:
        """Those of the constraint, times the state of the latch."""
        restraints, closed = self.restraints(motion.frame), motion.read(self.latch.state)
        if restraints:
            return {name: one.value(motion) for name, one in restraints.items()}
        found = self.constraint.equations(motion)
        return {name: closed * (value - motion.read(self._offset(name))) for name, value in found.items()}

    def restraints(self, inertial: ReferenceFrame) -> Mapping[str, Restraint]:
        """Those of the constraint, times the state of the latch."""
        found, pair = dict(self.constraint.restraints(inertial)), _kept_parallel(self.constraint)
        if pair is not None and self.attitude:
            axes = [_axis(pair[1], self.attitude[name]) for name, _ in sorted(ALIGNED.items(), key=_own)]
            found |= aligned(pair[0], axes)
        return {name: _Switched(one, self.latch.state, self._offset(name)) for name, one in found.items()}

    def captures(self) -> list[Capture]:
        """The discrete states that change where the latch closes, with their values then."""
        taken: list[Capture] = []
        for name, letter in self.offsets.items():
            if not letter.is_number:
                taken.append((letter, partial(self._equation, name)))
        pair = _kept_parallel(self.constraint)
        if pair is None:
            return taken
        for name, components in self.attitude.items():
            axis = list(pair[0])[ALIGNED[name][1]]
            for letter, other in zip(components, pair[1], strict=True):
                if not letter.is_number:
                    taken.append((letter, Parallel(axis, other).value))
        return taken

    def _equation(self, name: str, motion: Motion) -> Scalar:
        """One of the constraint, as it is written."""
        return self.constraint.equations(motion)[name]

    def _offset(self, name: str) -> Expr:
        return self.offsets.get(name, Float(0))


@dataclass(frozen=True, slots=True)
class _Switched(Restraint):
    """A restraint times the state of a latch, less the value that it holds."""

    restraint: Restraint
    closed: Expr
    offset: Expr

    @property
    def unit(self) -> str:  # type: ignore[override]
        """That of the restraint."""
        return self.restraint.unit

    def value(self, motion: Motion) -> Scalar:
        """phi."""
        return motion.read(self.closed) * (self.restraint.value(motion) - motion.read(self.offset))

    def force(self, motion: Motion) -> Vector3:
        """That of the restraint."""
        return motion.read(self.closed) * self.restraint.force(motion)

    def torque(self, motion: Motion) -> Vector3:
        """That of the restraint."""
        return motion.read(self.closed) * self.restraint.torque(motion)

    @property
    def points(self):
        """Those of the restraint."""
        return self.restraint.points

    @property
    def frames(self):
        """Those of the restraint."""
        return self.restraint.frames


def read_latches(given: Iterable[object], contacts: Iterable[str] = ()) -> tuple[Latch, ...]:
    """The latches of a model, whose contacts have the names given.

    Raises
    ------
    TypeError
        If one is no `Latch`.
    ValueError
        If several have one name, or one has that of a contact.
    """
    if isinstance(given, (str, Latch)) or not isinstance(given, Iterable):
        raise TypeError(f"latches is {given!r}, expected a list of Latch objects")
    everything = tuple(given)
    latches = tuple(one for one in everything if isinstance(one, Latch))
    wrong = [one for one in everything if not isinstance(one, Latch)]
    if wrong:
        raise TypeError(f"latches: expected Latch objects; found {', '.join(map(repr, wrong))}")
    words = [_word(one.name) for one in latches]
    twice = [one.name for i, one in enumerate(latches) if words[i] in words[:i]]
    if twice:
        raise ValueError(f"latches: several are called {', '.join(map(repr, twice))}; give each its own name=")
    taken = set(contacts)
    shared = [one.name for one in latches if one.name in taken]
    if shared:
        raise ValueError(
            f"latches: a latch and a contact are both called {shared[0]!r}; give one of them another name=, by which "
            "events, forces and tables distinguish them"
        )
    return latches


def latched(latch: Latch, constraint: Constraint, motion: Motion) -> Latched:
    """The constraint of a latch, with discrete states for the values that it can hold.

    An equation that is a constant number in all motions, such as one out of the plane of a plane mechanism, holds this
    number.
    """
    word, offsets, attitude = _word(latch.name), {}, {}
    if latch.keeps_offset and constraint.further == POSITION:
        pair = _kept_parallel(constraint)
        if pair is not None:
            attitude = _attitude(word, pair, motion)
        for name, value in constraint.equations(motion).items():
            if pair is None or name not in ALIGNED:
                offsets[name] = _number_or(f"{word}_{_word(name) or 'offset'}", value)
    return Latched(latch, constraint, offsets, attitude)


def _attitude(word: str, pair: tuple[ReferenceFrame, ReferenceFrame], motion: Motion) -> dict[str, tuple[Expr, ...]]:
    """The components of the axes of one frame in the other; one that its equation does not need is zero."""
    found = {}
    for name, (across, own) in ALIGNED.items():
        axes = list(pair[0])
        products = [_number(Parallel(axes[across], other).value(motion)) for other in pair[1]]
        held = [Parallel(axes[own], other).value(motion) for other in pair[1]]
        names = [f"{word}_{'xyz'[own]}{'xyz'[j]}" for j in range(3)]
        found[name] = tuple(
            Float(0) if product == 0.0 and _number(value) is None else _number_or(letter, value)
            for letter, product, value in zip(names, products, held, strict=True)
        )
    return found


def _kept_parallel(constraint: Constraint) -> tuple[ReferenceFrame, ReferenceFrame] | None:
    return constraint.kept_parallel if isinstance(constraint, Closure) else None


def _own(item: tuple[str, tuple[int, int]]) -> int:
    return item[1][1]


def _axis(frame: ReferenceFrame, components: tuple[Expr, ...]) -> Vector:
    """An axis by its components."""
    return sum((one * axis for one, axis in zip(components, frame, strict=True)), Vector(0))


def _number_or(name: str, value: Scalar) -> Expr:
    """The number of a scalar, or a discrete state."""
    number = _number(value)
    return dynamicsymbols(name) if number is None else Float(number)


def _number(value: Scalar) -> float | None:
    return value.graph.value(value.node)


def _word(name: str) -> str:
    """A name as a part of those of symbols."""
    return re.sub(r"\W+", "_", name).strip("_")
