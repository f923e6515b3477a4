"""The first step of the tutorial: a ball that bounces until it is at rest."""

# model
from math import sqrt

from sympy import symbols
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, System, dynamicsymbols

from sympact import Contact, HybridModel, Plane

m, g, e = symbols("m g e", positive=True)
z, v = dynamicsymbols("z v")
N, O = ReferenceFrame("N"), Point("O")
ball = Particle("ball", O.locatenew("P", z * N.z), m)

system = System(N, O)
system.add_bodies(ball)
system.add_coordinates(z)
system.add_speeds(v)
system.add_kdes(v - z.diff())
system.apply_uniform_gravity(-g * N.z)
# contact
contact = Contact(ball.masscenter, Plane(O, N.z), restitution=e, friction=0, name="ball")
model = HybridModel(system, [contact])
# formulas
print("M =", model.mass_matrix, " f =", model.forcing)
print("gap =", model.gaps, " gap rate =", model.gap_rates, " u+ =", model.jump_map("ball"))
# run
result = model.simulate((0, 5), {z: 1, v: 0}, {m: 1, g: 9.81, e: 0.8})
print(result.table(max_rows=10))
# check
first = sqrt(2 / 9.81)
assert abs(result.events[0].t - first) < 1e-9
assert abs(result.t_inf - first * (1 + 0.8) / (1 - 0.8)) < 1e-6
assert result.path == ("free", "ball (at rest)")
assert abs(result.normal_force[0, -1] - 9.81) < 1e-9  # the floor carries the weight
# picture
result.plot(units={"t": "s", "z": "m", "gaps": "m", "v": "m/s"}).savefig("ball.png")
