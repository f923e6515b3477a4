"""The promise: what touches what is geometry. Distances, normals, material velocities and their derivatives are right.

Two free bodies, A and B, carry what touches and what is touched. The truth is numerical: distances by minimising over
points of the bodies, velocities by moving the material points with the bodies.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
import sympy as sm
from quick_members import members
from scipy.optimize import brentq, least_squares, minimize_scalar
from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, System, dynamicsymbols, inertia

from sympact import Capsule, Contact, ConvexPolygon, Cylinder, Disc, HybridModel, Implicit, Plane, Sphere
from sympact.graph import Function, numpy_function
from sympact.mechanics import Motion

t = dynamicsymbols._t
R, S = 0.3, 0.5  # radii
CLOSE = {"method": "lm", "xtol": 1e-15, "ftol": 1e-15, "gtol": 1e-15}  # how near a minimum is found
ARM = np.array([0.2, -0.1, 0.3])  # from a mass centre to a point of the body


class Pair:
    """Two free bodies: coordinates [x y z, three angles] each, speeds their rates."""

    def __init__(self) -> None:
        self.N, self.O = ReferenceFrame("N"), Point("O")
        self.q = [dynamicsymbols(f"{letter}{body}") for body in "AB" for letter in ("x", "y", "z", "a", "b", "c")]
        self.u = [dynamicsymbols(f"v{i}") for i in range(12)]
        self.system = System(self.N, self.O)
        self.frames, self.centres, self.tips = [], [], []
        for k, name in enumerate("AB"):
            place, angles = self.q[6 * k : 6 * k + 3], self.q[6 * k + 3 : 6 * k + 6]
            frame = self.N.orientnew(name, "Body", angles, "123")
            centre = self.O.locatenew(
                f"C{name}", sum((a * e for a, e in zip(place, self.N, strict=True)), 0 * self.N.x)
            )
            self.system.add_bodies(RigidBody(name, centre, frame, 1, (inertia(frame, 1, 2, 3), centre)))
            self.frames.append(frame)
            self.centres.append(centre)
            self.tips.append(
                centre.locatenew(f"T{name}", sum((a * e for a, e in zip(ARM, frame, strict=True)), 0 * frame.x))
            )
        self.system.add_coordinates(*self.q)
        self.system.add_speeds(*self.u)
        self.system.add_kdes(*(u - q.diff(t) for u, q in zip(self.u, self.q, strict=True)))


def turned(angles: np.ndarray) -> np.ndarray:
    """Components in N = this matrix times components in the body, for body-fixed angles 1-2-3."""
    (ca, cb, cc), (sa, sb, sc) = np.cos(angles), np.sin(angles)
    first = np.array([[1, 0, 0], [0, ca, -sa], [0, sa, ca]])
    second = np.array([[cb, 0, sb], [0, 1, 0], [-sb, 0, cb]])
    return first @ second @ np.array([[cc, -sc, 0], [sc, cc, 0], [0, 0, 1]])


def poses(q: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Centre and rotation of A and of B."""
    return [(q[6 * k : 6 * k + 3], turned(q[6 * k + 3 : 6 * k + 6])) for k in range(2)]


def lowest(function: Callable[[float], float], low: float, high: float, looks: int = 48) -> float:
    """The least value of a function, found among many places and then refined."""
    grid = np.linspace(low, high, looks)
    k = int(np.argmin([function(s) for s in grid]))
    bounds = (grid[max(k - 1, 0)], grid[min(k + 1, looks - 1)])
    found = minimize_scalar(function, bounds=bounds, method="bounded", options={"xatol": 1e-12})
    return min(found.fun, function(low), function(high))


@dataclass(frozen=True)
class Case:
    """A contact of two bodies, its distance for (pose of A, pose of B, t), and what lies on B's surface."""

    make: Callable[[Pair], Contact]
    distance: Callable[..., float]
    height: Callable[..., float]  # of a place above B's surface, of (pose of B, t, place)
    exact: bool = True  # whether the gap is the distance everywhere


def contact(one, other) -> Contact:
    return Contact(one, other, restitution=1, friction=0.4, static_friction=0.6, name="touch")


def local(assemble, place):
    return assemble[1].T @ (place - assemble[0])


def tip(assemble):
    return assemble[0] + assemble[1] @ ARM


