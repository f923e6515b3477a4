"""A hammer on an arm that hits an anvil: forces, torques and impulses in its joints."""

# begin
import numpy as np
import sympy as sm
from sympy.physics.mechanics import PinJoint, RigidBody, System, TorqueActuator, WeldJoint, inertia

from sympact import Contact, HybridModel, Plane

m, l, M, g, c, e = sm.symbols("m l M g c e", positive=True)
frame, arm, head = RigidBody("frame"), RigidBody("arm", mass=m), RigidBody("head", mass=M)
arm.central_inertia = inertia(arm.frame, 0, m * l**2 / 12, m * l**2 / 12)
head.central_inertia = inertia(head.frame, 0, 0, 0)
pivot = PinJoint("pivot", frame, arm, child_point=-l / 2 * arm.x, joint_axis=frame.z)
neck = WeldJoint("neck", arm, head, parent_point=l / 2 * arm.x, child_point=-head.x / 20)
system = System.from_newtonian(frame)
system.add_joints(pivot, neck)
system.apply_uniform_gravity(-g * frame.y)
system.add_actuators(TorqueActuator(-c * pivot.speeds[0], frame.z, arm.frame, frame.frame))  # grease
anvil = Contact(head.masscenter, Plane(frame.masscenter, frame.y), restitution=e, friction=0, name="anvil")
model = HybridModel(system, [anvil])
numbers = {m: 0.5, l: 0.4, M: 1.2, g: 9.81, c: 0.01, e: 0.3}
result = model.simulate((0, 2), [2.0, 0.0], numbers)

# samples
force = result.joint_force(pivot)  # (3, n_samples), by the frame on the arm, components in the inertial frame
torque = result.joint_torque(neck)  # (3, n_samples), by the arm on the head, about the child point of the joint
print("largest force of the pivot:", np.linalg.norm(force, axis=0).max(), "N")

# times
times = np.linspace(0.0, 0.3, 4)
along, across, _ = result.joint_force("neck", t=times, frame=arm.frame)
print("the head pulls on the arm with", -along, "and across it with", -across, "N")

# impulses
hit = result.events[0]
print(f"the anvil gives {hit.impulse[0]:.4f} N s, the pivot", hit.joint_impulse(pivot), "N s")
print("moment in the neck:", hit.joint_angular_impulse(neck), "N m s")

# rest
weight = (numbers[m] + numbers[M]) * numbers[g]
borne = result.joint_force(pivot)[1, -1] + result.normal_force[0, -1]
print("at rest pivot and anvil bear", borne, "N of", weight)

assert abs(borne - weight) < 1e-6
assert abs(result.joint_torque(pivot)[2]).max() < 1e-9
