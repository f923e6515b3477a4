"""The forces in all pins of a four-bar, one of which closes its loop."""

# begin
from sympy.physics.mechanics import PinJoint, RigidBody, System, inertia

from sympact import HybridModel, PinClosure


def bar(name, mass, length):
    body = RigidBody(name, mass=mass)
    body.central_inertia = inertia(body.frame, 0, 0, mass * length**2 / 12)
    return body


ground, crank, coupler, rocker = RigidBody("ground"), bar("crank", 1, 1), bar("coupler", 2, 2.3), bar("rocker", 1, 1.5)
pins = [
    PinJoint("A", ground, crank, child_point=-crank.x / 2, joint_axis=ground.z),
    PinJoint("B", crank, coupler, parent_point=crank.x / 2, child_point=-1.15 * coupler.x, joint_axis=crank.z),
    PinJoint("C", coupler, rocker, parent_point=1.15 * coupler.x, child_point=-0.75 * rocker.x, joint_axis=coupler.z),
]
system = System.from_newtonian(ground)
system.add_joints(*pins)
system.apply_uniform_gravity(-9.81 * ground.y)
end = rocker.masscenter.locatenew("end", 0.75 * rocker.x)
bearing = ground.masscenter.locatenew("bearing", 2 * ground.x)
D = PinClosure(bearing, end, ground.z, rocker.z, name="D")
model = HybridModel(system, [], constraints=[D])
start = [1.2, -1.01047756, -2.18729066, 2.0, -1.94016177, 1.32444086]
result = model.simulate((0, 2), start, {})

in_pin = result.joint_force("B")  # (3, n_samples), by the crank on the coupler
on_end = result.reaction.force(D)  # by the ground on the rocker
multipliers, units = result.reaction[D], result.reaction.units(D)  # {"along x": "N", "along y": "N"}
known = result.reaction.determined(D)  # all True: no constraint is redundant
print("at the start the pins bear", abs(in_pin[:, 0]).round(2), "and", abs(on_end[:, 0]).round(2), "N")

assert known.all()
assert abs(multipliers - on_end[:2]).max() < 1e-9
assert list(units.values()) == ["N", "N"]