def lowest_of_rim(height: Callable[..., float]) -> Callable[..., float]:
    """The least height of A's rim, for (pose of A, pose of B, t), from the height for (pose of B, t, place)."""

    def distance(a, b, time):
        rim = lambda s: tip(a) + R * a[1] @ [np.cos(s), np.sin(s), 0]  # noqa: E731
        return lowest(lambda s: height(b, time, rim(s)), 0, 2 * np.pi)

    return distance


def on_rim(height: Callable[..., float], make: Callable[[Pair], object], **settings) -> Case:
    """A rim of A on a surface of B."""
    return Case(
        lambda p: contact(Disc(p.tips[0], p.frames[0].z, R), make(p)),
        lowest_of_rim(height),
        height,
        **settings,
    )


def segment(assemble, place):
    start, end = assemble[0], tip(assemble)
    return lowest(lambda s: np.linalg.norm(start + s * (end - start) - place), 0, 1)


def from_bar(assemble, place):
    """The distance from the segment between the mass centre and the tip."""
    whole, away = tip(assemble) - assemble[0], place - assemble[0]
    return np.linalg.norm(away - np.clip(away @ whole / (whole @ whole), 0, 1) * whole)


def ellipsoid(x, y, z, time=t):
    return x**2 / 4 + y**2 + z**2 / 2 - (1 + time / 5) ** 2


AXES = np.array([0.8, 0.5, 0.6])


def small_ellipsoid(x, y, z, time=t):
    return x**2 / AXES[0] ** 2 + y**2 / AXES[1] ** 2 + z**2 / AXES[2] ** 2 - (1 + time / 5) ** 2


def from_ellipsoid(place, time):
    """By its parametrisation, from the best of many places; negative inside."""
    axes = AXES * (1 + time / 5)

    def on(angles):
        a, b = angles
        return (axes * np.stack([np.cos(a) * np.cos(b), np.sin(a) * np.cos(b), np.sin(b)], axis=-1)).T

    sign = np.sign(np.sum((place / axes) ** 2) - 1)
    return sign * nearest_of(on, place, np.linspace(-np.pi, np.pi, 13), np.linspace(-1.5, 1.5, 7))


def bar(pair):
    return Capsule(pair.centres[0], pair.tips[0], R, frame=pair.frames[0])


def of_bar(assemble, height: Callable[[np.ndarray], float]) -> float:
    """The least of a function of place on the segment between the mass centre and the tip."""
    return lowest(lambda s: height(assemble[0] + s * (tip(assemble) - assemble[0])), 0, 1, looks=30)


def bar_from_ellipsoid(assemble, other, time):
    """The least of the distances of the ends and, where it lies between them, of the line."""
    ends = [local(other, place) for place in (assemble[0], tip(assemble))]
    axes, whole = AXES * (1 + time / 5), ends[1] - ends[0]

    def away(s):
        a, b, part = s
        on = axes * np.stack([np.cos(a) * np.cos(b), np.sin(a) * np.cos(b), np.sin(b)], axis=-1)
        return (on - ends[0] - np.multiply.outer(part, whole)).T

    starts = np.stack(np.meshgrid(np.linspace(-3, 3, 9), np.linspace(-1.5, 1.5, 6), [0.2, 0.5, 0.8])).reshape(3, -1)
    first = starts[:, np.argmin(np.sum(away(starts) ** 2, axis=0))]
    found = least_squares(away, first, **CLOSE).x
    distances = [from_ellipsoid(end, time) for end in ends]
    if 0 < found[2] < 1:
        place = ends[0] + found[2] * whole
        distances.append(np.sign(np.sum((place / axes) ** 2) - 1) * np.linalg.norm(away(found)))
    return min(distances)


def hollow(x, y, z, time=t):
    return z - x**2 / 3 - sm.cos(2 * y - time) / 9


def above_hollow(place, time):
    def on(s):
        return np.stack([*s, s[0] ** 2 / 3 + np.cos(2 * s[1] - time) / 9])

    sign = np.sign(place[2] - on(place[:2])[2])
    around = [np.linspace(-4, 4, 13) + middle for middle in place[:2]]
    return sign * nearest_of(on, place, *around)


