"""Gaps, gap rates, slips and free accelerations in numbers, from the user's own points and frames by SymPy.

Of the model under test only M and f are used (`left_out_of_the_check` says why). q' comes from the user's kinematic
equations, the velocity of material from the derivatives of positions and rotation matrices.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache

import nearest_place
import numpy as np
import sympy as sm
from gap_formulas import ALONG, FOOT, NORMAL, gap_of, material_of, normal_of, searched, touch_of
from sympy.physics.mechanics import KanesMethod, dynamicsymbols

from sympact import Contact, HybridModel
from sympact.mechanics.shapes.unilateral import approach_speed

EPS = np.finfo(float).eps
ROUNDING = 64 * EPS
"""Of the terms of a sum: what some dozens of operations may do to it."""


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

    def push(self, normal: np.ndarray, friction: np.ndarray) -> np.ndarray:
        """W Lambda, shape (m,)."""
        return self.N.T @ normal + np.einsum("ncm,nc->m", self.T, friction)


@dataclass(frozen=True)
class Truth:
    """A model and the numbers of its parameters."""

    model: HybridModel
    p: np.ndarray
    formulas: Formulas
    _last: dict = field(default_factory=dict)

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

    def _once(self, what: str, make: Callable, t: float, x: np.ndarray):
        """What has been made of a state just before is not made again."""
        key = what, float(t), x.tobytes()
        if key not in self._last:
            if len(self._last) > 16:
                self._last.clear()
            self._last[key] = make(t, x)
        return self._last[key]

    def gaps(self, t: np.ndarray, x: np.ndarray) -> np.ndarray:
        """The gaps at times (k,) and states (n_states, k), shape (n_contacts, k)."""
        t, x = np.atleast_1d(np.asarray(t, dtype=float)), x.reshape(len(x), -1)
        found = self.formulas.gaps(t, x, self.places(t, x), self.p)
        return np.array([np.broadcast_to(gap, t.shape) for gap in found], dtype=float).reshape(len(found), len(t))

    def places(self, t: np.ndarray, x: np.ndarray) -> list[np.ndarray]:
        """The letters of searched places (7, k) of each contact: along, the foot, and its normal."""
        if len(t) > 1 or not self.formulas.searches:
            return [seek(t, x, self.p) for seek in self.formulas.seek]
        return self._once("places", lambda *_: [seek(t, x, self.p) for seek in self.formulas.seek], t[0], x)

    def gap_rounding(self, t: float, x: np.ndarray) -> np.ndarray:
        """What the rounding of the coordinates is in the gaps, shape (n_contacts,).

        And that of places of their size, from whose difference a formula makes the gap, and of the time, which moves
        surfaces.
        """
        sizes, slopes = np.abs(x[: self.n]), np.abs(self.slopes(t, x))
        of_places = ROUNDING * slopes[:, 1:] @ sizes + 4 * EPS * sizes.max()
        return of_places + 4 * EPS * abs(t) * slopes[:, 0]

    def slopes(self, t: float, x: np.ndarray) -> np.ndarray:
        """Derivatives of the gaps by t and q, shape (n_contacts, 1 + n)."""
        return self._once("slopes", self._slopes, t, x)

    def _slopes(self, t: float, x: np.ndarray) -> np.ndarray:
        places = [place[:, 0] for place in self.places(np.array([t]), x[:, np.newaxis])]
        return np.array(self.formulas.slopes(t, x, places, self.p), dtype=float).reshape(-1, 1 + self.n)

    def kinematics(self, t: float, x: np.ndarray) -> np.ndarray:
        """q' = S u + b as (b, S), shape (n, 1 + m)."""
        A, B = (np.array(part, dtype=float) for part in self.formulas.kinematics(t, x, self.p))
        return np.linalg.solve(A, B)

    def rows(self, t: float, x: np.ndarray) -> Rows:
        """W_N^T, W_T^T and what they have at u = 0."""
        return self._once("rows", self._rows, t, x)

    def _rows(self, t: float, x: np.ndarray) -> Rows:
        _, u = self.split(x)
        moving = np.vstack([np.eye(1, 1 + len(u)), self.kinematics(t, x)])  # (1, q') = moving (1, u)
        slopes = self.slopes(t, x)
        rates, speeds = slopes @ moving, np.abs([1.0, *u])
        sizes = np.abs(slopes) @ np.abs(moving) @ speeds
        count = len(slopes)
        slips, normals = np.zeros((count, 3, 1 + len(u))), np.zeros((count, 3))
        velocities = np.zeros(count)
        if self.formulas.rubbing.size:
            k, body, surface = self.formulas.rubbing
            where = [place[:, 0] for place in self.places(np.array([t]), x[:, np.newaxis])]
            found = (np.array(part, dtype=float) for part in self.formulas.material(t, x, where, self.p))
            normal, arm, apart, spins = found
            spins = spins[..., : 1 + self.n] @ moving + spins[..., 1 + self.n :] @ np.eye(len(u), 1 + len(u), 1)
            normal /= np.linalg.norm(normal, axis=1)[:, np.newaxis]
            terms = [apart[..., 1:] @ moving, _arm(arm) @ spins[body], -_arm(arm + apart[..., 0]) @ spins[surface]]
            across = np.eye(3) - normal[:, :, np.newaxis] * normal[:, np.newaxis]
            slips[k], normals[k] = across @ sum(terms), normal
            velocities[k] = np.linalg.norm(sum(np.abs(term) for term in terms) @ speeds, axis=1)
        return Rows(rates[:, 1:], rates[:, 0], slips[:, :, 1:], slips[:, :, 0], sizes, velocities, normals)

    def terms(self, t: float, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """M and f, which `tests/mechanics/test_mechanics_equations.py` compares with SymPy's."""
        return self.model.compile().mass_forcing(t, np.ascontiguousarray(x), self.p)

    def acceleration(self, t: float, x: np.ndarray) -> float:
        """The largest acceleration of a gap in free motion, or part of one that others cancel (m/s^2).

        The rates at a short time before and after differ by twice the acceleration; it is a scale, not a truth.
        """
        M, f = self.terms(t, x)
        _, u = self.split(x)
        slope = np.concatenate([self.kinematics(t, x) @ [1.0, *u], np.linalg.solve(M, f)])
        short = 1e-6 * max(1.0, np.abs(x).max()) / max(np.abs(slope).max(), 1.0)
        sides = []
        for step in (-short, short):
            there = x + step * slope
            moved = np.concatenate([[1.0], self.kinematics(t + step, there) @ [1.0, *self.split(there)[1]]])
            sides.append(self.slopes(t + step, there) @ moved)
        whole = np.abs(sides[1] - sides[0]).max(initial=0.0) / (2 * short)
        parts = np.abs(self.slopes(t, x)[:, 1:] @ self.kinematics(t, x)[:, 1:]) @ np.abs(np.linalg.solve(M, f))
        return max(whole, parts.max(initial=0.0))

    def restitutions(self, t: float, x: np.ndarray, rates: np.ndarray) -> np.ndarray:
        """e of each contact for the speeds with which they approach, shape (n_contacts,)."""
        pairs = zip(self.formulas.coefficients(t, x, self.p, np.maximum(0.0, -rates)), range(len(rates)), strict=True)
        return np.array([float(row[0]) if np.ndim(row[0]) == 0 else float(row[0][k]) for row, k in pairs])

    def frictions(self, t: float, x: np.ndarray) -> np.ndarray:
        """mu and the coefficient of sticking of each contact, shape (n_contacts, 2)."""
        found = self.formulas.coefficients(t, x, self.p, np.zeros(len(self.model.contacts)))
        return np.array([row[1:] for row in found], dtype=float).reshape(-1, 2)


def _arm(arm: np.ndarray) -> np.ndarray:
    """The matrices (n, 3, 3) that take angular velocities to those of places at arms (n, 3)."""
    matrices = np.zeros((len(arm), 3, 3))
    x, y, z = arm.T
    matrices[:, 0, 1], matrices[:, 0, 2], matrices[:, 1, 2] = z, -y, x
    return matrices - matrices.swapaxes(1, 2)


@dataclass(frozen=True)
class Formulas:
    """What SymPy tells of a model, as functions of (t, x, ...).

    `gaps`, `slopes` and `material` take the searched places, which the functions `seek` find; `rubbing` (3, k) are the
    contacts with friction, and the places of the frames of their bodies and surfaces.
    """

    gaps: Callable
    slopes: Callable
    kinematics: Callable
    material: Callable
    coefficients: Callable
    seek: tuple[Callable, ...]
    rubbing: np.ndarray
    searches: bool


@cache
def formulas_of(model: HybridModel) -> Formulas:
    """Written once for each model."""
    t, dummies = dynamicsymbols._t, sm.symbols(f"x:{len(model.x)}")
    letters, n = dict(zip(model.x, dummies, strict=True)), len(model.q)
    contacts = model.contacts
    lines = [sm.symbols(f"searched_{k}_:{1 + len(FOOT) + len(NORMAL)}") for k in range(len(contacts))]

    def own(k, expression):
        here = {**letters, **dict(zip((ALONG, *FOOT, *NORMAL), lines[k], strict=True))}
        return sm.sympify(expression).xreplace(here)

    def numbers(expressions, extra=(lines,)):
        return sm.lambdify((t, dummies, *extra, model.parameters), expressions, cse=True)

    gaps = [own(k, gap_of(contact)) for k, contact in enumerate(contacts)]
    by = (t, *dummies[:n])
    slopes = [[gap.diff(letter) for letter in by] for gap in gaps]
    rubbing = tuple(k for k, contact in enumerate(contacts) if _rubs(contact))
    frames, parts, whose = [None], [], []
    for k in rubbing:
        normal, arm, apart, two = _material(model, contacts[k])
        frames += [frame for frame in dict.fromkeys(two) if frame not in frames]
        whose.append([frames.index(frame) for frame in two])
        normal, arm, apart = ([own(k, part) for part in vector] for vector in (normal, arm, apart))
        parts.append((normal, arm, [[row, *(row.diff(letter) for letter in by)] for row in apart]))
    spins = [[[own(0, part) for part in row] for row in _spin(model, frame)] for frame in frames]
    speed = sm.symbols(f"speed_:{len(contacts)}")
    coefficients = [[own(k, part) for part in _coefficients(contact, speed[k])] for k, contact in enumerate(contacts)]
    of_speed = sm.lambdify((t, dummies, model.parameters, speed), coefficients)
    return Formulas(
        gaps=numbers(gaps),
        slopes=numbers(slopes),
        kinematics=sm.lambdify((t, dummies, model.parameters), _kinematics(model, letters), cse=True),
        material=numbers((*map(list, zip(*parts, strict=True)), spins) if parts else ()),
        coefficients=of_speed,
        seek=tuple(nearest_place.seeker(contact, letters, t, model.parameters) for contact in contacts),
        searches=any(map(searched, contacts)),
        rubbing=np.reshape(np.column_stack([rubbing, whose]), (-1, 3)).T.astype(int)
        if rubbing
        else np.zeros((3, 0), int),
    )


def _rubs(contact) -> bool:
    return isinstance(contact, Contact) and contact.has_friction


def _coefficients(contact, speed: sm.Symbol) -> list[sm.Expr]:
    frictions = [contact.friction, contact.static_friction] if isinstance(contact, Contact) else [0, 0]
    return [sm.sympify(contact.restitution).xreplace({approach_speed: speed}), *frictions]


def _inertial(model: HybridModel):
    return model.source._inertial if isinstance(model.source, KanesMethod) else model.source.frame


def _material(model: HybridModel, contact: Contact):
    """The normal, the place from the body's anchor, the body's anchor from the surface's; both frames."""
    N, touch = _inertial(model), touch_of(contact.point, contact.surface)
    normal = normal_of(contact, N)
    size = sm.sqrt(sum(part**2 for part in normal))
    arm = list(touch.center.pos_from(touch.anchor).to_matrix(N))
    if touch.radius != 0:
        arm = [part - touch.radius * slope / size for part, slope in zip(arm, normal, strict=True)]
    anchor, frame = material_of(contact.surface)
    return normal, arm, list(touch.anchor.pos_from(anchor).to_matrix(N)), (touch.frame, frame)


def _spin(model: HybridModel, frame) -> list[list[sm.Expr]]:
    """A frame's angular velocity in N, (3, 1 + n + m): at rest, and for each q' and each u; zeros for no frame."""
    if frame is None:
        return [[sm.S.Zero] * (1 + len(model.x))] * 3
    spin, rates = frame.ang_vel_in(_inertial(model)).to_matrix(_inertial(model)), [q.diff() for q in model.q]
    none = dict.fromkeys([*rates, *model.u], sm.S.Zero)
    moving = [sm.S.One, *rates, *model.u]
    return [[part.xreplace(none), *(part.diff(letter) for letter in moving[1:])] for part in spin]


def _kinematics(model: HybridModel, letters: Mapping):
    """A and B of A q' = B (1, u), from the user's kinematic equations."""
    rates = [q.diff() for q in model.q]
    if isinstance(model.source, KanesMethod):
        found = model.source.kindiffdict()
        equations = [rate - found[rate] for rate in rates]
    else:
        equations = list(model.source.kdes)
    equations = sm.Matrix([sm.sympify(equation).doit() for equation in equations])
    A, none = equations.jacobian(rates), dict.fromkeys([*rates, *model.u], sm.S.Zero)
    B = -sm.Matrix.hstack(equations.xreplace(none), equations.jacobian(model.u))
    return A.xreplace(letters).tolist(), B.xreplace(letters).tolist()
