"""Published benchmarks of constrained mechanisms as models; their numbers and sources stand in `tests/reference`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import sympy as sm
from sympy.physics.mechanics import (
    ForceActuator,
    LinearPathway,
    Particle,
    Point,
    ReferenceFrame,
    RigidBody,
    System,
    Torque,
    dynamicsymbols,
    inertia,
)

from sympact import BallClosure, HybridModel, PinClosure

G = 9.81


def reference(name: str) -> dict:
    """The file of this name."""
    return json.loads((Path(__file__).parent / "reference" / f"{name}.json").read_text(encoding="utf-8"))


class Mechanism:
    """A system with the coordinates of these names, and their derivatives as speeds."""

    def __init__(self, names: list[str]) -> None:
        self.N, self.O = ReferenceFrame("N"), Point("O")
        self.O.set_vel(self.N, 0)
        self.q = [dynamicsymbols(name) for name in names]
        self.u = [dynamicsymbols(f"u_{name}") for name in names]
        self.system = System(frame=self.N, fixed_point=self.O)
        self.system.add_coordinates(*self.q)
        self.system.add_speeds(*self.u)
        self.system.add_kdes(*(q.diff(dynamicsymbols._t) - u for q, u in zip(self.q, self.u, strict=True)))

    def turned(self, name, parent, angle, axis):
        """A frame turned about an axis of its parent."""
        frame = ReferenceFrame(name)
        frame.orient_axis(parent, angle, axis)
        return frame

    def body(self, name, centre, frame, mass, moments):
        """A body with its principal moments of inertia."""
        self.system.add_bodies(RigidBody(name, centre, frame, mass, (inertia(frame, *moments), centre)))


def andrews() -> tuple[HybridModel, np.ndarray, dict]:
    """Andrews' squeezer with three closures; model, start and parameters."""
    known = reference("andrews_squeezer")
    p = {name: sm.Symbol(name) for name in known["params"]}
    made = Mechanism(["beta", "Theta", "gamma", "phi", "delta", "Omega", "epsilon"])
    N, O = made.N, made.O
    beta, theta, gamma, phi, delta, omega, epsilon = made.q
    A, B, C = (O.locatenew(name, p[f"x{name.lower()}"] * N.x + p[f"y{name.lower()}"] * N.y) for name in "ABC")
    k1 = made.turned("K1", N, beta, N.z)
    k2 = made.turned("K2", k1, theta, N.z)
    k3 = made.turned("K3", N, gamma, N.z)
    k5 = made.turned("K5", N, delta, N.z)
    k4 = made.turned("K4", k5, phi, N.z)
    k7 = made.turned("K7", N, epsilon, N.z)
    k6 = made.turned("K6", k7, omega, N.z)
    crank = O.locatenew("F", p["rr"] * k1.x)
    high, low = A.locatenew("G", p["zt"] * k5.x), A.locatenew("H", -p["u"] * k7.y)
    centres = (
        (O, p["ra"] * k1.x),
        (crank, -p["da"] * k2.x),
        (B, p["sa"] * k3.x - p["sb"] * k3.y),
        (high, -(p["e"] - p["ea"]) * k4.y),
        (A, p["ta"] * k5.x - p["tb"] * k5.y),
        (low, (p["zf"] - p["fa"]) * k6.x),
        (A, p["ua"] * k7.x - p["ub"] * k7.y),
    )
    for i, ((point, away), frame) in enumerate(zip(centres, (k1, k2, k3, k4, k5, k6, k7), strict=True), start=1):
        made.body(f"body {i}", point.locatenew(f"C{i}", away), frame, p[f"m{i}"], (0, 0, p[f"i{i}"]))
    D = B.locatenew("D", p["sd"] * k3.x - p["sc"] * k3.y)
    path = LinearPathway(C, D)
    made.system.add_actuators(ForceActuator(-p["c0"] * (path.length - p["l0"]), path))
    made.system.add_loads(Torque(k1, p["mom"] * N.z))
    end = crank.locatenew("E", -p["d"] * k2.x)
    ends = (
        B.locatenew("E3", -p["ss"] * k3.y),
        high.locatenew("E4", -p["e"] * k4.y),
        low.locatenew("E6", p["zf"] * k6.x),
    )
    model = HybridModel(made.system, [], constraints=[BallClosure(other, end) for other in ends])
    start = np.array([*(float(number) for number in known["init"]["q"]), *[0.0] * 7])
    return model, start, {p[name]: value for name, value in known["params"].items()}


