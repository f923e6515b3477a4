"""A ball that a force lifts and a table that moves: what an input can be."""

# begin
import numpy as np
from sympy import Piecewise, sin, symbols
from sympy.physics.mechanics import Force, Particle, Point, ReferenceFrame, System, dynamicsymbols

from sympact import Contact, HybridModel, Interpolated, Plane

m, g, e = symbols("m g e")
(z, v), (F, r), t = dynamicsymbols("z v"), dynamicsymbols("F r"), dynamicsymbols._t
N, O = ReferenceFrame("N"), Point("O")
ball, table = O.locatenew("ball", z * N.z), O.locatenew("table", r * N.z)
system = System(N, O)
system.add_bodies(Particle("ball", ball, m))
system.add_coordinates(z)
system.add_speeds(v)
system.add_kdes(v - z.diff(t))
system.apply_uniform_gravity(-g * N.z)
system.add_loads(Force(ball, F * N.z))
model = HybridModel(system, [Contact(ball, Plane(table, N.z), restitution=e, friction=0)])
numbers = {m: 2.0, g: 9.81, e: 0.5}
print(model.inputs)


def drop(force, height, t_end=2.0, **options):
    return model.simulate((0, t_end), {z: 1, v: 0}, numbers, inputs={F: force, r: height}, **options)


# numbers
for force in (0.0, 2.5, 5.0):  # one set of machine code for all three
    print(drop(force, height=0.0).events[0].t)

# expressions
pulse = Piecewise((0, t < 0.2), (40.0, t < 0.21), (0, True))
result = drop(pulse, height=0.1 * sin(3 * t))
print([(event.t, str(event.kind)) for event in result.events][:3])
assert [event.t for event in result.events][:2] == [0.2, 0.21]  # the edges of the pulse are events

# mixed
spring = drop(-20 * (z - r) - 0.5 * v, height=0.1 * sin(3 * t))  # states and another input in it

# data
times = np.linspace(0.0, 2.0, 21)
measured = Interpolated(times, 5 * np.sin(3 * times))  # straight lines
steps = Interpolated([0.0, 0.5, 1.0], [0.0, 10.0, 0.0], kind="hold")
ridden = Interpolated(times, 0.1 * np.sin(3 * times), kind="cubic")
result = drop(measured, height=ridden)
held = drop(steps, height=0.0)
assert {0.5, 1.0} <= set(held.t)  # a step of the run ends where the force jumps
np.testing.assert_allclose(result[F], measured(result.t), atol=1e-12)

# splines
from scipy.interpolate import CubicSpline  # noqa: E402

period = np.linspace(0.0, 1.0, 9)
beat = CubicSpline(period, np.cos(2 * np.pi * period) ** 3, bc_type="periodic", extrapolate="periodic")
result = drop(beat, height=0.0)


# functions
def motor(time, x):
    return 3.0 if x[1] < 0 else 0.0


lifted = drop(motor, height=0.0)
alone = drop(lambda time: 3.0 * np.exp(-time), height=0.0)

# end
assert lifted.t_span == alone.t_span == spring.t_span == (0.0, 2.0)
