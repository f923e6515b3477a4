"""The carts of a scene at one time: their state, the forces until the next instant, jumps and impacts."""

from __future__ import annotations

import numpy as np

from fuzz.combined.drives import polynomial, samples, shaped
from fuzz.combined.piece import Piece
from fuzz.combined.polynomials import ROUNDING, integral
from fuzz.combined.rows import Undecided, impulses, pushing, row
from fuzz.combined.scene import Change, Play, Scene, Terms

TOGETHER = 1e-11
"""Times that differ by less, of the time, are one instant."""


class Carts:
    """State, modes and commands of a scene at the time `t`.

    Attributes
    ----------
    x, u : arrays, shape (n,)
    count : float
        The discrete state n0.
    shut : set of int
        The contacts that are closed.
    closed : dict of int to bool
        Which latches are.
    command, memory : dict of int to float
        What controllers have in force, by cart, and what they keep.
    due, late : lists
        The samples to come, and commands that take effect later.
    piece : Piece
        The motion from here.
    """

    piece: Piece

    def __init__(self, scene: Scene, play: Play):
        self.scene, self.play, n = scene, play, len(scene.masses)
        self.masses = np.array(scene.masses)
        self.W = np.array([row(touch.pair, n, touch.side) for touch in scene.touches]).reshape(-1, n)
        self.B = np.array([row(catch.pair, n) for catch in scene.catches]).reshape(-1, n)
        self.A = np.array([row(gear, n) for gear in scene.gears]).reshape(-1, n)
        self.walls = np.array([touch.side * touch.pair.at for touch in scene.touches])
        self.t, self.x, self.u = 0.0, np.array(play.x), np.array(play.u)
        self.count, self.shut = 0.0, set[int]()
        self.closed = {k: catch.closed for k, catch in enumerate(scene.catches)}
        self.command = {act.cart: act.start for act in scene.acts}
        self.memory = {k: 0.0 for k, act in enumerate(scene.acts) if act.memory}
        self.due = sorted((t, k) for k, act in enumerate(scene.acts) for t in samples(act, play.span))
        self.late: list[tuple[float, int, float]] = []

    def held(self) -> np.ndarray:
        """The rows that are held: gears, and latches that are closed."""
        return np.vstack([self.A, self.B[[k for k, closed in self.closed.items() if closed]]])

    def loads(self) -> np.ndarray:
        """The loads of carts, shape (n, powers)."""
        letters, n = self.letters(), len(self.masses)
        powers = max(len(letters[f"F{k}"]) for k in range(n))
        out = np.zeros((n, powers))
        for k, weight in enumerate(self.play.weights):
            out[k, : len(letters[f"F{k}"])] = letters[f"F{k}"]
            out[k, 0] += weight
        return out

    def letters(self) -> dict[str, np.ndarray]:
        """Inputs, what controllers keep, and the discrete state."""
        letters = {f"F{k}": polynomial(drive, self.t, self.count) for k, drive in self.scene.drives.items()}
        letters |= {f"F{k}": np.array([command]) for k, command in self.command.items()}
        letters |= {f"z{k}": np.array([number]) for k, number in self.memory.items()}
        return letters | {"n0": np.array([self.count])}

    def now(self, terms: Terms) -> float:
        """The value of a sum; forces are those of the piece."""
        letters = {name: f[0] for name, f in self.letters().items()} | {"1": 1.0, "t": self.t}
        letters |= {f"x{k}": x for k, x in enumerate(self.x)} | {f"u{k}": u for k, u in enumerate(self.u)}
        if any(name[0] in "NR" for name, _ in terms):
            letters |= {f"N{k}": f[0] for k, f in enumerate(self.piece.normal)}
            letters |= {f"R{k}": f[0] for k, f in enumerate(self.piece.reaction)}
        return float(sum(factor * letters[name] for name, factor in terms))

    def gaps(self) -> np.ndarray:
        """The gaps of contacts."""
        return self.W @ self.x - self.walls

    def gap(self, k: int) -> np.ndarray:
        """The polynomial of a gap."""
        out = self.W[k] @ self.piece.x
        out[0] -= self.walls[k]
        return out

    def begin(self, met: set[int]) -> tuple[set[int], set[int]]:
        """The piece from here, with the contacts that open and that close; `met` are those that touch besides."""
        touching = [k for k in sorted(met | self.shut) if abs(self.W[k] @ self.u) < ROUNDING]
        held, before = self.held(), self.shut
        chosen, a, force = pushing(self.masses, held, self.W[touching], self.loads())
        self.shut = {touching[k] for k in chosen}
        normal, reaction = (np.zeros((len(rows), force.shape[1])) for rows in (self.W, self.B))
        normal[[touching[k] for k in chosen]] = force[len(held) :]
        reaction[[k for k, closed in self.closed.items() if closed]] = force[len(self.A) : len(held)]
        u = np.array([integral(one, start) for one, start in zip(a, self.u, strict=True)])
        x = np.array([integral(one, start) for one, start in zip(u, self.x, strict=True)])
        self.piece = Piece(self.t, x, u, normal, reaction, self.letters())
        return before - self.shut, self.shut - before

    def sample(self) -> set[str]:
        """Commands that take effect now, and those that are computed now; the names of those that are recorded."""
        near, names = self.t + TOGETHER * (1.0 + self.t), set[str]()
        for t, k, number in sorted(self.late):
            if t <= near:
                self.command[self.scene.acts[k].cart] = number
        self.late = [one for one in self.late if one[0] > near]
        now = [k for t, k in self.due if t <= near]
        self.due = [one for one in self.due if one[0] > near]
        for k in sorted(now, key=lambda k: (bool(self.scene.acts[k].name), k)):
            act = self.scene.acts[k]
            number, sure = shaped(act, self.now(act.law))
            if not sure:
                raise Undecided("a command is half way between two multiples")
            if act.memory:
                self.memory[k] = self.now(act.memory)
            if act.delay:
                self.late.append((self.t + act.delay, k, number))
            else:
                self.command[act.cart] = number
            names |= {act.name} if act.record else set()
        return names

    def jump(self, change: Change) -> None:
        """New values of letters, each of those before; speeds are then projected onto what is held."""
        values = {letter: self.now(terms) for letter, terms in change.jump}
        for letter, number in values.items():
            if letter == "n0":
                self.count = number
            else:
                self.u[int(letter[1:])] = number
        self.hold()

    def hold(self) -> None:
        """Project speeds onto what is held."""
        self.u = impulses(self.masses, self.held(), np.zeros((0, len(self.u))), self.u, np.zeros(0))

    def catch(self, k: int, closes: bool) -> None:
        """A latch closes, by a plastic impact, or opens."""
        self.closed[k] = closes
        if closes:
            self.hold()
            W = self.W[sorted(self.shut)]
            if (W @ self.u).min(initial=0.0) < -ROUNDING:
                self.u = impulses(self.masses, self.held(), W, self.u, np.zeros(len(W)))

    def approaching(self, struck: set[int]) -> list[int]:
        """The contacts, of these and those that are closed, that approach."""
        return [k for k in sorted(struck | self.shut) if self.W[k] @ self.u < -ROUNDING]

    def collide(self, hit: list[int], e: np.ndarray) -> None:
        """The impact of these contacts, in which those that are closed take part."""
        touching = sorted({*hit, *self.shut})
        W = self.W[touching]
        self.u = impulses(self.masses, self.held(), W, self.u, -e[touching] * np.minimum(W @ self.u, 0.0))
        self.shut |= {k for k in hit if abs(self.W[k] @ self.u) < ROUNDING}

    def stop(self, k: int) -> None:
        """A contact that bounces ever lower keeps no speed."""
        rows = np.vstack([self.held(), self.W[[k, *sorted(self.shut - {k})]]])
        self.u = impulses(self.masses, rows, np.zeros((0, len(self.u))), self.u, np.zeros(0))
        self.shut.add(k)