def nearest_of(on: Callable[[np.ndarray], np.ndarray], place: np.ndarray, *grids: np.ndarray) -> float:
    """The least distance of a place from those that parameters have, for one or many sets of them, each a column."""
    starts = np.stack(np.meshgrid(*grids)).reshape(len(grids), -1)
    away = np.sum((on(starts).T - place) ** 2, axis=-1)
    found = [least_squares(lambda s: on(s) - place, starts[:, k], **CLOSE) for k in np.argsort(away)[:2]]
    return min(np.linalg.norm(one.fun) for one in found)


def square(a, b, time):
    x, y, _ = local(b, tip(a))
    return max(abs(x), abs(y)) - S


def corners(pair):
    B, middle = pair.frames[1], pair.centres[1]
    places = [(S, S), (-S, S), (-S, -S), (S, -S)]
    return [middle.locatenew(f"K{i}", x * B.x + y * B.y) for i, (x, y) in enumerate(places)]


CASES = {
    "ball, ball": Case(
        lambda p: contact(Sphere(p.tips[0], R, frame=p.frames[0]), Sphere(p.centres[1], S, frame=p.frames[1])),
        lambda a, b, time: np.linalg.norm(tip(a) - b[0]) - R - S,
        lambda b, time, place: np.linalg.norm(place - b[0]) - S,
    ),
    "growing ball in a growing hollow": Case(
        lambda p: contact(
            Sphere(p.tips[0], R + t / 9, frame=p.frames[0]),
            Sphere(p.tips[1], 4 + t / 3, inside=True, frame=p.frames[1]),
        ),
        lambda a, b, time: 4 + time / 3 - R - time / 9 - np.linalg.norm(tip(a) - tip(b)),
        lambda b, time, place: 4 + time / 3 - np.linalg.norm(place - tip(b)),
    ),
    "ball, plane of a body": Case(
        lambda p: contact(Sphere(p.tips[0], R, frame=p.frames[0]), Plane(p.tips[1], p.frames[1].z)),
        lambda a, b, time: local(b, tip(a))[2] - ARM[2] - R,
        lambda b, time, place: local(b, place)[2] - ARM[2],
    ),
    "point, cylinder": Case(
        lambda p: contact(p.tips[0], Cylinder(p.centres[1], p.frames[1].x, S)),
        lambda a, b, time: np.hypot(*local(b, tip(a))[1:]) - S,
        lambda b, time, place: np.hypot(*local(b, place)[1:]) - S,
    ),
    "ball in a growing pipe": Case(
        lambda p: contact(
            Sphere(p.tips[0], R, frame=p.frames[0]), Cylinder(p.centres[1], p.frames[1].x, 3 + t / 4, inside=True)
        ),
        lambda a, b, time: 3 + time / 4 - R - np.hypot(*local(b, tip(a))[1:]),
        lambda b, time, place: 3 + time / 4 - np.hypot(*local(b, place)[1:]),
    ),
    "disc, plane of a body": Case(
        lambda p: contact(Disc(p.tips[0], p.frames[0].z, R), Plane(p.centres[1], p.frames[1].z)),
        lowest_of_rim(lambda b, time, place: local(b, place)[2]),
        lambda b, time, place: local(b, place)[2],
    ),
    "disc in a shrinking hollow ball": Case(
        lambda p: contact(
            Disc(p.tips[0], p.frames[0].z, R), Sphere(p.centres[1], 3 - t, inside=True, frame=p.frames[1])
        ),
        lowest_of_rim(lambda b, time, place: 3 - time - np.linalg.norm(place - b[0])),
        lambda b, time, place: 3 - time - np.linalg.norm(place - b[0]),
    ),
    "disc, growing ball": on_rim(
        lambda b, time, place: np.linalg.norm(place - b[0]) - S - time / 5,
        lambda p: Sphere(p.centres[1], S + t / 5, frame=p.frames[1]),
    ),
    "disc, growing cylinder": on_rim(
        lambda b, time, place: np.hypot(*local(b, place)[1:]) - S - time / 5,
        lambda p: Cylinder(p.centres[1], p.frames[1].x, S + t / 5),
    ),
    "disc in a growing pipe": on_rim(
        lambda b, time, place: 3 + time / 4 - np.hypot(*local(b, place)[1:]),
        lambda p: Cylinder(p.centres[1], p.frames[1].x, 3 + t / 4, inside=True),
    ),
    "disc, capsule": on_rim(
        lambda b, time, place: from_bar(b, place) - S, lambda p: Capsule(p.tips[1], p.centres[1], S, frame=p.frames[1])
    ),
    "disc, growing ellipsoid": on_rim(
        lambda b, time, place: ellipsoid(*local(b, place), time),
        lambda p: Implicit(p.centres[1], p.frames[1], ellipsoid),
        exact=False,
    ),
    "disc, wave": on_rim(
        lambda b, time, place: (lambda x, y, z: z - np.sin(x + time) / 5)(*local(b, place)),
        lambda p: Implicit(p.centres[1], p.frames[1], lambda x, y, z: z - sm.sin(x + t) / 5),
        exact=False,
    ),
    "capsule, ball": Case(
        lambda p: contact(
            Capsule(p.centres[0], p.tips[0], R, frame=p.frames[0]), Sphere(p.tips[1], S, frame=p.frames[1])
        ),
        lambda a, b, time: segment(a, tip(b)) - R - S,
        lambda b, time, place: np.linalg.norm(place - tip(b)) - S,
    ),
    "ball, capsule": Case(
        lambda p: contact(
            Sphere(p.tips[0], R, frame=p.frames[0]), Capsule(p.tips[1], p.centres[1], S, frame=p.frames[1])
        ),
        lambda a, b, time: segment(b, tip(a)) - R - S,
        lambda b, time, place: segment(b, place) - S,
    ),
    "capsule, growing cylinder": Case(
        lambda p: contact(bar(p), Cylinder(p.tips[1], p.frames[1].x, S + t / 5)),
        lambda a, b, time: of_bar(a, lambda place: np.hypot(*local((tip(b), b[1]), place)[1:])) - R - S - time / 5,
        lambda b, time, place: np.hypot(*local((tip(b), b[1]), place)[1:]) - S - time / 5,
    ),
    "capsule, growing capsule": Case(
        lambda p: contact(bar(p), Capsule(p.tips[1], p.centres[1], S + t / 5, frame=p.frames[1])),
        lambda a, b, time: of_bar(a, lambda place: from_bar(b, place)) - R - S - time / 5,
        lambda b, time, place: from_bar(b, place) - S - time / 5,
    ),
    "capsule, growing ellipsoid": Case(
        lambda p: contact(bar(p), Implicit(p.tips[1], p.frames[1], small_ellipsoid)),
        lambda a, b, time: bar_from_ellipsoid(a, (tip(b), b[1]), time) - R,
        lambda b, time, place: from_ellipsoid(local((tip(b), b[1]), place), time),
    ),
    "point, growing ellipsoid": Case(
        lambda p: contact(p.tips[0], Implicit(p.centres[1], p.frames[1], ellipsoid)),
        lambda a, b, time: ellipsoid(*local(b, tip(a)), time),
        lambda b, time, place: ellipsoid(*local(b, place), time),
        exact=False,
    ),
    "ball, growing ellipsoid": Case(
        lambda p: contact(
            Sphere(p.tips[0], R + t / 9, frame=p.frames[0]), Implicit(p.tips[1], p.frames[1], small_ellipsoid)
        ),
        lambda a, b, time: from_ellipsoid(local((tip(b), b[1]), tip(a)), time) - R - time / 9,
        lambda b, time, place: from_ellipsoid(local((tip(b), b[1]), place), time),
    ),
    "ball in a hollow": Case(
        lambda p: contact(Sphere(p.tips[0], R, frame=p.frames[0]), Implicit(p.centres[1], p.frames[1], hollow)),
        lambda a, b, time: above_hollow(local(b, tip(a)), time) - R,
        lambda b, time, place: above_hollow(local(b, place), time),
    ),
    "point, square": Case(
        lambda p: contact(p.tips[0], ConvexPolygon(corners(p), p.frames[1].z, p.frames[1])),
        square,
        lambda b, time, place: np.abs(local(b, place)[:2]).max() - S,
    ),
}