def four_bars(windows: int) -> tuple[HybridModel, np.ndarray]:
    """Windows in a row, each of two cranks and a coupler, with a closure for each; model and start."""
    cranks = windows + 1
    made = Mechanism([*(f"a_{i}" for i in range(cranks)), *(f"c_{i}" for i in range(windows))])
    N = made.N

    def rod(name, place, angle):
        frame = made.turned(name, N, angle, N.z)
        made.body(name, place.locatenew(f"centre of {name}", frame.x / 2), frame, 1, (0, 0, sm.Rational(1, 12)))
        return place.locatenew(f"end of {name}", frame.x)

    tops = [rod(f"crank {i}", made.O.locatenew(f"G{i}", i * N.x), made.q[i]) for i in range(cranks)]
    ends = [rod(f"coupler {i}", tops[i], made.q[cranks + i]) for i in range(windows)]
    made.system.apply_uniform_gravity(-G * N.y)
    closures = [BallClosure(end, top) for end, top in zip(ends, tops[1:], strict=True)]
    start = np.concatenate([np.full(cranks, np.pi / 2), np.zeros(windows), np.full(cranks, -1.0), np.zeros(windows)])
    return HybridModel(made.system, [], constraints=closures), start


def bricard() -> tuple[HybridModel, np.ndarray]:
    """Five rods on five pins, and the sixth pin as a closure; model and start."""
    made = Mechanism([f"q_{i}" for i in range(1, 6)])
    frame, point = made.N, made.O
    ways = ((1, "x"), (-1, "y"), (1, "z"), (-1, "x"), (1, "y"))
    for i, ((sign, way), axis) in enumerate(zip(ways, "yzxyz", strict=True)):
        frame = made.turned(f"B{i}", frame, made.q[i], getattr(frame, axis))
        along = sign * getattr(frame, way)
        moments = [sm.Rational(1, 600) if letter == way else sm.Rational(101, 1200) for letter in "xyz"]
        made.body(f"rod {i}", point.locatenew(f"C{i}", along / 2), frame, 1, moments)
        point = point.locatenew(f"P{i + 1}", along)
    made.system.apply_uniform_gravity(-G * made.N.y)
    last = PinClosure(made.O.locatenew("ground", made.N.z), point, made.N.x, frame.x, name="last pin")
    return HybridModel(made.system, [], constraints=[last]), np.zeros(10)


def governor(constrained: bool) -> tuple[HybridModel, np.ndarray]:
    """The flyball governor; the rods with coordinates of their centres and closures, or on pins; model and start."""
    made = Mechanism(["psi", "s", "a_1", "a_2", *(("x_1", "z_1", "x_2", "z_2") if constrained else ())])
    N, O, q = made.N, made.O, made.q
    shaft = made.turned("shaft", N, q[0], N.z)
    rod, thin, slider = sm.Rational(3, 10), sm.Rational(1, 10000), O.locatenew("slider", q[1] * N.z)
    long, cross = rod * (1 + thin) / 12, rod * thin / 6
    made.body("shaft", O.locatenew("C", N.z / 2), shaft, rod, (long, long, cross))
    made.body("slider", slider, shaft, 3, [sm.Rational(1, 200)] * 3)
    closures = []
    for i, sign in enumerate((1, -1)):
        frame = made.turned(f"arm {i}", shaft, sign * q[2 + i], shaft.y)
        hinge = O.locatenew(f"hinge {i}", sign * shaft.x / 20 + N.z)
        if constrained:
            centre = O.locatenew(f"centre {i}", q[4 + 2 * i] * shaft.x + q[5 + 2 * i] * shaft.z)
            closures.append(BallClosure(hinge, centre.locatenew(f"top {i}", -sign * frame.x / 2), frame=shaft))
        else:
            centre = hinge.locatenew(f"centre {i}", sign * frame.x / 2)
        made.body(f"rod {i}", centre, frame, rod, (cross, long, long))
        made.system.add_bodies(Particle(f"ball {i}", centre.locatenew(f"ball {i}", sign * frame.x / 2), 5))
        path = LinearPathway(slider.locatenew(f"side {i}", sign * shaft.x / 20), centre)
        made.system.add_actuators(ForceActuator(-800000 * (path.length - 0.5) - 40000 * path.extension_velocity, path))
    made.system.apply_uniform_gravity(-G * N.z)
    places = [0.0, 0.5, np.pi / 6, np.pi / 6]
    if constrained:
        wide, high = 0.05 + np.cos(np.pi / 6) / 2, 0.75
        places += [wide, high, -wide, high]
    start = np.array([*places, 2.0 * np.pi, *[0.0] * (len(places) - 1)])
    return HybridModel(made.system, [], constraints=closures), start


def spin(x: np.ndarray) -> np.ndarray:
    """The angular momentum of the governor about z (kg m^2/s) for states x of shape (2 n, k)."""
    n, cross, along = len(x) // 2, 0.3 * 1e-4 / 6, 0.3 * (1 + 1e-4) / 12
    moment = np.full(x.shape[1], cross + 0.005)
    for lean in x[2:4]:
        c, s = np.cos(lean), np.sin(lean)
        moment += along * c**2 + cross * s**2 + 0.3 * (0.05 + c / 2) ** 2 + 5.0 * (0.05 + c) ** 2
    return moment * x[n]
