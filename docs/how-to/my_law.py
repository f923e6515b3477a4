"""Custom impact laws: a restitution that is zero below a speed, and a function with a fixed loss of energy."""

# begin
import numpy as np
from sympy import Piecewise, symbols
from sympy.physics.mechanics import Particle, PrismaticJoint, RigidBody, System

from sympact import Contact, CustomLaw, HybridModel, Plane, Sequential
from sympact import approach_speed as v

m, g, e, v_0 = symbols("m g e v_0", positive=True)
ground, ball = RigidBody("ground"), Particle("ball", mass=m)
system = System.from_newtonian(ground)
system.add_joints(PrismaticJoint("height", ground, ball, joint_axis=ground.z))
system.apply_uniform_gravity(-g * ground.z)
floor = Plane(ground.masscenter, ground.z)

# restitution: e above the speed of approach v_0, no rebound below it
restitution = Piecewise((0, v < v_0), (e, True))
model = HybridModel(system, [Contact(ball.masscenter, floor, restitution=restitution, friction=0)])
start, numbers = [0.8, 0.0], {m: 1, g: 10, e: 0.5, v_0: 0.9}
result = model.simulate((0, 2), start, numbers)
impacts = [event for event in result.events if event.impulse.any()]
before, after = (np.array([getattr(event, side)[1] for event in impacts]) for side in ("x_minus", "x_plus"))
print("hits", -before, "leaves", after)
assert np.allclose(before, [-4, -2, -1, -0.5])  # each speed is half of the one before: four impacts, no accumulation
assert np.allclose(after, [2, 1, 0.5, 0], atol=1e-12)
assert abs(impacts[-1].t - (0.4 + 0.4 + 0.2 + 0.1)) < 1e-9

# function
LOSS = 3.0  # J


def fixed_loss(mass_matrix, jacobian, velocity, restitution, friction):
    """Each impact dissipates LOSS of the energy of its approach, or all of it if there is less."""
    impulses = np.zeros_like(velocity)
    for k, normal in enumerate(jacobian[:, 0]):
        effective_mass = 1 / (normal @ np.linalg.solve(mass_matrix, normal))
        gap_rate = min(velocity[k, 0], 0.0)
        rebound = np.sqrt(max(0.0, gap_rate**2 - 2 * LOSS / effective_mass))
        impulses[k, 0] = effective_mass * (rebound - gap_rate)
    return impulses


contacts = [Contact(ball.masscenter, floor, restitution=0, friction=0)]
model = HybridModel(system, contacts, impact=CustomLaw(fixed_loss), resolution=Sequential())
result = model.simulate((0, 3), start, {m: 1, g: 10})
impacts = [event for event in result.events if event.impulse.any()]
print("energy of each impact", [event.energy for event in impacts])
assert np.allclose([event.energy for event in impacts], [-3, -3, -2])  # 8 J at the first impact, then 5, then 2
assert np.allclose(impacts[1].x_plus[1], 2.0)  # the 2 J that are left
assert abs(result.x[:, -1]).max() < 1e-12  # the ball rests