@dataclass(frozen=True)
class Nodes:
    """The numbers of one contact: functions of (t, x, xdot), or of many of them, each with its own column."""

    model: HybridModel
    both: Callable

    def __call__(self, time: float | np.ndarray, x: np.ndarray, slopes: np.ndarray) -> dict[str, np.ndarray]:
        values = np.asarray(self.both(time, x, slopes, np.zeros((1, *np.shape(time)))), dtype=float)
        sizes = {"gap": 1, "rate": 1, "bend": 1, "along": 12, "drift": 1, "n": 3, "v": 3, "a": 3, "wt": 36, "mu": 2}
        parts = np.split(values, np.cumsum(list(sizes.values()))[:-1])
        return dict(zip(sizes, parts, strict=True))


@cache
def nodes(name: str) -> Nodes:
    pair = Pair()
    model = HybridModel(pair.system, [CASES[name].make(pair)], length=1)
    (gap,), graph = model.derivation.gaps, model.derivation.graph
    slip = gap.slip
    columns = [entry for row in slip.jacobian for entry in row]
    wanted = [gap.gap, gap.rate, gap.acceleration, *gap.jacobian, gap.drift, *slip.normal, *slip.velocity]
    wanted += [*slip.acceleration, *columns, slip.friction, slip.static_friction]
    return Nodes(model, numpy_function(graph, Function("all", tuple(wanted), ("t", "x", "xdot", "p"))))


