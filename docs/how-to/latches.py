"""Latches: carts that couple and part, a pendulum whose rod is cut, or breaks, a rope that is cut."""

# begin
from sympy import symbols
from sympy.physics.mechanics import (
    KanesMethod,
    Particle,
    Point,
    PrismaticJoint,
    ReferenceFrame,
    RigidBody,
    System,
    dynamicsymbols,
)

from sympact import HybridModel, Latch, Reaction, RodClosure, String

t = dynamicsymbols._t
a, b, u, v = dynamicsymbols("a b u v")
track, first, second = RigidBody("track"), Particle("first", mass=2), Particle("second", mass=1)
system = System.from_newtonian(track)
system.add_joints(PrismaticJoint("A", track, first, a, u), PrismaticJoint("B", track, second, b, v))

coupling = Latch(b - a, closes=b - a < 1, opens=t > 3, name="coupling")
model = HybridModel(system, [], latches=[coupling])
result = model.simulate((0, 5), {a: 0, b: 3, u: 2, v: 0}, {})
print(result.events)
closes = result.events["coupling closes"][0]
print(closes.energy, closes.reaction_impulse[coupling])

# states
print(model.x)
print(result[coupling.state])
joined = model.simulate((0, 5), {a: 0, b: 2, u: 1, v: 1, coupling.state: 1, "coupling_offset": 2}, {})
print(joined.events)

# pendulum
N, O = ReferenceFrame("N"), Point("O")
x, y, p, r = dynamicsymbols("x y p r")
m, g, l = symbols("m g l")
O.set_vel(N, 0)
P = O.locatenew("P", x * N.x + y * N.y)
P.set_vel(N, p * N.x + r * N.y)
bob, weight = Particle("bob", P, m), (P, -m * g * N.y)
kane = KanesMethod(N, [x, y], [p, r], [p - x.diff(), r - y.diff()], bodies=[bob], forcelist=[weight])

rod = Latch(RodClosure(O, P, l), closed=True, opens=x > l / 2, name="rod")
cut = HybridModel(kane, [], latches=[rod], bodies=[bob], loads=[weight])
result = cut.simulate((0, 2), {x: -0.8, y: -0.6, p: 0, r: 0}, {m: 1, g: 9.81, l: 1})
print(result.events)
print(result.reaction.at(result.events.t, side="left")[rod], result.reaction[rod][0, -1])

# break
wire = RodClosure(O, P, l, name="wire")
torn = Latch(wire, closed=True, opens=-Reaction(wire) > 2 * m * g, name="torn")  # from level it bears up to 3 m g
breaking = HybridModel(kane, [], latches=[torn], bodies=[bob], loads=[weight])
result = breaking.simulate((0, 2), {x: -1, y: 0, p: 0, r: 0}, {m: 1, g: 9.81, l: 1})
print(result.events, result.events[0].x_minus[1])  # where 3 m g |y| = 2 m g

# rope
rope = String(O, P, l, restitution=0, active=t < 1, name="rope")
hanging = HybridModel(kane, [rope], bodies=[bob], loads=[weight])
print(hanging.simulate((0, 2), {x: 0, y: -1, p: 1, r: 0}, {m: 1, g: 9.81, l: 1}).events)
# end
