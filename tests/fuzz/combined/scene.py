"""A scene as plain numbers: what the script of SymPy, and the exact motion by polynomials, are both made from.

Carts "x0", "x1", ... move along one axis with the speeds "u0", "u1", ...; on each acts a constant weight and an input
"F0", "F1", ... of time, data, samples or discrete states. Contacts "c0", ... and latches "l0", ... act between two
carts or a cart and the ground; what nothing connects is an island. "n0" is a discrete state, "z0" the memory of a
controller, "t" the time, "N0" the normal force of c0, and "R0" the reaction of l0.
"""

from __future__ import annotations

from dataclasses import dataclass, field

GROUND = -1
"""The number of the ground, beside those of the carts."""

Terms = tuple[tuple[str, float], ...]
"""A sum of letters with factors; the letter "1" is one."""


@dataclass(frozen=True)
class Pair:
    """A row x_second - ratio x_first - at, of which the first may be the ground."""

    second: int
    first: int
    at: float
    ratio: float = 1.0


@dataclass(frozen=True)
class Touch:
    """A contact that keeps side * (x_second - x_first - at) from becoming negative; with a plane, or as a limit."""

    pair: Pair
    side: int = 1
    plane: bool = False


@dataclass(frozen=True)
class Condition:
    """A condition of sums f, g: "true" (f > 0), "both" and "any" of several, "zero", "up" or "down" of one."""

    sort: str
    sums: tuple[Terms, ...]


@dataclass(frozen=True)
class Catch:
    """A latch of a row, which closes and opens where conditions become true; None: never."""

    pair: Pair
    closes: Condition | None
    opens: Condition | None
    closed: bool = False
    keeps_offset: bool = True


@dataclass(frozen=True)
class Change:
    """A transition: where one of its conditions becomes true, letters take new values."""

    conditions: tuple[Condition, ...]
    jump: tuple[tuple[str, Terms], ...]
    impact: str = "before"


@dataclass(frozen=True)
class Watch:
    """An event of one's own; the run stops at so many of them, never where that is 0."""

    condition: Condition
    stop: int = 0


@dataclass(frozen=True)
class Act:
    """A controller, or a `Sampled` input where it has no name: at k every + phase the cart's input is computed anew."""

    name: str
    cart: int
    every: float
    law: Terms
    phase: float = 0.0
    delay: float = 0.0
    start: float = 0.0
    memory: Terms | None = None
    record: bool = False
    quantum: float = 0.0
    limits: tuple[float, float] | None = None
    python: bool = False


@dataclass(frozen=True)
class Drive:
    """The input of a cart that no `Act` computes: "number", "time", "hold", "linear", "cubic" data or "state"."""

    kind: str
    numbers: tuple[float, ...]
    times: tuple[float, ...] = ()


@dataclass(frozen=True)
class Scene:
    """Masses of carts, and what acts on them."""

    seed: int
    masses: tuple[float, ...]
    touches: tuple[Touch, ...] = ()
    gears: tuple[Pair, ...] = ()
    catches: tuple[Catch, ...] = ()
    changes: tuple[Change, ...] = ()
    watches: tuple[Watch, ...] = ()
    acts: tuple[Act, ...] = ()
    drives: dict[int, Drive] = field(default_factory=dict, hash=False, compare=False)
    counts: bool = False


@dataclass(frozen=True)
class Play:
    """A start, the numbers of one run, and what else is tried of it: a seed of cuts, others of an ensemble."""

    x: tuple[float, ...]
    u: tuple[float, ...]
    weights: tuple[float, ...]
    restitutions: tuple[float, ...]
    span: float
    number: int = 0
