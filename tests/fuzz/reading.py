"""A run as the invariants see it: only what `Result` makes public, in the order of the recipe's letters."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from fuzz.motion import Motion
from fuzz.recipe import Recipe, Run, Touch
from fuzz.rows import Rows, gaps, rows
from sympact import Event, Result

LENGTH = 1.0
"""Of the models (m), to an order of magnitude."""

LONGEST = 1e-6
"""Of the times (s) over which rates are told from differences."""

TURNED = 1e-4
"""How far (rad, m) the coordinates move in such a time: a sixth of its square, 2e-9, is what the difference misses."""

OPEN, CLOSED, STICKS, SLIPS, TOUCHES = "open", "closed", "sticks", "slips", "touches"


@dataclass(frozen=True)
class Violation:
    """A broken invariant: its name, when, how large and how large at most, and what else tells it."""

    name: str
    t: float
    size: float
    allowed: float
    about: str = ""

    def __str__(self) -> str:
        return f"{self.name} at t = {self.t:.9g}: {self.size:.3g}, allowed {self.allowed:.3g} {self.about}".rstrip()


@dataclass
class Findings:
    """What is broken in one run."""

    list: list[Violation] = field(default_factory=list)

    def expect(self, size, allowed, name: str, t: float, about: str = "") -> bool:
        """Whether size <= allowed, a number that is none being too large; else it is noted."""
        size, allowed = float(np.max(size, initial=0.0)), float(np.min(allowed))
        if not size <= allowed:
            self.list.append(Violation(name, float(t), size, allowed, about))
            return False
        return True


class Reading:
    """One run beside its own mechanics.

    Attributes
    ----------
    t, q, u : arrays, shapes (n,), (n, n_q), (n, n_u)
        The accepted samples; a jump is two of them.
    doing : array of str, shape (n, n_contacts)
        "open", "closed", "sticks", "slips" or "touches" of each contact at each sample.
    scale : float
        The largest acceleration of a gap met, in parts (m/s^2): how high a hop is.
    """

    def __init__(self, recipe: Recipe, run: Run, result: Result):
        self.recipe, self.run, self.result = recipe, run, result
        self.motion = Motion(recipe, run.numbers["g"])
        names = list(result.state_names)
        self._q = [names.index(name) for name in recipe.coordinates]
        self._u = [names.index(name) for name in recipe.speeds]
        self.t = np.asarray(result.t)
        self.q, self.u = self.split(np.asarray(result.x).T)
        self.names = [contact.name for contact in recipe.contacts]
        self._words: dict[str, np.ndarray] = {}
        self.stages = result.stages
        self.doing = np.array([self.words(stage) for stage in self.stages], dtype=object).reshape(-1, len(self.names))
        self._rows: dict[tuple[float, bytes], Rows] = {}
        numbers = run.numbers
        touches = [contact if isinstance(contact, Touch) and contact.rubs else None for contact in recipe.contacts]
        self.e = np.array([numbers[f"e_{name}"] for name in self.names])
        self.mu = np.array([0.0 if c is None else numbers[f"mu_{c.name}"] for c in touches])
        self.static = np.array(
            [0.0 if c is None else numbers.get(f"mus_{c.name}", numbers[f"mu_{c.name}"]) for c in touches]
        )
        self.rubs = np.array([c is not None for c in touches])
        picked = np.unique(np.linspace(0, len(self.t) - 1, 12).astype(int))
        self.scale = self.acceleration(self.t[picked], self.q[picked], self.u[picked]) + 1e-3

    def split(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """q and u of states (..., n_states)."""
        return x[..., self._q], x[..., self._u]

    def at(self, t, side: str = "right") -> tuple[np.ndarray, np.ndarray]:
        """q and u at any times, from the dense output."""
        return self.split(np.asarray(self.result(t, side)).T)

    def words(self, stage: str) -> np.ndarray:
        """What each contact does in a stage."""
        if stage not in self._words:
            parts = stage.removesuffix(" (at rest)").split(" [")[0].split(", ")
            found = {part.split(" ")[0]: [*part.split(" "), CLOSED][1] for part in parts}
            self._words[stage] = np.array([found.get(name, OPEN) for name in self.names], dtype=object)
        return self._words[stage]

    def rows(self, t: float, q: np.ndarray) -> Rows:
        """Gaps and rows of all contacts at a state."""
        key = float(t), q.tobytes()
        if key not in self._rows:
            self._rows[key] = rows(self.motion, float(t), q)
        return self._rows[key]

    def gaps(self, t: np.ndarray, q: np.ndarray) -> np.ndarray:
        """The gaps at many states, shape (n_contacts, k)."""
        return gaps(self.motion, t, q)

    def acceleration(self, t: np.ndarray, q: np.ndarray, u: np.ndarray) -> float:
        """The largest of the gaps' free accelerations at states, with all parts one way."""
        M, f = self.motion.terms(t, q, u)
        free = np.linalg.solve(M, f[..., np.newaxis])[..., 0]
        sizes = np.einsum("...kn,...n->...k", np.abs(rows(self.motion, t, q).N), np.abs(free))
        return float(np.nanmax(sizes + np.nan_to_num(np.abs(self.bias(t, q, u)[0])), initial=0.0))

    def bias(self, t, q: np.ndarray, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What remains of the rates of gap rates and slips where u' = 0, by differences along the motion.

        Not a number where the surface has a corner, or another place of the body comes nearest. A difference over h of
        a motion that turns by w misses a part (w h)^2/6 of it: h is short where it is fast. The place of a rim that is
        all but flat runs round faster than its body turns; of the differences over h and h/2 what is extrapolated to
        h = 0 misses a part of the order (w h)^4 alone (Richardson).
        """
        rates = self.motion.rates(q, u)
        step = np.minimum(LONGEST, TURNED / (np.abs(rates).max(axis=-1) + 1e-300))[..., np.newaxis]
        whole, half = (self._differences(t, q, u, rates, part * step) for part in (1.0, 0.5))
        return tuple((4.0 * fine - coarse) / 3.0 for coarse, fine in zip(whole, half, strict=True))

    def _differences(self, t, q, u, rates, step) -> tuple[np.ndarray, np.ndarray]:
        """The rates of gap rates and slips by central differences over a step to either side."""
        before, after = (rows(self.motion, t + s[..., 0], q + s * rates) for s in (-step, step))
        corner = np.linalg.norm(after.normal - before.normal, axis=-1) > 0.003
        corner |= np.linalg.norm(after.N - before.N, axis=-1) > 0.003 * np.linalg.norm(after.N, axis=-1)
        before.drift[corner] = np.nan
        slipping = (after.slips(u) - before.slips(u)) / (2 * step[..., np.newaxis])
        return (after.rates(u) - before.rates(u)) / (2 * step), slipping

    @property
    def slow(self) -> float:
        """The speed of hops that are taken out: those lower than 1e-10 of the length."""
        return float(np.sqrt(2e-10 * LENGTH * self.scale))

    @property
    def speed(self) -> float:
        """The length in the time in which the largest acceleration covers it."""
        return float(np.sqrt(LENGTH * self.scale))

    def parts(self, event: Event) -> np.ndarray:
        """The numbers of the contacts that took part."""
        return np.array([self.names.index(name) for name in event.contacts if name in self.names], dtype=int)