@cache
def touching_states(name: str) -> list[tuple]:
    """Random states with the gap zero, which A's height is chosen for; (t, x, x')."""
    case, rng, found = CASES[name], np.random.default_rng(11), []
    count = 2 if name == "capsule, growing ellipsoid" else 4  # whose distance takes long
    while len(found) < count:
        x, time = rng.uniform(-1, 1, 24), rng.uniform(0, 1)

        def height(z, x=x, time=time):
            return case.distance(*poses(np.r_[x[:2], z, x[3:12]]), time)

        signs = ((z, np.sign(height(z))) for z in np.linspace(-5, 5, 21))
        crossing = next(((a, b) for (a, one), (b, other) in pairwise(signs) if one != other), None)
        if crossing is None:
            continue
        x[2] = brentq(height, *crossing, xtol=1e-14)
        found.append((time, x, np.r_[x[12:], rng.uniform(-1, 1, 12)]))
    return found


def at(name: str, states: list[tuple]) -> list[dict[str, np.ndarray]]:
    """The numbers of a contact at states, evaluated together."""
    times, x, slopes = (np.stack(part, axis=-1) for part in zip(*states, strict=True))
    found = nodes(name)(times, x, slopes)
    return [{key: value[:, k] for key, value in found.items()} for k in range(len(states))]


@cache
def touching(name: str) -> list[tuple]:
    """`touching_states` with the numbers there; (t, x, numbers)."""
    states = touching_states(name)
    return [(time, x, here) for (time, x, _), here in zip(states, at(name, states), strict=True)]


LONG = ("disc, capsule", "disc, wave", "disc in a growing pipe", "capsule, ball", "capsule, growing cylinder")
"""Pairs whose shapes meet others, or each other the other way round, in a quick run."""
QUICK = members(CASES, slow=["capsule, growing ellipsoid", *LONG])
"""The first slow one takes as long as all others; its derivatives are compared in every run."""


@pytest.mark.parametrize("name", QUICK)
def test_the_gap_is_the_distance(name):
    """To what the minimisation finds, 1e-9; of points on an implicit surface, and deep inside, sign and zero set."""
    case, rng = CASES[name], np.random.default_rng(3)
    for _, _, here in touching(name):
        assert here["gap"][0] == pytest.approx(0.0, abs=1e-9)
    drawn = [(rng.uniform(-1.5, 1.5, 24), rng.uniform(0, 1)) for _ in range(5)]
    for (x, time), here in zip(drawn, at(name, [(time, x, np.zeros(24)) for x, time in drawn]), strict=True):
        ours, true = here["gap"][0], case.distance(*poses(x[:12]), time)
        exact = case.exact and true > -R / 2
        assert ours == pytest.approx(true, abs=1e-9) if exact else np.sign(ours) == np.sign(true)


@pytest.mark.parametrize("name", members(CASES, slow=LONG))
def test_derivatives_of_gap_and_slip_by_differences(name):
    """g', g'', v' along the motion by central differences (1e-7 of a step of 1e-5), W^T and dv/du by unit speeds."""
    h, ours = 1e-5, nodes(name)
    for time, x, slopes in touching_states(name):
        moved = np.array([0, h, -h])
        near = ours(time + moved, x[:, np.newaxis] + moved * slopes[:, np.newaxis], slopes[:, np.newaxis])
        here, ahead, behind = ({key: value[:, k] for key, value in near.items()} for k in range(3))
        for value, derivative in (("gap", "rate"), ("rate", "bend"), ("v", "a")):
            np.testing.assert_allclose((ahead[value] - behind[value]) / (2 * h), here[derivative], atol=1e-7, rtol=1e-7)
        units = np.eye(12, 13, 1)
        driven = np.vstack([np.repeat(x[:12, np.newaxis], 13, axis=1), units])
        by = ours(np.full(13, time), driven, slopes[:, np.newaxis])
        rest = {key: value[:, :1] for key, value in by.items()}
        assert rest["rate"][0, 0] == pytest.approx(here["drift"][0], abs=1e-13)
        np.testing.assert_allclose((by["rate"] - rest["rate"])[0, 1:], here["along"], rtol=0, atol=1e-12)
        np.testing.assert_allclose((by["v"] - rest["v"])[:, 1:], here["wt"].reshape(3, 12), atol=1e-12)


