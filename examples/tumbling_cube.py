"""A tumbling cube: a rigid body with eight contact points above a floor.

    python examples/tumbling_cube.py [PICTURE]

The body is described with `sympy.physics.mechanics`, its corners become contacts with the floor, and sympact does the
rest. The numbers are those of the third example of the multi-stage framework. That document keeps the spin at an
impact; Lagrange's impact equation, used here, lets the impulse at a corner turn the cube.
"""

import sys
from itertools import product

from sympy import Matrix, symbols
from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, System, dynamicsymbols, inertia

from sympact import Contact, HybridModel, Plane

picture = sys.argv[1] if len(sys.argv) > 1 else "tumbling_cube.png"

# The parameters: mass, edge, gravity and coefficient of restitution.
m, a, g, e = symbols("m a g e", positive=True)

# The coordinates are the place of the centre and three angles about z, x and z; the speeds are their rates.
x, y, z, psi, theta, phi = dynamicsymbols("x y z psi theta phi")
q = Matrix([x, y, z, psi, theta, phi])
u = Matrix(dynamicsymbols("v_x v_y v_z omega_psi omega_theta omega_phi"))

# The cube: a frame B that turns with it, and its centre C.
N, B = ReferenceFrame("N"), ReferenceFrame("B")
O, C = Point("O"), Point("C")
B.orient_body_fixed(N, (psi, theta, phi), "313")
C.set_pos(O, x * N.x + y * N.y + z * N.z)
moment = m * a**2 / 6
cube = RigidBody("cube", C, B, m, (inertia(B, moment, moment, moment), C))

system = System(N, O)
system.add_bodies(cube)
system.add_coordinates(*q)
system.add_speeds(*u)
system.add_kdes(*(u - q.diff(dynamicsymbols._t)))
system.apply_uniform_gravity(-g * N.z)

# Every corner may touch the floor z = 0.
floor = Plane(O, N.z)
contacts = []
for i, j, k in product((1, -1), repeat=3):
    name = "".join("+" if sign > 0 else "-" for sign in (i, j, k))
    corner = C.locatenew(name, a / 2 * (i * B.x + j * B.y + k * B.z))
    contacts.append(Contact(corner, floor, restitution=e, friction=0, name=name))

model = HybridModel(system, contacts)
print("The gap of the corner +++:")
print("   ", model.gaps[0])

start = dict(zip([*q, *u], [0, 0, 10, 1, 2, 3, 1, 1, 0, 3, 2, 1], strict=True))
result = model.simulate((0, 5), start, {m: 1, a: 1, g: 9.8, e: 0.8}, rtol=1e-12, atol=1e-14)

print("\nThe impacts, with the signs of the corner that hit:")
print(result.table())
print("\nAt the end the centre is at", result(5.0)[:3].round(9))

result.plot(title="Tumbling cube").savefig(picture)
print("The picture is in", picture)
