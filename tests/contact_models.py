"""Small models with contacts, each with its numbers, whose runs are checked as every trajectory must be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import mechanics_oracle
import sympy as sm
from sympy.physics.mechanics import (
    Force,
    ForceActuator,
    LinearPathway,
    Particle,
    PinJoint,
    Point,
    PrismaticJoint,
    ReferenceFrame,
    RigidBody,
    System,
    dynamicsymbols,
    inertia,
)
from trajectory import check_trajectory

from sympact import Contact, HybridModel, Plane
from sympact.integrate.result import Result

t = dynamicsymbols._t
TIGHT = {"rtol": 1e-12, "atol": 1e-14}


@dataclass(frozen=True, eq=False)
class Case:
    """A model with a number for each of its parameters, by name."""

    model: HybridModel
    numbers: Mapping[str, float]

    def parameters(self, **changes: float) -> dict[sm.Symbol, float]:
        """The numbers by symbol, some of them changed."""
        numbers = {**self.numbers, **changes}
        return {symbol: numbers[symbol.name] for symbol in self.model.parameters}

    def simulate(
        self,
        t_span: Sequence[float],
        x0: Sequence[float] | Mapping[sm.Expr, float],
        numbers: Mapping[str, float] | None = None,
        *,
        gains: bool = False,
        **options,
    ) -> Result:
        """A run that has passed `check_trajectory`."""
        parameters = self.parameters(**(numbers or {}))
        result = self.model.simulate(t_span, x0, parameters, **options)
        check_trajectory(result, self.model, parameters, gains=gains, rtol=options.get("rtol", 1e-9))
        return result


def contact(point: Point, surface: Plane, name: str | None = None) -> Contact:
    """A frictionless contact with the restitution e."""
    return Contact(point, surface, restitution=sm.Symbol("e"), friction=0, name=name)


def ball(height: sm.Expr | float = 0, load: sm.Expr | float = 0) -> Case:
    """A particle that moves along N.y above a table at a given height; `load` pushes it up. State [y, v]."""
    m, g = sm.symbols("m g")
    y, v = dynamicsymbols("y v")
    N, O, P = ReferenceFrame("N"), Point("O"), Point("P")
    P.set_pos(O, y * N.y)
    system = System(N, O)
    system.add_bodies(Particle("ball", P, m))
    system.add_coordinates(y)
    system.add_speeds(v)
    system.add_kdes(v - y.diff(t))
    system.apply_uniform_gravity(-g * N.y)
    if load != 0:
        system.add_loads(Force(P, load * N.y))
    table = Plane(O.locatenew("T", sm.sympify(height) * N.y), N.y)
    return Case(HybridModel(system, [contact(P, table, "bounce")]), {"m": 1.0, "g": 9.8, "e": 0.5})


def particle(normals: Mapping[str, Sequence[float]]) -> Case:
    """A particle in space with planes through the origin, by name and normal. State [x, y, z, vx, vy, vz]."""
    m, g = sm.symbols("m g")
    q, u = dynamicsymbols("x y z"), dynamicsymbols("vx vy vz")
    N, O, P = ReferenceFrame("N"), Point("O"), Point("P")
    P.set_pos(O, q[0] * N.x + q[1] * N.y + q[2] * N.z)
    system = System(N, O)
    system.add_bodies(Particle("particle", P, m))
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_kdes(*(speed - coordinate.diff(t) for speed, coordinate in zip(u, q, strict=True)))
    system.apply_uniform_gravity(-g * N.z)
    vectors = {name: nx * N.x + ny * N.y + nz * N.z for name, (nx, ny, nz) in normals.items()}
    contacts = [contact(P, Plane(O, vector), name) for name, vector in vectors.items()]
    return Case(HybridModel(system, contacts), {"m": 1.0, "g": 9.8, "e": 0.5})


def cube(
    speeds: str, surface: sm.Expr | float = 0, order: Sequence[int] = range(8), attitude: str = "quaternion"
) -> Case:
    """A unit cube above a plane at the height `surface`; `speeds` as for `mechanics_oracle.cube`.

    Corners are named by the signs of their places in the cube, and may touch in the order given.
    """
    system, corners = mechanics_oracle.cube(speeds)
    origin = system.fixed_point
    floor = Plane(origin.locatenew("floor", surface * system.z) if surface != 0 else origin, system.z)
    names = ("".join(signs) for signs in product("+-", repeat=3))
    contacts = [contact(corner, floor, name) for corner, name in zip(corners, names, strict=True)]
    numbers = {"m": 1.0, "h": 0.5, "g": 9.8, "e": 0.8, "i1": 1 / 6, "i2": 1 / 6, "i3": 1 / 6}
    return Case(HybridModel(system, [contacts[i] for i in order], attitude=attitude), numbers)


def rod() -> Case:
    """A slender rod that moves in a plane above a floor; its ends have restitutions of their own.

    State [x, z, a, vx, vz, w]; positive angles lower the end B.
    """
    m, l, g = sm.symbols("m l g")
    x, z, a = dynamicsymbols("x z a")
    u = dynamicsymbols("vx vz w")
    N, F, O = ReferenceFrame("N"), ReferenceFrame("F"), Point("O")
    F.orient_axis(N, a, N.y)
    C = O.locatenew("C", x * N.x + z * N.z)
    moment = m * l**2 / 12
    system = System(N, O)
    system.add_bodies(RigidBody("rod", C, F, m, (inertia(F, 0, moment, moment), C)))
    system.add_coordinates(x, z, a)
    system.add_speeds(*u)
    system.add_kdes(*(speed - coordinate.diff(t) for speed, coordinate in zip(u, (x, z, a), strict=True)))
    system.apply_uniform_gravity(-g * N.z)
    floor = Plane(O, N.z)
    contacts = [
        Contact(C.locatenew(name, side * l / 2 * F.x), floor, restitution=sm.Symbol(f"e_{name}"), friction=0, name=name)
        for name, side in (("A", -1), ("B", 1))
    ]
    return Case(HybridModel(system, contacts), {"m": 1.0, "l": 1.0, "g": 9.8, "e_A": 0.5, "e_B": 0.5})


def linkage() -> Case:
    """Three rods that hang in a chain above a floor, which the lower end of each may touch."""
    m, l, g, h = sm.symbols("m l g h")
    ground = RigidBody("ground")
    system = System.from_newtonian(ground)
    floor = Plane(ground.masscenter.locatenew("floor", -h * ground.y), ground.y)
    parent, place, contacts = ground, ground.masscenter, []
    for name in ("upper", "middle", "lower"):
        link = RigidBody(name, mass=m)
        link.central_inertia = inertia(link.frame, 0, 0, m * l**2 / 12)
        top, end = link.masscenter.locatenew(f"{name}_top", l / 2 * link.y), f"{name}_end"
        system.add_joints(
            PinJoint(f"{name}_pin", parent, link, parent_point=place, child_point=top, joint_axis=ground.z)
        )
        parent, place = link, link.masscenter.locatenew(end, -l / 2 * link.y)
        contacts.append(contact(place, floor, end))
    system.apply_uniform_gravity(-g * ground.y)
    return Case(HybridModel(system, contacts), {"m": 1.0, "l": 1.0, "g": 9.8, "h": 1.5, "e": 0.5})


def coupled_masses() -> Case:
    """Two masses on a rail, a spring and damper between them; they may hit a stop and each other's front."""
    k, c, l, d = sm.symbols("k c l d", positive=True)
    rail = RigidBody("rail")
    rear, front = (RigidBody(name, mass=sm.Symbol(f"m_{name}")) for name in ("rear", "front"))
    system = System.from_newtonian(rail)
    system.add_joints(*(PrismaticJoint(body.name, rail, body, joint_axis=rail.x) for body in (rear, front)))
    pathway = LinearPathway(rear.masscenter, front.masscenter)
    system.add_actuators(ForceActuator(-k * (pathway.length - l) - c * pathway.extension_velocity, pathway))
    stop = Plane(rail.masscenter.locatenew("stop", d * rail.x), -rail.x)
    bumper = Plane(rear.masscenter.locatenew("bumper", l / 4 * rear.x), rear.x)
    contacts = [contact(front.masscenter, stop, "stop"), contact(front.masscenter, bumper, "bumper")]
    numbers = {"k": 50.0, "c": 0.2, "l": 1.0, "d": 2.0, "m_rear": 1.0, "m_front": 2.0, "e": 0.9}
    return Case(HybridModel(system, contacts), numbers)