@pytest.mark.parametrize("name", QUICK)
def test_velocity_is_that_of_the_material(name):
    """At contact, tangentially: the two material points at the place of contact move with their bodies."""
    h = 1e-6
    for (time, x, here), (_, _, slopes) in zip(touching(name), touching_states(name), strict=True):
        place, normal = touching_place(name, time, x), here["n"]
        assert np.linalg.norm(normal) == pytest.approx(1.0, abs=1e-12)
        moved = [poses(x[:12] + s * h * slopes[:12]) for s in (1, -1)]
        velocities = []
        for k, (centre, rotation) in enumerate(poses(x[:12])):
            fixed = rotation.T @ (place - centre)
            ahead, behind = (m[k][0] + m[k][1] @ fixed for m in moved)
            velocities.append((ahead - behind) / (2 * h))
        true = velocities[0] - velocities[1]
        across = np.eye(3) - np.outer(normal, normal)
        np.testing.assert_allclose(across @ here["v"], across @ true, atol=1e-8)


def touching_place(name: str, time: float, x: np.ndarray) -> np.ndarray:
    """Where the two touch, by the drawing's question."""
    return np.asarray(place_of(name)(time, x, np.zeros(1)), dtype=float)


@cache
def place_of(name: str) -> Callable:
    """The same as a function of (t, x, p)."""
    model = nodes(name).model
    return model.walk(lambda derivation: model.contacts[0].place(Motion(derivation.kinematics))[0].nodes)


@pytest.mark.parametrize("name", QUICK)
def test_the_place_lies_on_the_surface_and_slip_agrees_with_the_gap(name):
    """n . v = g' and n . dv/du = W^T at contact: normal and tangential parts belong to one vector."""
    for time, x, here in touching(name):
        _, b = poses(x[:12])
        assert CASES[name].height(b, time, touching_place(name, time, x)) == pytest.approx(0.0, abs=1e-8)
        assert here["n"] @ here["v"] == pytest.approx(here["rate"][0], abs=1e-10)
        np.testing.assert_allclose(here["n"] @ here["wt"].reshape(3, 12), here["along"], atol=1e-10)
        assert here["mu"].tolist() == [0.4, 0.6]


@pytest.mark.parametrize("name", QUICK)
def test_forces_of_contact_are_a_pair(name):
    """Newton's third law: a force at the place of contact moves neither the sum of momenta nor their sum of moments.

    The generalized forces (dv/du)^T F of the translations are F and -F; those of the angles do the work of the moments
    of F and -F about the two centres, which with the two forces at the centres make no moment.
    """
    rng = np.random.default_rng(7)
    for _, x, here in touching(name):
        force = rng.normal(size=3)
        generalized = here["wt"].reshape(3, 12).T @ force
        np.testing.assert_allclose(generalized[:3], force, atol=1e-12)
        np.testing.assert_allclose(generalized[6:9], -force, atol=1e-12)
        moments = [
            np.linalg.solve(spins(x[6 * k + 3 : 6 * k + 6]).T, generalized[6 * k + 3 : 6 * k + 6]) for k in (0, 1)
        ]
        total = moments[0] + moments[1] + np.cross(x[:3] - x[6:9], force)
        np.testing.assert_allclose(total, 0.0, atol=1e-10)


def spins(angles: np.ndarray) -> np.ndarray:
    """The angular velocity in N for unit rates of the three angles, a column for each."""
    a, b, _ = angles
    first = np.eye(3)[:, 0]
    second = turned(np.array([a, 0, 0]))[:, 1]
    third = turned(np.array([a, b, 0]))[:, 2]
    return np.stack([first, second, third], axis=1)
