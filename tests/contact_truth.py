"""Gaps, gap rates, slips, M and f in numbers, from the user's own points and frames by SymPy.

M and f are those of Newton's and Euler's equations of the user's bodies (`body_equations`), of a Lagrangian those of
SymPy's Lagrange's method, of equations of motion those that were written; q' comes from the user's
kinematic equations, the velocity of material from the derivatives of positions and rotation matrices. Nothing is taken
of the equations of the model under test.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, reduce
from math import prod

import nearest_place
import numpy as np
import sympy as sm
from body_equations import BodyEquations, inertial_frame, kinematic_equations, spin_of, written_equations
from gap_formulas import ALONG, FOOT, NORMAL, Larger, gap_of, material_of, normal_of, searched, touch_of
from lambdified import lambdified
from slopes import slope
from sympy.physics.mechanics import LagrangesMethod, SymbolicSystem, dynamicsymbols

from sympact import Contact, HybridModel
from sympact.mechanics.shapes.unilateral import approach_speed, slip_speed

EPS = np.finfo(float).eps
ROUNDING = 64 * EPS
"""Of the terms of a sum: what some dozens of operations may do to it."""


UNUSED = 0.577
"""For parameters that the model says nothing depends on: a number that would show if something did."""


@dataclass(frozen=True)
class Rows:
    """Gap rates N u + drift (n,) and slips T u + slide (n, 3) of all contacts at one state; a limit does not slip.

    `N` (n, m), `T` (n, 3, m). `sizes` (n,) are the sizes of the terms that make the gap rates, `velocities` (n,) those
    of the slips.
    """

    N: np.ndarray
    drift: np.ndarray
    T: np.ndarray
    slide: np.ndarray
    sizes: np.ndarray
    velocities: np.ndarray
    normal: np.ndarray

    def rates(self, u: np.ndarray) -> np.ndarray:
        """The gap rates, shape (n,)."""
        return self.N @ u + self.drift

    def slips(self, u: np.ndarray) -> np.ndarray:
        """The slips, shape (n, 3)."""
        return self.T @ u + self.slide

    def turned(self, which: np.ndarray, other: Rows) -> Rows:
        """The same with the rows of another for some contacts."""
        parts = zip(vars(self).values(), vars(other).values(), strict=True)
        return Rows(*(np.where(which.reshape(-1, *[1] * (own.ndim - 1)), new, own) for own, new in parts))

    def push(self, normal: np.ndarray, friction: np.ndarray) -> np.ndarray:
        """W Lambda, shape (m,)."""
        return self.N.T @ normal + np.einsum("ncm,nc->m", self.T, friction)


@dataclass(frozen=True)
class Truth:
    """A model and the numbers of its parameters."""

    model: HybridModel
    p: np.ndarray
    formulas: Formulas

    @classmethod
    def of(cls, model: HybridModel, parameters: Mapping[sm.Symbol, float]) -> Truth:
        known = {letter: float(parameters[letter]) for letter in model.parameters}
        return cls(model, np.array([known[letter] for letter in model.parameters]), formulas_of(model))

    @property
    def n(self) -> int:
        """How many coordinates there are."""
        return len(self.model.q)

    def split(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """q and u."""
        return x[: self.n], x[self.n :]

    def at(self, t: float, x: np.ndarray) -> States:
        """A single state, (n_states,)."""
        return States(self, np.array([t]), x[:, np.newaxis])

    def gaps(self, t: np.ndarray, x: np.ndarray) -> np.ndarray:
        """The gaps at times (k,) and states (n_states, k), shape (n_contacts, k)."""
        places = [seek(t, x, self.p) for seek in self.formulas.seek]
        return self.formulas.gaps(t, x, places, self.p)[0].T

    def active(self, t: np.ndarray, x: np.ndarray) -> np.ndarray:
        """Whether each contact is active there, shape (n_contacts, k)."""
        found = [active(t, x, self.p) for active in self.formulas.active]
        return np.array([np.broadcast_to(one, t.shape) for one in found]).reshape(-1, len(t))

    def coefficients(self, t: float, x: np.ndarray, speeds: np.ndarray, slips: np.ndarray) -> list:
        """e, mu and the coefficient of sticking of each contact for the speeds of their approaches and slips."""
        with np.errstate(divide="ignore", invalid="ignore"):  # a Piecewise is computed where it does not hold, too
            return self.formulas.coefficients(t, x, self.p, speeds, slips)

    def restitutions(self, t: float, x: np.ndarray, rates: np.ndarray) -> np.ndarray:
        """e of each contact for the speeds with which they approach, shape (n_contacts,)."""
        found = self.coefficients(t, x, np.maximum(0.0, -rates), np.zeros(len(rates)))
        pairs = zip(found, range(len(rates)), strict=True)
        return np.array([float(row[0]) if np.ndim(row[0]) == 0 else float(row[0][k]) for row, k in pairs])

    def frictions(self, t: float, x: np.ndarray, slips: np.ndarray) -> np.ndarray:
        """mu for slips (n_contacts, 3), and the coefficient of sticking, of each contact, shape (n_contacts, 2)."""
        found = self.coefficients(t, x, np.zeros(len(slips)), np.linalg.norm(slips, axis=1))
        return np.array([row[1:] for row in found], dtype=float).reshape(-1, 2)


@dataclass(frozen=True)
class States:
    """What SymPy tells of a model at times t (k,) and states x (n_states, k); arrays have the states along axis 0.

    Where a corner is on a corner two edges are equally near: `side` (k,) tells which one counts, that of the instant
    before (-1) or of the instant after (1).
    """

    truth: Truth
    t: np.ndarray
    x: np.ndarray
    side: np.ndarray | float = -1.0

    @property
    def formulas(self) -> Formulas:
        """Those of the model."""
        return self.truth.formulas

    @cached_property
    def gaps(self) -> np.ndarray:
        """The gaps, shape (k, n_contacts)."""
        return self.truth.gaps(self.t, self.x).T

    @cached_property
    def moving(self) -> np.ndarray:
        """(1, q') = moving (1, u), shape (k, 1 + n, 1 + m), from the user's kinematic equations."""
        n, m = self.truth.n, len(self.x) - self.truth.n
        by = self.by(self.formulas.kinematics, np.eye(n, 1 + n + m, 1), np.eye(m, 1 + n + m, 1 + n))
        moving = np.zeros((len(self.t), 1 + n, 1 + m), dtype=self.x.dtype)
        moving[:, 0, 0] = 1.0
        moving[:, 1:] = np.linalg.solve(by[..., 1 : 1 + n], -by[..., [0, *range(1 + n, 1 + n + m)]])
        return moving

    def by(self, function: Numbers, rates: np.ndarray, speeds: np.ndarray) -> np.ndarray:
        """What a function (k, ...), linear in q' and u, has of its own (k, ..., 0), and for directions (..., 1:).

        The first columns of q' and u, (n, 1 + d) or (k, n, 1 + d) and (m, 1 + d), are zero or what is always there.
        """
        count, each = len(self.t), speeds.shape[-1]
        rates = np.broadcast_to(rates, (count, *rates.shape[-2:]))
        x = np.repeat(self.x, each, axis=1)
        x[self.truth.n :] = np.tile(speeds, count)
        q_rates = np.moveaxis(rates, 1, 0).reshape(self.truth.n, -1)
        (found,) = function(np.repeat(self.t, each), x, q_rates, self.truth.p)
        found = np.moveaxis(found.reshape(count, each, *found.shape[1:]), 1, -1)
        return np.concatenate([found[..., :1], found[..., 1:] - found[..., :1]], axis=-1)

    def by_speeds(self, velocities: Numbers) -> np.ndarray:
        """Velocities (k, ..., 3, 1 + m) by (1, u)."""
        rates, m = self.moving[:, 1:], len(self.x) - self.truth.n
        return self.by(velocities, rates + np.where(np.arange(1 + m) > 0, rates[..., :1], 0), np.eye(m, 1 + m, 1))

    @cached_property
    def speeds(self) -> np.ndarray:
        """(1, u), shape (k, 1 + m)."""
        return np.column_stack([np.ones_like(self.t), self.x[self.truth.n :].T])

    @cached_property
    def places(self) -> list[np.ndarray]:
        """The letters of searched places (7, k) of each contact: along, the foot, and its normal."""
        near = self._aside if self.formulas.edges.any() else None
        return [seek(self.t, self.x, self.truth.p, near) for seek in self.formulas.seek]

    @property
    def _aside(self) -> tuple[np.ndarray, np.ndarray]:
        """Times and states a moment before or after, by coordinates moved by about 1e-8 of their size."""
        rates = np.einsum("kij,kj->ki", self.moving, self.speeds)[:, 1:].T
        q, u = self.truth.split(self.x)
        short = 1e-8 * self.side * np.maximum(1.0, np.abs(q).max(axis=0)) / np.maximum(1.0, np.abs(rates).max(axis=0))
        return self.t + short, np.concatenate([q + short * rates, u])

    @cached_property
    def slopes(self) -> np.ndarray:
        """Derivatives of the gaps by t and q, shape (k, n_contacts, 1 + n)."""
        return self.formulas.slopes(self.t, self.x, self.places, self.truth.p)[0]

    @cached_property
    def gap_rounding(self) -> np.ndarray:
        """What the rounding of the coordinates is in the gaps, shape (k, n_contacts).

        And that of places of their size, from whose difference a formula makes the gap, and of the time, which moves
        surfaces.
        """
        sizes, slopes = np.abs(self.x[: self.truth.n]).T, np.abs(self.slopes)
        of_places = ROUNDING * np.einsum("kcq,kq->kc", slopes[:, :, 1:], sizes)
        of_places += 4 * EPS * sizes.max(axis=1)[:, np.newaxis]
        return of_places + 4 * EPS * np.abs(self.t)[:, np.newaxis] * slopes[:, :, 0]

    @cached_property
    def rates(self) -> np.ndarray:
        """The gap rates, shape (k, n_contacts)."""
        return np.einsum("kcq,kqu,ku->kc", self.slopes, self.moving, self.speeds, optimize=True)

    @cached_property
    def rows(self) -> list[Rows]:
        """W_N^T, W_T^T and what they have at u = 0, for each state."""
        slopes, moving, speeds = self.slopes, self.moving, np.abs(self.speeds)
        rates = slopes @ moving
        sizes = np.einsum("kcq,kqu,ku->kc", np.abs(slopes), np.abs(moving), speeds, optimize=True)
        k, count, width = rates.shape
        slips, normals, velocities = np.zeros((k, count, 3, width)), np.zeros((k, count, 3)), np.zeros((k, count))
        if self.formulas.rubbing.size:
            which, body, surface = self.formulas.rubbing
            normal, arm, apart = self.formulas.material(self.t, self.x, self.places, self.truth.p)
            spins, moving = self.by_speeds(self.formulas.spins), moving[:, np.newaxis]
            normal = normal / np.linalg.norm(normal, axis=-1)[..., np.newaxis]
            terms = [apart[..., 1:] @ moving, _arm(arm) @ spins[:, body]]
            terms.append(-_arm(arm + apart[..., 0]) @ spins[:, surface])
            across = np.eye(3) - normal[..., :, np.newaxis] * normal[..., np.newaxis, :]
            slips[:, which], normals[:, which] = across @ sum(terms), normal
            size = sum(np.abs(term) for term in terms) @ speeds[:, np.newaxis, :, np.newaxis]
            velocities[:, which] = np.linalg.norm(size[..., 0], axis=-1)
        parts = rates[:, :, 1:], rates[:, :, 0], slips[..., 1:], slips[..., 0], sizes, velocities, normals
        return [Rows(*own) for own in zip(*parts, strict=True)]

    @cached_property
    def bodies(self) -> list[np.ndarray]:
        """Velocities of mass centres, angular velocities, velocities of what loads act on, (k, ..., 3, 1 + m)."""
        return np.split(self.by_speeds(self.formulas.velocities), self.formulas.counts, axis=1)

    @cached_property
    def terms(self) -> tuple[np.ndarray, np.ndarray]:
        """M (k, m, m) and f (k, m) by Newton's and Euler's equations of all bodies, along the partial velocities.

        What accelerates at u' = 0 is found by a complex step along the motion.
        """
        if self.formulas.written is not None:
            M, f = self.formulas.written(self.t, self.x, self.x[: self.truth.n], self.truth.p)
            return M, f[..., 0]
        truth, short, u = self.truth, 1e-30, self.speeds[:, np.newaxis, :, np.newaxis]
        rates = (self.moving @ self.speeds[..., np.newaxis])[:, 1:, 0].T
        q, speeds = truth.split(self.x)
        along = replace(self, t=self.t + 1j * short, x=np.concatenate([q + 1j * short * rates, speeds + 0j]))
        bent, spun, _ = ((part @ u).imag[..., 0] / short for part in along.bodies)
        mass, tensor, force = self.formulas.loads(self.t, self.x, rates, truth.p)
        moved, turned, pushed = self.bodies
        spin = (turned @ u)[..., 0]
        gyro = np.einsum("krij,krj->kri", tensor, spun) + np.cross(spin, np.einsum("krij,krj->kri", tensor, spin))
        v, w, p = moved[..., 1:], turned[..., 1:], pushed[..., 1:]
        M = np.einsum("kb,kbiu,kbiv->kuv", mass, v, v, optimize=True)
        M += np.einsum("kriu,krij,krjv->kuv", w, tensor, w, optimize=True)
        f = np.einsum("kliu,kli->ku", p, force) - np.einsum("kriu,kri->ku", w, gyro)
        return M, f - np.einsum("kbiu,kb,kbi->ku", v, mass, bent, optimize=True)

    @cached_property
    def accelerations(self) -> np.ndarray:
        """The largest acceleration of a gap in free motion, or part of one that others cancel (m/s^2), shape (k,).

        The rates at a short time before and after differ by twice the acceleration; it is a scale, not a truth.
        """
        M, f = self.terms
        free = np.linalg.solve(M, f[..., np.newaxis])
        slope = np.concatenate([(self.moving @ self.speeds[..., np.newaxis])[:, 1:, 0], free[..., 0]], axis=1).T
        short = 1e-6 * np.maximum(1.0, np.abs(self.x).max(axis=0)) / np.maximum(np.abs(slope).max(axis=0), 1.0)
        after, before = (replace(self, t=self.t + step, x=self.x + step * slope).rates for step in (short, -short))
        whole = np.abs(after - before).max(axis=1, initial=0.0) / (2 * short)
        parts = np.abs(self.slopes[:, :, 1:] @ self.moving[:, 1:, 1:]) @ np.abs(free)
        return np.maximum(whole, parts[..., 0].max(axis=1, initial=0.0))


def _arm(arm: np.ndarray) -> np.ndarray:
    """The matrices (..., 3, 3) that take angular velocities to those of places at arms (..., 3)."""
    matrices = np.zeros((*arm.shape, 3))
    x, y, z = np.moveaxis(arm, -1, 0)
    matrices[..., 0, 1], matrices[..., 0, 2], matrices[..., 1, 2] = z, -y, x
    return matrices - matrices.swapaxes(-1, -2)


@dataclass(frozen=True)
class Numbers:
    """Arrays of expressions as a function of t (k,), x (n_states, k), others, and p: each with the states first."""

    function: Callable
    shapes: tuple[tuple[int, ...], ...]

    @classmethod
    def of(
        cls, arguments: Sequence, *arrays: tuple[Sequence, tuple[int, ...]], known: Mapping | None = None
    ) -> Numbers:
        """Of nested lists with their shapes, in which letters may have to be replaced."""
        flat = [part for array, shape in arrays for part in np.array(array, dtype=object).reshape(prod(shape))]
        flat = [branchless(sm.sympify(part).xreplace(known or {})) for part in flat]
        return cls(lambdified(arguments, flat, cse=True), tuple(shape for _, shape in arrays))

    def __call__(self, t: np.ndarray, x: np.ndarray, *others) -> list[np.ndarray]:
        *letters, p = others
        with np.errstate(divide="ignore", invalid="ignore"):  # a Piecewise is computed where it does not hold, too
            if len(t) == 1:  # numbers are some ten times faster than arrays of one
                found = self.function(t[0], x[:, 0], *([part[..., 0] for part in own] for own in letters), p)
            else:
                found = self.function(t, x, *letters, p)
        table = np.empty((sum(map(prod, self.shapes)), len(t)), dtype=x.dtype)
        for row, values in zip(table, found, strict=True):
            row[:] = values
        ends = np.cumsum([0, *map(prod, self.shapes)])
        parts = zip(self.shapes, ends[:-1], ends[1:], strict=True)
        return [np.moveaxis(table[a:b].reshape(*shape, len(t)), -1, 0) for shape, a, b in parts]


def branchless(expression: sm.Expr) -> sm.Expr:
    """The same with a `Larger` for each `Max` and `Min`, which NumPy does not take of numbers and arrays together."""
    if not expression.has(sm.Max, sm.Min):
        return expression
    expression = expression.replace(sm.Max, lambda *parts: reduce(Larger, parts))
    return expression.replace(sm.Min, lambda *parts: -reduce(Larger, [-part for part in parts]))


@dataclass(frozen=True)
class Formulas:
    """What SymPy tells of a model, as functions of (t, x, ...).

    `gaps`, `slopes` and `material` take the searched places, which the functions `seek` find, others q'. `velocities`
    are those of mass centres, of bodies that turn, and of what loads act on, which `counts` tells apart. `rubbing`
    (3, k) are the contacts with friction, and the places of the frames of their bodies and surfaces.
    """

    gaps: Numbers
    slopes: Numbers
    kinematics: Numbers
    velocities: Numbers
    counts: tuple[int, int]
    loads: Numbers
    spins: Numbers
    written: Numbers | None
    material: Numbers | None
    coefficients: Callable
    active: tuple[Callable, ...]
    seek: tuple[Callable, ...]
    rubbing: np.ndarray
    edges: np.ndarray


@cache
def formulas_of(model: HybridModel) -> Formulas:
    """Written once for each model."""
    t, dummies = dynamicsymbols._t, sm.symbols(f"x:{len(model.x)}")
    letters, n = dict(zip(model.x, dummies, strict=True)), len(model.q)
    contacts = model.contacts
    count = len(contacts)
    lines = [sm.symbols(f"searched_{k}_:{1 + len(FOOT) + len(NORMAL)}") for k in range(count)]

    def own(k, expression):
        here = {**letters, **dict(zip((ALONG, *FOOT, *NORMAL), lines[k], strict=True))}
        return sm.sympify(expression).xreplace(here)

    searching = (t, dummies, lines, model.parameters)
    gaps = [own(k, gap_of(contact)) for k, contact in enumerate(contacts)]
    by = (t, *dummies[:n])
    slopes = [_slopes(gap, by) for gap in gaps]
    rubbing = tuple(k for k, contact in enumerate(contacts) if _rubs(contact))
    frames, parts, whose = [None], [], []
    for k in rubbing:
        normal, arm, apart, two = _material(model, contacts[k])
        frames += [frame for frame in dict.fromkeys(two) if frame not in frames]
        whose.append([frames.index(frame) for frame in two])
        normal, arm, apart = ([own(k, part) for part in vector] for vector in (normal, arm, apart))
        parts.append((normal, arm, [[row, *_slopes(row, by)] for row in apart]))
    shapes = (len(parts), 3), (len(parts), 3), (len(parts), 3, 2 + n)
    material = [*zip(map(list, zip(*parts, strict=True)), shapes, strict=True)] if parts else []
    speed, slip = sm.symbols(f"speed_:{count}"), sm.symbols(f"slip_:{count}")
    pairs = [{approach_speed: speed[k], slip_speed: slip[k]} for k in range(count)]
    coefficients = [[own(k, part.xreplace(pairs[k])) for part in _coefficients(contacts[k])] for k in range(count)]
    rates, bodies = sm.symbols(f"rate_:{n}"), BodyEquations.of(model)
    known = {**dict(zip((q.diff() for q in model.q), rates, strict=True)), **letters}
    same = [rate - letters[q.diff()] for q, rate in zip(model.q, rates, strict=True) if q.diff() in letters]
    kinematics, m, written = [*kinematic_equations(model), *same], len(model.u), None
    known |= {letter: sm.Float(UNUSED) for letter in bodies.parameters - set(model.parameters)}
    velocities = [*bodies.velocities, *bodies.spins, *bodies.pushed]
    b, r, l = len(bodies.masses), len(bodies.tensors), len(bodies.loads)
    loads = (bodies.masses, (b,)), (bodies.tensors, (r, 3, 3)), (bodies.loads, (l, 3))
    spins = [spin_of(model, frame) for frame in frames]

    def moving(*arrays):
        return Numbers.of((t, dummies, rates, model.parameters), *arrays, known=known)

    if isinstance(model.source, LagrangesMethod | SymbolicSystem):
        M, f = written_equations(model.source)
        written = moving((M.tolist(), (m, m)), (f.tolist(), (m, 1)))
    return Formulas(
        gaps=Numbers.of(searching, (gaps, (count,))),
        slopes=Numbers.of(searching, (slopes, (count, 1 + n))),
        kinematics=moving((kinematics, (n,))),
        written=written,
        velocities=moving((velocities, (b + r + l, 3))),
        counts=(b, b + r),
        loads=moving(*loads),
        spins=moving((spins, (len(frames), 3))),
        material=Numbers.of(searching, *material) if parts else None,
        coefficients=lambdified((t, dummies, model.parameters, speed, slip), coefficients),
        active=tuple(lambdified((t, dummies, model.parameters), own(k, one.active)) for k, one in enumerate(contacts)),
        seek=tuple(nearest_place.seeker(contact, letters, t, model.parameters) for contact in contacts),
        edges=np.array([searched(contact) == "edge" for contact in contacts], dtype=bool),
        rubbing=np.reshape(np.column_stack([rubbing, whose]), (-1, 3)).T.astype(int)
        if rubbing
        else np.zeros((3, 0), int),
    )


def _slopes(expression: sm.Expr, letters: Sequence[sm.Symbol]) -> list[sm.Expr]:
    """The derivatives by letters, of which an expression often has few."""
    return [slope(expression, letter) for letter in letters]


def _rubs(contact) -> bool:
    return isinstance(contact, Contact) and contact.has_friction


def _coefficients(contact) -> list[sm.Expr]:
    """e, mu, and that of sticking, which is no less than mu without slip."""
    if not isinstance(contact, Contact):
        return [sm.sympify(contact.restitution), sm.S.Zero, sm.S.Zero]
    begins = contact.friction.subs(slip_speed, 0)
    holds = sm.Max(contact.static_friction, begins) if begins.free_symbols else contact.static_friction
    return [contact.restitution, contact.friction, holds]


def _material(model: HybridModel, contact: Contact):
    """The normal, the place from the body's anchor, the body's anchor from the surface's; both frames."""
    N, touch = inertial_frame(model), touch_of(contact.point, contact.surface)
    normal = normal_of(contact, N)
    size = sm.sqrt(sum(part**2 for part in normal))
    arm = list(touch.center.pos_from(touch.anchor).to_matrix(N))
    if touch.radius != 0:
        arm = [part - touch.radius * slope / size for part, slope in zip(arm, normal, strict=True)]
    anchor, frame = material_of(contact.surface)
    return normal, arm, list(touch.anchor.pos_from(anchor).to_matrix(N)), (touch.frame, frame)
