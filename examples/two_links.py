"""Two links above a floor: the tip of a double pendulum, released horizontally, hits the floor.

    python examples/two_links.py [PICTURE]

Two pin joints connect the links. The numbers are those of the second example of the multi-stage framework, which takes
m l^2/3 for the moment of inertia of a link about its mass centre. That is the value about the end of a slender rod;
about its centre a rod has m l^2/12. It is kept here so that you can compare the numbers.
"""

import sys
from math import pi

from sympy import symbols, trigsimp
from sympy.physics.mechanics import PinJoint, RigidBody, System, dynamicsymbols, inertia

from sympact import Contact, HybridModel, Plane

picture = sys.argv[1] if len(sys.argv) > 1 else "two_links.png"

# The parameters: mass and length of a link, gravity, height of the pivot above the floor, coefficient of restitution.
m, l, g, h, e = symbols("m l g h e", positive=True)
q1, q2, u1, u2 = dynamicsymbols("q1 q2 u1 u2")

# The bodies: each link lies along the y axis of its own frame, and y of the ground points down.
ground, upper, lower = RigidBody("ground"), RigidBody("upper", mass=m), RigidBody("lower", mass=m)
for link in (upper, lower):
    link.central_inertia = inertia(link.frame, m * l**2 / 3, 0, m * l**2 / 3)
across, down = ground.frame.x, ground.frame.y

pivot = PinJoint("pivot", ground, upper, q1, u1, child_point=-l / 2 * upper.frame.y, joint_axis=across)
knee = PinJoint(
    "knee",
    upper,
    lower,
    q2,
    u2,
    parent_point=l / 2 * upper.frame.y,
    child_point=-l / 2 * lower.frame.y,
    joint_axis=upper.frame.x,
)
system = System.from_newtonian(ground)
system.add_joints(pivot, knee)
system.apply_uniform_gravity(g * down)

# The tip of the lower link may touch the floor, whose free side is up.
tip = lower.masscenter.locatenew("tip", l / 2 * lower.frame.y)
floor = Plane(ground.masscenter.locatenew("floor", h * down), -down)
model = HybridModel(system, [Contact(tip, floor, restitution=e, friction=0, name="tip")])
print("The mass matrix:")
print("   ", model.mass_matrix.applyfunc(trigsimp))

result = model.simulate(
    (0, 10), {q1: pi / 2, q2: 0, u1: 0, u2: 0}, {m: 1, l: 1, g: 9.8, h: 1.5, e: 0.8}, rtol=1e-12, atol=1e-14
)

print("\nThe impacts:")
print(result.table())

result.plot(title="Two links above a floor", units={"t": "s", "gaps": "m"}).savefig(picture)
print("\nThe picture is in", picture)
