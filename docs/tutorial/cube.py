"""The third step of the tutorial: a cube that falls on its corners and comes to rest on a face."""

# model
from itertools import product

import numpy as np
from sympy import Matrix, symbols
from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, System, dynamicsymbols, inertia

from sympact import Contact, HybridModel, Plane

m, a, g, e = symbols("m a g e", positive=True)
place, speed = Matrix(dynamicsymbols("x y z")), Matrix(dynamicsymbols("v_x v_y v_z"))
attitude, spin = Matrix(dynamicsymbols("e_0 e_1 e_2 e_3")), Matrix(dynamicsymbols("omega_1 omega_2 omega_3"))

N, B, O, C = ReferenceFrame("N"), ReferenceFrame("B"), Point("O"), Point("C")
B.orient_quaternion(N, tuple(attitude))
turning = Matrix([B.ang_vel_in(N).dot(axis) for axis in B])  # by the rates of the quaternion
B.set_ang_vel(N, spin[0] * B.x + spin[1] * B.y + spin[2] * B.z)
C.set_pos(O, place[0] * N.x + place[1] * N.y + place[2] * N.z)
moment = m * a**2 / 6
cube = RigidBody("cube", C, B, m, (inertia(B, moment, moment, moment), C))

system = System(N, O)
system.add_bodies(cube)
system.add_coordinates(*place, *attitude)
system.add_speeds(*speed, *spin)
system.add_kdes(*(speed - place.diff()), *(turning - spin), attitude.dot(attitude.diff()))
system.apply_uniform_gravity(-g * N.z)
# contact
floor = Plane(O, N.z)
contacts = []
for signs in product((1, -1), repeat=3):
    name = "".join("+" if sign > 0 else "-" for sign in signs)
    arm = sum((sign * a / 2 * axis for sign, axis in zip(signs, B, strict=True)), start=0 * B.x)
    contacts.append(Contact(C.locatenew(name, arm), floor, restitution=e, friction=0, name=name))
model = HybridModel(system, contacts)
# run
turn = np.array([np.cos(0.25), 3, 2, 1])
turn[1:] *= np.sin(0.25) / np.linalg.norm(turn[1:])  # by half a radian about the axis (3, 2, 1)
start = dict(zip(model.x, [0, 0, 1.8, *turn, *[0] * 6], strict=True))
result = model.simulate((0, 5), start, {m: 1, a: 1, g: 9.81, e: 0.5})
print(result.table(max_rows=12))
# modes
print(result.path[-1])
for mode, of in result.modes.nodes(data=True):
    print(f"{of['time']:8.4f} s  {mode}")
# check
assert result.path[-1].endswith("(at rest)")
assert abs(result(5)[2] - 0.5) < 1e-9  # it lies on a face
assert abs(result.normal_force[:, -1].sum() - 9.81) < 1e-6
assert result.gaps.min() > -1e-9
assert all(event.energy <= 0 for event in result.events if event.kind == "impact")
# picture
result.draw_modes().savefig("cube.png")
