"""A ball that bounces on a compliant floor, the stiffer the closer to Newton's rebound."""

# begin
import numpy as np
from matplotlib.figure import Figure
from sympy.physics.mechanics import Particle, PrismaticJoint, RigidBody, System

from sympact import CompliantContact, Contact, HuntCrossley, HybridModel, NormalForce, Plane, Sphere

ground, ball = RigidBody("ground"), Particle("ball", mass=1)  # kg
system = System.from_newtonian(ground)
system.add_joints(PrismaticJoint("z", ground, ball, joint_axis=ground.z))
system.apply_uniform_gravity(-9.81 * ground.z)
ends = Sphere(ball.masscenter, 0.1), Plane(ground.masscenter, ground.z)  # the ball has a radius of 0.1 m
start, speed = [0.6, 0.0], (2 * 9.81 * 0.5) ** 0.5  # it falls 0.5 m, and touches at this speed

law = HuntCrossley.from_restitution(1e5, 1.5, restitution=0.7, speed=speed)
soft = CompliantContact(*ends, law=law, friction=0, name="soft")
result = HybridModel(system, [soft]).simulate((0, 2), start, {})
touch, apart = result.events.of(soft).t[:2]
print(f"in contact for {1e3 * (apart - touch):.2f} ms, with {result[NormalForce(soft)].max():.0f} N at most")
print(f"it has dissipated {-result.work[soft][-1]:.3f} J")

# stiffer
rigid = HybridModel(system, [Contact(*ends, restitution=0.7, friction=0)]).simulate((0, 0.55), start, {}, rtol=1e-9)
for stiffness in 10.0 ** np.arange(5, 10):
    law = HuntCrossley.from_restitution(stiffness, 1.5, restitution=0.7, speed=speed)
    model = HybridModel(system, [CompliantContact(*ends, law=law, friction=0)])
    away = model.simulate((0, 0.55), start, {}, rtol=1e-9).x[0, -1] - rigid.x[0, -1]
    print(f"k = {stiffness:.0e} N/m^1.5: {1e3 * away:+.4f} mm from the rigid contact")

# picture
times = np.linspace(touch - 1e-4, apart + 1e-4, 600)
close = HybridModel(system, [soft]).simulate((0, times[-1]), start, {}, t_eval=times)
figure = Figure(figsize=(8, 3.4), layout="constrained")
height, loop = figure.subplots(1, 2)
over = np.linspace(0, 2, 2000)
height.plot(over, result(over)[0] - 0.1)
height.set(xlabel="t (s)", ylabel="height above the floor (m)")
loop.plot(1e3 * (0.1 - close[0]), close[NormalForce(soft)])
loop.set(xlabel="compression (mm)", ylabel="force (N)", title="the first contact")
figure.savefig("compliant.png", dpi=120)
