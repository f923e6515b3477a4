"""Random scenes: one to three islands of one or two carts, with what may meet at one instant."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from fuzz.combined.rows import row
from fuzz.combined.scene import GROUND, Act, Catch, Change, Condition, Drive, Pair, Play, Scene, Terms, Touch, Watch

SPAN = 5.0
"""The longest run (s)."""


class Draw:
    """What has been drawn so far of a scene."""

    def __init__(self, seed: int):
        self.rng = np.random.default_rng([seed, 61])
        sizes = [int(n) for n in self.rng.choice([1, 2], size=self.rng.choice([1, 2, 3], p=[0.5, 0.35, 0.15]))]
        starts = np.cumsum([0, *sizes])
        self.islands = [list(range(a, b)) for a, b in pairwise(starts)]
        self.masses = tuple(self.number(0.5, 2.0) for _ in range(sum(sizes)))
        self.period = float(self.rng.choice([0.1, 0.25, 0.3, 0.5, self.number(0.05, 0.6)]))
        self.touches: list[Touch] = []
        self.gears: list[Pair] = []
        self.catches: list[Catch] = []
        self.acts: list[Act] = []
        self.drives: dict[int, Drive] = {}
        self.counts, self.forces = self.chance(0.5), self.chance(0.2)

    def number(self, low: float, high: float) -> float:
        """A number of three digits after the point."""
        return round(float(self.rng.uniform(low, high)), 3)

    def chance(self, part: float) -> bool:
        """True in this part of all draws."""
        return bool(self.rng.random() < part)

    def pick(self, *values):
        """One of these."""
        return values[int(self.rng.integers(len(values)))]

    def cart(self) -> int:
        """Any cart."""
        return int(self.rng.integers(len(self.masses)))

    def when(self) -> float:
        """A time; often that of a sample."""
        return self.period * int(self.rng.integers(1, 8)) if self.chance(0.5) else self.number(0.3, 3.0)


def random_scene(seed: int) -> Scene:
    """A scene of any kind; the same for the same seed."""
    draw = Draw(seed)
    for island in draw.islands:
        _contacts(draw, island)
    for k in range(len(draw.masses)):
        _input(draw, k)
    changes = tuple(_change(draw) for _ in range(draw.rng.choice([0, 1, 2], p=[0.4, 0.4, 0.2])))
    watches = tuple(Watch(_condition(draw, draw.forces), _stop(draw)) for _ in range(draw.rng.integers(1, 5)))
    return Scene(
        seed,
        draw.masses,
        tuple(draw.touches),
        tuple(draw.gears),
        tuple(draw.catches),
        changes,
        watches,
        tuple(draw.acts),
        draw.drives,
        draw.counts,
    )


def random_play(scene: Scene, number: int) -> Play | None:
    """A start above all surfaces, on what is held, with weights and restitutions; None where none is found."""
    rng = np.random.default_rng([scene.seed, 67, number])
    n = len(scene.masses)
    weights = tuple(round(float(w), 3) for w in rng.uniform(-5, 5, n))
    e = tuple(float(rng.choice([0.0, 1.0, round(rng.uniform(0.2, 0.9), 3)], p=[0.3, 0.1, 0.6])) for _ in scene.touches)
    span = round(float(rng.uniform(2.5, SPAN)), 3)
    for _ in range(50):
        x, u = np.cumsum(rng.uniform(0.8, 1.2, n)) - 1.0, rng.normal(size=n)
        if rng.random() < 0.15:
            _at_rest(scene, x, u)
        for pair in [*scene.gears, *(catch.pair for catch in scene.catches if catch.closed)]:
            x[pair.second] = pair.at + (0.0 if pair.first == GROUND else pair.ratio * x[pair.first])
            u[pair.second] = 0.0 if pair.first == GROUND else pair.ratio * u[pair.first]
        rows = [(row(touch.pair, n, touch.side), touch.side * touch.pair.at) for touch in scene.touches]
        if min((float(of @ x) - at for of, at in rows), default=1.0) >= 0.0:
            return Play(tuple(map(float, x)), tuple(map(float, u)), weights, e, span, number)
    return None


def _at_rest(scene: Scene, x: np.ndarray, u: np.ndarray) -> None:
    """The first cart that has a wall touches it at the start."""
    for touch in scene.touches:
        if touch.pair.first == GROUND:
            x[touch.pair.second], u[touch.pair.second] = touch.pair.at, 0.0
            return


def _contacts(draw: Draw, island: list[int]) -> None:
    """Walls of the island, and what its two carts have between them."""
    for k in island:
        for side in (1, -1):
            if draw.chance(0.55):
                at = draw.number(1.2, 2.0) + k if side < 0 else draw.number(-0.9, -0.4) + k - 0.3
                draw.touches.append(Touch(Pair(k, GROUND, at), side, plane=draw.chance(0.5)))
    if len(island) < 2:
        if draw.chance(0.2):
            _catch(draw, Pair(island[0], GROUND, draw.number(-0.3, 1.5)))
        return
    first, second = island
    tied = draw.pick("bump", "latch", "both", "gear", "none")
    if tied in ("bump", "both"):
        draw.touches.append(Touch(Pair(second, first, draw.number(0.1, 0.4)), 1))
    if tied in ("latch", "both"):
        _catch(draw, Pair(second, first, draw.number(0.5, 1.4)))
    if tied == "gear":
        draw.gears.append(Pair(second, first, draw.number(0.5, 1.0), draw.pick(-1.0, 0.5, 2.0, draw.number(0.3, 1.5))))


def _catch(draw: Draw, pair: Pair) -> None:
    """A latch that closes as its row passes zero or is closed at the start, and opens by time or by its force."""
    terms: Terms = ((f"x{pair.second}", 1.0), ("1", -pair.at))
    if pair.first != GROUND:
        terms = (*terms, (f"x{pair.first}", -1.0))
    closed = draw.chance(0.4)
    name = f"R{len(draw.catches)}"
    opens = Condition("true", ((("t", 1.0), ("1", -draw.when())),))
    if draw.forces:
        opens = Condition("true", (((name, draw.pick(-1.0, 1.0)), ("1", -draw.number(0.3, 2.0))),))
    opens = draw.pick(None, opens, opens)
    sign = draw.pick(-1.0, 1.0)
    own = Condition("true", (tuple((letter, sign * factor) for letter, factor in terms),))
    closes = draw.pick(own, own, Condition("zero", own.sums), Condition("true", ((("t", 1.0), ("1", -draw.when())),)))
    if closed and opens is not None and draw.chance(0.5):
        closes = None
    keeps = draw.chance(0.7) or (closes is not None and closes.sums[0][0][0] == "t")
    draw.catches.append(Catch(pair, closes, opens, closed, keeps))


def _input(draw: Draw, k: int) -> None:
    """What pushes a cart."""
    kind = draw.pick("number", "time", "hold", "linear", "cubic", "state", "sampled", "act", "act")
    if kind == "state" and not draw.counts:
        kind = "act"
    if kind in ("sampled", "act"):
        draw.acts.append(_act(draw, k, kind == "sampled"))
    elif kind == "state":
        draw.drives[k] = Drive(kind, (draw.number(-1, 1), draw.number(-2, 2)))
    elif kind == "time":
        draw.drives[k] = Drive(kind, tuple(draw.number(-1, 1) for _ in range(draw.rng.integers(1, 4))))
    elif kind == "number":
        draw.drives[k] = Drive(kind, (draw.number(-2, 2),))
    else:
        times = tuple(float(t) for t in np.round(np.arange(0, SPAN + 1.5, draw.number(0.4, 1.2)), 3))
        draw.drives[k] = Drive(kind, tuple(draw.number(-2, 2) for _ in times), times)


def _act(draw: Draw, k: int, sampled: bool) -> Act:
    """A controller of the position of a cart, or a sampled input."""
    n = len(draw.acts)
    every = draw.pick(draw.period, draw.period, 2 * draw.period, 0.4)
    phase = round(every / 3, 4) if draw.chance(0.2) else 0.0
    delay = round(every / 2, 4) if draw.chance(0.25) else 0.0
    law: Terms = ((f"x{k}", -draw.number(0.5, 3.0)), (f"u{k}", -draw.number(0.0, 1.0)), ("1", draw.number(-2, 2)))
    if draw.chance(0.4):
        law = (*law, ("t", draw.number(-2, 2)))
    if draw.chance(0.3) and len(draw.masses) > 1:
        other = draw.cart()
        law = law if other == k else (*law, (f"x{other}", draw.number(-1, 1)))
    if draw.counts and draw.chance(0.4):
        law = (*law, ("n0", draw.number(-1, 1)))
    python = not sampled and draw.chance(0.15)
    memory = None
    if not sampled and not python and draw.chance(0.3):
        memory = ((f"z{n}", 1.0), (f"x{k}", every))
        law = (*law, (f"z{n}", draw.number(-1, 1)))
    return Act(
        "" if sampled else f"a{n}",
        k,
        every,
        law,
        phase,
        delay,
        draw.number(-1, 1) if draw.chance(0.5) else 0.0,
        memory,
        not sampled and draw.chance(0.4),
        draw.number(0.05, 0.5) if draw.chance(0.2) else 0.0,
        (-draw.number(0.5, 3), draw.number(0.5, 3)) if draw.chance(0.3) else None,
        python,
    )


def _sum(draw: Draw, forces: bool = False) -> Terms:
    """A sum that may pass zero within a run."""
    k = draw.cart()
    kinds = ["place", "place", "speed", "time", "input", "distance"]
    kinds += ["count"] if draw.counts else []
    kinds += ["force"] if forces and (draw.touches or draw.catches) else []
    kind, sign = draw.pick(*kinds), draw.pick(-1.0, 1.0)
    if kind == "time":
        return (("t", 1.0), ("1", -draw.when()))
    if kind == "input":
        return ((f"F{k}", sign), ("1", draw.number(-1.5, 1.5)))
    if kind == "speed":
        return ((f"u{k}", sign), ("1", draw.pick(0.0, draw.number(-1, 1))))
    if kind == "count":
        return (("n0", 1.0), ("1", -draw.pick(0.5, 1.5, 2.5)))
    if kind == "force":
        names = [f"N{i}" for i in range(len(draw.touches))] + [f"R{i}" for i in range(len(draw.catches))]
        return ((draw.pick(*names), 1.0), ("1", -draw.number(0.3, 2.0)))
    if kind == "distance" and len(draw.masses) > 1:
        other = (k + 1) % len(draw.masses)
        return ((f"x{k}", sign), (f"x{other}", -sign), ("1", draw.number(-1, 1)))
    return ((f"x{k}", sign), ("1", draw.number(-0.5, 0.5) - sign * k))


def _condition(draw: Draw, forces: bool = False) -> Condition:
    """A condition of one or two sums."""
    sort = draw.pick("true", "true", "true", "both", "any", "zero", "up", "down")
    return Condition(sort, tuple(_sum(draw, forces) for _ in range(2 if sort in ("both", "any") else 1)))


def _change(draw: Draw) -> Change:
    """A transition; sometimes at the impact of a contact, before it, after it, or in its place."""
    k, impact = draw.cart(), "before"
    walls = [touch for touch in draw.touches if touch.pair.first == GROUND]
    if walls and not draw.forces and draw.chance(0.25):  # beside events of forces what rests at its boundary takes long
        touch, impact = draw.pick(*walls), draw.pick("before", "after", "instead")
        k = touch.pair.second
        gap: Terms = ((f"x{k}", -float(touch.side)), ("1", touch.side * touch.pair.at))
        conditions = (Condition("true", (gap,)),)
        factor = -draw.number(0.3, 0.9) if impact == "instead" else draw.number(0.5, 1.2)
    else:
        conditions = tuple(_condition(draw, draw.forces) for _ in range(draw.pick(1, 1, 2)))
        factor = draw.pick(-draw.number(0.3, 1.0), draw.number(0.3, 0.95))
    jump = [(f"u{k}", ((f"u{k}", factor), *((("1", draw.number(-0.5, 0.5)),) * draw.chance(0.3))))]
    if draw.counts:
        jump.append(("n0", (("n0", 1.0), ("1", 1.0))))
        jump = jump[1:] if draw.chance(0.3) else jump
    return Change(conditions, tuple(jump), impact)


def _stop(draw: Draw) -> int:
    """At which of its events a run ends; mostly never."""
    return int(draw.rng.integers(1, 4)) if draw.chance(0.15) else 0
