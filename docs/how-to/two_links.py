from math import pi

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
tip = lower.masscenter.locatenew("tip", -top)
floor = Plane(ground.masscenter.locatenew("floor", h * down), -down)
model = HybridModel(system, [Contact(tip, floor, restitution=e, friction=0)])
result = model.simulate((0, 10), {q1: pi / 2, q2: 0, u1: 0, u2: 0}, {m: 1, l: 1, g: 9.81, h: 1.5, e: 0.8})
result.animate("two_links.gif")
