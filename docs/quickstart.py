"""The first example of the manual: a rod that falls on a floor."""

# begin
from sympy import symbols
from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, System, dynamicsymbols, inertia

from sympact import Contact, HybridModel, Plane

m, l, g, e = symbols("m l g e", positive=True)
y, theta, v, omega = dynamicsymbols("y theta v omega")

N, B, O, C = ReferenceFrame("N"), ReferenceFrame("B"), Point("O"), Point("C")
B.orient_axis(N, theta, N.z)
C.set_pos(O, y * N.y)
rod = RigidBody("rod", C, B, m, (inertia(B, 0, m * l**2 / 12, m * l**2 / 12), C))

system = System(N, O)
system.add_bodies(rod)
system.add_coordinates(y, theta)
system.add_speeds(v, omega)
system.add_kdes(v - y.diff(), omega - theta.diff())
system.apply_uniform_gravity(-g * N.y)

floor = Plane(O, N.y)  # a point of it, and its normal to the free side
ends = [C.locatenew("A", -l / 2 * B.x), C.locatenew("B", l / 2 * B.x)]
model = HybridModel(system, [Contact(end, floor, restitution=e, friction=0) for end in ends])

result = model.simulate((0, 1), {y: 2, theta: 0.5, v: 0, omega: 1}, {m: 1, l: 1, g: 9.81, e: 0.5})
print(result.table())
result.plot().savefig("rod.png")
