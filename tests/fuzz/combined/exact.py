"""The motion of a scene by polynomials from instant to instant: no code of the package takes part."""

from __future__ import annotations

import numpy as np

from fuzz.combined.carts import TOGETHER, Carts
from fuzz.combined.drives import knots
from fuzz.combined.piece import Instant, Piece
from fuzz.combined.polynomials import GRAZING, ROUNDING, change, integral, nearly, rate, roots, value
from fuzz.combined.rows import Undecided, pushing
from fuzz.combined.scene import Change, Play, Scene
from fuzz.combined.sides import Sides

APART = 1e-7
"""Instants that are closer than this (s) may come in another order."""

SHORT = 1e-5
"""The flight (s) after which bounces that shrink are taken to their end."""

ROUNDS = 20
"""Jumps and impacts of one instant; more are a loop."""


MOST = 300
"""Pieces of a run that are compared."""


class Exact:
    """The run of a scene until its end, or until it is undecided.

    Attributes
    ----------
    instants : list of Instant
        In the order of time.
    pieces : list of Piece
    until : float
        From there on, which of two things happens hangs on rounding.
    why : str
        What is undecided there.
    bouncing : list of (str, float, float)
        A contact, and the times between which it bounces, of which a run records some.
    unsure : set of str
        See `Sides`.
    """

    def __init__(self, scene: Scene, play: Play):
        self.scene, self.play = scene, play
        self.carts, self._sides = Carts(scene, play), Sides(scene)
        self._knots = sorted({t for drive in scene.drives.values() for t in knots(drive) if 0 < t < play.span})
        self._met: dict[str, int] = {}
        self.instants: list[Instant] = []
        self.pieces: list[Piece] = []
        self.bouncing: list[tuple[str, float, float]] = []
        self.until, self.why, self.stopped = play.span, "", False
        try:
            self._run()
        except Undecided as error:
            self.until, self.why = self.carts.t, str(error)
        self.unsure = self._sides.unsure

    def _run(self) -> None:
        """From instant to instant; a sample at the start is no event, nor is a condition that is true there."""
        carts = self.carts
        carts.sample()
        _, closing = carts.begin({k for k, gap in enumerate(carts.gaps()) if abs(gap) < ROUNDING})
        self.instants.append(Instant(0.0, may={f"c{k}" for k in closing} | {act.name for act in self.scene.acts}))
        self._sides.settle(carts, set())
        while not self.stopped and carts.t < self.play.span:
            if len(self.pieces) == MOST:
                raise Undecided("more events than are compared")
            self.pieces.append(carts.piece)
            self._go_on()

    def observed(self) -> tuple[float, float, float]:
        """The largest x0, the least u0, and the integral of x0 over the run."""
        ends = [*(piece.t for piece in self.pieces[1:]), self.until]
        parts = [(end - p.t, p.x[0], p.u[0]) for p, end in zip(self.pieces, ends, strict=True) if end > p.t]
        most = max(value(x, s) for h, x, u in parts for s in (0.0, h, *roots(u, h)))
        least = min(value(u, s) for h, _, u in parts for s in (0.0, h, *roots(rate(u), h)))
        return most, least, sum(value(integral(x, 0.0), h) for h, x, _ in parts)

    def _go_on(self) -> None:
        """To the next instant, and through it."""
        carts, most = self.carts, self.play.span - self.carts.t
        crossings = self._crossings(most)
        timed = [t - carts.t for t in self._times() if t < self.play.span]
        first = min([s for s, _, _ in crossings] + timed + [most])
        doubt = min((s for _, s, _ in crossings), default=np.inf)
        if doubt <= first + APART:
            carts.t += doubt
            raise Undecided("a function nearly changes its sign")
        near = TOGETHER * (1.0 + carts.t)
        if any(near < s - first <= APART for s in [*timed, *(s for s, _, _ in crossings)]):
            carts.t += first
            raise Undecided("two instants are close")
        crossed = {key for s, _, key in crossings if s - first <= near}
        carts.x, carts.u = (np.array([value(f, first) for f in part]) for part in (carts.piece.x, carts.piece.u))
        carts.t = next((t for t in self._times() if t - carts.t - first <= near), carts.t + first)
        if first < most:
            self._meet(Instant(carts.t), crossed)
        else:
            carts.t = self.play.span

    def _times(self) -> list[float]:
        """The next sample, the next command that takes effect, the next knot."""
        carts = self.carts
        after = [t for t in self._knots if t > carts.t + ROUNDING]
        return [t for t, *_ in (*carts.due[:1], *sorted(carts.late)[:1])] + after[:1]

    def _crossings(self, most: float) -> list[tuple[float, float, object]]:
        """When each sum and each contact changes, when it nearly does, and which it is."""
        carts, found = self.carts, list[tuple[float, float, object]]()
        for key, was in self._sides.of.items():
            if was:
                f = carts.piece.of(self._sides.terms(key))
                found.append((change(f, was, most), nearly(f, most), key))
        for k in range(len(carts.W)):
            f = carts.piece.normal[k] if k in carts.shut else carts.gap(k)
            if k not in carts.shut and f[1] < -GRAZING and f[0] < 10 * ROUNDING * -f[1]:
                raise Undecided("an impact right after another one")
            found.append((change(f, 1, most), nearly(f, most), f"c{k}"))
        return found

    def _meet(self, instant: Instant, crossed: set) -> None:
        """What happens at an instant at which these sums and contacts change: samples, jumps, impacts, modes."""
        carts, sides = self.carts, self._sides
        instant.names |= carts.sample()
        contacts = {int(key[1:]) for key in crossed if isinstance(key, str)}
        struck = contacts - carts.shut
        instant.names |= {f"c{k}" for k in contacts & carts.shut}
        turned = {key: -sides.of[key] for key in crossed if not isinstance(key, str)}
        fired, after = sides.edges(carts, turned, forces=False), list[Change]()
        instead, impacts, jumps = False, 0, 0
        for _ in range(ROUNDS):
            if fired:
                due, replaces = self._apply(fired, instant, after, impacts)
                instead, jumps = instead or replaces, jumps + due
            elif hit := carts.approaching(struck):
                if instead:
                    raise Undecided("a jump in place of an impact leaves an approach")
                self._impact(instant, hit)
                impacts += 1
            elif after:
                jumps += len(after)
                for one in after:
                    carts.jump(one)
                after.clear()
            else:
                self._begin(instant, struck)
                fired = sides.edges(carts, {}, forces=True)
                if not fired:
                    break
                continue
            fired = sides.edges(carts, {}, forces=False)
        else:
            raise Undecided("a loop of events")
        if jumps > 1 and sides.turned(carts, crossed):
            raise Undecided("several jumps turn a function that is zero")
        sides.settle(carts, crossed)
        self.instants.append(instant)
        if instant.ends:
            self.stopped, self.until = True, carts.t

    def _begin(self, instant: Instant, struck: set[int]) -> None:
        """The modes from here on; a contact that opens by itself is an event."""
        opening, closing = ({f"c{k}" for k in part} for part in self.carts.begin(struck))
        (instant.may if instant.names else instant.names).update(opening)
        instant.may |= opening | closing

    def _apply(self, fired: list[int], instant: Instant, after: list[Change], impacts: int) -> tuple[int, bool]:
        """What conditions cause: the number of jumps, and whether one of them takes the place of an impact."""
        owners = list(dict.fromkeys(self._sides.conditions[k][0] for k in fired))
        jumps = [owner for owner in owners if owner[0] == "s"]
        catches = [owner for owner in owners if owner[0] == "l" and self._counts(owner)]
        if len(catches) > 1 or (jumps and catches):
            raise Undecided("latches and transitions at one instant")
        instant.names |= {*jumps, *catches}
        for owner in owners:
            if owner[0] == "w":
                self._watch(owner, instant, sum(self._sides.conditions[k][0] == owner for k in fired))
        applied, instead = 0, False
        for owner in jumps:
            one = self.scene.changes[int(owner[1:])]
            instead |= one.impact == "instead" and not impacts
            if one.impact == "after" and not impacts:
                after.append(one)
            else:
                self.carts.jump(one)
                applied += 1
        for owner in catches:
            name, does = owner.split()
            self.carts.catch(int(name[1:]), does == "closes")
            instant.may |= {f"c{k}" for k in self.carts.shut}
        return applied, instead

    def _counts(self, owner: str) -> bool:
        """Whether a latch is in the state in which its condition counts."""
        name, does = owner.split()
        return self.carts.closed[int(name[1:])] == (does == "opens")

    def _watch(self, owner: str, instant: Instant, times: int) -> None:
        """Record an event of one's own."""
        instant.names.add(owner)
        self._met[owner] = self._met.get(owner, 0) + times
        stop = self.scene.watches[int(owner[1:])].stop
        instant.ends |= bool(stop) and self._met[owner] >= stop

    def _impact(self, instant: Instant, hit: list[int]) -> None:
        """Resolve the impact of contacts that approach."""
        carts, e = self.carts, np.array(self.play.restitutions)
        instant.may |= {f"c{k}" for k in carts.shut}
        instant.names |= {f"c{k}" for k in hit}
        carts.collide(hit, e)
        for k in hit:
            self._bounces(k, float(e[k]))

    def _bounces(self, k: int, e: float) -> None:
        """Take bounces that shrink geometrically to their end."""
        carts = self.carts
        speed, others = float(carts.W[k] @ carts.u), sorted(carts.shut - {k})
        if not 0.0 < speed < 1e-2 or not 0.0 < e < 1.0:
            return
        _, a, _ = pushing(carts.masses, carts.held(), carts.W[others], carts.loads())
        pressing = -float((carts.W[k] @ a)[0])
        if pressing <= 0.0 or (flight := 2.0 * speed / pressing) > 100 * SHORT:
            return
        if any(gap < 1e-4 for j, gap in enumerate(carts.gaps()) if j not in (k, *others)):
            raise Undecided("bounces between two contacts")
        if flight > SHORT:
            return
        end = carts.t + flight / (1.0 - e)
        if min(self._times(), default=np.inf) < end + APART:
            raise Undecided("a sample among the last bounces")
        self.bouncing.append((f"c{k}", carts.t - 200 * SHORT, end + 10 * SHORT))
        carts.stop(k)
