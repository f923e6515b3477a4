"""The second step of the tutorial: a double pendulum whose tip hits the floor."""

# model
from math import pi

import numpy as np
from sympy import symbols
from sympy.physics.mechanics import PinJoint, RigidBody, System, dynamicsymbols, inertia

from sympact import Contact, HybridModel, Plane

m, l, g, h, e = symbols("m l g h e", positive=True)
q1, q2, u1, u2 = dynamicsymbols("q1 q2 u1 u2")

ground, upper, lower = RigidBody("ground"), RigidBody("upper", mass=m), RigidBody("lower", mass=m)
for link in (upper, lower):
    link.central_inertia = inertia(link.frame, m * l**2 / 12, 0, m * l**2 / 12)
down, half, top = ground.y, l / 2 * upper.y, -l / 2 * lower.y

system = System.from_newtonian(ground)
system.add_joints(
    PinJoint("pivot", ground, upper, q1, u1, child_point=-half, joint_axis=ground.x),
    PinJoint("knee", upper, lower, q2, u2, parent_point=half, child_point=top, joint_axis=upper.x),
)
system.apply_uniform_gravity(g * down)
# contact
floor = Plane(ground.masscenter.locatenew("floor", h * down), -down)
tip = lower.masscenter.locatenew("tip", -top)
model = HybridModel(system, [Contact(tip, floor, restitution=e, friction=0, name="tip")])
# formulas
print(model.mass_matrix)
print(model.gaps)
print(model.normal_jacobian)
# run
numbers = {m: 1, l: 1, g: 9.81, h: 1.5, e: 0.8}
result = model.simulate((0, 4), {q1: pi / 2, q2: 0, u1: 0, u2: 0}, numbers)
print(result.table(max_rows=10))
# check
hit = result.events[0]
mass = np.array(model.mass_matrix.subs({**numbers, q2: hit.x_minus[1]}), dtype=float)
arms = np.array(model.normal_jacobian.subs({**numbers, q1: hit.x_minus[0], q2: hit.x_minus[1]}), dtype=float)
before, after = hit.x_minus[2:], hit.x_plus[2:]
assert np.allclose(mass @ (after - before), arms.T @ hit.impulse, rtol=1e-9)
assert np.allclose(arms @ after, -0.8 * arms @ before, rtol=1e-9)

energy = result.energy
assert np.allclose(energy[-1] - energy[0], sum(event.energy for event in result.events), rtol=1e-6)
# picture
result.plot_energy().savefig("two_links.png")