def cart_pole() -> Case:
    """A cart with a pole between two walls that the tip of the pole and the cart itself may hit."""
    M, m, l, g, d = sm.symbols("M m l g d", positive=True)
    ground, cart, pole = RigidBody("ground"), RigidBody("cart", mass=M), RigidBody("pole", mass=m)
    pole.central_inertia = inertia(pole.frame, 0, 0, m * l**2 / 12)
    foot, tip = (pole.masscenter.locatenew(name, side * l / 2 * pole.y) for name, side in (("foot", -1), ("tip", 1)))
    system = System.from_newtonian(ground)
    system.add_joints(
        PrismaticJoint("slide", ground, cart, joint_axis=ground.x),
        PinJoint("pin", cart, pole, child_point=foot, joint_axis=cart.z),
    )
    system.apply_uniform_gravity(-g * ground.y)
    deck = Plane(cart.masscenter.locatenew("deck", -l / 4 * cart.y), cart.y)
    walls = [
        Plane(ground.masscenter.locatenew(name, side * d * ground.x), -side * ground.x)
        for name, side in (("left", -1), ("right", 1))
    ]
    contacts = [contact(point, wall) for point in (tip, cart.masscenter) for wall in walls]
    contacts.append(contact(tip, deck))
    return Case(HybridModel(system, contacts), {"M": 2.0, "m": 1.0, "l": 1.0, "g": 9.8, "d": 1.2, "e": 0.7})
